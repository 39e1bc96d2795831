# SPDX-License-Identifier: Apache-2.0
"""The use cases: measure, judge, and what joins them."""

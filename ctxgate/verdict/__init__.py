# SPDX-License-Identifier: Apache-2.0
"""Comparability and decision."""

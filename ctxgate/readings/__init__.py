# SPDX-License-Identifier: Apache-2.0
"""Google Benchmark JSON to checked readings; the only reader of that format."""

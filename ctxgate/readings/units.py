# SPDX-License-Identifier: Apache-2.0
"""Time units of Google Benchmark rows; every time is nanoseconds before anything else sees it."""

from collections.abc import Mapping

NANOSECONDS: Mapping[str, float] = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
"""Nanoseconds in each unit that Google Benchmark writes."""

LONGEST_NS = 1e18
"""32 years: whatever is longer is no measured time but an overflow, and sums of it would be too."""

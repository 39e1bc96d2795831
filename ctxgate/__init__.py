# SPDX-License-Identifier: Apache-2.0
"""Tells before merging whether a kernel change made switching between tasks dearer."""

__version__ = "0.1.0"

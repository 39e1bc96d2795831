# SPDX-License-Identifier: Apache-2.0
"""One verdict object to terminal, JSON, JUnit."""

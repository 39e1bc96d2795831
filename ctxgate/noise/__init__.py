# SPDX-License-Identifier: Apache-2.0
"""Readings to session summaries; variance, prior, smallest visible change."""

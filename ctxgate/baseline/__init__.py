# SPDX-License-Identifier: Apache-2.0
"""Stored baselines: what they hold, who may store one, whether one may be believed."""

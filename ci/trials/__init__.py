# SPDX-License-Identifier: Apache-2.0
"""The trials of ci/trial: what a shared CI machine cannot assert."""

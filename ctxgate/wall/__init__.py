# SPDX-License-Identifier: Apache-2.0
"""Many processes on this machine to a session; is the machine fit."""

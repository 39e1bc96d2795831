# SPDX-License-Identifier: Apache-2.0
"""Everything outside the process, as parameters: streams, programs, locks, session directories."""

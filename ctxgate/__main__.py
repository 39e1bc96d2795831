# SPDX-License-Identifier: Apache-2.0
"""`python -m ctxgate`."""

from ctxgate.cli import run

if __name__ == "__main__":
    run()

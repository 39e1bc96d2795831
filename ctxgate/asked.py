# SPDX-License-Identifier: Apache-2.0
"""What the parsed command line asks of the use cases."""

from argparse import Namespace
from typing import TYPE_CHECKING

from ctxgate.arguments import UsageError
from ctxgate.system.host import Host

if TYPE_CHECKING:
    from ctxgate.gate.settings import Settings


def check_gate(given: Namespace) -> None:
    """Refuse options of `gate` that exclude each other. UsageError."""
    if given.local_baseline and given.baseline:
        raise UsageError("--local-baseline and --baseline exclude each other")
    if given.contender and given.out is not None:
        raise UsageError("--out is for a fresh session, but --contender names a measured one")


def settings(given: Namespace, host: Host) -> "Settings":
    """The settings in effect for `gate`, `compare` and `config`. UsageError where one is wrong."""
    from ctxgate.gate.configuration import ConfigurationError
    from ctxgate.gate.settings import Given, settle

    try:
        return settle(
            Given(
                tolerance=given.tolerance,
                baseline=given.baseline,
                config=given.config,
                search=not given.no_config,
                local=given.command == "gate" and given.local_baseline,
                requires=given.command != "compare",
            ),
            host,
        )
    except ConfigurationError as error:
        raise UsageError(str(error)) from error

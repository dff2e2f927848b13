"""What an operator may ask of the process that runs the bot (DSK-12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Operations(Protocol):
    """Networks, ledger and config of a running bot."""

    def status(self) -> Sequence[str]:
        """Their status, a line each."""
        ...

    def reload(self) -> str:
        """Read the config again: what came of it, in a sentence."""
        ...

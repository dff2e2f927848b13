"""`odds COMMAND` (GEN-08): a command of another grammar, asked about and not carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SYSTEM = False  # answered by the bot, not by a rules file
KEYWORDS = ("odds",)
TAKES_DICE = ("odds",)
EXAMPLES = {
    "odds roll 10d10 h5 dc4": "the exact chances of a command; rolls nothing. `odds wp 2` asks about a reroll",
    "odds 4d6k3 full": "the same, and a chart of bars in private",
}
MORE = "full"  # may stand last, behind the command that is asked about (DSK-09)
WORDS = (MORE,)


@dataclass(frozen=True, slots=True)
class OddsOf:
    """A question about the chances of `command`, any node that rolls or rerolls; `full` wants them as a chart too."""

    command: Any
    full: bool = False

    @property
    def only_called(self) -> bool:
        """GEN-14: as the command itself."""
        return bool(getattr(self.command, "only_called", False))

    def __str__(self) -> str:
        return f"odds {self.command}{' full' if self.full else ''}"


WRAPS = OddsOf  # what stands behind the command word is itself a command, and this takes its node

"""Words that are commands because somebody keeps something of that name (DSK-02, DSK-05)."""

from __future__ import annotations

from ircdice.bot.message import Message
from ircdice.table import Desk


def expanded(_plain: str, _message: Message, _desk: Desk) -> str | None:
    """The command that a called line stands for, as `track luck -2` for `luck -2`; None where it stands for none."""
    return None

"""What becomes of a typed line: silence, a hint or an answer."""

from __future__ import annotations

from collections.abc import Iterable

import grammars
from ircdice.bot.message import Message, listen


def fate(line: str, system: str = "v5", channel: str | None = "#FU_Dice") -> str:
    """`silent`, `hint` or `answer`; without a channel, the line is sent in private."""
    heard = listen(Message("net", channel, "alice", line), "`!.")
    if heard is None or heard.unknown_word:
        return "silent"
    try:
        grammars.read(heard.text, system, heard.called)
    except grammars.UnknownCommand:
        return "silent"
    except grammars.CommandSyntaxError:
        return "hint"
    return "answer"


def surprises(rows: Iterable[tuple[str, str]], system: str = "v5", channel: str | None = "#FU_Dice") -> list[str]:
    """Of rows of what a line should meet with and the line, those that meet with something else."""
    fates = ((wanted, line, fate(line, system, channel)) for wanted, line in rows)
    return [f"{line!r}: {found}, not {wanted}" for wanted, line, found in fates if found != wanted]

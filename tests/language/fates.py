"""What becomes of a typed line: silence, a hint or an answer."""

from __future__ import annotations

import grammars
from ircdice.bot.message import Message, listen


def fate(line: str, system: str = "v5", channel: str | None = "#FU_Dice") -> str:
    """`silent`, `hint` or `answer`; without a channel, the line is sent in private."""
    heard = listen(Message("net", channel, "alice", line), "`!.")
    if heard is None or heard.custom:
        return "silent"
    try:
        grammars.read(heard.text, system, heard.called)
    except grammars.UnknownCommand:
        return "silent"
    except grammars.CommandSyntaxError:
        return "hint"
    return "answer"

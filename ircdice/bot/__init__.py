"""From one message to the replies: hearing, reading, rolling, recording. Knows no sockets."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ircdice.bot.allowance import Allowance
    from ircdice.bot.bot import Bot
    from ircdice.bot.chance import Chance, OwnChance
    from ircdice.bot.hinting import Hinting
    from ircdice.bot.message import Message, Reply, There
    from ircdice.bot.offering import refusal_text
    from ircdice.bot.turn import Answer
else:
    _FROM = {
        "allowance": ("Allowance",),
        "bot": ("Bot",),
        "chance": ("Chance", "OwnChance"),
        "hinting": ("Hinting",),
        "message": ("Message", "Reply", "There"),
        "offering": ("refusal_text",),
        "turn": ("Answer",),
    }
    _HOME = {name: f"{__name__}.{module}" for module, names in _FROM.items() for name in names}

    def __getattr__(name: str) -> Any:
        """Loaded when it is asked for: the wire knows messages, and connects before the games are there."""
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOME[name]), name)


__all__ = ["Allowance", "Answer", "Bot", "Chance", "Hinting", "Message", "OwnChance", "Reply", "There", "refusal_text"]

"""The bot: reads a message, runs its command, records it and replies."""

from ircdice.bot.bot import Bot
from ircdice.bot.context import Answer, Randomness
from ircdice.bot.message import Message, Present, Reply, There
from ircdice.bot.rate_limit import Allowance, Hinting
from ircdice.bot.refusals import refusal_text

__all__ = [
    "Allowance",
    "Answer",
    "Bot",
    "Hinting",
    "Message",
    "Present",
    "Randomness",
    "Reply",
    "There",
    "refusal_text",
]

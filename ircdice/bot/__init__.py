"""From one message to the replies: hearing, reading, rolling, recording. Knows no sockets."""

from ircdice.bot.bot import Bot, refusal_text
from ircdice.bot.hinting import Hinting
from ircdice.bot.message import Message, Reply
from ircdice.bot.turn import Answer, Chance

__all__ = ["Answer", "Bot", "Chance", "Hinting", "Message", "Reply", "refusal_text"]

"""From one message to the replies: hearing, reading, rolling, recording. Knows no sockets."""

from ircdice.bot.allowance import Allowance
from ircdice.bot.bot import Bot, refusal_text
from ircdice.bot.chance import Chance, OwnChance
from ircdice.bot.hinting import Hinting
from ircdice.bot.message import Message, Reply, There
from ircdice.bot.turn import Answer

__all__ = ["Allowance", "Answer", "Bot", "Chance", "Hinting", "Message", "OwnChance", "Reply", "There", "refusal_text"]

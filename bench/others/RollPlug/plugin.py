"""What it answers."""

from durable import Durable
from supybot import callbacks, ircmsgs


class RollPlug(callbacks.Plugin):
    """Answers a roll."""

    durable = Durable()

    def doPrivmsg(self, irc, msg):  # noqa: N802  # Limnoria's name for it
        if msg.args[1].startswith("roll "):
            line = f"{msg.nick}: Success, 4 successes vs 3, margin +1; 9 6 7, hunger 8 2"
            number = self.durable.keep(msg.nick, msg.args[1], line)
            irc.queueMsg(ircmsgs.privmsg(msg.args[0], f"{line}; id {number}"))


Class = RollPlug

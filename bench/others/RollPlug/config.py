"""Its registration."""

from supybot import conf


def configure(_advanced):
    conf.registerPlugin("RollPlug", True)


RollPlug = conf.registerPlugin("RollPlug")

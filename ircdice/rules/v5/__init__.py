"""V5 Hunger pools (seed 002): the one object through which the bot reaches its rules."""

from collections.abc import Mapping
from typing import ClassVar

from grammars import Command
from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from ircdice.game import Game
from ircdice.rules.v5 import covering, judging, rerolls, texts
from ircdice.rules.v5 import odds as chances_of


class V5(Game[Command, None]):
    """Hunger pools."""

    nodes = (Pool, Contest, Rouse, AutomaticWin)
    diceless = (AutomaticWin,)
    amends: ClassVar[Mapping[type[Command], str]] = {Willpower: "reroll", SayHunger: "hunger"}
    words = texts.WORDS
    short = texts.SHORT
    chances = (texts.CHANCES,)
    rules = texts.RULES
    roles = texts.ROLES
    leads = texts.LEADS
    closed = "no more Willpower on it"
    difficulties: ClassVar[Mapping[type[Command], str]] = {Pool: "difficulty"}

    evaluate = staticmethod(judging.evaluate)
    odds = staticmethod(chances_of.odds)
    means = staticmethod(rerolls.means)
    admits = staticmethod(rerolls.admits)
    amend = staticmethod(rerolls.amend)
    amend_odds = staticmethod(chances_of.reroll_odds)
    answers = staticmethod(rerolls.answers)
    offer = staticmethod(texts.offer)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    versus = staticmethod(texts.versus)
    waiting = staticmethod(texts.waiting)
    cover = staticmethod(covering.cover)


GAME = V5()

"""Fayrewood (seed 004): the one object through which the bot reaches its rules."""

from collections.abc import Mapping
from typing import ClassVar

from grammars import Command
from grammars.fayrewood import Clash, Sweep, Toss
from ircdice.dice import DiceSource
from ircdice.game import Game
from ircdice.odds import Odds
from ircdice.outcome import Outcome
from ircdice.rules.fayrewood import judging, texts
from ircdice.rules.fayrewood import odds as chances_of
from ircdice.settings import HouseRules


class Fayrewood(Game[Command, None]):
    """Tosses and clashes of two dice."""

    nodes = (Toss, Clash, Sweep)
    diceless = (Sweep,)
    words = texts.WORDS
    short = texts.SHORT
    chances = texts.CHANCES
    rules = texts.RULES
    difficulties: ClassVar[Mapping[type[Command], str]] = {Toss: "difficulty"}

    def evaluate(self, node: Command, dice: DiceSource, _house: HouseRules) -> Outcome:
        """Throw and judge."""
        return judging.evaluate(node, dice)

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The exact chances of `node`."""
        return chances_of.odds(node)

    amend = staticmethod(judging.amend)
    answers = staticmethod(judging.answers)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    versus = staticmethod(texts.versus)
    waiting = staticmethod(texts.waiting)
    show = staticmethod(texts.show)
    cover = staticmethod(judging.cover)


GAME = Fayrewood()

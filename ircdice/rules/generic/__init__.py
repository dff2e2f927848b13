"""Generic dice: the dice notation that every `roll` uses which is not a V5 pool."""

from collections.abc import Mapping
from typing import ClassVar

from grammars.generic import Between, Question, Roll
from ircdice.dice import DiceSource
from ircdice.game import Game
from ircdice.odds import Odds
from ircdice.outcome import Outcome
from ircdice.rules.generic import odds as chances_of
from ircdice.rules.generic import texts, throwing
from ircdice.settings import HouseRules


class Generic(Game[Roll | Question | Between, None]):
    """Dice notation."""

    nodes = (Roll, Question, Between)
    words = texts.WORDS
    rules = texts.RULES
    chances: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ({"success": ("success",), "failure": ("failure",)},)

    def evaluate(self, node: Roll | Question | Between, dice: DiceSource, _house: HouseRules) -> Outcome:
        """Throw and judge."""
        return throwing.evaluate(node, dice)

    def odds(self, node: Roll | Question | Between, _house: HouseRules) -> Odds:
        """The exact chances of `node`."""
        return chances_of.odds(node)

    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    show = staticmethod(texts.show)


GAME = Generic()

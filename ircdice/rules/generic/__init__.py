"""Generic dice: the dice notation of every `roll` that is not a V5 pool."""

from collections.abc import Mapping
from typing import ClassVar

from grammars.generic import Between, Question, Roll
from ircdice.game import Game
from ircdice.rules.generic import odds as chances_of
from ircdice.rules.generic import texts, throwing


class Generic(Game):
    """Dice notation."""

    nodes = (Roll, Question, Between)
    words = texts.WORDS
    rules = texts.RULES
    chances: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ({"success": ("success",), "failure": ("failure",)},)

    evaluate = staticmethod(throwing.evaluate)
    odds = staticmethod(chances_of.odds)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    show = staticmethod(texts.show)


GAME = Generic()

"""Strike & Cinder (seed 000)."""

from collections.abc import Mapping
from typing import ClassVar

from grammars.strike_cinder import Assist, Mind, Resist, Roll
from ircdice.game import Game
from ircdice.rules.strike_cinder import encounters, judging, texts
from ircdice.rules.strike_cinder import odds as chances_of


class StrikeCinder(Game):
    """Strike and Cinder dice, encounters and magic on minds."""

    nodes = (Roll, Assist, Mind, Resist, *judging.NOTES)
    diceless = judging.NOTES
    words = texts.WORDS
    short = texts.SHORT
    chances = texts.CHANCES
    rules = texts.RULES

    evaluate = staticmethod(judging.evaluate)
    odds = staticmethod(chances_of.odds)
    amend = staticmethod(judging.amend)
    answers = staticmethod(judging.answers)
    is_open = staticmethod(judging.is_open)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    versus = staticmethod(texts.versus)
    waiting = staticmethod(texts.waiting)
    show = staticmethod(texts.show)
    memory = encounters.Memory
    cover = staticmethod(judging.cover)

    moves = staticmethod(encounters.moves)
    takes_back: ClassVar[Mapping[str, bool]] = {"luck": False, "cantrips": True}


GAME = StrikeCinder()

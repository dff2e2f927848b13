"""Crossroads (seed 001)."""

from collections.abc import Mapping
from typing import ClassVar

from grammars import Command
from grammars import crossroads as xr
from ircdice.game import AmendKind, Game
from ircdice.rules.crossroads import judging, texts
from ircdice.rules.crossroads import odds as chances_of
from ircdice.rules.crossroads.memory import Memory, moves


class Crossroads(Game):
    """Three dice that are read as figures."""

    nodes = (
        xr.Roll,
        xr.Contest,
        xr.GroupRoll,
        xr.GroupValues,
        xr.Damage,
        xr.EndTurn,
        xr.GroupOpen,
        xr.GroupClose,
        xr.FateList,
        xr.FateEnd,
        xr.FateSpend,
    )
    diceless = (
        xr.GroupValues,
        xr.Damage,
        xr.EndTurn,
        xr.GroupOpen,
        xr.GroupClose,
        xr.FateList,
        xr.FateEnd,
        xr.FateSpend,
    )
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {xr.Keep: "keep", xr.Reroll: "reroll", xr.Reaction: "keep"}
    words = texts.WORDS
    short = texts.SHORT
    chances = texts.CHANCES
    rules = texts.RULES
    closed = "no more dice of it are kept or rerolled"

    evaluate = staticmethod(judging.evaluate)
    odds = staticmethod(chances_of.odds)
    means = staticmethod(judging.means)
    admits = staticmethod(judging.admits)
    amend = staticmethod(judging.amend)
    amend_odds = staticmethod(chances_of.amend_odds)
    answers = staticmethod(judging.answers)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    versus = staticmethod(texts.versus)
    waiting = staticmethod(texts.waiting)
    show = staticmethod(texts.show)
    moves = staticmethod(moves)
    takes_back: ClassVar[Mapping[str, bool]] = {"fate": True}
    memory = Memory
    in_secret = staticmethod(texts.in_secret)


GAME = Crossroads()

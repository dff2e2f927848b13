"""Crossroads (seed 001)."""

from collections.abc import Mapping
from typing import ClassVar

from grammars import Command
from grammars.crossroads import (
    Contest,
    Damage,
    EndTurn,
    FateEnd,
    FateList,
    FateSpend,
    GroupClose,
    GroupOpen,
    GroupRoll,
    GroupValues,
    Keep,
    Reaction,
    Reroll,
    Roll,
)
from ircdice.game import AmendKind, Game
from ircdice.rules.crossroads import memory, rerolls, texts, throwing
from ircdice.rules.crossroads import odds as chances_of


class Crossroads(Game[memory.Memory]):
    """Three dice that are read as figures."""

    nodes = (
        Roll,
        Contest,
        GroupRoll,
        GroupValues,
        Damage,
        EndTurn,
        GroupOpen,
        GroupClose,
        FateList,
        FateEnd,
        FateSpend,
    )
    diceless = (GroupValues, Damage, EndTurn, GroupOpen, GroupClose, FateList, FateEnd, FateSpend)
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {Keep: "keep", Reroll: "reroll", Reaction: "keep"}
    words = texts.WORDS
    short = texts.SHORT
    chances = texts.CHANCES
    rules = texts.RULES
    closed = "no more dice of it are kept or rerolled"

    evaluate = staticmethod(throwing.evaluate)
    odds = staticmethod(chances_of.odds)
    means = staticmethod(rerolls.means)
    admits = staticmethod(rerolls.admits)
    amend = staticmethod(rerolls.amend)
    amend_odds = staticmethod(chances_of.amend_odds)
    answers = staticmethod(rerolls.answers)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    versus = staticmethod(texts.versus)
    waiting = staticmethod(texts.waiting)
    show = staticmethod(texts.show)
    remember = staticmethod(memory.remember)
    prepared = staticmethod(memory.prepared)
    tells = staticmethod(memory.tells)
    permits = staticmethod(memory.permits)
    returns = staticmethod(memory.returns)
    open_since = staticmethod(memory.open_since)
    moves = staticmethod(memory.moves)
    takes_back: ClassVar[Mapping[str, bool]] = {"fate": True}
    in_secret = staticmethod(texts.in_secret)


GAME = Crossroads()

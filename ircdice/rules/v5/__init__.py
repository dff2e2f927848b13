"""V5 Hunger pools (seed 002)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from grammars import Command
from grammars.v5 import MOST_HUNGER, AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from ircdice.game import AmendKind, Game, Move, Said, expect
from ircdice.outcome import Outcome
from ircdice.rules.v5 import judging, rerolls, texts
from ircdice.rules.v5 import odds as chances_of


class V5(Game[None]):
    """Hunger pools."""

    nodes = (Pool, Contest, Rouse, AutomaticWin)
    diceless = (AutomaticWin,)
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {Willpower: "reroll", SayHunger: "hunger"}
    words = texts.WORDS
    short = texts.SHORT
    chances = (texts.CHANCES,)
    rules = texts.RULES
    roles = texts.ROLES
    leads = texts.LEADS
    closed = "no more Willpower on it"
    difficulties = (Pool,)

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
    cover = staticmethod(judging.cover)

    def moves(self, said: Said, _before: Outcome | None) -> tuple[Move, ...]:
        """DSK-03: a rouse raises Hunger, a reroll costs Willpower, and Hunger that is said is kept."""
        latest = said.latest
        if isinstance(latest, Rouse):
            stopped = f"Hunger is {MOST_HUNGER} and cannot rise"
            unmoved = said.outcome._replace(labels=(), values={**said.outcome.values, "hunger_gained": 0})
            return (Move("hunger", said.outcome.whole("hunger_gained"), stopped=stopped, unmoved=unmoved),)
        hunger = latest.hunger if isinstance(latest, SayHunger | Willpower) else None
        told = () if hunger is None else (Move("hunger", to=hunger),)
        return (*told, Move("willpower", -1)) if isinstance(latest, Willpower) else told

    def difficulty(self, node: Command) -> int | None:
        """The Difficulty of a pool."""
        return expect(node, Pool).difficulty

    def with_difficulty(self, node: Command, number: int | None) -> Command:
        """The pool with another Difficulty."""
        return replace(expect(node, Pool), difficulty=number)


GAME = V5()

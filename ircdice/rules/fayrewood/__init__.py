"""Fayrewood (seed 004)."""

from dataclasses import replace

from grammars import Command
from grammars.fayrewood import Clash, Sweep, Toss
from ircdice.game import Game, Move, Said, expect
from ircdice.outcome import Outcome
from ircdice.rules.fayrewood import judging, texts
from ircdice.rules.fayrewood import odds as chances_of


class Fayrewood(Game[None]):
    """Tosses and clashes of two dice."""

    nodes = (Toss, Clash, Sweep)
    diceless = (Sweep,)
    words = texts.WORDS
    short = texts.SHORT
    chances = texts.CHANCES
    rules = texts.RULES
    difficulties = (Toss,)

    evaluate = staticmethod(judging.evaluate)
    odds = staticmethod(chances_of.odds)
    amend = staticmethod(judging.amend)
    answers = staticmethod(judging.answers)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    versus = staticmethod(texts.versus)
    waiting = staticmethod(texts.waiting)
    show = staticmethod(texts.show)
    cover = staticmethod(judging.cover)

    def moves(self, said: Said, _before: Outcome | None) -> tuple[Move, ...]:
        """FW-03, DSK-03: a frayed die costs a wound."""
        node = said.node
        pools = {"mine": node.pool} if isinstance(node, Toss) else {}
        if isinstance(node, Clash) and node.other:
            pools = {"acting": node.acting, "other": node.other}
        return tuple([Move("wounds", 1, of=side) for side, pool in pools.items() if pool.modifier == "frayed"])

    def difficulty(self, node: Command) -> int | None:
        """The difficulty of a toss."""
        return expect(node, Toss).difficulty

    def with_difficulty(self, node: Command, number: int | None) -> Command:
        """The toss with another difficulty."""
        return replace(expect(node, Toss), difficulty=number)


GAME = Fayrewood()

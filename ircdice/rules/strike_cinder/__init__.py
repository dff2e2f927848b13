"""Strike & Cinder (seed 000): the one object through which the bot reaches its rules."""

from collections.abc import Mapping
from typing import ClassVar

from grammars import Command
from grammars.strike_cinder_nodes import Assist, Mind, Resist, Roll
from ircdice.dice import DiceSource
from ircdice.game import Game
from ircdice.odds import Odds
from ircdice.outcome import Outcome
from ircdice.rules.strike_cinder import encounters, judging, memory, minds, notes, texts
from ircdice.rules.strike_cinder import odds as chances_of
from ircdice.rules.strike_cinder.judging import ONE_SIDED, rolled
from ircdice.settings import HouseRules


class StrikeCinder(Game[Command, memory.Memory]):
    """Strike and Cinder dice, encounters and magic on minds."""

    nodes = (Roll, Assist, Mind, Resist, *notes.NOTES)
    diceless = notes.NOTES
    words = texts.WORDS
    short = texts.SHORT
    chances = texts.CHANCES
    rules = texts.RULES
    difficulties: ClassVar[Mapping[type[Command], str]] = {Roll: "dc"}

    def odds(self, node: Command, _house: HouseRules) -> Odds:
        """The exact chances of `node`."""
        return chances_of.odds(node)

    def evaluate(self, node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
        """Throw and judge any command of the game, or note what one says of an encounter."""
        if isinstance(node, ONE_SIDED):
            return rolled(node, dice)
        return minds.attacked(node, dice) if isinstance(node, Mind) else notes.noted(node, house)

    amend = staticmethod(minds.amend)
    answers = staticmethod(minds.answers)
    is_open = staticmethod(minds.unasked)
    asked = staticmethod(texts.asked)
    headline = staticmethod(texts.headline)
    versus = staticmethod(texts.versus)
    waiting = staticmethod(texts.waiting)
    show = staticmethod(texts.show)
    remember = staticmethod(memory.remember)
    prepared = staticmethod(encounters.prepared)
    tells = staticmethod(encounters.tells)
    permits = staticmethod(encounters.permits)
    returns = staticmethod(memory.returns)
    open_since = staticmethod(memory.open_since)
    cover = staticmethod(judging.cover)


GAME = StrikeCinder()

"""Strike & Cinder (seed 000): the one object through which the bot reaches its rules."""

from typing import Any

from grammars.strike_cinder_nodes import Assist, Mind, Resist, Roll
from ircdice.dice import DiceSource
from ircdice.outcome import Outcome
from ircdice.rules.strike_cinder import encounters, memory, notes, texts
from ircdice.rules.strike_cinder.judging import ONE_SIDED, cover, rolled
from ircdice.rules.strike_cinder.minds import amend, answers, attacked, unasked
from ircdice.rules.strike_cinder.odds import odds
from ircdice.settings import HouseRules
from ircdice.system import System


def evaluate(node: Any, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any Strike & Cinder command, or note what one says of an encounter."""
    if isinstance(node, ONE_SIDED):
        return rolled(node, dice)
    return attacked(node, dice) if isinstance(node, Mind) else notes.noted(node, house)


SYSTEM = System(
    (Roll, Assist, Mind, Resist, *notes.NOTES),
    evaluate,
    odds,
    words=texts.WORDS,
    rules=texts.RULES,
    headline=texts.headline,
    asked=texts.asked,
    show=texts.show,
    versus=texts.versus,
    waiting=texts.waiting,
    diceless=notes.NOTES,
    amend=amend,
    answers=answers,
    unasked=unasked,
    remember=memory.remember,
    prepared=encounters.prepared,
    permits=encounters.permits,
    tells=encounters.tells,
    returns=memory.returns,
    open_since=memory.open_since,
    difficulties={Roll: "dc"},
    cover=cover,
    chances=texts.CHANCES,
    short=texts.SHORT,
)

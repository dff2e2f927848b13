"""Judge a roll again from the recorded faces, with every change applied."""

from __future__ import annotations

from dataclasses import replace

from grammars.command import Command
from ircdice import dispatcher
from ircdice.dice import DiceSource, RecordedDice
from ircdice.errors import Refused, ReplayError
from ircdice.outcome import Earlier, Outcome
from ircdice.settings import HouseRules
from ircdice.table.rolls import Chain, side_changed
from ircdice.table.secrets import covered, opened


def told(chain: Chain, casemapping: str) -> Earlier:
    """The roll with every change applied, without a secret difficulty (FW-10)."""
    full, first = _replayed(chain, casemapping)
    if not chain.covered:
        return full
    return replace(full, node=opened(full.node), outcome=covered(full.node, full.outcome, first))


def truth(chain: Chain, casemapping: str) -> Earlier:
    """The roll with every change applied and with its secret difficulty: only for the storyteller who reveals it."""
    return _replayed(chain, casemapping)[0]


def amended(
    chain: Chain, casemapping: str, node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules
) -> Outcome:
    """The outcome of a follow-up to `earlier`, without a secret difficulty."""
    if not chain.covered:
        return dispatcher.amend(node, earlier, dice, house)
    full, first = _replayed(chain, casemapping)
    outcome = dispatcher.amend(node, replace(earlier, node=full.node, outcome=full.outcome), dice, house)
    return covered(full.node, outcome, first)


def _thrown(chain: Chain) -> Outcome:
    dice = RecordedDice(chain.root.draft.draws)
    outcome = dispatcher.evaluate(chain.node, dice, chain.root.draft.house)
    dice.finish()
    return outcome


def _replayed(chain: Chain, casemapping: str) -> tuple[Earlier, Outcome]:
    """The roll, and its first throw. ReplayError if the rules refuse the records, because one was altered: it follows a
    roll that it cannot follow, or has other dice."""
    record = chain.root
    try:
        node = chain.node
        first = outcome = _thrown(chain)
        for record, said in zip(chain.records[1:], chain.later, strict=True):
            # No minutes: a follow-up that was allowed then is still valid, even if wp_minutes has changed.
            earlier = Earlier(node, outcome, side_changed(chain, record, casemapping))
            dice = RecordedDice(record.draft.draws)
            outcome = dispatcher.amend(said, earlier, dice, record.draft.house)
            dice.finish()
            node = outcome.becomes or node
    except Refused as why:
        raise ReplayError(record.seq, why) from why
    return Earlier(node, outcome), first

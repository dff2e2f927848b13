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
    """The roll as it stands; of one under a secret difficulty what anybody may know (FW-10)."""
    full, first = _replayed(chain, casemapping)
    if not chain.covered:
        return full
    return replace(full, node=opened(full.node), outcome=covered(full.node, full.outcome, first))


def truth(chain: Chain, casemapping: str) -> Earlier:
    """The roll as it stands, whoever may know it: for whoever reveals it, and for nobody else."""
    return _replayed(chain, casemapping)[0]


def amended(
    chain: Chain, casemapping: str, node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules
) -> Outcome:
    """What a follow-up makes of a roll that was told as `earlier`, as far as anybody may know."""
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
    """The roll as it is, and its first throw. ReplayError where the rules refuse what the records say, as they do where
    one was altered: it follows a roll that it cannot follow, or its dice are not those that are thrown."""
    record = chain.root
    try:
        node = chain.node
        first = outcome = _thrown(chain)
        for record, said in zip(chain.records[1:], chain.later, strict=True):
            # No minutes: what was admitted in its time stands, however wp_minutes is set since.
            earlier = Earlier(node, outcome, side_changed(chain, record, casemapping))
            dice = RecordedDice(record.draft.draws)
            outcome = dispatcher.amend(said, earlier, dice, record.draft.house)
            dice.finish()
            node = outcome.becomes or node
    except Refused as why:
        raise ReplayError(record.seq, why) from why
    return Earlier(node, outcome), first

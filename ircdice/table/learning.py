"""A roll as the memory of its game is told of it. Changes no memory."""

from __future__ import annotations

from dataclasses import replace

from ircdice.casemapping import fold
from ircdice.ledger.record import Record
from ircdice.outcome import Earlier
from ircdice.system import Said
from ircdice.table.chain import Chain, Thrown, reading_of


def counts_for(record: Record) -> str:
    """Whose command it is: the speaker's, or that of whoever a storyteller answered for."""
    if record.draft.kind != "answer":
        return record.draft.nick
    return reading_of(record).speaks_as or record.draft.nick


def thrown(seq: int, nick: str, roll: Thrown, casemapping: str, line: str) -> Said:
    """A roll as it was thrown, that record of that nick's, which nothing has followed."""
    nick = fold(nick, casemapping)
    return Said(nick, roll.node, roll.outcome, seq, None, nick, roll.node, False, roll.comment, line)


def standing(chain: Chain, earlier: Earlier, casemapping: str, *, revealed: bool) -> Said:
    """A roll as it stands, `earlier`, with what was said about it last."""
    root = chain.root
    roll = Thrown(chain.node, earlier.outcome, chain.comment)
    said = thrown(root.seq, root.draft.nick, roll, casemapping, root.draft.line)
    if len(chain.records) == 1 and earlier.node is chain.node and not (chain.discarded or revealed):
        return said
    return replace(
        said,
        node=earlier.node,
        other=fold(chain.against, casemapping) if chain.against and chain.answered else None,
        by=fold(counts_for(chain.latest), casemapping),
        latest=chain.later[-1] if chain.later else chain.node,
        discarded=chain.discarded,
        revealed=revealed,
    )

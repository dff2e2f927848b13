"""Whose the dice of a roll are: on which of its sides a person sits, and which a name means. Judges nothing.

Names are compared by the network's casemapping (IRC-09).
"""

from __future__ import annotations

from ircdice.casemapping import fold, same
from ircdice.ledger.record import Record
from ircdice.outcome import Side
from ircdice.table.chain import Chain, reading_of


def side_of(chain: Chain, nick: str, who: str, casemapping: str) -> Side | None:
    """The side of a roll that a person sits on; None for a bystander. Who has both is meant by their nick."""
    sides: list[Side] = []
    if is_of(chain.root, nick, who, casemapping):
        sides.append("acting")
    if chain.answered and not chain.passed and _answered_by(chain, chain.answered, nick, who, casemapping):
        sides.append("other")
    named = side_named(chain, nick, casemapping)
    return named if named in sides else next(iter(sides), None)


def side_named(chain: Chain, name: str, casemapping: str) -> Side | None:
    """The side that `as NAME` means; None where no side has that name."""
    acting, other = chain.names()
    if same(name, acting, casemapping):
        return "acting"
    return "other" if same(name, other, casemapping) and not chain.passed else None


def side_changed(chain: Chain, record: Record, casemapping: str) -> Side:
    """The side whose dice a record of that roll is about."""
    if speaks_as := reading_of(record).speaks_as:
        return side_named(chain, speaks_as, casemapping) or "acting"
    return side_of(chain, record.draft.nick, record.draft.who, casemapping) or "acting"


def is_of(record: Record, nick: str, who: str, casemapping: str) -> bool:
    """Whether a person is the one of a record; who has logged in since is still the same (V5-15)."""
    return who == record.draft.who or record.draft.who == f"~{fold(nick, casemapping)}"


def _answered_by(chain: Chain, answer: Record, nick: str, who: str, casemapping: str) -> bool:
    """Whether a person is the other side: whoever answered, or who was answered for by a storyteller."""
    if reading_of(answer).speaks_as:
        return chain.against is not None and same(nick, chain.against, casemapping)
    return is_of(answer, nick, who, casemapping)

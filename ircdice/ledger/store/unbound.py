"""What no leaf binds and nobody signs, and can be no other way all the same (LED-06, LED-16). Proves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

import sqlalchemy as sa

from ircdice.ledger.record import Withheld
from ircdice.ledger.store.numbering import MOST
from ircdice.ledger.store.page import IMPORTED, Page, StoredEpoch

_STEP = 100_000  # records looked at in one question
_EMPTY = " OR ".join(
    [f"{name} <> ''" for name in ("nick", "who", "line", "tag", "rules")]
    + [f"length({name}) > 0" for name in ("draws", "blind")]
    + [f"{name} IS NOT NULL" for name in ("sealed_text", "sealed_salt")]
    + [f"text NOT IN ({', '.join(repr(why) for why in get_args(Withheld))})"]
)
_WHY: Mapping[str, str] = {  # of a record, and what is to be said of it
    "sealed_text IS NOT NULL AND sealed_salt IS NULL": "beside it stands a text that it has not sealed",
    f"kind = 'withheld' AND ({_EMPTY})": "its content is withheld, and something stands there all the same",
}
_NEXT = "SELECT min(seq) FROM records WHERE seq > ?"  # there may be a long way without any
_RECORDS = (
    f"SELECT {', '.join(f'min(CASE WHEN {odd} THEN seq END)' for odd in _WHY)} FROM records"
    f" WHERE seq >= ? AND seq < ? AND ({' OR '.join(f'({odd})' for odd in _WHY)})"
)
_DELIVERED = "SELECT network, channel, seq FROM delivered WHERE NOT (seq BETWEEN 0 AND ?) ORDER BY network, channel"
_BROUGHT_BACK = sa.text(
    "UPDATE delivered SET seq = CASE WHEN seq < 0 THEN 0 ELSE :last END WHERE NOT (seq BETWEEN 0 AND :last)"
)
# Of each channel the last record, whose place must be known.
_FIRST_CHANNEL = "SELECT min(channel) FROM records WHERE channel > ?"
_UNKNOWN = (
    "SELECT r.seq, r.network FROM records AS r WHERE r.seq = (SELECT max(seq) FROM records WHERE channel = ?)"
    " AND NOT EXISTS (SELECT 1 FROM delivered AS d WHERE d.network = r.network AND d.channel = r.channel)"
)


def odd_records(page: Page, heard: Callable[[], object]) -> Iterator[tuple[int, str]]:
    """The first record of each kind that holds what it cannot; `heard` is called now and then."""
    first: dict[str, int] = {}
    ((begin,),) = page.driver.asked(_NEXT, 0)
    while begin is not None and begin <= MOST:  # what is beyond has no place at all
        (found,) = page.driver.asked(_RECORDS, begin, begin + _STEP)
        first = {why: seq for why, seq in zip(_WHY.values(), found, strict=True) if seq is not None} | first
        heard()
        ((begin,),) = page.driver.asked(_NEXT, begin + _STEP - 1)
    yield from ((seq, why) for why, seq in first.items())


def misdelivered(page: Page) -> Iterator[tuple[int, str]]:
    """Places whose lines would not be posted after a crash, by what stands in `delivered`; with a record of theirs."""
    last = page.last()[0]
    for network, channel, seq in page.driver.asked(_DELIVERED, last):
        yield 0, f"lines of {channel} on {network} are told to be out up to record {seq}, and {last} is the last"
    known: set[Any] = {None}  # and one whose bytes are no text, which is not what is asked for again
    ((channel,),) = page.driver.asked(_FIRST_CHANNEL, "")
    while channel not in known:
        known.add(channel)
        for seq, network in page.driver.asked(_UNKNOWN, channel):
            yield seq, f"up to where lines of {channel} on {network} are out is gone"
        ((channel,),) = page.driver.asked(_FIRST_CHANNEL, channel)


def brought_back(page: Page) -> list[str]:
    """Have no place's lines be out that are not there, or those to come would never be posted after a crash."""
    last = page.last()[0]
    said = [f"{channel} on {network}" for network, channel, _ in page.driver.asked(_DELIVERED, last)]
    if said:
        page.connection.execute(_BROUGHT_BACK, {"last": last})
    return said


def misnamed(epoch: StoredEpoch, *, imported: bool) -> str | None:
    """Whose epoch it can't be; who it is of nobody signs."""
    if not epoch.name:
        return f"epoch {epoch.number} is nobody's"
    if (epoch.name == IMPORTED) is not imported:
        return f"epoch {epoch.number} is listed as that of {epoch.name}, as in {'no' if imported else 'an'} import"
    return None

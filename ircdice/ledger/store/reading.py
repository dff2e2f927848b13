"""What is asked of the records. Each question is bounded, and has an index that answers it at any size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import sqlalchemy as sa

from ircdice.durations import DAY
from ircdice.ledger.record import Record
from ircdice.ledger.store.driver import Driver
from ircdice.ledger.store.migrations import LASTING, SETTING
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.rows import SELECT, record_of
from ircdice.ledger.store.schema import DELIVERED, RECORDS

LATEST_OF_CHANNEL = 200  # records that a table is told of, however old
MOST_OF_CHANNEL = 2_000  # of one day: judging more of them again would keep the others waiting
_STEP = 500  # rows asked for at once
_C = RECORDS.c
_NO_SETTING = sa.text(f"NOT {SETTING}")
_LASTING = sa.text(LASTING)
_NEWEST_FIRST = _C.seq.desc()
_OF_PLACE = (_C.channel == DELIVERED.c.channel, _C.network == DELIVERED.c.network)


# When the last record of the place in a row of `delivered` was made.
_LAST_TS = sa.select(_C.ts).where(*_OF_PLACE).order_by(_NEWEST_FIRST).limit(1).scalar_subquery()


def get(connection: sa.Connection, seq: int) -> Record | None:
    """The record with that number."""
    return next(_records(connection, SELECT.where(_C.seq == seq)), None)


def places(connection: sa.Connection, ts: int) -> list[tuple[str, str]]:
    """Each network and channel whose latest record is of `ts` or later, or where a contest still waits."""
    asked = sa.select(DELIVERED.c.network, DELIVERED.c.channel).where(ts <= _LAST_TS)
    found = dict.fromkeys(connection.execute(asked))
    return [*(found | dict.fromkeys(_covered(connection)))]


def _covered(connection: sa.Connection) -> set[tuple[str, str]]:
    """Where a contest waits for its answer: as long as one does, the seed of its epoch is not published (LED-13)."""
    page = Page(connection)
    return {place for epoch in page.epochs(unpublished=True) for place in page.covered(epoch.number)}


def latest(
    connection: sa.Connection, count: int, network: str | None, channel: str | None, who: str | None
) -> list[Record]:
    """The newest `count` records of a place, a person or both, newest first; no settings."""
    asked = SELECT.where(_NO_SETTING).limit(count)
    if network is not None:
        asked = asked.where(_C.network == network)
    if channel is not None:
        asked = asked.where(_C.channel == channel)
    if who is not None:
        asked = asked.where(_C.who == who)
    # A person's index is ordered by time, which never goes back and so is the order of the numbers too; it has the
    # channels as well, so that those of others are passed over without a look at the record.
    asked = asked.order_by(_NEWEST_FIRST) if who is None else asked.order_by(_C.ts.desc(), _NEWEST_FIRST)
    return list(_records(connection, asked))


def of_who(connection: sa.Connection, who: str, first: int, last: int) -> list[Record]:
    """What a person said from `first` to `last`, both included, in order."""
    asked = SELECT.where(_C.who == who, _C.ts.between(first, last)).order_by(_C.ts, _C.seq)
    return list(_records(connection, asked))


def about(connection: sa.Connection, seqs: Iterable[int]) -> list[Record]:
    """The records that refer to any of those, in order."""
    found = _by_numbers(connection, _C.ref, seqs, sa.text("ref > 0"))
    return sorted(found, key=lambda record: record.seq)


def of_channel(connection: sa.Connection, network: str, channel: str, now: int) -> list[Record]:
    """The records that may still matter there: those of a day, 200 in any case, what lasts; every chain whole."""
    here = sa.and_(_C.network == network, _C.channel == channel, _NO_SETTING)
    found = {record.seq: record for record in _recent(connection, here, now)}
    lasting = _records(connection, SELECT.where(here, _LASTING))
    found |= {record.seq: record for record in lasting}
    roots = {record.draft.ref or record.seq for record in found.values()}
    if roots:
        missing = roots - found.keys()
        found |= {record.seq: record for record in _by_numbers(connection, _C.seq, missing)}
        behind = about(connection, roots)
        rolls = {record.seq for record in behind if record.draft.kind == "roll"}  # under a seal, to which they refer
        found |= {record.seq: record for record in (*behind, *about(connection, rolls))}
    return [found[seq] for seq in sorted(found)]


def _recent(connection: sa.Connection, here: sa.ColumnElement[bool], now: int) -> Iterator[Record]:
    """Newest first, until they are older than a day and enough."""
    told, before = 0, None
    while True:
        asked = SELECT.where(here).order_by(_NEWEST_FIRST).limit(_STEP)
        rows = list(_records(connection, asked if before is None else asked.where(_C.seq < before)))
        for record in rows:
            if told >= LATEST_OF_CHANNEL and (record.ts < now - DAY or told >= MOST_OF_CHANNEL):
                return
            told += 1
            yield record
        if len(rows) < _STEP:
            return
        before = rows[-1].seq


def undelivered(connection: sa.Connection, networks: Sequence[str], most: int) -> list[Record]:
    """The first `most` records with a line behind the last that was delivered of each place, in order (LED-06)."""
    numbers: list[int] = []
    for network, channel, seq in Driver(connection).asked(_behind(len(networks)), *networks):
        here = sa.select(_C.seq).where(_C.network == network, _C.channel == channel, _C.seq > seq, _C.line != "")
        numbers += connection.scalars(here.order_by(_C.seq).limit(most))
    return list(_by_numbers(connection, _C.seq, sorted(numbers)[:most]))


def _behind(networks: int) -> str:
    """Of so many networks the places where lines are not known to be out: each with the last that is."""
    last = "SELECT seq FROM records AS r WHERE r.channel = delivered.channel AND r.network = delivered.network"
    named = ", ".join("?" * networks)
    return (
        f"SELECT network, channel, seq FROM delivered WHERE network IN ({named})"
        f" AND seq < ({last} ORDER BY r.seq DESC LIMIT 1)"
    )


def by_request(connection: sa.Connection, numbers: Mapping[bytes, int]) -> dict[bytes, Record]:
    """The records that appends wrote, by the key of each, if they stand under those numbers: else it did not land."""
    asked = sa.select(_C.seq, _C.request).where(_C.seq.in_(numbers.values()))
    kept = {seq: bytes(key or b"") for seq, key in connection.execute(asked)}
    landed = [seq for key, seq in numbers.items() if kept.get(seq) == key]
    return {kept[record.seq]: record for record in _by_numbers(connection, _C.seq, landed)}


def _by_numbers(
    connection: sa.Connection, column: sa.Column[Any], numbers: Iterable[int], *also: sa.TextClause
) -> Iterator[Record]:
    left = iter(sorted(numbers))
    while some := list(islice(left, _STEP)):
        yield from _records(connection, SELECT.where(column.in_(some), *also).order_by(_C.seq))


def _records(connection: sa.Connection, asked: sa.Select[Any]) -> Iterator[Record]:
    return map(record_of, connection.execute(asked))

"""Dice statistics of a channel, counted in the background (WEB-05)."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from time import time

from ircdice.bot.statistics import THROWN, FaceCounts, face_counts, outcomes
from ircdice.clock import utc
from ircdice.errors import LedgerDamaged, LedgerUnavailable
from ircdice.ledger.engine import engines, readable
from ircdice.ledger.paths import Paths
from ircdice.ledger.record import AMENDING, CLOSING, Record
from ircdice.ledger.schema import RECORDS
from ircdice.ledger.service import StoredLedger
from ircdice.ledger.store import Store
from ircdice.web.access import Place
from ircdice.web.workers import Workers

log = logging.getLogger(__name__)
EVERY = 600.0  # seconds for which a result is cached
PATIENCE = 2.0  # seconds that the first reader waits
MOST_ROLLS = 20_000  # the newest
MOST_SIDES = 100
MOST_KINDS, MOST_PEOPLE = 6, 12
_C = RECORDS.c


@dataclass(frozen=True, slots=True)
class Counts:
    """The result, and its time in seconds since 1970."""

    at: float
    rolls: int
    dice: int
    kinds: tuple[FaceCounts, ...]
    people: tuple[FaceCounts, ...]
    outcomes: Mapping[str, Mapping[str, int]]  # by game, the most frequent first
    hours: tuple[int, ...]
    days: Mapping[str, int]
    redactions: int  # the last record that removed content; older results are not shown


class Statistics:
    """The results for each channel; one channel is counted at a time."""

    def __init__(self, ledger: StoredLedger, paths: Paths, workers: Workers) -> None:
        self._ledger, self._paths, self._workers = ledger, paths, workers
        self._known: dict[tuple[str, str, int], Counts] = {}
        self._counting: dict[tuple[str, str, int], asyncio.Task[None]] = {}

    async def of(self, place: Place) -> Counts | None:
        """The latest result; None until there is a first one."""
        key = place.network, place.channel, place.shown.since
        redactions = await self._ledger.read(lambda store: last_redaction(store, place.network))
        known = self._known.get(key)
        if known is not None and known.redactions != redactions:  # LED-25: caches included
            known = None
        if known is None or time() - known.at > EVERY:
            task = self._counting.get(key) or asyncio.create_task(self._count(key, place))
            self._counting[key] = task
            if known is None:
                await asyncio.wait({task}, timeout=PATIENCE)
                known = self._known.get(key) if task.done() else None
        return known if known is not None and known.redactions == redactions else None

    async def _count(self, key: tuple[str, str, int], place: Place) -> None:
        try:
            if (counts := await self._workers.run(count, self._paths, place)) is not None:
                self._known[key] = counts
        except BrokenProcessPool:
            log.error("the dice of %s could not be counted", place.channel)
        finally:
            self._counting.pop(key, None)


def count(paths: Paths, place: Place) -> Counts | None:
    """In a worker: count a channel's dice; None if the ledger is out of reach."""
    database = engines(paths.database, read_only=True)
    try:
        with closing(database), readable("the dice cannot be counted"), database.read.connect() as connection:
            return counted(Store(connection), place)
    except (LedgerUnavailable, LedgerDamaged):
        return None


def last_redaction(store: Store, network: str) -> int:
    """The last record that removed content of that network; 0 if there is none."""
    redactions = [
        store.find_newest(1, _C.network == each, _C.channel == "", _C.kind == "redact") for each in ("", network)
    ]
    return max((record.seq for records in redactions for record in records), default=0)


def counted(store: Store, place: Place) -> Counts:
    """Count the newest rolls of a channel, without covered ones (WEB-10)."""
    redactions = last_redaction(store, place.network)
    here = _C.network == place.network, _C.channel == place.channel, _C.seq > place.shown.since
    records = store.find_newest(MOST_ROLLS, *here, _C.kind.in_(THROWN), _C.draws != "")
    contests = [record.seq for record in records if record.draft.kind == "contest"]
    closed = {record.draft.ref for record in store.about(*contests) if record.draft.kind in CLOSING}
    rolls = [r for r in records if r.draft.sealed is None and (r.draft.kind != "contest" or r.seq in closed)]
    times = [utc(record.ts) for record in rolls]
    days = Counter(f"{at:%Y-%m-%d}" for at in times)
    hours = Counter(at.hour for at in times)
    return Counts(
        at=time(),
        rolls=sum(record.draft.kind not in AMENDING for record in rolls),
        dice=sum(len(record.draft.draws) for record in rolls),
        kinds=tuple(face_counts((roll.draft.draws for roll in rolls), MOST_SIDES)[:MOST_KINDS]),
        people=tuple(_people(rolls)),
        outcomes=outcomes(rolls),
        hours=tuple(hours[hour] for hour in range(24)),
        days=dict(sorted(days.items())[-30:]),
        redactions=redactions,
    )


def _people(rolls: Sequence[Record]) -> Iterable[FaceCounts]:
    """For each of the most active players, their most frequent kind of die."""
    by_who: dict[str, list[Record]] = {}
    for record in rolls:
        by_who.setdefault(record.draft.who, []).append(record)
    for own_rolls in sorted(by_who.values(), key=len, reverse=True)[:MOST_PEOPLE]:
        if kinds := face_counts((roll.draft.draws for roll in own_rolls), MOST_SIDES):
            yield replace(kinds[0], nick=own_rolls[0].draft.nick)

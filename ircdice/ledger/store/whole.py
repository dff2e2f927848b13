"""A whole ledger, out of the database and into it: for export, import and check (LED-07, LED-16). Proves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import sqlalchemy as sa

from ircdice.errors import ExportError
from ircdice.ledger import terms
from ircdice.ledger.entry import Entry
from ircdice.ledger.export import Showing, covered, export, mended
from ircdice.ledger.importing import Imported, take_in
from ircdice.ledger.notes import Checkpoint, VerifyingKey
from ircdice.ledger.progress import Progress
from ircdice.ledger.proofs import EpochProof, stirs
from ircdice.ledger.record import SHOWING_A_CONTEST, Record, RecordKind
from ircdice.ledger.store import rows
from ircdice.ledger.store.engine import Address, Engines, engines, readable, shown
from ircdice.ledger.store.migrations import LASTING, migrate
from ircdice.ledger.store.page import IMPORTED, Page
from ircdice.ledger.store.schema import RECORDS

_STEP = 1_000  # records read at once
Wanted = Callable[[str, str], bool]  # of a network and a channel
_C = RECORDS.c
_KIND, _NETWORK, _CHANNEL, _TEXT = (rows.NAMES.index(name) for name in ("kind", "network", "channel", "text"))
_COVERING = ("contest", *sorted(SHOWING_A_CONTEST), "seal", "reveal")
_EVENTS = (
    sa.select(_C.seq, _C.kind, _C.ref, _C.sealed_salt.is_not(None))
    .where(sa.or_(_C.kind.in_(_COVERING), _C.sealed_salt.is_not(None)))
    .order_by(_C.seq)
)
_STIRS = rows.SELECT.where(_C.kind == "stir", sa.text(LASTING)).order_by(_C.seq)


@dataclass(slots=True)
class StoredRecords:
    """The records of the ledger at `url`, stretch by stretch; may be handed to other processes, which connect anew."""

    url: Address
    _engines: Engines | None = field(default=None, repr=False, compare=False)

    def through(self) -> Passage:
        """The way through all of them."""
        return Passage(self)

    def by_channel(self) -> dict[str, int]:
        """How many records each channel has, whatever its network."""
        asked = sa.select(_C.channel, sa.func.count()).group_by(_C.channel)
        with self.page() as page:
            return {row[0]: row[1] for row in page.connection.execute(asked)}

    @contextmanager
    def page(self) -> Iterator[Page]:
        """What is there now."""
        if self._engines is None:
            self._engines = engines(self.url)
        with self._engines.read.connect() as connection:
            yield Page(connection)

    def __reduce__(self) -> tuple[type[StoredRecords], tuple[Address]]:
        return StoredRecords, (self.url,)

    def close(self) -> None:
        """Let go of the database."""
        if self._engines is not None:
            self._engines.dispose()


class Passage:
    """The records of some places, from the first of the ledger to the last, stretch by stretch.

    What a place is set to is carried along, where looking it up for each of its records would take as long again.
    """

    def __init__(self, records: StoredRecords) -> None:
        self._records = records
        self._set: dict[tuple[str, str], terms.Terms] = {}
        self._done = 0

    def up_to(self, last: int, wanted: Wanted | None = None, others: Sequence[str] = ()) -> list[Entry]:
        """The next ones up to that number, in order, of the networks and channels that are wanted.

        `others` are channels that are not. LedgerUnavailable, or SQLAlchemy's errors.
        """
        read = map(rows.whole, self._rows(last, others))
        self._done = last
        return [self._entry(row) for row in read if wanted is None or wanted(row[_NETWORK], row[_CHANNEL])]

    def _rows(self, last: int, others: Sequence[str]) -> Sequence[Sequence[Any]]:
        with self._records.page() as page:
            asked = rows.between(page.connection.dialect.name, len(others))
            return page.driver.many(asked, (self._done, last, *others))

    def _entry(self, row: Sequence[Any]) -> Entry:
        place = row[_NETWORK], row[_CHANNEL]
        if row[_KIND] == "setting":
            self._set[place] = terms.read(row[_TEXT])
        return Entry(*(*row, self._set.get(place, terms.DEFAULTS)))


def proofs(page: Page) -> list[EpochProof]:
    """All epochs as they are published."""
    mixes = stirs(map(rows.record_of, page.connection.execute(_STIRS)))
    return [
        EpochProof(epoch.number, epoch.commitment, epoch.seed, mixes.get(epoch.number, ())) for epoch in page.epochs()
    ]


def exported(
    page: Page, key: VerifyingKey, *, private: bool = False, noted: Callable[[], Iterable[str]] = tuple
) -> Iterator[str]:
    """The lines of an export of all that is there now; `key` is the first that signed, `noted` has the file of notes.

    Others may write meanwhile: what comes after the first look is left for the next export.
    """
    notes = mended([checkpoint.note for checkpoint in page.checkpoints()], noted())
    last = page.last()[0]
    showing = Showing(covered(_events(page, last)), private)
    return export(key, _records(page, last), notes, proofs(page), showing)


def imported(
    url: Address, lines: Iterable[str], progress: Progress | None = None, key: VerifyingKey | None = None
) -> Imported:
    """Read an export into the empty ledger at `url`, in one transaction: all of it or nothing.

    ExportError where the ledger is not empty, or the export damaged or not signed by `key`; LedgerUnavailable where
    the database does not play along.
    """
    ways = engines(url)
    try:
        with readable("the export cannot be taken in"), ways.write.connect() as connection:
            migrate(connection)
            with connection.begin():
                page = Page(connection)
                if page.last()[0] or page.last_checkpoint() or page.epochs():
                    raise ExportError(f"an export is read into an empty ledger, and {shown(url)} has records.")
                return _imported(page, lines, progress, key)
    finally:
        ways.dispose()


def _imported(page: Page, lines: Iterable[str], progress: Progress | None, key: VerifyingKey | None) -> Imported:
    sink = _Filling(page)
    done = take_in(lines, sink, progress, key)
    page.mark(sink.places)  # nothing of it is to be posted once more (LED-06)
    if page.keep("origin", done.origin) != done.origin:
        raise ExportError(f"the ledger has another name than the export, which is of {done.origin}.")
    page.keep_signer(done.key.public)
    return done


class _Filling:
    """A page as the sink of an import."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.places: dict[tuple[str, str], int] = {}

    def records(self, records: Sequence[Record]) -> None:
        self._page.insert((record, None) for record in records)
        self.places |= {(r.draft.network, r.draft.channel): r.seq for r in records if not r.redacted}

    def checkpoint(self, checkpoint: Checkpoint, note: str, frontier: tuple[bytes, ...]) -> None:
        self._page.add_checkpoint(checkpoint.size, note, frontier)

    def epoch(self, epoch: EpochProof, begun: int | None) -> None:
        self._page.enter_epoch(epoch.number, IMPORTED, epoch.commitment)
        if begun is not None:
            self._page.begin_epoch(epoch.number, begun)
        if epoch.seed is not None:
            self._page.reveal_seed(epoch.number, epoch.seed)


def _events(page: Page, last: int) -> Iterator[tuple[int, RecordKind, int, bool]]:
    for seq, kind, ref, is_sealed in page.connection.execute(_EVENTS.where(_C.seq <= last)):
        yield seq, cast(RecordKind, kind), ref, is_sealed


def _records(page: Page, last: int) -> Iterator[Record]:
    after = 0
    while after < last and (found := page.records(after, min(_STEP, last - after))):
        yield from (record for record in found if record.seq <= last)
        after = found[-1].seq

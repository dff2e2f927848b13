"""A ledger to be looked at while a bot may be writing to it: no lock is taken, no key is made. Words nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ircdice import __version__
from ircdice.errors import KeysError, LedgerUnavailable
from ircdice.ledger.check import Check, History, Report, stretches
from ircdice.ledger.examining import STRETCH, Examiner, Finding, Judge, Means, Source, Stretch
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.keys import SigningKeys
from ircdice.ledger.proofs import Streams
from ircdice.ledger.store.engine import engines
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.whole import StoredRecords, exported, proofs

ALONE = 20_000  # records up to which one process looks at all of them: starting others takes longer
_PRIVATE = "private"  # on such a record nothing in a channel hangs
_MOST = 50  # verdicts that differ and are told
Progress = Callable[[int], None]


class Archive:
    """The ledger of `keeping`. LedgerUnavailable where there is none."""

    def __init__(self, keeping: Keeping) -> None:
        kind, _, file = keeping.database.partition(":///")
        if kind == "sqlite" and not Path(file).exists():
            raise LedgerUnavailable(f"there is no ledger at {file}.")
        self.keeping = keeping
        self._engines = engines(keeping.database)

    def close(self) -> None:
        """Let go of the database."""
        self._engines.dispose()

    @contextmanager
    def page(self) -> Iterator[Page]:
        """What is there now."""
        with self._engines.read.connect() as connection:
            yield Page(connection)

    def signing_keys(self) -> SigningKeys:
        """The keys of the checkpoints; KeysError where they are not there."""
        self._there(self.keeping.signing_file)
        with self.page() as page:
            origin = page.origin()
        return self.keeping.signing_keys(origin or self.keeping.suggested).load()

    def size(self) -> int:
        """How many records there are."""
        with self.page() as page:
            return page.last()[0]

    def export(self, *, private: bool = False) -> Iterator[str]:
        """All of it as JSON lines (LED-07)."""
        key = self.signing_keys().first
        with self.page() as page:
            yield from exported(page, key, private=private)

    def check(self, judge: Judge, progress: Progress | None = None, *, processes: int = 2) -> Report:
        """Every leaf, root, counter, die and verdict, held against table and file (LED-16)."""
        keys = self.signing_keys()
        self._there(self.keeping.tag_keys.file)
        believed = (*keys.retired, keys.current.verifying)
        with self.page() as page:
            last, epochs = page.last()[0], proofs(page)
            table = History.of("the ledger", [checkpoint.note for checkpoint in page.checkpoints()], *believed)
        file = History.of("the checkpoint file", self.keeping.checkpoints.notes(), *believed)
        records = StoredRecords(self.keeping.database)
        examiner = Examiner(records, Means(Streams(epochs), __version__, self.keeping.tag_keys.load()))
        judging = Judging(records, judge)
        check = Check((table, file), epochs)
        try:
            for stretch in self._stretches(examiner, last, processes):
                check.take(stretch)
                judging.take(stretch)
                if progress:
                    progress(min(stretch.after + STRETCH, last))
        finally:
            records.close()
        return judging.added(check.report())

    @staticmethod
    def _stretches(examiner: Examiner, last: int, processes: int) -> Iterable[Stretch]:
        if last <= ALONE or processes < 2:
            yield from map(examiner, stretches(last))
            return
        with ProcessPoolExecutor(processes) as pool:
            yield from pool.map(examiner, stretches(last))

    @staticmethod
    def _there(file: Path) -> None:
        if not file.exists():
            raise KeysError(f"{file} is missing.")


class Judging:
    """Every verdict again from its faces: by other rules than those of its time a difference is a note.

    So it is behind a record whose content is not here: what hangs on it cannot be judged any more.
    """

    def __init__(self, records: Source, judge: Judge) -> None:
        self._records, self._judge = records, judge
        self._findings: list[Finding] = []
        self._notes: list[str] = []
        self._hidden = False

    def take(self, stretch: Stretch) -> None:
        """The records of a stretch, in order."""
        for record in self._records(stretch.after, STRETCH):
            self._hidden |= record.redacted and record.draft.text != _PRIVATE
            why = self._judge(record)
            if why is None:
                continue
            if record.rules == __version__ and not self._hidden and len(self._findings) < _MOST:
                self._findings.append(Finding(record.seq, "altered", why))
            elif len(self._notes) < _MOST:
                self._notes.append(f"record {record.seq}, by rules {record.rules}: {why}")

    def added(self, report: Report) -> Report:
        """A report with what was judged."""
        findings = tuple(sorted({*report.findings, *self._findings}))
        return replace(report, findings=findings, notes=(*report.notes, *self._notes))

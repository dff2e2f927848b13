"""A ledger to be looked at while a bot may be writing to it: no lock is taken, no key is made. Words nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from ircdice import __version__
from ircdice.errors import KeysError, LedgerUnavailable
from ircdice.ledger.beside import Beside
from ircdice.ledger.check import Check, History, Report, provable
from ircdice.ledger.course import NOTHING_YET, Course
from ircdice.ledger.examining import Finding, Means
from ircdice.ledger.filing import filed, with_rest
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.keys import SigningKeys, TagKeys
from ircdice.ledger.notes import VerifyingKey
from ircdice.ledger.progress import Progress
from ircdice.ledger.proofs import EpochProof, Streams
from ircdice.ledger.proving import proven
from ircdice.ledger.sharing import Found, Judges, Share, cores, shared
from ircdice.ledger.store.engine import engines, in_a_line, shown
from ircdice.ledger.store.migrations import MIGRATIONS, expect_this
from ircdice.ledger.store.numbering import astray
from ircdice.ledger.store.owed import owed
from ircdice.ledger.store.page import Page, StoredEpoch
from ircdice.ledger.store.pages import Pages
from ircdice.ledger.store.unbound import misdelivered, misnamed, odd_records
from ircdice.ledger.store.whole import StoredRecords, exported, proofs
from ircdice.ledger.withholding import kept_back

_KEYLESS = "taken in from an export: checkpoints are held against {}, which came with it, and tags against nothing"
_Told = tuple[int, list[EpochProof], list[History], list[Finding]]


class Archive:
    """The ledger of `keeping`. LedgerUnavailable where there is none, or what is there cannot be read."""

    def __init__(self, keeping: Keeping) -> None:
        file = keeping.database_file
        if file is not None and not file.exists():
            raise LedgerUnavailable(f"there is no ledger at {file}.")
        self.keeping = keeping
        self._engines = engines(keeping.database)

    def close(self) -> None:
        """Let go of the database."""
        self._engines.dispose()

    @contextmanager
    def page(self) -> Iterator[Page]:
        """What is there now."""
        with _readable(self.keeping), self._engines.read.connect() as connection:
            yield Page(connection)

    @contextmanager
    def moment(self) -> Iterator[Page]:
        """What is there now, and stays so for whoever looks while others write; not to be held for long."""
        with self.page() as page:
            still = " ISOLATION LEVEL REPEATABLE READ" if page.connection.dialect.name == "postgresql" else ""
            page.connection.exec_driver_sql(f"BEGIN{still}")
            try:
                yield page
            finally:
                page.connection.exec_driver_sql("ROLLBACK")

    def signing_keys(self) -> SigningKeys:
        """The keys of the checkpoints; KeysError where they are not there."""
        _there(self.keeping.signing_file)
        with self.page() as page:
            origin = page.origin()
        return self.keeping.signing_keys(origin or self.keeping.suggested).load()

    def tag_keys(self) -> TagKeys:
        """The keys of the tags; KeysError where they are not there."""
        _there(self.keeping.tag_keys.file)
        return self.keeping.tag_keys.load()

    def size(self) -> int:
        """How many records there are."""
        with self.page() as page:
            return page.last()[0]

    def export(self, *, private: bool = False) -> Iterator[str]:
        """All of it as JSON lines (LED-07)."""
        key = self.signing_keys().first
        with self.page() as page:
            yield from exported(page, key, private=private, noted=self.keeping.checkpoints.notes)

    def check(self, judges: Judges, progress: Progress | None = None, *, processes: int | None = None) -> Report:
        """Every leaf, root, counter, die and verdict, held against table and file (LED-16).

        One process for each processor, if nothing else is said. Where `progress` raises KeyboardInterrupt the report
        is of what was looked at by then.
        """
        believed, tags = self._believed()
        many = processes or cores()
        try:
            last, epochs, histories, beside = self._told(believed, tags, many, lambda: progress and progress(0))
        except KeyboardInterrupt:
            return NOTHING_YET
        course = Course(Check(histories, epochs), last, beside)
        judging = provable(epochs, histories)
        share = Share(StoredRecords(self.keeping.database), Means(Streams(judging), __version__, tags), judges)
        with Pages(self._engines.read) as pages:
            try:
                waiting = partial(_told_again, course, progress)
                course.go_through(_read(self.keeping, shared(share, last, many, waiting)), progress)
                course.beside = [*course.beside, *self._odd(waiting)]
                course.damages = _damages(pages, lambda: progress and progress(last))
            except KeyboardInterrupt:
                course.whole = False
            except LedgerUnavailable:
                course.damages = _damages(pages)
                if not course.damages:
                    raise
            finally:
                share.records.close()
        return course.report(*(() if tags else (_KEYLESS.format(believed[0]),)))

    def _believed(self) -> tuple[tuple[VerifyingKey, ...], TagKeys | None]:
        """By whose signatures it is checked, and the keys of its tags; of one that was taken in, what came with it."""
        with self.page() as page:
            signer, origin = page.signer(), page.origin()
        if signer and origin and not self.keeping.signing_file.exists():
            return (VerifyingKey(origin, signer),), None
        keys = self.signing_keys()
        return (*keys.retired, keys.current.verifying), self.tag_keys()

    def _told(
        self, believed: tuple[VerifyingKey, ...], tags: TagKeys | None, processes: int, heard: Callable[[], object]
    ) -> _Told:
        """How many records there are, the epochs, what was signed of them, and what is wrong beside them.

        `heard` is called now and then.
        """
        noted = list(self.keeping.checkpoints.notes())  # first: what is signed later counts records not looked at
        rest = self.keeping.checkpoints.rest()
        expected = {"schema": str(len(MIGRATIONS)), "origin": self.keeping.origin}
        if tags:
            expected["tag_key"] = tags.mark
        with self.moment() as page:
            expect_this(page.told("schema"))
            last, epochs, kept = page.last()[0], proofs(page), list(page.checkpoints())
            listed = page.epochs()
            begun = {epoch.number: epoch.begun for epoch in listed}
            beside = Beside(last, kept, begun, {name: page.told(name) for name in expected}, expected)
            unsigned = [Finding(0, "altered", why) for why in _unsigned(page, listed, imported=tags is None)]
            owing = owed(page, self.keeping.name)
        notes = [each.note for each in kept]
        proved = proven(believed, (*notes, *noted), processes, heard)  # once, what stands in both
        table = History.of("the ledger", notes, *believed, proved=proved)
        file = History.of("the checkpoint file", noted, *believed, proved=proved)
        withheld, unprovable = kept_back(owing, self.keeping.seeds)
        wrong = [*unsigned, *withheld, *beside.findings(table, file)]
        if tags:  # an import brings no such file
            ran = self.keeping.seeds.folder.is_dir() or self.keeping.name in {epoch.name for epoch in listed}
            file = filed(table, with_rest(file, rest, believed[-1].name, last), kept_here=ran)
        ahead = [f"{self.keeping.tag_keys.file}: {why}"] if tags and (why := tags.ahead(last)) else []
        kept_beside = History("what is kept beside", notes=(*self._others(listed), *unprovable, *ahead))
        return last, epochs, [table, file, kept_beside], wrong

    def _others(self, listed: Sequence[StoredEpoch]) -> tuple[str, ...]:
        """Epochs of another name whose seeds are here: the bot was renamed, or somebody renamed them."""
        seeds, name = self.keeping.seeds.epochs(), self.keeping.name
        kept = [each for each in listed if each.number in seeds and each.seed is None and each.name != name]
        return tuple(f"epoch {e.number} is listed as {e.name}'s, and its seed is kept by {name}" for e in kept)

    def _odd(self, heard: Callable[[], object]) -> list[Finding]:
        with self.page() as page:
            odd = [*odd_records(page, heard)]
        with self.moment() as page:
            return [Finding(seq, "altered", why) for seq, why in (*odd, *misdelivered(page))]


def _unsigned(page: Page, listed: Sequence[StoredEpoch], *, imported: bool) -> Iterator[str]:
    """What nobody has signed, and is wrong all the same."""
    yield from [why] if (why := astray(page)) else []
    yield from [why for epoch in listed if (why := misnamed(epoch, imported=imported))]


def _told_again(course: Course, progress: Progress | None) -> None:
    """Whoever interrupts is heard while nothing comes."""
    if progress:
        progress(course.done)


def _read(keeping: Keeping, found: Iterator[Found]) -> Iterator[Found]:
    with _readable(keeping):
        yield from found


def _damages(pages: Pages, waiting: Callable[[], object] = lambda: None) -> list[Finding]:
    """What is wrong with the file itself, `waiting` until all of it was looked at."""
    while (faults := pages.faults()) is None:
        waiting()
    return [Finding(0, "damaged", f"the database: {fault}") for fault in faults]


@contextmanager
def _readable(keeping: Keeping) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise LedgerUnavailable(
            f"the ledger at {shown(keeping.database)} cannot be read: {in_a_line(error)}."
        ) from error


def _there(file: Path) -> None:
    if not file.exists():
        raise KeysError(f"{file} is missing.")

"""A ledger in a database: for reading, and with provable dice as used by one process (LED-01…LED-18)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial, wraps
from time import monotonic
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ircdice import __version__
from ircdice.clock import HOUR, MINUTE, utc
from ircdice.dice import DiceSource, Stamp, SystemDice, entropy
from ircdice.errors import KeysError, LedgerUnavailable, NoteError, NumberTaken
from ircdice.ledger.checkpoint import VerifyingKey, base64, read, succession
from ircdice.ledger.engine import READERS, Engines, described, engines, is_away, readable, retried, shown
from ircdice.ledger.epochs import GRACE, MOST_STIRS, Epochs, Schedule, is_start, start_draft
from ircdice.ledger.paths import Paths, SigningKeys
from ircdice.ledger.record import NOTHING_SEEN, Draft, Record, TagKeys, complete, is_intact, redaction
from ircdice.ledger.schema import RECORDS, expect_current, migrate
from ircdice.ledger.signing import Signer
from ircdice.ledger.store import Store
from ircdice.ledger.writer import Writer

log = logging.getLogger(__name__)
EVERY = 100  # records between two checkpoints (LED-12)
CHECKED_AS = "how to check: ircdice's docs/verification.md"
T = TypeVar("T")
P = ParamSpec("P")
_Answer = Coroutine[Any, Any, T]


def _asking(question: Callable[Concatenate[Store, P], T]) -> Callable[Concatenate[StoredLedger, P], _Answer[T]]:
    """A method of the ledger that runs one of the store's queries, in a reader's thread."""

    @wraps(question)
    async def ask(ledger: StoredLedger, /, *given: P.args, **named: P.kwargs) -> T:
        return await ledger.read(lambda store: question(store, *given, **named))

    return ask


class StoredLedger:
    """A ledger in a database, for reading. `tag_of` needs `tag_keys`; `wait` is in seconds."""

    def __init__(self, database: Engines, wait: float, tag_keys: TagKeys | None = None) -> None:
        self._engines, self._wait, self._tag_keys = database, wait, tag_keys
        self._readers = ThreadPoolExecutor(READERS, "ledger-reader")

    places = _asking(Store.places)
    of_channel = _asking(Store.of_channel)
    latest = _asking(Store.latest)
    of_who = _asking(Store.of_who)
    scenes = _asking(Store.scenes)
    of_scene = _asking(Store.of_scene)
    about = _asking(Store.about)
    kept = _asking(Store.kept)
    kept_since = _asking(Store.kept_since)
    page_records = _asking(Store.page_records)
    undelivered = _asking(Store.undelivered)

    async def get(self, seq: int) -> Record | None:
        """The record with that number, if any."""
        return next(iter(await self.read(lambda store: store.get(seq))), None)

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str | None:
        """The tag of such a record (LED-10); None if the ledger was opened without its key."""
        return self._tag_keys.tag(seq, network, channel, nick, line) if self._tag_keys else None

    async def read(self, question: Callable[[Store], T]) -> T:
        """Run any query, without the lock. LedgerUnavailable if the database is away for `wait` seconds."""

        def ask() -> T:
            with self._engines.read.connect() as connection:
                return question(Store(connection))

        try:
            async with asyncio.timeout(self._wait + 1):
                return await asyncio.get_running_loop().run_in_executor(self._readers, retried, ask, self._wait)
        except TimeoutError:
            raise LedgerUnavailable from None
        except (DBAPIError, PoolTimeout) as error:
            if is_away(error):
                raise LedgerUnavailable from error
            raise LedgerUnavailable(f"the ledger cannot be read: {described(error)}.") from error

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._readers.shutdown)
        self._engines.close()


class ProvenLedger(StoredLedger):
    """A ledger with provable dice; created by `open_ledger`."""

    def __init__(self, paths: Paths, database: Engines, clock: Callable[[], int], lock: ExitStack) -> None:
        super().__init__(database, paths.wait)
        self.clock = clock
        self._paths, self._lock, self._signer = paths, lock, Signer(paths, clock)
        self.alone = database.file is not None  # whether no other bot can write to it: a file is locked
        self.watch: Callable[[float, bool], None] = lambda _seconds, _ok: None  # called after each append (IRC-26)
        self._writer = Writer(
            database,
            clock,
            paths.wait,
            complete=self._completed,
            within=self._sign_hundreds,
            landed=lambda record: self.schedule.running.take(record),
        )
        self._own = SystemDice()  # for private and secret rolls: a published seed must not reveal them (LED-14)
        self._epochs = Epochs(paths.name, paths.seeds, paths.epoch)
        self.schedule: Schedule  # the running epoch and the next
        self._starts = 0  # of this process in the running epoch
        self._doubtful = False  # whether an epoch may have begun that is not in `schedule`
        self._may_publish = True  # whether there may be an ended epoch
        self._announcing = f"announced {paths.name}"  # the name in the table meta
        self._announced = self._stored = 0  # the last epoch announced, and as stored there

    # Opening

    async def resume(self, opening: str, *, accept_loss: bool) -> None:
        """Check the ledger, and continue or begin an epoch; see `open_ledger`. `opening` is the start of an error."""
        for warning in self._paths.warnings():
            log.warning("%s", warning)

        def resumed(store: Store) -> Schedule | None:
            with readable(opening):
                fresh = self._signer.open(store, self._load_keys(store), accept_loss=accept_loss)
            self._check_tags(store)
            schedule = self._resumed(store, fresh=fresh)
            stirs = store.stirs(schedule.running.number) if schedule else []
            self._starts = 1 + len({stir.draft.text for stir in stirs if is_start(stir.draft)})
            self._announced = self._stored = store.meta_number(self._announcing)
            return schedule

        # One transaction: an accepted loss is signed and its epoch ended, or nothing is changed (LED-12).
        if schedule := await self._checkpoint(resumed):
            self.schedule = schedule
        else:
            await self._begin_epoch()
        await self.tend()

    def _resumed(self, store: Store, *, fresh: bool = False) -> Schedule | None:
        """The schedule in the database. If it cannot be continued, commit to a fresh seed and return None."""
        fresh = fresh or bool(store.meta(restored(self._paths.name)))
        schedule = self._epochs.resume(store, self.clock(), fresh=fresh)
        if schedule is None:
            store.put_meta(restored(self._paths.name), "yes")  # until the new epoch has begun
            self._epochs.prepare(store, self.clock())
        return schedule

    def _load_keys(self, store: Store) -> SigningKeys:
        """Load the keys of the tags, and return those of the checkpoints.

        KeysError if a ledger with records has no keys: new ones would invalidate its records (LED-10).
        """
        wanted = self._paths.origin
        if store.last()[0]:
            self._paths.expect_keys()
        if (origin := store.meta("origin")) is None:
            origin = wanted or self._paths.suggested
            store.put_meta("origin", origin)
        if wanted not in (None, origin):
            raise KeysError(f"origin: this ledger is {origin}, and cannot become {wanted}.")
        self._tag_keys = self._paths.tag_keys.load()
        named = None  # by the last checkpoint, as the key of the next
        if latest := store.last_checkpoint():
            with suppress(NoteError):
                named = read(latest.note).successor
        return self._paths.signing_keys(origin).load(named)

    def _check_tags(self, store: Store) -> None:
        """Raise KeysError if the last tag was made with another key."""
        for record in store.find_newest(1, RECORDS.c.tag != ""):
            draft = record.draft
            mine = self.tag_of(record.seq, draft.network, draft.channel, draft.nick, draft.line)
            if is_intact(record) and record.tag != mine:
                raise KeysError(
                    f"{self._paths.tag_keys.file} is not this ledger's: record {record.seq} was tagged with another "
                    "key. Every bot on a ledger needs the same file: put it back from a backup."
                )

    # Records

    @property
    def out_of_reach(self) -> float | None:
        """While the database is away: the seconds that a command waits for it (LED-05)."""
        return self._wait if self._writer.away else None

    async def read(self, question: Callable[[Store], T]) -> T:
        """As `StoredLedger.read`; also notes that the database is away, as a write does (LED-05)."""
        try:
            return await super().read(question)
        except LedgerUnavailable as refused:
            if refused.__cause__ is None or is_away(refused.__cause__):
                self._writer.note_away(refused.__cause__)
            raise

    async def append(self, draft: Draft) -> Record:
        """Record `draft` durably. LedgerUnavailable after `wait` seconds (LED-05)."""
        return (await self.append_all((draft,)))[0]

    async def append_all(self, drafts: Sequence[Draft], seen: Mapping[str, int] = NOTHING_SEEN) -> Sequence[Record]:
        """Record all `drafts` or none (LED-03); each later one gets a `ref` to the first.

        `seen` are keys, each with the number of its latest record known to the caller (0: none). If there is a newer
        one, StaleError is raised and nothing is recorded; LedgerUnavailable after `wait` seconds.
        """
        began, ok = monotonic(), False
        try:
            records = await self._writer.append(drafts, seen)
            ok = True
            return records
        except NumberTaken:
            self.schedule.running.close(*drafts[0].place)
            raise
        finally:
            self.watch(monotonic() - began, ok)

    async def of_channel(self, network: str, channel: str, since: int = 0) -> list[Record]:
        """The records that may still matter there, after all pending drafts are settled."""
        await self._writer.settled(network, channel)
        return await self.read(lambda store: store.of_channel(network, channel, since))

    async def transact(self, work: Callable[[Store], T]) -> T:
        """Run `work` in a transaction under the ledger's lock. LedgerUnavailable unless it is known to be done."""
        return await self._writer.transact(lambda store: (work(store), lambda: None))

    def mark_delivered(self, network: str, channel: str, seq: int) -> None:
        """Note that a line was delivered, with all before it in its channel."""
        self._writer.mark(network, channel, seq)

    def late(self) -> Sequence[Record]:
        """Records written after their commands were refused, to be posted after all (LED-05)."""
        late, self._writer.late = self._writer.late, []
        return late

    # Dice

    async def ready(self, network: str, place: str) -> None:
        """Prepare for a roll: the first one of a channel in an epoch, or after a start, stirs its dice (LED-15)."""
        epoch = self.schedule.running
        if place.startswith("@") or epoch.is_open(network, place):
            return None
        await self._writer.settled(network, place)
        stirs = await self.read(lambda store: store.stirs(epoch.number, network, place))
        generation = stirs[-1].draft.stamp.generation if stirs else 0
        if generation >= MOST_STIRS:
            await self._begin_epoch()
            return await self.ready(network, place)
        stir = await self.append(start_draft(network, place, self._signer.started, epoch.number, generation + 1))
        counter = await self.read(lambda store: store.counter(epoch.number, network, place))
        epoch.open(network, place, counter, [*stirs, stir])
        if self.schedule.running is not epoch:
            await self.ready(network, place)
        return None

    def begin(self, network: str, place: str) -> DiceSource:
        """The dice for one command: the channel's stream once it is `ready`, or the operating system's in private."""
        return self._own if place.startswith("@") else self.schedule.running.dice(network, place)

    def stirred(self, network: str, place: str, now: int) -> tuple[Stamp, int]:
        """The stamp of a stir made now, and the time when the bot was started (LED-15)."""
        return self.schedule.running.next_stir(network, place, now), self._signer.started

    def statement(self) -> str:
        """The commitments to the dice, in one line (LED-15)."""
        schedule = self.schedule
        running, coming = schedule.running, schedule.coming
        began = utc(running.begun).strftime("%Y-%m-%d %H:%M UTC")
        parts = [f"dice of epoch {running.number}, since {began}, committed to as {base64(running.commitment)}"]
        parts.append("1 start since" if self._starts == 1 else f"{self._starts} starts since")
        if latest := self._signer.latest:
            parts.append(f"checkpoint {latest.size} {base64(latest.root)}")
        parts.append(f"next epoch {coming.number} {base64(coming.commitment)}")
        return "; ".join([*parts, f"signed by {base64(self._signer.keys.current.verifying.public)}", CHECKED_AS])

    def condition(self) -> str:
        """The status of the ledger, for the operator (DSK-12)."""
        reach = "out of reach" if self._writer.away else "in reach"
        if (latest := self._signer.latest) is None:
            return f"ledger {reach}, no checkpoint yet"
        minutes = (self.clock() - self._signer.signed_at) // MINUTE
        return f"ledger {reach}, last checkpoint at record {latest.size}, {minutes} min ago"

    def news(self) -> str | None:
        """The statement, once in each epoch of this process, even after restarts (LED-15)."""
        number = self.schedule.running.number
        if number == self._announced:
            return None
        self._announced = number
        return self.statement()

    # Maintenance

    async def tend(self) -> None:
        """Do what is due: a new epoch, an hourly checkpoint, a seed to publish. Call this regularly."""
        await self.read(lambda store: store.last())  # when nobody plays, this notices that the database is away
        now = self.clock()
        if self._doubtful or now >= self.schedule.running.begun + self._paths.epoch:
            await self._begin_epoch()
        elif now >= self._signer.signed_at + HOUR and await self._has_news():
            await self.sign()
        await self._store_announced()
        published, _ = await self._publish(now)
        if published:
            log.info("the seeds of epochs %s are published", ", ".join(map(str, published)))

    async def sign(self) -> None:
        """Make a checkpoint now."""
        await self._checkpoint(lambda _store: None)

    async def publish_all(self) -> tuple[list[int], list[int]]:
        """End the running epoch and publish every seed without open contests; returns published and waiting epochs."""
        await self._begin_epoch()
        return await self._publish(self.clock() + GRACE)

    async def _publish(self, now: int) -> tuple[list[int], list[int]]:
        if not self._may_publish:
            return [], []
        drawn = self.schedule.running.number
        published, waiting = await self.transact(lambda store: self._epochs.publish(store, now, drawn))
        self._may_publish = bool(waiting)
        return published, waiting

    async def _begin_epoch(self) -> None:
        """Begin the next epoch, unless an earlier attempt with unknown result has done so."""
        if self._doubtful:
            schedule = await self._checkpoint(self._resumed)
            if schedule is not None and schedule.running.number != self.schedule.running.number:
                return self._take(schedule)

        def begun(store: Store) -> Schedule:
            store.put_meta(restored(self._paths.name), "")
            return self._epochs.begin(store, self.clock())

        self._doubtful = True
        return self._take(await self._checkpoint(begun))

    def _take(self, schedule: Schedule) -> None:
        self.schedule, self._starts, self._may_publish, self._doubtful = schedule, 1, True, False

    async def _store_announced(self) -> None:
        if self._stored != (number := self._announced):
            await self.transact(lambda store: store.put_meta(self._announcing, str(number)))
            self._stored = number

    # Keys and redaction

    async def rotate_tag_key(self) -> int:
        """Rotate the key of the tags; returns the first record for the new one (LED-18)."""

        def rotated(store: Store) -> int:  # under the ledger's lock: no bot appends until the key exists
            first = store.last()[0] + 1
            self._tag_keys = self._paths.tag_keys.rotate(first)
            return first

        return await self.transact(rotated)

    async def rotate_signing_key(self) -> VerifyingKey:
        """Rotate the key of the checkpoints; one signed by the old key names the new one (LED-18)."""
        file = self._paths.signing_keys(self._signer.keys.current.name)
        new = file.prepare()
        await self._checkpoint(lambda _store: None, succession(new.verifying))
        self._signer.keys = keys = file.rotate(new)
        await self.transact(lambda store: self._signer.show_keys(store, keys))
        return new.verifying

    async def redact(self, who: Collection[str], network: str | None = None) -> int:
        """Remove the content of a person's records, on one network or all; returns their number (LED-25)."""

        def redacted(store: Store) -> tuple[int, Schedule | None]:
            if not (count := store.redact(who, network)):
                return 0, None
            last, ts = store.last()
            store.insert([(self._completed(redaction(count, network), last + 1, max(ts, self.clock())), None)])
            # A removed stir must not be used again in its epoch.
            return count, self._epochs.begin(store, self.clock())

        self._doubtful = True
        count, schedule = await self._checkpoint(redacted)
        if schedule:
            self._take(schedule)
        self._doubtful = False
        return count

    async def close(self) -> None:
        """Sign the last records, and release database and folder."""
        try:
            if self._signer.latest is not None:
                await self._store_announced()
                if await self._has_news():
                    await self.sign()
        except LedgerUnavailable:
            log.warning("the last records are not signed: the ledger is out of reach")
        finally:
            await self._writer.close()
            await super().close()
            self._lock.close()

    async def _has_news(self) -> bool:
        last, _ = await self.read(lambda store: store.last())
        return self._signer.latest is None or last > self._signer.latest.size

    async def _checkpoint(self, work: Callable[[Store], T], *remarks: str) -> T:
        """Do `work` and sign, in one transaction; then write the checkpoint to the file."""
        return await self._writer.transact(lambda store: (work(store), self._signer.sign(store, *remarks)))

    def _sign_hundreds(self, store: Store, records: Sequence[Record]) -> Callable[[], None]:
        """In the writer's transaction: sign when an append crosses a multiple of a hundred (LED-12)."""
        if not records or (records[0].seq - 1) // EVERY == records[-1].seq // EVERY:
            return lambda: None
        return self._signer.sign(store)

    def _completed(self, draft: Draft, seq: int, ts: int) -> Record:
        assert self._tag_keys is not None, "the ledger is not open"
        return complete(draft, seq, ts, entropy(16), __version__, self._tag_keys.key(seq))


def restored(name: str) -> str:
    """The name in the table meta with which a restore makes a process begin a new epoch (LED-13)."""
    return f"restored {name}"


async def open_ledger(paths: Paths, clock: Callable[[], int], *, accept_loss: bool = False) -> ProvenLedger:
    """The ledger at `paths`, checked and ready for use; `clock` gives ms since 1970.

    KeysError if a key is missing or the folder is in use, LedgerUnavailable if the database cannot be opened,
    LedgerDamaged if it differs from what was signed, unless `accept_loss` (LED-12).
    """
    with paths.lock() as lock:
        paths.make_database(accept_loss=accept_loss)
        database = engines(paths.database)
        opening = f"the ledger at {shown(paths.database)} cannot be opened"
        with readable(opening):
            await asyncio.to_thread(retried, partial(migrate, database.write), paths.wait)
        ledger = ProvenLedger(paths, database, clock, lock.pop_all())
    try:
        with readable(opening):
            await ledger.resume(opening, accept_loss=accept_loss)
    except BaseException:
        await ledger.close()
        raise
    return ledger


def open_to_read(paths: Paths, tag_keys: TagKeys | None = None) -> StoredLedger:
    """The ledger at `paths`, without changing it. LedgerUnavailable if there is none of this version."""
    paths.expect_database()
    database = engines(paths.database)
    with readable(f"the ledger at {shown(paths.database)} cannot be opened"), database.read.connect() as connection:
        expect_current(connection)
    return StoredLedger(database, paths.wait, tag_keys)


def browse(paths: Paths) -> StoredLedger:
    """The ledger at `paths`, for a read-only process without keys; opened by the first query."""
    return StoredLedger(engines(paths.database, read_only=True), paths.wait)

"""A verifiable ledger, as used by one process: records, dice, epochs, checkpoints (LED-01…LED-18)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from time import monotonic, sleep
from typing import TypeVar

from ircdice import __version__
from ircdice.clock import HOUR, MINUTE
from ircdice.dice import DiceSource, RecordedDice, Stamp, SystemDice, entropy
from ircdice.errors import KeysError, LedgerUnavailable, NoteError, NumberTaken
from ircdice.ledger.checkpoint import Checkpoint, Tree, VerifyingKey, base64, read, sign, start, succession
from ircdice.ledger.engine import Engines, engines, readable, shown
from ircdice.ledger.epochs import GRACE, IMPORTED, MOST_STIRS, Epochs, Schedule, start_draft
from ircdice.ledger.open import open_checked
from ircdice.ledger.paths import Paths, SigningKeys
from ircdice.ledger.reader import RETRY, StoredLedger
from ircdice.ledger.record import NOTHING_SEEN, Draft, Record, complete, is_intact, redaction
from ircdice.ledger.schema import RECORDS, migrate
from ircdice.ledger.store import Store, StoredCheckpoint
from ircdice.ledger.writer import Writer

log = logging.getLogger(__name__)
EVERY = 100  # records between two checkpoints (LED-12)
PUBLIC_KEYS = "public keys"  # in the table meta: keys of the checkpoints, oldest first, in base 64
CHECKED_AS = "how to check: ircdice's docs/verification.md"
T = TypeVar("T")


async def open_ledger(paths: Paths, clock: Callable[[], int], *, accept_loss: bool = False) -> ProvenLedger:
    """The ledger at `paths`, checked and ready for use; `clock` gives ms since 1970.

    KeysError if a key is missing or the folder is in use, LedgerUnavailable if the database cannot be opened,
    LedgerDamaged if it differs from what was signed, unless `accept_loss` (LED-12).
    """
    with paths.lock() as lock:
        paths.make_database(accept_loss=accept_loss)
        made = engines(paths.database)
        opening = f"the ledger at {shown(paths.database)} cannot be opened"
        await asyncio.to_thread(_migrate, made, opening, paths.wait)
        ledger = ProvenLedger(paths, made, clock, lock.pop_all())
    try:
        with readable(opening):
            await ledger.resume(opening, accept_loss=accept_loss)
    except BaseException:
        await ledger.close()
        raise
    return ledger


def _migrate(made: Engines, opening: str, wait: float) -> None:
    """Migrate the database to the current schema, retrying for `wait` seconds."""
    end = monotonic() + wait
    while True:
        try:
            with readable(opening), made.write.connect() as connection:
                return migrate(connection)
        except LedgerUnavailable:
            if monotonic() > end:
                raise
        sleep(RETRY)


class ProvenLedger(StoredLedger):
    """A ledger with provable dice; created by `open_ledger`."""

    def __init__(self, paths: Paths, made: Engines, clock: Callable[[], int], lock: ExitStack) -> None:
        super().__init__(made, clock, paths.wait)
        self._paths, self._lock = paths, lock
        self.alone = made.file is not None  # whether no other bot can write to it: a file is locked
        self.watch: Callable[[float, bool], None] = lambda _seconds, _ok: None  # called after each append (IRC-26)
        self._writer = Writer(
            made, clock, paths.wait, complete=self._completed, within=self._sign_hundreds, landed=self._landed
        )
        self._own = SystemDice()  # for private and secret rolls: a published seed must not reveal them (LED-14)
        self._epochs = Epochs(paths.name, paths.seeds, paths.epoch)
        self.schedule: Schedule  # the running epoch and the next
        self._keys: SigningKeys
        self._tree, self._in_file = Tree(), 0  # the last signed tree, and the last checkpoint in the file
        self._latest: Checkpoint | None = None
        self._remarks: tuple[str, ...] = ()  # for the next checkpoint
        self._anew = False  # whether to start a new file of checkpoints
        self._started, self._starts = 0, 0
        self._doubtful = False  # whether an epoch may have begun that is not in `schedule`
        self._ended = True  # whether there may be an ended epoch to publish
        self._signed_at = self._announced = self._noted = 0

    # Opening

    async def resume(self, opening: str, *, accept_loss: bool) -> None:
        """Check the ledger, and continue or begin an epoch; see `open_ledger`. `opening` is the start of an error."""
        for warning in self._paths.warnings():
            log.warning("%s", warning)
        now = self.clock()

        def resumed(store: Store) -> Schedule | None:
            with readable(opening):
                self._load_keys(store)
                opened = open_checked(
                    store, self._paths.checkpoints, self._keys, self._paths.name, now, accept_loss=accept_loss
                )
            self._check_tags(store)
            self._tree, self._in_file, self._started = opened.tree, opened.in_file, opened.started
            self._anew = bool(opened.loss)
            self._remarks = tuple(filter(None, (opened.loss, start(opened.started))))
            store.put_meta("started", str(opened.started))
            _show_keys(store, self._keys)
            schedule = self._resumed(store, fresh=self._anew)
            self._starts = 1 + (store.starts(schedule.running.number) if schedule else 0)
            self._announced = self._noted = store.meta_number(self._announcing)
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

    def _load_keys(self, store: Store) -> None:
        """KeysError if a ledger with records has missing or wrong keys: new ones would invalidate them (LED-10)."""
        tags, signing, wanted = self._paths.tag_keys, self._paths.signing_file, self._paths.origin
        last, _ = store.last()
        for missing in [file for file in (tags.file, signing) if last and not file.exists()]:
            way_out = "copy it from another bot on this ledger, or from a backup"
            raise KeysError(f"{missing} is missing: it belongs to this ledger; {way_out}.")
        if (origin := store.meta("origin")) is None:
            origin = wanted or self._paths.suggested
            store.put_meta("origin", origin)
        if wanted not in (None, origin):
            raise KeysError(f"origin: this ledger is {origin}, and cannot become {wanted}.")
        self._tag_keys = tags.load()
        first, latest = store.last_checkpoint(0), store.last_checkpoint()
        self._keys = self._paths.signing_keys(origin).resume(_successor(latest))
        if first and latest and not any(_signed_by(each, self._keys) for each in (first, latest)):
            raise KeysError(f"{signing} is not this ledger's: every bot on it needs the same one.")

    def _check_tags(self, store: Store) -> None:
        """Raise KeysError if the last tag was made with another key."""
        for record in store.newest(1, RECORDS.c.tag != ""):
            draft = record.draft
            mine = self.tag_of(record.seq, draft.network, draft.channel, draft.nick, draft.line)
            if is_intact(record) and record.tag != mine:
                raise KeysError(
                    f"{self._paths.tag_keys.file} is not this ledger's: record {record.seq} was tagged with another "
                    "key. Every bot on a ledger needs the same file: put it back from a backup."
                )

    # Records

    @property
    def away(self) -> bool:
        """Whether the database was out of reach at the last write."""
        return self._writer.away

    @property
    def out_of_reach(self) -> float | None:
        """While the database is away: the seconds that a command waits for it (LED-05)."""
        return self._wait if self._writer.away else None

    async def append(self, draft: Draft) -> Record:
        """Record `draft` durably. LedgerUnavailable after `wait` seconds (LED-05)."""
        return (await self.append_all((draft,)))[0]

    async def append_all(self, drafts: Sequence[Draft], seen: Mapping[str, int] = NOTHING_SEEN) -> Sequence[Record]:
        """Record all `drafts` or none; see `MemoryLedger`. LedgerUnavailable after `wait` seconds, StaleError."""
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

    async def of_channel(self, network: str, channel: str, since: int = 0) -> Sequence[Record]:
        """The records that may still matter there, after all pending drafts are settled."""
        await self._writer.settled(network, channel)
        return await super().of_channel(network, channel, since)

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
        stir = await self.append(start_draft(network, place, self._started, epoch.number, generation + 1))
        counter = await self.read(lambda store: store.counter(epoch.number, network, place))
        epoch.open(network, place, counter, [*stirs, stir])
        if self.schedule.running is not epoch:
            await self.ready(network, place)
        return None

    def begin(self, network: str, place: str) -> DiceSource:
        """The dice for one command: the channel's stream, or the operating system's in private; None if not `ready`."""
        if place.startswith("@"):
            return self._own
        epoch = self.schedule.running
        return epoch.dice(network, place) if epoch.is_open(network, place) else RecordedDice(())

    def stirred(self, network: str, place: str, now: int) -> tuple[Stamp, int]:
        """The stamp of a stir made now, and the time when the bot was started (LED-15)."""
        return self.schedule.running.next_stir(network, place, now), self._started

    def statement(self) -> str:
        """The commitments to the dice, in one line (LED-15)."""
        schedule = self.schedule
        running, coming = schedule.running, schedule.coming
        began = datetime.fromtimestamp(running.begun / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
        parts = [f"dice of epoch {running.number}, since {began}, committed to as {base64(running.commitment)}"]
        parts.append("1 start since" if self._starts == 1 else f"{self._starts} starts since")
        if self._latest:
            parts.append(f"checkpoint {self._latest.size} {base64(self._latest.root)}")
        parts.append(f"next epoch {coming.number} {base64(coming.commitment)}")
        return "; ".join([*parts, f"signed by {base64(self._keys.current.verifying.public)}", CHECKED_AS])

    def condition(self) -> str:
        """The status of the ledger, for the operator (DSK-12)."""
        reach = "out of reach" if self.away else "in reach"
        if self._latest is None:
            return f"ledger {reach}, no checkpoint yet"
        minutes = (self.clock() - self._signed_at) // MINUTE
        return f"ledger {reach}, last checkpoint at record {self._latest.size}, {minutes} min ago"

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
        now = self.clock()
        if self._doubtful or now >= self.schedule.running.begun + self._paths.epoch:
            await self._begin_epoch()
        elif now >= self._signed_at + HOUR and await self._has_news():
            await self.sign()
        await self._note_announced()
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
        if not self._ended:
            return [], []
        drawn = self.schedule.running.number
        published, waiting = await self.transact(lambda store: self._epochs.publish(store, now, drawn))
        self._ended = bool(waiting)
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
        self._take(await self._checkpoint(begun))
        return None

    def _take(self, schedule: Schedule) -> None:
        self.schedule, self._starts, self._ended, self._doubtful = schedule, 1, True, False

    @property
    def _announcing(self) -> str:
        return f"announced {self._paths.name}"

    async def _note_announced(self) -> None:
        if self._noted != (number := self._announced):
            await self.transact(lambda store: store.put_meta(self._announcing, str(number)))
            self._noted = number

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
        file = self._paths.signing_keys(self._keys.current.name)
        new = file.successor()
        await self._checkpoint(lambda _store: None, succession(new.verifying))
        self._keys = file.rotate(new)
        await self.transact(lambda store: _show_keys(store, self._keys))
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
            if self._latest is not None:
                await self._note_announced()
                if await self._has_news():
                    await self.sign()
        except LedgerUnavailable:
            log.warning("the last records are not signed: the ledger is out of reach")
        finally:
            await self._writer.close()
            await super().close()
            self._lock.close()

    # Checkpoints

    async def _has_news(self) -> bool:
        last, _ = await self.read(lambda store: store.last())
        return self._latest is None or last > self._latest.size

    async def _checkpoint(self, work: Callable[[Store], T], *remarks: str) -> T:
        """Do `work` and sign, in one transaction; then write the checkpoint to the file."""

        return await self._writer.transact(lambda store: (work(store), self._sign(store, *remarks)))

    def _sign(self, store: Store, *remarks: str) -> Callable[[], None]:
        """In a transaction, make a checkpoint of all records. Returns the follow-up that writes it to the file."""
        unfiled = tuple(store.checkpoints(self._in_file))
        tree = self._tree.copy()
        tree.extend(store.leaves(tree.size))
        open_epochs = [epoch for epoch in store.epochs(unpublished=True) if epoch.name != IMPORTED]
        running = {epoch.name: (epoch.number, epoch.begun) for epoch in open_epochs if epoch.begun is not None}
        coming = tuple((epoch.number, epoch.commitment) for epoch in open_epochs if epoch.begun is None)
        epochs, remarks = tuple(sorted(running.values())), (*self._remarks, *remarks)
        checkpoint = Checkpoint(self._keys.current.name, tree.size, tree.root(), epochs, coming, remarks)
        made = store.add_checkpoint(tree.size, sign(checkpoint, self._keys.current), tree.frontier)
        return partial(self._file, checkpoint, tree, (*unfiled, made))

    def _file(self, checkpoint: Checkpoint, tree: Tree, unfiled: Sequence[StoredCheckpoint]) -> None:
        """After the commit, in the writer's thread, add missing checkpoints to the file, including other processes'."""
        self._tree, self._latest, self._signed_at = tree, checkpoint, self.clock()
        self._remarks = tuple(remark for remark in self._remarks if remark not in checkpoint.remarks)
        file = self._paths.checkpoints
        notes = [stored for stored in unfiled if stored.number > self._in_file]
        try:
            if self._anew:
                file.set_aside(self._started)
            self._anew = False
            file.append(*(stored.note for stored in notes))
        except OSError as error:
            log.error("%s cannot be written to; it will get what it lacks later: %s", file.file, error)
        else:
            self._in_file = max([self._in_file, *(stored.number for stored in notes)])

    def _sign_hundreds(self, store: Store, records: Sequence[Record]) -> Callable[[], None]:
        """In the writer's transaction: sign when an append crosses a multiple of a hundred (LED-12)."""
        if not records or (records[0].seq - 1) // EVERY == records[-1].seq // EVERY:
            return lambda: None
        return self._sign(store)

    def _landed(self, record: Record) -> None:
        self.schedule.running.take(record)

    def _completed(self, draft: Draft, seq: int, ts: int) -> Record:
        assert self._tag_keys is not None, "the ledger is not open"
        return complete(draft, seq, ts, entropy(16), __version__, self._tag_keys.key(seq))


def restored(name: str) -> str:
    """The name in the table meta with which a restore makes a process begin a new epoch (LED-13)."""
    return f"restored {name}"


def _show_keys(store: Store, keys: SigningKeys) -> None:
    """Store the public keys where the page can read them (WEB-08)."""
    store.put_meta(PUBLIC_KEYS, " ".join(base64(key.public) for key in keys.all))


def _signed_by(stored: StoredCheckpoint, keys: SigningKeys) -> bool:
    """Whether the checkpoint was signed by one of the keys."""
    try:
        return any(read(stored.note).signed_by(key) for key in keys.all)
    except NoteError:
        return False


def _successor(latest: StoredCheckpoint | None) -> VerifyingKey | None:
    """The next key, as named in the last checkpoint."""
    try:
        return read(latest.note).checkpoint.successor if latest else None
    except NoteError:
        return None

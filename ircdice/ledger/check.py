"""`ledger check`: verify every leaf, root, signature, counter, die and verdict in one pass (LED-16)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise, permutations
from typing import Literal

from sqlalchemy import exc

from ircdice import __version__
from ircdice.clock import MINUTE
from ircdice.errors import LedgerDamaged, NoteError, Refused
from ircdice.ledger.checkpoint import Checkpoint, Tree, Trust, VerifyingKey, read_or_none
from ircdice.ledger.engine import described
from ircdice.ledger.epochs import GRACE, derived, is_start, mix_of_stir, stream_key
from ircdice.ledger.record import Record, TagKeys, is_intact, redacted_by
from ircdice.ledger.store import Store

Damage = Literal["altered", "missing", "cut off", "reordered", "forked", "damaged"]
Judge = Callable[[Record], str | None]  # how the current rules differ from a record's line, if at all
STEP = 500  # records between progress reports
MOST = 1_000  # findings of one sort
MOST_STREAMS = 50_000  # channels with dice of an epoch; older ones are forgotten
MOST_COMPARED = 200  # records with a wrong leaf to compare, to detect swaps


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A fault: the first bad record (0 if none is to blame), the kind of damage, and the reason."""

    seq: int
    damage: Damage
    why: str

    def __str__(self) -> str:
        return f"{self.damage}: record {self.seq}: {self.why}" if self.seq else f"{self.damage}: {self.why}"


class Findings(list[Finding]):
    """Collects findings; only the first ones of each kind."""

    def __init__(self) -> None:
        self._counts: Counter[Damage] = Counter()

    def add(self, seq: int, damage: Damage, why: str) -> None:
        """Add a finding."""
        self._counts[damage] += 1
        if self._counts[damage] <= MOST:
            self.append(Finding(seq, damage, why))


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check, sorted by record."""

    records: int
    checkpoints: int
    proved: int  # throws that match a published seed
    unproved: int  # throws without a published seed, or with a withheld stir
    withheld: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    complete: bool  # False if the check was interrupted

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


class Check:
    """One pass over the ledger of `store`, which must not change: use a snapshot or a transaction.

    `filed` are the notes of the checkpoint file, read before the snapshot; None if the ledger has no such file. `tags`
    is None without the tag keys, as with an import; `judge` is None to skip verdicts.
    """

    def __init__(
        self,
        store: Store,
        keys: tuple[VerifyingKey, ...],
        *,
        filed: Iterable[str] | None = None,
        tags: TagKeys | None = None,
        judge: Judge | None = None,
    ) -> None:
        self._store, self._tags, self._judge = store, tags, judge
        self.last, self._last_ts = store.last()
        self._complete = False
        self._findings = Findings()
        self._notes: list[str] = []
        self._signed = _Checkpoints(self._findings, keys, (stored.note for stored in store.checkpoints()), filed)
        self._epochs = {epoch.number: epoch for epoch in store.epochs()}
        self._dice = _Dice(self._findings, self._provable(), self._signed.starts)
        self._imported = tags is None
        self._tree, self._seq, self._ts = Tree(), 0, 0
        self._altered: list[Record] = []  # with a wrong leaf
        self._withheld = 0
        self._redacted: int | None = None  # the first record without content since the last redaction
        self._unexplained = 0  # records without content, minus those explained by redactions so far
        self._hidden: set[tuple[str, str]] = set()  # places of withheld records; ("", "") for any place
        self._otherwise: deque[int] = deque(maxlen=10 * MOST)  # records that the rules judge differently

    def run(self) -> Iterator[int]:
        """Verify everything; yields the number of records done."""
        try:
            for record in self._store.scan(until=self.last):
                self._take(record)
                if record.seq % STEP == 0:
                    yield record.seq
            self._complete = True
            self._conclude()
            yield self.last
        except (exc.DatabaseError, LedgerDamaged) as error:
            self._findings.add(0, "damaged", f"the database cannot be read to its end: {described(error)}")
        for fault in _integrity_faults(self._store):
            self._findings.add(0, "damaged", f"the database: {fault}")

    def report(self) -> Report:
        """The findings so far."""
        findings = [*self._findings, *self._dice.gaps(), *_altered_or_moved(self._altered)]
        findings += self._signed.mismatches(findings, self.last if self._complete else None)
        counts = self._dice.proved, self._dice.unproved, self._withheld
        notes = [f"a checkpoint gives up the records from {first} on" for first in sorted(self._signed.lost)]
        if unbound := self._dice.unbound:
            notes.append(
                f"{unbound} rolls in channels come from no seed, the first is record {self._dice.first_unbound}"
            )
        notes += self._notes
        size, checkpoints = self._tree.size, self._signed.count
        return Report(size, checkpoints, *counts, tuple(sorted(set(findings))), tuple(notes), self._complete)

    def _take(self, record: Record) -> None:
        seq = record.seq
        if seq != self._seq + 1:
            self._findings.add(self._seq + 1, "missing", f"the next existing record is {seq}")
        self._seq = seq
        self._tree.append(record.leaf)
        self._signed.reach(seq, self._tree)
        if record.redacted:
            self._take_withheld(record)
            self._dice.hide(record)
        elif is_intact(record):
            self._take_intact(record)
        else:
            self._dice.hide(record)
            if len(self._altered) < MOST:
                self._altered.append(record)
        if self._judge is not None:
            self._take_verdict(record, self._judge(record))

    def _take_intact(self, record: Record) -> None:
        draft = record.draft
        texts = draft.network, draft.channel, draft.nick, draft.line
        if self._tags is not None and record.tag != self._tags.tag(record.seq, *texts):
            self._findings.add(record.seq, "altered", "its tag was not made with the ledger's key")
        if record.ts < self._ts:
            self._findings.add(record.seq, "reordered", "it is older than the record before it")
        self._ts = max(self._ts, record.ts)
        self._dice.take(record)
        if draft.kind == "redact":  # it follows the records that it redacted
            self._redacted = None
            self._unexplained -= redacted_by(draft)

    def _take_withheld(self, record: Record) -> None:
        """A record without content: check that the ledger gives a reason (LED-12, LED-25)."""
        draft, why = record.draft, record.draft.text
        self._withheld += 1
        if why != "private":
            self._hidden.add(draft.place)
        if why == "redacted":
            self._redacted = self._redacted or record.seq
            self._unexplained += 1
        elif not (self._imported and why in ("covered", "private")):
            self._findings.add(record.seq, "altered", "its content was taken away without a reason")
        if any((draft.nick, draft.who, draft.line, draft.draws, draft.sealed, record.tag, record.blind)):
            self._findings.add(record.seq, "altered", "it has content, although it is withheld")

    def _take_verdict(self, record: Record, why: str | None) -> None:
        """A difference is a note if the record was made under another version of the rules.

        The same if the record may depend on one that is withheld or was judged differently.
        """
        if why is None:
            return
        network, _ = place = record.draft.place
        private = (network, "@") if record.draft.private else place  # a redacted private conversation (LED-25)
        unknown = not self._hidden.isdisjoint({place, ("", ""), private})
        if not unknown and record.rules == __version__ and record.draft.ref not in self._otherwise:
            self._findings.add(record.seq, "altered", why)
            return
        self._otherwise.append(record.seq)
        if len(self._notes) < MOST:
            self._notes.append(f"record {record.seq}, by the rules of version {record.rules}: {why}")

    def _provable(self) -> dict[int, bytes]:
        """The published seeds that match their commitments; others prove nothing about records."""
        seeds: dict[int, bytes] = {}
        for number, epoch in self._epochs.items():
            _, promise = self._signed.promised.get(number, (0, epoch.commitment))
            if epoch.seed is not None and not epoch.has_wrong_seed and epoch.commitment == promise:
                seeds[number] = epoch.seed
        return seeds

    def _conclude(self) -> None:
        """Check the rest of the database: epochs, trees, checkpoints of the file, deliveries."""
        if self._redacted is not None:
            self._findings.add(self._redacted, "altered", "its content was taken away, and no redaction is on record")
        elif (more := self._unexplained) > 0:
            why = f"{more} more record{'s have' if more > 1 else ' has'} no content than all redactions removed"
            self._findings.add(0, "altered", why)
        for number in self._epochs.keys() | self._dice.first.keys() | self._signed.promised.keys():
            self._compare_epoch(number)
        for stored in self._store.checkpoints():
            signed = read_or_none(stored.note)  # invalid ones are already found
            has_tree = stored.frontier or not self._imported
            if signed and has_tree and not stored.is_tree_of(signed):
                self._findings.add(stored.size, "altered", "the tree stored with its checkpoint is not the signed one")
        self._signed.compare_places(self.last)
        for network, channel, seq, _ in self._store.deliveries():
            if seq > self.last:
                why = f"a line of record {seq} was posted in {channel} on {network}, and {self.last} is the last record"
                self._findings.add(self.last + 1, "cut off", why)
        self._note_unpublished()

    def _compare_epoch(self, number: int) -> None:
        """LED-13: check that the commitment was signed before the first record, and that the seed matches it."""
        epoch, first = self._epochs.get(number), self._dice.first.get(number, 0)
        size, promise = self._signed.promised.get(number, (None, b""))
        if epoch is None:
            if first or self._tags:  # an export may omit an epoch that has not begun
                self._findings.add(first, "missing", f"epoch {number} is not in the list of epochs")
            return
        if size is None:
            if first or self._signed.whole:
                self._findings.add(first, "altered", f"epoch {number} was not committed to in any checkpoint")
        elif promise != epoch.commitment:
            self._findings.add(first, "altered", f"the commitment of epoch {number} is not the signed one")
        elif 0 < first <= size:
            self._findings.add(first, "altered", f"epoch {number} was not committed to before it began")
        if epoch.has_wrong_seed:
            self._findings.add(0, "altered", f"the seed of epoch {number} is not the one that was committed to")
        if self._signed.begun.get(number, epoch.begun) != epoch.begun:
            self._findings.add(first, "altered", f"the time when epoch {number} began is not the signed one")

    def _note_unpublished(self) -> None:
        """LED-13: a seed is published soon after its epoch, unless one of its contests is open."""
        begun = sorted((epoch.name, epoch.number, epoch.begun) for epoch in self._epochs.values() if epoch.begun)
        for (name, number, _), (following, _, end) in pairwise(begun):
            due = self._epochs[number].seed is None and name == following and self._last_ts > end + GRACE + MINUTE
            if due and not self._store.waiting_places(number):
                self._notes.append(f"epoch {number} ended, and its seed is not published")


class _Checkpoints:
    """The signed checkpoints of table and file, compared with the records (LED-12).

    A checkpoint that gives up records voids earlier ones that count them. `promised` maps an epoch to the size at
    which it was first committed to and its commitment, `begun` an epoch to the ms since 1970 when it began. `lost` are
    the first records that were given up, `starts` the seconds since 1970 of starts of the bot. `whole` says that no
    checkpoint is missing, invalid or void, as far as they tell themselves.
    """

    def __init__(
        self, findings: Findings, keys: tuple[VerifyingKey, ...], table: Iterable[str], file: Iterable[str] | None
    ) -> None:
        self._findings = findings
        self.count = 0
        self.promised: dict[int, tuple[int, bytes]] = {}
        self.begun: dict[int, int] = {}
        self.lost: set[int] = set()
        self.starts: set[int] = set()
        self._table = self._read("the database", table, keys)
        filed = None if file is None else self._read("the checkpoint file", file, keys)
        self._without_file = filed is not None and not filed
        self._only_in_file = [signed for note, signed in (filed or {}).items() if note not in self._table]
        self._roots: dict[int, set[bytes]] = {}
        for size, root in (*self._table.values(), *self._only_in_file):
            self._roots.setdefault(size, set()).add(root)
        self.whole = bool(self._roots) and not findings and not self.lost
        self._right = -1  # the last size with a matching root
        self._wrong: list[tuple[int, int]] = []  # sizes with a different root, each with the `_right` before it
        self.reach(0, Tree())

    def _read(self, where: str, notes: Iterable[str], keys: tuple[VerifyingKey, ...]) -> dict[bytes, tuple[int, bytes]]:
        """Size and root of each valid note that is not void, by hash, in order."""
        valid: dict[bytes, tuple[int, bytes]] = {}
        trust, last = Trust(*keys), 0
        for count, note in enumerate(notes, 1):
            self.count = max(self.count, count)
            try:
                checkpoint = trust.verify(note)
            except NoteError as error:
                claimed = read_or_none(note)
                size = claimed.size if claimed else 0
                self._findings.add(size, "altered", f"{where}: a checkpoint is not valid: {error}")
                continue
            size = checkpoint.size
            if (lost := checkpoint.lost) is not None:
                self.lost.add(lost)
                valid = {hashed: signed for hashed, signed in valid.items() if signed[0] < lost}
            elif size < last:
                self._findings.add(size, "reordered", f"{where}: its checkpoint comes after one of {last} records")
            last = size
            valid[sha256(note.encode()).digest()] = size, checkpoint.root
            self._take_epochs(checkpoint)
        return valid

    def _take_epochs(self, checkpoint: Checkpoint) -> None:
        self.starts.add(checkpoint.started)
        for epoch, ts in checkpoint.epochs:
            self.begun.setdefault(epoch, ts)
        for epoch, promise in checkpoint.following:
            size, known = self.promised.get(epoch, (checkpoint.size, promise))
            if known != promise:
                self._findings.add(checkpoint.size, "forked", f"epoch {epoch} was committed to twice, differently")
            self.promised[epoch] = min(size, checkpoint.size), known

    def reach(self, seq: int, tree: Tree) -> None:
        """Compare roots at record `seq`; after a gap, roots cannot be compared."""
        if seq in self._roots and tree.size == seq:
            root, before = tree.root(), self._right
            if root in self._roots[seq]:
                self._right = seq
            if self._roots[seq] != {root}:
                self._wrong.append((seq, before))

    def mismatches(self, known: Iterable[Finding], last: int | None) -> Iterator[Finding]:
        """Findings for wrong roots, unless `known` explains them. `last` is None if not everything was read."""
        bad = [finding.seq for finding in known]
        for size, right in self._wrong:
            first, forked = max(right, 0) + 1, self._right >= size  # the same signer signed these records
            if forked or not any(first <= seq <= size for seq in bad):
                why = f"records {first} to {size} are not those that a checkpoint signs"
                yield Finding(first, "forked" if forked else "altered", why)
            if not forked:
                break  # later roots are wrong too
        most = max(self._roots, default=0)
        if last is not None and most > last:
            yield Finding(last + 1, "cut off", f"a checkpoint signs {most} records, and {last} are here")

    def compare_places(self, last: int) -> None:
        """Find checkpoints missing in one place; if the bot was killed, the file lacks the last one."""
        if last and not self._table:
            self._findings.add(0, "missing", "no checkpoint signs the records")
        if gone := [size for size, _ in self._only_in_file if size <= last]:
            self._findings.add(min(gone), "missing", f"{len(gone)} checkpoints of the file are not in the database")
        if len(self._table) > 1 and self._without_file:
            why = "the checkpoint file has none of the checkpoints, so only the database says how many records it had"
            self._findings.add(0, "missing", why)


@dataclass(slots=True)
class _Stream:
    """The dice of one epoch in one channel so far; `key` is None if they cannot be derived."""

    key: bytes | None
    generation: int = 0
    counter: int = 0
    hidden: int = 0  # records without content when the counter was seen


_Place = tuple[int, str, str]  # epoch, network, channel


class _Dice:
    """Checks that counters have no gaps and that dice match the published seeds (LED-14, LED-15)."""

    def __init__(self, findings: Findings, seeds: dict[int, bytes], starts: set[int]) -> None:
        self._findings, self._seeds = findings, seeds
        self._starts = {str(seconds).encode() for seconds in starts}  # those in checkpoints (LED-15)
        self.proved = self.unproved = self._hidden = 0
        self.first: dict[int, int] = {}  # by epoch, the first record with its dice
        self._streams: dict[_Place, _Stream] = {}
        self._gaps: list[tuple[int, _Place, int]] = []  # a record, and the counter missing before it
        self._late: set[tuple[_Place, int]] = set()  # counters that follow higher ones
        self.unbound = self.first_unbound = 0  # rolls in channels that come from no epoch, and the first of them

    def hide(self, record: Record) -> None:
        """A record without content, or with altered content, may have used a counter or stirred."""
        self._hidden += record.draft.text != "private"

    def take(self, record: Record) -> None:
        """Check the next record with content."""
        draft, stamp = record.draft, record.draft.stamp
        if draft.kind != "stir" and not stamp.counter:
            if draft.draws and not draft.private and draft.sealed is None:  # LED-14: private and secret rolls have none
                self.unbound += 1
                self.first_unbound = self.first_unbound or record.seq
            return
        stream = self._stream((stamp.epoch, *draft.place))
        if draft.kind == "stir":
            stream.generation, stream.key = stamp.generation, self._stirred(record)
        if stamp.counter:
            self._count(record, stream)
            if draft.draws:
                self._prove(record, stream)

    def gaps(self) -> Iterator[Finding]:
        """Findings for counters that are missing or late."""
        for seq, place, counter in self._gaps:
            damage: Damage = "reordered" if (place, counter) in self._late else "missing"
            yield Finding(seq, damage, f"counter {counter} of epoch {place[0]} in {place[2]} does not come before it")

    def _stream(self, place: _Place) -> _Stream:
        if place not in self._streams:
            self._streams[place] = _Stream(self._key(place, 0, b""))
        if len(self._streams) > MOST_STREAMS:
            del self._streams[next(iter(self._streams))]  # the oldest
        return self._streams[place]

    def _key(self, place: _Place, generation: int, mix: bytes) -> bytes | None:
        seed = self._seeds.get(place[0])
        return seed and stream_key(seed, *place[1:], generation, mix)

    def _stirred(self, record: Record) -> bytes | None:
        """The key after a stir; a player's words must be in the public line."""
        draft, stamp = record.draft, record.draft.stamp
        try:
            mix = mix_of_stir(record)
        except Refused:
            self._findings.add(record.seq, "altered", "its text is no stir")
            return None
        words = mix.removeprefix(f"{draft.who}:".encode())
        if is_start(draft) and words not in self._starts:
            self._findings.add(record.seq, "altered", "no checkpoint knows of a start at that time")
        elif not is_start(draft) and words.decode() not in draft.line:
            self._findings.add(record.seq, "altered", "the words that it stirred in are not those of its line")
        return self._key((stamp.epoch, *draft.place), stamp.generation, mix)

    def _count(self, record: Record, stream: _Stream) -> None:
        draft, stamp = record.draft, record.draft.stamp
        place, before = (stamp.epoch, *draft.place), stream.counter
        self.first.setdefault(stamp.epoch, record.seq)
        if stamp.counter <= before:
            self._findings.add(record.seq, "reordered", f"its counter {stamp.counter} comes after {before}")
            self._late.add((place, stamp.counter))
        elif stamp.counter - before - 1 > self._hidden - stream.hidden and len(self._gaps) < MOST:
            self._gaps.append((record.seq, place, before + 1))
        stream.counter, stream.hidden = max(before, stamp.counter), self._hidden

    def _prove(self, record: Record, stream: _Stream) -> None:
        draft, stamp = record.draft, record.draft.stamp
        if stamp.generation > stream.generation and self._hidden:  # a stir is withheld
            stream.generation, stream.key = stamp.generation, None
        if stamp.generation != stream.generation:
            why = f"its dice are of generation {stamp.generation}, at that time it was {stream.generation}"
            self._findings.add(record.seq, "altered", why)
        elif stream.key is None:
            self.unproved += 1
        elif derived(stream.key, stamp, draft.draws):
            self.proved += 1
        else:
            why = f"its dice are not those of epoch {stamp.epoch}, counter {stamp.counter}"
            self._findings.add(record.seq, "altered", why)


def _altered_or_moved(altered: list[Record]) -> Iterator[Finding]:
    """Findings for wrong leaves: those of another record, after a swap or a closed gap, or of none."""
    moved: dict[int, int] = {}
    for record, other in permutations(altered[:MOST_COMPARED], 2):
        if any(is_intact(replace(record, seq=other.seq, leaf=stored)) for stored in (record.leaf, other.leaf)):
            moved[record.seq] = other.seq
    for record in altered:
        if record.seq not in moved:
            yield Finding(record.seq, "altered", "its leaf is not the hash of its content")
        else:
            damage: Damage = "reordered" if record.seq in moved.values() else "missing"
            yield Finding(record.seq, damage, f"the record in its place was record {moved[record.seq]}")


def _integrity_faults(store: Store) -> list[str]:
    """Faults that SQLite finds in its file; PostgreSQL has no such command."""
    if store.connection.dialect.name != "sqlite":
        return []
    try:
        rows = store.connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    except exc.DatabaseError as error:
        return [described(error)]
    return [str(row) for row in rows if row != "ok"]

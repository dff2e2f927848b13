"""The whole ledger, read and held against everything that was said of it (LED-16). Reads no file and words no dice."""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations

from ircdice.errors import NoteError
from ircdice.ledger.canonical import leaf
from ircdice.ledger.counting import CounterKey, Counters
from ircdice.ledger.examining import STRETCH, Damage, Finding, Stretch
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import Checkpoint, Proved, Trust, VerifyingKey, note_hash, told_size
from ircdice.ledger.promised import Promises
from ircdice.ledger.proofs import EpochProof
from ircdice.ledger.record import Record

MOST_COMPARED = 200  # records whose leaf is not theirs that are held against each other, to tell a mere swap


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found; `findings` in the order of the records, the first bad one first."""

    records: int
    checkpoints: int
    proved: int  # commands whose dice are those of a published seed
    unproved: int  # whose seed is not out yet
    withheld: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    whole: bool = True  # whether all records were looked at, and it was not broken off

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class History:
    """Checkpoints as they followed each other `where` they are kept, without those that count what was given up."""

    where: str
    checkpoints: tuple[Checkpoint, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    settled: tuple[Checkpoint, ...] = ()  # those since anything was given up
    void: tuple[str, ...] = ()  # what stands among them and was accepted as damaged
    void_since: tuple[str, ...] = ()  # of these, what stands behind all that was given up

    @classmethod
    def of(cls, where: str, notes: Iterable[str], *keys: VerifyingKey, proved: Proved | None = None) -> History:
        """What `notes` say, as far as one of `keys` signed them, oldest first (LED-18); `proved` is of other places."""
        trust, held = Trust(*keys, proved=proved), list[Checkpoint]()
        wrong, told, before, stale = list[tuple[str, Finding]](), list[str](), 0, 0
        for note in notes:
            try:
                checkpoint = trust.believe(note)
            except NoteError as error:
                wrong.append((note, Finding(told_size(note), "altered", f"{where}: no checkpoint: {error}")))
                continue
            if (lost := checkpoint.lost) is not None:
                told.append(f"{where}: the checkpoint of {checkpoint.size} gives up what was recorded from {lost} on")
                held = [earlier for earlier in held if earlier.size < lost]
                before, stale = len(held), len(wrong)
            held.append(checkpoint)
        said = frozenset[bytes]().union(*(each.void for each in held)) if wrong else ()
        accepted = [note if note_hash(note) in said else None for note, _ in wrong]
        void, since = (tuple(note for note in some if note is not None) for some in (accepted, accepted[stale:]))
        told += [f"{where}: {len(void)} of what should be checkpoints are damaged, and accepted as such"] * bool(void)
        findings = tuple(finding for note, finding in wrong if note not in void)
        return cls(where, tuple(held), findings, tuple(told), tuple(held[before:]), void, since)


def stretches(total: int, step: int = STRETCH) -> Iterable[int]:
    """Behind which number each stretch of a ledger of `total` records begins."""
    return range(0, max(total, 1), step)


class Check:
    """Takes stretches in order, then tells. What it was told by then is true even if nobody waits for the end."""

    def __init__(self, histories: Sequence[History], epochs: Sequence[EpochProof]) -> None:
        self._histories, self._epochs = histories, epochs
        self._told = _in_order(histories)
        self._roots: dict[int, bytes] = {}
        self._sizes = iter([*sorted({checkpoint.size for checkpoint in self._told}), None])
        self._next = next(self._sizes)
        self._tree, self._seq, self._ts = Tree(), 0, 0
        self._counters = Counters()
        self._gaps: list[
            tuple[int, CounterKey, int]
        ] = []  # a record, and the first counter that is not there before it
        self._late: set[tuple[CounterKey, int]] = set()
        self._begun: dict[int, int] = {}  # an epoch's first record
        self._unfit: list[Record] = []
        self._hidden = self._proved = self._unproved = 0
        self._unbound: list[int] = []
        self._findings: list[Finding] = []
        self._reach()

    def take(self, stretch: Stretch) -> None:
        """The next stretch."""
        for seq, one, ts in zip(stretch.seqs, stretch.leaves, stretch.times, strict=True):
            if seq != self._seq + 1:
                self._find(self._seq + 1, "missing", f"record {seq} is the next that is there")
            if ts >= self._ts:
                self._ts = ts
            elif ts:
                self._find(seq, "reordered", "it is older than the record before it")
            self._seq = seq
            self._tree.append(one)
            if seq == self._next:
                self._reach()
        for seq, place, counter in stretch.counted:
            self._count(seq, place, counter, self._hidden + bisect_left(stretch.hidden, seq))
        self._hidden += len(stretch.hidden)
        self._proved += stretch.proved
        self._unproved += stretch.unproved
        self._unbound += stretch.unbound
        self._findings += stretch.findings
        self._unfit += stretch.unfit

    def miss(self, seq: int, last: int) -> None:
        """A whole stretch is not there, though record `last` is: it is told from `seq` on, and no further."""
        self._find(seq, "missing", f"nothing is there for a long way, and {last} is the last record")

    def _find(self, seq: int, damage: Damage, why: str) -> None:
        self._findings.append(Finding(seq, damage, why))

    def _reach(self) -> None:
        """Keep the root that checkpoints of this size tell; behind a gap there is none any more."""
        while self._next is not None and self._next <= self._seq:
            if self._next == self._tree.size == self._seq:
                self._roots[self._next] = self._tree.root()
            self._next = next(self._sizes)

    def _count(self, seq: int, place: CounterKey, counter: int, hidden: int) -> None:
        """LED-14: no gaps, but for what a record whose content is gone may have used."""
        self._begun.setdefault(place[0], seq)
        last, missing = self._counters.take(place, counter, hidden)
        if counter <= last:
            self._late.add((place, counter))
            self._find(seq, "reordered", f"its counter {counter} comes behind {last}")
        elif missing:
            self._gaps.append((seq, place, last + 1))

    def report(self, *, whole: bool = True) -> Report:
        """What was found so far; `whole` is whether that was all there is, so that what is not here is missing."""
        findings = [*self._findings, *self._gapped(), *_told_apart(self._unfit)]
        findings += [finding for history in self._histories for finding in history.findings]
        told = [checkpoint for checkpoint in self._told if whole or checkpoint.size <= self._seq]
        findings += self._rooted(told, sorted(findings))
        findings += _committed(Promises.of(self._told), self._epochs, self._begun)
        notes = [note for history in self._histories for note in history.notes]
        if self._unbound:
            some = f"{len(self._unbound)} rolls in channels are bound by no seed"
            notes.append(f"{some}, the first is record {self._unbound[0]}")
        counts = self._tree.size, len(told), self._proved, self._unproved, self._hidden
        return Report(*counts, tuple(sorted(set(findings))), tuple(notes), whole)

    def _gapped(self) -> Iterator[Finding]:
        for seq, place, counter in self._gaps:
            damage: Damage = "reordered" if (place, counter) in self._late else "missing"
            where = f"epoch {place[0]} in {place[2]}"
            yield Finding(seq, damage, f"counter {counter} of {where} is not there before it")

    def _rooted(self, told: Sequence[Checkpoint], known: Sequence[Finding]) -> Iterator[Finding]:
        """Each checkpoint against the root of so many records; what is damaged by a known finding is not told again."""
        right = {c.size for c in told if self._roots.get(c.size) == c.root}
        for checkpoint in told:
            size = checkpoint.size
            if size > self._seq:
                why = f"a checkpoint counts {size} records, {self._seq} are here"
                yield Finding(self._seq + 1, "cut off", why)
                return
            if self._roots.get(size) == checkpoint.root:
                continue
            good = max((n for n in right if n < size), default=0)
            forked = any(n >= size for n in right)  # the same signer vouches for what is here
            if forked or not any(good < finding.seq <= size for finding in known):
                why = f"records {good + 1} to {size} are not those that a checkpoint counts"
                yield Finding(good + 1, "forked" if forked else "altered", why)
            if not forked:
                return  # no later root can be right, whatever it was made of


def _told_apart(unfit: Sequence[Record]) -> Iterator[Finding]:
    """A leaf that is not its record's: another record's, which tells a swap or a gap that was closed, or nobody's."""
    truly: dict[int, int] = {}
    for one, other in permutations(islice(unfit, MOST_COMPARED), 2):
        if _leaf(one, other.seq) in (one.leaf, other.leaf):
            truly[one.seq] = other.seq
    for record in unfit:
        if record.seq not in truly:
            yield Finding(record.seq, "altered", "its content is not what its leaf was made of")
        else:
            damage: Damage = "reordered" if record.seq in truly.values() else "missing"
            yield Finding(record.seq, damage, f"what stands there was record {truly[record.seq]}")


def _leaf(record: Record, seq: int) -> bytes | None:
    """What its leaf would be under that number; None of a number or length that no record can have."""
    try:
        return leaf(replace(record, seq=seq))
    except (struct.error, OverflowError):
        return None


def _committed(promises: Promises, epochs: Sequence[EpochProof], begun: dict[int, int]) -> Iterator[Finding]:
    """LED-13: what an epoch was committed to stands in a checkpoint before its first record, and its seed is that."""
    for size, number in promises.twice:
        yield Finding(size, "forked", f"epoch {number} was committed to twice, not alike")
    for number in begun.keys() - {epoch.number for epoch in epochs}:
        yield Finding(begun[number], "missing", f"epoch {number} is not in the list of epochs")
    for epoch in epochs:
        first = begun.get(epoch.number)
        if why := promises.fault(epoch, first):
            yield Finding(first or 0, "altered", f"epoch {epoch.number} {why}")
        if not epoch.kept:  # no record is to blame
            yield Finding(0, "altered", f"the seed of epoch {epoch.number} is not what was committed to")


def provable(epochs: Iterable[EpochProof], histories: Sequence[History]) -> Iterator[EpochProof]:
    """Those by whose seeds records may be judged: their commitments are what was signed first."""
    yield from filter(Promises.of(_in_order(histories)).kept, epochs)


def _in_order(histories: Sequence[History]) -> list[Checkpoint]:
    return sorted((c for history in histories for c in history.checkpoints), key=lambda c: c.size)

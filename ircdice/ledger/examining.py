"""One stretch of a ledger, looked at record by record (LED-16), with no need of those before it.

So stretches can be looked at side by side, in processes of their own; `check` puts together what they found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ircdice.ledger.canonical import leaf
from ircdice.ledger.ids import tag
from ircdice.ledger.keys import TagKeys
from ircdice.ledger.proofs import Streams
from ircdice.ledger.record import Record

Damage = Literal["altered", "missing", "cut off", "reordered", "forked"]
Source = Callable[[int, int], Sequence[Record]]  # up to so many records behind that number, in order
Place = tuple[int, str, str]  # epoch, network, channel: counters run in each
STRETCH = 4_096  # records
_MOST = 50  # findings of one kind that are told of a stretch
_PRIVATE = "private"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something wrong: the first bad record, what was done, and how it shows."""

    seq: int
    damage: Damage
    why: str

    def __str__(self) -> str:
        return f"{self.damage}: record {self.seq}: {self.why}"


@dataclass(frozen=True, slots=True)
class Means:
    """What records are held against; None is not looked at. `rules` is the version whose verdicts must be the same."""

    streams: Streams
    rules: str
    tags: TagKeys | None = None


@dataclass(slots=True)
class Stretch:
    """What was found in the records behind `after`, as far as it can be said without those before."""

    after: int
    seqs: list[int] = field(default_factory=list)  # those that are there, in order
    leaves: list[bytes] = field(default_factory=list)
    first_ts: int = 0
    last_ts: int = 0
    counted: list[tuple[int, Place, int, int]] = field(default_factory=list)  # seq, place, counter, hidden before it
    hidden: int = 0  # records whose content is not here, which may have used a counter
    findings: list[Finding] = field(default_factory=list)
    unfit: list[Record] = field(default_factory=list)  # whose leaf is not theirs
    proved: int = 0  # commands whose dice are those of a published seed
    unproved: int = 0  # whose seed is not out
    unbound: list[int] = field(default_factory=list)  # rolls in a channel by no seed, and not secret


@dataclass(frozen=True, slots=True)
class Examiner:
    """Looks at one stretch after the other; both of its parts must be picklable where processes share the work."""

    source: Source
    means: Means

    def __call__(self, after: int, most: int = STRETCH) -> Stretch:
        """The stretch of up to `most` numbers behind `after`."""
        return self.looked(after, most, self.source(after, most))

    def looked(self, after: int, most: int, records: Iterable[Record]) -> Stretch:
        """The same, of records that were read already."""
        stretch = Stretch(after)
        for record in records:
            if record.seq > after + most:
                break
            self._take(stretch, record)
        return stretch

    def _take(self, stretch: Stretch, record: Record) -> None:
        stretch.seqs.append(record.seq)
        stretch.leaves.append(record.leaf)
        if record.redacted:
            stretch.hidden += record.draft.text != _PRIVATE  # those use no counter
            return
        self._time(stretch, record)
        self._dice(stretch, record)
        if leaf(record) != record.leaf:
            stretch.unfit.append(record)  # whatever else is wrong with it, that is why
        elif len(stretch.findings) < _MOST:
            stretch.findings += [Finding(record.seq, "altered", why) for why in self._faults(record)]

    def _time(self, stretch: Stretch, record: Record) -> None:
        if stretch.last_ts and record.ts < stretch.last_ts:
            stretch.findings.append(Finding(record.seq, "reordered", "it is older than the record before it"))
        stretch.first_ts = stretch.first_ts or record.ts
        stretch.last_ts = max(stretch.last_ts, record.ts)

    def _dice(self, stretch: Stretch, record: Record) -> None:
        """Where its dice come from, and whether that can be proved."""
        draft, stamp = record.draft, record.draft.stamp
        if stamp.counter:
            place = stamp.epoch, draft.network, draft.channel
            stretch.counted.append((record.seq, place, stamp.counter, stretch.hidden))
            if self.means.streams.open(draft):
                stretch.unproved += 1
            else:
                stretch.proved += 1
        elif draft.draws and not draft.private and not draft.sealed:
            stretch.unbound.append(record.seq)

    def _faults(self, record: Record) -> list[str]:
        """What is wrong with a record whose leaf fits: whoever altered it knew how leaves are made."""
        means, draft = self.means, record.draft
        faults = [why] if (why := means.streams.fault(record)) else []
        if means.tags and record.tag != tag(
            means.tags.key(record.seq), record.seq, draft.network, draft.channel, draft.nick, draft.line
        ):
            faults.append("its tag is not of the ledger's key")
        return faults

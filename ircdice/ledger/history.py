"""What the signed checkpoints of a ledger say, in its table and in its file (LED-12, LED-13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

from ircdice.errors import NoteError
from ircdice.ledger.checkpoint import Checkpoint, Trust, VerifyingKey, read_or_none
from ircdice.ledger.proof import Tree

Damage = Literal["altered", "missing", "cut off", "reordered", "forked", "damaged"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something that is wrong: the first bad record (0 if no record is to blame), the kind of damage, and why."""

    seq: int
    damage: Damage
    why: str

    def __str__(self) -> str:
        return f"{self.damage}: record {self.seq}: {self.why}" if self.seq else f"{self.damage}: {self.why}"


@dataclass(slots=True)
class History:
    """The checkpoints of one place in the order in which they were made.

    A checkpoint that gives up records (LED-12) makes earlier ones void that count them. `roots` are sizes with their
    roots, `promised` maps an epoch to the size at which it was first committed to and its commitment, `begun` an epoch
    to the ms since 1970 when it began, as first signed. `lost` are the first records that were given up, `starts` the
    seconds since 1970 of starts of the bot.
    """

    where: str
    count: int = 0
    roots: list[tuple[int, bytes]] = field(default_factory=list)
    promised: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    begun: dict[int, int] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    starts: set[int] = field(default_factory=set)
    notes: dict[bytes, int] = field(default_factory=dict)  # the hash of each note that is valid, with its size
    findings: list[Finding] = field(default_factory=list)
    size: int = 0  # of the last one

    @classmethod
    def of(cls, where: str, notes: Iterable[str], keys: tuple[VerifyingKey, ...]) -> History:
        """What `notes` say, as far as they are signed by `keys`, the oldest key first, or keys that these name."""
        history, trust = cls(where), Trust(*keys)
        for note in notes:
            history.count += 1
            try:
                checkpoint = trust.verify(note)
            except NoteError as error:
                claimed = read_or_none(note)
                history._find(claimed.size if claimed else 0, "altered", f"a checkpoint is not valid: {error}")
                continue
            history._take(checkpoint, sha256(note.encode()).digest())
        return history

    def _take(self, checkpoint: Checkpoint, note: bytes) -> None:
        if (lost := checkpoint.lost) is not None:
            self.lost.append(lost)
            self.roots = [told for told in self.roots if told[0] < lost]
            self.promised = {epoch: made for epoch, made in self.promised.items() if made[0] < lost}
            self.notes = {hashed: size for hashed, size in self.notes.items() if size < lost}
        elif checkpoint.size < self.size:
            self._find(checkpoint.size, "reordered", f"its checkpoint comes after one of {self.size} records")
        self.size = checkpoint.size
        self.starts.add(checkpoint.started)
        self.roots.append((checkpoint.size, checkpoint.root))
        self.notes[note] = checkpoint.size
        for epoch, promise in checkpoint.following:
            if self.promised.setdefault(epoch, (checkpoint.size, promise))[1] != promise:
                self._find(checkpoint.size, "forked", f"epoch {epoch} was committed to twice, differently")
        for epoch, ts in checkpoint.epochs:
            self.begun.setdefault(epoch, ts)

    def _find(self, seq: int, damage: Damage, why: str) -> None:
        self.findings.append(Finding(seq, damage, f"{self.where}: {why}"))


class Signed:
    """The checkpoints of table and file, compared with the records and with each other (LED-12)."""

    def __init__(self, table: History, file: History | None) -> None:
        self._table, self._file = table, file
        histories = [table, *([file] if file else [])]
        self.count = table.count
        self.findings = [finding for history in histories for finding in history.findings]
        self.notes = [f"a checkpoint gives up the records from {lost} on" for lost in sorted({*table.lost})]
        self.lost = min((lost for history in histories for lost in history.lost), default=None)
        self.starts = table.starts | (file.starts if file else set())
        self.promised: dict[int, tuple[int, bytes]] = {}
        self.begun = {number: ts for history in histories for number, ts in history.begun.items()}
        for number, told in sorted(each for history in histories for each in history.promised.items()):
            if self.promised.setdefault(number, told)[1] != told[1]:
                self.findings.append(Finding(told[0], "forked", f"epoch {number} was committed to twice, differently"))
        self._roots: dict[int, set[bytes]] = {}
        for history in histories:
            for size, root in history.roots:
                self._roots.setdefault(size, set()).add(root)
        self._right = -1  # the last size whose signed root is that of the records
        self._wrong: list[tuple[int, int]] = []  # sizes with another root, each with `_right` before it
        self.reach(0, Tree())

    @property
    def whole(self) -> bool:
        """Whether no checkpoint is missing, invalid or void, as far as they tell themselves."""
        return bool(self._roots) and not self.findings and self.lost is None

    def reach(self, seq: int, tree: Tree) -> None:
        """Record `seq` is in the tree; after a gap no root can be compared."""
        if seq in self._roots and tree.size == seq:
            root, before = tree.root(), self._right
            for signed in self._roots[seq]:
                if signed == root:
                    self._right = seq
                else:
                    self._wrong.append((seq, before))

    def mismatches(self, known: Iterable[Finding], last: int | None) -> Iterator[Finding]:
        """Roots that are not those of the records, unless `known` explains them. `last` is None if not all was read."""
        bad = [finding.seq for finding in known]
        for size, right in self._wrong:
            first, forked = max(right, 0) + 1, self._right >= size  # the same signer vouches for what is here
            if forked or not any(first <= seq <= size for seq in bad):
                why = f"records {first} to {size} are not those that a checkpoint signs"
                yield Finding(first, "forked" if forked else "altered", why)
            if not forked:
                break  # nor can a later root be right
        most = max(self._roots, default=0)
        if last is not None and most > last:
            yield Finding(last + 1, "cut off", f"a checkpoint signs {most} records, and {last} are here")

    def unfiled(self) -> Iterator[str]:
        """How many of the last checkpoints the file lacks: a bot that was killed had no time to write the last."""
        if self._file is not None:
            filed = [note in self._file.notes for note in self._table.notes]
            absent = filed[::-1].index(True) if any(filed) else 0
            if absent:
                yield f"the last {absent} checkpoints are not in the checkpoint file: the next start adds them"

    def missing(self, last: int) -> Iterator[Finding]:
        """Checkpoints that one place lacks; of a bot that was killed the file lacks the last."""
        table, file = self._table, self._file
        if last and not table.roots:
            yield Finding(0, "missing", "no checkpoint signs the records")
        if file is None:
            return
        gone = [size for note, size in file.notes.items() if size <= last and note not in table.notes]
        if gone:
            yield Finding(min(gone), "missing", f"{len(gone)} checkpoints of the file are not in the database")
        common = [nth for nth, note in enumerate(table.notes) if note in file.notes]
        before = list(table.notes.items())[: common[-1]] if common else []
        if absent := [size for note, size in before if note not in file.notes]:
            yield Finding(min(absent), "missing", f"{len(absent)} checkpoints are not in the checkpoint file")
        if table.count > 1 and not file.notes.keys() & table.notes.keys():
            why = "the checkpoint file has none of the checkpoints, so only the database says how many records it had"
            yield Finding(0, "missing", why)

"""A ledger as JSON lines that anybody can check (LED-07, LED-19). Reads no database and opens no file."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from ircdice.errors import NoteError
from ircdice.ledger.notes import VerifyingKey, base64, note_hash, read
from ircdice.ledger.proofs import EpochProof, Stirred
from ircdice.ledger.record import SHOWING_A_CONTEST, Record, RecordKind, Withheld
from ircdice.ledger.sealing import sealed_hash

FORMAT = "ircdice/1"


def covered(events: Iterable[tuple[int, RecordKind, int, bool]]) -> frozenset[int]:
    """The contests and seals that wait to be shown.

    `events` are number, kind, the number referred to, and whether a sealed hash stands there, of at least all records
    that are contests, end one, are withheld, are sealed, or reveal something.
    """
    contests: set[int] = set()
    seals: set[int] = set()
    for seq, kind, ref, is_sealed in events:
        if kind == "contest":
            contests.add(seq)
        if kind == "seal" or is_sealed:
            seals.add(seq)
        if kind in SHOWING_A_CONTEST:
            contests.discard(ref)
        if kind == "reveal":
            seals.discard(ref)
    return frozenset(contests | seals)


@dataclass(frozen=True, slots=True)
class Showing:
    """What of a ledger may be shown: nothing `covered`, and private talk only where that is wanted."""

    covered: Container[int] = ()
    private: bool = False

    def withheld(self, record: Record) -> Withheld | None:
        """Why a record may not be shown, if so; what else stands in the place of the reason is not shown either."""
        if record.redacted:
            return cast(Withheld, record.draft.text) if record.draft.text in get_args(Withheld) else "redacted"
        if record.seq in self.covered:
            return "covered"
        return "private" if record.draft.private and not self.private else None


def export(
    key: VerifyingKey,
    records: Iterable[Record],
    notes: Sequence[str],
    epochs: Iterable[EpochProof],
    showing: Showing = Showing(),
) -> Iterator[str]:
    """The lines, each a JSON object: the log, its records in order, each checkpoint where it was made, the epochs.

    `key` is the first that signed, `records` all of them from the first on, `notes` all checkpoints as they followed
    each other. Nothing is kept but the notes: a ledger of any size goes through.
    """
    yield _line({"type": "log", "format": FORMAT, "origin": key.name, "key": base64(key.public)})
    standing = deque(_placed(notes))
    seq = 0
    for record in records:
        yield from _made(standing, seq)
        seq = record.seq
        yield _line(_record(record, showing))
    yield from _made(standing, max((size for size, _ in standing), default=0))
    yield from map(_line, map(_epoch, epochs))


def mended(notes: Sequence[str], beside: Iterable[str]) -> list[str]:
    """Checkpoints as they followed each other, those of `beside` in the place of what is none, or is accepted as such.

    `beside` may have all of them, and has them in the same order.
    """
    damaged = _damaged(notes)
    whole = frozenset(notes) - damaged
    others = (note for note in beside if note not in whole) if damaged else iter(())
    return [next(others, note) if note in damaged else note for note in notes]


def _damaged(notes: Sequence[str]) -> frozenset[str]:
    void, unread = set[bytes](), set[str]()
    for note in notes:
        try:
            void |= read(note).checkpoint.void
        except NoteError:
            unread.add(note)
    return frozenset(unread | {note for note in notes if void and note_hash(note) in void})


def _made(standing: deque[tuple[int, str]], seq: int) -> Iterator[str]:
    """The checkpoints that were made when there were `seq` records; they are taken out of `standing`."""
    while standing and standing[0][0] <= seq:
        yield _line({"type": "checkpoint", "note": standing.popleft()[1]})


def _placed(notes: Sequence[str]) -> list[tuple[int, str]]:
    """Each note with the number of records that it stands behind: those that it counts.

    One whose records were given up (LED-12) stands before the checkpoint that says so, and so does one that cannot be
    read: what is wrong with it is for whoever checks. One that was accepted as damaged is left out.
    """
    placed: list[tuple[int, str]] = []
    void: int | None = None
    damaged: frozenset[bytes] = frozenset()
    stands = 0
    for note in reversed(notes):
        if damaged and note_hash(note) in damaged:
            continue
        try:
            checkpoint = read(note).checkpoint
        except NoteError:
            placed.append((stands, note))
            continue
        damaged |= checkpoint.void
        if void is None or checkpoint.size < void:
            stands = checkpoint.size
        void = min((lost for lost in (void, checkpoint.lost) if lost is not None), default=None)
        placed.append((stands, note))
    return placed[::-1]


def _record(record: Record, showing: Showing) -> dict[str, Any]:
    if why := showing.withheld(record):
        return {"type": "record", "seq": record.seq, "leaf": record.leaf.hex(), "withheld": why}
    draft, stamp = record.draft, record.draft.stamp
    shown = {
        "type": "record",
        "seq": record.seq,
        "ts": record.ts,
        "kind": draft.kind,
        "ref": draft.ref,
        "epoch": stamp.epoch,
        "counter": stamp.counter,
        "generation": stamp.generation,
        "network": draft.network,
        "channel": draft.channel,
        "nick": draft.nick,
        "who": draft.who,
        "text": draft.text,
        "draws": draft.draws,
        "line": draft.line,
        "sealed": sealed_hash(draft.sealed).hex() if draft.sealed else "",
        "blind": record.blind.hex(),
        "rules": record.rules,
        "tag": record.tag,
        "leaf": record.leaf.hex(),
    }
    if draft.sealed:  # what was sealed is shown only once it was revealed, and then with what proves it
        shown |= {"salt": draft.sealed.salt.hex(), "opened": draft.sealed.text}
    return shown


def _epoch(epoch: EpochProof) -> dict[str, Any]:
    return {
        "type": "epoch",
        "epoch": epoch.number,
        "commitment": epoch.commitment.hex(),
        "seed": epoch.seed.hex() if epoch.seed else None,
        "mixes": [_mix(stir) for stir in epoch.stirs],
    }


def _mix(stir: Stirred) -> dict[str, Any]:
    return {
        "network": stir.network,
        "channel": stir.channel,
        "generation": stir.generation,
        "mix": stir.mix.hex(),
        "seq": stir.seq,
    }


def _line(item: dict[str, Any]) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))

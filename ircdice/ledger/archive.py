"""Export a ledger as JSON lines that anybody can check, and the proof of one roll (LED-07, LED-19)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast, get_args

from ircdice.errors import KeysError, Refused
from ircdice.ledger.checkpoint import VerifyingKey, base64, read, read_or_none
from ircdice.ledger.epochs import mix_of_stir
from ircdice.ledger.keys import TagKeys
from ircdice.ledger.paths import Paths
from ircdice.ledger.proof import Tree, sealed_hash
from ircdice.ledger.record import Record, Withheld
from ircdice.ledger.store import Store, StoredCheckpoint, StoredEpoch

FORMAT = "ircdice/1"
SIGNER = "signer"  # in the table meta of an imported ledger: the key that came with the export
Item = dict[str, Any]  # a JSON object


def known_keys(paths: Paths, store: Store) -> tuple[tuple[VerifyingKey, ...], TagKeys | None]:
    """The keys that sign the checkpoints, oldest first, and those of the tags; None with an imported ledger.

    An imported ledger is checked by the key that came with the export. KeysError if a key is missing.
    """
    origin, signer = store.meta("origin") or "", store.meta(SIGNER)
    if signer and not paths.signing_file.exists():
        return (VerifyingKey(origin, bytes.fromhex(signer)),), None
    for file in (paths.signing_file, paths.tag_keys.file):
        if not file.exists():
            raise KeysError(f"{file} is missing.")
    return paths.signing_keys(origin).load().all, paths.tag_keys.load()


def export(store: Store, key: VerifyingKey, *, private: bool = False) -> Iterator[str]:
    """All of the ledger, one JSON object a line; `key` is the first that signed.

    Within a snapshot: the log, the records in order, each checkpoint after the records that it counts, the epochs.
    """
    yield _line({"type": "log", "format": FORMAT, "origin": key.name, "key": base64(key.public)})
    hidden = store.covered_records()
    notes = _placed(store)
    place, note = next(notes, (None, ""))
    for record in store.scan():
        while place is not None and place < record.seq:
            yield _line({"type": "checkpoint", "note": note})
            place, note = next(notes, (None, ""))
        yield _line(_record_item(record, _why_withheld(record, hidden, private=private)))
    while place is not None:
        yield _line({"type": "checkpoint", "note": note})
        place, note = next(notes, (None, ""))
    for epoch in store.epochs():
        yield _line(_epoch_item(epoch, list(mixes(store.stirs(epoch.number)))))


def proof_of(store: Store, seq: int) -> Item | None:
    """The proof of one roll: its record, the path to the root of a checkpoint, and its epoch.

    None if there is no such record, if it may not be shown, or if no checkpoint counts it yet.
    """
    record = next(iter(store.get(seq)), None)
    if record is None or _why_withheld(record, store.covered_records(seq), private=False):
        return None
    found = _path_from(store, seq, store.last_checkpoint(seq - 1), store.first_checkpoint(seq))
    if found is None:  # of a checkpoint whose records were given up (LED-12): the last one counts those of now
        found = _path_from(store, seq, None, store.last_checkpoint())
    if found is None:
        return None
    checkpoint, path = found
    draft = record.draft
    epoch = next((each for each in store.epochs() if each.number == draft.stamp.epoch), None)
    stirs = store.stirs(epoch.number, *draft.place) if epoch else []
    return {
        "type": "proof",
        "record": _record_item(record, None),
        "index": seq - 1,
        "path": [one.hex() for one in path],
        "checkpoint": checkpoint.note,
        "epoch": epoch and _epoch_item(epoch, list(mixes(stirs))),
    }


def _placed(store: Store) -> Iterator[tuple[int, str]]:
    """Each checkpoint with the number of records before it in an export: those that it counts.

    A checkpoint that counts records which were given up (LED-12) comes before the one that gives them up.
    """
    read_ones = ((stored, read_or_none(stored.note)) for stored in store.checkpoints())
    losses = [
        (stored.number, stored.size, checkpoint.lost)
        for stored, checkpoint in read_ones
        if checkpoint is not None and checkpoint.lost is not None
    ]
    for stored in store.checkpoints():
        voiding = [size for number, size, first in losses if number > stored.number and first <= stored.size]
        yield min([stored.size, *voiding]), stored.note


def _why_withheld(record: Record, hidden: set[int], *, private: bool) -> Withheld | None:
    """Why a record may not be shown, if it may not."""
    if record.redacted:
        return cast(Withheld, record.draft.text) if record.draft.text in get_args(Withheld) else "redacted"
    if record.seq in hidden:
        return "covered"
    return "private" if record.draft.private and not private else None


def _record_item(record: Record, why: Withheld | None) -> Item:
    if why is not None:
        return {"type": "record", "seq": record.seq, "leaf": record.leaf.hex(), "withheld": why}
    draft, stamp = record.draft, record.draft.stamp
    return {
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
        "draws": [list(draw) for draw in draft.draws],
        "line": draft.line,
        "sealed": sealed_hash(draft.sealed).hex() if draft.sealed else "",
        "blind": record.blind.hex(),
        "rules": record.rules,
        "tag": record.tag,
        "leaf": record.leaf.hex(),
        # A sealed value is shown once it was revealed, with the salt that proves it (LED-17).
        **({"salt": draft.sealed.salt.hex(), "opened": draft.sealed.text} if draft.sealed else {}),
    }


def mixes(stirs: Iterable[Record]) -> Iterator[Item]:
    """What each stir put into the dice; one that was altered is left out, for the check to find."""
    for record in stirs:
        network, channel = record.draft.place
        try:
            mix = mix_of_stir(record).hex()
        except (Refused, OverflowError):
            continue
        place = {"network": network, "channel": channel, "generation": record.draft.stamp.generation}
        yield place | {"mix": mix, "seq": record.seq}


def _epoch_item(epoch: StoredEpoch, mixes: list[Item]) -> Item:
    seed = epoch.seed.hex() if epoch.seed is not None else None
    return {
        "type": "epoch",
        "epoch": epoch.number,
        "commitment": epoch.commitment.hex(),
        "seed": seed,
        "mixes": mixes,
    }


def _line(item: Item) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))


def _path_from(
    store: Store, seq: int, before: StoredCheckpoint | None, checkpoint: StoredCheckpoint | None
) -> tuple[StoredCheckpoint, list[bytes]] | None:
    """The audit path of RFC 6962 for that record, from the leaf upwards, if it leads to the root of `checkpoint`.

    `before` is a checkpoint of fewer records, whose tree saves reading all leaves.
    """
    if checkpoint is None or checkpoint.size < seq:
        return None
    tree = Tree(before.size, before.frontier) if before else Tree()
    start, leaves = tree.size, list(store.leaves(tree.size, checkpoint.size))
    tree.extend(leaves[: seq - 1 - start])
    lefts = iter(tree.frontier)  # the complete subtrees before the leaf, the largest first
    path: list[bytes] = []
    low, high = 0, checkpoint.size
    while high - low > 1:
        middle = low + (1 << (high - low - 1).bit_length() - 1)
        if seq > middle:
            path.append(next(lefts))
            low = middle
        else:
            right = Tree()
            right.extend(leaves[middle - start : high - start])
            path.append(right.root())
            high = middle
    tree.extend(leaves[tree.size - start :])
    return (checkpoint, path[::-1]) if tree.root() == read(checkpoint.note).checkpoint.root else None

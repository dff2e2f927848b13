"""Check an export of an ircdice ledger with no code of ircdice's: docs/verification.md as a program.

    python check_export.py EXPORT [--key BASE64] [--notes FILE] [--root SIZE ROOT]

EXPORT is what `ircdice ledger export` wrote. `--key` is the ledger's key as you know it from elsewhere, without which
the export is believed when it says whose it is. `--notes` is a file of checkpoints that you kept, one below the other,
`--root` the size and root that somebody wrote down. Says what is wrong, the first bad record first, and how far the
export is signed: the records behind the last checkpoint are nobody's word yet. Ends with 0 where nothing is wrong, 1
where something is, 2 where the export cannot be read. Wants Python 3.11 and `cryptography`.
"""

from __future__ import annotations

import argparse
import base64
import hmac
import json
import re
import struct
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Item = dict[str, Any]
Stream = tuple[int, str, str, int]  # epoch, network, channel, and generation or counter
LEAF = KEY = 32  # bytes
MOST_COMPARED = 200  # records whose leaves do not fit that are compared with each other, to tell a mere swap
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError, struct.error)
WITHHELD = {"type", "seq", "leaf", "withheld"}  # all that a record holds that may not be shown
FORM: dict[str, type] = {  # and what one holds that is shown: nothing else would be bound by its leaf
    **dict.fromkeys(("seq", "ts", "ref", "epoch", "counter", "generation"), int),
    **dict.fromkeys(("type", "kind", "network", "channel", "nick", "who", "text", "line", "rules", "tag"), str),
    **dict.fromkeys(("sealed", "blind", "leaf"), str),
    "draws": list,
}
OPENED = {"salt", "opened"}  # beside what was sealed


def lp(value: str | bytes) -> bytes:
    """A u16 length and the bytes."""
    data = value.encode() if isinstance(value, str) else value
    return struct.pack(">H", len(data)) + data


def unhex(text: str) -> bytes:
    """The bytes of a text in hex, as an export has it: without blanks, in lower case."""
    if (data := bytes.fromhex(text)).hex() != text:
        raise ValueError(f"not in hex: {text!r}")
    return data


def form(r: Item) -> None:
    """ValueError for a record with other keys, or a value of another kind: `true` is no 1."""
    if odd := r.keys() ^ (FORM.keys() | (OPENED if r.get("sealed") else set())):
        raise ValueError(f"too much or too little: {', '.join(sorted(odd))}")
    kinds = [(key, kind, r[key]) for key, kind in FORM.items()]
    kinds += [("draws", int, number) for draw in r["draws"] for number in draw]
    if wrong := [f"{key} {value!r}" for key, kind, value in kinds if type(value) is not kind]:
        raise ValueError(f"of another kind: {', '.join(wrong)}")
    if wrong := [f"{key} {r[key]}" for key, kind in FORM.items() if kind is int and not 0 <= r[key] < 2**63]:
        raise ValueError(f"no number that a record has: {', '.join(wrong)}")


def leaf_of(r: Item, seq: int) -> bytes:
    """The leaf of a record, if its number is `seq`."""
    draws = b"".join(struct.pack(">II", sides, face) for sides, face in r["draws"])
    record = b"ircdice1:record\0" + struct.pack(">QQ", seq, r["ts"]) + lp(r["kind"])
    record += struct.pack(">QIQB", r["ref"], r["epoch"], r["counter"], r["generation"])
    for field in (r["network"], r["channel"], r["nick"], r["who"], r["text"], draws, r["line"]):
        record += lp(field)
    for field in (unhex(r["sealed"]), unhex(r["blind"]), r["rules"], r["tag"]):
        record += lp(field)
    return sha256(b"\0" + record).digest()


class Tree:
    """The Merkle tree of RFC 6962: the roots of its complete parts, the largest first."""

    def __init__(self) -> None:
        self.size, self.parts = 0, list[bytes]()

    def append(self, leaf: bytes) -> None:
        """One more leaf."""
        size = self.size
        while size & 1:
            leaf, size = sha256(b"\1" + self.parts.pop() + leaf).digest(), size >> 1
        self.parts.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """The root over all leaves so far."""
        if not self.parts:
            return sha256(b"").digest()
        root = self.parts[-1]
        for part in reversed(self.parts[:-1]):
            root = sha256(b"\1" + part + root).digest()
        return root


def dice(key: bytes, counter: int) -> Iterator[int]:
    """The stream of one command: u32 after u32."""
    block = 0
    while True:
        message = b"ircdice1:draw\0" + struct.pack(">QI", counter, block)
        yield from struct.unpack(">8I", hmac.digest(key, message, "sha256"))
        block += 1


def commitment_of(number: int, seed: str) -> str:
    """What an epoch of that seed is committed to."""
    return sha256(b"ircdice1:seed\0" + struct.pack(">I", number) + unhex(seed)).hexdigest()


def stream_key(seed: bytes, r: Item, mix: bytes) -> bytes:
    """The key of the stream that a record's dice come from."""
    place = lp(r["network"]) + lp(r["channel"]) + bytes([r["generation"]])
    return hmac.digest(seed, b"ircdice1:key\0" + place + lp(mix), "sha256")


def are_derived(key: bytes, counter: int, draws: list[list[int]]) -> bool:
    """Whether those faces are what the stream gives."""
    stream = dice(key, counter)
    for sides, face in draws:
        if not 1 <= sides <= 2**32:
            return False
        fair = 2**32 - 2**32 % sides
        if next(word for word in stream if word < fair) % sides + 1 != face:
            return False
    return True


class Note:
    """A signed checkpoint, unproved; `behind` is the record that it stands behind in the export, None outside one."""

    def __init__(self, note: str, behind: int | None = None) -> None:
        self.behind = behind
        self.body, _, below = note.rpartition("\n\n")
        self.body += "\n"
        origin, size, root, *self.further = self.body.removesuffix("\n").split("\n")
        self.origin, self.size, self.root = origin, int(size), base64.b64decode(root, validate=True)
        self.signatures = re.findall("(?m)^\u2014 (\\S+) (\\S+)$", below)
        lost = [int(line.split()[1]) for line in self.further if re.fullmatch("lost [0-9]+ [0-9]+", line)]
        self.void_from = min(lost, default=None)
        self.voids = bool(lost) or any(line.startswith("void ") for line in self.further)

    def signed_by(self, key: bytes) -> bool:
        """Whether the key signed it, under the name of the log."""
        key_id = sha256(self.origin.encode() + b"\n\1" + key).digest()[:4]
        signatures = [base64.b64decode(text) for signer, text in self.signatures if signer == self.origin]
        mine = [signature[4:] for signature in signatures if signature[:4] == key_id]
        try:
            for signature in mine:
                Ed25519PublicKey.from_public_bytes(key).verify(signature, self.body.encode())
        except InvalidSignature:
            return False
        return bool(mine)

    def next_keys(self) -> list[bytes]:
        """The key that signs from the next checkpoint on, where this one names it."""
        return [base64.b64decode(line.split("+", 2)[2])[1:] for line in self.further if line.startswith("key ")]

    def commitments(self) -> list[tuple[int, bytes]]:
        """What it commits to, by epoch."""
        lines = [line.split() for line in self.further if re.fullmatch("next [0-9]+ [^ ]{44}", line)]
        return [(int(number), base64.b64decode(promise)) for _, number, promise in lines]


class Check:
    """Everything that is found out about one export."""

    def __init__(self, lines: Iterable[Item], key: bytes | None, kept: list[Note]) -> None:
        self.faults: list[tuple[int, str, str]] = []  # first bad record, kind of damage, why
        self.log: Item = {}
        self.notes: list[Note] = []
        self.kept = kept
        self.epochs: dict[int, Item] = {}
        self.mixes: dict[Stream, Item] = {}
        self.listed(lines)
        self.seeds = dict(self.judging())
        named = base64.b64decode(self.log["key"], validate=True)
        self.key = key or named
        if len(named) != KEY or len(self.key) != KEY:
            raise ValueError("the key of the log is none of 32 bytes")
        if self.key != named:
            self.fault(0, "altered", "it names another key as the first that signed")
        self.roots = dict.fromkeys((note.size for note in self.notes + kept), b"")
        self.right: set[int] = set()  # sizes whose root is what a checkpoint says
        self.signed = 0  # records that the last of these counts
        self.tree, self.seq, self.ts = Tree(), 0, 0
        self.told: Counter[str] = Counter()
        self.counters: dict[tuple[int, str, str], tuple[int, int]] = {}  # the last, and how many were hidden by then
        self.gaps: list[tuple[int, Stream]] = []  # a record, and the first counter that is not there before it
        self.late: set[Stream] = set()  # counters that come behind higher ones
        self.first_of_epoch: dict[int, int] = {}
        self.unfit: list[Item] = []
        self.unbound: list[int] = []

    def fault(self, seq: int, damage: str, why: str) -> None:
        """Write a fault down."""
        self.faults.append((seq, damage, why))

    def listed(self, lines: Iterable[Item]) -> None:
        """All that stands beside the records; ValueError where the log is not first, or an epoch not last."""
        behind = 0
        for number, item in enumerate(lines, 1):
            kind = item["type"]
            if (kind == "log") != (number == 1):
                raise ValueError(f"line {number} is a {kind}: an export begins with its log, and has one")
            if kind in ("record", "checkpoint") and self.epochs:
                raise ValueError(f"line {number} is a {kind} behind the epochs")
            if kind == "log":
                self.log = item
            elif kind == "record":
                behind = item["seq"]
            elif kind == "checkpoint":
                self.notes.append(Note(item["note"], behind))
            elif kind == "epoch":
                self.epoch(item)
        if self.log["format"] != "ircdice/1":
            raise ValueError("this is no export of format ircdice/1")

    def epoch(self, item: Item) -> None:
        """One of the list of epochs, which has each once, in their order."""
        number, last = item["epoch"], max(self.epochs, default=0)
        if type(number) is not int:
            raise ValueError(f"there is an epoch {number!r}")
        if number != last + 1:
            self.fault(0, "missing" if number > last else "reordered", f"epoch {number} is listed behind epoch {last}")
        self.epochs[number] = item
        self.mixes |= {(number, m["network"], m["channel"], m["generation"]): m for m in item["mixes"]}

    def judging(self) -> Iterator[tuple[int, str]]:
        """The seeds that are what was committed to, by epoch: another speaks against itself, and against no record."""
        promised: dict[int, str] = {}
        for note in self.notes:
            promised = {number: promise.hex() for number, promise in note.commitments()} | promised
        for number, epoch in self.epochs.items():
            seed, commitment = epoch["seed"], epoch["commitment"]
            if seed and commitment_of(number, seed) == commitment == promised.get(number, commitment):
                yield number, seed

    def records(self, lines: Iterable[Item]) -> None:
        """Each record in order, and the roots at the sizes that are asked for."""
        self.reach()
        for number, r in enumerate(lines, 1):
            if r["type"] != "record" or not self.placed(r, number):
                continue
            try:
                self.record(r)
            except MALFORMED as error:
                self.fault(self.seq, "altered", f"line {number} is not of the form of a record: {error!r}")
            self.reach()
        self.gapped()
        self.swapped()

    def reach(self) -> None:
        """Remember the root, if it is one that a checkpoint tells; behind a gap there is none any more."""
        if self.tree.size == self.seq and self.seq in self.roots:
            self.roots[self.seq] = self.tree.root()

    def placed(self, r: Item, number: int) -> bool:
        """Numbers run 1, 2, 3, …; `number` is the line's."""
        if type(r["seq"]) is not int:
            raise ValueError(f"line {number} is a record with the number {r['seq']!r}")
        if r["seq"] <= self.seq:
            self.fault(r["seq"], "reordered", f"it stands behind record {self.seq}")
            return False
        if r["seq"] > self.seq + 1:
            self.fault(self.seq + 1, "missing", f"record {r['seq']} stands in its place")
        self.seq = r["seq"]
        return True

    def record(self, r: Item) -> None:
        """One record: its leaf, its time, its counter, its dice."""
        if len(leaf := unhex(r["leaf"])) != LEAF:
            raise ValueError(f"a leaf of {len(leaf)} bytes")
        self.tree.append(leaf)
        if "withheld" in r:
            if r.keys() != WITHHELD or r["withheld"] not in ("covered", "private", "redacted", "lost"):
                self.fault(r["seq"], "altered", "it is withheld, and yet it holds something that no leaf binds")
            self.told[f"withheld: {r['withheld']}"] += 1
            self.told["hidden"] += r["withheld"] != "private"  # those in private use no counter
            return
        form(r)
        if leaf_of(r, r["seq"]).hex() != r["leaf"]:
            self.unfit.append(r)
        if r["ts"] < self.ts:
            self.fault(r["seq"], "reordered", "it is older than the record before it")
        self.ts = max(self.ts, r["ts"])
        if r["counter"]:
            self.counted(r)
        if r["draws"]:
            self.drawn(r)
        self.said(r)

    def counted(self, r: Item) -> None:
        """Counters run 1, 2, 3, …; only a record that is hidden may have used one that is not seen."""
        stream = r["epoch"], r["network"], r["channel"]
        self.first_of_epoch.setdefault(r["epoch"], r["seq"])
        last, hidden = self.counters.get(stream, (0, 0))
        if r["counter"] <= last:
            self.late.add((*stream, r["counter"]))
            self.fault(r["seq"], "reordered", f"its counter {r['counter']} comes behind {last}")
        elif r["counter"] - last - 1 > self.told["hidden"] - hidden:
            self.gaps.append((r["seq"], (*stream, last + 1)))
        self.counters[stream] = max(last, r["counter"]), self.told["hidden"]

    def drawn(self, r: Item) -> None:
        """Dice of a revealed epoch are the stream's, and of the generation of their time."""
        if not r["counter"]:
            if not r["channel"].startswith("@") and not r["sealed"]:
                self.unbound.append(r["seq"])
            return
        stream = r["epoch"], r["network"], r["channel"]
        here, later = (self.mixes.get((*stream, r["generation"] + more), {}) for more in (0, 1))
        seed = self.seeds.get(r["epoch"])
        if not seed or (r["generation"] and not here):
            self.told["unproved"] += 1
            return
        if not here.get("seq", 0) <= r["seq"] <= later.get("seq", r["seq"]):
            self.fault(r["seq"], "altered", f"its dice are of generation {r['generation']}, not that of the time")
        key = stream_key(unhex(seed), r, unhex(here.get("mix", "")))
        if not are_derived(key, r["counter"], r["draws"]):
            self.fault(r["seq"], "altered", f"its dice are not those of epoch {r['epoch']}, counter {r['counter']}")
        self.told["proved"] += 1

    def said(self, r: Item) -> None:
        """What a stir put into the stream was posted, and what a seal opens was sealed."""
        mix = self.mixes.get((r["epoch"], r["network"], r["channel"], r["generation"])) if r["kind"] == "stir" else None
        if mix is not None:
            who, stirred = f"{r['who']}:", unhex(mix["mix"]).decode()
            posted = stirred.startswith(who) and stirred.removeprefix(who) in r["line"]
            if mix["seq"] != r["seq"] or not posted:
                self.fault(r["seq"], "altered", "what was stirred in is not what it says")
        if "opened" in r:
            proof = sha256(b"ircdice1:sealed\0" + unhex(r["salt"]) + lp(r["opened"])).hexdigest()
            if proof != r["sealed"]:
                self.fault(r["seq"], "altered", "what it opens is not what was sealed")

    def gapped(self) -> None:
        """A counter that is not where it should be: it comes later, or never."""
        for seq, (*stream, counter) in self.gaps:
            damage = "reordered" if (*stream, counter) in self.late else "missing"
            self.fault(seq, damage, f"counter {counter} of its epoch and channel is not there before it")

    def swapped(self) -> None:
        """A leaf that does not fit: another record's, which tells a swap or a gap that was closed, or nobody's."""
        truly: dict[int, int] = {}
        for one, other in permutations(self.unfit[:MOST_COMPARED], 2):
            if leaf_of(one, other["seq"]).hex() in (one["leaf"], other["leaf"]):
                truly[one["seq"]] = other["seq"]
        for seq in (r["seq"] for r in self.unfit):
            if seq not in truly:
                self.fault(seq, "altered", "its content is not what its leaf was made of")
            else:
                damage = "reordered" if seq in truly.values() else "missing"
                self.fault(seq, damage, f"what stands there was record {truly[seq]}")

    def checkpoints(self) -> None:
        """Signatures, roots, and two histories under one name."""
        keys, believed = [self.key], list[Note]()
        for note in self.notes:
            if note.origin != self.log["origin"] or not note.signed_by(keys[-1]):
                self.fault(note.size, "altered", f"the checkpoint of {note.size} records is not signed by the ledger")
                continue
            if note.void_from is not None:
                believed = [earlier for earlier in believed if earlier.size < note.void_from]
            believed.append(note)
            keys += note.next_keys()
        for note in self.kept:
            if any(map(note.signed_by, keys)):
                believed.append(note)
            else:
                self.fault(note.size, "altered", f"the checkpoint that you kept, of {note.size}, is not signed by it")
        vouched = max((note.size for note in believed if self.roots[note.size] == note.root), default=0)
        for note in believed:
            if note.behind not in (None, note.size) and note.size <= self.seq:
                self.fault(note.size, "reordered", f"a checkpoint of {note.size} records stands behind {note.behind}")
        for note in sorted(believed, key=lambda note: note.size):
            self.rooted(note.size, note.root, note.size <= vouched)
        self.committed(believed)
        self.unlisted()
        self.signed = max(self.right, default=0)
        if self.seq and not (self.notes or self.kept):
            self.fault(1, "altered", "no checkpoint stands here: nobody has signed this")

    def rooted(self, size: int, root: bytes, forked: bool) -> None:
        """One root; `forked` where a later checkpoint of the same signer vouches for what is here."""
        good = max((n for n, known in self.roots.items() if known and n < size and n in self.right), default=0)
        if size > self.seq:
            self.fault(self.seq + 1, "cut off", f"a checkpoint counts {size} records, {self.seq} are here")
        elif self.roots[size] == root:
            self.right.add(size)
        elif forked or not any(good < seq <= size for seq, _, _ in self.faults):
            damage = "forked" if forked else "altered"
            self.fault(good + 1, damage, f"records {good + 1} to {size} are not those that a checkpoint counts")

    def committed(self, notes: list[Note]) -> None:
        """Seeds are those that were committed to, in a checkpoint before the epoch began."""
        promised: dict[int, tuple[int, bytes]] = {}
        for note in notes:
            for number, promise in note.commitments():
                if promised.setdefault(number, (note.size, promise))[1] != promise:
                    self.fault(note.size, "forked", f"epoch {number} was committed to twice, not alike")
        for number, epoch in self.epochs.items():
            begun, commitment = self.first_of_epoch.get(number, 0), unhex(epoch["commitment"])
            size, promise = promised.get(number, (self.seq, b""))
            if promise not in (b"", commitment):
                self.fault(begun, "altered", f"epoch {number} is not what was committed to")
            elif 0 < begun <= size:
                self.fault(begun, "altered", f"epoch {number} was not committed to before it began")
            elif not promise and notes and not any(note.voids for note in notes):
                self.fault(0, "altered", f"epoch {number} is in the list of epochs, and no checkpoint knows of it")
            if epoch["seed"] and commitment_of(number, epoch["seed"]) != epoch["commitment"]:
                self.fault(0, "altered", f"the seed of epoch {number} is not the one that was committed to")

    def unlisted(self) -> None:
        """No epoch is left out that a record has drawn from."""
        for number, seq in self.first_of_epoch.items():
            if number not in self.epochs:
                self.fault(seq, "missing", f"epoch {number}, which it drew from, is not in the list of epochs")

    def report(self) -> int:
        """Say all of it; what the program ends with."""
        for seq, damage, why in sorted(self.faults)[:20]:
            print(f"{damage}: record {seq}: {why}" if seq else f"{damage}: {why}")
        counted = [f"{count} {what}" for what, count in sorted(self.told.items()) if what.startswith("withheld")]
        print(", ".join([f"{self.tree.size} records of {self.log['origin']}", *counted]))
        print(f"{len(self.notes) + len(self.kept)} checkpoints, key {base64.b64encode(self.key).decode()}")
        print(
            f"dice of {self.told['proved']} commands proved; of {self.told['unproved']} not yet, their seed is not out"
        )
        for note in self.notes:
            if note.void_from is not None:
                print(f"the checkpoint of {note.size} records gives up what was recorded from {note.void_from} on")
        if self.unbound:
            print(f"{len(self.unbound)} rolls in channels are bound by no seed, the first is record {self.unbound[0]}")
        print(f"signed up to record {self.signed} of {self.seq}")
        well = (
            "all is well" if self.signed >= self.seq else f"all is well up to record {self.signed}, no word of the rest"
        )
        print("broken" if self.faults else well)
        return 1 if self.faults else 0


def once(pairs: list[tuple[str, Any]]) -> Item:
    """An object each of whose keys stands there once: readers do not agree on which of two counts."""
    if len(item := dict(pairs)) < len(pairs):
        raise ValueError(f"a key stands twice in {sorted(key for key, _ in pairs)}")
    return item


def objects(file: Path) -> Iterator[Item]:
    """The objects of an export."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line, object_pairs_hook=once)


def main() -> int:
    """As the module's docstring says."""
    parser = argparse.ArgumentParser(description="Check an export of an ircdice ledger.")
    parser.add_argument("export", type=Path)
    parser.add_argument("--key", help="the ledger's public key in base 64, as you know it from elsewhere")
    parser.add_argument("--notes", type=Path, help="a file of checkpoints that you kept")
    parser.add_argument("--root", nargs=2, action="append", default=[], metavar=("SIZE", "ROOT"))
    asked = parser.parse_args()
    try:
        roots = [(int(size), base64.b64decode(root)) for size, root in asked.root]
        kept = re.findall(
            "(.+?\n\n(?:\u2014 [^\n]+\n)+)", asked.notes.read_text("utf-8") if asked.notes else "", re.DOTALL
        )
        if asked.notes and not kept:
            raise ValueError(f"{asked.notes} holds no checkpoint")
        check = Check(objects(asked.export), base64.b64decode(asked.key or ""), [Note(note.lstrip()) for note in kept])
        check.roots |= dict.fromkeys((size for size, _ in roots), b"")
        check.records(objects(asked.export))
        check.checkpoints()
        for size, root in roots:
            check.rooted(size, root, False)
    except (OSError, *MALFORMED) as error:
        print(f"{asked.export} cannot be read: {error!r}", file=sys.stderr)
        return 2
    return check.report()


if __name__ == "__main__":
    sys.exit(main())

"""Check an export of an ircdice ledger, or a line from it, without any code of ircdice (docs/verification.md).

    python check_export.py FILE [--key BASE64] [--line TEXT] [--bot NICK] [--notes FILE] [--root SIZE ROOT]

FILE is the output of `ircdice ledger export`, or the proof of a single roll. `--line` checks a pasted roll against it
(`-` reads it from standard input): the last lines say whether it is genuine, altered, unknown or withheld.
`--key` is the ledger's public key as you know it from another source. Without it the export is taken at its own word,
so `--line` and a proof require it. `--bot` is the bot's nick, `--notes` a file of checkpoints that you kept, one after
the other, `--root` a size and a root that somebody wrote down.

The exit code is 0 if all is well, 1 if anything is wrong, 2 if the file cannot be read. Records after the last
checkpoint are not signed yet. Needs Python 3.11 and the package `cryptography`.
"""

from __future__ import annotations

import argparse
import base64
import hmac
import html
import json
import re
import struct
import sys
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Item = dict[str, Any]
Stream = tuple[int, str, str, int]  # epoch, network, channel, and generation or counter
LEAF = KEY = 32  # bytes
MOST_COMPARED = 200  # records with a wrong leaf that are compared with each other, to recognize a swap
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError, struct.error)
WITHHELD = {"type", "seq", "leaf", "withheld"}  # the keys of a record that may not be shown
FORM: dict[str, type] = {  # the keys of a record that is shown; its leaf would bind no others
    **dict.fromkeys(("seq", "ts", "ref", "epoch", "counter", "generation"), int),
    **dict.fromkeys(("type", "kind", "network", "channel", "nick", "who", "text", "line", "rules", "tag"), str),
    **dict.fromkeys(("sealed", "blind", "leaf"), str),
    "draws": list,
}
OPENED = {"salt", "opened"}  # two more, where something sealed was revealed
BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"
CHANGES = ("reroll", "hunger", "keep", "discard")  # kinds of records after which a roll no longer counts as it was

# A pasted line
PASTED_ID = re.compile(f"(?<=; id )([{BASE32}]{{1,13}})-([{BASE32}]{{6}})(?![0-9a-z-])")
HIDDEN = ("Cc", "Cf", "Cs")  # categories of Unicode: control and format characters, halves of characters
FORMATTING = re.compile("\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?|\x04(?:[0-9A-Fa-f]{6})?|[\x02\x0f\x11\x16\x1d-\x1f]")
QUOTED = re.compile(r"<br\s*/?>|^[ \t]*(?:>|\|(?= )|[ \t])+", re.I | re.M)  # a forum's line break, a mail's quote mark
ENTITIES = re.compile("&(?:quot|apos|amp|lt|gt|nbsp|#34|#39|#x27|#60|#62|#160);")  # others could hide something
HARMLESS = "\t\n\r\x02\x0f\x11\x1d\x1f"  # control characters that hide nothing: bold, italics, …
AT_THE_ENDS = re.compile("^[\ufeff\u200e]+|[\ufeff\u200e]+$", re.MULTILINE)  # a phone's
DOUBTS = re.compile(r"\?|!=|=?/=|(?<!\S)[:;=]['-]?[()\[\]/\\|](?!\S)")  # signs that say something, as `!=` or `:(`
ANY_ID = re.compile("; id:? ([0-9a-z]{1,13}-[0-9a-z]{6})(?![0-9a-z-])", re.I | re.ASCII)
SHOWN_KEY = re.compile(r"[^\s+]+\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})")  # as `ircdice ledger keys` shows it
QUOTES = [("“”„‟«»″", '"'), ("‘’‚‛´′", "'"), ("‐‑‒–−", "-"), ("—", "--"), ("‹", "<"), ("›", ">"), ("…", "...")]
PLAIN = str.maketrans({sign: plain for signs, plain in QUOTES for sign in signs})
OPENING = ("", *" ()[]{}<>\"'`*|")  # what may come before a posted line: nothing, or one of these
PUNCTUATION = "<>[](){}\"'`*|:;,.!~&@%+-=→←»"
CLOCK = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2}| ?[ap]m)?"
DAY, MONTH, YEAR = "(?:0?[1-9]|[12][0-9]|3[01])", "(?:0?[1-9]|1[0-2])", "(?:19|20)[0-9]{2}"
TIME = re.compile(
    rf"(?<![\w.:/-])(?:{YEAR}[-/.]{MONTH}[-/.]{DAY}(?:T{CLOCK})?"
    rf"|(?:{DAY}[-/.]{MONTH}|{MONTH}[-/.]{DAY})[-/.](?:{YEAR}|[0-9]{{2}})|{CLOCK})(?!\w|[:/]\S)",
    re.I,
)


def lp(value: str | bytes) -> bytes:
    """The length in two bytes, then the bytes."""
    data = value.encode() if isinstance(value, str) else value
    return struct.pack(">H", len(data)) + data


def unhex(text: str) -> bytes:
    """Decode hex as an export writes it: lower case, no spaces."""
    if (data := bytes.fromhex(text)).hex() != text:
        raise ValueError(f"not in hex: {text!r}")
    return data


def form(r: Item) -> None:
    """Raise ValueError for a record with missing or extra keys, or a value of the wrong type: `true` is not 1."""
    if odd := r.keys() ^ (FORM.keys() | (OPENED if r.get("sealed") else set())):
        raise ValueError(f"missing or extra keys: {', '.join(sorted(odd))}")
    kinds = [(key, kind, r[key]) for key, kind in FORM.items()]
    kinds += [("draws", int, number) for draw in r["draws"] for number in draw]
    if wrong := [f"{key} {value!r}" for key, kind, value in kinds if type(value) is not kind]:
        raise ValueError(f"of the wrong type: {', '.join(wrong)}")
    if wrong := [f"{key} {r[key]}" for key, kind in FORM.items() if kind is int and not 0 <= r[key] < 2**63]:
        raise ValueError(f"out of range: {', '.join(wrong)}")


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
    """The Merkle tree of RFC 6962: the roots of its complete subtrees, the largest first."""

    def __init__(self) -> None:
        self.size, self.parts = 0, list[bytes]()

    def append(self, leaf: bytes) -> None:
        """Add a leaf."""
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


def root_by_path(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that an inclusion proof leads to (RFC 9162, 2.1.3.2); ValueError if the path has the wrong length."""
    last, root = size - 1, leaf
    for sibling in path:
        if last == 0:
            raise ValueError("the path is too long")
        if index & 1 or index == last:
            root = sha256(b"\1" + sibling + root).digest()
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            root = sha256(b"\1" + root + sibling).digest()
        index, last = index >> 1, last >> 1
    if last:
        raise ValueError("the path is too short")
    return root


def dice(key: bytes, counter: int) -> Iterator[int]:
    """The numbers of one command, 32 bits each, without end."""
    block = 0
    while True:
        message = b"ircdice1:draw\0" + struct.pack(">QI", counter, block)
        yield from struct.unpack(">8I", hmac.digest(key, message, "sha256"))
        block += 1


def commitment_of(number: int, seed: str) -> str:
    """The commitment of epoch `number` if it has that seed."""
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
    """A signed checkpoint, not verified yet; `after` is the record that it follows in the export, None outside one."""

    def __init__(self, note: str, after: int | None = None) -> None:
        self.after = after
        self.body, _, below = note.rpartition("\n\n")
        self.body += "\n"
        origin, size, root, *self.further = self.body.removesuffix("\n").split("\n")
        self.origin, self.size, self.root = origin, int(size), base64.b64decode(root, validate=True)
        self.signatures = re.findall("(?m)^\u2014 (\\S+) (\\S+)$", below)
        lost = [int(line.split()[1]) for line in self.further if re.fullmatch("lost [0-9]+ [0-9]+", line)]
        self.void_from = min(lost, default=None)

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
        """The key that signs from the next checkpoint on, if this one names it."""
        return [base64.b64decode(line.split("+", 2)[2])[1:] for line in self.further if line.startswith("key ")]

    def commitments(self) -> list[tuple[int, bytes]]:
        """The commitments in it, by epoch."""
        lines = [line.split() for line in self.further if re.fullmatch("next [0-9]+ [^ ]{44}", line)]
        return [(int(number), base64.b64decode(promise)) for _, number, promise in lines]


class Check:
    """The check of one export; `asked` are the numbers of records to keep for the question about a line."""

    def __init__(self, lines: Iterable[Item], key: bytes | None, kept: list[Note], asked: Collection[int] = ()) -> None:
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
            raise ValueError("the key of the log does not have 32 bytes")
        if self.key != named:
            self.fault(0, "altered", "--key is not the key that the file names as the first: is it this ledger's?")
        self.roots = dict.fromkeys((note.size for note in self.notes + kept), b"")
        self.right: set[int] = set()  # sizes whose root is that of a checkpoint
        self.signed = 0  # records that the last of these counts
        self.tree, self.seq, self.ts = Tree(), 0, 0
        self.told: Counter[str] = Counter()
        self.redactions = 0  # records whose content was removed by those that say so
        self.counters: dict[tuple[int, str, str], tuple[int, int]] = {}  # the last, and how many were hidden by then
        self.gaps: list[tuple[int, Stream]] = []  # a record, and the first counter missing before it
        self.late: set[Stream] = set()  # counters that come after higher ones
        self.first_of_epoch: dict[int, int] = {}
        self.unfit: list[Item] = []
        self.unbound: list[int] = []
        self.asked = asked
        self.found: dict[int, Item] = {}  # the records of `asked`
        self.changes: dict[int, list[Item]] = {}  # later records that replace or discard one of them
        self.nicks: dict[tuple[str, str], set[str]] = {}  # by network and channel

    def fault(self, seq: int, damage: str, why: str) -> None:
        """Write a fault down."""
        self.faults.append((seq, damage, why))

    def listed(self, lines: Iterable[Item]) -> None:
        """Read everything but the records; ValueError if the log is not first, or an epoch not last."""
        before = 0
        for number, item in enumerate(lines, 1):
            kind = item["type"]
            if (kind == "log") != (number == 1):
                raise ValueError(f"line {number} is a {kind}: an export has one log, in its first line")
            if kind in ("record", "checkpoint") and self.epochs:
                raise ValueError(f"line {number} is a {kind} after the epochs")
            if kind == "log":
                self.log = item
            elif kind == "record":
                before = item["seq"]
            elif kind == "checkpoint":
                self.notes.append(Note(item["note"], before))
            elif kind == "epoch":
                self.epoch(item)
        if self.log["format"] != "ircdice/1":
            raise ValueError("this is not an export of format ircdice/1")

    def epoch(self, item: Item) -> None:
        """Add an epoch to the list, which has each once and in order."""
        number, last = item["epoch"], max(self.epochs, default=0)
        if type(number) is not int:
            raise ValueError(f"there is an epoch {number!r}")
        if number != last + 1:
            self.fault(0, "missing" if number > last else "reordered", f"epoch {number} is listed after epoch {last}")
        self.epochs[number] = item
        self.mixes |= {(number, m["network"], m["channel"], m["generation"]): m for m in item["mixes"]}

    def judging(self) -> Iterator[tuple[int, str]]:
        """The seeds that match their commitment, by epoch; any other is a fault of the epoch, not of a record."""
        promised: dict[int, str] = {}
        for note in self.notes:
            promised = {number: promise.hex() for number, promise in note.commitments()} | promised
        for number, epoch in self.epochs.items():
            seed, commitment = epoch["seed"], epoch["commitment"]
            if seed and commitment_of(number, seed) == commitment == promised.get(number, commitment):
                yield number, seed

    def records(self, lines: Iterable[Item]) -> None:
        """Check each record in order, and compute the roots at the sizes of the checkpoints."""
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
        self.unredacted()
        self.swapped()

    def reach(self) -> None:
        """Remember the root if a checkpoint has this size; after a gap there are no roots."""
        if self.tree.size == self.seq and self.seq in self.roots:
            self.roots[self.seq] = self.tree.root()

    def placed(self, r: Item, number: int) -> bool:
        """Whether a record comes in order: 1, 2, 3, …; `number` is that of its line."""
        if type(r["seq"]) is not int:
            raise ValueError(f"line {number} is a record with the number {r['seq']!r}")
        if r["seq"] <= self.seq:
            self.fault(r["seq"], "reordered", f"it comes after record {self.seq}")
            return False
        if r["seq"] > self.seq + 1:
            self.fault(self.seq + 1, "missing", f"record {r['seq']} is in its place")
        self.seq = r["seq"]
        return True

    def record(self, r: Item) -> None:
        """Check one record: its leaf, its time, its counter, its dice."""
        if len(leaf := unhex(r["leaf"])) != LEAF:
            raise ValueError(f"a leaf of {len(leaf)} bytes")
        self.tree.append(leaf)
        if r["seq"] in self.asked:
            self.found[r["seq"]] = r
        if "withheld" in r:
            if r.keys() != WITHHELD or r["withheld"] not in ("covered", "private", "redacted"):
                self.fault(r["seq"], "altered", "it is withheld, but has content, which no leaf binds")
            self.told[f"withheld: {r['withheld']}"] += 1
            self.told["hidden"] += r["withheld"] != "private"  # private rolls use no counter
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
        self.nicks.setdefault((r["network"], r["channel"]), set()).add(folded(r["nick"]))
        if r["ref"] in self.asked and r["kind"] in CHANGES:
            self.changes.setdefault(r["ref"], []).append(r)

    def counted(self, r: Item) -> None:
        """Counters run 1, 2, 3, …; only a hidden record may have used one that is not seen."""
        stream = r["epoch"], r["network"], r["channel"]
        self.first_of_epoch.setdefault(r["epoch"], r["seq"])
        last, hidden = self.counters.get(stream, (0, 0))
        if r["counter"] <= last:
            self.late.add((*stream, r["counter"]))
            self.fault(r["seq"], "reordered", f"its counter {r['counter']} comes after {last}")
        elif r["counter"] - last - 1 > self.told["hidden"] - hidden:
            self.gaps.append((r["seq"], (*stream, last + 1)))
        self.counters[stream] = max(last, r["counter"]), self.told["hidden"]

    def drawn(self, r: Item) -> None:
        """Dice of a published epoch are the stream's, and of the generation of their time."""
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
        """The mix of a stir is what the record says, a revealed value what was sealed; redactions are counted."""
        mix = self.mixes.get((r["epoch"], r["network"], r["channel"], r["generation"])) if r["kind"] == "stir" else None
        if mix is not None:
            who, stirred = f"{r['who']}:", unhex(mix["mix"]).decode()
            posted = stirred.startswith(who) and stirred.removeprefix(who) in r["line"]
            at_start = re.fullmatch("start:([0-9]+)", stirred)  # by the bot itself, not posted
            if mix["seq"] != r["seq"] or not (posted or (at_start and not r["line"] and at_start[1] in r["text"])):
                self.fault(r["seq"], "altered", "what was stirred in is not what it says")
        if r["kind"] == "redact" and (removed := re.fullmatch("redact ([0-9]{1,18}) records?", r["text"])):
            self.redactions += int(removed[1])
        if "opened" in r:
            proof = sha256(b"ircdice1:sealed\0" + unhex(r["salt"]) + lp(r["opened"])).hexdigest()
            if proof != r["sealed"]:
                self.fault(r["seq"], "altered", "what it opens is not what was sealed")

    def gapped(self) -> None:
        """A missing counter: it comes later, or never."""
        for seq, (*stream, counter) in self.gaps:
            damage = "reordered" if (*stream, counter) in self.late else "missing"
            self.fault(seq, damage, f"counter {counter} of its epoch and channel does not come before it")

    def unredacted(self) -> None:
        """Records that are called redacted, beyond the number that the redactions on record removed."""
        if (more := self.told["withheld: redacted"] - self.redactions) > 0:
            self.fault(0, "altered", f"{more} more records are called redacted than all redactions removed")

    def swapped(self) -> None:
        """A wrong leaf: either another record's, after a swap or a deletion, or of no record."""
        truly: dict[int, int] = {}
        for one, other in permutations(self.unfit[:MOST_COMPARED], 2):
            if leaf_of(one, other["seq"]).hex() in (one["leaf"], other["leaf"]):
                truly[one["seq"]] = other["seq"]
        for seq in (r["seq"] for r in self.unfit):
            if seq not in truly:
                self.fault(seq, "altered", "its content is not what its leaf was made of")
            else:
                damage = "reordered" if seq in truly.values() else "missing"
                self.fault(seq, damage, f"what is in its place was record {truly[seq]}")

    def checkpoints(self) -> None:
        """Check signatures and roots, and look for two histories under one name."""
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
            if note.after not in (None, note.size) and note.size <= self.seq:
                self.fault(note.size, "reordered", f"a checkpoint of {note.size} records follows record {note.after}")
        for note in sorted(believed, key=lambda note: note.size):
            self.rooted(note.size, note.root, note.size <= vouched)
        self.committed(believed)
        self.unlisted()
        self.signed = max(self.right, default=0)
        if self.seq and not (self.notes or self.kept):
            self.fault(1, "altered", "there is no checkpoint: no one has signed this")

    def rooted(self, size: int, root: bytes, forked: bool) -> None:
        """Compare one root; `forked` if a later checkpoint of the same signer matches the records here."""
        good = max((n for n, known in self.roots.items() if known and n < size and n in self.right), default=0)
        if size > self.seq:
            self.fault(self.seq + 1, "cut off", f"a checkpoint counts {size} records, {self.seq} are here")
        elif self.roots[size] == root:
            self.right.add(size)
        elif forked or not any(good < seq <= size for seq, _, _ in self.faults):
            damage = "forked" if forked else "altered"
            self.fault(good + 1, damage, f"records {good + 1} to {size} are not those that a checkpoint counts")

    def committed(self, notes: list[Note]) -> None:
        """Check that each seed was committed to, in a checkpoint before its epoch began."""
        promised: dict[int, tuple[int, bytes]] = {}
        for note in notes:
            for number, promise in note.commitments():
                if promised.setdefault(number, (note.size, promise))[1] != promise:
                    self.fault(note.size, "forked", f"epoch {number} has two different commitments")
        for number, epoch in self.epochs.items():
            begun, commitment = self.first_of_epoch.get(number, 0), unhex(epoch["commitment"])
            size, promise = promised.get(number, (self.seq, b""))
            if promise not in (b"", commitment):
                self.fault(begun, "altered", f"epoch {number} is not what was committed to")
            elif 0 < begun <= size:
                self.fault(begun, "altered", f"epoch {number} was not committed to before it began")
            elif not promise and notes and all(note.void_from is None for note in notes):
                self.fault(0, "altered", f"epoch {number} is in the list of epochs, and no checkpoint knows of it")
            if epoch["seed"] and commitment_of(number, epoch["seed"]) != epoch["commitment"]:
                self.fault(0, "altered", f"the seed of epoch {number} is not the one that was committed to")

    def unlisted(self) -> None:
        """Check that the list has each epoch that a record has drawn from."""
        for number, seq in self.first_of_epoch.items():
            if number not in self.epochs:
                self.fault(seq, "missing", f"epoch {number}, which it drew from, is not in the list of epochs")

    def report(self) -> int:
        """Print the result; return the exit code."""
        for seq, damage, why in sorted(self.faults)[:20]:
            show(f"{damage}: record {seq}: {why}" if seq else f"{damage}: {why}")
        counted = [f"{count} {what}" for what, count in sorted(self.told.items()) if what.startswith("withheld")]
        show(", ".join([f"{self.tree.size} records of {self.log['origin']}", *counted]))
        show(f"{len(self.notes) + len(self.kept)} checkpoints, key {base64.b64encode(self.key).decode()}")
        show(
            f"dice of {self.told['proved']} commands proved; of {self.told['unproved']} not yet, their seed is not out"
        )
        for note in self.notes:
            if note.void_from is not None:
                show(f"the checkpoint of {note.size} records gives up what was recorded from {note.void_from} on")
        if self.unbound:
            show(f"{len(self.unbound)} rolls in channels are bound by no seed, the first is record {self.unbound[0]}")
        show(f"signed up to record {self.signed} of {self.seq}")
        well = (
            "all is well"
            if self.signed >= self.seq
            else f"all is well up to record {self.signed}, the rest is not signed"
        )
        show("broken" if self.faults else well)
        return 1 if self.faults else 0


def folded(nick: str) -> str:
    """A nick as IRC compares it."""
    return nick.lower().translate(str.maketrans("[]\\^", "{}|~"))


def plain(text: str) -> str:
    """The text on one line, without formatting and invisible characters, with plain quotes and single spaces."""
    text = QUOTED.sub(" ", ENTITIES.sub(lambda match: html.unescape(match[0]), text))
    text = unicodedata.normalize("NFC", FORMATTING.sub("", text)).translate(PLAIN).replace("**", "")
    text = " ".join("".join(c for c in text if c.isspace() or unicodedata.category(c) not in HIDDEN).split())
    return ANY_ID.sub(lambda match: f"; id {match[1].lower()}", text)


def show(text: str) -> None:
    """Print a line. Control characters from the file must not reach the terminal: they could fake another output."""
    print("".join(c for c in text if unicodedata.category(c) not in HIDDEN))


def posted(r: Item) -> tuple[str, str]:
    """The posted line of a record, made plain: the names at its head, and everything after that."""
    names, colon, rest = plain(r["line"]).partition(": ")
    number, digits = r["seq"], ""
    while number:
        number, digits = number >> 5, BASE32[number & 31] + digits
    return names, f"{colon}{rest}; id {digits}-{r['tag']}"


def words_of(text: str) -> set[str]:
    """The words of a text, folded as nicks are, without times and punctuation."""
    text = "".join(" " if unicodedata.category(c)[0] == "P" and not c.isascii() else c for c in TIME.sub(" ", text))
    return {folded(word.strip(PUNCTUATION)) for word in text.split()} - {""}


def may_precede(character: str) -> bool:
    """Whether a posted line may follow it: an opening sign, or one that no nick has."""
    return character in OPENING or (not character.isascii() and unicodedata.category(character)[0] in "PS")


class Pasted:
    """A pasted text: which rolls it names, and what else is in it."""

    def __init__(self, text: str, bot: str) -> None:
        self.raw, self.text, self.bot = text, plain(text), bot
        self.ids = list(PASTED_ID.finditer(self.text))
        self.found: list[tuple[int, int]] = []  # where recorded lines are in the text
        self.known = ""  # all characters of these
        self.well = bool(self.ids)

    def numbers(self) -> list[int]:
        """The numbers of the records that it names; 0, which no record has, for anything else."""
        return [sum(BASE32.find(digit) << 5 * n for n, digit in enumerate(reversed(m[1]))) for m in self.ids]

    def say(self, verdict: str, why: str) -> None:
        """Print a verdict or a note after which the text does not count as it is."""
        self.well = False
        show(f"{verdict}: {why}")

    def locate(self, records: list[Item | None]) -> None:
        """Find the recorded line of each roll. Its nick is compared as IRC does it, the rest exactly."""
        for match, r in zip(self.ids, records, strict=True):
            if r is not None and r.get("tag") == match[2]:
                nick, line = posted(r)
                start = match.end() - len(nick + line)
                same = start >= 0 and folded(self.text[start:][: len(nick)]) == folded(nick)
                if same and may_precede(self.text[:start][-1:]) and self.text.endswith(line, 0, match.end()):
                    self.found.append((start, match.end()))
                    self.known += r["line"]
                    name = "\u200b?".join(map(re.escape, nick))  # the bot puts U+200B in, so that it does not ring
                    self.raw = re.sub(name, "", self.raw, flags=re.I)

    def genuine(self, nth: int, r: Item | None, signed: int) -> bool:
        """Whether the nth roll of the text is genuine, given its record; prints the verdict."""
        match = self.ids[nth]
        pasted_id = f"{match[1]}-{match[2]}"
        if any(start <= match.start() < match.end() < end for start, end in self.found):
            return False  # quoted in the line of another roll
        if r is None or (r.get("tag", match[2]) != match[2]) or r.get("line") == "":
            self.say("unknown", f"there is no roll with the id {pasted_id}")
        elif "withheld" in r:
            self.say("withheld", f"the record of {pasted_id} may not be shown: {r['withheld']}")
        elif r["seq"] > signed:
            self.say("unknown", f"{pasted_id} is not signed yet: ask for an export with a later checkpoint")
        elif any(end == match.end() for _, end in self.found):
            when = datetime.fromtimestamp(r["ts"] / 1000, UTC)
            show(f"genuine: {''.join(posted(r))}")
            show(f"  rolled by {r['nick']} in {r['channel']} on {r['network']}, {when:%Y-%m-%d %H:%M:%S} UTC")
            return True
        elif self.text.endswith(posted(r)[1], 0, match.end()):
            self.say("altered", f"the result is genuine, but it was rolled by {r['nick']}")
            show(f"  recorded: {''.join(posted(r))}")
        else:
            begin = max((end for _, end in self.found if end <= match.start()), default=0)
            pasted = self.text[begin : match.end()].strip()
            self.say("altered", "this is not the line that was recorded")
            show(f"  recorded: {''.join(posted(r))}")
            show(f"  pasted:   {pasted}")
        return False

    def finish(self, nicks: Collection[str]) -> int:
        """Say what else is in the text; return the exit code. `nicks` are those of the channel."""
        if not self.ids:
            self.say("unknown", "the text has no id of a roll: paste the whole line")
        seen = {c for c in AT_THE_ENDS.sub("", self.raw) if unicodedata.category(c) in HIDDEN}
        if hidden := seen - {*HARMLESS, *self.known}:
            codes = ", ".join(f"U+{ord(c):04X}" for c in sorted(hidden))
            self.say("masked", f"the text has control characters that may hide or change what you see: {codes}")
        bounds = [0, *(at for span in self.found for at in span), len(self.text)]
        pieces = [self.text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
        rest, bot = " ".join(pieces), folded(self.bot)
        before = words_of(" ".join(pieces[:-1])) - {bot, *nicks}
        after = words_of(pieces[-1]) - {bot}  # a nick there could claim the roll
        if self.found and (before or after or DOUBTS.search(TIME.sub(" ", rest))):
            self.say("beside", f"the bot did not say the rest of the text: {rest.strip()}")
        return 0 if self.well else 1


def check_export(file: Path, asked: argparse.Namespace, key: bytes | None) -> int:
    """Check an export, and the pasted line if there is one; the exit code."""
    roots = [(int(size), base64.b64decode(root)) for size, root in asked.root]
    kept = re.findall("(.+?\n\n(?:\u2014 [^\n]+\n)+)", asked.notes.read_text("utf-8") if asked.notes else "", re.DOTALL)
    if asked.notes and not kept:
        raise ValueError(f"{asked.notes} holds no checkpoint")
    pasted = Pasted(asked.line, asked.bot) if asked.line is not None else None
    numbers = pasted.numbers() if pasted else []
    check = Check(objects(file), key, [Note(note.lstrip()) for note in kept], set(numbers))
    check.roots |= dict.fromkeys((size for size, _ in roots), b"")
    check.records(objects(file))
    check.checkpoints()
    for size, root in roots:
        check.rooted(size, root, False)
    code = check.report()
    if pasted and code:
        show("unknown: the export is broken, so it proves nothing about the line")
    elif pasted:
        return check_line(pasted, numbers, check)
    return code


def check_line(pasted: Pasted, numbers: list[int], check: Check) -> int:
    """Compare a pasted text with a sound export; the exit code."""
    records, nicks = [check.found.get(seq) for seq in numbers], set[str]()
    pasted.locate(records)
    for nth, r in enumerate(records):
        if pasted.genuine(nth, r, check.signed) and r:
            nicks |= check.nicks[r["network"], r["channel"]]
            show(f"  {dice_proved(r, check.seeds)}")
            for change in check.changes.get(r["seq"], []):
                what = "discarded" if change["kind"] == "discard" else "replaced"
                pasted.say(what, f"by {change['nick']}: {change['line'] or change['text']}")
    return pasted.finish(nicks)


def dice_proved(r: Item, seeds: Collection[int]) -> str:
    """Whether the dice of a sound record are proved."""
    if not r["counter"]:
        return "no published seed can prove its dice"
    return "its dice are proved" if r["epoch"] in seeds else "its dice are not proved yet: their seed is not published"


def check_proof(item: Item, asked: argparse.Namespace, key: bytes) -> int:
    """Check the proof of one roll, and the pasted line if there is one; the exit code."""
    item["record"] = r = {"type": "record"} | item["record"]
    note = Note(item["checkpoint"])
    seeds = [r["epoch"]] if item["epoch"] and item["epoch"]["seed"] and r.get("counter") else []
    faults = [*proof_faults(item, note, key), *(epoch_faults(r, item["epoch"], note) if seeds else [])]
    for fault in faults:
        show(f"altered: {fault}")
    show("broken" if faults else f"record {r['seq']} of {note.origin}: the proof is sound")
    show("what a proof of one roll cannot show, and an export does: whether the roll was discarded or replaced later,")
    show("and whether the commitment of its epoch was published before the roll")
    if faults or asked.line is None:
        return 1 if faults else 0
    pasted = Pasted(asked.line, asked.bot)
    records = [r if seq == r["seq"] else None for seq in pasted.numbers()]
    pasted.locate(records)
    for nth, each in enumerate(records):
        if pasted.genuine(nth, each, note.size):
            show(f"  {dice_proved(r, seeds)}")
    return pasted.finish({folded(r.get("nick", ""))})


def proof_faults(item: Item, note: Note, key: bytes) -> Iterator[str]:
    """What is wrong with the proof that a record is one of those that a checkpoint counts."""
    r, index = item["record"], item["index"]
    if not note.signed_by(key):
        yield "the checkpoint is not signed by that key"
    if "withheld" in r:
        if r.keys() != WITHHELD:
            yield "the record is withheld, but has content"
    else:
        form(r)
        if leaf_of(r, r["seq"]).hex() != r["leaf"]:
            yield "the content of the record is not what its leaf was made of"
    if r["seq"] != index + 1 or not 0 <= index < note.size:
        yield "the record is not one of those that the checkpoint counts"
    elif root_by_path(unhex(r["leaf"]), index, note.size, [unhex(each) for each in item["path"]]) != note.root:
        yield "the path does not lead to the root of the checkpoint"


def epoch_faults(r: Item, epoch: Item, note: Note) -> Iterator[str]:
    """What is wrong with the proof that the dice of a record come from a published seed."""
    commitment = dict(note.commitments()).get(r["epoch"], unhex(epoch["commitment"])).hex()
    if (
        epoch["epoch"] != r["epoch"]
        or not commitment_of(r["epoch"], epoch["seed"]) == epoch["commitment"] == commitment
    ):
        yield f"the seed of epoch {r['epoch']} is not the one that was committed to"
    place = r["network"], r["channel"], r["generation"]
    mixes = [unhex(m["mix"]) for m in epoch["mixes"] if (m["network"], m["channel"], m["generation"]) == place]
    key = stream_key(unhex(epoch["seed"]), r, b"".join(mixes[:1]))
    if not are_derived(key, r["counter"], r["draws"]):
        yield f"the dice are not those of epoch {r['epoch']}, counter {r['counter']}"


def once(pairs: list[tuple[str, Any]]) -> Item:
    """A JSON object; ValueError if a key comes twice, since readers differ in which of the two they take."""
    if len(item := dict(pairs)) < len(pairs):
        raise ValueError(f"a key comes twice in {sorted(key for key, _ in pairs)}")
    return item


def objects(file: Path) -> Iterator[Item]:
    """The JSON objects of a file, one a line."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line, object_pairs_hook=once)


def public_key(text: str) -> bytes:
    """The key in base 64, or as `ircdice ledger keys` shows it: NAME+ID+KEY, with a byte for its kind."""
    shown = SHOWN_KEY.fullmatch(text)
    key = base64.b64decode(shown[1] if shown else text, validate=True)
    if (shown and key[:1] != b"\1") or len(key) != KEY + bool(shown):
        raise ValueError(text)
    return key[-KEY:]


def main() -> int:
    """Parse the command line and run the check."""
    parser = argparse.ArgumentParser(description="Check an export of an ircdice ledger, or a pasted line against it.")
    parser.add_argument("file", type=Path, help="an export, or the proof of one roll")
    parser.add_argument("--key", help="the ledger's public key in base 64, as you know it from another source")
    parser.add_argument("--line", help="a roll as it was pasted, with its id; - reads standard input")
    parser.add_argument("--bot", default="FUDice", help="the bot's nick, which may precede the line (FUDice)")
    parser.add_argument("--notes", type=Path, help="a file of checkpoints that you kept")
    parser.add_argument("--root", nargs=2, action="append", default=[], metavar=("SIZE", "ROOT"))
    asked = parser.parse_args()
    try:
        key = public_key(asked.key) if asked.key else None
    except ValueError:
        parser.error("--key is the ledger's public key in base 64, or as `ircdice ledger keys` shows it")
    try:
        first = next(objects(asked.file))
        proof = first["type"] == "proof"
        if not asked.key and (proof or asked.line is not None):
            parser.error("--key is needed: the author of the file could have signed it with a key of their own")
        if asked.line == "-":
            asked.line = sys.stdin.read()
        return check_proof(first, asked, key) if proof and key else check_export(asked.file, asked, key)
    except (OSError, StopIteration, *MALFORMED) as error:
        print(f"{asked.file} cannot be read: {error!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

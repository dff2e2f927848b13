"""A record as the bytes that its leaf is made of (LED-11). Knows no tree and no file."""

from __future__ import annotations

import struct
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from struct import Struct

from ircdice.dice import Draws, Stamp
from ircdice.ledger.encoding import is_plain, length_prefixed, named, plain
from ircdice.ledger.entry import Entry
from ircdice.ledger.ids import tag_of
from ircdice.ledger.packing import alike, unpack
from ircdice.ledger.record import Draft, Record, Sealed
from ircdice.ledger.sealing import sealed_hash
from ircdice.making import maker

_LEAF = b"\0"  # RFC 6962: what is hashed as a leaf can be no node
_HEAD = _LEAF + b"ircdice1:record\0"
_BEGUN = sha256(_HEAD)  # a copy of it is had sooner than another
_TIMES = Struct(">QQ")
_STREAM = Struct(">QIQB")
_NOTHING = length_prefixed(b"")
_made = maker(Record)
Fields = tuple[bytes, bytes, bytes]


def fields(said: Draft | Entry) -> Fields:
    """What leaf and tag are both made of, as it is hashed: network and channel, nick, line. OverflowError past `LP`."""
    return named(said.network, said.channel), named(said.nick), length_prefixed(said.line)


def leaf(record: Record) -> bytes:
    """The 32 bytes by which the record stands in the tree."""
    return _hashed(_of_record(record, fields(record.draft)))


def kept_leaf(entry: Entry, shared: Fields) -> bytes:
    """As `leaf`, of a record as its row has it, whose fields are known already."""
    sealed = b"" if entry.sealed_salt is None else sealed_hash(Sealed(entry.sealed_text or "", entry.sealed_salt))
    return _hashed(_bytes(entry, entry, entry, shared, _of_packed(entry.draws), sealed))


def is_own(record: Record) -> bool:
    """Whether its leaf was made of it; of a number or length that no record can have none is."""
    try:
        return leaf(record) == record.leaf
    except (struct.error, OverflowError):
        return False


def complete(draft: Draft, seq: int, ts: int, blind: bytes, rules: str, tag_key: bytes) -> Record:
    """The record that the ledger keeps of `draft`: its texts as they are hashed, tag and leaf filled in."""
    kept = _plain(draft)
    shared = fields(kept)
    mark = tag_of(tag_key, seq, *shared)
    leafless = _made(seq, ts, kept, mark, blind, rules, b"")
    return _made(seq, ts, kept, mark, blind, rules, _hashed(_of_record(leafless, shared)))


def _hashed(after_head: bytes) -> bytes:
    begun = _BEGUN.copy()
    begun.update(after_head)
    return begun.digest()


def _of_record(record: Record, shared: Fields) -> bytes:
    draft = record.draft
    sealed = sealed_hash(draft.sealed) if draft.sealed else b""
    return _bytes(record, draft, draft.stamp, shared, _of_draws(draft.draws), sealed)


def _bytes(
    record: Record | Entry, said: Draft | Entry, stamp: Stamp | Entry, shared: Fields, draws: bytes, sealed: bytes
) -> bytes:
    """What is hashed as the leaf behind the head; `draws` as it is hashed, with its length. An entry is all three."""
    place, nick, line = shared
    parts = (
        _TIMES.pack(record.seq, record.ts),
        named(said.kind),
        _STREAM.pack(said.ref, stamp.epoch, stamp.counter, stamp.generation),
        place,
        nick,
        named(said.who),
        length_prefixed(said.text),
        draws,
        line,
        length_prefixed(sealed) if sealed else _NOTHING,
        length_prefixed(record.blind),
        named(record.rules),
        length_prefixed(record.tag),
    )
    return b"".join(parts)


def _of_draws(draws: Draws) -> bytes:
    """`LP` of draws: u32 sides and u32 face of each, in draw order."""
    return _of_dice(len(draws)).pack(8 * len(draws), *chain.from_iterable(draws))


def _of_packed(packed: bytes) -> bytes:
    """As `_of_draws`; of dice of one kind, none past a byte, the bytes are put where they stand."""
    if not alike(packed):
        return _of_draws(unpack(packed))
    count = packed[0]
    hashed = bytearray(2 + 8 * count)
    hashed[0], hashed[1] = divmod(8 * count, 256)
    hashed[5::8], hashed[9::8] = packed[1:2] * count, packed[2:]
    return bytes(hashed)


@lru_cache(maxsize=256)
def _of_dice(count: int) -> Struct:
    """A length, and two numbers for each of so many draws."""
    return Struct(f">H{2 * count}I")


def _plain(draft: Draft) -> Draft:
    """`draft` with every text as it is hashed, so that what is kept, posted and exported is what was proved."""
    texts = (draft.network, draft.channel, draft.nick, draft.who, draft.text, draft.line)
    if is_plain("".join(texts)):
        return draft
    network, channel, nick, who, text, line = kept = tuple(map(plain, texts))
    if kept == texts:
        return draft
    return replace(draft, network=network, channel=channel, nick=nick, who=who, text=text, line=line)

"""A record as the bytes that its leaf is made of (LED-11). Knows no tree and no file."""

from __future__ import annotations

import struct
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from struct import Struct

from ircdice.ledger.encoding import is_plain, length_prefixed, named, plain
from ircdice.ledger.ids import tag_of
from ircdice.ledger.record import Draft, Record
from ircdice.ledger.sealing import sealed_hash

_LEAF = b"\0"  # RFC 6962: what is hashed as a leaf can be no node
_HEAD = _LEAF + b"ircdice1:record\0"
_BEGUN = sha256(_HEAD)  # a copy of it is had sooner than another
_TIMES = Struct(">QQ")
_STREAM = Struct(">QIQB")
_NOTHING = length_prefixed(b"")
Fields = tuple[bytes, bytes, bytes]


def fields(draft: Draft) -> Fields:
    """What leaf and tag are both made of, as it is hashed: network and channel, nick, line. OverflowError past `LP`."""
    return named(draft.network, draft.channel), named(draft.nick), length_prefixed(draft.line)


def record_bytes(record: Record) -> bytes:
    """`record` of LED-11, every field in its order."""
    shared = fields(record.draft)
    rest = _bytes(record.draft, shared, record.seq, record.ts, record.blind, record.rules, record.tag)
    return _HEAD[len(_LEAF) :] + rest


def leaf(record: Record, shared: Fields | None = None) -> bytes:
    """The 32 bytes by which the record stands in the tree; `shared` are its fields where they are known already."""
    draft = record.draft
    shared = shared or fields(draft)
    return _hashed(_bytes(draft, shared, record.seq, record.ts, record.blind, record.rules, record.tag))


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
    hashed = _hashed(_bytes(kept, shared, seq, ts, blind, rules, mark))
    return Record(seq, ts, kept, mark, blind, rules, hashed)


def _hashed(after_head: bytes) -> bytes:
    begun = _BEGUN.copy()
    begun.update(after_head)
    return begun.digest()


def _bytes(draft: Draft, shared: Fields, seq: int, ts: int, blind: bytes, rules: str, mark: str) -> bytes:
    """What is hashed as the leaf behind the head."""
    stamp, (place, nick, line) = draft.stamp, shared
    parts = (
        _TIMES.pack(seq, ts),
        named(draft.kind),
        _STREAM.pack(draft.ref, stamp.epoch, stamp.counter, stamp.generation),
        place,
        nick,
        named(draft.who),
        length_prefixed(draft.text),
        _of_dice(len(draft.draws)).pack(8 * len(draft.draws), *chain.from_iterable(draft.draws)),
        line,
        length_prefixed(sealed_hash(draft.sealed)) if draft.sealed else _NOTHING,
        length_prefixed(blind),
        named(rules),
        length_prefixed(mark),
    )
    return b"".join(parts)


@lru_cache(maxsize=256)
def _of_dice(count: int) -> Struct:
    """`LP` of so many draws: u32 sides and u32 face of each, in draw order."""
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

"""A record as the bytes that its leaf is made of (LED-11). Knows no tree and no file."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from struct import Struct

from ircdice.dice import Draws
from ircdice.ledger.encoding import is_plain, length_prefixed, named, plain
from ircdice.ledger.ids import tag
from ircdice.ledger.record import Draft, Record
from ircdice.ledger.sealing import sealed_hash

_HEAD = b"ircdice1:record\0"
_LEAF = b"\0"  # RFC 6962: what is hashed as a leaf can be no node
_TIMES = Struct(">QQ")
_STREAM = Struct(">QIQB")


def draw_bytes(draws: Draws) -> bytes:
    """`draws`: u32 sides and u32 face of each, in draw order."""
    return _of_dice(len(draws)).pack(*chain.from_iterable(draws))


def record_bytes(record: Record) -> bytes:
    """`record` of LED-11, every field in its order."""
    return _bytes(record.draft, record.seq, record.ts, record.blind, record.rules, record.tag)


def leaf(record: Record) -> bytes:
    """The 32 bytes by which the record stands in the tree."""
    return sha256(_LEAF + record_bytes(record)).digest()


def complete(draft: Draft, seq: int, ts: int, blind: bytes, rules: str, tag_key: bytes) -> Record:
    """The record that the ledger keeps of `draft`: its texts as they are hashed, tag and leaf filled in."""
    kept = _plain(draft)
    mark = tag(tag_key, seq, kept.network, kept.channel, kept.nick, kept.line)
    proved = _LEAF + _bytes(kept, seq, ts, blind, rules, mark)
    return Record(seq, ts, kept, mark, blind, rules, sha256(proved).digest())


def _bytes(draft: Draft, seq: int, ts: int, blind: bytes, rules: str, mark: str) -> bytes:
    stamp = draft.stamp
    parts = (
        _HEAD,
        _TIMES.pack(seq, ts),
        named(draft.kind),
        _STREAM.pack(draft.ref, stamp.epoch, stamp.counter, stamp.generation),
        named(draft.network),
        named(draft.channel),
        named(draft.nick),
        named(draft.who),
        named(draft.text),
        length_prefixed(draw_bytes(draft.draws)),
        length_prefixed(draft.line),
        length_prefixed(sealed_hash(draft.sealed) if draft.sealed else b""),
        length_prefixed(blind),
        named(rules),
        length_prefixed(mark),
    )
    return b"".join(parts)


@lru_cache(maxsize=256)
def _of_dice(count: int) -> Struct:
    return Struct(f">{2 * count}I")


def _plain(draft: Draft) -> Draft:
    """`draft` with every text as it is hashed, so that what is kept, posted and exported is what was proved."""
    texts = (draft.network, draft.channel, draft.nick, draft.who, draft.text, draft.line)
    if is_plain("".join(texts)):
        return draft
    network, channel, nick, who, text, line = kept = tuple(map(plain, texts))
    if kept == texts:
        return draft
    return replace(draft, network=network, channel=channel, nick=nick, who=who, text=text, line=line)

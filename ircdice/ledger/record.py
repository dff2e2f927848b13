"""Records: their kinds, texts, ids (LED-10), leaves (LED-11) and settings (LED-02)."""

from __future__ import annotations

import hmac
import re
import struct
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal

from grammars.line import FORMATTING
from ircdice.casemapping import DEFAULT, known
from ircdice.dice import UNSTAMPED, Draws, Stamp, entropy
from ircdice.settings import HouseRules

_UNSTORABLE = re.compile(r"\0|[\ud800-\udfff]")  # PostgreSQL cannot store NUL, UTF-8 cannot encode lone surrogates
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
MOST_CHARACTERS = 13  # of a u64
_LOOKALIKES = str.maketrans("oil", "011")


def plain(text: str) -> str:
    """`text` as stored and hashed: NFC, without IRC formatting."""
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", _UNSTORABLE.sub("\ufffd", FORMATTING.sub("", text)))


def length_prefixed(*values: str | bytes) -> bytes:
    """`LP` of each value: a u16 length and the bytes, in UTF-8 for text. OverflowError past 65,535 bytes."""
    encoded = [value.encode() if isinstance(value, str) else value for value in values]
    return b"".join([len(data).to_bytes(2, "big") + data for data in encoded])


def base32(number: int) -> str:
    """`number` in Crockford base 32, lower case, without leading zeros. ValueError below 0."""
    if number < 0:
        raise ValueError(f"{number} is no record number")
    digits = ""
    while number:
        number, value = divmod(number, 32)
        digits = ALPHABET[value] + digits
    return digits or "0"


def from_base32(digits: str) -> int | None:
    """The value of `digits`, with lookalike letters read as digits; None if it is not a number."""
    digits = plain_tag(digits)
    if not 0 < len(digits) <= MOST_CHARACTERS or not set(digits) <= set(ALPHABET):
        return None
    number = 0
    for character in digits:
        number = number * 32 + ALPHABET.index(character)
    return number


def plain_tag(typed: str) -> str:
    """A tag as recorded: lower case, with lookalike letters read as digits."""
    return typed.lower().translate(_LOOKALIKES)


def tag(key: bytes, seq: int, network: str, channel: str, nick: str, line: str) -> str:
    """The top 30 bits of the HMAC over a roll's identity, as 6 characters; empty if a text is too long."""
    try:
        texts = length_prefixed(plain(network), plain(channel), plain(nick), plain(line))
    except OverflowError:
        return ""
    digest = hmac.digest(key, b"ircdice1:tag\0" + seq.to_bytes(8, "big") + texts, "sha256")
    return base32(int.from_bytes(digest[:4], "big") >> 2).rjust(6, "0")


@dataclass(frozen=True, slots=True, repr=False)
class TagKeys:
    """The keys of the tags, each with the first `seq` it applies to, in order (LED-18)."""

    ranges: tuple[tuple[int, bytes], ...]

    def key(self, seq: int) -> bytes:
        """The key for a record's tag."""
        return next((key for first, key in reversed(self.ranges) if first <= seq), self.ranges[0][1])

    def tag(self, seq: int, network: str, channel: str, nick: str, line: str) -> str:
        """The tag of a record with these fields."""
        return tag(self.key(seq), seq, network, channel, nick, line)


RecordKind = Literal[
    "roll", "contest", "answer", "lapse", "reroll", "hunger", "keep", "discard", "stir", "setting", "track",
    "macro", "character", "scene", "init", "draw", "page", "seal", "reveal", "redact", "withheld",
]  # fmt: skip
Withheld = Literal["covered", "private", "redacted"]

# Each kind of record is in the sets that say what it means.
ROLLING = frozenset[RecordKind]({"roll", "contest"})  # they start a roll, which other records may follow
AMENDING = frozenset[RecordKind]({"reroll", "hunger", "keep"})  # they change the roll that they refer to
# A contest that one of these refers to is over, and its dice are public. A redacted record (LED-25) may be one.
CLOSING = frozenset[RecordKind]({"answer", "lapse", "withheld"})
# A channel remembers these at any age.
LASTING = frozenset[RecordKind]({"track", "macro", "character", "scene", "init", "page", "seal", "reveal"})
# Lines that `#last` skips (LED-10): those that end or reveal a roll, and private ones.
PASSED_OVER = frozenset[RecordKind]({"lapse", "discard", "reveal", "page", "redact", "withheld"})
STANDARD_RULES = HouseRules()
NOTHING_SEEN: Mapping[str, int] = MappingProxyType({})
_NUMBER = re.compile("[0-9]{1,9}")
_REDACTION = re.compile("redact ([0-9]{1,18}) records?")
_WORDS = {"yes": True, "no": False, "none": None}
_NAMES = {value: word for word, value in _WORDS.items()}
START = "start"  # in place of who, in the bot's own stirs (LED-15)


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings for reading and judging rolls; a channel without a `setting` record has the defaults."""

    system: str = "v5"  # the game
    house: HouseRules = STANDARD_RULES
    official: bool = False
    casemapping: str = DEFAULT

    def __str__(self) -> str:
        """`system=v5 official=yes botch=yes wp_minutes=30 …`, and the casemapping if it is not RFC 1459's."""
        named = {"system": self.system, "official": self.official, **asdict(self.house)}
        if self.casemapping != DEFAULT:
            named["casemapping"] = self.casemapping
        return " ".join(f"{name}={_shown(value)}" for name, value in named.items())


DEFAULT_TERMS = Terms()


@dataclass(frozen=True, slots=True)
class Sealed:
    """A value that is committed now and revealed later (LED-17); the leaf has only its hash."""

    text: str = field(repr=False)
    salt: bytes = field(repr=False)  # 16 bytes


@dataclass(frozen=True, slots=True)
class Draft:
    """A record before it is numbered by the ledger. Names are folded by the network's CASEMAPPING.

    `draws` are (sides, face) in draw order, `line` is the public line without its id, `ref` the record it refers to.
    """

    kind: RecordKind
    network: str
    channel: str
    nick: str
    who: str
    text: str
    draws: Draws
    line: str
    ref: int = 0
    terms: Terms = DEFAULT_TERMS  # of the channel
    stamp: Stamp = UNSTAMPED  # the position of the draws in the epoch's stream (LED-14)
    sealed: Sealed | None = None
    scene: str = ""
    character: str = ""
    key: str = ""  # of a stored value: only the latest record of a key counts (docs/design.md, "Memory")
    game: str = field(default="", compare=False)  # of the command, for queries; empty means the channel's
    listed_official: bool | None = field(default=None, compare=False)  # for queries; None means as in `terms`

    @property
    def private(self) -> bool:
        """Whether it was sent in private: the channel is then `@who`."""
        return self.channel.startswith("@")

    @property
    def words(self) -> str:
        """The command; of a hidden value, the sealed one."""
        return self.sealed.text if self.key and self.sealed else self.text

    @property
    def place(self) -> tuple[str, str]:
        """Network and channel."""
        return self.network, self.channel


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the ledger: `seq` runs 1, 2, 3, …; `ts` is in ms since 1970 and never goes back.

    `blind`, `rules` (the version of the package) and `leaf` are empty in a ledger without proofs.
    """

    seq: int
    ts: int
    draft: Draft
    tag: str
    blind: bytes = b""
    rules: str = ""
    leaf: bytes = b""

    @classmethod
    def withheld(cls, seq: int, ts: int, leaf: bytes, why: Withheld) -> Record:
        """A record with only a leaf: redacted, or omitted from an export."""
        return cls(seq, ts, Draft("withheld", "", "", "", "", why, (), ""), "", leaf=leaf)

    @property
    def id(self) -> str:
        """The posted id: `4d-27b5pk`."""
        return f"{base32(self.seq)}-{self.tag}"

    @property
    def short_id(self) -> str:
        """`#4d`, which is enough in its channel."""
        return f"#{base32(self.seq)}"

    @property
    def posted(self) -> str:
        """The line as posted, with its id."""
        return f"{self.draft.line}; id {self.id}"

    @property
    def may_be_last(self) -> bool:
        """Whether `#last` can mean it: a line of the channel (LED-10)."""
        return bool(self.draft.line) and self.draft.kind not in PASSED_OVER

    @property
    def redacted(self) -> bool:
        """Whether its content is missing (LED-25); the draft's `text` has the reason, its other fields are empty."""
        return self.draft.kind == "withheld"


@lru_cache(maxsize=1_000)
def terms_of(text: str | None) -> Terms:
    """The settings in a `setting` record; None means that there is no record.

    Rules missing in the record have their defaults. Unknown rules and words in place of numbers are ignored.
    """
    if not isinstance(text, str):  # SQLite allows any type in a column
        return DEFAULT_TERMS
    named = dict(part.partition("=")[::2] for part in text.split())
    house: dict[str, Any] = {}
    for rule in fields(HouseRules):
        value = _value(named[rule.name]) if rule.name in named else rule.default
        if type(value) is type(rule.default) or (rule.default is None and type(value) is int):
            house[rule.name] = value
    rules = HouseRules(**house)
    rules = STANDARD_RULES if rules == STANDARD_RULES else rules  # share one object among most records
    system, casemapping = named.get("system", DEFAULT_TERMS.system), known(named.get("casemapping", DEFAULT))
    return Terms(system, rules, named.get("official") == "yes", casemapping)


def _shown(value: object) -> str:
    return _NAMES[value] if value is None or isinstance(value, bool) else str(value)


def _value(word: str) -> Any:
    return int(word) if _NUMBER.fullmatch(word) else _WORDS.get(word, word)


def complete(draft: Draft, seq: int, ts: int, blind: bytes, rules: str, tag_key: bytes) -> Record:
    """The record of `draft`, with its tag and leaf, and its texts as stored and hashed."""
    texts = draft.network, draft.channel, draft.nick, draft.who, draft.text, draft.line
    network, channel, nick, who, text, line = stored = tuple(map(plain, texts))
    if stored != texts:
        draft = replace(draft, network=network, channel=channel, nick=nick, who=who, text=text, line=line)
    record = Record(seq, ts, draft, tag(tag_key, seq, network, channel, nick, line), blind, rules)
    return replace(record, leaf=leaf(record))


def leaf(record: Record) -> bytes:
    """The hash of a record in the tree: 32 bytes (LED-11).

    UnicodeEncodeError, OverflowError or struct.error for impossible fields.
    """
    draft, stamp = record.draft, record.draft.stamp
    # The texts are hashed unchanged: an altered record may contain characters that `plain` would remove.
    parts = (
        b"\0ircdice1:record\0",
        struct.pack(">QQ", record.seq, record.ts),
        length_prefixed(draft.kind),
        struct.pack(">QIQB", draft.ref, stamp.epoch, stamp.counter, stamp.generation),
        length_prefixed(draft.network, draft.channel, draft.nick, draft.who, draft.text),
        length_prefixed(struct.pack(f">{2 * len(draft.draws)}I", *chain.from_iterable(draft.draws)), draft.line),
        length_prefixed(sealed_hash(draft.sealed) if draft.sealed else b"", record.blind, record.rules, record.tag),
    )
    return sha256(b"".join(parts)).digest()


def is_intact(record: Record) -> bool:
    """Whether a record's leaf is the hash of its content; always true for a record without content."""
    try:
        return record.redacted or leaf(record) == record.leaf
    except (struct.error, OverflowError, UnicodeEncodeError):
        return False


def redaction(count: int, network: str | None) -> Draft:
    """The record of a redaction of `count` records, on one network or all (LED-25)."""
    text = f"redact {count} record{'' if count == 1 else 's'}"
    return Draft("redact", network or "", "", "", "", text, (), "")


def redacted_by(draft: Draft) -> int:
    """The number of records that a redaction covers; 0 if not stated."""
    match = _REDACTION.fullmatch(draft.text)
    return int(match[1]) if match else 0


def seal_text(text: str) -> Sealed:
    """`text` with a fresh salt, so that its value cannot be guessed from the hash."""
    return Sealed(plain(text), entropy(16))


def sealed_hash(sealed: Sealed) -> bytes:
    """The commitment to a sealed value: 32 bytes."""
    return sha256(b"ircdice1:sealed\0" + sealed.salt + length_prefixed(sealed.text)).digest()

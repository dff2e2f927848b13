"""What the ledger keeps: records, their kinds, the settings that they are judged by, and its interface (LED-02)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, Protocol

from ircdice.casemapping import DEFAULT, known
from ircdice.dice import UNSTAMPED, Draws, Stamp
from ircdice.ledger.ids import roll_id
from ircdice.settings import HouseRules

RecordKind = Literal[
    "roll", "contest", "answer", "lapse", "reroll", "hunger", "keep", "discard", "stir", "setting", "track",
    "macro", "character", "scene", "init", "draw", "page", "seal", "reveal", "redact", "withheld",
]  # fmt: skip
Withheld = Literal["covered", "private", "redacted"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a kind of record means.

    `rolls`: it begins a roll, which other records may follow. `amends`: it changes the roll that it refers to.
    `closes`: it ends the contest that it refers to. `lasts`: a channel remembers it however old it is.
    """

    rolls: bool = False
    amends: bool = False
    closes: bool = False
    lasts: bool = False


KINDS: dict[RecordKind, Meaning] = {
    "roll": Meaning(rolls=True),
    "contest": Meaning(rolls=True),  # the acting side, its dice covered
    "answer": Meaning(closes=True),  # its line is the result of the contest
    "lapse": Meaning(closes=True),
    "reroll": Meaning(amends=True),
    "hunger": Meaning(amends=True),
    "keep": Meaning(amends=True),
    "discard": Meaning(),
    "stir": Meaning(),
    "setting": Meaning(),
    "track": Meaning(lasts=True),
    "macro": Meaning(lasts=True),
    "character": Meaning(lasts=True),
    "scene": Meaning(lasts=True),
    "init": Meaning(lasts=True),
    "draw": Meaning(),
    "page": Meaning(lasts=True),
    "seal": Meaning(lasts=True),
    "reveal": Meaning(lasts=True),
    "redact": Meaning(),
    "withheld": Meaning(closes=True),  # its content was taken away, or is not in this export
}
ROLLING = frozenset(kind for kind, meaning in KINDS.items() if meaning.rolls)
AMENDING = frozenset(kind for kind, meaning in KINDS.items() if meaning.amends)
LASTING = frozenset(kind for kind, meaning in KINDS.items() if meaning.lasts)
# A contest to which one of these refers is over: its dice were shown. A redacted record (LED-25) may have been one.
CLOSING = frozenset(kind for kind, meaning in KINDS.items() if meaning.closes)
# What `#last` does not mean (LED-10): lines that end or reveal a roll, and private ones.
PASSED_OVER = frozenset({"lapse", "discard", "reveal", "page", "redact", "withheld"})
STANDARD_RULES = HouseRules()
NOTHING_SEEN: Mapping[str, int] = MappingProxyType({})
_NUMBER = re.compile("[0-9]{1,9}")
_WORDS = {"yes": True, "no": False, "none": None}
_NAMES = {value: word for word, value in _WORDS.items()}
START = "start"  # in place of who, in the stirs that the bot makes itself (LED-15)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A value that is committed to now and shown later (LED-17); the leaf holds its hash alone."""

    text: str = field(repr=False)
    salt: bytes = field(repr=False)  # 16 bytes


@dataclass(frozen=True, slots=True)
class Draft:
    """A record before the ledger has numbered it. Names are folded by the network's CASEMAPPING.

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
    system: str = "v5"  # the channel's game
    house: HouseRules = STANDARD_RULES
    official: bool = False
    stamp: Stamp = UNSTAMPED  # where in the epoch's stream the draws come from (LED-14)
    sealed: Sealed | None = None
    casemapping: str = DEFAULT
    scene: str = ""
    character: str = ""
    key: str = ""  # of what lasts: only the latest record of a key counts (desk.md)
    game: str = field(default="", compare=False)  # of the command, for looking up; empty is the channel's

    @property
    def private(self) -> bool:
        """Whether it was said to the bot alone: the channel is then `@who`."""
        return self.channel.startswith("@")

    @property
    def place(self) -> tuple[str, str]:
        """Network and channel."""
        return self.network, self.channel


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the ledger: `seq` runs 1, 2, 3, …; `ts` is in ms since 1970 and never goes back.

    `blind`, `rules` (the version of the package) and `leaf` are empty in a ledger that proves nothing.
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
        """A record of which only the leaf is known: redacted, or left out of an export."""
        return cls(seq, ts, Draft("withheld", "", "", "", "", why, (), ""), "", leaf=leaf)

    @property
    def id(self) -> str:
        """The id that is posted."""
        return roll_id(self.seq, self.tag)

    @property
    def may_be_last(self) -> bool:
        """Whether `#last` means it until there is another: a line of the channel (LED-10)."""
        return bool(self.draft.line) and self.draft.kind not in PASSED_OVER

    @property
    def redacted(self) -> bool:
        """Whether its content is not here (LED-25); the draft's `text` says why, its other fields are empty."""
        return self.draft.kind == "withheld"


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings that a roll is read and judged by; a channel without a `setting` record has the defaults."""

    system: str = "v5"
    house: HouseRules = STANDARD_RULES
    official: bool = False
    casemapping: str = DEFAULT

    @classmethod
    def of(cls, draft: Draft) -> Terms:
        """The settings that a draft was made under."""
        return cls(draft.system, draft.house, draft.official, draft.casemapping)

    def __str__(self) -> str:
        """`system=v5 official=yes botch=yes wp_minutes=30 …`, and the casemapping if it is not RFC 1459's."""
        named = {"system": self.system, "official": self.official, **asdict(self.house)}
        if self.casemapping != DEFAULT:
            named["casemapping"] = self.casemapping
        return " ".join(f"{name}={_shown(value)}" for name, value in named.items())

    def of_draft(self, draft: Draft) -> Draft:
        """The draft under these settings."""
        return replace(
            draft, system=self.system, house=self.house, official=self.official, casemapping=self.casemapping
        )

    def draft(self, network: str, channel: str) -> Draft:
        """The `setting` record that puts them in force there; it is the bot's own, so nick and who are empty."""
        return self.of_draft(Draft("setting", network, channel, "", "", str(self), (), ""))


DEFAULT_TERMS = Terms()


@lru_cache(maxsize=1_000)
def terms_of(text: str | None) -> Terms:
    """The settings that a `setting` record puts in force; None is no such record.

    Rules that the record does not name have their defaults. Unknown rules and words in place of numbers are ignored.
    """
    if not isinstance(text, str):  # SQLite keeps any value anywhere
        return DEFAULT_TERMS
    named = dict(part.partition("=")[::2] for part in text.split())
    usual = {each.name: each.default for each in fields(HouseRules)}
    meant = {name: _meant(value) for name, value in named.items() if name in usual}
    house = HouseRules(**{name: value for name, value in meant.items() if _suits(value, usual[name])})
    house = STANDARD_RULES if house == STANDARD_RULES else house  # one object for most records
    system, casemapping = named.get("system", DEFAULT_TERMS.system), known(named.get("casemapping", DEFAULT))
    return Terms(system, house, named.get("official") == "yes", casemapping)


def _suits(value: object, usual: object) -> bool:
    """Whether a value has the type of the default; a number suits a default of none."""
    return type(value) is type(usual) or (usual is None and type(value) is int)


def _shown(value: object) -> str:
    return _NAMES[value] if value is None or isinstance(value, bool) else str(value)


def _meant(word: str) -> Any:
    if word in _WORDS:
        return _WORDS[word]
    return int(word) if _NUMBER.fullmatch(word) else word


class LedgerReader(Protocol):
    """What can be asked about rolls and people."""

    async def get(self, seq: int) -> Record | None:
        """The record with that number."""

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """Each network and channel with a record of `since` (ms since 1970) or later, or with a waiting contest."""

    async def latest(
        self, count: int, *, network: str | None = None, channel: str | None = None, who: str | None = None
    ) -> Sequence[Record]:
        """The newest `count` records of a place, a person or both, newest first."""

    async def of_who(self, who: str, since: int, until: int) -> Sequence[Record]:
        """A person's records between two times (ms since 1970, both included), on any network, in order."""

    async def scenes(self, network: str, channel: str) -> Sequence[Record]:
        """The latest records that open or end a scene there, newest first."""

    async def of_scene(self, network: str, channel: str, scene: str, count: int) -> Sequence[Record]:
        """The first `count` records of that scene, in order."""

    async def about(self, *seqs: int) -> Sequence[Record]:
        """The records that refer to any of those, in order."""

    async def kept(self, network: str, *owners: str) -> Sequence[Record]:
        """The latest record of each key of those owners: a key is `OWNER …` (desk.md)."""

    async def kept_since(self, network: str, seq: int) -> Sequence[Record]:
        """The records with a key that come after number `seq`, in order."""

    async def page_records(self) -> Sequence[Record]:
        """The `page` records of all places, in order for each (WEB-10)."""

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str | None:
        """The tag that such a record would bear (LED-10), whether or not it exists; None without the tag key."""


class Ledger(LedgerReader, Protocol):
    """Append and read only; the bot keeps no other memory.

    Any method may raise LedgerUnavailable (LED-05).
    """

    @property
    def alone(self) -> bool:
        """Whether no other bot can write to it."""

    @property
    def out_of_reach(self) -> float | None:
        """While the database is away: how many seconds a command waits for it (LED-05)."""

    async def append_all(self, drafts: Sequence[Draft], seen: Mapping[str, int] = NOTHING_SEEN) -> Sequence[Record]:
        """Record all `drafts` or none, durably; only then may their lines be posted (LED-03).

        Each later one gets a `ref` to the first. `seen` are keys, each with the number of its latest record as the
        caller knows it (0: none). StaleError, and nothing is recorded, if another one is the latest by now.
        """

    async def of_channel(self, network: str, channel: str, since: int = 0) -> Sequence[Record]:
        """The records of one channel that may still matter there, in order; all since record `since` if it is not 0."""

    async def undelivered(self, networks: Sequence[str]) -> Sequence[Record]:
        """The records of those networks whose lines are not known to have gone out, in order (LED-06)."""

    def mark_delivered(self, network: str, channel: str, seq: int) -> None:
        """That line went out, and all before it in its channel."""

    def late(self) -> Sequence[Record]:
        """Records that were written although their speakers were told otherwise, once each: they must be posted."""

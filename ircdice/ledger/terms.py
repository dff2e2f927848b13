"""A channel's settings, as the text of a `setting` record (LED-02)."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any

from ircdice.casemapping import DEFAULT, known
from ircdice.ledger.record import STANDARD_RULES, Draft
from ircdice.settings import HouseRules

_NUMBER = re.compile("[0-9]{1,9}")
_WORDS = {"yes": True, "no": False, "none": None}
_NAMES = {value: word for word, value in _WORDS.items()}


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

    def hold_for(self, draft: Draft) -> bool:
        """Whether the draft was made under these."""
        mine = self.system, self.house, self.official, self.casemapping
        return mine == (draft.system, draft.house, draft.official, draft.casemapping)

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


DEFAULTS = Terms()


@lru_cache(maxsize=1_000)
def read(text: str | None) -> Terms:
    """The settings that a `setting` record puts in force; None is no such record.

    Rules that the record does not name have their defaults. Unknown rules and words in place of numbers are ignored.
    """
    if not isinstance(text, str):  # SQLite keeps any value anywhere
        return DEFAULTS
    named = dict(part.partition("=")[::2] for part in text.split())
    usual = {each.name: each.default for each in fields(HouseRules)}
    meant = {name: _meant(value) for name, value in named.items() if name in usual}
    house = HouseRules(**{name: value for name, value in meant.items() if _suits(value, usual[name])})
    house = STANDARD_RULES if house == STANDARD_RULES else house  # one object for most records
    system, casemapping = named.get("system", DEFAULTS.system), known(named.get("casemapping", DEFAULT))
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

"""Casemapping: compare nicks and channels as a network does (IRC-09)."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

_TABLES = {
    "ascii": str.maketrans(ascii_uppercase, ascii_lowercase),
    "rfc1459": str.maketrans(ascii_uppercase + "[]\\~", ascii_lowercase + "{}|^"),
    "rfc1459-strict": str.maketrans(ascii_uppercase + "[]\\", ascii_lowercase + "{}|"),
}
DEFAULT = "rfc1459"
MAPPINGS = tuple(_TABLES)


def fold(name: str, casemapping: str = DEFAULT) -> str:
    """Fold `name` for comparison; an unknown mapping counts as rfc1459."""
    return name.translate(_TABLES.get(casemapping, _TABLES[DEFAULT]))


def known(casemapping: str) -> str:
    """The mapping that `fold` uses."""
    return casemapping if casemapping in _TABLES else DEFAULT


def same(one: str, other: str, casemapping: str) -> bool:
    """Whether two names are equal under that mapping."""
    return one == other or fold(one, casemapping) == fold(other, casemapping)

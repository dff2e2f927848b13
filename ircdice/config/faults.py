"""Faults found in a config, gathered so that all are told at once. Knows no key and no value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from ircdice.errors import ConfigError


def nearest(word: str, known: Iterable[str]) -> str:
    """A closing half-sentence that names the nearest of `known`, or all of them where none is near."""
    names = sorted(known)
    close = get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    return f"known are {', '.join(names)}" if names else "there is none"


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


@dataclass(slots=True)
class Faults:
    """What is wrong in one file, by line; line 0 is the file as a whole."""

    path: Path
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, sentence: str, *, section: str = "", key: str = "") -> None:
        """Note one fault. A sentence never quotes a secret (IRC-05)."""
        place = " ".join(filter(None, (f"[{section}]" if section else "", key)))
        self.found.append((line, _printable(f"{place}: {sentence}" if place else sentence)))

    def told(self) -> tuple[str, ...]:
        """Each fault in one line, in the file's order."""
        ordered = sorted(dict.fromkeys(self.found), key=lambda fault: fault[0])
        return tuple(f"{self.path}:{line}: {text}" if line else f"{self.path}: {text}" for line, text in ordered)

    def raise_any(self) -> None:
        """Raise all of them as one error, if there are any."""
        if self.found:
            raise ConfigError(self.told())

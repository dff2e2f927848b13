"""Report: the faults and warnings of one config, each a sentence with its file, line, section and key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from ircdice.errors import ConfigError


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence: the name in `known` that is most like `word`, or all of them if none is."""
    names = sorted(known)
    close = get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    return f"known are {', '.join(names)}" if names else "there is none"


def why(error: ValueError | OSError) -> str:
    """The sentence of an error: our own ValueError, or a file that cannot be used."""
    if isinstance(error, OSError):
        return f"{error.filename}: {(error.strerror or 'cannot be read').lower()}"
    return str(error)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@dataclass(slots=True)
class Report:
    """Everything found in one file. No sentence may quote a secret (IRC-05)."""

    path: Path
    lines: dict[tuple[str, str], int] = field(default_factory=dict)  # by section and key; key "" is the header
    faults: list[tuple[int, str]] = field(default_factory=list)  # line 0: the file as a whole
    blamed: set[str] = field(default_factory=set)  # sections with a fault

    def fault(self, sentence: str, section: str = "", key: str = "", line: int | None = None) -> None:
        """Note a fault; without `line` it is placed at the key, else at the header of the section."""
        line = self._line(section, key) if line is None else line
        self.faults.append((line, _sentence(sentence, section, key)))
        self.blamed.add(section)

    def warning(self, sentence: str, section: str, key: str = "") -> str:
        """A warning in one line."""
        return self._placed(self._line(section, key), _sentence(sentence, section, key))

    def raise_faults(self) -> None:
        """Raise all faults as one error, in the order of the file."""
        if self.faults:
            ordered = sorted(dict.fromkeys(self.faults), key=lambda fault: fault[0])
            raise ConfigError(tuple(self._placed(line, text) for line, text in ordered))

    def _line(self, section: str, key: str) -> int:
        return self.lines.get((section, key)) or self.lines.get((section, ""), 0)

    def _placed(self, line: int, text: str) -> str:
        return f"{self.path}:{line}: {text}" if line else f"{self.path}: {text}"


def _sentence(sentence: str, section: str, key: str) -> str:
    place = " ".join(filter(None, (f"[{section}]" if section else "", key)))
    return _printable(f"{place}: {sentence}" if place else sentence)

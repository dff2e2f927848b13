"""Report: the faults and warnings of one config, each with its file, line, section and key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from ircdice.errors import ConfigError, ConfigFault


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


@dataclass(slots=True)
class Report:
    """Everything found in one file. No sentence may quote a secret (IRC-05)."""

    path: Path
    lines: dict[tuple[str, str], int] = field(default_factory=dict)  # by section and key; key "" is the header
    faults: list[ConfigFault] = field(default_factory=list)
    blamed: set[str] = field(default_factory=set)  # sections with a fault

    def fault(self, sentence: str, section: str = "", key: str = "", line: int | None = None) -> None:
        """Note a fault; without `line` it is placed at the key, else at the header of the section."""
        line = self._line(section, key) if line is None else line
        self.faults.append(ConfigFault(sentence, str(self.path), line, section, key))
        self.blamed.add(section)

    def warning(self, sentence: str, section: str, key: str = "") -> ConfigFault:
        """A warning, placed as a fault is."""
        return ConfigFault(sentence, str(self.path), self._line(section, key), section, key)

    def raise_faults(self) -> None:
        """Raise all faults as one error, in the order of the file."""
        if self.faults:
            raise ConfigError(*sorted(dict.fromkeys(self.faults), key=lambda fault: fault.line))

    def _line(self, section: str, key: str) -> int:
        return self.lines.get((section, key)) or self.lines.get((section, ""), 0)

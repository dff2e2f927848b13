"""INI text with the lines of its sections and options, and a report of what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from ircdice.errors import ConfigError, ConfigFault

_HEADER = re.compile(r"\[(.+)\]")


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence: the name in `known` closest to `word`, or all of them if none is close."""
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

    def fault(self, sentence: str, section: str = "", key: str = "", line: int | None = None) -> None:
        """Note a fault; without `line` it is placed at the key, else at the header of the section."""
        placed = self.warning(sentence, section, key, line)
        if placed not in self.faults:
            self.faults.append(placed)

    def warning(self, sentence: str, section: str, key: str = "", line: int | None = None) -> ConfigFault:
        """A warning, located like a fault."""
        if line is None:
            line = self.lines.get((section, key)) or self.lines.get((section, ""), 0)
        return ConfigFault(sentence, str(self.path), line, section, key)

    def raise_faults(self) -> None:
        """Raise all faults as one error, in the order of the file."""
        if self.faults:
            raise ConfigError(*sorted(self.faults, key=lambda fault: fault.line))


@dataclass(frozen=True, slots=True)
class Option:
    """One `KEY = VALUE`, by its lines; the key is in lower case."""

    key: str
    lines: list[str] = field(repr=False)  # may hold a secret
    line: int

    @property
    def value(self) -> str:
        """The whole value."""
        return "\n".join(self.lines).rstrip()


@dataclass(frozen=True, slots=True)
class Section:
    """One `[TITLE]` and its options in order, repeated ones included."""

    title: str
    line: int
    options: list[Option] = field(default_factory=list)


def read(text: str, report: Report) -> list[Section]:
    """The sections of `text`. Lines that are neither header, option nor comment become faults.

    A value continues on lines indented further than its key. `#` begins a comment only if a space follows: a
    list of channels may span lines.
    """
    sections: list[Section] = []
    option: Option | None = None
    indent = 0  # of the first line of the option
    for number, line in enumerate(text.split("\n"), 1):
        given, depth = line.strip(), len(line) - len(line.lstrip())
        key, equals, value = given.partition("=")
        if given == "#" or given.startswith((";", "# ", "#\t")):
            continue
        if not given or (option and depth > indent):
            if option:
                option.lines.append(given)
        elif header := _HEADER.match(given):
            section, option = Section(header[1].strip(), number), None
            if depth:
                report.fault("the header of a section must not be indented", section.title, line=number)
            else:
                sections.append(section)
        elif not equals or not key.strip():
            report.fault("neither [SECTION], KEY = VALUE nor a comment (; or # and a space)", line=number)
        else:
            option, indent = Option(key.strip().lower(), [value.strip()], number), depth
            if sections:
                sections[-1].options.append(option)
            else:
                report.fault("comes before any section", key=option.key, line=number)
    return sections

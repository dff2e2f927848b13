"""INI text with the lines of its sections and options, and a report of what is wrong with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ircdice.errors import ConfigError, ConfigFault

_HEADER = re.compile(r"\[(.+)\]")


@dataclass(slots=True)
class Report:
    """Everything found in one file. No sentence may quote a secret (IRC-05)."""

    path: Path
    lines: dict[tuple[str, str], int] = field(default_factory=dict)  # by section and key; key "" is the header
    faults: list[ConfigFault] = field(default_factory=list)

    def fault(self, sentence: str, section: str = "", key: str = "", line: int | None = None) -> None:
        """Note a fault; without `line` it is placed at the key, else at the header of the section."""
        fault = self.warning(sentence, section, key, line)
        if fault not in self.faults:
            self.faults.append(fault)

    def warning(self, sentence: str, section: str, key: str = "", line: int | None = None) -> ConfigFault:
        """A warning, located like a fault."""
        if line is None:
            line = self.lines.get((section, key)) or self.lines.get((section, ""), 0)
        return ConfigFault(sentence, str(self.path), line, section, key)

    def raise_faults(self) -> None:
        """Raise all faults as one error, in the order of the file."""
        if self.faults:
            raise ConfigError(*sorted(self.faults, key=lambda fault: fault.line))


@dataclass(slots=True)
class Option:
    """One `KEY = VALUE`; the key is in lower case."""

    section: str
    key: str
    value: str = field(repr=False)  # may be a secret
    line: int


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
    for number, line in enumerate(re.split("\r\n?|\n", text), 1):
        given, depth = line.strip(), len(line) - len(line.lstrip())
        key, equals, value = given.partition("=")
        if not given or given == "#" or given.startswith((";", "# ", "#\t")):
            continue
        if option and depth > indent:
            option.value += f"\n{given}"
        elif header := _HEADER.match(given):
            sections.append(Section(" ".join(header[1].split()), number))
            option = None
        elif not equals or not key.strip():
            report.fault("neither [SECTION], KEY = VALUE nor a comment (; or # and a space)", line=number)
        elif not sections:
            report.fault("comes before any section", key=key.strip().lower(), line=number)
        else:
            option, indent = Option(sections[-1].title, key.strip().lower(), value.strip(), number), depth
            sections[-1].options.append(option)
    return sections

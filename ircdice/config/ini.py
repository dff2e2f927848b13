"""Read INI text into sections and options with their line numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ircdice.config.faults import Report

_HEADER = re.compile(r"\[(.+)\]")


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

    A value goes on in lines that are indented further than its key. `#` begins a comment only with a space after it: a
    list of channels may span lines.
    """
    sections: list[Section] = []
    section: Section | None = None
    option: Option | None = None
    indent = 0  # of the option's first line
    for number, line in enumerate(text.split("\n"), 1):
        given, depth = line.strip(), len(line) - len(line.lstrip())
        key, sign, value = given.partition("=")
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
        elif not sign or not key.strip():
            report.fault("neither [SECTION], KEY = VALUE nor a comment (; or # and a space)", line=number)
        else:
            option, indent = Option(key.strip().lower(), [value.strip()], number), depth
            if section is None:
                report.fault("comes before any section", key=option.key, line=number)
            else:
                section.options.append(option)
    return sections

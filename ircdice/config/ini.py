"""Read INI text into sections and options with their line numbers."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ircdice.config.faults import Report

_HEADER = re.compile(r"\[(.+)\]")
_NUMBERED = re.compile(r"([0-9]+) (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Option:
    """One `KEY = VALUE`."""

    key: str
    value: str = field(repr=False)  # may be a secret
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """One `[TITLE]` and its options in order, repeated ones included."""

    title: str
    line: int
    options: tuple[Option, ...]


class _NumberedLines:
    """Lines for configparser, which keeps no line numbers: each header and each key gets its own as a prefix.

    The prefix also keeps repeated sections and keys apart, so that they can be reported.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._number = 0

    def __iter__(self) -> Iterator[str]:
        yield "[0 ]\n"  # collects the keys that come before the first section
        for number, line in enumerate(self._text.split("\n"), 1):
            self._number = number
            if line.strip() == "#":
                yield ";\n"  # an empty comment
            else:
                yield _HEADER.sub(rf"[{number} \1]", line, count=1) + "\n" if line[:1] == "[" else line + "\n"

    def key(self, key: str) -> str:
        """`key` in lower case with its line number."""
        return f"{self._number} {key.lower()}"


def read(text: str, report: Report) -> list[Section]:
    """The sections of `text`. Lines that are neither header, option nor comment become faults."""
    lines = _NumberedLines(text)
    # `#` begins a comment only with a space after it: a list of channels may span lines
    parser = configparser.RawConfigParser(strict=False, comment_prefixes=(";", "# ", "#\t"), delimiters=("=",))
    parser.optionxform = lines.key  # type: ignore[assignment]  # configparser's documented way
    try:
        parser.read_file(iter(lines))
    except configparser.ParsingError as error:
        for line, _ in error.errors:  # the text is not shown: it may be a secret
            report.fault("neither [SECTION], KEY = VALUE nor a comment (; or # and a space)", line=line - 1)
    parser.optionxform = str  # type: ignore[assignment]  # the keys have their numbers now
    sections = [_section(title, parser.items(title), report) for title in parser.sections()]
    return [section for section in sections if section.line > 0]


def _section(title: str, items: list[tuple[str, str]], report: Report) -> Section:
    numbered = [(*_split(key), value) for key, value in items]
    options = tuple(Option(key, value, line) for line, key, value in numbered if key)
    line, name = _split(title)
    if line < 0:  # only a header at the beginning of its line gets a number
        at = options[0].line - 1 if options else 0
        report.fault("the header of a section must not be indented", name, line=at)
    elif line == 0:
        for option in options:
            report.fault("comes before any section", key=option.key, line=option.line)
    return Section(name.strip(), line, options)


def _split(numbered: str) -> tuple[int, str]:
    match = _NUMBERED.fullmatch(numbered)
    return (int(match[1]), match[2]) if match else (-1, numbered)

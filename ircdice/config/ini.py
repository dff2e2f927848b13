"""INI text → sections and options with their lines. Knows the file's form and none of its names."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ircdice.config.faults import Faults

_HEADER = re.compile(r"\[(.+)\]")
_LINE = re.compile(r"([0-9]+) (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Option:
    """One `KEY = VALUE`."""

    key: str
    value: str = field(repr=False)  # may be a secret
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """One `[TITLE]` and what stands under it, in order, repeats and all."""

    title: str
    line: int
    options: tuple[Option, ...]


class _Lines:
    """The text's lines for configparser, which keeps no line numbers: headers get theirs in front.

    So no two headers are alike, and nothing is merged before a repeat can be told.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        yield "[0 ]\n"  # takes in the keys that stand before any section
        for number, line in enumerate(self.text.split("\n"), 1):
            self.number = number
            if line.strip() == "#":
                yield ";\n"  # a comment without words
            else:
                yield _HEADER.sub(rf"[{number} \1]", line, count=1) + "\n" if line[:1] == "[" else line + "\n"

    def key(self, key: str) -> str:
        """`key` with its line in front, for the same reason."""
        return f"{self.number} {key.lower()}"


def read(text: str, faults: Faults) -> list[Section]:
    """The sections of `text`; lines that are neither header, option nor comment become faults."""
    lines = _Lines(text)
    # a comment's # needs its blank, or a list of channels could not span lines
    parser = configparser.RawConfigParser(strict=False, comment_prefixes=(";", "# ", "#\t"), delimiters=("=",))
    parser.optionxform = lines.key  # type: ignore[assignment]  # configparser's own documented way
    try:
        parser.read_file(iter(lines))
    except configparser.ParsingError as error:
        for line, _ in error.errors:  # its text is not shown: it may be a secret
            faults.add(line - 1, "neither [SECTION], KEY = VALUE nor a comment (; or # and a blank)")
    parser.optionxform = str  # type: ignore[assignment]  # the lines stand in the keys by now
    return [_section(title, parser.items(title), faults) for title in parser.sections()]


def _section(title: str, items: list[tuple[str, str]], faults: Faults) -> Section:
    numbered = [_split(key) for key, _ in items]
    options = tuple(Option(key, value, line) for (line, key), (_, value) in zip(numbered, items, strict=True) if key)
    line, name = _split(title)
    if line < 0:
        faults.add(options[0].line - 1 if options else 0, "the header of a section begins its line", section=name)
    elif line == 0:
        for option in options:
            faults.add(option.line, "stands before any section", key=option.key)
    return Section(name.strip(), line, options)


def _split(numbered: str) -> tuple[int, str]:
    match = _LINE.fullmatch(numbered)
    return (int(match[1]), match[2]) if match else (-1, numbered)

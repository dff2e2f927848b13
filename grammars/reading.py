"""A command with what may stand after it: `as NAME`, a full stop, a comment (GEN-02, GEN-03)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import pyparsing as pp

from grammars.command import Command
from grammars.suggest import near
from grammars.tokens import END, FLAGS, NDX, NICK_PATTERN, REF_PATTERN, Token

# GEN-03: with one of these a comment may have been meant as part of the roll.
SUMS = frozenset(
    ("plus", "minus", "add", "subtract", "times", "twice", "double", "doubled", "half", "halved", "divided")
)
_WORDS = re.compile(r"[^\W_]+")
_KEYED = re.compile(r"(?<![a-z])[a-z]{1,12}\s?[:=]?\s?[-+]?[0-9]", FLAGS)  # `t4`, `dc 7`
_COMMAND_WORD = re.compile(r"^\s*[a-z]+[0-9]?", FLAGS)
_REF = re.compile(rf"{REF_PATTERN}(?=\s|$)", FLAGS)
_DASH = re.compile(r"^[-,.;:!?]+\s*")  # between a command and what is said of it


@dataclass(frozen=True, slots=True)
class Reading:
    """A line that is a command, and what was said with it.

    `word` is the command word as typed, `typed` the command alone. `name` is what follows `as`, which is a clause if
    the channel knows such a character or nick, else the beginning of the comment (GEN-03). `ref` is the `#ID` that a
    comment begins with: it may name the contest that a roll answers. `alone` says that the line is one word.
    """

    node: Command
    grammar: str
    word: str
    typed: str
    comment: str | None = None
    name: str | None = None
    ref: str | None = None
    alone: bool = False

    @property
    def speaks_as(self) -> str | None:
        """The character or nick that the command is for (GEN-06)."""
        return self.name

    @property
    def without_name(self) -> Reading:
        """The same where nobody is called that: `as …` belongs to the comment."""
        comment = f"as {self.name} {self.comment or ''}".strip()
        return replace(self, name=None, comment=comment)

    @property
    def command(self) -> str:
        """The command as it is posted."""
        return str(self.node)


class Tail(NamedTuple):
    """What follows a command: where it begins, and the parts of a Reading."""

    at: int
    name: str | None = None
    comment: str | None = None
    ref: str | None = None


def line_of(command: pp.ParserElement, vocabulary: Iterable[Token], certain: Iterable[str]) -> pp.ParserElement:
    """The grammar of a whole line: `command`, then its tail.

    `vocabulary` are the game's tokens: a word that is nearly one of them is no comment. `certain` are beginnings that
    are no talk once a number follows, as `sc strike`.
    """
    tokens = tuple(vocabulary)
    beginnings = re.compile(rf"(?:{'|'.join(map(re.escape, certain)) or '(?!)'}){END}[^#]*[0-9]", FLAGS)

    def plain_words(text: str, at: int, found: pp.ParseResults) -> Tail:
        said = text[:at]
        after_word = _COMMAND_WORD.sub("", said, count=1)  # `b8` and `v5` are no keyed numbers
        could_be_talk = not (NDX.search(said) or _KEYED.search(after_word) or beginnings.match(said.lstrip()))
        if could_be_talk or _may_be_meant(found[0], tokens):
            raise pp.ParseException(text, at, "no comment")
        return Tail(at, comment=_DASH.sub("", found[0].rstrip(" ,.;"), count=1))

    def purpose(text: str, at: int, found: pp.ParseResults) -> Tail:
        if _may_be_meant(found.said, tokens):
            raise pp.ParseException(text, at, "no comment")
        return Tail(at, comment=found.said.strip() or None)

    name = pp.Regex(rf"as\s+@?(?P<name>{NICK_PATTERN})(?=[\s.,!?]|$)", FLAGS).set_name("as NAME")
    stop = pp.Regex(r"(?<![.!?])[.!?]+(?=\s|$|#)").set_name("full stop").suppress()
    hashed = pp.Regex(r"#.*", re.DOTALL).set_name("# comment").set_parse_action(_hashed)
    wherefore = pp.Regex(r"for(?:\s+(?P<said>.*))?$", FLAGS | re.DOTALL).set_name("for …").set_parse_action(purpose)
    words = (
        pp.Regex(r"(?:(?<=[\s,;:.!?-])|[,;:-]+\s)[^\W\d_].*", re.DOTALL | re.UNICODE)
        .set_name("words")
        .set_parse_action(plain_words)
    )
    end = pp.StringEnd().set_parse_action(lambda _text, at, _found: Tail(at))
    comment = pp.Opt(stop) + (end | hashed | wherefore | words)
    named = (name + comment).set_parse_action(lambda _text, at, found: found[1]._replace(at=at, name=found.name))
    return command + (end | named | comment).set_name("comment")


def _hashed(_text: str, at: int, found: pp.ParseResults) -> Tail:
    ref = _REF.match(found[0])
    return Tail(at, comment=found[0][1:].strip() or None, ref=ref[0][1:].lower() if ref else None)


def _may_be_meant(said: str, tokens: Iterable[Token]) -> bool:
    """GEN-03: whether plain words may have been meant as part of the command."""
    said = said.partition("#")[0]
    if any(c.isdigit() for c in said):
        return True
    words = [w.lower() for w in _WORDS.findall(said)]
    return any(w in SUMS or any(near(w, token) for token in tokens) for w in words)

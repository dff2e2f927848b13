"""A command with its tail: `as NAME`, a full stop, a comment (GEN-02, GEN-03); or talk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import pyparsing as pp

from grammars.command import Command, marked, quoted
from grammars.errors import CommandSyntaxError, ImpossibleError, Objection, Refused
from grammars.line import END, FLAGS, LAST, NDX, NICK_PATTERN, REF_PATTERN, SPACE_OR_COMMA, shown
from grammars.tokens import Token, near

LONG = 5  # GEN-03: plain talk is compared with words of at least this length
SHORT = 3  # plain talk must not contain words of at least this length: `lying low`
HARD = frozenset(("easy", "simple", "average", "hard", "tough", "difficult", "impossible"))
# GEN-03: comments with one of these may be meant as part of the roll.
SUMS = frozenset(
    ("plus", "minus", "add", "subtract", "times", "twice", "double", "doubled", "half", "halved", "divided")
)
_SPACE = re.compile(r"[\s-]")
_WORD = re.compile(r"[^\W_]+")
_KEYED = re.compile(r"(?<![a-z])[a-z]{1,12}\s?[:=]?\s?[-+]?[0-9]", FLAGS)  # `t4`, `dc 7`
_COMMAND_WORD = re.compile(r"^\s*[a-z]+[0-9]?", FLAGS)
_REF = re.compile(rf"{REF_PATTERN}(?=\s|$)", FLAGS)
_STOP = r"(?:(?<![.?])[.!?]+(?=\s|$|#)\s*)?"  # GEN-02: what ends a sentence
AS_NAME = rf'as\s+(?:@?{NICK_PATTERN}|"[^"]{{1,64}}")(?=[\s.,!?]|$)'
INSIDE = re.compile(rf"\s(?P<name>{AS_NAME})(?=[{SPACE_OR_COMMA}])", FLAGS)  # `as NAME` before the end of a line
_HASHED = r"\#(?P<hashed>.*)"
_PURPOSE = r"for(?!\s+help[.!?]*\s*$)(?:\s+(?P<purpose>.*))?$"
_SMILEY = r"[:;]-?[()DP](?=\s|$)"
_EMOJI = "[\u2600-\u27bf\U0001f000-\U0001faff]"
_WORDS = (
    rf"(?P<words>(?:(?:(?<=[\s,;:.!?-])|[,;:-]+\s)(?:[('\"]?(?u:[^\W\d_])|{_EMOJI})"
    rf"|(?<=\s){_SMILEY}).*)"
)
_OTHER = r"(?<=[\s,;:-])(?P<other>\S.*)"  # not a comment: it begins with a digit or another character
_COMMENT = rf"(?P<comment>{_STOP}(?:(?P<end>$)|{_HASHED}|{_PURPOSE}|{_WORDS}|{_OTHER}))"
_TAIL = rf"(?:(?P<name>{AS_NAME})[{SPACE_OR_COMMA}]*|(?!{AS_NAME})){_COMMENT}"
_AGAINST = re.compile(  # `me vs him` names no one
    rf"(?:^v|(?<![^\W_])(?:vs|versus)){END}(?!\.?\s+(?:me|you|him|her|it|us|them){END})|@\s?\w*", FLAGS
)
_COUNT = re.compile(r"(?<!\S)[0-9]+\s?$")  # `3` of `3#5d10`
_DICE = re.compile(rf"\s?[-+(]*{NDX.pattern}", FLAGS)
_DASH = re.compile(rf"^(?!{_SMILEY})[-,.;:!?]+\s*")  # between a command and its comment


class Reading(NamedTuple):
    """A line that is a command, with its tail.

    `word` is the command word as typed, `typed` the command alone. `speaks_as` is the name after `as`: a clause if
    the channel knows such a character or nick, otherwise part of the comment (GEN-03, GEN-06). `in_words` means that
    the comment has no `#`. `ref` is the `#ID` at the start of a comment, which may name the contest that a roll
    answers. `alone` means that the command is a single word, and `inside` that `as NAME` is not at its end. `stranger`
    is the unknown name after `as` with which the comment begins.
    """

    node: Command
    grammar: str
    word: str
    typed: str
    comment: str | None = None
    speaks_as: str | None = None
    ref: str | None = None
    in_words: bool = False
    alone: bool = False
    stranger: str | None = None
    inside: bool = False

    def __str__(self) -> str:
        """The whole line, as it can be typed again."""
        return f"{self.node}{self.suffix}"

    @property
    def suffix(self) -> str:
        """`as NAME` and the comment, as typed after a command."""
        comment = f" #{'' if self.ref else ' '}{self.comment}" if self.comment else ""
        return f"{marked(' as ', quoted(self.speaks_as))}{comment}"

    @property
    def without_name(self) -> Reading:
        """A copy for an unknown name, in which `as …` is part of the comment."""
        comment = f"as {self.speaks_as} {self.comment or ''}".strip()
        return self._replace(speaks_as=None, comment=comment, in_words=True, stranger=self.speaks_as)


class Tail(NamedTuple):
    """The tail of a command: its start, and the parts of a Reading."""

    at: int
    comment: str | None = None
    speaks_as: str | None = None
    ref: str | None = None
    in_words: bool = False


@dataclass(eq=False)
class UnknownCommand(Refused):
    """Talk: the bot stays silent.

    `reading` is the command that the line would be if the bot had been called, or if the moment had made it certain
    (GEN-10). `error` is its fault if it is only a command word and a `number`. `dice` means that it begins with dice.
    """

    reading: Reading | None = None
    error: CommandSyntaxError | None = None
    number: str = ""
    dice: bool = False


class Doubtful(pp.ParseException):
    """GEN-03: after a complete command, `word` in the comment may have been meant as part of it."""

    def __init__(self, text: str, at: int, word: str) -> None:
        super().__init__(text, at, "doubtful")
        self.word = word


def line_of(command: pp.ParserElement, vocabulary: Iterable[Token], certain: Iterable[str]) -> pp.ParserElement:
    """The grammar of a whole line: `command`, then its tail.

    `vocabulary` are the game's tokens: a word that resembles one of them is not a comment. `certain` are beginnings
    that are never talk if a number follows, such as `sc strike`.
    """
    known, beginnings = plain_words(vocabulary), tuple(certain)

    def value(match: re.Match[str]) -> Tail:
        text, at, comment, ref = match.string, match.start("comment"), None, None
        if match["hashed"] is not None:
            check_hash(text, at, match["hashed"])
            comment, ref = match["hashed"].strip(), _REF.match(f"#{match['hashed']}")
        elif match["end"] is None:
            words, other, purpose = match["words"], match["other"], match["purpose"] or ""
            doubtful, talk = may_be_meant(words or other or purpose, known), could_be_talk(text[:at], beginnings)
            if doubtful and not talk:
                raise Doubtful(text, at, doubtful)
            if other or (talk and (words or doubtful)):
                raise pp.ParseException(text, at, "no comment")
            comment = _DASH.sub("", words.rstrip(" ,.;"), count=1) if words else purpose.strip() or None
        name = match["name"] and name_in(match["name"])
        in_words = match["hashed"] is None and comment is not None
        return Tail(match.start(), comment or None, name, ref and ref[0][1:].lower(), in_words)

    if not command.parseAction:  # pyparsing would merge it with the tail, and its `-` would apply there too
        command = command.copy().set_parse_action(lambda tokens: tokens)
    return command + Token("comment", _TAIL, value=value)


def name_in(said: str) -> str:
    """The name in `as NAME`."""
    return said[2:].strip().lstrip("@").strip('"')


def check_hash(text: str, at: int, said: str) -> None:
    """GEN-03: `#` between a number and dice does not start a comment, unless it has spaces on both sides."""
    count = _COUNT.search(text[:at])
    if count is None or _DICE.match(said) is None:
        return
    before, after = text[at - 1].isspace(), said[0].isspace()
    if not (before or after):
        raise pp.ParseException(text, at, "no comment")
    if not (before and after):
        sentence = f'is "{shown(count[0])}#{shown(said)}" a repeat, or a comment? Then # has spaces on both sides.'
        raise Objection(text, count.start(), ImpossibleError(sentence))


def could_be_talk(said: str, certain: Iterable[str]) -> bool:
    """GEN-03: whether a complete command might be talk: it has neither dice nor a keyed number."""
    after_word = _COMMAND_WORD.sub("", said, count=1)  # `b8` and `v5` are not keyed numbers
    begins = any(re.match(rf"\s*{re.escape(beginning)}{END}.*[0-9]", said, FLAGS) for beginning in certain)
    return not (begins or NDX.search(said) or _KEYED.search(after_word))


def may_be_meant(said: str, known: frozenset[str]) -> str | None:
    """GEN-03: the first word that may have been meant as part of the command; `known` are its words."""
    said = said.partition("#")[0]
    if (against := _AGAINST.search(said)) and (against[0][0] != "@" or "vs" in known):
        return against[0]
    words = list(dict.fromkeys(_WORD.findall(said)))
    alone = len(words) == 1
    doubtful = (w for w in words if w.lower() in SUMS or any(map(str.isdigit, w)) or may_be(w.lower(), known, alone))
    return next(doubtful, None) or phrase_in(said, known)


def plain_words(tokens: Iterable[Token]) -> frozenset[str]:
    """GEN-03: the words of a grammar that need no number: short ones as they are, `boon`, and the long words of
    spellings such as `great disadvantage` separately."""
    spellings = [spelling for token in tokens if not token.numbered for spelling in token.words]
    parts = {word for spelling in spellings for word in _SPACE.split(spelling) if len(word) >= LONG}
    return frozenset(parts.union(spellings))


def may_be(typed: str, words: Iterable[str], alone: bool = False) -> bool:
    """GEN-03: whether a word is, or may be a misspelling of, one of `words`. A word `alone` is also compared with
    shorter words, `bon` with `boon`, and may be a difficulty of no game."""
    if (len(typed) >= SHORT and typed in words) or (alone and typed in HARD):
        return True
    return bool(near(typed, (w for w in words if len(w) >= LONG - alone)))


def no_difficulty(words: Iterable[str]) -> Token:
    """GEN-18: a difficulty word that is not one of the game's `words`, which the sentence names."""

    def refuse(match: re.Match[str]) -> None:
        raise ImpossibleError(f'"{match[0]}" is no difficulty here: they are {", ".join(words)}.')

    return Token("easy", rf"(?:{'|'.join(sorted(HARD))}){LAST}", value=refuse, rejects=True)


def phrase_in(said: str, words: Iterable[str]) -> str | None:
    """GEN-03: a spelling of several words, perhaps run together, found in talk: `full moon`."""
    for word in words:
        parts = _SPACE.split(word)
        if len(parts) > 1 and (found := re.search(rf"\b{'[ -]?'.join(map(re.escape, parts))}\b", said, FLAGS)):
            return found[0]
    return None

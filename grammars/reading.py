"""One command by one grammar (GEN-02, GEN-03): its node and what stands beside it, or how far the grammar came.

Knows neither the other grammars nor whether anybody called the bot.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, NamedTuple
from unicodedata import digit

import pyparsing as pp

from grammars.catalogue import Grammar, hinted, worded
from grammars.line import shown
from grammars.repair import mended, put_right, slipped_alone
from grammars.slips import question
from grammars.spelt import hiding
from grammars.talk import explodes, is_a_comment
from grammars.tokens import FLAGS, NDX, NICK, Misread
from grammars.unread import UnreadError

_COMMENT = re.compile(  # GEN-03, and a full stop in front of it
    r"\s*(?:[.!?]+(?:\s+|(?=\#)))?(?:\#(?P<hash>.*)|for\s+(?!help\s*$)(?P<purpose>\S.*))", FLAGS | re.DOTALL
)
_STOP = re.compile(r"\s*[.!?]+\s*")
_STOP_OR_COMMENT = re.compile(rf"(?:{_STOP.pattern})?(?:{_COMMENT.pattern})?", FLAGS | re.DOTALL)
_AS = re.compile(rf"(?<=\s)as\s+@?(?P<name>{NICK})(?=[\s.,!?]|$)", FLAGS)
_DASH = re.compile(r"^(?:[-,.;:!?]+\s+|,)")  # between a command and what is said of it
_REF = re.compile(r"#(?P<ref>[0-9a-z]+(?:-[0-9a-z]{6})?)(?=\s|$)", FLAGS)
_HIDDEN = (  # DSK-07
    '"{}" behind a roll hides nothing: a storyteller says "secret COMMAND in #CHANNEL" to me in private.'
)


class Reading(NamedTuple):
    """A line that is a command: its node, the grammar that read it, and what stood beside it."""

    node: Any
    grammar: str
    word: str
    comment: str | None = None
    speaks_as: str | None = None  # `as NAME` (GEN-06)
    alone: bool = False  # nothing of a command but its word (GEN-10)
    typed: str = ""  # the command alone
    ref: str | None = None  # `#4d` where no grammar took it: an answer's contest, or the beginning of a comment
    words_at: int | None = None  # where plain words begin that were taken as a comment

    @property
    def command(self) -> str:
        """The command as it is posted."""
        return worded(self.node, self.typed)

    @property
    def hint(self) -> str:
        """The command as a hint has it."""
        return hinted(self.node, self.typed)


def by(grammar: Grammar, plain: str, start: int, word: str) -> Reading:
    """The reading of one grammar, comment and all."""
    try:
        found = grammar.parsers[word].parsed(plain, start)
    except Misread as objection:
        hint = partial(mended, grammar, plain, word, objection.instead)
        objected = "" if objection.missing else next(iter(plain[objection.loc :].split()), "")
        failure = UnreadError(
            grammar, objection.loc, objection.sentence, hint, guess=objection.guess, objected=objected
        )
        failure.knows = True
        behind = objection.rest
        failure.whole = behind is not None and bool(_STOP_OR_COMMENT.fullmatch(behind))
        failure.meant = objection.meant and failure.whole
        failure.slip = partial(_misspelt, failure, plain, word)
        raise failure from None
    except pp.ParseBaseException as lost:
        raise _not_understood(grammar, plain, max(lost.loc, len(word)), word) from None
    if found is None:
        raise _not_understood(grammar, plain, max(start, len(word)), word)
    node, rest = found
    end = len(plain) - len(rest)
    comment = ref = None
    hashed = rest[:1] == "#" and not (rest[1:2].strip() and _wants_id(node))
    if hashed:
        comment, ref = _said(rest)
    alone = not plain[start + len(word) : end].strip()
    reading = Reading(node, grammar.name, word, comment, None, alone, plain[:end], ref)
    if hashed or not rest or (_STOP.fullmatch(rest) and not explodes(plain, end)):
        return reading
    return _with_rest(reading, grammar, plain, start, end)


def _wants_id(node: Any) -> bool:
    """Whether a node may name a roll and names none: then `wp #!!` is no id, and no comment either."""
    return getattr(node, "ref", "") is None


def _said(hashed: str) -> tuple[str | None, str | None]:
    """The comment behind a `#`, and the id that it may be (GEN-03)."""
    ref = _REF.match(hashed)
    return hashed[1:].strip() or None, ref and ref["ref"].lower()


def _with_rest(reading: Reading, grammar: Grammar, plain: str, start: int, end: int) -> Reading:
    """What may stand behind a complete command, but for a `#`: `as NAME`, a comment (GEN-03)."""
    if speaks_as := _AS.match(plain, end):
        if _AS.match(plain, speaks_as.end() + 1):
            raise _not_understood(grammar, plain, speaks_as.end(), reading.word)
        without = plain[:end] + " " * (speaks_as.end() - end) + plain[speaks_as.end() :]  # the columns stay
        return by(grammar, without, start, reading.word)._replace(speaks_as=speaks_as["name"])
    if plain[end] == "#":
        raise _not_understood(grammar, plain, end, reading.word)
    comment = _COMMENT.match(plain, end)
    if comment and not explodes(plain, end):
        if comment["hash"] is None:
            return reading._replace(comment=comment["purpose"].strip() or None)
        said, ref = _said(plain[comment.start("hash") - 1 :])
        return reading._replace(comment=said, ref=ref)
    rest = plain[end:]
    if word := hiding(plain, end):
        hides = UnreadError(grammar, end + rest.index(word), _HIDDEN.format(word), lambda: reading.command)
        hides.meant = True
        raise hides
    if rest.strip().lower() == "for":  # nothing was said
        return reading
    asked = plain[start + len(reading.word) : end]  # without its word: there are dice in `roll5d10` too (GEN-04)
    if NDX.search(asked) and not explodes(plain, end) and is_a_comment(grammar, plain, end):
        return reading._replace(comment=_DASH.sub("", rest.rstrip(" ,.;"), count=1), words_at=end)
    raise _not_understood(grammar, plain, end, reading.word)


def _not_understood(grammar: Grammar, plain: str, at: int, word: str) -> UnreadError:
    """The failure for a line that stops making sense at `at`: which word, and what was probably meant."""
    at = len(plain) - len(plain[at:].lstrip())
    hint = partial(mended, grammar, _with_our_digits(plain), word)
    failure = UnreadError(grammar, at, partial(_unknown, grammar, plain, at, word), hint, guess=True)
    failure.asks = partial(question, grammar, plain, at, word)
    failure.meant = slipped_alone(grammar, plain, at, word)
    return failure


def _misspelt(failure: UnreadError, plain: str, word: str) -> UnreadError | None:
    """The failure for a line to which nothing can be objected but that words of it are misspelt (GEN-11)."""
    found = put_right(failure.grammar, plain, word)
    if found is None:
        return None
    typed, at, command = found
    objection = str(failure)
    sentence = objection if re.search(rf"(?<!\w){typed}(?!\w)", objection) else f'"{typed}" is unknown.'
    return UnreadError(failure.grammar, at, sentence, lambda: command, guess=True)


def _unknown(grammar: Grammar, plain: str, at: int, word: str) -> str:
    """The sentence for it, with the whole of a word that a grammar stopped within, `2 h` of `2 heavy`."""
    while 0 < at < len(plain) and plain[at - 1 : at + 1].isalpha():
        at -= 1
    behind = plain[at:].split()
    if behind and _with_our_digits(behind[0]) != behind[0]:
        return f'"{shown(behind[0])}" has digits of another kind.'
    if not behind:
        return f"{word} is not complete."
    if behind[0].lower() in grammar.words:
        said = shown(behind[0])
        return f'"{said} ..." is not understood.' if behind[1:] else f'"{said}" is not complete, or out of place.'
    return f'"{shown(behind[0])}" is unknown.'


def _with_our_digits(plain: str) -> str:
    """The same with ASCII's digits for those of other kinds, which are read as none (GEN-02)."""
    return plain if plain.isascii() else "".join(str(digit(c)) if c.isdecimal() else c for c in plain)

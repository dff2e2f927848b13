"""Terminals that the grammars share: words, numbers with a keyword, dice, nicks, ids, comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

import pyparsing as pp

from grammars.errors import ImpossibleError, Objection
from grammars.line import shown

FLAGS = re.IGNORECASE | re.ASCII  # digits and spaces of other alphabets are not ours (GEN-02)
MOST_CHARACTERS = 400  # GEN-15
MOST_DICE = 100  # GEN-15
MOST_DRAWN = 1000  # GEN-15, GD-14
LARGEST = 1_000_000

END = r"(?![a-z0-9]|[^\x00-\x7f])"  # a word ends here: no letter, digit, or other alphabet (`h２`) follows
ALONE = rf"{END}(?!\s*[^\x00-\x7f])"  # END, and nothing follows that only looks like its number, as in `h ２`
SPACE_OR_COMMA = " ,"  # between the parts of a command (GEN-04)
NUMBER = r"[-+]?[0-9]+(?!\.[0-9])"
WHOLE = r"-?[0-9]+(?!\.[0-9])"
LAST = r"(?=\s*[.!?]*(?:\s*$|\s*#|\s+for\s))"  # the line ends here, or `#` or `for` follows
_AT_THE_END = re.compile(LAST, FLAGS)
# `5d10`, `d20`, `d%`, `4dF`, `d{1,3,5}` in a line of talk: not inside a word, and no `2dfs`.
NDX = re.compile(r"(?:(?<![a-z0-9.])|(?<=roll))[0-9]*\s?d(?:[0-9]+|%|\{|f(?![a-z])|f(?=[kdrem]))", FLAGS)
# A nick on any network, or `user@relay` (IRC-13); a full stop at its end ends the sentence.
_NICK = r"(?:[A-Za-z0-9_\[\]\\`^{}|@\-%s]|[^\x00-\xa0\ud800-\udfff\U00010000-\U0010ffff])"
NICK_PATTERN = rf"{_NICK % '.'}{{0,49}}{_NICK % ''}"
REF_PATTERN = r"#(?:last(?![0-9a-z])|[0-9a-z]+(?:-[0-9a-z]+)?)"
# `4d-27b5pk`, but no word with a hyphen, as `self-esteem`: it has a digit, or no vowel after the hyphen (LED-10).
_BASE32 = "[0-9a-hjkmnp-tv-z]"
WHOLE_ID = re.compile(
    r"(?<![0-9a-z-])(?:[0-9a-z]{1,13}-(?=[a-z]*[0-9])[0-9a-z]{6}"
    rf"|(?=[a-z]*[0-9]|[a-z]*-[^aeiou]{{6}}){_BASE32}{{1,13}}-{_BASE32}{{6}})(?![0-9a-z-])",
    FLAGS,
)
FIGURES: Mapping[str, str] = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
CHANNEL_PATTERN = r"[#&+!][^\s,]*[^\s,.!?]"

Node = TypeVar("Node")
Action = Callable[[str, int, pp.ParseResults], Node]
Value = Callable[[re.Match[str]], object]


class Clause(NamedTuple):
    """A part of a command: the name of the field that it fills, its value, and where and how it was typed."""

    name: str
    value: Any
    at: int
    typed: str


class Token(pp.Regex):
    """A terminal that a player would call one thing.

    `words` are its spellings, from which suggestions and help are made; `numbered` says that a number follows them.
    `value` makes of a match what it stands for (a list for none or several tokens), at half the price of a parse
    action: the value of the clause `clause`, if that is named. It raises ImpossibleError for what cannot be; `rejects`
    says that it always does, so that the token is no part of the notation. `after_comma`: a comma may precede it.
    `kind`, its clause by default, is what it replaces in a command that is changed (DSK-13).
    """

    def __init__(
        self,
        name: str,
        pattern: str,
        words: Iterable[str] = (),
        *,
        clause: str | None = None,
        value: Value | None = None,
        numbered: bool = False,
        rejects: bool = False,
        after_comma: bool = True,
        kind: str = "",
    ) -> None:
        super().__init__(pattern, FLAGS)
        if after_comma:
            self.set_whitespace_chars(SPACE_OR_COMMA)
        self.words = tuple(words)
        self.clause = clause
        self.value = value
        self.numbered = numbered
        self.rejects = rejects
        self.kind = kind or clause or name
        self.set_name(name)

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Any:  # noqa: N802  # pyparsing's name
        """What pyparsing asks of a terminal: where it ends, and what it stands for."""
        if self.value is None:
            return super().parseImpl(instring, loc, do_actions)
        match = self.re.match(instring, loc)
        if match is None:
            raise pp.ParseException(instring, loc, self.errmsg, self)
        try:
            value = self.value(match)
        except ImpossibleError as error:
            raise Objection(instring, loc, error, match[0]) from None
        return match.end(), value if self.clause is None else Clause(self.clause, value, loc, match[0])


# LAST, as an element of a grammar.
THE_END = pp.FollowedBy(Token("end", LAST).leave_whitespace())


def word(*spellings: str, tight: bool = False) -> Token:
    """A word that is only read; it leaves no token. `tight`: a digit may follow without a space (GEN-04)."""
    end = r"(?![a-z])" if tight else END
    return Token(spellings[0], f"{_any_of(spellings)}{end}", spellings, value=lambda _: [])


def command_word(*spellings: str) -> Token:
    """The word that a command begins with; the catalogue has seen that it ends there (`roll5d10`, GEN-04).

    Right before a comma it is talk: `wp, 2 of us are left`.
    """
    return Token(spellings[0], rf"{_any_of(spellings)}(?!\s*,)", spellings, value=lambda _: [])


def flag(name: str, *spellings: str, value: Any = True) -> Token:
    """A word that says something by being there: the clause `name` with `value`."""
    said = spellings or (name,)
    ends = rf"(?:(?<=\.)|{END})"  # `vs.5d10`
    return Token(said[0], f"{_any_of(said)}{ends}", said, clause=name, value=lambda _: value)


def choice(name: str, values: dict[str, Any]) -> Token:
    """One of several words, each with its value: the clause `name`."""
    plain = {_plain(spelling): value for spelling, value in values.items()}
    return Token(name, f"{_any_of(values)}{END}", values, clause=name, value=lambda match: plain[_plain(match[0])])


def keyed(name: str, spellings: str, *, everyday: bool = False, signed: bool = False) -> Token:
    """`h2`, `h 2`, `hunger: 2`: the clause `name`, a whole number after its keyword; its node knows its limits.

    `spellings` is a list with spaces. A word of `everyday` English without a number is left to a comment (GEN-03); any
    other is refused. `signed`: a `+` may precede the number.
    """
    words = tuple(spellings.split())
    alone = [word for word in words if len(word) > 1 and not everyday]

    def value(match: re.Match[str]) -> int:
        if not match["number"]:
            raise ImpossibleError(f"{shown(match[0])} needs a number, as {words[-1]}2.")
        return int(match["number"])

    pattern = rf"{_any_of(words)}\s*[:=]?\s*(?P<number>{NUMBER if signed else WHOLE})"
    pattern += f"|{_any_of(alone)}{ALONE}" if alone else ""
    return Token(f"{words[-1]}N", pattern, words, clause=name, value=value, numbered=True)


def number(name: str, *, before: str = "") -> Token:
    """A number alone, or after the pattern `before`: the clause `name`."""
    pattern = rf"{before}(?P<number>{WHOLE})(?![a-z])"
    return Token("a number", pattern, clause=name, value=lambda match: int(match["number"]))


def positive(name: str) -> pp.ParserElement:
    """A whole number from 1 under the results name `name`, for plug-ins: our own grammars use clauses."""
    return pp.Regex(r"0*[1-9][0-9]{0,5}(?!\.?[0-9])").set_parse_action(lambda t: int(t[0])).set_name(name)(name)


def at_nick() -> Token:
    """`@bob`: the clause `against`."""
    return Token("@nick", rf"@\s?{NICK_PATTERN}", clause="against", value=lambda match: match[0][1:].strip())


def reference() -> Token:
    """`#4d`, `on #4d`, `#last`: the clause `ref`, in lower case (GEN-09, LED-10)."""
    pattern = rf"(?:on\s+)?(?P<id>{REF_PATTERN})"
    return Token("#id", pattern, clause="ref", value=lambda match: match["id"][1:].lower())


# What is made of clauses, and what is objected to.


def check(part: str, value: int | None, low: int, high: int = LARGEST, says: str = "") -> None:
    """Refuse a number of a node, the value of the clause `part`, outside its limits. `says` names it in the error."""
    if value is not None and not low <= value <= high:
        limits = f"{low} or more" if high == LARGEST >= value else f"{low} to {high}"
        raise ImpossibleError(f"{says or part} is {limits}", part, value, typed=True)


_SAID = {  # what a person would call it
    "ref": "the id",
    "adv": "adv or dis",
    "count": "the number",
    "kind": "the kind of pool",
    "modifier": "the modifier die",
}


def values_of(clauses: Iterable[Clause], node: type[Any] | None = None) -> dict[str, Any]:
    """The values of clauses by name; of those that are fields of `node`, if it is given.

    A clause that is given twice is refused; if its values are tuples they are joined, as those of `+1 +2`.
    """
    names = {field.name for field in fields(node)} if node else None
    said: dict[str, Any] = {}
    for clause in clauses:
        if names is not None and clause.name not in names:
            continue
        if isinstance(clause.value, tuple):
            said[clause.name] = said.get(clause.name, ()) + clause.value
        elif clause.name in said:
            name = _SAID.get(clause.name, clause.name)
            raise ImpossibleError(f"{name} is given twice: leave {shown(clause.typed)} out.", clause)
        else:
            said[clause.name] = clause.value
    return said


def repeatable(token: Token) -> Token:
    """The same clause, which may be repeated: its values are a tuple."""
    token.set_parse_action(lambda tokens: tokens[0]._replace(value=(tokens[0].value,)))
    return token


def builds(node: Callable[..., Node], *, asked: bool = False) -> Action[Node]:
    """A parse action: `node` made of the values of clauses, by their names."""
    return made_by(lambda clauses: node(**values_of(clauses)), asked=asked)


def made_by(make: Callable[[Sequence[Any]], Node], *, asked: bool = False) -> Action[Node]:
    """A parse action: what `make` makes of the tokens. What cannot be made is objected to at the clause to blame.

    `asked`: in a channel too, where nothing follows the command.
    """

    def action(text: str, at: int, tokens: pp.ParseResults) -> Node:
        try:
            return make(list(tokens))
        except ImpossibleError as error:
            error.asked = error.asked or (asked and _is_last(text, tokens[-1]))
            blamed = _blamed(error, tokens)
            at, typed = (blamed.at, blamed.typed) if blamed else (at, "")
            raise Objection(text, at, error, typed) from None

    return action


def _blamed(error: ImpossibleError, tokens: Iterable[object]) -> Clause | None:
    """The clause that an error is about: the last with its name and number."""
    found = error.part if isinstance(error.part, Clause) else None
    for place, clause in enumerate(tokens):
        if isinstance(clause, Clause) and error.part in (place, clause.name):
            repeated = isinstance(clause.value, tuple) and len(clause.value) == 1 and error.number is not None
            found = found if repeated and clause.value != (error.number,) else clause
    return found


def refused(
    name: str,
    pattern: str,
    says: str | Callable[[re.Match[str]], str],
    *,
    asked: bool = False,
    instead: str | Callable[[re.Match[str]], str] | None = None,
) -> Token:
    """What players type and cannot be. `says` is the sentence, with what was typed in place of `{}` and the groups of
    `pattern` by their names; `instead` is what the command offered has in its place. `asked` as with ImpossibleError.
    """

    def value(match: re.Match[str]) -> None:
        groups = match.groupdict(default="")
        short = {name: shown(text, 12) for name, text in groups.items()}
        sentence = says(match) if callable(says) else says.format(shown(match[0]), **short)
        new = instead(match) if callable(instead) else instead and instead.format(**groups)
        raise ImpossibleError(sentence, asked=asked, hint=None if new is None else replaced(match, new))

    return Token(name, pattern, value=value, rejects=True)


def replaced(match: re.Match[str], new: str) -> str:
    """The line with `new` in place of what matched."""
    return " ".join(f"{match.string[: match.start()]} {new}{match.string[match.end() :]}".split())


class Refusing(pp.MatchFirst):
    """Clauses of the game that cannot be where they are typed: no part of the notation there."""

    rejects = True


def forbidden(clause: pp.ParserElement, sentence: str) -> pp.ParserElement:
    """A clause that is refused, if it is typed, with a sentence that has what was typed in place of `{}`."""

    def refuse(clauses: Sequence[Clause]) -> None:
        raise ImpossibleError(sentence.format(shown(clauses[0].typed)), clauses[0])

    return pp.Opt(Refusing([clause]).set_parse_action(made_by(refuse)))


def _is_last(text: str, clause: Clause) -> bool:
    """Whether nothing but a comment follows."""
    return _AT_THE_END.match(text, clause.at + len(clause.typed)) is not None


def _any_of(spellings: Iterable[str]) -> str:
    """Spellings as a pattern, the longest first; a space or hyphen in one may be either, or nothing."""
    each = [r"[\s-]?".join(map(re.escape, re.split(r"[\s-]", s))) for s in sorted(spellings, key=len, reverse=True)]
    return f"(?:{'|'.join(each)})"


def _plain(spelling: str) -> str:
    return re.sub(r"[\s-]", "", spelling.lower())


def near(typed: str, words: Iterable[str], letters: int = 1) -> list[str]:
    """Those of `words` from which `typed` differs in at most `letters`, the nearest first; no word of two letters."""
    alike = [word for word in words if len(word) > 2 and abs(len(word) - len(typed)) <= letters]
    return get_close_matches(typed, alike, cutoff=(len(typed) - letters) / len(typed)) if alike else []

"""Terminals that the grammars share: words, numbers with a keyword, dice, nicks, ids, comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar

import pyparsing as pp

from grammars.errors import ImpossibleError, LimitError, Objection
from grammars.line import shown

FLAGS = re.IGNORECASE | re.ASCII  # digits and spaces of other alphabets are not ours (GEN-02)
MOST_CHARACTERS = 400  # GEN-15
MOST_DICE = 100  # GEN-15
MOST_DRAWN = 1000  # GEN-15, GD-14
LARGEST = 1_000_000

END = r"(?![a-z0-9]|[^\x00-\x7f])"  # a word ends here; `h２` is another
ALONE = rf"{END}(?!\s*[^\x00-\x7f])"  # and nothing follows that only looks like its number, as in `h ２`
SPACE_OR_COMMA = " ,"  # between the parts of a command (GEN-04)
NUMBER = r"[-+]?[0-9]+(?!\.[0-9])"
WHOLE = r"-?[0-9]+(?!\.[0-9])"
LAST = r"(?=\s*[.!?]*(?:\s*$|\s*#|\s+for\s))"  # nothing more of the command follows, a comment at most
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
CHANNEL_PATTERN = r"[#&+!][^\s,]*[^\s,.!?]"

Node = TypeVar("Node")
Action = Callable[[str, int, pp.ParseResults], Node]
Maker = Callable[[str, int, re.Match[str]], object]


class Token(pp.Regex):
    """A terminal that a player would call one thing.

    `words` are its spellings, from which suggestions and help are made; `numbered` says that a number follows them;
    `value` makes what it stands for of its match (a list for none or several), at half the price of a parse action;
    `rejects` says that its action refuses what it matches, so that it is no part of the notation; `after_comma`, that
    a comma may precede it.
    """

    rejects = False

    def __init__(
        self,
        name: str,
        pattern: str,
        words: Iterable[str] = (),
        *,
        numbered: bool = False,
        value: Maker | None = None,
        after_comma: bool = True,
    ) -> None:
        super().__init__(pattern, FLAGS)
        if after_comma:
            self.set_whitespace_chars(SPACE_OR_COMMA)
        self.words = tuple(words)
        self.numbered = numbered
        self.value = value
        self.set_name(name)

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Any:  # noqa: N802  # pyparsing's name
        """What pyparsing asks of a terminal: where it ends, and what it stands for."""
        if self.value is None:
            return super().parseImpl(instring, loc, do_actions)
        match = self.re.match(instring, loc)
        if match is None:
            raise pp.ParseException(instring, loc, self.errmsg, self)
        try:
            return match.end(), self.value(instring, loc, match)
        except ImpossibleError as error:
            raise Objection(instring, loc, error.about(match[0])) from None


class Clause(NamedTuple):
    """A part of a command that may stand in any order: its name, its value, and where it was typed."""

    name: str
    value: Any
    at: int
    typed: str


# Nothing more of the command follows.
THE_END = pp.FollowedBy(Token("end", LAST).leave_whitespace())


def word(*spellings: str, tight: bool = False) -> Token:
    """A word that stands for itself; it leaves no token. `tight`: a digit may follow without a space (GEN-04)."""
    end = r"(?![a-z])" if tight else END
    return Token(spellings[0], f"{_any_of(spellings)}{end}", spellings, value=lambda *_: [])


def command_word(*spellings: str) -> Token:
    """The word that a command begins with; the catalogue has seen that it ends there (`roll5d10`, GEN-04).

    Right before a comma it is talk: `wp, 2 of us are left`.
    """
    return Token(spellings[0], rf"{_any_of(spellings)}(?!\s*,)", spellings, value=lambda *_: [])


def flag(name: str, *spellings: str, value: Any = True) -> Token:
    """A word that says something by being there: the clause `name` with `value`."""
    said = spellings or (name,)
    ends = rf"(?:(?<=\.)|{END})"  # `vs.5d10`
    return Token(said[0], f"{_any_of(said)}{ends}", said, value=lambda _text, at, m: Clause(name, value, at, m[0]))


def choice(name: str, values: dict[str, Any]) -> Token:
    """One of several words, each with its value: the clause `name`."""
    plain = {_plain(spelling): value for spelling, value in values.items()}

    def chosen(_text: str, at: int, match: re.Match[str]) -> Clause:
        return Clause(name, plain[_plain(match[0])], at, match[0])

    return Token(name, f"{_any_of(values)}{END}", values, value=chosen)


def keyed(name: str, spellings: str, *, everyday: bool = False, signed: bool = False) -> Token:
    """`h2`, `h 2`, `hunger: 2`: the clause `name`, a whole number after its keyword; its node knows its limits.

    `spellings` is a list with spaces. A word of `everyday` English without a number is left to a comment (GEN-03); any
    other is refused. `signed`: a `+` may precede the number.
    """
    words = tuple(spellings.split())
    alone = [word for word in words if len(word) > 1 and not everyday]

    def value(text: str, at: int, match: re.Match[str]) -> Clause:
        if not match["number"]:
            raise Objection(text, at, f"{shown(match[0])} needs a number, as {words[-1]}2.")
        return Clause(name, int(match["number"]), at, match[0])

    pattern = rf"{_any_of(words)}\s*[:=]?\s*(?P<number>{NUMBER if signed else WHOLE})"
    pattern += f"|{_any_of(alone)}{ALONE}" if alone else ""
    return Token(f"{words[-1]}N", pattern, words, numbered=True, value=value)


def number(name: str, *, before: str = "") -> Token:
    """A number that stands alone, or after the pattern `before`: the clause `name`."""

    def value(_text: str, at: int, match: re.Match[str]) -> Clause:
        return Clause(name, int(match["number"]), at, match["number"])

    return Token("a number", rf"{before}(?P<number>{WHOLE})(?![a-z])", value=value)


def positive(name: str) -> pp.ParserElement:
    """A whole number from 1 under the results name `name`, for plug-ins: our own grammars use clauses."""
    return pp.Regex(r"0*[1-9][0-9]{0,5}(?!\.?[0-9])").set_parse_action(lambda t: int(t[0])).set_name(name)(name)


def check(part: str, value: int | None, low: int, high: int = LARGEST, says: str = "") -> None:
    """Refuse a number of a node, the value of the clause `part`, outside its limits. `says` names it in the error."""
    if value is not None and not low <= value <= high:
        raise LimitError(_limits(says or part, value, low, high), part, value)


def _limits(says: str, value: int, low: int, high: int) -> str:
    return f"{says} is {low} or more" if high == LARGEST >= value else f"{says} is {low} to {high}"


def builds(node: Callable[..., Node], *, asked: bool = False) -> Action[Node]:
    """A parse action: `node` made of the values of clauses, by their names."""
    return locates_errors(lambda text, _at, clauses: node(**unique_values(text, clauses)), asked=asked)


def locates_errors(action: Action[Node], *, asked: bool = False) -> Action[Node]:
    """A parse action that objects where its node cannot be built: at the clause to blame, else where it begins.

    `asked`: in a channel too, where nothing follows the command.
    """

    def objecting(text: str, at: int, tokens: pp.ParseResults) -> Node:
        try:
            return action(text, at, tokens)
        except ImpossibleError as error:
            asking = asked and _is_last(text, tokens[-1])
            raise objection(text, at, tokens, error, asked=asking) from None

    return objecting


def objection(
    text: str, at: int, clauses: Iterable[object], error: ImpossibleError, *, asked: bool = False
) -> Objection:
    """Say why a node cannot be built, at the place of the clause to blame; at `at` where no clause is."""
    sentence = str(error)
    for place, clause in enumerate(clauses):
        if isinstance(clause, Clause) and (error.part == place or error.is_about(clause.name, clause.value)):
            at, sentence = clause.at, error.about(clause.typed)
    return Objection(text, at, sentence, asked=asked)


_SAID = {  # what a person would call it
    "ref": "the id",
    "adv": "adv or dis",
    "count": "the number",
    "kind": "the kind of pool",
    "modifier": "the modifier die",
}


def unique_values(text: str, clauses: Iterable[Clause]) -> dict[str, Any]:
    """The values of clauses by name; an objection to one that is given twice. Tuples add up, as those of `+1 +2`."""
    said: dict[str, Any] = {}
    for clause in clauses:
        if isinstance(clause.value, tuple):
            said[clause.name] = said.get(clause.name, ()) + clause.value
            continue
        if clause.name in said:
            name = _SAID.get(clause.name, clause.name)
            raise Objection(text, clause.at, f"{name} is given twice: leave {shown(clause.typed)} out.")
        said[clause.name] = clause.value
    return said


def field_values(node: type[Any], text: str, clauses: Iterable[Clause]) -> dict[str, Any]:
    """The values of the clauses that have the name of a field of `node`, as `unique_values`."""
    names = {field.name for field in fields(node)}
    return unique_values(text, [clause for clause in clauses if clause.name in names])


def repeatable(token: Token) -> Token:
    """The same clause, which may be repeated: its values are a tuple."""
    token.set_parse_action(lambda tokens: tokens[0]._replace(value=(tokens[0].value,)))
    return token


def clauses(each: pp.ParserElement) -> pp.ParserElement:
    """Any number of clauses in any order."""
    return pp.ZeroOrMore(each)


def refused(name: str, pattern: str, action: Action[object] | str, *, asked: bool = False) -> Token:
    """What players type and cannot be: `action` raises the Objection, or leaves that to the action of the command.

    A sentence objects by itself, with what was typed in place of `{}`; `asked` as with `locates_errors`.
    """

    def objecting(text: str, at: int, tokens: pp.ParseResults) -> None:
        last = _is_last(text, Clause(name, None, at, tokens[0]))
        raise Objection(text, at, str(action).replace("{}", shown(tokens[0])), asked=asked and last)

    token = Token(name, pattern)
    token.rejects = True
    token.set_parse_action(objecting if isinstance(action, str) else action)
    return token


class Refusing(pp.MatchFirst):
    """Clauses of the game that cannot be where they are typed: no part of the notation there."""

    rejects = True


def forbidden(clause: pp.ParserElement, sentence: str) -> pp.ParserElement:
    """A clause that is refused, if it is typed, with a sentence that has what was typed in place of `{}`."""

    def objecting(text: str, _at: int, tokens: pp.ParseResults) -> None:
        raise Objection(text, tokens[0].at, sentence.replace("{}", shown(tokens[0].typed)))

    return pp.Opt(Refusing([clause]).set_parse_action(objecting))


def at_nick(name: str = "against") -> Token:
    """`@bob`: the clause `name`."""
    value: Maker = lambda _text, at, m: Clause(name, m[0][1:].strip(), at, m[0])  # noqa: E731
    return Token("@nick", rf"@\s?{NICK_PATTERN}", value=value)


def reference() -> Token:
    """`#4d`, `on #4d`, `#last`: the clause `ref`, in lower case (GEN-09, LED-10)."""
    value: Maker = lambda _text, at, m: Clause("ref", m["id"][1:].lower(), at, m[0])  # noqa: E731
    return Token("#id", rf"(?:on\s+)?(?P<id>{REF_PATTERN})", value=value)


def _is_last(text: str, clause: Clause) -> bool:
    """Whether nothing but a comment follows."""
    return _AT_THE_END.match(text, clause.at + len(clause.typed)) is not None


def _any_of(spellings: Iterable[str]) -> str:
    """Spellings as a pattern, the longest first; a space or hyphen in one may be either, or nothing."""
    each = [r"[\s-]?".join(map(re.escape, re.split(r"[\s-]", s))) for s in sorted(spellings, key=len, reverse=True)]
    return f"(?:{'|'.join(each)})"


def _plain(spelling: str) -> str:
    return re.sub(r"[\s-]", "", spelling.lower())

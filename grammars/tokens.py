"""Terminals shared by the grammars. They ignore case, and most fill a field of the node: the clause with its name.

The limits of a number are set in its node: see `limited` in grammars/command.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import pyparsing as pp

from grammars import line as patterns
from grammars.command import Clause, made_by
from grammars.errors import ImpossibleError, Objection
from grammars.line import END, FLAGS, LAST, NICK_PATTERN, shown

Value = Callable[[re.Match[str]], object]


def text(match: re.Match[str]) -> str:
    """The typed text, or the first group of the pattern if it has groups."""
    return str(match[1] if match.re.groups else match[0]).strip()


def lower(match: re.Match[str]) -> str:
    """The typed text in lower case."""
    return text(match).lower()


def integer(match: re.Match[str]) -> int:
    """The typed text as a number: `+ 1` is 1."""
    return int(text(match).replace(" ", ""))


class Token(pp.Regex):
    """A terminal that a player would call one thing.

    `words` are its spellings, from which suggestions and help are made; `numbered` says that a number follows them.
    `value` converts a match to its value (a list for none or several tokens), that of the clause `clause` if given; by
    default the text. It raises ImpossibleError for invalid input; `rejects` means that it always does, so that the
    token is not part of the notation. `after_comma` means that a comma may precede it. `kind`, by default its clause,
    is the kind of part that it replaces in a changed command (DSK-13).
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
            self.set_whitespace_chars(patterns.SPACE_OR_COMMA)
        self.words = tuple(words)
        self.clause = clause
        self.value = value or text
        self.numbered = numbered
        self.rejects = rejects
        self.kind = kind or clause or name
        self.set_name(name)

    def parseImpl(self, instring: str, loc: int, _do_actions: bool = True) -> Any:  # noqa: N802  # pyparsing's name
        """pyparsing's hook: return the end of the match, and its value, at half the cost of a parse action."""
        match = self.re.match(instring, loc)
        if match is None:
            raise pp.ParseException(instring, loc, self.errmsg, self)
        try:
            value = self.value(match)
        except ImpossibleError as error:
            raise Objection(instring, loc, error, match[0]) from None
        return match.end(), value if self.clause is None else Clause(self.clause, value, loc, match[0])


THE_END = pp.FollowedBy(Token("end", LAST).leave_whitespace())  # LAST, as an element of a grammar


def word(*spellings: str, tight: bool = False) -> Token:
    """A word without a value. `tight`: a digit may follow without a space (GEN-04)."""
    end = r"(?![a-z])" if tight else END
    return Token(spellings[0], f"{_any_of(spellings)}{end}", spellings, value=lambda _: [])


def command_word(*spellings: str) -> Token:
    """The word that a command begins with; the catalogue has checked its end (`roll5d10`, GEN-04).

    Before a comma it is talk: `wp, 2 of us are left`.
    """
    return Token(spellings[0], rf"{_any_of(spellings)}(?!\s*,)", spellings, value=lambda _: [])


def flag(name: str, *spellings: str, value: Any = True) -> Token:
    """A flag word: the clause `name` with `value`."""
    said = spellings or (name,)
    ends = rf"(?:(?<=\.)|{END})"  # `vs.5d10`
    return Token(said[0], f"{_any_of(said)}{ends}", said, clause=name, value=lambda _: value)


def choice(name: str, values: dict[str, Any]) -> Token:
    """One of several words, each with its value: the clause `name`."""
    plain = {_plain(spelling): value for spelling, value in values.items()}
    return Token(name, f"{_any_of(values)}{END}", values, clause=name, value=lambda match: plain[_plain(match[0])])


def keyed(name: str, spellings: str, *, everyday: bool = False, signed: bool = False) -> Token:
    """`h2`, `h 2`, `hunger: 2`: the clause `name`, a whole number after its keyword; its node has the limits.

    `spellings` are separated by spaces. Without a number they are refused, but `everyday` words only before a number
    in words: else they are part of a comment (GEN-03). `signed`: a `+` may precede the number.
    """
    words = tuple(spellings.split())
    long = [word for word in words if len(word) > 1]
    alone = rf"(?=\s*[:=]?\s*{patterns.FIGURE}{END})" if everyday else patterns.ALONE

    def value(match: re.Match[str]) -> int:
        if not match["number"]:
            raise ImpossibleError(f"{shown(match[0])} needs a number, as {words[-1]}2.")
        return int(match["number"])

    pattern = rf"{_any_of(words)}\s*[:=]?\s*(?P<number>{patterns.NUMBER if signed else patterns.WHOLE})"
    pattern += f"|{_any_of(long)}{alone}" if long else ""
    return Token(f"{words[-1]}N", pattern, words, clause=name, value=value, numbered=True)


def number(name: str, *, before: str = "") -> Token:
    """A number alone, or after the pattern `before`: the clause `name`."""
    pattern = rf"{before}({patterns.WHOLE})(?![a-z])"
    return Token("a number", pattern, clause=name, value=integer)


def signed(name: str, label: str) -> Token:
    """`+1` or `- 2`: the clause `name`."""
    return Token(label, r"[-+]\s*[0-9]+(?!\.?[0-9])", clause=name, value=integer)


def positive(name: str) -> pp.ParserElement:
    """A whole number from 1 under the results name `name`, for plug-ins: our own grammars use clauses."""
    return pp.Regex(r"0*[1-9][0-9]{0,5}(?!\.?[0-9])").set_parse_action(lambda t: int(t[0])).set_name(name)(name)


def at_nick() -> Token:
    """`@bob`: the clause `against`."""
    return Token("@nick", rf"@\s?({NICK_PATTERN})", clause="against")


def reference() -> Token:
    """`#4d`, `on #4d`, `#last`: the clause `ref`, in lower case (GEN-09, LED-10)."""
    pattern = rf"(?:on\s+)?(?P<id>{patterns.REF_PATTERN})"
    return Token("#id", pattern, clause="ref", value=lambda match: match["id"][1:].lower())


IN = Token("in #channel", rf"in\s+({patterns.CHANNEL_PATTERN})", clause="channel")


def repeatable(token: Token) -> Token:
    """A copy of the clause that may be repeated: its values are a tuple."""
    token.set_parse_action(lambda tokens: tokens[0]._replace(value=(tokens[0].value,)))
    return token


def refused(
    name: str,
    pattern: str,
    says: str | Callable[[re.Match[str]], str],
    *,
    asked: bool = False,
    instead: str | Callable[[re.Match[str]], str | None] | None = None,
) -> Token:
    """A common mistake. `says` is the sentence, with the typed text in place of `{}` and the groups of `pattern` by
    name; `instead` is the replacement in the command offered. `asked` as with ImpossibleError.
    """

    def value(match: re.Match[str]) -> None:
        groups = match.groupdict(default="")
        short = {name: shown(text, 12) for name, text in groups.items()}
        sentence = says(match) if callable(says) else says.format(shown(match[0]), **short)
        new = instead(match) if callable(instead) else instead and instead.format(**groups)
        line = f"{match.string[: match.start()]} {new}{match.string[match.end() :]}"
        raise ImpossibleError(sentence, asked=asked, hint=None if new is None else " ".join(line.split()))

    return Token(name, pattern, value=value, rejects=True)


class RefusedClauses(pp.MatchFirst):
    """Clauses that are refused here: not part of the notation."""

    rejects = True


def refused_clause(clause: pp.ParserElement, sentence: str) -> pp.ParserElement:
    """A clause that is refused, with a sentence that has the typed text in place of `{}`."""

    def refuse(clauses: Sequence[Clause]) -> None:
        raise ImpossibleError(sentence.format(shown(clauses[0].typed)), clauses[0])

    return pp.Opt(RefusedClauses([clause]).set_parse_action(made_by(refuse)))


# Names of characters, trackers, macros, scenes, tables and decks (`ircdice/bot/names.py` says which are free).

MOST_LETTERS = 30
# Words that are sub-commands after a name, or begin the text after it: they cannot be names or parts of names.
SUB_COMMANDS = frozenset(
    {"add", "as", "channel", "drop", "end", "for", "from", "hidden", "in", "left", "next", "off", "on", "rename"}
    | {"retire", "shuffle", "undo", "vs"}
)
RESERVED = SUB_COMMANDS | {"other"}  # GEN-06: the unnamed side of a contest
_LETTER, _LETTER_OR_DIGIT = r"(?u:[^\W\d_])", r"(?u:[^\W_])"
_MORE = rf"(?:{_LETTER_OR_DIGIT}|['-](?={_LETTER_OR_DIGIT}))*"
ONE_WORD = rf"{_LETTER}{_MORE}"  # `Viktor`, `O'Brien`
# A name in quotes: any nick, or the name of a character.
ANY_NAME = rf"(?:[^\s\",:;!#]{{1,64}}|{ONE_WORD}(?: {_LETTER_OR_DIGIT}{_MORE})*)"
_NO_NAME = rf"(?!(?:{'|'.join(sorted(SUB_COMMANDS))}){END})"


def name(clause: str = "name", *, numbers: bool = True) -> Token:
    """`Viktor`, `Old Tom`: the clause with that name. Without `numbers`, a number ends it: `blood potency 3`."""
    further = rf"(?: +{_NO_NAME}{_LETTER_OR_DIGIT if numbers else _LETTER}{_MORE})*"
    pattern = rf"{_NO_NAME}{ONE_WORD}{further}{END}"
    return Token("NAME", pattern, clause=clause, value=lambda match: check_name(match[0]))


def one_word(clause: str = "name") -> Token:
    """`Viktor`, but not `Old Tom`: for names followed by other words."""
    return Token("NAME", rf"{_NO_NAME}{ONE_WORD}{END}", clause=clause)


def somebody(clause: str, label: str = "a nick", *, no: str = "") -> Token:
    """`bob`, `Viktor`, `"Old Tom"`: a nick or character. `no` is a pattern that it must not begin with."""
    one = rf"(?P<name>(?:{NICK_PATTERN}|{ONE_WORD})(?=[\s.,!?#]|$))"
    pattern = rf'{no}@?(?:"(?P<quoted>{ONE_WORD}(?: {_LETTER_OR_DIGIT}{_MORE})*)"|{one})'
    return Token(label, pattern, clause=clause, value=lambda match: match["quoted"] or match["name"])


def check_name(value: str) -> str:
    """The name, the clause `name`. ImpossibleError if it is too long or reserved."""
    if len(value) > MOST_LETTERS:
        raise ImpossibleError(f"a name has at most {MOST_LETTERS} characters, yours has {len(value)}.", "name")
    if value.casefold() in RESERVED:
        raise ImpossibleError(f'"{value}" has a meaning of its own: choose another name.', "name")
    return value


# `vs`: the other side of an opposed roll, in the same line or by nick (GEN-05, GEN-06).

A_NICK = rf"(?=[a-z_]){NICK_PATTERN}{LAST}"  # the last word of a line


def versus(
    side: pp.ParserElement,
    clause: pp.ParserElement,
    *,
    example: str,
    begins: str,
    lone: pp.ParserElement,
    difficulty: pp.ParserElement | None = None,
) -> pp.ParserElement:
    """The clause `vs`, then a side, or `@nick` as the clause `against`; anything else is refused.

    A side consists of `clause`s; `example` is one, and `begins` is a pattern for its start. `lone` refuses a number
    alone. `difficulty` is the game's clause, which must not follow `vs`.
    """
    vs = Token("vs", r"vs(?:\.|(?![a-z]|[^\x00-\x7f]))", ("vs",), clause="vs", value=lambda _: True)
    nick = at_nick() + pp.Opt(RefusedClauses([clause]).set_parse_action(_clause_after_nick))
    opponent = (nick | lone | side | ~clause + nick_without_at(example)).set_name(f"{example}, or @nick")
    third = refused("vs", rf"vs\.?{END}", "a roll has two sides at most: leave the second vs out.")
    against = refused(
        "v",
        rf"(?P<typed>v\.?|versus|against)\s+(?=@|{begins}|(?P<name>{A_NICK}))",
        '"{typed}" is unknown.',
        asked=True,
        instead=lambda match: "vs @" if match["name"] else "vs ",
    )
    opposed = vs - opponent + pp.Opt(third) | against
    if difficulty is None:
        return opposed
    return RefusedClauses([(vs + difficulty).set_parse_action(_difficulty_after_vs)]) | opposed


def _difficulty_after_vs(text: str, at: int, tokens: pp.ParseResults) -> None:
    hint = f"{text[:at].strip()} {text[tokens[1].at :]}"
    raise Objection(text, at, ImpossibleError("write the difficulty without vs.", asked=True, hint=hint))


def _clause_after_nick(text: str, _at: int, tokens: pp.ParseResults) -> None:
    """Refuse `vs @bob h2`; offer it before vs, which is shown only if that works (GEN-11)."""
    clause: Clause = tokens[0]
    own, _, nick = text[: clause.at].partition("@")
    after = text[clause.at + len(clause.typed) :]
    hint = f"{own.rstrip(' .')[:-2]}{clause.typed} vs @{nick.rstrip(' ,')}{after}"
    sentence = f"{shown(clause.typed)} after @nick is for the other side to type: leave it out."
    raise Objection(text, clause.at, ImpossibleError(sentence, hint=hint))


def nick_without_at(example: str) -> Token:
    """A nick without its `@`, which the hint adds; `example` is what else may follow `vs`."""
    says = f"vs needs {example}, or a nick with its @, as @{{}}."
    return refused("bob", A_NICK, says, asked=True, instead=lambda match: f"@{match[0]}")


# Spellings.


def _any_of(spellings: Iterable[str]) -> str:
    """A pattern of spellings, longest first; a space or hyphen may be either, or omitted."""
    each = [r"[\s-]?".join(map(re.escape, re.split(r"[\s-]", s))) for s in sorted(spellings, key=len, reverse=True)]
    return f"(?:{'|'.join(each)})"


def _plain(spelling: str) -> str:
    return re.sub(r"[\s-]", "", spelling.lower())


def near(typed: str, words: Iterable[str], letters: int = 1) -> list[str]:
    """The `words` that differ from `typed` in at most `letters`, nearest first; never words of two letters."""
    alike = [word for word in words if len(word) > 2 and abs(len(word) - len(typed)) <= letters]
    return get_close_matches(typed, alike, cutoff=(len(typed) - letters) / len(typed)) if alike else []

"""`vs`: the other side of an opposed roll, in the same line or asked by its nick (GEN-05, GEN-06)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyparsing as pp

from grammars.command import Command
from grammars.errors import Objection
from grammars.line import shown
from grammars.tokens import (
    END,
    LAST,
    NICK_PATTERN,
    Action,
    Clause,
    Refusing,
    Token,
    at_nick,
    forbidden,
    locates_errors,
    refused,
)


def versus(
    side: pp.ParserElement,
    clause: pp.ParserElement,
    *,
    example: str,
    begins: str,
    lone: Action[object],
    difficulty: pp.ParserElement | None = None,
) -> pp.ParserElement:
    """The clause `vs`, then a side, or `@nick` as the clause `against`; what else is typed there is refused.

    A side is made of `clause`s; `example` is one, and `begins` the pattern that it begins with. `lone` objects to a
    number alone. `difficulty` is the game's clause, which has no `vs` before it.
    """
    a_number = refused("5", r"[0-9]+(?![0-9d+-]|\.[0-9]|\s*[-+d])", lone)  # GEN-05
    late = "{} after @nick is for the other side to type: leave it out, or put it before vs."
    nick = at_nick() + forbidden(clause, late)
    name = refused("bob", rf"(?=[a-z_]){NICK_PATTERN}{LAST}", needs_at(example))
    opponent = (nick | side | a_number | ~clause + name).set_name(f"{example}, or @nick")
    third = refused("vs", rf"vs\.?{END}", "a roll has two sides at most: leave the second vs out.")
    vs = Token(
        "vs", r"vs(?:\.|(?![a-z]|[^\x00-\x7f]))", ("vs",), value=lambda _text, at, m: Clause("vs", True, at, m[0])
    )
    opposed = vs - opponent + pp.Opt(third) | _not_vs(begins)
    return opposed if difficulty is None else _vs_difficulty(vs, difficulty) | opposed


def alone_or(contest: Callable[..., Command]) -> Action[Command]:
    """A parse action: one side alone, or the `contest` of it against another side or `@nick`."""

    @locates_errors
    def action(_text: str, _at: int, tokens: pp.ParseResults) -> Command:
        acting, *opposed = tokens
        if not opposed:
            return acting  # type: ignore[no-any-return]  # pyparsing's results are untyped
        _, other = opposed
        return contest(acting, against=other.value) if isinstance(other, Clause) else contest(acting, other)

    return action


def sides(tokens: Iterable[Clause]) -> tuple[list[Clause], list[Clause]]:
    """The clauses before `vs`, and those after it."""
    said = list(tokens)
    at = next((i for i, clause in enumerate(said) if clause.name == "vs"), len(said))
    return said[:at], said[at + 1 :]


def _vs_difficulty(vs: Token, difficulty: pp.ParserElement) -> pp.ParserElement:
    """`vs dc7`, `vs moderate`: asked about, without its `vs`."""

    def asked(text: str, at: int, tokens: pp.ParseResults) -> None:
        hint = f"{text[:at].strip()} {text[tokens[1].at :]}"
        raise Objection(text, at, "write the difficulty without vs.", asked=True, hint=hint)

    return Refusing([(vs + difficulty).set_parse_action(asked)])


def needs_at(example: str) -> Action[object]:
    """Objects to a nick without its `@`, and offers it; `example` is what else may follow `vs`."""

    def objection(text: str, at: int, tokens: pp.ParseResults) -> None:
        sentence = f"vs needs {example}, or a nick with its @, as @{shown(tokens[0])}."
        raise Objection(text, at, sentence, asked=True, hint=f"{text[:at].strip()} @{text[at:]}")

    return objection


def _not_vs(side: str) -> Token:
    """`against @bob`, `v t3`, `versus bob`: asked about, with `vs` in its place. `side` is how a side begins."""
    name = rf"(?P<name>(?=[a-z_]){NICK_PATTERN}{LAST})"

    def asked(text: str, at: int, tokens: pp.ParseResults) -> None:
        rest = text[at + len(tokens[0]) :]
        hint = f"{text[:at].strip()} vs {'@' if tokens.name else ''}{rest}"
        raise Objection(text, at, f'"{tokens[0].strip()}" is unknown.', asked=True, hint=hint)

    return refused("v", rf"(?:v\.?|versus|against)\s+(?=@|{side}|{name})", asked)

"""`vs`: the other side of an opposed roll, in the same line or asked by its nick (GEN-05, GEN-06)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyparsing as pp

from grammars.command import Command
from grammars.errors import ImpossibleError, Objection
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
    made_by,
    refused,
)

LONE_NUMBER = r"[0-9]+(?![0-9d+-]|\.[0-9]|\s*[-+d])"
A_NAME = rf"(?=[a-z_]){NICK_PATTERN}{LAST}"


def versus(
    side: pp.ParserElement,
    clause: pp.ParserElement,
    *,
    example: str,
    begins: str,
    lone: Token,
    difficulty: pp.ParserElement | None = None,
) -> pp.ParserElement:
    """The clause `vs`, then a side, or `@nick` as the clause `against`; what else is typed there is refused.

    A side is made of `clause`s; `example` is one, and `begins` the pattern that it begins with. `lone` refuses a number
    alone. `difficulty` is the game's clause, which has no `vs` before it.
    """
    vs = Token("vs", r"vs(?:\.|(?![a-z]|[^\x00-\x7f]))", ("vs",), clause="vs", value=lambda _: True)
    late = "{} after @nick is for the other side to type: leave it out, or put it before vs."
    nick = at_nick() + forbidden(clause, late)
    opponent = (nick | lone | side | ~clause + nick_without_at(example)).set_name(f"{example}, or @nick")
    third = refused("vs", rf"vs\.?{END}", "a roll has two sides at most: leave the second vs out.")
    against = refused(
        "v",
        rf"(?P<typed>v\.?|versus|against)\s+(?=@|{begins}|(?P<name>{A_NAME}))",
        '"{typed}" is unknown.',
        asked=True,
        instead=lambda match: "vs @" if match["name"] else "vs ",
    )
    opposed = vs - opponent + pp.Opt(third) | against
    if difficulty is None:
        return opposed
    return Refusing([(vs + difficulty).set_parse_action(_difficulty_after_vs)]) | opposed


def _difficulty_after_vs(text: str, at: int, tokens: pp.ParseResults) -> None:
    hint = f"{text[:at].strip()} {text[tokens[1].at :]}"
    raise Objection(text, at, ImpossibleError("write the difficulty without vs.", asked=True, hint=hint))


def nick_without_at(example: str) -> Token:
    """A nick without its `@`, which is offered; `example` is what else may follow `vs`."""
    says = f"vs needs {example}, or a nick with its @, as @{{}}."
    return refused("bob", A_NAME, says, asked=True, instead=lambda match: f"@{match[0]}")


def alone_or(contest: Callable[..., Command]) -> Action[Command]:
    """A parse action: one side alone, or the `contest` of it against another side or `@nick`."""

    def made(tokens: Sequence[object]) -> Command:
        acting, *opposed = tokens
        if not opposed:
            return acting  # type: ignore[return-value]  # pyparsing's results are untyped
        _, other = opposed
        return contest(acting, against=other.value) if isinstance(other, Clause) else contest(acting, other)

    return made_by(made)


def sides(clauses: Sequence[Clause]) -> tuple[Sequence[Clause], Sequence[Clause]]:
    """The clauses before `vs`, and those after it."""
    at = next((i for i, clause in enumerate(clauses) if clause.name == "vs"), len(clauses))
    return clauses[:at], clauses[at + 1 :]

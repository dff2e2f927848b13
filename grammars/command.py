"""What every command may carry, and how commands are made of the clauses that were read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

import pyparsing as pp

from grammars.errors import ImpossibleError, Objection
from grammars.line import FLAGS, LARGEST, LAST, shown


class Command:
    """A command that was read, a frozen dataclass whose fields say what was asked. Those of this package are Nodes.

    The attributes below have the values of a command that has no such thing; a field or property of the same name in
    a subclass replaces them. `str()` is the command as it is posted and as it can be typed again.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # so that `dataclasses.replace` takes any command

    ref: str | None = None
    """The roll or contest that is named by `#ID`, without the `#` (GEN-09)."""
    against: str | None = None
    """The nick that is asked to answer a contest (GEN-06)."""
    channel: str | None = None
    """The channel that a private command is about."""
    speaker: str | None = None
    """`as NAME`, where the game's own grammar takes it (SC-27)."""
    character: str | None = None
    """Whose roll it is, as the table remembers."""
    opposed: bool = False
    """Whether another side's throw is part of it (GEN-06)."""
    draws: bool = False
    """Whether dice are drawn for it, although it belongs to no game."""
    only_aside: bool = False
    """Whether it must be said in private."""
    private: bool = False
    """Whether its answer is for the speaker alone."""
    closes: bool = False
    """Whether the scene that began with its like is over with it (DSK-08)."""

    @property
    def only_called(self) -> bool:
        """Whether it counts only when the bot is called (GEN-13, GEN-14)."""
        return False

    @property
    def joins(self) -> str | None:
        """A name that it gives to a character."""
        return None

    @property
    def opens(self) -> str | None:
        """The name of the scene that begins with it (DSK-08)."""
        return None

    @property
    def anyones(self) -> bool:
        """Whether it may be said of anybody's roll: the game's rules decide who may."""
        return False

    @property
    def removes(self) -> bool:
        """Whether a record of it removes what was kept under its key (docs/design.md, "Memory")."""
        return False

    def with_names(self, _own: str, _known_as: Callable[[str], str]) -> Command:
        """The same with the name of who acts where it has none, and with names in place of its nicks (DSK-01).

        ImpossibleError where that cannot be.
        """
        return self

    def with_levels(self, _levels: Mapping[str, int], *, auto: bool) -> Command:
        """The same with what is tracked for the speaker, by name, in the place of what is left out (DSK-04).

        `auto`: also where nothing asks for it. ImpossibleError where a tracker is asked for that is not kept.
        """
        del auto
        return self

    @property
    def tracks(self) -> tuple[str, int] | None:
        """The tracker that it sets, and to what, where it changes no roll (DSK-02)."""
        return None

    @property
    def asks_for(self) -> str | None:
        """The tracker that a question is about where its game has nothing to tell (DSK-02)."""
        return None

    @property
    def said_by_storyteller(self) -> Command:
        """The same command where a storyteller says it."""
        return self

    @property
    def rolled(self) -> object:
        """What is rolled, wording apart (LED-22)."""
        return self

    @property
    def inner(self) -> Command:
        """The command that it holds (`odds …`), else itself."""
        return self


def limited(low: int, high: int = LARGEST, says: str = "", **options: Any) -> Any:
    """A field for a number, numbers or None, within limits; `says` names it in the error. `options` as of `field`."""
    return field(metadata={"limits": (low, high, says)}, **options)


@dataclass_transform(frozen_default=True, field_specifiers=(field, limited))
class Part:
    """A command or a part of one: every subclass is a frozen dataclass, and its numbers are within their limits."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # so that `dataclasses.replace` takes any of them

    limits: ClassVar[Mapping[str, tuple[int, int, str]]] = {}

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
        cls.limits = {each.name: each.metadata["limits"] for each in fields(cls) if each.metadata}

    def __post_init__(self) -> None:
        for name, limits in self.limits.items():
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                check(name, number, *limits)

    @property
    def rolled(self) -> object:
        """What is rolled, wording apart (LED-22): by default the class, and every field that is compared."""
        return type(self), *[_unworded(getattr(self, each.name)) for each in fields(self) if each.compare]


def _unworded(value: object) -> object:
    if isinstance(value, Part):
        return value.rolled
    return value.lower() if isinstance(value, str) else value


class Node(Part, Command):
    """A command of this package."""


class Holding(Node):
    """A command that holds another: `odds …`, `3x …`."""

    command: Command

    @property
    def inner(self) -> Command:
        """The command that it holds."""
        return self.command

    def with_levels(self, levels: Mapping[str, int], *, auto: bool) -> Self:
        """The same of that command."""
        return replace(self, command=self.command.with_levels(levels, auto=auto))


class AgainstDifficulty(Node):
    """A roll whose difficulty may be secret (FW-10)."""

    @property
    def difficulty(self) -> int | None:
        """The difficulty that was typed."""
        raise NotImplementedError

    def with_difficulty(self, number: int | None) -> Self:
        """The same with another difficulty, or without any. ValueError if it takes none."""
        return replace(self, difficulty=number)  # type: ignore[call-arg]  # a field of every subclass but one


def joined(*parts: object) -> str:
    """A command as it is typed: its parts with spaces between them, less those that are empty, None or False."""
    return " ".join([str(part) for part in parts if part])


def marked(mark: str, value: object) -> str:
    """`h2`, `#4d`: a value after its mark; nothing if it is None."""
    return "" if value is None else f"{mark}{value}"


def quoted(name: str | None) -> str | None:
    """A name as it is typed where `somebody` is read: one of several words has quotes."""
    return f'"{name}"' if name and " " in name else name


# From clauses to commands.

Made = TypeVar("Made")
Action = Callable[[str, int, pp.ParseResults], Made]
_AT_THE_END = re.compile(LAST, FLAGS)


class Clause(NamedTuple):
    """A part of a command: the name of the field that it fills, its value, and where and how it was typed."""

    name: str
    value: Any
    at: int
    typed: str


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


def builds(node: Callable[..., Made], *, asked: bool = False) -> Action[Made]:
    """A parse action: `node` made of the values of clauses, by their names."""
    return made_by(lambda clauses: node(**values_of(clauses)), asked=asked)


def made_by(make: Callable[[Sequence[Any]], Made], *, asked: bool = False) -> Action[Made]:
    """A parse action: what `make` makes of the tokens. What cannot be made is objected to at the clause to blame.

    `asked`: in a channel too, where nothing but a comment follows the command.
    """

    def action(text: str, at: int, tokens: pp.ParseResults) -> Made:
        try:
            return make(list(tokens))
        except ImpossibleError as error:
            certain = asked and bool(_AT_THE_END.match(text, tokens[-1].at + len(tokens[-1].typed)))
            blamed = _blamed(error, tokens)
            at, typed = (blamed.at, blamed.typed) if blamed else (at, "")
            raise Objection(text, at, error, typed, asked=certain) from None

    return action


def _blamed(error: ImpossibleError, tokens: Iterable[object]) -> Clause | None:
    """The clause that an error is about: the last with its name and number."""
    found = error.part if isinstance(error.part, Clause) else None
    for place, clause in enumerate(tokens):
        if isinstance(clause, Clause) and error.part in (place, clause.name):
            repeated = isinstance(clause.value, tuple) and len(clause.value) == 1 and error.number is not None
            found = found if repeated and clause.value != (error.number,) else clause
    return found


# Opposed rolls: `vs` and the other side (GEN-06).


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

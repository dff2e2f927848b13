"""The base of every command, and how commands are built from clauses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

import pyparsing as pp

from grammars.errors import ImpossibleError, Objection
from grammars.line import FLAGS, LARGEST, LAST, NICK_PATTERN, shown


class Command:
    """A parsed command, a frozen dataclass. Those of this package are Nodes.

    The attributes below are defaults, which subclasses override with fields or properties. `str()` is the command as
    posted and as it can be typed again.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # so that `dataclasses.replace` accepts any command

    ref: str | None = None  # the roll or contest in `#ID`, without the `#` (GEN-09)
    against: str | None = None  # the nick challenged to a contest (GEN-06)
    channel: str | None = None  # the channel that a private command is about
    character: str | None = None  # the character who rolls, filled in by the table
    by_members: bool = False  # whether `as NAME` can be a member of the game, and makes it count uncalled (SC-27)
    draws: bool = False  # whether a command outside of games draws dice
    only_aside: bool = False  # whether it may only be sent in private
    private_question: bool = False  # whether it asks about a game's memory and is answered in private
    closes: bool = False  # whether it ends the scene that its class opens (DSK-08)

    @property
    def only_called(self) -> bool:
        """Whether it counts only when the bot is called (GEN-13, GEN-14)."""
        return False

    @property
    def answer(self) -> str:
        """An example of an answer by the other side; empty if there is no other side (GEN-06)."""
        return ""

    @property
    def joins(self) -> str | None:
        """The name that it gives to a character."""
        return None

    @property
    def opens(self) -> str | None:
        """The name of the scene that it opens (DSK-08)."""
        return None

    @property
    def anyones(self) -> bool:
        """Whether it can target another player's roll: the game's rules decide who may."""
        return False

    @property
    def removes(self) -> bool:
        """Whether its record removes the stored value of its key (docs/design.md, "Memory")."""
        return False

    def with_names(self, _own: str, _known_as: Callable[[str], str]) -> Command:
        """A copy with the actor filled in, and with characters' names in place of nicks (DSK-01).

        ImpossibleError if that is not possible.
        """
        return self

    def with_levels(self, _levels: Mapping[str, int], *, auto: bool) -> Command:
        """A copy with the speaker's tracked values, by name, for omitted values (DSK-04).

        `auto` fills them in without being asked. ImpossibleError if a required tracker does not exist.
        """
        del auto
        return self

    @property
    def tracks(self) -> tuple[str, int] | None:
        """The tracker that it sets, with the value, if it does not change a roll (DSK-02)."""
        return None

    @property
    def asks_for(self) -> tuple[str, str | None] | None:
        """The tracker that a question is also about, and whose: None means the actor's (DSK-02)."""
        return None

    @property
    def said_by_storyteller(self) -> Command:
        """A copy for a storyteller as the speaker."""
        return self

    @property
    def rolled(self) -> object:
        """What is rolled, regardless of wording (LED-22)."""
        return self

    @property
    def inner(self) -> Command:
        """The inner command (of `odds …`), or itself."""
        return self


def limited(low: int, high: int = LARGEST, says: str = "", **options: Any) -> Any:
    """A field for a number, numbers or None, within limits; `says` names it in the error. `options` as of `field`."""
    return field(metadata={"limits": (low, high, says)}, **options)


def from_table(*, default: Any) -> Any:
    """A field that the table fills in: it cannot be typed, and is neither written nor compared."""
    return field(default=default, compare=False, repr=False, metadata={"from_table": True})


@dataclass_transform(frozen_default=True, field_specifiers=(field, limited, from_table))
class Part:
    """A command or a part of one. Subclasses are frozen dataclasses whose numbers are checked against their limits."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # so that `dataclasses.replace` takes any of them

    limits: ClassVar[Mapping[str, tuple[int, int, str]]] = {}

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
        cls.limits = {each.name: each.metadata["limits"] for each in fields(cls) if "limits" in each.metadata}

    def __post_init__(self) -> None:
        for name, limits in self.limits.items():
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                check(name, number, *limits)

    @property
    def rolled(self) -> object:
        """What is rolled, regardless of wording (LED-22): by default the class and every compared field."""
        return type(self), *[_unworded(getattr(self, each.name)) for each in fields(self) if each.compare]


def _unworded(value: object) -> object:
    if isinstance(value, Part):
        return value.rolled
    return value.lower() if isinstance(value, str) else value


class Node(Part, Command):
    """A command of this package.

    By default it is written as the words that it begins with, then its fields in order, except those `from_table`.
    """

    begins: ClassVar[str] = ""  # by default the name of its class, which is then part of the ledger's texts

    def __str__(self) -> str:
        names = [each.name for each in fields(self) if "from_table" not in each.metadata]
        begins = self.begins or type(self).__name__.lower()
        return joined(begins, *[_written(name, getattr(self, name)) for name in names])


def _written(name: str, value: object) -> str:
    """A field as typed: a flag by its name, an id after `#`, a channel after `in`."""
    if isinstance(value, tuple):
        return joined(*value)
    if isinstance(value, bool):
        return name if value else ""
    if name == "nick" and value is not None:
        return somebody(str(value))
    return marked(_MARKS.get(name, ""), value)


_MARKS = {"ref": "#", "channel": "in "}


class Holding(Node):
    """A command that contains another: `odds …`, `3x …`."""

    command: Command

    @property
    def inner(self) -> Command:
        """The inner command."""
        return self.command

    @property
    def only_called(self) -> bool:
        """GEN-13, GEN-14: the same as for the inner command."""
        return self.command.only_called

    def with_levels(self, levels: Mapping[str, int], *, auto: bool) -> Self:
        """That of the inner command."""
        return replace(self, command=self.command.with_levels(levels, auto=auto))


class AgainstDifficulty(Node):
    """A roll whose difficulty may be secret (FW-10)."""

    @property
    def difficulty(self) -> int | None:
        """The difficulty as typed."""
        raise NotImplementedError  # a field or property of every subclass

    def with_difficulty(self, number: int | None) -> Self:
        """A copy with another difficulty, or without one. ValueError if it cannot have one."""
        return replace(self, difficulty=number)  # type: ignore[call-arg]  # a field of every subclass but one


class TwoSided(Node):
    """A roll against another's (GEN-06); `other` is None until the nick `against` has answered."""

    acting: Part
    other: Part | None = None
    against: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.other is None) == (self.against is None):
            raise ImpossibleError("there is one other side.", "vs")

    def answered_by(self, other: Part) -> Self:
        """A copy with the other side's answer."""
        return replace(self, other=other, against=None)


def joined(*parts: object) -> str:
    """A command as typed: its parts joined by spaces, skipping empty parts, None and False."""
    return " ".join([str(part) for part in parts if part])


def marked(mark: str, value: object) -> str:
    """`h2`, `#4d`: a value after its mark; empty if it is None."""
    return "" if value is None else f"{mark}{value}"


def quoted(name: str | None) -> str | None:
    """A name as it is read after `as`: in quotes if it has several words, or is no nick, as `O'Brien`."""
    return f'"{name}"' if name and not _A_NICK.fullmatch(name) else name


def somebody(name: str) -> str:
    """A name as the token `somebody` reads it: in quotes if it has several words."""
    return f'"{name}"' if " " in name else name


# From clauses to commands.

Made = TypeVar("Made")
Action = Callable[[str, int, pp.ParseResults], Made]
_AT_THE_END = re.compile(LAST, FLAGS)
_A_NICK = re.compile(rf"(?!@){NICK_PATTERN}", FLAGS)


class Clause(NamedTuple):
    """A part of a command: the field that it fills, its value, its place and its text."""

    name: str
    value: Any
    at: int
    typed: str


def check(part: str, value: int | None, low: int, high: int = LARGEST, says: str = "") -> None:
    """Refuse a number outside its limits; `part` is its clause, and `says` names it in the error."""
    if value is not None and not low <= value <= high:
        limits = f"{low} or more" if high == LARGEST >= value else f"{low} to {high}"
        raise ImpossibleError(f"{says or part} is {limits}", part, value, typed=True)


_SAID = {  # names for users
    "ref": "the id",
    "adv": "adv or dis",
    "count": "the number",
    "kind": "the kind of pool",
    "modifier": "the modifier die",
}


def values_of(clauses: Iterable[Clause], node: type[Any] | None = None) -> dict[str, Any]:
    """The values of clauses by name, only for fields of `node` if given.

    A repeated clause is refused, unless its values are tuples, which are joined: `+1 +2`.
    """
    said: dict[str, Clause] = {}
    for clause in clauses:
        if node is not None and clause.name not in node.__dataclass_fields__:
            continue
        earlier = said.get(clause.name)
        if earlier is None:
            said[clause.name] = clause
        elif isinstance(clause.value, tuple):
            said[clause.name] = clause._replace(value=earlier.value + clause.value)
        else:
            raise ImpossibleError(_given_twice(earlier, clause), clause)
    return {name: clause.value for name, clause in said.items()}


def _given_twice(earlier: Clause, later: Clause) -> str:
    one, other = shown(earlier.typed), shown(later.typed)
    name = _SAID.get(later.name, later.name)
    return f"{name} is given twice: leave {'one' if one == other else f'{one} or {other}'} out."


def builds(node: Callable[..., Made], *, asked: bool = False) -> Action[Made]:
    """A parse action that builds `node` from the values of clauses, by name."""
    return made_by(lambda clauses: node(**values_of(clauses)), asked=asked)


def made_by(make: Callable[[Sequence[Any]], Made], *, asked: bool = False) -> Action[Made]:
    """A parse action that calls `make` with the tokens. Errors are reported at the clause to blame.

    `asked` reports them in a channel too, if only a comment follows the command.
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
    """The clause that an error is about: the last one with its name and number."""
    found = error.part if isinstance(error.part, Clause) else None
    for place, clause in enumerate(tokens):
        if isinstance(clause, Clause) and error.part in (place, clause.name):
            repeated = isinstance(clause.value, tuple) and len(clause.value) == 1 and error.number is not None
            found = found if repeated and clause.value != (error.number,) else clause
    return found


# Opposed rolls: `vs` and the other side (GEN-06).


def alone_or(contest: Callable[..., Command]) -> Action[Command]:
    """A parse action for one side alone, or a `contest` against another side or `@nick`."""

    def made(tokens: Sequence[object]) -> Command:
        acting, *opposed = tokens
        if not opposed:
            return acting  # type: ignore[return-value]  # pyparsing's results are untyped
        _, other = opposed
        return contest(acting, against=other.value) if isinstance(other, Clause) else contest(acting, other)

    return made_by(made)


def sides(clauses: Sequence[Clause]) -> tuple[Sequence[Clause], Sequence[Clause]]:
    """The clauses before `vs`, and the clauses after it."""
    at = next((i for i, clause in enumerate(clauses) if clause.name == "vs"), len(clauses))
    return clauses[:at], clauses[at + 1 :]

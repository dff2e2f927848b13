"""What every command may carry. Nodes of all grammars are subclasses; the rest of the program asks here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, replace
from typing import Any, ClassVar, Self


class Command:
    """A command that was read. A subclass is a frozen dataclass whose fields say what was asked.

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

    @property
    def draws(self) -> bool:
        """Whether dice are drawn for it, although it belongs to no game."""
        return False

    @property
    def only_called(self) -> bool:
        """Whether it counts only when the bot is called (GEN-13, GEN-14)."""
        return False

    @property
    def only_aside(self) -> bool:
        """Whether it must be said in private."""
        return False

    @property
    def private(self) -> bool:
        """Whether its answer is for the speaker alone."""
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
    def closes(self) -> bool:
        """Whether the scene that began with its like is over with it (DSK-08)."""
        return False

    @property
    def anyones(self) -> bool:
        """Whether it may be said of anybody's roll: the game's rules decide who may."""
        return False

    @property
    def removes(self) -> bool:
        """Whether a record of it removes what was kept under its key (desk.md)."""
        return False

    def with_name(self, _name: str) -> Command:
        """The same for who acts, where it leaves out for whom it is (DSK-01). ImpossibleError where that cannot be."""
        return self

    def with_known_name(self, _known_as: Callable[[str], str]) -> Command:
        """The same with the name under which somebody is known here in place of the nick that it names (DSK-01)."""
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
        """What is compared when a record is judged again: the command without mere wording (LED-22)."""
        return self

    @property
    def inner(self) -> Command:
        """The command that it holds (`odds …`), else itself."""
        return self


class AgainstDifficulty(Command):
    """A roll whose difficulty may be secret (FW-10)."""

    __slots__ = ()

    @property
    def difficulty(self) -> int | None:
        """The difficulty that was typed."""
        raise NotImplementedError

    def with_difficulty(self, number: int | None) -> Self:
        """The same with another difficulty, or without any. ValueError if it takes none."""
        return replace(self, difficulty=number)


def joined(*parts: object) -> str:
    """A command as it is typed: its parts with spaces between them, less those that are empty, None or False."""
    return " ".join([str(part) for part in parts if part])


def marked(mark: str, value: object) -> str:
    """`h2`, `#4d`: a value after its mark; nothing if it is None."""
    return "" if value is None else f"{mark}{value}"

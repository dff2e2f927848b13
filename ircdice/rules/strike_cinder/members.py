"""The members of an encounter, and how a command names one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from grammars import Command
from grammars import strike_cinder as sc
from grammars.tokens import near
from ircdice.casemapping import fold
from ircdice.errors import RuleError

NO_ENCOUNTER = "no encounter is open here: sc encounter open Encounter luck 6."


@dataclass(slots=True)
class Member:
    """A character in an encounter, or the Encounter itself, which has no Path (SC-19).

    `dice` are the Encounter's own, by pool, if given (SC-26). Members who `left` are only in the tracking (SC-28).
    """

    name: str
    owner: str  # folded nick
    player: str  # the nick as written
    standing: sc.Standing
    bonuses: tuple[str, ...] = ()
    dice: Mapping[str, int] = field(default_factory=dict)
    left: bool = False

    @property
    def is_character(self) -> bool:
        """Whether this is a character, not the Encounter."""
        return self.standing.path is not None

    def set_luck(self, luck: int) -> None:
        """Set Luck, between 0 and its maximum."""
        self.standing = replace(self.standing, luck=max(0, min(luck, self.standing.most)))


def played_by(nick: str, members: Iterable[Member]) -> list[Member]:
    """The characters among these that a nick plays; the nick may be a character's name (DSK-01)."""
    return [member for member in members if member.is_character and nick in (member.owner, fold(member.name))]


def only(members: list[Member]) -> Member | None:
    """The member, if exactly one."""
    return members[0] if len(members) == 1 else None


def member_named(name: str, members: Iterable[Member], meant: Callable[[str], Command]) -> Member:
    """The member with that name. RuleError with the command `meant`, built from the nearest name (GEN-11)."""
    known = {fold(each.name): each for each in members}
    if not known:
        raise RuleError(f"{name} is not a Path, and {NO_ENCOUNTER}")
    if member := known.get(fold(name)):
        return member
    names = {each.name.lower(): each.name for each in known.values() if not each.left}
    nearest = [str(meant(names[found])) for found in near(name.lower(), names)]
    sentence = f"{name} is not in this encounter, where there are {', '.join(names.values())}."
    raise RuleError(sentence, hint=next(iter(nearest), None))

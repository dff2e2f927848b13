"""Crossroads' memory of a channel: blessings, Fate Dice, the turns they last, and an open group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from grammars import Command
from grammars import crossroads as xr
from grammars.line import MOST_DICE
from ircdice import game
from ircdice.casemapping import DEFAULT, fold
from ircdice.errors import RuleError
from ircdice.game import Event, counted
from ircdice.outcome import Outcome
from ircdice.rules.crossroads.judging import LASTING, rolls_of
from ircdice.rules.crossroads.texts import SHORT

COUNTS_ALL = "group open: Skill Rolls count from now on"
COUNTS_OTHERS = "group open: the Skill Rolls of others count from now on"  # a storyteller opened it
TURNS, TURNS_IN_REACTION = 2, 1  # XR-18: lasts until this many turns have ended
UNTIL = {1: "until the end of the turn", 2: "until the end of the next turn"}
MOST_GIFTS = 200  # remembered; the oldest ended ones are forgotten first


@dataclass(slots=True)
class Gift:
    """A gift of a triple to a player. `turns` until it ends: 0 has ended, None lasts until a storyteller ends it.

    `spent` is the roll that it changed; if that roll is discarded in time, the gift is restored (DSK-03).
    """

    nick: str
    label: str
    roll: int
    turns: int | None
    spent: int = 0

    @property
    def lasts(self) -> bool:
        """Whether the player still has it."""
        return self.turns != 0 and not self.spent

    def end_turn(self) -> None:
        """One turn less."""
        if self.turns:
            self.turns -= 1


@dataclass(slots=True)
class Group:
    """An open group (XR-10): the nick that opened it, folded and as written, and the value of each later roll, by its
    number.

    `opener_counts` is false if a storyteller opened it.
    """

    opener: str
    name: str
    values: dict[int, int] = field(default_factory=dict)
    opener_counts: bool = True

    def count(self, event: Event) -> None:
        """Add a Skill Roll; a triple 2 counts as 0 (XR-16)."""
        counts = self.opener_counts or event.nick != self.opener
        if counts and isinstance(event.node, xr.Roll) and event.node.skill:
            values = event.outcome.values
            self.values[event.roll] = event.outcome.whole("result" if "result" in values else "success_value")


@dataclass(slots=True)
class Memory(game.Memory):
    """The memory of one channel."""

    gifts: list[Gift] = field(default_factory=list)
    group: Group | None = None

    def held(self, nick: str, *labels: str) -> list[Gift]:
        """A player's gifts, with some labels or all."""
        return [gift for gift in self.gifts if gift.nick == nick and gift.lasts and gift.label in (labels or LASTING)]

    def remember(self, event: Event) -> None:
        """Add a command."""
        latest, group = event.latest, self.group
        if isinstance(latest, xr.EndTurn | xr.FateEnd | xr.FateSpend):
            self._end(latest, event.nick)
        elif isinstance(latest, xr.GroupOpen):
            others = event.line.partition(": ")[2].startswith(COUNTS_OTHERS)
            self.group, self.open_since = Group(event.nick, event.name, opener_counts=not others), event.roll
        elif isinstance(latest, xr.GroupClose):
            self.group, self.open_since = None, 0
        else:
            self._follow_up(event)
            self._give(event)
            if group and event.roll > self.open_since:
                group.count(event)

    def _end(self, node: xr.EndTurn | xr.FateEnd | xr.FateSpend, nick: str) -> None:
        """End a turn, or a gift (XR-25)."""
        if isinstance(node, xr.EndTurn):
            for gift in self.gifts:
                if gift.nick == nick:
                    gift.end_turn()
            return
        for gift in self._ending(node) if isinstance(node, xr.FateEnd) else self.held(nick, "fate_die")[:1]:
            gift.turns = 0

    def forget(self, roll: int) -> None:
        """Remove the gifts of a discarded roll, and restore those spent on it."""
        self.gifts = [gift for gift in self.gifts if gift.roll != roll]
        for gift in self.gifts:
            gift.spent = 0 if gift.spent == roll else gift.spent
        if self.group:
            self.group.values.pop(roll, None)

    def _follow_up(self, event: Event) -> None:
        """Spend a Change of Fate, the oldest first (XR-17), or let a reaction's gifts end a turn sooner (XR-18)."""
        if isinstance(event.latest, xr.Reroll) and event.latest.fate:
            for gift in self.held(event.by, "change_of_fate")[:1]:
                gift.spent = event.roll
        if isinstance(event.latest, xr.Reaction):
            for gift in self.gifts:
                if gift.nick == event.by and gift.roll == event.roll:
                    gift.end_turn()

    def _give(self, event: Event) -> None:
        """Update the gifts of a roll. Earlier gifts stay, unless a die was rerolled."""
        sides = (event.nick, event.outcome), (event.other, event.outcome.opponent)
        anew = [nick for nick, side in sides if side is not None and side.rerolled]  # XR-13, XR-17
        known = {
            (gift.nick, gift.label): gift for gift in self.gifts if gift.roll == event.roll and gift.nick not in anew
        }
        self.gifts = [gift for gift in self.gifts if gift.roll != event.roll or not gift.lasts]
        given = [known.get((gift.nick, gift.label), gift) for gift in _given(event, sides)]
        self.gifts += [gift for gift in given if gift.lasts]
        ended = [gift for gift in self.gifts if not gift.lasts]
        for gift in ended[: max(len(self.gifts) - MOST_GIFTS, 0)]:
            self.gifts.remove(gift)

    def returns(self, roll: int) -> str:
        """The Changes of Fate that discarding a roll restores, in words."""
        back = [gift.nick for gift in self.gifts if gift.spent == roll != gift.roll and gift.turns]
        return f"{', '.join(back)} may spend Change of Fate again" if back else ""

    def prepared(self, node: Command, nick: str) -> Command:
        """`node` with the nick's blessings and Change of Fate, and the group's values, filled in."""
        if isinstance(node, xr.Roll):
            return self._blessed(node, nick)
        if isinstance(node, xr.Contest):
            return replace(node, acting=self._blessed(node.acting, nick))
        if isinstance(node, xr.Reroll):
            return replace(node, granted=bool(self.held(nick, "change_of_fate")))
        if isinstance(node, xr.EndTurn):
            return replace(node, ends=tuple([gift.label for gift in self.held(nick) if gift.turns == 1]))
        if isinstance(node, xr.FateSpend):
            return replace(node, held=len(self.held(nick, "fate_die")))
        if isinstance(node, xr.FateEnd):
            return replace(node, dice=sum(gift.label == "fate_die" for gift in self._ending(node)))
        if isinstance(node, xr.GroupOpen):
            return replace(node, opener=self.group.name if self.group else None)
        if isinstance(node, xr.GroupClose):
            return replace(node, values=tuple(self.group.values.values()) if self.group else None)
        return node

    def _blessed(self, roll: xr.Roll, nick: str) -> xr.Roll:
        """XR-18: one more Advantage on a Skill Roll for each blessing, within the limit of dice (GEN-15)."""
        count = len(self.held(nick, "fates_blessing")) if roll.skill else 0
        count = min(count, MOST_DICE - roll.dice - roll.advantage)
        return replace(roll, advantage=roll.advantage + count, blessings=count) if count > 0 else roll

    def _ending(self, node: xr.FateEnd) -> list[Gift]:
        """XR-25: end the oldest gift of a kind, or all if no kind is given."""
        nick = fold(node.nick, DEFAULT)
        return self.held(nick, xr.FATE_KINDS[node.kind])[:1] if node.kind else self.held(nick)

    def tells(self, node: Command, nick: str, name: str, storyteller: bool) -> tuple[str, ...] | None:
        """XR-25: list a player's gifts. RuleError for closing another's group, or for ending gifts as a player."""
        if isinstance(node, xr.GroupClose) and self.group and self.group.opener != nick and not storyteller:
            opener = self.group.name
            raise RuleError(f"{opener} opened the group: only they or a storyteller may close it.", named=True)
        if isinstance(node, xr.FateEnd):
            if not storyteller:
                raise RuleError("only a storyteller may end Fate Dice and blessings.")
            if not self._ending(node):
                raise RuleError(f"{node.nick} holds nothing of that kind.", named=True)
        if not isinstance(node, xr.FateList):
            return None
        held = self.held(fold(node.nick, DEFAULT) if node.nick else nick)
        dice = sum(gift.label == "fate_die" for gift in held)
        listed = [counted(dice, "temporary Fate Die", "temporary Fate Dice")] if dice else []
        listed += [f"{SHORT[gift.label]} {UNTIL[gift.turns]}" for gift in held if gift.turns]
        return (f"{node.nick or name} holds {', '.join(listed) or 'nothing'}.",)


def _given(event: Event, sides: Iterable[tuple[str | None, Outcome | None]]) -> Iterator[Gift]:
    """XR-15, XR-17…XR-19, XR-21: the gifts of a roll, for each named side."""
    rolls = () if isinstance(event.node, xr.GroupRoll) else rolls_of(event.node)
    for roll, (nick, side) in zip(rolls, sides, strict=False):
        turns = TURNS_IN_REACTION if roll.reaction else TURNS
        for label in side.labels if nick and side else ():
            if label in LASTING:
                yield Gift(nick or "", label, event.roll, turns if LASTING[label] else None)

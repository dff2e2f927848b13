"""Crossroads' memory of a channel: blessings, Fate Dice, the turns they last, and an open group."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from grammars import Command
from grammars import crossroads as xr
from grammars.line import MOST_DICE
from ircdice import game
from ircdice.casemapping import DEFAULT, fold
from ircdice.errors import RuleError
from ircdice.game import Event, counted
from ircdice.rules.crossroads.judging import LASTING, rolls_of
from ircdice.rules.crossroads.texts import several

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


@dataclass(slots=True)
class Group:
    """An open group (XR-10): its opener, folded and as written, and the value of each roll that counts, by number."""

    opener: str
    name: str
    values: dict[int, int] = field(default_factory=dict)
    opener_counts: bool = True  # false for a storyteller

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
        """A player's gifts, with some labels or all, oldest first."""
        return [gift for gift in self.gifts if gift.nick == nick and gift.lasts and gift.label in (labels or LASTING)]

    def remember(self, event: Event) -> None:
        """Add a command."""
        latest = event.latest
        if isinstance(latest, xr.EndTurn | xr.Reaction):  # XR-18: what a reaction gave ends a turn sooner
            for gift in self.gifts:
                meant = isinstance(latest, xr.EndTurn) or gift.roll == event.roll
                if meant and gift.nick == event.by and gift.turns:
                    gift.turns -= 1
        elif isinstance(latest, xr.FateSpend | xr.FateEnd):
            for gift in self._ending(latest, event.nick):
                gift.turns = 0
        elif isinstance(latest, xr.GroupOpen):
            others = event.line.partition(": ")[2].startswith(COUNTS_OTHERS)
            self.group, self.open_since = Group(event.nick, event.name, opener_counts=not others), event.roll
        elif isinstance(latest, xr.GroupClose):
            self.group, self.open_since = None, 0
        else:
            self._give(event)
            if self.group and event.roll > self.open_since:
                self.group.count(event)

    def forget(self, roll: int) -> None:
        """Remove the gifts of a discarded roll, and restore those spent on it."""
        self.gifts = [gift for gift in self.gifts if gift.roll != roll]
        for gift in self.gifts:
            gift.spent = 0 if gift.spent == roll else gift.spent
        if self.group:
            self.group.values.pop(roll, None)

    def _give(self, event: Event) -> None:
        """Update the gifts of a roll (XR-15, XR-17…XR-19, XR-21); a newly drawn die gives them again (XR-13)."""
        if isinstance(event.latest, xr.Reroll) and event.latest.fate:  # XR-17: the oldest
            for gift in self.held(event.by, "change_of_fate")[:1]:
                gift.spent = event.roll
        rolls = () if isinstance(event.node, xr.GroupRoll) else rolls_of(event.node)
        sides = (event.nick, event.outcome), (event.other, event.outcome.opponent)
        for roll, (nick, side) in zip(rolls, sides, strict=False):
            if nick is None or side is None:
                continue
            turns = TURNS_IN_REACTION if roll.reaction else TURNS
            known = {gift.label: gift for gift in self.gifts if (gift.roll, gift.nick) == (event.roll, nick)}
            for label, ends in LASTING.items():
                if label in known and (side.rerolled or label not in side.labels):
                    self.gifts.remove(known.pop(label))
                if label in side.labels and label not in known:
                    self.gifts.append(Gift(nick, label, event.roll, turns if ends else None))
        ended = [gift for gift in self.gifts if not gift.lasts]
        for gift in ended[: max(len(self.gifts) - MOST_GIFTS, 0)]:
            self.gifts.remove(gift)

    def returns(self, roll: int) -> str:
        """The Changes of Fate that discarding a roll restores, in words."""
        back = [gift.nick for gift in self.gifts if gift.spent == roll != gift.roll and gift.turns]
        return f"{', '.join(back)} may spend Change of Fate again" if back else ""

    def prepared(self, node: Command, nick: str) -> Command:
        """`node` with the nick's blessings and gifts, and the group's values, filled in. RuleError if that fails."""
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
            return replace(node, dice=sum(gift.label == "fate_die" for gift in self._ending(node, nick)))
        if isinstance(node, xr.GroupOpen) and self.group:
            raise RuleError(f"a group is open already, {self.group.name}'s: xr group close ends it.")
        if isinstance(node, xr.GroupClose):
            if self.group is None:
                raise RuleError("no group is open here: xr group open begins one.")
            return replace(node, values=tuple(self.group.values.values()))
        return node

    def _blessed(self, roll: xr.Roll, nick: str) -> xr.Roll:
        """XR-18: one more Advantage on a Skill Roll for each blessing, within the limit of dice (GEN-15)."""
        count = len(self.held(nick, "fates_blessing")) if roll.skill else 0
        count = min(count, MOST_DICE - roll.dice - roll.advantage)
        return replace(roll, advantage=roll.advantage + count, blessings=count) if count > 0 else roll

    def _ending(self, node: xr.FateSpend | xr.FateEnd, nick: str) -> list[Gift]:
        """The gifts that are spent, or that a storyteller ends: the oldest of a kind, or all (XR-25)."""
        if isinstance(node, xr.FateSpend):
            return self.held(nick, "fate_die")[:1]
        of = fold(node.nick, DEFAULT)
        return self.held(of, xr.FATE_KINDS[node.kind])[:1] if node.kind else self.held(of)

    def tells(self, node: Command, nick: str, name: str, storyteller: bool) -> tuple[str, ...] | None:
        """XR-25: list a player's gifts. RuleError for closing another's group, or for ending gifts as a player."""
        if isinstance(node, xr.GroupClose) and self.group and self.group.opener != nick and not storyteller:
            opener = self.group.name
            raise RuleError(f"{opener} opened the group: only they or a storyteller may close it.", keeps_case=True)
        if isinstance(node, xr.FateEnd):
            if not storyteller:
                raise RuleError("only a storyteller may end Fate Dice and blessings.")
            if not self._ending(node, nick):
                raise RuleError(f"{node.nick} holds nothing of that kind.", keeps_case=True)
        if not isinstance(node, xr.FateList):
            return None
        held = self.held(fold(node.nick, DEFAULT) if node.nick else nick)
        dice = sum(gift.label == "fate_die" for gift in held)
        listed = [counted(dice, "temporary Fate Die", "temporary Fate Dice")] if dice else []
        ending = Counter((gift.label, gift.turns) for gift in held if gift.turns)
        listed += [f"{several(label, count)} {UNTIL[turns]}" for (label, turns), count in ending.items()]
        return (f"{node.nick or name} holds {', '.join(listed) or 'nothing'}.",)

"""The memory of a channel that plays Crossroads: blessings, Fate Dice, the turns they last, and an open group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grammars import Command
from grammars import crossroads as xr
from grammars.tokens import MOST_DICE
from ircdice.casemapping import DEFAULT, fold
from ircdice.errors import RuleError
from ircdice.game import Move, Said
from ircdice.outcome import Outcome

COUNTS_ALL = "group open: Skill Rolls count from now on"
COUNTS_OTHERS = "group open: the Skill Rolls of others count from now on"  # a storyteller opened it
LASTING = {"change_of_fate": True, "fates_blessing": True, "fate_die": False}  # label: whether turns end it
TURNS, TURNS_IN_REACTION = 2, 1  # XR-18: how many ends of a turn it lasts
NAMES = {"fates_blessing": "Fate's Blessing", "change_of_fate": "Change of Fate"}
UNTIL = {1: "until the end of the turn", 2: "until the end of the next turn"}
MOST_GIFTS = 200  # remembered; the oldest that have ended are forgotten first


@dataclass(frozen=True, slots=True)
class Gift:
    """What a triple gave to a player. `turns` until it ends, None if a storyteller ends it; 0: it has ended.

    `spent` is the roll that it changed; if that roll is discarded in time, the gift comes back (DSK-03).
    """

    nick: str
    label: str
    roll: int
    turns: int | None
    spent: int = 0

    @property
    def lasts(self) -> bool:
        """Whether it is still held."""
        return self.turns != 0 and not self.spent


@dataclass(frozen=True, slots=True)
class Group:
    """An open group (XR-10): the nick that opened it, folded and as written, the record that did, and the value of each
    roll since, by its number.

    `opener_counts` is false if a storyteller opened it.
    """

    opener: str
    name: str
    since: int
    values: tuple[tuple[int, int], ...] = ()
    opener_counts: bool = True


@dataclass(frozen=True, slots=True)
class Memory:
    """Everything that is remembered of one channel."""

    gifts: tuple[Gift, ...] = ()
    group: Group | None = None


def remember(memory: Memory | None, said: Said) -> Memory:
    """The memory with one more command in it."""
    memory, latest = memory or Memory(), said.latest
    if said.discarded:
        return _without(memory, said.roll)
    if isinstance(latest, xr.EndTurn):
        return replace(memory, gifts=tuple([_later(g) if g.turns and g.nick == said.nick else g for g in memory.gifts]))
    if isinstance(latest, xr.FateEnd):
        return replace(memory, gifts=_ended(memory.gifts, latest))
    if isinstance(latest, xr.FateSpend):
        return replace(memory, gifts=_ended(memory.gifts, xr.FateEnd(said.nick, "die")))
    if isinstance(latest, xr.GroupOpen):
        others = said.line.partition(": ")[2].startswith(COUNTS_OTHERS)
        return replace(memory, group=Group(said.nick, said.name, said.roll, opener_counts=not others))
    if isinstance(latest, xr.GroupClose):
        return replace(memory, group=None)
    if isinstance(latest, xr.Reroll) and latest.fate:
        memory = replace(memory, gifts=_spent(memory.gifts, said.by, said.roll))
    if isinstance(latest, xr.Reaction):
        gifts = [_later(g) if g.turns and g.roll == said.roll and g.nick == said.by else g for g in memory.gifts]
        memory = replace(memory, gifts=tuple(gifts))
    return _judged(memory, said)


def _without(memory: Memory, roll: int) -> Memory:
    """The memory without that roll."""
    group = memory.group
    if group is not None:
        group = replace(group, values=tuple([value for value in group.values if value[0] != roll]))
    given = [gift for gift in memory.gifts if gift.roll != roll]
    return Memory(tuple([replace(gift, spent=0) if gift.spent == roll else gift for gift in given]), group)


def moves(said: Said, before: Outcome | None) -> tuple[Move, ...]:
    """DSK-03: triples give Fate Dice, to the side that rolled them; they are spent, or a storyteller ends them."""
    node, outcome = said.node, said.outcome
    if isinstance(node, xr.FateSpend):
        return (Move("fate", -1, needed=not node.held),)
    if isinstance(node, xr.FateEnd):
        return (Move("fate", -node.dice, of=node.nick),) if node.dice else ()
    if not isinstance(node, xr.Roll | xr.Contest):
        return ()
    given = {"acting": _fate_dice(outcome) - _fate_dice(before)}
    given |= {"other": _fate_dice(outcome.opponent) - _fate_dice(before and before.opponent)}
    return tuple([Move("fate", change, of=side) for side, change in given.items() if change])


def _fate_dice(outcome: Outcome | None) -> int:
    return outcome.labels.count("fate_die") if outcome else 0


def open_since(memory: Memory | None) -> int:
    """XR-10: the record that opened the group; 0 if none is open."""
    return memory.group.since if memory and memory.group else 0


def returns(said: Said, memory: Memory | None) -> str:
    """The Changes of Fate that come back when a roll is discarded, in words."""
    gifts = _without(memory or Memory(), said.roll).gifts
    back = [gift.nick for gift in gifts if gift.lasts and gift not in (memory or Memory()).gifts]
    return f"{', '.join(back)} may spend Change of Fate again" if back else ""


def _later(gift: Gift) -> Gift:
    """That gift after one more turn."""
    return replace(gift, turns=(gift.turns or 1) - 1)


def _spent(gifts: tuple[Gift, ...], nick: str, roll: int) -> tuple[Gift, ...]:
    """XR-17: once. The oldest Change of Fate goes."""
    spent = next(iter(_held(gifts, nick, "change_of_fate")), None)
    return tuple([replace(gift, spent=roll) if gift is spent else gift for gift in gifts])


def _held(gifts: tuple[Gift, ...], nick: str, label: str) -> list[Gift]:
    return [gift for gift in gifts if gift.nick == nick and gift.label == label and gift.lasts]


def _judged(memory: Memory, said: Said) -> Memory:
    """The memory after a roll or a change to it: its gifts, and its value in an open group."""
    given = list(_given(said))
    if given or (said.latest is not said.node and said.roll in [gift.roll for gift in memory.gifts]):
        anew = _rerolled(said)
        known = {(g.nick, g.label): g for g in memory.gifts if g.roll == said.roll and g.nick not in anew}
        stays = [gift for gift in memory.gifts if gift.roll != said.roll or not gift.lasts]
        new = [known.get((gift.nick, gift.label), gift) for gift in given]
        stays += [gift for gift in new if gift.lasts]
        memory = replace(memory, gifts=_within(stays))
    group = memory.group
    if group is None or said.roll < group.since or not _counts(said):
        return memory
    if said.nick == group.opener and not group.opener_counts:
        return memory
    values = dict(group.values) | {said.roll: _value(said.outcome)}
    return replace(memory, group=replace(group, values=tuple(values.items())))


def _rerolled(said: Said) -> set[str]:
    """XR-13, XR-17: whose die was just drawn anew. What it makes counts from now, whatever became of it before."""
    sides = ((said.nick, said.outcome), (said.other, said.outcome.opponent))
    return {nick for nick, side in sides if nick is not None and side is not None and side.rerolled}


def _given(said: Said) -> Iterator[Gift]:
    """XR-15, XR-17…XR-19, XR-21: the gifts of a roll, each to the side that rolled it, if it has a name."""
    node, outcome = said.node, said.outcome
    if isinstance(node, xr.Roll):
        yield from _of_side(said.nick, node, outcome, said.roll)
    elif isinstance(node, xr.Contest) and node.other and outcome.opponent:
        yield from _of_side(said.nick, node.acting, outcome, said.roll)
        if said.other is not None:
            yield from _of_side(said.other, node.other, outcome.opponent, said.roll)


def _of_side(nick: str, roll: xr.Roll, outcome: Outcome, number: int) -> Iterator[Gift]:
    turns = TURNS_IN_REACTION if roll.reaction else TURNS
    for label in outcome.labels:
        if label in LASTING:
            yield Gift(nick, label, number, turns if LASTING[label] else None)


def _within(gifts: list[Gift]) -> tuple[Gift, ...]:
    over = [gift for gift in gifts if not gift.lasts][: max(len(gifts) - MOST_GIFTS, 0)]
    return tuple([gift for gift in gifts if gift not in over])


def _counts(said: Said) -> bool:
    return isinstance(said.node, xr.Roll) and said.node.skill


def _value(outcome: Outcome) -> int:
    """XR-16: in a group a triple 2 counts as 0."""
    return outcome.whole("result" if "result" in outcome.values else "success_value")


def prepared(node: Command, memory: Memory | None, nick: str) -> Command:
    """`node` with what is remembered for that nick: blessings, a Change of Fate, the group's values."""
    memory = memory or Memory()
    if isinstance(node, xr.Roll):
        return _blessed(node, memory, nick)
    if isinstance(node, xr.Contest):
        return replace(node, acting=_blessed(node.acting, memory, nick))
    if isinstance(node, xr.Reroll):
        return replace(node, granted=bool(_held(memory.gifts, nick, "change_of_fate")))
    if isinstance(node, xr.EndTurn):
        ends = [gift.label for gift in memory.gifts if gift.nick == nick and gift.turns == 1 and not gift.spent]
        return replace(node, ends=tuple(ends))
    if isinstance(node, xr.FateSpend):
        return replace(node, held=len(_held(memory.gifts, nick, "fate_die")))
    if isinstance(node, xr.FateEnd):
        ending = _ending(memory.gifts, node)[: 1 if node.kind else None]
        return replace(node, dice=sum(gift.label == "fate_die" for gift in ending))
    if isinstance(node, xr.GroupOpen):
        return replace(node, opener=memory.group.name if memory.group else None)
    if isinstance(node, xr.GroupClose):
        return replace(node, values=_counted(memory.group))
    return node


def _counted(group: Group | None) -> tuple[int, ...] | None:
    """The values of an open group's rolls; None if no group is open."""
    return None if group is None else tuple([value for _, value in group.values])


def _blessed(roll: xr.Roll, memory: Memory, nick: str) -> xr.Roll:
    """XR-18: one more Advantage on a Skill Roll for each blessing, as far as dice can be drawn (GEN-15)."""
    count = len(_held(memory.gifts, nick, "fates_blessing")) if roll.skill else 0
    count = min(count, MOST_DICE - roll.dice - roll.advantage)
    return replace(roll, advantage=roll.advantage + count, blessings=count) if count > 0 else roll


def tells(node: Command, memory: Memory | None, nick: str, name: str) -> tuple[str, ...] | None:
    """XR-25: what a player holds, in words."""
    if not isinstance(node, xr.FateList):
        return None
    whose = fold(node.nick, DEFAULT) if node.nick else nick
    held = [gift for gift in (memory or Memory()).gifts if gift.nick == whose and gift.lasts]
    dice = sum(gift.label == "fate_die" for gift in held)
    listed = [f"{dice} temporary Fate {'Die' if dice == 1 else 'Dice'}"] if dice else []
    listed += [f"{NAMES[gift.label]} {UNTIL[gift.turns]}" for gift in held if gift.turns]
    return (f"{node.nick or name} holds {', '.join(listed) or 'nothing'}.",)


def permits(node: Command, memory: Memory | None, nick: str, storyteller: bool) -> None:
    """RuleError for another player's group, and for what only a storyteller ends (XR-25)."""
    memory = memory or Memory()
    if isinstance(node, xr.GroupClose) and memory.group and memory.group.opener != nick and not storyteller:
        raise RuleError(f"{memory.group.name} opened the group: only they or a storyteller may close it.", named=True)
    if not isinstance(node, xr.FateEnd):
        return
    if not storyteller:
        raise RuleError("only a storyteller may end Fate Dice and blessings.")
    if not _ending(memory.gifts, node):
        raise RuleError(f"{node.nick} holds nothing of that kind.", named=True)


def _ending(gifts: tuple[Gift, ...], node: xr.FateEnd) -> list[Gift]:
    labels, nick = [xr.FATE_KINDS[node.kind]] if node.kind else list(LASTING), fold(node.nick, DEFAULT)
    return [gift for gift in gifts if gift.nick == nick and gift.label in labels and gift.lasts]


def _ended(gifts: tuple[Gift, ...], node: xr.FateEnd) -> tuple[Gift, ...]:
    """End the oldest of the kind, or all if no kind is given."""
    ended = _ending(gifts, node)
    over = ended[:1] if node.kind else ended
    return tuple([replace(gift, turns=0) if gift in over else gift for gift in gifts])

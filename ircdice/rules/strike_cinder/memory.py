"""The memory of a channel that plays Strike & Cinder: helpers' dice, and the encounter with everyone's Luck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grammars import Command
from grammars.strike_cinder_nodes import (
    ASSIST,
    CANTRIP,
    CINDER,
    STRIKE,
    Assist,
    CloseEncounter,
    Join,
    Leave,
    Luck,
    Mind,
    OpenEncounter,
    Resist,
    Roll,
    Standing,
    Target,
)
from grammars.trackers import Track
from ircdice.casemapping import fold
from ircdice.game import Move, Said
from ircdice.outcome import Outcome
from ircdice.rules.strike_cinder.judging import STRONG_ASSIST

HELPED = (Roll, Assist, Mind, Resist)
Rolled = Roll | Assist | Mind | Resist
Helped = tuple[str, str]  # folded nick, pool
MOST_ENTRIES = 500  # rolls of one encounter that are kept for its tracking
MOST_SPENT = 100  # helps that may come back


@dataclass(frozen=True, slots=True)
class Help:
    """Assistance that waits for its recipient's next roll (SC-15)."""

    helper: str
    roll: int


@dataclass(frozen=True, slots=True)
class Member:
    """A character in an encounter, or the Encounter itself, which has no Path (SC-19).

    `dice` are the Encounter's own, by pool, if they were given (SC-26).
    """

    name: str
    owner: str  # folded nick
    standing: Standing
    bonuses: tuple[str, ...] = ()
    dice: Mapping[str, int] = field(default_factory=dict)

    def with_luck(self, luck: int) -> Member:
        """The same with other Luck, never below 0 nor over what it began with."""
        return replace(self, standing=replace(self.standing, luck=max(0, min(luck, self.standing.most))))


@dataclass(frozen=True, slots=True)
class Entry:
    """One side of a roll of the encounter, as the tracking lists it."""

    member: str  # folded
    name: str
    node: Rolled
    outcome: Outcome
    keyword: str | None


@dataclass(frozen=True, slots=True)
class Encounter:
    """The open encounter, or the last one; `drained` is the Luck that each roll took, from whom.

    `gone` are those who left, for the tracking (SC-28).
    """

    opener: str
    members: Mapping[str, Member]
    open: bool = True
    entries: Mapping[int, tuple[Entry, ...]] = field(default_factory=dict)
    drained: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    gone: Mapping[str, Member] = field(default_factory=dict)
    since: int = 0  # the record that opened it

    @property
    def everybody(self) -> Mapping[str, Member]:
        """All members by folded name, and those who left."""
        return {**self.members, **self.gone}

    def find(self, name: str) -> Member | None:
        """The member of that name."""
        return self.members.get(fold(name))

    def of(self, nick: str) -> Member | None:
        """The character that a nick plays, if it is exactly one."""
        return _only(self.all_of(nick))

    def all_of(self, nick: str) -> list[Member]:
        """The characters that a nick plays."""
        return _characters(self.members, nick)

    def was_of(self, nick: str) -> Member | None:
        """The character that a nick plays, or else the one that it played before that one left."""
        return self.of(nick) or _only(_characters(self.gone, nick))

    def with_luck(self, name: str, luck: int) -> Encounter:
        """The same with other Luck of one member, or of one who left."""
        key = fold(name)
        if (member := self.members.get(key)) is not None:
            return replace(self, members={**self.members, key: member.with_luck(luck)})
        if (left := self.gone.get(key)) is not None:
            return replace(self, gone={**self.gone, key: left.with_luck(luck)})
        return self

    def joined(self, member: Member) -> Encounter:
        """The same with one more member, perhaps one who comes back."""
        key = fold(member.name)
        return replace(self, members={**self.members, key: member}, gone=_without(self.gone, key))

    def left(self, name: str) -> Encounter:
        """The same after a member left."""
        key = fold(name)
        leaving = {key: self.members[key]} if key in self.members else {}
        return replace(self, members=_without(self.members, key), gone={**self.gone, **leaving})


def _characters(members: Mapping[str, Member], nick: str) -> list[Member]:
    mine = (member for key, member in members.items() if nick in (member.owner, key))  # DSK-01: or a character's name
    return [member for member in mine if member.standing.path is not None]


def _only(members: list[Member]) -> Member | None:
    return members[0] if len(members) == 1 else None


def _without(members: Mapping[str, Member], key: str) -> Mapping[str, Member]:
    return {name: member for name, member in members.items() if name != key}


@dataclass(frozen=True, slots=True)
class Memory:
    """All that is remembered of one channel; `helps` by recipient and pool, `spent` by the roll that they went into."""

    helps: Mapping[Helped, Help] = field(default_factory=dict)
    spent: tuple[tuple[int, Helped, Help], ...] = ()
    encounter: Encounter | None = None

    @property
    def open(self) -> Encounter | None:
        """The encounter, while it is open."""
        return self.encounter if self.encounter and self.encounter.open else None


def remember(memory: Memory | None, said: Said) -> Memory:
    """The memory after one more command, or after a roll was discarded."""
    memory = memory or Memory()
    if said.discarded:
        return _forgotten(memory, said)
    latest = said.latest if said.latest is not None else said.node
    if isinstance(latest, HELPED) and latest.helper is not None and not said.revealed:
        memory = _spent(memory, said.roll, (said.by or said.nick, latest.pool.kind))
    if isinstance(said.node, Assist):
        memory = _helped(memory, said)
    encounter = _encounter(memory.encounter, said)
    return memory if encounter is memory.encounter else replace(memory, encounter=encounter)


def _spent(memory: Memory, roll: int, helped: Helped) -> Memory:
    """SC-15: once; that roll has them, and they come back with it (DSK-03)."""
    if (found := memory.helps.get(helped)) is None:
        return memory
    helps = {key: kept for key, kept in memory.helps.items() if key != helped}
    return replace(memory, helps=helps, spent=(*memory.spent, (roll, helped, found))[-MOST_SPENT:])


def _returning(memory: Memory, roll: int) -> dict[Helped, Help]:
    """The helps that went into that roll, unless others are waiting by now."""
    return {key: found for spent, key, found in memory.spent if spent == roll and key not in memory.helps}


def _helped(memory: Memory, said: Said) -> Memory:
    """SC-15: an Exceptional Success for a nick waits for its next roll of that pool."""
    node = said.node
    if not isinstance(node, Assist) or node.recipient is None or ASSIST[STRONG_ASSIST] not in said.outcome.effects:
        return memory
    key = fold(node.recipient), node.pool.kind
    return replace(memory, helps={**memory.helps, key: Help(said.nick, said.roll)})


def _encounter(encounter: Encounter | None, said: Said) -> Encounter | None:
    """SC-26: who joins and leaves, and their Luck."""
    node, outcome = said.node, said.outcome
    if isinstance(node, OpenEncounter):
        given = {STRIKE: node.strike, CINDER: node.cinder}
        dice = {pool: count for pool, count in given.items() if count is not None}
        itself = Member(node.name, said.nick, Standing(None, node.dc, node.luck, node.luck), dice=dice)
        return Encounter(said.nick, {fold(node.name): itself}, since=said.roll)
    if encounter is None or not encounter.open:
        return encounter
    if isinstance(node, CloseEncounter):
        return replace(encounter, open=False)
    if isinstance(node, Join):
        standing = Standing(node.path, None, outcome.whole("luck"), outcome.whole("luck"))
        return encounter.joined(Member(node.name, said.nick, standing, bonuses(node)))
    if isinstance(node, Leave):
        return encounter.left(node.name)
    if isinstance(node, Luck) and node.name is not None:
        return encounter.with_luck(node.name, outcome.whole("luck"))
    if isinstance(node, HELPED):
        encounter = _listed(encounter, said)
    return _drained(encounter, said, node.target) if isinstance(node, Roll) and node.target else encounter


def _listed(encounter: Encounter, said: Said) -> Encounter:
    """SC-20: the rolls of members, rolls against a member, and both sides of answered magic on a mind."""
    node = said.node
    if not isinstance(node, HELPED) or said.outcome.kind == "waiting" or len(encounter.entries) >= MOST_ENTRIES:
        return encounter
    named = node.speaker
    member = encounter.find(named) if named else encounter.of(said.nick)
    attack = isinstance(node, Roll) and node.target is not None and node.target.name is not None
    sides = []
    if member or attack:
        name = member.name if member else said.nick
        sides.append(Entry(fold(name), name, node, said.outcome, said.comment))
    answer, resistance = said.latest, said.outcome.opponent
    if isinstance(answer, Resist) and resistance and (target := encounter.of(said.by)):
        sides.append(Entry(fold(target.name), target.name, answer, resistance, None))
    return replace(encounter, entries={**encounter.entries, said.roll: tuple(sides)}) if sides else encounter


def _drained(encounter: Encounter, said: Said, target: Target) -> Encounter:
    """SC-24: a hit on a member drains Luck, once."""
    member = encounter.find(target.name) if target.name else None
    if member is None or said.roll in encounter.drained:
        return encounter
    drained = min(said.outcome.whole("luck_drained"), member.standing.luck)
    if not drained:
        return encounter
    taken = {**encounter.drained, said.roll: (fold(member.name), drained)}
    return replace(encounter.with_luck(member.name, member.standing.luck - drained), drained=taken)


def _forgotten(memory: Memory, said: Said) -> Memory:
    """SC-21: what a discarded roll did comes back, and the roll is no longer listed."""
    helps = {**memory.helps, **_returning(memory, said.roll)}
    memory = replace(
        memory,
        helps={key: kept for key, kept in helps.items() if kept.roll != said.roll},
        spent=tuple([each for each in memory.spent if said.roll not in (each[0], each[2].roll)]),
    )
    encounter = memory.encounter
    if encounter is None:
        return memory
    back = encounter.drained.get(said.roll)
    member = encounter.everybody.get(back[0]) if back else None
    if back and member:
        encounter = encounter.with_luck(member.name, member.standing.luck + back[1])
    encounter = replace(
        encounter,
        entries={roll: sides for roll, sides in encounter.entries.items() if roll != said.roll},
        drained={roll: taken for roll, taken in encounter.drained.items() if roll != said.roll},
    )
    return replace(memory, encounter=encounter)


def moves(said: Said, _before: Outcome | None) -> tuple[Move, ...]:
    """DSK-03: a character's Luck is kept as the encounter has it, and a cantrip is one fewer."""
    node, outcome = said.node, said.outcome
    if isinstance(node, Join):
        return (Move("luck", to=outcome.whole("luck"), most=outcome.whole("luck"), of=node.name),)
    if isinstance(node, Luck) and node.name is not None and node.before is not None:
        return (Move("luck", to=outcome.whole("luck"), most=node.before.most, of=node.name, told=True),)
    if not isinstance(node, Roll):
        return ()
    spent = (Move("cantrips", -1),) if node.tag == CANTRIP else ()
    target = node.target
    if target is None or target.standing is None or not outcome.values.get("luck_drained"):
        return spent
    luck = max(0, target.standing.luck - outcome.whole("luck_drained"))
    return (*spent, Move("luck", to=luck, most=target.standing.most, of=str(target.name), told=True))


def tracked(memory: Memory | None, nick: str, said: Track) -> Command | None:
    """SC-26: `luck -1` of who is in the open encounter is the encounter's."""
    encounter = memory.open if memory and said.name == "luck" else None
    member = encounter.of(nick) or encounter.find(nick) if encounter else None
    if member is None or said.shared or said.hidden or said.undoes or said.removes:
        return None
    if said.level is not None and said.level.most is not None:
        return None
    change = said.change if said.level is None else said.level.value - member.standing.luck
    return Luck(member.name, change)


def open_since(memory: Memory | None) -> int:
    """SC-26: the record that opened the encounter; 0 if none is open. The rolls since then drain its Luck."""
    return memory.open.since if memory and memory.open else 0


def returns(said: Said, memory: Memory | None) -> str:
    """SC-21, DSK-03, in words: the Luck that comes back when a roll is discarded, and helpers' dice."""
    if memory is None:
        return ""
    helps = [
        f"{found.helper}'s assist2 waits for {nick} again" for (nick, _), found in _returning(memory, said.roll).items()
    ]
    return "; ".join([*_luck_returning(said, memory), *helps])


def _luck_returning(said: Said, memory: Memory) -> list[str]:
    taken = memory.encounter.drained.get(said.roll) if memory.encounter else None
    after = _forgotten(memory, said).encounter if taken else None
    found = after.everybody.get(taken[0]) if after and taken else None
    return [f"{found.name} Luck {found.standing.luck}/{found.standing.most}"] if found else []


def bonuses(node: Join) -> tuple[str, ...]:
    """What raises a character's Luck, for the tracking's first block (SC-28)."""
    return ((f"skill rank {node.rank}",) if node.rank > 1 else ()) + (("Exchange Equipment",) if node.exchange else ())

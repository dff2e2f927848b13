"""Encounters: who is in them, their Luck, helpers' dice, and the text for a forum post (SC-15, SC-18…SC-28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain

from grammars import Command
from grammars import strike_cinder as sc
from grammars.errors import ImpossibleError
from grammars.line import posted_comment
from grammars.tokens import near
from grammars.trackers import Track
from ircdice.casemapping import fold
from ircdice.errors import RuleError, UnknownSpeakerError
from ircdice.game import Move, Said
from ircdice.outcome import Covered, Outcome
from ircdice.rules.strike_cinder.judging import COMPLETE, STRONG_ASSIST, degree
from ircdice.rules.strike_cinder.texts import WORDS, counted, luck_of

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
    player: str  # the nick as it is written
    standing: sc.Standing
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
    node: sc.Throw
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
    if isinstance(latest, sc.Throw) and latest.helper is not None and not said.revealed:
        memory = _spent(memory, said.roll, _help_for(latest, memory, said.by or said.nick))
    if isinstance(said.node, sc.Assist):
        memory = _helped(memory, said)
    encounter = _encounter(memory.encounter, said)
    return memory if encounter is memory.encounter else replace(memory, encounter=encounter)


def _help_for(node: sc.Throw, memory: Memory, nick: str) -> Helped | None:
    """Where the help for a roll is kept: under the nick, or the name in the encounter, of who rolls (SC-15)."""
    encounter = memory.open

    def known(name: str) -> str:
        member = encounter.of(name) if encounter else None
        return fold(member.name) if member else name

    whose = known(fold(node.speaker) if node.speaker else nick)
    return next((key for key in memory.helps if key[1] == node.pool.kind and known(key[0]) == whose), None)


def _spent(memory: Memory, roll: int, helped: Helped | None) -> Memory:
    """SC-15: once; that roll has them, and they come back with it (DSK-03)."""
    if helped is None or (found := memory.helps.get(helped)) is None:
        return memory
    helps = {key: kept for key, kept in memory.helps.items() if key != helped}
    return replace(memory, helps=helps, spent=(*memory.spent, (roll, helped, found))[-MOST_SPENT:])


def _returning(memory: Memory, roll: int) -> dict[Helped, Help]:
    """The helps that went into that roll, unless others are waiting by now."""
    return {key: found for spent, key, found in memory.spent if spent == roll and key not in memory.helps}


def _helped(memory: Memory, said: Said) -> Memory:
    """SC-15: an Exceptional Success for a nick waits for its next roll of that pool."""
    node = said.node
    if (
        not isinstance(node, sc.Assist)
        or node.recipient is None
        or sc.ASSIST[STRONG_ASSIST] not in said.outcome.effects
    ):
        return memory
    key = fold(node.recipient), node.pool.kind
    return replace(memory, helps={**memory.helps, key: Help(said.name, said.roll)})


def _encounter(encounter: Encounter | None, said: Said) -> Encounter | None:
    """SC-26: who joins and leaves, and their Luck."""
    node, outcome = said.node, said.outcome
    if isinstance(node, sc.OpenEncounter):
        given = {sc.STRIKE: node.strike, sc.CINDER: node.cinder}
        dice = {pool: count for pool, count in given.items() if count is not None}
        itself = Member(node.name, said.nick, said.name, sc.Standing(None, node.dc, node.luck, node.luck), dice=dice)
        return Encounter(said.nick, {fold(node.name): itself}, since=said.roll)
    if encounter is None or not encounter.open:
        return encounter
    if isinstance(node, sc.CloseEncounter):
        return replace(encounter, open=False)
    if isinstance(node, sc.Join):
        standing = sc.Standing(node.path, None, outcome.whole("luck"), outcome.whole("luck"))
        return encounter.joined(Member(node.name, said.nick, said.name, standing, bonuses(node)))
    if isinstance(node, sc.Leave):
        return encounter.left(node.name)
    if isinstance(node, sc.Luck) and node.name is not None:
        return encounter.with_luck(node.name, outcome.whole("luck"))
    if isinstance(node, sc.Throw):
        encounter = _listed(encounter, said)
    return _drained(encounter, said, node.target) if isinstance(node, sc.Roll) and node.target else encounter


def _listed(encounter: Encounter, said: Said) -> Encounter:
    """SC-20: the rolls of members, rolls against a member, and both sides of answered magic on a mind."""
    node = said.node
    if not isinstance(node, sc.Throw) or said.outcome.kind == "waiting" or len(encounter.entries) >= MOST_ENTRIES:
        return encounter
    named = node.speaker
    member = encounter.find(named) if named else encounter.of(said.nick)
    attack = isinstance(node, sc.Roll) and node.target is not None and node.target.name is not None
    sides = []
    if member or attack:
        name = member.name if member else said.name
        sides.append(Entry(fold(name), name, node, said.outcome, said.comment))
    answer, resistance = said.latest, said.outcome.opponent
    if isinstance(answer, sc.Resist) and resistance and (target := encounter.of(said.by) or encounter.find(said.by)):
        sides.append(Entry(fold(target.name), target.name, answer, resistance, None))
    return replace(encounter, entries={**encounter.entries, said.roll: tuple(sides)}) if sides else encounter


def _drained(encounter: Encounter, said: Said, target: sc.Target) -> Encounter:
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
    if isinstance(node, sc.Join):
        return (Move("luck", to=outcome.whole("luck"), most=outcome.whole("luck"), of=node.name),)
    if isinstance(node, sc.Luck) and node.name is not None and node.before is not None:
        return (Move("luck", to=outcome.whole("luck"), most=node.before.most, of=node.name, told=True),)
    if not isinstance(node, sc.Roll):
        return ()
    spent = (Move("cantrips", -1),) if node.tag == sc.CANTRIP else ()
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
    now = member.standing
    if said.level is not None and said.level.most is not None:
        if said.level.most != now.most:
            has = f"{member.name} has Luck {now.luck}/{now.most} in the encounter"
            raise RuleError(f"{has}: track luck {now.luck}/{now.most} keeps that, sc luck {member.name} -1 changes it.")
        if said.level.value == now.luck:
            return None  # what is tracked begins as the encounter has it, and then follows it
    change = said.change if said.level is None else said.level.value - member.standing.luck
    return sc.Luck(member.name, change)


def knows(memory: Memory | None, node: Command, nick: str) -> bool:
    """SC-26, SC-27: the Encounter resists too; its other rolls say `as NAME` by themselves."""
    member = memory.open.find(nick) if memory and memory.open and isinstance(node, sc.Resist) else None
    return member is not None and member.standing.path is None


def taking_back(node: Command) -> Command | None:
    """SC-26: `sc luck NAME +1` after `sc luck NAME -1`."""
    return sc.Luck(node.name, -node.change) if isinstance(node, sc.Luck) and node.change else None


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


def bonuses(node: sc.Join) -> tuple[str, ...]:
    """What raises a character's Luck, for the tracking's first block (SC-28)."""
    return ((f"skill rank {node.rank}",) if node.rank > 1 else ()) + (("Exchange Equipment",) if node.exchange else ())


# What an encounter adds to rolls, who may change it, and what it answers.


def prepared(node: Command, memory: Memory | None, nick: str) -> Command:
    """`node` with what is remembered: a helper's dice, a target's DC and Luck. RuleError if it cannot be."""
    memory = memory or Memory()
    if isinstance(node, sc.Roll):
        node = _with_target(_of_a_character(node, memory.open, nick), memory.open)
    elif isinstance(node, sc.Throw) and node.speaker is not None:
        node = replace(node, speaker=_speaking(node, memory.open).name)
    if isinstance(node, sc.Throw):
        return _with_help(_with_dice(node, memory.open, nick), memory, nick)
    _check_note(node, memory.open)
    if isinstance(node, sc.Luck) and node.name is not None:
        return replace(node, before=_named(node, memory.open).standing)
    return node


def _with_dice(node: sc.Throw, encounter: Encounter | None, nick: str) -> sc.Throw:
    """SC-26: a pool without a number has the dice of the character's Path, or the Encounter's own."""
    if node.pool.given:
        return node
    member = _rolling(node, encounter, nick)
    kind, path = node.pool.kind, member.standing.path
    if path is None and kind not in member.dice:
        own = f"{member.name} has no {kind.capitalize()} dice of its own"
        raise RuleError(f"{own}: say how many, as sc {node.begins.format(kind=kind)} 5 as {member.name}.")
    try:
        return replace(node, pool=replace(node.pool, path=path, dice=member.dice.get(kind)))
    except ImpossibleError as fault:
        raise RuleError(str(fault)) from None


def _rolling(node: sc.Throw, encounter: Encounter | None, nick: str) -> Member:
    """The member who rolls: the one named, else the only character that a nick plays here."""
    if node.speaker is not None:
        return _speaking(node, encounter)
    own = encounter.all_of(nick) if encounter else []
    if len(own) == 1:
        return own[0]
    if encounter and not own and (itself := encounter.find(nick)):
        return itself
    if not own:
        raise RuleError("how many dice? Say a number, or a Path such as arcanist.")
    names = " or ".join(member.name for member in own)
    how = "a number of dice or a Path" if isinstance(node, sc.Resist) else f"as {own[0].name}"
    raise RuleError(f"whose dice, {names}? Add {how}.")


def _with_help(node: sc.Throw, memory: Memory, nick: str) -> sc.Throw:
    """SC-15: the recipient's next roll of that pool gets it, and no assistance stacks with it.

    A player who types assist2 means these dice.
    """
    helped = _help_for(node, memory, nick)
    if helped is None:
        return node
    found = memory.helps[helped]
    if node.pool.assist == STRONG_ASSIST:
        return replace(node, helper=found.helper)
    if node.pool.assist:
        raise RuleError(
            f"{found.helper}'s assist2 waits for this roll, and assistance does not stack: leave yours out."
        )
    try:
        return replace(node, pool=replace(node.pool, assist=STRONG_ASSIST), helper=found.helper)
    except ImpossibleError as fault:
        raise RuleError(str(fault)) from None


def _of_a_character(node: sc.Roll, encounter: Encounter | None, nick: str) -> sc.Roll:
    """SC-27: whom it counts for: the character named, else the only one that a nick plays here."""
    if node.speaker is not None:
        return replace(node, character=_speaking(node, encounter).name)
    member = encounter.of(nick) if encounter else None
    return replace(node, character=member.name) if member else node


def _with_target(node: sc.Roll, encounter: Encounter | None) -> sc.Roll:
    """SC-24: a name of the open encounter is hit at its Defense DC."""
    if node.target is None or node.target.name is None:
        return node
    try:
        member = _member(node.target.name, encounter)
    except RuleError as unknown:
        raise RuleError(str(unknown), hint=_nearly_meant(node, node.target, encounter)) from None
    standing = member.standing
    try:
        node = replace(node, target=replace(node.target, name=member.name, standing=standing))
    except ImpossibleError as fault:
        raise RuleError(str(fault)) from None
    if standing.path is None and standing.dc is None and node.dc is None:
        raise RuleError(f"{member.name} has no Defense DC: say it, as dc3.", hint=f"{node} dc3")
    return node


def _nearly_meant(node: sc.Roll, target: sc.Target, encounter: Encounter | None) -> str | None:
    """The command with the nearest name of the encounter, or the nearest Path."""
    if name := _nearest_name(str(target.name), encounter):
        return str(replace(node, target=replace(target, name=name)))
    meant = near(str(target.name).lower(), {word for path in sc.PATHS for word in (path, *path.split())})
    found = [path for path in sc.PATHS if meant and meant[0] in {path, *path.split()}]
    for path in sorted(found, key=len):
        with suppress(ImpossibleError):  # `shifter shifted` is an Afflicted one
            return str(replace(node, target=replace(target, name=None, path=path)))
    return None


def _nearest_name(typed: str, encounter: Encounter | None) -> str | None:
    names = {each.name.lower(): each.name for each in encounter.members.values()} if encounter else {}
    return next((names[name] for name in near(typed.lower(), names)), None)


def _named(node: sc.Luck | sc.Leave | sc.Tracking, encounter: Encounter | None) -> Member:
    """The member that a command names. RuleError with the nearest name (GEN-11)."""
    name = node.name or ""
    try:
        return _member(name, encounter)
    except RuleError as unknown:
        meant = _nearest_name(name, encounter)
        raise RuleError(str(unknown), hint=meant and str(replace(node, name=meant))) from None


def _speaking(node: sc.Throw, encounter: Encounter | None) -> Member:
    """The member of `as NAME`. RuleError with a command that would work, if there is one."""
    name = str(node.speaker)
    try:
        return _member(name, encounter)
    except RuleError as unknown:
        meant = _nearest_name(name, encounter)
        if meant is None:
            raise UnknownSpeakerError(str(unknown)) from None
        target = node.target.name if isinstance(node, sc.Roll) and node.target else None
        there = encounter is not None and (target is None or encounter.find(target) is not None)
        raise RuleError(str(unknown), hint=str(replace(node, speaker=meant)) if there else None) from None


def _member(name: str, encounter: Encounter | None) -> Member:
    if encounter is None:
        raise RuleError(
            f"{name} is no Path, and no encounter is open here: sc encounter open Encounter luck 6.", named=True
        )
    member = encounter.find(name)
    if member is None:
        known = ", ".join(each.name for each in encounter.members.values())
        raise RuleError(f"{name} is not in this encounter, where there are {known}.", named=True)
    return member


def _check_note(node: Command, encounter: Encounter | None) -> None:
    if isinstance(node, sc.OpenEncounter):
        if encounter is not None:
            raise RuleError("an encounter is open here already: sc encounter close ends it.")
    elif not isinstance(node, sc.Tracking) and encounter is None:
        raise RuleError("no encounter is open here: sc encounter open Encounter luck 6.")
    elif isinstance(node, sc.Join) and encounter is not None and encounter.find(node.name):
        raise RuleError(f"{node.name} is in this encounter already.", named=True)
    elif isinstance(node, sc.Leave):
        _named(node, encounter)


def permits(node: Command, memory: Memory | None, nick: str, storyteller: bool) -> None:
    """SC-26, SC-27: a character is its player's; the Encounter, and its end, are the opener's and storytellers'.

    Luck out of bounds is refused (DSK-02); it is not here that old records are read, which may have it.
    """
    encounter = memory.open if memory else None
    if encounter is None:
        return
    _check_owner(node, encounter, nick, storyteller=storyteller)
    changed = encounter.find(node.name) if isinstance(node, sc.Luck) and node.name and node.change else None
    if isinstance(node, sc.Luck) and node.change and changed is not None:
        luck, most = changed.standing.luck + node.change, changed.standing.most
        if not 0 <= luck <= most:
            raise RuleError(f"luck is 0 to {most}, and that would be {luck}.")


def _check_owner(node: Command, encounter: Encounter, nick: str, *, storyteller: bool) -> None:
    if storyteller or nick == encounter.opener:
        return
    if isinstance(node, sc.CloseEncounter):
        raise RuleError("only a storyteller or the one who opened the encounter may close it.")
    name = node.speaker
    if isinstance(node, sc.Leave) or (isinstance(node, sc.Luck) and node.change is not None):
        name = node.name
    member = encounter.find(name) if name else None
    if member is not None and nick not in (member.owner, fold(member.name)):
        what = "roll for" if isinstance(node, sc.Throw) else "change"
        raise RuleError(
            f"only {member.player}, a storyteller or the one who opened the encounter may {what} {member.name}."
        )


def tells(node: Command, memory: Memory | None, nick: str, _name: str) -> tuple[str, ...] | None:
    """The answer to a question about the encounter; None for any other command."""
    encounter = memory.encounter if memory else None
    if isinstance(node, sc.Tracking):
        if encounter is None:
            raise RuleError("there was no encounter here to track.")
        viewer = encounter.everybody.get(fold(node.name)) if node.name else encounter.was_of(nick)
        if node.name and viewer is None:
            _named(node, encounter)
        return tracking(encounter, viewer)
    if isinstance(node, sc.Luck) and node.change is None:
        _check_note(node, encounter if encounter and encounter.open else None)
        if encounter is None:
            return ()
        members = [_named(node, encounter)] if node.name else list(encounter.members.values())
        return ("; ".join(luck_of(m.name, m.standing.luck, m.standing.most) for m in members),)
    return None


# The text of an encounter, ready to paste into a forum post (SC-20, SC-28).

_NO_CODES = str.maketrans("", "", "[]")


def tracking(encounter: Encounter, viewer: Member | None) -> tuple[str, ...]:
    """One part per line: Luck bonuses, the rolls, then everyone's Luck. The viewer's own rolls have no name."""
    notes = [_bonus(member) for member in encounter.everybody.values() if member.bonuses]
    for entry in chain.from_iterable(encounter.entries.values()):
        notes += _lines(entry, encounter, viewer)
    return (*_framed("note", notes), *footnote(encounter))


def footnote(encounter: Encounter) -> tuple[str, ...]:
    """Everyone's Luck, characters first, the Encounter last; members who left are marked."""
    members = sorted(encounter.everybody.items(), key=lambda each: each[1].standing.path is None)
    lines = [
        f"{member.name} [luck] {member.standing.luck}/{member.standing.most}{', left' if key in encounter.gone else ''}"
        for key, member in members
    ]
    return _framed("footnote", lines)


def _framed(code: str, lines: list[str]) -> tuple[str, ...]:
    if not lines:
        return ()
    first, *rest = lines
    lines = [f"[{code}]{first}", *rest]
    return (*lines[:-1], f"{lines[-1]}[/{code}]")


def _bonus(member: Member) -> str:
    """SC-18: the bonuses of the Luck, in the first block only."""
    return f"{member.name} [luck] {member.standing.most}{_with(member.bonuses)}"


def _with(bonuses: Sequence[str]) -> str:
    """`, with +1, assist and full moon`."""
    *before, last = bonuses or [""]
    return f", with {', '.join(before)}{' and ' if before else ''}{last}" if last else ""


def _applied(node: sc.Throw) -> list[str]:
    """The bonuses of a roll: what changed its pool, a helper, and the full moon (SC-28)."""
    assist = [sc.ASSIST[node.pool.assist]] if node.pool.assist else []
    moon = ["full moon"] if node.fullmoon and node.pool.kind == sc.CINDER else []
    return [f"{change:+}" for change in node.pool.changes] + assist + moon


def _lines(entry: Entry, encounter: Encounter, viewer: Member | None) -> list[str]:
    """The tag with its keyword, then the pool with its result."""
    member = encounter.everybody.get(entry.member)
    own = viewer is not None and member is viewer
    name = "" if own else f"{entry.name} "
    keyword = posted_comment(entry.keyword or "").translate(_NO_CODES).strip()
    said = f", {keyword}" if keyword else ""
    node = entry.node
    lines = [f"{name}[{node.tag}]{said}"] if node.tag else []
    is_character = member is None or member.standing.path is not None
    result = _result(entry, is_character=is_character, after_keyword=bool(said))
    return [*lines, f"{name}[{node.pool.kind}]{said}{result}{_with(_applied(node))}"]


def _result(entry: Entry, *, is_character: bool, after_keyword: bool) -> str:
    """`, Complete Success`, `, hit, Complete Success, 4 passes vs. DC3`; the Encounter's ` hit, 4 passes vs. DC3`."""
    node, labels, passes = entry.node, entry.outcome.labels, entry.outcome.whole("passes")
    secret = isinstance(entry.outcome, Covered)
    if not isinstance(node, sc.Roll) or (node.target is None and node.dc is None and not secret):
        opposed = [WORDS[label].lower() for label in ("overcome", "resisted") if label in labels]
        return "".join(f", {each}" for each in (WORDS[degree(passes)], *opposed))
    label = "critical_hit" if "critical_hit" in labels else labels[0]
    verdict = WORDS[label].lower()
    if passes >= COMPLETE and label == "success":
        verdict = WORDS[degree(passes)]
    elif passes >= COMPLETE and label == "hit" and is_character:
        verdict = f"{verdict}, {WORDS[degree(passes)]}"
    if secret:  # FW-10
        against = "vs. a secret DC"
    elif "dc" in entry.outcome.values:
        against = f"vs. DC{entry.outcome.values['dc']}"
    else:
        against = "vs. " + (sc.PATHS[node.target.known_path or ""].name if node.target else "")
    return f"{',' if after_keyword else ''} {verdict}, {counted(passes)} {against}"

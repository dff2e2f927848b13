"""Encounters: who is in them, their Luck, helpers' dice, and the text for a forum post (SC-15, SC-18…SC-28)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from grammars import Command
from grammars import strike_cinder as sc
from grammars.characters import Track
from grammars.errors import ImpossibleError
from grammars.line import posted_comment
from grammars.tokens import near
from ircdice import game
from ircdice.casemapping import fold
from ircdice.errors import RuleError, UnknownSpeakerError
from ircdice.game import Said
from ircdice.outcome import Outcome
from ircdice.rules.strike_cinder.judging import COMPLETE, STRONG_ASSIST, degree
from ircdice.rules.strike_cinder.texts import WORDS, counted, luck_of

MOST_ENTRIES = 500  # rolls of one encounter that are kept for its tracking
MOST_HELPS = 200  # remembered, spent or not
NO_ENCOUNTER = "no encounter is open here: sc encounter open Encounter luck 6."


@dataclass(slots=True)
class Help:
    """Assistance for the recipient's next roll of that pool (SC-15); `spent` is the roll that it went into."""

    helper: str
    recipient: str  # folded
    pool: str
    roll: int
    spent: int = 0


@dataclass(slots=True)
class Member:
    """A character in an encounter, or the Encounter itself, which has no Path (SC-19).

    `dice` are the Encounter's own, by pool, if they were given (SC-26). One who `left` is in the tracking only (SC-28).
    """

    name: str
    owner: str  # folded nick
    player: str  # the nick as it is written
    standing: sc.Standing
    bonuses: tuple[str, ...] = ()
    dice: Mapping[str, int] = field(default_factory=dict)
    left: bool = False

    @property
    def is_character(self) -> bool:
        """Whether it is a character, and not the Encounter."""
        return self.standing.path is not None

    def set_luck(self, luck: int) -> None:
        """Luck is never below 0 nor over what it began with."""
        self.standing = replace(self.standing, luck=max(0, min(luck, self.standing.most)))


@dataclass(frozen=True, slots=True)
class Entry:
    """One side of a roll of the encounter, as the tracking lists it."""

    name: str
    node: sc.Throw
    outcome: Outcome
    keyword: str | None


@dataclass(slots=True)
class Encounter:
    """An encounter; `everybody` by folded name, `drained` is the Luck that each roll took.

    One without anybody stands for none.
    """

    opener: str = ""  # folded nick
    since: int = 0  # the record that opened it
    everybody: dict[str, Member] = field(default_factory=dict)
    open: bool = True
    entries: dict[int, list[Entry]] = field(default_factory=dict)
    drained: dict[int, tuple[str, int]] = field(default_factory=dict)

    @property
    def members(self) -> list[Member]:
        """Those who are in it now."""
        return [member for member in self.everybody.values() if not member.left]

    def find(self, name: str) -> Member | None:
        """The member of that name."""
        member = self.everybody.get(fold(name))
        return None if member is None or member.left else member

    def all_of(self, nick: str, *, left: bool = False) -> list[Member]:
        """The characters that a nick plays, or played before they left; it may be a character's name (DSK-01)."""
        mine = [member for key, member in self.everybody.items() if nick in (member.owner, key)]
        return [member for member in mine if member.is_character and member.left is left]

    def of(self, nick: str, *, left: bool = False) -> Member | None:
        """The character that a nick plays, if it is exactly one."""
        found = self.all_of(nick, left=left)
        return found[0] if len(found) == 1 else None

    def remember(self, said: Said) -> None:
        """SC-26: who joins and leaves, and their Luck."""
        node = said.node
        if isinstance(node, sc.CloseEncounter):
            self.open = False
        elif isinstance(node, sc.Join):
            luck = said.outcome.whole("luck")
            self.everybody.pop(fold(node.name), None)  # one who comes back is the last to have joined
            standing = sc.Standing(node.path, None, luck, luck)
            self.everybody[fold(node.name)] = Member(node.name, said.nick, said.name, standing, _bonuses(node))
        elif isinstance(node, sc.Leave):
            self.everybody[fold(node.name)].left = True
        elif isinstance(node, sc.Luck) and node.name:
            self.everybody[fold(node.name)].set_luck(said.outcome.whole("luck"))
        elif isinstance(node, sc.Throw):
            self._list(node, said)
            if isinstance(node, sc.Roll) and node.target and node.target.name:
                self._drain(said, node.target.name)

    def _list(self, node: sc.Throw, said: Said) -> None:
        """SC-20: the rolls of members, rolls against a member, and both sides of answered magic on a mind."""
        if said.outcome.kind == "waiting" or len(self.entries) >= MOST_ENTRIES:
            return
        member = self.find(node.speaker) if node.speaker else self.of(said.nick)
        sides = []
        if member or (isinstance(node, sc.Roll) and node.target and node.target.name):
            sides.append(Entry(member.name if member else said.name, node, said.outcome, said.comment))
        answer, resistance = said.latest, said.outcome.opponent
        if isinstance(answer, sc.Resist) and resistance and (target := self.of(said.by) or self.find(said.by)):
            sides.append(Entry(target.name, answer, resistance, None))
        if sides:
            self.entries[said.roll] = sides

    def _drain(self, said: Said, name: str) -> None:
        """SC-24: a hit on a member drains Luck, once."""
        member = None if said.roll in self.drained else self.find(name)
        drained = min(said.outcome.whole("luck_drained"), member.standing.luck) if member else 0
        if member and drained:
            self.drained[said.roll] = fold(name), drained
            member.set_luck(member.standing.luck - drained)

    def without(self, roll: int) -> list[tuple[Member, int]]:
        """SC-21: who has Luck again without that roll, if anybody, and how much."""
        name, drained = self.drained.get(roll, ("", 0))
        taken = [self.everybody[name]] if drained else []
        return [(each, min(each.standing.luck + drained, each.standing.most)) for each in taken]


@dataclass(slots=True)
class Memory(game.Memory):
    """What is remembered of one channel: helpers' dice and the open encounter, or the last one."""

    helps: list[Help] = field(default_factory=list)
    encounter: Encounter = field(default_factory=Encounter)

    @property
    def open(self) -> Encounter:
        """The encounter, while it is open."""
        return self.encounter if self.encounter.open else Encounter()

    @property
    def open_since(self) -> int:
        """SC-26: the rolls since the record that opened the encounter drain its Luck."""
        return self.open.since

    def remember(self, said: Said) -> None:
        """Add one more command."""
        node, latest = said.node, said.latest or said.node
        found = self._help_for(latest, said.by or said.nick) if isinstance(latest, sc.Throw) and latest.helper else None
        if found and not said.revealed:  # SC-15: once
            found.spent = said.roll
        if isinstance(node, sc.Assist) and sc.ASSIST[STRONG_ASSIST] in said.outcome.effects and node.recipient:
            given = Help(said.name, fold(node.recipient), node.pool.kind, said.roll)
            self.helps = [*[each for each in self.helps if not _replaces(given, each)], given][-MOST_HELPS:]
        if isinstance(node, sc.OpenEncounter):
            dice = {pool: n for pool, n in ((sc.STRIKE, node.strike), (sc.CINDER, node.cinder)) if n is not None}
            standing = sc.Standing(None, node.dc, node.luck, node.luck)
            itself = Member(node.name, said.nick, said.name, standing, dice=dice)
            self.encounter = Encounter(said.nick, said.roll, {fold(node.name): itself})
        else:
            self.open.remember(said)

    def _help_for(self, node: sc.Throw, nick: str) -> Help | None:
        """The help that waits for who rolls, under the nick or the name in the encounter (SC-15)."""
        whose = self._known_as(fold(node.speaker) if node.speaker else nick)
        waiting = (each for each in self.helps if not each.spent and each.pool == node.pool.kind)
        return next((each for each in waiting if self._known_as(each.recipient) == whose), None)

    def _known_as(self, nick: str) -> str:
        member = self.open.of(nick)
        return fold(member.name) if member else nick

    def _returning(self, roll: int) -> list[Help]:
        """The helps that went into that roll, unless others are waiting by now."""
        spent = (each for each in self.helps if each.spent == roll)
        return [each for each in spent if not any(_replaces(each, other) for other in self.helps)]

    def forget(self, roll: int) -> None:
        """SC-21: what a discarded roll did comes back, and the roll is no longer listed."""
        for each in self._returning(roll):
            each.spent = 0
        self.helps = [each for each in self.helps if roll not in (each.roll, each.spent)]
        for member, luck in self.encounter.without(roll):
            member.set_luck(luck)
        self.encounter.drained.pop(roll, None)
        self.encounter.entries.pop(roll, None)

    def returns(self, roll: int) -> str:
        """SC-21, DSK-03: the Luck that comes back when a roll is discarded, and helpers' dice."""
        luck = [luck_of(each.name, now, each.standing.most) for each, now in self.encounter.without(roll)]
        helps = [f"{each.helper}'s assist2 waits for {each.recipient} again" for each in self._returning(roll)]
        return "; ".join(luck + helps)

    # Trackers (DSK-02).

    def tracked(self, nick: str, said: Track) -> Command | None:
        """SC-26: `luck -1` of one who is in the open encounter is the encounter's."""
        member = self._acting(nick) if said.name == "luck" else None
        if member is None or said.shared or said.hidden or said.undoes or said.removes:
            return None
        now, level = member.standing, said.level
        if level is None:
            return sc.Luck(member.name, said.change)
        if level.most not in (None, now.most):
            has = f"{member.name} has Luck {now.luck}/{now.most} in the encounter"
            raise RuleError(f"{has}: track luck {now.luck}/{now.most} keeps that, sc luck {member.name} -1 changes it.")
        if level.most is not None and level.value == now.luck:
            return None  # what is tracked begins as the encounter has it, and then follows it
        return sc.Luck(member.name, level.value - now.luck)

    def knows(self, node: Command, nick: str) -> bool:
        """SC-26, SC-27: the Encounter resists too; its other rolls say `as NAME` by themselves."""
        member = self.open.find(nick) if isinstance(node, sc.Resist) else None
        return member is not None and not member.is_character

    def taking_back(self, node: Command, seq: int) -> Command | None:
        """SC-26: `sc luck NAME +1` after `sc luck NAME -1`."""
        if isinstance(node, sc.Luck) and node.change and 0 < self.open_since < seq:
            return sc.Luck(node.name, -node.change)
        return None

    # What an encounter adds to rolls.

    def prepared(self, node: Command, nick: str) -> Command:
        """`node` with what is remembered: a helper's dice, a target's DC and Luck. RuleError if it cannot be."""
        try:
            if isinstance(node, sc.Throw):
                return self._with_help(self._with_dice(self._with_target(self._with_name(node, nick)), nick), nick)
        except ImpossibleError as fault:
            raise RuleError(str(fault)) from None
        self._check_note(node)
        if isinstance(node, sc.Luck) and node.name is not None:
            return replace(node, before=_named(node, self.open).standing)
        return node

    def _with_name(self, node: sc.Throw, nick: str) -> sc.Throw:
        """SC-27: whom it counts for: the character named, else the only one that a nick plays here."""
        member = self._speaking(node) or self.open.of(nick)
        if isinstance(node, sc.Roll):
            return replace(node, character=member.name) if member else node
        return replace(node, speaker=member.name) if member and node.speaker else node

    def _speaking(self, node: sc.Throw) -> Member | None:
        """The member of `as NAME`. RuleError with the nearest name, UnknownSpeakerError if none is near."""
        if node.speaker is None:
            return None
        try:
            return _member(node.speaker, self.open, lambda meant: replace(node, speaker=meant))
        except RuleError as unknown:
            if unknown.hint is None:
                raise UnknownSpeakerError(str(unknown)) from None
            target = node.target.name if isinstance(node, sc.Roll) and node.target else None
            if target and not self.open.find(target):
                unknown.hint = None  # that command would be refused in its turn
            raise

    def _with_target(self, node: sc.Throw) -> sc.Throw:
        """SC-24: a name of the open encounter is hit at its Defense DC."""
        if not isinstance(node, sc.Roll) or node.target is None or node.target.name is None:
            return node
        roll, target = node, node.target
        try:
            member = _member(node.target.name, self.open, lambda name: replace(roll, target=replace(target, name=name)))
        except RuleError as unknown:
            raise RuleError(str(unknown), hint=unknown.hint or _with_path(node, target)) from None
        standing = member.standing
        node = replace(node, target=replace(target, name=member.name, standing=standing))
        if standing.path is None and standing.dc is None and node.dc is None:
            raise RuleError(f"{member.name} has no Defense DC: say it, as dc3.", hint=f"{node} dc3")
        return node

    def _with_dice(self, node: sc.Throw, nick: str) -> sc.Throw:
        """SC-26: a pool without a number has the dice of the character's Path, or the Encounter's own."""
        if node.pool.given:
            return node
        member, kind = self._speaking(node) or self._acting(nick), node.pool.kind
        if member is None:
            raise self._unknown_dice(node, nick)
        if not member.is_character and kind not in member.dice:
            own = f"{member.name} has no {kind.capitalize()} dice of its own"
            raise RuleError(f"{own}: say how many, as sc {node.begins.format(kind=kind)} 5 as {member.name}.")
        return replace(node, pool=replace(node.pool, path=member.standing.path, dice=member.dice.get(kind)))

    def _acting(self, nick: str) -> Member | None:
        """The only character that a nick plays here, or the Encounter of that name."""
        return self.open.of(nick) or self.open.find(nick)

    def _unknown_dice(self, node: sc.Throw, nick: str) -> RuleError:
        own = self.open.all_of(nick)
        if not own:
            return RuleError("how many dice? Say a number, or a Path such as arcanist.")
        how = "a number of dice or a Path" if isinstance(node, sc.Resist) else f"as {own[0].name}"
        return RuleError(f"whose dice, {' or '.join(member.name for member in own)}? Add {how}.")

    def _with_help(self, node: sc.Throw, nick: str) -> sc.Throw:
        """SC-15: the recipient's next roll of that pool gets it, and no assistance stacks with it.

        A player who types assist2 means these dice.
        """
        found = self._help_for(node, nick)
        if found is None:
            return node
        if node.pool.assist not in (0, STRONG_ASSIST):
            waits = f"{found.helper}'s assist2 waits for this roll"
            raise RuleError(f"{waits}, and assistance does not stack: leave yours out.")
        return replace(node, pool=replace(node.pool, assist=STRONG_ASSIST), helper=found.helper)

    def _check_note(self, node: Command) -> None:
        if isinstance(node, sc.OpenEncounter):
            if self.open.everybody:
                raise RuleError("an encounter is open here already: sc encounter close ends it.")
        elif not isinstance(node, sc.Tracking) and not self.open.everybody:
            raise RuleError(NO_ENCOUNTER)
        elif isinstance(node, sc.Join) and self.open.find(node.name):
            raise RuleError(f"{node.name} is in this encounter already.", named=True)
        elif isinstance(node, sc.Leave):
            _named(node, self.open)

    # Who may change an encounter, and what it answers.

    def tells(self, node: Command, nick: str, _name: str, storyteller: bool) -> tuple[str, ...] | None:
        """The answer to a question about the encounter; None for any other command."""
        if self.open.everybody:
            _check_allowed(node, self.open, nick, storyteller=storyteller)
        encounter = self.encounter
        if isinstance(node, sc.Tracking):
            if not encounter.everybody:
                raise RuleError("there was no encounter here to track.")
            viewer = encounter.of(nick) or encounter.of(nick, left=True)
            if node.name:
                viewer = encounter.everybody.get(fold(node.name)) or _named(node, encounter)
            return tracking(encounter, viewer)
        if isinstance(node, sc.Luck) and node.change is None:
            self._check_note(node)
            members = [_named(node, encounter)] if node.name else encounter.members
            return ("; ".join(luck_of(m.name, m.standing.luck, m.standing.most) for m in members),)
        return None


def _replaces(help_: Help, other: Help) -> bool:
    """SC-15: whether the other help still waits for the same roll; assistance does not stack."""
    return not other.spent and (help_.recipient, help_.pool) == (other.recipient, other.pool)


def _bonuses(node: sc.Join) -> tuple[str, ...]:
    """What raises a character's Luck, for the tracking's first block (SC-28)."""
    return ((f"skill rank {node.rank}",) if node.rank > 1 else ()) + (("Exchange Equipment",) if node.exchange else ())


def _member(name: str, encounter: Encounter, meant: Callable[[str], Command]) -> Member:
    """The member of that name. RuleError with the command that is `meant` by the nearest name (GEN-11)."""
    if not encounter.everybody:
        raise RuleError(f"{name} is no Path, and {NO_ENCOUNTER}")
    if member := encounter.find(name):
        return member
    names = {each.name.lower(): each.name for each in encounter.members}
    nearest = [str(meant(names[found])) for found in near(name.lower(), names)]
    known = f"{name} is not in this encounter, where there are {', '.join(names.values())}."
    raise RuleError(known, hint=next(iter(nearest), None))


def _named(node: sc.Luck | sc.Leave | sc.Tracking, encounter: Encounter) -> Member:
    """The member that a command names."""
    return _member(node.name or "", encounter, lambda meant: replace(node, name=meant))


def _with_path(node: sc.Roll, target: sc.Target) -> str | None:
    """The command with the nearest Path in place of an unknown name."""
    meant = near(str(target.name).lower(), {word for path in sc.PATHS for word in (path, *path.split())})
    found = [path for path in sc.PATHS if meant and meant[0] in {path, *path.split()}]
    for path in sorted(found, key=len):
        with suppress(ImpossibleError):  # `shifter shifted` is an Afflicted one
            return str(replace(node, target=replace(target, name=None, path=path)))
    return None


def _check_allowed(node: Command, encounter: Encounter, nick: str, *, storyteller: bool) -> None:
    """SC-26, SC-27: a character is its player's; the Encounter, and its end, are the opener's and storytellers'.

    Luck out of bounds is refused (DSK-02); it is not here that old records are read, which may have it.
    """
    changes = isinstance(node, sc.Leave) or (isinstance(node, sc.Luck) and node.change is not None)
    name = node.name if isinstance(node, sc.Leave | sc.Luck) and changes else node.speaker
    member = encounter.find(name) if name else None
    if not (storyteller or nick == encounter.opener):
        if isinstance(node, sc.CloseEncounter):
            raise RuleError("only a storyteller or the one who opened the encounter may close it.")
        if member is not None and nick not in (member.owner, fold(member.name)):
            what = f"{'change' if changes else 'roll for'} {member.name}"
            raise RuleError(f"only {member.player}, a storyteller or the one who opened the encounter may {what}.")
    if isinstance(node, sc.Luck) and node.change and member is not None:
        luck, most = member.standing.luck + node.change, member.standing.most
        if not 0 <= luck <= most:
            raise RuleError(f"luck is 0 to {most}, and that would be {luck}.")


# The text of an encounter, ready to paste into a forum post (SC-20, SC-28).

_NO_CODES = str.maketrans("", "", "[]")


def tracking(encounter: Encounter, viewer: Member | None) -> tuple[str, ...]:
    """One part per line: Luck bonuses (SC-18), the rolls, then everyone's Luck, the Encounter's last.

    The viewer's own rolls have no name.
    """
    everybody = sorted(encounter.everybody.values(), key=lambda member: (not member.is_character, member.left))
    notes = [f"{each.name} [luck] {each.standing.most}{_with(each.bonuses)}" for each in everybody if each.bonuses]
    for sides in encounter.entries.values():
        for entry in sides:
            notes += _lines(entry, encounter.everybody.get(fold(entry.name)), viewer)
    luck = [
        f"{each.name} [luck] {each.standing.luck}/{each.standing.most}{', left' if each.left else ''}"
        for each in everybody
    ]
    return (*_framed("note", notes), *_framed("footnote", luck))


def _framed(code: str, lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines)
    return f"[{code}]{text}[/{code}]".split("\n") if lines else []


def _with(bonuses: Sequence[str]) -> str:
    """`, with +1, assist and full moon`."""
    *before, last = bonuses or [""]
    return f", with {', '.join(before)}{' and ' if before else ''}{last}" if last else ""


def _applied(node: sc.Throw) -> Iterator[str]:
    """The bonuses of a roll: what changed its pool, a helper, and the full moon (SC-28)."""
    yield from (f"{change:+}" for change in node.pool.changes)
    if node.pool.assist:
        yield sc.ASSIST[node.pool.assist]
    if node.fullmoon and node.pool.kind == sc.CINDER:
        yield "full moon"


def _lines(entry: Entry, member: Member | None, viewer: Member | None) -> list[str]:
    """The tag with its keyword, then the pool with its result."""
    node, name = entry.node, "" if member and member is viewer else f"{entry.name} "
    keyword = posted_comment(entry.keyword or "").translate(_NO_CODES).strip()
    said = f", {keyword}" if keyword else ""
    result = _result(entry, is_character=member is None or member.is_character, after_keyword=bool(said))
    tag = [f"{name}[{node.tag}]{said}"] if node.tag else []
    return [*tag, f"{name}[{node.pool.kind}]{said}{result}{_with(list(_applied(node)))}"]


def _result(entry: Entry, *, is_character: bool, after_keyword: bool) -> str:
    """`, Complete Success`, `, hit, Complete Success, 4 passes vs. DC3`; the Encounter's ` hit, 4 passes vs. DC3`."""
    node, labels, passes = entry.node, entry.outcome.labels, entry.outcome.whole("passes")
    range_, secret = WORDS[degree(passes)], entry.outcome.covered
    if not isinstance(node, sc.Roll) or not (node.target or node.dc or secret):
        opposed = [WORDS[label].lower() for label in ("overcome", "resisted") if label in labels]
        return "".join(f", {each}" for each in (range_, *opposed))
    verdict = WORDS["critical_hit" if "critical_hit" in labels else labels[0]].lower()
    if passes >= COMPLETE and labels == ("success",):
        verdict = range_
    elif passes >= COMPLETE and labels == ("hit",) and is_character:
        verdict = f"{verdict}, {range_}"
    dc, path = entry.outcome.values.get("dc"), node.target and node.target.known_path
    against = "a secret DC" if secret else sc.PATHS[path].name if dc is None and path else f"DC{dc}"  # FW-10
    return f"{',' if after_keyword else ''} {verdict}, {counted(passes)} vs. {against}"

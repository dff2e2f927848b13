"""Encounters: members, Luck, helpers' dice, and the text of the tracking (SC-15, SC-18…SC-28)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain

from grammars import Command
from grammars import strike_cinder as sc
from grammars.errors import ImpossibleError
from grammars.line import posted_comment
from grammars.tokens import near
from grammars.trackers import Track
from ircdice import game
from ircdice.casemapping import fold
from ircdice.errors import RuleError
from ircdice.game import Event, counted
from ircdice.outcome import Outcome
from ircdice.rules.strike_cinder.judging import COMPLETE, STRONG_ASSIST, degree
from ircdice.rules.strike_cinder.texts import WORDS, luck_of

NO_ENCOUNTER = "no encounter is open here: sc encounter open Encounter luck 6."
MOST_ENTRIES = 500  # rolls of one encounter kept for its tracking
MOST_HELPS = 200  # remembered, whether spent or not
_NO_CODES = str.maketrans("", "", "[]")


@dataclass(slots=True)
class Member:
    """A character in an encounter, or the Encounter itself, which has no Path (SC-19).

    `dice` are the Encounter's own, by pool, if given (SC-26). Members who `left` are only in the tracking (SC-28).
    """

    name: str
    owner: str  # folded nick
    player: str  # the nick as written
    luck: int
    most: int
    path: str | None = None
    dc: int | None = None
    bonuses: tuple[str, ...] = ()
    dice: Mapping[str, int] = field(default_factory=dict)
    left: bool = False

    @property
    def is_character(self) -> bool:
        """Whether this is a character, not the Encounter."""
        return self.path is not None

    def set_luck(self, luck: int) -> None:
        """Set Luck, between 0 and its maximum."""
        self.luck = max(0, min(luck, self.most))


@dataclass(frozen=True, slots=True)
class Entry:
    """One side of a roll of the encounter, as the tracking lists it."""

    name: str
    node: sc.Throw
    outcome: Outcome
    keyword: str | None


@dataclass(slots=True)
class Help:
    """Assistance for the recipient's next roll of that pool (SC-15); `spent` is the roll that used it."""

    helper: str
    recipient: str  # folded
    pool: str
    roll: int
    spent: int = 0

    @property
    def meant_for(self) -> tuple[str, str]:
        """Recipient and pool. Assistance does not stack, so only one help waits for each."""
        return self.recipient, self.pool


@dataclass(slots=True)
class Memory(game.Memory):
    """The memory of one channel: helpers' dice, and the open encounter, or else the last one (SC-26).

    `everybody` is by folded name; `entries` are the rolls for its tracking, `drained` the Luck that each took.
    """

    helps: list[Help] = field(default_factory=list)
    opener: str = ""  # folded nick
    everybody: dict[str, Member] = field(default_factory=dict)
    entries: dict[int, list[Entry]] = field(default_factory=dict)
    drained: dict[int, tuple[str, int]] = field(default_factory=dict)

    @property
    def members(self) -> list[Member]:
        """The current members of the open encounter."""
        return [member for member in self.everybody.values() if not member.left] if self.open_since else []

    def find(self, name: str) -> Member | None:
        """The member with that name."""
        return next((member for member in self.members if fold(member.name) == fold(name)), None)

    def of(self, nick: str) -> Member | None:
        """The character that a nick plays here, if exactly one."""
        return only(played_by(nick, self.members))

    def acting(self, nick: str) -> Member | None:
        """The only character that a nick plays here, or the Encounter with that name."""
        return self.of(nick) or self.find(nick)

    def remember(self, event: Event) -> None:
        """Add a command."""
        node, latest = event.node, event.latest or event.node
        if isinstance(latest, sc.Throw) and latest.helper and not event.revealed:  # SC-15: once
            waiting = self._help_for(latest, event.by or event.nick)
            if waiting is not None:
                waiting.spent = event.roll
        if isinstance(node, sc.Assist) and sc.ASSIST[STRONG_ASSIST] in event.outcome.effects and node.recipient:
            given = Help(event.name, fold(node.recipient), node.pool.kind, event.roll)
            others = [each for each in self.helps if each.spent or each.meant_for != given.meant_for]
            self.helps = [*others, given][-MOST_HELPS:]
        if isinstance(node, sc.OpenEncounter):
            itself = Member(node.name, event.nick, event.name, node.luck, node.luck, dc=node.difficulty, dice=node.dice)
            self.opener, self.open_since, self.everybody = event.nick, event.roll, {fold(node.name): itself}
            self.entries, self.drained = {}, {}
        elif self.open_since:
            self._change(event)

    def _change(self, event: Event) -> None:
        """SC-26: members who join or leave, and changes of Luck."""
        node = event.node
        if isinstance(node, sc.CloseEncounter):
            self.open_since = 0
        elif isinstance(node, sc.Join):
            luck, bonuses = event.outcome.whole("luck"), _bonuses(node)
            joined = Member(node.name, event.nick, event.name, luck, luck, path=node.path, bonuses=bonuses)
            self.everybody[fold(node.name)] = joined
        elif isinstance(node, sc.Leave):
            self.everybody[fold(node.name)].left = True
        elif isinstance(node, sc.Luck) and node.name:
            self.everybody[fold(node.name)].set_luck(event.outcome.whole("luck"))
        elif isinstance(node, sc.Throw):
            target = node.target.name if isinstance(node, sc.Roll) and node.target else None
            self._list(node, event, attacks=target is not None)
            if target and (member := self.find(target)):
                self._drain(event, member)

    def _list(self, node: sc.Throw, event: Event, *, attacks: bool) -> None:
        """SC-20: the rolls of members, rolls against a member, and both sides of answered magic on a mind."""
        if event.outcome.kind == "waiting" or len(self.entries) >= MOST_ENTRIES:
            return
        member = self.find(node.character) if node.character else self.of(event.nick)
        sides = []
        if member or attacks:
            sides.append(Entry(member.name if member else event.name, node, event.outcome, event.comment))
        answer, resistance = event.latest, event.outcome.opponent
        if isinstance(answer, sc.Resist) and resistance and (target := self.acting(event.by)):
            sides.append(Entry(target.name, answer, resistance, None))
        if sides:
            self.entries[event.roll] = sides

    def _drain(self, event: Event, member: Member) -> None:
        """SC-24: a hit on a member drains Luck, once."""
        drained = min(event.outcome.whole("luck_drained"), member.luck)
        if drained and event.roll not in self.drained:
            self.drained[event.roll] = fold(member.name), drained
            member.set_luck(member.luck - drained)

    def _help_for(self, node: sc.Throw, nick: str) -> Help | None:
        """The help waiting for the roller, by nick or by name in the encounter (SC-15)."""
        whose = self._known_as(fold(node.character) if node.character else nick)
        waiting = (each for each in self.helps if not each.spent and each.pool == node.pool.kind)
        return next((each for each in waiting if self._known_as(each.recipient) == whose), None)

    def _known_as(self, nick: str) -> str:
        member = self.of(nick)
        return fold(member.name) if member else nick

    # What discarding a roll restores (SC-21, DSK-03).

    def _undrained(self, roll: int) -> list[tuple[Member, int]]:
        """The member whose Luck discarding that roll restores, and the amount."""
        name, drained = self.drained.get(roll, ("", 0))
        taken = [self.everybody[name]] if drained else []
        return [(each, min(each.luck + drained, each.most)) for each in taken]

    def _returning(self, roll: int) -> list[Help]:
        """The helps used in that roll, unless newer ones are waiting."""
        waiting = {each.meant_for for each in self.helps if not each.spent}
        return [each for each in self.helps if each.spent == roll and each.meant_for not in waiting]

    def returns(self, roll: int) -> str:
        """Restored Luck and helpers' dice, in words."""
        luck = [luck_of(each.name, now, each.most) for each, now in self._undrained(roll)]
        helps = [f"{each.helper}'s assist2 waits for {each.recipient} again" for each in self._returning(roll)]
        return "; ".join(luck + helps)

    def forget(self, roll: int) -> None:
        """Restore them, and remove the roll from the tracking."""
        for each in self._returning(roll):
            each.spent = 0
        self.helps = [each for each in self.helps if roll not in (each.roll, each.spent)]
        for member, luck in self._undrained(roll):
            member.set_luck(luck)
        self.drained.pop(roll, None)
        self.entries.pop(roll, None)

    # Trackers (DSK-02).

    def tracked(self, nick: str, track: Track) -> Command | None:
        """SC-26: `luck -1` for a member of the open encounter changes the encounter's Luck."""
        member = self.acting(nick) if track.name == "luck" else None
        if member is None or track.shared or track.hidden or track.undoes or track.removes:
            return None
        level, luck, most = track.level, member.luck, member.most
        if level is None:
            return sc.Luck(member.name, track.change)
        if level.most not in (None, most):
            has = f"{member.name} has Luck {luck}/{most} in the encounter"
            raise RuleError(f"{has}: track luck {luck}/{most} keeps that, sc luck {member.name} -1 changes it.")
        if level.most is not None and level.value == luck:
            return None  # tracking starts at the encounter's value, and then follows it
        return sc.Luck(member.name, level.value - luck)

    def speakers(self, node: Command) -> Iterable[str]:
        """SC-26, SC-27: the members; of them only the Encounter can resist, which no nick plays."""
        rolls = isinstance(node, sc.Throw)
        return [each.name for each in self.members if rolls and (node.by_members or not each.is_character)]

    def taking_back(self, node: Command, seq: int) -> Command | None:
        """SC-26: `sc luck NAME +1` after `sc luck NAME -1`."""
        if isinstance(node, sc.Luck) and node.change and 0 < self.open_since < seq:
            return sc.Luck(node.name, -node.change)
        return None

    # What an encounter fills in.

    def prepared(self, node: Command, nick: str) -> Command:
        """`node` with a helper's dice, and a target's DC and Luck, filled in. RuleError if it is impossible."""
        if not isinstance(node, sc.Throw):
            self._check_note(node)
            if not (isinstance(node, sc.Luck) and node.name):
                return node
            changed = self._named(node)
            return replace(node, luck=changed.luck, most=changed.most)
        member = self.find(node.character) if node.character else self.of(nick)
        node = replace(node, character=member.name if member else None)  # SC-27
        try:
            return self._with_help(self._with_dice(self._with_target(node), nick), nick)
        except ImpossibleError as fault:
            raise RuleError(str(fault)) from None

    def _check_note(self, node: Command) -> None:
        if isinstance(node, sc.OpenEncounter):
            if self.open_since:
                raise RuleError("an encounter is open here already: sc encounter close ends it.")
        elif not isinstance(node, sc.Tracking) and not self.open_since:
            raise RuleError(NO_ENCOUNTER)
        elif isinstance(node, sc.Join) and self.find(node.name):
            raise RuleError(f"{node.name} is in this encounter already.", keeps_case=True)
        elif isinstance(node, sc.Leave):
            self._named(node)

    def _named(self, node: sc.Luck | sc.Leave) -> Member:
        """The member named in a command."""
        return member_named(node.name or "", self.members, lambda meant: replace(node, name=meant))

    def _with_target(self, node: sc.Throw) -> sc.Throw:
        """SC-24: an attack on a member of the open encounter uses the member's Defense DC."""
        if not isinstance(node, sc.Roll) or node.target is None or node.target.name is None:
            return node
        roll, target, name = node, node.target, node.target.name
        try:
            member = member_named(name, self.members, lambda meant: replace(roll, target=replace(target, name=meant)))
        except RuleError as unknown:
            raise RuleError(str(unknown), hint=unknown.hint or _with_path(node, target)) from None
        target = replace(target, name=member.name, path=member.path, dc=member.dc, luck=member.luck, most=member.most)
        node = replace(node, target=target)
        if member.path is None and member.dc is None and node.difficulty is None:
            raise RuleError(f"{member.name} has no Defense DC: say it, as dc3.", hint=f"{node} dc3")
        return node

    def _with_dice(self, node: sc.Throw, nick: str) -> sc.Throw:
        """SC-26: a pool without a number uses the dice of the character's Path, or the Encounter's own."""
        if node.pool.given:
            return node
        member, kind = self.find(node.character or nick), node.pool.kind
        if member is None:
            own = played_by(nick, self.members)
            if not own:
                raise RuleError("how many dice? Say a number, or a Path such as arcanist.")
            how = "a number of dice or a Path" if isinstance(node, sc.Resist) else f"as {own[0].name}"
            raise RuleError(f"whose dice, {' or '.join(each.name for each in own)}? Add {how}.")
        if not member.is_character and kind not in member.dice:
            own_dice = f"{member.name} has no {kind.capitalize()} dice of its own"
            raise RuleError(f"{own_dice}: say how many, as sc {node.begins.format(kind=kind)} 5 as {member.name}.")
        return replace(node, pool=replace(node.pool, path=member.path, dice=member.dice.get(kind)))

    def _with_help(self, node: sc.Throw, nick: str) -> sc.Throw:
        """SC-15: add waiting help to the recipient's next roll of that pool. Assistance does not stack.

        If the player types assist2, that means these dice.
        """
        found = self._help_for(node, nick)
        if found is None:
            return node
        if node.pool.assist not in (0, STRONG_ASSIST):
            waits = f"{found.helper}'s assist2 waits for this roll"
            raise RuleError(f"{waits}, and assistance does not stack: leave yours out.")
        return replace(node, pool=replace(node.pool, assist=STRONG_ASSIST), helper=found.helper)

    # Permissions and questions.

    def tells(self, node: Command, nick: str, _name: str, storyteller: bool) -> tuple[str, ...] | None:
        """The answer to a question about the encounter; None for any other command."""
        if self.open_since:
            self._check_allowed(node, nick, storyteller=storyteller)
        if isinstance(node, sc.Tracking):
            everybody = list(self.everybody.values())
            if not everybody:
                raise RuleError("there was no encounter here to track.")
            mine = played_by(nick, everybody)
            viewer = only([m for m in mine if not m.left]) or only([m for m in mine if m.left])
            if node.name:
                viewer = member_named(node.name, everybody, lambda meant: replace(node, name=meant))
            return forum_text(self.everybody, chain.from_iterable(self.entries.values()), viewer)
        if isinstance(node, sc.Luck) and node.change is None:
            self._check_note(node)
            members = [self._named(node)] if node.name else self.members
            return ("; ".join(luck_of(m.name, m.luck, m.most) for m in members),)
        return None

    def _check_allowed(self, node: Command, nick: str, *, storyteller: bool) -> None:
        """SC-26, SC-27: players control their characters; the opener and storytellers control and end the Encounter.

        Luck out of bounds is refused (DSK-02). Old records, which may contain it, are not checked here.
        """
        changes = isinstance(node, sc.Leave) or (isinstance(node, sc.Luck) and node.change is not None)
        name = node.name if isinstance(node, sc.Leave | sc.Luck) and changes else node.character
        member = self.find(name) if name else None
        if not (storyteller or nick == self.opener):
            if isinstance(node, sc.CloseEncounter):
                raise RuleError("only a storyteller or the one who opened the encounter may close it.")
            if member is not None and nick not in (member.owner, fold(member.name)):
                what = f"{'change' if changes else 'roll for'} {member.name}"
                raise RuleError(f"only {member.player}, a storyteller or the one who opened the encounter may {what}.")
        if isinstance(node, sc.Luck) and node.change and member is not None:
            luck, most = member.luck + node.change, member.most
            if not 0 <= luck <= most:
                raise RuleError(f"luck is 0 to {most}, and that would be {luck}.")


def _bonuses(node: sc.Join) -> tuple[str, ...]:
    """The reasons for a character's extra Luck, for the first block of the tracking (SC-28)."""
    return ((f"skill rank {node.rank}",) if node.rank > 1 else ()) + (("Exchange Equipment",) if node.exchange else ())


def _with_path(node: sc.Roll, target: sc.Target) -> str | None:
    """The command with an unknown name replaced by the nearest Path."""
    meant = near(str(target.name).lower(), {word for path in sc.PATHS for word in (path, *path.split())})
    found = [path for path in sc.PATHS if meant and meant[0] in {path, *path.split()}]
    for path in sorted(found, key=len):
        with suppress(ImpossibleError):  # `shifter shifted` means Afflicted
            return str(replace(node, target=replace(target, name=None, path=path)))
    return None


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


# The tracking, ready to paste into a forum post (SC-20, SC-28).


def forum_text(everybody: Mapping[str, Member], entries: Iterable[Entry], viewer: Member | None) -> tuple[str, ...]:
    """SC-28: one part per line: Luck bonuses (SC-18), rolls, then everyone's Luck, the Encounter's last.

    `everybody` is by folded name. The viewer's own rolls are listed without a name.
    """
    members = sorted(everybody.values(), key=lambda member: (not member.is_character, member.left))
    notes = [f"{each.name} [luck] {each.most}{_with(each.bonuses)}" for each in members if each.bonuses]
    for entry in entries:
        notes += _lines(entry, everybody.get(fold(entry.name)), viewer)
    luck = [f"{each.name} [luck] {each.luck}/{each.most}{', left' if each.left else ''}" for each in members]
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
    words = f", {keyword}" if keyword else ""
    result = _result(entry, is_character=member is None or member.is_character, after_keyword=bool(words))
    tag = [f"{name}[{node.tag}]{words}"] if node.tag else []
    return [*tag, f"{name}[{node.pool.kind}]{words}{result}{_with(list(_applied(node)))}"]


def _result(entry: Entry, *, is_character: bool, after_keyword: bool) -> str:
    """`, Complete Success`, `, hit, Complete Success, 4 passes vs. DC3`; the Encounter's ` hit, 4 passes vs. DC3`."""
    node, labels, passes = entry.node, entry.outcome.labels, entry.outcome.whole("passes")
    range_, secret = WORDS[degree(passes)], entry.outcome.covered
    if not isinstance(node, sc.Roll) or not (node.target or node.difficulty or secret):
        opposed = [WORDS[label].lower() for label in ("overcome", "resisted") if label in labels]
        return "".join(f", {each}" for each in (range_, *opposed))
    verdict = WORDS["critical_hit" if "critical_hit" in labels else labels[0]].lower()
    if passes >= COMPLETE and labels == ("success",):
        verdict = range_
    elif passes >= COMPLETE and labels == ("hit",) and is_character:
        verdict = f"{verdict}, {range_}"
    dc, path = entry.outcome.values.get("dc"), node.target and node.target.path
    against = "a secret DC" if secret else sc.PATHS[path].name if dc is None and path else f"DC{dc}"  # FW-10
    return f"{',' if after_keyword else ''} {verdict}, {counted(passes, 'pass')} vs. {against}"

"""Encounters at the table: what they add to rolls, who may change them, what they answer (SC-15, SC-18…SC-28)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from grammars import Command
from grammars.errors import ImpossibleError
from grammars.strike_cinder_nodes import (
    PATHS,
    CloseEncounter,
    Join,
    Leave,
    Luck,
    OpenEncounter,
    Roll,
    Target,
    Tracking,
)
from grammars.tokens import near
from ircdice.casemapping import fold
from ircdice.errors import RuleError, UnknownSpeakerError
from ircdice.rules.strike_cinder.judging import STRONG_ASSIST
from ircdice.rules.strike_cinder.memory import HELPED, Encounter, Member, Memory, Rolled
from ircdice.rules.strike_cinder.texts import luck_of
from ircdice.rules.strike_cinder.tracking import tracking


def prepared(node: Command, memory: Memory | None, nick: str) -> Command:
    """`node` with what is remembered: a helper's dice, a target's DC and Luck. RuleError if it cannot be."""
    memory = memory or Memory()
    if isinstance(node, Roll):
        node = _with_target(_of_a_character(node, memory.open, nick), memory.open)
    if isinstance(node, HELPED):
        return _with_help(_with_dice(node, memory.open, nick), memory, nick)
    _check_note(node, memory.open)
    if isinstance(node, Luck) and node.name is not None:
        return replace(node, before=_named(node, memory.open).standing)
    return node


def _with_dice(node: Rolled, encounter: Encounter | None, nick: str) -> Rolled:
    """SC-26: a pool without a number has the dice of the character's Path, or the Encounter's own."""
    if node.pool.given:
        return node
    member = _rolling(node, encounter, nick)
    kind, path = node.pool.kind, member.standing.path
    if path is None and kind not in member.dice:
        own = f"{member.name} has no {kind.capitalize()} dice of its own"
        raise RuleError(f"{own}: say how many, as sc {kind} 5 as {member.name}.")
    try:
        return replace(node, pool=replace(node.pool, path=path, dice=member.dice.get(kind)))
    except ImpossibleError as fault:
        raise RuleError(str(fault)) from None


def _rolling(node: Rolled, encounter: Encounter | None, nick: str) -> Member:
    """The member who rolls: the one named, else the only character that a nick plays here."""
    if isinstance(node, Roll) and node.speaker is not None:
        return _speaking(node, encounter)
    own = encounter.all_of(nick) if encounter else []
    if len(own) == 1:
        return own[0]
    if not own:
        raise RuleError("how many dice? Say a number, or a Path such as arcanist.")
    names = " or ".join(member.name for member in own)
    how = f"as {own[0].name}" if isinstance(node, Roll) else "a number of dice or a Path"
    raise RuleError(f"whose dice, {names}? Add {how}.")


def _with_help(node: Rolled, memory: Memory, nick: str) -> Rolled:
    """SC-15: the recipient's next roll of that pool gets it, and no assistance stacks with it.

    A player who types assist2 means these dice.
    """
    found = memory.helps.get((nick, node.pool.kind))
    if found is None or node.speaker:
        return node
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


def _of_a_character(node: Roll, encounter: Encounter | None, nick: str) -> Roll:
    """SC-27: whom it counts for: the character named, else the only one that a nick plays here."""
    if node.speaker is not None:
        return replace(node, character=_speaking(node, encounter).name)
    member = encounter.of(nick) if encounter else None
    return replace(node, character=member.name) if member else node


def _with_target(node: Roll, encounter: Encounter | None) -> Roll:
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


def _nearly_meant(node: Roll, target: Target, encounter: Encounter | None) -> str | None:
    """The command with the nearest name of the encounter, or the nearest Path."""
    if name := _nearest_name(str(target.name), encounter):
        return str(replace(node, target=replace(target, name=name)))
    meant = near(str(target.name).lower(), {word for path in PATHS for word in (path, *path.split())})
    found = [path for path in PATHS if meant and meant[0] in {path, *path.split()}]
    for path in sorted(found, key=len):
        with suppress(ImpossibleError):  # `shifter shifted` is an Afflicted one
            return str(replace(node, target=replace(target, name=None, path=path)))
    return None


def _nearest_name(typed: str, encounter: Encounter | None) -> str | None:
    names = {each.name.lower(): each.name for each in encounter.members.values()} if encounter else {}
    return next((names[name] for name in near(typed.lower(), names)), None)


def _named(node: Luck | Leave | Tracking, encounter: Encounter | None) -> Member:
    """The member that a command names. RuleError with the nearest name (GEN-11)."""
    name = node.name or ""
    try:
        return _member(name, encounter)
    except RuleError as unknown:
        meant = _nearest_name(name, encounter)
        raise RuleError(str(unknown), hint=meant and str(replace(node, name=meant))) from None


def _speaking(node: Roll, encounter: Encounter | None) -> Member:
    """The member of `as NAME`. RuleError with a command that would work, if there is one."""
    name = str(node.speaker)
    try:
        return _member(name, encounter)
    except RuleError as unknown:
        meant = _nearest_name(name, encounter)
        if meant is None:
            raise UnknownSpeakerError(str(unknown)) from None
        target = node.target.name if node.target else None
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
    if isinstance(node, OpenEncounter):
        if encounter is not None:
            raise RuleError("an encounter is open here already: sc encounter close ends it.")
    elif not isinstance(node, Tracking) and encounter is None:
        raise RuleError("no encounter is open here: sc encounter open Encounter luck 6.")
    elif isinstance(node, Join) and encounter is not None and encounter.find(node.name):
        raise RuleError(f"{node.name} is in this encounter already.", named=True)
    elif isinstance(node, Leave):
        _named(node, encounter)


def permits(node: Command, memory: Memory | None, nick: str, storyteller: bool) -> None:
    """SC-26, SC-27: a character is its player's; the Encounter, and its end, are the opener's and storytellers'."""
    encounter = memory.open if memory else None
    if encounter is None or storyteller or nick == encounter.opener:
        return
    if isinstance(node, CloseEncounter):
        raise RuleError("only a storyteller or the one who opened the encounter closes it.")
    name = node.speaker if isinstance(node, Roll) else None
    if isinstance(node, Leave) or (isinstance(node, Luck) and node.change is not None):
        name = node.name
    member = encounter.find(name) if name else None
    if member is not None and nick not in (member.owner, fold(member.name)):
        what = "rolls for" if isinstance(node, Roll) else "changes"
        raise RuleError(f"only {member.owner}, a storyteller or the one who opened the encounter {what} {member.name}.")


def tells(node: Command, memory: Memory | None, nick: str) -> tuple[str, ...] | None:
    """The answer to a question about the encounter; None for any other command."""
    encounter = memory.encounter if memory else None
    if isinstance(node, Tracking):
        if encounter is None:
            raise RuleError("there was no encounter here to track.")
        viewer = encounter.everybody.get(fold(node.name)) if node.name else encounter.was_of(nick)
        if node.name and viewer is None:
            _named(node, encounter)
        return tracking(encounter, viewer)
    if isinstance(node, Luck) and node.change is None:
        _check_note(node, encounter if encounter and encounter.open else None)
        if encounter is None:
            return ()
        members = [_named(node, encounter)] if node.name else list(encounter.members.values())
        return ("; ".join(luck_of(m.name, m.standing.luck, m.standing.most) for m in members),)
    return None

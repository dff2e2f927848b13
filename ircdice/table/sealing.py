"""Secrets of a channel and its games: which roll is made under one, what of it may be told, what was rolled covered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby

import grammars
from grammars.command import Command
from grammars.secrets import Difficulty
from ircdice import dispatcher
from ircdice.dice import Draws
from ircdice.errors import Refused, ReplayError, RuleError
from ircdice.ledger.record import Record
from ircdice.outcome import Outcome
from ircdice.table.chain import reading_of
from ircdice.table.seals import Seal, Seals

KINDS = frozenset({"seal", "reveal"})  # of record
SECRET = "secret"  # the text of a secret roll's record: what was said is sealed
_FACES = re.compile(r"\bd([0-9]{1,10})((?: [0-9]{1,10}\b)+)")  # what a draw may hold (LED-11) has no more digits


def sealed(record: Record) -> Seal:
    """What a record of kind `seal` has sealed. ReplayError where that is lost."""
    if record.draft.text == SECRET:
        seal = Seal(record, None)
        rolled(seal)
        return seal
    node = reading_of(record).node
    seal = Seal(record, node.nick if isinstance(node, Difficulty) else None)
    if seal.nick is None or seal.number < 1:
        raise ReplayError(record.seq, "it seals nothing that is known")
    return seal


def of_roll(seals: Seals, record: Record) -> Seal | None:
    """The seal that a roll was made under: the one its record refers to. ReplayError where that is lost."""
    if not record.draft.ref:
        return None
    if (seal := seals.get(record.draft.ref)) is None:
        raise ReplayError(record.seq, f"the difficulty in record {record.draft.ref} is not there")
    return seal


def over(seals: Seals, node: Command, nick: str, same: Callable[[str, str], bool]) -> Seal | None:
    """The difficulty that a nick's roll is to be made under; RuleError where one is said beside it (FW-10)."""
    seal = seals.waiting_for(nick, same)
    if seal is None or (name := _field(node)) is None:
        return None
    if (said := getattr(node, name)) is not None:
        raise RuleError(f"a secret difficulty is set for your next roll here: leave dc{said} out.")
    try:
        _with(node, name, seal.number)
    except ValueError:  # such a roll has no difficulty
        return None
    return seal


def under(node: Command, seal: Seal | None) -> Command:
    """`node` with the difficulty that is sealed, if one is. ReplayError where it cannot have one."""
    if seal is None:
        return node
    try:
        return _with(node, _field(node) or "", seal.number)
    except (ValueError, TypeError):  # whose words may hold the number
        raise ReplayError(seal.record.seq, "a roll under it has no difficulty") from None


def opened(node: Command) -> Command:
    """`node` without its difficulty, as it was said."""
    name = _field(node)
    return node if name is None else _with(node, name, None)


def _with(node: Command, name: str, number: int | None) -> Command:
    return replace(node, **{name: number})


def _field(node: Command) -> str | None:
    name = dispatcher.owner(node)
    return None if name is None else dispatcher.systems()[name].difficulties.get(type(node))


def covered(node: Command, outcome: Outcome, first: Outcome) -> Outcome:
    """What may be told of a roll under a secret difficulty; `first` is its first throw."""
    cover = dispatcher.system_of(node).cover
    if cover is None:
        raise RuleError(f'"{node}" takes no secret difficulty.')
    told = cover(outcome, first)
    return told._replace(becomes=opened(told.becomes))


def words_of(record: Record) -> str:
    """What a revealed difficulty was, for a log: its record has no line."""
    seal = sealed(record)
    return f"difficulty {seal.number} for {seal.nick}"


def faces_of(record: Record) -> Draws:
    """The faces of a revealed secret roll; none for anything else that is sealed."""
    return rolled(Seal(record, None))[1] if record.draft.text == SECRET else ()


def secret_text(command: str, draws: Draws) -> str:
    """A secret roll as it is sealed: the command as typed, and the faces by their dice, `roll 2d10; d10 7 3`."""
    faces = [f"d{sides} {' '.join(str(face) for _, face in some)}" for sides, some in groupby(draws, lambda d: d[0])]
    return "; ".join([command, ", ".join(faces) or "no dice"])


def rolled(seal: Seal) -> tuple[grammars.Reading, Draws]:
    """The command and the faces of a secret roll. ReplayError where they cannot be read."""
    command, _, dice = seal.text.rpartition("; ")
    try:
        reading = grammars.read(command, seal.record.draft.system, True)
    except Refused as why:
        raise ReplayError(seal.record.seq, why) from why
    return reading, tuple(_drawn(_FACES.findall(dice)))


def _drawn(found: Iterable[tuple[str, str]]) -> Iterable[tuple[int, int]]:
    for sides, faces in found:
        yield from ((int(sides), int(face)) for face in faces.split())

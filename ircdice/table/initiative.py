"""The order of initiative of a channel, as the desk has it (DSK-09).

The key `CHANNEL init NAME` holds one entry, `CHANNEL turn` whose turn it is, `CHANNEL fight` the last `init end`.
"""

from __future__ import annotations

from typing import NamedTuple

from grammars.initiative import Initiative, Next
from ircdice.ledger.record import Record
from ircdice.table.desk import Desk, folded, key_of


class Entry(NamedTuple):
    """One who acts: by total, then bonus, then the die that breaks ties."""

    name: str
    total: int
    bonus: int
    tie: int

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """The highest acts first."""
        return -self.total, -self.bonus, -self.tie, folded(self.name)


def entry_key(channel: str, name: str) -> str:
    """The initiative of one character."""
    return key_of(channel, "init", name)


def turn_key(channel: str) -> str:
    """Whose turn it is."""
    return key_of(channel, "turn")


def over_key(channel: str) -> str:
    """That the order before is over."""
    return key_of(channel, "fight")


def order(desk: Desk, channel: str) -> list[Entry]:
    """Who acts in a round, the first first."""
    since = _since(desk, channel)
    kept = (each for each in desk.of(channel, "init") if each.record.seq > since)
    found = (entry_of(each.record, each.node) for each in kept if isinstance(each.node, Initiative))
    return sorted(found, key=lambda entry: entry.rank)


def entry_of(record: Record, node: Initiative) -> Entry:
    """What an `init` came to."""
    faces = [face for _, face in record.draft.draws] or [0]
    return made(node.name or record.draft.nick, node, faces)


def made(name: str, node: Initiative, faces: list[int]) -> Entry:
    """The entry of those dice; the last one breaks ties."""
    total = sum(faces[:-1]) + node.bonus if node.fixed is None else node.fixed
    return Entry(name, total, node.bonus, faces[-1])


def turn(desk: Desk, channel: str) -> str | None:
    """Whose turn it is; None before the first."""
    kept = desk.get(turn_key(channel))
    if kept is None or kept.record.seq <= _since(desk, channel) or not isinstance(kept.node, Next):
        return None
    return kept.node.name


def dropped(desk: Desk, channel: str, name: str) -> bool:
    """Whether that one has rolled in this order and was taken out of it."""
    last = desk.last(entry_key(channel, name))
    return last is not None and last.node.removes and last.record.seq > _since(desk, channel)


def after(entries: list[Entry], name: str | None) -> Entry:
    """Who follows that one in the order; the first follows the last, and a name that is not there."""
    names = [folded(entry.name) for entry in entries]
    at = names.index(folded(name)) if name is not None and folded(name) in names else -1
    return entries[(at + 1) % len(entries)]


def named(entries: list[Entry], name: str) -> Entry | None:
    """The entry of that name."""
    return next((entry for entry in entries if folded(entry.name) == folded(name)), None)


def _since(desk: Desk, channel: str) -> int:
    kept = desk.get(over_key(channel))
    return kept.record.seq if kept else 0

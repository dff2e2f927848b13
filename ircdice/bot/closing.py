"""Contests that end without an answer, and rolls that a storyteller closes (GEN-06, V5-25)."""

from __future__ import annotations

from ircdice import dispatcher, reply
from ircdice.bot.asking import require_storyteller
from ircdice.bot.following import just_said, named, seat
from ircdice.bot.turn import Answer, Turn
from ircdice.errors import RuleError
from ircdice.figures import MOST_FACES
from ircdice.ledger.ids import base32
from ircdice.settings import ChannelSettings
from ircdice.table import Chain, Table


async def withdraw(turn: Turn) -> Answer:
    """The one who opened a contest takes it back; its dice are shown."""
    mine = [chain for chain in turn.table.open_contests() if seat(turn, chain) == "acting"]
    if turn.node.ref is not None:
        meant = named(turn.table, turn.node.ref)
        mine = [chain for chain in mine if chain is meant]
    elif mine and (tapped := next(just_said(turn, mine[0]), None)):
        done = f"#{base32(tapped.root.seq)} was withdrawn a moment ago"
        raise RuleError(f'{done}; for the next one say "withdraw #{base32(mine[0].root.seq)}".')
    if not mine:
        raise RuleError("you have no open contest here to withdraw.")
    return await _end(turn, mine[0], "withdrawn")


async def close(turn: Turn) -> Answer:
    """A storyteller's word that a roll is settled, or an open contest over."""
    require_storyteller(turn, "closes a roll")
    chain = named(turn.table, turn.node.ref)
    if chain is None:
        raise RuleError(f"there is no roll #{turn.node.ref} here to close.")
    if chain.waiting:
        return await _end(turn, chain, "closed")
    if chain.closed:
        raise RuleError(f"roll #{base32(chain.root.seq)} is closed already.")
    over = dispatcher.system_of(turn.table.standing(chain).node).closed
    line = ", ".join(filter(None, [f"{turn.message.nick}: #{base32(chain.root.seq)} is closed", over]))
    record = await turn.record("lapse", line, ref=chain.root.seq)
    return Answer((turn.post(record),), "note", turn.settings.system, record=record)


async def _end(turn: Turn, chain: Chain, how: str) -> Answer:
    line = lapse_line(turn.table, chain, turn.settings, how)
    record = await turn.record("lapse", line, ref=chain.root.seq)
    return Answer((turn.post(record),), "note", turn.settings.system, record=record)


def lapse_line(table: Table, chain: Chain, settings: ChannelSettings, how: str) -> str:
    """The line of a contest that ended unanswered: the acting side's dice, uncovered."""
    earlier = table.standing(chain)
    system = dispatcher.system_of(earlier.node)
    acting, other = chain.names()
    dice = reply.side(system, earlier.outcome._replace(kind="roll"), compact=len(earlier.outcome.dice) > MOST_FACES)
    official = "" if settings.official else f"; {reply.UNOFFICIAL}"
    line = f"{acting} vs {other}: {how}, not answered; {acting} {dice}; {system.asked(earlier.node)}{official}"
    return reply.within(line, reply.MOST_BEFORE_ID)

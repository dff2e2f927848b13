"""Contests that end without an answer, and rolls that a storyteller closes (GEN-06, V5-25)."""

from __future__ import annotations

from ircdice import dispatcher, reply
from ircdice.bot import telling
from ircdice.bot.asking import require_storyteller
from ircdice.bot.following import just_now, named
from ircdice.bot.turn import Answer, Turn
from ircdice.errors import RuleError
from ircdice.ledger.ids import base32
from ircdice.settings import ChannelSettings
from ircdice.table import Chain, Table
from ircdice.table.sides import side_of


async def withdraw(turn: Turn) -> Answer:
    """The one who opened a contest takes it back; its dice are shown."""
    message, table = turn.message, turn.table
    mine = [c for c in table.open_contests() if side_of(c, message.nick, message.who, table.casemapping) == "acting"]
    if turn.node.ref is not None:
        meant = named(table, turn.node.ref)
        mine = [chain for chain in mine if chain is meant]
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
        raise RuleError(f"#{base32(chain.root.seq)} is closed already.")
    over = dispatcher.system_of(turn.table.standing(chain).node).closed
    line = ", ".join(filter(None, [f"{turn.message.nick}: #{base32(chain.root.seq)} {telling.CLOSED}", over]))
    record = await turn.record("lapse", line, ref=chain.root.seq)
    return Answer((turn.post(record),), "note", turn.settings.system, record=record)


async def discard(turn: Turn) -> Answer:
    """The roller's word, or a storyteller's, that a roll is disregarded: in public, and for good (SC-21)."""
    chain = _to_discard(turn)
    if chain.waiting:
        raise RuleError(f"that contest is open: withdraw #{base32(chain.root.seq)} takes it back.")
    if chain.discarded:
        raise RuleError(f"#{base32(chain.latest.seq)} is discarded already.")
    said = f"#{base32(chain.latest.seq)} is discarded: it does not count and is not listed"  # the id that counted
    line = "; ".join(filter(None, [f"{turn.message.nick}: {said}", turn.table.returned(chain)]))
    line = line if turn.official else f"{line}; {reply.UNOFFICIAL}"
    record = await turn.record("discard", line, ref=chain.root.seq)
    return Answer((turn.post(record),), "note", turn.settings.system, record=record, replaces=chain.latest.id)


def _to_discard(turn: Turn) -> Chain:
    """The roll named, else the speaker's latest. RuleError where it is not theirs."""
    table, message, ref = turn.table, turn.message, turn.node.ref
    if ref is None:
        return _latest_to_discard(turn)
    chain = named(table, ref)
    if chain is None or not _is_a_roll(chain):
        raise RuleError(f"there is no roll #{ref} here to discard.")
    if not (message.storyteller or side_of(chain, message.nick, message.who, table.casemapping)):
        raise RuleError(f"that roll is {chain.names()[0]}'s: only they or a storyteller may discard it.")
    return chain


def _latest_to_discard(turn: Turn) -> Chain:
    """The speaker's latest roll (GEN-09); not the one before it where that was discarded just now: it cannot be undone,
    whoever said it."""
    tapped: Chain | None = None
    for chain in filter(_is_a_roll, turn.table.own(turn.message.nick, turn.message.who)):
        if chain.discarded:
            tapped = tapped or (chain if any(just_now(turn, each) for each in chain.endings) else None)
        elif tapped is None:
            return chain
        else:
            done = f"#{base32(tapped.latest.seq)} was discarded a moment ago"
            raise RuleError(f'{done}; for the roll before it say "discard #{base32(chain.latest.seq)}".')
    raise RuleError(
        f"#{base32(tapped.latest.seq)} is discarded already." if tapped else "you have no roll here to discard."
    )


def _is_a_roll(chain: Chain) -> bool:
    """A result is disregarded (SC-21); what a tracker, an encounter or a turn came to is none."""
    return chain.root.draft.kind != "track"


async def _end(turn: Turn, chain: Chain, how: str) -> Answer:
    line = lapse_line(turn.table, chain, turn.settings, how)
    record = await turn.record("lapse", line, ref=chain.root.seq)
    return Answer((turn.post(record),), "note", turn.settings.system, record=record)


def lapse_line(table: Table, chain: Chain, settings: ChannelSettings, how: str) -> str:
    """The line of a contest that ended unanswered: the acting side's dice, uncovered."""
    earlier = table.standing(chain)
    system = dispatcher.system_of(earlier.node)
    acting, other = chain.names()
    dice = reply.side(
        system, earlier.outcome._replace(kind="roll"), compact=len(earlier.outcome.dice) > reply.MOST_FACES
    )
    official = "" if settings.official else f"; {reply.UNOFFICIAL}"
    line = f"{acting} vs {other}: {how}, not answered; {acting} {dice}; {system.asked(earlier.node)}{official}"
    return reply.within(line, reply.MOST_BYTES - reply.ID_BYTES)

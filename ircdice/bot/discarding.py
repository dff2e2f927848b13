"""`discard`: a roll is disregarded, in public and for good (SC-21). Without an id the latest, never an older one."""

from __future__ import annotations

from ircdice import reply
from ircdice.bot.following import latest_secret_of, named, seat
from ircdice.bot.turn import Answer, Turn
from ircdice.errors import RuleError
from ircdice.ledger.ids import base32
from ircdice.table import Chain


async def discard(turn: Turn) -> Answer:
    """The roller's word, or a storyteller's, that a roll is disregarded: in public, and for good (SC-21)."""
    chain = _to_discard(turn)
    if chain.waiting:
        raise RuleError(f"that contest is open: withdraw #{base32(chain.root.seq)} takes it back.")
    if chain.discarded:
        raise RuleError(f"roll #{base32(chain.latest.seq)} is discarded already.")
    _check_alone(turn, chain)
    said = f"#{base32(chain.latest.seq)} is discarded: it does not count and is not listed"  # the id that counted
    line = "; ".join(filter(None, [f"{turn.message.nick}: {said}", turn.table.returned(chain)]))
    line = line if turn.official else f"{line}; {reply.UNOFFICIAL}"
    record = await turn.record("discard", line, ref=chain.root.seq)
    return Answer((turn.post(record),), "note", turn.settings.system, record=record, replaces=chain.latest.id)


def _check_alone(turn: Turn, chain: Chain) -> None:
    """A player has a say in what is their own; two sides' dice are no one player's."""
    if chain.answered and not chain.passed and not turn.message.storyteller:
        other = chain.names()[1 if seat(turn, chain) == "acting" else 0]
        contest = f"#{base32(chain.latest.seq)} is a contest, and {other}'s as well"
        raise RuleError(f"{contest}: only a storyteller discards it.")


def _to_discard(turn: Turn) -> Chain:
    """The roll named, else the speaker's latest. RuleError where it is not theirs."""
    ref = turn.node.ref
    if ref is None:
        return _latest_to_discard(turn)
    chain = named(turn.table, ref)
    if (secret := turn.table.seals.find(ref)) and secret.nick is None:
        raise RuleError(f"roll #{base32(secret.record.seq)} was made in secret, and cannot be discarded.")
    if chain is None or not _is_a_roll(chain):
        raise RuleError(f"there is no roll #{ref} here to discard.")
    if not (turn.message.storyteller or seat(turn, chain)):
        raise RuleError(f"that roll is {chain.names()[0]}'s: only they or a storyteller may discard it.")
    return chain


def _latest_to_discard(turn: Turn) -> Chain:
    """The speaker's latest roll, discarded already or not (GEN-09). RuleError where it was made in secret."""
    chain = next(filter(_is_a_roll, turn.table.own(turn.message.nick, turn.message.who)), None)
    secret = latest_secret_of(turn)
    if secret and (chain is None or secret.seq > chain.rolled(seat(turn, chain) or "acting").seq):
        which = f"your latest roll, #{base32(secret.seq)}, was made in secret"
        raise RuleError(f"{which}, and cannot be discarded: name an older one by its id.")
    if chain is None:
        raise RuleError("you have no roll here to discard.")
    return chain


def _is_a_roll(chain: Chain) -> bool:
    """A result is disregarded (SC-21); what a tracker, an encounter or a turn came to is none."""
    return chain.root.draft.kind != "track"

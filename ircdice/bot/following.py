"""Which roll a follow-up means (GEN-09), and whether the speaker may change it. Changes none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Any

from grammars import Reading, UnknownCommand
from ircdice import dispatcher
from ircdice.bot.message import Message
from ircdice.bot.turn import Turn
from ircdice.durations import MINUTE
from ircdice.errors import MiswordedError, RuleError
from ircdice.ledger import Record
from ircdice.ledger.ids import base32
from ircdice.outcome import Earlier, Side
from ircdice.settings import ChannelSettings
from ircdice.table import LAST, Chain, Table
from ircdice.table.chain import reading_of
from ircdice.table.seals import Seal
from ircdice.table.sides import side_named, side_of

EVERYDAY = frozenset({"close", "discard", "pass", "reveal", "withdraw"})  # words of talk that take an id (GEN-13)
_TAG = re.compile(r"[a-z]{3,}")


def located(turn: Turn, node: Any) -> tuple[Chain, Earlier]:
    """The roll that a follow-up means (GEN-09), and how it stands. RuleError where there is none."""
    if (ref := getattr(node, "ref", None)) is not None:
        chain = named(turn.table, ref)
        if chain is None:
            raise RuleError(f"there is no roll #{ref} here that could be changed.")
        return chain, admitted(turn, chain, node)
    return _latest(turn, node)


def admitted(turn: Turn, chain: Chain, node: Any) -> Earlier:
    """How a roll stands that the speaker may change by `node`. RuleError where they may not."""
    earlier = _may_change(turn, chain, node)
    dispatcher.system_of(earlier.node).admits(node, earlier, turn.settings.house)
    return earlier


def check_for_a_tag(turn: Turn) -> None:
    """UnknownCommand where a word of everyday talk has one behind its `#`, and no id of this channel (GEN-13):
    `discard #sad`. One or two letters, or a figure, are what an id looks like."""
    ref = getattr(turn.node, "ref", None) if turn.reading.word in EVERYDAY else None
    if (
        ref
        and ref != LAST
        and _TAG.fullmatch(ref)
        and turn.table.find(ref) is None
        and turn.table.seals.find(ref) is None
    ):
        raise UnknownCommand(f"#{ref} is no roll here")


def named(table: Table, ref: str) -> Chain | None:
    """The roll that `#ID` names, if any. RuleError where `#last` was made in secret: nothing follows that (DSK-07)."""
    chain = table.find(ref)
    if ref == LAST and (secret := latest_secret(table, chain)):
        which = f"the latest roll here, #{base32(secret.record.seq)}, was made in secret"
        raise RuleError(f"{which}, and nothing can follow it: name the one that you mean by its id.")
    return chain


def latest_secret(table: Table, latest: Chain | None) -> Seal | None:
    """The channel's latest roll where nobody saw its dice as they fell; `latest` is that of those made in the open."""
    secret = table.seals.latest_roll()
    return secret if secret and (latest is None or secret.record.seq > latest.latest.seq) else None


def _latest(turn: Turn, node: Any) -> tuple[Chain, Earlier]:
    """The speaker's latest roll for which `node` makes sense; if none, why not the latest of its game that has dice."""
    name = turn.reading.speaks_as
    asked = type(node) is not type(turn.node)  # for its odds, which may be done again and again
    tapped: Chain | None = None
    reason = RuleError(
        f"only a storyteller changes what {name} rolled." if name else "you have no roll here that could be changed."
    )
    reasons: list[tuple[tuple[bool, bool], RuleError]] = []
    for chain in _own(turn):
        try:
            earlier = admitted(turn, chain, node)
        except MiswordedError as refusal:  # a slip in its words makes it no wish for an older roll
            raise (reason if tapped and not asked else refusal) from None
        except RuleError as refusal:
            standing = turn.table.standing(chain)
            foreign = type(node) not in dispatcher.system_of(standing.node).amends
            reasons.append(((foreign, not standing.outcome.dice), refusal))
            if tapped is None and _just_done(turn, chain, node):
                tapped, reason = chain, refusal
        else:
            if tapped is None or asked:
                return chain, earlier
            meant = replace(turn.node, ref=base32(chain.latest.seq))
            done = f"#{base32(tapped.latest.seq)} was changed so a moment ago"
            raise RuleError(f'{done}; for the roll before it say "{meant}".')
    raise min(reasons, key=itemgetter(0))[1] if reasons and tapped is None else reason


def _just_done(turn: Turn, chain: Chain, node: Any) -> bool:
    """Whether the same was said of that roll so short a time ago that it is said twice by mistake (V5-15)."""
    return any(
        type(later) is type(node) and record.draft.who == turn.message.who and just_now(turn, record)
        for later, record in zip(chain.later, chain.records[1:], strict=True)
    )


def just_now(turn: Turn, record: Record) -> bool:
    """Whether a record is so young that a command like it is that one said twice."""
    return record.ts > turn.now - turn.settings.twice_seconds * 1000


def just_said(turn: Turn, further: Chain) -> Iterator[Chain]:
    """The rolls, latest first, about which the speaker said such a command so short a time ago that it is said twice by
    mistake, the `further` one that it would mean now being open already."""
    for record, chain in turn.table.followed_since(turn.now - turn.settings.twice_seconds * 1000):
        mine = record.draft.who == turn.message.who and record.draft.text  # what lapsed nobody said
        if mine and record.seq > further.root.seq and type(reading_of(record).node) is type(turn.node):
            yield chain


def seat(turn: Turn, chain: Chain) -> Side | None:
    """The speaker's side of a roll; None for a bystander."""
    return side_of(chain, turn.message.nick, turn.message.who, turn.table.casemapping)


def _own(turn: Turn) -> Iterator[Chain]:
    return meant(turn.table, turn.message, turn.reading)


def meant(table: Table, message: Message, reading: Reading) -> Iterator[Chain]:
    """The rolls that a follow-up without an id may mean, latest first: one's own, or a storyteller's `as NAME`."""
    if reading.speaks_as is not None and message.storyteller:
        found = iter(table.named(reading.speaks_as))
    else:
        found = table.own(message.nick, message.who)
    return (chain for chain in found if not chain.discarded)


def _may_change(turn: Turn, chain: Chain, node: Any) -> Earlier:
    """The roll as it stands, for the side that the speaker may change: their own, or a storyteller's choice.

    A node whose `anyones` is true may be said of anybody's roll: its rules know who may.
    """
    table, message, name = turn.table, turn.message, turn.reading.speaks_as
    if chain.discarded:  # SC-21
        raise RuleError(f"#{base32(chain.root.seq)} is discarded: it does not count any more.")
    own = side_of(chain, message.nick, message.who, table.casemapping)
    anyones = message.storyteller or getattr(node, "anyones", False)
    side = own or ("acting" if anyones else None)
    if name is not None:
        side = side_named(chain, name, table.casemapping)
        if side is None:
            raise RuleError(f"{name} has no side in that roll.")
        if side != own and not anyones and not _rolled_both(chain, own):
            side = None
    if side is None:
        raise RuleError(f"that roll is {chain.names()[0]}'s: only they or a storyteller may change it.")
    mine = side == own or _rolled_both(chain, own)
    stands = table.standing(chain)  # made anew rather than replaced: that takes three times as long, and there are many
    return Earlier(stands.node, stands.outcome, side, (turn.now - chain.since) / MINUTE, stands.closed, mine)


def _rolled_both(chain: Chain, own: Side | None) -> bool:
    """Whether somebody rolled for both sides, in one line."""
    return own == "acting" and chain.against is None


def may_follow(
    table: Table, chain: Chain, reading: Reading, message: Message, settings: ChannelSettings, now: int
) -> bool:
    """Whether a word alone could change that roll, for the one who said it (GEN-10)."""
    name, letters = reading.speaks_as, table.casemapping
    side = side_named(chain, name, letters) if name else side_of(chain, message.nick, message.who, letters)
    if side is None:
        return False
    earlier = replace(table.standing(chain), side=side, minutes=(now - chain.since) / MINUTE)
    try:
        dispatcher.system_of(earlier.node).admits(reading.node, earlier, settings.house)
    except RuleError:
        return False
    return True

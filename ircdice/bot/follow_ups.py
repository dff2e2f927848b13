"""Find the roll that a follow-up means (GEN-09), and check that the speaker may change it."""

from __future__ import annotations

import re
from dataclasses import replace

from grammars import Command, Reading, UnknownCommand
from ircdice.bot.context import Context, LineContext
from ircdice.clock import MINUTE
from ircdice.errors import RuleError
from ircdice.ledger import Record
from ircdice.outcome import Earlier
from ircdice.table import LAST_REF, Chain, Table
from ircdice.table.rolls import side_named, side_of
from ircdice.table.secrets import Seal

_SCORE = re.compile(r"[a-z]+\s?[0-9]+", re.IGNORECASE)  # `wp 2`, `hunger 3`


def located(context: Context[Command], node: Command) -> tuple[Chain, Earlier]:
    """The roll that a follow-up means (GEN-09), with earlier changes applied. RuleError if there is none."""
    ref = node.ref
    chain = _latest(context, node) if ref is None else named(context.table, ref)
    if chain is None:
        raise RuleError(f"there is no roll #{ref} here that could be changed.")
    return chain, admitted(context, chain, node)


def admitted(context: Context[Command], chain: Chain, node: Command) -> Earlier:
    """The roll that `node` changes, with earlier changes, for the side that the speaker may change: their own, or the
    one a storyteller names. RuleError if there is none.

    A node whose `anyones` is true can target another player's roll: the game's rules decide who may.
    """
    table, name = context.table, context.reading.speaks_as
    if chain.discarded:  # SC-21
        raise RuleError(f"roll {chain.id} is discarded: it does not count any more.")
    own = side_of(chain, context.person)
    both = own == "acting" and chain.against is None  # one player rolled for both sides, in one line
    anyones = context.message.storyteller or node.anyones
    side = own or ("acting" if anyones else None)
    if name is not None and (side := side_named(chain, name, table.casemapping)) is None:
        raise RuleError(f"that roll has no side called {name}.")
    mine = side == own or both
    if side is None or not (mine or anyones):
        raise RuleError(f"that roll is {chain.names()[0]}'s: only they or a storyteller may change it.")
    if type(node) not in chain.game.amends:
        raise RuleError(f'"{node}" cannot follow that roll.')
    minutes = (context.now - chain.since) / MINUTE
    return replace(table.standing(chain), side=side, minutes=minutes, own=mine, name=chain.id)


def named(table: Table, ref: str) -> Chain | None:
    """The roll named by `#ID`, if any. RuleError if `#last` is not a roll, or is a secret one, which has no follow-ups
    (LED-10, DSK-07)."""
    chain = table.find(ref)
    if ref == LAST_REF and chain is None and table.last is not None:
        latest, meant = table.last.short_id, "name the one that you mean by its id."
        secret = latest_secret(table)
        if secret and not secret.is_card:
            raise RuleError(f"the latest roll here, {latest}, was made in secret, and nothing can follow it: {meant}")
        if table.last.seq > table.forgotten:
            raise RuleError(f'the latest line here, {latest}, "{head_of(table.last)}", is no roll: {meant}')
    return chain


def head_of(record: Record) -> str:
    """The start of a line, which identifies it."""
    return record.draft.line.partition(";")[0]


def latest_secret(table: Table) -> Seal | None:
    """The channel's latest line, if it is a secret roll or a card."""
    return table.seals.get(table.last.seq) if table.last else None


def _latest(context: Context[Command], node: Command) -> Chain:
    """The speaker's latest roll of the kind that `node` changes. RuleError if it cannot be changed; an older one is
    never changed instead. If there is none of that kind, the error explains why the latest roll does not count."""
    reading, name = context.reading, context.reading.speaks_as
    of_the_game = (chain for chain in _own(context, reading) if type(node) in chain.game.amends)
    chain = meant(context, reading, node) or next(of_the_game, None)
    if chain is None and name and context.message.storyteller:
        raise RuleError(f"there is no roll of {name} here that could be changed.")
    if chain is None and name:
        raise RuleError(f"only a storyteller may change what {name} rolled.")
    if chain is None:
        certain = context.called or context.node is not node or is_recent(context, secret_of(context))
        if not certain and _SCORE.fullmatch(reading.typed):  # GEN-19
            raise UnknownCommand(f'"{reading.typed}" is talk where no roll can be meant')
        check_not_in_secret(context, None, "nothing can follow it")
        raise RuleError("you have no roll here that could be changed.")
    if not name:
        check_not_in_secret(context, chain, "nothing can follow it: name an older one by its id")
    return chain


def meant(context: LineContext, reading: Reading, node: Command) -> Chain | None:
    """The latest roll of the kind that a follow-up changes, if any: the speaker's own, or a storyteller's `as NAME`."""
    name, table = reading.speaks_as, context.table
    for chain in _own(context, reading):
        side = side_named(chain, name, table.casemapping) if name else side_of(chain, context.person)
        earlier = replace(table.standing(chain), side=side or "acting")
        if type(node) in chain.game.amends and chain.game.means(node, earlier):
            return chain
    return None


def _own(context: LineContext, reading: Reading) -> list[Chain]:
    """The rolls that a follow-up without an id may mean, latest first: the speaker's, or a storyteller's `as NAME`."""
    if reading.speaks_as is not None and context.message.storyteller:
        return context.table.named(reading.speaks_as)
    return context.table.rolled_by(context.person)


def secret_of(context: LineContext) -> Record | None:
    """The speaker's latest secret roll (DSK-07)."""
    return next((seal.record for seal in context.table.seals.rolls() if context.person.made(seal.record)), None)


def is_recent(context: LineContext, rolled: Record | None) -> bool:
    """Whether a roll is so young that a bare follow-up may mean it (GEN-19)."""
    return rolled is not None and context.now - rolled.ts <= context.settings.house.wp_minutes * MINUTE


def check_not_in_secret(context: Context[Command], chain: Chain | None, why: str) -> None:
    """Raise RuleError if the speaker's latest roll is a secret one made after `chain` (DSK-07)."""
    secret = secret_of(context)
    if secret and (chain is None or secret.seq > chain.rolled(side_of(chain, context.person) or "acting").seq):
        raise RuleError(f"your latest roll, {secret.short_id}, was made in secret, and {why}.")


def latest_own(context: Context[Command], what: str, cannot: str) -> Chain:
    """The speaker's latest roll, to do `what` with. RuleError if there is none, or if it was made in secret, and so
    cannot be `cannot` (DSK-07)."""
    chain = next(filter(is_a_roll, context.table.rolled_by(context.person)), None)
    check_not_in_secret(context, chain, f"cannot be {cannot}")
    if chain is None:
        raise RuleError(f"you have no roll here to {what}.")
    return chain


def is_a_roll(chain: Chain) -> bool:
    """Whether the record is a result, which can be discarded (SC-21), not a change of a tracker, encounter or turn."""
    return chain.root.draft.kind != "track"

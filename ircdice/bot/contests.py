"""Contests: opened, answered, passed, withdrawn, closed or lapsed (GEN-06, V5-25)."""

from __future__ import annotations

from dataclasses import replace

from grammars import Command
from grammars.contests import Close, Contests, Pass, Withdraw
from ircdice import dispatcher, reply
from ircdice.bot import moves
from ircdice.bot.context import Answer, Context
from ircdice.bot.follow_ups import asked_of, invitation, is_answer, just_said, may_answer, named, seat
from ircdice.bot.message import Reply
from ircdice.bot.places import lapse_line
from ircdice.errors import RuleError
from ircdice.game import Game
from ircdice.ledger import Record
from ircdice.ledger.ids import base32
from ircdice.outcome import Side
from ircdice.table import OTHER, Chain
from ircdice.table.rolls import is_of, posted_as, side_named

MOST_LISTED = 8  # contests in one line


def check_opening(context: Context[Command]) -> None:
    """RuleError for a contest with @nick that GEN-06 excludes."""
    against = context.node.against
    if against is None:
        return
    message, table, mine = context.message, context.table, context.names
    theirs = context.names_of_other(against)
    if message.channel is None:
        raise RuleError("a contest with @nick is played in a channel, where both can see it.")
    if any(table.same(against, name) for name in (*mine, message.nick, message.me)):
        raise RuleError(f"@{against} cannot be the other side: name another player.")
    for chain in table.open_contests():
        sides = {side_named(chain, name, table.casemapping) for name in (*mine, message.nick)} - {None}
        if sides and {side_named(chain, name, table.casemapping) for name in theirs} - {None, *sides}:
            raise RuleError(f"a contest between you and {against} is open already: {chain.id}.")


def answered(context: Context[Command]) -> Chain | None:
    """The contest that this roll answers, if any: the one named, else the oldest that waits for the nick."""
    name = context.actor.name
    waiting = context.table.waiting_for(context.names, context.now)
    waiting = [chain for chain in waiting if is_answer(context.table, chain, context.node)]
    waiting = _for_speaker(context, _of_others(context, waiting), context.reading.ref) or _unasked(context, name)
    if waiting and context.for_another and not context.message.storyteller:
        raise RuleError("only a storyteller may answer for somebody else.")
    if context.reading.ref is None:
        return waiting[0] if waiting else None
    return _named(context, waiting, name)


def _of_others(context: Context[Command], waiting: list[Chain]) -> list[Chain]:
    """The contests among `waiting` that somebody else opened: no one is both sides by a second nick (GEN-06).

    Only a storyteller answers for somebody else. RuleError where there are only one's own.
    """
    if context.for_another:
        return waiting
    others = [chain for chain in waiting if chain.root.draft.who != context.message.who]
    if waiting and not others:
        own = waiting[0].id
        raise RuleError(f'you opened contest {own} yourself, under another nick; "withdraw {own}" takes it back.')
    return others


def _for_speaker(context: Context[Command], waiting: list[Chain], ref: str | None) -> list[Chain]:
    """Those that were made for this user of the nick, or a storyteller answers. RuleError if another is meant (IRC-29).

    Without an id a roll is simply a roll: a contest of the nick's earlier user is none of its business.
    """
    if context.for_another:
        return waiting
    own = [chain for chain in waiting if may_answer(context, chain)]
    meant = named(context.table, ref) if ref and len(own) < len(waiting) else None
    if meant is not None and meant in waiting and meant not in own:
        raise RuleError(_of_another(context, meant))
    return own


def _of_another(context: Context[Command], chain: Chain) -> str:
    had = f"contest {chain.id} is for the user who was {context.message.nick} when it was opened"
    return f"{had}: log in to the same account, or ask a storyteller."


def _named(context: Context[Command], waiting: list[Chain], name: str) -> Chain | None:
    """The contest that `#ID` after a roll names; None if it names none and is a comment (GEN-03, GEN-06)."""
    ref = context.reading.ref or ""
    try:
        chain = named(context.table, ref)
    except RuleError:
        if waiting:
            raise
        return None
    if chain is not None and chain in waiting:
        return chain
    is_contest = chain is not None and chain.against is not None
    if is_contest or (waiting and any(sign.isdigit() for sign in ref)):
        raise RuleError(f"contest #{ref} does not wait for {name}.")
    return waiting[0] if waiting else None


def _unasked(context: Context[Command], name: str) -> list[Chain]:
    """The unanswered rolls that anyone but the roller may answer, oldest first, within the time of a contest."""
    found = []
    for chain in context.table.unasked():
        opener, mine = chain.root.draft, None if context.for_another else context.message.who
        if context.table.overdue(chain, context.now) or context.table.same(name, opener.nick) or opener.who == mine:
            continue
        system, earlier = _system(context, chain), context.table.standing(chain)
        if system.is_open(earlier.node, earlier.outcome) and system.answers(earlier.node, context.node):
            found.append(chain)
    return found


def _system(context: Context[Command], chain: Chain) -> Game:
    return dispatcher.system_of(context.table.standing(chain).node)


async def answer(context: Context[Command], contest: Chain) -> Answer:
    """The other side of a contest: rolled, or passed."""
    earlier = context.table.standing(contest)
    said = context.table.prepared(context.node, context.actor.name)
    outcome = dispatcher.amend(said, earlier, context.dice, context.settings.house)
    node = outcome.becomes or earlier.node
    answering = None if context.reading.ref else context.reading.comment  # the id of the contest is no comment on it
    names = contest.names()[0], acting(context) if context.actor.named else contest.against or context.actor.name
    await context.place.fetch(contest.root.draft.who)
    moved = moves.of_answer(context, contest, said, node, outcome)
    line = reply.line(
        dispatcher.system_of(node), node, outcome, names=names, comment=contest.comment, official=context.official,
        answering=answering, moved=moved.said,
    )  # fmt: skip
    record = await context.record("answer", line, *moved.drafts, ref=contest.root.seq)
    return context.answer(record, outcome, names[1], offers=offers(context, record))


async def do_pass(context: Context[Pass]) -> Answer:
    """`pass`: no resistance."""
    node = context.node
    name = context.actor.name
    if context.for_another and not context.message.storyteller:
        raise RuleError("only a storyteller may answer for somebody else.")
    others = _of_others(context, context.table.waiting_for(context.names, context.now))
    waiting = _for_speaker(context, others, node.ref)
    if others and not waiting:
        raise RuleError(_of_another(context, others[0]))
    if node.ref is not None:
        found = named(context.table, node.ref)
        waiting = [chain for chain in waiting if chain is found]
    elif waiting and (tapped := _passed_just_now(context, name, waiting[0])):
        done = f"{tapped.id} was passed a moment ago"
        meant = f"pass {waiting[0].id}{f' as {name}' if context.reading.speaks_as else ''}"
        raise RuleError(f'{done}; for the next one say "{meant}".')
    if not waiting:
        raise RuleError(f"{f'contest #{node.ref} does not wait' if node.ref else 'no contest here waits'} for {name}.")
    return await answer(context, waiting[0])


def _passed_just_now(context: Context[Command], name: str, further: Chain) -> Chain | None:
    """The contest that was passed for the same name just now, if any: this `pass` may be typed twice by mistake."""
    return next((chain for chain in just_said(context, further) if context.table.same(chain.against or "", name)), None)


def offers(context: Context[Command], record: Record) -> tuple[Reply, ...]:
    """What each side of a contest can still do, sent to that side alone, the initiator first (V5-19)."""
    chain = context.table.roll_of(record.seq)
    if chain is None:
        return ()
    earlier, system = context.table.standing(chain), _system(context, chain)
    (acting, other), roll = chain.nicks(), f"#{base32(record.seq)}"
    sides: list[tuple[str, Side, str]] = [(acting, "acting", roll)]
    if earlier.outcome.opponent:
        sides.append((other, "other", roll) if other else (acting, "other", f"{roll} as {OTHER}"))
    offers = [
        (nick, system.offer(earlier.node, replace(earlier, side=side), named, context.settings.house))
        for nick, side, named in sides
        if "@" not in nick  # a relay's user cannot get a private line
    ]
    return tuple(context.whisper(offer, nick) for nick, offer in offers if offer)


def reminder(context: Context[Command]) -> tuple[Reply, ...]:
    """DSK-06: remind a speaker who rolls something else that a contest waits for them, once for each contest."""
    table, message = context.table, context.message
    contests = asked_of(context)
    if not contests:
        return ()
    own = (chain.root for chain in table.chains() if is_of(chain.root, message.nick, message.who, table.casemapping))
    latest = next((root.seq for root in own), 0)
    contest = next((each for each in contests if each.root.seq > latest), None)
    if contest is None:
        return ()
    return (context.whisper(f"A contest still waits for your answer, {invitation(context, contest)}."),)


def unheard(context: Context[Command], other: str, record: Record) -> tuple[Reply, ...]:
    """A warning to the player who opened a contest with a nick that is not here, and may be misspelt."""
    absent = context.absent(other)
    ref = base32(record.seq)
    return (context.whisper(f'{absent}: the contest waits; "withdraw #{ref}" takes it back.'),) if absent else ()


def owner_of(context: Context[Command], name: str) -> str | None:
    """The user of the nick that a contest asks (IRC-29); None for a character, whose players may change."""
    found = context.find(name)
    return None if found else context.message.owner_of(name)


def acting(context: Context[Command], node: Command | None = None) -> str:
    """The roller as it is posted: `Viktor (alice)` if it is the roll of a character with another name."""
    actor, nick = context.actor, context.message.nick
    named = actor.named or (node is not None and context.reading.speaks_as)  # a player whom a storyteller rolls for
    return posted_as((node and (node.character or node.speaker)) or (actor.name if named else ""), nick)


async def withdraw(context: Context[Withdraw]) -> Answer:
    """The player who opened a contest takes it back; its dice are shown."""
    mine = [chain for chain in context.table.open_contests() if seat(context, chain) == "acting"]
    if context.node.ref is not None:
        meant = named(context.table, context.node.ref)
        mine = [chain for chain in mine if chain is meant]
    elif mine and (tapped := next(just_said(context, mine[0]), None)):
        done = f"{tapped.id} was withdrawn a moment ago"
        raise RuleError(f'{done}; for the next one say "withdraw {mine[0].id}".')
    if not mine:
        raise RuleError("you have no open contest here to withdraw.")
    return await _end(context, mine[0], "withdrawn")


async def close(context: Context[Close]) -> Answer:
    """A storyteller closes a roll, or ends an open contest."""
    context.require_storyteller("close a roll")
    chain = named(context.table, context.node.ref)
    if chain is None:
        raise RuleError(f"there is no roll #{context.node.ref} here to close.")
    if chain.waiting:
        return await _end(context, chain, "closed")
    if chain.closed:
        raise RuleError(f"roll {chain.id} is closed already.")
    over = dispatcher.system_of(context.table.standing(chain).node).closed
    line = ", ".join(filter(None, [f"{context.message.nick}: {chain.id} is closed", over]))
    record = await context.record("lapse", line, ref=chain.root.seq)
    return context.noted(record)


async def _end(context: Context[Command], chain: Chain, how: str) -> Answer:
    line = lapse_line(context.table, chain, how)
    record = await context.record("lapse", line, ref=chain.root.seq)
    return context.noted(record)


async def contests(context: Context[Contests]) -> Answer:
    """`contests`: those that wait for an answer here."""
    open_here = context.table.open_contests()
    listed = [f"{chain.id} {' vs '.join(chain.names())}" for chain in open_here[:MOST_LISTED]]
    if len(open_here) > MOST_LISTED:
        listed.append(f"and {len(open_here) - MOST_LISTED} more")
    text = f"open contests: {', '.join(listed)}" if listed else "no contest is open here."
    return Answer((context.say(text),), "note")

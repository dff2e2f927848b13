"""Contests: opened, answered, passed, withdrawn, closed or lapsed (GEN-06, V5-25)."""

from __future__ import annotations

from dataclasses import replace

from grammars import Command
from grammars.contests import Close, Contests, Pass, Withdraw
from ircdice import reply
from ircdice.bot.context import Answer, Context, LineContext
from ircdice.bot.follow_ups import named
from ircdice.bot.message import Reply
from ircdice.bot.places import lapse_line
from ircdice.clock import MINUTE
from ircdice.errors import RuleError
from ircdice.outcome import Side
from ircdice.reply import commented
from ircdice.table import OTHER, Chain, Table, characters
from ircdice.table.rolls import reading_of, side_of

MOST_LISTED = 8  # contests in one line


def waiting_for(context: LineContext, name: str | None) -> list[Chain]:
    """The contests that wait for the actor called `name` after `as`, by default the speaker, oldest first, within the
    time limit (GEN-06)."""
    contests = [chain for chain in context.table.answerable(context.now) if chain.against]
    names = context.names_of(name) if contests else ()
    return [
        chain
        for chain in contests
        if any(context.table.same(chain.against or "", each) for each in names)
        or (not name and _was_asked(context, chain))
    ]


def _was_asked(context: LineContext, contest: Chain) -> bool:
    """Whether it was opened against the speaker's account, which has another nick now (IRC-29)."""
    owner = context.place.owners.get(contest.root.seq)
    return bool(owner and owner[0] != "!" and context.message.is_from(owner))


def asked_of(context: LineContext) -> list[Chain]:
    """The contests that wait for the speaker, oldest first, without their own under another nick (GEN-06)."""
    waiting = waiting_for(context, None)
    return [chain for chain in waiting if chain.root.draft.who != context.message.who and may_answer(context, chain)]


def may_answer(context: LineContext, contest: Chain) -> bool:
    """Whether the speaker is the user who had the nick when the contest was opened, as far as known (IRC-29)."""
    owner = context.place.owners.get(contest.root.seq)
    return owner is None or context.message.is_from(owner)


def is_answer(context: LineContext, contest: Chain, node: Command) -> bool:
    """Whether a command answers that contest."""
    return contest.game.answers(context.table.standing(contest).node, node)


def invitation(context: LineContext, contest: Chain) -> str:
    """How to answer a waiting contest, and the minutes left."""
    left = context.settings.contest_minutes - (context.now - contest.root.ts) // MINUTE
    node = context.table.standing(contest).node
    return f"{contest.id}: {reply.waiting_line(contest.game, node, contest.names(), left, None, True)}"


def check_opening(context: Context[Command], against: str) -> None:
    """Raise RuleError for a contest with @nick that GEN-06 excludes."""
    message, table, own = context.message, context.table, context.names_of(context.reading.speaks_as)
    if message.channel is None:
        raise RuleError("a contest with @nick is played in a channel, where both can see it.")
    if any(table.same(against, name) for name in (*own, message.nick, message.me)):
        raise RuleError(f"@{against} cannot be the other side: name another player.")
    other = context.find(against)
    who = other.owner if other else context.who_of(against)
    playing = characters.playing(context.desk, message.place, who)
    theirs = [against, who.removeprefix("~"), *([playing.name] if playing else [])]
    for chain in table.open_contests():
        sides = table.sides(chain, *own, message.nick)
        if sides and table.sides(chain, *theirs) - sides:
            raise RuleError(f"a contest between you and {against} is open already: {chain.id}.")


def answered(context: Context[Command]) -> Chain | None:
    """The contest that this roll answers, if any: the one named, or the oldest that waits for the actor, or else the
    oldest roll that anyone may answer."""
    ref, name = context.reading.ref, context.actor.name
    fitting = [chain for chain in context.table.answerable(context.now) if is_answer(context, chain, context.node)]
    if not (fitting or ref):
        return None
    asked = [chain for chain in waiting_for(context, context.reading.speaks_as) if chain in fitting]
    for_anyone = [chain for chain in fitting if not (chain.against or _is_own(context, chain))]
    waiting = _allowed(context, asked, ref) or for_anyone
    if waiting:
        _check_for_another(context)
    meant = None
    if ref is not None:
        meant = named(context.table, ref) if waiting else context.table.find(ref)
    if meant in waiting:
        return meant
    if (meant and meant.against) or (waiting and ref and any(character.isdigit() for character in ref)):
        raise RuleError(f"contest #{ref} does not wait for {name}.")
    return next(iter(waiting), None)  # any other id is part of a comment (GEN-03)


def _is_own(context: Context[Command], chain: Chain) -> bool:
    """Whether the actor made that roll."""
    opener = chain.root.draft
    by_speaker = opener.who == context.message.who and not context.for_another
    return by_speaker or context.table.same(context.actor.name, opener.nick)


def _check_for_another(context: Context[Command]) -> None:
    if context.for_another and not context.message.storyteller:
        raise RuleError("only a storyteller may answer for somebody else.")


def _allowed(
    context: Context[Command], contests: list[Chain], ref: str | None, *, demanded: bool = False
) -> list[Chain]:
    """Those of `contests`, which wait for the actor, that the speaker may answer.

    A user cannot be both sides with a second nick (GEN-06), and a contest is for the user who then had the nick
    (IRC-29); but a storyteller can answer for other players. RuleError if all are the speaker's own, or the one named
    is for the nick's earlier user; if an answer is `demanded`, also if all are. Otherwise a roll without an id is
    just a roll.
    """
    if context.for_another:
        return contests
    others = [chain for chain in contests if chain.root.draft.who != context.message.who]
    if contests and not others:
        own = contests[0].id
        raise RuleError(f'you opened contest {own} yourself, under another nick; "withdraw {own}" takes it back.')
    allowed = [chain for chain in others if may_answer(context, chain)]
    barred = [chain for chain in others if chain not in allowed]
    if not demanded or allowed:
        barred = [chain for chain in barred if ref and chain is named(context.table, ref)]
    if barred:
        had = f"contest {barred[0].id} is for the user who was {context.message.nick} when it was opened"
        raise RuleError(f"{had}: log in to the same account, or ask a storyteller.")
    return allowed


def passed(context: Context[Pass]) -> Chain:
    """The contest that `pass` answers. RuleError if there is none."""
    ref = context.node.ref
    _check_for_another(context)
    waiting = _allowed(context, waiting_for(context, context.reading.speaks_as), ref, demanded=True)
    if chain := _named_or_first(context, waiting, "passed"):
        return chain
    raise RuleError(f"{f'contest #{ref} does not wait' if ref else 'no contest here waits'} for {context.actor.name}.")


def _named_or_first(context: Context[Command], chains: list[Chain], done: str) -> Chain | None:
    """The contest that is named, or else the first. RuleError if the speaker has just ended another with the same
    command, while this one was already open: the command was probably repeated by mistake."""
    if (ref := context.node.ref) is not None:
        meant = named(context.table, ref)
        return meant if meant in chains else None
    first, reading = next(iter(chains), None), context.reading
    for record, chain in context.table.followed_since(context.now - context.settings.twice_seconds * 1000):
        if first is None or record.seq < first.root.seq or record.draft.who != context.message.who:
            continue
        earlier = reading_of(record) if record.draft.text else None  # lapses have no text
        if earlier and (type(earlier.node), earlier.speaks_as) == (type(reading.node), reading.speaks_as):
            again = f"{reading.typed} {first.id}{f' as {reading.speaks_as}' if reading.speaks_as else ''}"
            raise RuleError(f'{chain.id} was {done} a moment ago; for the next one say "{again}".')
    return first


def offers(context: Context[Command], chain: Chain) -> tuple[Reply, ...]:
    """Private lines on what each side of a contest can still do, the initiator first (V5-19)."""
    earlier = context.table.standing(chain)
    acting, other = chain.root.draft.nick, chain.played.nick if chain.played else chain.against
    roll = chain.latest.short_id
    sides: list[tuple[str, Side, str]] = [(acting, "acting", roll)]
    if earlier.outcome.opponent:
        sides.append((other, "other", roll) if other else (acting, "other", f"{roll} as {OTHER}"))
    offers = [
        (nick, chain.game.offer(earlier.node, replace(earlier, side=side), ref, context.settings.house))
        for nick, side, ref in sides
        if "@" not in nick  # a relay's user cannot receive a private line
    ]
    return tuple(context.whisper(offer, nick) for nick, offer in offers if offer)


def reminder(context: Context[Command]) -> tuple[Reply, ...]:
    """DSK-06: remind a speaker who rolls something else of a waiting contest, once for each contest."""
    contests = asked_of(context)
    if not contests:
        return ()
    latest = next((chain.root.seq for chain in context.table.chains() if context.person.made(chain.root)), 0)
    contest = next((each for each in contests if each.root.seq > latest), None)
    if contest is None:
        return ()
    return (context.whisper(f"A contest still waits for your answer, {invitation(context, contest)}."),)


async def withdraw(context: Context[Withdraw]) -> Answer:
    """Withdraw a contest, by the player who opened it or a storyteller; its dice are shown."""
    table, name, who = context.table, context.reading.speaks_as, "you have"
    own = [chain for chain in table.open_contests() if side_of(chain, context.person) == "acting"]
    if name:
        actor = context.require_own("withdraw a contest of")
        who = f"{actor.name} has"
        own = [chain for chain in table.open_contests() if "acting" in table.sides(chain, name, actor.name)]
    chain = _named_or_first(context, own[::-1], "withdrawn")  # GEN-09: the latest
    if chain is None:
        raise RuleError(f"{who} no open contest here to withdraw.", keeps_case=bool(name))
    line = lapse_line(context.table, chain, "withdrawn", context.reading.comment)
    record = await context.record("lapse", line, ref=chain.root.seq)
    return context.answer_with(record)


async def close(context: Context[Close]) -> Answer:
    """Close a roll, or end an open contest, by a storyteller."""
    context.require_storyteller("close a roll")
    chain = named(context.table, context.node.ref)
    if chain is None:
        raise RuleError(f"there is no roll #{context.node.ref} here to close.")
    if chain.closed:
        raise RuleError(f"roll {chain.id} is closed already.")
    line = ", ".join(filter(None, [f"{context.message.nick}: {chain.id} is closed", chain.game.closed]))
    line = commented(line, context.reading.comment)
    if chain.waiting:
        line = lapse_line(context.table, chain, "closed", context.reading.comment)
    record = await context.record("lapse", line, ref=chain.root.seq)
    return context.answer_with(record)


async def contests(context: Context[Contests]) -> Answer:
    """`contests`: list the open contests here."""
    listed = open_contests(context.table)
    text = f"open contests: {listed}" if listed else "no contest is open here."
    return Answer((context.say(text),), "note")


def open_contests(table: Table) -> str:
    """The list of open contests; empty if there are none."""
    contests = table.open_contests()
    listed = [f"{chain.id} {' vs '.join(chain.names())}" for chain in contests[:MOST_LISTED]]
    more = [f"and {len(contests) - MOST_LISTED} more"] if len(contests) > MOST_LISTED else []
    return ", ".join([*listed, *more])

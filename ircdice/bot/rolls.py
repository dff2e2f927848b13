"""Rolls and follow-ups: from a node to a record and a line."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, cast

from grammars import Command
from grammars.characters import Track
from grammars.contests import Discard
from grammars.line import posted_comment
from ircdice import dispatcher, reply
from ircdice.bot import contests, moves, scenes, trackers
from ircdice.bot import names as given
from ircdice.bot.context import Answer, Context
from ircdice.bot.follow_ups import head_of, latest_secret_of, located, named, own_rolls, seat
from ircdice.bot.secrets import told_alone
from ircdice.errors import RuleError, UnknownSpeakerError
from ircdice.ledger import Draft, RecordKind
from ircdice.ledger.ids import base32
from ircdice.outcome import Earlier, Outcome
from ircdice.table import OTHER, Chain, secrets
from ircdice.table.secrets import Seal
from ircdice.table.trackers import tracker


async def roll(context: Context[Command]) -> Answer:
    """A roll of its own, the opening of a contest, or the answer to one."""
    contest = contests.answered(context)
    if contest is not None:
        return await contests.answer(context, contest)
    return await throw(context)


async def track(context: Context[Track]) -> Answer:
    """A change of a tracker, or of the same number in a game's own memory, as the Luck of an encounter (SC-26)."""
    if text := trackers.for_whom(context):
        context = cast(Context[Track], await context.instead(text))
    own = context.table.tracked(context.node, context.actor.name)
    return await (trackers.track(context) if own is None else throw(await context.instead(str(own))))


async def throw(context: Context[Command]) -> Answer:
    """A roll of its own, or the opening of a contest."""
    actor = context.actor
    if actor.named or context.reading.speaks_as:
        context.require_own("roll for", actor)
    if context.reading.speaks_as and context.table.same(actor.name, OTHER):  # GEN-06: no one's name
        raise RuleError(f"no contest here waits for {actor.name}.")
    joins = context.node.joins
    if joins and not context.table.same(joins, actor.name):
        if context.message.storyteller:
            given.check_meaningless(joins)
        else:
            given.check_free(context, joins)
    contests.check_opening(context)
    reminder = contests.reminder(context)
    try:
        told = context.table.told(context.node, actor.name, storyteller=context.message.storyteller)
    except RuleError:
        asked = context.node.asks_for
        kept = tracker(context.desk, actor, asked) if asked else None
        if kept is None:
            raise
        told = (kept.shown(),)
    if told is not None:
        say = context.whisper if context.node.private else context.say
        return Answer(tuple([say(line) for line in told]), "note", dispatcher.owner(context.node))
    seal = secrets.over(context.table.seals, context.node, context.names_under_difficulty, context.table.same)
    node = _prepared(context, seal)
    outcome = dispatcher.evaluate(node, context.dice, context.settings.house)
    if seal is not None:  # FW-10
        node, outcome = secrets.opened(node), secrets.covered(node, outcome, outcome)
    system = dispatcher.system_of(node)
    other = node.against or ("other" if outcome.opponent else None)
    if outcome.kind == "waiting":
        sides, minutes = (contests.acting(context, node), other or ""), context.settings.contest_minutes
        comment, official = context.reading.comment, context.official
        record = await context.record("contest", reply.waiting_line(system, node, sides, minutes, comment, official))
        context.table.own_by(record.seq, contests.owner_of(context, sides[1]))
        offers = *contests.unheard(context, other or "", record), *reminder
        return context.answer(record, Outcome(kind="waiting"), other, offers=offers)
    moved = moves.of_roll(context, node, outcome)
    outcome, names = moved.outcome or outcome, (contests.acting(context, node), other)
    line = reply.line(
        system, node, outcome, names=names, comment=context.reading.comment, official=context.official,
        moved=moved.said, instead=moved.instead,
    )  # fmt: skip
    kind: RecordKind = "track" if outcome.kind == "note" else "roll"
    following = *moved.drafts, *scenes.of_game(context)
    record = await context.record(kind, line, *following, ref=seal.record.seq if seal else 0)
    offers = contests.offers(context, record) if outcome.opponent else ()
    offers = *offers, *told_alone(context, record), *reminder
    return context.answer(record, outcome, other, offers=offers)


def _prepared(context: Context[Command], seal: Seal | None) -> Command:
    """The node with what the table adds, a secret difficulty too. RuleError without a word of that (FW-10)."""
    try:
        return context.table.prepared(secrets.under(context.node, seal), context.actor.name)
    except UnknownSpeakerError:
        raise
    except RuleError as refusal:
        if seal is not None:
            context.table.prepared(context.node, context.actor.name)  # refused as one that meets none
        raise RuleError(str(refusal), hint=None if seal else refusal.hint) from None


class Amended(NamedTuple):
    """The result of a follow-up, before it is recorded."""

    outcome: Outcome
    other: str | None  # the other side's name
    kind: RecordKind
    line: str
    following: tuple[Draft, ...]  # the trackers that it moves (DSK-03)


def amended(context: Context[Command], said: Command, chain: Chain, earlier: Earlier) -> Amended:
    """Change the roll `earlier` by `said`, the command as the table prepared it. RuleError where it cannot be."""
    outcome = context.table.amended(chain, said, earlier, context.dice)
    node = outcome.becomes or earlier.node
    system = dispatcher.system_of(node)
    bare = replace(context.node, ref=None) if context.node.ref else context.node
    names = chain.names() if chain.against or outcome.opponent else (chain.names()[0], None)
    moved = moves.of_follow_up(context, said, chain, earlier, outcome)
    asked, comment = f"{bare} on {base32(chain.latest.seq)}", context.reading.comment
    line = reply.line(
        system, node, outcome, names=names, asked=asked, comment=comment, official=context.official, moved=moved.said
    )
    kind = cast(RecordKind, system.amends[type(context.node)])
    return Amended(outcome, names[1], kind, line, moved.drafts)


async def follow(context: Context[Command]) -> Answer:
    """Willpower, Hunger said later, and the like: an earlier roll becomes another."""
    if context.called and context.node.tracks and (text := trackers.for_whom(context)):
        context = await context.instead(text)
    said = context.table.prepared(context.node, context.own.name)
    try:
        chain, earlier = located(context, said)
    except RuleError as refusal:
        if context.called and (tracked := said.tracks):
            return await trackers.set_instead(context, *tracked, refusal)
        raise
    for each in filter(None, (chain.root, chain.answered)):
        await context.place.fetch(each.draft.who)
    made, replaced = amended(context, said, chain, earlier), chain.latest
    record = await context.record(made.kind, made.line, *made.following, ref=chain.root.seq)
    offers = contests.offers(context, record) if made.outcome.opponent else told_alone(context, record)
    answered = context.answer(record, made.outcome, made.other, replaces=replaced.id, offers=offers)
    return answered._replace(rerolled=earlier.side if record.draft.draws else None)


async def discard(context: Context[Discard]) -> Answer:
    """The roller's word, or a storyteller's, that a roll is disregarded: in public, and for good (SC-21)."""
    chain = _to_discard(context)
    if chain.waiting:
        raise RuleError(f"that contest is open: withdraw {chain.id} takes it back.")
    if chain.discarded:
        raise RuleError(f"roll #{base32(chain.latest.seq)} is discarded already.")
    _check_alone(context, chain)
    said = f"#{base32(chain.latest.seq)} is discarded: it does not count and is not listed"  # the id that counted
    why = context.node.reason or context.reading.comment
    reason = f'"{posted_comment(why)}"' if why else ""
    for each in chain.moved:
        await context.place.fetch(each.draft.key.partition(" ")[0])
    back = moves.taken_back(context, chain)
    parts = [f"{context.message.nick}: {said}", context.table.returned(chain), *back.said, reason]
    line = reply.marked("; ".join(filter(None, parts)), context.official)
    record = await context.record("discard", line, *back.drafts, ref=chain.root.seq)
    return Answer((context.post(record),), "note", context.settings.system, record=record, replaces=chain.latest.id)


def _check_alone(context: Context[Command], chain: Chain) -> None:
    """A player has a say in what is their own; two sides' dice are no one player's."""
    if chain.answered and not chain.passed and not context.message.storyteller:
        other = chain.names()[1 if seat(context, chain) == "acting" else 0]
        contest = f"#{base32(chain.latest.seq)} is a contest, and {other}'s as well"
        raise RuleError(f"{contest}: only a storyteller may discard it.")


def _to_discard(context: Context[Command]) -> Chain:
    """The roll named, else the speaker's latest. RuleError where it is not theirs."""
    ref = context.node.ref
    if ref is None:
        return _latest_to_discard(context)
    chain = named(context.table, ref)
    if (secret := context.table.seals.find(ref)) and secret.nick is None:
        raise RuleError(f"roll #{base32(secret.record.seq)} was made in secret, and cannot be discarded.")
    if chain is not None and not _is_a_roll(chain):
        raise RuleError(f'#{base32(chain.latest.seq)}, "{head_of(chain.latest)}", cannot be discarded.')
    if chain is None:
        raise RuleError(f"there is no roll #{ref} here to discard.")
    if not (context.message.storyteller or seat(context, chain)):
        raise RuleError(f"that roll is {chain.names()[0]}'s: only they or a storyteller may discard it.")
    return chain


def _latest_to_discard(context: Context[Command]) -> Chain:
    """The speaker's latest roll, discarded already or not (GEN-09). RuleError where it was made in secret."""
    chain = latest_own(context, "discarded: name an older one by its id")
    if chain is None:
        raise RuleError("you have no roll here to discard.")
    return chain


def latest_own(context: Context[Command], cannot: str) -> Chain | None:
    """The speaker's latest roll. RuleError, with what `cannot` be done to it, where it was made in secret (DSK-07)."""
    chain = next(filter(_is_a_roll, own_rolls(context)), None)
    secret = latest_secret_of(context)
    if secret and (chain is None or secret.seq > chain.rolled(seat(context, chain) or "acting").seq):
        raise RuleError(f"your latest roll, #{base32(secret.seq)}, was made in secret, and cannot be {cannot}.")
    return chain


def _is_a_roll(chain: Chain) -> bool:
    """A result is disregarded (SC-21); what a tracker, an encounter or a turn came to is none."""
    return chain.root.draft.kind != "track"

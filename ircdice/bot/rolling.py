"""Rolls, contests and what follows them: from a node to a record to a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, cast

from grammars.contests import Pass
from ircdice import dispatcher, reply
from ircdice.bot.following import asked_of, invitation, is_answer, just_said, located, named, seat
from ircdice.bot.message import Reply
from ircdice.bot.turn import Answer, Turn
from ircdice.casemapping import DEFAULT, same
from ircdice.errors import RuleError, UnknownSpeakerError
from ircdice.ledger import Record, RecordKind
from ircdice.ledger.ids import base32
from ircdice.outcome import Earlier, Outcome, Side
from ircdice.table import OTHER, Chain, Thrown, sealing
from ircdice.table.seals import Seal


async def roll(turn: Turn) -> Answer:
    """A roll of its own, the opening of a contest, or the answer to one."""
    contest = _answered(turn)
    if contest is not None:
        return await answer(turn, contest)
    if turn.reading.speaks_as:
        raise RuleError(f"no contest here waits for {turn.reading.speaks_as}.")
    _check_opening(turn)
    reminder = _reminder(turn)
    told = turn.table.told(turn.node, turn.message.nick, storyteller=turn.message.storyteller)
    if told is not None:
        say = turn.whisper if turn.node.private else turn.say
        return Answer(tuple([say(line) for line in told]), "note", dispatcher.owner(turn.node))
    seal = sealing.over(turn.table.seals, turn.node, turn.message.nick, turn.table.same)
    node = _prepared(turn, seal)
    outcome = dispatcher.evaluate(node, turn.dice, turn.settings.house)
    if seal is not None:  # FW-10
        node, outcome = sealing.opened(node), sealing.covered(node, outcome, outcome)
    system = dispatcher.system_of(node)
    other = node.against or ("other" if outcome.opponent else None)
    if outcome.kind == "waiting":
        names, minutes = (turn.message.nick, other or ""), turn.settings.contest_minutes
        comment, official = turn.reading.comment, turn.official
        record = await turn.record("contest", reply.waiting_line(system, node, names, minutes, comment, official))
        offers = *_unheard(turn, other or "", record), *reminder
        return _answer(turn, record, Outcome(kind="waiting"), other, offers=offers)
    line = turn.line(system, node, outcome, (acting(node, turn.message.nick), other), None)
    record = await _recorded(turn, line, seal, Thrown(node, outcome, turn.reading.comment))
    offers = _offers(turn, record) if outcome.opponent else ()
    return _answer(turn, record, outcome, other, offers=(*offers, *reminder))


def _reminder(turn: Turn) -> tuple[Reply, ...]:
    """DSK-06: remind a speaker who rolls something else that a contest waits for them, once for each contest."""
    table, message = turn.table, turn.message
    contests = asked_of(table, message, turn.now)
    if not contests:
        return ()
    own = (chain.root.seq for chain in table.own(message.nick, message.who) if seat(turn, chain) == "acting")
    latest = next(own, 0)
    contest = next((each for each in contests if each.root.seq > latest), None)
    if contest is None:
        return ()
    return (turn.whisper(f"A contest still waits for your answer, {invitation(table, contest, turn.now)}."),)


def _prepared(turn: Turn, seal: Seal | None) -> Any:
    """The node with what the table adds, a secret difficulty too. RuleError without a word of that (FW-10)."""
    try:
        return turn.table.prepared(sealing.under(turn.node, seal), turn.message.nick)
    except UnknownSpeakerError:
        raise
    except RuleError as refusal:
        if seal is not None:
            turn.table.prepared(turn.node, turn.message.nick)  # refused as one that meets none
        raise RuleError(str(refusal), hint=None if seal else refusal.hint) from None


async def _recorded(turn: Turn, line: str, seal: Seal | None, thrown: Thrown) -> Record:
    """A roll taken up; one that nothing at the table touches is not judged once more for the table's memory."""
    kind: RecordKind = "track" if thrown.outcome.kind == "note" else "roll"
    if seal is not None:
        return await turn.record(kind, line, ref=seal.record.seq)
    plain = turn.table.quiet and thrown.outcome.opponent is None
    return await turn.record(kind, line, thrown=thrown if plain else None)


def _unheard(turn: Turn, other: str, record: Record) -> tuple[Reply, ...]:
    """A word to whoever opened a contest with a nick that is not here, and may be misspelt."""
    absent = turn.absent(other)
    ref = base32(record.seq)
    return (turn.whisper(f'{absent}: the contest waits; "withdraw #{ref}" takes it back.'),) if absent else ()


def acting(node: Any, nick: str) -> str:
    """Who rolls, as it is posted: `Viktor (alice)` where it is the roll of a character of another name."""
    character = node.character or node.speaker
    return f"{character} ({nick})" if character and not same(character, nick, DEFAULT) else nick


def _check_opening(turn: Turn) -> None:
    """What GEN-06 rules out for a contest with @nick."""
    against = turn.node.against
    if against is None:
        return
    message, table = turn.message, turn.table
    if message.channel is None:
        raise RuleError("a contest with @nick is played in a channel, where both can see it.")
    if table.same(against, message.nick) or table.same(against, message.me):
        raise RuleError(f"@{against} cannot be the other side: name another player.")
    for chain in table.open_contests():
        two = {message.fold(name) for name in chain.names()}
        if two == {message.fold(message.nick), message.fold(against)}:
            raise RuleError(f"a contest between you and {against} is open already: #{base32(chain.root.seq)}.")


def _answered(turn: Turn) -> Chain | None:
    """The contest that this roll answers, if any: the one named, else the oldest that waits for the nick."""
    name = turn.reading.speaks_as or turn.message.nick
    waiting = [chain for chain in turn.table.waiting_for(name, turn.now) if is_answer(turn.table, chain, turn.node)]
    if waiting and turn.reading.speaks_as and not turn.message.storyteller:
        raise RuleError("only a storyteller answers for somebody else.")
    waiting = _of_others(turn, waiting) or _unasked(turn, name)
    if turn.reading.ref is None:
        return waiting[0] if waiting else None
    return _named(turn, waiting, name)


def _of_others(turn: Turn, waiting: list[Chain]) -> list[Chain]:
    """Of the contests that wait for a nick those that another opened: nobody is both sides by a second nick (GEN-06).

    Whoever answers for somebody else is a storyteller. RuleError where there are only one's own.
    """
    if turn.reading.speaks_as:
        return waiting
    others = [chain for chain in waiting if chain.root.draft.who != turn.message.who]
    if waiting and not others:
        own = base32(waiting[0].root.seq)
        raise RuleError(f'you opened contest #{own} yourself, under another nick; "withdraw #{own}" takes it back.')
    return others


def _named(turn: Turn, waiting: list[Chain], name: str) -> Chain | None:
    """The contest that `#ID` behind a roll names; None where it names none and is a comment (GEN-03, GEN-06)."""
    ref = turn.reading.ref or ""
    try:
        chain = named(turn.table, ref)
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


def _unasked(turn: Turn, name: str) -> list[Chain]:
    """The rolls that anybody but the roller may answer, and nobody has: oldest first, as long as contests last."""
    found = []
    for chain in turn.table.unasked():
        opener, mine = chain.root.draft, None if turn.reading.speaks_as else turn.message.who
        if turn.table.overdue(chain, turn.now) or turn.table.same(name, opener.nick) or opener.who == mine:
            continue
        system, earlier = _system(turn, chain), turn.table.standing(chain)
        if system.unasked and system.unasked(earlier.node, earlier.outcome) and system.answers(earlier.node, turn.node):
            found.append(chain)
    return found


def _system(turn: Turn, chain: Chain) -> Any:
    return dispatcher.system_of(turn.table.standing(chain).node)


async def answer(turn: Turn, contest: Chain) -> Answer:
    """The other side of a contest: rolled, or passed."""
    earlier = turn.table.standing(contest)
    said = turn.table.prepared(turn.node, turn.reading.speaks_as or turn.message.nick)
    outcome = dispatcher.amend(said, earlier, turn.dice, turn.settings.house)
    node = outcome.becomes
    beside = None if turn.reading.ref else turn.reading.comment  # what names the contest is no comment on it
    turn = turn._replace(reading=replace(turn.reading, comment=contest.comment))
    names = contest.names()[0], contest.against or turn.reading.speaks_as or turn.message.nick
    line = turn.line(dispatcher.system_of(node), node, outcome, names, None, beside)
    record = await turn.record("answer", line, ref=contest.root.seq)
    return _answer(turn, record, outcome, names[1], offers=_offers(turn, record))


async def do_pass(turn: Turn) -> Answer:
    """`pass`: no resistance."""
    node: Pass = turn.node
    name = turn.reading.speaks_as or turn.message.nick
    if turn.reading.speaks_as and not turn.message.storyteller:
        raise RuleError("only a storyteller answers for somebody else.")
    waiting = _of_others(turn, turn.table.waiting_for(name, turn.now))
    if node.ref is not None:
        found = named(turn.table, node.ref)
        waiting = [chain for chain in waiting if chain is found]
    elif waiting and (tapped := _passed_just_now(turn, name, waiting[0])):
        done = f"#{base32(tapped.root.seq)} was passed a moment ago"
        meant = f"pass #{base32(waiting[0].root.seq)}{f' as {name}' if turn.reading.speaks_as else ''}"
        raise RuleError(f'{done}; for the next one say "{meant}".')
    if not waiting:
        raise RuleError(f"{f'contest #{node.ref} does not wait' if node.ref else 'no contest here waits'} for {name}.")
    return await answer(turn, waiting[0])


def _passed_just_now(turn: Turn, name: str, further: Chain) -> Chain | None:
    """The contest that was passed for the same name by mistake, were this one too."""
    return next((chain for chain in just_said(turn, further) if turn.table.same(chain.against or "", name)), None)


def _offers(turn: Turn, record: Record) -> tuple[Reply, ...]:
    """What each side of a contest may still do, told to that side alone, the initiator first (V5-19)."""
    chain = turn.table.roll_of(record.seq)
    if chain is None:
        return ()
    earlier, system = turn.table.standing(chain), _system(turn, chain)
    acting, roll = chain.names()[0], f"#{base32(record.seq)}"
    sides: list[tuple[str, Side, str]] = [(acting, "acting", roll)]
    if earlier.outcome.opponent:
        sides.append((chain.against, "other", roll) if chain.against else (acting, "other", f"{roll} as {OTHER}"))
    offers = [
        (nick, system.offer(earlier.node, replace(earlier, side=side), named, turn.settings.house))
        for nick, side, named in sides
        if system.offer is not None and "@" not in nick  # nobody behind a relay can be whispered to
    ]
    return tuple(turn.whisper(offer, nick) for nick, offer in offers if offer)


class Amended(NamedTuple):
    """What a follow-up makes of a roll, before anybody keeps it: `said` is its node as the table has it."""

    chain: Chain
    said: Any
    earlier: Earlier
    outcome: Outcome
    other: str | None  # the other side's name
    kind: RecordKind
    line: str

    @property
    def stands(self) -> Earlier:
        """How the roll stands from now on."""
        return Earlier(self.outcome.becomes or self.earlier.node, self.outcome)


def amended(turn: Turn, said: Any, chain: Chain, earlier: Earlier) -> Amended:
    """The roll that stands as `earlier`, changed by `said`. RuleError where it cannot be."""
    outcome = turn.table.amended(chain, said, earlier, turn.dice)
    node = outcome.becomes or earlier.node
    system = dispatcher.system_of(node)
    bare = replace(turn.node, ref=None) if turn.node.ref else turn.node
    names = chain.names() if chain.against or outcome.opponent else (chain.names()[0], None)
    line = turn.line(system, node, outcome, names, f"{bare} on {base32(chain.latest.seq)}")
    kind = cast(RecordKind, system.amends[type(turn.node)])
    return Amended(chain, said, earlier, outcome, names[1], kind, line)


async def follow(turn: Turn) -> Answer:
    """Willpower, Hunger said later, and the like: an earlier roll becomes another."""
    said = turn.table.prepared(turn.node, turn.message.nick)
    chain, earlier = located(turn, said)
    made, replaced = amended(turn, said, chain, earlier), chain.latest
    record = await turn.record(made.kind, made.line, ref=chain.root.seq)
    offers = _offers(turn, record) if made.outcome.opponent else ()
    answered = _answer(turn, record, made.outcome, made.other, replaces=replaced.id, offers=offers)
    return answered._replace(rerolled=earlier.side if record.draft.draws else None)


def _answer(
    turn: Turn,
    record: Record,
    outcome: Outcome,
    other: str | None,
    *,
    replaces: str | None = None,
    offers: tuple[Reply, ...] = (),
) -> Answer:
    kind = "contest" if outcome.opponent and outcome.kind == "roll" else outcome.kind
    node = outcome.becomes or turn.node
    system = dispatcher.owner(node) or turn.settings.system
    return Answer((turn.post(record), *offers), kind, system, outcome, record, other, replaces)

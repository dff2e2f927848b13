"""Secrets: difficulties and rolls that only storytellers see, until they are revealed (DSK-07, LED-17)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import grammars
from grammars import Command
from grammars.command import AgainstDifficulty
from grammars.line import posted_comment
from grammars.secrets import Blind, Difficulty, Reveal, Secret, Secrets
from ircdice import dispatcher, reply
from ircdice.bot import expansion
from ircdice.bot.context import Answer, Context
from ircdice.bot.follow_ups import latest_secret
from ircdice.bot.message import Message, Reply
from ircdice.dice import RecordedDice
from ircdice.errors import RuleError
from ircdice.ledger import Record
from ircdice.table import LAST_REF, Table, secrets
from ircdice.table.rolls import posted_as
from ircdice.table.secrets import Seal

MOST_LISTED = 8  # secrets in one line


def said_in_public(message: Message, node: Command) -> bool:
    """Whether it is a difficulty for somebody, typed in the channel by a storyteller (FW-10)."""
    whole = isinstance(node, Difficulty) and (node.number is not None or node.word) and node.nick is not None
    return bool(whole and message.channel is not None and message.storyteller)


async def difficulty(context: Context[Difficulty]) -> Answer:
    """`difficulty N for NICK in #CHANNEL` in private: seal it without showing it to anyone."""
    node, waits = context.node, f"for {context.node.nick} in {context.node.channel}"
    if not context.message.aside and context.message.channel is not None:
        return _in_public(context)
    number = secrets.OFF if node.off else _number(context)
    if number is None or node.nick is None or node.channel is None:
        raise RuleError("the whole command is: difficulty NUMBER for NICK in #CHANNEL.")
    context.require_storyteller("set a secret difficulty there", context.message.channel)
    before = context.table.seals.waiting_for(partial(context.same_person, node.nick))
    if node.off and before is None:
        raise RuleError(f"no secret difficulty waits {waits}.")
    # It replaces a waiting one under its own name.
    record = await context.seal(f"difficulty for {before.nick if before else node.nick}", str(number), "")
    if node.off and before:
        text = f"{before.record.short_id} is cancelled: no difficulty waits {waits}"
    else:
        instead = f" in the place of {before.record.short_id}" if before else ""
        word = f"{node.word} is {number}" if node.word else ""
        how = f'"reveal {record.short_id}" there tells it'
        remarks = [word, how, context.absent(node.nick), _unmet(context.settings.system)]
        text = "; ".join(filter(None, [f"a secret difficulty waits {waits}{instead}", *remarks]))
    return Answer((context.whisper(f"{text}; id {record.id}"),), "note", record=record)


def _number(context: Context[Difficulty]) -> int | None:
    """The difficulty as a number. RuleError for a word that the channel's game does not have (GEN-18)."""
    word, system = context.node.word, context.settings.system
    if word is None:
        return context.node.number
    words = dispatcher.systems()[system].difficulty_words
    if word not in words:
        raise RuleError(f"{word} is no difficulty of {system}, which is played there: say its number.")
    return words[word]


def _unmet(system: str) -> str:
    """A remark if a game's own rolls have no difficulty: it waits for a roll of another game (DSK-07)."""
    met = any(issubclass(node, AgainstDifficulty) for node in dispatcher.systems()[system].nodes)
    return "" if met else f"rolls of {system}, which is played there, have no difficulty"


def _in_public(context: Context[Difficulty]) -> Answer:
    """FW-10: a difficulty typed in public is not set; only the speaker gets a reply."""
    context.require_storyteller("set a secret difficulty, and in private")
    failed, why = "Not set", "all here could read that difficulty: say another one to me in private."
    if context.node.off:
        it = replace(context.node, nick=context.node.nick or "NICK", channel=context.message.channel)
        failed, why = "Not cancelled", f"a difficulty is cancelled in private, as {it}: it still waits."
    return Answer((context.whisper(f"{failed}: {why}"),), error=RuleError(why))


async def secret(context: Context[Secret]) -> Answer:
    """`secret COMMAND in #CHANNEL` in private: roll now, and show the result only to the storyteller."""
    node = context.node
    if context.message.channel is not None and not context.message.aside:
        raise RuleError("a secret roll is typed to me in private: nothing was rolled.")
    if not (node.command and node.channel):
        raise RuleError("the whole command is: secret COMMAND in #CHANNEL.")
    context.require_storyteller("roll in secret there", context.message.channel)
    command = f"{node.command}{context.reading.suffix}"  # `as NAME` and a comment can follow the channel
    reading, command = _read(context, command, f"secret {{}} in {node.channel}")
    name = reading.speaks_as or reading.node.character  # GEN-03: `as NAME` in a comment is no name
    context = replace(context, reading=context.reading._replace(speaks_as=name))
    line = f"{context.message.nick}: the storyteller rolls in secret"
    record = await _roll(context, secrets.SECRET, reading, command, line)
    details = f'{full(context, Seal.of(record))}; "reveal {record.short_id}" in {node.channel} shows it'
    return context.answer_with(record, context.whisper(details))._replace(kind="roll")


async def blind(context: Context[Blind]) -> Answer:
    """`blind COMMAND` in the channel: roll now, and show the result only to its storytellers."""
    context.require_channel()
    if (storytellers := context.storytellers()) is None:
        raise RuleError("I cannot tell who is a storyteller here: nobody could read a blind roll.")
    reading, command = _read(context, context.node.command, "blind {}")
    asked = dispatcher.system_of(reading.node).asked(reading.node) or reading.node
    comment = f' "{posted_comment(reading.comment)}"' if reading.comment else ""
    line = f"{context.posted_name(reading.node)}: rolls blind, for the storyteller; {asked}{comment}"
    record = await _roll(context, f"{secrets.BLIND}{command}", reading, command, line)
    details = [context.whisper(full(context, Seal.of(record)), each.nick) for each in storytellers]
    nobody = f"no storyteller is here now: !log {record.short_id} shows it to one later."
    return context.answer_with(record, *(details or [context.whisper(nobody)]))._replace(kind="roll")


def _read(context: Context[Command], command: str, again: str) -> tuple[grammars.Reading, str]:
    """The command to roll, read in the channel's game, and its text. Refused if it cannot be rolled in secret.

    `again` is the full line, with {} for the command.
    """
    command = expansion.run(command, context) or command
    command = expansion.with_quotes(command, context.message, context.desk)
    try:
        reading = context.table.speaking(grammars.read(command, context.settings.system, True))
    except grammars.CommandSyntaxError as error:
        column = error.column + max(context.text.find(command), 0)
        hint = again.format(error.hint) if error.hint and error.hint != "help" else None
        raise replace(error, text=context.text, column=column, hint=hint, example=None) from None
    if not dispatcher.rolls(reading.node):
        raise RuleError(f'"{command}" cannot be made in secret: say it in the open.')
    if reading.speaks_as and isinstance(context.node, Blind) and not context.is_somebody(reading.speaks_as):  # GEN-03
        reading = reading.without_name
        command = f"{reading.typed} # {reading.comment}"
    if reading.speaks_as:
        if not isinstance(context.node, Secret):
            raise RuleError(f'"{command}" is no roll of your own: only those are made in secret.')
        actor = context.actor_of(reading.speaks_as)  # a nick is the character whom it plays
        if not actor.named:
            raise RuleError(f"{actor.name} is no character here: !npc NAME makes one.", keeps_case=True)
        reading = reading._replace(speaks_as=actor.name)
        command = f"{reading.typed}{reading.suffix}"
    # SC-27: refuses a roll for another player's member
    context.table.answer_to(reading.node, context.actor.name, storyteller=context.message.storyteller)
    played = dispatcher.game_name(reading.node)
    if context.settings.systems and played not in context.settings.systems:
        raise RuleError(f"{played} is not played in {context.message.channel}.")
    if reading.node.against:
        raise RuleError("a contest with @nick is covered until it is answered: open it in the channel.")
    return context.with_tracked_values(reading, command)


async def _roll(context: Context[Command], text: str, reading: grammars.Reading, command: str, line: str) -> Record:
    """Roll and record it sealed; `text` and `line` are public."""
    node, dice = reading.node, context.secret_dice()
    try:
        prepared = context.table.prepared(node, context.actor_of(reading.speaks_as).name)
    except RuleError as refusal:
        raise RuleError(str(refusal)) from None  # without its hint, which would roll in public
    if prepared != node:  # its game's memory would change in secret
        memory = "what is kept here, as an encounter's Luck"
        raise RuleError(f"that roll would change or use {memory}: make it in the open, or without.")
    if dispatcher.evaluate(node, dice, context.settings.house).kind == "note":
        raise RuleError("nothing is rolled by that: say it in the channel.")
    dice.finish()
    return await context.seal(text, secrets.secret_text(command, dice.draws), line)


def full(context: Context[Command], seal: Seal) -> str:
    """An unrevealed secret in full, for a storyteller or the user who drew a card."""
    said = str(seal)
    if not seal.posted:
        said += "" if seal.cancels else ", unused"
    elif not seal.is_card:
        said = _uncovered(context, seal)[0]
    return f"for you alone, {(seal.used.latest if seal.used else seal.record).short_id}: {said}"


def for_setter(context: Context[Command], seal: Seal) -> tuple[Reply, ...]:
    """The full result of a roll under a secret difficulty, sent to the storyteller who set it, if present (DSK-07)."""
    setter = seal.record.draft.who
    here = [each.nick for each in context.storytellers() or () if each.who == setter]
    return tuple([context.whisper(full(context, seal), nick) for nick in here])


def sealed_as(context: Context[Command], ref: str) -> Seal | None:
    """The unrevealed secret named by `#ID`, for a storyteller of the channel or the user who drew a card.

    The user is known by account, because others could take the nick.
    """
    message, seal = context.message, _meant(context.table, ref)
    if message.channel is None or seal is None or seal.revealed:
        return None
    may_see = _holds(context, seal) and message.account is not None if seal.is_card else message.storyteller
    return seal if may_see else None


async def listed(context: Context[Secrets]) -> Answer:
    """`secrets`: list unrevealed secrets to a storyteller in private."""
    context.require_channel()
    context.require_storyteller("read its secrets", context.message.channel)
    found = context.table.seals.unrevealed()
    each = [f"{seal.record.short_id} {_listed_as(seal)}" for seal in found[-MOST_LISTED:]]
    if more := len(found) - len(each):
        each.insert(0, f"{more} older")
    shown = "" if all(seal.is_card for seal in found) else "; log #ID shows one to you"
    text = f"not revealed: {', '.join(each)}{shown}" if each else "nothing here is secret."
    return context.answer_privately(text)


def _listed_as(seal: Seal) -> str:
    draft = seal.record.draft
    if seal.is_card:
        return f"{draft.text}, which {draft.nick} alone sees"
    if seal.roll:
        return "secret roll" if draft.text == secrets.SECRET else f"blind roll of {draft.nick}"
    return f"{seal}{f' ({seal.used.latest.short_id})' if seal.used else ', unused'}"


async def reveal(context: Context[Reveal]) -> Answer:
    """`reveal #ID`: show the sealed text, with its salt, and the full roll."""
    message, ref = context.message, context.node.ref
    if message.channel is None or (context.node.channel is not None and not message.aside):
        raise RuleError("a secret is revealed in its channel, or in private as reveal #ID in #CHANNEL.")
    seal = _meant(context.table, ref)
    if seal is None or not _holds(context, seal):
        context.require_storyteller("reveal a secret")
    if seal is None:
        which = "the latest line here is" if ref == LAST_REF else f"#{ref} is"
        raise RuleError(f"{which} no secret of this channel: !secrets lists them to a storyteller.")
    if seal.revealed or seal.cancels:
        done = "is revealed already" if seal.revealed else "only cancelled a difficulty"
        raise RuleError(f"secret {seal.record.short_id} {done}.")
    line, answer = _revealed(context, seal)
    record = await context.record("reveal", line, ref=seal.record.seq)
    return answer._replace(replies=(context.post(record),), record=record)


def _holds(context: Context[Command], seal: Seal) -> bool:
    """Whether it is the speaker's own card (DSK-15)."""
    return seal.is_card and seal.record.draft.who == context.message.who


def _meant(table: Table, ref: str) -> Seal | None:
    """The seal named by `#ID`, its own or that of the roll under it; a waiting difficulty is never `#last`."""
    chain = table.find(ref)
    seal = latest_secret(table) if ref == LAST_REF else table.seals.find(ref)
    return seal or (table.seals.get(chain.root.draft.ref) if chain else None)


def _revealed(context: Context[Command], seal: Seal) -> tuple[str, Answer]:
    """The revealing line, and details for other programs: kind, game and outcome."""
    head, sealed = f"{context.message.nick}: {seal.record.short_id} is revealed", seal.record.draft.sealed
    salt = f"salt {sealed.salt.hex()}" if sealed else ""
    if seal.nick is not None:
        head, whole = f"{head}, {seal}{'' if seal.used else ', which nobody rolled under'}", salt
    else:
        whole = f'sealed "{seal.text}" {salt}'
    tails = [reply.marked(tail, context.official) for tail in (f"; {whole}", f"; {salt}", "")]
    if seal.is_card:
        head += f"; {_who(context.node, seal.record)} drew {seal}"
    if seal.is_card or not seal.posted:
        return f"{head}{tails[0]}", Answer(kind="note", system=context.settings.system)
    line, short, answer = _uncovered(context, seal)
    # The sealed text can be rebuilt from the line and `log`.
    forms = [f"{head}; {line}{tails[0]}", *(f"{head}; {short}{tail}" for tail in tails)]
    return next((form for form in forms if reply.fits(form, reply.MOST_BEFORE_ID)), forms[-1]), answer


def _uncovered(context: Context[Command], seal: Seal) -> tuple[str, str, Answer]:
    """A roll as it would have been posted, in full and in short form, and details for other programs."""
    if chain := seal.used:
        earlier, _first = context.table.judged(chain)
        node, outcome, comment, name = earlier.node, earlier.outcome, chain.comment, _who(earlier.node, chain.root)
    else:
        assert seal.roll is not None
        reading, draws = seal.roll
        node, comment, name = reading.node, reading.comment, _who(reading.node, seal.record, reading.speaks_as)
        outcome = dispatcher.evaluate(node, RecordedDice(draws), seal.record.draft.terms.house)
        outcome = dispatcher.system_of(node).in_secret(outcome)
    system, names = dispatcher.system_of(node), (name, "other" if outcome.opponent else None)
    line = reply.line(system, node, outcome, names=names, comment=comment)
    short = f"{name}: {reply.verdict(system, node, outcome, names)}; {reply.ALL_IN_LOG}"
    return line, short, Answer((), "roll", dispatcher.game_name(node), outcome)


def _who(node: Command, record: Record, speaks_as: str | None = None) -> str:
    """The roller, as posted."""
    return posted_as(node.character or speaks_as or record.draft.character, record.draft.nick)

"""`log`: the latest rolls, or one with all its dice (LED-24)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from textwrap import wrap

from grammars import Command
from grammars.log import Log
from ircdice.bot import scenes, verdicts
from ircdice.bot.context import Answer, Context
from ircdice.bot.secrets import full, sealed_as
from ircdice.bot.verify import too_often, verified
from ircdice.errors import RuleError
from ircdice.game import counted
from ircdice.ledger.paste import Paste
from ircdice.ledger.record import CLOSING, ROLLING, Record, RecordKind, base32
from ircdice.ledger.verify import Verification, begun_by
from ircdice.reply import MOST_BYTES, fits
from ircdice.table import secrets
from ircdice.table.desk import folded

LISTED = scenes.SHOWN | {"contest"}
DEFAULT_COUNT = 5  # rolls shown by default
MOST_LINES = 4  # IRC-20
LOOKED = 1_000  # records searched, of a place or of a nick there


async def log(context: Context[Log]) -> Answer:
    """List the latest rolls with their ids, in private; or one roll with all its dice."""
    node, message = context.node, context.message
    if message.aside:
        context.require_storyteller("read its log in private", message.channel)
    if node.ref and (refusal := too_often(context, 1)):
        return refusal
    if node.one and (more := context.reading.ref) and any(map(str.isdigit, more)):
        raise RuleError(f"log shows one roll at a time: log #{more} shows the next.")
    return await (_one_roll(context, node.ref or "") if node.one else _several(context))


async def _several(context: Context[Log]) -> Answer:
    """The latest rolls that count, back from the one that is named, if any."""
    node = context.node
    latest = (await _found(context, node.ref)).record if node.ref else None
    if node.ref and latest is None:
        raise RuleError(f"there is no roll #{node.ref} here to go back from.")
    found = await rolls_of(context, node.nick, LOOKED)
    candidates = [r for r in found if scenes.is_of_dice(r, LISTED) and (latest is None or r.seq <= latest.seq)]
    kinds = await kinds_about(context, candidates)
    gone = {seq for seq, about in kinds.items() if "discard" in about}  # SC-21
    over = {seq for seq, about in kinds.items() if about & CLOSING}
    listed = [r for r in candidates if begun_by(r) not in gone and not (r.draft.kind == "contest" and r.seq in over)]
    lines = _packed(listed[: node.count or DEFAULT_COUNT], node.nick, context.now, MOST_LINES - 1)
    if not lines:
        which = f"{f' by {node.nick}' if node.nick else ''}{f' up to {latest.short_id}' if latest else ''}"
        lines = [f"nothing{which} is among the latest {LOOKED:,} records here: log #ID shows any roll."]
        if len(found) < LOOKED:  # every record was searched
            lines = [f"there is no roll{which} to list here."]
    covered = sum(seal.posted for seal in context.table.seals.unrevealed())  # DSK-07
    if covered:
        lines.append(f"{counted(covered, 'secret')} of this channel {'is' if covered == 1 else 'are'} not revealed.")
    return context.answer_privately(*lines)


async def rolls_of(context: Context[Command], nick: str | None, most: int, *, one: bool = False) -> list[Record]:
    """The records of this place, of all users or one nick, newest first; in private, the speaker's on the network.

    Several users may have had a nick: `one` means only the last of them.
    """
    message, latest = context.message, partial(context.ledger.latest, most, network=context.message.network)
    if message.channel is None:
        if nick is not None and message.fold(nick) != message.fold(message.nick):
            raise RuleError(f"what {nick} rolled is asked in the channel where it was rolled.")
        return await _of_people(latest, {message.who, f"~{message.fold(message.nick)}"}, most)
    here = partial(latest, channel=message.place)
    if nick is None:
        return list(await here())
    found = await _of_people(here, await _known_as(context, nick, one=one), most)
    if not found and context.find(nick):  # DSK-01: a character, including rolls by storytellers
        return [record for record in await here() if folded(record.draft.character) == folded(nick)]
    return found


async def _of_people(
    latest: Callable[..., Awaitable[Sequence[Record]]], people: Collection[str], most: int
) -> list[Record]:
    found = [record for who in people for record in await latest(who=who) if record.draft.who]
    return sorted(found, key=lambda record: record.seq, reverse=True)[:most]


async def _known_as(context: Context[Command], nick: str, *, one: bool) -> set[str]:
    """The users who had a nick here lately, or else the account with that name; a later login does not change identity.

    If anyone had the nick, an account with that name is a different user: `bob` and a bob without an account differ.
    """
    message, folded = context.message, context.message.fold(nick)
    if one and folded == message.fold(message.nick):
        return {message.who, f"~{folded}"}
    latest = await context.ledger.latest(LOOKED, network=message.network, channel=message.place)
    spoke = [r.draft.who for r in latest if r.draft.who and message.fold(r.draft.nick) == folded]
    return {*(spoke[:1] if one else spoke), f"~{folded}"} if spoke else {f"~{folded}", folded}


async def kinds_about(context: Context[Command], records: Collection[Record]) -> Mapping[int, set[RecordKind]]:
    """The kinds of the records about each roll, by the roll's number."""
    kinds: dict[int, set[RecordKind]] = {begun_by(record): set() for record in records}
    for each in await context.ledger.about(*kinds):
        kinds[each.draft.ref].add(each.draft.kind)
    return kinds


def _packed(records: list[Record], nick: str | None, now: int, most: int) -> list[str]:
    """The rolls, newest first, in at most `most` lines, with the command for the rest."""
    lines: list[str] = []
    for nth, record in enumerate(records):
        said = f"{verdicts.lately(record.ts, now)} {record.posted}"
        said = said if fits(said) else record.posted
        left = len(records) - nth
        if lines and fits(f"{lines[-1]} | {said}"):
            lines[-1] += f" | {said}"
        elif len(lines) < most - (left > 1):
            lines.append(said)
        else:
            return [*lines, f"and {left} more: !{Log(nick, left, base32(record.seq))}"]
    return lines


async def _found(context: Context[Command], ref: str) -> Verification:
    found = await verified(context, Paste(f"#{ref}"))
    if not found:
        raise RuleError(f'"#{ref}" is no id.')
    return found[0]


async def _one_roll(context: Context[Command], ref: str) -> Answer:
    """One roll with all its dice, if the speaker may see it, and whether it still counts (LED-22)."""
    if seal := sealed_as(context, ref):
        return context.answer_privately(full(context, seal))
    found = await _found(context, ref)
    record = found.record
    if record is None:
        return context.answer_privately(verdicts.sentences(found))
    words = record.draft.line or (str(secrets.Seal.of(record)) if record.draft.kind == "seal" else "nothing was posted")
    notes = ["discarded: it does not count;"] if found.discarded else []
    notes += [f"replaced: {verdicts.in_its_place(found)};"] if found.replaced_by else []
    draws = secrets.draws_of(await _thrown(context, record))
    dice = f"dice in the order drawn: {secrets.faces(draws, ' ')}" if draws else "no die was drawn."
    notes += [*await _revealed(context, record), dice]
    text = f"Rolled {verdicts.where(record.draft)}, {verdicts.when(record.ts)}; {' '.join(notes)}"
    width = MOST_BYTES - len(text.encode()) + len(text)
    lines = wrap(text, width, max_lines=MOST_LINES - 1, placeholder=" and more, which an export has.")
    return context.answer_privately(f"{words}; id {record.id}", *lines)


async def _thrown(context: Context[Command], record: Record) -> Record:
    """The record with the dice of a line: for a reveal, the secret roll, or the roll under the difficulty."""
    if record.draft.kind != "reveal" or (seal := await context.ledger.get(record.draft.ref)) is None:
        return record
    if secrets.draws_of(seal):
        return seal
    return next((each for each in await context.ledger.about(seal.seq) if each.draft.kind in ROLLING), record)


async def _revealed(context: Context[Command], record: Record) -> list[str]:
    """The secret difficulty of a roll, once revealed (FW-10)."""
    seal = await context.ledger.get(record.draft.ref) if record.draft.kind in ROLLING and record.draft.ref else None
    if seal is None or seal.draft.kind != "seal":
        return []
    reveals = [each for each in await context.ledger.about(seal.seq) if each.draft.kind == "reveal"]
    return [f"revealed since, in {each.short_id}: {secrets.Seal.of(seal)};" for each in reveals[:1]]

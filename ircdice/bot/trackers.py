"""`track`, `trackers` and `undo` (DSK-02, DSK-03)."""

from __future__ import annotations

import re
from dataclasses import replace

from grammars import Command
from grammars.command import marked, quoted
from grammars.line import Line
from grammars.trackers import KNOWN, Level, Track, Tracked, Trackers, Undo
from ircdice.bot import names
from ircdice.bot.context import Answer, Context
from ircdice.bot.message import Reply
from ircdice.bot.reading import is_known, nobody_called
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.ledger import Draft, Record
from ircdice.ledger.record import base32, from_base32, plain_tag, seal_text
from ircdice.table import LAST_REF, characters
from ircdice.table.characters import Character
from ircdice.table.rolls import reading_of

HIDDEN = "hidden"  # the text in the record of a hidden tracker, whose value is sealed
_WHOM = re.compile(r"\s*(?:for|(?:# )?as) @?(?P<name>[^#]+?)[.!?]*(?P<comment>(?: #.*)?)", re.IGNORECASE)
LOOKED_BACK = 50  # records of a player searched for the last change


async def track(context: Context[Track]) -> Answer:
    """`track NAME N`, and changes such as `hunger +1`."""
    return await _track(context, context.node, await _whose(context, context.node))


async def _track(context: Context[Command], node: Track, of: Character) -> Answer:
    names.check_tracker(node.name)
    public, hidden = (characters.tracker(context.desk, of, node.name, hidden=hidden) for hidden in (False, True))
    if hidden and not public and _sees_hidden(context):  # hidden trackers stay hidden
        node = replace(node, hidden=True)
    current = hidden if node.hidden else public
    context.require_room(characters.tracker_key(of, node.name, hidden=node.hidden))
    if current is None and (node.level is None or context.reading.word in KNOWN):
        raise _not_kept(context, node, of)
    if current is None and node.name.lower() not in KNOWN:
        _check_nobody(context, node)
    changed = characters.changed(node, current)
    line = f"{of.name}: {changed.name} {amount(changed) if changed.level else 'is no longer tracked'}"
    # Not `context.record`: the record names the tracker's owner, and is sealed if the tracker is hidden.
    record = await context.place.append(change(context, of, changed, context.noted(line)))
    answer = context.answer_with(record)
    return answer._replace(replies=(context.whisper(f"{line}, hidden"),)) if node.hidden else answer


def _check_nobody(context: Context[Command], node: Track) -> None:
    """Raise RuleError for a new tracker whose name is or begins with another player's: `track Viktor doom 3`."""
    names.check_nobody(context, node.name)
    first, _, rest = node.name.partition(" ")
    other = context.find(first) if rest else None
    if other is not None and other.owner != context.message.who:
        meant = replace(node, name=rest, channel=None)
        raise RuleError(f"that would be a number of your own: {meant} as {other.name} is {other.name}'s.")


def _not_kept(context: Context[Command], node: Track | Tracked, of: Character) -> RuleError:
    level = node.level if isinstance(node, Track) else None
    begun = Track(node.name.lower(), level or Level(3), shared=node.shared)
    command = f"!{begun}{marked(' as ', quoted(context.reading.speaks_as))}"
    whose = "the channel" if node.shared else of.name
    return RuleError(f"{begun.name} is not tracked for {whose}: {command} begins that.", keeps_case=True)


def for_whom(context: Context[Command]) -> str | None:
    """The command with `as NAME` in place of `for NAME` at its end, which is not a comment on a tracker; None without
    one. RuleError if the name is unknown."""
    reading = context.reading
    found = _WHOM.fullmatch(Line.of(context.text).plain, len(reading.typed)) if reading.in_words else None
    if found is None or reading.speaks_as:
        return None
    if is_known(context, found["name"], context.node):
        return f"{reading.typed} as {quoted(found['name'])}{found['comment']}"
    if " " in found["name"] or not isinstance(context.node, Track):
        return None
    raise nobody_called(found["name"])


async def set_instead(context: Context[Command], name: str, value: int, refusal: RuleError) -> Answer:
    """`hunger 3` when no roll needs it: set the tracker. RuleError if there is none."""
    node, of = Track(name, Level(value)), context.actor
    if context.for_another and not context.message.storyteller:
        raise refusal
    if characters.tracker(context.desk, of, name) is None:
        command = f"!{node}{marked(' as ', quoted(context.reading.speaks_as))}"
        raise RuleError(f"{refusal} Nor is {name} tracked for {of.name}: {command} begins that.")
    return await _track(context, node, await _whose(context, node))


async def _whose(context: Context[Command], node: Track) -> Character:
    """The owner of the tracker. RuleError if the speaker may not change it."""
    context.require_channel()
    if node.hidden:
        context.require_storyteller("hide a number")
        if not context.message.aside:
            raise RuleError("a hidden number is typed in private, as track channel doom 3 hidden in #CHANNEL.")
    if node.shared:
        context.require_storyteller("change what is tracked for the channel")
        return characters.the_channel(context.message.place)
    of = context.actor
    if node.undoes and (name := context.reading.speaks_as):  # a nick means no character here: it may be played since
        of = context.find(name) or replace(of, name=name, named=False)
    context.require_own("change what is tracked for", of)
    await context.place.fetch(of.owner)
    return of


def change(context: Context[Command], of: Character, changed: Track, line: str = "") -> Draft:
    """The record of a change; a hidden one is sealed, and has no line."""
    name = None if changed.shared or of == context.actor_of(None) else of.name
    comment = context.reading.comment if line else None  # of the command that was typed
    text = f"{changed}{marked(' as ', quoted(name))}{marked(' # ', comment)}"
    key = characters.tracker_key(of, changed.name, hidden=changed.hidden)
    ref = from_base32((changed.undoes or "").partition("-")[0]) or 0
    public = (HIDDEN, "") if changed.hidden else (text, line)
    draft = context.draft("track", *public, ref=ref, sealed=seal_text(text) if changed.hidden else None, key=key)
    # `hunger 3` may have been typed for a roll (DSK-02), but the record belongs to no game.
    return replace(draft, character=of.name if of.named else "", game="" if line else draft.game)


def amount(changed: Track) -> str:
    """`3 (was 2)`."""
    was = "" if changed.before is None else f" (was {changed.before})"
    if changed.level and changed.before and changed.level.most == changed.before.most:
        was = f" (was {changed.before.value})"
    return f"{changed.level}{was}"


async def tracked(context: Context[Tracked]) -> Answer:
    """`track NAME`, or the name alone: show the actor's tracker, or else the channel's."""
    node, shared = context.node, characters.the_channel(context.message.place)
    names.check_tracker(node.name)
    of = shared if node.shared else context.actor
    await context.place.fetch(of.owner)
    for owner in (of, shared):
        for hidden in (False, True) if _sees_hidden(context) else (False,):
            if found := characters.tracker(context.desk, owner, node.name, hidden=hidden):
                return _answer(context, f"{found.shown()}{', hidden' if hidden else ''}")
    raise _not_kept(context, node, of)


async def trackers(context: Context[Trackers]) -> Answer:
    """`trackers [NAME]`: list the trackers of a character and of the channel."""
    of = context.actor_of(context.node.name) if context.node.name else context.actor
    await context.place.fetch(of.owner)
    parts = []
    for owner in (of, characters.the_channel(context.message.place)):
        for hidden in (False, True) if _sees_hidden(context) else (False,):
            found = characters.trackers(context.desk, owner, hidden=hidden)
            kept = ", ".join([tracker.shown(named=False) for tracker in found])
            parts += [f"{owner.name}{', hidden' if hidden else ''}: {kept}"] if kept else []
    return _answer(context, "; ".join(parts) or f"nothing is tracked for {of.name}: !track NAME N begins that.")


def _sees_hidden(context: Context[Command]) -> bool:
    return context.message.aside and context.message.storyteller


def _answer(context: Context[Command], text: str) -> Answer:
    """The answer, in the channel or in private, as asked."""
    return (context.answer_privately if context.message.aside else context.answer)(text, kind="note")


async def undo(context: Context[Undo]) -> Answer:
    """`undo`: revert the speaker's last change; `undo #ID`: a given change, or, for storytellers, those by a roll."""
    if (where := context.node.channel) and context.message.fold(where) != context.require_channel():
        raise RuleError(f"that is typed in {where}, or in private.")
    found = await (_latest_typed(context) if context.node.ref is None else _named(context, context.node.ref))
    changes = [(record, character_of(record), expect(reading_of(record).node, Track)) for record in found]
    if not _sees_hidden(context) and any(changed.hidden for _, _, changed in changes):
        there = f"{replace(context.node, channel=context.message.channel)}{context.reading.suffix}"
        return context.answer_privately(
            f"Nothing was taken back: that number is hidden. Say it in private, as {there}."
        )
    for record, of, changed in changes:
        await context.place.fetch(of.owner)
        kept = context.desk.node(record.draft.key, Track)
        context.require_own("take back what changed for", of)
        if (kept and kept.level) != changed.level:
            raise RuleError(f"{changed.name} was changed again after that: !{changed.name} N sets it.")
    replies: tuple[Reply, ...] = ()
    for record, of, changed in changes:
        back = replace(changed, level=changed.before, before=None)
        if own := context.table.tracked(back, of.name):
            raise RuleError(f"a game has that number as well: {own} takes it back in both places.")
        replies += (await _track(context, replace(back, undoes=base32(record.seq)), of)).replies
    return Answer(replies, "note", context.settings.system)


def character_of(record: Record) -> Character:
    """The owner of the tracker that a record changed: the nick may play another character now."""
    draft, owner = record.draft, record.draft.key.partition(" ")[0]
    if owner == draft.place[1] and not draft.character:
        return characters.the_channel(owner)
    return Character(owner, draft.character or reading_of(record).speaks_as or draft.nick, named=bool(draft.character))


async def _latest_typed(context: Context[Undo]) -> list[Record]:
    """The speaker's last change here that was not reverted; with a storyteller's `as NAME`, the last one by any user to
    that one's trackers. RuleError if there is none."""
    context.require_channel()
    m, of = context.message, context.require_own("take back what changed for")
    who = None if context.for_another else m.who
    latest = await context.ledger.latest(LOOKED_BACK, network=m.network, channel=m.place, who=who)
    if context.for_another:
        latest = [record for record in latest if _is_change(record) and character_of(record) == of]
    typed = await _not_undone(context, [record for record in latest if _is_change(record) and _is_typed(record)])
    for record in latest:
        if not typed or record.seq > typed[0].seq:
            _check_tracked(context, record)
    if not typed:
        changed = f"no tracked number of {of.name} was changed" if who is None else "you have changed no tracked number"
        raise RuleError(f"{changed} here lately.")
    return typed[:1]


async def _named(context: Context[Undo], ref: str) -> list[Record]:
    """The changes made by that roll, or that change. RuleError if there are none, or the speaker may not undo them."""
    chain, last = context.table.find(ref), context.table.last
    number = last.seq if ref == LAST_REF and last else from_base32(ref.partition("-")[0]) or 0
    record = chain.root if chain else await context.ledger.get(number)
    tag, here = plain_tag(ref.partition("-")[2]), (context.message.network, context.message.place)
    if record is None or record.draft.place != here or (not chain and tag not in ("", record.tag)):
        raise RuleError(f"there is no #{ref} here to undo.")
    _check_tracked(context, record)
    if not (_is_change(record) and _is_typed(record) and record.draft.who == context.message.who):
        context.require_storyteller("take back what a roll or somebody else changed")
    seqs = [each.seq for each in chain.records] if chain else [record.seq]
    moved = [each for each in await context.ledger.about(*seqs) if not each.draft.line]
    found = await _not_undone(context, [each for each in (record, *moved) if _is_change(each)])
    if not found and chain and context.table.memories[chain.game].returns(chain.root.seq):
        raise RuleError(f"roll {chain.id} changed what the game keeps: discard {chain.id} takes it back with the roll.")
    if not found:
        which = record.short_id if ref == LAST_REF else f"#{ref}"
        raise RuleError(f"roll {which} changed nothing that is tracked, or it was taken back.")
    return found


def _check_tracked(context: Context[Command], record: Record) -> None:
    """Raise RuleError, with the way to revert it, for a number stored by a game, such as the Luck of an encounter."""
    if back := context.table.taking_back(record):
        raise RuleError(f"{record.short_id} changed what the game keeps: {back} takes it back.")


def _is_change(record: Record) -> bool:
    """Whether it changed a tracker, and did not revert another change."""
    if record.draft.kind != "track" or not record.draft.key:
        return False
    node = reading_of(record).node
    return isinstance(node, Track) and node.undoes is None


def _is_typed(record: Record) -> bool:
    """Whether a player typed the change: it has a line, unless it is hidden; one that follows from another record has
    none, and refers to that record."""
    return bool(record.draft.line or (record.draft.sealed and not record.draft.ref))


async def _not_undone(context: Context[Undo], records: list[Record]) -> list[Record]:
    undone = {each.draft.ref for each in await context.ledger.about(*(record.seq for record in records))}
    return [record for record in records if record.seq not in undone]

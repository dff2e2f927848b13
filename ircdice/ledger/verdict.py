"""Is this posted line genuine (LED-21, LED-22)? Compares what was pasted with the record. Words nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import grammars
from ircdice.casemapping import fold
from ircdice.durations import MINUTE
from ircdice.errors import Refused
from ircdice.ledger import comparing, paste
from ircdice.ledger.ids import base32
from ircdice.ledger.paste import Pasted
from ircdice.ledger.proof import is_intact as is_own
from ircdice.ledger.record import CLOSING, Draft, LedgerReader, Record
from ircdice.ledger.verification import WINDOW, Asker, Standing, Verdict, Verification, Why

MOST_TRIED = 6  # readings of what was pasted, against every place that the ledger knows
RECENT = 50  # records looked through for `#last`
ROLLED = frozenset({"roll", "contest"})  # kinds of which rolling again is noted
AMENDING = frozenset({"reroll", "hunger", "keep"})  # kinds that take a roll's place
AGAIN = ROLLED | AMENDING  # kinds of which that note is made
RESULTS = frozenset({*ROLLED, *AMENDING, "answer", "seal"})  # what `#last` may mean
_RANKS, _TAILS, _DIGITS = "~&@%+!*", "_`^|", "0123456789"

Window = Callable[[Draft], int]


def _ten_minutes(_draft: Draft) -> int:
    return WINDOW


async def examine_all(
    given: Sequence[Pasted], ledger: LedgerReader, asker: Asker, window: Window = _ten_minutes
) -> list[Verification]:
    """The verdict on each id of a paste and its line, in order, but for those that such a line speaks of (LED-20)."""
    waiting, found = list(given), []
    while waiting:
        found.append(await examine(waiting.pop(), ledger, asker, window))
        del waiting[len(waiting) - found[-1].spoken :]
    return found[::-1]


async def examine(given: Pasted, ledger: LedgerReader, asker: Asker, window: Window = _ten_minutes) -> Verification:
    """The verdict on one id and its line; `window` of a record in minutes (LED-22). Raises what the ledger raises."""
    record = await _meant(given, ledger, asker)
    name = _name(given, record)
    if record is None or not (record.draft.kind == "withheld" or _sound(record, ledger)):
        return await _without(given, name, record, ledger, asker)
    if record.draft.kind == "withheld":
        return _found("withheld", name, given.likely, why="redacted")
    if record.draft.private and not asker.is_of(record.draft):
        return _found("withheld", name, given.likely, why="private")
    read, agreed = comparing.reading(given, record.draft.line)
    if agreed is None:
        if vouched := await _vouched(given, ledger, asker, record.draft):
            return _lost(name, vouched)
        said = comparing.meant(read, record.draft.line)
        differs = comparing.differences(record.draft.line, said)
        return Verification("altered", name, said, record, differs=differs, spoken=read.spoken)
    chain = await _chain(record, ledger)
    if why := _covered(record, chain):
        return _found("withheld", name, read, why=why)
    minutes = window(record.draft)
    nth, of = await repeats(chain[0], ledger, minutes) if record.draft.kind in AGAIN else (1, 1)
    standing = _standing(record, chain, agreed.speaker, asker)
    standing = replace(standing, nth=nth, of=of, window=minutes)
    verification = _found("genuine", name, read, beside=agreed.beside, masked=read.masked, turned=read.turned)
    return replace(verification, record=record, standing=standing)


def _found(verdict: Verdict, name: str, given: Pasted, **more: Any) -> Verification:
    return Verification(verdict, name, comparing.meant(given) if given.lines else "", spoken=given.spoken, **more)


def _name(given: Pasted, record: Record | None) -> str:
    if record is not None and record.tag:
        return record.id
    number = "last" if given.seq is None else base32(given.seq) if given.seq else given.typed
    return f"{number}-{given.tag}" if given.tag else f"#{number}"


async def _meant(given: Pasted, ledger: LedgerReader, asker: Asker) -> Record | None:
    """The record that an id names: with its tag anywhere, without it where it was posted (LED-10)."""
    if given.seq is None:
        latest = await ledger.latest(RECENT, network=asker.network, channel=asker.place) if asker.place else ()
        return next((record for record in latest if record.draft.kind in RESULTS and record.draft.line), None)
    record = await ledger.get(given.seq)
    if record is None or record.draft.kind == "setting" or record.lost:
        return None
    if record.draft.kind == "withheld":  # its tag went with the rest of it
        return record
    if given.tag is not None:
        return record if record.tag == given.tag else None
    here = record.draft.network == asker.network and record.draft.channel == asker.place
    return record if asker.everywhere or here else None


def _sound(record: Record, ledger: LedgerReader) -> bool:
    """Whether a record bears its own tag: the key is not kept with it, so whoever alters it cannot make one.

    What the tag is not made of, its dice or its time, the leaf is, where the ledger has any.
    """
    draft = record.draft
    own = ledger.tag_of(record.seq, draft.network, draft.channel, draft.nick, draft.line)
    proved = record.leaf or record.blind or record.rules
    return own == record.tag and (not proved or is_own(record))


async def _without(given: Pasted, name: str, record: Record | None, ledger: LedgerReader, asker: Asker) -> Verification:
    """The verdict where the record is missing, or is not what it was."""
    if record is not None:
        return _lost(name, given.likely)
    if vouched := await _vouched(given, ledger, asker):
        return _lost(name, vouched)
    return _found("unknown", name, given.likely)


def _lost(name: str, given: Pasted) -> Verification:
    return _found("lost", name, given, alarm=f"the id {name} is right, and its record is gone or altered")


async def _vouched(given: Pasted, ledger: LedgerReader, asker: Asker, draft: Draft | None = None) -> Pasted | None:
    """What was pasted as far as the pasted tag is right for it, whatever the ledger holds: then it held that once."""
    if given.seq is None or given.tag is None:
        return None
    readings = map(given.speaking_of, sorted(range(given.most + 1), key=lambda spoken: spoken != given.seeming))
    lines = list(islice(((line, each) for each in readings for line in comparing.candidates(each)), MOST_TRIED))
    if not lines:
        return None
    places: Sequence[tuple[str, str]] = [(draft.network, draft.channel)] if draft else []
    if draft is None:
        places = list(dict.fromkeys([*asker.places, (asker.network, asker.place), *await ledger.places(0)]))
    for line, each in lines:
        nicks = dict.fromkeys([*paste.names(line), asker.nick, *([draft.nick] if draft else [])])
        for network, channel in places:
            if any(ledger.tag_of(given.seq, network, channel, nick, line) == given.tag for nick in nicks):
                return each
    return None


def begun_by(record: Record) -> int:
    """The number of the roll that a record belongs to: its own, even where that refers to a sealed difficulty."""
    return record.seq if record.draft.kind in ROLLED or not record.draft.ref else record.draft.ref


async def _chain(record: Record, ledger: LedgerReader) -> tuple[Record, ...]:
    """The roll that a record belongs to, and all that was said about it, in order."""
    root = record if begun_by(record) == record.seq else await ledger.get(begun_by(record))
    return (root, *await ledger.about(root.seq)) if root is not None else (record,)


def _covered(record: Record, chain: Sequence[Record]) -> Why | None:
    """Why a record is nobody's to see yet: a contest without its answer, a sealed value that is not revealed."""
    kinds = {each.draft.kind for each in chain if each.draft.ref == record.seq}
    if record.draft.kind == "contest" and not kinds & CLOSING:
        return "covered"
    if (record.draft.kind == "seal" or record.draft.sealed is not None) and "reveal" not in kinds:
        return "sealed"
    return None


def _standing(record: Record, chain: Sequence[Record], speaker: str, asker: Asker) -> Standing:
    """What the chain says of one of its records; how often it was rolled apart."""
    kind = record.draft.kind
    amended = [each for each in chain if each.draft.kind in AMENDING]
    before = [each for each in chain if each.draft.kind in RESULTS and each.seq < record.seq]
    is_roll = kind in RESULTS
    answer = next((each.id for each in chain if each.draft.kind == "answer"), None)
    ended, closed = _lapsed(chain)
    return Standing(
        unofficial=not record.draft.official,
        discarded=is_roll and any(each.draft.kind == "discard" for each in chain),
        answered_by=answer if kind == "contest" else None,
        ended_by=ended.id if ended and kind == "contest" else None,
        root=chain[0],
        closed=closed if is_roll else None,
        replaced_by=amended[-1].id if is_roll and amended and amended[-1].seq > record.seq else None,
        replaces=before[-1].id if kind in AMENDING and before else None,
        posted_by=speaker if speaker and not _may_post(speaker, record, asker) else None,
    )


def _lapsed(chain: Sequence[Record]) -> tuple[Record | None, Record | None]:
    """What ended a contest that nobody had answered; what closed any other roll. An open contest has no other record
    about it: what was redacted before its lapse was its answer."""
    at = next((at for at, each in enumerate(chain) if each.draft.kind == "lapse"), 0)
    if not at:
        return None, None
    return (chain[at], None) if chain[0].draft.kind == "contest" and at == 1 else (None, chain[at])


def _may_post(speaker: str, record: Record, asker: Asker) -> bool:
    """Whether a nick in front of a pasted line is the bot's or the roller's, or one taken while that was in use."""
    said = fold(speaker.lstrip(_RANKS), asker.casemapping)
    rollers = {fold(nick, asker.casemapping).rstrip(_TAILS) for nick in (record.draft.nick, *_names(record))}
    bots = {fold(nick, asker.casemapping).rstrip(_TAILS + _DIGITS) for nick in asker.bots}
    return said.rstrip(_TAILS) in rollers or said.rstrip(_TAILS + _DIGITS) in bots


def _names(record: Record) -> tuple[str, ...]:
    return paste.names(record.draft.line)


async def repeats(record: Record, ledger: LedgerReader, window: int = WINDOW) -> tuple[int, int]:
    """Which of how many: the same who rolled the same thing, wording apart, within `window` minutes."""
    if record.draft.kind not in ROLLED:
        return 1, 1
    wanted, around = _rolled(record), window * MINUTE
    near = await ledger.of_who(record.draft.who, record.ts - around, record.ts + around)
    same = [each.seq for each in near if each.draft.kind in ROLLED and _rolled(each) == wanted]
    return (same.index(record.seq) + 1, len(same)) if record.seq in same else (1, 1)


def _rolled(record: Record) -> object:
    """What was rolled, comment and wording apart; a node that can be said in several ways has it as `rolled`."""
    try:
        return grammars.read(record.draft.text, record.draft.system, True).node.rolled
    except Refused:
        return " ".join(record.draft.text.lower().split())

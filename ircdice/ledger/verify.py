"""Verify posted lines against the ledger (LED-20 to LED-22): verdicts, and notes on a roll."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from string import punctuation
from typing import Literal

import grammars
from ircdice.casemapping import DEFAULT, fold
from ircdice.clock import MINUTE
from ircdice.errors import Refused
from ircdice.ledger.memory import MemoryLedger
from ircdice.ledger.paste import Paste, PastedId, compared, core, may_be_a_line, other_words, readable
from ircdice.ledger.record import AMENDING, CLOSING, ROLLING, Draft, Record, base32, is_intact
from ircdice.ledger.service import StoredLedger

Verdict = Literal["genuine", "altered", "unknown", "lost", "withheld"]
Why = Literal["covered", "sealed", "private", "redacted"]
Window = Callable[[str, str], int]  # of a network and a channel
LedgerReader = MemoryLedger | StoredLedger

WINDOW = 10  # minutes
RECENT = 50  # records searched for `#last`
KNOWN = 1_000  # records of a channel searched for known nicks
RESULTS = frozenset({*ROLLING, *AMENDING, "answer", "seal"})  # kinds that have notes (LED-22)


@dataclass(frozen=True, slots=True)
class Asker:
    """The user who asks, and where, with folded names; the defaults are for the command line and the page.

    `everywhere` allows short ids for any channel. `bots` are the bot's own nicks; `places` are further networks and
    channels where a lost record may have been.
    """

    network: str = ""
    place: str = ""
    nick: str = ""
    who: str = ""
    everywhere: bool = False
    casemapping: str = DEFAULT
    bots: Collection[str] = ()
    places: Collection[tuple[str, str]] = ()

    def is_of(self, draft: Draft) -> bool:
        """Whether a record is the asker's own, even from before they logged in."""
        own_names = self.who, f"~{fold(self.nick, self.casemapping)}"
        return bool(self.who) and draft.network == self.network and draft.who in own_names


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdict on one id and its line, with notes on a genuine one (LED-22).

    `id` is the id as asked for, `given` the pasted line, empty for an id alone. `record` is only set if the asker may
    see all of it.
    """

    verdict: Verdict
    id: str
    given: str = ""
    start: int = field(default=0, repr=False)  # of the line in the paste
    record: Record | None = None
    why: Why | None = None  # it is withheld
    alarm: str | None = None  # a sentence for the operator
    root: Record | None = field(default=None, repr=False)  # the roll itself, or the one it belongs to
    unofficial: bool = False
    discarded: bool = False
    answered_by: str | None = None
    ended_by: str | None = None
    closed_by: str | None = None  # unless it was an open contest
    replaced_by: str | None = None
    replaces: str | None = None
    nth: int = 1
    of: int = 1
    window: int = WINDOW  # minutes
    posted_by: str | None = None  # the nick that posted it in the paste, if not the bot's or the roller's
    masked: bool = False  # control codes hide or change what a reader sees
    surrounded: bool = False  # by other words, on its line

    @property
    def _remarks(self) -> list[tuple[str, str | None]]:
        """Each note that applies, and the fault that it names, if it does."""
        each: list[tuple[object, str, str | None]] = [
            (self.unofficial, "unofficial", "unofficial"),
            (self.discarded, "discarded", "discarded"),
            (self.answered_by, f"answered by {self.answered_by}", None),
            (self.ended_by, f"ended by {self.ended_by}", None),
            (self.closed_by, f"closed by {self.closed_by}", None),
            (self.replaced_by, f"replaced by {self.replaced_by}", "replaced"),
            (self.replaces, f"replaces {self.replaces}", None),
            (self.of > 1, f"roll {self.nth} of {self.of}", None),
            (self.posted_by, "posted by another", f"posted by {self.posted_by}"),
            (self.masked, "masked", "masked"),
            (self.surrounded, "beside", "with other words around it"),
        ]
        return [(note, fault) for applies, note, fault in each if applies]

    @property
    def notes(self) -> list[str]:
        """The notes for `verify --json`."""
        return [note for note, _ in self._remarks]

    @property
    def faults(self) -> list[str]:
        """Why a genuine line cannot be relied on as it was pasted."""
        return [fault for _, fault in self._remarks if fault]

    @property
    def counts(self) -> bool:
        """Whether the pasted result can be relied on."""
        return self.verdict == "genuine" and not self.faults

    @property
    def differs(self) -> tuple[tuple[str, str], ...]:
        """The differences of an altered line: recorded and pasted text."""
        if self.record is None or self.verdict != "altered":
            return ()
        aligned = compared(self.record.draft.line, self.given)
        return tuple((recorded, pasted) for recorded, pasted, _ in aligned if recorded != pasted)

    @property
    def only_the_nick(self) -> bool:
        """Whether the pasted line differs only in the name of the roller (LED-20)."""
        if not self.differs or self.record is None:
            return False
        result = readable(self.record.draft.line).partition(": ")[2]
        name = self.given.removesuffix(result)
        return name != self.given and (name.endswith(": ") or not name) and ": " not in name[:-2] and ";" not in name


async def verify_all(
    paste: Paste, ledger: LedgerReader, asker: Asker, window: Window = lambda *_place: WINDOW
) -> list[Verification]:
    """The verdict on each id of a paste and its line, in order; ids in a line's comment are part of the line.

    `window` is in minutes (LED-22).
    """
    waiting, verifications = list(paste.ids), []
    while waiting:
        name = waiting.pop()
        verifications.append(await _verify(paste, name, ledger, asker, window))
        while waiting and not paste.only_ids and waiting[-1].start >= verifications[-1].start:
            waiting.pop()
    return verifications[::-1]


async def _verify(paste: Paste, name: PastedId, ledger: LedgerReader, asker: Asker, window: Window) -> Verification:
    record = await _meant(name, ledger, asker)
    line = record.draft.line if record else ""
    start = name.start if paste.only_ids else paste.claim(name, line)
    given = paste.text[start : name.start].strip()
    base = Verification("unknown", _label(name, record), given, start=start)
    if record is None or not (record.redacted or _has_its_tag(record, ledger)):
        return await _without(base, paste, name, ledger, asker, damaged=record is not None)
    if record.redacted:
        return replace(base, verdict="withheld", why="redacted")
    if record.draft.private and not asker.is_of(record.draft):
        return replace(base, verdict="withheld", why="private")
    exact = None if paste.only_ids else paste.start_of(line, name, record.draft.terms.casemapping)
    if exact is None and may_be_a_line(given):
        return replace(base, verdict="altered", record=record)
    # A ledger in memory has no leaves. A leaf covers dice and time too, unlike a tag.
    if (record.leaf or record.blind or record.rules) and not is_intact(record):
        return _lost(base)
    chain = await _chain(record, ledger)
    if why := _covered(record, chain):
        return replace(base, verdict="withheld", why=why)
    genuine = replace(_with_notes(base, record, chain), window=window(*record.draft.place))
    if record.draft.kind in ROLLING | AMENDING:
        nth, of = await repeats(chain[0], ledger, genuine.window)
        genuine = replace(genuine, nth=nth, of=of)
    if paste.only_ids:
        return genuine
    start = start if exact is None else exact
    before, after = paste.around(start, name.end)
    line = paste.text[start : name.start].strip()
    if exact is None:  # talk that mentions the id
        line, after = "", f"{line} {after}"
    rollers = record.draft.nick, chain[0].draft.nick  # the first may have answered the second's contest
    posted_by, surrounded = await _surroundings(before, after, record, rollers, ledger, asker)
    masked = paste.masked(start, name.end, record.draft.line)
    return replace(genuine, given=line, start=start, posted_by=posted_by, surrounded=surrounded, masked=masked)


def _label(name: PastedId, record: Record | None) -> str:
    """An id as asked for, or as posted."""
    if record is not None and record.tag:
        return record.id
    number = "last" if name.seq is None else base32(name.seq) if name.seq else name.typed
    return f"{number}-{name.tag}" if name.tag else f"#{number}"


async def _meant(name: PastedId, ledger: LedgerReader, asker: Asker) -> Record | None:
    """The record named by an id: anywhere with a tag, only in its own channel without one (LED-10)."""
    if name.seq is None:
        latest = await ledger.latest(RECENT, network=asker.network, channel=asker.place) if asker.place else ()
        return next((record for record in latest if record.may_be_last), None)
    record = await ledger.get(name.seq)
    if record is None or (record.draft.kind == "setting" and not record.draft.nick):
        return None
    if record.redacted:  # its tag is no longer known
        return record
    if name.tag is not None:
        return record if record.tag == name.tag else None
    here = record.draft.network == asker.network and record.draft.channel == asker.place
    return record if asker.everywhere or here else None


def _has_its_tag(record: Record, ledger: LedgerReader) -> bool:
    """Whether the tag of a record is right: the key is not in the database, so that its editor cannot forge tags.

    Without the key, the leaf is checked instead of the tag (WEB-02).
    """
    draft = record.draft
    return ledger.tag_of(record.seq, draft.network, draft.channel, draft.nick, draft.line) in (None, record.tag)


async def _without(
    base: Verification, paste: Paste, name: PastedId, ledger: LedgerReader, asker: Asker, *, damaged: bool
) -> Verification:
    """The verdict if the record is gone or damaged: lost only if the tag fits the pasted line (LED-21)."""
    if damaged and not may_be_a_line(base.given):
        return _lost(base)
    if name.seq is None or name.tag is None:
        return base
    places = dict.fromkeys([(asker.network, asker.place), *asker.places, *await ledger.places(0)])
    for start, nick, line in paste.candidates(name):
        if any(
            ledger.tag_of(name.seq, *place, each, line) == name.tag for place in places for each in {nick, asker.nick}
        ):
            return replace(_lost(base), given=line, start=start)
    return base


def _lost(base: Verification) -> Verification:
    alarm = f"the id {base.id} is right, and its record is gone or altered"
    return replace(base, verdict="lost", alarm=alarm)


async def _surroundings(
    before: str, after: str, record: Record, rollers: Collection[str], ledger: LedgerReader, asker: Asker
) -> tuple[str | None, bool]:
    """The nick that posted a pasted line, if not the bot or a roller, and whether there are other words (LED-20)."""
    draft = record.draft

    def folded(name: str) -> str:
        return core(fold(name, draft.terms.casemapping))

    if draft.line[:1] in punctuation:  # IRC-21: the bot puts a word before such a nick
        before = before.removesuffix("to ")
    bots = {folded(name) for name in (draft.channel, *asker.bots)} - {""}
    own = bots | set(map(folded, rollers))
    front = [word for word in other_words(before) if folded(word) not in own]
    follows = any(folded(word) not in bots for word in other_words(after))  # a nick there could claim the roll
    if not front:
        return None, follows
    latest = await ledger.latest(KNOWN, network=draft.network, channel=draft.channel)
    nicks = {folded(each.draft.nick) for each in latest} - {""}
    speakers = [word for word in front if folded(word) in nicks]
    return speakers[-1] if speakers else None, follows or any(folded(word) not in nicks for word in front)


def begun_by(record: Record) -> int:
    """The number of the roll that a record belongs to; its own for a roll under a sealed difficulty."""
    return record.seq if record.draft.kind in ROLLING or not record.draft.ref else record.draft.ref


async def _chain(record: Record, ledger: LedgerReader) -> tuple[Record, ...]:
    """The roll that a record belongs to, and all records about it, in order."""
    root = record if begun_by(record) == record.seq else await ledger.get(begun_by(record))
    return (root, *await ledger.about(root.seq)) if root is not None else (record,)


def _covered(record: Record, chain: Sequence[Record]) -> Why | None:
    """Why a record may not be shown yet: an open contest, or an unrevealed seal."""
    kinds = {each.draft.kind for each in chain if each.draft.ref == record.seq}
    if record.draft.kind == "contest" and not kinds & CLOSING:
        return "covered"
    if (record.draft.kind == "seal" or record.draft.sealed is not None) and "reveal" not in kinds:
        return "sealed"
    return None


def _with_notes(base: Verification, record: Record, chain: Sequence[Record]) -> Verification:
    """Notes on a genuine roll, from the records about it."""
    kind = record.draft.kind
    amended = [each.id for each in chain if each.draft.kind in AMENDING and each.seq > record.seq]
    before = [each.id for each in chain if each.draft.kind in RESULTS and each.seq < record.seq]
    answers = [each.id for each in chain if each.draft.kind == "answer"]
    genuine = replace(base, verdict="genuine", record=record, root=chain[0], unofficial=not record.draft.terms.official)
    if kind not in RESULTS:
        return genuine
    lapse = next((at for at, each in enumerate(chain) if each.draft.kind == "lapse"), 0)
    # An open contest has no other records: one redacted before its lapse was its answer.
    unanswered = chain[0].draft.kind == "contest" and lapse == 1
    return replace(
        genuine,
        discarded=any(each.draft.kind == "discard" for each in chain),
        answered_by=answers[0] if answers and kind == "contest" else None,
        ended_by=chain[lapse].id if unanswered and kind == "contest" else None,
        closed_by=chain[lapse].id if lapse and not unanswered else None,
        replaced_by=amended[-1] if amended else None,
        replaces=before[-1] if before and kind in AMENDING else None,
    )


async def repeats(record: Record, ledger: LedgerReader, window: int = WINDOW) -> tuple[int, int]:
    """The position among, and number of, equivalent rolls by the same user within `window` minutes."""
    wanted, around = _rolled(record), window * MINUTE
    near = await ledger.of_who(record.draft.who, record.ts - around, record.ts + around)
    same = [each.seq for each in near if each.draft.kind in ROLLING and _rolled(each) == wanted]
    return (same.index(record.seq) + 1, len(same)) if record.seq in same else (1, 1)


def _rolled(record: Record) -> object:
    """What was rolled, regardless of comment and wording; nodes with several spellings have `rolled`."""
    try:
        reading = grammars.read(record.draft.text, record.draft.terms.system, True)
    except Refused:
        return " ".join(record.draft.text.lower().split())
    member = fold(reading.speaks_as or "") if reading.node.by_members else ""  # SC-27: each has rolls of its own
    return reading.node.rolled, member

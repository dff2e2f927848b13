"""Is this posted line genuine (LED-21, LED-22)? Compares what was pasted with the record. Words nothing.

A finding holds a record only where the asker may see all that its line says.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import grammars
from ircdice.casemapping import DEFAULT, fold
from ircdice.errors import Refused
from ircdice.ledger import paste
from ircdice.ledger.ids import base32, roll_id
from ircdice.ledger.paste import Pasted
from ircdice.ledger.record import Draft, Ledger, Record

Verdict = Literal["genuine", "altered", "unknown", "lost", "withheld"]
Why = Literal["covered", "sealed", "private", "redacted"]

MINUTE = 60_000  # ms
WINDOW = 10  # minutes
RECENT = 50  # records looked through for `#last`
ROLLED = frozenset({"roll", "contest"})  # kinds of which rolling again is noted
AMENDING = frozenset({"reroll", "hunger", "keep"})  # kinds that take a roll's place
ENDING_A_CONTEST = frozenset({"answer", "lapse"})
RESULTS = frozenset({*ROLLED, *AMENDING, "answer", "seal"})  # what `#last` may mean


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks and where, names folded; nobody in particular on the command line and the page.

    `everywhere`: short ids count for any channel. `bots` are the bot's own nicks, `places` where a record that is
    gone may have stood.
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
        """Whether a record is the asker's own; who has logged in since is still the same."""
        mine = self.who, f"~{fold(self.nick, self.casemapping)}"
        return bool(self.who) and draft.network == self.network and draft.who in mine


@dataclass(frozen=True, slots=True)
class Notes:
    """What is to be known beside *genuine* (LED-22)."""

    unofficial: bool = False
    discarded: bool = False
    answered_by: str | None = None
    ended_by: str | None = None
    replaced_by: str | None = None
    replaces: str | None = None
    nth: int = 1
    of: int = 1
    posted_by: str | None = None  # the nick that the paste shows, where it is not the roller's

    @property
    def counts(self) -> bool:
        """Whether the roll stands: official, not discarded, not replaced."""
        return not (self.unofficial or self.discarded or self.replaced_by)

    def listed(self) -> list[str]:
        """The notes as `verify --json` has them."""
        each = {
            "unofficial": self.unofficial,
            "discarded": self.discarded,
            f"answered by {self.answered_by}": self.answered_by,
            f"ended by {self.ended_by}": self.ended_by,
            f"replaced by {self.replaced_by}": self.replaced_by,
            f"replaces {self.replaces}": self.replaces,
            f"roll {self.nth} of {self.of}": self.of > 1,
            "posted by another": self.posted_by,
        }
        return [note for note, holds in each.items() if holds]


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict. `id` as it was asked for; `given` the line that was pasted, empty for an id alone."""

    verdict: Verdict
    id: str
    given: str = ""
    record: Record | None = None
    notes: Notes = field(default_factory=Notes)
    differs: tuple[tuple[str, str], ...] = ()
    why: Why | None = None  # it is withheld
    alarm: str | None = None  # a sentence for the operator

    @property
    def counts(self) -> bool:
        """Whether a story may rest on it."""
        return self.verdict == "genuine" and self.notes.counts


async def examine(given: Pasted, ledger: Ledger, asker: Asker, window: int = WINDOW) -> Finding:
    """The verdict on one id and its line; `window` in minutes (LED-22). Raises what the ledger raises."""
    record = await _meant(given, ledger, asker)
    name = _name(given, record)
    said = paste.meant(given) if given.lines else ""
    if record is None or not (record.draft.kind == "withheld" or _sound(record, ledger)):
        return await _without(given, name, said, record, ledger, asker)
    if record.draft.kind == "withheld":
        return Finding("withheld", name, said, why="redacted")
    if record.draft.private and not asker.is_of(record.draft):
        return Finding("withheld", name, said, why="private")
    agreed = paste.agreement(given, record.draft.line) if given.lines else paste.Agreement()
    if agreed is None:
        if await _vouched(given, ledger, asker, record.draft):
            return _lost(name, said)
        said = paste.meant(given, record.draft.line)
        return Finding("altered", name, said, record, differs=paste.differences(record.draft.line, said))
    chain = await _chain(record, ledger)
    if why := _covered(record, chain):
        return Finding("withheld", name, said, why=why)
    return Finding("genuine", name, said, record, await _notes(record, chain, agreed.speaker, ledger, asker, window))


def _name(given: Pasted, record: Record | None) -> str:
    if record is not None and record.tag:
        return record.id
    number = base32(given.seq) if given.seq is not None else "last"
    return f"{number}-{given.tag}" if given.tag else f"#{number}"


async def _meant(given: Pasted, ledger: Ledger, asker: Asker) -> Record | None:
    """The record that an id names: with its tag anywhere, without it where it was posted (LED-10)."""
    if given.seq is None:
        latest = await ledger.latest(RECENT, network=asker.network, channel=asker.place) if asker.place else ()
        return next((record for record in latest if record.draft.kind in RESULTS and record.draft.line), None)
    record = await ledger.get(given.seq)
    if record is None or record.draft.kind == "setting":
        return None
    if record.draft.kind == "withheld":  # its tag went with the rest of it
        return record
    if given.tag is not None:
        return record if record.tag == given.tag else None
    here = record.draft.network == asker.network and record.draft.channel == asker.place
    return record if asker.everywhere or here else None


def _sound(record: Record, ledger: Ledger) -> bool:
    """Whether a record bears its own tag: the key is not kept with it, so whoever alters it cannot make one."""
    draft = record.draft
    own = ledger.tag_of(record.seq, draft.network, draft.channel, draft.nick, draft.line)
    return own == record.tag


async def _without(given: Pasted, name: str, said: str, record: Record | None, ledger: Ledger, asker: Asker) -> Finding:
    """The verdict where the record is missing, or is not what it was."""
    if record is not None or await _vouched(given, ledger, asker):
        return _lost(name, said)
    return Finding("unknown", name, said)


def _lost(name: str, said: str) -> Finding:
    return Finding("lost", name, said, alarm=f"the id {name} is right, and its record is gone or altered")


async def _vouched(given: Pasted, ledger: Ledger, asker: Asker, draft: Draft | None = None) -> bool:
    """Whether the pasted tag is right for the pasted line, whatever the ledger holds: then it held that once."""
    if given.seq is None or given.tag is None or not given.lines:
        return False
    lines = paste.candidates(given)
    if not lines:
        return False
    places: Sequence[tuple[str, str]] = [(draft.network, draft.channel)] if draft else []
    if draft is None:
        places = list(dict.fromkeys([*asker.places, (asker.network, asker.place), *await ledger.places(0)]))
    for line in lines:
        nicks = dict.fromkeys([*paste.names(line), asker.nick, *([draft.nick] if draft else [])])
        for network, channel in places:
            if any(ledger.tag_of(given.seq, network, channel, nick, line) == given.tag for nick in nicks):
                return True
    return False


async def _chain(record: Record, ledger: Ledger) -> tuple[Record, ...]:
    """The roll that a record belongs to, and all that was said about it, in order."""
    root = await ledger.get(record.draft.ref) if record.draft.ref else record
    return (root, *await ledger.about(root.seq)) if root is not None else (record,)


def _covered(record: Record, chain: Sequence[Record]) -> Why | None:
    """Why a record is nobody's to see yet: a contest without its answer, a sealed value that is not revealed."""
    kinds = {each.draft.kind for each in chain if each.draft.ref == record.seq}
    if record.draft.kind == "contest" and not kinds & ENDING_A_CONTEST:
        return "covered"
    if (record.draft.kind == "seal" or record.draft.sealed is not None) and "reveal" not in kinds:
        return "sealed"
    return None


async def _notes(
    record: Record, chain: Sequence[Record], speaker: str, ledger: Ledger, asker: Asker, window: int
) -> Notes:
    root, kind = chain[0], record.draft.kind
    nth, of = await repeats(root, ledger, window) if kind in ROLLED | AMENDING else (1, 1)
    standing = [each for each in chain if each.draft.kind in AMENDING]
    stood = [root, *(each for each in chain if each.draft.kind in AMENDING | {"answer"})]
    before = [each for each in stood if each.seq < record.seq]
    is_roll = kind in RESULTS
    ends = {each.draft.kind: each.id for each in reversed(chain) if each.draft.ref == record.seq}
    return Notes(
        unofficial=not record.draft.official,
        discarded=is_roll and any(each.draft.kind == "discard" for each in chain),
        answered_by=ends.get("answer") if kind == "contest" else None,
        ended_by=ends.get("lapse") if kind == "contest" else None,
        replaced_by=standing[-1].id if is_roll and standing and standing[-1].seq > record.seq else None,
        replaces=before[-1].id if kind in AMENDING and before else None,
        nth=nth,
        of=of,
        posted_by=speaker if speaker and not _may_post(speaker, record, asker) else None,
    )


def _may_post(speaker: str, record: Record, asker: Asker) -> bool:
    """Whether a nick in front of a pasted line is the bot's or the roller's own."""
    known = {*asker.bots, record.draft.nick, *paste.names(record.draft.line)}
    folded = {_bare(nick, asker.casemapping) for nick in known}
    return _bare(speaker, asker.casemapping) in folded


def _bare(nick: str, casemapping: str) -> str:
    """A nick as it is compared, without what stands behind it where the wanted one was in use."""
    return fold(nick.strip().lstrip("~&@%+!*"), casemapping).rstrip("_`^|0123456789") or nick


async def repeats(record: Record, ledger: Ledger, window: int = WINDOW) -> tuple[int, int]:
    """Which of how many: the same who rolled the same thing, wording apart, within `window` minutes."""
    if record.draft.kind not in ROLLED:
        return 1, 1
    wanted, around = _rolled(record), window * MINUTE
    near = await ledger.of_who(record.draft.who, record.ts - around, record.ts + around)
    same = [each.seq for each in near if each.draft.kind in ROLLED and _rolled(each) == wanted]
    return (same.index(record.seq) + 1, len(same)) if record.seq in same else (1, 1)


def _rolled(record: Record) -> Any:
    """What was rolled, comment and wording apart."""
    try:
        return grammars.read(record.draft.text, record.draft.system, True).node
    except Refused:
        return " ".join(record.draft.text.lower().split())


def label(record: Record) -> str:
    """`#4d`."""
    return f"#{base32(record.seq)}"


def whole_id(given: Pasted) -> str | None:
    """The id as it was pasted, where it was a whole one."""
    return roll_id(given.seq, given.tag) if given.seq is not None and given.tag else None

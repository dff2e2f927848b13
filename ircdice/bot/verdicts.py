"""Put a verdict in sentences (LED-21, LED-22)."""

from __future__ import annotations

from collections.abc import Sequence

from grammars.command import marked
from ircdice import dispatcher
from ircdice.casemapping import DEFAULT, same
from ircdice.clock import utc
from ircdice.errors import Refused, ReplayError
from ircdice.ledger.paste import compared
from ircdice.ledger.record import Draft, Record
from ircdice.ledger.verify import Verification
from ircdice.reply import ALL_IN_LOG
from ircdice.table import LAST_REF
from ircdice.table.rolls import reading_of
from ircdice.table.secrets import CARD

_DID = {"roll": "rolled", "contest": "opened", "answer": "answered", "reroll": "rerolled", "seal": "sealed"}
_WITHHELD = {
    "covered": "a contest that waits for its answer",
    "sealed": "sealed until it is revealed",
    "private": "a roll made in private, for its roller alone",
    "redacted": "a roll whose content was removed because its player asked for it",
}
NOTHING = "(nothing)"  # in place of words that were added
MOST_SEALED = 240  # bytes
MOST_DIFFERENCES = 3  # in words; others are only marked in the line


def when(ts: int) -> str:
    """`21 Nov 2026, 14:03 UTC` for ms since 1970."""
    at = utc(ts)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"


def lately(ts: int, now: int) -> str:
    """The same, but shorter if it was this year, or today (`14:03 UTC`)."""
    at, today = utc(ts), utc(now)
    if at.date() == today.date():
        return f"{at:%H:%M} UTC"
    return f"{at.day} {at:%b %H:%M} UTC" if at.year == today.year else when(ts)


def where(draft: Draft) -> str:
    """`in #fu_dice on libera`."""
    return f"{'in private' if draft.private else f'in {draft.channel}'} on {draft.network}"


def sentences(verification: Verification) -> str:
    """The verdict and its notes, without the recorded line."""
    if verification.record is None:
        return _without_record(verification)
    draft = verification.record.draft
    place = f"{where(draft)}, {when(verification.record.ts)}"
    if verification.only_the_nick:
        name = None if same(draft.character, draft.nick, DEFAULT) else draft.character or None
        return f"Altered: the result is genuine; it was rolled by {draft.nick}{marked(' as ', name)} {place}."
    if verification.verdict == "altered":
        differences = _differences(verification) or [f'"; id {verification.id}" did not follow it as it was posted.']
        return " ".join([f"Altered: this is not what was posted {place}.", *differences])
    did = f"{draft.nick} {_DID.get(draft.kind, 'said')} it {place}."
    return " ".join([f"Genuine{_against(verification)}: {did}", *_sealed(draft), *_notes(verification, draft)])


def as_object(verification: Verification) -> dict[str, object]:
    """The object of `verify --json` (docs/reference/json.md); for withheld or unknown records, only the verdict."""
    record, given = verification.record, verification.given or verification.id
    known: dict[str, object] = dict.fromkeys(("line", "nick", "who", "network", "channel", "official", "time"))
    if record is not None:
        draft = record.draft
        known = {"line": draft.line, "nick": draft.nick, "who": draft.who, "network": draft.network}
        time = utc(record.ts).isoformat(timespec="milliseconds")
        known |= {"channel": draft.channel, "official": draft.terms.official, "time": time}
    verdict = {"verdict": verification.verdict, "notes": verification.notes, "id": verification.id, "given": given}
    return verdict | known | {"differs": [list(pair) for pair in verification.differs]}


def _sealed(draft: Draft) -> list[str]:
    """The revealed text: exactly what was hashed (LED-17), or where to read it if it is too long."""
    if draft.kind != "seal" or draft.sealed is None:
        return []
    what = draft.text if draft.text.startswith(("difficulty", CARD)) else f"{draft.text.partition(' ')[0]} roll"
    if len(draft.sealed.text.encode()) > MOST_SEALED:
        return [f"It sealed a {what}: {ALL_IN_LOG}."]
    return [f'It sealed "{draft.sealed.text}", a {what}.']


def as_it_was(verification: Verification) -> tuple[str, str] | None:
    """The recorded line, if useful, with a heading: as it is, or with differences between stars."""
    if verification.record is None or not verification.record.draft.line:
        return None
    line = verification.record.draft.line
    if verification.verdict == "altered":
        end = "" if verification.differs else f"*; id {verification.id}*"
        aligned = compared(line, verification.given)
        words = [f"{word if word == pasted else f'*{word or NOTHING}*'}{mark}" for word, pasted, mark in aligned]
        return "As it was, with stars around what differs:", " ".join(filter(None, words)) + end
    if verification.surrounded:
        return "Of what was pasted only this is genuine:", line
    return None if verification.given and not verification.masked else ("It reads:", line)


def summary(verifications: Sequence[Verification]) -> str:
    """Several verdicts in one line: the number of good ones, and a word on each of the others."""
    good = sum(verification.counts for verification in verifications)
    others = [
        f"{other.id} {other.verdict}{_against(other) if other.verdict == 'genuine' else ''}"
        for other in verifications
        if not other.counts
    ]
    return f"{len(verifications)} lines: {'; '.join([f'{good} genuine', *others])}."


def _without_record(verification: Verification) -> str:
    if verification.verdict == "unknown":
        further = " here; its whole id finds it anywhere" if verification.id.startswith("#") else ""
        if verification.id == f"#{LAST_REF}":
            further = " here: it is the latest line of a channel with an id"
        return f"Unknown: there is no roll {verification.id}{further}."
    if verification.verdict == "lost":
        right = f"Lost: the id {verification.id} is right, but its record is gone or damaged."
        return f"{right} The log tells the bot's operator."
    return f"Withheld: {verification.id} is {_WITHHELD[verification.why or 'private']}."


def _against(verification: Verification) -> str:
    """The most important notes, after the word genuine."""
    return f", but {' and '.join(verification.faults)}" if verification.faults else " and official"


def _notes(verification: Verification, draft: Draft) -> list[str]:
    notes = []
    if verification.of > 1:
        times = f"{draft.nick} rolled the same thing {verification.of} times within {verification.window} minutes"
        notes.append(f"Roll {verification.nth} of {verification.of}: {times}.")
    if verification.replaced_by:
        notes.append(f"It was changed later: {in_its_place(verification)}.")
    if verification.replaces:
        notes.append(f"It replaces {verification.replaces}.")
    if verification.answered_by:
        notes.append(f"The answer to it is {verification.answered_by}.")
    if verification.ended_by:
        notes.append(f"Nobody answered it: {verification.ended_by}.")
    if verification.closed_by:
        closed = ", ".join(filter(None, ["It is closed", _over(verification.root)]))
        notes.append(f"{closed}: {verification.closed_by}.")
    if verification.masked:
        notes.append("Control codes in it hide or change what a reader sees.")
    return notes


def in_its_place(verification: Verification) -> str:
    """The replacement of a roll: `4d-27b5pk counts now`."""
    return f"{verification.replaced_by} {'was discarded with it' if verification.discarded else 'counts now'}"


def _over(root: Record | None) -> str:
    """What a closed roll no longer allows in its game (V5-25); empty if its text is gone."""
    try:
        return dispatcher.system_of(reading_of(root).node).closed if root else ""
    except (Refused, ReplayError):
        return ""


def _differences(verification: Verification) -> list[str]:
    said = [_difference(was, given) for was, given in verification.differs[:MOST_DIFFERENCES]]
    more = len(verification.differs) - len(said)
    return [*said, f"And {more} more."] if more else said


def _difference(was: str, given: str) -> str:
    if not given:
        return f"{_quoted(was)} was left out."
    return f"{_quoted(given)} should be {_quoted(was)}." if was else f"{_quoted(given)} was added."


def _quoted(words: str) -> str:
    return f"'{words}'" if '"' in words else f'"{words}"'

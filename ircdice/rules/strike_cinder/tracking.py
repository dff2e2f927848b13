"""The tracking of an encounter: its text, ready to paste into a forum post (SC-20, SC-28)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grammars import strike_cinder as sc
from grammars.line import posted_comment
from ircdice.casemapping import fold
from ircdice.outcome import Outcome
from ircdice.rules.strike_cinder.judging import COMPLETE, degree
from ircdice.rules.strike_cinder.members import Member
from ircdice.rules.strike_cinder.texts import WORDS, counted

_NO_CODES = str.maketrans("", "", "[]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One side of a roll of the encounter, as the tracking lists it."""

    name: str
    node: sc.Throw
    outcome: Outcome
    keyword: str | None


def forum_text(everybody: Mapping[str, Member], entries: Iterable[Entry], viewer: Member | None) -> tuple[str, ...]:
    """SC-28: one part per line: Luck bonuses (SC-18), rolls, then everyone's Luck, the Encounter's last.

    `everybody` is by folded name. The viewer's own rolls are listed without a name.
    """
    members = sorted(everybody.values(), key=lambda member: (not member.is_character, member.left))
    notes = [f"{each.name} [luck] {each.standing.most}{_with(each.bonuses)}" for each in members if each.bonuses]
    for entry in entries:
        notes += _lines(entry, everybody.get(fold(entry.name)), viewer)
    luck = [
        f"{each.name} [luck] {each.standing.luck}/{each.standing.most}{', left' if each.left else ''}"
        for each in members
    ]
    return (*_framed("note", notes), *_framed("footnote", luck))


def _framed(code: str, lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines)
    return f"[{code}]{text}[/{code}]".split("\n") if lines else []


def _with(bonuses: Sequence[str]) -> str:
    """`, with +1, assist and full moon`."""
    *before, last = bonuses or [""]
    return f", with {', '.join(before)}{' and ' if before else ''}{last}" if last else ""


def _applied(node: sc.Throw) -> Iterator[str]:
    """The bonuses of a roll: what changed its pool, a helper, and the full moon (SC-28)."""
    yield from (f"{change:+}" for change in node.pool.changes)
    if node.pool.assist:
        yield sc.ASSIST[node.pool.assist]
    if node.fullmoon and node.pool.kind == sc.CINDER:
        yield "full moon"


def _lines(entry: Entry, member: Member | None, viewer: Member | None) -> list[str]:
    """The tag with its keyword, then the pool with its result."""
    node, name = entry.node, "" if member and member is viewer else f"{entry.name} "
    keyword = posted_comment(entry.keyword or "").translate(_NO_CODES).strip()
    said = f", {keyword}" if keyword else ""
    result = _result(entry, is_character=member is None or member.is_character, after_keyword=bool(said))
    tag = [f"{name}[{node.tag}]{said}"] if node.tag else []
    return [*tag, f"{name}[{node.pool.kind}]{said}{result}{_with(list(_applied(node)))}"]


def _result(entry: Entry, *, is_character: bool, after_keyword: bool) -> str:
    """`, Complete Success`, `, hit, Complete Success, 4 passes vs. DC3`; the Encounter's ` hit, 4 passes vs. DC3`."""
    node, labels, passes = entry.node, entry.outcome.labels, entry.outcome.whole("passes")
    range_, secret = WORDS[degree(passes)], entry.outcome.covered
    if not isinstance(node, sc.Roll) or not (node.target or node.dc or secret):
        opposed = [WORDS[label].lower() for label in ("overcome", "resisted") if label in labels]
        return "".join(f", {each}" for each in (range_, *opposed))
    verdict = WORDS["critical_hit" if "critical_hit" in labels else labels[0]].lower()
    if passes >= COMPLETE and labels == ("success",):
        verdict = range_
    elif passes >= COMPLETE and labels == ("hit",) and is_character:
        verdict = f"{verdict}, {range_}"
    dc, path = entry.outcome.values.get("dc"), node.target and node.target.known_path
    against = "a secret DC" if secret else sc.PATHS[path].name if dc is None and path else f"DC{dc}"  # FW-10
    return f"{',' if after_keyword else ''} {verdict}, {counted(passes)} vs. {against}"

"""The text of an encounter, ready to paste into a forum post (SC-20, SC-28)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from grammars.line import posted_comment
from grammars.strike_cinder_nodes import ASSIST, CINDER, PATHS, Roll
from ircdice.outcome import Covered
from ircdice.rules.strike_cinder.judging import COMPLETE, degree
from ircdice.rules.strike_cinder.memory import Encounter, Entry, Member, Rolled
from ircdice.rules.strike_cinder.texts import WORDS, counted

_NO_CODES = str.maketrans("", "", "[]")


def tracking(encounter: Encounter, viewer: Member | None) -> tuple[str, ...]:
    """One part per line: Luck bonuses, the rolls, then everyone's Luck. The viewer's own rolls have no name."""
    notes = [_bonus(member) for member in encounter.everybody.values() if member.bonuses]
    for entry in chain.from_iterable(encounter.entries.values()):
        notes += _lines(entry, encounter, viewer)
    return (*_framed("note", notes), *footnote(encounter))


def footnote(encounter: Encounter) -> tuple[str, ...]:
    """Everyone's Luck, characters first, the Encounter last; members who left are marked."""
    members = sorted(encounter.everybody.items(), key=lambda each: each[1].standing.path is None)
    lines = [
        f"{member.name} [luck] {member.standing.luck}/{member.standing.most}{', left' if key in encounter.gone else ''}"
        for key, member in members
    ]
    return _framed("footnote", lines)


def _framed(code: str, lines: list[str]) -> tuple[str, ...]:
    if not lines:
        return ()
    first, *rest = lines
    lines = [f"[{code}]{first}", *rest]
    return (*lines[:-1], f"{lines[-1]}[/{code}]")


def _bonus(member: Member) -> str:
    """SC-18: the bonuses of the Luck, in the first block only."""
    return f"{member.name} [luck] {member.standing.most}{_with(member.bonuses)}"


def _with(bonuses: Sequence[str]) -> str:
    """`, with +1, assist and full moon`."""
    *before, last = bonuses or [""]
    return f", with {', '.join(before)}{' and ' if before else ''}{last}" if last else ""


def _applied(node: Rolled) -> list[str]:
    """The bonuses of a roll: what changed its pool, a helper, and the full moon (SC-28)."""
    assist = [ASSIST[node.pool.assist]] if node.pool.assist else []
    moon = ["full moon"] if node.fullmoon and node.pool.kind == CINDER else []
    return [f"{change:+}" for change in node.pool.changes] + assist + moon


def _lines(entry: Entry, encounter: Encounter, viewer: Member | None) -> list[str]:
    """The tag with its keyword, then the pool with its result."""
    member = encounter.everybody.get(entry.member)
    own = viewer is not None and member is viewer
    name = "" if own else f"{entry.name} "
    keyword = posted_comment(entry.keyword or "").translate(_NO_CODES).strip()
    said = f", {keyword}" if keyword else ""
    node = entry.node
    lines = [f"{name}[{node.tag}]{said}"] if node.tag else []
    is_character = member is None or member.standing.path is not None
    result = _result(entry, is_character=is_character, after_keyword=bool(said))
    return [*lines, f"{name}[{node.pool.kind}]{said}{result}{_with(_applied(node))}"]


def _result(entry: Entry, *, is_character: bool, after_keyword: bool) -> str:
    """`, Complete Success`, `, hit, Complete Success, 4 passes vs. DC3`; the Encounter's ` hit, 4 passes vs. DC3`."""
    node, labels, passes = entry.node, entry.outcome.labels, entry.outcome.whole("passes")
    secret = isinstance(entry.outcome, Covered)
    if not isinstance(node, Roll) or (node.target is None and node.dc is None and not secret):
        opposed = [WORDS[label].lower() for label in ("overcome", "resisted") if label in labels]
        return "".join(f", {each}" for each in (WORDS[degree(passes)], *opposed))
    label = "critical_hit" if "critical_hit" in labels else labels[0]
    verdict = WORDS[label].lower()
    if passes >= COMPLETE and label == "success":
        verdict = WORDS[degree(passes)]
    elif passes >= COMPLETE and label == "hit" and is_character:
        verdict = f"{verdict}, {WORDS[degree(passes)]}"
    if secret:  # FW-10
        against = "vs. a secret DC"
    elif "dc" in entry.outcome.values:
        against = f"vs. DC{entry.outcome.values['dc']}"
    else:
        against = "vs. " + (PATHS[node.target.known_path or ""].name if node.target else "")
    return f"{',' if after_keyword else ''} {verdict}, {counted(passes)} {against}"

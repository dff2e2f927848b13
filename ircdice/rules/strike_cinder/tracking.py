"""The text of an encounter, ready to paste into a forum post (SC-20, SC-28). Pure."""

from __future__ import annotations

from grammars.line import posted_comment
from grammars.strike_cinder_nodes import PATHS
from ircdice.outcome import Covered
from ircdice.rules.strike_cinder.judging import degree
from ircdice.rules.strike_cinder.memory import Encounter, Entry, Member
from ircdice.rules.strike_cinder.words import WORDS, counted

_NO_CODES = str.maketrans("", "", "[]")


def tracking(encounter: Encounter, viewer: Member | None) -> tuple[str, ...]:
    """One part a line: the notes of every roll, then everybody's Luck. The viewer's own rolls bear no name."""
    notes = [_bonus(member) for member in encounter.members.values() if member.bonuses]
    for entry in encounter.entries.values():
        notes += _lines(entry, encounter, viewer)
    return (*_framed("note", notes), *footnote(encounter))


def footnote(encounter: Encounter) -> tuple[str, ...]:
    """Everybody's Luck, characters first, the Encounter last."""
    members = sorted(encounter.members.values(), key=lambda member: member.standing.path is None)
    return _framed("footnote", [f"{m.name} [luck] {m.standing.luck}/{m.standing.most}" for m in members])


def _framed(code: str, lines: list[str]) -> tuple[str, ...]:
    if not lines:
        return ()
    first, *rest = lines
    lines = [f"[{code}]{first}", *rest]
    return (*lines[:-1], f"{lines[-1]}[/{code}]")


def _bonus(member: Member) -> str:
    """SC-18: which bonuses the Luck has, said once."""
    return f"{member.name} [luck] {member.standing.most}, with {' and '.join(member.bonuses)}"


def _lines(entry: Entry, encounter: Encounter, viewer: Member | None) -> list[str]:
    """The tag with its keyword, then the pool with what it came to."""
    member = encounter.members.get(entry.member)
    own = viewer is not None and member is viewer
    name = "" if own else f"{entry.name} "
    keyword = posted_comment(entry.keyword or "").translate(_NO_CODES).strip()
    said = f", {keyword}" if keyword else ""
    node = entry.node
    lines = [f"{name}[{node.tag}]{said}"] if node.tag else []
    return [*lines, f"{name}[{node.pool.kind}]{said}{_result(entry, bool(said))}"]


def _result(entry: Entry, after_keyword: bool) -> str:
    """`, Complete Success`, ` hit, 4 passes vs. DC3`."""
    node, values = entry.node, entry.outcome.values
    secret = isinstance(entry.outcome, Covered)
    if node.target is None and node.dc is None and not secret:
        return f", {WORDS[degree(values['passes'])]}"
    label = "critical_hit" if "critical_hit" in entry.outcome.labels else entry.outcome.labels[0]
    if secret:  # FW-10
        against = "vs. a secret DC"
    elif "dc" in values:
        against = f"vs. DC{values['dc']}"
    else:
        against = "vs. " + (PATHS[node.target.known_path or ""].name if node.target else "")
    return f"{',' if after_keyword else ''} {WORDS[label].lower()}, {counted(values['passes'])} {against}"

"""Talk that was written to trap the bot, and commands that players clearly meant (language.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fates import fate, surprises

TABLES = Path(__file__).parents[1] / "gate"


def rows(name: str) -> list[list[str]]:
    return [row.split("\t") for row in (TABLES / name).read_text("utf-8").rstrip("\n").split("\n")]


SYSTEMS = ("v5", "strike_cinder", "crossroads", "beat_eight", "fayrewood", "generic")
TRAPS = rows("trap.tsv")
MEANT = rows("meant.tsv")


@pytest.mark.parametrize("system", SYSTEMS)
def test_gen_10_talk_is_never_answered_in_public(system: str) -> None:
    """GEN-10, GEN-13, GEN-14: over 900 lines of talk, whatever is played."""
    assert len(TRAPS) >= 500
    assert [line for _, line in TRAPS if fate(line, system) == "answer"] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_gen_11_talk_is_hardly_ever_hinted_at(system: str) -> None:
    """GEN-11: fewer than one line of talk in a hundred brings a hint, whatever is played."""
    hinted = [line for wanted, line in TRAPS if wanted == "silent" and fate(line, system) == "hint"]
    assert len(hinted) * 100 < len(TRAPS), hinted


@pytest.mark.parametrize("system", SYSTEMS)
def test_gen_04_what_was_meant_is_answered_or_hinted_at(system: str) -> None:
    """GEN-02, GEN-03, GEN-04, GEN-12, GEN-14, GEN-18 and the games' own rules: phones, typos, other spellings."""
    rows = [("hint" if wanted == "asked" else wanted, line) for wanted, line, _, played, _ in MEANT if played == system]
    assert len(rows) >= 20
    assert surprises(rows, system) == []

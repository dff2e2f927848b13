"""The README: short, and true of every game."""

import pytest
from documents import TREE, table

import grammars
from grammars.catalogue import system_names

README = TREE / "README.md"
GAMES, CARD = table(README, "The games"), table(README, "Quick card")


def test_it_is_short():
    """Design: the README is read in a minute; the rest is in docs. The row of one more game is not too much."""
    assert len(README.read_text("utf-8").splitlines()) - len(GAMES) <= 124


def test_every_game_has_a_row():
    """GEN-01: with a roll of its own."""
    rolls = [grammars.read(row[1].strip("`"), "v5").grammar for row in GAMES]
    assert sorted(rolls) == sorted(system_names())


@pytest.mark.parametrize("row", CARD, ids=lambda row: row[0])
def test_the_quick_card(row):
    """GEN-04, GEN-13: each command of the card is one, called where it needs to be; `wp` follows a roll."""
    text = row[0].strip("`")
    called = text.startswith("!") or text == "wp"
    assert grammars.read(text.removeprefix("!"), "v5", called).node

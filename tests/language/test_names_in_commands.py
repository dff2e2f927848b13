"""Names in the texts of commands: whatever a nick is, the text that is recorded is read as the same command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammars
from grammars.initiative import Drop, Initiative, Next, as_read
from grammars.reading import Reading
from grammars.tokens import SUB_COMMANDS

HOSTILE = (
    *sorted(SUB_COMMANDS),
    *("other", "d20", "3x", "1d6", "5", "+3", "=14", "init", "roll", "next_", "end|", "d6-"),
    *("-bob", "bob-", "as-", "vs-", "in-", "for-", "bob.", "@bob", "b@relay", "O'Brien", "_d20", "x_d6", "a(b)"),
    *("a" * 31, "e\u0301ve", "b\U0001f600b", "\u00dcnal-", "b\u2013b", "two\u200djoined", 'a"b', "\u201cbob\u201d"),
)
NICK_LETTERS = st.characters(exclude_categories=("C", "Z"), exclude_characters=" ,:;!#")
NICKS = (
    st.sampled_from(HOSTILE)
    | st.text("abdefnors0123456789-_|[]{}`^\\.'@=+", min_size=1, max_size=12)
    | st.text(NICK_LETTERS, min_size=1, max_size=50)
).map(as_read)
CHARACTERS = st.sampled_from(("Viktor", "Old Tom", "Thug 2", "O'Brien", "Old d20", "Jean-Luc", "太郎"))
ENDS = st.sampled_from(("", " # why", " as bob", ' as "Old Tom" # why'))


@given(NICKS | CHARACTERS, ENDS)
def test_led_16_initiative_is_read_as_it_was_recorded(name, end):
    """DSK-09, LED-16: no nick makes the text of an entry, a turn or its end another command, or none."""
    for node in (Initiative(name, 3), Initiative(name, -3), Initiative(name, fixed=14), Next(name), Drop(name)):
        assert grammars.read(f"{node}{end}", called=True).node == node


@given(NICKS | CHARACTERS)
def test_gen_06_a_name_after_as_is_read_as_it_was_recorded(name):
    """GEN-06: also `O'Brien`, and a nick with a character that needs quotes."""
    reading = grammars.read("init next", called=True)._replace(speaks_as=name)
    assert grammars.read(str(reading), called=True).speaks_as == name


@pytest.mark.parametrize("name", ["Viktor", "Old Tom", "Thug 2", "O'Brien", "bob_", "[x]", "太郎"])
def test_led_16_other_names_are_recorded_without_quotes(name):
    """LED-16: as in every ledger so far."""
    assert [str(Initiative(name, 3)), str(Next(name)), str(Drop(name))] == [
        f"init {name} +3",
        f"init next {name}",
        f"init drop {name}",
    ]


def test_led_16_a_turn_that_was_recorded_without_quotes_is_read():
    """LED-16: older ledgers have `init next end`."""
    for nick in ("end", "for", "-bob", "bob-", "3x", "other"):
        assert grammars.parse(f"init next {nick}", called=True) == Next(nick)
        assert isinstance(grammars.read(f"init drop {nick} # why", called=True), Reading)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("sc assist strike 3 for O'Brien", "strike_cinder"),
        ('sc assist strike 3 for "Old Tom"', "strike_cinder"),
        ("xr fate end O'Brien die", "crossroads"),
        ('xr fate "Old Tom"', "crossroads"),
    ],
)
def test_led_16_names_in_games_are_recorded_as_before(text, game):
    """SC-15, XR-25: only several words need quotes there."""
    assert str(grammars.parse(text, game, called=True)) == text

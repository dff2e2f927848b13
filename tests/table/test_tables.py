"""Random tables and decks: what a storyteller makes, and what is drawn (DSK-15)."""

import pytest
from playing import Table, true

from ircdice.replay import Replay


def test_dsk_15_a_table_is_drawn_from_by_weight():
    """DSK-15: `xN` is a weight; the entry follows from the die that is posted."""
    true("""
        alice: !table weather
            (alice) There is no table called weather here: !table lists them.
        alice: !table
            there is no table here: a storyteller makes one with !table add NAME = sun | rain.
        sam*: !table add weather = sun | rain | fog x2
            sam: the table weather has 3 entries; id 1
        alice: !table weather | 4
            alice: weather: fog; 4 of 4; table weather; id 2
        alice: !table Weather | 2
            alice: weather: rain; 2 of 4; table weather; id 3
        alice: !table
            tables here: weather (3 entries)
        sam*: !table drop weather
            sam: the table weather is gone; id 4
        alice: !table weather
            (alice) There is no table called weather here: !table lists them.
    """)


def test_dsk_15_a_deck_is_drawn_without_replacement():
    """DSK-15: a card comes once, `xN` is N of them; an empty deck is refused until it is shuffled."""
    true("""
        sam*: !deck add coins = Gold | Silver x2
            sam: the deck coins has 3 cards; id 1
        alice: !play Viktor
            alice: plays Viktor; id 3
        alice: !deck coins | 2
            Viktor (alice): coins: Silver, 2 left; 2 of 3; deck coins; id 5
        bob: !deck coins | 2
            bob: coins: Silver, 1 left; 2 of 2; deck coins; id 7
        bob: !deck
            decks here: coins (1 of 3 cards)
        bob: !deck coins | 1
            bob: coins: Gold, 0 left; 1 of 1; deck coins; id 9
        bob: !deck coins
            (bob) The deck coins is empty: !deck coins shuffle puts all its cards back.
        bob: !deck coins shuffle
            (bob) Only a storyteller shuffles a deck.
        sam*: !deck coins shuffle
            sam: the deck coins is shuffled, 3 cards; id b
        bob: !deck coins | 3
            bob: coins: Silver, 2 left; 3 of 3; deck coins; id d
        sam*: !deck drop coins
            sam: the deck coins is gone; id f
    """)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("!table add weather = sun", "A table or deck needs two entries or more"),
        ("!table add weather = sun | | rain", '"|" is unknown'),
        ("!table add weather", "="),
        ("!table add weather = sun | rain x401", "A table or deck has at most 400 entries"),
        ("!table add weather = sun | rain x0", "A table or deck has at most 400 entries"),
        (f"!table add weather = sun | {'x' * 81}", "an entry has at most 80 bytes, yours has 81"),
        ("!table add Success = sun | rain", '"Success" has a meaning of its own'),
        ("!table add roll = sun | rain", '"roll" has a meaning of its own'),
        ("!deck tarot left 3", "Which cards are left follows from what is drawn"),
        ("!deck drop tarot", "There is no deck called tarot here"),
    ],
)
def test_dsk_15_what_is_refused(text, sentence):
    """DSK-15: in one sentence, and nothing changes."""
    table = Table()
    assert sentence.lower() in str(table.say("sam", text, star=True).error).lower()
    assert not table.records


def test_dsk_15_entries_cannot_look_like_the_bots_words():
    """GEN-03: entries are posted as comments are."""
    table = Table()
    table.say("sam", '!table add fate = a; id 1-aaaaaa "x" | \x034red\x0f', star=True)
    assert (
        table.say("alice", "!table fate", (1,)).replies[0].text.startswith("alice: fate: a, id 1-aaaaaa 'x'; 1 of 2;")
    )
    assert table.say("alice", "!table fate", (2,)).replies[0].text.startswith("alice: fate: red; 2 of 2;")


def test_led_16_draws_are_judged_again():
    """LED-16: the record of each draw, and the cards that it leaves."""
    table = Table()
    for nick, text, faces in [
        ("sam", "!deck add coins = Gold | Silver x2", ()),
        ("sam", "!deck coins", (2,)),
        ("sam", "!deck coins", (1,)),
        ("sam", "!deck coins shuffle", ()),
        ("sam", "!table add weather = sun | rain", ()),
        ("sam", "!table weather", (2,)),
    ]:
        table.say(nick, text, faces, star=True)
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * len(table.records)


@pytest.mark.parametrize("line", ["table weather", "deck the halls", "table add weather = sun | rain", "deck", "table"])
def test_gen_13_tables_count_only_when_the_bot_is_called(line):
    """GEN-13"""
    assert Table().say("sam", line, star=True).replies == ()

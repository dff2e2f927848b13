"""Random tables and decks: what a storyteller makes, and what is drawn (DSK-15)."""

from dataclasses import replace

import pytest
from playing import Table, check_script

from ircdice.bot.message import There
from ircdice.ledger import Record
from ircdice.replay import Replay


def test_dsk_15_a_table_is_drawn_from_by_weight():
    """DSK-15: `xN` is a weight; the entry follows from the die that is posted."""
    check_script("""
        alice: !table weather
            (alice) Not rolled: there is no table called weather here: !table lists them.
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
            (alice) Not rolled: there is no table called weather here: !table lists them.
    """)


def test_dsk_15_a_word_of_one_letter_has_a_weight_too():
    """DSK-15"""
    answer = Table().say("sam", "!deck add d = a x3 | xbox | 10x10 | Hydra x2", star=True)
    assert answer.replies[0].text.startswith("sam: the deck d has 7 cards; id 1")


def test_dsk_15_a_deck_is_drawn_without_replacement():
    """DSK-15: a card comes once, `xN` is N of them; an empty deck is refused until it is shuffled."""
    check_script("""
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
            (bob) Not rolled: the deck coins is empty: a storyteller puts its cards back, !deck coins shuffle.
        bob: !deck coins shuffle
            (bob) Only a storyteller may shuffle a deck.
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
        ("!table add weather = a x999 | rain", "A table or deck has at most 400 entries"),
        ("!table add weather = sun x99999 | rain", '"x99999" is not a weight: xN at the end of an entry is 1 to 400'),
        ("!table add weather = sun x-1 | rain", '"x-1" is not a weight'),
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


def test_dsk_15_a_card_drawn_in_private_is_the_drawers_alone():
    """DSK-15, LED-17: until the drawer or a storyteller reveals it; `log` does not show it before."""
    check_script("""
        sam*: !deck add coins = Gold | Silver x2 | Copper
            sam: the deck coins has 4 cards; id 1
        alice in private: deck coins
            (alice) Not rolled: in private say where: deck coins in #CHANNEL.
        alice: !deck coins in #FU_Dice
            (alice) Not rolled: all here would see that card: say deck coins in #FU_Dice to me in private.
        alice in private: deck coins in #FU_Dice | 2 1 2 3 4
            alice: coins: a card that nobody else sees, 3 left; deck coins; id 3
            (alice) for you alone, #3: coins: Silver; "reveal #3" in #FU_Dice shows it
        ... restart
        bob: !deck
            decks here: coins (3 of 4 cards)
        bob: !deck coins | 2
            bob: coins: Gold, 2 left; 2 of 3; deck coins; id 5
        sam*: !secrets
            (sam) not revealed: #3 card from coins, which alice alone sees
        sam*: !log #3
            (sam) Withheld: 3-zqpz8p is sealed until it is revealed.
        bob: reveal #3
            (bob) Only a storyteller may reveal a secret.
        carol in private: deck coins in #FU_Dice | 2 1 2 3 9
            carol: coins: a card that nobody else sees, 1 left; deck coins; id 7
            (carol) for you alone, #7: coins: Silver; "reveal #7" in #FU_Dice shows it
        bob: !deck coins | 1
            bob: coins: Copper, 0 left; 1 of 1; deck coins; id 9
        bob in private: deck coins in #FU_Dice
            (bob) Not rolled: the deck coins is empty: a storyteller puts its cards back, !deck coins shuffle.
        alice: reveal #3
            alice: #3 is revealed; alice drew coins: Silver; sealed "coins: Silver; d4 2" salt 0; id b
        carol in private: reveal #7 in #FU_Dice
            carol: #7 is revealed; carol drew coins: Silver; sealed "coins: Silver; d2 2" salt 0; id c
    """)


def test_irc_21_nobody_asks_or_plays_in_a_channel_where_they_are_not():
    """IRC-21, DSK-15, DSK-02: else a stranger could read a secret channel, or make the bot talk in it."""
    table = Table()
    table.say("sam", "!deck add coins = Gold | Silver", star=True)
    table.say("eve", "deck coins in #FU_Dice", (1, 1, 2, 3, 4), where="private")
    table.say("sam", "!track channel doom 3/6", star=True)  # and then eve left
    for asked in (
        *("deck coins", "track luck 3", "reveal #3", "trackers", "trackers sam", "doom", "track channel doom"),
        *("difficulty 3 for sam", "secrets", "status", "table weather"),
    ):
        said = [
            table.say("eve", f"{asked} in {channel}", where="private", **more).replies[0].text
            for channel, more in (
                (
                    "#FU_DICE",
                    {"there": lambda _name: There("#FU_Dice", False), "absent": lambda _, nick: nick == "eve"},
                ),
                ("#none", {"there": lambda _name: None}),
            )
        ]
        assert said[0].removeprefix("Not rolled: ").lower() == "you and i are not both in #fu_dice.", asked
        assert said[1] == said[0].replace("#FU_DICE", "#none")
    away = {"absent": lambda _channel, nick: nick == "sam"}
    doom = table.say("sam", "trackers in #FU_Dice", star=True, where="private", **away).replies[0].text
    assert "doom 3/6" in doom


def test_dsk_15_who_drew_a_card_may_look_at_it_again():
    """DSK-15, LED-06: the private line may be lost; by account alone, since anybody could take a nick."""
    table = Table()
    table.say("sam", "!deck add coins = Gold | Silver", star=True)
    table.say("alice", "deck coins in #FU_Dice", (2, 1, 2, 3, 4), where="private", account="alice")
    table.say("bob", "deck coins in #FU_Dice", (1, 1, 2, 3, 4), where="private")
    told = "for you alone, #3: coins: Silver"
    assert [r.text for r in table.say("al", "!log #3", account="alice").replies] == [told]
    for nick, more in (("alice", {}), ("bob", {"account": "bob"}), ("sam", {"star": True})):
        (reply,) = table.say(nick, "!log #3", **more).replies
        assert reply.text.startswith("Withheld: 3-"), nick
    (reply,) = table.say("bob", "!log #5").replies
    assert reply.text.startswith("Withheld: 5-")


def unseen():
    """A deck of ten, of which alice draws one in private, and then everybody in the channel."""
    table = Table()
    cards = " | ".join(f"card {letter}" for letter in "abcdefghij")
    table.say("sam", f"!deck add ten = {cards}", star=True)
    table.say("bob", "!deck ten", (1,))
    table.say("alice", "deck ten in #FU_Dice", (3, *(7, 8, 9, 10)), where="private")
    for _ in range(4):
        table.say("bob", "!deck ten", (1,))
    return table


def test_dsk_15_no_open_record_tells_which_card_is_missing():
    """DSK-15: what is left is sealed with its order, and later dice count in that order, not in that of the deck."""
    table = unseen()
    left = [record.draft for record in table.records if record.draft.text.startswith("deck ten left")]
    assert [draft.sealed is not None for draft in left] == [False, False, True, True, True, True, True]
    assert [draft.text for draft in left[2:]] == ["deck ten left"] * 5
    seen = [record.draft.line for record in table.records if ": card " in record.draft.line]
    assert [line.partition(": card ")[2][0] for line in seen[1:]] != list("bcef")
    assert not any("card d" in f"{record.draft.text} {record.draft.line}" for record in table.records[1:])
    table.say("sam", "!deck ten shuffle", star=True)
    table.say("bob", "!deck ten", (2,))
    assert table.records[-1].draft.sealed is None
    assert ": card b, 9 left" in table.records[-2].draft.line


def test_led_16_draws_after_an_unseen_card_are_judged_again():
    """LED-16: in the ledger itself; in an import only where what is left of the deck is not withheld."""
    table = unseen()
    table.say("alice", "reveal #5", ())
    table.say("sam", "!deck ten shuffle", star=True)
    table.say("bob", "!deck ten", (2,))
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * len(table.records)
    imported = Replay(keyless=True)
    for record in table.records:
        bare = replace(record, draft=replace(record.draft, key=""))
        hidden = record.draft.sealed is not None and record.draft.kind != "seal"
        shown = Record.withheld(record.seq, record.ts, b"", "covered") if hidden else bare
        assert imported.fault(shown) is None
    forged = replace(table.records[-2], draft=replace(table.records[-2].draft, line="bob: ten: card c, 9 left; x"))
    assert Replay().fault(forged)


@pytest.mark.parametrize("line", ["table weather", "deck the halls", "table add weather = sun | rain", "deck", "table"])
def test_gen_13_tables_count_only_when_the_bot_is_called(line):
    """GEN-13"""
    assert Table().say("sam", line, star=True).replies == ()


def test_dsk_15_a_storyteller_draws_for_whom_as_names():
    """Rights: a storyteller draws for players and the channel's characters, a player only for their own character."""
    check_script("""
        bob: roll 1d10 h0 | 5
            bob: Failure, 0 successes; 5; 1d10 h0; id 1
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 2
        sam*: !deck add tarot = cup | coin | sword | wand
            sam: the deck tarot has 4 cards; id 3
        sam*: !deck tarot as bob | 1
            bob (sam): tarot: cup, 3 left; 1 of 4; deck tarot; id 5
        sam*: !deck tarot as Thug | 1
            Thug (sam): tarot: coin, 2 left; 1 of 3; deck tarot; id 7
        alice: !deck tarot as bob
            (alice) Not rolled: only bob or a storyteller may draw for bob.
        alice: !deck tarot as Thug
            (alice) Not rolled: only a storyteller may draw for Thug.
        alice: !play Viktor
            alice: plays Viktor; id 9
        alice: !deck tarot as Viktor | 2
            Viktor (alice): tarot: wand, 1 left; 2 of 2; deck tarot; id b
        sam*: !deck tarot shuffle as bob
            (sam) "as bob" means nothing after deck: leave it out.
    """)

"""The order of initiative: who is in it, who acts, and how it ends (DSK-09)."""

import pytest
from playing import Table, check_script

from ircdice.replay import Replay


def test_dsk_09_an_order_from_its_first_roll_to_its_end():
    """DSK-09: ties by the higher bonus, then by a roll; `next` names who acts, and goes round."""
    check_script("""
        alice: !init
            nobody has rolled initiative here: !init +3 does.
        alice: !play Viktor
            alice: plays Viktor; id 1
        alice: !init +3 | 9 43
            Viktor (alice): initiative 12; 9+3; tie-break 43; init Viktor +3; id 3
        bob: !init +2 | 10 99
            bob: initiative 12; 10+2; tie-break 99; init +2; id 4
        sam*: !init Ghoul +3 | 9 44
            Ghoul (sam): initiative 12; 9+3; tie-break 44; init Ghoul +3; id 5
        sam*: !init Thug 2 -1 | 10 7
            Thug 2 (sam): initiative 9; 10-1; tie-break 7; init Thug 2 -1; id 6
        sam*: !init Rat 14 | 50
            Rat (sam): initiative 14; tie-break 50; init Rat =14; id 7
        bob: !init +2
            (bob) Not rolled: bob has rolled initiative already: only a storyteller may roll it again.
        bob: !init
            initiative: Rat 14, Ghoul 12, Viktor 12, bob 12, Thug 2 9
        bob: !init next
            Rat acts, initiative 14; then Ghoul; id 8
        bob: !init next
            Ghoul acts, initiative 12; then Viktor; id 9
        bob: !init next
            Viktor (alice) acts, initiative 12; then bob; id a
        alice: !init
            initiative: Rat 14, Ghoul 12, > Viktor 12, bob 12, Thug 2 9
        alice: !init drop Viktor
            alice: Viktor is out of the order of initiative; bob acts; id b
        alice: !init +3
            (alice) Not rolled: Viktor has rolled initiative already: only a storyteller may roll it again.
        alice: !init next
            Thug 2 acts, initiative 9; then Rat; id d
        alice: !init next
            a new round: Rat acts, initiative 14; then Ghoul; id e
        sam*: !init next Ghoul
            Ghoul acts, initiative 12; then bob; id f
        sam*: !init drop Rat
            sam: Rat is out of the order of initiative; id g
        sam*: !init end
            sam: the order of initiative is over; id h
        bob: !init
            nobody has rolled initiative here: !init +3 does.
    """)


def test_dsk_09_what_is_refused():
    """DSK-09: only one's own, unless a storyteller; what is not there is named, and nothing changes."""
    check_script("""
        alice: !init drop Ghoul
            (alice) Nobody has rolled initiative here: !init +3 does.
        alice: !init next
            (alice) Nobody has rolled initiative here: !init +3 does.
        alice: !init Ghoul +5
            (alice) Not rolled: only a storyteller may roll for somebody else.
        alice: !init 14
            (alice) Not rolled: only a storyteller may set an initiative without a roll.
        alice: !init end
            (alice) Only a storyteller may end the order of initiative.
        sam*: !init Success 14
            (sam) Not rolled: "Success" has a meaning of its own: choose another name.
        sam*: !init +101
            (sam) Not rolled: bonus is -100 to 100, you wrote +101.
        alice: !init -2 | 2 1
            alice: initiative 0; 2-2; tie-break 1; init -2; id 1
        bob: !init drop alice
            (bob) Only a storyteller may drop somebody else.
        bob: !init next alice
            (bob) Only a storyteller may say whose turn it is.
        alice in private: !init +1
            (alice) Not rolled: that is for a channel: say it there.
    """)


def test_dsk_09_the_die_is_a_house_rule():
    """DSK-09, DSK-10: `initiative` in the config or set in the channel."""
    check_script("""
        sam*: !channel initiative 2d6
            sam: initiative is 2d6 from now on; id 1
        alice: !init +1 | 6 5 80
            alice: initiative 12; 6 5+1; tie-break 80; init +1; id 2
    """)


@pytest.mark.parametrize("line", ["init 3 doesn't do anything.", "init 3", "init next", "init +3", "init"])
def test_gen_13_initiative_counts_only_when_the_bot_is_called(line):
    """GEN-13"""
    assert Table().say("alice", line).replies == ()


def test_dsk_09_a_number_out_of_bounds_is_no_part_of_a_name():
    """DSK-09: it is refused with its bounds, however long it is."""
    table = Table()
    for text, sentence in (
        ("!init Ghoul 999999999999", "an initiative is 0 to 100, you wrote 999999999999."),
        ("!init Ghoul +999999999999", "bonus is -100 to 100, you wrote +999999999999."),
    ):
        assert str(table.say("sam", text, star=True).error) == sentence


def test_dsk_09_a_name_alone_does_not_roll_again():
    """DSK-09: `init Ghoul` of who is in the order may only ask; +0 is typed where it is meant."""
    check_script("""
        sam*: !init Ghoul +5 | 2 16
            Ghoul (sam): initiative 7; 2+5; tie-break 16; init Ghoul +5; id 1
        sam*: !init Ghoul
            (sam) Not rolled: Ghoul is in the order with 7: !init Ghoul +5 rolls again, !init shows it.
        sam*: !init Ghoul +0 | 4 20
            Ghoul (sam): initiative 4; 4+0; tie-break 20; init Ghoul +0; id 2
    """)


def test_dsk_09_as_name_rolls_for_ones_own_only():
    """Rights: a storyteller rolls for anyone, a player not for another, nor for the channel's own."""
    check_script("""
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        bob: roll 1d10 h0 | 5
            bob: Failure, 0 successes; 5; 1d10 h0; id 2
        alice: !init +2 as Thug
            (alice) Not rolled: only a storyteller may roll for somebody else.
        alice: !init +2 as bob
            (alice) Not rolled: only a storyteller may roll for somebody else.
        sam*: !init +2 as bob | 5 50
            bob (sam): initiative 7; 5+2; tie-break 50; init bob +2; id 3
        carol: !play Mina
            carol: plays Mina; id 4
        sam*: !init carol +1 | 4 30
            Mina (sam): initiative 5; 4+1; tie-break 30; init Mina +1; id 6
        carol: !init drop Mina
            carol: Mina is out of the order of initiative; id 7
    """)


def test_dsk_09_dice_are_no_name():
    """DSK-09: the channel's dice are rolled; the command with the bonus alone is suggested."""
    says = "Not rolled: the dice of initiative are the channel's: only a bonus is typed."
    check_script(f"""
        bob: !init d20+3
            (bob) {says} Did you mean: !init +3
        bob: !init 1d20
            (bob) {says} Did you mean: !init +0
        sam*: !init Old Ghoul d20 - 1
            (sam) {says} Did you mean: !init Old Ghoul - 1
        sam*: !init R2D20 +1 | 4 5
            R2D20 (sam): initiative 5; 4+1; tie-break 5; init R2D20 +1; id 1
    """)


def test_dsk_09_a_name_like_a_characters_is_asked_about():
    """DSK-09: a new name is entered, but one letter off a character's it may be a slip."""
    check_script("""
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        sam*: !init Thgu +2 | 3 4
            Thgu (sam): initiative 5; 3+2; tie-break 4; init Thgu +2; id 2
            (sam) Did you mean Thug? !init drop Thgu takes Thgu out again.
        sam*: !init Thgu +2 | 6 7
            Thgu (sam): initiative 8; 6+2; tie-break 7; init Thgu +2; id 3
        sam*: !init Thug2 +2 | 5 4
            Thug2 (sam): initiative 7; 5+2; tie-break 4; init Thug2 +2; id 4
        sam*: !init drop Thgu
            sam: Thgu is out of the order of initiative; id 5
    """)


HOSTILE = ["next", "drop", "off", "add", "vs", "other", "for", "end", "-bob", "bob-", "as-", "3x", "d20", "e\u0301ve"]


@pytest.mark.parametrize("nick", [*HOSTILE, "a" * 31, "b\U0001f600b", "bob.", 'a"b'])
@pytest.mark.parametrize("starting", [False, True])
def test_dsk_09_no_nick_stops_the_order(nick, starting):
    """DSK-09, LED-16: whatever a player is called, turns go round, also after a start, and the ledger is sound."""
    table = Table()
    table.say(nick, "!init +3", (9, 43))
    table.say("zoe", "!init +2", (5, 43))
    acts = []
    for _ in range(3):
        acts.append(table.say("carol", "!init next").replies[0].text)
        if starting:
            table.restart()
    name = acts[0].partition(" acts, initiative 12; then zoe; id ")[0]
    assert acts[1].startswith(f"zoe acts, initiative 7; then {name}; id ")
    assert acts[2].startswith(f"a new round: {name} acts, initiative 12; then zoe; id ")
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * 5


@pytest.mark.parametrize("nick", [*HOSTILE, "O'Brien", "b\U0001f600b", "bob."])
def test_dsk_09_a_storyteller_rolls_for_any_nick(nick):
    """DSK-09, LED-16: after `as`, and they take themselves out."""
    table = Table()
    table.say(nick, "roll 1d10 h0", (5,))
    table.say("sam", f'!init +3 as "{nick}"', (9, 43), star=True)
    table.restart()
    assert "is out of the order" in table.say(nick, f'!init drop "{nick}"').replies[0].text
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * 3


def test_dsk_09_a_name_in_quotes():
    """DSK-09: where a word of the notation is a nick; at the end of the line it needs none."""
    check_script("""
        end: !init +3 | 9 43
            end: initiative 12; 9+3; tie-break 43; init +3; id 1
        sam*: !init "end" +4 | 9 43
            end (sam): initiative 13; 9+4; tie-break 43; init "end" +4; id 2
        bob: !init next
            end acts, initiative 13; id 3
        sam*: !init next end
            a new round: end acts, initiative 13; id 4
        sam*: !init "Success" +4
            (sam) Not rolled: "Success" has a meaning of its own: choose another name.
        end: !init drop end
            end: end is out of the order of initiative; id 5
    """)


def test_led_16_a_turn_is_genuine():
    """LED-20: a line that does not begin with the name of its player, too; another number in it is altered."""
    table = Table()
    table.say("bob", "!init +2", (5, 43))
    table.say("alice", "!init +1", (5, 43))
    for _ in range(3):
        line = table.say("carol", "!init next").replies[0].text
        assert table.say("dave", f"!verify {line}").replies[0].text.startswith("Genuine")
        assert table.say("dave", f"!verify <FUDice> {line}").replies[0].text.startswith("Genuine")
        altered = line.replace("initiative ", "initiative 1")
        assert table.say("dave", f"!verify {altered}").replies[0].text.startswith("Altered")

"""Who plays whom (DSK-01)."""

import pytest
from playing import Table, true


def test_dsk_01_a_player_is_a_character_from_now_on():
    """DSK-01: until another one, or `play off`; a restart of the bot changes nothing."""
    true("""
        alice: !play
            alice plays nobody here.
        alice: !play off
            (alice) You play nobody here.
        alice: !play Viktor
            alice: plays Viktor; id 1
        bob: FUDice: play Old Tom # the smith
            bob: plays Old Tom; id 2
        alice: !play
            alice plays Viktor here.
        carol: !characters
            played here: Viktor (alice), Old Tom (bob)
        alice: !play Mina
            alice: plays Mina; id 3
        bob: !play off
            bob: no longer Old Tom; id 4
        carol: !characters
            played here: Mina (alice)
    """)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("success", '"success" has a meaning of its own: choose another name.'),
        ("Messy Critical", '"Messy Critical" has a meaning of its own: choose another name.'),
        ("roll", '"roll" has a meaning of its own: choose another name.'),
        ("Other", '"Other" has a meaning of its own: choose another name.'),
        ("end", '"end" is unknown.'),
        ("mina", "Mina is played by bob here: choose another name."),
        ("carol", "carol is somebody else here: choose another name."),
        ("x" * 31, "a name has at most 30 characters, yours has 31."),
        ("Alice: Success", '":" is unknown.'),
    ],
)
def test_dsk_01_a_name_that_means_something_else_is_refused(name, sentence):
    """DSK-01, desk.md "Names": no verdict, no command, no sub-command, and nobody else."""
    table = Table()
    table.say("bob", "!play Mina")
    table.say("carol", "roll 1d10 h0", (3,))
    assert sentence in str(table.say("alice", f"!play {name}").error)


@pytest.mark.parametrize("line", ["play dead", "play Viktor", "characters", "Play 3 and 4", "play off the ball"])
def test_gen_13_what_is_not_said_to_the_bot_is_talk(line):
    """GEN-13"""
    assert Table().say("alice", line).replies == ()


def test_gen_02_another_bots_command_is_met_with_silence():
    """GEN-02: a prefix before a word that nobody keeps anything of."""
    table = Table()
    assert table.say("alice", "!seen bob").replies == ()
    assert table.say("alice", "FUDice: seen bob").replies != ()

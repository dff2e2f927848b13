"""`Nx COMMAND`: what is read as several rolls, and what stays talk or one roll with totals (GEN-17)."""

import pytest

import grammars
from grammars.generic.nodes import Roll
from grammars.repeat import Repeated


@pytest.mark.parametrize(
    ("text", "called", "shown"),
    [
        ("3x roll 5d10 h2", False, "3x roll 5d10 h2"),
        ("10 X roll 5d10", False, "10x roll 5d10"),
        ("3× toss d8 d6 dc7", False, "3x toss d8 d6 dc7"),
        ("2x roll 5d10 h2 # thugs", False, "2x roll 5d10 h2"),
        ("3x toss 3 2 dc7", True, "3x toss d8 d6 dc7"),
        ("3x rouse", True, "3x rouse"),
    ],
)
def test_gen_17_what_is_repeated(text, called, shown):
    """GEN-17: two to ten times a command that rolls; uncalled where it holds dice."""
    node = grammars.parse(text, called=called)
    assert isinstance(node, Repeated)
    assert str(node) == shown
    assert grammars.parse(shown, called=True) == node


@pytest.mark.parametrize(
    "text", ["3x toss 3 2 dc7", "3x toss 30 2 dc7", "3x rouse", "2x roll 20", "5x roll with it", "3x 4d6k3", "2x wp"]
)
def test_gen_17_talk(text):
    """GEN-10, GEN-17: without dice it is talk, and so are dice alone."""
    with pytest.raises(grammars.UnknownCommand) as silence:
        grammars.parse(text)
    assert silence.value.reading is None


@pytest.mark.parametrize("text", ["roll 3x 4d6k3", "roll 3#4d6k3", "3x 4d6k3", "3#4d6k3"])
def test_gen_17_one_roll_with_totals(text):
    """GD-11: the dice notation's own repeat is one command."""
    assert isinstance(grammars.parse(text, called=True), Roll)


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("1x roll 5d10", "how often a command is repeated is 2 to 10, you wrote 1x.", None),
        ("11x roll 5d10", "how often a command is repeated is 2 to 10, you wrote 11x.", None),
        ("3x roll 5d10 h7", "hunger is 0 to 5, you wrote h7.", None),
        ("3x roll 5d10 dificulty 3", '"dificulty" is unknown.', "3x roll 5d10 dc3"),
        ("3x roll 5d10 vs @bob", "a contest is not repeated: open each by itself.", None),
        ("3x roll 5d10 vs 4d10", "a contest is not repeated: open each by itself.", None),
        ("3x roll", "only a command that rolls is repeated, as 3x roll 5d10.", None),
        ("3x odds roll 5d10", "only a command that rolls is repeated, as 3x roll 5d10.", None),
        ("roll 3x 5d10 h2", '"h2" is unknown.', "3x roll 5d10 h2"),
        ("roll 5d10 h2 x3", '"x3" is unknown.', "3x roll 5d10 h2"),
        ("roll 4d6k3 6 times # stats", '"6" is unknown.', "6x roll 4d6k3 # stats"),
        ("toss d8 d6 x3", '"x3" is unknown.', "3x toss d8 d6"),
        ("b8 t4 3x", '"3x" is unknown.', "3x b8 t4"),
        ("rouse 2 x3", '"x3" is unknown.', "3x rouse 2"),
        ("sc strike 3 times", '"times" is unknown.', None),  # it may have been three dice
        ("roll 5d10 h 3 times", '"times" is unknown.', None),  # or Hunger 3
        ("roll 5d10 h2 3\u00d7 as Boss", '"3\u00d7" is unknown.', "3x roll 5d10 h2 as Boss"),
        ("roll 5d10 h2 x3 at the wall", '"x3" is unknown.', "3x roll 5d10 h2 # at the wall"),
        ("roll 5d10 h2, x3, please.", '"x3," is unknown.', "3x roll 5d10 h2 # please"),
        ("roll 5d10 h2 3 times for attacks # all", '"3" is unknown.', "3x roll 5d10 h2 # attacks # all"),
        (
            "roll 5d10 h2 Three times",
            'is "times" part of the roll, or of a comment? Put # before a comment.',
            "3x roll 5d10 h2",
        ),
        ("toss 3 2 dc7 3 times", "a pool has two main dice at most: leave 3 out.", "3x toss d8 d6 dc7"),
        ("roll 5d10 h7 x3", "hunger is 0 to 5, you wrote h7.", None),
        ("odds roll 3x 5d10 h2", '"h2" is unknown.', None),
        ("3x roll 5d10 vs @bob h2", "h2 after @nick is for the other side to type: leave it out.", None),
        ("3x roll 5d10 against 4d10", '"against" is unknown.', None),
    ],
)
def test_gen_17_refused(text, said, hint):
    """GEN-11, GEN-17: what is wrong with it, at its place, and what would work."""
    with pytest.raises(grammars.CommandSyntaxError) as refused:
        grammars.parse(text, called=True)
    assert (str(refused.value), refused.value.hint, refused.value.text) == (said, hint, text)

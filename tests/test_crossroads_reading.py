"""Crossroads, the words: what each text reads as, what must be refused and where, and what is talk."""

import pytest

import grammars
from grammars.crossroads import (
    EXAMPLES,
    Contest,
    Damage,
    EndTurn,
    FateEnd,
    FateList,
    GroupClose,
    GroupOpen,
    GroupRoll,
    GroupValues,
    Keep,
    Reaction,
    Reroll,
    Roll,
)
from grammars.help import Help

READ = [
    ("xr 3d6", Roll()),
    ("xr 1d6", Roll(1)),
    ("xr 2d3 a1", Roll(2, 3, 1)),
    ("xr a2b3", Roll(advantage=2, bonus=3)),
    ("xr d2 n1", Roll(advantage=-2, bonus=-1)),
    ("xr 3d6 d6", Roll(advantage=-6)),
    ("xr a1 d3", Roll(advantage=-2)),
    ("xr + 2", Roll(bonus=2)),
    ("xr 3d6+3-2", Roll(bonus=1)),
    ("xr a0 b0", Roll()),
    ("xr low a1", Roll(advantage=1, low=True)),
    ("xr 3d6 PLAIN", Roll(plain=True)),
    ("xr 2d6 plain", Roll(2)),
    ("xr 2d6 p1p2 av 4", Roll(2, piercing=3, armour=4)),
    ("xr simple 3d6 reaction", Roll(simple=True, reaction=True)),
    ("xr reaction 3d6", Roll(reaction=True)),
    ("xr reaction a1", Roll(advantage=1, reaction=True)),
    ("xr reaction", Reaction()),
    ("xr reaction #4d", Reaction("4d")),
    ("xr reaction # parried", Reaction()),
    ("xr a2 convert 1", Roll(advantage=2, convert=1)),
    ("xr 3d6 vs a1", Contest(Roll(), Roll(advantage=1))),
    ("xr a1 vs. 3d6 n2 low", Contest(Roll(advantage=1), Roll(bonus=-2, low=True))),
    ("xr vs @bob", Contest(Roll(), against="bob")),
    ("xr 3d6 simple vs @[b]", Contest(Roll(simple=True), against="[b]")),
    ("xr keep 1 2 4", Keep((1, 2, 4))),
    ("xr keep 1, 2, 4 #4D-27b5pk", Keep((1, 2, 4), "4d-27b5pk")),
    ("xr reroll 2", Reroll(2)),
    ("xr reroll 2 fate #last", Reroll(2, True, "last")),
    ("xr reroll 2 #4d fate", Reroll(2, True, "4d")),
    ("xr group 3d6; a1", GroupRoll((Roll(), Roll(advantage=1)))),
    ("xr group 3d6, a1;", GroupRoll((Roll(), Roll(advantage=1)))),
    ("xr group a1", GroupRoll((Roll(advantage=1),))),
    ("xr group -1 0, 2 +3", GroupValues((-1, 0, 2, 3))),
    ("xr group open", GroupOpen()),
    ("xr group close", GroupClose()),
    ("xr damage HHL a1b1", Damage(2, 1, 1, 1)),
    ("xr damage 2h 1l -2", Damage(2, 1, 0, -2)),
    ("xr endturn", EndTurn()),
    ("xr fate", FateList()),
    ("xr fate @bob", FateList("bob")),
    ("xr fate end @bob", FateEnd("bob")),
    ("xr fate end bob Die", FateEnd("bob", "die")),
    ("xr fate end bob blessing", FateEnd("bob", "blessing")),
]


@pytest.mark.parametrize(("text", "node"), READ)
def test_it_reads(text, node):
    """XR-01, XR-02, XR-03, XR-07, XR-09, XR-10, XR-22, XR-23, XR-25: and its own text reads as the same node."""
    assert grammars.parse(text) == node
    assert grammars.parse(str(node)) == node


def test_nothing_is_help():
    """XR-01: `xr` with nothing is help, and talk unless the bot was called."""
    assert grammars.parse("xr", called=True) == Help("xr")
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse("xr")


REFUSED = [  # text, column, what the sentence begins with, hint
    ("xr d6", 4, '"d6" could be one die, xr 1d6, or Disadvantage 6, xr 3d6 d6.', "xr 1d6"),  # XR-26
    ("xr d3", 4, '"d3" could be one die, xr 1d3, or Disadvantage 3, xr 3d6 d3.', "xr 1d3"),
    ("xr d6 a1", 4, '"d6" could be one die', "xr 1d6 a1"),
    ("xr low d6", 8, '"d6" could be one die', "xr 1d6 low"),
    ("xr 3d6 vs d6", 11, '"d6" could be one die', "xr 3d6 vs 3d6"),
    ("xr 1d6+1d3", 7, '"+1d3" could be modifiers, +1 d3, or dice of their own, xr 1d3.', "xr 1d6 d3 b1"),
    ("xr +3d2", 4, '"+3d2" could be modifiers, +3 d2, or dice of their own, xr 3d2.', "xr 3d6 d2 b3"),
    ("xr 3d6 - 1d6", 8, '"- 1d6" could be modifiers, -1 d6', "xr 3d6 d6 n1"),
    ("xr 3d6+d6", 7, '"+d6" could be modifiers, d6', "xr 3d6 d6"),
    ("xr 3d6 p2", 8, "p2 is for damage rolls, anything but 3d6", "xr 3d6"),  # XR-22
    ("xr a1 av3", 7, "av3 is for damage rolls", "xr 3d6 a1"),
    ("xr 1d6 av3 av4", 12, "av4: armour stands here already.", "xr 1d6 av3"),
    ("xr 1d20", 4, "Crossroads is rolled with d6 and d3, you wrote 1d20.", "xr 1d6"),  # XR-01
    ("xr 5d10 a1", 4, "Crossroads is rolled with d6 and d3, you wrote 5d10.", "xr 5d6 a1"),
    ("xr 1d%", 4, "Crossroads is rolled with d6 and d3, you wrote 1d%.", "xr 1d6"),
    ("xr 0d6", 4, "a roll has 1 to 100 dice, you wrote 0d6.", "xr 1d6"),  # GEN-15
    ("xr 101d6", 4, "a roll has 1 to 100 dice, you wrote 101d6.", "xr 100d6"),
    ("xr 99d6 a2", 9, "a roll draws at most 100 dice, yours would draw 101.", "xr 99d6"),
    ("xr 3d6 d98", 8, "a roll draws at most 100 dice, yours would draw 101.", "xr 3d6"),
    ("xr 3d6 b9999999", 8, "a modifier is at most 1000000, you wrote b9999999.", "xr 3d6 b1000000"),
    ("xr 3d6 1d6", 8, "1d6: dice stands here already.", "xr 3d6"),
    ("xr 3d6 a1 convert 0", 19, "convert wants 1 or more of the Advantage", "xr 3d6 a1 convert 1"),  # XR-07
    ("xr 3d6 a1 convert -1", 19, "convert wants 1 or more of the Advantage", "xr 3d6 a1 convert 1"),
    ("xr 3d6 a2 convert 1 convert 1", 21, "convert 1: convert stands here already.", "xr 3d6 a2 convert 1"),
    ("xr 3d6 vs 5", 8, '"vs 5": difficulty, dcN, or a pool?', "xr 3d6 vs 3d6"),  # GEN-05
    ("xr 3d6 vs", 8, "vs wants a Skill Roll or @nick behind it.", "xr 3d6 vs 3d6"),
    ("xr 1d6 vs 3d6", 4, "only Skill Rolls, 3d6, oppose and are opposed: leave 1d6 out.", "xr 3d6 vs 3d6"),  # XR-09
    ("xr 3d6 vs 2d6", 11, "only Skill Rolls, 3d6, oppose and are opposed: leave 2d6 out.", "xr 3d6 vs 3d6"),
    ("xr 3d6 plain vs 3d6", 8, "only Skill Rolls, 3d6, oppose and are opposed: leave plain out.", "xr 3d6 vs 3d6"),
    ("xr 1d3 vs @bob", 4, "only Skill Rolls, 3d6, oppose", "xr 3d6 vs @bob"),
    ("xr 3d6 vs 3d6 vs 3d6", 15, "vs stands here already: a contest has two sides.", "xr 3d6 vs 3d6"),
    ("xr 3d6 vs @bob a1", 16, "@bob says that for their own side: put yours before vs.", "xr 3d6 vs @bob"),
    ("xr 1d6 simple", 8, "simple is for Skill Rolls, 3d6: leave it out.", "xr 1d6"),
    ("xr 1d6 reaction", 8, "reaction is for Skill Rolls, 3d6: leave it out.", "xr 1d6"),
    ("xr group 3d6; 1d6", 15, "a group is made of Skill Rolls, 3d6: leave 1d6 out.", "xr group 3d6; 3d6"),  # XR-10
    ("xr group 3d6 3d6", 14, "a semicolon parts the rolls of a group: 3d6 would be the next one.", "xr group 3d6; 3d6"),
    ("xr group 3d6 a1 3d6 d1", 17, "a semicolon parts the rolls of a group", "xr group 3d6 a1; 3d6 d1"),
    ("xr fate end", 9, "fate end wants whose, as xr fate end bob die.", "xr fate end bob"),  # XR-25
    ("xr group 3d6; ; 3d6", 15, "a roll is wanted before this", "xr group 3d6; 3d6"),
    ("xr group 3d6; +1 2", 18, '"2" is no modifier: write b2 or n2.', "xr group 3d6; 3d6 b1"),
    ("xr group -3 1", 10, "a Success Value is -2 to 3, you wrote -3.", "xr group 0 1"),
    ("xr group 1 4", 12, "a Success Value is -2 to 3, you wrote 4.", "xr group 1 0"),
    ("xr group +1; -1", 10, '"+1" could be Success Values, with blanks between, or rolls', "xr group 1 -1"),
    ("xr group open 3d6", 15, "group open and group close stand alone.", "xr group open"),
    ("xr keep 1 1 2", 11, "die 1 is named here already.", "xr keep 1 2"),  # XR-05
    ("xr keep 0 1 2", 9, "dice are counted from 1 in drawn order, removed ones too, you wrote 0.", None),
    ("xr keep 1 2 -4", 13, "dice are counted from 1", None),
    ("xr reroll 0", 11, "dice are counted from 1", "xr reroll 1"),  # XR-13
    ("xr reroll 1 2", 13, "one die is rerolled, not more: xr reroll 1.", "xr reroll 1"),
    ("xr reroll 1 #4d #4e", 17, "a roll is named here already.", "xr reroll 1 #4d"),
    ("xr damage HHL p2", 15, "p2 is for damage that is rolled: leave it out.", "xr damage 2h1l"),  # XR-22, XR-23
    ("xr low", 4, "low wants a roll, as xr 3d6 low.", "xr 3d6 low"),
    ("xr 3d6 fast 2", 8, '"fast" is unknown.', "xr 3d6"),
    ("xr 3d6 lw a1", 8, '"lw" is unknown.', "xr 3d6 a1"),
    ("xr 3d6 plian", 8, '"plian" is unknown.', "xr 3d6 plain"),
]


@pytest.mark.parametrize(("text", "column", "sentence", "hint"), REFUSED)
def test_it_is_refused(text, column, sentence, hint):
    """XR-26, GEN-05, GEN-12, GEN-15: one sentence, its place, and the nearest command that works."""
    with pytest.raises(grammars.CommandSyntaxError) as refusal:
        grammars.parse(text, called=True)
    assert str(refusal.value).startswith(sentence)
    assert refusal.value.column == column
    if hint is not None:
        assert refusal.value.hint == hint
    assert grammars.parse(refusal.value.hint, called=True)


@pytest.mark.parametrize("text", ["xr d6", "xr 1d6+1d3", "xr 5d10", "xr 3d6 p2", "xr 3d6 vs d6", "odds xr d6"])
def test_what_reads_two_ways_is_asked_uncalled(text):
    """XR-26, GEN-12: asked, never guessed, and never met with silence."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "xr headset for 300",
        "xr",
        "xr?",
        "xr keep it up",
        "xr reroll that",
        "xr group hug",
        "xr damage control",
        "xr fate is cruel",
        "xr low battery",
        "xr open",
        "xr plain",
        "xr low",
        "xr simple as that",
    ],
)
def test_talk_is_met_with_silence(text):
    """GEN-10: nothing is rolled on half-understood text."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text)


@pytest.mark.parametrize(
    "build",
    [
        lambda: Roll(0),
        lambda: Roll(3, 10),
        lambda: Roll(3, 6, 98),
        lambda: Roll(3, 6, -98),
        lambda: Roll(piercing=1),
        lambda: Roll(armour=0),
        lambda: Roll(1, simple=True),
        lambda: Roll(1, reaction=True),
        lambda: Roll(convert=-1),
        lambda: Roll(bonus=1_000_001),
        lambda: Contest(Roll(1)),
        lambda: Contest(Roll(), Roll(plain=True)),
        lambda: GroupRoll(()),
        lambda: GroupRoll((Roll(2),)),
        lambda: GroupRoll((Roll(advantage=97),) * 11),
        lambda: GroupValues(()),
        lambda: GroupValues((4,)),
        lambda: GroupValues((-3,)),
        lambda: Damage(-1, 0),
        lambda: Keep(()),
        lambda: Keep((1, 1)),
        lambda: Keep((0,)),
        lambda: Reroll(0),
        lambda: FateEnd("bob", "dice"),
    ],
)
def test_what_cannot_be_valid_cannot_be_built(build):
    """XR-01, XR-05, XR-09, XR-10, XR-22, XR-23."""
    with pytest.raises(ValueError, match=r"."):
        build()


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_of_the_help_are_commands(text):
    """DSK-11: what the help shows works."""
    assert grammars.parse(text, called=True)


@pytest.mark.parametrize(
    "text",
    [
        "xr group of 5 leaving now",
        "xr damage is 400 bucks",
        "sc strike is 6",
        "sc cinder of 5 logs",
        "sc mind of 3 people",
    ],
)
def test_what_is_missing_makes_talk_no_command(text):
    """GEN-11: the word in the place of what is wanted is not thereby one of the grammar's; called, it is asked for."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text)
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(text, called=True)

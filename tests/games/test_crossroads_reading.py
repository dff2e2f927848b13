"""Crossroads, the words: what each text reads as, what must be refused and where, and what is talk."""

import pytest

import grammars
from grammars.crossroads import (
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
    ("xr3d6a1n2", Roll(advantage=1, bonus=-2)),  # GEN-04
    ("XR 3 D6 A 1 N:2", Roll(advantage=1, bonus=-2)),
    ("xr 3d6, a1,n2", Roll(advantage=1, bonus=-2)),
    ("xr 3d6 advantage 1", Roll(advantage=1)),  # GEN-18
    ("xr adv 2 disadvantage: 1", Roll(advantage=1)),
    ("xr 3d6 dis 1", Roll(advantage=-1)),
    ("xr 3d6 bonus 1 negative 2", Roll(bonus=-1)),
    ("xr 2d6 piercing 2 armour 3", Roll(2, piercing=2, armour=3)),
    ("xr 2d6 armor3", Roll(2, armour=3)),
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
    ("xr 3d6 a1 vs3d6b1", Contest(Roll(advantage=1), Roll(bonus=1))),
    ("xr a1 vs d1", Contest(Roll(advantage=1), Roll(advantage=-1))),
    ("xr vs @bob", Contest(Roll(), against="bob")),
    ("xr 3d6 simple vs @[b]", Contest(Roll(simple=True), against="[b]")),
    ("xr keep 1 2 4", Keep((1, 2, 4))),
    ("xr keep 1, 2, 4 #4D-27b5pk", Keep((1, 2, 4), "4d-27b5pk")),
    ("xr keep1 2 4 on #4d", Keep((1, 2, 4), "4d")),
    ("xr reroll 2", Reroll(2)),
    ("xr re-roll 2", Reroll(2)),
    ("xr reroll 2 fate #last", Reroll(2, True, "last")),
    ("xr reroll 2 #4d fate", Reroll(2, True, "4d")),
    ("xr group 3d6; a1", GroupRoll((Roll(), Roll(advantage=1)))),
    ("xr group 3d6, a1;", GroupRoll((Roll(), Roll(advantage=1)))),
    ("xr group a1", GroupRoll((Roll(advantage=1),))),
    ("xr group -1 0, 2 +3", GroupValues((-1, 0, 2, 3))),
    ("xr group +1 a1; 3d6", GroupRoll((Roll(advantage=1, bonus=1), Roll()))),
    ("xr group open", GroupOpen()),
    ("xr group close", GroupClose()),
    ("xr damage HHL a1b1", Damage(2, 1, 1, 1)),
    ("xr damage 2h 1l -2", Damage(2, 1, 0, -2)),
    ("xr damage hlh", Damage(2, 1)),
    ("xr damage 2 heavy 1 light", Damage(2, 1)),  # GEN-18
    ("xr endturn", EndTurn()),
    ("xr end turn", EndTurn()),
    ("xr fate", FateList()),
    ("xr fate @bob", FateList("bob")),
    ("xr fate end @bob", FateEnd("bob")),
    ("xr fate end bob Die", FateEnd("bob", "die")),
    ("xr fate end bob blessing", FateEnd("bob", "blessing")),
]


@pytest.mark.parametrize(("text", "node"), READ)
def test_it_reads(text, node):
    """XR-01, XR-02, XR-03, XR-07, XR-09, XR-10, XR-22, XR-23, XR-25: and its own text reads as the same node."""
    assert grammars.parse(text, "crossroads") == node
    assert grammars.parse(str(node), "crossroads") == node


def test_nothing_is_help():
    """XR-01: `xr` with nothing is help, and talk unless the bot was called."""
    assert grammars.parse("xr", called=True) == Help("xr")
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse("xr")


REFUSED = [  # text, column, what the sentence begins with
    ("xr d6", 4, '"d6" could be one die, xr 1d6, or Disadvantage 6, xr 3d6 d6.'),  # XR-26
    ("xr d3", 4, '"d3" could be one die, xr 1d3, or Disadvantage 3, xr 3d6 d3.'),
    ("xr d6 a1", 4, '"d6" could be one die'),
    ("xr low d6", 8, '"d6" could be one die'),
    ("xr 3d6 vs d6", 11, '"d6" could be one die'),
    ("xr group d6; 3d6", 10, '"d6" could be one die'),
    ("xr 1d6+1d3", 7, '"+1d3" could be modifiers, +1 d3, or dice of their own, xr 1d3.'),
    ("xr +3d2", 4, '"+3d2" could be modifiers, +3 d2, or dice of their own, xr 3d2.'),
    ("xr 3d6 - 1d6", 8, '"- 1d6" could be modifiers, -1 d6'),
    ("xr 3d6+d6", 7, '"+d6" could be modifiers, d6'),
    ("xr plain b 2d6", 10, '"b 2d6" could be modifiers, b2 d6'),
    (
        "xr 3d6 p2",
        8,
        "piercing and armour are for damage rolls, anything but 3d6: leave them out, or write 3d6 plain.",
    ),  # XR-22
    ("xr a1 av3", 7, "piercing and armour are for damage rolls, anything but 3d6: leave them out, or write 3d6 plain."),
    ("xr 1d6 av3 av4", 12, "armour is given twice: leave av3 or av4 out."),
    ("xr 1d6 av3 av3", 12, "armour is given twice: leave one out."),
    ("xr 1d20", 4, "Crossroads is rolled with d6 and d3, you wrote 1d20."),  # XR-01
    ("xr 5d10 a1", 4, "Crossroads is rolled with d6 and d3, you wrote 5d10."),
    ("xr 1d%", 4, "Crossroads is rolled with d6 and d3, you wrote 1d%."),
    ("xr 0d6", 4, "the number of dice is 1 to 100, you wrote 0d6."),  # GEN-15
    ("xr 101d6", 4, "the number of dice is 1 to 100, you wrote 101d6."),
    ("xr 99d6 a2", 9, "a roll draws at most 100 dice, yours would draw 101."),
    ("xr 3d6 d98", 8, "a roll draws at most 100 dice, yours would draw 101."),
    ("xr 3d6 b9999999", 8, "bonus is -1000000 to 1000000, you wrote b9999999."),
    ("xr 3d6 -9999999", 8, "bonus is -1000000 or more, you wrote -9999999."),
    ("xr 3d6 b1000000 +1", 4, "bonus is -1000000 to 1000000."),
    ("xr 3d6 b-1", 8, "b needs a whole number after it."),  # XR-02
    ("xr 3d6 a -2", 8, "a needs a whole number after it."),
    ("xr 3d6 advantage", 8, "advantage needs a whole number after it."),
    ("xr 3d6 advantage, n2", 8, "advantage needs a whole number after it."),
    ("xr 3d6 with disadvantage", 8, "with disadvantage needs a whole number after it."),
    ("xr 3d6 a2 convert 1.5", 11, "convert needs a whole number after it."),
    ("xr 3d6 1d6", 8, "dice is given twice: leave 3d6 or 1d6 out."),
    ("xr 3d6 a1 convert -1", 11, "convert is 0 to 100, you wrote convert -1."),
    ("xr 3d6 a2 convert 1 convert 1", 21, "convert is given twice: leave one out."),
    ("xr 3d6 dc 11", 8, "Crossroads has no difficulty, the total alone decides: leave dc 11 out."),  # GEN-11
    ("xr 3d6 dc11", 8, "Crossroads has no difficulty"),
    ("xr 3d6 a1 target 11", 11, "Crossroads has no difficulty"),
    ("xr 3d6 vs 5", 11, 'is "vs 5" a pool? Crossroads has no difficulty, and opposes rolls only: vs 3d6.'),  # GEN-05
    ("xr 3d6 vs", 10, '"xr 3d6 vs" needs a roll, as 3d6 a1, or @nick.'),
    ("xr 1d6 vs 3d6", 8, "only Skill Rolls, 3d6, oppose and are opposed."),  # XR-09
    ("xr 3d6 vs 2d6", 8, "only Skill Rolls, 3d6, oppose and are opposed."),
    ("xr 3d6 plain vs 3d6", 14, "only Skill Rolls, 3d6, oppose and are opposed."),
    ("xr 1d3 vs @bob", 8, "only Skill Rolls, 3d6, oppose and are opposed."),
    ("xr 3d6 vs 3d6 vs 3d6", 15, "a roll has two sides at most: leave the second vs out."),
    ("xr 1d6 simple", 8, "simple and reaction are for Skill Rolls, 3d6: leave them out."),
    ("xr 1d6 reaction", 8, "simple and reaction are for Skill Rolls, 3d6: leave them out."),
    ("xr low", 7, '"xr low" is not complete.'),
    ("xr group 3d6; 1d6", 10, "a group is made of Skill Rolls, 3d6."),  # XR-10
    ("xr group 3d6 3d6", 14, "dice is given twice: leave one out."),
    ("xr group 3d6; ; 3d6", 15, '";" is unknown.'),
    ("xr group -3 1", 10, "a Success Value is -2 to 3, you wrote -3."),
    ("xr group 1 4", 12, "a Success Value is -2 to 3, you wrote 4."),
    ("xr group +1; -1", 10, '"+1; -1" could be Success Values, written with spaces, or rolls'),  # GEN-12
    ("xr group" + " 3d6 a90;" * 11, 10, "a command draws at most 1000 dice."),  # GEN-15
    ("xr group open 3d6", 15, '"3d6" is unknown.'),
    ("xr keep", 4, "keep needs the dice to keep, as xr keep 1 3 4."),  # XR-05
    ("xr keep 1 1 2", 13, "die 1 is kept twice: leave one out."),
    ("xr keep 0 1 2", 9, "the position of a die is 1 to 1000, you wrote 0."),
    ("xr keep 1-2-4", 10, "the position of a die is 1 to 1000, you wrote -2."),
    ("xr reroll 0", 11, "reroll needs one die, counted from 1 in drawn order, as xr reroll 1."),  # XR-13
    ("xr reroll fate", 4, "reroll needs one die, counted from 1 in drawn order, as xr reroll 1."),
    ("xr reroll 1 2", 13, "position is given twice: leave 1 or 2 out."),
    ("xr reroll 1 #4d #4e", 17, "the id is given twice: leave #4d or #4e out."),
    ("xr damage", 10, '"xr damage" needs points, as HHL.'),  # XR-23
    ("xr damage HHL p2", 15, "nothing is rolled for this damage: leave p2 out."),  # XR-22
    ("xr damage 9999999h", 11, "heavy is 0 to 1000000, you wrote 9999999h."),
    ("xr fate end", 12, '"xr fate end" needs a nick.'),  # XR-25
    ("xr 3d6 fast 2", 8, 'is "2" part of the roll, or of a comment? Put # before a comment.'),
]


@pytest.mark.parametrize(("text", "column", "sentence"), REFUSED)
def test_it_is_refused(text, column, sentence):
    """GEN-07, GEN-11, XR-01…XR-26: one sentence and its place, and no hint that says something else."""
    with pytest.raises(grammars.CommandSyntaxError) as refusal:
        grammars.parse(text, "crossroads", called=True)
    assert str(refusal.value).startswith(sentence)
    assert (refusal.value.column, refusal.value.hint) == (column, None)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("xr 3d6 lw a1", "xr 3d6 a1 low"),
        ("xr 3d6 plian", "xr 3d6 plain"),
        ("xr 3d6 simpl", "xr 3d6 simple"),
        ("xr 3d6 a2 convrt 1", "xr 3d6 a2 convert 1"),
        ("xr 3d6 plus two", "xr 3d6 b2"),
        ("xr rerol 1", "xr reroll 1"),
        ("xr 3d6 vs bob", "xr 3d6 vs @bob"),
        ("xr a1 v @bob", "xr a1 vs @bob"),
        ("xr 3d6 vs @bob a1", "xr 3d6 a1 vs @bob"),
        ("xr a1 versus 3d6", "xr a1 vs 3d6"),
    ],
)
def test_the_nearest_command_is_offered(text, hint):
    """GEN-11: it keeps every number and keyword, and works when typed."""
    with pytest.raises(grammars.CommandSyntaxError) as refusal:
        grammars.parse(text, "crossroads", called=True)
    assert refusal.value.hint == hint
    assert grammars.parse(hint, "crossroads")


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("xr a1 sneak past", "sneak past"),
        ("xr 3d6 climbing", "climbing"),
        ("xr +2 over the wall", "over the wall"),
        ("xr 3d6 a hard climb", "a hard climb"),
        ("xr 3d6 bonus round", "bonus round"),
        ("xr 3d6 negative vibes", "negative vibes"),
        ("xr 3d6 a1 convert the heathens", "convert the heathens"),
        ("xr 3d6 vs @bob, arm wrestling", "arm wrestling"),
        ("xr 3d6 vs 3d6 for the crown", "the crown"),
        ("xr group 3d6; a1 # sneaking", "sneaking"),
        ("xr group -1 0 1 for the guardhouse", "the guardhouse"),
        ("xr reaction # parried", "parried"),
    ],
)
def test_plain_words_are_a_comment(text, comment):
    """GEN-03: a word that needs a number is none of the grammar's where words follow."""
    assert grammars.read(text, "crossroads").comment == comment


@pytest.mark.parametrize(
    "text", ["xr d6", "xr 1d6+1d3", "xr 5d10", "xr 3d6 p2", "xr 3d6 vs d6", "xr 3d6 vs 5", "xr 3d6 dc 11", "odds xr d6"]
)
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


@pytest.mark.parametrize(
    "text",
    [
        "xr group of 5 leaving now",
        "xr group 3 people",
        "xr damage is 400 bucks",
        "xr keep it under 50",
    ],
)
def test_what_is_missing_makes_talk_no_command(text):
    """GEN-04: what the grammar does not use makes a line no command; called, it is asked about."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text)
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(text, called=True)

"""A command with other clauses, by the tokens of its own grammar: replaced or added (DSK-05, DSK-13)."""

import pytest

import grammars
from grammars import catalogue
from grammars.again import changed
from grammars.errors import ImpossibleError

CHANGED = [
    ("v5", "roll 5d10 h2 dc3", "h3", "roll 5d10 h3 dc3"),
    ("v5", "roll 5d10 h2", "dc 3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10h2dc3", "hunger 3 7d10", "roll 7d10 h3 dc3"),
    ("v5", "v5 3+4+1 h2 dc3", "5+3 difficulty 2", "v5 5+3 h2 dc2"),
    ("v5", "roll 4d10 willpower", "humanity", "roll 4d10 humanity"),
    ("v5", "rouse", "3", "rouse 3"),
    ("v5", "Roll 5d10, H2, DC3", "h3", "roll 5d10 h3 dc3"),
    ("fayrewood", "toss d8 d6 boon dc7", "bane moderate", "toss d8 d6 bane dc7"),
    ("fayrewood", "toss d8 d6 dc7", "d10 d4", "toss d10 d4 dc7"),
    ("fayrewood", "toss d8 dc7", "d10", "toss d10 dc7"),
    ("fayrewood", "toss 3 2", "4 3 boon", "toss d10 d8 boon"),
    ("fayrewood", "toss d8 d6 dc5", "for help", "toss d8 d6 dc5 for help"),
    ("beat_eight", "b8 t4 a1 severe", "t5 -3", "b8 t5 a1 -3"),
    ("beat_eight", "b8 t4", "a2", "b8 t4 a2"),
    ("crossroads", "xr 3d6 a1 n2", "d1", "xr 3d6 d1 n2"),
    ("crossroads", "xr 3d6a1n2", "a2", "xr 3d6 a2 n2"),
    ("crossroads", "xr 3d6 a1", "b1 low", "xr 3d6 a1 b1 low"),
    ("strike_cinder", "sc strike 9 vs Ghoul", "dc4", "sc strike 9 vs Ghoul dc4"),
    ("strike_cinder", "sc strike 9 vs Ghoul dc3", "strike 7 dc4", "sc strike 7 vs Ghoul dc4"),
    ("strike_cinder", "sc strike 9 vs Ghoul", "vs arcanist", "sc strike 9 vs arcanist"),
    ("strike_cinder", "sc strike 9 vs afflicted shifter", "cursed", "sc strike 9 vs cursed"),
    ("generic", "roll 4d6k3", "k2", "roll 4d6k2"),
    ("generic", "roll 4d6k3", "5d6", "roll 5d6k3"),
    ("generic", "roll 1d20+5", "+7", "roll 1d20+7"),
    ("generic", "roll 1d20+5", "1d20+7 adv", "roll 2d20k1+7"),
    ("generic", "roll 2d6", "+2", "roll 2d6+2"),
    ("generic", "roll 20", "30", "roll 1d30"),
]


@pytest.mark.parametrize(("game", "text", "changes", "result"), CHANGED)
def test_dsk_13_of_the_same_kind(game, text, changes, result):
    """DSK-05, DSK-13: a clause of the same kind is replaced, any other added, whatever the game."""
    assert str(grammars.parse(changed(grammars.read(text, game, True), changes), game, True)) == result


@pytest.mark.parametrize(
    ("text", "changes", "comment", "result"),
    [
        ("roll 5d10 h2 # thugs", "h3", None, "roll 5d10 h3 # thugs"),
        ("roll 5d10 h2 # thugs", "h3", "the door", "roll 5d10 h3 # the door"),
        ("roll 5d10 h2 punching him", "dc2 kicking him", None, "roll 5d10 h2 dc2 kicking him"),
        ("v5 3+4 h2 # thugs", "5+3 kicking him", None, "v5 5+3 h2 kicking him"),
        ("roll 5d10 h2 # thugs", "vs Tom the thug", None, "roll 5d10 h2 vs Tom the thug # thugs"),
        ("roll 5d10 as bob # thugs", "h3", None, "roll 5d10 h3 as bob # thugs"),
    ],
)
def test_gen_03_comments_and_names(text, changes, comment, result):
    """GEN-03, DSK-13: they stay unless others are typed."""
    assert changed(grammars.read(text, "v5", True), changes, comment) == result


@pytest.mark.parametrize(
    ("game", "text", "changes"),
    [
        ("generic", "roll 2d6+1d8", "3d6"),
        ("generic", "roll 1d20+5 >= 15", "+7"),
        ("generic", "roll 2d6[fire] + 1d8[cold]", "+2"),
        ("v5", "v5 5 h2", "-1"),
        ("v5", "v5 5+1 h2", "-1"),
        ("v5", "v5 2+3 h1", "+1"),
        ("v5", "v5 2+3 h1", "4"),
        ("v5", "v5 2-3+4 dc2", "+1 h1"),
        ("generic", "roll 3+4", "+1"),
        ("fayrewood", "toss 3 2 dc7", "4"),
        ("fayrewood", "toss d8 d6 dc7", "d10"),
    ],
)
def test_gen_12_what_could_mean_several_is_not_guessed(game, text, changes):
    """GEN-12, DSK-13: where several parts may be meant the whole command is to be typed."""
    with pytest.raises(ImpossibleError, match="could change several parts"):
        changed(grammars.read(text, game, True), changes)


@pytest.mark.parametrize(("text", "changes"), [("roll 1d6", "+1" * 51), (f"roll 1d6{'+1' * 51}", "1d8")])
def test_gen_16_what_has_too_many_parts_is_not_changed(text, changes):
    """GEN-16: nor is it looked at to its end; without changes it is the same command."""
    reading = grammars.read(text, "generic", True)
    with pytest.raises(ImpossibleError, match="so many parts"):
        changed(reading, changes)
    assert changed(reading, "") == text


EXAMPLES = [(g.name, example) for g in catalogue.grammars_found() if g.is_system for example in g.examples]


@pytest.mark.parametrize(("game", "example"), EXAMPLES)
def test_dsk_13_without_changes_it_is_the_same(game, example):
    """DSK-13: of every game."""
    reading = grammars.read(example, game, True)
    assert grammars.parse(changed(reading, "", None), game, True) == reading.node

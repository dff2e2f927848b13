"""A letter that slipped is put right in what is offered, and no figure is left out (GEN-04, GEN-11)."""

import pytest
from playing import Table

import grammars
from grammars.spelling import nearest

SLIPPED = [  # system, what is typed, the word that is named, the hint
    ("v5", "roll 5d10 h2 dv3", "dv3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 h2 cd3", "cd3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 h2 ds3", "ds3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 h2 d3", "d3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 h2 dv 3", "dv", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 g2", "g2", "roll 5d10 h2"),
    ("v5", "roll 5d10 g2 dv3 # at dusk", "g2", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10g2dc3", "g2dc3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 hj2", "hj2", "roll 5d10 h2"),
    ("v5", "roll 5d10 g7", "g7", "roll 5d10 h5"),  # as of h7
    ("v5", "roll 5d10 cs3", "cs3", "roll 5d10 dc3"),  # as of vs3
    ("v5", "roll 5d10 h2 cs4d10", "cs4d10", "roll 5d10 h2 vs 4d10"),
    ("v5", "roll 5s10 h2", "5s10", "roll 5d10 h2"),
    ("v5", "v5 3+4 h2 dv3", "dv3", "v5 3+4 h2 dc3"),
    ("v5", "wp 2 g3 #4d", "g3", "wp 2 h3 #4d"),
    ("v5", "autowin 9 dv4 h1", "dv4", "autowin 9 dc4 h1"),
    ("v5", "odds 5d10 h2 dv3", "dv3", "odds roll 5d10 h2 dc3"),
    ("v5", "odds autowin 9 dv4 h1", "dv4", "odds autowin 9 dc4 h1"),
    ("generic", "roll 4d6 j3", "j3", "roll 4d6k3"),
    ("generic", "roll 5d10 h2 dv3", "h2", "v5 5d10 h2 dc3"),
    ("fayrewood", "toss 3 2 dx7", "dx7", "toss d8 d6 dc7"),
    ("fayrewood", "toss s8 d6 dc7", "s8", "toss d8 d6 dc7"),
    ("fayrewood", "toss 3 2 vdd8", "vdd8", "toss d8 d6 vs d8"),
    ("fayrewood", "sweep 3 2 dx3", "dx3", "sweep d8 d6 dc3"),
    ("crossroads", "xr 3d6 vd3d6", "vd3d6", "xr 3d6 vs 3d6"),
    ("crossroads", "xr 3d6 a1 m2", "m2", "xr 3d6 a1 n2"),
    ("crossroads", "xr 1d6 b2 p1 sv3", "sv3", "xr 1d6 b2 p1 av3"),
    ("beat_eight", "b8 r4 a1", "r4", "b8 t4 a1"),
    ("beat_eight", "b8 t4 vs r3", "r3", "b8 t4 vs t3"),
    ("beat_eight", "b8 t4 vdt3", "vdt3", "b8 t4 vs t3"),
    ("strike_cinder", "sc strike 6 dv3 vs human", "dv3", "sc strike 6 vs human dc3"),
    ("strike_cinder", "sc strike 6 cs undying", "cs", "sc strike 6 vs undying"),
    ("strike_cinder", "sc mind 7 vd5", "vd5", "sc mind 7 vs 5"),
    ("strike_cinder", "sc encounter open Enc luck 6 dv3", "dv3", "sc encounter open Enc luck 6 dc3"),
]


@pytest.mark.parametrize(("system", "text", "word", "hint"), SLIPPED)
def test_gen_11_a_slip_before_a_figure_is_put_right(system, text, word, hint):
    """GEN-11: whoever copies the hint rolls with the Difficulty, the Hunger and the opponent that were typed."""
    (reply,) = Table(system=system).say("alice", f"!{text}").replies
    assert reply.text.removeprefix("Not rolled: ") == f'"{word}" is unknown. Did you mean: {hint}'
    assert grammars.read(hint, system, True).comment is None


@pytest.mark.parametrize(
    ("system", "text", "question"),
    [
        ("crossroads", "xr 3d6 s1", '"s1" could be a1 or d1.'),
        ("crossroads", "xr 1d6 ab3 # at dusk", '"ab3" could be a3, b3 or av3.'),
        ("beat_eight", "b8 t4 z2", '"z2" could be a2 or x2.'),
        ("generic", "roll 4d6l3", '"l3" could be k3, kl3 or dl3.'),
        ("beat_eight", "odds b8 t4 z2", '"z2" could be a2 or x2.'),
    ],
)
def test_gen_12_a_slip_that_may_be_several_is_asked_about(system, text, question):
    """GEN-12: what the word may have been, and no command with one of them or without it."""
    (reply,) = Table(system=system).say("alice", f"!{text}").replies
    assert reply.text.removeprefix("Not rolled: ") == question


@pytest.mark.parametrize(
    ("system", "text", "hint"),
    [
        ("v5", "roll 4d6 h2", "roll 4d6"),  # V5's, and no k2
        ("v5", "roll 1d20 dv15", "roll 1d20"),
        ("v5", "roll 5d10 h2 q7", "roll 5d10 h2"),
        ("v5", "roll 5d10 h2 m8s", "roll 5d10 h2"),
        ("generic", "roll a d6, divide by 2", "roll 1d6"),
        ("fayrewood", "toss 3 h2", "toss d8"),
        ("fayrewood", "toss 2 m8", "toss d6"),
    ],
)
def test_gen_11_what_is_far_from_all_is_named_and_left_out(system, text, hint):
    """GEN-11: no figure is made into what it can hardly have been."""
    with pytest.raises(grammars.CommandSyntaxError, match="is unknown") as caught:
        grammars.parse(text, system, called=True)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("xr 3d6 vs3d6", "xr 3d6 vs 3d6"),
        ("xr 3d6 a1 vs3d6b1", "xr 3d6 a1 vs 3d6 b1"),
        ("xr a1 vsd1", "xr a1 vs d1"),
    ],
)
def test_gen_04_vs_tight_against_a_roll(text, apart):
    """GEN-04: as in the other games."""
    assert grammars.parse(text, "crossroads") == grammars.parse(apart, "crossroads")


@pytest.mark.parametrize(
    ("text", "column", "sentence", "hint"),
    [
        ("sc strike 6 vs natral shifter", 16, '"natral" is unknown.', "sc strike 6 vs natural shifter"),
        (
            "sc strike 6 vs aflicted shifter shifted",
            16,
            '"aflicted" is unknown.',
            "sc strike 6 vs afflicted shifter shifted",
        ),
        ("sc strike arcanst", 11, '"arcanst" is unknown.', "sc strike arcanist"),
        ("sc cinder posessed dc3 # fire", 11, '"posessed" is unknown.', "sc cinder possessed dc3"),
        ("sc mind arcanst vs 5", 9, '"arcanst" is unknown.', "sc mind arcanist vs 5"),
        ("sc resist arcanst", 11, '"arcanst" is unknown.', "sc resist arcanist"),
        ("sc strike undyng vs humn", 11, '"undyng" is unknown.', "sc strike undying vs human"),
        (
            "sc mind 7 vs arcanst",
            14,
            "arcanst is no Path: against a mind say the target's Cinder dice, a Path, or @nick.",
            "sc mind 7 vs arcanist",
        ),
        ("odds sc cinder posessed dc3", 16, '"posessed" is unknown.', "odds sc cinder possessed dc3"),
        ("sweep 3 2 dificulty 3", 11, '"dificulty" is unknown.', "sweep d8 d6 dc3"),
    ],
)
def test_gen_11_a_misspelt_word_is_named_before_what_is_missing_without_it(text, column, sentence, hint):
    """GEN-11, GEN-07: the word that is wrong, and the command that was meant, not what a rule wants in its absence."""
    said = Table().say("alice", f"!{text}")
    assert said.replies[0].text.removeprefix("Not rolled: ") == f"{sentence} Did you mean: {hint}"
    assert (said.error.column, said.error.hint) == (column + 1, hint)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sc strike punching him", "how many dice? Say a number, or a Path such as arcanist."),
        ("sc cinder humn, with a wand", "how many dice? Say a number, or a Path such as arcanist."),
        ("sc join Arcanst human rank 11", "a rank is 1 to 10, you wrote 11."),
        ("roll 4d6!pmi2", "mi2 cannot stand behind !p, whose dice are no longer faces."),
    ],
)
def test_gen_07_what_is_wrong_beside_a_misspelt_word_is_told(text, sentence):
    """GEN-07: a word that would be refused if it were spelt right is not to blame."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "generic", called=True)
    assert str(caught.value) == sentence


def test_gen_11_of_two_words_as_near_the_same_is_offered_always():
    """GEN-11: `shiftex` may be `shifted` or `shifter`: what is offered is no matter of the process that offers it."""
    assert nearest("shiftex", ("shifter", "shifted")) == nearest("shiftex", ("shifted", "shifter")) == "shifted"

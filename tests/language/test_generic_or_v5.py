"""What roll means where two games claim it: help, a call, a V5 pool or dice (GD-15, GEN-13, GEN-14)."""

import pytest


def test_gd_15_roll_alone_is_help(evaluate):
    """GD-15: called, `roll` alone explains itself; not called, it is talk."""
    assert evaluate({"text": "roll"}) == {"text": "roll", "silent": True}
    answer = evaluate({"text": "!roll", "system": "generic"})
    assert answer["kind"] == "note"
    assert "roll 4d6k3" in answer["reply"]


@pytest.mark.parametrize("text", ["roll 20", "roll 3+4", "roll 1 100", "r 4d6", "r 2d6 blah 3", "odds roll 20", "R 1"])
def test_gen_14_what_counts_only_when_called(evaluate, text):
    """GEN-14: no dice, or no more than a letter: only when it is meant."""
    assert evaluate({"text": text}) == {"text": text, "silent": True}
    assert "silent" not in evaluate({"text": f"!{text}"})


@pytest.mark.parametrize(
    ("text", "system", "played"),
    [
        ("roll 5d10", "v5", "v5"),
        ("roll 5d10 punching", "v5", "v5"),
        ("roll 5d10 h2 dc3", "v5", "v5"),
        ("roll 5d10", "generic", "generic"),
        ("roll 5d10", "crossroads", "generic"),
        ("roll 5d10 h2 dc3", "crossroads", "v5"),
        ("roll 5d10+0", "v5", "generic"),
        ("roll 5d10k3", "v5", "generic"),
        ("roll 5d10[fire]", "v5", "generic"),
        ("roll 2x 5d10", "v5", "generic"),
        ("roll 5d10 > 3", "v5", "generic"),
        ("roll (5d10)", "v5", "generic"),
        ("roll 4d6", "v5", "generic"),
        ("!roll 20", "v5", "generic"),
        ("!roll 10", "crossroads", "generic"),
    ],
)
def test_what_is_a_v5_pool(evaluate, text, system, played):
    """GEN-03, GEN-14, GD-15: `roll Nd10`, alone or with V5's words, where V5 is played; every other `roll` is ours."""
    assert evaluate({"text": text, "system": system})["system"] == played


@pytest.mark.parametrize("text", ["roll 5d10 h2", "roll 5d10 dc3", "roll 5d10 vs 4d10", "FUDice: 5d10 h2"])
def test_no_v5_pool_where_generic_is_played(evaluate, text):
    """generic.md: any `roll` is this language where the channel says `system = generic`; `v5` stays V5's word."""
    assert "is unknown" in evaluate({"text": text, "system": "generic"})["error"]
    opened = evaluate({"text": "v5 5 h2 vs @bob", "system": "generic"})
    assert opened["system"] == "v5"
    assert 'answer "v5 5 h1"' in opened["reply"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("roll 5d10 h7", "hunger is 0 to 5"),
        ("roll 4d10 wp", '"wp" could be a Willpower pool'),
        ("roll 5d10 wilpower", '"wilpower" is unknown'),
        ("roll 101d10", "the number of dice in a pool is 1 to 100"),
        ("roll 5d10!", '"5d10!" could be the pool'),
        ("!roll 5", "is that a pool, v5 5, or a die, roll d5?"),
        ("!roll 7 2", "is that a pool, v5 7 h2, or a number from 2 to 7, roll d6+1?"),
        ("!roll 2 7", "is that a pool, v5 2+7, or a number from 2 to 7, roll d6+1?"),
        ("!roll 0", "a die has 1 to 1,000,000 sides"),
        ("autowin 9 dificulty 4 h1", '"dificulty" is unknown'),
        ("roll 5d10 h ２", 'is "２" part of the roll, or of a comment?'),
        ("roll 5d10 vs 5", 'is "vs 5" a difficulty'),
    ],
)
def test_v5_keeps_its_own_objections(evaluate, text, sentence):
    """GEN-12: what V5 objects to is no comment of ours."""
    assert evaluate({"text": text})["error"].startswith(sentence)


@pytest.mark.parametrize(
    ("text", "system", "hint"),
    [
        ("roll 3d6 a1", "crossroads", "xr 3d6 a1"),
        ("roll 3d6 advantage 1 n2", "crossroads", "xr 3d6 a1 n2"),
        ("roll 3d6 vs 3d6", "crossroads", "xr 3d6 vs 3d6"),
        ("!d8 d6 dc7", "fayrewood", "toss d8 d6 dc7"),
        ("roll d8 d6 vs d10", "fayrewood", "toss d8 d6 vs d10"),
    ],
)
def test_a_hint_in_the_game_of_the_channel(evaluate, text, system, hint):
    """GEN-11: where the notation is another one, the hint is in the channel's own game."""
    assert evaluate({"text": text, "system": system})["hint"] == hint


@pytest.mark.parametrize(
    ("text", "system"), [("roll 3d6", "crossroads"), ("roll d8+d6", "fayrewood"), ("!d8", "fayrewood")]
)
def test_dice_notation_is_rolled_in_every_channel(evaluate, text, system):
    """GEN-11: only what cannot be rolled as it was typed is a hint."""
    assert evaluate({"text": text, "system": system})["system"] == "generic"

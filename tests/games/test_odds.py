"""Odds as such: sets of labels, marginals, means; no game (GEN-08)."""

from fractions import Fraction
from math import isclose

import pytest

import grammars
from ircdice.bot.odds import percent
from ircdice.evaluation import EvalRequest, Evaluator
from ircdice.odds import Odds, Shares
from ircdice.outcome import Outcome

THIRD = Fraction(1, 3)


def outcome(*labels, **values):
    return Outcome(labels=labels, values=values)


def test_gen_08_labels_that_come_together_are_counted_together_and_alone():
    """GEN-08: two labels of one roll are one outcome, and each has its own chance."""
    odds = Odds.over([outcome("a", "b"), outcome("a"), outcome()])
    assert odds.together == {("a", "b"): THIRD, ("a",): THIRD, (): THIRD}
    assert odds.outcomes == {"a": 2 * THIRD, "b": THIRD}
    assert odds.any_of(["a", "b"]) == 2 * THIRD
    assert odds.any_of(["c"]) == 0


def test_gen_08_weights_count_as_often_as_they_say():
    """GEN-08"""
    odds = Odds.weighted([(outcome("a", n=2), 3), (outcome(n=0), 1)])
    assert odds.together == {("a",): Fraction(3, 4), (): Fraction(1, 4)}
    assert (odds.name, odds.values) == ("n", {0: Fraction(1, 4), 2: Fraction(3, 4)})
    assert odds.mean == Fraction(3, 2)
    assert isclose(odds.sd, 0.75**0.5)


def test_gen_08_values_stand_in_order():
    """GEN-08: whatever order they come in."""
    odds = Odds.over([outcome(n=3), outcome(n=1), outcome(n=2)], of="n")
    assert list(odds.values) == [1, 2, 3]


def test_gen_08_what_has_no_value_has_no_distribution():
    """GEN-08"""
    odds = Odds.over([outcome("yes")])
    assert (odds.name, odds.values) == (None, {})


def test_gen_08_percentages_are_rounded_half_up():
    """GEN-08: language.md: half up, each by itself."""
    shown = [percent(Fraction(n, 10_000)) for n in (0, 4, 5, 15, 5125, 4875, 9994, 9995, 10_000)]
    assert shown == ["0.0", "0.0", "0.1", "0.2", "51.3", "48.8", "99.9", "100.0", "100.0"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "odds 4d6k3",  # the rarest are summed up
            "up to 5: 1%, 6: 2%, 7: 3%, 8: 5%, 9: 7%, 10: 9%, 11: 11%, 12: 13%, 13: 13%, 14: 12%, 15: 10%, 16: 7%, "
            "17: 4%, 18: 2%; average 12.2",
        ),
        ("odds 1d20", "1 to 20, each 5%; average 10.5"),
        ("odds 2d4*10", "20: 6%, 30: 13%, 40: 19%, 50: 25%, 60: 19%, 70: 13%, 80: 6%; average 50.0"),
        ("odds 5d{0,0,0,0,0,0,0,0,0,1}", "0: 59%, 1: 33%, 2: 7%, 3 or more: 1%; average 0.5"),
        (
            "odds 100d6",
            "up to 310: 1%, 311 to 324: 6%, 325 to 338: 18%, 339 to 352: 31%, 353 to 366: 27%, 367 to 380: 13%, "
            "381 or more: 4%; average 350.0",
        ),
        ("odds 1d10000", "1 to 10000, each <1%; average 5000.5"),
        ("odds 30d10000>=10000+1", "1: 100%, 2 or more: <1%; average 1.0"),
        (
            "odds 30d100!",
            "up to 1162: 1%, 1163 to 1291: 6%, 1292 to 1420: 18%, 1421 to 1549: 29%, 1550 to 1678: 26%, "
            "1679 to 1807: 14%, 1808 to 1936: 4%, 1937 or more: 1%; average 1530.3; to within 1e-12",
        ),
    ],
)
def test_gen_08_a_distribution_is_short(evaluate, text, told):
    """GEN-08: up to twenty values one by one, more as ranges, which have all of them; rare ends are summed up."""
    assert evaluate({"text": text})["reply"] == f"{text}: total {told}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("odds b8 t4", "success 83.3%, of it double sixes 2.8; failure 16.7%, of it snake-eyes 2.8"),
        ("odds toss d8 d6 dc7", "win 68.8%, of it critical 2.1, fumble 8.3; fail 31.3%, of it catastrophic fumble 2.1"),
        (
            "odds toss d8 d6",
            "fail and catastrophic fumble 2.1%, fumble if won 25.0%; total 2: 2%, 3: 4%, 4: 6%, 5: 8%, 6: 10%, "
            "7: 13%, 8: 13%, 9: 13%, 10: 10%, 11: 8%, 12: 6%, 13: 4%, 14: 2%; average 8.0",
        ),
        (
            "odds sc strike 6",
            "Exceptional Success 27.6%, Complete Success 45.5%, Partial Failure 17.6%, Failure 7.8%, "
            "Critical Failure 1.6%; passes 0: 2%, 1: 8%, 2: 18%, 3: 24%, 4: 22%, 5: 15%, 6: 8%, 7: 3%, 8: 1%, "
            "9 or more: 1%; average 3.6",
        ),
        ("odds sc strike 6 vs undying", "hit 49.3%, of it critical 0.2; miss 50.7%"),
        ("odds sc strike 6 dc3", "success 73.0%; failure 27.0%"),
        (
            "odds sc mind 7 vs 5",
            "overcome 59.3%, of it aware 26.3; resisted 23.2%; the attack fails 17.5%; to within 2e-12",
        ),
        (
            "odds xr 3d6 simple",
            "Failure 8.8%; Partial Success 41.2%; Success 41.2%; Great Success 8.8%; "
            "double 44.4%, of it Misstep 7.4, Change 29.6, Fateful 7.4; Fate Die 2.8%",
        ),
    ],
)
def test_gen_08_every_game_tells_its_verdicts_first(evaluate, text, told):
    """GEN-08: as V5 does; where a verdict is sure to come, the distribution of the value is left to `full`."""
    assert evaluate({"text": text})["reply"] == f"{text}: {told}"


FULL = """3 to 5: 1.2% #
6 to 7: 4.6% #####; at least 6 98.8
8 to 9: 11.8% ##############; at least 8 94.3
10 to 11: 20.8% ########################; at least 10 82.5
12 to 13: 26.2% ##############################; at least 12 61.7
14 to 15: 22.5% ##########################; at least 14 35.5
16 to 17: 11.4% #############; at least 16 13.0
18: 1.6% ##; at least 18 1.6""".splitlines()


def private(text, **how):
    evaluator = Evaluator()
    try:
        answer = evaluator.answer(EvalRequest(text, table="t", **how))
    finally:
        evaluator.close()
    whispered = [reply.text for reply in answer.replies if reply.private]
    assert len(answer.replies) <= 4, "IRC-20"
    said = [reply.text for reply in answer.replies if not reply.private]
    return said, [bar for line in whispered for bar in line.split(" | ")]


@pytest.mark.parametrize("text", ["odds roll 4d6k3 full", "odds 4d6k3 full", "!odds 4d6k3 FULL # for bob"])
def test_dsk_09_full_draws_the_whole_distribution_in_private(text):
    """DSK-09: the line where it was asked, and a bar chart of at most 8 bars in three lines to the user who asked."""
    said, whispered = private(text)
    assert len(said) == 1
    assert said[0].startswith("odds 4d6k3: total up to 5: 1%, 6: 2%")
    assert whispered == FULL


def test_dsk_09_full_in_a_comment_is_part_of_it():
    """DSK-09, GEN-03: a comment after a roll asks for nothing."""
    said, whispered = private("odds 4d6 # my house is full")
    assert (len(said), whispered) == (1, [])


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("odds 1d20+5 >= 15 full", "success: 55.0% ##############################", "failure: 45.0% ####"),
        ("odds 2d4 full", "2: 6.3% ########", "8: 6.3% ########; at least 8 6.3"),
        ("odds 8d6! full", "8 to 21: 6.7% ######", "70 to 160: 0.2%; at least 70 0.2"),
        ("odds 1d10000 full", "1 to 1258: 12.6% ####", "8747 to 10000: 12.5% ####"),
        ("odds roll 5d10 h2 dc3 full", "0: 3.1% ###", "7 to 9: 0.8% #; at least 7 0.8"),
    ],
)
def test_dsk_09_charts_of_any_game(text, first, last):
    """DSK-09: whatever the value, and however many there are; of a question its answers."""
    _, whispered = private(text)
    assert whispered[0].startswith(first)
    assert whispered[-1].startswith(last)
    assert len(whispered) <= 8
    assert all(len(line.encode()) <= 80 for line in whispered)


@pytest.mark.parametrize(
    ("text", "first"),
    [("odds 1d4-2 full", "total -1: 25.0% ####"), ("odds xr 3d6 full", "success value -2: 0.5%")],
)
def test_dsk_09_a_bar_below_zero(text, first):
    """DSK-09, IRC-21: a line that begins with `-` would have a word put before it and read as "up to"."""
    reply = private(text)[1][0]
    assert reply.startswith(first)


@pytest.mark.parametrize("text", ["odds full", "odds 4d6k3 full house"])
def test_dsk_09_full_stands_last(text):
    """DSK-09, GEN-03: elsewhere it draws no chart, and where it may have been meant it is hinted at."""
    assert [line for line in private(text)[1] if "%" in line] == []


@pytest.mark.parametrize(("text", "full"), [("odds 5d10 h2", False), ("odds 5d10 h2 full", True)])
def test_dsk_09_the_text_of_a_node_is_that_node(text, full):
    """DSK-09: `str` parses to the same."""
    node = grammars.parse(text)
    assert node.full is full
    assert grammars.parse(str(node)) == node


def test_gen_08_parts_of_a_spread():
    """GEN-08: parts are all there is, in order."""
    shares = Shares({value: value for value in range(1, 41)}, 820)
    parts = shares.parts(8)
    assert sum(part.chance for part in parts) == 1
    assert [part.lowest for part in parts[1:]] == [part.highest + 1 for part in parts[:-1]]
    assert (parts[0].lowest, parts[-1].highest, len(parts)) == (1, 40, 8)

"""V5's commands and their nodes (GEN-04, GEN-06, V5-01…V5-24)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import grammars
from grammars.channel import Hints
from grammars.contests import Close, Contests, Pass, Withdraw
from grammars.help import Help
from grammars.odds import OddsOf
from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower

OURS = r"!?(?:roll [0-9]+d10 |(?:v5|rouse|wp|hunger|autowin)\b)[^\t]*"
BAD_INPUT = Path(__file__).parents[1] / "gate" / "bad_input.tsv"  # with dice notation's; tests/language plays it
ROWS = re.findall(rf"(?m)^([0-9]+)\t({OURS})\t([^\t]+)\t", BAD_INPUT.read_text("utf-8"))
REFUSED = [(text, int(column), sentence) for column, text, sentence in ROWS]


@pytest.mark.parametrize(
    "typed",
    [
        "roll 5d10 h2 dc3",
        "roll 5 d10 h2 dc3",
        "roll5d10 h2 dc3",
        "roll5 d10 h2 dc3",
        "roll5d10h2dc3",
        "ROLL5D10H2DC3",
        "roll 5d10h2dc3",
        "roll 5d10 dc3h2",
        "roll 5d10 h 2 dc 3",
        "roll 5d10 h:2 dc:3",
        "roll 5d10 h: 2 dc: 3",
        "roll 5d10 h=2 dc=3",
        "roll 5d10 hunger 2 diff 3",
        "roll 5d10 hunger2 diff3",
        "roll 5d10 hunger:2 diff:3",
        "roll 5d10 Hunger 2 Difficulty 3",
        "roll 5d10 difficulty: 3 hunger: 2",
        "roll 05d10 h02 dc03",
    ],
)
def test_spellings_of_a_pool(typed: str) -> None:
    """GEN-04, V5-01, V5-04, V5-05: spelling is forgiven where only one thing can be meant."""
    assert grammars.parse(typed) == Pool(5, 2, 3)


@pytest.mark.parametrize("typed", ["5d10 h2", "5 d10 h2", "5D10H2", "  5d10  h2 ", "5d10 h2!", "5d10 hunger 2 # hm"])
def test_a_pool_without_its_word(typed: str) -> None:
    """GEN-04: called, a line that begins with NdX is a roll; uncalled it is talk."""
    assert grammars.parse(typed, called=True) == Pool(5, 2)
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(typed)


@pytest.mark.parametrize(
    ("typed", "node"),
    [
        ("roll 5d10", Pool(5)),
        ("roll d10", Pool(1)),
        ("roll 1d10 h0", Pool(1, 0)),
        ("roll 2d10 h5", Pool(2, 5)),
        ("roll 100d10", Pool(100)),
        ("roll 5d10 dc1000000", Pool(5, difficulty=1_000_000)),
        ("roll 4d10 willpower", Pool(4, kind="willpower")),
        ("roll 7d10 humanity dc2", Pool(7, difficulty=2, kind="humanity")),
        ("roll 7d10 morality", Pool(7, kind="humanity")),
        ("v5 3+4+1", Pool(8, terms=(3, 4, 1))),
        ("v5 3 + 4 - 1 h2 dc3", Pool(6, 2, 3, terms=(3, 4, -1))),
        ("v5 7", Pool(7, terms=(7,))),
        ("v57", None),
        ("v5 5d10 h2", Pool(5, 2)),
        ("roll 6d10 h2 vs 5d10 h1", Contest(Pool(6, 2), Pool(5, 1))),
        ("roll 6d10h2 vs.5d10h1", Contest(Pool(6, 2), Pool(5, 1))),
        ("roll 6d10 vs d10", Contest(Pool(6), Pool(1))),
        ("roll 6d10 vs 3+2", Contest(Pool(6), Pool(5, terms=(3, 2)))),
        ("v5 3+3 h2 vs 3+2 h1", Contest(Pool(6, 2, terms=(3, 3)), Pool(5, 1, terms=(3, 2)))),
        ("roll 6d10 h2 vs 4d10 willpower", Contest(Pool(6, 2), Pool(4, kind="willpower"))),
        ("roll 6d10 willpower vs 4d10 h1", Contest(Pool(6, kind="willpower"), Pool(4, 1))),
        ("roll 6d10 h2 vs @bob", Contest(Pool(6, 2), against="bob")),
        ("roll 6d10 h2 vs @[b]o\\b^|{x}-_`", Contest(Pool(6, 2), against="[b]o\\b^|{x}-_`")),
        ("roll 6d10 vs @carol@bridge", Contest(Pool(6), against="carol@bridge")),
        ("roll 6d10 h2 vs @Bob.", Contest(Pool(6, 2), against="Bob")),
        ("rouse", Rouse()),
        ("rouse 1", Rouse()),
        ("rouse 3", Rouse(3)),
        ("rouse 3 times", Rouse(3)),
        ("wp 1", Willpower(1)),
        ("wp 3", Willpower(3)),
        ("wp2", Willpower(2)),
        ("wp tens", Willpower(tens=True)),
        ("wp 2 tens", Willpower(2, tens=True)),
        ("wp tens 2", Willpower(2, tens=True)),
        ("wp h2", Willpower(hunger=2)),
        ("wp 2 hunger 3 #4D", Willpower(2, hunger=3, ref="4d")),
        ("wp #4d-27b5pk", Willpower(ref="4d-27b5pk")),
        ("wp #last 2", Willpower(2, ref="last")),
        ("hunger 3", SayHunger(3)),
        ("hunger: 3", SayHunger(3)),
        ("hunger 3 #4d-27B5PK", SayHunger(3, "4d-27b5pk")),
        ("autowin 9 dc4 h1", AutomaticWin((9,), 4, 1)),
        ("autowin 4+5 h1 difficulty 4", AutomaticWin((4, 5), 4, 1)),
        ("autowin 4 + 5 - 1 hunger 0 dc4", AutomaticWin((4, 5, -1), 4, 0)),
        ("pass #4d", Pass("4d")),
        ("withdraw #4D", Withdraw("4d")),
        ("close #4d", Close("4d")),
        ("odds 10d10 h5 dc4", OddsOf(Pool(10, 5, 4))),
        ("odds roll 10d10 h5 dc4", OddsOf(Pool(10, 5, 4))),
        ("odds wp 2", OddsOf(Willpower(2))),
        ("odds rouse", OddsOf(Rouse())),
    ],
)
def test_what_a_sentence_stands_for(typed: str, node: Any) -> None:
    """V5-01, V5-04, V5-05, V5-12..V5-14, V5-18, V5-19, V5-21, V5-24, GEN-06, GEN-08, GEN-09: uncalled."""
    if node is None:
        with pytest.raises(grammars.UnknownCommand):
            grammars.parse(typed)
    else:
        assert grammars.parse(typed) == node


@pytest.mark.parametrize(
    ("typed", "node"),
    [
        ("wp", Willpower()),
        ("pass", Pass()),
        ("withdraw", Withdraw()),
        ("contests", Contests()),
        ("hints on", Hints(wanted=True)),
        ("HINTS OFF", Hints(wanted=False)),
        ("help", Help()),
        ("help messy", Help("messy")),
        ("help V5", Help("v5")),
        ("help?", Help()),
    ],
)
def test_what_counts_only_when_called(typed: str, node: Any) -> None:
    """GEN-10, GEN-13: words alone and words of everyday talk."""
    assert grammars.parse(typed, called=True) == node
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(typed)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("roll 5d10 h2 as Viktor", "Viktor"),
        ("roll 5d10 h2 as @bob # for him", "bob"),
        ("pass #4d as bob", "bob"),
        ("wp 2 as Bob.", "Bob"),
    ],
)
def test_who_is_spoken_for(typed: str, name: str) -> None:
    """GEN-06: `as NAME` after a command."""
    assert grammars.read(typed).speaks_as == name


@pytest.mark.parametrize(("typed", "ref"), [("roll 5d10 h1 #4d", "4d"), ("roll 5d10 # 4d", None), ("roll 5d10", None)])
def test_which_contest_is_answered(typed: str, ref: str | None) -> None:
    """GEN-06: an answer may end with the `#ID` of its contest."""
    assert grammars.read(typed).ref == ref


@pytest.mark.parametrize(
    "arguments",
    [
        {"dice": 0},
        {"dice": 101},
        {"dice": 5, "hunger": 6},
        {"dice": 5, "hunger": -1},
        {"dice": 5, "difficulty": 0},
        {"dice": 5, "hunger": 1, "kind": "willpower"},
    ],
)
def test_a_pool_that_cannot_be_cannot_be_built(arguments: dict[str, Any]) -> None:
    """V5-01, V5-04, V5-05, V5-12."""
    with pytest.raises(ValueError, match=r"."):
        Pool(**arguments)

"""Beat Eight: what is refused, with sentence and column; what is talk; properties; odds against brute force."""

from contextlib import suppress
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timed import best_of_three

import grammars
from grammars.beat_eight import EXAMPLES, Impossible, Opposed, Roll, Side
from grammars.beat_eight.nodes import DIFFICULTIES
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend, evaluate, odds
from ircdice.errors import Refused, RuleError
from ircdice.evaluation import Evaluator
from ircdice.outcome import Earlier

MOST_BYTES = 400
FACES = range(1, 7)


def refused(text):
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "beat_eight", called=True)
    return caught.value


REFUSED = [
    # B8-02: a trait once, whole numbers
    ("b8 t3 t4", 7, "t4: t stands here already, it counts once a side.", "b8 t3"),
    ("b8 t", 4, '"t" is unknown.', None),
    ("b8 t3.5", 4, '"t3.5" is unknown.', None),
    ("b8 t٣", 4, '"t٣" has digits of another kind.', None),
    ("b8 t1/2", 6, '"/2" is unknown.', "b8 t1"),
    ("b8 t4 strength", 7, '"strength" is unknown.', "b8 t4"),
    ("b8 a", 4, '"a" is unknown.', None),
    ("b8 t1000001", 4, "a trait is -1000000 to 1000000, you wrote t1000001.", "b8 t1000000"),
    ("b8 a-1000001", 4, "an ability is -1000000 to 1000000, you wrote a-1000001.", "b8 a-1000000"),
    ("b8 t" + "9" * 300, 4, "a trait is -1000000 to 1000000, you wrote t999999999....", "b8 t1000000"),
    # B8-03: one difficulty, -7 the hardest
    ("b8 t3 -8", 7, "the hardest difficulty is -7: say -7 or impossible, you wrote -8.", "b8 t3 -7"),
    ("b8 -9 t3", 4, "the hardest difficulty is -7: say -7 or impossible, you wrote -9.", "b8 t3 -7"),
    ("b8 -8 x3", 4, "the hardest difficulty is -7: say -7 or impossible, you wrote -8.", "b8 x3 -7"),
    ("b8 severe -3", 11, "a roll has one difficulty: severe stands here already, leave -3 out.", "b8 severe"),
    ("b8 +1 +1", 7, "a roll has one difficulty: +1 stands here already, leave +1 out.", "b8 +1"),
    ("b8 edge t3 normal", 12, "a roll has one difficulty: edge stands here already, leave normal out.", "b8 t3 edge"),
    ("b8 impossible severe", 15, "a roll has one difficulty: impossible stands here already, leave severe out.", None),
    ("b8 -7 impossible", 7, "a roll has one difficulty: -7 stands here already, leave impossible out.", "b8 -7"),
    ("b8 t4 sevre", 7, '"sevre" is unknown.', "b8 t4 severe"),
    ("b8 t4 hard", 7, '"hard" is unknown.', "b8 t4"),
    ("b8 great", 4, '"great" is unknown.', None),
    ("b8 +1000001", 4, "a difficulty is -1000000 to 1000000, you wrote +1000001.", "b8 +1000000"),
    # B8-04: N from 1, once
    ("b8 t4 x0", 7, "x, the number of actions at once, is 1 or more, you wrote x0.", "b8 t4"),
    ("b8 x-2", 4, "x, the number of actions at once, is 1 or more, you wrote x-2.", "b8"),
    ("b8 x2 x3", 7, "x3: x stands here already, it counts once a side.", "b8 x2"),
    ("b8 x1000001", 4, "x, the number of actions at once, is 1 to 1000000, you wrote x1000001.", None),
    ("b8 t4 3x", 7, '"3x" is unknown.', None),
    # B8-06: two sides and no difficulty
    ("b8 t4 severe vs t3", 7, "difficulty is no part of an opposed roll: leave severe out.", "b8 t4 vs t3"),
    ("b8 t4 vs t3 -1", 13, "difficulty is no part of an opposed roll: leave -1 out.", "b8 t4 vs t3"),
    ("b8 t4 vs t3 impossible", 13, "difficulty is no part of an opposed roll: leave impossible out.", "b8 t4 vs t3"),
    ("b8 t4 vs @bob +1", 15, "difficulty is no part of an opposed roll: leave +1 out.", "b8 t4 vs @bob"),
    ("b8 t4 vs @bob t3", 15, "@bob says that for their own side: put yours before vs.", "b8 t4 vs @bob"),
    ("b8 t4 vs t3 vs t2", 13, "vs stands here already: an opposed roll has two sides.", None),
    ("b8 t4 vs @bob vs @carol", 15, "vs stands here already: an opposed roll has two sides.", "b8 t4 vs @bob"),
    ("b8 t4 vs t3 t2", 13, "t2: t stands here already, it counts once a side.", "b8 t4 vs t3"),
    ("b8 t4 vs @", 10, '"@" is unknown.', None),
    # GEN-12, GEN-05: asked back
    ("b8 4", 4, '"4" could be a trait, b8 t4, or a difficulty, b8 +4.', "b8 t4"),
    ("b8 t3 4", 7, '"4" could be an ability, b8 t3 a4, or a difficulty, b8 t3 +4.', "b8 t3 a4"),
    (
        "b8 t4 vs 3",
        7,
        '"vs 3" could be a difficulty, b8 t4 +3, or the target\'s trait, b8 t4 vs t3.',
        "b8 t4 vs t3",
    ),
    # of other systems
    ("b8 t4 dc9", 7, '"dc9" is unknown.', "b8 t4"),
    ("b8 2d6", 4, '"2d6" is unknown.', None),
    ("b8 t4 wp", 7, '"wp" is unknown.', "b8 t4"),
    ("b8 boon", 4, '"boon" is unknown.', None),
    ("b8 (t4)", 4, '"(t4)" is unknown.', None),
]


@pytest.mark.parametrize(("text", "column", "sentence", "hint"), REFUSED)
def test_b8_refused(text, column, sentence, hint):
    """B8-02, B8-03, B8-04, B8-06, GEN-05, GEN-12: one clear sentence, its column, and what would have worked."""
    error = refused(text)
    assert (str(error), error.column) == (sentence, column)
    if hint is not None:
        assert error.hint == hint
    assert error.hint is not None
    grammars.parse(error.hint, "beat_eight", called=True)


@pytest.mark.parametrize(
    "text", ["b8 4", "b8 t3 4", "b8 t4 vs 3", "b8 -9", "b8 x0", "b8 -1 -1", "b8 4 # jump", "b8 t4 sevre"]
)
def test_gen_12_told_uncalled(text):
    """GEN-12, B8-03: what can only have been meant is asked in a channel too."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(text, "beat_eight")


@pytest.mark.parametrize(
    "text",
    [
        "b8",
        "b8!",
        "b8 m8",
        "b8 4 breakfast",
        "b8 x",
        "b8 a day",
        "b8 normal people do",
        "b8 it",
        "b8er",
        "b8t",
        "b8m8",
        "b8t4ever",
        "b8a day",
        "b8s",
        "b80 t4",
        "b8 2nite",
        "b8 vs the world",
        "b8 great stuff",
        "b8 -9 degrees out",
    ],
)
def test_b8_09_talk(text):
    """B8-09, GEN-10: words of everyday talk are met with silence."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "beat_eight")


def test_long_lines_stay_short_and_fast():
    """GEN-15: no refusal is over 400 bytes, nor slow."""
    evaluator = Evaluator()
    for text in ("b8 " + "a1 " * 130 + "4", "b8 " + "9" * 390, "b8 " + "t4" * 190, "b8 " + "-" * 390, "b8 vs" * 80):
        answer, seconds = best_of_three(
            lambda text=text: evaluator.evaluate({"text": f"!{text}", "system": "beat_eight"})
        )
        assert seconds < 0.05
        assert len(answer["private_reply"].encode()) <= MOST_BYTES
    evaluator.close()


def test_b8_03_the_ladder_is_the_seeds():
    """B8-03: the seed's numbers, each by its words, in its order."""
    assert list(DIFFICULTIES.values()) == [3, 1, 1, 0, -1, -1, -3, -3, -5, -7]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("b8t4", "b8 t4"),
        ("B8T4A1 severe", "b8 t4 a1 severe"),
        ("b8a-1", "b8 a-1"),
        ("b8x3 t4", "b8 t4 x3"),
        ("b8t4 vs t3x2", "b8 t4 vs t3 x2"),
        ("odds b8t4", "odds b8 t4"),
    ],
)
def test_gen_04_tight_behind_its_word(text, meant):
    """GEN-04: what follows may stand tight behind `b8`, as dice do behind `roll`."""
    assert grammars.parse(text, "v5") == grammars.parse(meant, "v5")


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_work(text):
    """Design: what help shows can be said."""
    assert str(grammars.parse(text, "beat_eight")) == text


@pytest.mark.parametrize(
    "build",
    [
        lambda: Side(actions=0),
        lambda: Roll(difficulty=-8),
        lambda: Roll(difficulty=-3, word="edge"),
        lambda: Roll(word="hard"),
        lambda: Opposed(Side()),
        lambda: Opposed(Side(), Side(), "bob"),
    ],
)
def test_what_is_not_valid_cannot_be_built(build):
    """B8-03, B8-04, B8-06: such a node does not exist."""
    with pytest.raises(ValueError, match=r"."):
        build()


numbers = st.integers(-30, 30)
sides = st.builds(Side, numbers, st.lists(numbers, max_size=3).map(tuple), st.integers(1, 6))
by_word = st.sampled_from(sorted(DIFFICULTIES)).flatmap(
    lambda w: st.builds(Roll, sides, st.just(DIFFICULTIES[w]), st.just(w))
)
by_number = st.builds(Roll, sides, st.integers(-7, 30))
nodes = st.one_of(
    by_word,
    by_number,
    st.builds(Impossible, sides),
    st.builds(Opposed, sides, sides),
    st.builds(lambda side: Opposed(side, None, "bob"), sides),
)
faces = st.tuples(*[st.integers(1, 6)] * 4)


@given(nodes)
def test_the_text_of_a_node_is_that_node(node):
    """Design: `str(node)` parses to the same node."""
    assert grammars.parse(str(node), "beat_eight", called=True) == node


@given(st.one_of(by_word, by_number), faces)
def test_replayed_faces_give_the_same_outcome(node, thrown):
    """Design: a record is text and faces."""
    again = grammars.parse(str(node), "beat_eight", called=True)
    assert evaluate(node, ScriptedDice(thrown)) == evaluate(again, ScriptedDice(thrown))


@given(by_number, st.integers(0, 5))
def test_more_never_lowers_the_chance(roll, more):
    """B8-02, B8-05: a higher ability never lowers the chance, and the naturals bound it."""
    better = Roll(Side(roll.side.trait, (*roll.side.abilities, more), roll.side.actions), roll.difficulty)
    low, high = (odds(node).outcomes.get("success", Fraction()) for node in (roll, better))
    assert Fraction(1, 36) <= low <= high <= Fraction(35, 36)


@given(st.one_of(by_word, by_number))
def test_odds_against_brute_force(roll):
    """B8-01, B8-05: over all 36 throws."""
    brute = [evaluate(roll, ScriptedDice(throw)) for throw in product(FACES, repeat=2)]
    _same(odds(roll), brute)


@pytest.mark.parametrize("text", ["b8 t4 vs t4", "b8 vs t3 x2", "b8 t9 vs", "b8 t-20 vs t20", "b8 t4 a1 vs t3 x2"])
def test_opposed_odds_against_brute_force(text):
    """B8-06, B8-07: over all 1296 throws."""
    node = grammars.parse(text, "beat_eight")
    exact = odds(node)
    _same(exact, [evaluate(node, ScriptedDice(throw)) for throw in product(FACES, repeat=4)])


def _same(exact, brute):
    assert sum(exact.together.values()) == sum(exact.values.values()) == 1
    for label in {label for outcome in brute for label in outcome.labels}:
        assert exact.outcomes[label] == Fraction(sum(label in outcome.labels for outcome in brute), len(brute))
    assert set(exact.outcomes) == {label for outcome in brute for label in outcome.labels}
    for total, chance in exact.values.items():
        assert chance == Fraction(sum(outcome.values["total"] == total for outcome in brute), len(brute))


@pytest.mark.parametrize("text", ["b8 impossible", "b8 t4 vs @bob"])
def test_no_odds(text):
    """B8-03, GEN-08: what does not roll, or hangs on another's roll, says so."""
    with pytest.raises(RuleError, match="odds"):
        odds(grammars.parse(text, "beat_eight"))


def test_gen_06_what_is_no_answer_changes_no_roll():
    """GEN-06: an opposed roll of one's own, which is no answer, leaves the open contest as it is."""
    opening, stray = (grammars.parse(text, "beat_eight") for text in ("b8 t4 vs @bob", "b8 t4 vs t3"))
    earlier = Earlier(opening, evaluate(opening, ScriptedDice((4, 3))))
    with pytest.raises(RuleError, match="nothing can be changed about that roll by b8 t4 vs t3"):
        amend(stray, earlier, ScriptedDice((6, 6)))


@given(st.text(alphabet="b8 taxvs@+-0123456789.severimpoblng#", max_size=24))
def test_random_text_is_read_or_refused(text):
    """Bad input: nothing but a node or a refusal ever comes back, and a node's text is that node."""
    with suppress(Refused):
        node = grammars.parse(f"b8 {text}", "beat_eight", called=True)
        assert grammars.parse(str(node), "beat_eight", called=True) == node


def test_gen_15_no_line_is_too_long():
    """GEN-15: a roll, its odds and an open contest of 400 characters are posted within 400 bytes."""
    evaluator = Evaluator()
    many = "b8" + " a1" * 125
    for text in (many, f"odds {many}", f"{many} vs @bob", f"{many} vs t1"):
        answer = evaluator.evaluate({"text": text, "system": "beat_eight"})
        assert len(answer["reply"].encode()) <= MOST_BYTES
    evaluator.close()

"""Beat Eight: what each text reads as; what is refused, and where; what is talk; properties."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammars
from grammars.beat_eight import DIFFICULTIES, Impossible, Opposed, Roll
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend, evaluate, odds
from ircdice.errors import RuleError
from ircdice.evaluation import Evaluator
from ircdice.outcome import Earlier

MOST_BYTES = 400
FACES = range(1, 7)


READ = [
    ("b8 t4", Roll(4)),
    ("b8 t4 a1 a-1", Roll(4, (1, -1))),
    ("b8 a1 x3 t4", Roll(4, (1,), 3)),
    ("b8 +2", Roll(difficulty=2)),
    ("b8 t4 -3", Roll(4, difficulty=-3)),
    ("b8 t4 - 3", Roll(4, difficulty=-3)),
    ("b8 t4 \N{MINUS SIGN}3", Roll(4, difficulty=-3)),
    ("b8 t4a1 severe", Roll(4, (1,), difficulty="severe")),  # GEN-04
    ("b8 t 4, a: 1, x=2", Roll(4, (1,), 2)),
    ("b8t4", Roll(4)),
    ("B8T4A1 SEVERE.", Roll(4, (1,), difficulty="severe")),
    ("b8 trait 4 ability 1", Roll(4, (1,))),  # GEN-18
    ("b8 trait 4 abilities 1 edge", Roll(4, (1,), difficulty="edge")),
    ("b8 t4 multitask 2", Roll(4, (), 2)),
    ("b8 t4 a1 multitask 2", Roll(4, (1,), 2)),
    ("b8 t4 position of advantage", Roll(4, difficulty="advantage")),
    ("b8 t4 position of great disadvantage", Roll(4, difficulty="great-disadvantage")),
    ("b8 t4 laughably easy", Roll(4, difficulty="laughable")),
    ("b8 t4 ridiculously difficult", Roll(4, difficulty="ridiculous")),
    ("b8 t4 great disadvantage", Roll(4, difficulty="great-disadvantage")),  # B8-03
    ("b8 practically impossible t4", Roll(4, difficulty="practically-impossible")),
    ("b8 t4 impossible", Impossible(Roll(4))),
    ("b8 t4 a1 vs t3 x2", Opposed(Roll(4, (1,)), Roll(3, (), 2))),  # B8-06
    ("b8 trait 3 vs. trait 2", Opposed(Roll(3), Roll(2))),
    ("b8 t4 vs @bob", Opposed(Roll(4), against="bob")),
    ("b8 t4 vs", Opposed(Roll(4), Roll())),  # B8-09
    ("b8 vs t3 # they run", Opposed(Roll(), Roll(3))),
]


@pytest.mark.parametrize(("text", "node"), READ)
def test_b8_reads(text, node):
    """B8-02, B8-03, B8-04, B8-06, B8-09, GEN-04, GEN-18: every spelling, and the same again from its own text."""
    assert grammars.parse(text, "beat_eight") == node
    assert grammars.parse(str(node), "beat_eight") == node


@pytest.mark.parametrize("word", DIFFICULTIES)
def test_b8_03_every_word_has_its_number(word):
    """B8-03: each word of the ladder, with a space or nothing for its hyphen."""
    for typed in (word, word.replace("-", " "), word.replace("-", ""), word.upper()):
        assert grammars.parse(f"b8 t4 {typed}", "beat_eight") == Roll(4, difficulty=word)


@pytest.mark.parametrize(
    ("text", "node", "comment"),
    [
        ("b8 t4 a1 jump the fence", Roll(4, (1,)), "jump the fence"),
        ("b8t4a1 jump the fence", Roll(4, (1,)), "jump the fence"),
        ("b8 t3 dodge", Roll(3), "dodge"),
        ("b8 -3 dodge", Roll(difficulty=-3), "dodge"),
        ("b8 t3 vs t2 wrestling", Opposed(Roll(3), Roll(2)), "wrestling"),
        ("b8 t4 a1 for glory", Roll(4, (1,)), "glory"),
        ("b8 t4 severe climbing", Roll(4, difficulty="severe"), "climbing"),
        ("b8 t4 # 3rd try", Roll(4), "3rd try"),
    ],
)
def test_gen_03_plain_words_are_a_comment(text, node, comment):
    """GEN-03: after a number with its letter, plain words are a comment."""
    reading = grammars.read(text, "beat_eight")
    assert (reading.node, reading.comment) == (node, comment)


def refused(text):
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "beat_eight", called=True)
    return caught.value


NO_LETTER = '"4" could be a trait, t4, an ability, a4, or a difficulty, +4.'
REFUSED = [
    # B8-02: a trait once, whole numbers
    ("b8 t3 t4", 7, "trait is given twice: leave t3 or t4 out."),
    ("b8 t", 4, '"t" is unknown.'),
    ("b8 trait", 4, '"trait" is unknown.'),
    ("b8 t3.5", 4, '"t3.5" is unknown.'),
    ("b8 t\N{ARABIC-INDIC DIGIT THREE}", 4, '"t\N{ARABIC-INDIC DIGIT THREE}" has digits of another kind.'),
    ("b8 t1/2", 6, '"/2" is unknown.'),
    ("b8 a", 4, '"a" is unknown.'),
    ("b8 strength", 4, '"strength" is unknown.'),
    ("b8 t1000001", 4, "trait is -1000000 to 1000000, you wrote t1000001."),
    ("b8 a-1000001", 4, "ability is -1000000 or more, you wrote a-1000001."),
    # B8-03: one difficulty, -7 the hardest
    ("b8 t3 -8", 7, "the hardest difficulty is -7: write -7 or impossible, you wrote -8."),
    ("b8 -8 x3", 4, "the hardest difficulty is -7: write -7 or impossible, you wrote -8."),
    ("b8 severe -3", 11, "difficulty is given twice: leave severe or -3 out."),
    ("b8 +1 +1", 7, "difficulty is given twice: leave one out."),
    ("b8 edge t3 normal", 12, "difficulty is given twice: leave edge or normal out."),
    ("b8 -7 impossible", 7, "difficulty is given twice: leave -7 or impossible out."),
    (
        "b8 hard",
        4,
        '"hard" is no difficulty here: they are laughable, advantage, edge, normal, disadvantage, awkward, severe,'
        " great-disadvantage, ridiculous, practically-impossible, impossible.",
    ),  # GEN-18
    ("b8 great", 4, '"great" is unknown.'),
    ("b8 +1000001", 4, "a difficulty is -1000000 to 1000000, you wrote +1000001."),
    # B8-04: N from 1, once
    ("b8 t4 x0", 7, "x, the number of actions at once, is 1 or more, you wrote x0."),
    ("b8 x-2", 4, "x, the number of actions at once, is 1 or more, you wrote x-2."),
    ("b8 x2 multitask 3", 7, "actions is given twice: leave x2 or multitask 3 out."),
    ("b8 x1000001", 4, "x, the number of actions at once, is 1 to 1000000, you wrote x1000001."),
    # B8-06: two sides and no difficulty
    ("b8 t4 severe vs t3", 7, "difficulty is no part of an opposed roll: leave it out."),
    ("b8 t4 +0 vs t3", 7, "difficulty is no part of an opposed roll: leave it out."),
    ("b8 t4 impossible vs t3", 7, "difficulty is no part of an opposed roll: leave it out."),
    ("b8 t4 vs t3 -1", 13, "difficulty is no part of an opposed roll: leave -1 out."),
    ("b8 t4 vs t3 impossible", 13, "difficulty is no part of an opposed roll: leave impossible out."),
    ("b8 t4 vs @bob +1", 15, "difficulty is no part of an opposed roll: leave +1 out."),
    ("b8 t4 vs @bob t3", 15, "t3 after @nick is for the other side to type: leave it out."),
    ("b8 t4 vs t3 vs t2", 13, "a roll has two sides at most: leave the second vs out."),
    ("b8 t4 vs @bob vs @carol", 15, "a roll has two sides at most: leave the second vs out."),
    ("b8 t4 vs t3 t2", 13, "trait is given twice: leave t3 or t2 out."),
    ("b8 t4 vs @", 10, '"@" is unknown.'),
    ("b8 t4 vs guard t3", 10, '"guard" is unknown.'),
    # GEN-05, GEN-12: asked
    ("b8 4", 4, NO_LETTER),
    ("b8 t3 4.", 7, NO_LETTER),
    ("b8 4 a1", 4, '"4" is unknown.'),
    ("b8 t4 vs 3", 10, '"vs 3" could be a difficulty, +3, or the trait of the target, vs t3.'),
    # of other systems
    (
        "b8 t4 dc9",
        7,
        "the number to beat is always 8: a difficulty is a word, as severe, or a number with its sign, as -3.",
    ),
    ("b8 boon", 4, '"boon" is unknown.'),
    ("b8 (t4)", 4, '"(t4)" is unknown.'),
    # GEN-03: a word that may have been meant
    ("b8 t4 a1 floor 3", 10, 'is "3" part of the roll, or of a comment? Put # before a comment.'),
    ("b8 t4 plus one", 7, '"plus" is unknown.'),
]


@pytest.mark.parametrize(("text", "column", "sentence"), REFUSED)
def test_b8_refused(text, column, sentence):
    """B8-02, B8-03, B8-04, B8-06, GEN-03, GEN-05, GEN-12: one clear sentence, and its column."""
    error = refused(text)
    assert (str(error).partition(" For example")[0], error.column) == (sentence, column)
    assert error.hint is None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("b8 t4 sevre", "b8 t4 severe"),
        ("b8 t4 advantege", "b8 t4 advantage"),
        ("b8 t4 great disadvantge", "b8 t4 great-disadvantage"),
        ("b8 t4 abilty 2", "b8 t4 a2"),
        ("b8 t4 skill 2", "b8 t4 a2"),
        ("b8 t4 against t3", "b8 t4 vs t3"),
        ("b8 t4 against @bob", "b8 t4 vs @bob"),
        ("b8 t4 v bob", "b8 t4 vs @bob"),
        ("b8 t4 vs bob", "b8 t4 vs @bob"),
        ("b8 t4 vs. bob for glory", "b8 t4 vs. @bob for glory"),
    ],
)
def test_gen_11_the_hint_keeps_every_number(text, hint):
    """GEN-11: what is offered differs by a spelling alone, and is accepted when it is typed."""
    assert refused(text).hint == hint
    grammars.parse(hint, "beat_eight")


@pytest.mark.parametrize("text", ["b8 4", "b8 t3 4", "b8 t4 vs 3", "b8 x0", "b8 4 # jump", "b8 4!", "b8 t4 sevre"])
def test_gen_12_asked_uncalled(text):
    """GEN-12, GEN-05: what can only have been meant is asked in a channel too."""
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
        "b8 lol",
        "b8er",
        "b8t",
        "b8m8",
        "b8t4ever",
        "b8a day",
        "b8s",
        "b80 t4",
        "b8 2nite",
        "b8 10/10",
        "b8 vs the world",
        "b8 great stuff",
        "b8 -9 degrees out",
        "b8 for a good cause",
        "b8 #clickbait",
    ],
)
def test_b8_09_talk(text):
    """B8-09, GEN-10: words of everyday talk are met with silence."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "beat_eight")


def test_b8_09_alone_when_called():
    """B8-09: `b8` alone is a roll where the bot is called."""
    assert grammars.parse("b8", "beat_eight", called=True) == Roll()


def test_b8_03_the_ladder_is_the_seeds():
    """B8-03: the rulebook's numbers, each by its words, in its order."""
    assert list(DIFFICULTIES.values()) == [3, 1, 1, 0, -1, -1, -3, -3, -5, -7]


@pytest.mark.parametrize(
    "build",
    [
        lambda: Roll(actions=0),
        lambda: Roll(difficulty=-8),
        lambda: Roll(difficulty=1_000_001),
        lambda: Opposed(Roll()),
        lambda: Opposed(Roll(), Roll(), "bob"),
        lambda: Opposed(Roll(), Roll(difficulty=-3)),
        lambda: Opposed(Roll(difficulty="normal"), Roll()),
    ],
)
def test_what_is_not_valid_cannot_be_built(build):
    """B8-03, B8-04, B8-06: such a node does not exist."""
    with pytest.raises(ValueError, match=r"."):
        build()


numbers = st.integers(-30, 30)
parts = numbers, st.lists(numbers, max_size=3).map(tuple), st.integers(1, 6)
sides, by_number = st.builds(Roll, *parts), st.builds(Roll, *parts, st.integers(-7, 30))
nodes = st.one_of(
    st.builds(Roll, *parts, st.sampled_from(sorted(DIFFICULTIES))),
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


@given(by_number, st.integers(0, 5))
def test_more_never_lowers_the_chance(roll, more):
    """B8-02, B8-05: a higher ability never lowers the chance, and the naturals bound it."""
    better = replace(roll, abilities=(*roll.abilities, more))
    low, high = (odds(node).outcomes.get("success", Fraction()) for node in (roll, better))
    assert Fraction(1, 36) <= low <= high <= Fraction(35, 36)


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


def test_gen_15_no_line_is_too_long():
    """GEN-15: a roll, its odds and an open contest of 400 characters are posted within 400 bytes."""
    evaluator = Evaluator()
    many = "b8" + " a1" * 125
    for text in (many, f"odds {many}", f"{many} vs @bob", f"{many} vs t1"):
        answer = evaluator.evaluate({"text": text, "system": "beat_eight"})
        assert len(answer["reply"].encode()) <= MOST_BYTES
    evaluator.close()

"""Fayrewood: what is refused, with sentence and column; what is talk."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timed import best_of_three
from tosses import clashes, faces_of, sweeps, tosses, waiting

import grammars
from grammars.fayrewood import EXAMPLES, Clash, Main, Pool, Sweep, Toss
from grammars.fayrewood.nodes import DIFFICULTIES, LADDER, MODIFIERS
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend, evaluate
from ircdice.errors import Refused, RuleError
from ircdice.evaluation import Evaluator
from ircdice.outcome import Earlier

MOST_BYTES = 400


def refused(text):
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "fayrewood", called=True)
    return caught.value


NO_MAIN = "wants at least one main die"
REFUSED = [
    # FW-01: one or two main dice of the ladder, one of them at least there
    ("toss", 5, "toss is not complete.", None),
    ("toss 0", 6, f"a toss {NO_MAIN}, and 0 is none.", "toss d4"),
    ("toss 0 0", 6, f"a toss {NO_MAIN}, and 0 is none.", "toss d4 0"),
    ("toss 1down", 6, f"a toss {NO_MAIN}, and 1down is none.", "toss d4"),
    ("toss 0 boon dc3", 6, f"a toss {NO_MAIN}, and 0 is none.", "toss d4 boon dc3"),
    ("toss boon", 6, f"a toss {NO_MAIN}, a level from 1 or a die.", "toss d4 boon"),
    ("toss boon dc3", 6, f"a toss {NO_MAIN}, a level from 1 or a die.", "toss d4 boon dc3"),
    ("toss dc3", 6, f"a toss {NO_MAIN}, a level from 1 or a die.", "toss d4 dc3"),
    ("toss 6", 6, "a level is 0 to 5, you wrote 6: a difficulty is written dc7.", "toss d6"),
    ("toss 3 9", 8, "a level is 0 to 5, you wrote 9: a difficulty is written dc7.", "toss d8 d12"),
    ("toss d20", 6, "a main die is one of d4, d6, d8, d10, d12, you wrote d20.", "toss d12"),
    ("toss d7 dc3", 6, "a main die is one of d4, d6, d8, d10, d12, you wrote d7.", None),
    ("toss 2d8", 6, "each main die is named by itself: d8 d8, not 2d8.", "toss d8 d8"),
    ("toss 3d6 dc7", 6, "each main die is named by itself: d6, not 3d6.", "toss d6 dc7"),
    ("toss 0d6", 6, "each main die is named by itself: d6, not 0d6.", "toss d6"),
    ("toss 3 2d8", 8, "each main die is named by itself: d8 d8, not 2d8.", None),
    ("toss -1", 6, '"-1" is unknown.', None),
    ("toss 3.5", 6, '"3.5" is unknown.', None),
    ("toss 3+2", 7, '"+2" is unknown.', "toss d8 d6"),
    ("toss ٣", 6, '"٣" has digits of another kind.', None),
    ("toss 3 2 d8", 10, "a toss has two main dice at most: leave d8 out.", "toss d8 d6"),
    ("toss 3 2 1up", 10, "a toss has two main dice at most: leave 1up out.", "toss d8 d6"),
    ("toss 3 2 dc5 7", 14, "a toss has two main dice at most: leave 7 out.", "toss d8 d6 dc5"),
    ("toss " + "9" * 300, 6, "a level is 0 to 5, you wrote 999999999...: a difficulty is written dc7.", "toss d12"),
    # FW-02: rungs from 1
    ("toss 3up0", 6, "a number of rungs is 1 or more, you wrote 0.", None),
    ("toss 3up1000001", 6, "a number of rungs is 1 to 1000000, you wrote 1000001.", None),
    ("toss 3upp", 9, '"upp" is unknown.', None),
    ("toss up 3", 6, '"up" is unknown.', None),
    # FW-03: one modifier die
    ("toss 3 boon bane", 13, "bane: boon stands here already, a toss has one modifier die at most.", "toss d8 boon"),
    ("toss 3 boon boon", 13, "boon: boon stands here already, a toss has one modifier die at most.", "toss d8 boon"),
    ("toss 3 frayed dc5 bane", 19, "bane: frayed stands here already, a toss has one modifier", "toss d8 frayed dc5"),
    ("toss 3 bon", 8, '"bon" is unknown.', "toss d8 boon"),
    # FW-04: one difficulty, from 1
    ("toss 3 dc0", 8, "a difficulty is 1 or more, you wrote 0.", "toss d8 dc1"),
    ("toss 3 dc-2", 8, "a difficulty is 1 or more, you wrote -2.", "toss d8 dc1"),
    ("toss 3 dc1000001", 8, "a difficulty is 1 to 1000000, you wrote 1000001.", "toss d8 dc1000000"),
    ("toss 3 dc5 dc6", 12, "dc6: dc5 stands here already, one is enough.", "toss d8 dc5"),
    ("toss 3 dc", 8, "dc wants a number behind it.", "toss d8"),
    ("toss 3 dificulty 7", 8, '"dificulty" is unknown.', "toss d8 dc7"),
    # FW-11
    ("sweep 3 2", 10, "a sweep wants a difficulty, as dc3.", "sweep d8 d6 dc3"),
    ("sweep dc3", 7, f"a sweep {NO_MAIN}, a level from 1 or a die.", "sweep d4 dc3"),
    ("sweep 0 dc3", 7, f"a sweep {NO_MAIN}, and 0 is none.", "sweep d4 dc3"),
    (
        "sweep 3 2 help 1 dc3",
        11,
        "a sweep takes main dice, a modifier die and a difficulty: leave help 1 out.",
        "sweep d8 d6 dc3",
    ),
    ("sweep 3 vs 4 1", 9, "a sweep takes main dice, a modifier die and a difficulty: leave vs out.", None),
    ("sweep 3 vs @bob dc3", 9, "a sweep takes main dice, a modifier die and a difficulty: leave vs @bob out.", None),
    # FW-12
    ("toss 3 help 2", 8, "help steps up the second main die, and there is one only: say boon.", "toss d8 boon"),
    ("toss 3 2 boon help 1", 15, "help steps up a die or brings a boon, not both: leave one out.", "toss d8 d6 boon"),
    ("toss 3 2 help 0", 15, "help's number of helpers is 1 or more, you wrote 0.", "toss d8 d6 help 1"),
    ("toss 3 2 help", 10, "help wants a number behind it.", "toss d8 d6"),
    ("toss 3 2 help 1 help 2", 17, "help 2: help 1 stands here already, one is enough.", "toss d8 d6 help 1"),
    # FW-13
    (
        "toss 3 2 vs 4 1 dc5",
        17,
        "with vs the other side's total is the difficulty: leave dc5 out.",
        "toss d8 d6 vs d10 d4",
    ),
    (
        "toss 3 2 dc5 vs @bob",
        10,
        "with vs the other side's total is the difficulty: leave dc5 out.",
        "toss d8 d6 vs @bob",
    ),
    ("toss 3 2 vs bob", 13, "vs wants main dice or @nick behind it: toss 3 2 vs @bob.", "toss d8 d6 vs @bob"),
    (
        "fw d4 boon vs. Bob2.",
        16,
        "vs wants main dice or @nick behind it: fw d4 boon vs @Bob2.",
        "toss d4 boon vs @Bob2",
    ),
    ("toss 3 vs bob # ha", 11, "vs wants main dice or @nick behind it: toss 3 vs @bob.", "toss d8 vs @bob"),
    (
        "toss 3 2 dc5 vs bob",
        10,
        "with vs the other side's total is the difficulty: leave dc5 out.",
        "toss d8 d6 vs @bob",
    ),
    ("toss 3 2 vs @bob 3", 18, "@bob says that for their own side: put yours before vs.", "toss d8 d6 vs @bob"),
    ("toss 3 2 vs @bob boon", 18, "@bob says that for their own side: put yours before vs.", "toss d8 d6 vs @bob"),
    ("toss 3 vs 4 1 vs 2 1", 15, "vs stands here already: a clash has two sides.", None),
    ("toss 3 2 vs", 10, f"vs {NO_MAIN}, a level from 1 or a die.", None),
    ("toss 3 2 vs boon", 10, f"vs {NO_MAIN}, a level from 1 or a die.", "toss d8 d6 vs d4 boon"),
    ("toss 3 2 vs 0", 13, f"vs {NO_MAIN}, and 0 is none.", "toss d8 d6 vs d4"),
    ("toss boon vs 4 1", 6, f"a toss {NO_MAIN}, a level from 1 or a die.", "toss d4 boon vs d10 d4"),
    ("toss 3 2 vs 4 1 2", 17, "a toss has two main dice at most: leave 2 out.", "toss d8 d6 vs d10 d4"),
    ("toss 3 2 vs 4 1 boon bane", 22, "bane: boon stands here already, a toss has one modifier die", None),
    # GEN-05, GEN-12: asked back
    (
        "toss 3 2 7",
        10,
        '"7" could be a difficulty, toss 3 2 dc7, or a third main die, and a toss has two at most.',
        "toss d8 d6 dc7",
    ),
    (
        "toss 3 2 vs 5",
        10,
        '"vs 5" could be a difficulty, toss 3 2 dc5, or a die, toss 3 2 vs d12.',
        "toss d8 d6 dc5",
    ),
    ("toss 3 2 dc3 vs 2", 10, "with vs the other side's total is the difficulty: leave dc3 out.", None),
    ("toss 3 2 vs 2", 10, '"vs 2" could be a difficulty, toss 3 2 dc2, or a die, toss 3 2 vs d6.', "toss d8 d6 dc2"),
    ("fw 3 vs 9 for the door", 6, '"vs 9" could be a difficulty, fw 3 dc9, or a die, fw 3 vs d12.', None),
    # of other systems
    ("toss 3 h2", 8, '"h2" is unknown.', "toss d8"),
    ("toss 3 t4", 8, '"t4" is unknown.', "toss d8"),
]


@pytest.mark.parametrize(("text", "column", "sentence", "hint"), REFUSED)
def test_fw_refused(text, column, sentence, hint):
    """FW-01, FW-02, FW-03, FW-04, FW-11, FW-12, FW-13, GEN-05, GEN-12: a sentence, its column, and what would work."""
    error = refused(text)
    assert str(error).startswith(sentence)
    assert error.column == column
    if hint is not None:
        assert error.hint == hint
    assert error.hint is not None
    grammars.parse(error.hint, "fayrewood", called=True)


@pytest.mark.parametrize(
    "text",
    ["toss 3 2 7", "toss 3 2 vs 5", "odds toss 3 2 vs 5", "toss 0", "toss 2d8", "toss 3 boon bane", "toss 3 2 7 # up"],
)
def test_gen_12_told_uncalled(text):
    """GEN-12: what can only have been meant is asked in a channel too."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(text, "fayrewood")


@pytest.mark.parametrize(
    "text",
    [
        "toss",
        "sweep",
        "fw",
        "toss me the keys",
        "toss 2 beers my way",
        "toss 1 nade and he's dead",
        "sweep 3 rooms then rest",
        "sweep 1",
        "sweep the leg",
        "toss 20",
        "toss 3 2 7 beers",
        "toss it",
        "toss 2 coins down",
        "tossed 3 2",
        "fwiw 3",
        "toss 3 up high",
        "sweep 3 2",
        "toss-up 3",
        "toss it 3",
        "sweep 3 rooms",
        "toss 3 2 vs the 3 others",
        "toss 3 2 vs the others",
        "toss it vs bob",
        "toss vs bob",
        "toss me 2 boons",
        "toss a boon",
        "toss 2nd",
    ],
)
def test_gen_10_talk(text):
    """GEN-10, GEN-04: words of everyday talk are met with silence."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "fayrewood")


def test_long_lines_stay_short_and_fast():
    """GEN-15: no reply is over 400 bytes, nor slow."""
    evaluator = Evaluator()
    texts = ["toss " + "3 " * 190, "toss " + "9" * 390, "toss 3 " + "boon " * 70, "toss " + "3up" * 120]
    texts += ["toss 3 vs " * 39, "sweep " + "d" * 380, "toss 3 dc" + "9" * 380, "toss 3up" + "9" * 6]
    for text in (*texts, *(f"odds {text}" for text in texts)):
        answer, seconds = best_of_three(
            lambda text=text: evaluator.evaluate({"text": f"!{text}", "system": "fayrewood"})
        )
        assert seconds < 0.05
        assert len((answer.get("private_reply") or answer["reply"]).encode()) <= MOST_BYTES
    evaluator.close()


def test_the_tables_are_the_seeds():
    """FW-01, FW-03, FW-09: the seed's ladder, modifier dice and difficulties, in its order."""
    assert LADDER == (0, 4, 6, 8, 10, 12)
    assert MODIFIERS == {"boon": (4, 1), "bane": (4, -1), "frayed": (8, 1)}
    assert list(DIFFICULTIES) == [3, 5, 7, 9, 11, 13, 15]


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_work(text):
    """Design: what help shows can be said."""
    assert str(grammars.parse(text, "fayrewood")) == text


D8 = (Main(3),)


@pytest.mark.parametrize(
    "build",
    [
        lambda: Main(6),
        lambda: Main(-1),
        lambda: Pool(()),
        lambda: Pool((Main(0),)),
        lambda: Pool((Main(0), Main(1, -1)), "boon"),
        lambda: Pool(D8 * 3),
        lambda: Pool(D8, "bless"),
        lambda: Pool(D8, None, 1),
        lambda: Pool(D8 * 2, "boon", 1),
        lambda: Pool(D8 * 2, None, -1),
        lambda: Toss(Pool(D8), 0),
        lambda: Sweep(Pool(D8), 0),
        lambda: Sweep(Pool(D8 * 2, None, 1), 3),
        lambda: Clash(Pool(D8)),
        lambda: Clash(Pool(D8), Pool(D8), "bob"),
    ],
)
def test_what_is_not_valid_cannot_be_built(build):
    """FW-01, FW-03, FW-04, FW-12, FW-13: such a node does not exist."""
    with pytest.raises(ValueError, match=r"."):
        build()


@given(st.one_of(tosses, clashes, sweeps, waiting))
def test_the_text_of_a_node_is_that_node(node):
    """Design: `str(node)` parses to the same node."""
    assert grammars.parse(str(node), "fayrewood", called=True) == node


@given(st.one_of(tosses, clashes), st.data())
def test_replayed_faces_give_the_same_outcome(node, data):
    """Design: a record is text and faces; and no reply holds a bracket."""
    sides = faces_of(node.pool) if isinstance(node, Toss) else faces_of(node.acting) + faces_of(node.other)
    thrown = [data.draw(st.sampled_from(faces)) for faces in sides]
    again = grammars.parse(str(node), "fayrewood", called=True)
    assert evaluate(node, ScriptedDice(thrown)) == evaluate(again, ScriptedDice(thrown))


def test_gen_06_what_is_no_answer_changes_no_roll():
    """GEN-06: a clash of one's own, which is no answer, leaves the open one as it is."""
    opening, stray = (grammars.parse(text, "fayrewood") for text in ("toss 3 2 vs @bob", "toss 3 2 vs 2 1"))
    earlier = Earlier(opening, evaluate(opening, ScriptedDice((4, 3))))
    with pytest.raises(RuleError, match="nothing can be changed about that roll by toss d8 d6 vs d6 d4"):
        amend(stray, earlier, ScriptedDice((6, 6)))


@given(st.text(alphabet="tos fwepdc@0123456789.vupnhlr#-ab", max_size=24))
def test_random_text_is_read_or_refused(text):
    """Bad input: nothing but a node or a refusal ever comes back, and a node's text is that node."""
    for word in ("toss", "sweep"):
        with suppress(Refused):
            node = grammars.parse(f"{word} {text}", "fayrewood", called=True)
            assert grammars.parse(str(node), "fayrewood", called=True) == node

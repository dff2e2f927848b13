"""Fayrewood: what each text reads as; what is refused, and where; what is talk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tosses import clashes, sweeps, tosses, waiting

import grammars
from grammars.fayrewood import DIFFICULTIES, LADDER, MODIFIERS, Clash, Main, Pool, Sweep, Toss
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend, evaluate
from ircdice.errors import RuleError
from ircdice.outcome import Earlier

MOST_BYTES = 400


D8, D6, D10, D4 = Main(3), Main(2), Main(4), Main(1)
BOTH = Pool((D8, D6))
READ = [
    ("toss d8 d6", Toss(BOTH)),
    ("toss 3 2", Toss(BOTH)),
    ("toss 1d8 2", Toss(BOTH)),
    ("toss 3", Toss(Pool((D8,)))),
    ("toss 0 2", Toss(Pool((Main(0), D6)))),
    ("fw d8 d6 dc7", Toss(BOTH, 7)),
    ("toss 3 2 dc:7", Toss(BOTH, 7)),  # GEN-04
    ("toss 3 2 diff 7", Toss(BOTH, 7)),
    ("Toss 3 2 Difficulty 7.", Toss(BOTH, 7)),
    ("toss d8, d6, boon, dc7", Toss(Pool((D8, D6), "boon"), 7)),
    ("toss d8d6dc7", Toss(BOTH, 7)),
    ("tossd8 d6", Toss(BOTH)),
    ("toss boon d8 dc7 d6", Toss(Pool((D8, D6), "boon"), 7)),
    ("toss 3 2 moderate", Toss(BOTH, 7)),  # GEN-18
    ("toss 3 2 boon hard", Toss(Pool((D8, D6), "boon"), 11)),
    ("toss 3up 2", Toss(Pool((Main(3, 1), D6)))),  # FW-02
    ("toss d8up2 3down", Toss(Pool((Main(3, 2), Main(3, -1))))),
    ("toss 3up2boon", Toss(Pool((Main(3, 2),), "boon"))),
    ("toss 0up", Toss(Pool((Main(0, 1),)))),
    ("toss 3 2 bane", Toss(Pool((D8, D6), "bane"))),  # FW-03
    ("toss 3 2 frayed dc5", Toss(Pool((D8, D6), "frayed"), 5)),
    ("toss 3 2 help 2 dc7", Toss(Pool((D8, D6), None, 2), 7)),  # FW-12
    ("toss 3 2 bane help1", Toss(Pool((D8, D6), "bane", 1))),
    ("toss 3 2 for help", Toss(BOTH, for_help=True)),
    ("toss 3 2 as Ghoul for help", Toss(BOTH, for_help=True)),
    ("toss 3 2 for help dc5", Toss(BOTH, 5, for_help=True)),
    ("toss 3 2 for help # me", Toss(BOTH, for_help=True)),
    ("toss 3 2 boon vs 4 1", Clash(Pool((D8, D6), "boon"), Pool((D10, D4)))),  # FW-13
    ("toss 3 2 vs. d10", Clash(BOTH, Pool((D10,)))),
    ("toss 3 2 vs 4 1 for help", Clash(BOTH, Pool((D10, D4)), for_help=True)),
    ("toss 3 2 vs @bob", Clash(BOTH, against="bob")),
    ("toss 3 2 vs @bob for help", Clash(BOTH, against="bob", for_help=True)),
    ("sweep 3 2 dc5", Sweep(BOTH, 5)),  # FW-11
    ("sweep 3 2 frayed straightforward", Sweep(Pool((D8, D6), "frayed"), 5)),
]


@pytest.mark.parametrize(("text", "node"), READ)
def test_fw_reads(text, node):
    """FW-01, FW-02, FW-03, FW-04, FW-11, FW-12, FW-13, GEN-04, GEN-18: every spelling, and again from its own text."""
    assert grammars.parse(text, "fayrewood") == node
    assert grammars.parse(str(node), "fayrewood") == node


@pytest.mark.parametrize(("number", "word"), DIFFICULTIES.items())
def test_fw_09_every_word_is_a_difficulty(number, word):
    """FW-09, GEN-18: each word of the table means its number, the lowest of its range."""
    for typed in (word, word.lower(), word.replace(" ", "-")):
        assert grammars.parse(f"toss 3 2 {typed}", "fayrewood") == Toss(BOTH, number)
        assert grammars.parse(f"sweep 3 2 {typed}", "fayrewood") == Sweep(BOTH, number)


@pytest.mark.parametrize(
    ("text", "node", "comment"),
    [
        ("toss 3 2 dc7 pick the lock", Toss(BOTH, 7), "pick the lock"),
        ("toss d8 d6 vault the wall", Toss(BOTH), "vault the wall"),
        ("toss d8 d6 hard climb", Toss(BOTH, 11), "climb"),
        ("toss 3 2 # 3rd try", Toss(BOTH), "3rd try"),
        ("toss 3 2 for help me out", Toss(BOTH), "help me out"),
        ("toss 3 2 vs d10 jump the fence", Clash(BOTH, Pool((D10,))), "jump the fence"),
        ("toss 3 2 vs 4 1 jump the fence", Clash(BOTH, Pool((D10, D4))), "jump the fence"),
        ("toss 3 2 vs 4 boon jump the fence", Clash(BOTH, Pool((D10,), "boon")), "jump the fence"),
        ("sweep 3 2 dc5 the goblins", Sweep(BOTH, 5), "the goblins"),
    ],
)
def test_gen_03_plain_words_are_a_comment(text, node, comment):
    """GEN-03: after a die or a number with its keyword, plain words are a comment; `for help` alone is none."""
    reading = grammars.read(text, "fayrewood")
    assert (reading.node, reading.comment) == (node, comment)


def refused(text):
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "fayrewood", called=True)
    return caught.value


LEVEL = "a level is 0 to 5, a die is written d8 and a difficulty dc7"
NO_WORD = (
    "is no difficulty here: they are routine, straightforward, moderate, challenging, hard, very hard, near impossible."
)
NO_MAIN = "a pool needs a main die, as d8 or 3, and 0 is none."
SWEEP = "a sweep is main dice, a modifier die and a difficulty"
REFUSED = [
    # FW-01: one or two main dice of the ladder, one of them at least there
    ("toss", 5, '"toss" needs a main die, as d8, 3 or d8up2.'),
    ("toss 0", 6, NO_MAIN),
    ("toss 0 0", 8, NO_MAIN),
    ("toss 1down", 6, NO_MAIN),
    ("toss 0 boon dc3", 6, NO_MAIN),
    ("toss boon dc3", 14, '"toss boon dc3" needs a main die, as d8, 3 or d8up2.'),
    ("toss 6", 6, f"{LEVEL}, you wrote 6."),
    ("toss 3 9", 8, f"{LEVEL}, you wrote 9."),
    ("toss d20 d6", 6, "a main die is one of d4, d6, d8, d10, d12, you wrote d20."),
    ("toss 2d8 d6", 6, "each main die is typed by itself, as d8 d8, not 2d8."),
    ("toss 0d6", 6, "each main die is typed by itself, as d6 d6, not 0d6."),
    ("toss -1", 6, '"-1" is unknown.'),
    ("toss 3.5", 6, '"3.5" is unknown.'),
    ("toss 3+2", 7, '"+2" is unknown.'),
    ("toss \N{ARABIC-INDIC DIGIT THREE}", 6, '"\N{ARABIC-INDIC DIGIT THREE}" has digits of another kind.'),
    ("toss 3 2 d8", 10, "a pool has two main dice at most: leave d8 out."),
    ("toss 3 2 1up", 10, "a pool has two main dice at most: leave 1up out."),
    ("toss 3 2 0", 10, "a pool has two main dice at most: leave 0 out."),
    ("toss " + "9" * 300, 6, f"{LEVEL}, you wrote {'9' * 37}...."),
    # FW-02: rungs from 1, without a space
    ("toss 3up0", 7, '"3up0" is unknown.'),
    ("toss 3upp", 7, '"3upp" is unknown.'),
    ("toss up 3", 6, '"up" is unknown.'),
    # FW-03: one modifier die
    ("toss 3 boon bane", 13, "the modifier die is given twice: leave boon or bane out."),
    ("toss 3 boon boon", 13, "the modifier die is given twice: leave one out."),
    ("toss 3 2 vs 4 1 boon bane", 22, "the modifier die is given twice: leave boon or bane out."),
    # FW-04: one difficulty, from 1
    ("toss 3 dc0", 8, "a difficulty is 1 or more, you wrote dc0."),
    ("toss 3 dc-2", 8, "a difficulty is 1 or more, you wrote dc-2."),
    ("toss 3 dc1000001", 8, "a difficulty is 1 to 1000000, you wrote dc1000001."),
    ("toss 3 dc5 dc6", 12, "difficulty is given twice: leave dc5 or dc6 out."),
    ("toss 3 dc5 hard", 12, "difficulty is given twice: leave dc5 or hard out."),
    ("toss 3 dc", 8, "dc needs a number, as dc2."),
    # FW-11
    ("sweep 3 2", 9, "a sweep needs a difficulty too, as dc3."),
    ("sweep dc3", 10, '"sweep dc3" needs a main die, as d8, 3 or d8up2.'),
    ("sweep 0 dc3", 7, NO_MAIN),
    ("sweep 3 2 help 1 dc3", 11, f"{SWEEP}: leave help out."),
    ("sweep 3 vs @bob dc3", 9, f"{SWEEP}: leave vs out."),
    # FW-12
    ("toss 3 help 2", 8, "help steps up the second main die, and there is only one: say boon."),
    ("toss 3 2 boon help 1", 15, "help steps up a die or brings a boon, not both: leave one out."),
    ("toss 3 2 help 0", 10, "the number of helpers is 1 or more, you wrote help 0."),
    ("toss 3 2 help", 10, "help needs a number, as help2."),
    ("toss 3 2 help 1 help 2", 17, "helpers is given twice: leave help 1 or help 2 out."),
    # FW-13
    ("toss 3 2 vs 4 1 dc5", 17, "with vs the other side's total is the difficulty: leave it out."),
    ("toss 3 2 dc5 vs @bob", 10, "with vs the other side's total is the difficulty: leave it out."),
    ("toss 3 2 hard vs bob", 18, "vs needs main dice, as d10 d4, or a nick with its @, as @bob."),
    ("toss 3 2 dc3 vs 2", 17, '"vs 2" could be a difficulty, toss 3 2 dc3 dc2, or a die, toss 3 2 dc3 vs d6.'),
    ("toss 3 2 vs @bob 3", 18, "3 after @nick is for the other side to type: leave it out."),
    ("toss 3 2 boon vs @bob boon", 23, "boon after @nick is for the other side to type: leave it out."),
    ("toss 3 2 easy", 10, f'"easy" {NO_WORD}'),  # GEN-18
    ("toss d8 d6 impossible", 12, f'"impossible" {NO_WORD}'),
    ("sweep 5 5 tough", 11, f'"tough" {NO_WORD}'),
    ("toss 3 vs 4 1 vs 2 1", 15, "a roll has two sides at most: leave the second vs out."),
    ("toss 3 2 vs", 12, '"toss 3 2 vs" needs main dice, as d10 d4, or @nick.'),
    ("toss 3 2 vs boon", 17, '"toss 3 2 vs boon" needs a main die, as d8, 3 or d8up2.'),
    ("toss 3 2 vs for help", 21, '"toss 3 2 vs for help" needs a main die, as d8, 3 or d8up2.'),
    ("toss 3 2 vs 0", 13, NO_MAIN),
    ("toss boon vs 4 1", 11, '"vs" is unknown.'),
    ("toss 3 2 vs 4 1 d8", 17, "a pool has two main dice at most: leave d8 out."),
    ("toss d8 d6 vs guard d10 d4", 15, '"guard" is unknown.'),
    # GEN-05, GEN-12: asked
    ("toss 3 2 7", 10, '"7" could be a difficulty, dc7, or a third main die, and a pool has two at most.'),
    ("toss 3 2 vs 5", 13, '"vs 5" could be a difficulty, toss 3 2 dc5, or a die, toss 3 2 vs d12.'),
    ("toss 3 2 vs 4, jump", 13, '"vs 4" could be a difficulty, toss 3 2 dc4, or a die, toss 3 2 vs d10.'),
    ("toss 3 2 vs 4 d7", 15, "a main die is one of d4, d6, d8, d10, d12, you wrote d7."),
    ("toss 3 2 vs 9", 13, f"{LEVEL}, you wrote 9."),
    ("toss d8 up", 6, '"d8 up" could be a stepped die, d8up, or a comment, which begins with #.'),
    ("toss d8 up the stairs", 6, '"d8 up" could be a stepped die, d8up, or a comment, which begins with #.'),
    # of other systems
    ("toss 3 h2", 8, '"h2" is unknown.'),
    ("toss 3 t4", 8, '"t4" is unknown.'),
    # GEN-03: a word that may have been meant
    ("toss 3 2 dc7 try 2", 14, 'is "2" part of the roll, or of a comment? Put # before a comment.'),
    ("toss d8 plus five", 9, '"plus" is unknown.'),
]


@pytest.mark.parametrize(("text", "column", "sentence"), REFUSED)
def test_fw_refused(text, column, sentence):
    """FW-01, FW-02, FW-03, FW-04, FW-11, FW-12, FW-13, GEN-03, GEN-05, GEN-12: a sentence, and its column."""
    error = refused(text)
    assert (str(error).partition(" For example")[0], error.column) == (sentence, column)
    assert error.hint is None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("toss 3 bon", "toss 3 boon"),
        ("toss d8 d6 frayd", "toss d8 d6 frayed"),
        ("toss d8 d6 moderat", "toss d8 d6 dc7"),
        ("toss 3 dificulty 7", "toss 3 difficulty 7"),
        ("toss d8 d6 tn 7", "toss d8 d6 dc7"),
        ("toss d8 against d10 d4", "toss d8 vs d10 d4"),
        ("toss 3 2 v 4 1", "toss 3 2 vs 4 1"),
        ("toss d8 d6 vs bob", "toss d8 d6 vs @bob"),
        ("fw d4 boon vs. Bob2", "fw d4 boon vs. @Bob2"),
        ("toss 3 vs bob # ha", "toss 3 vs @bob # ha"),
    ],
)
def test_gen_11_the_hint_keeps_every_number(text, hint):
    """GEN-11: what is offered differs by a spelling alone, and is accepted when it is typed."""
    assert refused(text).hint == hint
    grammars.parse(hint, "fayrewood")


@pytest.mark.parametrize(
    "text",
    ["toss 3 2 7", "toss 3 2 vs 5", "toss 3 2 vs 5 for the door", "toss 2d8", "toss 3 boon bane", "toss 3 2 7 # up"],
)
def test_gen_12_asked_uncalled(text):
    """GEN-12, GEN-05: what can only have been meant is asked in a channel too."""
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
        "sweep 0",
        "sweep 1",
        "sweep 1 2 3 rooms, clear",
        "sweep the leg",
        "toss 20",
        "toss 3 2 7 beers",
        "toss it",
        "toss 2 coins down",
        "tossed 3 2",
        "fwiw 3",
        "fw16 laptop is nice",
        "toss 3 up high",
        "sweep 3 2",
        "toss-up 3",
        "toss it 3",
        "sweep 3 rooms",
        "toss 3 2 vs the 3 others",
        "toss 3 2 vs the others",
        "toss it vs bob",
        "toss vs bob",
        "toss for it",
        "toss for help",
        "toss me 2 boons",
        "toss a boon",
        "toss 2nd",
    ],
)
def test_gen_10_talk(text):
    """GEN-10, GEN-04: words of everyday talk are met with silence."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "fayrewood")


def test_the_tables_are_the_seeds():
    """FW-01, FW-03, FW-09: the rulebook's ladder, modifier dice and difficulties, in its order."""
    assert LADDER == (0, 4, 6, 8, 10, 12)
    assert MODIFIERS == {"boon": (4, 1), "bane": (4, -1), "frayed": (8, 1)}
    assert list(DIFFICULTIES) == [3, 5, 7, 9, 11, 13, 15]


@pytest.mark.parametrize(
    "build",
    [
        lambda: Main(6),
        lambda: Main(-1),
        lambda: Pool(()),
        lambda: Pool((Main(0),)),
        lambda: Pool((Main(0), Main(1, -1)), "boon"),
        lambda: Pool((D8,) * 3),
        lambda: Pool((D8,), "bless"),
        lambda: Pool((D8,), None, 1),
        lambda: Pool((D8,) * 2, "boon", 1),
        lambda: Pool((D8,) * 2, None, -1),
        lambda: Toss(Pool((D8,)), 0),
        lambda: Sweep(Pool((D8,)), 0),
        lambda: Sweep(Pool((D8,) * 2, None, 1), 3),
        lambda: Clash(Pool((D8,))),
        lambda: Clash(Pool((D8,)), Pool((D8,)), "bob"),
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


def test_gen_06_what_is_no_answer_changes_no_roll():
    """GEN-06: a clash of one's own, which is no answer, leaves the open one as it is."""
    opening, stray = (grammars.parse(text, "fayrewood") for text in ("toss 3 2 vs @bob", "toss 3 2 vs 2 1"))
    earlier = Earlier(opening, evaluate(opening, ScriptedDice((4, 3))))
    with pytest.raises(RuleError, match="nothing can be changed about that roll by toss d8 d6 vs d6 d4"):
        amend(stray, earlier, ScriptedDice((6, 6)))


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("toss d8 d6 vs moderate", "toss d8 d6 moderate"),
        ("toss d8 d6 vs dc7", "toss d8 d6 dc7"),
        ("toss d8 d6 vs difficulty 7 boon", "toss d8 d6 difficulty 7 boon"),
    ],
)
def test_gen_05_a_difficulty_has_no_vs(typed, hint):
    """GEN-05: `vs dc7` is offered without its vs."""
    with pytest.raises(grammars.CommandSyntaxError) as refused:
        grammars.read(typed, "fayrewood")
    assert refused.value.hint == hint

"""Strike & Cinder's language: what is read alike, what is refused and where, what is met with silence."""

import pytest

import grammars
import grammars.strike_cinder

ALIKE = [
    (
        "sc strike 6",
        ["SC STRIKE 6", "sc strike 6d6", "sc strike 6 d6", "sc strike6", "sc strike 6.", "  sc  strike  6 !"],
    ),
    ("sc strike 6 +1", ["sc strike 6d6+1", "sc strike 6 + 1", "sc strike 6 +1d6", "sc strike 6+1"]),
    ("sc strike 6 -1", ["sc strike 6−1", "sc strike 6 - 1", "sc strike 6 -1."]),
    (
        "sc cinder 5 dc3",
        ["sc cinder 5 dc 3", "sc cinder 5 dc:3", "sc cinder 5 diff 3", "sc cinder 5 dc3.", "sc cinder 5 difficulty 3"],
    ),
    ("sc cinder half-blood skyiron", ["sc cinder half blood sky iron", "sc cinder halfblood sky-iron"]),
    ("sc strike undying sunlight", ["sc strike undying true sunlight", "sc strike Undying True-Sunlight"]),
    ("sc cinder natural shifter", ["sc cinder natural-shifter", "sc cinder NaturalShifter"]),
    ("sc cinder 5 fullmoon vs human", ["sc cinder 5 vs human full moon", "sc cinder 5 full-moon vs. human"]),
    ("sc strike 5 assist2", ["sc strike 5 assist 2", "sc strike 5 assist2d6"]),
    ("sc mind 7 vs ironwill", ["sc mind 7 vs iron will", "sc mind 7 vs human ironwill", "sc mind 7d6 vs iron-will"]),
    ("sc mind 7 vs 5", ["sc mind 7 vs 5d6", "sc mind 7d6 vs 5 d6"]),
    ("sc strike 6 vs human dc3", ["sc strike 6 dc3 vs human"]),
    (
        "sc assist cinder 6 for bob",
        ["sc assist cinder 6 for @bob", "sc assist cinder 6 for bob.", "sc assist cinder 6d6 for bob"],
    ),
    ("sc strike 9 undying", ["sc strike 9d6 undying"]),
]


@pytest.mark.parametrize(("text", "others"), ALIKE)
def test_read_alike(text, others):
    """SC-01, GEN-04: spelling is forgiven where only one thing can be meant."""
    node = grammars.parse(text, "strike_cinder")
    assert str(node) == text
    assert [str(grammars.parse(other, "strike_cinder")) for other in others] == [text] * len(others)


REFUSED = [
    # SC-01, GEN-15: the pool
    ("sc strike 0", 11, "a pool has 1 to 100 dice, you wrote 0.", "sc strike 1"),
    ("sc strike 101", 11, "a pool has 1 to 100 dice, you wrote 101.", "sc strike 100"),
    ("sc strike 6d10", 11, "Strike & Cinder is rolled with d6, you wrote 6d10.", "sc strike 6"),
    ("sc mind 7 vs 5d8", 14, "Strike & Cinder is rolled with d6, you wrote d8.", "sc mind 7 vs 5"),
    # SC-04
    ("sc strike 6 dc0", 13, "a DC is 1 to 1000, you wrote dc0.", "sc strike 6 dc1"),
    ("sc strike 6 dc-2", 13, "a DC is 1 to 1000, you wrote dc-2.", "sc strike 6 dc1"),
    ("sc strike 6 dc3 dc4", 17, "dc4: dc stands here already.", "sc strike 6 dc3"),
    # SC-06
    ("sc strike shifter", 11, "which Shifter? A natural shifter has 6 Strike, an afflicted shifter 7.", None),
    ("sc strike 6 human cursed", 19, "cursed: a Path stands here already.", "sc strike 6 human"),
    ("sc strike 6 spirit manifested", 20, "manifested says the Strike of a Spirit", "sc strike 6 spirit"),
    ("sc cinder spirit manifested", 18, "manifested says the Strike of a Spirit", "sc cinder spirit"),
    ("sc strike human manifested", 17, "manifested says the Strike of a Spirit", "sc strike human"),
    # SC-07
    ("sc cinder human", 11, "a Human has no Cinder; for a ritual, say ritual: 4d6.", "sc cinder human ritual"),
    ("sc cinder 4 human", 11, "a Human has no Cinder, and so no number of Cinder dice", "sc cinder human ritual"),
    (
        "sc cinder 4 human ritual",
        11,
        "a Human has no Cinder, and so no number of Cinder dice",
        "sc cinder human ritual",
    ),
    ("sc cinder arcanist ritual", 20, "ritual is for a Human, not for an Arcanist.", "sc cinder arcanist"),
    ("sc cinder 4 ritual", 13, "ritual is for a Human, who then has 4d6 Cinder", "sc cinder human ritual"),
    ("sc strike human ritual", 17, "ritual gives Cinder dice, not Strike.", "sc strike human"),
    ("sc mind human", 9, "a Human has no Cinder; for a ritual, say ritual: 4d6.", "sc mind human ritual"),
    # SC-08, SC-22, GEN-05, GEN-12
    (
        "sc strike 6 vs 3",
        13,
        '"vs 3" could be a difficulty, dc3, or a pool; only sc mind has a pool behind vs.',
        "sc strike 6 dc3",
    ),
    ("sc strike 6 vs @bob", 13, "only sc mind is opposed by a roll", "sc strike 6"),
    ("sc strike 6 vs human vs cursed", 22, "vs stands here already.", "sc strike 6 vs human"),
    ("sc strike 6 vs human shifted", 22, "shifted behind vs is for an Afflicted Shifter.", "sc strike 6 vs human"),
    (
        "sc strike 6 vs shifter shifted",
        24,
        "shifted is for an Afflicted Shifter: say vs afflicted",
        "sc strike 6 vs shifter",
    ),
    (
        "sc strike afflicted shifter shifted",
        29,
        "shifted says the DC of an Afflicted Shifter",
        "sc strike afflicted shifter",
    ),
    ("sc strike 6 vs undying manifested", 24, "manifested behind vs is for a Spirit.", "sc strike 6 vs undying"),
    ("sc strike 6 vs human +1", 22, "+1 behind vs would be the target's, who rolls nothing", "sc strike 6 +1 vs human"),
    ("sc strike 6 vs human assist", 22, "assist behind vs would be the target's", "sc strike 6 assist vs human"),
    # SC-11
    (
        "sc strike 6 vs spirit salt dc3",
        28,
        "salt bypasses a Spirit's DC: leave the dc out.",
        "sc strike 6 vs spirit salt",
    ),
    (
        "sc strike 6 dc3 vs spirit salt",
        13,
        "salt bypasses a Spirit's DC: leave the dc out.",
        "sc strike 6 vs spirit salt",
    ),
    # SC-12
    (
        "sc strike 6 silver",
        13,
        "silver before vs weakens a Shifter or an Undying: say your own Path as well.",
        "sc strike 6",
    ),
    ("sc strike 6 silver vs shifter", 13, "silver before vs weakens a Shifter or an Undying", "sc strike 6 vs shifter"),
    ("sc cinder 6 skyiron", 13, "skyiron before vs weakens a Half-Blood: say your own Path as well.", "sc cinder 6"),
    ("sc cinder natural shifter silver", 27, "silver does not weaken a Natural Shifter: its Cinder loses", None),
    (
        "sc strike undying silver",
        19,
        "silver does not weaken an Undying: its Strike loses nothing by it.",
        "sc strike undying",
    ),
    ("sc cinder undying sunlight", 19, "sunlight does not weaken an Undying: its Cinder loses", "sc cinder undying"),
    (
        "sc strike half-blood skyiron",
        22,
        "skyiron does not weaken a Half-Blood: its Strike loses",
        "sc strike half-blood",
    ),
    (
        "sc strike possessed salt",
        21,
        "salt does not weaken a Possessed: its Strike loses nothing",
        "sc strike possessed",
    ),
    ("sc cinder spirit salt", 18, "salt does not weaken a Spirit: it loses nothing by it.", "sc cinder spirit"),
    ("sc strike human silver", 17, "silver does not weaken a Human: it loses nothing by it.", "sc strike human"),
    (
        "sc strike undying sunlight sunlight",
        28,
        "sunlight: sunlight stands here already.",
        "sc strike undying sunlight",
    ),
    (
        "sc cinder 6 vs natural shifter silver",
        32,
        "silver does nothing to a Natural Shifter when Cinder hits it.",
        None,
    ),
    ("sc cinder 6 vs undying sunlight", 24, "sunlight does nothing to an Undying when Cinder hits it.", None),
    (
        "sc strike 6 vs undying silver",
        24,
        "silver does nothing to an Undying when it is hit.",
        "sc strike 6 vs undying",
    ),
    (
        "sc strike 6 vs possessed salt",
        26,
        "salt does nothing to a Possessed when it is hit.",
        "sc strike 6 vs possessed",
    ),
    ("sc strike 6 vs half-blood skyiron", 27, "skyiron weakens a Half-Blood that rolls, and stands before vs.", None),
    # SC-13
    ("sc strike 6 -6", 13, "a pool has 1 to 100 dice, yours comes to 0.", "sc strike 6"),
    ("sc cinder 1 undying silver", 21, "a pool has 1 to 100 dice, yours comes to 0.", None),
    ("sc strike 100 +1", 15, "a pool has 1 to 100 dice, yours comes to 101.", "sc strike 100"),
    # SC-14
    (
        "sc strike 6 assist assist",
        20,
        "assist: assistance, which does not stack with itself, stands here already.",
        None,
    ),
    ("sc strike 6 assist assist2", 20, "assist2: assistance, which does not stack with itself", "sc strike 6 assist"),
    ("sc strike 6 assist3", 13, "assist is +1 die, assist2 is +2.", "sc strike 6 assist2"),
    # SC-15, SC-16, SC-17
    (
        "sc assist strike 4 dc3",
        20,
        "dc3 means nothing here: sc assist is judged on the Success Range",
        "sc assist strike 4",
    ),
    ("sc assist strike 4 vs human", 20, "vs means nothing here", "sc assist strike 4"),
    ("sc mind 7 dc3", 11, "dc3 means nothing here: sc mind is judged on the Success Range.", "sc mind 7"),
    ("sc mind 7 vs @bob silver", 19, "@bob says that with sc resist: put yours before vs.", "sc mind 7 vs @bob"),
    ("sc resist 5 vs 3", 13, "vs means nothing here: sc resist is judged on the Success Range.", "sc resist 5"),
    ("sc resist human", 11, "a Human has no Cinder to resist with, but for ironwill: 5d6.", "sc resist ironwill"),
    ("sc resist human ritual", 17, "a ritual does not resist: a Human resists with ironwill alone.", None),
    ("sc resist arcanist ironwill", 20, "ironwill is a Human's 5d6", "sc resist arcanist"),
    ("sc resist 5 ironwill", 13, "ironwill is a Human's 5d6", "sc resist 5"),
    ("sc cinder ironwill", 11, "ironwill resists magic on the mind and does nothing else: sc resist ironwill.", None),
    ("sc strike 6 vs ironwill", 13, "ironwill resists sc mind and nothing else.", "sc strike 6"),
    ("sc cinder 5 fullmoon fullmoon", 22, "fullmoon: fullmoon stands here already.", "sc cinder 5 fullmoon"),
    ("sc cinder 5 cantrip charm", 21, "charm: tag stands here already.", "sc cinder 5 cantrip"),
]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("sc cinder", "sc cinder arcanist"),
        ("sc mind", "sc mind 7 vs 5"),
        ("sc assist cinder", "sc assist cinder 6 for bob"),
        ("sc encounter open Wolf", "sc encounter open Encounter luck 6 dc3"),
        ("sc join Wolf", "sc join Viktor arcanist rank 4 exchange"),
    ],
)
def test_the_example_that_begins_alike(text, hint):
    """GEN-11: where nothing can be mended, what is shown is of the same kind: no Strike for who asked for Cinder."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "strike_cinder", called=True)
    assert caught.value.hint == hint


@pytest.mark.parametrize(("text", "column", "sentence", "hint"), REFUSED)
def test_refused(text, column, sentence, hint):
    """SC-04…SC-17, SC-22, GEN-12: told uncalled, since the words leave no doubt; the hint works."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "strike_cinder")
    assert (caught.value.column, str(caught.value)[: len(sentence)]) == (column, sentence)
    if hint is not None:
        assert caught.value.hint == hint
    assert caught.value.hint is not None
    grammars.parse(caught.value.hint, "strike_cinder")


@pytest.mark.parametrize(
    "text",
    [
        "sc is down",
        "sc strike the match",
        "sc",
        "sc strike",
        "sc mind the gap",
        "sc assist him please",
        "sc cinder block",
    ],
)
def test_talk(text):
    """SC-01: the command word in talk is met with silence."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "strike_cinder")


@pytest.mark.parametrize(
    "text", ["sc strike", "sc strike 6 dc", "sc mind 7 vs", "sc strike 6 +", "sc cinder 6 wat", "sc 6"]
)
def test_not_complete(text):
    """SC-01: called, what is missing is said, and the nearest command that works."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "strike_cinder", called=True)
    assert caught.value.hint
    grammars.parse(caught.value.hint, "strike_cinder")


def test_for_behind_assist_is_a_nick_and_else_a_comment():
    """SC-15, GEN-03: one nick behind `sc assist`, more words are a comment."""
    assert grammars.parse("sc assist cinder 6 for bob # luck").recipient == "bob"
    assert grammars.parse("sc assist cinder 6 for bob and all of us").recipient is None
    assert grammars.read("sc cinder 6 for bob").comment == "bob"


@pytest.mark.parametrize("text", list(grammars.strike_cinder.EXAMPLES))
def test_every_example_is_a_command(text):
    """SC-01: help shows nothing that cannot be said."""
    grammars.parse(text, "strike_cinder")


@pytest.mark.parametrize("term", ["paths", "passes", "weaknesses"])
def test_help_walks_the_tables(term):
    """SC-05, SC-06, SC-08, SC-12: two lines each, in the order of the seed."""
    lines = grammars.strike_cinder.HELP[term]
    assert len(lines) == 2
    assert all(len(line) < 400 for line in lines)

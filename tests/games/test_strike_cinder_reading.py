"""Strike & Cinder's language: what is read alike, what is refused and where, what is met with silence."""

import pytest

import grammars
import grammars.strike_cinder
from grammars import catalogue
from grammars.strike_cinder import OpenEncounter, Pool, Roll, Target
from ircdice.bot import rule_texts

GAME = "strike_cinder"

ALIKE = [
    (
        "sc strike 6",
        ["SC STRIKE 6", "sc strike 6d6", "sc strike 6 d6", "sc strike6", "sc strike 6.", "  sc  strike  6 !"],
    ),
    ("sc strike 1", ["sc strike d6", "sc strike 1d6"]),
    ("sc strike 6 +1", ["sc strike 6d6+1", "sc strike 6 + 1", "sc strike 6 +1d6", "sc strike 6+1"]),
    ("sc strike 6 +5", ["sc strike 6 +0000005", "sc strike 6 + 00000005"]),
    ("sc strike 6 -1", ["sc strike 6−1", "sc strike 6 - 1", "sc strike 6 -1."]),
    (
        "sc cinder 5 dc3",
        ["sc cinder 5 dc 3", "sc cinder 5 dc:3", "sc cinder 5 diff 3", "sc cinder 5 dc3.", "sc cinder 5 difficulty 3"],
    ),
    ("sc cinder half-blood skyiron", ["sc cinder half blood sky iron", "sc cinder halfblood sky-iron"]),
    ("sc strike undying sunlight", ["sc strike undying true sunlight", "sc strike Undying True-Sunlight"]),
    ("sc strike undying sunlight", ["sc strike sunlight undying", "sc strike undying, sunlight"]),
    ("sc strike spirit manifested", ["sc strike manifested spirit"]),
    ("sc cinder natural shifter", ["sc cinder natural-shifter", "sc cinder NaturalShifter", "sc cinder natural"]),
    ("sc cinder 5 fullmoon vs human", ["sc cinder 5 vs human full moon", "sc cinder 5 full-moon vs. human"]),
    ("sc strike 5 assist2", ["sc strike 5 assist 2", "sc strike 5 assist2d6"]),
    ("sc mind 7 vs ironwill", ["sc mind 7 vs iron will", "sc mind 7 vs human ironwill", "sc mind 7d6 vs iron-will"]),
    ("sc mind 7 vs 5", ["sc mind 7 vs 5d6", "sc mind 7d6 vs 5 d6", "sc mind7 vs 5"]),
    ("sc strike 6 vs human dc3", ["sc strike 6 dc3 vs human", "sc strike 6, vs human, dc3"]),
    ("sc strike 6 dc3", ["sc strike 6 vs dc3", "sc strike 6 vs. DC3"]),
    ("sc strike 6 vs spirit manifested", ["sc strike 6 vs manifested spirit"]),
    (
        "sc strike 6 vs afflicted shifter shifted silver",
        ["sc strike 6 vs shifted afflicted shifter silver", "sc strike 6 vs afflicted silver shifted"],
    ),
    (
        "sc assist cinder 6 for bob",
        ["sc assist cinder 6 for @bob", "sc assist cinder 6 for bob.", "sc assist cinder 6d6 for bob"],
    ),
    ("sc strike 9 undying", ["sc strike 9d6 undying"]),
    ("sc strike 4 vs Wolf silver as Al", ["sc strike 4 as Al vs Wolf silver", "sc strike 4 vs Wolf as @Al silver"]),
    (
        "sc encounter open Ghoul luck 4 dc3 strike 5 cinder 4",
        [
            "sc encounter start Ghoul luck 4 dc 3 strike 5 cinder 4",
            "sc encounter open Ghoul cinder: 4, strike 5, dc 3, luck 4",
        ],
    ),
    ("sc join Viktor arcanist rank 4 exchange", ["sc join Viktor arcanist exchange equipment rank IV"]),
]


@pytest.mark.parametrize(("text", "others"), ALIKE)
def test_read_alike(text, others):
    """SC-01, SC-08, SC-26, GEN-04: spelling is forgiven where only one thing can be meant."""
    assert [str(grammars.read(each, GAME)) for each in (text, *others)] == [text] * (len(others) + 1)


NODES = [
    ("sc strike 6", Roll(Pool("strike", 6))),
    ("sc cinder arcanist", Roll(Pool("cinder", path="arcanist"))),
    (
        "sc cinder 5 +1 assist fullmoon dc3",
        Roll(Pool("cinder", 5, changes=(1,), assist=1), difficulty=3, fullmoon=True),
    ),
    (
        "sc strike 6 vs undying sunlight",
        Roll(Pool("strike", 6), Target(path="undying", weakness="sunlight")),
    ),
    ("sc strike as Ghoul", Roll(Pool("strike"))),
    ("sc cinder vs Ghoul", Roll(Pool("cinder"), Target(name="Ghoul"))),
    ("sc encounter open Ghoul luck 4", OpenEncounter("Ghoul", 4)),
    ("sc encounter start Ghoul luck 4 strike 5", OpenEncounter("Ghoul", 4, strike=5)),
]


@pytest.mark.parametrize(("text", "node"), NODES)
def test_what_a_command_says(text, node):
    """SC-01, SC-06, SC-11, SC-14, SC-26: the parts of a command, each in its field."""
    assert grammars.parse(text, GAME) == node


def test_dice_that_the_table_knows():
    """SC-26: without a number or a Path the dice are those of the one who rolls; alone it counts only when called."""
    assert not grammars.parse("sc strike as Ghoul", GAME).pool.given
    assert not grammars.parse("sc cinder silver dc3", GAME).pool.given
    assert str(grammars.parse("sc strike", GAME, called=True)) == "sc strike"
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse("sc strike", GAME)


IRONWILL = "ironwill is a Human's 5d6 of Cinder against magic on the mind, and nothing else: sc resist ironwill."
MANIFESTED = "manifested is for the Strike of a Spirit, strike spirit manifested, or goes after vs spirit."
NO_CINDER = "a Human has no Cinder, except for cinder human ritual, 4d6, and sc resist ironwill, 5d6."
RITUAL = "ritual is for a Human, who then has 4d6 of Cinder: write cinder human ritual."
SHIFTED = "shifted is for a target that is an Afflicted Shifter: vs afflicted shifter shifted."
REFUSED = [
    # SC-01, GEN-15: the pool
    ("sc strike 0", 11, "the number of dice is 1 to 100, you wrote 0."),
    ("sc strike 101", 11, "the number of dice is 1 to 100, you wrote 101."),
    ("sc strike 6d10", 11, "Strike & Cinder is rolled with d6, you wrote 6d10."),
    ("sc mind 7 vs 5d8", 14, "Strike & Cinder is rolled with d6, you wrote 5d8."),
    # SC-04
    ("sc strike 6 dc0", 13, "a DC is 1 to 1000, you wrote dc0."),
    ("sc strike 6 dc-2", 13, "a DC is 1 to 1000, you wrote dc-2."),
    ("sc strike 6 dc3 dc4", 17, "difficulty is given twice: leave dc3 or dc4 out."),
    # SC-06
    ("sc strike shifter", 11, "which Shifter? A natural shifter has 6 Strike, an afflicted shifter 7."),
    ("sc strike 6 human cursed", 19, "path is given twice: leave human or cursed out."),
    (
        "sc strike 6 spirit manifested",
        20,
        MANIFESTED,
    ),
    (
        "sc cinder spirit manifested",
        18,
        MANIFESTED,
    ),
    (
        "sc strike human manifested",
        17,
        MANIFESTED,
    ),
    # SC-07
    ("sc cinder human", 11, NO_CINDER),
    ("sc cinder 4 human", 13, NO_CINDER),
    ("sc cinder 4 human ritual", 13, NO_CINDER),
    ("sc cinder arcanist ritual", 20, RITUAL),
    ("sc cinder 4 ritual", 13, RITUAL),
    ("sc strike human ritual", 17, RITUAL),
    ("sc mind human", 9, NO_CINDER),
    # SC-08, SC-22, GEN-05, GEN-12
    ("sc strike 6 vs 3", 16, '"vs 3" could be a difficulty, dc3, or a pool; only sc mind has a pool after vs.'),
    (
        "sc strike 6 vs @bob",
        16,
        "only sc mind is opposed by a roll: write the target's Path, as vs human, or its name without @.",
    ),
    ("sc strike 6 vs human vs cursed", 22, "vs is given twice: leave one out."),
    ("sc strike 6 vs human shifted", 22, SHIFTED),
    ("sc strike 6 vs shifter shifted", 24, SHIFTED),
    ("sc strike afflicted shifter shifted", 29, SHIFTED),
    ("sc strike 6 vs undying manifested", 24, MANIFESTED),
    ("sc strike 6 vs human +1", 22, "+1 after vs would be the target's, who rolls nothing: put it before vs."),
    ("sc strike 6 vs human assist", 22, "assist after vs would be the target's, who rolls nothing: put it before vs."),
    # SC-11
    ("sc strike 6 vs spirit salt dc3", 28, "salt bypasses a Spirit's DC: leave the dc out."),
    ("sc strike 6 dc3 vs spirit salt", 13, "salt bypasses a Spirit's DC: leave the dc out."),
    # SC-12
    ("sc strike 6 silver", 13, "silver before vs is a weakness of your own Path: write the Path as well."),
    (
        "sc strike 6 silver vs shifter",
        13,
        "silver before vs is a weakness of your own Path: write the Path as well.",
    ),
    ("sc cinder 6 skyiron", 13, "skyiron before vs is a weakness of your own Path: write the Path as well."),
    (
        "sc cinder natural shifter silver",
        27,
        "silver does not weaken the Cinder of a Natural Shifter.",
    ),
    ("sc strike undying silver", 19, "silver does not weaken the Strike of an Undying."),
    ("sc cinder undying sunlight", 19, "sunlight does not weaken the Cinder of an Undying."),
    ("sc strike half-blood skyiron", 22, "skyiron does not weaken the Strike of a Half-Blood."),
    ("sc strike possessed salt", 21, "salt does not weaken the Strike of a Possessed."),
    ("sc cinder spirit salt", 18, "salt does not weaken the Cinder of a Spirit."),
    ("sc strike human silver", 17, "silver does not weaken the Strike of a Human."),
    ("sc cinder 6 vs natural shifter silver", 32, "silver does nothing to a Natural Shifter when Cinder hits it."),
    ("sc cinder 6 vs undying sunlight", 24, "sunlight does nothing to an Undying when Cinder hits it."),
    ("sc strike 6 vs undying silver", 24, "silver does nothing to an Undying when Strike hits it."),
    ("sc strike 6 vs possessed salt", 26, "salt does nothing to a Possessed when Strike hits it."),
    ("sc strike 6 vs half-blood skyiron", 27, "skyiron does nothing to a Half-Blood when Strike hits it."),
    # SC-13
    ("sc strike 6 -6", 13, "a pool is 1 to 100 dice, yours comes to 0."),
    ("sc cinder 1 undying silver", 21, "a pool is 1 to 100 dice, yours comes to 0."),
    ("sc strike 100 +1", 15, "a pool is 1 to 100 dice, yours comes to 101."),
    # SC-14
    ("sc strike 6 assist assist", 20, "assist is given twice: leave one out."),
    ("sc strike 6 assist assist2", 20, "assist is given twice: leave assist or assist2 out."),
    ("sc strike 6 assist3", 13, "assist is +1 die, assist2 is +2."),
    # SC-15, SC-16, SC-17
    ("sc assist strike 4 dc3", 20, "dc3 means nothing here: mind, resist and assist are judged on the Success Range."),
    (
        "sc assist strike 4 vs human",
        20,
        "vs means nothing here: mind, resist and assist are judged on the Success Range.",
    ),
    ("sc mind 7 dc3", 11, "dc3 means nothing here: mind, resist and assist are judged on the Success Range."),
    ("sc mind 7 vs @bob silver", 19, '"silver" is unknown.'),
    ("sc resist 5 vs 3", 13, "vs means nothing here: mind, resist and assist are judged on the Success Range."),
    ("sc resist human", 11, NO_CINDER),
    ("sc resist human ritual", 17, "a ritual does not resist: a Human resists with ironwill alone."),
    ("sc resist arcanist ironwill", 20, IRONWILL),
    ("sc resist 5 ironwill", 13, IRONWILL),
    ("sc cinder ironwill", 11, IRONWILL),
    ("sc strike 6 ironwill", 13, IRONWILL),
    ("sc mind human ironwill", 9, IRONWILL),
    ("sc strike 6 vs ironwill", 16, "ironwill after vs would be the target's, who rolls nothing: put it before vs."),
    ("sc cinder 5 fullmoon fullmoon", 22, "fullmoon is given twice: leave one out."),
    ("sc cinder 5 cantrip charm", 21, "tag is given twice: leave cantrip or charm out."),
    # SC-18, SC-24, SC-26: names, ranks and Luck
    ("sc strike 6 vs Ghoul human", 22, "a target is a Path or a name: leave one out."),
    ("sc join Wolf cursed rank 0", 21, "a rank is 1 to 10, you wrote rank 0."),
    ("sc strike undying sunlight sunlight", 28, "weakness is given twice: leave one out."),
    ("sc encounter open Wolf luck 0", 24, "Luck is 1 to 1000, you wrote luck 0."),
    ("sc encounter open Wolf luck 3 strike 0", 31, "the number of dice is 1 to 100, you wrote strike 0."),
    ("sc encounter open Spirit luck 3", 19, "Spirit means something else after vs: choose another name."),
    ("sc luck Viktor 3", 16, "Luck is changed by +N or -N, you wrote 3."),
]


@pytest.mark.parametrize(("text", "column", "sentence"), REFUSED)
def test_refused(text, column, sentence):
    """SC-04 to SC-17, SC-22, GEN-12: told uncalled, since the words leave no doubt."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, GAME)
    assert (caught.value.column, str(caught.value)) == (column, sentence)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("sc strke 6", "sc strike 6"),
        ("sc strike 6 v human", "sc strike 6 vs human"),
        ("sc strike 6 against undying", "sc strike 6 vs undying"),
        ("sc strike 6 dv3 vs human", "sc strike 6 vs human dc3"),
        ("sc strike 6 target 3", "sc strike 6 dc3"),
        ("sc cinder 6 fulmoon", "sc cinder 6 fullmoon"),
        ("sc join Viktor arcansit rank 4", "sc join Viktor arcanist rank 4"),
        ("sc encounter opne Ghoul luck 4 dc3", "sc encounter open Ghoul luck 4 dc3"),
    ],
)
def test_suggestions(text, hint):
    """GEN-11: the nearest command keeps every number and keyword."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, GAME, called=True)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("text", "sentence", "example"),
    [
        ("sc", '"sc" is not complete.', "sc strike 6"),
        ("sc 6", '"6" is unknown.', "sc strike 6"),
        ("sc assist", '"sc assist" is not complete.', "sc assist cinder 6 for bob"),
        ("sc strike 6 dc", "dc needs a number, as dc2.", "sc strike 6"),
        (
            "sc strike 6 vs",
            '"sc strike 6 vs" needs a Path or a name, as vs human.',
            "sc strike 6 vs afflicted shifter shifted silver",
        ),
        (
            "sc encounter open Wolf",
            '"sc encounter open Wolf" needs Luck, as luck 6.',
            "sc encounter open Ghoul luck 6 dc3 strike 5 cinder 4",
        ),
        ("sc join Wolf", '"sc join Wolf" is not complete.', "sc join Viktor arcanist rank 4 exchange"),
        (
            "sc encounter open The Ghoul luck 4",
            '"Ghoul" is unknown.',
            "sc encounter open Ghoul luck 6 dc3 strike 5 cinder 4",
        ),
    ],
)
def test_not_complete(text, sentence, example):
    """GEN-11: called, the sentence says what is missing and shows an example of the same command."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, GAME, called=True)
    assert (str(caught.value), caught.value.example) == (sentence, example)


@pytest.mark.parametrize(
    "text",
    [
        "sc is down",
        "sc strike the match",
        "sc",
        "sc strike",
        "sc mind the gap",
        "sc mind games 10/10",
        "sc assist him please",
        "sc cinder block",
        "sc cinder human rights",
        "sc strike 1 vs dv3 fans",
        "sc strike at 9, the union says",
        "sc join us in the cursed crypt",
        "strike as one",
        "strike 3, u're out m8",
        "strike 1 2 3 at the old ball game",
        "cinder 3 cone peak hike",
        "cinder",
    ],
)
def test_talk(text):
    """SC-01, GEN-10: the command words in talk are met with silence."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, GAME)


@pytest.mark.parametrize("text", ["strike 6", "Strike 6d6 dc3", "cinder 5 fullmoon", "cinder 9 arcanist vs human"])
def test_strike_and_cinder_without_sc(text):
    """SC-01: where Strike & Cinder is played `sc` may be left out; elsewhere only the called bot reads it so."""
    assert grammars.parse(text, GAME) == grammars.parse(f"sc {text}", GAME)
    assert grammars.parse(text, "v5", called=True) == grammars.parse(f"sc {text}", GAME)
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "v5")


@pytest.mark.parametrize("text", ["strikes 2d6 at him", "strike 2d6", "cinders 2d6"])
def test_talk_of_other_games(text):
    """GEN-10: a blow in another game's channel is no command, and nothing is offered for it."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "v5")


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("sc strike 6 brawler", "brawler"),
        ("sc strike 6 strikes hard", "strikes hard"),
        ("sc cinder 6 fullmoon howling", "howling"),
        ("sc strike 6 dc3 kick the door", "kick the door"),
        ("sc cinder 5 cantrip # Fire", "Fire"),
        ("sc cinder 6 for bob", "bob"),
    ],
)
def test_comments(text, comment):
    """GEN-03: plain words after a roll with a number are a comment."""
    assert grammars.read(text, GAME).comment == comment


def test_words_of_the_game_are_no_comment():
    """GEN-03: a word that the command knows may have been meant, so nothing is rolled."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse("sc strike 6 with silver", GAME, called=True)


def test_for_after_assist_is_a_nick_and_else_a_comment():
    """SC-15, GEN-03: one nick after `sc assist`; more words are a comment."""
    assert grammars.parse("sc assist cinder 6 for bob # luck", GAME).recipient == "bob"
    reading = grammars.read("sc assist cinder 6 for bob and all of us", GAME)
    assert (reading.node.recipient, reading.comment) == (None, "bob and all of us")


def test_help_names_every_weakness():
    """SC-11, SC-12: whom each word weakens, before and after vs."""
    assert rule_texts.terms(catalogue.named(GAME))["weaknesses"] == (
        "Before vs, the weakness of your own Path takes dice: silver -1 Strike of a Shifter and -1 Cinder of an "
        "Undying, skyiron -1 Cinder of a Half-Blood, salt -1 Cinder of a Possessed; sunlight brings an Undying's "
        "Strike down to 4.",
        "After vs, silver on a Shifter and sunlight on an Undying make a Strike hit drain 2 Luck, never more, "
        "and salt hits a Spirit whatever is thrown.",
    )

"""`help` at the table: what a stranger is told, and how a word is explained (DSK-11, IRC-24)."""

import re

import pytest
from playing import Table, check_script

import grammars
from grammars import catalogue
from ircdice import dispatcher
from ircdice.bot.help import Guide, topic_lines
from ircdice.reply import MOST_BYTES

GAMES = [grammar for grammar in catalogue.grammars_found() if grammar.is_system]


def told(text, **settings):
    return [reply.text for reply in Table(**settings).say("alice", text).replies]


def test_dsk_11_a_strangers_first_minute():
    """DSK-11: one line with three lines to type, each of which works; then the game, then a word of it."""
    check_script(
        """
        eve: help
        eve: !help
            Games here: V5 Hunger pools, Crossroads. Type: roll 5d10 h2 dc3 | wp | roll 6d10 h2 vs 5d10 h1; more:
                !help v5, !help commands, !help storyteller, !help WORD; https://dice.example/docs
        eve: roll 5d10 h2 dc3 | 9 4 3 8 2
            eve: Failure, 2 successes vs 3, margin -1; 9 4 3, hunger 8 2; 5d10 h2 dc3; id 1
        eve: wp | 7 6
            eve: Success, 4 successes vs 3, margin +1; costs 1 superficial Willpower; 9 7 6, hunger 8 2, rerolled 4 3 as
                7 6; wp on 1; id 2
        eve: !help v5
            V5 Hunger pools, to roll: "roll 5d10 h2 dc3": five dice, the last two of them Hunger dice, against
                Difficulty 3 | "roll 5d10 h2": the same without a Difficulty: the successes, and what would follow |
                "v5 3+4+1 h2 dc3": a pool by its parts: Attribute, Ability, specialty; `v5 8 2 3` is `v5 8 h2 dc3` |
                more: !help roll
            (eve) After a roll: "wp": after a roll: spend Willpower, reroll up to three failed dice; `wp 2`, `wp tens`,
                `wp 1 #4d` | "hunger 2": after a roll without `h`: say the Hunger afterwards; `hunger 2 #4d`
            (eve) Contests: "roll 6d10 h2 vs 5d10 h1": a contest in one line | "roll 6d10 h2 vs @bob": a contest that
                bob answers with a roll of his own, or `pass`
            (eve) Also: "autowin 9 dc4 h1": would a pool of 9 win automatically against Difficulty 4 at Hunger 1?
        eve: !help dc
            "roll 5d10 h2 dc3": five dice, the last two of them Hunger dice, against Difficulty 3
            (eve) "v5 3+4+1 h2 dc3": a pool by its parts: Attribute, Ability, specialty; `v5 8 2 3` is `v5 8 h2 dc3` |
                "autowin 9 dc4 h1": would a pool of 9 win automatically against Difficulty 4 at Hunger 1?
        eve: !help wombat
            (eve) "wombat" is not a topic I know. Did you mean: !help commands
        """,
        systems=("v5", "crossroads"),
        docs_url="https://dice.example/docs",
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_dsk_11_what_it_says_to_type_works(game):
    """DSK-11: in every game the examples of the first line are commands as they stand."""
    (line,) = told("!help", system=game.name)
    for typed in re.search("Type: (.*); more: ", line)[1].split(" | "):
        reading = grammars.read(typed.removeprefix("!"), game.name, typed.startswith("!") or typed == "wp")
        assert reading.grammar == game.name


@pytest.mark.parametrize(
    ("system", "asked", "begins"),
    [
        ("v5", "reroll", "Willpower: once per roll"),
        ("crossroads", "reroll", "Change, a double 2 to 5"),
        ("fayrewood", "boon", "One modifier die at most"),
        ("v5", "boon", "Fayrewood: One modifier die at most"),
        ("strike_cinder", "strike", '"sc strike 6": six dice'),
        ("fayrewood", "dc", '"toss d8 d6 dc7"'),
        ("v5", "h", '"roll 5d10 h2 dc3"'),
        ("v5", "target", '"roll 5d10 h2 dc3"'),
        ("v5", "contest", '"roll 6d10 h2 vs 5d10 h1"'),
        ("beat_eight", "contests", '"b8 t4 a1 vs t3 x2"'),
        ("v5", "willpowr", "Willpower: once per roll"),
        ("v5", "Strike and Cinder?", "Strike & Cinder, to roll: "),
        ("v5", "Beat Eight", "Beat Eight, to roll: "),
        ("v5", "generic", "The dice notation, to roll: "),
        ("v5", "dice", "The dice notation: roll NdX: N dice of X sides, as 3d6"),
        ("v5", "again", '"!again": your last roll'),
        ("v5", "secret", '"/msg FUDice secret roll 5d10 h2 in #FU_Dice": '),
        ("v5", "storytellers", "A storyteller may do to any roll"),
        ("v5", "as", "as NAME at the end says for whom"),
        ("v5", "as NAME", "as NAME at the end says for whom"),
        ("v5", "margin", "dcN is the Difficulty: N successes"),
        ("v5", "bbcode", '"!log scene": what was rolled in the scene'),
        ("v5", "house rules", "The house rules of a channel are shown by !channel"),
        ("v5", "random", "A table gives one of several words by a die"),
        ("v5", "doom", '"!track channel Doom 3/6": storyteller'),
        ("v5", "paste", '"!log scene": what was rolled in the scene, ready to paste'),
        ("v5", "hidden", "Only storytellers see a hidden number"),
        ("v5", "about", "about and version tell"),
        ("v5", "luck", "Luck is what is left to you"),
        ("strike_cinder", "luck", "Luck is 4 for every Path"),
        ("v5", "wounds", "Wounds count up"),
        ("fayrewood", "rest", "What a rest gives back"),
        ("beat_eight", "parry", "A parry or a dodge is a contest of its own"),
        ("v5", "parry", "Beat Eight: A parry or a dodge"),
        ("v5", "duel", "A duel is a contest"),
        ("v5", "secret difficulty", "A storyteller sets a secret difficulty in private"),
        ("v5", "triples", "Crossroads: Triple 1 Doomed Portents"),
        ("crossroads", "blessing", "A triple 5, Fate's Blessing, adds a1"),
        ("v5", "cancel", '"/msg FUDice difficulty off for bob in #FU_Dice"'),
        ("v5", "rerol", "Willpower: once per roll"),
        ("v5", "commands", "V5 Hunger pools: roll r v5 rouse wp hunger autowin; Beat Eight: b8;"),
        ("v5", "V5-07", "V5-07: A messy critical is a critical"),
    ],
)
def test_dsk_11_a_word_is_explained_directly(system, asked, begins):
    """DSK-11, GEN-04: command words, terms, words that a command takes, words of other bots; and nearly right ones."""
    assert told(f"!help {asked}", system=system)[0].startswith(begins)


@pytest.mark.parametrize(
    ("asked", "has", "lacks"),
    [
        ("channel", ["!channel", "!channel botch no"], ["!hints off", "!status", "!reload"]),
        ("verify", ["!verify #4d"], ["!stir our own words", "!fair"]),
        ("fair", ["!fair", "stir our own words"], ["!verify #4d"]),
        ("status", ["!status", "reload"], ["!channel", "!hints off"]),
        ("log", ["!log", "stats"], ["!stats alice"]),
        ("trackers", ["!track luck 6/6", "!trackers", "!undo"], []),
        ("secrets", ["!blind roll 5d10 h2", "reveal #4d", "!secrets"], []),
    ],
)
def test_dsk_11_a_command_is_explained_without_its_neighbours(asked, has, lacks):
    """DSK-11: `channel` is one command, and `trackers` a subject with several; related words are named."""
    lines = " | ".join(told(f"!help {asked}"))
    for command in has:
        assert f'"{command}"' in lines or f"`{command}`" in lines
    for command in lacks:
        assert f'"{command}"' not in lines


@pytest.mark.parametrize(
    ("system", "asked", "lines"),
    [
        ("crossroads", "triples", ["2 Balanced Portents, result 0", "6 Fate's Child, value 1 more"]),
        ("generic", "modifiers", ["k3 kl3 dl1 dh1 keep or drop", "Comparisons are"]),
        ("generic", "dice", ["d20 is one, d% has 100 sides", "`help modifiers` has what may follow dice"]),
        ("beat_eight", "opposed", ["dice, trait and abilities less multitask", "the attacker is its target"]),
        ("beat_eight", "difficulty", ["practically-impossible -7; other numbers are allowed, from -7"]),
    ],
)
def test_dsk_11_a_term_is_explained_in_two_lines_at_most(system, asked, lines):
    """DSK-11: a term with a short explanation of its own is not explained by many rules."""
    said = told(f"!help {asked}", system=system)
    assert len(said) == len(lines)
    for line, part in zip(said, lines, strict=True):
        assert part in line


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_dsk_11_every_verdict_is_explained(game):
    """DSK-11: by the word in posted lines and the one in odds, in channels of its game and of others."""
    rules = dispatcher.systems()[game.name]
    labels = {label for table in rules.chances for found in table.values() for label in found} | set(rules.short)
    verdicts = {rules.short.get(label, rules.words[label]) for label in labels}
    for verdict in verdicts:
        first = told(f"!help {verdict}", system=game.name)[0]
        for word in verdict.lower().split():
            assert word in first.lower(), verdict
        for other in GAMES:
            assert "is not a topic I know" not in told(f"!help {verdict}", system=other.name)[0], verdict


@pytest.mark.parametrize(
    ("system", "asked", "begins"),
    [
        ("v5", "messy critical", "A messy critical is a critical with"),
        ("v5", "failure", "dcN is the Difficulty: N successes or more are a success, fewer a failure"),
        ("v5", "critical if passed", "Without a Difficulty the answer says"),
        ("v5", "no automatic win", "A pool of at least twice"),
        ("v5", "wp 2", '"wp": after a roll: spend Willpower'),
        ("v5", "dc 3", '"roll 5d10 h2 dc3"'),
        ("crossroads", "balanced portents", "A triple 2, Balanced Portents"),
        ("crossroads", "balanced", "A triple 2, Balanced Portents"),
        ("v5", "balanced portents", "Crossroads: A triple 2, Balanced Portents"),
        ("crossroads", "triple 2", "A triple 2, Balanced Portents"),
        ("crossroads", "triple 4", "A triple 3 or 4, Change of Fate"),
        ("v5", "triple 2", "Crossroads: A triple 2, Balanced Portents"),
        ("crossroads", "fate's child", "A triple 6, Fate's Child"),
        ("crossroads", "Fate’s Child", "A triple 6, Fate's Child"),
        ("crossroads", "result", "Results are -1 Failure"),
        ("v5", "result", "Crossroads: Results are -1 Failure"),
        ("crossroads", "great success", "Results are -1 Failure"),
        ("crossroads", "partial success", "Results are -1 Failure"),
        ("crossroads", "compensating failure", "Results are -1 Failure"),
        ("crossroads", "misstep", "A double 1, Misstep"),
        ("crossroads", "fateful", "A double 6, Fateful"),
        ("fayrewood", "catastrophic fumble", "Two main dice on 1 lose"),
        ("fayrewood", "fail", "dcN is the difficulty: a total of N or more wins, a lower one fails"),
        ("fayrewood", "fumble if won", "Without a difficulty the answer is the total"),
        ("strike_cinder", "critical hit", "A hit drains 1 Luck; with 10 passes or more it is a critical hit"),
        ("strike_cinder", "overcome", '"sc mind" attacks a mind'),
        ("strike_cinder", "aware", '"sc mind" attacks a mind'),
        ("strike_cinder", "out of luck", "In an encounter hits drain"),
        ("v5", "out of luck", "Strike & Cinder: In an encounter hits drain"),
        ("beat_eight", "target wins", "Opposed, both sides add up"),
        ("beat_eight", "double sixes", "Snake-eyes, two 1s, always fail"),
    ],
)
def test_dsk_11_the_words_of_a_verdict_are_explained_by_their_rule(system, asked, begins):
    """DSK-11: first by the rule of the channel's own game."""
    assert told(f"!help {asked}", system=system)[0].startswith(begins)


def test_dsk_11_a_verdict_of_a_game_that_is_not_played():
    """DSK-11: another bot may be asked."""
    (line,) = told("!help overcome", system="generic", systems=("generic",))
    assert line == 'that belongs to Strike & Cinder, which is not played here; "!help" names what is.'


def test_dsk_02_help_says_how_a_characters_number_is_hidden():
    """DSK-02, DSK-11: as well as one of the channel's."""
    assert '"track doom 3 hidden in #FU_Dice as Viktor"' in told("!help hidden")[0]


def test_dsk_11_help_is_of_the_games_that_are_played():
    """DSK-11, GEN-10: `systems` are those named, and those told of; of others another bot may be asked."""
    played = {"system": "generic", "systems": ("generic", "crossroads")}
    assert told("!help", **played)[0].startswith("Games here: The dice notation, Crossroads. Type: roll 4d6k3 | ")
    roll = told("!help roll", **played)
    assert roll[0].startswith('"roll 4d6k3": four dice')
    assert "Hunger" not in " ".join(roll)
    assert told("!help advantage", **played)[0].startswith('"roll d20+5 adv": two d20')
    for topic, game in (("snake-eyes", "Beat Eight"), ("v5", "V5 Hunger pools"), ("wp", "V5 Hunger pools")):
        assert told(f"help {topic}", **played) == []
        (line,) = told(f"FUDice: help {topic}", **played)
        assert line == f'that belongs to {game}, which is not played here; "!help" names what is.'


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_dsk_11_a_storyteller_finds_every_command_of_theirs(game):
    """DSK-11: in one question, as it is typed there, whatever is played."""
    said = " | ".join(line.removeprefix("also ") for line in told("!help storyteller", system=game.name)[1:])
    commands = said.removeprefix("Commands of storytellers: ").split(" | ")
    every_channel = [grammar for grammar in catalogue.grammars_found() if not grammar.is_system]
    for grammar in (game, *every_channel):
        for example, sense in grammar.examples.items():
            if sense.startswith("storyteller"):
                assert grammars.as_typed(example, game.name) in commands or " | " in example


@pytest.mark.parametrize(
    ("settings", "link"),
    [
        ({}, "WORD"),
        ({"base_url": "https://dice.example"}, "WORD; https://dice.example/help"),
        ({"base_url": "https://dice.example", "docs_url": "https://docs.example/x"}, "WORD; https://docs.example/x"),
    ],
)
def test_dsk_11_a_link_where_one_is_configured(settings, link):
    """DSK-11: `docs_url`, else the page's help."""
    assert told("!help", **settings)[0].endswith(f"!help {link}")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_irc_20_every_topic_fits(game):
    """IRC-20, IRC-24: four lines at most, none longer than a reply may be."""
    guide = Guide(game.name, link="https://docs.example/a/long/way/to/what/there/is/to/know")
    for topic in catalogue.topics():
        lines = topic_lines(topic, guide)
        assert lines, topic
        assert len(lines) <= 4, topic
        assert all(len(line.encode()) <= MOST_BYTES for line in lines), topic


@pytest.mark.parametrize("topic", ["about", "version", "commands", "luck", "storyteller", "fw"])
def test_irc_21_no_line_of_help_begins_as_a_command(topic):
    """IRC-21: else "to" is put before it; nor does one tell of rules and grammars."""
    for system in ("v5", "crossroads"):
        for line in told(f"!help {topic}", system=system):
            assert line[0] not in "/`"


@pytest.mark.parametrize(
    ("topic", "begins"),
    [
        ("initiative", '"!init +3": roll your initiative'),
        ("scene", '"!scene Harbour": storyteller: a scene opens'),
        ("clock", "A clock is a number of the channel's: a storyteller begins one by !track channel Doom 0/6"),
        ("countdown", "A clock is a number of the channel's"),
        ("enemy", "A character that no player plays is the channel's, and a storyteller's to play: !npc Ghoul"),
        ("monsters", "A character that no player plays"),
        ("gm", "A storyteller may do to any roll what its player may"),
        ("mistake", "Nothing is deleted, but much is taken back: a roll of yours by discard #4d"),
        ("delete", "Nothing is deleted"),
        ("remove", "Nothing is deleted"),
        ("official", "Rolls are official in the channels that the config calls official"),
        ("web", "A channel may have a page on the web"),
    ],
)
def test_dsk_11_a_word_leads_to_the_command_for_it(topic, begins):
    """That command comes first, in the channel, even if other commands have the word too."""
    assert told(f"!help {topic}")[0].startswith(begins)

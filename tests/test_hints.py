"""Hints, as scripts of a channel: how often, for whom, and how they are ended (GEN-11)."""

import pytest
from playing import Table, true

from ircdice.bot.message import There
from ircdice.errors import LedgerUnavailable


def test_gen_11_hints():
    """GEN-11: at most one a minute, the same one once in ten minutes; whoever called the bot is always told."""
    true(
        """
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: roll 5d10 h2 dificulty 3
        bob: roll 5d10 h2 dificulty 3
            (bob) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        ... 59 s
        alice: roll 5d10 h2 dificulty 4
        alice: FUDice: roll 5d10 h2 dificulty 4
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc4
        ... 1 s
        alice: roll 5d10 h2 dificulty 3
        alice: roll 5d10 h2 dificulty 4
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc4
        ... 539 s
        alice: roll 5d10 h2 dificulty 3
        ... 1 s
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        """,
        hinting=True,
    )


def test_gen_11_hints_off():
    """GEN-11: `hints off` ends them for that speaker, `hints on` brings them back (called: GEN-13)."""
    true(
        """
        alice: hints off
        alice: !hints off
            (alice) hints are off for you.
        alice: roll 5d10 h2 dificulty 3
        bob: roll 5d10 h2 dificulty 3
            (bob) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: !roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: !hints on
            (alice) hints are on for you.
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        """,
        hinting=True,
    )


def test_gen_11_hints_no():
    """GEN-11: `hints = no` in the config."""
    true(
        """
        alice: roll 5d10 h2 dificulty 3
        alice: !roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        """,
        hinting=True,
        hints=False,
    )


def test_gen_11_a_hint_names_what_there_is():
    """GEN-11: the id in a hint is that of the open contest, of what is sealed, or of the latest roll."""
    true(
        """
        sam*: FUDice: close
            (sam) Close is not complete. Did you mean: close #ID
        alice: roll 2d10 h0 | 9 8
            alice: 2 successes; 9 8; 2d10 h0; id 1
        sam*: FUDice: close
            (sam) Close is not complete. Did you mean: close #1
        alice: roll 2d10 h0 vs @bob | 9 8
            alice vs bob: 2d10 h0 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        carol: roll 2d10 h0 | 9 8
            carol: 2 successes; 9 8; 2d10 h0; id 3
        sam*: FUDice: close
            (sam) Close is not complete. Did you mean: close #2
        sam*: !reveal
            (sam) Reveal wants an id behind it, as reveal #ID.
        sam* in private: secret roll 2d10 h0 in #FU_Dice | 9 8
            sam: the storyteller rolls in secret; id 4
            (sam) rolled and covered: "reveal #4" in #FU_Dice shows it.
        sam*: !reveal
            (sam) Reveal wants an id behind it, as reveal #4.
        carol: !reveal
            (carol) Reveal wants an id behind it, as reveal #ID.
        carol: !close #4d!!
            (carol) Only a storyteller closes a roll.
        """
    )


def test_gen_11_a_hint_names_who_is_there():
    """GEN-11, DSK-07: a nick that rolled in the channel, one that is typed before any other; never the speaker's."""
    true(
        """
        sam*: FUDice: difficulty x
            (sam) "x" is unknown. Did you mean: /msg FUDice difficulty 6 for NICK in #FU_Dice
        carol: roll 1d6 | 1
            carol: 1; 1d6 1; 1d6; id 1
        dora: roll 1d6 | 2
            dora: 2; 1d6 2; 1d6; id 2
        sam*: roll 1d6 | 3
            sam: 3; 1d6 3; 1d6; id 3
        sam*: FUDice: difficulty x
            (sam) "x" is unknown. Did you mean: /msg FUDice difficulty 6 for dora in #FU_Dice
        sam*: !difficulty 9 carol
            (sam) "carol" is unknown. Did you mean: /msg FUDice difficulty 9 for carol in #FU_Dice
        sam*: !difficulty x for bob
            (sam) "x" is unknown. Did you mean: /msg FUDice difficulty 6 for bob in #FU_Dice
        sam*: !difficulty x for zoe in #FU_Dice
            (sam) "x" is unknown. Did you mean: /msg FUDice difficulty 6 for zoe in #FU_Dice
        """
    )


def test_gen_11_a_hint_in_private_names_the_channel_that_is_played_in():
    """GEN-11, DSK-07: the one where a storyteller is one and that was used last, or the one typed; others have none."""
    table = Table()
    for channel, nick in (("#FU_Dice", "carol"), ("#other", "dora")):
        table.say(nick, "roll 1d6", (1,), where=channel)

    def hint(nick, text, **more):
        return table.say(nick, text, where="private", **more).replies[0].text.partition("Did you mean: ")[2]

    assert hint("sam", "difficulty x", star=True) == "difficulty 6 for dora in #other"
    assert hint("sam", "difficulty x in #FU_Dice", star=True) == "difficulty 6 for carol in #FU_Dice"
    assert hint("sam", "difficulty x in #elsewhere", star=True) == "difficulty 6 for NICK in #elsewhere"
    assert hint("sam", "secrt roll 5d10", star=True) == "secret roll 5d10 in #other"
    assert hint("carol", "difficulty x") == "difficulty 6 for NICK in #CHANNEL"
    assert hint("carol", "difficulty x in #other") == "difficulty 6 for NICK in #other"  # who rolled there is theirs
    only = {"#fu_dice": There("#FU_Dice", storyteller=True), "#other": There("#other", storyteller=False)}
    assert (
        hint("sam", "difficulty x", there=lambda name: only.get(name.lower())) == "difficulty 6 for carol in #FU_Dice"
    )


@pytest.mark.parametrize("fault", [RuntimeError("damaged"), LedgerUnavailable()])
def test_gen_11_a_hint_is_given_where_the_ledger_cannot_be_asked(fault):
    """GEN-11, LED-05: without an id then; whatever is wrong with the ledger, what was typed is answered."""
    table = Table()

    async def of_channel(*_place):
        raise fault

    table.ledger.of_channel = of_channel
    (reply,) = table.say("sam", "FUDice: close", star=True).replies
    assert reply.text == "Close is not complete. Did you mean: close #ID"


def test_gen_09_a_refusal_speaks_of_the_game_that_was_meant():
    """GEN-09: where nothing may be changed, why not is said of the latest roll of the follow-up's own game."""
    true(
        """
        alice: xr 3d6 | 1 3 6
            alice: Partial Success or Compensating Failure (your choice); total 10; 1 3 6; 3d6; id 1
        alice: roll 2d10 h0 | 9 8
            alice: 2 successes; 9 8; 2d10 h0; id 2
        alice: xr reroll 1
            (alice) Not rolled: that roll shows no double 2 to 5: there is no Change to reroll by.
        """
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("sc strike 6 v human", '"v" is unknown. Did you mean: sc strike 6 vs human'),
        ("b8 t3 great-disadvantge", '"great-disadvantge" is unknown. Did you mean: b8 t3 great-disadvantage'),
        (
            "sc strike 6 vs undyng sunlight",
            "undyng is no Path, and no encounter is open here: sc encounter open Encounter luck 6."
            " Did you mean: sc strike 6 vs undying sunlight",
        ),
        (
            "sc cinder 6 vs undyng sunlight",  # which does nothing to an Undying
            "undyng is no Path, and no encounter is open here: sc encounter open Encounter luck 6.",
        ),
        (
            "sc strike 6 vs shiftr shifted",
            "shiftr is no Path, and no encounter is open here: sc encounter open Encounter luck 6."
            " Did you mean: sc strike 6 vs afflicted shifter shifted",
        ),
        (
            "sc strike 6 vs natral",
            "natral is no Path, and no encounter is open here: sc encounter open Encounter luck 6."
            " Did you mean: sc strike 6 vs natural shifter",
        ),
        (
            "sc strike 6 v @bob",
            "only sc mind is opposed by a roll: say the target's Path, as vs human, or its name without @.",
        ),
    ],
)
def test_gen_11_the_nearest_that_works(said, told):
    """GEN-11: whoever mistyped a word hears how it is written, called or not."""
    for call in ("", "!"):
        (reply,) = Table().say("alice", f"{call}{said}").replies
        assert reply.text == f"Not rolled: {told}"


def test_gen_11_a_name_of_the_encounter_is_no_mistyped_path():
    """GEN-11, SC-24: who is called nearly as a Path is hit; who is not there may have been meant for one."""
    table = Table(twice_seconds=0)
    table.say("alice", "sc encounter open Undyng luck 6 dc3")
    assert table.say("alice", "sc strike 2 vs undyng", (4, 4)).error is None
    assert "undying" not in str(table.say("alice", "sc strike 2 vs Bobby").replies[0].text)
    assert table.say("alice", "sc strike 2 vs Undng").replies[0].text.endswith("Did you mean: sc strike 2 vs Undyng")
    assert table.say("alice", "sc strike 2 vs spirt").replies[0].text.endswith("Did you mean: sc strike 2 vs spirit")


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("sc strike 6 v @bob", 13),
        ("!sc strike 6 v @bob", 14),
        ("sc strike 6 +2 v @bob", 16),
        ("sc mind 7 versus 5", 11),
        ("sc strike 6 v human ritual", 21),
        ("sc strike 6 versus human ritual", 26),
    ],
)
def test_gen_07_the_place_where_v_stands_for_vs(said, column):
    """GEN-07: the column is that of the line as typed, not of what it was read as."""
    assert Table().say("alice", said).error.column == column


def test_dsk_11_help_dice():
    """DSK-11: what a newcomer asks first is how dice are written."""
    first, second = Table().say("alice", "!help dice").replies
    assert first.text.startswith("roll NdX: N dice of X sides, as 3d6")
    assert "help modifiers" in second.text


@pytest.mark.parametrize(
    ("asked", "topic"),
    [("Beat Eight", "beat_eight"), ("strike & cinder", "strike_cinder"), ("Strike and Cinder?", "strike_cinder")],
)
def test_irc_24_help_of_a_game_as_its_name_is_written(asked, topic):
    """IRC-24, GEN-04: `help SYSTEM`, whatever stands between the two words of its name."""
    told = [reply.text for reply in Table().say("alice", f"!help {asked}").replies]
    assert told == [reply.text for reply in Table().say("alice", f"!help {topic}").replies]
    assert told[0].startswith('"')


def test_dsk_11_help_is_of_the_games_that_are_played():
    """DSK-11, GEN-10: `systems` are those named, and those told of; of others another bot may be asked."""
    table = Table(system="generic", systems=("generic", "crossroads"))
    first = table.say("alice", "!help").replies[0].text
    assert " plays crossroads: xr, generic: roll r; for example: roll 4d6k3 | " in first
    roll = [reply.text for reply in table.say("alice", "help roll").replies]
    assert roll[0].startswith('"roll 4d6k3": four dice')
    assert "Hunger" not in " ".join(roll)
    assert table.say("alice", "help advantage").replies[0].text.startswith("Advantage aN: roll N more dice")
    assert table.say("alice", "help log").replies
    for topic, game in (("snake-eyes", "beat_eight"), ("v5", "v5"), ("wp", "v5")):
        assert table.say("alice", f"help {topic}").replies == ()
        (told,) = table.say("alice", f"FUDice: help {topic}").replies
        assert told.text == f'that is of {game}, not played here; "help" names what is.'
    everything = Table().say("alice", "!help").replies[0].text
    for game in ("beat_eight", "crossroads", "fayrewood", "strike_cinder", "v5", "generic"):
        assert f"{game}: " in everything


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("difficulty x for bob in #FU_Dice", "difficulty 6 for bob in #FU_Dice"),
        ("difficulty 7x for zoe in #FU_Dice", "difficulty 6 for zoe in #FU_Dice"),
        ("dificulty for zoe in #FU_Dice", "difficulty 6 for zoe in #FU_Dice"),
        ("difficulty x for bob", "difficulty 6 for bob in #CHANNEL"),
        ("difficulty nine or so for zoe", "difficulty 9 for NICK in #CHANNEL"),
        ("difficulty x", "difficulty 6 for NICK in #CHANNEL"),
    ],
)
def test_gen_11_a_hint_is_a_command_that_works(said, hint):
    """GEN-11: of what was left out a hint has something as well, or it would be refused in its turn."""
    table = Table(system="fayrewood", hinting=True)
    (reply,) = table.say("sam", said, star=True, where="private").replies
    assert reply.text.endswith(f"Did you mean: {hint}")
    assert table.say("sam", hint, star=True, where="private").error is None

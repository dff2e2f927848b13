"""Hints, as scripts of a channel: how often, for whom, and how they are ended (GEN-11)."""

import re

import pytest
from playing import Table, check_script

from ircdice.errors import LedgerUnavailable


def test_gen_11_hints():
    """GEN-11: at most one a minute, the same one once in ten minutes; a call is always answered."""
    check_script(
        """
        alice: v5 3+4 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc3
        alice: v5 3+4 dificulty 3
        bob: v5 3+4 dificulty 3
            (bob) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc3
        ... 59 s
        alice: v5 3+4 dificulty 4
        alice: FUDice: v5 3+4 dificulty 4
            (alice) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc4
        ... 1 s
        alice: v5 3+4 dificulty 3
        alice: v5 3+4 dificulty 4
            (alice) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc4
        ... 539 s
        alice: v5 3+4 dificulty 3
        ... 1 s
        alice: v5 3+4 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc3
        """,
        hinting=True,
    )


def test_gen_11_hints_off():
    """GEN-11: `hints off` ends them for that speaker, `hints on` brings them back (called: GEN-13)."""
    check_script(
        """
        alice: hints off
        alice: !hints off
            (alice) hints are off for you.
        alice: v5 3+4 dificulty 3
        bob: v5 3+4 dificulty 3
            (bob) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc3
        alice: !v5 3+4 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc3
        alice: !hints on
            (alice) hints are on for you.
        alice: v5 3+4 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc3
        """,
        hinting=True,
    )


def test_gen_11_hints_no():
    """GEN-11: `hints = no` in the config."""
    check_script(
        """
        alice: v5 3+4 dificulty 3
        alice: !v5 3+4 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: v5 3+4 dc3
        """,
        hinting=True,
        hints=False,
    )


def test_gen_11_dice_are_always_answered():
    """GEN-11: the limits hold for lines without dice; `NdX` is answered even with hints off."""
    check_script(
        """
        alice: !hints off
            (alice) hints are off for you.
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        """,
        hinting=True,
    )


def test_gen_11_an_example_where_there_is_no_nearest_command():
    """GEN-11: what was not understood is named, with an example that has its prefix where it needs one."""
    check_script(
        """
        sam*: FUDice: close
            (sam) "close" is not complete. For example: close #4d
        sam*: !difficulty x for bob
            (sam) "x" is unknown. For example: /msg FUDice difficulty 9 for bob in #FU_Dice
        sam*: !hints
            (sam) "hints" needs on or off. For example: !hints off
        """
    )


@pytest.mark.parametrize("fault", [RuntimeError("damaged"), LedgerUnavailable()])
def test_gen_11_a_hint_is_given_where_the_ledger_cannot_be_asked(fault):
    """GEN-11, LED-05: without an id then; whatever is wrong with the ledger, what was typed is answered."""
    table = Table()

    async def of_channel(*_place):
        raise fault

    table.ledger.of_channel = of_channel
    (reply,) = table.say("sam", "FUDice: close", star=True).replies
    assert reply.text == '"close" is not complete. For example: close #4d'


def test_gen_09_a_refusal_speaks_of_the_game_that_was_meant():
    """GEN-09: the reason is that of the latest roll of the follow-up's own game."""
    check_script(
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
            "undyng is not a Path, and no encounter is open here: sc encounter open Encounter luck 6."
            " Did you mean: sc strike 6 vs undying sunlight",
        ),
        (
            "sc cinder 6 vs undyng sunlight",  # which does nothing to an Undying
            "undyng is not a Path, and no encounter is open here: sc encounter open Encounter luck 6.",
        ),
        (
            "sc strike 6 vs shiftr shifted",
            "shiftr is not a Path, and no encounter is open here: sc encounter open Encounter luck 6."
            " Did you mean: sc strike 6 vs afflicted shifter shifted",
        ),
        (
            "sc strike 6 vs natral",
            "natral is not a Path, and no encounter is open here: sc encounter open Encounter luck 6."
            " Did you mean: sc strike 6 vs natural shifter",
        ),
        (
            "sc strike 6 v @bob",
            '"v" is unknown. For example: sc strike 6',
        ),
        ("xr 3d6 advantage two", "advantage needs a whole number after it. Did you mean: xr 3d6 a2"),
        ("xr 3d6 a2 convert one", "convert needs a number, as convert2. Did you mean: xr 3d6 a2 convert 1"),
        ("b8 d4 a1", "b8 rolls its 2d6 by itself: leave d4 out."),  # the 4 may have been meant
        ("b8 2d6 a1", "b8 rolls its 2d6 by itself: leave 2d6 out. Did you mean: b8 a1"),
        ("roll 5d10 h\u00b2 dc3", '"h2" has digits of another kind. For example: roll 5d10 h2 dc3'),
        ("b8 t4 ability two", "ability needs a number, as a2. Did you mean: b8 t4 a2"),
        ("b8 t4 ability two and trait three", "ability needs a number, as a2."),
        ("roll 5d10 hunger two dc three", "hunger needs a number, as h2. Did you mean: roll 5d10 h2 dc3"),
        ("toss d8 d6 help two", "help needs a number, as help2. Did you mean: toss d8 d6 help 2"),
        ("sc cinder 5 moon", '"moon" is unknown. Did you mean: sc cinder 5 fullmoon'),
        ("sc assist 6", '"6" is unknown. For example: sc assist cinder 6 for bob'),
        ("toss 3 2 dc7 against 3 goblins", '"against" is unknown. For example: toss d8 d6 dc7'),
        ("roll 5d10 as Ghoul h1", "nobody here is called Ghoul. Did you mean: roll 5d10 h1 # as Ghoul"),
        (
            'roll 5d10 dificulty 3 as "Old Tom"',
            '"dificulty" is unknown. Did you mean: roll 5d10 dc3 as "Old Tom"',
        ),
    ],
)
def test_gen_11_the_nearest_that_works(said, told):
    """GEN-11: a mistyped word is answered with its spelling, called or not."""
    for call in ("", "!"):
        (reply,) = Table().say("alice", f"{call}{said}").replies
        assert reply.text == f"Not rolled: {told}"


@pytest.mark.parametrize(
    ("system", "said", "told"),
    [
        ("v5", "r 4d6x3", '"4d6x3" is unknown. For example: roll 4d6k3'),
        ("v5", "r 2d6 +", '"r 2d6 +" needs dice, a number or (. For example: roll 2d6[fire] + 1d8[cold]'),
        ("v5", "r frog", '"frog" is unknown. For example: roll 5d10 h2 dc3'),
        ("v5", "r 5 dice with 2 hunger", '"dice" is unknown. For example: roll 5d10 h2 dc3'),
        ("fayrewood", "r 3 2 dc7", "the lower number comes first, as roll 1 100. Did you mean: toss 3 2 dc7"),
        ("generic", "r 5d10 h2", '"h2" is unknown. For example: roll 4d6k3'),
    ],
)
def test_gen_07_words_that_count_only_when_called_say_what_is_not_rolled(system, said, told):
    """GEN-07, GEN-11: `r` with the examples of `roll`."""
    (reply,) = Table(system=system).say("alice", f"!{said}").replies
    assert reply.text == f"Not rolled: {told}"


def test_gen_07_luck_is_no_roll():
    """GEN-07, GEN-11: so nothing is "not rolled", and there is an example."""
    for said in ("bob bob", "4d6"):
        (reply,) = Table(system="strike_cinder").say("alice", f"!luck {said}").replies
        assert reply.text == f'"{said[-3:]}" is unknown. For example: !luck'


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
    ],
)
def test_gen_07_the_place_where_v_stands_for_vs(said, column):
    """GEN-07: the column is that of the line as typed, not of what it was read as."""
    assert Table().say("alice", said).error.column == column


@pytest.mark.parametrize(
    ("system", "said", "told"),
    [
        ("v5", "autowin 9 dc4 h1 x3", '"x3" is unknown. For example: autowin 9 dc4 h1'),
        ("v5", "!wp x2", 'Not rolled: "x2" is unknown. For example: wp'),
        ("fayrewood", "sweep 5 5 dc5 x2", '"x2" is unknown. For example: sweep d12 d12 dc5'),
        ("crossroads", "xr damage HHL x2", '"x2" is unknown. For example: xr damage HHL a1b1'),
        ("fayrewood", "toss 5 5 dc5 x2", 'Not rolled: "x2" is unknown. Did you mean: 2x toss d12 d12 dc5'),
    ],
)
def test_gen_11_only_what_rolls_is_offered_to_be_repeated(system, said, told):
    """GEN-11, GEN-17: a hint is a command that works, and only a roll of its own is repeated."""
    (reply,) = Table(system=system).say("alice", said).replies
    assert reply.text == told


@pytest.mark.parametrize(
    "said", ["difficulty x for bob in #FU_Dice", "dificulty 9 for zoe in #FU_Dice", "difficulty x"]
)
def test_gen_11_a_hint_is_a_command_that_works(said):
    """GEN-11: a hint or an example must itself be accepted when typed there."""
    table = Table(system="fayrewood", hinting=True)
    (reply,) = table.say("sam", said, star=True, where="private").replies
    shown = re.split("Did you mean: |For example: ", reply.text)[1]
    assert table.say("sam", shown, star=True, where="private").error is None

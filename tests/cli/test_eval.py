"""`eval --lines` as other programs use it (cli.md): keys, order, tables, errors, silence, bad input."""

import json
import subprocess
import sys

import pytest


@pytest.fixture
def lines(environment):
    """The real command on a pipe: say an object or a raw line, get the object that answers it at once."""
    program = subprocess.Popen(
        [sys.executable, "-m", "ircdice", "eval", "--lines"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    )

    def said(line):
        program.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        program.stdin.flush()
        return json.loads(program.stdout.readline())

    yield said
    program.stdin.close()
    assert program.wait(timeout=120) == 0
    program.stdout.close()


def test_each_line_is_answered_before_the_next_is_said(lines):
    """GEN-01: flushed line by line on a pipe; a talking line, an error and a bad line take their turn like any."""
    assert lines({"text": "roll 2d10 h1", "dice": [6, 7]})["values"] == {"successes": 2}
    assert lines({"text": "roll with it"}) == {"text": "roll with it", "silent": True}
    assert lines({"text": "roll 2d10 h7"})["column"] == 11
    assert "not a JSON" in lines("{not json")["error"]
    assert "object" in lines("[1, 2]")["error"]
    assert lines({"text": "rouse", "dice": [5]})["labels"] == ["hunger_rises"]
    assert lines({"text": "roll 1d10 h0 dc1 # é €", "dice": [9]})["reply"].count('"é €"') == 1
    assert lines({"text": "roll \ud800", "nope": 1})["text"] == "roll \ud800"


@pytest.mark.parametrize("text", ["!log scene\x01 3d10", "!scene x\x07", "roll 2d10 h1 # a\x1bb", "roll 5d10 \x85\x01"])
def test_no_reply_has_control_characters(evaluate, text):
    """IRC-21: they would reach a terminal."""
    answer = evaluate({"text": text, "who": "alice", "storyteller": True})
    assert (answer.get("reply") or answer["private_reply"]).isprintable()


@pytest.mark.parametrize(
    "given",
    [
        {"text": "!blind stir a\x1b[31mx"},
        {"text": "roll 5d10 h\x1b[31mx"},
        {"text": "!log scenee \x9bHar\x1bbour"},
        {"text": "roll 1d10", "\x1b[31m": 1},
    ],
)
def test_no_error_has_control_characters(evaluate, given):
    """IRC-21: what is refused quotes what was typed without them."""
    answer = evaluate(given)
    assert answer["error"].isprintable()
    assert (answer["hint"] or "").isprintable()


def test_keys_of_a_roll(evaluate):
    """GEN-01, V5-05: every die in draw order, its role, whether it counts; what else is known of the roll."""
    answer = evaluate({"text": "roll 3d10 h1", "dice": [10, 2, 10], "who": "alice"})
    assert answer.pop("id").startswith("1-")
    assert answer.pop("reply").startswith(
        "alice: 4 successes, messy critical if passed; 10 2, hunger 10; 3d10 h1; id 1-"
    )
    assert answer == {
        "text": "roll 3d10 h1",
        "who": "alice",
        "system": "v5",
        "kind": "roll",
        "dice": [
            {"sides": 10, "face": 10, "role": "normal", "kept": True},
            {"sides": 10, "face": 2, "role": "normal", "kept": True},
            {"sides": 10, "face": 10, "role": "hunger", "kept": True},
        ],
        "labels": ["messy_critical_if_passed"],
        "values": {"successes": 4},
        "private_reply": None,
    }


def test_keys_of_a_contest(evaluate):
    """V5-19: the acting side on top, the other as opponent, each with its own dice in draw order."""
    answer = evaluate({"text": "roll 2d10 h1 vs 1d10 h0", "dice": [6, 7, 8]})
    assert (answer["kind"], [die["face"] for die in answer["dice"]]) == ("contest", [6, 7])
    opponent = answer["opponent"]
    assert (opponent["who"], [die["face"] for die in opponent["dice"]]) == ("other", [8])
    assert (opponent["labels"], opponent["values"]["successes"]) == (["failure"], 1)
    assert "wp" in answer["private_reply"]


def test_keys_of_a_contest_that_waits(evaluate):
    """GEN-06: nothing is shown of the acting side's dice before the answer."""
    waiting = evaluate({"text": "roll 2d10 h1 vs @bob", "dice": [6, 7], "who": "alice", "table": "t"})
    assert (waiting["kind"], waiting["dice"], waiting["labels"], waiting["values"]) == ("waiting", [], [], {})
    answer = evaluate({"text": "roll 1d10 h1", "dice": [10], "who": "bob", "table": "t"})
    assert (answer["kind"], answer["opponent"]["who"], answer["labels"]) == ("contest", "bob", ["success"])
    assert [die["face"] for die in answer["dice"]] == [6, 7]
    assert answer["private_replies"].keys() == {"alice"}


def test_keys_of_a_reroll(evaluate):
    """V5-17: the dice as they now stand, those just drawn marked, and which roll it takes the place of."""
    first = evaluate({"text": "roll 3d10 h1 dc2", "dice": [2, 6, 1], "table": "t"})
    answer = evaluate({"text": "wp", "dice": [8], "table": "t"})
    assert (answer["kind"], answer["replaces"]) == ("reroll", first["id"])
    assert [(die["face"], die.get("new", False)) for die in answer["dice"]] == [(8, True), (6, False), (1, False)]


def test_only_what_was_drawn_now_is_new(evaluate):
    """V5-17, V5-21: in `hunger N` nothing is drawn; in the other side's reroll nothing of the first side's is."""
    evaluate({"text": "roll 2d10 vs 1d10 h0", "dice": [2, 6, 3], "table": "t"})
    evaluate({"text": "wp h0", "dice": [8], "table": "t"})
    answer = evaluate({"text": "wp as other", "dice": [9], "table": "t"})
    assert answer["opponent"]["dice"][0]["new"] is True
    assert not any(die.get("new") for die in answer["dice"])


@pytest.mark.parametrize(
    ("text", "dice", "kind"),
    [
        ("rouse 2", [1, 9], "roll"),
        ("autowin 6 dc3 h0", [], "check"),
        ("odds roll 3d10 h1", [], "check"),
        ("!help v5", [], "note"),
    ],
)
def test_kinds(evaluate, text, dice, kind):
    """GEN-01: a roll, a check where nothing was rolled, a note."""
    assert evaluate({"text": text, "dice": dice})["kind"] == kind


def test_tables_share_and_keep_apart(evaluate):
    """GEN-09: lines of one table share what a channel remembers; without one each has a table of its own."""
    roll = {"text": "roll 3d10 h1 dc2", "dice": [2, 6, 1]}
    evaluate(roll | {"table": "a"})
    evaluate(roll)
    assert "error" in evaluate({"text": "!wp 1", "table": "b"})
    assert "error" in evaluate({"text": "!wp 1"})
    assert "error" in evaluate({"text": "!wp 1", "table": "a", "who": "bob"})
    assert evaluate({"text": "wp 1", "table": "a", "dice": [7]})["kind"] == "reroll"


def test_storyteller_private_and_config(evaluate):
    """V5-09, V5-15, V5-20: what the other keys are for."""
    evaluate({"text": "roll 2d10 h0 dc2", "dice": [1, 2], "table": "t"})
    assert "error" in evaluate({"text": "wp 1 #1", "table": "t", "who": "sam"})
    assert (
        evaluate({"text": "wp 1 #1", "table": "t", "who": "sam", "storyteller": True, "dice": [3]})["kind"] == "reroll"
    )
    assert evaluate({"text": "rouse", "dice": [9]})["reply"].count("unofficial") == 0
    assert evaluate({"text": "rouse", "dice": [9], "private": True})["reply"].count("unofficial") == 1
    throw = {"text": "roll 2d10 h0", "dice": [1, 2]}
    assert evaluate(throw)["labels"] == ["botch"]
    assert evaluate(throw | {"config": {"botch": "no"}})["labels"] == ["failure"]


def test_errors_carry_column_and_hint(evaluate):
    """GEN-07: a sentence, the column from 1 as typed, the nearest command that works."""
    answer = evaluate({"text": "!roll 5d10 h2 dificulty 3"})
    assert answer["column"] == 15
    assert answer["hint"] == "roll 5d10 h2 dc3"
    assert answer["private_reply"] == 'Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3'
    named = evaluate({"text": "FUDice: roll 5d10 h7"})
    assert (named["column"], named["reply"]) == (19, "Not rolled: hunger is 0 to 5, you wrote h7.")


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        ([6], "too few dice"),
        ([], "too few dice"),
        ([6, 7, 8], "too many dice"),
        ([6, 11], "no face 11"),
        ([0, 6], "no face 0"),
        (["6", 7], "whole numbers"),
        ([6.0, 7], "whole numbers"),
        ([True, 7], "whole numbers"),
        ("67", "dice"),
    ],
)
def test_dice_that_do_not_fit(evaluate, dice, sentence):
    """GEN-07: an error, and nothing is recorded: the next roll of the table is its first."""
    assert sentence in evaluate({"text": "roll 2d10 h1", "dice": dice, "table": "t"})["error"]
    assert evaluate({"text": "roll 2d10 h1", "dice": [6, 7], "table": "t"})["id"].startswith("1-")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "text"),
        ({"text": 3}, "text"),
        ({"text": None}, "text"),
        ({"text": "rouse", "dices": [1]}, "dices"),
        ({"text": "rouse", "storyteller": "yes"}, "storyteller"),
        ({"text": "rouse", "who": 1}, "who"),
        ({"text": "rouse", "system": "nosuch"}, "system"),
        ({"text": "rouse", "config": {"nosuch": "1"}}, "nosuch"),
        ({"text": "rouse", "config": {"botch": "perhaps"}}, "botch"),
        ({"text": "rouse", "config": []}, "config"),
        ([], "object"),
        ("rouse", "object"),
        (None, "object"),
    ],
)
def test_bad_objects_are_named(evaluate, given, sentence):
    """GEN-07: unknown keys and wrong types are errors that say which."""
    answer = evaluate(given)
    assert sentence in answer["error"]
    assert {"text", "error", "column", "hint"} <= answer.keys()


@pytest.mark.parametrize(
    "text", ["", "   ", "roll with it", "gg wp", "wp", "pass", "<mallory> roll 5d10", "\x00", "!8ball am i", "!zork"]
)
def test_silence(evaluate, text):
    """GEN-02, GEN-10: the bot would say nothing."""
    assert evaluate({"text": text}) == {"text": text, "silent": True}
    assert evaluate({"text": text, "dice": [3]}) == {"text": text, "silent": True}


def test_without_dice_there_is_chance(evaluate):
    """V5-01"""
    answer = evaluate({"text": "roll 100d10 h0"})
    assert len(answer["dice"]) == 100
    assert {die["face"] for die in answer["dice"]} <= set(range(1, 11))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000,
        "roll 5d10 " + "h" * 10_000,
        "roll 5d10\x00 h2",
        "roll 5d10\r\nQUIT",
        "roll 5d10 # \udce9",
        "roll ٣d10",
    ],
)
def test_what_nobody_should_type(evaluate, text):
    """GEN-02, GEN-15: an answer, an error or silence, in one line without control characters."""
    answer = evaluate({"text": text})
    for key in ("reply", "private_reply", "error"):
        said = answer.get(key) or ""
        assert not any(ord(character) < 32 for character in said)
        assert len(said.encode("utf-8", "surrogatepass")) <= 400

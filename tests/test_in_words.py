"""Dice that are asked for in words: asked about and never guessed, and what is talk stays a comment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playing import Table

import grammars

Evaluate = Callable[[Any], dict[str, Any]]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("roll 4d6 keep 3", "roll 4d6k3"),
        ("roll 4d6 keep three highest", "roll 4d6k3"),
        ("roll 4d6 keep the highest 3 dice for strength", "roll 4d6k3"),
        ("roll 4d6 drop 1", "roll 4d6dl1"),
        ("roll 4d6 drop lowest", "roll 4d6dl1"),
        ("roll 4d6 drop the lowest # strength", "roll 4d6dl1"),
        ("roll 4d6 drop lowest strength", "roll 4d6dl1"),
        ("roll 4d6 dropping highest", "roll 4d6dh1"),
        ("roll 4d6 best 3", "roll 4d6k3"),
        ("roll 4d6 lowest two", "roll 4d6kl2"),
        ("roll 4d6, top 3", "roll 4d6k3"),
        ("roll 2d20 kh", "roll 2d20k1"),
        ("roll 2d20 kl stealth", "roll 2d20kl1"),
        ("roll 4d6 dl", "roll 4d6dl1"),
        ("roll 4d6 dh", "roll 4d6dh1"),
        ("roll 4d6 k", "roll 4d6k1"),
        ("roll 4d6 d", "roll 4d6dl1"),
        ("roll 6d6 e", "roll 6d6!"),
        ("roll 6d6 explode", "roll 6d6!"),
        ("roll 6d6 exploding dice", "roll 6d6!"),
        ("roll 6d6 explode on 5", "roll 6d6!5"),
        ("roll 6d6 explodes 5s", "roll 6d6!5"),
        ("roll 4d6 reroll ones", "roll 4d6r1"),
        ("roll 4d6 rerolling 1s", "roll 4d6r1"),
        ("roll 4d6+2 drop lowest", "roll 4d6dl1+2"),
        ("roll 3d6 x6", "roll 6x 3d6"),
        ("roll 3d6 6 times", "roll 6x 3d6"),
        ("roll 3d6 six times", "roll 6x 3d6"),
        ("roll 3d6 Six Times", "roll 6x 3d6"),
        ("roll 3d6 X6", "roll 6x 3d6"),
        ("roll 3d6 TIMES 6", "roll 6x 3d6"),
        ("roll 4d6 Drop Lowest", "roll 4d6dl1"),
        ("roll4d6 drop lowest", "roll 4d6dl1"),
        ("!roll 4dFkh drop 1", "roll 4dFk1dl1"),
        ("roll 3d{1,2} drop lowest", "roll 3d{1,2}dl1"),
        ("roll 4d6[2d8 fire] drop lowest", "roll 4d6dl1[2d8 fire]"),
        ("roll 3d6+1 6x", "roll 6x 3d6+1"),
        ("roll 5d10 kh", "roll 5d10k1"),
        ("roll 6d10 explode", "roll 6d10!"),
        ("roll 6d10 x3", "roll 3x 6d10"),
        ("roll 2d6 adv", "roll 2d6"),
        ("xr 3d6 adv", "xr 3d6 a1"),
        ("xr 3d6 advantage", "xr 3d6 a1"),
        ("xr 3d6 advantage 2", "xr 3d6 a2"),
        ("xr 3d6 disadvantage: 1", "xr 3d6 d1"),
        ("xr 3d6 dis", "xr 3d6 d1"),
        ("xr 3d6 advantage -1", "xr 3d6 d1"),
        ("xr 3d6 a1 avantage", "xr 3d6 a1"),
        ("xr 3d6 a1 advantage", "xr 3d6 a1"),
        ("xr 3d6 bonus 2", "xr 3d6 b2"),
        ("xr 3d6 negative 1", "xr 3d6 n1"),
        ("xr 2d6 armour 3", "xr 2d6 av3"),
        ("xr 3d6 b-1", "xr 3d6 n1"),
        ("xr 3d6 a -2", "xr 3d6 d2"),
        ("xr 3d6 n+2", "xr 3d6 n2"),
        ("toss d8 d6 explode", "toss d8 d6"),
    ],
)
def test_dice_asked_for_in_words(evaluate: Evaluate, line: str, meant: str) -> None:
    """GEN-03, GEN-11, GEN-12: another roll than was asked for is never thrown; the hint is what a person meant."""
    found = evaluate({"text": line})
    assert found["error"]
    assert found["hint"] == meant
    assert grammars.read(meant).comment is None


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("roll 4d6 keep calm", "keep calm"),
        ("roll 4d6 keep going", "keep going"),
        ("roll 4d6 drop it", "drop it"),
        ("roll 4d6 drop the bomb", "drop the bomb"),
        ("roll 4d6 drop", "drop"),
        ("roll 4d6 k thanks", "k thanks"),
        ("roll 8d6 exploding barrels", "exploding barrels"),
        ("roll 8d6 explode the door", "explode the door"),
        ("roll 1d20 low blow", "low blow"),
        ("roll 1d20 top notch", "top notch"),
        ("roll 1d20 best friends", "best friends"),
        ("roll 1d20 take that", "take that"),
        ("roll 1d20 take two of them", "take two of them"),
        ("roll 1d20 many times", "many times"),
        ("roll 1d20 at times", "at times"),
        ("roll 1d20 # drop lowest", "drop lowest"),
        ("roll 5d10 h2 secret door", "secret door"),
        ("roll 5d10 h2 the secret", "the secret"),
        ("roll 2d20 secretly, as she sleeps", "secretly, as she sleeps"),
        ("roll 1d20 highest wins", "highest wins"),
        ("roll 5d10 h2 # secret", "secret"),
        ("xr 3d6 bonus round", "bonus round"),
        ("xr 3d6 his turn", "his turn"),
        ("xr 3d6 negative vibes", "negative vibes"),
        ("roll 5d10 dc3 for", None),
    ],
)
def test_talk_stays_a_comment(line: str, comment: str | None) -> None:
    """GEN-03: plain words that ask for no dice are a comment, whatever they begin with."""
    assert grammars.read(line).comment == comment


@pytest.mark.parametrize("line", ["roll 4d6 x0", "roll 4d6 0 times", "roll 4d6 keep 0", "roll 4d6 drop 0"])
def test_none_is_no_number_of_dice(evaluate: Evaluate, line: str) -> None:
    """GEN-11: what cannot be written is not offered."""
    assert evaluate({"text": line})["error"].endswith("is unknown.")


@pytest.mark.parametrize("word", ["secret", "in secret", "secretly", "Secret."])
@pytest.mark.parametrize("roll", ["roll 5d10 h2", "roll 1d20", "xr 3d6", "toss d8 d6"])
def test_a_secret_roll_is_not_made_in_the_open(evaluate: Evaluate, roll: str, word: str) -> None:
    """GEN-12, DSK-07: who says `secret` behind a roll is told how one is made, and nothing is thrown."""
    found = evaluate({"text": f"{roll} {word}"})
    assert "reply" not in found
    assert "behind a roll hides nothing" in found["error"]
    assert '"secret COMMAND in #CHANNEL"' in found["error"]
    assert found["column"] == len(roll) + 2


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("difficulty four for dora in #v5", "difficulty 4 for dora in #v5"),
        ("roll 5d10 hunger two", "roll 5d10 h2"),
        ("roll 5d10 h2 dc three", "roll 5d10 h2 dc3"),
        ("rouse two", "rouse 2"),
        ("wp two", "wp 2"),
        ("xr rerol 1", "xr reroll 1"),
        ("xr gruop open", "xr group open"),
    ],
)
def test_a_number_in_words_is_meant(evaluate: Evaluate, line: str, meant: str) -> None:
    """GEN-11: the nearest command has the number in figures, and the word spelt right."""
    found = evaluate({"text": line, "private": True})
    assert found["hint"] == meant
    assert evaluate({"text": found["hint"], "private": True}).get("hint") is None


@pytest.mark.parametrize("line", ["roll 5d10 hunger two", "roll 5d10 dc three"])
def test_figures_are_asked_for(evaluate: Evaluate, line: str) -> None:
    """GEN-07, V5-04, V5-05: the sentence says that figures are wanted, and not that none is tracked."""
    assert "wants its number in figures" in evaluate({"text": line})["private_reply"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("roll 5d10 h2", "v5 5d10 h2"),
        ("roll 5d10 h2 dc3", "v5 5d10 h2 dc3"),
        ("roll 6d10 h2 vs @bob", "v5 6d10 h2 vs @bob"),
        ("odds roll 5d10 h2", "odds v5 5d10 h2"),
        ("roll 4d6 blah 3", "roll 4d6"),
    ],
)
def test_another_game_by_its_own_word(evaluate: Evaluate, line: str, meant: str) -> None:
    """GEN-11, V5-01: where `roll` is not V5's, its pools are offered by the word that is."""
    found = evaluate({"text": line, "system": "generic"})
    assert found["hint"] == meant
    assert evaluate({"text": meant, "system": "generic"}).get("hint") is None


@pytest.mark.parametrize("line", ["wp 4", "wp 0", "WP 4.", "hunger 6", "wp 7 # all"])
def test_a_number_that_cannot_be(evaluate: Evaluate, line: str) -> None:
    """GEN-07, GEN-10, V5-14: talk, unless one's own roll makes it certain that a command was meant."""
    assert evaluate({"text": line, "table": "t"}).get("silent")
    evaluate({"text": "roll 3d10", "dice": [3, 4, 5], "table": "t"})
    told = evaluate({"text": line, "table": "t"})
    assert told["private_reply"].startswith("Hunger is 0 to 5" if "hunger" in line else "Not rolled: wp rerolls")
    assert evaluate({"text": line, "table": "t", "who": "bob"}).get("silent")


def test_what_is_refused_again_and_again_keeps_nothing() -> None:
    """GEN-07, IRC-15: what is wrong with a line is cached; how it came to be told, table and all, is not."""
    table = Table()
    table.say("alice", "roll 3d10", (3, 4, 5))
    refusals = [table.say("alice", "wp 4").error for _ in range(3)]
    assert {str(refusal) for refusal in refusals} == {"wp rerolls 1 to 3 dice, you wrote 4."}
    assert len({id(refusal) for refusal in refusals}) == 3


def test_no_rouse_check_at_all(evaluate: Evaluate) -> None:
    """GEN-07, GEN-10, V5-13: `rouse 0` is told where V5 is played, as `rouse` alone is answered there."""
    assert "1 to 100 checks" in evaluate({"text": "rouse 0"})["private_reply"]
    assert evaluate({"text": "rouse 0", "system": "generic"}).get("silent")


@pytest.mark.parametrize("line", ["rouse 101", "Rouse 200!", "v5 200", "v5 0", "v5 101 # all of us"])
def test_more_than_there_may_be_at_once(evaluate: Evaluate, line: str) -> None:
    """GEN-07, GEN-15: told where V5 is played, as `rouse 100` and `v5 100` are answered there; a year is talk."""
    assert "1 to 100" in evaluate({"text": line})["private_reply"]
    assert evaluate({"text": line, "system": "crossroads"}).get("silent")
    assert evaluate({"text": "v5 2018"}).get("silent")


@pytest.mark.parametrize("line", ["wp 100", "wp 4 lol", "wp 4 all", "wp 4?", "hunger +1", "hunger 100", "roll 0"])
def test_scores_stay_talk(evaluate: Evaluate, line: str) -> None:
    """GEN-10, GEN-14: not even one's own roll makes a command of a score."""
    evaluate({"text": "roll 3d10", "dice": [3, 4, 5], "table": "t"})
    assert evaluate({"text": line, "table": "t"}).get("silent")


@pytest.mark.parametrize("line", ["hello", "what can you do?", "scene open Harbour", "channel", "thanks!", "sing"])
def test_who_talks_to_the_bot_is_shown_its_help(evaluate: Evaluate, line: str) -> None:
    """GEN-11: in private `help` is the command that helps, and it works as it stands."""
    found = evaluate({"text": line, "private": True})
    assert found["hint"] == "help"
    assert found["private_reply"].endswith("Did you mean: help")


def test_plural_dice_are_talk(evaluate: Evaluate) -> None:
    """GEN-10: `d20s` are dice that people speak of."""
    assert evaluate({"text": "roll d20s not d6s"}).get("silent")


@pytest.mark.parametrize(("systems", "offered"), [((), " Did you mean: v5 5d10 h2"), (("generic",), "")])
def test_no_game_is_offered_that_is_not_played(systems: tuple[str, ...], offered: str) -> None:
    """GEN-11: a hint works in the channel where it is given."""
    (told,) = Table(system="generic", systems=systems).say("alice", "roll 5d10 h2").replies
    assert told.text == f'Not rolled: "h2" is unknown.{offered}'

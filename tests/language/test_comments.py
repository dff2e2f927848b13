"""What is a comment, and what of it is posted (GEN-03)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import grammars
from grammars.line import posted_comment

GAMES = {"v5": "roll", "strike_cinder": "sc", "crossroads": "xr", "beat_eight": "b8", "fayrewood": "toss"}

Evaluate = Callable[[Any], dict[str, Any]]


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("roll 5d10 h2 # punching", "punching"),
        ("roll 5d10 h2# punching", "punching"),
        ("roll 5d10 h2 #punching him 3 times", "punching him 3 times"),
        ("roll 5d10 h2 # a # b", "a # b"),
        ("roll 5d10 h2 # dc3", "dc3"),
        ("roll 5d10 h2 # why?", "why?"),
        ("roll 5d10 h2 #", None),
        ("roll 5d10 h2 #   ", None),
        ("roll 5d10 h2 for the win", "the win"),
        ("roll 5d10 h2 FOR the crown", "the crown"),
        ("roll 5d10 h2 for the win # really", "the win # really"),
        ("roll 5d10 h2 # for the win", "for the win"),
        ("roll 5d10 h2 punching him", "punching him"),
        ("roll 5d10 h2, punching him.", "punching him"),
        ("roll 5d10 h2 - punching him", "punching him"),
        ("roll 5d10 h2 for help", "for help"),
        ("roll 5d10 h2 punching him # 3 times", "punching him # 3 times"),
        ("roll 5d10 h2 punching him for a while", "punching him for a while"),
        ("roll 5d10 h2! # take that", "take that"),
        ("roll 5d10. for all of us", "all of us"),
        ("roll 4d6k3.# 5 of us", "5 of us"),
        ("roll 4d6 !# now", "now"),
        ("wp 2?# now", "now"),
        ("roll4d6k3 punching him", "punching him"),
        ("roll5d10 punching him", "punching him"),
        ("roll 2d6+1 # (a", "(a"),
        ("wp 2! # now", "now"),
        ("roll 5d10 h2 # hm…", "hm…"),
        ("roll 5d10 h2 hungre # 3", "hungre # 3"),
        ("roll 5d10 h2 Difficulti", "Difficulti"),
        ("roll 5d10 punching with hunger", "punching with hunger"),
        ("roll 5d10 ten", "ten"),
        ("autowin 9 dc4 h1 sneaking", "sneaking"),
        ("roll 6d10 h2 vs 5d10 h1 arm wrestling", "arm wrestling"),
        ("roll 6d10 h2 vs @bob arm wrestling", "arm wrestling"),
        ("roll 4d10 willpower against the Beast", "against the Beast"),
        ("v5 5d10 h2 running", "running"),
        ("v5 3+4 h2 # running", "running"),
        ("rouse # blush of life", "blush of life"),
        ("rouse 2 for celerity", "celerity"),
        ("wp 2 # please", "please"),
        ("wp #4d # please", "please"),
        ("wp # 4d", "4d"),
        ("hunger 2 # forgot", "forgot"),
        ("autowin 9 dc4 h1 for the lock", "the lock"),
        ("pass #4d # i yield", "i yield"),
        ("withdraw #4d for now", "now"),
        ("close #4d # done", "done"),
        ("roll5d10h2dc3 punching him", "punching him"),
        ("odds roll5d10 being curious", "being curious"),
        ("odds 5d10 h2 # curious", "curious"),
        ("odds 5d10 h2 being curious", "being curious"),
        ("help roll # me", "me"),
        ("contests # all", "all"),
        ("hints off # thanks", "thanks"),
    ],
)
def test_what_is_a_comment(line: str, comment: str | None) -> None:
    """GEN-03: `#` and `for …` on every command, plain words after a complete one that could not be talk."""
    assert grammars.read(line, called=True).comment == comment


@pytest.mark.parametrize(
    "line",
    [
        "roll 5d10 h2 punching 2 of them",
        "roll 5d10 h2 h2o",
        "roll 5d10 h2 hungre 3",
        "roll 5d10 h2 Difficulti 3",
        "roll 5d10 h2 FOR 3 rounds at dc 4",
        "roll 5d10. for 2 of us",
        "roll 5d10 for me, plus four",
        "roll 5d10 h2 twice",
        "roll 5d10 h2 willpwer maybe",
        "roll 5d10 humaniti",
        "roll 5d10 h2 punching 2 for 3",
        "roll 5d10 hunger",
        "roll 5d10 punching with morality",
        "roll 5d10 + strength",
        "roll 2d6 !p",
        "roll 2d6 (",
        "roll 5d10 h2(",
        "roll 5d10 h2 @bob",
        "roll 5d10h2punching",
        "v5 7 punching him",
        "rouse now",
        "rouse 2 now",
        "wp 2 please",
        "hunger 2 sorry",
        "rouse for help",
        "pass #4d gladly",
        "odds rouse now",
    ],
)
def test_what_is_none(line: str) -> None:
    """GEN-03: digits, near words, signs that may have been meant, and plain words after what holds no NdX."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(line, called=True)


@pytest.mark.parametrize(
    "line",
    [
        "sc strike 6 round 2",
        "toss 3 2 dc7 try 2",
        "b8 t3 great-disadvantge",
        "b8 t4 a1 disadvantage, great leap",
        "xr a1 sneak past 2",
        "autowin 9 dc4 h1 plus one",
    ],
)
def test_gen_03_what_may_have_been_meant_is_hinted_at_uncalled(line: str) -> None:
    """GEN-03: after a complete command that could not be talk the bot need not be called."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(line)


@pytest.mark.parametrize("after", ["", " jump the fence", " as Ghoul", " # jump"])
@pytest.mark.parametrize(
    "line", ["roll 5d10 h2 vs 4", "v5 5 h2 vs 4", "sc strike 6 vs 4", "xr 3d6 vs 4", "b8 t3 vs 4", "toss 3 2 vs 4"]
)
def test_gen_05_a_lone_number_after_vs_is_asked_about_whatever_follows(line: str, after: str) -> None:
    """GEN-05, GEN-12: a comment or a name after the number does not tell whether it is a difficulty or a pool."""
    with pytest.raises(grammars.CommandSyntaxError, match='"vs 4"'):
        grammars.parse(f"{line}{after}")


@pytest.mark.parametrize("line", ["toss 3 2 try 2", "xr group 3 people", "b8 m8", "rouse for help", "r 5d10!"])
def test_gen_03_what_could_be_talk_is_met_with_silence(line: str) -> None:
    """GEN-03, GEN-14: without dice or a keyed number a line with such words is talk."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(line)


@pytest.mark.parametrize("comment", ["ability check", "multitask", "trait"])
def test_gen_03_an_everyday_keyword_without_a_number_is_a_comment(comment: str) -> None:
    """GEN-03: a word that needs a number may have been meant only where a number follows."""
    assert grammars.read(f"b8 t4 {comment}", "beat_eight").comment == comment


def test_gen_14_r_is_a_pool_where_v5_is_played() -> None:
    """GEN-14: called, `r` is `roll` in every game that has it."""
    assert grammars.parse("r 5d10 h2", "v5", called=True) == grammars.parse("roll 5d10 h2", "v5")


@pytest.mark.parametrize("word", ["#4d", "#last", "#4d-27b5pk", "#nosuch"])
def test_a_tight_hash_is_an_id_where_one_is_taken(word: str) -> None:
    """GEN-03: an id after `wp`, `hunger`, `pass`, `withdraw`, `close`; a comment after a roll."""
    for command in ("wp 2", "hunger 2", "pass", "withdraw", "close"):
        assert grammars.parse(f"{command} {word}").ref == word[1:]
    assert grammars.read(f"roll 5d10 {word}").comment == word[1:]
    assert grammars.read(f"rouse {word}").comment == word[1:]


@pytest.mark.parametrize(
    ("comment", "posted"),
    [
        ('say "yes"', "say 'yes'"),
        ("a; id 4d-27b5pk", "a, id 4d-27b5pk"),
        ("“yes”; ‘no’", "'yes', 'no'"),
        ("“Let’s go”", "Let's go"),
        ("'let us go' ", "let us go"),
        ('"a" and "b"', "'a' and 'b'"),
        ("'tis the players' turn", "'tis the players' turn"),
        ("a\x00b\x07c\x1bd\x7fe\x85f", "abcdef"),
        ("a\u202eb\u2066c\u200fd\u061ce", "abcde"),
        ("a\u200bb\u200dc\u2060d\ufeffe", "abcde"),
        ("a\u2028b\u2029c", "abc"),
        ("  a   b  ", "a b"),
        ("naïve Größe 日本", "naïve Größe 日本"),
        ("", ""),
        ("\u202e", ""),
        ("x" * 100, "x" * 80),
        ("é" * 50, "é" * 40),
        ("x" + "é" * 50, "x" + "é" * 39),
        ("€" * 30, "€" * 26),
        ("😀" * 21, "😀" * 20),
        ("x" * 79 + " y", "x" * 79),
    ],
)
def test_what_is_posted(comment: str, posted: str) -> None:
    """GEN-03: 80 bytes at most, cut at a character; no user's words look like the bot's."""
    assert posted_comment(comment) == posted
    assert len(posted.encode()) <= 80


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\x00", "\x02", "\x0304", '"; id 4d-27b5pk', "\u2066", "“; "])
def test_a_reply_with_a_comment_cannot_be_forged(evaluate: Evaluate, sign: str) -> None:
    """GEN-03: in the line as it is posted there are the bot's two quotes, and its semicolons, and no others."""
    reply = evaluate({"text": f"roll 2d10 h1 dc1 # he{sign}llo", "dice": [7, 5]})["reply"]
    _head, quoted, tail = reply.split('"')
    assert ";" not in quoted
    assert quoted.replace("'", "").startswith("he")
    assert reply.isprintable()
    assert tail.startswith("; id ")


def test_a_comment_is_cut_in_the_reply(evaluate: Evaluate) -> None:
    """GEN-03: 80 bytes of it are posted."""
    reply = evaluate({"text": "roll 1d10 # " + "é" * 300, "dice": [7]})["reply"]
    assert reply.split('"')[1] == "é" * 40


def answered(evaluate: Evaluate, opening: str, answer: str) -> str:
    """The command and comments of a contest's line."""
    table = {"system": "v5", "table": f"{opening} | {answer}"}
    evaluate({"text": f"roll 1d10 h1 vs @bob{opening}", "dice": [7], "who": "alice", **table})
    line = evaluate({"text": answer, "dice": [] if "pass" in answer else [7], "who": "bob", **table})["reply"]
    return str(line.rpartition("; id ")[0].rpartition("; ")[2])


def test_both_sides_comments_are_posted(evaluate: Evaluate) -> None:
    """GD-12, GEN-06: the one who answers may add a comment too; the second is the answer's."""
    said = "1d10 h1 vs 1d10 h1"
    assert answered(evaluate, " # crown", "roll 1d10 h1 # honour") == f'{said} "crown" "honour"'
    assert answered(evaluate, "", "roll 1d10 h1 # honour") == f'{said} "honour"'
    assert answered(evaluate, " # crown", "roll 1d10 h1") == f'{said} "crown"'
    assert answered(evaluate, " # crown", "pass # I yield") == '1d10 h1 dc1 "crown" "I yield"'
    assert answered(evaluate, " # crown", "roll 1d10 h1 #1") == f'{said} "crown"'  # which names the contest


def test_the_answers_comment_is_cut_first(evaluate: Evaluate) -> None:
    """GEN-03: 80 bytes of each are posted where there is room; no quote is left open where there is none."""
    assert answered(evaluate, f" # {'x' * 99}", f"roll 1d10 h1 # {'y' * 99}").endswith(f'"{"x" * 80}" "{"y" * 80}"')
    for dice in range(50, 101):
        table = {"system": "v5", "table": str(dice)}
        pool = "+1" * dice
        evaluate({"text": f"v5 {pool[1:]} h1 vs @bob # {'x' * 80}", "dice": [7] * dice, "who": "alice", **table})
        reply = evaluate({"text": f"roll 1d10 h1 # {'y' * 80}", "dice": [7], "who": "bob", **table})["reply"]
        assert reply.count('"') in (0, 2, 4)
        assert '""' not in reply
        comments = reply.rpartition("; id")[0].partition('"')[2]  # without the id, whose letters are random
        assert ("yy" in comments) <= (f'"{"x" * 80}"' in reply)


@pytest.mark.parametrize(
    ("line", "doubtful"),
    [
        ("roll 5d10 h2 brawl vs bob", "vs"),
        ("sc strike 6 claws vs Ghoul", "vs"),
        ("sc strike 5 as Big Bad vs ann", "vs"),
        ("sc strike 6 claws versus the Ghoul", "versus"),
        ("xr a1 sneak vs bob", "vs"),
        ("b8 t4 a1 dodge vs. bob", "vs"),
        ("toss d8 d6 sneaking vs bob", "vs"),
        ("roll 5d10 h2 for the brawl vs bob", "vs"),
        ("sc cinder 5 fire full moon", "full moon"),
        ("sc cinder 5 fire fullmoon", "fullmoon"),
        ("toss d8 d6 climbing very hard", "hard"),
        ("xr a1 lying low", "low"),
        ("toss d8 d6 easy", "easy"),
        ("toss d8 d6 bon", "bon"),
        ("toss 3 2 dc7 bonn", "bonn"),
        ("b8 t4 hard", "hard"),
    ],
)
def test_gen_03_words_that_may_be_meant_are_asked_about(line: str, doubtful: str) -> None:
    """GEN-03, GEN-12: a target, a spelling of two words, and one word that is nearly one of the game's."""
    system = next(game for game, word in GAMES.items() if line.startswith(word))
    with pytest.raises(grammars.CommandSyntaxError) as refused:
        grammars.read(line, system)
    assert f'"{doubtful}"' in str(refused.value)


@pytest.mark.parametrize("line", ["roll 5d10 h2 me vs him", "toss d8 d6 hard fall", "toss d8 d6 bone saw"])
def test_gen_03_such_words_may_be_talk(line: str) -> None:
    """GEN-03: a pronoun is no target, and a word among others is compared less closely."""
    assert grammars.read(line, "fayrewood").comment

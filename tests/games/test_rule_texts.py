"""`help RULE-ID`: every rule of every game in a sentence, from the table next to the code (DSK-11)."""

import re

import pytest

import grammars
from grammars import catalogue
from ircdice import dispatcher
from ircdice.bot import rule_texts
from ircdice.bot.help import Guide, overview, topic_lines
from ircdice.reply import MOST_BYTES

LAST = {
    "V5": 27,
    "SC": 28,
    "XR": 27,
    "B8": 9,
    "FW": 15,
    "GD": 15,
    "GEN": 19,
    "DSK": 16,
    "IRC": 29,
    "LED": 25,
    "WEB": 14,
}
MISSING = {"IRC-16", "IRC-17", "IRC-18", "IRC-19", "LED-08", "LED-09"}  # numbers that no rule has
RULES = [f"{family}-{number:02}" for family, last in LAST.items() for number in range(1, last + 1)]
RULES = [rule for rule in RULES if rule not in MISSING]


def test_every_rule_is_told():
    """DSK-11: those that are written, all of them, and no others; a further game has its own family."""
    told = [rule for rule in rule_texts.every() if rule.partition("-")[0] in LAST]
    assert sorted(told) == sorted(RULES)


def test_every_rule_is_one_sentence(evaluate):
    """DSK-11: in one line of ASCII, in any case of letters."""
    for rule in RULES:
        reply = evaluate({"text": f"!help {rule}"})["reply"]
        assert reply == evaluate({"text": f"!HELP {rule.lower()}"})["reply"]
        assert re.fullmatch(rf"{rule}: (\S.*[^.])\.", reply)
        assert not re.search(r"[.?!] [A-Z]", reply)
        assert len(reply) <= MOST_BYTES
        assert reply.isascii()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("V5-02", "6 or more"),
        ("V5-13", "for each 5 or less"),
        ("SC-05", "0 Critical Failure, 1 Failure, 2 Partial Failure, 3 Complete Success, 5 Exceptional Success"),
        ("SC-08", "Cursed 3, Possessed 3, Half-Blood 3, Natural Shifter 4"),
        ("XR-08", "up to 5 is -1, up to 10 is 0, up to 15 is 1, more is 2"),
        ("XR-24", "0 Partial Success or Compensating Failure, 1 Success, 2 Great Success"),
        ("B8-03", "severe -3, great-disadvantage -3, ridiculous -5, practically-impossible -7"),
        ("FW-09", "3 Routine, 5 Straightforward, 7 Moderate, 9 Challenging, 11 Hard, 13 Very Hard, 15 Near Impossible"),
        ("GD-14", "400 characters, 100 dice in a term, 1000 in all"),
        ("LED-23", "20 lines a minute; after 200 wrong ids"),
        ("LED-22", "made within 10 minutes"),
        ("DSK-06", "lapse after 15 minutes"),
        ("GEN-11", "once in 1 minute at most and the same in 10"),
    ],
)
def test_its_numbers_are_those_of_the_tables(rule, said):
    """DSK-11, V5-02, SC-05, XR-08, B8-03, FW-09, GD-14: the text is made from the tables that the code uses."""
    assert said in rule_texts.every()[rule]


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("!help v5-28", "V5-27"),
        ("!help irc-17", "IRC-15"),
        ("!help led-30", "LED-25"),
        ("!help dks-07", "DSK-07"),
        ("!help sc-0", "SC-01"),
        ("!help vb-07", "V5-07"),
        ("!help gem-03", "GEN-03"),
    ],
)
def test_a_rule_that_is_not_there(evaluate, asked, near):
    """DSK-11: the nearest is offered."""
    answer = evaluate({"text": asked})
    assert answer["error"].startswith("there is no rule ")
    assert answer["hint"] == f"!help {near}"
    assert answer["private_reply"].endswith(f"Did you mean: !help {near}")


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("help mesy", "messy"),
        ("help crit", "messy"),
        ("help fray", "frayed"),
        ("help snak-eyes", "snake-eyes"),
        ("help wilpower", "willpower"),
        ("help verfy", "verify"),
        ("help v5-pool", None),
        ("help zebras", None),
        ("help zebras 2", None),
    ],
)
def test_a_topic_that_is_nearly_one(evaluate, asked, near):
    """DSK-11, GEN-11: called, the topic that was meant is explained at once; if there is none, all commands are."""
    answer = evaluate({"text": asked, "private": True})
    if near:
        meant = evaluate({"text": f"help {near}", "private": True})
        assert (answer["reply"], answer["private_reply"]) == (meant["reply"], meant["private_reply"])
    else:
        assert answer["hint"] == "help commands"
        assert "error" not in evaluate({"text": answer["hint"], "private": True})
    assert evaluate({"text": asked}).get("silent")


def test_one_digit_will_do(evaluate):
    """DSK-11, GEN-04: `v5-7` can only mean V5-07."""
    assert evaluate({"text": "!help v5-7"})["reply"] == evaluate({"text": "!help V5-07"})["reply"]


@pytest.mark.parametrize("talk", ["help f-16", "help mp-40 is down", "help covid-19", "help v5-07 bob", "help v5-0700"])
def test_other_numbers_are_talk(evaluate, talk):
    """DSK-11, GEN-10: others have ids too."""
    assert evaluate({"text": talk}).get("silent")


def test_a_term_that_looks_like_an_id_is_a_term():
    """DSK-11: `help snake-eyes` is no rule's."""
    assert grammars.parse("help snake-eyes", called=True).rule is None
    assert grammars.parse("help V5-7", called=True).rule == "V5-07"
    assert grammars.parse("help", called=True).rule is None


@pytest.mark.parametrize("system", dispatcher.systems())
def test_help_has_no_smileys(system):
    """Replies (language.md): no text of help has what a client would show as a face."""
    guide = Guide(system)
    told = [line for topic in catalogue.topics() for line in topic_lines(topic, guide)]
    told += [overview(guide), *rule_texts.every().values()]
    assert [line for line in told if "8)" in line or ":3" in line] == []


@pytest.mark.parametrize(
    ("system", "topic", "begins"),
    [
        ("beat_eight", "advantage", "Beat Eight's difficulties"),
        ("beat_eight", "difficulty", "Beat Eight's difficulties"),
        ("crossroads", "advantage", "Advantage aN"),
        ("crossroads", "reroll", "Change, a double 2 to 5"),
        ("crossroads", "change", "Change, a double 2 to 5"),
        ("crossroads", "keep", "After an Advantage roll"),
        ("v5", "reroll", "Willpower"),
        ("v5", "difficulty", '"roll 5d10 h2 dc3": five dice'),
        ("generic", "keep", "k3 keeps"),
        ("generic", "explode", "5d6! draws"),
        ("strike_cinder", "explode", "Each 6 rolls one more die"),
    ],
)
def test_the_channels_own_game_explains_a_word_first(system, topic, begins):
    """DSK-11: one word has a sense in several games."""
    lines = topic_lines(topic, Guide(system))
    assert lines[0].startswith(begins)
    assert len(lines) <= 4

"""Strike & Cinder's magic on minds: in one line, and as another resists it."""

import pytest
from playing import Table, check_script, line

import grammars
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import amend, evaluate
from ircdice.errors import RuleError
from ircdice.outcome import Earlier

GAME = "strike_cinder"
MINDS = [
    # SC-16: equal passes resist; three passes and fewer than the attack's leave the target aware
    ("sc mind 4 vs 4", (4, 4, 4, 4, 4, 4, 4, 4), ["resisted"], "Resisted, 4 passes to 4"),
    ("sc mind 4 vs 4", (4, 4, 4, 4, 4, 4, 4, 1), ["overcome", "aware"], "Overcome, other aware, 4 passes to 3"),
    ("sc mind 4 vs 4", (4, 4, 4, 4, 4, 4, 1, 1), ["overcome"], "Overcome, 4 passes to 2"),
    ("sc mind 3 vs 2", (4, 4, 4, 4, 4), ["overcome"], "alice 4 4 4; other 4 4; mind 3 vs 2"),
    ("sc mind 3 vs 3d6", (4, 4, 4, 4, 6, 5, 4), ["resisted"], "alice 4 4 4; other 4 6>4 5; mind 3 vs 3"),
    # SC-16: the full moon holds for both, wherever it is typed
    ("sc mind 3 fullmoon vs 2", (4, 4, 4, 5, 1, 5, 4), ["resisted"], "other 5>5>4 1; mind 3 fullmoon vs 2"),
    ("sc mind 2 vs 2 fullmoon", (5, 4, 5, 1, 1, 1), ["overcome"], "alice 5>5>1 4; other 1 1; mind 2 fullmoon vs 2"),
    # SC-16: an attack of 0 to 2 has failed by itself, and nothing is rolled against it
    (
        "sc mind 3 vs 5",
        (4, 4, 1),
        ["partial_failure"],
        "Partial Failure, 2 passes, nothing is overcome; 4 4 1; mind 3 vs 5",
    ),
    ("sc mind 3 vs 5", (4, 1, 1), ["failure"], "Failure, 1 pass, nothing is overcome"),
    ("sc mind 3 vs ironwill", (1, 1, 1), ["critical_failure"], "Critical Failure, 0 passes, nothing is overcome"),
    (
        "sc mind 3 vs @bob",
        (4, 4, 1),
        ["partial_failure"],
        "alice vs bob: Partial Failure, 2 passes, nothing is overcome",
    ),
    # SC-17: no Cinder, no resistance; Iron Will has five dice
    (
        "sc mind 3 vs human",
        (4, 4, 4),
        ["overcome"],
        "Overcome, other does not resist, 3 passes; 4 4 4; mind 3 vs human",
    ),
    ("sc mind 3 vs human", (4, 4, 1), ["partial_failure"], "Partial Failure, 2 passes, nothing is overcome"),
    ("sc mind 3 vs ironwill", (4, 4, 4, 4, 4, 4, 1, 1), ["resisted"], "Resisted, 3 passes to 3"),
    ("sc mind 3 vs human ironwill", (4, 4, 4, 4, 4, 1, 1, 1), ["overcome"], "mind 3 vs ironwill"),
    # SC-06, SC-12, SC-14: both sides have Paths, weaknesses and helpers as any Cinder pool
    (
        "sc mind arcanist vs undying silver",
        (4,) * 7 + (4,) * 4,
        ["overcome", "aware"],
        "mind arcanist vs undying silver",
    ),
    ("sc mind 2 assist vs 2 +1", (4, 4, 4, 4, 4, 4), ["resisted"], "mind 2 assist vs 2 +1"),
    ("sc mind 3 vs shifter", (4, 4, 4, 1, 1, 1, 1, 1), ["overcome"], "mind 3 vs shifter"),
]


@pytest.mark.parametrize(("text", "dice", "labels", "reply"), MINDS)
def test_a_mind(say, text, dice, labels, reply):
    """SC-16, SC-17: who is overcome, who resists, and who knows of it."""
    answer = say(text, *dice)
    assert answer.get("labels") == labels
    assert reply in line(answer) + ";"
    assert answer["kind"] == "contest"


def test_a_mind_that_another_defends(say):
    """SC-16, GEN-06: the attack is covered until @bob has answered; then both are shown."""
    opened = say("sc mind 4 vs @bob", 4, 4, 4, 6, 1)
    assert (opened["kind"], opened["dice"], opened["labels"]) == ("waiting", [], [])
    assert 'mind 4 is rolled and covered. bob: answer "sc resist 5" or "pass" within 15 min' in opened["reply"]
    closed = say("sc resist 3", 4, 4, 5, who="bob")
    assert (closed["kind"], closed["labels"], closed["values"]) == ("contest", ["overcome", "aware"], {"passes": 4})
    assert closed["opponent"]["who"] == "bob"
    assert closed["opponent"]["values"] == {"passes": 3}
    assert line(closed) == "alice vs bob: Overcome, bob aware, 4 passes to 3; alice 4 4 4 6>1; bob 4 4 5; mind 4 vs 3"


def test_the_moon_of_the_attack_shines_on_the_answer(say):
    """SC-16: fullmoon holds for both sides, though only one of them said it."""
    say("sc mind 3 fullmoon vs @bob", 4, 4, 4)
    assert line(say("sc resist 1", 5, 4, who="bob")).endswith("bob 5>4; mind 3 fullmoon vs 1")


@pytest.mark.parametrize("attack", ["sc mind 3 vs @bob", "sc mind 3"])
def test_no_moon_rises_on_an_attack_that_was_rolled(say, attack):
    """SC-16: the attack's fives have not exploded, so the answer's do not: it is an error, and the attack waits on."""
    say(attack, 5, 5, 5)
    assert say("sc resist 4 fullmoon", who="bob")["error"] == (
        "the attack was rolled without a full moon, which applies to both sides or neither: leave it out."
    )
    answer = line(say("sc resist 4", 5, 4, 4, 1, who="bob"))
    assert answer == "alice vs bob: Resisted, 3 passes to 3; alice 5 5 5; bob 5 4 4 1; mind 3 vs 4"


def test_only_resistance_answers(say):
    """SC-16, GEN-06: what bob rolls meanwhile is a roll of his own, and the attack still waits for him."""
    say("sc mind 3 vs @bob", 4, 4, 4)
    assert line(say("sc strike 2", 4, 1, who="bob")) == "bob: Failure, 1 pass; 4 1; strike 2"
    assert say("sc resist 3", 4, 4, 4, who="bob")["labels"] == ["resisted"]


def test_pass_and_withdraw(say):
    """GEN-06: `pass` is no resistance, and what is withdrawn is shown."""
    say("sc mind 3 vs @bob", 4, 4, 4)
    passed = say("pass", who="bob")
    assert (passed["labels"], line(passed)) == (
        ["overcome"],
        "alice vs bob: Overcome, bob does not resist, 3 passes; 4 4 4; mind 3 vs @bob",
    )
    say("sc mind 3 vs @bob", 4, 4, 5)
    assert "withdrawn, not answered; alice 4 4 5" in say("!withdraw")["reply"]


def test_resistance_to_an_attack_at_nobody_by_name(say):
    """SC-16: the first to resist answers it, once; a failed attack is not open."""
    assert say("sc mind 3", 4, 4, 4)["labels"] == ["complete_success"]
    assert say("sc resist 1", 4)["labels"] == ["failure"]  # her own
    answer = say("sc resist 3", 4, 4, 4, who="bob")
    assert (answer["kind"], answer["labels"], answer["opponent"]["who"]) == ("contest", ["resisted"], "bob")
    assert line(answer) == "alice vs bob: Resisted, 3 passes to 3; alice 4 4 4; bob 4 4 4; mind 3 vs 3"
    assert say("sc resist 1", 4, who="carol")["labels"] == ["failure"]
    say("sc mind 2", 4, 4)
    assert say("sc resist 1", 4, who="bob")["labels"] == ["failure"]


def test_gen_06_an_attack_at_nobody_by_name_is_open_as_long_as_a_contest():
    """GEN-06, SC-16: what comes later than `contest_minutes` is a roll of its own."""
    check_script(
        """
        alice: sc mind 3 | 4 4 4
            alice: Complete Success, 3 passes; 4 4 4; mind 3; id 1
        ... 15 min
        bob: sc resist 4 | 5 4 4 1
            bob: Complete Success, 3 passes; 5 4 4 1; resist 4; id 2
        """,
        system="strike_cinder",
    )


def test_gen_06_what_is_no_answer_changes_no_roll():
    """GEN-06, SC-16: a roll that resists nothing leaves the open attack as it is."""
    attack, stray = (grammars.parse(text, "strike_cinder") for text in ("sc mind 3 vs @bob", "sc strike 3"))
    earlier = Earlier(attack, evaluate(attack, ScriptedDice((4, 4, 4))))
    with pytest.raises(RuleError, match="nothing can be changed about that roll by sc strike 3"):
        amend(stray, earlier, ScriptedDice((6, 6, 6)))


def test_gen_06_dice_alone_are_told_the_answer():
    """GEN-06, SC-16: the user who is asked and types dice alone gets the form of the answer."""
    table = Table(system="strike_cinder")
    table.say("bob", "sc mind 7 vs @ann", (4, 4, 4, 4, 4, 4, 4))
    (reply,) = table.say("ann", "5d6").replies
    assert (reply.target, reply.private) == ("ann", True)
    assert 'no answer to contest #1: bob vs ann: mind 7 is rolled and covered. ann: answer "sc resist 5"' in reply.text


def test_sc_27_both_sides_are_posted_as_their_characters_of_the_encounter():
    """SC-16, SC-27: as a strike is, whoever else they play in the channel."""
    check_script(
        """
        sam*: sc encounter open Ghoul luck 6
            sam: the encounter opens, Ghoul Luck 6/6; id 1
        bob: sc join Vik arcanist
            bob: Vik joins, Arcanist, Luck 4/4; id 3
        alice: !play Zed
            alice: plays Zed; id 4
        alice: sc join Viktor arcanist
            Zed (alice): Viktor joins, Arcanist, Luck 4/4; id 6
        alice: sc strike 1 | 4
            Viktor (alice): Failure, 1 pass; 4; strike 1; id 7
        bob: sc mind 3 vs @alice | 4 4 4
            Vik (bob) vs alice: mind 3 is rolled and covered. alice: answer "sc resist 5" or "pass" within 15 min; id
                8
        alice: sc resist 3 | 4 4 1
            Vik (bob) vs Viktor (alice): Overcome, 3 passes to 2; Vik 4 4 4; Viktor 4 4 1; mind 3 vs 3; id 9
        alice: sc mind 3 | 4 4 4
            Viktor (alice): Complete Success, 3 passes; 4 4 4; mind 3; id a
        bob: sc resist 3 | 4 4 4
            Viktor (alice) vs Vik (bob): Resisted, 3 passes to 3; Viktor 4 4 4; Vik 4 4 4; mind 3 vs 3; id b
    """,
        system=GAME,
    )

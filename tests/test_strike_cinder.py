"""Strike & Cinder: scripted throws with labels, values and line, rule by rule; contests."""

import pytest
from playing import line

GAME = "strike_cinder"
BUSY = "the helper makes no other roll that has an effect in this post"


ALONE = [
    # SC-01: four and more pass; 6d6 is 6
    ("sc strike 4", (3, 4, 5, 1), ["partial_failure"], {"passes": 2}, "Partial Failure, 2 passes; 3 4 5 1; strike 4"),
    ("sc cinder 4d6", (4, 4, 3, 3), ["partial_failure"], {"passes": 2}, "Partial Failure, 2 passes; 4 4 3 3; cinder 4"),
    ("sc strike d6", (4,), ["failure"], {"passes": 1}, "Failure, 1 pass; 4; strike 1"),
    # SC-02: sixes explode, and again; generation by generation, posted behind their die
    ("sc strike 2", (6, 6, 6, 1, 2), ["complete_success"], {"passes": 3}, "3 passes; 6>6>2 6>1; strike 2"),
    ("sc strike 3", (6, 2, 6, 5, 6, 4), ["exceptional_success"], {"passes": 5}, "5 passes; 6>5 2 6>6>4; strike 3"),
    ("sc cinder 1", (6, 6, 6, 6, 6, 3), ["exceptional_success"], {"passes": 5}, "5 passes; 6>6>6>6>6>3; cinder 1"),
    ("sc cinder 2", (5, 5), ["partial_failure"], {"passes": 2}, "Partial Failure, 2 passes; 5 5; cinder 2"),
    # SC-03: under the full moon Cinder's fives explode as well, Strike's do not, and that is said
    ("sc cinder 2 fullmoon", (5, 4, 5, 6, 3), ["complete_success"], {"passes": 4}, "5>5>6>3 4; cinder 2 fullmoon"),
    (
        "sc strike 2 full moon",
        (5, 6, 5),
        ["complete_success"],
        {"passes": 3},
        "Complete Success, 3 passes; 5 6>5, fullmoon has no effect on Strike; strike 2 fullmoon",
    ),
    # SC-04: a DC, and a tie goes to the roll
    (
        "sc strike 3 dc3",
        (4, 5, 4),
        ["success"],
        {"passes": 3, "dc": 3},
        "Success, 3 passes vs DC 3; 4 5 4; strike 3 dc3",
    ),
    (
        "sc strike 3 dc:4",
        (4, 5, 4),
        ["failure"],
        {"passes": 3, "dc": 4},
        "Failure, 3 passes vs DC 4; 4 5 4; strike 3 dc4",
    ),
    (
        "sc cinder 1 difficulty 1",
        (1,),
        ["failure"],
        {"passes": 0, "dc": 1},
        "Failure, 0 passes vs DC 1; 1; cinder 1 dc1",
    ),
    # SC-05: the Success Range
    ("sc strike 5", (1, 2, 3, 1, 2), ["critical_failure"], {"passes": 0}, "Critical Failure, 0 passes"),
    ("sc strike 5", (4, 2, 3, 1, 2), ["failure"], {"passes": 1}, "Failure, 1 pass;"),
    ("sc strike 5", (4, 4, 3, 1, 2), ["partial_failure"], {"passes": 2}, "Partial Failure, 2 passes"),
    ("sc strike 5", (4, 4, 5, 1, 2), ["complete_success"], {"passes": 3}, "Complete Success, 3 passes"),
    ("sc strike 5", (4, 4, 5, 5, 1), ["complete_success"], {"passes": 4}, "Complete Success, 4 passes"),
    ("sc strike 5", (4, 4, 5, 5, 4), ["exceptional_success"], {"passes": 5}, "Exceptional Success, 5 passes"),
    # SC-06: a Path's pools
    ("sc strike human", (1,) * 4, ["critical_failure"], {"passes": 0}, "strike human"),
    ("sc strike arcanist", (1,) * 4, ["critical_failure"], {"passes": 0}, "strike arcanist"),
    ("sc cinder arcanist", (1,) * 7, ["critical_failure"], {"passes": 0}, "cinder arcanist"),
    ("sc strike cursed", (1,) * 5, ["critical_failure"], {"passes": 0}, "strike cursed"),
    ("sc cinder cursed", (1,) * 5, ["critical_failure"], {"passes": 0}, "cinder cursed"),
    ("sc strike possessed", (1,) * 4, ["critical_failure"], {"passes": 0}, "strike possessed"),
    ("sc cinder possessed", (1,) * 5, ["critical_failure"], {"passes": 0}, "cinder possessed"),
    ("sc strike half-blood", (1,) * 5, ["critical_failure"], {"passes": 0}, "strike half-blood"),
    ("sc cinder half blood", (1,) * 5, ["critical_failure"], {"passes": 0}, "cinder half-blood"),
    ("sc strike natural shifter", (1,) * 6, ["critical_failure"], {"passes": 0}, "strike natural shifter"),
    ("sc cinder natural shifter", (1,) * 5, ["critical_failure"], {"passes": 0}, "cinder natural shifter"),
    ("sc strike afflicted shifter", (1,) * 7, ["critical_failure"], {"passes": 0}, "strike afflicted shifter"),
    ("sc cinder afflicted shifter", (1,) * 5, ["critical_failure"], {"passes": 0}, "cinder afflicted shifter"),
    ("sc cinder shifter", (1,) * 5, ["critical_failure"], {"passes": 0}, "cinder shifter"),
    ("sc strike undying", (1,) * 6, ["critical_failure"], {"passes": 0}, "strike undying"),
    ("sc cinder undying", (1,) * 5, ["critical_failure"], {"passes": 0}, "cinder undying"),
    ("sc strike spirit", (1,), ["critical_failure"], {"passes": 0}, "strike spirit"),
    ("sc strike spirit manifested", (1,) * 4, ["critical_failure"], {"passes": 0}, "strike spirit manifested"),
    ("sc cinder spirit", (1,) * 6, ["critical_failure"], {"passes": 0}, "cinder spirit"),
    # SC-07: a Human's ritual
    ("sc cinder human ritual", (4, 4, 4, 1), ["complete_success"], {"passes": 3}, "4 4 4 1; cinder human ritual"),
    (
        "sc cinder human ritual +1 assist",
        (1,) * 6,
        ["critical_failure"],
        {"passes": 0},
        "cinder human ritual +1 assist",
    ),
    # SC-12: weaknesses of the roller, and caps, before all else
    ("sc strike natural shifter silver", (1,) * 5, ["critical_failure"], {"passes": 0}, "natural shifter silver"),
    ("sc strike 9 shifter silver", (1,) * 8, ["critical_failure"], {"passes": 0}, "9"),
    ("sc cinder undying silver", (1,) * 4, ["critical_failure"], {"passes": 0}, "cinder undying silver"),
    ("sc cinder half-blood sky iron", (1,) * 4, ["critical_failure"], {"passes": 0}, "cinder half-blood skyiron"),
    ("sc cinder possessed salt", (1,) * 4, ["critical_failure"], {"passes": 0}, "cinder possessed salt"),
    ("sc strike undying true sunlight", (1,) * 4, ["critical_failure"], {"passes": 0}, "strike undying sunlight"),
    ("sc strike undying sunlight +2 assist2", (1,) * 8, ["critical_failure"], {"passes": 0}, "sunlight +2 assist2"),
    ("sc strike 3 undying sunlight", (1,) * 3, ["critical_failure"], {"passes": 0}, "strike 3 undying sunlight"),
    ("sc cinder 1 undying silver +1", (1,), ["critical_failure"], {"passes": 0}, "cinder 1 undying silver +1"),
    # SC-13: the pool changed, more than once
    ("sc strike 6d6+1", (1,) * 7, ["critical_failure"], {"passes": 0}, "strike 6 +1"),
    ("sc strike 6 +2 -3 - 1", (1,) * 4, ["critical_failure"], {"passes": 0}, "strike 6 +2 -3 -1"),
    # SC-14: assistance, which stacks with +N
    ("sc strike 4 assist", (1,) * 5, ["critical_failure"], {"passes": 0}, "strike 4 assist"),
    ("sc strike 4 assist 2 +1", (1,) * 7, ["critical_failure"], {"passes": 0}, "strike 4 +1 assist2"),
    # SC-15: the helper's attempt
    (
        "sc assist cinder 5",
        (4, 4, 4, 4, 4),
        ["exceptional_success"],
        {"passes": 5},
        f"Exceptional Success, 5 passes; gives assist2, +2 dice, to the recipient's next roll of that pool; {BUSY}; "
        "4 4 4 4 4; assist cinder 5",
    ),
    (
        "sc assist strike 4",
        (4, 4, 4, 4),
        ["complete_success"],
        {"passes": 4},
        f"Complete Success, 4 passes; gives no assistance, not even +1; {BUSY}; 4 4 4 4; assist strike 4",
    ),
    # SC-16, SC-17: magic on a mind alone, resistance alone
    ("sc mind 4", (4, 4, 4, 3), ["complete_success"], {"passes": 3}, "Complete Success, 3 passes; 4 4 4 3; mind 4"),
    ("sc resist 2", (4, 3), ["failure"], {"passes": 1}, "Failure, 1 pass; 4 3; resist 2"),
    ("sc resist iron will", (4, 3, 3, 3, 3), ["failure"], {"passes": 1}, "Failure, 1 pass; 4 3 3 3 3; resist ironwill"),
    ("sc resist human ironwill", (3,) * 5, ["critical_failure"], {"passes": 0}, "3 3 3 3 3; resist ironwill"),
    ("sc resist ironwill fullmoon", (5, 1, 1, 1, 1, 5, 2), ["partial_failure"], {"passes": 2}, "5>5>2 1 1 1 1;"),
    # SC-25: a Path behind the number leaves it
    ("sc strike 9 undying", (1,) * 9, ["critical_failure"], {"passes": 0}, "strike 9 undying"),
    ("sc strike 9 undying sunlight", (1,) * 4, ["critical_failure"], {"passes": 0}, "strike 9 undying sunlight"),
    # SC-27: the tag and the keyword
    ("sc cinder 1 cantrip # Fire", (4,), ["failure"], {"passes": 1}, 'Failure, 1 pass; 4; cinder 1 cantrip "Fire"'),
    ("sc cinder 1 sorrows for the night", (4,), ["failure"], {"passes": 1}, '4; cinder 1 sorrows "the night"'),
]


@pytest.mark.parametrize(("text", "dice", "labels", "values", "reply"), ALONE)
def test_a_roll(say, text, dice, labels, values, reply):
    """SC-01…SC-07, SC-12…SC-15, SC-25, SC-27: exactly these labels and values, in these words."""
    answer = say(text, *dice)
    assert (answer.get("labels"), answer.get("values")) == (labels, values)
    assert reply in line(answer) + ";"
    assert [die["face"] for die in answer["dice"]] == list(dice)


PASSES = {n: (4,) * n for n in range(8)}
ATTACKS = [
    # SC-08: the Defense DC of each Path, met and missed by one
    ("vs human", 1),
    ("vs arcanist", 2),
    ("vs half-blood", 3),
    ("vs cursed", 3),
    ("vs possessed", 3),
    ("vs natural shifter", 4),
    ("vs afflicted shifter", 4),
    ("vs afflicted shifter shifted", 5),
    ("vs shifter", 4),
    ("vs undying", 4),
    ("vs spirit", 10),
    ("vs spirit manifested", 2),
    ("vs undying dc2", 2),
    ("dc6 vs human", 6),
    ("vs afflicted shifter shifted dc1", 1),
    ("vs spirit dc3", 3),
]


@pytest.mark.parametrize(("target", "dc"), ATTACKS)
def test_the_defense_dc(say, target, dc):
    """SC-08, SC-10, SC-22: met is a hit that drains 1 Luck, at ten passes 2; one short of it is a miss."""
    met = say(f"sc strike {dc} {target}", *(4,) * dc)
    label = ["hit", "critical_hit"] if dc >= 10 else ["hit"]
    assert (met["labels"], met["values"]) == (label, {"passes": dc, "dc": dc, "luck_drained": 2 if dc >= 10 else 1})
    missed = say(f"sc strike {dc} {target}", *(4,) * (dc - 1), 1)
    assert missed["labels"] == ["miss"]
    assert missed["values"] == {"passes": dc - 1, "dc": dc, "luck_drained": 0}


DRAINS = [
    # SC-09: Cinder meets the manifested DC, manifested or not
    (
        "sc cinder 2 vs spirit",
        (4, 4),
        ["hit"],
        {"passes": 2, "dc": 2, "luck_drained": 1},
        "Partial Failure, 2 passes vs DC 2",
    ),
    ("sc cinder 2 vs spirit manifested", (4, 4), ["hit"], {"passes": 2, "dc": 2, "luck_drained": 1}, "drains 1 Luck"),
    (
        "sc cinder 2 vs spirit dc3",
        (4, 4),
        ["miss"],
        {"passes": 2, "dc": 3, "luck_drained": 0},
        "Miss, 2 passes vs DC 3;",
    ),
    # SC-10: ten passes are a critical hit, nine are not
    (
        "sc strike 9 vs undying",
        (4,) * 9,
        ["hit"],
        {"passes": 9, "dc": 4, "luck_drained": 1},
        "Hit, Exceptional Success, 9",
    ),
    (
        "sc strike 10 vs undying",
        (4,) * 10,
        ["hit", "critical_hit"],
        {"passes": 10, "dc": 4, "luck_drained": 2},
        "alice: Critical hit, 10 passes vs DC 4, drains 2 Luck; 4 4 4 4 4 4 4 4 4 4; strike 10 vs undying",
    ),
    (
        "sc strike 10 vs undying dc11",
        (4,) * 10,
        ["miss"],
        {"passes": 10, "dc": 11, "luck_drained": 0},
        "Miss, 10 passes",
    ),
    # SC-11: weaknesses of the target
    (
        "sc strike 4 vs natural shifter silver",
        (4,) * 4,
        ["hit"],
        {"passes": 4, "dc": 4, "luck_drained": 2},
        "drains 2 Luck",
    ),
    (
        "sc strike 5 vs afflicted shifter shifted silver",
        (4,) * 5,
        ["hit"],
        {"passes": 5, "dc": 5, "luck_drained": 2},
        "2 Luck",
    ),
    ("sc strike 4 vs shifter silver", (4,) * 4, ["hit"], {"passes": 4, "dc": 4, "luck_drained": 2}, "drains 2 Luck"),
    ("sc strike 3 vs shifter silver", (4,) * 3, ["miss"], {"passes": 3, "dc": 4, "luck_drained": 0}, "Miss, 3 passes"),
    ("sc strike 4 vs undying sunlight", (4,) * 4, ["hit"], {"passes": 4, "dc": 4, "luck_drained": 2}, "drains 2 Luck"),
    (
        "sc strike 10 vs undying sunlight",
        (4,) * 10,
        ["hit", "critical_hit"],
        {"passes": 10, "dc": 4, "luck_drained": 2},
        "drains 2 Luck",
    ),
    (
        "sc strike 2 vs spirit salt",
        (1, 1),
        ["hit"],
        {"passes": 0, "luck_drained": 1},
        "Hit, Critical Failure, 0 passes, DC bypassed, drains 1 Luck; 1 1; strike 2 vs spirit salt",
    ),
    ("sc cinder 1 vs spirit salt", (1,), ["hit"], {"passes": 0, "luck_drained": 1}, "DC bypassed"),
    ("sc strike 1 vs spirit manifested salt", (4,), ["hit"], {"passes": 1, "luck_drained": 1}, "manifested salt"),
    (
        "sc strike 10 vs spirit salt",
        (4,) * 10,
        ["hit", "critical_hit"],
        {"passes": 10, "luck_drained": 2},
        "Critical hit",
    ),
    # SC-12: a weakness on either side of vs
    (
        "sc strike undying sunlight vs undying sunlight",
        (4,) * 4,
        ["hit"],
        {"passes": 4, "dc": 4, "luck_drained": 2},
        "strike undying sunlight vs undying sunlight",
    ),
    (
        "sc strike 6 natural shifter silver vs afflicted shifter silver",
        (4,) * 5,
        ["hit"],
        {"passes": 5, "dc": 4, "luck_drained": 2},
        "Hit, Exceptional Success, 5 passes vs DC 4, drains 2 Luck; 4 4 4 4 4; "
        "strike 6 natural shifter silver vs afflicted shifter silver",
    ),
]


@pytest.mark.parametrize(("text", "dice", "labels", "values", "reply"), DRAINS)
def test_a_hit(say, text, dice, labels, values, reply):
    """SC-08…SC-12: what hits, what it drains, and the degree told as flavour."""
    answer = say(text, *dice)
    assert (answer.get("labels"), answer.get("values")) == (labels, values)
    assert reply in line(answer) + ";"


MINDS = [
    # SC-16: equal passes resist; three passes and fewer than the attack's leave the target aware
    ("sc mind 4 vs 4", (4, 4, 4, 4, 4, 4, 4, 4), ["resisted"], "Resisted, 4 passes to 4"),
    ("sc mind 4 vs 4", (4, 4, 4, 4, 4, 4, 4, 1), ["overcome", "aware"], "Overcome, other aware, 4 passes to 3"),
    ("sc mind 4 vs 4", (4, 4, 4, 4, 4, 4, 1, 1), ["overcome"], "Overcome, 4 passes to 2"),
    ("sc mind 3 vs 2", (4, 4, 4, 4, 4), ["overcome"], "alice 4 4 4; other 4 4; mind 3 vs 2"),
    ("sc mind 3 vs 3d6", (4, 4, 4, 4, 6, 5, 4), ["resisted"], "alice 4 4 4; other 4 6>4 5; mind 3 vs 3"),
    # SC-16: the full moon holds for both, wherever it is said
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
    """SC-16, GEN-06: the attack is covered until @bob has answered; then both are shown, bob's side beside."""
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


def test_only_resistance_answers(say):
    """SC-16, GEN-06: what bob rolls beside it is a roll of his own, and the attack still waits for him."""
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
    """SC-16: whoever else resists first answers it, once; a failed attack is not open."""
    assert say("sc mind 3", 4, 4, 4)["labels"] == ["complete_success"]
    assert say("sc resist 1", 4)["labels"] == ["failure"]  # her own
    answer = say("sc resist 3", 4, 4, 4, who="bob")
    assert (answer["kind"], answer["labels"], answer["opponent"]["who"]) == ("contest", ["resisted"], "bob")
    assert line(answer) == "alice vs bob: Resisted, 3 passes to 3; alice 4 4 4; bob 4 4 4; mind 3 vs 3"
    assert say("sc resist 1", 4, who="carol")["labels"] == ["failure"]
    say("sc mind 2", 4, 4)
    assert say("sc resist 1", 4, who="bob")["labels"] == ["failure"]


def test_explosions_end_at_a_thousand_dice(say):
    """SC-02, GEN-15: without end, but for the limit of every command; and the reply says so."""
    answer = say("sc strike 1", *(6,) * 1000)
    assert answer["values"] == {"passes": 1000}
    assert "6x1000, explosions stopped at 1000 dice; strike 1" in answer["reply"]


def test_both_sides_share_the_thousand_dice(say):
    """SC-16, GEN-15: the other side's pool is kept free for it."""
    assert say("sc mind 1", *(6,) * 1000)["values"] == {"passes": 1000}
    answer = say("sc mind 1 vs 2", *(6,) * 1000)
    assert (answer["values"], answer["opponent"]["values"]) == ({"passes": 998}, {"passes": 2})


def test_what_was_rolled_elsewhere_does_not_count():
    """SC-23: a channel that is not official says so in every line, as V5's does."""
    import grammars
    from ircdice import dispatcher, reply
    from ircdice.dice import ScriptedDice

    node = grammars.parse("sc strike 1", "strike_cinder")
    outcome = dispatcher.evaluate(node, ScriptedDice([4]))
    text = reply.line(dispatcher.system_of(node), node, outcome, names=("alice", None), official=False)
    assert text == "alice: Failure, 1 pass; 4; strike 1; unofficial"


def test_many_dice_are_counted(say):
    """SC-01: over thirty are given by face."""
    assert line(say("sc strike 31", *(5,) * 31)).endswith("31 passes; 5x31; strike 31")

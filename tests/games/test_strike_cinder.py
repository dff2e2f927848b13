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
    # SC-02: sixes explode, and again; generation by generation, posted after their die
    ("sc strike 2", (6, 6, 6, 1, 2), ["complete_success"], {"passes": 3}, "3 passes; 6>6>2 6>1; strike 2"),
    ("sc strike 3", (6, 2, 6, 5, 6, 4), ["exceptional_success"], {"passes": 5}, "5 passes; 6>5 2 6>6>4; strike 3"),
    ("sc cinder 1", (6, 6, 6, 6, 6, 3), ["exceptional_success"], {"passes": 5}, "5 passes; 6>6>6>6>6>3; cinder 1"),
    ("sc cinder 2", (5, 5), ["partial_failure"], {"passes": 2}, "Partial Failure, 2 passes; 5 5; cinder 2"),
    # SC-03: under the full moon Cinder's fives explode as well, Strike's do not, and the reply says so
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
    # SC-25: a Path after the number leaves it
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


def test_explosions_end_at_a_thousand_dice(say):
    """SC-02, GEN-15: without end, but for the limit of every command."""
    answer = say("sc strike 1", *(6,) * 1000)
    assert answer["values"] == {"passes": 1000}
    assert "6x1000; strike 1" in answer["reply"]


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

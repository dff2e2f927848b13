"""Strike & Cinder's helpers: what they add, to whose roll, and when it is spent (SC-15)."""

from playing import line

GAME = "strike_cinder"
HELPED = "assist2 of a helper is in it, and spent"


def test_assistance_is_remembered_and_spent(say):
    """SC-15: the next roll of that pool gets it, never the other pool or another user, and once."""
    say("sc assist cinder 5 for Bob", *(4,) * 5, who="carol")
    assert HELPED not in say("sc strike 1", 1, who="bob")["reply"]
    assert HELPED not in say("sc cinder 1", 1, who="alice")["reply"]
    assert line(say("sc cinder 1", 4, 4, 1, who="bob")) == (
        f"bob: Partial Failure, 2 passes; {HELPED}; 4 4 1; cinder 1 assist2"
    )
    assert HELPED not in say("sc cinder 1", 1, who="bob")["reply"]


def test_assistance_that_failed_gives_nothing(say):
    """SC-15: anything less than an Exceptional Success gives nothing, not even one die."""
    say("sc assist cinder 5 for bob", 4, 4, 4, 4, 1, who="carol")
    assert line(say("sc cinder 1", 1, who="bob")).endswith("; 1; cinder 1")


def test_assistance_does_not_stack_with_itself(say):
    """SC-14, SC-15: said and remembered both is an error, which spends nothing; +N stacks."""
    say("sc assist strike 5 for bob", *(4,) * 5, who="carol")
    assert "carol's assist2 waits for this roll" in say("sc strike 1 assist", who="bob")["error"]
    assert "odds sc strike 1 assist2: " in say("odds sc strike 1", who="bob")["reply"]
    assert say("sc strike 1 +1", *(1,) * 4, who="bob")["values"] == {"passes": 0}


def test_assistance_may_be_said_by_who_has_it(say):
    """SC-13, SC-15: said, it is the same dice, which may make a pool of what is none without them; it is spent."""
    say("sc assist strike 5 for bob", *(4,) * 5, who="carol")
    assert "yours comes to 0" in say("sc strike 2 -2", who="bob")["error"]
    answer = say("sc strike 2 -2 assist2", 4, 1, who="bob")
    assert line(answer) == f"bob: Failure, 1 pass; {HELPED}; 4 1; strike 2 -2 assist2"
    assert HELPED not in say("sc strike 1", 4, who="bob")["reply"]


def test_assistance_reaches_the_pools_of_mind_magic(say):
    """SC-15, SC-16: attack, resistance and a helper's own attempt are Cinder rolls too."""
    say("sc assist cinder 5 for bob", *(4,) * 5, who="carol")
    say("sc mind 3 vs @bob", 4, 4, 4)
    answer = say("sc resist 1", 4, 4, 1, who="bob")
    verdict = f"alice vs bob: Overcome, 3 passes to 2; {HELPED}"
    assert line(answer) == f"{verdict}; alice 4 4 4; bob 4 4 1; mind 3 vs 1 assist2"
    assert HELPED not in say("sc resist 1", 1, who="bob")["reply"]
    say("sc assist cinder 5 for dan", *(4,) * 5, who="carol")
    assert HELPED in say("sc assist cinder 1", 1, 1, 1, who="dan")["reply"]
    say("sc assist cinder 5 for dan", *(4,) * 5, who="carol")
    assert HELPED in say("sc mind 1 vs human", 4, 4, 4, who="dan")["reply"]


def test_a_pool_that_a_helper_would_overfill(say):
    """SC-15, GEN-15: a hundred dice and two are refused, and nothing is spent."""
    say("sc assist strike 5 for bob", *(4,) * 5, who="carol")
    assert say("sc strike 99", who="bob")["error"] == "a pool is 1 to 100 dice, yours comes to 101."


def test_a_discarded_attempt_helps_nobody(say):
    """SC-15, SC-21: what is disregarded never counts again."""
    say("sc assist strike 5 for bob", *(4,) * 5, who="carol")
    assert "#1 is discarded" in say("discard #1", who="carol")["reply"]
    assert say("sc strike 1", 1, who="bob")["values"] == {"passes": 0}


def test_help_outlives_a_roll_that_is_discarded(say):
    """SC-15, SC-21: where no encounter is open as well."""
    say("sc assist strike 5 for bob", *(4,) * 5, who="carol")
    say("sc strike 1", 4)
    say("!discard")
    assert HELPED in say("sc strike 1", 1, 1, 1, who="bob")["reply"]


def test_a_helpers_dice_come_back_from_a_discarded_roll(room):
    """DSK-03, SC-15: what the roll spent waits again, once; not where the attempt that gave it is discarded."""
    room.say("carol", "sc assist cinder 5 for Bob", *(4,) * 5)
    assert HELPED in room.line("bob", "sc cinder 3", 1, 1, 1, 4, 4)
    assert room.line("bob", "!discard") == (
        "bob: #2 is discarded: it does not count and is not listed; carol's assist2 waits for bob again"
    )
    room.say("bob", "sc strike 1", 4)
    assert HELPED in room.line("bob", "sc cinder 3", 1, 1, 1, 4, 4)
    assert HELPED not in room.line("bob", "sc cinder 3", 1, 1, 1)
    room.say("carol", "discard #1")
    assert room.line("bob", "discard #5").endswith("it does not count and is not listed")
    assert HELPED not in room.line("bob", "sc cinder 3", 1, 1, 1)


def test_a_helpers_dice_that_others_replaced_do_not_come_back(room):
    """DSK-03, SC-15: assistance does not stack with itself, neither when it is given back."""
    room.say("carol", "sc assist cinder 5 for bob", *(4,) * 5)
    room.say("bob", "sc cinder 3", 1, 1, 1, 4, 4)
    room.say("dora", "sc assist cinder 5 for bob", *(4,) * 5)
    assert room.line("bob", "!discard").endswith("it does not count and is not listed")
    room.say("bob", "sc cinder 3", 1, 1, 1, 4, 4)
    assert HELPED not in room.line("bob", "sc cinder 3", 1, 1, 1)


def test_both_sides_of_a_discarded_contest_have_their_helpers_dice_back(room):
    """DSK-03, SC-15, SC-16: each from its own helper."""
    room.say("carol", "sc assist cinder 5 for alice", *(4,) * 5)
    room.say("carol", "sc assist cinder 5 for bob", *(4,) * 5)
    room.say("alice", "sc mind 3 vs @bob", 4, 4, 4, 1, 1)
    room.say("bob", "sc resist 1", 4, 4, 4)
    assert room.line("sam", "discard #4", star=True) == (
        "sam: #4 is discarded: it does not count and is not listed; "
        "carol's assist2 waits for alice again; carol's assist2 waits for bob again"
    )
    for nick in ("alice", "bob"):
        assert HELPED in room.line(nick, "sc cinder 1", 4, 4, 4)


def test_a_reveal_spends_no_further_help(room):
    """SC-15, FW-10: a roll spends a helper's dice once, though its DC is revealed when others wait already."""
    room.say("sam", "difficulty 2 for bob in #FU_Dice", star=True, where="private")
    room.say("carol", "sc assist cinder 5 for bob", *(4,) * 5)
    assert HELPED in room.line("bob", "sc cinder 3", 1, 1, 1, 4, 4)
    room.say("dora", "sc assist cinder 5 for bob", *(4,) * 5)
    room.say("sam", "reveal #3", star=True)
    assert HELPED in room.line("bob", "sc cinder 3", 1, 1, 1, 4, 4)

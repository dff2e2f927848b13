"""What triples give in Crossroads: blessings, Changes of Fate and Fate Dice, and what the table remembers of them."""

from playing import check_script

from grammars.crossroads import Roll
from ircdice.game import Event
from ircdice.outcome import Outcome
from ircdice.rules.crossroads.memory import Gift, Group, Memory

GAME = "crossroads"


def test_a_blessing_lasts_two_ends_of_a_turn(room):
    """XR-18, XR-25: a1 on that player's Skill Rolls, saying so; the second end after the triple ends it."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    assert room.line("bob", "xr fate") == "bob holds Fate's Blessing until the end of the next turn."
    assert room.line("bob", "xr 3d6 n1", 1, 4, 6, 2) == (
        "bob: Success, value 1; Fate's Blessing adds a1; total 11, 12 less 1; 1 4 6 2, die 1 dropped; 3d6 a1 n1"
    )
    assert room.line("bob", "xr d1", 1, 4, 6).endswith("Fate's Blessing adds a1; total 11; 1 4 6; 3d6")
    assert room.line("bob", "xr 1d6", 3) == "bob: Total 3; 3; 1d6"
    assert room.line("alice", "xr 3d6", 1, 4, 6).endswith("total 11; 1 4 6; 3d6")
    assert room.line("alice", "xr endturn") == "alice: turn ended; endturn"
    assert room.line("bob", "xr endturn") == "bob: turn ended; endturn"
    assert room.line("bob", "odds xr 3d6").startswith("odds xr 3d6 a1, Fate's Blessing adds a1: Failure 2.1%")
    assert room.line("alice", "xr fate bob") == "bob holds Fate's Blessing until the end of the turn."
    assert room.line("bob", "xr convert 1", 1, 4, 6).endswith("total 12, 11 plus 1; 1 4 6; 3d6 b1 after convert 1")
    assert room.line("bob", "xr endturn") == "bob: turn ended, Fate's Blessing ends with it; endturn"
    assert room.line("bob", "xr 3d6", 1, 4, 6).endswith("value 1; total 11; 1 4 6; 3d6")
    assert room.line("bob", "xr fate") == "bob holds nothing."


def test_two_blessings_are_said_once(room):
    """XR-18: an Advantage each, and one sentence for both, in odds and contests too."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr 3d6", 5, 5, 5, 1)
    assert room.line("bob", "xr 3d6", 1, 4, 6, 2, 2) == (
        "bob: Success, value 1; Fate's Blessing adds a2; total 12; 1 4 6 2 2, dice 1 and 5 dropped; 3d6 a2"
    )
    assert room.line("bob", "odds xr 3d6").startswith("odds xr 3d6 a2, Fate's Blessing adds a2: Failure 0.5%")
    odds = room.line("bob", "odds xr 3d6 vs 3d6")
    assert odds.startswith("odds xr 3d6 a2 vs 3d6, Fate's Blessing adds a2: Failure ")
    room.say("alice", "xr 3d6 vs @bob", 1, 4, 6)
    assert "; Fate's Blessing adds a2 to the other side; " in room.line("bob", "xr 3d6", 1, 4, 6, 2, 2)


def test_a_triple_in_reaction_lasts_one_end_of_a_turn(room):
    """XR-17, XR-18: outside one's own turn, `reaction` on the roll, the first end of a turn is the last."""
    room.say("bob", "xr reaction 3d6", 5, 5, 5)
    room.say("bob", "xr 3d6 a1 reaction", 3, 3, 3, 3, 1)
    assert room.line("bob", "xr fate") == (
        "bob holds Fate's Blessing until the end of the turn, Change of Fate until the end of the turn."
    )
    assert room.line("bob", "xr endturn") == (
        "bob: turn ended, Fate's Blessing ends with it, Change of Fate ends with it; endturn"
    )
    assert room.refusal("bob", "xr reroll 1 fate").startswith("you hold no Change of Fate")


def test_only_the_roller_knows_whose_turn_it_was(room):
    """XR-18: a storyteller does not say that a triple was a reaction."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    assert room.refusal("gm", "xr reaction #1", star=True) == "only the roller says whose turn it was."


def test_a_reaction_may_be_said_afterwards(room):
    """XR-18: `xr reaction` about the latest triple, or the one that is named; once."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr 3d6", 1, 2, 4, 6)
    assert room.line("bob", "xr reaction") == (
        "bob: Success, value 1; Fate's Blessing as before; in reaction, so what it gave ends a turn sooner; "
        "total 15; 5 5 5; xr reaction on 1"
    )
    assert room.line("bob", "xr fate") == "bob holds Fate's Blessing until the end of the turn."
    assert room.refusal("bob", "xr reaction #1") == "that roll is known to be a reaction already."
    assert room.refusal("bob", "xr reaction #2") == "that roll gave nothing that ends with a turn."
    assert room.line("bob", "xr endturn") == "bob: turn ended, Fate's Blessing ends with it; endturn"
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr endturn")
    room.say("bob", "xr reaction")
    assert room.line("bob", "xr fate") == "bob holds nothing."
    room.say("bob", "xr 3d6", 4, 4, 4)
    room.say("bob", "xr reaction")
    assert room.line("bob", "xr fate") == "bob holds Change of Fate until the end of the turn."


def test_two_blessings_add_up_and_reach_the_limit_of_dice(room):
    """XR-18, GEN-15: each triple gives one more; never past the dice that a roll may draw."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr 3d6", 5, 5, 5, 1)
    assert room.line("bob", "xr 3d6", 1, 2, 4, 6, 3).startswith(
        "bob: Success, value 1; Fate's Blessing adds a2; total 13; 1 2 4 6 3, dice 1 and 2 dropped;"
    )
    assert room.say("bob", "xr a97", *[1] * 100).error is None


def test_a_blessing_reaches_both_sides_of_a_contest(room):
    """XR-18: it is on all Skill Rolls of that player, also when they answer; a contest's triple gives one too."""
    room.say("alice", "xr 3d6 vs @bob", 1, 2, 4)
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("alice", "xr 3d6 vs @bob", 6, 4, 3)
    assert room.line("bob", "xr 3d6", 1, 2, 4, 6) == (
        "alice vs bob: Partial Success or Compensating Failure, alice chooses, result 0 is 1 less 1; "
        "Fate's Blessing adds a1 to the other side; alice 13 from 6 4 3; bob 12 from 1 2 4 6, die 1 dropped; "
        "3d6 vs 3d6 a1"
    )
    assert room.line("bob", "xr 3d6 vs 3d6", 1, 2, 4, 6, 5, 4, 1).endswith(
        "Fate's Blessing adds a1; bob 12 from 1 2 4 6, die 1 dropped; other 10 from 5 4 1; 3d6 a1 vs 3d6"
    )


def test_a_blessing_goes_with_its_triple(room):
    """XR-05, XR-18: where other dice are kept, the roll gives what it now shows."""
    room.say("bob", "xr 3d6 a1", 5, 5, 1, 5)
    room.say("bob", "xr keep 1 2 3")
    assert room.line("bob", "xr 3d6", 1, 4, 6).endswith("3d6")
    room.say("bob", "xr 3d6 a1", 5, 5, 6, 5)
    assert room.say("bob", "xr keep 1 2 4").outcome.labels == ("success", "fates_blessing")
    assert "Fate's Blessing adds a1" in room.line("bob", "xr 3d6", 1, 4, 6, 2)


def test_a_change_of_fate_reaches_any_roll_once(room):
    """XR-17: one die in any roll, somebody else's too and damage, judged anew; plain reroll is the roll's own."""
    room.say("bob", "xr 3d6", 3, 3, 3)
    room.say("alice", "xr 3d6 n2", 6, 6, 5)
    assert room.line("bob", "xr reroll 2 fate #2", 5) == (
        'alice: Success, value 1; Change, may reroll one: "xr reroll 1", 2 or 3; bob spends a Change of Fate; '
        "total 14, 16 less 2; 6 5 5, rerolled 6 as 5; xr reroll 2 fate on 2"
    )
    assert room.line("alice", "xr reroll 2", 1).startswith("alice: Partial Success")
    assert room.refusal("bob", "xr reroll 2 fate #2").startswith("you hold no Change of Fate")
    room.say("bob", "xr 3d6", 4, 4, 4)
    room.say("alice", "xr 1d6", 6)
    assert room.line("bob", "xr reroll 1 fate #last", 1).startswith("alice: Total 1; bob spends a Change of Fate; 1,")


def test_a_change_of_fate_in_a_contest(room):
    """XR-17: in a contest it is one's own die, or with `as NICK` the other side's; on oneself the triple goes."""
    room.say("bob", "xr 3d6", 4, 4, 4)
    room.say("alice", "xr 3d6 vs @bob", 6, 6, 5)
    room.say("bob", "xr 3d6", 1, 2, 4)
    line = room.line("bob", "xr reroll 1 fate #2 as alice", 1)
    assert line.startswith("alice vs bob: Success, result 1 is 1 less 0;")
    assert "; bob spends a Change of Fate; alice " in line
    room.say("bob", "xr 3d6", 3, 3, 3)
    assert room.say("bob", "xr reroll 3 fate", 6).outcome.labels == ("success", "change")
    assert room.line("bob", "xr fate") == "bob holds nothing."


def test_what_a_new_die_makes_counts_from_now(room):
    """XR-13, XR-17, XR-18: a blessing that is over is held anew where a die drawn now makes the triple again."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr endturn")
    room.say("bob", "xr endturn")
    room.say("bob", "xr 3d6", 4, 4, 4)
    assert room.line("bob", "xr reroll 1 fate #1", 5) == (
        "bob: Success, value 1; Fate's Blessing, a1 on Skill Rolls until the end of the next turn; "
        "spends a Change of Fate; total 15; 5 5 5, rerolled 5 as 5; xr reroll 1 fate on 1"
    )
    assert room.line("bob", "xr fate") == "bob holds Fate's Blessing until the end of the next turn."
    room.say("bob", "xr 3d6", 4, 4, 4, 1)
    assert "Change of Fate until the end of the next turn" in room.line("bob", "xr reroll 1 fate", 4)
    assert room.line("bob", "xr fate").count("Change of Fate") == 1
    room.say("bob", "xr endturn")
    room.say("bob", "xr 3d6", 4, 4, 4, 1)
    room.say("bob", "xr reroll 1 fate #1", 5)
    assert room.line("bob", "xr endturn").startswith("bob: turn ended; ")


def test_what_stood_before_gives_nothing_more(room):
    """XR-05, XR-15, XR-18: no new die, no new gift, and the line promises none."""
    room.say("bob", "xr 3d6 a1", 5, 5, 5, 5)
    room.say("bob", "xr endturn")
    room.say("bob", "xr endturn")
    assert room.line("bob", "xr keep 2 3 4").startswith("bob: Success, value 1; Fate's Blessing as before; total 15")
    assert room.line("bob", "xr fate") == "bob holds nothing."
    room.say("bob", "xr 3d6 a1", 3, 3, 3, 3)
    assert "; Change of Fate as before; total 9" in room.line("bob", "xr keep 2 3 4")
    room.say("alice", "xr 3d6 vs @bob", 6, 6, 6)
    room.say("bob", "xr 3d6", 4, 4, 4)
    line = room.line("bob", "xr reroll 1 fate", 1)
    assert "; alice Fate's Child, value 1 more, the Fate Die as before; " in line
    assert room.line("alice", "xr fate") == "alice holds 1 temporary Fate Die."


def test_two_blessings_end_together(room):
    """XR-18: a turn says once what ends with it."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr 3d6", 5, 5, 5, 1)
    room.say("bob", "xr endturn")
    assert room.line("bob", "xr endturn") == "bob: turn ended, 2 Fate's Blessings end with it; endturn"


def test_two_changes_end_together(room):
    """XR-17: a Change of Fate that was not used ends with the turn, and so do two."""
    room.say("bob", "xr 3d6", 3, 3, 3)
    room.say("bob", "xr 3d6", 3, 3, 3)
    room.say("bob", "xr endturn")
    assert room.line("bob", "xr endturn") == "bob: turn ended, 2 Changes of Fate end with it; endturn"


def test_fate_dice_are_listed(room):
    """XR-15, XR-19, XR-21, XR-25: triples 1 and 6, and simple triples, each give one; both sides of a contest."""
    room.say("bob", "xr 3d6", 1, 1, 1)
    assert room.line("bob", "xr fate") == "bob holds 1 temporary Fate Die."
    room.say("bob", "xr 3d6", 6, 6, 6)
    room.say("bob", "xr 3d6 simple", 4, 4, 4)
    room.say("alice", "xr 3d6 vs @Bob", 6, 6, 6)
    room.say("bob", "xr 3d6", 6, 6, 6)
    for _ in range(3):
        room.say("bob", "xr endturn")
    assert room.line("carol", "xr fate BOB") == "BOB holds 4 temporary Fate Dice."
    assert room.line("alice", "xr fate") == "alice holds 1 temporary Fate Die."


def test_a_storyteller_ends_what_is_held(room):
    """XR-25: one of a kind, or all of it, and only a storyteller may."""
    for faces in ((5, 5, 5), (6, 6, 6, 1), (1, 1, 1, 1), (4, 4, 4, 1)):
        room.say("bob", "xr 3d6", *faces)
    assert room.refusal("bob", "xr fate end bob") == "only a storyteller may end Fate Dice and blessings."
    assert room.line("gm", "xr fate end Bob die", star=True) == ("gm: one Fate Die of Bob's ended; fate end Bob die")
    assert room.line("bob", "xr fate") == (
        "bob holds 1 temporary Fate Die, Fate's Blessing until the end of the next turn, "
        "Change of Fate until the end of the next turn."
    )
    assert room.line("gm", "xr fate end bob blessing", star=True).startswith("gm: one Fate's Blessing of bob's")
    assert room.refusal("gm", "xr fate end bob blessing", star=True) == "bob holds nothing of that kind."
    assert room.line("gm", "xr fate end bob change", star=True).startswith("gm: one Change of Fate of bob's")
    assert room.line("gm", "xr fate end bob", star=True) == "gm: all of bob's ended; fate end bob"
    assert room.line("bob", "xr fate") == "bob holds nothing."


def test_what_is_held_outlasts_a_group(room):
    """XR-10, XR-18: closing a group ends no blessing."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("gm", "xr group open")
    room.say("bob", "xr 3d6", 1, 2, 4, 6)
    room.say("gm", "xr group close")
    assert room.line("bob", "xr fate") == "bob holds Fate's Blessing until the end of the next turn."


def test_what_is_discarded_gives_nothing(room):
    """A roll that is disregarded takes its blessing along, and counts in no group."""
    memory = Memory(gifts=[Gift("bob", "fates_blessing", 7, 2)], group=Group("gm", "gm", {7: 1, 8: 0}))
    room.say("bob", "xr 3d6", 1, 2, 4)
    memory.forget(7)
    assert memory == Memory(group=Group("gm", "gm", {8: 0}))


def test_a_change_of_fate_comes_back_from_a_discarded_roll(room):
    """DSK-03, XR-17: the user who discards the roll that it changed; turns go on, and the origin takes it."""
    room.say("alice", "xr 3d6", 4, 4, 4)
    room.say("bob", "xr 3d6", 1, 2, 4)
    room.say("alice", "xr reroll 1 fate #2", 6)
    assert room.line("alice", "xr fate") == "alice holds nothing."
    assert room.line("bob", "!discard") == (
        "bob: #3 is discarded: it does not count and is not listed; alice may spend Change of Fate again"
    )
    assert room.line("alice", "xr fate") == "alice holds Change of Fate until the end of the next turn."
    room.say("bob", "xr 3d6", 1, 2, 4)
    room.say("alice", "xr reroll 1 fate #5", 6)
    assert room.line("alice", "xr endturn") == "alice: turn ended; endturn"
    assert room.line("bob", "!discard").endswith("; alice may spend Change of Fate again")
    assert room.line("alice", "xr fate") == "alice holds Change of Fate until the end of the turn."
    room.say("bob", "xr 3d6", 1, 2, 4)
    room.say("alice", "xr reroll 1 fate #9", 6)
    assert room.line("alice", "xr endturn") == "alice: turn ended; endturn"  # it is spent
    assert room.line("bob", "!discard").endswith("it does not count and is not listed")
    assert room.line("alice", "xr fate") == "alice holds nothing."


def test_a_change_of_fate_whose_triple_is_discarded_does_not_come_back(room):
    """DSK-03, XR-17: what gave it does not count, so nothing was given."""
    room.say("alice", "xr 3d6", 4, 4, 4)
    room.say("bob", "xr 3d6", 1, 2, 4)
    room.say("alice", "xr reroll 1 fate #2", 6)
    room.say("alice", "discard #1")
    assert room.line("bob", "!discard").endswith("it does not count and is not listed")
    assert room.line("alice", "xr fate") == "alice holds nothing."


def test_a_change_of_fate_whose_triple_is_rerolled_does_not_come_back(room):
    """DSK-03, XR-17: a roll that shows no triple any more gives nothing back."""
    room.say("alice", "xr 3d6", 4, 4, 4)
    room.say("bob", "xr 3d6", 3, 3, 3)
    room.say("alice", "xr reroll 1 fate #2", 3)
    room.say("bob", "xr reroll 1 fate #1", 6)
    assert room.line("bob", "!discard #2").endswith("it does not count and is not listed")
    assert room.line("alice", "xr fate") == "alice holds nothing."


def test_what_is_over_is_forgotten_in_the_end():
    """Memory is bounded: of very many gifts those that are over go, the oldest first; what is held stays."""
    held, over = Gift("bob", "fate_die", 1, None), [Gift("bob", "fates_blessing", n, 0) for n in range(2, 202)]
    said = Event("bob", Roll(), Outcome(labels=("failure", "doomed_portents", "fate_die")), roll=300)
    for before, after in ((over, over[2:]), (over[1:100], over[1:100])):
        memory = Memory(gifts=[held, *before])
        memory.remember(said)
        assert memory.gifts == [held, *after, Gift("bob", "fate_die", 300, None)]


def test_what_is_held_is_said_by_name(evaluate):
    """XR-25: in a channel it would be unclear who `you` is."""
    assert evaluate({"text": "xr fate", "who": "bob"})["reply"] == "bob holds nothing."


def test_xr_25_fate_dice_that_are_tracked_are_listed_too():
    """XR-25, DSK-03: `xr fate` tells the number that `!fate` tells, for oneself and for others."""
    check_script(
        """
        alice: !track fate 2
            alice: fate 2; id 1
        alice: xr fate
            alice holds nothing; tracked: fate 2.
        alice: xr 3d6 | 1 1 1
            alice: Failure, value -2; Doomed Portents, value 1 less, gains a temporary Fate Die of Short Duration;
                fate 3 (was 2); total 3; 1 1 1; 3d6; id 2
        alice: !fate
            alice: fate 3
        alice: xr fate
            alice holds 1 temporary Fate Die; tracked: fate 3.
        bob: xr fate alice
            alice holds 1 temporary Fate Die; tracked: fate 3.
        bob: xr fate as alice
            alice holds 1 temporary Fate Die; tracked: fate 3.
        """,
        system="crossroads",
    )


def test_xr_25_equal_gifts_are_counted(room):
    """XR-25: two Changes of Fate that end with the same turn are one part of the list."""
    for _ in range(2):
        room.say("alice", "xr 3d6", 3, 3, 3)
    assert room.line("alice", "xr fate") == "alice holds 2 Changes of Fate until the end of the next turn."
    room.line("alice", "xr endturn")
    room.say("alice", "xr 3d6", 4, 4, 4)
    until = "2 Changes of Fate until the end of the turn, Change of Fate until the end of the next turn"
    assert room.line("alice", "xr fate") == f"alice holds {until}."

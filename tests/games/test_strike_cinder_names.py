"""Names in an encounter: who speaks as whom, and how names are written (SC-26, SC-27)."""

import pytest
from playing import Table, check_script


def test_sc_27_helpers_and_magic_as_a_member():
    """SC-27: `as NAME` in `sc assist` and `sc mind`, with the dice of that member."""
    check_script(
        """
        sam*: sc encounter open Ghoul luck 6 dc3 strike 5 cinder 4
            sam: the encounter opens, Ghoul Luck 6/6, DC 3, Strike 5, Cinder 4; id 1
        sam*: sc mind vs 2 as ghoul | 4 4 4 1 5 1
            Ghoul (sam) vs other: Overcome, 3 passes to 1; Ghoul 4 4 4 1; other 5 1; mind 4 vs 2; id 3
        sam*: sc assist cinder for bob as Ghoul | 1 1 1 1
            Ghoul (sam): Critical Failure, 0 passes; gives no assistance, not even +1; the helper
                makes no other roll that has an effect in this post; 1 1 1 1; assist cinder 4 for bob; id 4
        sam*: sc mind vs @bob as Ghoul | 4 4 4 1
            Ghoul (sam) vs bob: mind 4 is rolled and covered. bob: answer "sc resist 5" or "pass" within 15 min; id 5
        bob: sc resist 2 | 5 1
            Ghoul (sam) vs bob: Overcome, 3 passes to 1; Ghoul 4 4 4 1; bob 5 1; mind 4 vs 2; id 6
        alice: sc mind 5 as Ghoul | 1 1 1 1 1
            (alice) Not rolled: only sam, a storyteller or the one who opened the encounter may roll for Ghoul.
        """,
        system="strike_cinder",
    )


def test_sc_27_as_name_is_read_as_in_every_other_game():
    """SC-27, DSK-01, DSK-07, GEN-08: for members, characters and nicks, inside a command and in one that holds it."""
    check_script(
        """
        bob: !play Viktor
            bob: plays Viktor; id 1
        sam*: sc encounter open Ghoul luck 6 dc3 strike 2
            sam: the encounter opens, Ghoul Luck 6/6, DC 3, Strike 2; id 3
        bob: sc join arcanist
            Viktor (bob): Viktor joins, Arcanist, Luck 4/4; id 5
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 6
        sam*: sc strike 2 as Ghoul vs Viktor dc4 | 4 4
            Ghoul (sam): Miss, 2 passes vs DC 4; 4 4; strike 2 vs Viktor dc4; id 7
        sam*: !again as Thug | 4 1
            Thug (sam): Miss, 1 pass vs DC 4; 4 1; strike 2 vs Viktor dc4; id 8
        sam*: sc strike as bob vs Ghoul | 4 4 4 1
            Viktor (sam): Hit, Complete Success, 3 passes vs DC 3, drains 1 Luck, Ghoul Luck 5/6; 4 4 4 1; strike
                arcanist vs Ghoul; id 9
        sam*: sc strike 2 vs Ghoul as Thug dc2 | 4 1
            Thug (sam): Miss, 1 pass vs DC 2; 4 1; strike 2 vs Ghoul dc2; id a
        sam*: sc assist strike as Ghoul for bob | 1 1
            Ghoul (sam): Critical Failure, 0 passes; gives no assistance, not even +1; the helper makes no other
                roll that has an effect in this post; 1 1; assist strike 2 for Viktor; id b
        sam*: odds sc strike as bob vs human
            odds sc strike arcanist vs human: hit 93.8%, of it critical 0.0; miss 6.3%
        sam*: odds sc mind 1 as Ghoul vs human
            odds sc mind 1 vs human as Ghoul: overcome 1.4%; the attack fails 98.6%
        sam* in private: secret sc strike 2 as Ghoul vs human in #FU_Dice | 4 1
            sam: the storyteller rolls in secret; id c
            (sam) for you alone, #c: Ghoul (sam): Hit, Failure, 1 pass vs DC 1, drains 1 Luck; 4 1; strike 2 vs
                human; "reveal #c" in #FU_Dice shows it
        sam* in private: secret sc strike 2 as Thug in #FU_Dice | 4 1
            sam: the storyteller rolls in secret; id d
            (sam) for you alone, #d: Thug (sam): Failure, 1 pass; 4 1; strike 2; "reveal #d" in #FU_Dice shows it
        bob: !blind sc strike 2 as Ghoul
            (bob) Not rolled: only sam, a storyteller or the one who opened the encounter may roll for Ghoul.
        bob: !blind sc strike 2 as planned | 4 1
            Viktor (bob): rolls blind, for the storyteller; strike 2 "as planned"; id e
            (sam) for you alone, #e: Viktor (bob): Failure, 1 pass; 4 1; strike 2 "as planned"
        bob: sc strike 2 as planned vs Ghoul
            (bob) Not rolled: nobody here is called planned. Did you mean: sc strike 2 vs Ghoul # as planned
        bob: sc strike 2 as viktr vs Ghoul
            (bob) Not rolled: nobody here is called viktr. Did you mean: sc strike 2 as Viktor vs Ghoul
        """,
        system="strike_cinder",
    )


def test_fw_10_a_roll_as_a_nick_meets_their_difficulty():
    """FW-10, SC-26: instead of the Defense DC that the Encounter does not have."""
    check_script(
        """
        sam*: sc encounter open Hydra luck 6
            sam: the encounter opens, Hydra Luck 6/6; id 1
        bob: sc join Vik human
            bob: Vik joins, Human, Luck 4/4; id 3
        sam* in private: difficulty 2 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #4" there tells it; id 4
        sam*: sc strike vs Hydra as bob | 4 4 1 1
            Vik (sam): Hit, Partial Failure, 2 passes, drains 1 Luck, Hydra Luck 5/6; 4 4 1 1; difficulty secret;
                strike human vs Hydra; id 5
            (sam) for you alone, #5: Vik (sam): Hit, Partial Failure, 2 passes vs DC 2, drains 1 Luck, Hydra Luck
                5/6; 4 4 1 1; strike human vs Hydra dc2
        """,
        system="strike_cinder",
    )


def test_sc_26_names_of_others():
    """SC-26: nobody joins under the nick of somebody else; refusals say names as they are written."""
    check_script(
        """
        Bob: roll 1d6 | 4
            Bob: 4; 1d6 4; 1d6; id 1
        sam*: sc encounter open Ghoul luck 6
            sam: the encounter opens, Ghoul Luck 6/6; id 2
        alice: sc join bob arcanist
            (alice) bob is somebody else here: choose another name.
        Bob: sc join Rex arcanist
            Bob: Rex joins, Arcanist, Luck 4/4; id 4
        alice: sc strike as Rex
            (alice) Not rolled: only Bob, a storyteller or the one who opened the encounter may roll for Rex.
        """,
        system="strike_cinder",
    )


@pytest.mark.parametrize("name", ["alice", "Carol", "Viktor", "FUDice", "Success", "Hit", "id", "unofficial", "Luck"])
def test_sc_26_an_encounter_obeys_the_rules_of_names(name):
    """SC-26, desk.md (Names): nobody opens an Encounter under a nick or character of another, or a verdict's word."""
    table = Table(system="strike_cinder")
    table.say("dora", "!play Viktor")
    table.say("alice", "roll 1d6", (4,))
    refused = table.say("bob", f"sc encounter open {name} luck 6 strike 5", absent=lambda _, nick: nick == "Ghoul")
    assert refused.error is not None
    assert table.say("alice", "sc encounter open Ghoul luck 6").error is None


@pytest.mark.parametrize("text", ["sc encounter open Success luck 6", "sc join Success human"])
def test_sc_26_a_verdict_is_no_name(text):
    """desk.md (Names): not even a storyteller gives one the word of a verdict."""
    table = Table(system="strike_cinder")
    if "join" in text:
        table.say("sam", "sc encounter open Ghoul luck 6", star=True)
    assert "has a meaning of its own" in str(table.say("sam", text, star=True).error)


def test_sc_26_a_name_may_come_again():
    """SC-26: another player opens the next Encounter under the same name."""
    check_script(
        """
        bob: sc encounter open Encounter luck 6 strike 1
            bob: the encounter opens, Encounter Luck 6/6, Strike 1; id 1
        bob: sc strike as Encounter | 4
            Encounter (bob): Failure, 1 pass; 4; strike 1; id 3
        bob: sc encounter close
            bob: the encounter is over; id 4
        alice: sc encounter open Encounter luck 6
            alice: the encounter opens, Encounter Luck 6/6; id 6
        """,
        system="strike_cinder",
    )

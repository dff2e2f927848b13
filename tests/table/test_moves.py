"""Trackers that rolls move (DSK-03)."""

from dataclasses import replace

import pytest
from playing import Table, check_script

from ircdice.replay import Replay

V5 = """
    alice: !track hunger 4
        alice: hunger 4; id 1
    alice: !track willpower 1
        alice: willpower 1/1; id 2
    alice: rouse 3 | 3 3 9
        alice: Hunger rises by 1; hunger 5 (was 4), no further; rouse 3 3 9; id 3
    alice: rouse | 3
        alice: Hunger is 5 and cannot rise; rouse 3; id 5
    alice: rouse | 8
        alice: Hunger does not rise; rouse 8; id 6
    alice: roll 3d10 h2 | 2 3 4
        alice: Failure, 0 successes; 2, hunger 3 4; 3d10 h2; id 7
    alice: wp | 9
        alice: 1 success; costs 1 superficial Willpower; willpower 0/1 (was 1); 9, hunger 3 4, rerolled 2 as 9; wp on 7;
            id 8
    alice: roll 3d10 h2 | 2 3 4
        alice: Failure, 0 successes; 2, hunger 3 4; 3d10 h2; id a
    alice: wp | 9
        alice: 1 success; costs 1 superficial Willpower; willpower: already 0 of 1; 9, hunger 3 4, rerolled 2 as 9;
            wp on a; id b
    alice: roll 2d10 | 2 3
        alice: Failure, 0 successes; 2 3, hunger not said; 2d10; id c
    alice: hunger 1
        alice: Failure, 0 successes; hunger 1 (was 5); 2, hunger 3; hunger 1 on c; id d
    alice: !hunger 3
        alice: hunger 3 (was 1); id f
    alice: hunger 3
        (alice) The Hunger of #c was given already: h1.
    alice in private: rouse | 2
        (alice) alice: Hunger rises by 1; rouse 2; unofficial; id g
    alice: !trackers
        alice: hunger 3, willpower 0/1
    sam*: !undo #7
        alice: willpower 1/1 (was 0); id h
    sam*: !undo #7
        (sam) Roll #7 changed nothing that is tracked, or it was taken back.
    alice: !undo #3
        (alice) Only a storyteller may take back what a roll or somebody else changed.
    alice: discard #b
        alice: #b is discarded: it does not count and is not listed; id j
"""
CONTEST = """
    bob: !play Mina
        bob: plays Mina; id 1
    bob: !track willpower 3
        Mina: willpower 3/3; id 3
    alice: roll 2d10 h1 vs @mina | 3 3
        alice vs mina: 2d10 h1 is rolled and covered. mina: answer "roll 5d10 h1" or "pass" within 15 min; id 4
    bob: roll 2d10 h1 | 3 3
        alice vs Mina (bob): neither wins, 0 successes to 0; alice 3, hunger 3; Mina 3, hunger 3; 2d10 h1 vs 2d10 h1;
            id 5
        (alice) You may still spend Willpower: "wp #5" rerolls 3.
        (bob) You may still spend Willpower: "wp #5" rerolls 3.
    sam*: wp #5 as Mina | 9
        alice vs Mina (bob): Mina wins, 1 success to 0; costs Mina 1 superficial Willpower; Mina willpower 2/3 (was 3);
            alice 3, hunger 3; Mina 9, hunger 3, rerolled 3 as 9; wp on 5; id 6
        (alice) You may still spend Willpower: "wp #6" rerolls 3.
    alice: wp | 2
        alice vs Mina (bob): Mina wins, 1 success to 0; costs alice 1 superficial Willpower; alice 2, hunger 3,
            rerolled 3 as 2; Mina 9, hunger 3, rerolled 3 as 9; wp on 6; id 8
"""
FAYREWOOD = """
    alice: !track wounds 0/3
        alice: wounds 0/3; id 1
    alice: toss d8 d6 frayed dc7 | 2 3 8
        alice: Win, 13 vs 7 Moderate, margin +6; costs a wound; wounds 1/3 (was 0); 2 3, frayed 8;
            d8 d6 frayed dc7; id 2
    bob: !track wounds 2/3
        bob: wounds 2/3; id 4
    alice: toss 3 2 frayed vs @bob | 2 3 8
        alice vs bob: d8 d6 frayed is rolled and covered. bob: answer "toss d8 d6" or "pass" within 15 min; id 5
    bob: toss 3 2 frayed | 1 2 3
        alice vs bob: alice wins, critical, 13 to 6, margin +7; alice wounds 2/3 (was 1); bob wounds 3/3 (was 2);
            alice 2 3, frayed 8, costs a wound; bob 1 2, frayed 3, costs a wound; d8 d6 frayed vs d8 d6 frayed; id 6
    alice: !wounds -2
        alice: wounds 0/3 (was 2); id 9
"""
CROSSROADS = """
    alice: !track fate 1
        alice: fate 1; id 1
    alice: xr 3d6 | 6 6 6
        alice: Great Success, value 3; Fate's Child, value 1 more, gains a temporary Fate Die of Short Duration;
            fate 2 (was 1); total 18; 6 6 6; 3d6; id 2
    alice: xr fate spend
        alice: spends a Fate Die; fate 1 (was 2); fate spend; id 4
    alice: xr fate
        alice holds nothing; tracked: fate 1.
    alice: xr fate spend
        alice: spends a Fate Die; fate 0 (was 1); fate spend; id 6
    alice: xr fate spend
        (alice) No fate is left for alice.
    bob: xr fate spend
        (bob) No fate is left for bob.
    bob: xr 3d6 | 1 1 1
        bob: Failure, value -2; Doomed Portents, value 1 less, gains a temporary Fate Die of Short Duration; total 3;
            1 1 1; 3d6; id 8
    bob: xr fate spend
        bob: spends a Fate Die; fate spend; id 9
    alice: xr 3d6 | 6 6 6
        alice: Great Success, value 3; Fate's Child, value 1 more, gains a temporary Fate Die of Short Duration;
            fate 1 (was 0); total 18; 6 6 6; 3d6; id a
    alice: discard #a
        alice: #a is discarded: it does not count and is not listed; alice fate 0 (was 1); id c
"""
STRIKE_CINDER = """
    alice: !play Mina
        alice: plays Mina; id 1
    alice: !track luck 4
        Mina: luck 4/4; id 3
    sam*: sc encounter open Ghoul luck 6 dc3 strike 5
        sam: the encounter opens, Ghoul Luck 6/6, DC 3, Strike 5; id 4
    alice: sc join Mina arcanist rank 2
        Mina (alice): Mina joins, Arcanist, Luck 5/5; luck 5/5 (was 4/4); id 6
    sam*: sc strike 5 vs Mina as Ghoul | 4 5 5 2 2
        Ghoul (sam): Hit, Complete Success, 3 passes vs DC 2, drains 1 Luck, Mina Luck 4/5; 4 5 5 2 2; strike 5 vs Mina;
            id 8
    alice: !luck -1
        Mina (alice): Mina Luck 3/5 (was 4); id a
    alice: !luck 4
        Mina (alice): Mina Luck 4/5 (was 3); id c
    sam*: sc luck Mina -1
        sam: Mina Luck 3/5 (was 4); id e
    alice: !trackers
        Mina: luck 3/5
    sam*: discard #8
        sam: #8 is discarded: it does not count and is not listed; Mina Luck 4/5; id g
    alice: !track cantrips 2
        Mina: cantrips 2; id j
    alice: sc cinder 5 cantrip # Fire | 1 2 3 4 5
        Mina (alice): Partial Failure, 2 passes; cantrips 1 (was 2); 1 2 3 4 5; cinder 5 cantrip "Fire"; id k
    sam*: sc encounter close
        sam: the encounter is over; id n
    alice: !luck +1
        Mina: luck 5/5 (was 4); id q
"""
HIDDEN = """
    sam*: !npc Ghoul
        sam: Ghoul is a character of this channel; id 1
    sam* in private: track hunger 4 hidden in #FU_Dice as Ghoul
        (sam) Ghoul: hunger 4, hidden
    sam*: rouse as Ghoul | 2
        Ghoul (sam): Hunger rises by 1; rouse 2; id 3
    sam*: rouse as Ghoul | 2
        Ghoul (sam): Hunger rises by 1; rouse 2; id 5
    sam* in private: trackers Ghoul in #FU_Dice
        (sam) Ghoul, hidden: hunger 5
"""
SECRET_DIFFICULTY = """
    alice: !track willpower 3
        alice: willpower 3/3; id 1
    alice: !track hunger 1
        alice: hunger 1; id 2
    sam* in private: difficulty 3 for alice in #FU_Dice
        (sam) a secret difficulty waits for alice in #FU_Dice; "reveal #3" there tells it; id 3
    alice: roll 3d10 | 2 3 4
        alice: Failure, 0 successes; 2 3 4, hunger not said; difficulty secret; 3d10; id 4
        (sam) for you alone, #4: alice: Failure, 0 successes vs 3, margin -3; 2 3 4, hunger not said; 3d10 dc3
    alice: hunger 2
        alice: Failure, 0 successes; hunger 2 (was 1); 2, hunger 3 4; difficulty secret; hunger 2 on 4; id 5
        (sam) for you alone, #5: alice: Failure, 0 successes vs 3, margin -3; 2, hunger 3 4; 3d10 h2 dc3
    alice: wp | 9
        alice: 1 success; costs 1 superficial Willpower; willpower 2/3 (was 3); 9, hunger 3 4, rerolled 2 as 9,
            whether it passes is told on reveal; difficulty secret; wp on 5; id 7
        (sam) for you alone, #7: alice: Failure, 1 success vs 3, margin -2; costs 1 superficial Willpower; 9,
            hunger 3 4, rerolled 2 as 9; 3d10 h2 dc3
    sam*: reveal #last
        sam: #3 is revealed, difficulty 3 for alice; alice: Failure, 1 success vs 3, margin -2; costs 1 superficial
            Willpower; 9, hunger 3 4, rerolled 2 as 9; 3d10 h2 dc3; salt 0; id 9
    alice: !trackers
        alice: hunger 2, willpower 2/3
    sam*: !undo #7
        alice: hunger 1 (was 2); id a
        alice: willpower 3/3 (was 2); id b
"""
FRAYED_IN_SECRET = """
    alice: !track wounds 0/3
        alice: wounds 0/3; id 1
    sam* in private: difficulty 3 for alice in #FU_Dice
        (sam) a secret difficulty waits for alice in #FU_Dice; "reveal #2" there tells it; id 2
    alice: toss 3 2 frayed | 2 3 4
        alice: Win; costs a wound; wounds 1/3 (was 0); 9 from 2 3, frayed 4; difficulty secret; d8 d6 frayed; id 3
        (sam) for you alone, #3: alice: Win, critical, 9 vs 3 Routine, margin +6; costs a wound; 2 3, frayed 4;
            d8 d6 frayed dc3
"""
EVENINGS = {
    "v5": (V5, "v5"),
    "contest": (CONTEST, "v5"),
    "fayrewood": (FAYREWOOD, "fayrewood"),
    "crossroads": (CROSSROADS, "crossroads"),
    "strike_cinder": (STRIKE_CINDER, "strike_cinder"),
    "hidden": (HIDDEN, "v5"),
    "secret difficulty": (SECRET_DIFFICULTY, "v5"),
    "frayed in secret": (FRAYED_IN_SECRET, "fayrewood"),
}
EACH = pytest.mark.parametrize(("script", "system"), EVENINGS.values(), ids=EVENINGS)


@EACH
def test_dsk_03_rolls_move_what_is_tracked(script, system):
    """DSK-03: where the rules say so; the reply says it, and a restart changes nothing."""
    check_script(script, system=system)


def records(script, system):
    table = Table(system=system)
    for line in script.strip().splitlines():
        if not line.startswith("     "):
            table.heard(line.strip())
    return table.records


def faults(found, **more):
    replay = Replay(**more)
    return {record.seq: why for record in found if (why := replay.fault(record))}


@EACH
def test_led_16_a_check_compares_trackers_with_what_the_rolls_say(script, system):
    """LED-16, DSK-03: every evening is judged as it was, and one more or less in any tracker is found."""
    played = records(script, system)
    assert faults(played) == {}
    for at, record in enumerate(played):
        draft = record.draft
        if draft.kind == "track" and draft.key and not draft.sealed:
            text = draft.text.replace(" from", "0 from") if " from" in draft.text else f"{draft.text}0"
            altered = [*played[:at], replace(record, draft=replace(draft, text=text)), *played[at + 1 :]]
            assert record.seq in faults(altered), draft.text
            elsewhere = [*played[:at], replace(record, draft=replace(draft, key=f"{draft.key}s")), *played[at + 1 :]]
            assert record.seq in faults(elsewhere), draft.key


@EACH
def test_led_07_an_imported_ledger_is_judged_without_its_keys(script, system):
    """LED-07, LED-16: an export has no keys, and nothing of what is hidden."""
    bare = [replace(r, draft=replace(r.draft, key="", character="")) for r in records(script, system)]
    hidden = [record for record in bare if record.draft.sealed and record.draft.kind == "track"]
    assert faults([record for record in bare if record not in hidden], keyless=True) == {}


def test_gen_03_a_comment_is_recorded_with_its_roll_only():
    """GEN-03, DSK-03: the change that the roll makes is a record of its own, without the comment."""
    table = Table()
    table.say("alice", "!track hunger 1")
    table.say("alice", "rouse # starving", (3,))
    assert [record.draft.text for record in table.records[-2:]] == ["rouse # starving", "track hunger 2 from 1"]


def test_dsk_07_a_secret_roll_moves_nothing():
    """DSK-07: nor does a blind one."""
    table = Table()
    table.say("alice", "!track hunger 1")
    table.say("sam", "secret rouse in #FU_Dice", (2,), star=True, where="private")
    table.say("alice", "!blind rouse", (2,))
    assert table.say("alice", "!trackers").replies[0].text == "alice: hunger 1"


def test_dsk_03_at_hunger_5_a_rouse_raises_nothing_for_other_programs_either():
    """DSK-02, DSK-03: the outcome says that Hunger rose by one at 4, and not at all at 5."""
    table = Table()
    table.say("alice", "!track hunger 4")
    first, second = (table.say("alice", "rouse 3", (3, 3, 9)) for _ in range(2))
    assert (first.outcome.labels, first.outcome.values["hunger_gained"]) == (("hunger_rises",), 1)
    assert (second.outcome.labels, second.outcome.values["hunger_gained"]) == ((), 0)


def test_dsk_03_what_cannot_move_is_said_so_that_any_name_fits():
    """DSK-03: wounds as well as Willpower."""
    check_script(
        """
        alice: !track wounds 3/3
            alice: wounds 3/3; id 1
        alice: toss d8 d6 frayed dc7 | 2 3 8
            alice: Win, 13 vs 7 Moderate, margin +6; costs a wound; wounds: already 3 of 3; 2 3, frayed 8;
                d8 d6 frayed dc7; id 2
    """,
        system="fayrewood",
    )

"""Willpower on a V5 roll: which dice, how often, by whom, until when (V5-14…V5-16, V5-24, V5-25)."""

# ruff: noqa: E501 -- posted lines are as long as they are

from playing import check_script


def test_v5_14_plain_wp_takes_the_lowest_that_failed():
    """V5-14, V5-17: up to three failed dice, the lowest, leftmost first among equals; each new face in its old one's place."""
    check_script(
        """
        alice: roll 6d10 h1 dc3 | 6 5 4 4 5 2
            alice: Failure, 1 success vs 3, margin -2; 6 5 4 4 5, hunger 2; 6d10 h1 dc3; id 1
        alice: wp | 6 7 1
            alice: Success, 3 successes vs 3, margin 0; costs 1 superficial Willpower; 6 6 7 1 5, hunger 2, rerolled 5 4 4 as 6 7 1; wp on 1; id 2
        alice: roll 5d10 h1 dc3 | 3 9 8 5 1
            alice: Bestial failure, 2 successes vs 3, margin -1; 3 9 8 5, hunger 1; 5d10 h1 dc3; id 3
        alice: wp | 10 10
            alice: Critical, 6 successes vs 3, margin +3; costs 1 superficial Willpower; 10 9 8 10, hunger 1, rerolled 3 5 as 10 10; wp on 3; id 4
        alice: roll 3d10 h1 dc1 | 1 10 1
            alice: Success, 1 success vs 1, margin 0; 1 10, hunger 1; 3d10 h1 dc1; id 5
        alice: wp | 10
            alice: Critical, 4 successes vs 1, margin +3; costs 1 superficial Willpower; 10 10, hunger 1, rerolled 1 as 10; wp on 5; id 6
        """,
    )


def test_v5_14_plain_wp_never_breaks_a_success():
    """V5-14: with nothing failed it is an error that says so, and costs nothing: a number may still be said."""
    check_script(
        """
        alice: roll 4d10 h1 dc4 | 6 9 7 1
            alice: Bestial failure, 3 successes vs 4, margin -1; 6 9 7, hunger 1; 4d10 h1 dc4; id 1
        alice: wp
            (alice) Not rolled: no normal die has failed: "wp 1" to "wp 3" reroll successes too.
        alice: wp 2 | 1 10
            alice: Bestial failure, 2 successes vs 4, margin -2; costs 1 superficial Willpower; 1 9 10, hunger 1, rerolled 6 7 as 1 10; wp 2 on 1; id 2
        """,
    )


def test_v5_14_wp_n_takes_the_lowest_and_leaves_tens():
    """V5-14: the N lowest, successes too, tens never unless said."""
    check_script(
        """
        alice: roll 5d10 h1 dc3 | 10 7 6 7 1
            alice: Success, 4 successes vs 3, margin +1; 10 7 6 7, hunger 1; 5d10 h1 dc3; id 1
        alice: wp 3 | 1 2 3
            alice: Bestial failure, 1 success vs 3, margin -2; costs 1 superficial Willpower; 10 1 2 3, hunger 1, rerolled 7 6 7 as 1 2 3; wp 3 on 1; id 2
        alice: roll 5d10 h1 dc3 | 10 7 6 7 1
            alice: Success, 4 successes vs 3, margin +1; 10 7 6 7, hunger 1; 5d10 h1 dc3; id 3
        alice: wp 2 | 8 9
            alice: Success, 4 successes vs 3, margin +1; costs 1 superficial Willpower; 10 8 9 7, hunger 1, rerolled 7 6 as 8 9; wp 2 on 3; id 4
        alice: roll 3d10 h1 | 10 10 1
            alice: 4 successes, critical if passed, bestial failure if failed; 10 10, hunger 1; 3d10 h1; id 5
        alice: wp 2
            (alice) Not rolled: the normal dice show tens only: say "wp 2 tens" to reroll those.
        alice: wp
            (alice) Not rolled: the normal dice show tens only: say "wp tens" to reroll those.
        """,
    )


def test_v5_24_fewer_dice_than_said():
    """V5-24: where fewer normal dice than N are there, those are rerolled."""
    check_script(
        """
        alice: roll 4d10 h3 dc3 | 6 2 10 6
            alice: Success, 3 successes vs 3, margin 0; 6, hunger 2 10 6; 4d10 h3 dc3; id 1
        alice: wp 3 | 1
            alice: Failure, 2 successes vs 3, margin -1; costs 1 superficial Willpower; 1, hunger 2 10 6, rerolled 6 as 1; wp 3 on 1; id 2
        alice: roll 4d10 h1 dc3 | 10 10 3 6
            alice: Critical, 5 successes vs 3, margin +2; 10 10 3, hunger 6; 4d10 h1 dc3; id 3
        alice: wp 3 | 7
            alice: Critical, 6 successes vs 3, margin +3; costs 1 superficial Willpower; 10 10 7, hunger 6, rerolled 3 as 7; wp 3 on 3; id 4
        """,
    )


def test_v5_24_wp_tens():
    """V5-14, V5-24: `wp tens` takes every ten on a normal die, up to three; `wp N tens` N dice, tens first."""
    check_script(
        """
        alice: roll 6d10 h1 dc2 | 10 3 10 10 10 10
            alice: Messy critical, 9 successes vs 2, margin +7; 10 3 10 10 10, hunger 10; 6d10 h1 dc2; id 1
        alice: wp tens | 1 2 3
            alice: Messy critical, 4 successes vs 2, margin +2; costs 1 superficial Willpower; 1 3 2 3 10, hunger 10, rerolled 10 10 10 as 1 2 3; wp tens on 1; id 2
        alice: roll 4d10 h2 dc2 | 10 3 10 10
            alice: Messy critical, 5 successes vs 2, margin +3; 10 3, hunger 10 10; 4d10 h2 dc2; id 3
        alice: wp tens | 6
            alice: Messy critical, 5 successes vs 2, margin +3; costs 1 superficial Willpower; 6 3, hunger 10 10, rerolled 10 as 6; wp tens on 3; id 4
        alice: roll 5d10 h1 dc2 | 3 10 4 10 10
            alice: Messy critical, 5 successes vs 2, margin +3; 3 10 4 10, hunger 10; 5d10 h1 dc2; id 5
        alice: wp 1 tens | 5
            alice: Messy critical, 4 successes vs 2, margin +2; costs 1 superficial Willpower; 3 5 4 10, hunger 10, rerolled 10 as 5; wp 1 tens on 5; id 6
        alice: roll 5d10 h1 dc2 | 3 10 4 10 10
            alice: Messy critical, 5 successes vs 2, margin +3; 3 10 4 10, hunger 10; 5d10 h1 dc2; id 7
        alice: wp 3 tens | 5 6 7
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 5 6 4 7, hunger 10, rerolled 3 10 10 as 5 6 7; wp 3 tens on 7; id 8
        alice: roll 5d10 h1 dc2 | 3 10 4 10 10
            alice: Messy critical, 5 successes vs 2, margin +3; 3 10 4 10, hunger 10; 5d10 h1 dc2; id 9
        alice: wp tens 2 | 8 9
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 3 8 4 9, hunger 10, rerolled 10 10 as 8 9; wp 2 tens on 9; id a
        alice: roll 3d10 h1 dc2 | 3 9 10
            alice: Success, 2 successes vs 2, margin 0; 3 9, hunger 10; 3d10 h1 dc2; id b
        alice: wp tens
            (alice) Not rolled: there is no ten on a normal die to reroll.
        """,
    )


def test_v5_14_never_a_hunger_die():
    """V5-14: with Hunger dice alone there is nothing to reroll."""
    check_script(
        """
        alice: roll 3d10 h5 dc2 | 1 10 1
            alice: Bestial failure, 1 success vs 2, margin -1; hunger 1 10 1; 3d10 h5 dc2; id 1
        alice: wp
            (alice) Not rolled: every die of that roll is a Hunger die: none can be rerolled.
        alice: wp 1
            (alice) Not rolled: every die of that roll is a Hunger die: none can be rerolled.
        alice: wp tens
            (alice) Not rolled: every die of that roll is a Hunger die: none can be rerolled.
        """,
    )


def test_v5_15_once_a_roll():
    """V5-15: a second time is an error under whichever id the roll is named, and plain `wp` is talk again (GEN-10)."""
    check_script(
        """
        alice: roll 4d10 h1 dc2 | 6 2 3 1
            alice: Bestial failure, 1 success vs 2, margin -1; 6 2 3, hunger 1; 4d10 h1 dc2; id 1
        alice: wp 1 | 2
            alice: Bestial failure, 1 success vs 2, margin -1; costs 1 superficial Willpower; 6 2 3, hunger 1, rerolled 2 as 2; wp 1 on 1; id 2
        alice: wp 1
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        alice: wp 1 #1
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        alice: wp 1 #2
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        alice: FUDice: wp
            Not rolled: Willpower was spent on #1 already: once a roll.
        alice: wp
            (alice) Not rolled: Willpower was spent on #1 already: once a roll.
        """,
    )


def test_v5_15_by_the_roller_or_a_storyteller():
    """V5-15: only one's own; a storyteller says `as NAME`."""
    check_script(
        """
        alice: roll 4d10 h1 dc2 | 6 2 3 1
            alice: Bestial failure, 1 success vs 2, margin -1; 6 2 3, hunger 1; 4d10 h1 dc2; id 1
        bob: wp 1 #1
            (bob) Not rolled: that roll is alice's: only they or a storyteller may change it.
        bob: wp #last
            (bob) Not rolled: that roll is alice's: only they or a storyteller may change it.
        bob: wp
        sam*: wp
        sam*: wp 1 #1 | 9
            alice: Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 6 9 3, hunger 1, rerolled 2 as 9; wp 1 on 1; id 2
        alice: roll 4d10 h1 dc2 | 6 2 3 1
            alice: Bestial failure, 1 success vs 2, margin -1; 6 2 3, hunger 1; 4d10 h1 dc2; id 3
        bob: wp 1 as alice
            (bob) Not rolled: only a storyteller may change what alice rolled.
        sam*: wp 1 as alice | 8
            alice: Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 6 8 3, hunger 1, rerolled 2 as 8; wp 1 on 3; id 4
        alice: roll 4d10 h1 dc2 | 6 2 3 1
            alice: Bestial failure, 1 success vs 2, margin -1; 6 2 3, hunger 1; 4d10 h1 dc2; id 5
        sam*: wp as alice | 7 8
            alice: Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 6 7 8, hunger 1, rerolled 2 3 as 7 8; wp on 5; id 6
        """,
    )


def test_v5_16_rolls_without_hunger_dice():
    """V5-16: rouse, willpower and humanity rolls cannot be rerolled; h0 can."""
    check_script(
        """
        alice: rouse | 4
            alice: Hunger rises by 1; rouse 4; id 1
        alice: wp #1
            (alice) Not rolled: rouse rolls hold no Hunger dice, and cannot be rerolled with Willpower.
        alice: wp
        alice: roll 2d10 willpower | 4 6
            alice: 1 success; 4 6; 2d10 willpower; id 2
        alice: wp 1
            (alice) Not rolled: willpower rolls hold no Hunger dice, and cannot be rerolled with Willpower.
        alice: roll 2d10 humanity dc2 | 4 6
            alice: Failure, 1 success vs 2, margin -1; 4 6; 2d10 humanity dc2; id 3
        alice: wp 1 #3
            (alice) Not rolled: humanity rolls hold no Hunger dice, and cannot be rerolled with Willpower.
        alice: hunger 1 #3
            (alice) Humanity rolls hold no Hunger dice, and cannot be rerolled with Willpower.
        alice: roll 2d10 h0 dc2 | 4 6
            alice: Failure, 1 success vs 2, margin -1; 4 6; 2d10 h0 dc2; id 4
        alice: wp 1 | 9
            alice: Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 9 6, rerolled 4 as 9; wp 1 on 4; id 5
        alice: autowin 6 dc2 h0
            alice: Automatic win if the storyteller agrees, never in combat or distraction; autowin 6 dc2 h0; id 6
        alice: wp 1 #6
            (alice) Not rolled: autowin rolled nothing: Willpower rerolls the dice of a pool, as roll 5d10 h2.
        """,
    )


def test_v5_25_wp_minutes():
    """V5-25: for 30 minutes, and not after; Hunger may still be said."""
    check_script(
        """
        alice: roll 2d10 h1 dc2 | 6 6
            alice: Success, 2 successes vs 2, margin 0; 6, hunger 6; 2d10 h1 dc2; id 1
        ... 30 min
        alice: wp 1 | 7
            alice: Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 7, hunger 6, rerolled 6 as 7; wp 1 on 1; id 2
        alice: roll 2d10 dc2 | 6 1
            alice: Failure, 1 success vs 2, margin -1; 6 1, hunger not said; 2d10 dc2; id 3
        ... 31 min
        alice: wp
        alice: wp 1 h1
            (alice) Not rolled: #3 is more than 30 minutes old: no more Willpower on it.
        alice: FUDice: wp h1
            Not rolled: #3 is more than 30 minutes old: no more Willpower on it.
        alice: hunger 1
            alice: Bestial failure, 1 success vs 2, margin -1; 6, hunger 1; hunger 1 on 3; id 4
        """,
    )


def test_v5_25_wp_minutes_of_the_channel():
    """V5-25: `wp_minutes` of the config."""
    check_script(
        """
        alice: roll 2d10 h1 dc2 | 6 6
            alice: Success, 2 successes vs 2, margin 0; 6, hunger 6; 2d10 h1 dc2; id 1
        ... 3 min
        alice: wp 1
            (alice) Not rolled: #1 is more than 2 minutes old: no more Willpower on it.
        """,
        wp_minutes=2,
    )
    check_script(
        """
        alice: roll 2d10 h1 dc2 | 6 6
            alice: Success, 2 successes vs 2, margin 0; 6, hunger 6; 2d10 h1 dc2; id 1
        ... 2 min
        alice: wp 1
            (alice) Not rolled: #1 is more than a minute old: no more Willpower on it.
        """,
        wp_minutes=1,
    )


def test_v5_25_close():
    """V5-25: a storyteller's `close #ID` ends it, by the roll's id or a whole one; a player's does not."""
    check_script(
        """
        alice: roll 2d10 h1 dc2 | 6 5
            alice: Failure, 1 success vs 2, margin -1; 6, hunger 5; 2d10 h1 dc2; id 1
        alice: close #1
            (alice) Only a storyteller may close a roll.
        sam*: close #1
            sam: #1 is closed, no more Willpower on it; id 2
        alice: wp 1
            (alice) Not rolled: #1 is closed: no more Willpower on it.
        alice: wp
            (alice) Not rolled: #1 is closed: no more Willpower on it.
        sam*: close #1
            (sam) Roll #1 is closed already.
        sam*: close #9
            (sam) There is no roll #9 here to close.
        sam*: FUDice: close
            (sam) "close" is not complete. For example: close #4d
        sam*: close
        """,
    )

"""One person under several names: a nick, the character that it plays, and a name in an encounter (DSK-01)."""

from playing import check_script


def test_sc_15_a_helper_names_a_nick_or_its_character():
    """SC-15: dice for bob are those of the character that bob plays, whichever name the helper types."""
    check_script(
        """
        bob: !play Old Tom
            bob: plays Old Tom; id 1
        carol: sc assist strike 5 for bob | 4 4 4 4 4
            carol: Exceptional Success, 5 passes; gives assist2, +2 dice, to the recipient's next roll of that pool;
                the helper makes no other roll that has an effect in this post; 4 4 4 4 4; assist strike 5 for "Old
                Tom"; id 3
        bob: sc cinder 2 | 1 1
            Old Tom (bob): Critical Failure, 0 passes; 1 1; cinder 2; id 4
        bob: sc strike 2 | 1 2 3 4
            Old Tom (bob): Failure, 1 pass; assist2 of a helper is in it, and spent; 1 2 3 4; strike 2 assist2; id 5
        carol: sc assist strike 5 for "Old Tom" | 4 4 4 4 4
            carol: Exceptional Success, 5 passes; gives assist2, +2 dice, to the recipient's next roll of that pool;
                the helper makes no other roll that has an effect in this post; 4 4 4 4 4; assist strike 5 for "Old
                Tom"; id 6
        bob: sc strike 2 | 1 2 3 4
            Old Tom (bob): Failure, 1 pass; assist2 of a helper is in it, and spent; 1 2 3 4; strike 2 assist2; id 7
        bob: sc strike 2 | 1 2
            Old Tom (bob): Critical Failure, 0 passes; 1 2; strike 2; id 8
        """,
        system="strike_cinder",
    )


def test_sc_15_a_helper_names_somebody_in_an_encounter():
    """SC-15, SC-26: the Encounter itself, or a character that joined, before or after; what is discarded comes back."""
    check_script(
        """
        sam*: sc encounter open Hydra luck 6 dc3 strike 2
            sam: the encounter opens, Hydra Luck 6/6, DC 3, Strike 2; id 1
        carol: sc assist strike 5 for hydra | 4 4 4 4 4
            carol: Exceptional Success, 5 passes; gives assist2, +2 dice, to the recipient's next roll of that pool;
                the helper makes no other roll that has an effect in this post; 4 4 4 4 4; assist strike 5 for hydra;
                id 3
        carol: sc assist strike 5 for bob | 4 4 4 4 4
            carol: Exceptional Success, 5 passes; gives assist2, +2 dice, to the recipient's next roll of that pool;
                the helper makes no other roll that has an effect in this post; 4 4 4 4 4; assist strike 5 for bob; id
                4
        bob: sc join Kael arcanist
            bob: Kael joins, Arcanist, Luck 4/4; id 5
        bob: sc strike 2 | 1 2 3 4
            Kael (bob): Failure, 1 pass; assist2 of a helper is in it, and spent; 1 2 3 4; strike 2 assist2; id 6
        carol: sc assist strike 5 for Kael | 4 4 4 4 4
            carol: Exceptional Success, 5 passes; gives assist2, +2 dice, to the recipient's next roll of that pool;
                the helper makes no other roll that has an effect in this post; 4 4 4 4 4; assist strike 5 for Kael;
                id 7
        sam*: sc strike as Hydra | 1 2 3 4
            Hydra (sam): Failure, 1 pass; assist2 of a helper is in it, and spent; 1 2 3 4; strike 2 assist2; id 8
        sam*: sc strike as Hydra | 1 2
            Hydra (sam): Critical Failure, 0 passes; 1 2; strike 2; id 9
        bob: sc strike 2 as Kael | 1 2 3 4
            Kael (bob): Failure, 1 pass; assist2 of a helper is in it, and spent; 1 2 3 4; strike 2 assist2; id a
        bob: sc strike 2 | 1 2
            Kael (bob): Critical Failure, 0 passes; 1 2; strike 2; id b
        sam*: discard #a
            sam: #a is discarded: it does not count and is not listed; carol's assist2 waits for kael again; id c
        bob: sc strike 2 | 1 2 3 4
            Kael (bob): Failure, 1 pass; assist2 of a helper is in it, and spent; 1 2 3 4; strike 2 assist2; id d
        """,
        system="strike_cinder",
    )


def test_dsk_07_a_difficulty_is_cancelled_or_replaced_under_either_name():
    """DSK-07: one difficulty waits for one person, called by nick or character."""
    check_script(
        """
        bob: !play Viktor
            bob: plays Viktor; id 1
        sam* in private: difficulty 4 for Viktor in #FU_Dice
            (sam) a secret difficulty waits for Viktor in #FU_Dice; "reveal #3" there tells it; id 3
        sam* in private: difficulty off for bob in #FU_Dice
            (sam) #3 is cancelled: no difficulty waits for bob in #FU_Dice; id 4
        bob: roll 1d10 h0 | 9
            Viktor (bob): 1 success; 9; 1d10 h0; id 5
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #6" there tells it; id 6
        sam* in private: difficulty 7 for Viktor in #FU_Dice
            (sam) a secret difficulty waits for Viktor in #FU_Dice in the place of #6; "reveal #7" there tells it;
                id 7
        sam*: !secrets
            (sam) not revealed: #7 difficulty 7 for bob, unused; log #ID shows one to you
        bob: roll 1d10 h0 | 9
            Viktor (bob): Failure, 1 success; 9; difficulty secret; 1d10 h0; id 8
            (sam) for you alone, #8: Viktor (bob): Failure, 1 success vs 7, margin -6; 9; 1d10 h0 dc7
        bob: roll 1d10 h0 | 9
            Viktor (bob): 1 success; 9; 1d10 h0; id 9
        """,
        system="v5",
    )


def test_xr_25_fate_is_held_by_the_character_of_a_nick():
    """XR-25: listed and ended by nick or character."""
    check_script(
        """
        bob: !play Old Tom
            bob: plays Old Tom; id 1
        bob: xr 3d6 | 6 6 6
            Old Tom (bob): Great Success, value 3; Fate's Child, value 1 more, gains a temporary Fate Die of Short
                Duration; total 18; 6 6 6; 3d6; id 3
        alice: xr fate bob
            Old Tom holds 1 temporary Fate Die.
        alice: xr fate "old tom"
            Old Tom holds 1 temporary Fate Die.
        alice: xr fate alice
            alice holds nothing.
        sam*: xr fate end bob die
            sam: one Fate Die of Old Tom's ended; fate end "Old Tom" die; id 4
        sam*: xr fate end bob die
            (sam) Old Tom holds nothing of that kind.
        bob: xr fate
            Old Tom holds nothing.
        """,
        system="crossroads",
    )


def test_fw_10_whoever_rolls_for_somebody_meets_their_difficulty():
    """FW-10, DSK-01: a storyteller's roll for the character of that nick, or for the Encounter."""
    check_script(
        """
        bob: !play Viktor
            bob: plays Viktor; id 1
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #3" there tells it; id 3
        sam*: sc strike 2 as Viktor | 4 4
            Viktor (sam): Failure, 2 passes; 4 4; difficulty secret; strike 2; id 4
            (sam) for you alone, #4: Viktor (sam): Failure, 2 passes vs DC 3; 4 4; strike 2 dc3
        sam* in private: difficulty 3 for Viktor in #FU_Dice
            (sam) a secret difficulty waits for Viktor in #FU_Dice; "reveal #5" there tells it; id 5
        sam*: roll 2d10 h0 as Viktor | 9 9
            Viktor (sam): Failure, 2 successes; 9 9; difficulty secret; 2d10 h0; id 6
            (sam) for you alone, #6: Viktor (sam): Failure, 2 successes vs 3, margin -1; 9 9; 2d10 h0 dc3
        sam*: sc encounter open Hydra luck 6 dc3 strike 2
            sam: the encounter opens, Hydra Luck 6/6, DC 3, Strike 2; id 7
        sam* in private: difficulty 3 for Hydra in #FU_Dice
            (sam) a secret difficulty waits for Hydra in #FU_Dice; "reveal #9" there tells it; id 9
        bob: sc strike 2 vs Hydra | 1 1
            Viktor (bob): Miss, 0 passes vs DC 3; 1 1; strike 2 vs Hydra; id a
        sam*: sc strike as Hydra | 4 4
            Hydra (sam): Failure, 2 passes; 4 4; difficulty secret; strike 2; id b
            (sam) for you alone, #b: Hydra (sam): Failure, 2 passes vs DC 3; 4 4; strike 2 dc3
        """,
        system="strike_cinder",
    )


def test_sc_26_a_storyteller_rolls_as_a_nick():
    """SC-26, DSK-01: with the dice of the character that the nick plays, or as the nick; a player not for another."""
    check_script(
        """
        bob: !play Viktor
            bob: plays Viktor; id 1
        sam*: sc encounter open Hydra luck 6 dc3
            sam: the encounter opens, Hydra Luck 6/6, DC 3; id 3
        bob: sc join arcanist
            Viktor (bob): Viktor joins, Arcanist, Luck 4/4; id 5
        sam*: sc strike vs Hydra dc3 as bob # who is away | 1 2 3 4
            Viktor (sam): Miss, 1 pass vs DC 3; 1 2 3 4; strike arcanist vs Hydra dc3 "who is away"; id 6
        alice: sc strike vs Hydra dc3 as bob
            (alice) Not rolled: only bob or a storyteller may roll for Viktor.
        carol: sc strike 2 | 1 2
            carol: Critical Failure, 0 passes; 1 2; strike 2; id 7
        sam*: sc strike 2 vs Hydra as carol | 4 4
            carol (sam): Miss, 2 passes vs DC 3; 4 4; strike 2 vs Hydra; id 8
        carol: !play Old Tom
            carol: plays Old Tom; id 9
        sam*: sc strike 2 as Old Tom | 1 2
            Old Tom (sam): Critical Failure, 0 passes; 1 2; strike 2; id b
        alice: sc strike 2 as ever | 1 2
            alice: Critical Failure, 0 passes; 1 2; strike 2 "as ever"; id c
        """,
        system="strike_cinder",
    )


STRANGER = "nobody here is called bob: put # before a comment."


def test_gen_03_a_name_that_nobody_has_is_no_comment_at_the_desk():
    """GEN-03, DSK-02: a command of the desk says so, and does nothing for the speaker."""
    check_script(f"""
        sam*: !table add weather = sun | rain
            sam: the table weather has 2 entries; id 1
        sam*: !deck add tarot = cup | coin
            sam: the deck tarot has 2 cards; id 2
        sam*: !table weather as bob
            (sam) Not rolled: {STRANGER}
        alice: !deck tarot as bob
            (alice) Not rolled: {STRANGER}
        sam*: !init +3 as bob
            (sam) Not rolled: {STRANGER}
        sam*: !play Viktor as bob
            (sam) {STRANGER.capitalize()}
        alice: !undo as bob
            (alice) {STRANGER.capitalize()}
        alice: !trackers as bob
            (alice) {STRANGER.capitalize()}
        alice: !table weather # as bob | 2
            alice: weather: rain; 2 of 2; table weather; "as bob"; id 4
        bob: roll 1d10 h0 | 5
            bob: Failure, 0 successes; 5; 1d10 h0; id 5
        sam*: !table weather as bob | 2
            bob (sam): weather: rain; 2 of 2; table weather; id 6
    """)


def test_gen_03_a_name_that_nobody_has_is_a_comment_where_one_is_posted():
    """GEN-03: rolls and what repeats, answers or discards them."""
    check_script("""
        alice: rouse as bob | 7
            alice: Hunger does not rise; rouse 7 "as bob"; id 1
        alice: !again as carol | 8
            alice: Hunger does not rise; rouse 8 "as carol"; id 2
        alice: !discard as carol
            alice: #2 is discarded: it does not count and is not listed; "as carol"; id 3
        alice: roll 2d10 h0 vs @dave | 10 10
            alice vs dave: 2d10 h0 is rolled and covered. dave: answer "roll 5d10 h1" or "pass" within 15 min; id 4
        alice: !withdraw as carol
            (alice) Nobody here is called carol: put # before a comment.
        dave: !pass as carol
            alice vs dave: alice wins, critical, dave does not resist, 4 successes; 10 10; 2d10 h0 dc1 "as carol"; id 5
    """)


def test_gen_03_as_name_inside_a_command():
    """GEN-03, DSK-01: it is read as at its end, also in repeats; a name that nobody has is refused there."""
    check_script(
        """
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        bob: !play Old Tom
            bob: plays Old Tom; id 2
        sam*: !track hunger 2 as Thug
            Thug: hunger 2; id 4
        sam*: roll 2d10 as Thug h1 | 1 2
            Thug (sam): Botch, 0 successes; 1, hunger 2; 2d10 h1; id 5
        sam*: roll 2d10 as Thgu h1
            (sam) Not rolled: nobody here is called Thgu. Did you mean: roll 2d10 as Thug h1
        sam*: roll 2d10 as planned h1
            (sam) Not rolled: nobody here is called planned. Did you mean: roll 2d10 h1 # as planned
        sam*: roll 2d10 as Thug h1 as bob
            (sam) Not rolled: "h1" is unknown. Did you mean: roll 2d10 h1 as Thug # as bob
        sam*: b8 as planned -3
            (sam) Not rolled: nobody here is called planned. Did you mean: b8 -3 # as planned
        sam*: toss 2 as always for help
        sam*: !toss 2 as always for help
            (sam) Not rolled: nobody here is called always. Did you mean: toss 2 for help # as always
        sam*: !2x roll 2d10 h as Thug # up | 1 2 1 2
            Thug (sam): Botch and bestial failure, 0 successes; hunger 1 2; 2d10 h2 "up"; id 6
            Thug (sam): Botch and bestial failure, 0 successes; hunger 1 2; 2d10 h2 "up"; id 7
        sam*: roll 2d10 h1 as Old Tom | 1 2
            Old Tom (sam): Botch, 0 successes; 1, hunger 2; 2d10 h1; id 8
        sam*: !again | 1 2
            Old Tom (sam): Botch, 0 successes; 1, hunger 2; 2d10 h1; id 9
        sam*: roll 2d10 as Thug vs @carol | 1 2
            Thug (sam) vs carol: 2d10 is rolled and covered. carol: answer "roll 5d10 h1" or "pass" within 15 min;
                id a
        """
    )

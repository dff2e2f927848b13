"""Who plays whom (DSK-01)."""

import pytest
from playing import Table, check_script

from ircdice.replay import Replay


def test_dsk_01_a_player_is_a_character_from_now_on():
    """DSK-01: until another one, or `play off`; a restart of the bot changes nothing."""
    check_script("""
        alice: !play
            alice plays nobody here.
        alice: !play off
            (alice) alice plays nobody here.
        alice: !play Viktor
            alice: plays Viktor; id 1
        bob: FUDice: play Old Tom # the smith
            bob: plays Old Tom; "the smith"; id 3
        alice: !play
            alice plays Viktor here.
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 5
        carol: !characters
            played here: Viktor (alice), Old Tom (bob), Thug
        alice: !play Mina
            alice: plays Mina; id 6
        bob: !play off
            bob: no longer Old Tom; id 8
        carol: !characters
            played here: Mina (alice), Thug
    """)


def test_dsk_01_a_character_is_renamed_and_retired():
    """DSK-01: by its player or a storyteller; in a channel where it is played under the new name at once."""
    check_script("""
        alice in #other: !play Viktor
            alice: plays Viktor; unofficial; id 1
        alice: !play Viktor
            alice: plays Viktor; id 3
        bob: !character Viktor
            Viktor is alice's.
        bob: !character Viktor rename Fool
            (bob) Only alice or a storyteller may rename or retire Viktor.
        alice: !character Viktor rename Victor
            alice: Viktor is called Victor from now on; id 4
        alice in #other: !play
            alice plays Victor here.
        alice: !character Viktor
            (alice) Nobody here is called Viktor: !characters lists them.
        sam*: !character victor retire
            sam: Victor is retired; id 6
        alice: !play
            alice plays nobody here.
        alice: !character Victor retire
            (alice) Nobody here is called Victor: !characters lists them.
        bob: !npc Thug
            (bob) Only a storyteller may make a character of the channel's own.
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 7
        sam*: !npc thug
            (sam) thug is a character of this channel already.
        bob: !play Thug
            (bob) Thug is a character of this channel: choose another name.
        sam*: !character Thug retire
            sam: Thug is retired; id 8
    """)


def test_dsk_01_rolls_are_a_characters():
    """DSK-01: posted as `Viktor (alice)`; `as NAME` for a storyteller and for whose character it is."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        alice: roll 3d10 h1 dc2 | 7 3 8
            Viktor (alice): Success, 2 successes vs 2, margin 0; 7 3, hunger 8; 3d10 h1 dc2; id 3
        alice: wp 1 | 9
            Viktor (alice): Success, 3 successes vs 2, margin +1; costs 1 superficial Willpower; 7 9, hunger 8,
                    rerolled 3 as 9; wp 1 on 3; id 4
        alice: !play Old Tom
            alice: plays Old Tom; id 5
        alice: roll 1d10 h0 as Viktor | 7
            Viktor (alice): 1 success; 7; 1d10 h0; id 7
        alice: roll 1d10 h0 | 7
            Old Tom (alice): 1 success; 7; 1d10 h0; id 8
        bob: roll 1d10 h0 as Old Tom
            (bob) Not rolled: only alice or a storyteller may roll for Old Tom.
        sam*: roll 1d10 h0 as Old Tom, the smith | 7
            Old Tom (sam): 1 success; 7; 1d10 h0 "the smith"; id 9
        sam*: roll 1d10 h0 as old tom | 7
            Old Tom (sam): 1 success; 7; 1d10 h0; id a
        sam*: wp 1 | 3
            Old Tom (sam): Failure, 0 successes; costs 1 superficial Willpower; 3, rerolled 7 as 3; wp 1 on a; id b
    """)


def test_dsk_01_contests_are_between_characters():
    """DSK-01, GEN-06: `vs @Viktor` asks whoever plays Viktor, and `as NAME` answers for a character."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        bob: !play Mina
            bob: plays Mina; id 3
        alice: roll 2d10 h0 vs @viktor
            (alice) Not rolled: @viktor cannot be the other side: name another player.
        alice: roll 2d10 h0 vs @Mina | 7 3
            Viktor (alice) vs Mina: 2d10 h0 is rolled and covered. Mina: answer "roll 5d10 h1" or "pass" within 15
                    min; id 5
        alice: roll 2d10 h0 vs @bob
            (alice) Not rolled: a contest between you and bob is open already: #5.
        bob: roll 1d10 h0 vs @alice
            (bob) Not rolled: a contest between you and alice is open already: #5.
        bob: 2d10 h0 | 9 9
            Viktor (alice) vs Mina (bob): Mina wins, 2 successes to 1; Viktor 7 3; Mina 9 9; 2d10 h0 vs 2d10 h0; id
                    6
            (alice) You may still spend Willpower: "wp #6" rerolls 3.
            (bob) You may still spend Willpower: no die has failed, "wp 1 #6" rerolls the 9.
        alice: wp | 8
            Viktor (alice) vs Mina (bob): Viktor wins, 2 successes to 2, a tie; costs Viktor 1 superficial
                    Willpower; Viktor 7 8, rerolled 3 as 8; Mina 9 9; wp on 6; id 7
            (bob) You may still spend Willpower: no die has failed, "wp 1 #7" rerolls the 9.
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 8
        alice: roll 2d10 h0 vs @Thug | 7 3
            Viktor (alice) vs Thug: 2d10 h0 is rolled and covered. Thug: answer "roll 5d10 h1" or "pass" within 15
                    min; id 9
        bob: roll 2d10 h0 as Thug
            (bob) Not rolled: only a storyteller may answer for somebody else.
        sam*: pass as Thug
            Viktor (alice) vs Thug (sam): Viktor wins, Thug does not resist, 1 success; 7 3; 2d10 h0 dc1; id a
            (alice) You may still spend Willpower: "wp #a" rerolls 3.
        sam*: roll 2d10 h0 vs @Viktor as Thug | 7 3
            Thug (sam) vs Viktor: 2d10 h0 is rolled and covered. Viktor: answer "roll 5d10 h1" or "pass" within 15
                    min; id b
        alice: pass
            Thug (sam) vs Viktor (alice): Thug wins, Viktor does not resist, 1 success; 7 3; 2d10 h0 dc1; id c
            (sam) You may still spend Willpower: "wp #c" rerolls 3.
        mina: roll 2d10 h0 | 7 7
            mina: 2 successes; 7 7; 2d10 h0; id d
    """)


def test_dsk_01_a_character_is_taken_up_again():
    """DSK-01: whatever was rolled against it, or by a storyteller for it; not by another while it is asked."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        bob: roll 1d10 h0 vs @Viktor | 8
            bob vs Viktor: 1d10 h0 is rolled and covered. Viktor: answer "roll 5d10 h1" or "pass" within 15 min; id 3
        alice: !play Viktor
            alice: plays Viktor; id 4
        alice: !play off
            alice: no longer Viktor; id 5
        carol: !play Viktor
            (carol) Viktor is somebody else here: choose another name.
        ... 16 min
            bob vs Viktor: lapsed, not answered; bob 8; 1d10 h0 vs @Viktor; id 6
        alice: !play Viktor
            alice: plays Viktor; id 7
        bob: roll 1d10 h0 vs @Viktor | 8
            bob vs Viktor: 1d10 h0 is rolled and covered. Viktor: answer "roll 5d10 h1" or "pass" within 15 min; id 8
        alice: roll 1d10 h0 | 9
            bob vs Viktor (alice): bob wins, 1 success to 1, a tie; bob 8; Viktor 9; 1d10 h0 vs 1d10 h0; id 9
            (bob) You may still spend Willpower: no die has failed, "wp 1 #9" rerolls the 8.
            (alice) You may still spend Willpower: no die has failed, "wp 1 #9" rerolls the 9.
        sam*: roll 1d10 h0 as Viktor | 7
            Viktor (sam): 1 success; 7; 1d10 h0; id a
        alice: !play off
            alice: no longer Viktor; id b
        carol: !play Viktor
            (carol) Viktor is somebody else here: choose another name.
        alice: !play Viktor
            alice: plays Viktor; id c
    """)


def test_dsk_01_an_encounter_has_the_same_characters():
    """DSK-01, SC-26: `sc join` without a name is who is played; `as NAME` need not be in the encounter."""
    check_script(
        """
        alice: !play Mina
            alice: plays Mina; id 1
        sam*: sc encounter open Ghoul luck 6 dc3 strike 5
            sam: the encounter opens, Ghoul Luck 6/6, DC 3, Strike 5; id 3
        alice: sc join arcanist rank 2
            Mina (alice): Mina joins, Arcanist, Luck 5/5; id 5
        bob: sc join arcanist
            bob: bob joins, Arcanist, Luck 4/4; id 6
        alice: sc strike vs Ghoul | 4 4 4 4
            Mina (alice): Hit, Complete Success, 4 passes vs DC 3, drains 1 Luck, Ghoul Luck 5/6; 4 4 4 4; strike
                    arcanist vs Ghoul; id 7
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 8
        sam*: sc strike 3 vs Ghoul as Thug | 4 5 1
            Thug (sam): Miss, 2 passes vs DC 3; 4 5 1; strike 3 vs Ghoul; id 9
        bob: sc strike 3 as Thug
            (bob) Not rolled: only a storyteller may roll for Thug.
        sam*: sc strike 2 as they fall | 4 5
            sam: Partial Failure, 2 passes; 4 5; strike 2 "as they fall"; id a
        carol: !play Old Tom
            carol: plays Old Tom; id b
        carol: sc join human
            (carol) An encounter has names of one word, of letters and digits: say one, as sc join Tom arcanist.
        dave_: sc join human
            (dave_) An encounter has names of one word, of letters and digits: say one, as sc join Tom arcanist.
        """,
        system="strike_cinder",
    )


def test_dsk_01_fate_dice_are_a_characters():
    """DSK-01, XR-25: what a triple gave one character is not another's, whoever plays them."""
    check_script(
        """
        alice: !play Mina
            alice: plays Mina; id 1
        alice: xr 3d6 | 5 5 5
            Mina (alice): Success, value 1; Fate's Blessing, a1 on Skill Rolls until the end of the next turn; total 15;
                    5 5 5; 3d6; id 3
        alice: !play Viktor
            alice: plays Viktor; id 4
        alice: xr fate
            Viktor holds nothing.
        alice: xr fate Mina
            Mina holds Fate's Blessing until the end of the next turn.
        """,
        system="crossroads",
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("success", '"success" has a meaning of its own: choose another name.'),
        ("Messy Critical", '"Messy Critical" has a meaning of its own: choose another name.'),
        ("Bob wins", '"Bob wins" has a meaning of its own: choose another name.'),
        ("not rolled", '"not rolled" has a meaning of its own: choose another name.'),
        ("roll", '"roll" has a meaning of its own: choose another name.'),
        ("Other", '"Other" has a meaning of its own: choose another name.'),
        ("end", '"end" is unknown.'),
        ("mina", "Mina is bob's: choose another name."),
        ("carol", "carol is somebody else here: choose another name."),
        ("x" * 31, "a name has at most 30 characters, yours has 31."),
        ("Alice: Success", '":" is unknown.'),
    ],
)
def test_dsk_01_a_name_that_means_something_else_is_refused(name, sentence):
    """DSK-01, desk.md "Names": no verdict, no command, no sub-command, and nobody else."""
    table = Table()
    table.say("bob", "!play Mina")
    table.say("carol", "roll 1d10 h0", (3,))
    assert sentence in str(table.say("alice", f"!play {name}").error)


def test_dsk_01_a_person_has_so_many_characters_and_no_more():
    """DSK-01: memory is bounded."""
    table = Table()
    for number in range(50):
        assert table.say("alice", f"!play character {number}").error is None
    assert str(table.say("alice", "!play one more").error).startswith("50 of that kind are stored already")
    assert table.say("alice", "!play character 0").error is None


@pytest.mark.parametrize(
    "line", ["play dead", "play Viktor", "characters", "Play 3 and 4", "npc Thug", "character arc"]
)
def test_gen_13_what_is_not_said_to_the_bot_is_talk(line):
    """GEN-13"""
    assert Table().say("alice", line).replies == ()


def test_gen_02_another_bots_command_is_met_with_silence():
    """GEN-02: a prefix before a word that nobody keeps anything of."""
    table = Table()
    assert table.say("alice", "!seen bob").replies == ()
    assert table.say("alice", "FUDice: seen bob").replies != ()


def test_dsk_01_a_name_of_several_words_is_followed_by_what_follows_a_name():
    """DSK-01, GEN-03: a comment, in all its forms; and a word alone is a command where it is one with a short name."""
    check_script("""
        sam*: !npc Ghoul King
            sam: Ghoul King is a character of this channel; id 1
        sam*: roll 1d10 h1 as Ghoul King # claws | 2
            Ghoul King (sam): Failure, 0 successes; hunger 2; 1d10 h1 "claws"; id 2
        sam*: roll 1d10 h1 as Ghoul King for the claws | 2
            Ghoul King (sam): Failure, 0 successes; hunger 2; 1d10 h1 "the claws"; id 3
        sam*: roll 1d10 h1 as Ghoul King, claws | 2
            Ghoul King (sam): Failure, 0 successes; hunger 2; 1d10 h1 "claws"; id 4
        sam*: rouse as Ghoul King | 2
            Ghoul King (sam): Hunger rises by 1; rouse 2; id 5
        sam*: rouse as Ghoul Kings do
    """)


def test_gen_03_a_name_that_is_a_letter_off():
    """GEN-03, DSK-01: nobody rolls by mistake for themselves instead of for a character whom they act for."""
    check_script("""
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        sam*: roll 2d10 h1 as Thugg # bang
            (sam) Not rolled: nobody here is called Thugg. Did you mean: roll 2d10 h1 as Thug # bang
        sam*: !track wounds 0/3 as Thgu
            (sam) Nobody here is called Thgu. Did you mean: !track wounds 0/3 as Thug
        sam*: roll 2d10 h1 as though in a hurry | 7 3
            sam: 1 success; 7, hunger 3; 2d10 h1 "as though in a hurry"; id 2
        sam*: roll 2d10 h1 as Tug
            (sam) Not rolled: nobody here is called Tug. Did you mean: roll 2d10 h1 as Thug
        sam*: roll 2d10 h1 as ever | 7 3
            sam: 1 success; 7, hunger 3; 2d10 h1 "as ever"; id 3
        sam*: roll 2d10 h1 as tug and pull | 7 3
            sam: 1 success; 7, hunger 3; 2d10 h1 "as tug and pull"; id 4
        alice: roll 2d10 h1 as Thugg | 7 3
            alice: 1 success; 7, hunger 3; 2d10 h1 "as Thugg"; id 5
        sam*: !npc Eve
            sam: Eve is a character of this channel; id 6
        sam*: roll 2d10 h1 as ever | 7 3
            sam: 1 success; 7, hunger 3; 2d10 h1 "as ever"; id 7
    """)


def test_gen_03_a_nick_that_is_a_letter_off():
    """GEN-03: a storyteller who means another player changes nothing of their own by mistake."""
    table = Table()
    table.say("sam", "roll 2d10 h1", (7, 3), star=True)
    table.say("bob", "roll 2d10 h1", (7, 3))
    nicks = "al", "carol", r"da\ve"
    for text, hint in (
        ("!wp as bobb", "wp as bob"),
        ("!discard as carl", "!discard as carol"),
        (r"!discard as da\v", r"!discard as da\ve"),
    ):
        (reply,) = table.say("sam", text, star=True, nicks=lambda _channel: nicks).replies
        assert reply.text.endswith(f"Did you mean: {hint}")
    (reply,) = table.say("sam", "!discard as agreed", star=True, nicks=lambda _channel: ("al", "carol")).replies
    assert reply.text.startswith('sam: #1 is discarded: it does not count and is not listed; "as agreed"')


@pytest.mark.parametrize("game", ["strike_cinder", "fayrewood"])
def test_gen_03_a_name_after_words_is_asked_about(game):
    """GEN-03: `as` before a nick or character that the channel knows; after more words only before a character whom
    the speaker may act for, and does not play; after a `#` it is a comment."""
    check_script(
        """
        alice: roll 1d6 | 4
            alice: 4; 1d6 4; 1d6; id 1
        bob: !play Viktor
            bob: plays Viktor; id 2
        bob: roll 5d10 h as alice
            (bob) Not rolled: "as alice" follows the command, before "h"; a comment begins with #. Did you mean:
                roll 5d10 # h as alice
        bob: roll 2d6 brawl as Viktor
            (bob) Not rolled: "as Viktor" follows the command, before "brawl"; a comment begins with #. Did you mean:
                roll 2d6 as Viktor # brawl
        bob: roll 1d6 # h as alice | 4
            Viktor (bob): 4; 1d6 4; 1d6 "h as alice"; id 4
        bob: roll 1d6 masked as always | 4
            Viktor (bob): 4; 1d6 4; 1d6 "masked as always"; id 5
        bob: roll 1d6 same as other | 4
            Viktor (bob): 4; 1d6 4; 1d6 "same as other"; id 6
        bob: roll 1d6 going in masked as alice | 4
            Viktor (bob): 4; 1d6 4; 1d6 "going in masked as alice"; id 7
        bob: roll 1d6 going in as Viktor | 4
            Viktor (bob): 4; 1d6 4; 1d6 "going in as Viktor"; id 8
        sam*: !npc Old Tom
            sam: Old Tom is a character of this channel; id 9
        sam*: roll 1d6 punching him as Old Tom
            (sam) Not rolled: "as Old Tom" follows the command, before "punching him"; a comment begins with #. Did you
                mean: roll 1d6 as "Old Tom" # punching him
        bob: roll 1d6 punching him as Old Tom | 4
            Viktor (bob): 4; 1d6 4; 1d6 "punching him as Old Tom"; id a
        """,
        system=game,
    )


@pytest.mark.parametrize("name", ["\u0430lice", "FUDi\u0441e", "Vikt\u03bfr", "\uff41lice", "\U0001d41a\U0001d425ice"])
@pytest.mark.parametrize("text", ["!play {}", "!npc {}", "sc encounter open {} luck 6"])
def test_dsk_01_letters_that_look_like_others(name, text):
    """DSK-01, desk.md (Names): no word of a name mixes Latin, Cyrillic or Greek, or is Latin in another font."""
    table = Table(system="strike_cinder")
    star = text.startswith("!npc")
    assert "has letters that look like others or cannot be seen" in str(
        table.say("bob", text.format(name), star=star).error
    )


def test_dsk_01_a_dotless_i_makes_no_other_name():
    """desk.md (Names): `Vıktor` is a name of its own, but not while another's looks like it; a Turkish name is free."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        bob: !play Vıktor
            (bob) Viktor is alice's: choose another name.
        bob: !play Faılure
            (bob) "Faılure" has a meaning of its own: choose another name.
        bob: roll 1d10 h0 | 5
            bob: Failure, 0 successes; 5; 1d10 h0; id 3
        carol: !play Işık
            carol: plays Işık; id 4
        dave: roll 1d10 h0 | 5
            dave: Failure, 0 successes; 5; 1d10 h0; id 6
        carol: !play dɑve
            (carol) dɑve is somebody else here: choose another name.
    """)


@pytest.mark.parametrize("letter", ["\u3164", "\u1160", "\u115f", "\uffa0"])
@pytest.mark.parametrize(
    "text", ["!play {}", "!npc {}", "!scene {}", "!macro {} = roll 1d6", "!track {} 3", "!init {} 4"]
)
def test_dsk_01_letters_that_cannot_be_seen(letter, text):
    """desk.md (Names): no name looks like another's, or like a verdict, but for a letter that shows nothing."""
    table = Table()
    for name in (f"Viktor{letter}", f"Suc{letter}cess"):
        refused = table.say("sam", text.format(name), star=True).error
        assert "has letters that look like others or cannot be seen" in str(refused)


@pytest.mark.parametrize("name", ["Genuine", "Altered", "Unknown", "Lost", "Withheld"])
def test_led_21_verdicts_of_verify_are_no_names(name):
    """LED-21, desk.md (Names): a line that begins with a name does not look like a verdict."""
    assert "has a meaning of its own" in str(Table().say("bob", f"!play {name}").error)


@pytest.mark.parametrize(
    "name",
    ["Zo\u00eb", "\u0410\u043b\u0438\u0441\u0430", "Renée O'Brien", "\u03a9 Team", "\u592a\u90ce", "Jo\u00e3o 2"],
)
def test_dsk_01_names_of_all_alphabets(name):
    """desk.md (Names): letters are those of any alphabet."""
    assert Table().say("bob", f"!play {name}").error is None


def test_dsk_rights_a_storyteller_rolls_for_a_player():
    """DSK-01, GEN-06, GEN-09: for a nick or a character, and it is then that player's own latest roll."""
    check_script("""
        bob: roll 2d10 h0 dc3 | 6 3
            bob: Failure, 1 success vs 3, margin -2; 6 3; 2d10 h0 dc3; id 1
        sam*: roll 2d10 h0 dc2 as bob | 7 2
            bob (sam): Failure, 1 success vs 2, margin -1; 7 2; 2d10 h0 dc2; id 2
        bob: wp 1 | 8
            bob (sam): Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 7 8, rerolled 2 as 8; wp 1 on
                2; id 3
        alice: roll 2d10 h0 as bob
            (alice) Not rolled: only bob or a storyteller may roll for bob.
        bob: !play Ann
            bob: plays Ann; id 4
        sam*: roll 2d10 h0 dc2 as Ann | 9 1
            Ann (sam): Failure, 1 success vs 2, margin -1; 9 1; 2d10 h0 dc2; id 6
        bob: wp 1 | 6
            Ann (sam): Success, 2 successes vs 2, margin 0; costs 1 superficial Willpower; 9 6, rerolled 1 as 6; wp 1 on
                6; id 7
        alice: roll 2d10 h0 vs @Ann | 6 7
            alice vs Ann: 2d10 h0 is rolled and covered. Ann: answer "roll 5d10 h1" or "pass" within 15 min; id 8
        sam*: roll 2d10 h0 as Ann | 2 8
            alice vs Ann (sam): alice wins, 2 successes to 1; alice 6 7; Ann 2 8; 2d10 h0 vs 2d10 h0; id 9
            (alice) You may still spend Willpower: no die has failed, "wp 1 #9" rerolls the 6.
            (sam) You may still spend Willpower: "wp #9" rerolls 2.
        bob: wp 1 | 9
            alice vs Ann (sam): alice wins, 2 successes to 2, a tie; costs Ann 1 superficial Willpower; alice 6 7; Ann 9
                8, rerolled 2 as 9; wp 1 on 9; id a
            (alice) You may still spend Willpower: no die has failed, "wp 1 #a" rerolls the 6.
    """)


@pytest.mark.parametrize(
    ("system", "roll"), [("crossroads", "xr 3d6 as bob | 1 2 3"), ("fayrewood", "toss 3 2 as bob | 4 5")]
)
def test_dsk_rights_in_every_game(system, roll):
    """DSK-01"""
    table = Table(system=system)
    table.heard("bob: roll 1d6 | 2")
    (line,) = table.heard(f"sam*: {roll}")
    assert line.text.startswith("bob (sam): ")


def test_led_16_what_a_storyteller_rolled_for_a_player_is_judged_again():
    """LED-16: a follow-up of the player's too, and what moves of what is tracked for the player."""
    table = Table()
    for said in (
        "bob: roll 1d6 | 2",
        "bob: !track hunger 2",
        "sam*: rouse as bob | 3",
        "sam*: roll 2d10 h0 dc2 as bob | 7 2",
        "bob: wp 1 | 8",
        "alice: roll 2d10 h0 vs @bob | 6 7",
        "sam*: roll 2d10 h0 as bob | 2 8",
        "bob: wp 1 | 9",
    ):
        assert table.heard(said)
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * 9
    assert table.heard("bob: !hunger")[0].text.startswith("bob: hunger 3")


def test_dsk_01_a_storyteller_says_whom_a_player_plays():
    """Rights: `play` is for whom `as` names."""
    check_script("""
        bob: roll 1d6 | 2
            bob: 2; 1d6 2; 1d6; id 1
        alice: roll 1d6 | 2
            alice: 2; 1d6 2; 1d6; id 2
        alice: !play Viktor
            alice: plays Viktor; id 3
        sam*: !play Brok as bob
            bob: plays Brok; id 5
        sam*: !play as bob
            bob plays Brok here.
        sam*: !play Brok
            (sam) Brok is bob's: choose another name.
        alice: !play Zed as bob
            (alice) Only a storyteller may say whom somebody else plays.
        alice: !play off as bob
            (alice) Only a storyteller may say whom somebody else plays.
        sam*: !play off as alice
            alice: no longer Viktor; id 7
        sam*: !play as alice
            alice plays nobody here.
        bob: !characters
            played here: Brok (bob)
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 8
        sam*: !play Brute as Thug
            (sam) Thug is a character of this channel, and plays nobody.
        sam*: !play off as Brok
            bob: no longer Brok; id 9
        sam*: !play off as bob
            (sam) bob plays nobody here.
        sam*: !hints off as bob
            (sam) "as bob" means nothing after hints: leave it out.
    """)


def test_dsk_01_as_name_is_refused_where_it_means_nothing():
    """Rights: `as NAME` is refused after commands that do not act for anyone; with an unknown name it is a comment."""
    check_script("""
        bob: roll 1d10 h0 | 5
            bob: Failure, 0 successes; 5; 1d10 h0; id 1
        sam*: !npc Thug as bob
            (sam) "as bob" means nothing after npc: leave it out.
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 2
        sam*: !init Ghoul 14 as bob
            (sam) Not rolled: "as bob" means nothing after init Ghoul 14: leave it out.
        sam*: !discard #1 as Thug
            (sam) That roll has no side called Thug.
        sam*: !scene Harbour as bob
            (sam) "as bob" means nothing after scene: leave it out.
        alice: !characters as bob
            (alice) "as bob" means nothing after characters: leave it out.
        alice: !characters as ever
            played here: Thug
    """)

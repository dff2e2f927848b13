"""Numbers that are kept (DSK-02)."""

import pytest
from playing import CHANNEL, Table, check_script

from ircdice.bot import Message
from ircdice.replay import Replay


def test_dsk_02_a_number_is_kept_and_changed():
    """DSK-02: a signed number changes it, an unsigned one sets it; out of bounds is refused, never clamped."""
    check_script("""
        alice: !hunger +1
            (alice) hunger is not tracked for alice: !track hunger 3 begins that.
        alice: !track hunger 2
            alice: hunger 2; id 1
        alice: !hunger +1
            alice: hunger 3 (was 2); id 2
        alice: !hunger - 1
            alice: hunger 2 (was 3); id 3
        alice: FUDice: hunger 5
            alice: hunger 5 (was 2); id 4
        alice: !hunger +1
            (alice) Hunger is 0 to 5, and that would be 6.
        alice: !track luck 6/6
            alice: luck 6/6; id 5
        alice: !luck -2
            alice: luck 4/6 (was 6); id 6
        alice: !luck 7
            (alice) Luck is 0 to 6, and that would be 7.
        alice: !track luck 8/8
            (alice) Luck is at most 7, not 8.
        alice: !track willpower 5
            alice: willpower 5/5; id 7
        alice: !willpower +1
            (alice) Willpower is 0 to 5, and that would be 6.
        alice: !track willpower 5/6
            alice: willpower 5/6 (was 5/5); id 8
        alice: !track Blood Potency 1
            alice: blood potency 1; id 9
        alice: !blood potency +1
            alice: blood potency 2 (was 1); id a
        alice: !trackers
            alice: blood potency 2, hunger 5, luck 4/6, willpower 5/6
        alice: !track luck off
            alice: luck is no longer tracked; id b
        alice: !luck 3
            (alice) luck is not tracked for alice: !track luck 3 begins that.
        alice: !track luck off
            (alice) luck is not tracked for alice: !track luck 3 begins that.
    """)


def test_dsk_02_a_characters_numbers_go_where_the_character_goes():
    """DSK-01, DSK-02: to every channel, under another name, and away when it is retired."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        alice: !track hunger 2
            Viktor: hunger 2; id 3
        alice in #other: !trackers
            nothing is tracked for alice: !track NAME N begins that.
        alice in #other: !play Viktor
            alice: plays Viktor; unofficial; id 4
        alice in #other: !hunger +1
            Viktor: hunger 3 (was 2); unofficial; id 5
        bob: !trackers viktor
            Viktor: hunger 3
        bob: !hunger +1 as Viktor
            (bob) Only alice or a storyteller may change what is tracked for Viktor.
        sam*: !hunger +1 as viktor
            Viktor: hunger 4 (was 3); id 6
        alice: !character Viktor rename Old Tom
            alice: Viktor is called Old Tom from now on; id 7
        alice in #other: !hunger -1
            Old Tom: hunger 3 (was 4); unofficial; id b
        sam*: !hunger -1 as Old Tom # who fed
            Old Tom: hunger 2 (was 3); "who fed"; id c
        alice: !character Old Tom retire
            alice: Old Tom is retired; id d
        alice: !play Old Tom
            alice: plays Old Tom; id f
        alice: !trackers
            nothing is tracked for Old Tom: !track NAME N begins that.
        sam*: !npc Thug
            sam: Thug is a character of this channel; id h
        sam*: !track wounds 0/3 as Thug
            Thug: wounds 0/3; id j
        sam*: !wounds +1 as Thug
            Thug: wounds 1/3 (was 0); id k
    """)


def test_dsk_02_a_channels_numbers_are_its_storytellers():
    """DSK-02: anybody sees what is not hidden."""
    check_script("""
        bob: !track channel doom 3/6
            (bob) Only a storyteller may change what is tracked for the channel.
        sam*: !track channel doom 3/6
            channel: doom 3/6; id 1
        bob: !doom +1
            (bob) Only a storyteller may change what is tracked for the channel.
        sam*: !doom +1
            channel: doom 4/6 (was 3); id 2
        bob: !trackers
            channel: doom 4/6
        bob in #other: !doom +1
    """)


def test_dsk_02_what_is_hidden_is_seen_by_storytellers_alone():
    """DSK-02: set and read in private; no other line shows that there is such a thing."""
    script = """
        sam*: !track channel doom 3 hidden
            (sam) A hidden number is typed in private, as track channel doom 3 hidden in #CHANNEL.
        bob in private: track channel doom 3 hidden in #FU_Dice
            (bob) Only a storyteller may hide a number.
        sam* in private: track channel doom 3 hidden in #FU_Dice
            (sam) channel: doom 3, hidden
        sam* in private: track channel doom +1 hidden in #FU_Dice
            (sam) channel: doom 4 (was 3), hidden
        sam* in private: trackers in #FU_Dice
            (sam) channel, hidden: doom 4
        bob in private: trackers in #FU_Dice
            (bob) nothing is tracked for bob: !track NAME N begins that.
        sam*: !trackers
            nothing is tracked for sam: !track NAME N begins that.
        sam*: !doom +1
        bob: !log
            (bob) there is no roll to list here.
        sam*: !undo
            (sam) Nothing was taken back: that number is hidden. Say it in private, as undo in #FU_Dice.
        sam*: !undo #1
            (sam) Nothing was taken back: that number is hidden. Say it in private, as undo #1 in #FU_Dice.
        bob: !undo #1
            (bob) Only a storyteller may take back what a roll or somebody else changed.
        sam*: !track channel doom 1
            channel: doom 1; id 3
    """
    check_script(script)
    table = Table()
    table.say("sam", "track channel doom 3 hidden in #FU_Dice", star=True, where="private")
    (record,) = table.records
    assert "doom" not in f"{record.draft.text}{record.draft.line}"


def test_dsk_03_undo_takes_back_what_was_typed():
    """DSK-03: one change after another, the last first; another's by a storyteller, with its id."""
    check_script("""
        alice: !undo
            (alice) You have changed no tracked number here lately.
        alice: !track hunger 2
            alice: hunger 2; id 1
        alice: !hunger 5
            alice: hunger 5 (was 2); id 2
        alice: !hunger -1
            alice: hunger 4 (was 5); id 3
        bob: !undo #3
            (bob) Only a storyteller may take back what a roll or somebody else changed.
        sam*: !undo #2
            (sam) Hunger was changed again after that: !hunger N sets it.
        sam*: !undo #3
            alice: hunger 5 (was 4); id 4
        alice: !undo
            alice: hunger 2 (was 5); id 5
        alice: !play Viktor
            alice: plays Viktor; id 6
        alice: !undo
            alice: hunger is no longer tracked; id 8
        alice: !undo
            (alice) You have changed no tracked number here lately.
        alice: !undo #9
            (alice) There is no #9 here to undo.
    """)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("track success 3", '"success" has a meaning of its own: choose another name.'),
        ("track roll 3", '"roll" has a meaning of its own: choose another name.'),
        ("track b8 me 3", '"b8 me" has a meaning of its own: choose another name.'),
        ("track other 3", '"other" has a meaning of its own: choose another name.'),
        ("track hunger", "hunger is not tracked for alice: !track hunger 3 begins that."),
        ("track success", '"success" has a meaning of its own: choose another name.'),
        (f"track {'x' * 31}", "a name has at most 30 characters, yours has 31."),
        ("track hunger 6", "hunger is 0 to 5, and that would be 6."),
        ("track hunger 3/9", "hunger is at most 5, not 9."),
        ("track x 10000", "a tracked number is 0 to 9999, you wrote 10000."),
        ("track x +99999", "a change is -9999 to 9999, you wrote +99999."),
        ("track x +1/3", "a change has no limit: write +1, or 3/6 without a sign."),
        ("track x -1", "x is not tracked for alice: !track x 3 begins that."),
        (f"track {'x' * 31} 1", "a name has at most 30 characters, yours has 31."),
        ("track a; b 3", '";" is unknown.'),
    ],
)
def test_dsk_02_a_number_that_cannot_be_is_refused(line, sentence):
    """DSK-02: in one sentence, and nothing is changed."""
    assert sentence in str(Table().say("alice", f"!{line}").error)


def test_dsk_02_a_number_is_changed_in_the_same_breath():
    """DSK-02: a line that calls the bot may come before the one that begins the number was carried out."""
    table = Table()
    wanted = [Message("net", CHANNEL, "alice", line) for line in ("!track steps 0", "!steps +1", "!steps +1")]
    assert all(table.bot.commands_in(message) for message in wanted)
    table.say("bob", "!trackers")  # the channel is known, and not what alice keeps
    assert table.bot.commands_in(wanted[1])
    assert [table.say("alice", message.text).replies[0].text.partition(";")[0] for message in wanted] == [
        "alice: steps 0",
        "alice: steps 1 (was 0)",
        "alice: steps 2 (was 1)",
    ]


@pytest.mark.parametrize(
    "line", ["track the beast", "luck +11", "doom +1", "hunger +1", "hunger -1", "track hunger 2", "undo", "undo that"]
)
def test_gen_13_what_is_not_said_to_the_bot_is_talk(line):
    """GEN-13: the name of a tracker is a command only when the bot is called."""
    table = Table()
    table.say("sam", "!track channel doom 3", star=True)
    table.say("alice", "!track luck 3")
    assert table.say("alice", line).replies == ()


def test_dsk_01_a_nick_after_as_is_the_character_whom_it_plays():
    """DSK-01, DSK-02: for what is tracked and for rolls; what is offered works as it is typed."""
    check_script("""
        bob: !play Nadja
            bob: plays Nadja; id 1
        sam*: !hunger 3 as bob
            (sam) There is no roll of bob here that could be changed. Nor is hunger tracked for Nadja:
                !track hunger 3 as bob begins that.
        sam*: !track hunger 3 as bob
            Nadja: hunger 3; id 3
        sam*: !hunger 4 as bob
            Nadja: hunger 4 (was 3); id 4
        alice: !hunger 1 as bob
            (alice) Only a storyteller may change what bob rolled.
        alice: !hunger +1 as bob
            (alice) Only bob or a storyteller may change what is tracked for Nadja.
        sam*: !trackers bob
            Nadja: hunger 4
        sam*: roll 4d10 h as bob | 2 3 4 5
            Nadja (sam): Failure, 0 successes; hunger 2 3 4 5; 4d10 h4; id 5
        alice: roll 4d10 as bob
            (alice) Not rolled: only bob or a storyteller may roll for Nadja.
        bob: !play off
            bob: no longer Nadja; id 6
        sam*: !undo #4
            Nadja: hunger 3 (was 4); id 7
    """)


def test_dsk_02_for_a_name_is_for_whom_a_number_is_kept():
    """DSK-02: `for NAME` after a number is read as `as NAME`, and is no comment where nobody has that name."""
    check_script("""
        bob: !play Nadja
            bob: plays Nadja; id 1
        sam*: !track hunger 3 for bob
            Nadja: hunger 3; id 3
        sam*: !hunger +1 for Nadja # fed
            Nadja: hunger 4 (was 3); "fed"; id 4
        sam*: !hunger 2 for bob
            Nadja: hunger 2 (was 4); id 5
        alice: !track hunger 1 for bob
            (alice) Only bob or a storyteller may change what is tracked for Nadja.
        alice: !track hunger 1 for carl
            (alice) Nobody here is called carl: put # before a comment.
        alice: !track hunger 1 as carl
            (alice) Nobody here is called carl: put # before a comment.
        alice: !track hunger 1 for the whole evening
            alice: hunger 1; "the whole evening"; id 6
        sam*: !luck -1 as bob
            (sam) luck is not tracked for Nadja: !track luck 3 as bob begins that.
    """)


def test_sc_26_the_luck_of_an_encounter_is_changed_by_the_name_in_it():
    """SC-26, DSK-02: `luck 3 as Viktor` of who joined is no number of the speaker's own."""
    check_script(
        """
        sam*: sc encounter open Ghoul luck 6 dc3 strike 5
            sam: the encounter opens, Ghoul Luck 6/6, DC 3, Strike 5; id 1
        alice: sc join Viktor arcanist rank 2
            alice: Viktor joins, Arcanist, Luck 5/5; id 3
        sam*: !luck 3 as Viktor
            sam: Viktor Luck 3/5 (was 5); id 4
        sam*: !luck +1 for Viktor
            sam: Viktor Luck 4/5 (was 3); id 5
        sam*: !luck 2 as Ghoul
            sam: Ghoul Luck 2/6 (was 6); id 6
        bob: !luck 3 as Viktor
            (bob) Only alice, a storyteller or the one who opened the encounter may change Viktor.
        sam*: !trackers
            nothing is tracked for sam: !track NAME N begins that.
    """,
        system="strike_cinder",
    )


def test_dsk_02_a_hidden_number_is_changed_by_its_name_in_private():
    """DSK-02: a signed number changes it; to anybody but a storyteller there is no such thing."""
    check_script("""
        sam* in private: track channel doom 3 hidden in #FU_Dice
            (sam) channel: doom 3, hidden
        sam* in private: doom +1 in #FU_Dice
            (sam) channel: doom 4 (was 3), hidden
        sam* in private: track channel doom in #FU_Dice
            (sam) channel: doom 4, hidden
        sam* in private: doom in #FU_Dice
            (sam) channel: doom 4, hidden
        bob in private: doom +1 in #FU_Dice
            (bob) "doom +1 in #FU_Dice" is not a command I know. Did you mean: help
        bob in private: doom in #FU_Dice
            (bob) "doom in #FU_Dice" is not a command I know. Did you mean: help
        bob: !doom
        sam*: !doom
    """)


def test_dsk_02_a_hidden_number_of_a_character_is_read_and_changed_in_private():
    """DSK-02: `as NAME` stands before or after the channel."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        sam* in private: track doom 3 hidden as Viktor in #FU_Dice
            (sam) Viktor: doom 3, hidden
        sam* in private: doom +1 as Viktor in #FU_Dice
            (sam) Viktor: doom 4 (was 3), hidden
        sam* in private: doom +1 hidden in #FU_Dice as Viktor
            (sam) Viktor: doom 5 (was 4), hidden
        sam* in private: doom as Viktor in #FU_Dice
            (sam) Viktor: doom 5, hidden
        alice in private: doom in #FU_Dice
            (alice) "doom in #FU_Dice" is not a command I know. Did you mean: help
        alice in private: doom as Viktor in #FU_Dice
            (alice) "doom in #FU_Dice as Viktor" is not a command I know. Did you mean: help
    """)


def test_dsk_02_a_name_alone_asks_for_the_number():
    """DSK-02, GEN-02: called; an unknown word after a prefix is another bot's."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        alice: !hunger
            (alice) hunger is not tracked for Viktor: !track hunger 3 begins that.
        alice: !track hunger 2
            Viktor: hunger 2; id 3
        alice: !hunger
            Viktor: hunger 2
        bob: FUDice: hunger as alice
            Viktor: hunger 2
        alice: hunger
        alice: !track Blood Potency 1
            Viktor: blood potency 1; id 4
        alice: !blood potency
            Viktor: blood potency 1
        sam*: !track channel doom 3
            channel: doom 3; id 5
        bob: !doom
            channel: doom 3
        bob: doom
        bob: !gloom
        bob: !gloom 3
        bob: FUDice: success 3
            (bob) "success 3" is not a command I know. Did you mean: !help
        bob: FUDice: ggggggggggggggggggggggggggggggg 3
            (bob) "ggggggggggggggggggggggggggggggg 3" is not a command I know. Did you mean: !help
        bob: FUDice: gloom 3
            (bob) "gloom 3" is not a command I know. Did you mean: !help
    """)


@pytest.mark.parametrize("amount", ["0/-2..6", "3/", "+-2", "2.5", "3d6", "=3", "+3 +4", "12345678901", "+1/6", "-3"])
def test_dsk_02_a_name_reads_an_amount_as_track_does(amount):
    """DSK-02, GEN-07: the error is explained where that number is kept; elsewhere the line is another bot's."""
    table = Table()
    assert table.say("alice", f"!mood {amount}").replies == ()
    table.say("alice", "!track mood 2")
    (short,), (whole,) = (table.say("alice", f"!{said} {amount}").replies for said in ("mood", "track mood"))
    assert short.text == whole.text
    assert table.say("alice", "!mood").replies[0].text == "alice: mood 2"


def test_dsk_02_trackers_names_each_once():
    """DSK-02: `trackers` lists what is kept of one character, then of the channel."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        alice: !track hunger 4
            Viktor: hunger 4; id 3
        alice: !track brawl 2
            Viktor: brawl 2; id 4
        sam*: !track channel doom 3
            channel: doom 3; id 5
        bob: !trackers alice
            Viktor: brawl 2, hunger 4; channel: doom 3
    """)


def test_dsk_02_the_luck_of_an_encounter_is_one_number():
    """DSK-02, SC-26: no tracker says another one, and what takes a change back takes it back in both places."""
    check_script(
        """
        sam*: sc encounter open Ghoul luck 6 dc2
            sam: the encounter opens, Ghoul Luck 6/6, DC 2; id 1
        alice: !play Viktor
            alice: plays Viktor; id 3
        alice: sc join arcanist
            Viktor (alice): Viktor joins, Arcanist, Luck 4/4; id 5
        sam*: !track luck 6/6 as Viktor
            (sam) Viktor has Luck 4/4 in the encounter: track luck 4/4 keeps that, sc luck Viktor -1 changes it.
        alice: !track luck 4/4
            Viktor: luck 4/4; id 6
        alice: !luck -1
            Viktor (alice): Viktor Luck 3/4 (was 4); id 7
        sam*: !undo #8
            (sam) A game has that number as well: sc luck Viktor +1 takes it back in both places.
        alice: !track luck 4/4
            Viktor (alice): Viktor Luck 4/4 (was 3); id 9
        """,
        system="strike_cinder",
    )


def test_dsk_02_what_is_hidden_is_changed_in_private_and_stays_hidden():
    """DSK-02: with or without the word, as long as no open number has that name."""
    check_script(
        """
        sam* in private: track channel dread 4/6 hidden in #FU_Dice
            (sam) channel: dread 4/6, hidden
        sam* in private: track channel dread 5 in #FU_Dice
            (sam) channel: dread 5/6 (was 4), hidden
        sam* in private: track channel dread +1 in #FU_Dice
            (sam) channel: dread 6/6 (was 5), hidden
        sam* in private: trackers in #FU_Dice
            (sam) channel, hidden: dread 6/6
        sam* in private: track channel dread off in #FU_Dice
            (sam) channel: dread is no longer tracked, hidden
        sam* in private: track channel dread 2 in #FU_Dice
            channel: dread 2; id 5
        alice: !play Viktor
            alice: plays Viktor; id 6
        sam* in private: track doom 3 hidden in #FU_Dice as Viktor
            (sam) Viktor: doom 3, hidden
        sam* in private: track doom 2 in #FU_Dice as Viktor
            (sam) Viktor: doom 2 (was 3), hidden
        alice in private: track doom 1 in #FU_Dice
            Viktor: doom 1; id a
        """
    )


def test_dsk_03_what_a_game_keeps_is_not_undone_but_changed_back():
    """DSK-03, SC-21, SC-26: Luck of an open encounter, after which an older number is not taken back in its place."""
    check_script(
        """
        sam*: sc encounter open Hydra luck 6 dc3
            sam: the encounter opens, Hydra Luck 6/6, DC 3; id 1
        alice: sc join Kael arcanist
            alice: Kael joins, Arcanist, Luck 4/4; id 3
        alice: !track hp 3
            alice: hp 3; id 4
        alice: !luck +1
            (alice) Luck is 0 to 4, and that would be 5.
        alice: !luck -1
            alice: Kael Luck 3/4 (was 4); id 5
        alice: !undo
            (alice) #5 changed what the game keeps: sc luck Kael +1 takes it back.
        sam*: !undo #5
            (sam) #5 changed what the game keeps: sc luck Kael +1 takes it back.
        alice: sc luck Kael +1
            alice: Kael Luck 4/4 (was 3); id 6
        alice: sc strike 5 vs Hydra | 4 4 4 1 1
            Kael (alice): Hit, Complete Success, 3 passes vs DC 3, drains 1 Luck, Hydra Luck 5/6; 4 4 4 1 1;
                strike 5 vs Hydra; id 7
        sam*: !undo #7
            (sam) Roll #7 changed what the game keeps: discard #7 takes it back with the roll.
        alice: discard #7
            alice: #7 is discarded: it does not count and is not listed; Hydra Luck 6/6; id 8
        sam*: !undo #8
            (sam) Roll #8 changed nothing that is tracked, or it was taken back.
        sam*: sc encounter close
            sam: the encounter is over; id 9
        alice: !undo
            alice: hp is no longer tracked; id b
        sam*: sc encounter open Wolf luck 2
            sam: the encounter opens, Wolf Luck 2/2; id c
        sam*: !undo #5
            (sam) Roll #5 changed nothing that is tracked, or it was taken back.
        """,
        system="strike_cinder",
    )


def test_dsk_rights_a_storyteller_undoes_for_another():
    """DSK-03 and Rights: `!undo as NAME` takes back the last change of that one's numbers, never the storyteller's."""
    check_script("""
        sam*: !track doom 3
            sam: doom 3; id 1
        bob: !play Ann
            bob: plays Ann; id 2
        bob: !track wounds 1
            Ann: wounds 1; id 4
        bob: !wounds +2
            Ann: wounds 3 (was 1); id 5
        sam*: !doom +1
            sam: doom 4 (was 3); id 6
        alice: !undo as Ann
            (alice) Only bob or a storyteller may take back what changed for Ann.
        sam*: !undo as bob
            Ann: wounds 1 (was 3); id 7
        sam*: !undo as Ann
            Ann: wounds is no longer tracked; id 8
        sam*: !undo as Ann
            (sam) No tracked number of Ann was changed here lately.
        sam*: !undo
            sam: doom 3 (was 4); id 9
    """)


@pytest.mark.parametrize(
    "said",
    [
        "alice: !macro Ann = roll 5d10 h1",
        "alice: !macro bob = roll 5d10 h1",
        "alice: !track bob 3",
        "sam*: !table add bob = x | y",
        "sam*: !deck add Ann = x | y",
        "sam*: !scene Ann",
    ],
)
def test_names_of_somebody_else(said):
    """desk.md, "Names": not the nick or character of someone else in that channel."""
    table = Table()
    for each in ("bob: roll 1d6 | 2", "bob: !play Ann"):
        assert table.heard(each)
    (refusal,) = table.heard(said)
    assert refusal.text in ["bob is somebody else here: choose another name.", "Ann is bob's: choose another name."]
    assert len(table.records) == 3
    assert table.heard("bob: !macro bob = roll 5d10 h1")[0].seq


def test_names_a_number_of_somebody_else_as_ones_own():
    """desk.md, "Names": what begins with a character's name was meant for that one."""
    check_script("""
        bob: !play Ann
            bob: plays Ann; id 1
        sam* in private: track Ann doom 3 hidden in #FU_Dice
            (sam) That would be a number of your own: track doom 3 hidden as Ann is Ann's.
    """)


def test_dsk_02_luck_is_asked_for_where_no_encounter_is_open():
    """DSK-02, GEN-10: in private, as in an encounter."""
    check_script("""
        alice: !luck
            (alice) No encounter is open here: sc encounter open Encounter luck 6.
        alice: !track luck 6/6
            alice: luck 6/6; id 1
        alice: !luck
            (alice) alice: luck 6/6
    """)


def test_dsk_03_a_storyteller_changes_what_is_tracked_for_a_player_without_a_character():
    """DSK-02, DSK-03, Rights: by its name, by rolls and by what is undone, in private too."""
    check_script("""
        bob: roll 1d6 | 2
            bob: 2; 1d6 2; 1d6; id 1
        bob: !track wounds 0/3
            bob: wounds 0/3; id 2
        bob: !track fate 1
            bob: fate 1; id 3
        bob: !track willpower 3/5
            bob: willpower 3/5; id 4
        bob: !track hunger 1
            bob: hunger 1; id 5
        sam*: !macro brawn = roll 1d6+{willpower}
            sam: macro brawn is "roll 1d6+{willpower}"; id 6
        sam*: !wounds +1 as bob
            bob: wounds 1/3 (was 0); id 7
        sam*: !willpower 5 as bob
            bob: willpower 5/5 (was 3); id 8
        sam*: !wounds as bob
            bob: wounds 1/3
        sam*: !brawn as bob | 2
            bob (sam): 7; 1d6 2; 1d6+5; id 9
        sam*: rouse as bob | 3
            bob (sam): Hunger rises by 1; hunger 2 (was 1); rouse 3; id a
        sam*: !undo #a
            bob: hunger 1 (was 2); id c
        sam*: toss 3 frayed as bob | 4 1
            bob (sam): Total 5; costs a wound; wounds 2/3 (was 1); 4, frayed 1; d8 frayed; id d
        sam*: xr fate spend as bob
            bob (sam): spends a Fate Die; fate 0 (was 1); fate spend; id f
        sam*: xr fate spend as bob
            (sam) No fate is left for bob.
        sam*: roll 2d10 h0 as bob | 2 3
            bob (sam): Failure, 0 successes; 2 3; 2d10 h0; id h
        sam*: wp 1 as bob | 7
            bob (sam): 1 success; costs 1 superficial Willpower; willpower 4/5 (was 5); 7 3, rerolled 2 as 7; wp 1 on
                h; id j
        sam* in private: wounds 0 in #FU_Dice as bob
            bob: wounds 0/3 (was 2); id m
        alice: !wounds 3 as bob
            (alice) Only bob or a storyteller may change what is tracked for bob.
    """)


def test_dsk_02_luck_is_asked_for_anyone():
    """DSK-02, GEN-07: `as NAME` or the name alone asks for another player's, without "Not rolled" if it has none."""
    check_script("""
        bob: roll 1d10 h0 | 5
            bob: Failure, 0 successes; 5; 1d10 h0; id 1
        alice: !luck as bob
            (alice) No encounter is open here: sc encounter open Encounter luck 6.
        bob: !track luck 5/6
            bob: luck 5/6; id 2
        alice: !luck as bob
            (alice) bob: luck 5/6
        sam*: !luck as bob
            (sam) bob: luck 5/6
        alice: !luck bob
            (alice) bob: luck 5/6
        alice: !luck bob bob
            (alice) "bob" is unknown. For example: !luck
    """)


def test_dsk_02_no_more_than_fifty_of_a_sort_are_kept():
    """Limits: a new number, macro or table is refused while fifty are kept, for each character by itself."""
    table, rest = Table(), "50 of that kind are stored already: remove one first."
    for number in range(50):
        name = f"{chr(97 + number % 26)}{'x' * (number // 26)}q"
        for text in (f"!track {name} 1", f"!macro m{name} = roll 5d10", f"!table add {name} = sun | rain"):
            assert table.say("alice", text, star=True).error is None
    for text in ("!track doom 1", "!macro doom = roll 5d10", "!table add doom = sun | rain"):
        assert str(table.say("alice", text, star=True).error) == rest
    for text in ("!aq +1", "!macro maq =", "!macro doom = roll 5d10", "!play Viktor", "!track doom 1"):
        assert table.say("alice", text, star=True).error is None
    assert table.say("bob", "!track doom 1").error is None


def test_dsk_02_off_after_the_name_alone_points_to_the_command():
    """DSK-02: `!hp off` removes nothing, and names the whole command; words that only look alike are another bot's."""
    check_script("""
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        sam*: !track hp 3
            sam: hp 3; id 2
        sam*: !track hp 4 as Thug
            Thug: hp 4; id 3
        sam*: !hp off.
            (sam) A number is removed by the whole command: !track hp off.
        sam*: !hp off as Thug
            (sam) A number is removed by the whole command: !track hp off as Thug.
        sam*: !hp offline
        sam*: !mana off
        sam*: !track hp off
            sam: hp is no longer tracked; id 4
    """)


def test_dsk_03_undo_names_the_roll_that_changed_nothing():
    """DSK-03: `#last` with its id."""
    check_script("""
        bob: roll 1d10 h0 | 5
            bob: Failure, 0 successes; 5; 1d10 h0; id 1
        sam*: !undo #last
            (sam) Roll #1 changed nothing that is tracked, or it was taken back.
    """)


def test_dsk_03_undo_never_takes_back_an_older_change_than_a_hidden_one():
    """DSK-03: in the channel a hidden change is refused in private, with what takes it back."""
    hidden = "Nothing was taken back: that number is hidden. Say it in private, as undo"
    check_script(f"""
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        sam*: !track hunger 2 as Thug
            Thug: hunger 2; id 2
        sam* in private: track channel fear 2/6 hidden in #FU_Dice
            (sam) channel: fear 2/6, hidden
        sam* in private: fear +1 in #FU_Dice
            (sam) channel: fear 3/6 (was 2), hidden
        sam* in private: undo
            (sam) In private say where: undo in #CHANNEL.
        sam*: FUDice: undo
            (sam) {hidden} in #FU_Dice.
        sam*: !undo #4
            (sam) {hidden} #4 in #FU_Dice.
        bob in private: undo #4 in #FU_Dice
            (bob) Only a storyteller may take back what a roll or somebody else changed.
        sam*: !undo in #other
            (sam) That is typed in #other, or in private.
        sam* in private: undo in #FU_Dice
            (sam) channel: fear 2/6 (was 3), hidden
        sam* in private: undo in #FU_Dice
            (sam) channel: fear is no longer tracked, hidden
        sam* in private: track hunger 4 hidden in #FU_Dice as Thug
            (sam) Thug: hunger 4, hidden
        sam*: !undo as Thug
            (sam) {hidden} in #FU_Dice as Thug.
        sam* in private: undo in #FU_Dice as Thug
            (sam) Thug: hunger is no longer tracked, hidden
        sam*: !undo
            Thug: hunger is no longer tracked; id 9
        sam*: !undo
            (sam) You have changed no tracked number here lately.
    """)


def test_dsk_03_what_follows_from_another_command_is_not_undone():
    """DSK-03, DSK-01: a hidden number that goes to a character's new name was not changed by a player."""
    check_script("""
        alice: !play Viktor
            alice: plays Viktor; id 1
        sam* in private: track fear 2 hidden in #FU_Dice as Viktor
            (sam) Viktor: fear 2, hidden
        alice: !play off
            alice: no longer Viktor; id 4
        alice: !track doom 1
            alice: doom 1; id 5
        alice: !character Viktor rename Victor
            alice: Viktor is called Victor from now on; id 6
        alice: !undo
            alice: doom is no longer tracked; id a
    """)


def test_led_16_what_takes_a_hidden_change_back_is_judged_again():
    """LED-16, DSK-03: it has no line, as what follows from a command."""
    table = Table()
    for text in ("track channel fear 2/6 hidden", "fear +1", "undo", "undo"):
        table.say("sam", f"{text} in #FU_Dice", star=True, where="private")
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * 4

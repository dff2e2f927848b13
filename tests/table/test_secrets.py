"""Secrets at the table: difficulties that nobody reads, rolls that nobody sees, and what `reveal` tells of them."""

import re
from dataclasses import replace

import pytest
from playing import CHANNEL, Table, check_script

import grammars
from grammars.secrets import Difficulty, Reveal, Secret
from ircdice.bot import There
from ircdice.dice import RecordingDice, ScriptedDice, Stamp
from ircdice.evaluation import Evaluator
from ircdice.ledger import Sealed
from ircdice.ledger.record import sealed_hash
from ircdice.replay import Replay


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("difficulty 9 for bob in #FU_Dice", Difficulty(9, "bob", "#FU_Dice")),
        ("Difficulty: dc9 in #FU_Dice for @bob.", Difficulty(9, "bob", "#FU_Dice")),
        ("difficulty 12 for [b]ob in &local", Difficulty(12, "[b]ob", "&local")),
        ("difficulty 9 for bob", Difficulty(9, "bob")),
        ("difficulty for bob", Difficulty(None, "bob")),
        ("difficulty", Difficulty()),
        ("secret roll 5d10 h2 in #FU_Dice", Secret("roll 5d10 h2", "#FU_Dice")),
        ("secret toss 3 2 # in #a hurry in #FU_Dice", Secret("toss 3 2 # in #a hurry", "#FU_Dice")),
        ("secret roll 5d10", Secret("roll 5d10")),
        ("reveal #4D", Reveal("4d")),
        ("reveal #4d-27b5pk in #FU_Dice", Reveal("4d-27b5pk", "#FU_Dice")),
    ],
)
def test_dsk_07_what_is_said(text, node):
    """DSK-07, FW-10: the three commands; what is left out is asked for by the bot."""
    assert grammars.parse(text, called=True) == node
    assert grammars.parse(str(node), called=True) == node
    assert "9" not in repr(node) or "27b5pk" in repr(node)


@pytest.mark.parametrize("text", ["difficulty 9 for bob in #x", "secret roll 5d10 in #x", "reveal", "reveal the plan"])
def test_gen_13_words_of_talk(text):
    """GEN-13: uncalled they are talk."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text)


@pytest.mark.parametrize("text", ["difficulty 0 for bob", "difficulty 1001 for bob", "difficulty 3 4 for bob"])
def test_dsk_07_no_difficulty(text):
    """DSK-07: a number that no game could use is objected to."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(text, called=True)


def test_dsk_07_a_secret_roll():
    """DSK-07: the channel learns that there is one, and what it was when it is revealed."""
    check_script(
        """
        sam* in private: secret roll 5d10 h2 dc2 # who hides in #FU_Dice | 9 4 3 8 2
            sam: the storyteller rolls in secret; id 1
            (sam) for you alone, #1: sam: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10 h2 dc2 "who
                hides"; "reveal #1" in #FU_Dice shows it
        sam*: wp #1
            (sam) Not rolled: there is no roll #1 here that could be changed.
        sam*: discard #1
            (sam) Roll #1 was made in secret, and cannot be discarded.
        sam*: reveal #1
            sam: #1 is revealed; sam: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10 h2 dc2 "who hides";
                sealed "roll 5d10 h2 dc2 # who hides; d10 9 4 3 8 2" salt 0; id 2
        sam* in private: secret roll 2d6+2d{1,3} in #FU_Dice | 3 4 1 3
            sam: the storyteller rolls in secret; id 3
            (sam) for you alone, #3: sam: 11; 2d6 3 4 | 2d{1,3} 1 3; 2d6+2d{1,3}; "reveal #3" in #FU_Dice shows it
        sam* in private: reveal #3 in #FU_Dice
            sam: #3 is revealed; sam: 11; 2d6 3 4 | 2d{1,3} 1 3; 2d6+2d{1,3}; sealed "roll 2d6+2d{1,3}; d6 3 4, d2 1 2"
                salt 0; id 4
        sam* in private: secret roll 5d10 h7 in #FU_Dice
            (sam) Not rolled: hunger is 0 to 5, you wrote h7.
        sam* in private: secret roll 3d10 vs @bob in #FU_Dice
            (sam) Not rolled: a contest with @nick is covered until it is answered: open it in the channel.
        sam* in private: secret wp in #FU_Dice
            (sam) Not rolled: "wp" cannot be made in secret: say it in the open.
        sam* in private: secret sc encounter open Ghost luck 3 in #FU_Dice
            (sam) Not rolled: nothing is rolled by that: say it in the channel.
        sam* in private: secret roll 2d6 in #other | 3 4
            sam: the storyteller rolls in secret; unofficial; id 5
            (sam) for you alone, #5: sam: 7; 2d6 3 4; 2d6; "reveal #5" in #other shows it
        sam*: reveal #5
            (sam) #5 is no secret of this channel: !secrets lists them to a storyteller.
        """
    )


def test_dsk_07_a_secret_of_many_dice_fits():
    """DSK-07, IRC-20: a reveal has 400 bytes as any line; what cannot stand in it is left out, the verdict never."""
    table = Table()
    command = "roll 100d1000"
    table.say("sam", f"secret {command} in {CHANNEL}", (777,) * 100, star=True, where="private")
    (reply,) = table.say("sam", "reveal #1", star=True).replies
    assert reply.text.startswith("sam: #1 is revealed; sam: 77700; ")
    assert len(reply.text.encode()) <= 400


@pytest.mark.parametrize("under", ["difficulty", "secret"])
def test_led_17_more_dice_than_a_line_has_room_for(under):
    """LED-17, LED-24: the salt is posted all the same, and "log" with the id of that line tells every die."""
    table, dice = Table(system="generic" if under == "secret" else "fayrewood"), (333, 777) * 40
    if under == "secret":
        table.say("sam", f"secret roll 80d1000 in {CHANNEL}", dice, star=True, where="private")
    else:
        table.say("sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private")
        table.say("bob", "toss 3 2", (4, 5))
    answer = table.say("sam", "reveal #1", star=True)
    assert re.search(r"[; ] salt [0-9a-f]{32}; id ", answer.replies[0].text)
    told = [reply.text for reply in table.say("dora", f"log #{answer.record.id}").replies]
    assert told[0] == answer.replies[0].text
    faces = " ".join(["d1000", *map(str, dice)] if under == "secret" else ["d8 4 d6 5"])
    assert " ".join(told[1:]).endswith(f"dice in the order drawn: {faces}")


def test_led_24_the_log_has_what_was_revealed():
    """LED-24, DSK-07: withheld from everybody before; then the difficulty, and every die of a secret roll."""
    check_script(
        """
        sam* in private: difficulty 6 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        sam* in private: secret toss 3 2 in #FU_Dice | 4 5
            sam: the storyteller rolls in secret; id 2
            (sam) for you alone, #2: sam: Total 9; 4 5; d8 d6; "reveal #2" in #FU_Dice shows it
        sam*: reveal #1
            sam: #1 is revealed, difficulty 6 for bob, which nobody rolled under; salt 0; id 3
        sam*: reveal #2
            sam: #2 is revealed; sam: Total 9; 4 5; d8 d6; sealed "toss 3 2; d8 4, d6 5" salt 0; id 4
        bob: log #1
            (bob) difficulty 6 for bob; id 1
            (bob) Rolled in #fu_dice on net, 14 Nov 2023, 22:13 UTC; no die was drawn.
        bob: log #2
            (bob) sam: the storyteller rolls in secret; id 2
            (bob) Rolled in #fu_dice on net, 14 Nov 2023, 22:13 UTC; dice in the order drawn: d8 4 d6 5
        """,
        system="fayrewood",
    )


def test_led_17_what_is_revealed_is_what_was_sealed():
    """LED-17: the text and the salt that are posted are those whose hash stands in the seal's leaf."""
    table = Table(system="fayrewood")
    table.say("sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private")
    table.say("sam", f"secret toss 3 in {CHANNEL}", (5,), star=True, where="private")
    for number, text in enumerate(("9", "toss 3; d8 5"), 1):
        (reply,) = table.say("sam", f"reveal #{number}", star=True).replies
        salt = bytes.fromhex(re.search(r"salt ([0-9a-f]{32})\b", reply.text)[1])
        assert sealed_hash(table.records[number - 1].draft.sealed) == sealed_hash(Sealed(text, salt))
    assert [(r.draft.kind, r.draft.ref) for r in table.records] == [
        ("seal", 0),
        ("seal", 0),
        ("reveal", 1),
        ("reveal", 2),
    ]
    assert table.records[0].draft.text == "difficulty for bob"
    assert table.records[0].draft.channel == "#fu_dice"


class Stamped(Table):
    """Dice of a stream in the channel, and of the system's chance in private, as the ledger's own are."""

    def begin(self, network, place):
        self.dice.stamp_of = Stamp() if place.startswith("@") else Stamp(3, 14)
        return _Source(self.dice, self.dice.stamp_of)


class _Source(RecordingDice):
    def __init__(self, source, stamp):
        super().__init__(source)
        self._stamp = stamp

    @property
    def stamp(self):
        return self._stamp


def test_led_14_a_secret_roll_is_the_systems_chance():
    """LED-14: a published seed must not uncover it; a roll under a secret difficulty is the channel's as any."""
    table = Stamped(system="fayrewood")
    table.say("sam", f"secret toss 3 in {CHANNEL}", (5,), star=True, where="private")
    table.say("sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private")
    table.say("bob", "toss 3", (5,))
    drafts = [record.draft for record in table.records]
    assert [draft.stamp for draft in drafts] == [Stamp(), Stamp(), Stamp(3, 14)]
    assert [draft.draws for draft in drafts] == [(), (), ((8, 5),)]
    assert drafts[2].ref == 2


def test_irc_14_rights_are_those_of_the_channel_named():
    """IRC-14, DSK-07: in private a storyteller is one of the channel that is named, and the bot is in it."""
    table = Table(system="fayrewood")
    known = {CHANNEL: There(CHANNEL, True), "#other": There("#other", False)}
    for channel, said in (
        (CHANNEL, "a secret difficulty waits"),
        ("#other", "Only a storyteller of #other"),
        ("#none", "You and I are not both in #none."),
    ):
        text = f"difficulty 9 for bob in {channel}"
        answer = table.say("sam", text, where="private", there=known.get)
        assert said in answer.replies[0].text
        assert answer.replies[0].target == "sam"
    assert len(table.records) == 1


def test_eval_has_one_channel_to_a_table():
    """cli.md: `storyteller` counts in private too; whatever a channel is called there, it is the table's."""
    evaluator = Evaluator()
    given = {"table": "t", "system": "fayrewood"}
    sam = given | {"who": "sam", "storyteller": True, "private": True}
    try:
        answers = [
            evaluator.evaluate(sam | {"text": "difficulty 9 for bob in #FU_Dice"}),
            evaluator.evaluate(given | {"who": "bob", "text": "toss 3 2 boon", "dice": [4, 5, 3]}),
            evaluator.evaluate(sam | {"text": "secret toss 3 in #FU_Dice", "dice": [5]}),
            evaluator.evaluate(sam | {"text": "reveal #2 in #FU_Dice"}),
        ]
    finally:
        evaluator.close()
    assert (answers[1]["labels"], answers[1]["values"]) == (["win"], {"total": 12})
    assert (answers[2]["dice"], answers[2]["values"], answers[2]["kind"]) == ([], {}, "roll")
    assert answers[2]["reply"].startswith("sam: the storyteller rolls in secret; id 3-")
    assert answers[3]["values"] == {"total": 12, "difficulty": 9, "margin": 3}


def test_scripted_dice_must_fit_a_secret_roll():
    """GEN-07: a throw that its dice do not fit is none, and leaves no record."""
    table = Table(system="fayrewood")
    table.dice = RecordingDice(ScriptedDice((5, 6)))
    answer = table.say("sam", f"secret toss 9 in {CHANNEL}", star=True, where="private")
    assert answer.error is not None
    assert table.records == []


REVEALED = {
    "fayrewood": ("bob: toss 3 2 boon # the lock | 4 5 3", "bob: !discard"),
    "v5": ("bob: roll 7d10 | 10 10 3 1 7 1 8", "bob: hunger 2", "bob: wp 1 | 7"),
    "strike_cinder": ("sam*: sc encounter open Encounter luck 9", "bob: sc strike 5 vs Encounter | 4 4 4 4 1"),
}


@pytest.mark.parametrize("system", REVEALED)
def test_led_16_secrets_are_judged_again(system):
    """LED-16, FW-10: rolls under a secret difficulty, what followed them and each reveal come to the same lines."""
    table = Table(system=system)
    for line in (
        "sam* in private: difficulty 4 for bob in #FU_Dice",
        *REVEALED[system],
        "sam* in private: secret roll 2d6 in #FU_Dice | 3 4",
        "sam*: reveal #1",
        "sam* in private: reveal #last in #FU_Dice",
    ):
        assert table.heard(line)
    assert [r.draft.kind for r in table.records][-2:] == ["reveal", "reveal"]
    replay = Replay()
    assert [fault for record in table.records if (fault := replay.fault(record))] == []
    replay = Replay()
    other = replace(table.records[0], draft=replace(table.records[0].draft, sealed=Sealed("777", b"\0" * 16)))
    assert [fault for record in (other, *table.records[1:]) if (fault := replay.fault(record))]


@pytest.mark.parametrize(
    "damaged",
    [
        lambda draft: replace(draft, sealed=None),
        lambda draft: replace(draft, sealed=Sealed("many", b"\0" * 16)),
        lambda draft: replace(draft, sealed=Sealed("off", b"\0" * 16)),
        lambda draft: replace(draft, text="difficulty"),
        lambda draft: replace(draft, text="secret"),
        lambda draft: replace(draft, kind="reveal"),
    ],
)
def test_a_damaged_seal_stops_no_play(damaged, caplog):
    """LED-17, FW-10: a roll whose difficulty is lost is left out and logged; the channel plays on."""
    table = Table(system="fayrewood")
    table.say("sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private")
    table.say("bob", "toss 3 2", (4, 5))
    record = table.ledger.records[0]
    table.ledger.records[0] = replace(record, draft=damaged(record.draft))
    table.restart()
    assert "Total 5" in table.say("bob", "toss 3", (5,)).replies[0].text
    assert "is ignored" in caplog.text
    for ref in ("1", "2", "last"):
        (reply,) = table.say("sam", f"reveal #{ref}", star=True).replies
        assert reply.private


def test_dsk_07_a_storyteller_rolls_in_secret_for_a_character():
    """DSK-07, DSK-01: with `as NAME`; who it was is covered as the dice are."""
    check_script("""
        sam*: !npc Thug
            sam: Thug is a character of this channel; id 1
        sam* in private: secret roll 1d10 h1 as Thug in #FU_Dice | 2
            sam: the storyteller rolls in secret; id 2
            (sam) for you alone, #2: Thug (sam): Failure, 0 successes; hunger 2; 1d10 h1; "reveal #2" in #FU_Dice
                shows it
        sam*: reveal #2
            sam: #2 is revealed; Thug (sam): Failure, 0 successes; hunger 2; 1d10 h1;
                sealed "roll 1d10 h1 as Thug; d10 2" salt 0; id 3
        sam* in private: secret roll 1d10 h1 in #FU_Dice as Thug # ambush | 2
            sam: the storyteller rolls in secret; id 4
            (sam) for you alone, #4: Thug (sam): Failure, 0 successes; hunger 2; 1d10 h1 "ambush"; "reveal #4" in
                #FU_Dice shows it
        sam* in private: secret roll 1d10 h1 in #FU_Dice for the ambush | 2
            sam: the storyteller rolls in secret; id 5
            (sam) for you alone, #5: sam: Failure, 0 successes; hunger 2; 1d10 h1 "the ambush"; "reveal #5" in #FU_Dice
                shows it
        sam* in private: secret roll 1d10 h1 as carl in #FU_Dice
            (sam) Not rolled: carl is no character here: !npc NAME makes one.
    """)


@pytest.mark.parametrize("comment", ["# good as gold", "acting as planned", "# as Viktor", "# as planned"])
def test_gen_03_as_in_the_comment_of_a_secret_roll_names_nobody(comment):
    """GEN-03, DSK-01: neither a word nor a known character is read as the roller, then or when it is revealed."""
    said = comment.removeprefix("# ")
    check_script(f"""
        sam*: !npc Viktor
            sam: Viktor is a character of this channel; id 1
        sam* in private: secret roll 1d10 h1 {comment} in #FU_Dice | 2
            sam: the storyteller rolls in secret; id 2
            (sam) for you alone, #2: sam: Failure, 0 successes; hunger 2; 1d10 h1 "{said}"; "reveal #2" in #FU_Dice
                shows it
        sam*: reveal #last
            sam: #2 is revealed; sam: Failure, 0 successes; hunger 2; 1d10 h1 "{said}";
                sealed "roll 1d10 h1 {comment}; d10 2" salt 0; id 3
    """)


def test_dsk_01_a_secret_roll_as_a_nick_is_that_of_whom_it_plays():
    """DSK-01, DSK-07"""
    check_script("""
        bob: !play Beckett
            bob: plays Beckett; id 1
        sam* in private: secret roll 3d10 h1 as bob in #FU_Dice | 1 2 3
            sam: the storyteller rolls in secret; id 3
            (sam) for you alone, #3: Beckett (sam): Botch, 0 successes; 1 2, hunger 3; 3d10 h1; "reveal #3" in #FU_Dice
                shows it
    """)


def test_gen_11_a_hint_on_a_blind_roll_can_be_typed():
    """GEN-11: as it is shown; where nothing like it rolls there is none."""
    check_script("""
        alice: !blind rol 5d10
            (alice) Not rolled: "rol" is unknown. Did you mean: !blind roll 5d10
        alice: !blind foo
            (alice) Not rolled: "foo" is not a command I know.
    """)


def test_gen_04_no_roll_in_private_is_taken_for_one_of_a_channel():
    """GEN-04: a channel after a roll is no comment there, and a macro rolls in no channel from private."""
    check_script("""
        alice: !macro punch = roll 2d10 h1
            alice: macro punch is "roll 2d10 h1"; id 1
        alice in private: roll 2d10 h1 in #FU_Dice
            (alice) Not rolled: in private nothing is rolled for #FU_Dice: roll there, or as a storyteller with secret
                in front.
        alice in private: punch in #FU_Dice
            (alice) Not rolled: in private nothing is rolled for #FU_Dice: roll there, or as a storyteller with secret
                in front.
        alice in private: pnch in #FU_Dice
            (alice) "pnch in #FU_Dice" is not a command I know. Did you mean: help
        alice: roll 2d10 h1 in #FU_Dice | 7 3
            alice: 1 success; 7, hunger 3; 2d10 h1 "in #FU_Dice"; id 2
    """)


@pytest.mark.parametrize(
    "said",
    ["scene Dock", "scene", "init +3", "init", "npc Thug", "contests", "characters", "hunger 3", "close #1", "stats"],
)
def test_gen_11_what_is_said_in_its_channel_only(said):
    """GEN-11: an example would fail in private, with a channel or without."""
    (reply,) = Table().say("sam", f"{said} in #eval", star=True, where="private").replies
    assert reply.text.endswith("hat is typed in #eval itself, not in private.")


def test_gen_11_a_hint_in_private_keeps_its_channel():
    """GEN-11: as what was typed, so that it works."""
    (reply,) = Table().say("sam", "secret roll 5d10 dificulty 3 in #eval", star=True, where="private").replies
    assert reply.text.endswith("Did you mean: secret roll 5d10 dc3 in #eval")

"""Secrets at the table: difficulties that nobody reads, rolls that nobody sees, and what `reveal` tells of them."""

import re
from dataclasses import replace

import pytest
from playing import CHANNEL, Table, true

import grammars
from grammars.sealed import Difficulty, Reveal, Secret
from ircdice.bot import There
from ircdice.dice import RecordingDice, ScriptedDice, Stamp
from ircdice.evaluation import Evaluator
from ircdice.ledger import Sealed
from ircdice.ledger.sealing import sealed_hash
from ircdice.replay import Replay

SET = "sam* in private: difficulty"


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


def test_fw_10_a_toss_under_a_secret_difficulty():
    """FW-10: total and win or fail, a dcN is an error, it is used once, and told in full at last."""
    true(
        """
        sam* in private: difficulty 6 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        alice: toss 3 | 5
            alice: Total 5; 5; d8; id 2
        bob: toss 3 2 dc4
            (bob) Not rolled: a secret difficulty is set for your next roll here: leave dc4 out.
        bob: sweep 3 2 dc4
            (bob) Not rolled: a secret difficulty is set for your next roll here: leave dc4 out.
        bob: toss 3 2 vs d4 | 4 2 3
            bob vs other: bob wins, critical, 6 to 3, margin +3; bob 4 2; other 3; d8 d6 vs d4; id 3
        BOB: toss 4 5 boon # the lock | 4 9 3
            BOB: Win; 16 from 4 9, boon 3; difficulty secret; d10 d12 boon "the lock"; id 4
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 5
        bob: reveal #4
            (bob) Not rolled: only a storyteller reveals a secret.
        sam*: reveal #4
            sam: #1 is revealed, difficulty 6 for bob; BOB: Win, critical, 16 vs 6 Straightforward, margin +10;
                4 9, boon 3; d10 d12 boon dc6 "the lock"; salt 0; id 6
        sam*: reveal #1
            (sam) Not rolled: #1 is revealed already.
        """,
        system="fayrewood",
    )


def test_dsk_07_what_is_missing_and_who_may():
    """DSK-07, FW-10: nothing is guessed; said where all can read it, it is not set; only storytellers."""
    true(
        """
        sam* in private: difficulty 6 for bob
            (sam) Not rolled: say in which channel: difficulty NUMBER for NICK in #CHANNEL.
        sam* in private: difficulty in #FU_Dice
            (sam) Not rolled: say the number and for whom: difficulty NUMBER for NICK in #CHANNEL.
        sam* in private: secret roll 5d10
            (sam) Not rolled: say in which channel: secret COMMAND in #CHANNEL.
        sam* in private: secret in #FU_Dice
            (sam) Not rolled: say what to roll: secret COMMAND in #CHANNEL.
        sam*: difficulty 6 for bob
            (sam) Not set: all here could read that difficulty: say another one to me in private.
        sam*: FUDice: difficulty 6 for bob in #FU_Dice
            (sam) Not set: all here could read that difficulty: say another one to me in private.
        sam*: difficulty, I think it's 18
        bob: difficulty 6 for bob
        bob: !difficulty 6 for bob
            (bob) Not rolled: only a storyteller sets a secret difficulty, and in private.
        bob in private: difficulty 6 for bob in #FU_Dice
            (bob) Not rolled: only a storyteller of #FU_Dice sets a secret difficulty there.
        bob in private: secret toss 3 in #FU_Dice
            (bob) Not rolled: only a storyteller of #FU_Dice rolls in secret there.
        sam*: !secret toss 3 in #FU_Dice
            (sam) Not rolled: a secret roll is said to me in private: nothing was rolled.
        sam* in private: reveal #1
            (sam) Not rolled: a secret is revealed in its channel, or in private as reveal #ID in #CHANNEL.
        sam*: reveal #1
            (sam) Not rolled: #1 is no secret of this channel.
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 1
        """,
        system="fayrewood",
    )


def test_dsk_07_the_latest_counts():
    """DSK-07: a second difficulty takes the place of the first; one that is revealed before it is used is gone."""
    true(
        """
        sam* in private: difficulty 2 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        sam* in private: difficulty 8 for Bob in #FU_Dice
            (sam) a secret difficulty waits for Bob in #FU_Dice in the place of #1; "reveal #2" there tells it; id 2
        bob: toss 3 | 5
            bob: Fail; 5 from 5; difficulty secret; d8; id 3
        sam* in private: reveal #1 in #FU_Dice
            sam: #1 is revealed, difficulty 2 for bob, which nobody rolled under; salt 0; id 4
        sam* in private: difficulty 8 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #5" there tells it; id 5
        sam*: reveal #5
            sam: #5 is revealed, difficulty 8 for bob, which nobody rolled under; salt 0; id 6
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 7
        """,
        system="fayrewood",
    )


def test_dsk_07_the_latest_roll_is_no_difficulty_that_waits():
    """DSK-07, GEN-09: `reveal #last` is the latest roll's secret; a difficulty that nobody has met keeps waiting."""
    true(
        """
        sam*: reveal #last
            (sam) Not rolled: the latest roll here has no secret: name the one that you mean, as reveal #4d.
        sam* in private: difficulty 9 for carol in #FU_Dice
            (sam) a secret difficulty waits for carol in #FU_Dice; "reveal #1" there tells it; id 1
        bob: toss 3 | 5
            bob: Total 5; 5; d8; id 2
        sam*: reveal #last
            (sam) Not rolled: the latest roll here, #2, has no secret: name the one that you mean, as reveal #4d.
        sam* in private: secret toss 3 in #FU_Dice | 4
            sam: the storyteller rolls in secret; id 3
            (sam) rolled and covered: "reveal #3" in #FU_Dice shows it.
        sam*: reveal #last
            sam: #3 is revealed; sam: Total 4; 4; d8; sealed "toss 3; d8 4" salt 0; id 4
        carol: toss 3 | 5
            carol: Fail; 5 from 5; difficulty secret; d8; id 5
        sam*: reveal #last
            sam: #1 is revealed, difficulty 9 for carol; carol: Fail, 5 vs 9 Challenging, margin -4; 5; d8 dc9; salt 0;
                id 6
        """,
        system="fayrewood",
    )


def absent(_channel, nick):
    """A channel in which only alice and bob are."""
    return nick.lower() not in {"alice", "bob"}


def test_dsk_07_a_nick_that_nobody_bears():
    """DSK-07: a difficulty for a nick that is not there waits, and the storyteller hears of it; the bot meets none."""
    table = Table(system="fayrewood")
    said = {"star": True, "where": "private", "absent": absent, "there": lambda name: There(name, True)}
    (told,) = table.say("sam", "difficulty 9 for bbo in #FU_Dice", **said).replies
    assert "; nobody called bbo is in #FU_Dice now; id 1" in told.text
    for nick in ("bob", "carol@relay"):
        (told,) = table.say("sam", f"difficulty 9 for {nick} in #FU_Dice", **said).replies
        assert "nobody called" not in told.text
    refused = table.say("sam", "difficulty 9 for fudice in #FU_Dice", **said)
    assert "my own nick" in refused.replies[0].text


def test_dsk_07_v5():
    """DSK-07: V5's Difficulty the same; Willpower's odds and verdict tell nothing that would leave one number alone."""
    true(
        """
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        bob: autowin 6 dc3 h1
            (bob) Not rolled: a secret difficulty is set for your next roll here: leave dc3 out.
        bob: rouse | 9
            bob: Hunger does not rise; rouse 9; id 2
        bob: roll 5d10 | 9 8 3 1 2
            bob: Failure, 2 successes; 9 8 3 1 2, hunger not said; difficulty secret; 5d10; id 3
        bob: hunger 2
            bob: Bestial failure, 2 successes; 9 8 3, hunger 1 2; difficulty secret; hunger 2 on 3; id 4
        bob: odds wp 1
            odds wp 1: bestial failure if failed 100.0%; successes on average 2.5: 2 50.0, 3 50.0
        bob: wp 1 | 7
            bob: 3 successes; costs 1 superficial Willpower; 9 8 7, hunger 1 2, rerolled 3 as 7, whether it
                passes is told on reveal; difficulty secret; wp 1 on 4; id 5
        sam*: reveal #3
            sam: #1 is revealed, difficulty 3 for bob; bob: Success, 3 successes vs 3, margin 0; costs 1
                superficial Willpower; 9 8 7, hunger 1 2, rerolled 3 as 7; 5d10 h2 dc3; salt 0; id 6
        sam* in private: difficulty 3 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #7" there tells it; id 7
        bob: roll 5d10 h2 | 10 10 3 10 10
            bob: Success, 8 successes; 10 10 3, hunger 10 10; difficulty secret; 5d10 h2; id 8
        sam*: reveal #7
            sam: #7 is revealed, difficulty 3 for bob; bob: Messy critical, 8 successes vs 3, margin +5; 10 10
                3, hunger 10 10; 5d10 h2 dc3; salt 0; id 9
        bob: wp | 7
            bob: Messy critical, 9 successes vs 3, margin +6; costs 1 superficial Willpower; 10 10 7, hunger 10
                10, rerolled 3 as 7; wp on 8; id a
        """
    )


def test_dsk_07_strike_and_cinder():
    """DSK-07: Strike & Cinder's DC the same, attacks and the encounter's tracking among it; salt bypasses any."""
    true(
        """
        sam* in private: difficulty 4 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        bob: sc strike 3 vs spirit salt | 1 2 4
            bob: Hit, Failure, 1 pass, DC bypassed, drains 1 Luck; 1 2 4; strike 3 vs spirit salt; id 2
        bob: sc strike 4 | 4 4 4 1
            bob: Failure, 3 passes; 4 4 4 1; difficulty secret; strike 4; id 3
        sam*: sc encounter open Encounter luck 6
            sam: the encounter opens, Encounter Luck 6/6; id 4
        bob: sc strike 5 vs Encounter
            (bob) Not rolled: Encounter has no Defense DC: say it, as dc3. Did you mean: sc strike 5 vs Encounter dc3
        sam* in private: difficulty 4 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #5" there tells it; id 5
        bob: sc strike 5 vs Encounter | 4 4 4 4 1
            bob: Hit, Complete Success, 4 passes, drains 1 Luck, Encounter Luck 5/6; 4 4 4 4 1; difficulty
                secret; strike 5 vs Encounter; id 6
        bob: sc tracking
            (bob) [note]bob [strike] hit, 4 passes vs. a secret DC[/note]
            (bob) [footnote]Encounter [luck] 5/6[/footnote]
        sam*: reveal #6
            sam: #5 is revealed, difficulty 4 for bob; bob: Hit, Complete Success, 4 passes vs DC 4, drains 1
                Luck, Encounter Luck 5/6; 4 4 4 4 1; strike 5 vs Encounter dc4; salt 0; id 7
        bob: sc tracking
            (bob) [note]bob [strike] hit, 4 passes vs. DC4[/note]
            (bob) [footnote]Encounter [luck] 5/6[/footnote]
        """,
        system="strike_cinder",
    )


def test_dsk_07_a_secret_roll():
    """DSK-07: the channel learns that there is one, and what it was when it is revealed."""
    true(
        """
        sam* in private: secret roll 5d10 h2 dc2 # who hides in #FU_Dice | 9 4 3 8 2
            sam: the storyteller rolls in secret; id 1
            (sam) rolled and covered: "reveal #1" in #FU_Dice shows it.
        sam*: wp #1
            (sam) Not rolled: there is no roll #1 here that could be changed.
        sam*: discard #1
            (sam) Not rolled: there is no roll #1 here to discard.
        sam*: reveal #1
            sam: #1 is revealed; sam: Success, 2 successes vs 2, margin 0; 9 4 3, hunger 8 2; 5d10 h2 dc2 "who
                hides"; sealed "roll 5d10 h2 dc2 # who hides; d10 9 4 3 8 2" salt 0; id 2
        sam* in private: secret roll 2d6+2d{1,3} in #FU_Dice | 3 4 1 3
            sam: the storyteller rolls in secret; id 3
            (sam) rolled and covered: "reveal #3" in #FU_Dice shows it.
        sam* in private: reveal #3 in #FU_Dice
            sam: #3 is revealed; sam: 11; 2d6 3 4 | 2d{1,3} 1 3; 2d6+2d{1,3}; sealed "roll 2d6+2d{1,3}; d6 3 4,
                d2 1 2" salt 0; id 4
        sam* in private: secret roll 5d10 h7 in #FU_Dice
            (sam) Not rolled: hunger is 0 to 5, you wrote h7.
        sam* in private: secret roll 3d10 vs @bob in #FU_Dice
            (sam) Not rolled: a contest with @nick is covered until it is answered: open it in the channel.
        sam* in private: secret wp in #FU_Dice
            (sam) Not rolled: "wp" is no roll of your own: only those are made in secret.
        sam* in private: secret sc encounter open Ghost luck 3 in #FU_Dice
            (sam) Not rolled: nothing is rolled by that: say it in the channel.
        sam* in private: secret roll 2d6 in #other | 3 4
            sam: the storyteller rolls in secret; unofficial; id 5
            (sam) rolled and covered: "reveal #5" in #other shows it.
        sam*: reveal #5
            (sam) Not rolled: #5 is no secret of this channel.
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


def test_led_24_the_log_has_what_was_revealed():
    """LED-24, DSK-07: withheld from everybody before; then the difficulty, and every die of a secret roll."""
    true(
        """
        sam* in private: difficulty 6 for bob in #FU_Dice
            (sam) a secret difficulty waits for bob in #FU_Dice; "reveal #1" there tells it; id 1
        sam* in private: secret toss 3 2 in #FU_Dice | 4 5
            sam: the storyteller rolls in secret; id 2
            (sam) rolled and covered: "reveal #2" in #FU_Dice shows it.
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
        ("#other", "only a storyteller of #other"),
        ("#none", "I am not in #none."),
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
    record = table.ledger._records[0]
    table.ledger._records[0] = replace(record, draft=damaged(record.draft))
    table.restart()
    assert "Total 5" in table.say("bob", "toss 3", (5,)).replies[0].text
    assert "is left out" in caplog.text
    for ref in ("1", "2", "last"):
        (reply,) = table.say("sam", f"reveal #{ref}", star=True).replies
        assert reply.private


@pytest.mark.parametrize("system", ["v5", "fayrewood", "strike_cinder", "crossroads", "beat_eight"])
def test_dsk_07_where_no_roll_meets_it(system):
    """DSK-07: a difficulty in a channel of another game waits for one that has them, and the storyteller is told so."""
    told = Table(system=system).say("sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private")
    said = f"rolls of {system}, which is played there, meet none" in told.replies[0].text
    assert said == (system in {"crossroads", "beat_eight"})


def test_gen_06_a_contest_with_nobody():
    """GEN-06: it waits all the same, and only who opened it is told that nobody of that name is there."""
    table = Table()
    opened, told = table.say("alice", "roll 2d10 h1 vs @carrol", (3, 4), absent=absent).replies
    assert opened.target == CHANNEL
    assert (told.target, told.private) == ("alice", True)
    assert told.text == f'nobody called carrol is in {CHANNEL} now: the contest waits; "withdraw #1" takes it back.'
    for nick in ("bob", "carol@relay"):
        assert len(table.say("alice", f"roll 2d10 h1 vs @{nick}", (3, 4), absent=absent).replies) == 1


def test_sc_21_discarded_is_what_counted():
    """SC-21: the line names the id that stood last, not the one that the roll had at first."""
    true(
        """
        alice: roll 3d10 | 3 6 7
            alice: 2 successes; 3 6 7, hunger not said; 3d10; id 1
        alice: hunger 2
            alice: 2 successes; 3, hunger 6 7; hunger 2 on 1; id 2
        alice: discard #1
            alice: #2 is discarded: it does not count and is not listed; id 3
        alice: discard #2
            (alice) Not rolled: #2 is discarded already.
        """
    )

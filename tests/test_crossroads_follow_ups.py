"""Crossroads: what follows a roll, and what the table remembers: keep, reroll, contests with a nick, turns, groups."""

import asyncio
import re

import pytest

from grammars.crossroads import Roll
from ircdice.bot import Bot, Message, OwnChance
from ircdice.dice import RecordingDice, ScriptedDice
from ircdice.ledger import MemoryLedger
from ircdice.ledger.ids import base32
from ircdice.outcome import Outcome
from ircdice.rules.crossroads.memory import Gift, Group, Memory, remember
from ircdice.settings import ChannelSettings, HouseRules
from ircdice.system import Said
from ircdice.table import Table

CHANNEL = "#table"


class Room(OwnChance):
    """One channel with a clock that stands still; `say` answers with what became of a line."""

    def __init__(self):
        self.ledger = MemoryLedger(lambda: 1_700_000_000_000)
        self.house = HouseRules()
        self.bot = Bot(self.ledger, self, self, lambda: 1_700_000_000_000)

    def channel(self, _network, _channel, _casemapping=""):
        return ChannelSettings(official=True, system="crossroads", house=self.house)

    def begin(self, _network, _place):
        return self.dice

    def say(self, nick, text, *faces, storyteller=False):
        self.dice = RecordingDice(ScriptedDice(faces))
        answer = asyncio.run(self.bot.answer(Message("net", CHANNEL, nick, text, storyteller=storyteller)))
        if answer.error is not None:
            assert self.dice.draws == ()
        elif answer.replies:
            self.dice.finish()
        return answer

    def line(self, nick, text, *faces, **more):
        """The reply to it, less its id."""
        return re.sub(r"; id .*", "", self.say(nick, text, *faces, **more).replies[0].text)

    def refusal(self, nick, text, **more):
        answer = self.say(nick, text, **more)
        assert answer.error is not None, answer.replies
        return str(answer.error)

    def rebuilt(self):
        """The table as a restarted bot would have it."""
        table = Table(self.channel("net", CHANNEL), "rfc1459")
        for record in asyncio.run(self.ledger.of_channel("net", CHANNEL)):
            table.apply(record)
        return table


@pytest.fixture
def room():
    """A room whose table, rebuilt from its records, must be what the bot has (GEN-09)."""
    room = Room()
    yield room
    (place,) = room.bot._places._places.values()
    again = room.rebuilt()
    assert again._memories == place.table._memories
    for chain in place.table.chains():
        assert again.standing(again.find(base32(chain.root.seq))) == place.table.standing(chain)


def test_keep_keeps_other_dice_and_judges_anew(room):
    """XR-05: positions over all dice in drawn order, removed ones too; the triple that comes of it counts."""
    assert room.line("alice", "xr 3d6 a2", 6, 2, 2, 5, 2) == (
        "alice: Success, value 1; total 13 from 6 2 5, dropped 2 2; 3d6 a2"
    )
    assert room.line("alice", "xr keep 2 3 5") == (
        "alice: Partial Success or Compensating Failure, player chooses, result 0, value 0; Balanced Portents; "
        "total 6 from 2 2 2, dropped 6 5; xr keep 2 3 5 on 1"
    )
    assert room.refusal("alice", "xr keep 1 2 3") == "other dice were kept of that roll already: once a roll."


def test_keep_takes_the_bonus_along(room):
    """XR-05, XR-06: the roll is judged anew with its Bonus; damage rolls are kept from too, as many dice as stay."""
    room.say("alice", "xr 2d6 a1 b2 av1", 1, 5, 6)
    answer = room.say("alice", "xr keep 1 2")
    assert (answer.outcome.values, answer.kind) == ({"total": 8, "damage": 7}, "reroll")
    assert [die.kept for die in answer.outcome.dice] == [True, True, False]
    assert answer.record.draft.kind == "keep"


def test_a_change_spent_twice_is_told_of_the_roll_it_was_spent_on(room):
    """XR-13, GEN-09: a second reroll is answered for the roll that was changed just now, not for a later one."""
    room.say("alice", "xr 3d6", 6, 4, 4)
    room.say("alice", "xr 3d6", 6, 5, 2)
    room.say("alice", "xr reroll 1", 3)
    assert room.refusal("alice", "xr reroll 2") == "the Change of that roll is spent already: one die, once."


@pytest.mark.parametrize(
    ("roll", "faces", "keep", "sentence"),
    [
        ("xr 3d6 d1", (1, 2, 3, 4), "xr keep 1 2 3", "dice are chosen after an Advantage roll alone, and that roll ha"),
        (
            "xr 3d6",
            (1, 2, 3),
            "xr keep 1 2 3",
            "dice are chosen after an Advantage roll alone, and that roll has no Ad",
        ),
        ("xr 3d6 a1 d1", (1, 2, 3), "xr keep 1 2 3", "dice are chosen after an Advantage roll alone"),
        ("xr 3d6 a1 convert 1", (1, 2, 3), "xr keep 1 2 3", "dice are chosen after an Advantage roll alone"),
        ("xr 3d6 a1", (1, 2, 3, 4), "xr keep 1 2", "that roll keeps 3 dice, you named 2."),
        ("xr 3d6 a1", (1, 2, 3, 4), "xr keep 1 2 3 4", "that roll keeps 3 dice, you named 4."),
        ("xr 1d6 a1", (1, 2), "xr keep 1 2 ", "that roll keeps 1 dice, you named 2."),
        ("xr 3d6 a1", (1, 2, 3, 4), "xr keep 1 2 5", "that roll has 4 dice, and no die 5."),
        ("xr 3d6 a1 vs @bob", (1, 2, 3, 4), "xr keep 1 2 4", "that roll is covered until @bob has answered."),
        ("xr damage HHL", (), "xr keep 1 2 3", "no dice were rolled there."),
        ("xr group 1 2", (), "xr keep 1 2 3", "no dice were rolled there."),
        ("xr 3d6", (1, 2, 4), "xr reroll 1", "that roll shows no double 2 to 5: there is no Change to reroll by."),
        ("xr 3d6", (1, 1, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6", (6, 6, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6", (4, 4, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6 plain", (4, 4, 1), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 2d6", (4, 4), "xr reroll 1", "that roll shows no double 2 to 5"),
        ("xr 3d6 a1", (1, 4, 4, 5), "xr reroll 1", "die 1 was removed: one of the dice kept is rerolled, 2 3 4."),
        ("xr 3d6", (4, 4, 5), "xr reroll 4", "that roll has 3 dice, and no die 4."),
        ("xr 3d6 vs @bob", (4, 4, 5), "xr reroll 1", "that roll is covered until @bob has answered."),
        ("xr 3d6", (4, 4, 5), "xr reroll 1 fate", "you hold no Change of Fate: a triple 3 or 4 gives one, until the"),
    ],
)
def test_what_cannot_follow_a_roll(room, roll, faces, keep, sentence):
    """XR-05, XR-07, XR-13, XR-17: the reason is said, and nothing is drawn."""
    room.say("alice", roll, *faces)
    assert sentence in room.refusal("alice", keep)


def test_nothing_follows_a_closed_roll(room):
    """V5-25, XR-13: what a storyteller has closed stays as it is, whoever asks."""
    room.say("alice", "xr 3d6", 4, 4, 1)
    room.say("gm", "close #1", storyteller=True)
    for text in ("xr reroll 3", "xr reroll 3 #1"):
        assert room.refusal("alice", text) == "that roll is closed: nothing more is changed about it."


def test_one_die_is_kept_of_two(room):
    """XR-05: a roll of one die keeps one."""
    room.say("alice", "xr 1d6 a1", 5, 2)
    assert room.say("alice", "xr keep 2").outcome.values == {"total": 2}


def test_only_the_roller_keeps(room):
    """XR-05: by the roller alone, a storyteller neither; a Change may be a storyteller's doing."""
    room.say("alice", "xr 3d6 a1", 1, 2, 4, 4)
    assert room.refusal("bob", "xr keep 1 2 3 #1").startswith("that roll is alice's")
    assert room.refusal("gm", "xr keep 1 2 3 #1", storyteller=True) == (
        "only the roller says which dice are the favoured ones."
    )
    assert "rerolled 4 as 6" in room.line("gm", "xr reroll 3 #1", 6, storyteller=True)
    assert room.say("alice", "xr keep 1 2 4").outcome.values["total"] == 7


def test_a_change_rerolls_one_kept_die_once(room):
    """XR-13: neither the old double nor a new one counts; the new face stands where the old one stood."""
    room.say("alice", "xr 3d6 a1", 1, 4, 4, 6)
    answer = room.say("alice", "xr reroll 3", 6)
    assert (answer.outcome.labels, answer.record.draft.kind) == (("great_success",), "reroll")
    assert [(die.face, die.was, die.kept) for die in answer.outcome.dice] == [
        (1, None, False),
        (4, None, True),
        (6, 4, True),
        (6, None, True),
    ]
    assert room.refusal("alice", "xr reroll 3") == "the Change of that roll is spent already: one die, once."


@pytest.mark.parametrize(
    ("text", "faces", "die", "face", "labels", "value"),
    [
        ("xr 3d6", (4, 4, 6), 3, 4, ("success", "change_of_fate"), 1),
        ("xr 3d6", (5, 1, 5), 2, 5, ("success", "fates_blessing"), 1),
        ("xr 3d6", (2, 2, 6), 3, 2, ("partial_success", "balanced_portents"), 0),
        ("xr 3d6", (4, 4, 6), 1, 6, ("great_success",), 2),  # a new double 6 does not count: 16 by the ladder
        ("xr 3d6", (4, 4, 1), 1, 1, ("partial_success",), 0),  # nor does a new double 1
        ("xr 3d6", (4, 4, 6), 3, 6, ("success",), 1),  # the old double stays, and counts no more
        ("xr 3d6 simple", (4, 4, 6), 3, 4, ("success", "fate_die"), 1),  # its Change is spent; the Fate Die is not
        ("xr 3d6 simple", (4, 4, 4), 3, 6, ("success",), 1),
    ],
)
def test_what_a_change_may_come_to(room, text, faces, die, face, labels, value):
    """XR-13, XR-21: a triple made by the new die counts, a double does not."""
    room.say("alice", text, *faces)
    outcome = room.say("alice", f"xr reroll {die}", face).outcome
    assert (outcome.labels, outcome.values["success_value"]) == (labels, value)


def test_keep_then_change(room):
    """XR-05, XR-13: the dice that are kept by choice may show a double, which may be rerolled."""
    room.say("alice", "xr 3d6 a1", 5, 4, 4, 6)
    room.say("alice", "xr keep 2 3 4")
    answer = room.say("alice", "xr reroll 3", 1)
    assert answer.outcome.values["total"] == 11
    assert [die.was for die in answer.outcome.dice] == [None, None, 4, None]


def test_follow_ups_are_found_and_asked_about(room):
    """GEN-08, GEN-09: the latest roll for which it makes sense, and its odds from the faces that stand."""
    room.say("alice", "xr 3d6", 4, 4, 1)
    room.say("alice", "xr 1d6", 5)
    assert room.line("alice", "odds xr reroll 3") == (
        "odds xr reroll 3: Partial Success 33.3%; Success 66.7%; Change of Fate 16.7%; "
        "success value on average 0.7: 0 33.3, 1 66.7"
    )
    assert room.refusal("alice", "odds xr keep 1 2 3").startswith("dice are chosen after an Advantage roll alone")
    assert room.line("alice", "xr reroll 3", 2).endswith("total 10 from 4 4 2, rerolled 1 as 2; xr reroll 3 on 1")


@pytest.mark.parametrize("text", ["xr 3d6 vs 3d6", "xr group 3d6; 3d6"])
def test_odds_of_a_change_in_a_contest_or_group(room, text):
    """GEN-08, XR-09, XR-10: what the Result may come to, from the faces that stand on the other side."""
    room.say("alice", text, 4, 4, 1, 1, 2, 5)
    assert room.line("alice", "odds xr reroll 3") == (
        "odds xr reroll 3: Partial Success 33.3%; Success 66.7%; Change of Fate 16.7%; "
        "result on average 0.7: 0 33.3, 1 66.7"
    )


def test_odds_of_keep_are_certain(room):
    """GEN-08: nothing is drawn by it, so one outcome has all the chance."""
    room.say("alice", "xr 3d6 a1", 6, 4, 1, 6)
    assert room.line("alice", "odds xr keep 2 3 4").startswith("odds xr keep 2 3 4: Success 100.0%")


def test_a_contest_with_a_nick(room):
    """XR-09, GEN-06: covered until the other has answered with a Skill Roll; then each side may follow up."""
    waiting = room.line("alice", "xr 3d6 a1 vs @bob", 4, 4, 3, 2)
    assert waiting == ('alice vs bob: 3d6 a1 is rolled and covered. bob: answer "xr 3d6" or "pass" within 15 min')
    assert room.line("bob", "xr 1d6", 6) == "bob: Total 6; 6; 1d6"  # only Skill Rolls oppose
    assert room.line("bob", "xr 3d6", 5, 5, 2) == (
        "alice vs bob: Partial Success or Compensating Failure, alice chooses, result 0 is 1 less 1; "
        'alice Change, may reroll one: "xr reroll 1", 2 or 3; bob Change, may reroll one: "xr reroll 1", 2 or 3; '
        "alice 11 from 4 4 3, dropped 2; bob 12 from 5 5 2; 3d6 a1 vs 3d6"
    )
    assert room.line("bob", "xr reroll 3", 6).startswith("alice vs bob: Failure, result -1 is 1 less 2; alice Change")
    assert room.line("alice", "xr keep 1 2 4").startswith("alice vs bob: Failure, result -1 is 0 less 2, never")
    assert room.line("alice", "xr reroll 4", 6).startswith("alice vs bob: Failure, result -1 is 1 less 2; alice 14")
    assert "spent already" in room.refusal("bob", "xr reroll 1 #1")


def test_pass_is_no_opposition(room):
    """XR-09, GEN-06: unopposed, by the Success Value; what follows is a roll of one's own."""
    room.say("alice", "xr 3d6 vs @bob", 4, 4, 6)
    assert room.line("bob", "pass") == (
        'alice vs bob: bob does not resist, Success, value 1; Change, may reroll one: "xr reroll 1", 2 or 3; '
        "14 from 4 4 6; 3d6"
    )
    assert room.say("alice", "xr reroll 1", 6).outcome.values == {"total": 16, "success_value": 2}


def test_withdraw_shows_the_dice(room):
    """GEN-06: the acting side's dice are shown."""
    room.say("alice", "xr 3d6 a1 vs @bob", 6, 4, 3, 2)
    assert room.line("alice", "withdraw #1") == (
        "alice vs bob: withdrawn, not answered; alice 6 4 3, dropped 2; 3d6 a1 vs @bob"
    )


def test_both_sides_of_a_line_are_the_rollers(room):
    """XR-05, XR-13: in one line the roller rolled for both sides, and names the other by `as other`."""
    answer = room.line("alice", "xr 3d6 vs 3d6 a1", 6, 4, 3, 4, 4, 1, 2)
    assert 'other Change, may reroll one: "xr reroll 1 as other", 2 or 4' in answer
    assert room.line("alice", "xr keep 2 3 4 as other").startswith("alice vs other: Success, result 1 is 1 less 0;")


def test_a_blessing_lasts_two_ends_of_a_turn(room):
    """XR-18, XR-25: a1 on that player's Skill Rolls, saying so; the second end after the triple ends it."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    assert room.line("bob", "xr fate") == "bob holds Fate's Blessing until the end of the next turn."
    assert room.line("bob", "xr 3d6 n1", 1, 4, 6, 2) == (
        "bob: Success, value 1; Fate's Blessing adds a1; total 11 from 4 6 2, dropped 1; 3d6 a1 n1"
    )
    assert room.line("bob", "xr d1", 1, 4, 6).endswith("Fate's Blessing adds a1; total 11 from 1 4 6; 3d6")
    assert room.line("bob", "xr 1d6", 3) == "bob: Total 3; 3; 1d6"
    assert room.line("alice", "xr 3d6", 1, 4, 6).endswith("total 11 from 1 4 6; 3d6")
    assert room.line("alice", "xr endturn") == "alice: turn ended; endturn"
    assert room.line("bob", "xr endturn") == "bob: turn ended; endturn"
    assert room.line("bob", "odds xr 3d6").startswith("odds xr 3d6 a1, Fate's Blessing adds a1: Failure 2.1%")
    assert room.line("alice", "xr fate bob") == "bob holds Fate's Blessing until the end of the turn."
    assert room.line("bob", "xr convert 1", 1, 4, 6).endswith("total 12 from 1 4 6; 3d6 b1 after convert 1")
    assert room.line("bob", "xr endturn") == "bob: turn ended, Fate's Blessing ends with it; endturn"
    assert room.line("bob", "xr 3d6", 1, 4, 6).endswith("value 1; total 11 from 1 4 6; 3d6")
    assert room.line("bob", "xr fate") == "bob holds nothing."


def test_two_blessings_are_said_once(room):
    """XR-18: an Advantage each, and one sentence for both, in odds and contests too."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr 3d6", 5, 5, 5, 1)
    assert room.line("bob", "xr 3d6", 1, 4, 6, 2, 2) == (
        "bob: Success, value 1; Fate's Blessing adds a2; total 12 from 4 6 2, dropped 1 2; 3d6 a2"
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
    assert room.refusal("gm", "xr reaction #1", storyteller=True) == "only the roller says whose turn it was."


def test_a_reaction_may_be_said_afterwards(room):
    """XR-18: `xr reaction` about the latest triple, or the one that is named; once."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("bob", "xr 3d6", 1, 2, 4, 6)
    assert room.line("bob", "xr reaction") == (
        "bob: Success, value 1; Fate's Blessing, a1 on Skill Rolls until the end of the next turn; "
        "total 15 from 5 5 5; xr reaction on 1"
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
        "bob: Success, value 1; Fate's Blessing adds a2; total 13 from 4 6 3, dropped 1 2;"
    )
    assert room.say("bob", "xr a97", *[1] * 100).error is None


def test_a_blessing_reaches_both_sides_of_a_contest(room):
    """XR-18: it is on all Skill Rolls of that player, also when they answer; a contest's triple gives one too."""
    room.say("alice", "xr 3d6 vs @bob", 1, 2, 4)
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("alice", "xr 3d6 vs @bob", 6, 4, 3)
    assert room.line("bob", "xr 3d6", 1, 2, 4, 6) == (
        "alice vs bob: Partial Success or Compensating Failure, alice chooses, result 0 is 1 less 1; "
        "Fate's Blessing adds a1 to the other side; alice 13 from 6 4 3; bob 12 from 2 4 6, dropped 1; 3d6 vs 3d6 a1"
    )
    assert room.line("bob", "xr 3d6 vs 3d6", 1, 2, 4, 6, 5, 4, 1).endswith(
        "Fate's Blessing adds a1; bob 12 from 2 4 6, dropped 1; other 10 from 5 4 1; 3d6 a1 vs 3d6"
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
        'alice: Success, value 1; Change, may reroll one: "xr reroll 1", 2 or 3; spends a Change of Fate; '
        "total 14 from 6 5 5, rerolled 6 as 5; xr reroll 2 fate on 2"
    )
    assert room.line("alice", "xr reroll 2", 1).startswith("alice: Partial Success")
    assert room.refusal("bob", "xr reroll 2 fate #2").startswith("you hold no Change of Fate")
    room.say("bob", "xr 3d6", 4, 4, 4)
    room.say("alice", "xr 1d6", 6)
    assert room.line("bob", "xr reroll 1 fate #last", 1).startswith("alice: Total 1; spends a Change of Fate; 1,")


def test_a_change_of_fate_in_a_contest(room):
    """XR-17: in a contest it is one's own die, or with `as NICK` the other side's; on oneself the triple goes."""
    room.say("bob", "xr 3d6", 4, 4, 4)
    room.say("alice", "xr 3d6 vs @bob", 6, 6, 5)
    room.say("bob", "xr 3d6", 1, 2, 4)
    assert room.line("bob", "xr reroll 1 fate #2 as alice", 1).startswith(
        "alice vs bob: Success, result 1 is 1 less 0;"
    )
    room.say("bob", "xr 3d6", 3, 3, 3)
    assert room.say("bob", "xr reroll 3 fate", 6).outcome.labels == ("success", "change")
    assert room.line("bob", "xr fate") == "bob holds nothing."


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
    """XR-25: one of a kind, or all of it; nobody else may."""
    for faces in ((5, 5, 5), (6, 6, 6, 1), (1, 1, 1, 1), (4, 4, 4, 1)):
        room.say("bob", "xr 3d6", *faces)
    assert room.refusal("bob", "xr fate end bob") == "only a storyteller ends Fate Dice and blessings."
    assert room.line("gm", "xr fate end Bob die", storyteller=True) == (
        "gm: one Fate Die of Bob's ended; fate end Bob die"
    )
    assert room.line("bob", "xr fate") == (
        "bob holds 1 temporary Fate Die, Fate's Blessing until the end of the next turn, "
        "Change of Fate until the end of the next turn."
    )
    assert room.line("gm", "xr fate end bob blessing", storyteller=True).startswith("gm: one Fate's Blessing of bob's")
    assert room.refusal("gm", "xr fate end bob blessing", storyteller=True) == "bob holds nothing of that kind."
    assert room.line("gm", "xr fate end bob change", storyteller=True).startswith("gm: one Change of Fate of bob's")
    assert room.line("gm", "xr fate end bob", storyteller=True) == "gm: all of bob's ended; fate end bob"
    assert room.line("bob", "xr fate") == "bob holds nothing."


GROUPS = [  # text, faces, label, values, result
    ("xr group -1 0 0 1", (), "partial_success", [-1, 0, 0, 1], 0),  # the seed's example
    ("xr group 0 1", (), "success", [0, 1], 1),  # halves up
    ("xr group -1 0", (), "partial_success", [-1, 0], 0),
    ("xr group -2 -1", (), "failure", [-2, -1], -1),
    ("xr group -1 -1 0", (), "failure", [-1, -1, 0], -1),
    ("xr group 1 2 2", (), "great_success", [1, 2, 2], 2),
    ("xr group 3, 3", (), "great_success", [3, 3], 3),
    ("xr group -2", (), "failure", [-2], -2),
    ("xr group 3d6", (1, 4, 6), "success", [1], 1),
    ("xr group 3d6; 3d6 a1; n1", (1, 4, 6, 6, 5, 4, 1, 1, 2, 3), "partial_success", [1, 1, -1], 0),
    ("xr group 3d6; 3d6 b9", (1, 2, 3, 2, 2, 2), "partial_success", [0, 0], 0),  # XR-16: a triple 2 counts as 0
    ("xr group 3d6; 3d6", (1, 1, 1, 6, 6, 6), "success", [-2, 3], 1),
    ("xr group 3d6; 3d6 simple", (1, 1, 6, 6, 6, 6), "success", [-1, 2], 1),
]


@pytest.mark.parametrize(("text", "faces", "label", "values", "result"), GROUPS)
def test_a_group(room, text, faces, label, values, result):
    """XR-10: the mean of the Success Values, rounded to the nearest, halves up; draws nothing where they are known."""
    answer = room.say("gm", text, *faces)
    assert answer.outcome.labels[0] == label
    assert list(answer.outcome.values["success_values"]) == values
    assert answer.outcome.values["result"] == result
    assert answer.kind == ("roll" if faces else "check")


def test_the_line_of_a_group(room):
    """XR-10: what everyone came to, and the doubles and triples among them."""
    assert room.line("gm", "xr group 3d6; 3d6 d1", 4, 4, 1, 1, 6, 6, 6) == (
        "gm: Success, result 1 from 0 2; "
        'Change, may reroll one: "xr reroll 1", 2 or 3; Fateful, value 1 more; '
        "4 4 1 | 1 6 6, dropped 6; group 3d6, 3d6 d1"
    )
    line = room.line("gm", "xr group 3d6; 3d6 a1", 4, 3, 1, 1, 5, 5, 6)
    assert 'Change, may reroll one: "xr reroll 5", 6 or 7 for 5 5 6; ' in line
    assert room.line("gm", "xr reroll 7", 2).startswith("gm: Success, result 1 from 0 1; ")
    assert room.line("gm", "xr group -1 0") == (
        "gm: Partial Success or Compensating Failure, the group chooses, result 0 from -1 0; group -1 0"
    )
    assert f"result 1 from {' '.join('1' * 12)};" in room.line("gm", "xr group" + " 1" * 12)
    assert "result 1 from 13 values;" in room.line("gm", "xr group" + " 1" * 13)


def test_why_nothing_can_follow(room):
    """GEN-09: the latest roll that has dice says why, not a question that was asked since."""
    room.say("gm", "xr 3d6", 4, 3, 1)
    room.say("gm", "xr damage HHL")
    assert room.refusal("gm", "xr reroll 1") == "that roll shows no double 2 to 5: there is no Change to reroll by."
    room.say("al", "xr damage HHL")
    assert room.refusal("al", "xr reroll 1") == "no dice were rolled there."


def test_a_member_of_a_group_follows_up(room):
    """XR-05, XR-10, XR-13: positions count all dice of the line; every roll in it has its own Change."""
    room.say("gm", "xr group 3d6; 3d6 a1", 4, 4, 1, 5, 5, 2, 1)
    assert room.say("gm", "xr reroll 3", 6).outcome.values["success_values"] == (1, 1)
    assert room.refusal("gm", "xr reroll 1") == "the Change of that roll is spent already: one die, once."
    assert room.refusal("gm", "xr reroll 7") == "die 7 was removed: one of the dice kept is rerolled, 4 5 6."
    assert room.refusal("gm", "xr keep 3 4 5").startswith("dice are chosen after an Advantage roll alone")
    assert room.refusal("gm", "xr keep 4 5 3") == "die 3 belongs to another roll of the group."
    outcome = room.say("gm", "xr keep 4 6 7").outcome
    assert outcome.values["success_values"] == (1, 0)
    assert [die.kept for die in outcome.dice] == [True] * 4 + [False, True, True]
    assert {die.was for die in outcome.dice} == {None}  # the die that the Change rerolled is not told again
    assert room.refusal("gm", "xr reroll 8") == "that roll has 7 dice, and no die 8."


def test_a_triple_in_a_line_of_several_characters_gives_the_speaker_nothing(room):
    """XR-10, XR-17: whose roll it is was not said: the triple is told, and no reroll offered that would be refused."""
    line = room.line("gm", "xr group 3d6; 3d6", 3, 3, 3, 1, 2, 3)
    assert "; Change of Fate until the end of the next turn; 3 3 3 | 1 2 3;" in line
    assert room.line("gm", "xr fate") == "gm holds nothing."


def test_an_open_group_counts_the_rolls_of_others(room):
    """XR-10: the Skill Rolls that others make meanwhile, as they stand when it is closed."""
    room.say("bob", "xr 3d6", 4, 4, 6)  # before it is opened
    assert room.line("gm", "xr group open").startswith("gm: group open: the Skill Rolls of others count from now on")
    room.say("bob", "xr 3d6", 4, 4, 1)
    room.say("alice", "xr 3d6 b9", 2, 2, 2)
    room.say("carol", "xr 1d6", 6)
    room.say("gm", "xr 3d6", 6, 6, 6)
    room.say("bob", "xr reroll 1 #1", 6)
    room.say("bob", "xr reroll 3", 6)
    assert room.refusal("bob", "xr group open") == "a group is open already, gm's: xr group close ends it."
    assert room.refusal("bob", "xr group close") == "gm opened the group: only they or a storyteller may close it."
    assert room.line("gm", "xr group close") == "gm: Success, result 1 from 1 0; group close"
    assert room.refusal("gm", "xr group close") == "no group is open here: xr group open begins one."
    room.say("gm", "xr group open")
    assert room.refusal("gm", "xr group close") == "nobody else has made a Skill Roll since the group was opened."


def test_what_is_held_outlasts_a_group(room):
    """XR-10, XR-18: that a group is closed ends nobody's blessing."""
    room.say("bob", "xr 3d6", 5, 5, 5)
    room.say("gm", "xr group open")
    room.say("bob", "xr 3d6", 1, 2, 4, 6)
    room.say("gm", "xr group close")
    assert room.line("bob", "xr fate") == "bob holds Fate's Blessing until the end of the next turn."


def test_what_is_discarded_gives_nothing(room):
    """A roll that is disregarded takes its blessing along, and counts in no group."""
    memory = Memory((Gift("bob", "fates_blessing", 7, 2),), Group("gm", 1, ((7, 1), (8, 0))))
    room.say("bob", "xr 3d6", 1, 2, 4)
    said = Said("bob", None, None, roll=7, discarded=True)
    assert remember(memory, said) == Memory((), Group("gm", 1, ((8, 0),)))


def test_other_games_follow_ups_stay_theirs(room):
    """GEN-09: a Crossroads follow-up never lands on another game's roll, nor another's on ours."""
    room.say("alice", "v5 3+2 h1", 6, 6, 6, 1, 2)
    assert room.refusal("alice", "xr reroll 1 #1") == '"xr reroll 1 #1" cannot follow that roll.'
    room.say("alice", "xr 3d6", 4, 4, 1)
    assert room.refusal("alice", "wp 1 #2") == '"wp 1 #2" cannot follow that roll.'
    assert room.line("alice", "wp 1", 6).startswith("alice: ")


def test_what_is_over_is_forgotten_in_the_end():
    """Memory is bounded: of very many gifts those that are over go, the oldest first; what is held stays."""
    held, over = Gift("bob", "fate_die", 1, None), [Gift("bob", "fates_blessing", n, 0) for n in range(2, 202)]
    said = Said("bob", Roll(), Outcome(labels=("failure", "doomed_portents", "fate_die")), roll=300)
    memory = remember(Memory((held, *over)), said)
    assert memory.gifts == (held, *over[2:], Gift("bob", "fate_die", 300, None))
    assert remember(Memory((held, *over[1:100])), said).gifts == (
        held,
        *over[1:100],
        Gift("bob", "fate_die", 300, None),
    )


def test_what_is_held_is_said_by_name(evaluate):
    """XR-25: in a channel nobody could tell who `you` is."""
    assert evaluate({"text": "xr fate", "who": "bob"})["reply"] == "bob holds nothing."


def test_a_group_shows_whose_dice_are_whose(evaluate):
    """XR-10: the three dice kept of each roll stand together."""
    dice = [2, 6, 4, 1, 3, 1, 4, 1, 5, 3, 2]
    reply = evaluate({"text": "xr group 3d6; 3d6 a1; 3d6 d1", "dice": dice})["reply"]
    assert "; 2 6 4 | 1 3 4 | 1 3 2, dropped 1 5; " in reply

"""House rules that a storyteller sets in the channel: `channel` (DSK-10)."""

import asyncio

import pytest
from playing import CHANNEL, Table, check_script

from ircdice.replay import Replay
from ircdice.settings import ChannelSettings, HouseRules


def test_dsk_10_house_rules():
    """DSK-10: shown to everybody, set by a storyteller, recorded, used from then on, and back to the config."""
    check_script(
        """
        alice: channel
        alice: !channel
            channel #FU_Dice: system v5, botch yes, wp_minutes 30, auto_hunger no, contest_minutes 15, luck_rank_for_two
                4, triples table, modifier_limit none, initiative 1d10
        alice: !channel botch no
            (alice) Only a storyteller may change the settings of a channel.
        alice: roll 2d10 h0 dc1 | 1 2
            alice: Botch, 0 successes vs 1, margin -1; 1 2; 2d10 h0 dc1; id 1
        sam*: !channel botch no
            sam: botch is no from now on; id 2
        alice: roll 2d10 h0 dc1 | 1 2
            alice: Failure, 0 successes vs 1, margin -1; 1 2; 2d10 h0 dc1; id 3
        sam*: FUDice: channel system Strike & Cinder
            sam: system is strike_cinder from now on; id 4
        alice: roll 5d10 h2 | 1 2 3 4 5
            alice: Failure, 0 successes; 1 2 3, hunger 4 5; 5d10 h2; id 5
        sam*: !channel botch: default
            sam: botch is as the config has it from now on; id 6
        sam*: !channel contest-minutes 20
            sam: contest_minutes is 20 from now on; id 7
        alice: !channel system
            channel #FU_Dice: system strike_cinder (set here)
        alice: !channel
            channel #FU_Dice: system strike_cinder (set here), botch yes, wp_minutes 30, auto_hunger no, contest_minutes
                20 (set here), luck_rank_for_two 4, triples table, modifier_limit none, initiative 1d10
        """
    )


class Started(Table):
    """A bot that takes up what is open when it is started."""

    def plays(self, network, channel):
        return True

    def restart(self):
        super().restart()
        asyncio.run(self.bot.resume())


def test_dsk_10_a_contest_lapses_by_the_minutes_set_there():
    """DSK-10, GEN-06: after a start as well, before anything was said there."""
    table = Started()
    table.say("sam", "!channel contest_minutes 20", star=True)
    table.say("alice", "roll 3d10 h1 vs @bob", (9, 4, 3))
    table.restart()
    assert table.heard("... 16 min") == ()
    (lapsed,) = table.heard("... 5 min")
    assert "lapsed, not answered" in lapsed.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("!channel botch perhaps", "Botch is yes or no, you wrote perhaps."),
        ("!channel wp_minutes 0", "wp_minutes is a whole number from 1 to 10080, you wrote 0."),
        ("!channel triples double", "Triples is table or simple, you wrote double."),
        ("!channel official yes", "Official decides about trust: it is set in the config only."),
        (
            "!channel ops_are_storytellers yes",
            "ops_are_storytellers decides about trust: it is set in the config only.",
        ),
        ("!channel colour yes", '"colour" is not a house rule: there are system, botch, wp_minutes'),
        ("!channel botch default", "Botch is not set here: the config decides it already."),
        ("!channel system fayrewood", "The config lets only v5, generic be played here."),
        ("!channel system chess", "System is "),
        ("!channel system v5 in #eval", "House rules are shown and set in the channel itself, without its name."),
    ],
)
def test_dsk_10_refused(text, said):
    """DSK-10: one sentence, and nothing changes."""
    table = Table(systems=("v5", "generic"))
    (reply,) = table.say("sam", text, star=True).replies
    assert reply.text.startswith(said)
    assert table.records == []


def test_dsk_10_the_config_may_forbid_it():
    """DSK-10: `settings_by_storyteller = no`: nothing is set in the channel, and what was set there counts no more."""
    table = Table()
    table.say("sam", "!channel system fayrewood", star=True)
    table.settings = ChannelSettings(settings_by_storyteller=False)
    assert "system v5," in table.say("sam", "!channel").replies[0].text
    (reply,) = table.say("sam", "!channel botch no", star=True).replies
    assert reply.text == "The settings of this channel are in the config only: ask my operator."
    table.settings = ChannelSettings(systems=("v5",))  # a game that the config no longer lets be played
    assert "system v5," in table.say("sam", "!channel").replies[0].text


def test_dsk_10_in_private_by_the_channel_named():
    """DSK-07, DSK-10: a secret roll is read by the game that is set in the channel."""
    table = Table()
    table.say("sam", "!channel system fayrewood", star=True)
    table.say("sam", f"secret toss 3 in {CHANNEL}", (5,), star=True, where="private")
    assert table.records[-1].draft.terms.system == "fayrewood"
    (reply,) = table.say("sam", "channel botch no", star=True, where="private").replies
    assert reply.text == "That is for a channel: say it there."


def test_led_16_judged_by_the_rules_of_their_time():
    """LED-02, LED-16: each roll by what was set then, and the changes themselves."""
    table = Table()
    for line in (
        "alice: roll 2d10 h0 | 1 2",
        "sam*: !channel botch no",
        "alice: roll 2d10 h0 | 1 2",
        "sam*: !channel botch default",
        "alice: roll 2d10 h0 | 1 2",
    ):
        assert table.heard(line)
    assert [record.draft.terms.house for record in table.records][2] == HouseRules(botch=False)
    assert [record.draft.text for record in table.records][1::2] == ["channel botch no", "channel botch default"]
    replay = Replay()
    assert [fault for record in table.records if (fault := replay.fault(record))] == []


def test_led_20_a_change_is_verified(table):
    """LED-20: its line was posted with an id as any."""
    posted = table.say("sam", "!channel botch no", star=True).replies[0].text
    assert table.say("bob", f"!verify {posted}").replies[0].text.startswith("Genuine and official: sam said it")

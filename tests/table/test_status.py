"""`status` and `reload` at the table: what a storyteller and an operator are told, and nobody else (DSK-12)."""

import pytest
from playing import Table, check_script


def test_dsk_12_a_storyteller_sees_the_channel():
    """DSK-12: in private, from the channel or by its name."""
    check_script(
        """
        sam*: !channel botch no
            sam: botch is no from now on; id 1
        alice: roll 3d10 h1 vs @bob | 9 4 3
            alice vs bob: 3d10 h1 is rolled and covered. bob: answer "roll 5d10 h1" or "pass" within 15 min; id 2
        sam* in private: secret roll 1d10 h0 in #FU_Dice | 9
            sam: the storyteller rolls in secret; id 3
            (sam) for you alone, #3: sam: 1 success; 9; 1d10 h0; "reveal #3" in #FU_Dice shows it
        sam*: !track channel doom 3/6
            channel: doom 3/6; id 4
        sam* in private: track channel clock 2 hidden in #FU_Dice
            (sam) channel: clock 2, hidden
        sam*: status
        sam*: !status
            (sam) channel #FU_Dice plays v5, official; set here: botch; open contests: #2 alice vs bob; not revealed: 1;
                tracked: doom 3/6; hidden: clock 2; characters played: 0 of 50
        sam* in private: status in #FU_Dice
            (sam) channel #FU_Dice plays v5, official; set here: botch; open contests: #2 alice vs bob; not revealed: 1;
                tracked: doom 3/6; hidden: clock 2; characters played: 0 of 50
        alice: !status
            (alice) Only a storyteller of #FU_Dice may ask for its status.
        alice in private: status in #FU_Dice
            (alice) Only a storyteller of #FU_Dice may ask for its status.
        sam* in private: status
            (sam) Say in which channel: status in #CHANNEL.
        sam*: !reload
            (sam) Only an operator of the bot reloads its config.
        """
    )


class Operated(Table):
    """The same settings in private: who runs the bot is no channel's affair."""

    def channel(self, network, channel, casemapping=""):
        return self.settings


class Running:
    """A process that runs the bot."""

    def __init__(self):
        self.reloaded = 0

    def status(self):
        return ["net: connected", "ircdice, up 3 h"]

    def reload(self):
        self.reloaded += 1
        return "the config is read again."


@pytest.mark.parametrize(
    ("account", "told"),
    [
        ("boss", ["net: connected", "ircdice, up 3 h", "the config is read again."]),
        ("BOSS", ["net: connected", "ircdice, up 3 h", "the config is read again."]),
        ("other", ["Say in which channel: status in #CHANNEL.", "Only an operator of the bot reloads its config."]),
        (None, ["Say in which channel: status in #CHANNEL.", "Only an operator of the bot reloads its config."]),
    ],
)
def test_irc_14_an_operator_is_known_by_account(account, told):
    """DSK-12, IRC-14: never by nick, and not as a storyteller; the process is asked for nobody else."""
    table = Operated(operators=("boss",))
    table.bot.services.operations = Running()
    heard = [
        reply.text
        for text in ("status", "reload")
        for reply in table.say("boss", text, where="private", star=True, account=account).replies
    ]
    assert heard == told
    assert table.bot.services.operations.reloaded == ("Say" not in told[0])


def test_dsk_12_about_and_version(table):
    """DSK-12: for everybody, the same."""
    first, second = (table.say("alice", f"!{word}").replies[0].text for word in ("about", "version"))
    assert first == second
    assert first.startswith("ircdice ")


def test_dsk_12_what_characters_track():
    """DSK-12: a storyteller sees it beside what the channel tracks."""
    table = Table()
    for said in ("bob: !play Ann", "bob: !track hunger 2", "sam*: !track channel doom 3"):
        assert table.heard(said)
    (line,) = table.heard("sam* in private: status in #FU_Dice")
    assert "; tracked: doom 3, Ann: hunger 2; " in line.text

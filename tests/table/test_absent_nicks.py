"""A nick that nobody in the channel bears: the command stands, and whoever said it hears of that."""

from playing import CHANNEL, Table

from ircdice.bot import There
from ircdice.replay import Replay


def absent(_channel, nick):
    """A channel in which only alice and bob are."""
    return nick.lower() not in {"alice", "bob"}


def test_dsk_07_a_nick_that_nobody_bears():
    """DSK-07: a difficulty for an absent nick waits, and the reply to the storyteller says that the nick is absent."""
    table = Table(system="fayrewood")
    said = {"star": True, "where": "private", "absent": absent, "there": lambda name: There(name, True)}
    (told,) = table.say("sam", "difficulty 9 for bbo in #FU_Dice", **said).replies
    assert "; nobody called bbo is in #FU_Dice now; id 1" in told.text
    table.say("bob", "!play Oak")
    for nick in ("bob", "carol@relay", "Oak"):
        (told,) = table.say("sam", f"difficulty 9 for {nick} in #FU_Dice", **said).replies
        assert "nobody called" not in told.text


def test_dsk_01_an_npc_is_made_for_a_contest_with_nobody():
    """DSK-01: the name that a contest asks for is a storyteller's to give, unless somebody is called that."""
    table = Table()
    for nick in ("Fritz", "bob"):
        table.say("alice", f"roll 2d10 h1 vs @{nick}", (3, 4), absent=absent)
    assert table.say("sam", "!npc bob", star=True, absent=absent).error
    assert table.say("carol", "!play Fritz", absent=absent).error
    assert not table.say("sam", "!npc Fritz", star=True, absent=absent).error
    assert "alice vs Fritz (sam): " in table.say("sam", "roll 2d10 h1 as Fritz", (7, 8), star=True).replies[0].text
    replay = Replay()
    assert [replay.fault(record) for record in table.records] == [None] * len(table.records)


def test_gen_06_a_contest_with_nobody():
    """GEN-06: it waits all the same, and only who opened it is told that nobody of that name is there."""
    table = Table()
    opened, told = table.say("alice", "roll 2d10 h1 vs @carrol", (3, 4), absent=absent).replies
    assert opened.target == CHANNEL
    assert (told.target, told.private) == ("alice", True)
    assert told.text == f'nobody called carrol is in {CHANNEL} now: the contest waits; "withdraw #1" takes it back.'
    for nick in ("bob", "carol@relay"):
        assert len(table.say("alice", f"roll 2d10 h1 vs @{nick}", (3, 4), absent=absent).replies) == 1

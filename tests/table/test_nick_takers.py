"""Who takes a nick does not take what was made for the user who had it (IRC-29)."""

import pytest
from playing import Table

from ircdice.replay import Replay

OPENING = ("alice", "roll 5d10 h1 vs @bob")
FACES = (3, 4, 5, 6, 7)
ACCOUNT, HOST = {"account": "Bobby"}, {"userhost": "u@h"}


def opened(owner):
    """A table where alice has asked bob, whose nick then belonged to `owner`."""
    table = Table()
    table.say(*OPENING, FACES, owner=lambda nick: owner if nick == "bob" else None)
    return table


@pytest.mark.parametrize(
    ("owner", "speaker", "may"),
    [
        ("bobby", {"account": "BOBBY", "userhost": "v@elsewhere"}, True),
        ("bobby", {"account": "mallory", "userhost": "u@h"}, False),
        ("bobby", {"userhost": "u@h"}, False),
        ("bobby", {}, False),
        ("!u@h", {"userhost": "U@H"}, True),
        ("!u@h", {"account": "bobby", "userhost": "u@h"}, True),
        ("!u@h", {"account": "u@h", "userhost": "v@h"}, False),
        ("!u@h", {"userhost": "v@h"}, False),
        (None, {"account": "mallory", "userhost": "v@h"}, True),
    ],
)
@pytest.mark.parametrize("text", ["roll 5d10 h2", "roll 5d10 h2 #1", "pass", "pass #1"])
def test_irc_29_a_contest_waits_for_who_had_the_nick(owner, speaker, may, text):
    """IRC-29: the account of that time answers it, without one the user and host; where nothing was known, the nick."""
    table = opened(owner)
    answer = table.say("bob", text, FACES if "roll" in text else (), **speaker)
    said = answer.replies[0].text
    assert ("alice vs bob: " in said) is may
    if not may and text != "roll 5d10 h2":
        assert said.lower().removeprefix("not rolled: ") == (
            "contest #1 is for the user who was bob when it was opened: log in to the same account, or ask a "
            "storyteller."
        )
    elif not may:
        assert said.startswith("bob: "), "a roll of its own"
        assert table.say("bob", "pass", **({"account": "bobby"} if owner == "bobby" else HOST)).record.draft.ref == 1


@pytest.mark.parametrize("text", ["roll 5d10 h2", "5d10 h2", "!pass"])
def test_irc_29_a_contest_follows_an_account_to_another_nick(text):
    """IRC-29: it belongs to the account, and is judged again as it was (LED-16)."""
    table, faces = opened("bobby"), FACES if "5d10" in text else ()
    assert table.say("robert", "pass", account="mallory").replies == ()
    (answered, *_) = table.say("robert", text, faces, **ACCOUNT).replies
    assert answered.text.startswith("alice vs bob: ")
    replay = Replay()
    assert [why for record in table.records if (why := replay.fault(record))] == []


def test_irc_29_a_storyteller_answers_for_who_had_the_nick():
    """IRC-29, GEN-06: `as bob` is the way out where bob cannot log in."""
    table = opened("bobby")
    assert "alice vs bob: " in table.say("sam", "roll 5d10 h2 as bob", FACES, star=True).replies[0].text


def test_irc_29_nobody_is_reminded_of_another_users_contest():
    """IRC-29, DSK-06: the hints about a contest are for the user who was asked."""
    table = opened("bobby")
    assert len(table.say("bob", "roll 1d10 h0 dc1", (5,), account="mallory").replies) == 1

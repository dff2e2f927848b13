"""What is heard, from whom and with which rights, by tables."""

from __future__ import annotations

import pytest

from ircdice.bot.message import Message
from ircdice.settings import ChannelSettings
from ircdice.wire.channels import Roster
from ircdice.wire.incoming import Ear, Query, Speaker, caller, hear, is_storyteller
from ircdice.wire.isupport import Support
from ircdice.wire.line import Line, parse
from ircdice.wire.rate_limit import Caller

EAR = Ear(
    network="net",
    me="FUDice",
    joined={"#x{}": "#X[]"},
    since=1_577_836_800.0,  # 2020-01-01T00:00:00Z
    accounts=True,
    relays=("*!*@bridge.example", "Bridge"),
    ignore=("*!*@bad.host", "pest", "Rogue?"),
)

SAID = ":al!u@h PRIVMSG"


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (f"{SAID} #X[] :roll", "#X[]"),
        (f"{SAID} #x{{}} :roll", "#X[]"),
        (f"{SAID} fudice :roll", "private"),
        (f"{SAID} #other :roll", None),
        (f"{SAID} @#x[] :roll", None),
        (f"{SAID} somebody :roll", None),
        (f"{SAID} #x[] :", None),
        (f"{SAID} #x[] :   ", None),
        (f"{SAID} #x[]", None),
        (f"{SAID}", None),
        (":al!u@h NOTICE #x[] :roll", None),
        (":al!u@h TAGMSG #x[]", None),
        ("PRIVMSG #x[] :roll", None),
        (":some.server PRIVMSG #x[] :roll", None),
        (":FUDICE!u@h PRIVMSG #x[] :roll", None),
        (f"{SAID} #x[] :\x01ACTION roll\x01", None),
        (f"{SAID} #x[] :\x01VERSION\x01", None),
        (f"{SAID} FUDice :\x01VERSION\x01", "query"),
        (f"{SAID} #x[] :roll\x01", "#X[]"),
        (f"{SAID} #x[] :roll 5d10 # a\x01b", "#X[]"),
        (f"{SAID} #x[] :ro\rll", None),
        (f"{SAID} #x[] :ro\0ll", None),
        (f"@bot {SAID} #x[] :roll", None),
        (f"@inspircd.org/bot {SAID} #x[] :roll", None),
        (f"@time=2019-12-31T23:59:59.999Z {SAID} #x[] :roll", None),
        (f"@time=2020-01-01T00:00:00.000Z {SAID} #x[] :roll", "#X[]"),
        (f"@time=nonsense {SAID} #x[] :roll", "#X[]"),
        (":al!u@bad.host PRIVMSG #x[] :roll", None),
        (":Pest!u@h PRIVMSG #x[] :roll", None),
        (f"@account=rogue1 {SAID} #x[] :roll", None),
    ],
)
def test_what_is_heard(text: str, heard: str | None) -> None:
    """IRC-11, IRC-15: only what a person says now, to a joined channel or to the bot."""
    found = hear(parse(text) or Line(""), EAR)
    kind = "query" if isinstance(found, Query) else found and (found.channel or "private")
    assert kind == heard


@pytest.mark.parametrize(
    ("text", "relay"),
    [
        (":any!u@bridge.example PRIVMSG #x[] :<al> x", True),
        ("@account=bridge :any!u@h PRIVMSG #x[] :<al> x", True),
        (":Bridge!u@h PRIVMSG #x[] :<al> x", False),
        ("@account=other :Bridge!u@h PRIVMSG #x[] :<al> x", False),
        (":al!u@h PRIVMSG #x[] :<al> x", False),
    ],
)
def test_irc_29_a_relay_is_a_mask_or_an_account(text: str, relay: bool) -> None:
    """IRC-29, IRC-13: whoever takes the relay's nick is no relay."""
    message = hear(parse(text) or Line(""), EAR)
    assert isinstance(message, Message)
    assert message.relay is relay


def test_account_needs_the_capability() -> None:
    """IRC-14: without `account-tag` agreed on, a tag of that name is nobody's word."""
    line = parse(f"@account=boss {SAID} FUDice :x") or Line("")
    found = [hear(line, ear) for ear in (EAR, Ear("net", "FUDice"))]
    assert [message.account for message in found if isinstance(message, Message)] == ["boss", None]


def test_nobody_is_a_storyteller_in_private() -> None:
    """IRC-14: whoever leads every channel has no rights where there is none; in a channel they have."""
    ear = EAR._replace(leads=lambda who, channel: who.nick == "al" and channel == "#X[]")
    rights = [hear(parse(f"{SAID} {target} :x") or Line(""), ear) for target in ("#x[]", "FUDice")]
    assert [message.storyteller for message in rights if isinstance(message, Message)] == [True, False]


@pytest.mark.parametrize(
    ("account", "relay", "operator", "by_rank", "expected"),
    [
        ("Boss", False, False, False, True),
        ("other", False, False, False, False),
        (None, False, False, False, False),
        (None, False, True, False, False),
        (None, False, True, True, True),
        (None, False, False, True, False),
        ("boss", True, True, True, False),
    ],
)
def test_storyteller(account: str | None, relay: bool, operator: bool, by_rank: bool, expected: bool) -> None:
    """IRC-14: by account or rank; a nick of that name proves nothing, a relay has no rights (IRC-13)."""
    who, settings = (
        Speaker("boss", account, relay),
        ChannelSettings(storytellers=("boss",), ops_are_storytellers=by_rank),
    )
    assert is_storyteller(who, settings, "ascii", operator=operator) is expected


def test_irc_28_callers_are_told_apart() -> None:
    """IRC-15, IRC-28: by account, else by nick!user@host, and by host; through a relay by the name it gives."""

    def key(text: str) -> Caller:
        line = parse(text) or Line("")
        message = hear(line, EAR)
        assert isinstance(message, Message)
        return caller(line, message)

    one, other = key(f"{SAID} FUDice :x"), key(":bo!u@h PRIVMSG FUDice :x")
    assert (one.speaker == other.speaker, one.host == other.host) == (False, True)
    tagged = [key(f"@account=A {SAID} FUDice :x"), key("@account=a :bo!v@i PRIVMSG FUDice :x")]
    assert tagged[0].speaker == tagged[1].speaker
    relayed = [key(f":discord!u@bridge.example PRIVMSG #x[] :<{name}> x").speaker for name in ("al", "bo", "AL")]
    assert relayed[0] == relayed[2] != relayed[1]


def test_operators() -> None:
    """IRC-14: rank by NAMES and MODE, through nick changes, until it is taken or its bearer goes."""
    support = Support()
    support.load(("PREFIX=(qaohv)~&@%+", "CHANMODES=beI,k,l,imnpst"))
    roster = Roster(support)
    roster.enter("#x")
    roster.named(Line("353", ("me", "=", "#X", "@op ~+owner %half +voice plain")))

    def operators() -> set[str]:
        return {
            nick for nick in ("op", "owner", "half", "voice", "plain", "new", "Plain") if roster.is_operator("#X", nick)
        }

    assert operators() == {"op", "owner"}
    roster.moded("#x", "+lok-v", ("5", "plain", "key", "voice"))
    assert operators() == {"op", "owner", "plain", "Plain"}
    roster.moded("#x", "-lo", ("op",))
    assert operators() == {"owner", "plain", "Plain"}
    roster.renamed("owner", "NEW")
    roster.parted("#x", "plain")
    assert operators() == {"new"}
    roster.moded("#x", "+ooo", ("op",))
    roster.gone("new")
    assert operators() == {"op"}
    assert (roster.leave("#X"), roster.leave("#X"), operators()) == (True, False, set())

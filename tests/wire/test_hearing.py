"""What is heard, from whom and with which rights, by tables."""

from __future__ import annotations

import pytest

from ircdice.wire.protocol import Caller, CtcpQuery, Effect, Incoming, Line, parse
from ircdice.wire.session import Session

from .transcript import session

RELAYS, IGNORED = ("*!*@bridge.example", "Bridge"), ("*!*@bad.host", "pest", "Rogue?", "bot[1]")
TAGS = ("CAP * LS :account-tag", "CAP * ACK :account-tag")
IN = ("@time=2020-01-01T00:00:00.000Z :s 001 FUDice :hi", ":FUDice!u@h JOIN #X[]")


def inside(*lines: str, **settings: object) -> Session:
    """A session that is in #X[], after these lines."""
    one = session(relays=RELAYS, ignore=IGNORED, settings=settings)
    for text in (*lines, *IN):
        list(one.receive(parse(text) or Line(""), 0.0))
    return one


def said(one: Session, text: str) -> Effect | None:
    """What one more line is to the bot."""
    return next(iter(one.receive(parse(text) or Line(""), 0.0)), None)


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
    match said(inside(*TAGS), text):
        case Incoming(message):
            assert (message.channel or "private") == heard
        case CtcpQuery():
            assert heard == "query"
        case nothing:
            assert nothing is heard is None


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
    heard = said(inside(*TAGS), text)
    assert isinstance(heard, Incoming)
    assert heard.message.relay is relay


def test_irc_15_brackets_in_a_mask_are_letters() -> None:
    """IRC-15: a mask knows `*` and `?`, but no sets of characters."""
    one = inside(":s 005 FUDice CASEMAPPING=ascii :are supported")
    assert said(one, ":bot[1]!u@h PRIVMSG #X[] :roll") is None
    assert isinstance(said(one, ":bot1!u@h PRIVMSG #X[] :roll"), Incoming)


def test_account_needs_the_capability() -> None:
    """IRC-14: without `account-tag` agreed on, a tag of that name is nobody's word, and WHOX tells the account."""
    known = inside()
    said(known, ":s 354 FUDice 152 #x{} u h al other")
    found = [said(one, f"@account=boss {SAID} FUDice :x") for one in (inside(*TAGS), inside(), known)]
    assert [heard.message.account for heard in found if isinstance(heard, Incoming)] == ["boss", None, "other"]


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
    """IRC-14: by account or rank; a nick of that name proves nothing, a relay has no rights (IRC-13).

    In private nobody has rights, as there is no channel.
    """
    one = inside(*TAGS, storytellers=("boss",), ops_are_storytellers=by_rank)
    said(one, f":s 353 FUDice = #X[] :{'@' * operator}boss")
    tag, host = f"@account={account} " if account else "", "bridge.example" if relay else "h"
    for target, rights in (("#x[]", expected), ("FUDice", False)):
        heard = said(one, f"{tag}:boss!u@{host} PRIVMSG {target} :x")
        assert isinstance(heard, Incoming)
        assert heard.message.storyteller is rights


def test_irc_28_callers_are_told_apart() -> None:
    """IRC-15, IRC-28: by account, else by nick!user@host, and by host; through a relay by the name it gives."""

    def key(text: str) -> Caller:
        heard = said(inside(*TAGS), text)
        assert isinstance(heard, Incoming)
        return heard.caller

    one, other = key(f"{SAID} FUDice :x"), key(":bo!u@h PRIVMSG FUDice :x")
    assert (one.speaker == other.speaker, one.host == other.host) == (False, True)
    tagged = [key(f"@account=A {SAID} FUDice :x"), key("@account=a :bo!v@i PRIVMSG FUDice :x")]
    assert tagged[0].speaker == tagged[1].speaker
    relayed = [key(f":discord!u@bridge.example PRIVMSG #x[] :<{name}> x").speaker for name in ("al", "bo", "AL")]
    assert relayed[0] == relayed[2] != relayed[1]


def test_operators() -> None:
    """IRC-14: rank by NAMES and MODE, through nick changes, until it is taken or its bearer goes."""
    one = inside(":s 005 FUDice PREFIX=(qaohv)~&@%+ CHANMODES=beI,k,l,imnpst :are")

    def operators(line: str) -> set[str]:
        said(one, line)
        nicks = ("op", "owner", "half", "voice", "plain", "new", "Plain")
        return {nick for nick in nicks if one.roster.is_operator("#X{}", nick)}

    assert operators(":s 353 me = #X{} :@op ~+owner %half +voice plain") == {"op", "owner"}
    assert operators(":s MODE #x[] +lok-v 5 plain key voice") == {"op", "owner", "plain", "Plain"}
    assert operators(":s MODE #x[] -lo op") == {"owner", "plain", "Plain"}
    assert operators(":owner!u@h NICK NEW") == {"plain", "Plain", "new"}
    assert operators(":plain!u@h PART #x[]") == {"new"}
    assert operators(":s MODE #x[] +ooo op") == {"op", "new"}
    assert operators(":new!u@h QUIT :bye") == {"op"}
    assert operators(":FUDice!u@h PART #X[]") == set()

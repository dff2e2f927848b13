"""IRC-14: which account each nick has, as the server tells it, line by line."""

from __future__ import annotations

import asyncio

import pytest

from ircdice.bot.message import ChannelModes, FindModes, Present, Reply
from ircdice.config import Join
from ircdice.wire.protocol import Incoming, parse
from ircdice.wire.session import Session

from .bots import Echo, config, network, running
from .scripted import Scripted, scripted
from .transcript import HELLO, play, session

CASES = "S: :s 001 FUDice :hi\nS: :s 005 FUDice CASEMAPPING={} WHOX :are\nS: :s 376 FUDice :end\n"
SEEN = CASES.format("rfc1459") + "C: JOIN #x\nS: :FUDice!u@h JOIN #x\nC: WHO #x %tcuhna,152\n"


def accounts(talk: str, caps: str = "") -> Session:
    """After `talk` in #x of a server with WHOX."""
    granted = f"C: CAP REQ :{caps}\nS: CAP * ACK :{caps}\n" if caps else ""
    return play(f"{HELLO}S: CAP * LS :{caps}\n{granted}C: CAP END\n{SEEN}{talk}", tls=True, channels=(Join("#x"),))


def known_accounts(one: Session) -> dict[str, str]:
    """The accounts of members of #x, by nick."""
    members = one.roster.joined["#x"].members if "#x" in one.roster.joined else {}
    return {nick: member.account for nick, member in members.items() if member.account}


TOLD = "S: :s 354 FUDice 152 #x u h Al[] boss\nS: :s 354 FUDice 152 #x u h bo 0\nS: :s 315 FUDice #x :End\n"


@pytest.mark.parametrize(
    ("talk", "known"),
    [
        (TOLD, {"al{}": "boss"}),
        ("S: :s 354 FUDice 151 #x u h al boss\nS: :s 354 FUDice 152 #y u h al boss\n", {}),
        ("S: :s 354 FUDice 152 #x u h al\n", {}),
        (TOLD + "S: :al[]!u@h NICK new", {"new": "boss"}),
        (TOLD + "S: :bo!u@h NICK al[]\nS: :Al{}!u@h NICK ce", {}),
        (TOLD + "S: :al[]!u@h QUIT :bye", {}),
        (TOLD + "S: :al[]!u@h PART #x", {}),
        (TOLD + "S: :op!u@h KICK #x al[] :out", {}),
        (TOLD + "S: :FUDice!u@h PART #x\nC 1: JOIN #x", {}),
        (TOLD + "S: :al[]!u@h ACCOUNT other\nS: :bo!u@h ACCOUNT third", {"al{}": "other", "bo": "third"}),
        (TOLD + "S: :al[]!u@h ACCOUNT *", {}),
        (TOLD + "S: :stranger!u@h ACCOUNT boss", {"al{}": "boss"}),
        # who comes is asked after, some together
        (
            TOLD + "S: :ce!u@h JOIN #x\nS: :de!u@h JOIN #x\nT: ask accounts\nC: WHO #x %tcuhna,152\n"
            "S: :s 354 FUDice 152 #x u h ce third",
            {"al{}": "boss", "ce": "third"},
        ),
        (TOLD + "S: :ce!u@h JOIN #x\nS: :FUDice!u@h PART #x\nC 1: JOIN #x\nT: ask accounts", {}),
        # somebody else comes under a nick that was known: who left is forgotten
        (TOLD + "S: :al[]!u@h QUIT :bye\nS: :al[]!v@i JOIN #x", {}),
    ],
)
def test_accounts_by_whox(talk: str, known: dict[str, str]) -> None:
    """IRC-14: accounts where no account-tag is, only of those who are in sight, and only as the server says now."""
    assert known_accounts(accounts(talk)) == known


def test_accounts_of_those_who_join() -> None:
    """IRC-14: extended-join tells it by itself."""
    one = accounts("S: :ce!u@h JOIN #x third :name\nS: :de!u@h JOIN #x * :name", caps="extended-join")
    assert known_accounts(one) == {"ce": "third"}


def test_irc_29_others_are_known_though_their_lines_bear_a_tag() -> None:
    """IRC-29, IRC-14: with account-tag the tag decides who speaks, and WHOX says who the others are."""
    one = session(tls=True, channels=(Join("#x"),))
    lines = (
        "CAP * LS :account-tag",
        "CAP * ACK :account-tag",
        ":s 001 FUDice :hi",
        ":s 005 FUDice WHOX :are",
        ":FUDice!u@h JOIN #x",
        ":s 354 FUDice 152 #x u h al boss",
        ":s 354 FUDice 152 #x u h bo other",
        ":al!u@h PRIVMSG #x :who knows me",
        "@account=third :bo!u@h PRIVMSG #x :and me",
    )
    sent = [effect for text in lines for effect in one.receive(parse(text) or pytest.fail("no line"), 0.0)]
    assert any("WHO" in repr(effect) for effect in sent)
    assert [effect.message.account for effect in sent if isinstance(effect, Incoming)] == [None, "third"]
    assert known_accounts(one) == {"bo": "third"}


@pytest.mark.parametrize(
    ("talk", "owner"),
    [
        ("", None),
        ("S: :bo!u@h JOIN #x", "!u@h"),
        ("S: :s 354 FUDice 152 #x u h Bo 0", "!u@h"),
        ("S: :s 354 FUDice 152 #x u h bo Boss", "boss"),
        ("S: :bo!u@h JOIN #x\nS: :bo!u@h ACCOUNT Boss", "boss"),
        ("S: :bo!u@h JOIN #x\nS: :bo!u@h PART #x", None),
        ("S: :bo!u@h JOIN #x\nS: :bo!u@h QUIT :bye", None),
        ("S: :bo!u@h JOIN #x\nS: :op!u@h KICK #x bo", None),
        ("S: :al!v@i JOIN #x\nS: :al!v@i NICK bo", "!v@i"),
        ("S: :bo!u@h JOIN #x\nS: :bo!u@h NICK ce", None),
        ("S: :s 353 FUDice = #x :bo", None),
        ("S: :bo!u@h JOIN #x\nS: :s 353 FUDice = #x :ce\nS: :ce!v@i NICK bo", None),
        ("S: :s 353 FUDice = #x :bo\nS: :bo!u@h PRIVMSG #x :hi", "!u@h"),
    ],
)
def test_irc_29_who_has_a_nick(talk: str, owner: str | None) -> None:
    """IRC-29: the account of a member, else user and host, as far as the server told; nobody who is out of sight."""
    lines = (":s 001 FUDice :hi", ":FUDice!u@h JOIN #x", *(line.removeprefix("S: ") for line in talk.splitlines()))
    one = session(channels=(Join("#x"),))
    for text in lines:
        for _ in one.receive(parse(text) or pytest.fail("no line"), 0.0):
            pass
    assert one.roster.owner("BO") == owner


@pytest.mark.parametrize(
    ("settings", "relays", "found"),
    [
        ({}, (), None),
        ({"storytellers": ("boss",)}, (), (Present("al{}", "boss"),)),
        ({"ops_are_storytellers": True}, (), (Present("bo", "~bo"),)),
        (
            {"storytellers": ("Boss",), "ops_are_storytellers": True},
            (),
            (Present("al{}", "boss"), Present("bo", "~bo")),
        ),
        ({"storytellers": ("nobody",)}, (), ()),
        ({"storytellers": ("boss",), "ops_are_storytellers": True}, ("boss", "*!u@h"), ()),
    ],
)
def test_dsk_07_storytellers_who_are_there(
    settings: dict[str, object], relays: tuple[str, ...], found: tuple[Present, ...] | None
) -> None:
    """DSK-07, IRC-13, IRC-14: by account or rank, never by nick, never a relay; None where none can be told apart."""
    talk = TOLD + "S: :op!u@h MODE #x +o bo\nS: :s 353 FUDice = #x :@FUDice\n"
    one = play(
        f"{HELLO}S: CAP * LS :\nC: CAP END\n{SEEN}{talk}",
        tls=True,
        channels=(Join("#x"),),
        relays=relays,
        settings=settings,
    )
    heard = next(one.receive(parse(":ce!u@h PRIVMSG #x :roll") or pytest.fail("no line"), 0.0))
    assert isinstance(heard, Incoming)
    assert heard.message.storytellers is not None
    assert heard.message.storytellers("#X") == found
    assert heard.message.nicks is not None
    assert "bo" in heard.message.nicks("#X")


def test_irc_14_who_is_known_in_one_channel_is_known_in_the_next() -> None:
    """DSK-07, IRC-14: a storyteller who joins a second channel is one there at once."""
    two = {"channels": (Join("#x"), Join("#y")), "settings": {"storytellers": ("boss",)}}
    one = session(**two)
    for text in (":s 001 FUDice :hi", ":s 005 FUDice WHOX :are", ":FUDice!u@h JOIN #y", ":FUDice!u@h JOIN #x"):
        list(one.receive(parse(text) or pytest.fail("no line"), 0.0))
    for text in (":al!u@h JOIN #x", ":s 354 FUDice 152 #x u h al boss", ":al!u@h JOIN #y"):
        list(one.receive(parse(text) or pytest.fail("no line"), 0.0))
    assert one.storytellers("#y") == (Present("al", "boss"),)


def test_irc_14_a_member_of_two_channels() -> None:
    """IRC-14, IRC-29: a rank is of one channel, an account of all; both are known while one channel is shared."""
    one = session(channels=(Join("#x"), Join("#y")))

    def known(*lines: str) -> tuple[set[str], str | None]:
        for text in lines:
            list(one.receive(parse(text) or pytest.fail("no line"), 0.0))
        return {name for name in ("#x", "#y") if one.roster.is_operator(name, "Al")}, one.roster.owner("al")

    names = ":s 353 FUDice = #x :@al FUDice", ":s 353 FUDice = #y :al FUDice"
    assert known(":s 001 FUDice :hi", ":FUDice!u@h JOIN #x", ":FUDice!u@h JOIN #y", *names) == ({"#x"}, None)
    assert known(":al!u@h ACCOUNT boss", ":op!u@h MODE #y +o al", ":op!u@h MODE #x -o al") == ({"#y"}, "boss")
    assert known(":al!u@h NICK bo", ":bo!u@h NICK AL", ":al!u@h PART #x") == ({"#y"}, "boss")
    assert known(":al!u@h JOIN #x", ":FUDice!u@h PART #y") == (set(), "boss")
    assert known(":FUDice!u@h KICK #x FUDice") == (set(), None)
    assert len(one.roster) == 0


@pytest.mark.parametrize(
    ("renamed", "account", "owner"),
    [
        (":mallory!v@i NICK BOB", None, "!v@i"),
        (":stranger!v@i NICK bob", None, None),
        (":bob!u@h NICK Bob", "boss", "boss"),
    ],
)
def test_irc_29_a_new_nick_brings_no_account_of_whoever_had_it(
    renamed: str, account: str | None, owner: str | None
) -> None:
    """IRC-14, IRC-29: if the server did not report that bob left, the next bob is another; a change of case is not."""
    one = session(channels=(Join("#x"), Join("#y")), settings={"storytellers": ("boss",)})
    start = ":s 001 FUDice :hi", ":s 005 FUDice WHOX :are", ":FUDice!u@h JOIN #y", ":FUDice!u@h JOIN #x"
    members = ":s 354 FUDice 152 #y u h bob boss", ":s 354 FUDice 152 #x v i mallory 0", ":s 353 FUDice = #x :bob"
    for text in (*start, *members, renamed):
        list(one.receive(parse(text) or pytest.fail("no line"), 0.0))
    userhost = renamed.split()[0].partition("!")[2]
    heard = next(one.receive(parse(f":bob!{userhost} PRIVMSG #x :roll") or pytest.fail("no line"), 0.0))
    assert isinstance(heard, Incoming)
    assert (heard.message.account, heard.message.storyteller) == (account, account is not None)
    assert one.roster.owner("bob") == owner


@pytest.mark.parametrize(("more", "found"), [({}, None), ({"ops_are_storytellers": True}, ())])
def test_irc_14_a_server_that_tells_no_accounts(more: dict[str, object], found: tuple[Present, ...] | None) -> None:
    """DSK-07, IRC-14: no account can be told there, so that only rank makes a storyteller."""
    start = ":s 001 FUDice :hi", ":FUDice!u@h JOIN #x", ":boss!u@h JOIN #x"
    one = session(channels=(Join("#x"),), settings={"storytellers": ("boss",), **more})
    for text in start:
        for _ in one.receive(parse(text) or pytest.fail("no line"), 0.0):
            pass
    assert one.storytellers("#x") == found


@pytest.mark.parametrize(
    ("talk", "hidden"),
    [
        ("", None),
        ("S: :s 324 FUDice #X +nt", False),
        ("S: :s 324 FUDice #x +nst", True),
        ("S: :s 324 FUDice #x +p", True),
        ("S: :s 324 FUDice #x +klnt key 9", True),
        ("S: :s 324 FUDice #x +nt\nS: :op!u@h MODE #x +s", True),
        ("S: :s 324 FUDice #x +nst\nS: :op!u@h MODE #x -s+t", False),
        ("S: :s 324 FUDice #x +nk key\nS: :op!u@h MODE #x -k+o key al", False),
        ("S: :op!u@h MODE #x -s", None),
        ("S: :s 324 FUDice #x +nt\nS: :FUDice!u@h PART #x\nC 1: JOIN #x\nS: :FUDice!u@h JOIN #x\nC: MODE #x", None),
    ],
)
def test_web_10_hidden_channels(talk: str, hidden: bool | None) -> None:
    """WEB-10: a channel is hidden by its modes, and counts as hidden until they are known; its page asks for them."""
    asks = "S: :FUDice!u@h JOIN #x\nC: MODE #x\n"
    start = f"{HELLO}S: CAP * LS :\nC: CAP END\nS: :s 001 FUDice :hi\nS: :s 376 FUDice :end\nC: JOIN #x\n{asks}"
    one = play(start + talk, channels=(Join("#x"),), page="public")
    hiding = one.roster.joined["#x"].hiding
    assert (None if hiding is None else bool(hiding)) is hidden
    heard = next(one.receive(parse(":al!u@h PRIVMSG #x :roll") or pytest.fail("no line"), 0.0))
    assert isinstance(heard, Incoming)
    assert heard.message.hidden is (hidden is not False)


class Asking(Echo):
    """A bot that asks for the modes of a channel as often as something may be due."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[ChannelModes | None] = []
        self.asked = asyncio.Event()

    async def due(self, modes: FindModes) -> tuple[Reply, ...]:
        self.seen += [modes("test", "#X"), modes("test", "#y"), modes("nowhere", "#x")]
        self.asked.set()
        return ()


async def test_web_10_the_bot_is_told_which_channels_are_hidden() -> None:
    """WEB-10: by their names as records have them; nothing of a channel where it is not."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(b":s 324 FUDice #x +nst\r\n")
        bot.asked.clear()
        await asyncio.wait_for(bot.asked.wait(), 60)

    bot = Asking()
    async with scripted(script) as (port, done), running(config(network(port, "#x")), bot):
        await asyncio.wait_for(done, 60)
    assert bot.seen[-3:] == [ChannelModes("#x", True), None, None]

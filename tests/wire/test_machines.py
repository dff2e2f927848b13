"""The deciding parts, each by its table: no socket, no clock, no chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.bot.message import Message, Reply
from ircdice.settings import ChannelSettings
from ircdice.wire import ctcp, speech
from ircdice.wire.backoff import Backoff
from ircdice.wire.bucket import Bucket, Limiter, Verdict
from ircdice.wire.cap import Negotiation
from ircdice.wire.connection import masked
from ircdice.wire.frames import LONGEST, Frames
from ircdice.wire.hearing import Ear, Query, hear, is_storyteller, speaker
from ircdice.wire.isupport import Support
from ircdice.wire.joins import Rejoins, join_lines
from ircdice.wire.keepalive import Keepalive, Patience, Step
from ircdice.wire.line import Line, parse
from ircdice.wire.nicks import Nicks
from ircdice.wire.outbox import Outbox
from ircdice.wire.roster import Roster
from ircdice.wire.split import room, split


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("PING", Line("PING")),
        ("ping :a b", Line("PING", ("a b",))),
        (":n!u@h PRIVMSG #x :hi :there", Line("PRIVMSG", ("#x", "hi :there"), "n!u@h")),
        (":n!u@h  JOIN   #x", Line("JOIN", ("#x",), "n!u@h")),
        ("@a=b\\s\\:;c :s 001 me :", Line("001", ("me", ""), "s", {"a": "b ;", "c": ""})),
        (":s 353 me = #a\u3000b :@x", Line("353", ("me", "=", "#a\u3000b", "@x"), "s")),
        ("", None),
        (":", None),
        (":only.source", None),
        ("@only=tags", None),
        ("12 x", None),
        ("é x", None),
    ],
)
def test_line(text: str, line: Line | None) -> None:
    """IRC-10: a line is taken apart, or is none."""
    assert parse(text) == line


@given(st.text(max_size=200))
def test_any_line_is_parsed(text: str) -> None:
    """IRC-10: no text whatever raises."""
    parse(text)


def test_missing_parameters_are_empty() -> None:
    """IRC-10: what a server leaves out reads as nothing."""
    assert (Line("X").param(0), Line("X").param(-1), Line("X", ("a",)).param(1), Line("X").nick) == ("", "", "", "")


@given(st.lists(st.binary(max_size=40)), st.integers(1, 7))
def test_frames_do_not_depend_on_the_pieces(raws: list[bytes], size: int) -> None:
    """IRC-10: lines are the same, however they arrive."""
    data = b"\n".join(raws) + b"\n"
    whole, pieces = Frames(), Frames()
    whole.feed(data)
    expected, found = list(whole), []
    for at in range(0, len(data), size):
        pieces.feed(data[at : at + size])
        found += list(pieces)
    assert found == expected


def test_frames_drop_what_is_too_long() -> None:
    """IRC-10: a line without an end fills no memory, and the next one is read."""
    frames = Frames()
    for _ in range(100):
        frames.feed(b"x" * 1000)
        assert list(frames) == []
        assert len(frames._rest) <= LONGEST + 1000
    frames.feed(b"\nPING\r\n\r\n")
    assert list(frames) == ["PING"]


@pytest.mark.parametrize(
    ("tokens", "name", "value"),
    [
        ((), "casemapping", "rfc1459"),
        (("CASEMAPPING=ascii",), "casemapping", "ascii"),
        (("CASEMAPPING=ascii", "-CASEMAPPING"), "casemapping", "rfc1459"),
        (("CASEMAPPING=",), "casemapping", "rfc1459"),
        (("NICKLEN=30",), "nicklen", 30),
        (("NICKLEN=x", "CHANLIMIT=#"), "nicklen", 0),
        (("NICKLEN=٣",), "nicklen", 0),
        ((), "linelen", 512),
        (("LINELEN=2048",), "linelen", 2048),
        (("LINELEN=3",), "linelen", 512),
        (("LINELEN=999999",), "linelen", 8192),
        (("CHANTYPES=",), "chantypes", ""),
        (("CHANTYPES=#+",), "chantypes", "#+"),
        (("STATUSMSG=@+",), "statusmsg", "@+"),
        (("PREFIX=(qaohv)~&@%+",), "ranks", {"~": "q", "&": "a", "@": "o", "%": "h", "+": "v"}),
        (("PREFIX=(ov)@",), "ranks", {"@": "o", "+": "v"}),
        (("PREFIX=",), "ranks", {"@": "o", "+": "v"}),
        (("=", "-", "", "CHANMODES=b\\x2Cc,k,l,m"), "modes_with_argument", ("bcov", "k")),
    ],
)
def test_isupport(tokens: tuple[str, ...], name: str, value: object) -> None:
    """IRC-09: what makes no sense counts as not said."""
    support = Support()
    support.load(tokens)
    assert getattr(support, name) == value


@pytest.mark.parametrize(
    ("lines", "answers", "enabled"),
    [
        (["CAP * LS :account-tag sasl=PLAIN"], ["CAP REQ :account-tag"], set()),
        (["CAP * LS * :server-time", "CAP * LS :account-tag"], ["CAP REQ :account-tag server-time"], set()),
        (["CAP * LS :a"], ["CAP END"], set()),
        (["CAP * LS :account-tag", "CAP x ACK :account-tag "], ["CAP REQ :account-tag", "CAP END"], {"account-tag"}),
        (["CAP * LS :account-tag", "CAP x NAK :account-tag"], ["CAP REQ :account-tag", "CAP END"], set()),
        (["CAP * ACK :account-tag"], ["CAP END"], set()),
        (
            ["CAP * LS :account-tag", "CAP * ACK :account-tag", "CAP x DEL :account-tag"],
            ["CAP REQ :account-tag", "CAP END"],
            set(),
        ),
        (
            ["CAP * LS :", "CAP x NEW :account-tag", "CAP x ACK :account-tag"],
            ["CAP END", "CAP REQ :account-tag"],
            {"account-tag"},
        ),
        (["CAP", "CAP *", "CAP * NONSENSE :x"], [], set()),
    ],
)
def test_capabilities(lines: list[str], answers: list[str], enabled: set[str]) -> None:
    """IRC-03: each used when there, and done without when not."""
    negotiation = Negotiation(("account-tag", "server-time"))
    said = [answer for text in lines for answer in negotiation.receive(parse(text) or Line(""))]
    assert (said, negotiation.enabled) == (answers, enabled)


def test_capabilities_held() -> None:
    """IRC-03: the end can be kept back for a login, and comes once."""
    negotiation = Negotiation(())
    negotiation.hold = True
    assert negotiation.receive(Line("CAP", ("*", "LS", ""))) == []
    assert (negotiation.finish(), negotiation.finish()) == (["CAP END"], [])


EAR = Ear(
    network="net",
    me="FUDice",
    joined={"#x{}": "#X[]"},
    since=1_577_836_800.0,  # 2020-01-01T00:00:00Z
    accounts=True,
    relays=("discord",),
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
        (f"{SAID} #x[] :roll\x01", None),
        (f"{SAID} #x[] :ro\rll", None),
        (f"{SAID} #x[] :ro\0ll", None),
        (f"@bot {SAID} #x[] :roll", None),
        (f"@inspircd.org/bot {SAID} #x[] :roll", None),
        (f"@time=2019-12-31T23:59:59.999Z {SAID} #x[] :roll", None),
        (f"@time=2020-01-01T00:00:00.000Z {SAID} #x[] :roll", "#X[]"),
        (f"@time=nonsense {SAID} #x[] :roll", "#X[]"),
        (f"@batch=1 {SAID} #x[] :roll", None),
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


def test_account_needs_the_capability() -> None:
    """IRC-14: without `account-tag` agreed on, a tag of that name is nobody's word."""
    line = parse(f"@account=boss {SAID} FUDice :x") or Line("")
    found = [hear(line, ear) for ear in (EAR, Ear("net", "FUDice"))]
    assert [message.account for message in found if isinstance(message, Message)] == ["boss", None]


@pytest.mark.parametrize(
    ("account", "relay", "channel", "operator", "by_rank", "expected"),
    [
        ("Boss", False, "#x", False, False, True),
        ("other", False, "#x", False, False, False),
        (None, False, "#x", False, False, False),
        (None, False, "#x", True, False, False),
        (None, False, "#x", True, True, True),
        (None, False, "#x", False, True, False),
        ("boss", True, "#x", True, True, False),
        ("boss", False, None, False, False, False),
    ],
)
def test_storyteller(
    account: str | None, relay: bool, channel: str | None, operator: bool, by_rank: bool, expected: bool
) -> None:
    """IRC-14: by account or rank; a nick of that name proves nothing, a relay has no rights (IRC-13)."""
    message = Message("net", channel, "boss", "x", account=account, relay=relay)
    settings = ChannelSettings(storytellers=("boss",), ops_are_storytellers=by_rank)
    assert is_storyteller(message, settings, operator=operator) is expected


def test_speakers_are_told_apart() -> None:
    """IRC-15: by account, else by host and never by nick; behind a relay by the name it gives (IRC-13)."""

    def key(text: str) -> str:
        line = parse(text) or Line("")
        message = hear(line, EAR)
        assert isinstance(message, Message)
        return speaker(line, message)

    assert key(f"{SAID} FUDice :x") == key(":bo!u@h PRIVMSG FUDice :x")
    assert key(f"@account=A {SAID} FUDice :x") == key("@account=a :bo!v@i PRIVMSG FUDice :x")
    relayed = [key(f":discord!u@h PRIVMSG #x[] :<{name}> x") for name in ("al", "bo", "AL")]
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


def test_bucket() -> None:
    """IRC-22: a burst, then one for each interval, and never more than the burst."""
    bucket = Bucket(3, 2.0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert (bucket.wait(0), bucket.wait(0.5), bucket.take(1.9), bucket.take(2.0)) == (2.0, 1.5, False, True)
    assert [bucket.take(1000) for _ in range(4)] == [True, True, True, False]
    assert all(Bucket(1, 0).take(0) for _ in range(5))


@given(st.integers(1, 9), st.floats(0.01, 5), st.lists(st.floats(0, 3), max_size=60))
def test_bucket_never_lets_more_through(burst: int, interval: float, steps: list[float]) -> None:
    """IRC-22: over any time, at most the burst and one for each interval that went by."""
    bucket, now, taken = Bucket(burst, interval), 0.0, 0
    for step in steps:
        now += step
        taken += bucket.take(now)
        assert taken <= burst + now / interval + 1e-6


def test_limiter() -> None:
    """IRC-15: past the burst one word, then silence until it has drained; what was not answered is given back."""
    limiter = Limiter(2, 2.0)
    hear_it, warn, drop = Verdict.HEAR, Verdict.WARN, Verdict.DROP
    assert [limiter.reserve("a", 0) for _ in range(4)] == [hear_it, hear_it, warn, drop]
    assert limiter.reserve("b", 0) is hear_it
    assert [limiter.reserve("a", 2) for _ in range(2)] == [hear_it, drop]
    assert [limiter.reserve("a", 10) for _ in range(3)] == [hear_it, hear_it, warn]
    for _ in range(9):
        assert limiter.reserve("b", 20) is hear_it
        limiter.refund("b")


def test_limiter_forgets() -> None:
    """IRC-15: speakers who have long been silent take no memory."""
    limiter = Limiter(2, 2.0)
    for number in range(5000):
        limiter.reserve(str(number), number * 10)
    assert len(limiter._buckets) <= 257


def test_outbox() -> None:
    """IRC-22: places by turns, each in order, what is urgent ahead of all and paid for later."""
    outbox = Outbox(4, 1.0)
    for line in ("a1", "a2", "a3"):
        outbox.put("a", line)
    outbox.put("b", "b1")
    outbox.urgent("PONG")
    assert [outbox.next(0) for _ in range(5)] == ["PONG", "a1", "b1", "a2", None]
    assert (outbox.wait(0), outbox.next(1), len(outbox), outbox.wait(1)) == (1.0, "a3", 0, None)
    for _ in range(5):
        outbox.urgent("QUIT")
    outbox.put("a", "late")
    assert [outbox.next(1) for _ in range(6)] == ["QUIT"] * 5 + [None]
    assert outbox.wait(1) == 6.0


@pytest.mark.parametrize(
    ("stood", "reason", "pauses"),
    [
        (0, "", [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]),
        (299, "", [1, 2, 4]),
        (300, "", [1, 1, 1]),
        (0, "Closing Link: (K-lined)", [60, 120, 240, 300]),
        (0, "Your host is trying to (re)connect too fast -- throttled", [60, 120, 240]),
        (0, "Server going down", [1, 2]),
    ],
)
def test_backoff(stood: float, reason: str, pauses: list[float]) -> None:
    """IRC-06: doubling to five minutes, anew once a connection has stood as long; throttling lengthens it."""
    backoff = Backoff(1.0, 300.0)
    assert [backoff.pause(stood, 1.0, reason) for _ in pauses] == pauses


def test_jitter_is_full() -> None:
    """IRC-06: the pause lies anywhere between nothing and its ceiling."""
    assert [Backoff(8.0, 300.0).pause(0, chance) for chance in (0.0, 0.25, 0.5)] == [0.0, 2.0, 4.0]


def test_keepalive() -> None:
    """IRC-06: after 60 s of silence a PING, 60 s later the end; any line is a sign of life."""
    alive = Keepalive(Patience(), 0)
    alive.welcome()
    assert [alive.step(at) for at in (59, 60, 61, 119)] == [Step.NOTHING, Step.PING, Step.NOTHING, Step.NOTHING]
    alive.heard(119)
    assert [alive.step(at) for at in (178, 179, 238, 239)] == [Step.NOTHING, Step.PING, Step.NOTHING, Step.GIVE_UP]


def test_registration_is_bounded() -> None:
    """IRC-03: no longer than 30 s on a server that says nothing."""
    silent = Keepalive(Patience(), 0)
    assert [silent.step(at) for at in (19, 20, 21, 30)] == [Step.NOTHING, Step.END_CAP, Step.NOTHING, Step.GIVE_UP]
    talking = Keepalive(Patience(), 0)
    steps = {}
    for at in range(0, 125, 5):
        talking.heard(at)
        steps[at] = talking.step(at)
    assert {at: step for at, step in steps.items() if step is not Step.NOTHING} == {20: Step.END_CAP, 120: Step.GIVE_UP}


def test_rejoins() -> None:
    """IRC-08: a growing pause, at most five in an hour, by channel."""
    rejoins = Rejoins()
    assert [rejoins.pause("#a", at) for at in range(6)] == [1, 4, 16, 64, 256, None]
    assert (rejoins.pause("#b", 6), rejoins.pause("#a", 3601)) == (1, 64)


def test_join_lines() -> None:
    """IRC-08: keys stand for the channels before them, and no line is too long."""
    assert list(join_lines([("#a", None), ("#b", "k"), ("#c", "l")])) == ["JOIN #b,#c,#a k,l"]
    assert list(join_lines([])) == []
    many = list(join_lines([(f"#{'x' * 40}{number}", None) for number in range(25)]))
    assert all(len(line) < 420 for line in many)
    assert sum(line.count("#") for line in many) == 25
    assert max(line.count("#") for line in join_lines([(f"#{number}", None) for number in range(25)])) == 10


def test_nicks() -> None:
    """IRC-07: alternates, underscores, then another end, and not for ever."""
    nicks = Nicks("FUDiceBot", ("Other",))
    tried = list(iter(nicks.next, None))
    assert tried[:5] == ["Other", "FUDiceBot_", "FUDiceBot__", "FUDiceBot___", "FUDiceB01"]
    assert len(tried) == len(set(tried)) < 40


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=900), st.integers(20, 450))
def test_split_fits_and_loses_nothing(text: str, size: int) -> None:
    """IRC-20: pieces fit, in bytes; together they are the text, or the last one says that there was more."""
    pieces = split(text, size)
    assert len(pieces) <= 4
    assert all(len(piece.encode()) <= size for piece in pieces)
    joined = "".join("".join(pieces).split())
    if not pieces or not pieces[-1].endswith(" ..."):
        assert joined == "".join(text.split())
    else:
        assert "".join(text.split()).startswith(joined.removesuffix("..."))


@pytest.mark.parametrize(
    ("text", "size", "pieces"),
    [
        ("short", 20, ("short",)),
        ("", 20, ()),
        ("6 5 4 3, hunger 8 2; 6d10 h2", 24, ("6 5 4 3, hunger 8 2;", "6d10 h2")),
        ("9 9 9 9 9, hunger 8 2", 18, ("9 9 9 9 9,", "hunger 8 2")),
        ("aaaa bbbb cccc", 10, ("aaaa bbbb", "cccc")),
        ("ééééé", 4, ("éé", "éé", "é")),
        ("e\u0301e\u0301", 5, ("e\u0301", "e\u0301")),
        ("aa aa aa aa aa", 5, ("aa aa", "aa aa", "aa")),
        ("aaaaaaaaa " * 5, 10, ("aaaaaaaaa", "aaaaaaaaa", "aaaaaaaaa", "aaaaaa ...")),
    ],
)
def test_split_places(text: str, size: int, pieces: tuple[str, ...]) -> None:
    """IRC-20: behind a clause, a comma, a blank; a die stays with what it is, an accent with its letter."""
    assert split(text, size) == pieces


@pytest.mark.parametrize("userhost", ["", "u@h", "~ircdice@some.cloak.example"])
def test_room(userhost: str) -> None:
    """IRC-20: with the prefix that the server puts in front the line is just as long as it may be."""
    size = room("PRIVMSG", "#x", nick="FUDice", userhost=userhost)
    mask = userhost or "u" * 10 + "@" + "h" * 63
    assert len(f":FUDice!{mask} PRIVMSG #x :{'x' * size}\r\n") == 512


@pytest.mark.parametrize(
    ("reply", "heard", "settings", "command"),
    [
        (Reply("n", "#x", "t"), Message("n", "#x", "al", "x"), {}, "PRIVMSG"),
        (Reply("n", "#x", "t"), Message("n", "#x", "al", "x"), {"notice": True}, "NOTICE"),
        (Reply("n", "#x", "t"), None, {"notice": True}, "NOTICE"),
        (Reply("n", "al", "t", private=True), Message("n", "#x", "al", "x"), {}, "NOTICE"),
        (Reply("n", "al", "t", private=True), Message("n", None, "al", "x"), {}, "PRIVMSG"),
        (Reply("n", "bo", "t", private=True), Message("n", None, "al", "x"), {}, "NOTICE"),
        (Reply("n", "al", "t"), Message("n", None, "al", "x"), {"notice": True}, "PRIVMSG"),
        (Reply("n", "al", "t", private=True), None, {}, "NOTICE"),
    ],
)
def test_privmsg_or_notice(reply: Reply, heard: Message | None, settings: dict[str, bool], command: str) -> None:
    """IRC-20, IRC-24: answers as PRIVMSG, side words as NOTICE."""
    assert speech.command(reply, heard, ChannelSettings(**settings)) == command  # type: ignore[arg-type]  # booleans


@pytest.mark.parametrize(
    ("text", "settings", "said"),
    [
        ("al: a\r\nQUIT", {}, "al: a  QUIT"),
        ("al: a\0\x01b\x7f\x85\x9b", {}, "al: ab"),
        ("al: \x02bold\x02 \x0304red", {}, "al: bold 04red"),
        ("al: \x02bold\x02", {"colour": True}, "al: bold"),
        ("al: \ud800x", {}, "al: x"),
        ("`al: x", {}, "to `al: x"),
        ("!roll", {}, "to !roll"),
        ("  .x", {}, "to .x"),
        ('"x" is unknown', {}, '"x" is unknown'),
        ("Not rolled: x", {}, "Not rolled: x"),
        ("al: alx", {"no_highlight": True}, "a\u200bl: alx"),
        ("bo: x", {"no_highlight": True}, "bo: x"),
    ],
)
def test_wording(text: str, settings: dict[str, bool], said: str) -> None:
    """IRC-21: no control characters, nothing that a bot would obey, no ringing where it is not wanted."""
    heard = Message("n", "#x", "al", "x")
    made = ChannelSettings(**settings)  # type: ignore[arg-type]  # booleans
    assert speech.wording(Reply("n", "#x", text), heard, made) == said


def test_unasked_replies_do_not_ring_either() -> None:
    """IRC-21: what is said when time has run out begins with a nick too."""
    made = ChannelSettings(no_highlight=True)
    assert speech.wording(Reply("n", "#x", "al vs bo: lapsed"), None, made) == "a\u200bl vs bo: lapsed"


@given(st.text(max_size=300))
def test_nothing_breaks_a_line(text: str) -> None:
    """IRC-21: whatever a reply holds, it is one line, and can be encoded."""
    said = speech.wording(Reply("n", "#x", text), None, ChannelSettings())
    assert not set(said.encode().decode()) & set("\r\n\0\x01\x10")


@pytest.mark.parametrize("name", ["", "a b", "a,b", ":a", "a\r", "a\0", "a\x01"])
def test_no_target(name: str) -> None:
    """IRC-21: what would make a line two, or its targets two, is nobody's name."""
    assert not speech.is_target(name)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\x01PING 1 2\x01", "\x01PING 1 2\x01"),
        ("\x01ping\x01", "\x01PING \x01"),
        ("\x01PING a\rb\x10r\x01", "\x01PING abr\x01"),
        ("\x01TIME\x01", "\x01TIME 1970-01-01T00:00:00Z\x01"),
        ("\x01ACTION rolls\x01", None),
        ("\x01DCC SEND x\x01", None),
        ("\x01", None),
        ("\x01\x01", None),
        ("\x01VERSION\x01PING\x01", None),
    ],
)
def test_ctcp(text: str, answer: str | None) -> None:
    """IRC-11: VERSION, PING and TIME; everything else is met with silence."""
    assert ctcp.answer(text, 0.0) == answer


def test_ctcp_ping_is_bounded() -> None:
    """IRC-20: nobody makes the bot say a long line."""
    assert len((ctcp.answer(f"\x01PING {'é' * 500}\x01", 0) or "").encode()) <= 110


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("PASS secret", "PASS ***"),
        ("AUTHENTICATE c2VjcmV0", "AUTHENTICATE ***"),
        ("OPER me secret", "OPER me ***"),
        ("JOIN #a,#b secret", "JOIN #a,#b ***"),
        ("JOIN #a", "JOIN #a"),
        ("PRIVMSG NickServ :IDENTIFY secret", "PRIVMSG NickServ ***"),
        ("PRIVMSG #a :PASS on", "PRIVMSG #a :PASS on"),
    ],
)
def test_masked(line: str, shown: str) -> None:
    """IRC-05: secrets stand in no log."""
    assert masked(line) == shown


@pytest.mark.parametrize(
    ("text", "seq", "said"),
    [
        ("al: Success; 9 6, hunger 8 2; x; id 1-a", 1, "al: \x02Success\x02; 9 6, hunger 8 2; x; id 1-a"),
        ("al: Failure; hunger 10x3; x; id 1-a", 1, "al: \x02Failure\x02; hunger 10x3; x; id 1-a"),
        ("odds 5d10 h2: pass 50.0%; fail 50.0%", None, "odds 5d10 h2: pass 50.0%; fail 50.0%"),
    ],
)
def test_colour_is_for_recorded_lines_and_on_the_wire_only(text: str, seq: int | None, said: str) -> None:
    """IRC-21: a verdict in bold where `colour = yes`."""
    reply = Reply("n", "#c", text, seq=seq)
    assert speech.wording(reply, None, ChannelSettings(colour=True)) == said

"""What is said, and in which pieces, by tables."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.bot.message import Message, Reply
from ircdice.settings import ChannelSettings
from ircdice.wire.incoming import ctcp_answer
from ircdice.wire.outgoing import ZERO_WIDTH, guarded, room, split, unhighlighted, worded
from ircdice.wire.protocol import is_target


def wording(reply: Reply, heard: Message | None, settings: ChannelSettings) -> str:
    """The text that is sent, where it fits in one line."""
    return guarded(worded(reply, heard, settings)[1], private=reply.private)


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
    assert worded(reply, heard, ChannelSettings(**settings))[0] == command  # type: ignore[arg-type]  # booleans


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
        ("al: alx", {}, "al: alx"),
    ],
)
def test_wording(text: str, settings: dict[str, bool], said: str) -> None:
    """IRC-21: no control characters, nothing that a bot would obey, no ringing where it is not wanted."""
    heard = Message("n", "#x", "al", "x")
    made = ChannelSettings(**settings)  # type: ignore[arg-type]  # booleans
    assert wording(Reply("n", "#x", text), heard, made) == said


def test_unasked_replies_do_not_ring_either() -> None:
    """IRC-21: what is said when time has run out begins with nicks too; what is whispered may ring."""
    made = ChannelSettings(no_highlight=True)
    assert wording(Reply("n", "#x", "al vs bo: lapsed"), None, made) == "a|l vs b|o: lapsed".replace("|", ZERO_WIDTH)
    assert wording(Reply("n", "al", "al: lapsed", private=True), None, made) == "al: lapsed"


@pytest.mark.parametrize(
    ("nick", "text", "said"),
    [
        ("al", "al: Success; 9 6; 2d10; id 1-a", "a|l: Success; 9 6; 2d10; id 1-a"),
        ("al", "al vs bo: bo wins, 2 to 1; al 9; bo 6 6", "a|l vs b|o: b|o wins, 2 to 1; a|l 9; b|o 6 6"),
        ("bo", "al vs bo: al wins", "a|l vs b|o: a|l wins"),
        ("al", "al vs bo: covered. bo: answer", "a|l vs b|o: covered. b|o: answer"),
        ("al", "bo: yours, al.", "b|o: yours, a|l."),
        ("al", 'al: x; "al and bo"', 'a|l: x; "a|l and bo"'),
        ("al", "al: alabaster, pal, al-x, al's", "a|l: alabaster, pal, al-x, al's"),
        ("a.b", "a.b: axb, a.b", "a|.b: axb, a|.b"),
        ("[x]", "[x]: x, [x]", "[|x]: x, [|x]"),
        ("a", "a: roll a die", "a|: roll a| die"),
        ("al", "AL: x", "A|L: x"),
        ("al", "nobody is named", "nobody is named"),
        ("al", "odds 5d10 h2: pass 50.0%", "odds 5d10 h2: pass 50.0%"),
        ("", "no nick at all", "no nick at all"),
    ],
)
def test_whoever_a_line_is_about_does_not_ring(nick: str, text: str, said: str) -> None:
    """IRC-21: the invisible sign stands in every name that the line is about, wherever it stands, and in no other."""
    assert unhighlighted(text, nick) == said.replace("|", ZERO_WIDTH)


@given(st.text(max_size=300))
def test_nothing_breaks_a_line(text: str) -> None:
    """IRC-21: whatever a reply holds, it is one line, and can be encoded."""
    said = wording(Reply("n", "#x", text), None, ChannelSettings())
    assert not set(said.encode().decode()) & set("\r\n\0\x01\x10")


def test_what_is_to_be_pasted_is_as_it_is() -> None:
    """IRC-21, SC-28: a tag may begin what one person is told; in a channel a bot might take it for its command."""
    tracking = "[note][cantrip], Fire"
    assert wording(Reply("n", "al", tracking, private=True), None, ChannelSettings()) == tracking
    assert wording(Reply("n", "#x", tracking), None, ChannelSettings()) == f"to {tracking}"
    assert wording(Reply("n", "al", "!x", private=True), None, ChannelSettings()) == "to !x"


@pytest.mark.parametrize("name", ["", "a b", "a,b", ":a", "a\r", "a\0", "a\x01"])
def test_no_target(name: str) -> None:
    """IRC-21: what would make a line two, or its targets two, is nobody's name."""
    assert not is_target(name)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\x01PING 1 2\x01", "\x01PING 1 2\x01"),
        ("\x01ping\x01", "\x01PING \x01"),
        ("\x01PING a\rb\x10r\x01", "\x01PING abr\x01"),
        ("\x01TIME\x01", "\x01TIME 1970-01-01T00:00:00Z\x01"),
        ("\x01CLIENTINFO\x01", "\x01CLIENTINFO ACTION CLIENTINFO PING SOURCE TIME VERSION\x01"),
        ("\x01ACTION rolls\x01", None),
        ("\x01DCC SEND x\x01", None),
        ("\x01", None),
        ("\x01\x01", None),
        ("\x01VERSION\x01PING\x01", None),
    ],
)
def test_ctcp(text: str, answer: str | None) -> None:
    """IRC-11, IRC-27: VERSION, PING, TIME, CLIENTINFO and SOURCE; everything else is met with silence."""
    assert ctcp_answer(text, 0.0) == answer


def test_irc_27_ctcp_says_where_the_source_is() -> None:
    """IRC-27: SOURCE is answered, by what the package itself says."""
    assert re.fullmatch("\x01SOURCE (https://\\S+|ircdice [0-9.]+\\S*)\x01", ctcp_answer("\x01SOURCE\x01", 0.0) or "")


def test_ctcp_ping_is_bounded() -> None:
    """IRC-20: nobody makes the bot say a long line."""
    assert len((ctcp_answer(f"\x01PING {'é' * 500}\x01", 0) or "").encode()) <= 110


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
    assert wording(reply, None, ChannelSettings(colour=True)) == said

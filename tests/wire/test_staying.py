"""The nick got back, and channels come back to: line by line."""

from __future__ import annotations

import pytest

from ircdice.config import Join
from ircdice.wire.protocol import Effect, Line, Note, Wake, parse

from .transcript import HELLO, play

NO_CAPS = HELLO + "S: CAP * LS :\nC: CAP END\n"
TAKEN = """
    S: :s 433 * FUDice :Nickname is already in use
    C: NICK Second
    S: :s 001 Second :hi
"""
MONITOR = NO_CAPS + TAKEN + "S: :s 005 Second MONITOR=100 :are supported\n"
SECOND = {"tls": True, "alternate_nicks": ("Second",)}


@pytest.mark.parametrize(
    "talk",
    [
        # the server tells when it is free
        """
        S: :s 376 Second :end
        C: MONITOR + FUDice
        S: :s 730 Second :FUDice!u@h
        S: :s 731 Second :other,FUDICE
        C: NICK FUDice
        S: :Second!u@h NICK :FUDice
        C: MONITOR - FUDice
        S: :s 731 FUDice :FUDice
        """,
        # taken from under our nose: on we wait
        """
        S: :s 376 Second :end
        C: MONITOR + FUDice
        S: :s 731 Second :FUDice
        C: NICK FUDice
        S: :s 433 Second FUDice :Nickname is already in use
        S: :s 730 Second :FUDice!u@h
        S: :s 731 Second :FUDice
        C: NICK FUDice
        """,
        # whoever has it is in a channel with us
        """
        S: :s 376 Second :end
        C: MONITOR + FUDice
        S: :fudice!u@h QUIT :bye
        C: NICK FUDice
        """,
        """
        S: :s 376 Second :end
        C: MONITOR + FUDice
        S: :FUDice!u@h NICK other
        C: NICK FUDice
        """,
        # no room on the server's list: it is asked
        """
        S: :s 376 Second :end
        C: MONITOR + FUDice
        S: :s 734 Second 1 FUDice :Monitor list is full
        in 60: look for nick
        T: look for nick
        C: ISON FUDice
        in 60: look for nick
        S: :s 303 Second :
        C: NICK FUDice
        """,
        # taken away later: the same again
        """
        S: :s 376 Second :end
        C: MONITOR + FUDice
        S: :Second!u@h NICK FUDice
        C: MONITOR - FUDice
        S: :FUDice!u@h NICK Guest1
        C: MONITOR + FUDice
        """,
    ],
)
def test_regaining_by_monitor(talk: str) -> None:
    """IRC-07: the wanted nick is watched by MONITOR, and taken as soon as it falls free."""
    play(MONITOR + talk, **SECOND)


@pytest.mark.parametrize(
    "talk",
    [
        """
        S: :s 376 Second :end
        C: ISON FUDice
        in 60: look for nick
        S: :s 303 Second :fudice
        T: look for nick
        C: ISON FUDice
        in 60: look for nick
        S: :s 303 Second :
        C: NICK FUDice
        S: :Second!u@h NICK FUDice
        T: look for nick
        """,
        """
        S: :s 376 Second :end
        C: ISON FUDice
        in 60: look for nick
        S: :s 303 Second
        C: NICK FUDice
        S: :s 437 Second FUDice :Nick is temporarily unavailable
        T: look for nick
        C: ISON FUDice
        in 60: look for nick
        """,
        # no end of the message of the day
        """
        T: identify or join
        C: ISON FUDice
        in 60: look for nick
        """,
    ],
)
def test_regaining_by_ison(talk: str) -> None:
    """IRC-07: a server without MONITOR is asked once a minute."""
    play(NO_CAPS + TAKEN + talk, **SECOND)


@pytest.mark.parametrize(
    "talk",
    [
        # it is to be had; others come and go meanwhile
        """
        nick: Better
        C: NICK Better
        S: :al!u@h JOIN #x
        S: :FUDice!u@h NICK Better
        S: :al!u@h QUIT :bye
        """,
        # somebody has it
        """
        nick: Better
        C: NICK Better
        S: :s 433 FUDice Better :Nickname is already in use
        C: MONITOR + Better
        S: :s 731 FUDice :Better
        C: NICK Better
        S: :FUDice!u@h NICK Better
        C: MONITOR - Better
        """,
        # it cannot be had now, of which MONITOR says nothing
        """
        nick: Better
        C: NICK Better
        S: :s 447 FUDice Better :Can't change nickname while on #x (+N is set)
        C: MONITOR + Better
        in 60: look for nick
        T: look for nick
        C: ISON Better
        in 60: look for nick
        S: :s 303 FUDice :
        C: NICK Better
        S: :s 432 FUDice Better :Services reserved nickname
        T: look for nick
        C: ISON Better
        in 60: look for nick
        """,
        # given up again before it was had; and the same once more is nothing new
        """
        nick: Better
        C: NICK Better
        S: :s 433 FUDice Better :Nickname is already in use
        C: MONITOR + Better
        nick: FUDice
        C: MONITOR - Better
        nick: FUDice
        S: :Better!u@h QUIT :bye
        """,
        # a numeric that is about a channel
        """
        nick: Better
        C: NICK Better
        S: :s 437 FUDice #other :Channel is temporarily unavailable
        S: :FUDice!u@h NICK Better
        """,
    ],
)
def test_another_nick_by_a_reload(talk: str) -> None:
    """IRC-07, IRC-25: the nick of the config as it is now is asked for, and looked out for where it is refused."""
    welcome = "S: :s 001 FUDice :hi\nS: :s 005 FUDice MONITOR=100 :are supported\nS: :s 376 FUDice :end\n"
    play(NO_CAPS + welcome + talk, tls=True)


def test_a_nick_that_cannot_be_had_is_logged_once() -> None:
    """IRC-07: the server's reason, and not again with each attempt."""
    one = play(MONITOR + "S: :s 376 Second :end\nC: MONITOR + FUDice", **SECOND)
    effects: list[Effect] = []
    for said in (":s 731 Second :FUDice", ":s 432 Second FUDice :Held by services") * 2:
        effects += one.receive(parse(said) or Line(""), 0.0)
    notes = [effect.detail for effect in effects if isinstance(effect, Note)]
    assert notes == ["FUDice: 432 Held by services"]
    assert [effect.seconds for effect in effects if isinstance(effect, Wake)] == [60.0]


def test_regaining_through_services() -> None:
    """IRC-07: known to services, the bot asks them for its nick, by REGAIN and by GHOST: one is known to any."""
    play(
        MONITOR
        + """
        S: :s 900 Second Second!u@h dice :You are now logged in as dice
        S: :s 376 Second :end
        C: PRIVMSG NickServ :REGAIN FUDice
        C: PRIVMSG NickServ :GHOST FUDice
        C: MONITOR + FUDice
        S: :NickServ!s@s NOTICE Second :Unknown command GHOST
        """,
        **SECOND,
    )


def test_a_nick_cut_short_is_ours() -> None:
    """IRC-07, IRC-09: where NICKLEN cuts the wanted nick, what is left of it is not taken for another's."""
    play(NO_CAPS + "S: :s 001 FUDi :hi\nS: :s 005 FUDi NICKLEN=4 :are\nS: :s 376 FUDi :end\n", tls=True)


IN = NO_CAPS + "S: :s 001 FUDice :hi\nS: :s 376 FUDice :end\nC: JOIN #key,#x sesame\nS: :FUDice!u@h JOIN #x\n"
ROOMS = {"tls": True, "channels": (Join("#x"), Join("#key", "sesame"))}


@pytest.mark.parametrize(
    ("talk", "values"),
    [
        # a growing pause, at most five times in an hour
        (
            "".join(
                f"S: :op!u@h KICK #x FUDice :out\nC {pause}: JOIN #x\nS: :FUDice!u@h JOIN #x\n"
                for pause in (1, 4, 16, 64, 256)
            )
            + "S: :op!u@h KICK #x FUDice :out\n",
            {},
        ),
        ("S: :FUDice!u@h JOIN #key\nS: :op!u@h KICK #KEY fudice :out\nC 1: JOIN #KEY sesame", {}),
        ("S: :op!u@h KICK #x other :out", {}),
        # put out by PART, which is not what the bot asked for
        ("S: :FUDice!u@h PART #x :Removed\nC 1: JOIN #x", {}),
        ("S: :FUDice!u@h JOIN ##other\nS: :FUDice!u@h PART ##other", {}),
        # refused: told in the log, and tried again, less and less often
        ("S: :s 471 FUDice #key :full\nC 60: JOIN #key sesame\nS: :s 473 FUDice #key :no", {}),
        ("S: :s 474 FUDice #key :banned\nC 60: JOIN #key sesame", {}),
        ("S: :s 475 FUDice #key :bad key\nC 60: JOIN #key sesame", {}),
        ("S: :s 477 FUDice #key :register\nC 60: JOIN #key sesame", {}),
        ("S: :s 476 FUDice #key :bad mask", {}),
        ("S: :s 474 FUDice #other :banned", {}),
        ("S: :s 470 FUDice #key ##key :Forwarding to another channel\nS: :FUDice!u@h JOIN ##key", {}),
        # INVITE: to where the config says
        ("S: :al!u@h INVITE FUDice #other\nnote: invited by al: declined", {}),
        ("S: :al!u@h INVITE FUDice :#key\nnote: invited by al: accepted\nC: JOIN #key sesame", {}),
        ("S: :al!u@h INVITE FUDice #other\nnote: invited by al: accepted\nC: JOIN #other", {"accept_invites": True}),
        ("S: :al!u@h INVITE FUDice #a,#b\nnote: invited by al: declined", {"accept_invites": True}),
        ("S: :al!u@h INVITE FUDice 0\nnote: invited by al: declined", {"accept_invites": True}),
        ("S: :al!u@h INVITE FUDice\nnote: invited by al: declined", {"accept_invites": True}),
        ("S: :al!u@h INVITE other #other", {"accept_invites": True}),
        ("S: :al!u@h INVITE FUDice #x", {"accept_invites": True}),
    ],
)
def test_channels(talk: str, values: dict[str, object]) -> None:
    """IRC-08: keys, coming back after a KICK, refusals, forwards, INVITE."""
    play(IN + talk, **ROOMS | values)


def test_as_many_joins_at_once_as_the_server_takes() -> None:
    """IRC-09: TARGMAX, which is known before the channels are joined."""
    play(
        NO_CAPS
        + """
        S: :s 001 FUDice :hi
        S: :s 005 FUDice TARGMAX=NAMES:1,JOIN:2,PRIVMSG: :are
        S: :s 376 FUDice :end
        C: JOIN #a,#b
        C: JOIN #c
        """,
        tls=True,
        channels=(Join("#a"), Join("#b"), Join("#c")),
    )

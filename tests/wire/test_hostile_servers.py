"""A server that floods the bot: what the bot keeps of it is bounded by number (IRC-28)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ircdice.config import Join, Limits
from ircdice.wire.channels import MOST_JOINED, MOST_MEMBERS
from ircdice.wire.protocol import Caller, Effect, Send, parse
from ircdice.wire.rate_limit import MOST_BUCKETS, MOST_WARNED, Admission, CommandLimits
from ircdice.wire.session import Session

from .bots import config, network, running, settled
from .plays import SAY
from .scripted import Scripted, scripted
from .transcript import session

MANY = MOST_MEMBERS + 500


def inside() -> Session:
    """A session that is in #x, and knows `al` there."""
    one = session(channels=(Join("#x"),))
    said(one, (":s 001 FUDice :hi", ":s 005 FUDice WHOX :are", ":FUDice!u@h JOIN #x", ":s 353 FUDice = #x :@al"))
    return one


def said(one: Session, lines: Iterable[str]) -> Iterator[Effect]:
    """What the lines bring about."""
    return iter([effect for text in lines if (line := parse(text)) for effect in one.receive(line, 0.0)])


NAMED = {
    "JOIN": lambda number: f":n{number}!u@h JOIN #x",
    "NAMES": lambda number: f":s 353 FUDice = #x :@n{number} @v{number} +h{number}",
    "WHO": lambda number: f":s 354 FUDice 152 #x u h{number} n{number} account{number}",
}
UNHEARD_OF = {
    "MODE": lambda number: f":op!u@h MODE #x +ooo a{number} b{number} c{number}",
    "NICK": lambda number: f":n{number}!u@h NICK n{number + 1}",
    "ACCOUNT": lambda number: f":n{number}!u@h ACCOUNT a{number}",
    "long names": lambda number: f":{'n' * 5_000}{number}!u@h JOIN #x",
}


@pytest.mark.parametrize("kind", NAMED)
def test_irc_28_names_are_bounded(kind: str) -> None:
    """IRC-28: so many names are remembered and no more; those that were known stay so."""
    one = inside()
    said(one, map(NAMED[kind], range(MANY)))
    assert len(one.roster) == MOST_MEMBERS + 1, "members and channels"
    assert one.roster.is_operator("#x", "al")
    assert not one.roster.is_operator("#x", f"n{MANY - 1}")


@pytest.mark.parametrize("kind", UNHEARD_OF)
def test_irc_28_who_is_not_there_is_not_remembered(kind: str) -> None:
    """IRC-28: nor is a name that no server gives."""
    one = inside()
    said(one, map(UNHEARD_OF[kind], range(1000)))
    assert len(one.roster) == 2
    assert one.roster.is_operator("#x", "al")


def test_irc_28_a_nick_that_changes_is_one_member() -> None:
    """IRC-28: however often somebody changes the nick, the others are remembered, and that one with the rank."""
    one = inside()
    said(one, (":al!u@h NICK n0", *(f":n{number}!u@h NICK n{number + 1}" for number in range(MANY))))
    said(one, (":bo!u@h JOIN #x", ":s 366 FUDice #x :end"))
    assert (len(one.roster), one.roster.is_operator("#x", f"n{MANY}")) == (3, True)
    assert (one.roster.is_absent("#x", "al"), one.roster.is_absent("#x", "bo")) == (True, False)


def test_irc_28_nobody_is_called_absent_from_a_list_that_was_cut() -> None:
    """IRC-28: where not all names could be kept the bot does not claim to know who is there."""
    one = inside()
    said(one, (":s 366 FUDice #x :end",))
    assert one.roster.is_absent("#x", "bo")
    said(one, map(NAMED["JOIN"], range(MANY)))
    assert not one.roster.is_absent("#x", "bo")
    said(one, (":s 366 FUDice #x :end",))
    assert not one.roster.is_absent("#x", "bo")


def test_irc_28_channels_are_bounded() -> None:
    """IRC-28: nobody is in more channels than that, whatever the server says."""
    one = inside()
    effects = said(one, (f":FUDice!u@h JOIN #y{number}" for number in range(3 * MOST_JOINED)))
    assert len(one.roster.joined) == MOST_JOINED
    assert sum(isinstance(effect, Send) for effect in effects) < MOST_JOINED
    one.config = replace(one.config, accept_invites=True)
    assert not [effect for effect in said(one, [":al!u@h INVITE FUDice #z"]) if isinstance(effect, Send)]


def test_irc_28_one_try_is_due_however_often_a_channel_refuses() -> None:
    """IRC-28, IRC-08: a flood of refusals causes one JOIN, after a minute."""
    one = session(channels=(Join("#x"),))
    said(one, (":s 001 FUDice :hi",))
    effects = said(one, (":s 471 FUDice #x :full" for _ in range(1000)))
    assert [effect for effect in effects if isinstance(effect, Send)] == [Send("JOIN #x", later=60.0)]


def test_irc_28_kicks_from_ever_new_channels_are_bounded() -> None:
    """IRC-28: a lying server causes no more JOINs than there may be channels."""
    one = inside()
    lines = (text for n in range(3 * MOST_JOINED) for text in (f":FUDice!u@h JOIN #k{n}", f":op!u@h KICK #k{n} FUDice"))
    joins = [effect for effect in said(one, lines) if isinstance(effect, Send) and effect.later]
    assert len(joins) == MOST_JOINED


def test_irc_28_buckets_and_warnings_are_bounded() -> None:
    """IRC-28: past so many names all new ones share one bucket until others refill, and so many users are warned."""
    limits = CommandLimits(Limits(1, 3600.0, channel_burst=1, channel_interval=0))
    callers = [Caller(f"n{number}", f"h{number}", "#x") for number in range(MOST_BUCKETS // 2 + 3000)]
    verdicts = [limits.reserve(caller, 0) for caller in callers]
    assert MOST_BUCKETS < len(limits) <= MOST_BUCKETS + 3
    assert verdicts.count(Admission.HEARD) == MOST_BUCKETS // 2 + 1
    assert verdicts.count(Admission.TOO_FAST) == MOST_WARNED
    newcomers = [Caller(f"m{number}", f"m{number}", "#x") for number in range(3)]
    assert [limits.reserve(caller, 3600) for caller in newcomers] == [Admission.HEARD] * 3


async def test_irc_28_a_server_that_reads_nothing_is_read_no_more(tmp_path: Path) -> None:
    """IRC-28: PINGs whose answers nobody takes fill no memory; when the server reads again all goes on."""
    block = b"".join(b"PING :%d%s\r\n" % (number, b"x" * 400) for number in range(2000))

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.reads.clear()
        server.says(block * 4)
        assert await settled(server.unread) > 2 * len(block), "the bot took more than half"
        server.reads.set()
        server.says(SAY + b"on\r\n")
        await server.gets("al: on$")

    path = tmp_path / "irc.sock"
    there = {"host": "", "socket": path, "flood_interval": 0.001}
    async with scripted(script, path=path) as (_, done), running(config(network(1, "#x", **there))):
        await done


@pytest.mark.parametrize("line", ["INVITE FUDice #y", "NICK FUDice", "KICK #x FUDice", "ERROR"])
async def test_irc_28_log_lines_are_bounded(line: str, caplog: pytest.LogCaptureFixture) -> None:
    """IRC-28: a flood of events is counted in the log, not listed."""
    caplog.set_level(logging.INFO)

    async def script(server: Scripted) -> None:
        await server.lets_in()
        source = ":op!u@h" if "FUDice #y" in line or "KICK" in line else ":FUDice!u@h"
        for _ in range(100):
            server.says(f"{source} {line} :{'x' * 300}\r\n:FUDice!u@h JOIN #x\r\n".encode() * 100)
            await server.drains()
        server.says(b"PING :end\r\n")
        await server.gets("^PONG :end")

    async with scripted(script) as (port, done), running(config(network(port, "#x"))):
        await done
    assert 1000 < len(caplog.records) < 5000


@pytest.mark.parametrize("nick", ["", "\x01", "\x02\x1f", "two words", "a,b"])
@pytest.mark.parametrize("line", [":FUDice!u@h NICK :{}", ":al!u@h NICK :{}", ":s 001 :{}"])
def test_irc_10_what_is_no_nick_is_not_believed(line: str, nick: str) -> None:
    """IRC-10: neither the bot nor anybody else is called so from now on."""
    one = inside()
    assert not list(said(one, [line.format(nick)]))
    assert one.roster.me == "FUDice"
    assert one.roster.is_operator("#x", "al")

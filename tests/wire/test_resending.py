"""Replies that could not be sent, and how the bot's side learns which ones are out."""

from __future__ import annotations

import asyncio
import re
from time import time

import pytest

from ircdice.bot.message import Reply
from ircdice.wire.connection import Timeouts

from . import servers
from .bots import Log, Rolls, config, network, running
from .plays import SAY
from .scripted import HELLO, Scripted, scripted
from .servers import Server
from .tables import on_both, table


def roll(number: int, text: str = "") -> str:
    return f"al: {text or number}; id {number}-abc"


def says(*numbers: int) -> bytes:
    return b"".join(SAY + f"{number}\r\n".encode() for number in numbers)


async def test_lines_in_a_row_share_one_ping() -> None:
    """LED-06, IRC-22: one PING confirms a single line, and one confirms four that were sent in a row."""
    bot = Rolls()

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(says(1))
        assert [await server.gets("") for _ in range(2)] == [f"PRIVMSG #x :{roll(1)}", "PING :ircdice-1"]
        server.says(says(2, 3, 4, 5))
        assert [await server.gets("") for _ in range(4)] == [f"PRIVMSG #x :{roll(number)}" for number in range(2, 6)]
        assert await server.gets("") == "PING :ircdice-5"
        assert await bot.tells(5) == [1, 2, 3, 4, 5]

    async with scripted(script) as (port, done), running(config(network(port, "#x", flood_burst=50)), bot):
        await asyncio.wait_for(done, 60)


async def test_a_line_is_confirmed_soon() -> None:
    """LED-06: not only with the next tick, as a bot that is killed says again what is not confirmed."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(says(1))
        await server.gets("^PING :ircdice-1$")
        assert await bot.tells(1) == [1]

    bot, timeouts = Rolls(), Timeouts(tick=600.0)
    async with scripted(script) as (port, done), running(config(network(port, "#x")), bot, timeouts=timeouts):
        await asyncio.wait_for(done, 60)


async def test_a_broken_connection_loses_no_reply() -> None:
    """IRC-23: what was not sent when the connection broke is sent after the rejoin, once and in order."""

    async def breaks(server: Scripted) -> None:
        await server.lets_in()
        server.says(says(1, 2))
        await server.gets("al: 2;")
        assert await bot.tells(2) == [1, 2]
        server.says(says(3, 4, 5, 6))
        await bot.hears(6)
        await server.hangs_up()

    async def stands(server: Scripted) -> None:
        await server.lets_in()
        server.says(says(7))
        assert [await server.gets("^PRIVMSG") for _ in range(5)] == [
            f"PRIVMSG #x :{roll(number)}" for number in range(3, 8)
        ]
        assert await bot.tells(7) == list(range(1, 8))

    bot, pace = Rolls(), {"flood_burst": 4, "flood_interval": 2.0}
    async with scripted(breaks, stands) as (port, done), running(config(network(port, "#x", **pace)), bot):
        await asyncio.wait_for(done, 60)


async def test_nothing_is_sent_before_the_welcome() -> None:
    """IRC-23: a private reply that is due while the bot registers waits for the server to accept it."""
    bot = Rolls()

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        bot.fleet.deliver(Reply("test", "al", "psst; id 1-abc", private=True, seq=1), None)
        server.says(b"PING :early\r\n")
        await server.gets("^PONG :early")
        assert not any("psst" in line for line in server.got)
        server.says(b":s CAP * LS :\r\n", HELLO)
        await server.gets("^NOTICE al :psst")

    async with scripted(script) as (port, done), running(config(network(port, "#x")), bot):
        await asyncio.wait_for(done, 60)


async def test_what_is_not_vouched_for_comes_again() -> None:
    """IRC-23, LED-06: of a line that the server may not have taken it is better to hear twice than never."""

    async def breaks(server: Scripted) -> None:
        await server.lets_in()
        server.says(says(1))
        await server.gets("al: 1;")
        await server.hangs_up()

    async def stands(server: Scripted) -> None:
        await server.lets_in()
        await server.gets(f"^PRIVMSG #x :{roll(1)}$")

    bot = Rolls()
    async with scripted(breaks, stands) as (port, done), running(config(network(port, "#x")), bot):
        await asyncio.wait_for(done, 60)


async def test_a_server_that_answers_no_ping_hears_nothing_twice_while_it_stands() -> None:
    """IRC-23: nothing is repeated on one connection, whatever the server leaves unanswered."""

    async def mute(server: Scripted) -> None:
        server.confirms = False
        await server.lets_in()
        server.says(says(1, 2))
        await server.gets("^PING :ircdice-")
        server.says(says(3))
        await server.gets("al: 3;")
        server.says(b"PING :end\r\n")
        await server.gets("^PONG :end")
        said = [line for line in server.got if line.startswith("PRIVMSG")]
        assert said == [f"PRIVMSG #x :{roll(number)}" for number in (1, 2, 3)]
        assert sum(line.startswith("PING") for line in server.got) == 1

    async with scripted(mute) as (port, done), running(config(network(port, "#x")), Rolls()):
        await asyncio.wait_for(done, 60)


async def test_what_an_earlier_run_left_is_said_after_the_join() -> None:
    """IRC-23, LED-06: replies found undelivered at the start: fresh ones as they were, of old ones the ids."""

    async def stands(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :\r\n", b":s 001 FUDice :hi\r\n")
        await server.gets("^NOTICE bo :bo: 3; id 3-abc$")
        server.says(b":FUDice!u@h JOIN #X\r\n")
        ids = "made earlier, and may not have been shown here: id"
        await server.gets(f"^PRIVMSG #x :This roll was {ids} 1-abc$")
        await server.gets(f"^PRIVMSG #x :{roll(2)}$")
        assert sum(line.startswith("PRIVMSG") for line in server.got) == 2
        assert await bot.tells(3) == [3, 1, 2]

    bot, now = Rolls(), int(time() * 1000)
    async with scripted(stands) as (port, done), running(config(network(port, "#x")), bot):
        bot.fleet.post(
            [
                (Reply("test", "#x", roll(1), seq=1), now - 61_000),
                (Reply("test", "#x", roll(2), seq=2), now - 5_000),
                (Reply("test", "bo", "bo: 3; id 3-abc", private=True, seq=3), now),
                (Reply("gone", "#x", roll(4), seq=4), now),
            ]
        )
        await asyncio.wait_for(done, 60)


async def test_a_hook_that_fails_costs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-23: a record that cannot be marked is in the log, and the bot goes on."""

    class Fails(Rolls):
        def delivered(self, reply: Reply) -> None:
            raise OSError("disk full")

    async def stands(server: Scripted) -> None:
        await server.lets_in()
        for number in (1, 2):
            server.says(says(number))
            await server.gets(f"al: {number};")
            await server.gets("^PING")

    async with scripted(stands) as (port, done), running(config(network(port, "#x")), Fails()):
        await asyncio.wait_for(done, 60)
    assert "disk full" in caplog.text


@on_both
async def test_every_reply_that_is_out_is_told(server: Server) -> None:
    """IRC-23: on a real server each recorded reply is known to be out soon after it was sent, and once."""
    async with table(server, hearer=Rolls(), flood_burst=20) as seats:
        seats.alice.say(seats.room, *(f"say {number}" for number in range(1, 6)))
        await seats.alice.sees("; id 5-abc$")
        assert isinstance(seats.hearer, Rolls)
        assert sorted(await seats.hearer.tells(5)) == [1, 2, 3, 4, 5]


@on_both
async def test_what_waits_at_a_kick_is_said_after_it(server: Server) -> None:
    """IRC-23: kicked with answers waiting, the bot gives them when it is back; nothing is sent meanwhile."""
    async with table(server, alice_first=True, hearer=Rolls(), flood_burst=3, flood_interval=0.1) as seats:
        alice, room = seats.alice, seats.room
        alice.say(room, *(f"say {number}" for number in range(1, 9)))
        await alice.sees("; id 2-abc$")
        alice.send(f"KICK {room} {seats.bot} :out")
        await alice.sees(f":{seats.bot}!\\S+ JOIN ")
        await alice.sees("; id 8-abc$")
        said = [found[1] for line in alice.seen if (found := re.search(r"; id (\d+)-abc$", line))]
        assert list(dict.fromkeys(said)) == [str(number) for number in range(1, 9)]


async def test_what_waits_at_a_forced_part_is_sent_after_it() -> None:
    """IRC-23: services made the bot leave with answers waiting: it sends them when it is back, and not before."""

    async def parts(server: Scripted) -> None:
        await server.lets_in()
        server.says(says(1, 2, 3))
        await server.gets("al: 1;")
        server.says(b":FUDice!u@h PART #x :SAPART\r\n", b"PING :end\r\n")
        await server.gets("^PONG :?end")
        left = len(server.got)
        await server.gets("^JOIN #x")
        assert not [line for line in server.got[left:] if line.startswith("PRIVMSG")]
        server.says(b":FUDice!u@h JOIN #x\r\n")
        await server.gets(f"^PRIVMSG #x :{roll(3)}$")

    pace = {"flood_burst": 1, "flood_interval": 0.2}
    async with scripted(parts) as (port, done), running(config(network(port, "#x", **pace)), Rolls()):
        await asyncio.wait_for(done, 60)


@pytest.mark.parametrize(
    "opening",
    [
        b":al!u@h MODE #X +v fudice\r\n",
        b":al!u@h MODE #x -o+bh bo *!*@bad FUDice\r\n",
        b":al!u@h MODE #x -m\r\n",
        b":al!u@h KICK #x FUDice :out\r\n:FUDice!u@h JOIN #x\r\n",
    ],
)
async def test_what_a_channel_refuses_waits_for_a_word_of_the_bot(opening: bytes) -> None:
    """IRC-23: a refused line comes again when the bot may speak, and not whenever somebody comes in or is ranked."""

    async def refuses(server: Scripted) -> None:
        await server.lets_in()
        server.says(b":s 005 FUDice PREFIX=(ohv)@%+ CHANMODES=beI,k,l,imnt :are supported\r\n", says(1))
        await server.gets("al: 1;")
        server.says(b":s 404 FUDice #x :Cannot send to channel\r\n", b":bo!u@h JOIN #x\r\n")
        server.says(b":al!u@h MODE #x +o-v bo FUDice\r\n:al!u@h MODE #x +mbl-o *!*@bad 9 bo\r\n", b"PING :end\r\n")
        await server.gets("^PONG :?end")
        assert sum("al: 1;" in line for line in server.got) == 1
        server.says(opening)
        await server.gets(f"^PRIVMSG #x :{roll(1)}$")

    async with scripted(refuses) as (port, done), running(config(network(port, "#x")), Rolls()):
        await asyncio.wait_for(done, 60)


async def test_what_found_nobody_is_told_to_nobody_else() -> None:
    """IRC-23, IRC-26: a whisper to a nick that nobody has is kept for nobody else, now or in the ledger.

    The metrics do not count it as delivered.
    """

    async def breaks(server: Scripted) -> None:
        await server.lets_in()
        server.says(b":al!u@h PRIVMSG #x :psst secret\r\n")
        await server.gets("^NOTICE al :secret")
        server.says(b":s 401 FUDice al :No such nick/channel\r\n")
        assert await bot.tells(1) == [1]
        delivered = bot.fleet.metrics.registry.get_sample_value("ircdice_replies_delivered_total", {"network": "test"})
        assert delivered == 0
        await server.hangs_up()

    async def stands(server: Scripted) -> None:
        await server.lets_in()
        server.says(says(2))
        await server.gets("^PRIVMSG #x :al: 2;")
        assert not any("secret" in line for line in server.got)

    bot = Rolls()
    async with scripted(breaks, stands) as (port, done), running(config(network(port, "#x")), bot):
        await asyncio.wait_for(done, 60)


@on_both
async def test_a_moderated_channel_hears_when_it_may(server: Server) -> None:
    """IRC-23: what +m kept back is said when the bot has a voice; the refusal is in no way a delivery."""
    async with table(server, alice_first=True, hearer=Rolls(), flood_burst=9) as seats:
        alice, room, bot = seats.alice, seats.room, seats.hearer
        assert isinstance(bot, Rolls)
        alice.send(f"MODE {room} +m")
        await alice.sees(f"MODE {room} .*m")
        with Log() as log:
            alice.say(room, "say unheard")
            await log.says(f"{room} not sent|not sent 1 to {room}")
        assert bot.told == []
        alice.send(f"MODE {room} +v {seats.bot}")
        await alice.sees(": unheard; id 1-abc$")
        assert await bot.tells(1) == [1]


async def test_a_restart_in_the_middle_of_a_burst(server_packages: None) -> None:
    """IRC-23: the server goes down with answers waiting; each of them is said when it is back, in order."""
    server = await asyncio.to_thread(servers.ngircd, flood_limit=False)
    try:
        async with table(server, hearer=Rolls(), flood_burst=3, flood_interval=0.2, reconnect_first=0.5) as seats:
            bot, room, alice = seats.hearer, seats.room, seats.alice
            assert isinstance(bot, Rolls)
            alice.say(room, *(f"say {number}" for number in range(1, 41)))
            await alice.sees("; id 2-abc")
            await bot.hears(40)
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
            await alice.connect(server.port, room)
            await alice.sees("; id 40-abc$")
            assert sorted(set(await bot.tells(40))) == list(range(1, 41))
        said = [int(number) for number in re.findall(r"; id (\d+)-abc", "\n".join(alice.seen))]
        assert list(dict.fromkeys(said)) == sorted(set(said))
    finally:
        server.remove()

"""More comes in than may go out, and the end comes in the middle: nothing that the bot was given is lost."""

from __future__ import annotations

import asyncio
import logging

import pytest

from ircdice.bot.message import Message, Reply
from ircdice.config import Limits
from ircdice.wire.connection import Timeouts
from ircdice.wire.outgoing import MOST, MOST_IN_LANE, MOST_WITH_ASIDES

from .bots import Echo, Rolls, config, network, running, settled
from .plays import SAY, play
from .scripted import HELLO, JOINED, Scripted, scripted

BURST = 3
MORE = 160  # than wait: the first answers share the few lines that may go out
SLOW = {"flood_burst": BURST + 1, "flood_interval": 60.0}  # the JOIN takes one


def told(server: Scripted) -> int:
    """How many answers have gone out."""
    return sum(line.count("al: ") for line in server.got if line.startswith("PRIVMSG"))


def said(channel: str, count: int) -> bytes:
    return b"".join(f":al!u@h PRIVMSG {channel} :say {number}\r\n".encode() for number in range(count))


async def test_the_bot_is_asked_for_no_more_than_may_be_said(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-22, IRC-15: one channel holds so many unsent answers, all together so many; the rest waits unread.

    When the connection is lost the rest is dropped, as nothing of it was given to the bot, and the log says so.
    """
    counts: list[int] = []

    async def flooded(server: Scripted) -> None:
        await server.lets_in()
        server.says(said("#x", MOST_IN_LANE + MORE))
        await settled(lambda: len(hearer.heard))
        for _ in range(BURST):
            await server.gets("^PRIVMSG")
        counts.append(await settled(lambda: len(hearer.heard)) - told(server))
        for number in range(9):
            server.says(f":FUDice!u@h JOIN #{number}\r\n".encode(), said(f"#{number}", 150))
        counts.append(await settled(lambda: len(hearer.heard)) - told(server))
        await server.hangs_up()

    async def resumes(server: Scripted) -> None:
        await server.lets_in()
        await server.gets("^PRIVMSG #x :al: 0 ")

    hearer, soon = Echo(), Timeouts(leave=0.1)
    async with (
        scripted(flooded, resumes) as (port, done),
        running(config(network(port, "#x", **SLOW)), hearer, timeouts=soon),
    ):
        await done
    assert counts == [MOST_IN_LANE, MOST]
    dropped = [record for record in caplog.records if record.getMessage() == "dropped"]
    assert [getattr(record, "detail", "").split()[0] for record in dropped] == [
        str(MOST_IN_LANE + MORE + 1350 - len(hearer.heard))
    ]


class Failing(logging.Handler):
    """A log that cannot be written at one event."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "dropped":
            raise OSError("the disk is full")


async def test_a_fault_at_the_end_of_a_connection_leaves_nothing_in_the_queue() -> None:
    """IRC-23: even then, waiting lines are sent after the next join, and not to a channel where the bot is not yet."""

    async def flooded(server: Scripted) -> None:
        await server.lets_in()
        server.says(said("#x", MOST_IN_LANE + MORE))
        await settled(lambda: len(hearer.heard))
        await server.hangs_up()

    async def resumes(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :\r\n", HELLO)
        await server.gets("^JOIN ")
        assert not told(server)
        server.says(JOINED)
        await server.gets("^PRIVMSG #x :al: [0-9]")

    hearer, soon, failing = Echo(), Timeouts(leave=0.1, tick=600.0), Failing()
    logging.getLogger("ircdice.wire").addHandler(failing)
    try:
        async with (
            scripted(flooded, resumes) as (port, done),
            running(config(network(port, "#x", **SLOW)), hearer, timeouts=soon),
        ):
            await asyncio.wait_for(done, 60)
    finally:
        logging.getLogger("ircdice.wire").removeHandler(failing)


@pytest.mark.parametrize(("count", "queued"), [(MOST_WITH_ASIDES // 2, True), (MOST_WITH_ASIDES + BURST, False)])
async def test_where_much_waits_ctcp_and_warnings_are_left_out(count: int, queued: bool) -> None:
    """IRC-22: they do not fill the queue; what was recorded has its place in any case."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(said("#x", count))
        await settled(lambda: len(bot.heard))
        before = bot.fleet.status()
        server.says(b":al!u@h PRIVMSG FUDice :\x01PING 1\x01\r\n", b"PING :done\r\n")
        await server.gets("^PONG :done$")
        assert (bot.fleet.status() != before) is queued

    bot = Rolls()
    async with (
        scripted(script) as (port, done),
        running(config(network(port, "#x", **SLOW)), bot, timeouts=Timeouts(leave=0.1)),
    ):
        await asyncio.wait_for(done, 60)


async def test_no_command_is_begun_in_leaving_while_answers_wait() -> None:
    """IRC-25: its record might never be posted."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(said("#x", MOST_IN_LANE + MORE))
        begun = await settled(lambda: len(bot.heard))
        leaving = asyncio.create_task(bot.fleet.leave())
        await server.gets("^QUIT")
        assert len(bot.heard) == begun
        await server.hangs_up()
        await leaving

    bot, pace = Rolls(), {"flood_burst": BURST, "flood_interval": 0.3}
    async with (
        scripted(script) as (port, done),
        running(config(network(port, "#x", **pace)), bot, timeouts=Timeouts(leave=1.0)),
    ):
        await asyncio.wait_for(done, 60)


async def test_all_is_answered_in_order_when_there_is_time() -> None:
    """IRC-22: what waits is answered once each, in order, neighbours in one line while more than 20 wait."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(said("#x", 400))
        lines: list[str] = []
        while not lines or not lines[-1].endswith("al: 399"):
            lines.append(await server.gets("^PRIVMSG"))
        assert " | ".join(line.removeprefix("PRIVMSG #x :") for line in lines) == " | ".join(
            f"al: {number}" for number in range(400)
        )
        assert len(lines) < 40

    await play(script, flood_burst=5, flood_interval=0.005)


async def test_leaving_begins_nothing_that_cannot_be_said() -> None:
    """IRC-25: with no time to say more, no more is given to the bot."""
    ready = asyncio.Event()

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(said("#x", MOST_IN_LANE + MORE))
        await settled(lambda: len(hearer.heard))
        ready.set()
        await server.gets("^QUIT")
        waiting.append(len(hearer.heard) - told(server))
        await server.hangs_up()

    hearer, waiting = Echo(), list[int]()
    async with scripted(script) as (port, done):
        made = config(network(port, "#x", **SLOW))
        async with running(made, hearer, timeouts=Timeouts(leave=0.2)):
            await asyncio.wait_for(ready.wait(), 60)
        await asyncio.wait_for(done, 60)
    assert waiting == [MOST_IN_LANE]


class Slow(Echo):
    """Takes its time, and notes what it came to the end of."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go_on, self.ended = asyncio.Event(), asyncio.Event(), False

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        return await self._slowly() or await super().hear(message)

    async def _slowly(self) -> tuple[Reply, ...]:
        self.begun.set()
        await self.go_on.wait()
        self.ended = True
        return ()


class SlowDue(Slow):
    """As `Slow`, for what falls due."""

    async def due(self, modes: object) -> tuple[Reply, ...]:
        return await self._slowly()


@pytest.mark.parametrize("kind", [Slow, SlowDue])
async def test_a_record_under_way_is_not_cut_off(kind: type[Slow]) -> None:
    """IRC-25: the bot is left only when it has done what it was at, though the connection is gone."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(SAY + b"x\r\n")
        await bot.begun.wait()
        await server.hangs_up()

    bot = kind()
    async with scripted(script) as (port, done):
        async with running(config(network(port, "#x")), bot):
            await asyncio.wait_for(done, 60)
            asyncio.get_running_loop().call_later(0.2, bot.go_on.set)
        assert bot.ended


class Due(Echo):
    """Has three things to say unasked; the first one breaks in the wire."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def due(self, modes: object) -> tuple[Reply, ...]:
        if not self.heard:
            return ()
        broken: object = 5
        texts = (broken, "two", "three")
        return tuple(Reply("test", "#x", text, seq=1) for text in texts)  # type: ignore[arg-type]  # the defect


async def test_one_that_fails_takes_no_other_with_it(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-01: what falls due is told, each by itself."""
    caplog.set_level(logging.ERROR)

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(SAY + b"x\r\n")
        for text in ("al: x", "two", "three"):
            await server.gets(f"^PRIVMSG #x :{text}$")

    bot = Due()
    async with scripted(script) as (port, done), running(config(network(port, "#x")), bot):
        await asyncio.wait_for(done, 60)
    assert "could not be sent: record 1" in caplog.text


async def test_ctcp_has_a_purse_of_its_own() -> None:
    """IRC-15: a flood of CTCP is answered a few times, and whoever sent it may still roll."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(b":al!u@h PRIVMSG FUDice :\x01PING 1\x01\r\n" * 30, SAY + b"x\r\n")
        await server.gets("^PRIVMSG #x :al: x$")
        server.says(b"PING :done\r\n")
        await server.gets("^PONG :done$")
        assert sum("PING 1" in line for line in server.got) == 4

    limits = Limits(user_burst=1, user_interval=60.0)
    async with scripted(script) as (port, done), running(config(network(port, "#x", flood_burst=50), limits=limits)):
        await asyncio.wait_for(done, 60)


async def test_irc_28_events_past_the_limit_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-28: a server cannot fill the log; how many events are missing is logged as soon as there is room."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(b":s WARN * CODE :again\r\n" * 4000, b"PING :flooded\r\n")
        await server.gets("^PONG :flooded$")
        while "too many events" not in caplog.text:
            await asyncio.sleep(0.1)
            server.says(b":s WARN * CODE :later\r\n", b"PING :later\r\n")
            await server.gets("^PONG :later$")

    async with scripted(script) as (port, done), running(config(network(port, "#x"))):
        await asyncio.wait_for(done, 120)
    assert sum(record.getMessage() == "WARN" for record in caplog.records) < 4000
    (missing,) = (record for record in caplog.records if record.getMessage() == "too many events")
    assert getattr(missing, "detail", "").endswith(" were not logged")

"""Small bots that stand behind the wire in its tests, and the config that they run with."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from ircdice.bot import Bot
from ircdice.bot.message import Message, Reply
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.config import BotConfig, Config, Join, Limits, NetworkConfig
from ircdice.settings import ChannelSettings
from ircdice.wire.connection import Timeouts
from ircdice.wire.network import Networks

UNLIMITED = Limits(user_burst=10_000, user_interval=0, channel_burst=10_000, channel_interval=0)


class News:
    """Lets a test wait for something that happens in its own loop, without looking again and again."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    def happened(self) -> None:
        """Wake every test that waits, to look whether this is it."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait until `reached`."""
        async with asyncio.timeout(120):
            while not reached():
                next_news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.append(next_news)
                await next_news


async def settled(measure: Callable[[], int], turns: int = 300) -> int:
    """What `measure` gives once so many turns of the loop, in which bot and server run, have not changed it."""
    value, unchanged = measure(), 0
    while unchanged < turns:
        await asyncio.sleep(0)
        value, unchanged = (value, unchanged + 1) if measure() == value else (measure(), 0)
    return value


class Echo(News):
    """Answers `say TEXT` in place, `psst TEXT` in private, at times `hm`; all else is talk. Remembers what it heard."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Message] = []

    async def hears(self, count: int) -> list[Message]:
        """Wait until it has heard so many commands."""
        await self.until(lambda: len(self.heard) >= count)
        return self.heard

    def commands_in(self, message: Message) -> bool:
        return message.text.partition(" ")[0] in ("say", "psst", "hm", "crash")

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        self.heard.append(message)
        self.happened()
        word, _, text = message.text.partition(" ")
        target = message.channel or message.nick
        match word:
            case "say":
                return (Reply(message.network, target, f"{message.nick}: {text}"),)
            case "psst":
                return (Reply(message.network, message.nick, text, private=True),)
            case "crash":
                raise RuntimeError("a defect in the bot")
        return ()

    async def due(self, modes: object) -> tuple[Reply, ...]:
        return ()


class Rolls(Echo):
    """Answers `say TEXT` with a recorded line; `told` has the records that are known to be out."""

    fleet: Networks

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int] = []

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        number = len(self.heard) + 1
        return tuple(
            replace(reply, text=f"{reply.text}; id {number}-abc", seq=number) for reply in await super().hear(message)
        )

    def delivered(self, reply: Reply) -> None:
        assert reply.seq is not None
        self.told.append(reply.seq)
        self.happened()

    async def tells(self, count: int) -> list[int]:
        """Wait until so many are known to be out."""
        await self.until(lambda: len(self.told) >= count)
        return self.told


class Log(logging.Handler):
    """The wire's log, and a way to wait for what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.news = News()

    def emit(self, record: logging.LogRecord) -> None:
        facts = [getattr(record, name, "") for name in ("network", "channel", "msg", "detail")]
        facts[2] = record.getMessage()
        self.lines.append(" ".join(filter(None, facts)))
        self.news.happened()

    async def says(self, pattern: str, times: int = 1) -> None:
        await self.news.until(lambda: sum(bool(re.search(pattern, line)) for line in self.lines) >= times)

    def __enter__(self) -> Log:
        logger = logging.getLogger("ircdice.wire")
        logger.setLevel(logging.INFO)
        logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("ircdice.wire").removeHandler(self)


def network(port: int, *channels: str | Join, **values: object) -> NetworkConfig:
    """A network without TLS that is quick to come back; other values by name."""
    joins = tuple(channel if isinstance(channel, Join) else Join(channel) for channel in channels)
    made = NetworkConfig("test", "127.0.0.1", port=port, tls=False, nick="FUDice", channels=joins, reconnect_first=0.2)
    return replace(made, **values)  # type: ignore[arg-type]  # the tests know the fields


def config(*networks: NetworkConfig, limits: Limits = UNLIMITED, **settings: object) -> Config:
    """A config with the same settings for all channels."""
    defaults = ChannelSettings(**settings)  # type: ignore[arg-type]  # the tests know the fields
    return Config(BotConfig(), tuple(replace(one, defaults=defaults) for one in networks), limits)


@asynccontextmanager
async def running(
    made: Config,
    bot: Echo | None = None,
    *,
    timeouts: Timeouts | None = None,
    chance: Callable[[], float] = lambda: 0.5,
) -> AsyncIterator[Echo]:
    """The bot on its networks for as long as the block lasts."""
    hearer = bot or Echo()
    delivered = hearer.delivered if isinstance(hearer, Rolls) else lambda _reply: None
    fleet = Networks(made, hearer, jitter=chance, timeouts=timeouts, delivered=delivered)
    if isinstance(hearer, Rolls):
        hearer.fleet = fleet
    task = asyncio.create_task(fleet.run())
    try:
        yield hearer
    finally:
        await fleet.leave()
        await asyncio.wait_for(task, 120)


def authority(path: Path) -> dict[str, object]:
    """The values of a network that is reached by TLS."""
    return {"tls": True, "tls_ca": path, "host": "localhost"}


@asynccontextmanager
async def whole(made: Config, folder: Path) -> AsyncIterator[Bot]:
    """The bot as it plays, its ledger in `folder`."""
    placed = replace(made, bot=replace(made.bot, data=folder, ledger_wait=60.0))
    async with open_for_bot(placed) as notary:
        yield await ready_bot(notary, placed)

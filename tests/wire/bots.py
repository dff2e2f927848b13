"""Small bots that stand behind the wire in its tests, and the config that they run with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from ircdice.bot import Bot
from ircdice.bot.message import Message, Reply
from ircdice.cli.kept import kept, ready_bot
from ircdice.config import BotConfig, Config, Join, Limits, NetworkConfig
from ircdice.settings import ChannelSettings
from ircdice.wire.network import Networks
from ircdice.wire.timeouts import Timeouts

UNLIMITED = Limits(user_burst=10_000, user_interval=0, channel_burst=10_000, channel_interval=0)


class Echo:
    """Answers `say TEXT` in place, `psst TEXT` in private, at times `hm`; all else is talk. Remembers what it heard."""

    def __init__(self) -> None:
        self.heard: list[Message] = []

    def wants(self, message: Message) -> bool:
        return message.text.partition(" ")[0] in ("say", "psst", "hm", "crash")

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        self.heard.append(message)
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

    async def due(self) -> tuple[Reply, ...]:
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

    async def tells(self, count: int) -> list[int]:
        """Wait until so many are known to be out."""
        async with asyncio.timeout(10):
            while len(self.told) < count:
                await asyncio.sleep(0.01)
        return self.told


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
    fleet = Networks(made, hearer, chance=chance, timeouts=timeouts, delivered=delivered)
    if isinstance(hearer, Rolls):
        hearer.fleet = fleet
    task = asyncio.create_task(fleet.run())
    try:
        yield hearer
    finally:
        await fleet.leave()
        await asyncio.wait_for(task, 10)


def authority(path: Path) -> dict[str, object]:
    """The values of a network that is reached by TLS."""
    return {"tls": True, "tls_ca": path, "host": "localhost"}


@asynccontextmanager
async def whole(made: Config, folder: Path) -> AsyncIterator[Bot]:
    """The bot as it plays, its ledger in `folder`."""
    placed = replace(made, bot=replace(made.bot, data=folder))
    async with kept(placed) as notary:
        yield await ready_bot(notary, placed)

"""A table at a real server: a channel with the bot and alice in it, under names that no other test uses."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import wraps

from ircdice.config import Limits

from .bots import UNLIMITED, Echo, config, network, running
from .client import Person
from .servers import Server

_numbers = itertools.count()


@dataclass
class Table:
    """Who sits there."""

    room: str
    bot: str  # its nick
    alice: Person
    hearer: Echo

    async def bot_came(self) -> None:
        await self.alice.sees(f":{re.escape(self.bot)}!\\S+ JOIN |353 .*\\b{self.bot}\\b")

    def texts(self) -> list[str]:
        return [message.text for message in self.hearer.heard]


@asynccontextmanager
async def table(
    server: Server,
    *,
    alice_first: bool = False,
    limits: Limits = UNLIMITED,
    hearer: Echo | None = None,
    suffix: str = "",
    settings: dict[str, object] | None = None,
    **values: object,
) -> AsyncIterator[Table]:
    """The bot and alice come at once, or she first, who is operator then; `values` are the network's."""
    number = next(_numbers)
    seats = Table(f"#room{number}{suffix}", f"Dice{number}", Person(f"alice{number}"), hearer or Echo())
    net = replace(network(server.port, seats.room, nick=seats.bot), **values)  # type: ignore[arg-type]  # known fields
    if alice_first:
        await seats.alice.connect(server.port, seats.room)
    async with running(config(net, limits=limits, **(settings or {})), seats.hearer), seats.alice:
        if not alice_first:
            await seats.alice.connect(server.port, seats.room)
            seats.alice.rewind()
        await seats.bot_came()
        yield seats


def on_both(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Run a test on ngircd and on InspIRCd at the same time: the second lets people in once a second only."""

    @wraps(test)
    async def both(ngircd_unlimited: Server, inspircd: Server, **arguments: object) -> None:
        await asyncio.gather(*(test(server=server, **arguments) for server in (ngircd_unlimited, inspircd)))

    # pytest reads the fixtures from the signature: the two servers, then what the test wants beside `server`
    own, given = inspect.signature(test).parameters, inspect.signature(both, follow_wrapped=False).parameters
    wanted = [given["ngircd_unlimited"], given["inspircd"], *(own[name] for name in own if name != "server")]
    both.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # read by inspect.signature
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in wanted]
    )
    return both

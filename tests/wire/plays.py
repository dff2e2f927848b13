"""The bot against a scripted server."""

from __future__ import annotations

import asyncio

from ircdice.config import Config
from ircdice.wire.connection import Timeouts

from .bots import Echo, config, network, running
from .scripted import Script, scripted

SAY = b":al!u@h PRIVMSG #x :say "
# The test's own server is in the same loop, for which no time passes while the machine stands still.
QUICK = Timeouts(connect=10, negotiate=0.2, silent=0.8, register=1.6, ask=0.4, give_up=0.4, leave=1, tick=0.02)


async def play(*scripts: Script, timeouts: Timeouts | None = None, **values: object) -> Echo:
    """Run the bot against the scripts until the last has come to its end; what it heard."""
    hearer = Echo()
    async with scripted(*scripts) as (port, done), running(_made(port, values), hearer, timeouts=timeouts):
        await asyncio.wait_for(done, 60)
    return hearer


def _made(port: int, values: dict[str, object]) -> Config:
    settings = values.pop("settings", {})
    assert isinstance(settings, dict)
    return config(network(port, "#x", **values), **settings)

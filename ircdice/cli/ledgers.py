"""The ledger that a config names, opened. Imports SQLAlchemy, so only the commands that need a ledger import it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ircdice.bot import Allowance, Bot, Hinting
from ircdice.clock import HOUR, Clock
from ircdice.config import Config
from ircdice.errors import LedgerUnavailable
from ircdice.ledger.paths import Paths
from ircdice.ledger.service import ProvenLedger, open_ledger
from ircdice.settings import Settings

log = logging.getLogger(__name__)
_MAINTAIN_EVERY = 5.0  # seconds


def ledger_paths(config: Config) -> Paths:
    """Where the ledger of a config is."""
    bot = config.bot
    return Paths(
        data=bot.data,
        url=bot.ledger,
        origin=bot.origin,
        suggested=f"{config.networks[0].host or config.networks[0].name}/ircdice",
        name=bot.name,
        signing_key=bot.signing_key,
        epoch=int(bot.epoch_hours * HOUR),
        wait=bot.ledger_wait,
    )


@asynccontextmanager
async def open_for_bot(config: Config, *, accept_loss: bool = False) -> AsyncIterator[ProvenLedger]:
    """The ledger, open and maintained within the block; raises what `open_ledger` raises."""
    clock = Clock()
    ledger = await open_ledger(ledger_paths(config), clock, accept_loss=accept_loss)
    maintenance = asyncio.create_task(_maintain(ledger))
    try:
        clock.reach(await ledger.read(lambda store: store.last()[1]))
        yield ledger
    finally:
        maintenance.cancel()
        with suppress(asyncio.CancelledError):
            await maintenance
        await ledger.close()


async def ready_bot(ledger: ProvenLedger, settings: Settings) -> Bot:
    """The bot as it plays on IRC, with what its ledger still has open."""
    bot = Bot(ledger, ledger, settings, ledger.clock, Hinting(), Allowance())
    await bot.resume()
    return bot


async def _maintain(ledger: ProvenLedger) -> None:
    """Make checkpoints and new epochs when they are due."""
    available = True
    while True:
        await asyncio.sleep(_MAINTAIN_EVERY)
        try:
            await ledger.tend()
            available = True
        except LedgerUnavailable:
            if available:
                log.warning("no checkpoint is made while the ledger is out of reach")
            available = False
        except Exception:
            log.exception("the ledger could not be maintained")

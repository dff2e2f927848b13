"""The ledger that a config names, opened. Imported by the commands that want one: SQLAlchemy comes with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from ircdice.clock import Clock
from ircdice.config import Config
from ircdice.durations import HOUR
from ircdice.errors import LedgerUnavailable
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.notary import Notary, open_notary
from ircdice.settings import Settings

if TYPE_CHECKING:
    from ircdice.bot import Bot

log = logging.getLogger(__name__)
_TENDED_EVERY = 5.0  # seconds


def keeping(config: Config) -> Keeping:
    """Where the ledger of a config is kept."""
    bot = config.bot
    return Keeping(
        data=bot.data,
        url=bot.ledger,
        origin=bot.origin,
        suggested=f"{config.networks[0].host}/ircdice",
        name=bot.name,
        signing_key=bot.signing_key,
        epoch=int(bot.epoch_hours * HOUR),
        wait=bot.ledger_wait,
    )


@asynccontextmanager
async def kept(config: Config, *, accept_loss: bool = False) -> AsyncIterator[Notary]:
    """The ledger, tended as long as the block lasts and closed behind it; raises what `open_notary` raises."""
    clock = Clock()
    notary = await open_notary(keeping(config), clock, accept_loss=accept_loss)
    tending = asyncio.create_task(_tend(notary))
    try:
        clock.reach(await notary.read(lambda page: page.last()[1]))
        yield notary
    finally:
        tending.cancel()
        with suppress(asyncio.CancelledError):
            await tending
        await notary.close()


async def ready_bot(notary: Notary, settings: Settings) -> Bot:
    """A bot as it plays on IRC, with what its ledger still has open at hand."""
    bot = new_bot(notary, settings)
    await bot.resume()
    return bot


def new_bot(notary: Notary, settings: Settings) -> Bot:
    """A bot as it plays on IRC, to be resumed."""
    from ircdice.bot.bot import Bot  # isort: skip  first, as in the thread that loads it: two ways in could block each other
    from ircdice.bot import Allowance, Hinting

    return Bot(notary, notary, settings, notary.clock, Hinting(), Allowance())


async def _tend(notary: Notary) -> None:
    tended = True
    while True:
        await asyncio.sleep(_TENDED_EVERY)
        try:
            await notary.tend()
            tended = True
        except LedgerUnavailable:
            if tended:  # else it was said
                log.warning("no checkpoint is made while the record is out of reach")
            tended = False
        except Exception:
            log.exception("the ledger could not be tended")

"""The bot that comes behind its connections: nothing of a game is loaded before the networks have been called."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from ircdice.bot.message import Message, Reply
from ircdice.errors import LedgerUnavailable
from ircdice.ledger.service import ProvenLedger
from ircdice.settings import Settings

if TYPE_CHECKING:
    from ircdice.bot import Bot

log = logging.getLogger(__name__)
_HEAD_START = 0.25  # seconds that connecting has before the games are loaded: both want the interpreter


class Coming:
    """As the wire sees a bot (`Hearer`); who says something before it is there waits until it is.

    Call `load` beside the networks.
    """

    def __init__(self, ledger: ProvenLedger, settings: Settings) -> None:
        self._ledger, self._settings = ledger, settings
        self._resumed = False

    @cached_property
    def _bot(self) -> Bot:
        from ircdice.cli.kept import new_bot

        return new_bot(self._ledger, self._settings)

    async def load(self) -> None:
        """Load every game, in a thread; what is there then is not looked through again: no answer waits for that."""
        await asyncio.sleep(_HEAD_START)
        try:
            await asyncio.to_thread(_load)
        except Exception:
            log.exception("the games could not be loaded")
        finally:
            gc.freeze()
            gc.enable()

    async def owed(self, networks: Sequence[str]) -> list[tuple[Reply, int]]:
        """As `Bot.owed` has it; where nothing is, as after most starts, that is known without the bot."""
        return await self._bot.owed(networks) if await self._ledger.undelivered(networks) else []

    def wants(self, message: Message) -> bool:
        """As `Bot.wants` has it."""
        return self._bot.wants(message)

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """As `Bot.hear` has it."""
        return await self._bot.hear(message)

    async def due(self) -> tuple[Reply, ...]:
        """As `Bot.due` has it, once the bot has at hand what the ledger still has open; nothing until then."""
        if not self._resumed:
            try:
                await self._bot.resume()
            except LedgerUnavailable:
                log.warning("what is open cannot be looked up: the ledger is out of reach")
                return ()
            self._resumed = True
        return await self._bot.due()

    def delivered(self, reply: Reply) -> None:
        """As `Bot.delivered` has it."""
        self._bot.delivered(reply)


def _load() -> None:
    import_module("ircdice.bot.bot")
    import_module("ircdice.dispatcher").prepare()

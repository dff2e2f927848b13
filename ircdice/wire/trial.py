"""Trial: check that a network accepts the bot as its config says, by connecting and leaving again."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from time import time

from ircdice.config import NetworkConfig
from ircdice.settings import Settings
from ircdice.wire.channels import Rejoins
from ircdice.wire.connection import Link, Timeouts, connect_failure
from ircdice.wire.effects import Effect, Note, Secure
from ircdice.wire.sts import Endpoint, Policies

_LONGEST = 60.0  # seconds
_POLL = 0.02
_FAREWELL = "only checking"
_GOOD = ("welcome", "logged in", "identified", "STS")


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result in sentences for a person; no faults means success."""

    good: tuple[str, ...]
    faults: tuple[str, ...]


async def attempt(config: NetworkConfig, settings: Settings, timeouts: Timeouts | None = None) -> TrialResult:
    """Connect, log in, join nothing, store nothing, and leave. Failures are returned, not raised."""
    return await _Trial(replace(config, channels=(), data=None), settings, timeouts or Timeouts()).run()


class _Trial:
    def __init__(self, config: NetworkConfig, settings: Settings, timeouts: Timeouts) -> None:
        self._config, self._settings, self._timeouts = config, settings, timeouts
        self._endpoint = Endpoint(Policies(None))
        self._notes: list[Note] = []
        self._link: Link | None = None
        self._moved = False

    async def run(self) -> TrialResult:
        why = await self._connect()
        if self._moved:  # the server asked for TLS
            why = await self._connect()
        good = tuple(f"{note.event}: {note.detail}" for note in self._notes if note.event in _GOOD)
        faults = tuple(f"{note.event}: {note.detail}" for note in self._notes if note.level >= logging.WARNING)
        return TrialResult(good, (*faults, why) if why else faults)

    async def _connect(self) -> str:
        """Why the connection ended before the login was complete; empty if it was."""
        config = self._endpoint.config(self._config, time())
        link = self._link = Link(config, self._settings, Rejoins(), self._timeouts, self._effect)
        try:
            async with asyncio.timeout(_LONGEST):
                await link.open()
                while not link.lost.done() and not link.session.arrived:
                    await asyncio.sleep(_POLL)
            if link.lost.done():
                return link.lost.result()
            link.urgent(f"QUIT :{_FAREWELL}")
            await asyncio.wait([link.lost], timeout=1.0)
        except OSError as error:
            return connect_failure(error, config)
        finally:
            link.close("over")
        return ""

    def _effect(self, effect: Effect) -> None:
        if isinstance(effect, Note) and not (self._link and self._link.session.arrived and effect.event == "error"):
            self._notes.append(effect)
        elif isinstance(effect, Secure) and self._link is not None:
            self._notes.append(Note("STS", f"the server asks for TLS on port {effect.port}"))
            self._endpoint.secure(self._config.host, effect.port)
            self._moved = True
            self._link.close("continued over TLS")

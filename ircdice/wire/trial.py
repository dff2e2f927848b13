"""Trial: whether a network lets the bot in as its config says, found out by going there and leaving again."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from time import time

from ircdice.config import NetworkConfig
from ircdice.settings import Settings
from ircdice.wire.effects import Effect, Note, Secure
from ircdice.wire.endpoint import Endpoint
from ircdice.wire.joins import Rejoins
from ircdice.wire.keepalive import Patience
from ircdice.wire.link import Link
from ircdice.wire.sts import Policies
from ircdice.wire.tls import reason

_LONGEST = 60.0  # seconds
_POLL = 0.02
_FAREWELL = "only looking"
_GOOD = ("welcome", "logged in", "identified", "STS")


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What came of it, in sentences for a person; no faults is a success."""

    good: tuple[str, ...]
    faults: tuple[str, ...]


async def attempt(config: NetworkConfig, settings: Settings, patience: Patience | None = None) -> TrialResult:
    """Connect, log in, join nothing, keep nothing, and leave. What fails is not raised but told."""
    return await _Trial(replace(config, channels=(), data=None), settings, patience or Patience()).run()


class _Trial:
    def __init__(self, config: NetworkConfig, settings: Settings, patience: Patience) -> None:
        self._config, self._settings, self._patience = config, settings, patience
        self._endpoint = Endpoint(Policies(None))
        self._notes: list[Note] = []
        self._link: Link | None = None
        self._moved = False

    async def run(self) -> TrialResult:
        why = await self._once()
        if self._moved:  # the server asked for TLS
            why = await self._once()
        told = [(note, f"{note.event}: {note.detail}") for note in self._notes]
        good = tuple(text for note, text in told if note.event in _GOOD)
        faults = tuple(text for note, text in told if note.level >= logging.WARNING)
        return TrialResult(good, (*faults, why) if why else faults)

    async def _once(self) -> str:
        """Why it ended before the bot was all in; nothing where it was."""
        config = self._endpoint.config(self._config, time())
        link = Link(config, self._settings, Rejoins(), self._patience, self._effect, lambda _: None, lambda _: None)
        self._link = link
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
            return reason(error)
        finally:
            link.close("over")
        return ""

    def _effect(self, effect: Effect) -> None:
        if isinstance(effect, Note) and not (self._link and self._link.session.arrived and effect.event == "error"):
            self._notes.append(effect)
        elif isinstance(effect, Secure) and self._link is not None:
            self._notes.append(Note("STS", f"the server wants TLS on port {effect.port}"))
            self._endpoint.secure(self._config.host, effect.port)
            self._moved = True
            self._link.close("TLS is taken up")

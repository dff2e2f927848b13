"""The one thread in which odds are worked out: play goes on beside it, and no flood of hard ones starves it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ircdice.errors import RuleError

T = TypeVar("T")
PATIENCE = 3.0  # seconds that odds may wait for those before them
_ONE = ThreadPoolExecutor(1, "odds")  # several would take turns with the loop, each for as long as a roll takes


async def reckoned(work: Callable[[], T]) -> T:
    """What `work` gives; RuleError where it could not begin within PATIENCE."""
    asked = _ONE.submit(work)
    told = asyncio.wrap_future(asked)
    try:
        done, _ = await asyncio.wait({told}, timeout=PATIENCE)
        if not done and asked.cancel():
            raise RuleError("too many odds are being worked out just now: ask again in a minute.")
        return await told
    finally:
        asked.cancel()  # whoever stops waits for none that was not begun

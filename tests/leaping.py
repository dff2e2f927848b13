"""An event loop for tests on a machine that stands still now and then, whose clock a test can put forward.

What is to happen in time happens in time on any machine; what takes long is over at once.
"""

import asyncio
import selectors
from collections.abc import Callable

_STEP = 0.01  # s


class _Steps(selectors.DefaultSelector):
    """Waits in short steps, so that a longer one shows that the machine stood still."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(_STEP if timeout is None else min(timeout, _STEP))


class LeapingLoop(asyncio.SelectorEventLoop):
    """A loop for which no time passes while the process stands still, and all the time that `leap` leaps over."""

    def __init__(self) -> None:
        self.leapt, self._stood, self._last = 0.0, 0.0, super().time()
        super().__init__(_Steps())

    def time(self) -> float:
        now = super().time()
        self._stood += max(0.0, now - self._last - 2 * _STEP)
        self._last = now
        return now - self._stood + self.leapt


def leap(seconds: float) -> None:
    """For the running loop, that many seconds have passed."""
    asyncio.get_running_loop().leapt += seconds


async def until(reached: Callable[[], bool]) -> None:
    """Wait for something to come true, for as long as a slow machine may need."""
    async with asyncio.timeout(120):
        while not reached():
            await asyncio.sleep(0.01)

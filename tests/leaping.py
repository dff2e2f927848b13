"""An event loop whose clock a test can put forward: a long wait is over at once, and on time on any machine."""

import asyncio
from collections.abc import Callable


class LeapingLoop(asyncio.SelectorEventLoop):
    """What waits in it waits for the time that passes and for the time that is leapt over."""

    leapt = 0.0

    def time(self) -> float:
        return super().time() + self.leapt


def leap(seconds: float) -> None:
    """For the running loop, that many seconds have passed."""
    asyncio.get_running_loop().leapt += seconds


async def until(reached: Callable[[], bool]) -> None:
    """Wait for something to come true, for as long as a slow machine may need."""
    async with asyncio.timeout(120):
        while not reached():
            await asyncio.sleep(0.01)

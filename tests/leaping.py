"""An event loop whose clock a test can put forward: a long wait is over at once, and on time on any machine."""

import asyncio


class LeapingLoop(asyncio.SelectorEventLoop):
    """What waits in it waits for the time that passes and for the time that is leapt over."""

    leapt = 0.0

    def time(self) -> float:
        return super().time() + self.leapt


def leap(seconds: float) -> None:
    """For the running loop, that many seconds have passed."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LeapingLoop)
    loop.leapt += seconds

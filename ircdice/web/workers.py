"""Worker processes for slow work, so that pages are not delayed (WEB-05, WEB-12)."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import ParamSpec, TypeVar

from ircdice import dispatcher

P = ParamSpec("P")
T = TypeVar("T")
WORKERS = 2
MEMORY = 1024**3  # bytes for a worker


class Workers:
    """A pool of processes that is replaced if one of them dies."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def start(self) -> ProcessPoolExecutor:
        """Start a first worker now, so that no reader waits for it."""
        pool = self._pool = ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn"), initializer=_prepare)
        pool.submit(dispatcher.systems)
        return pool

    async def run(self, work: Callable[P, T], *args: P.args, **_none: P.kwargs) -> T:
        """Run `work` in a worker and return the result. BrokenProcessPool if the worker dies."""
        pool = self._pool or self.start()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, *args)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _prepare() -> None:
    """Prepare a worker: limit its memory, load the games, ignore signals, and end with the parent."""
    Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    dispatcher.systems()


def _end_with_parent() -> None:
    """End the worker if the page was killed and could not do so."""
    if parent := parent_process():
        parent.join()
    os._exit(0)

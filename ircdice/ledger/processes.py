"""Processes that share a check: an interrupt is for whoever asked for it, who ends them. Knows no ledger."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def deaf() -> Iterator[None]:
    """What is started within never hears an interrupt, which a terminal sends to all, not even as it begins."""
    resource_tracker.ensure_running()  # or it is started within, and lets signals through again behind itself
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

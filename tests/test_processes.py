"""Processes that share a check: Ctrl-C reaches all that a terminal runs, and is for one of them (LED-16)."""

import os
import signal
import time
from multiprocessing import get_context

import pytest

from ircdice.ledger.processes import deaf


def test_led_16_what_shares_a_check_is_deaf_from_its_first_moment():
    """LED-16: or an interrupt ends it while it is loaded, and the check as well, with a traceback of each."""
    with deaf():
        process = get_context("spawn").Process(target=time.sleep, args=(0.1,))
        process.start()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGINT)
    process.join(60)
    assert process.exitcode == 0


@pytest.fixture
def interrupts():
    """Ctrl-C raises, as in a terminal: what a shell starts in the background is deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_led_16_whoever_starts_it_hears_what_came_meanwhile():
    """LED-16: no interrupt is lost."""
    with pytest.raises(KeyboardInterrupt), deaf():
        os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)

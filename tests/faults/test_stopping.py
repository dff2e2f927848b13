"""A bot that is stopped before it has started: it ends at once, whatever it waits for (IRC-25)."""

import signal
import sqlite3
import time
from contextlib import closing

import pytest

from .bots import BotProcess

SOON = 40.0  # s, on the slowest machine; the lock is waited for longer


@pytest.fixture
def waiting(tmp_path):
    """A bot that waits for a database that another program has locked."""
    bot = BotProcess(tmp_path / "bot", 1, ("#none",), bot="ledger_wait = 60")
    with bot, closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        bot.start()
        while not (tmp_path / "bot" / "ledger.db-lock").exists():
            time.sleep(0.02)
        time.sleep(0.5)  # until it waits, on most machines; the signal may also come earlier
        yield bot


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_irc_25_a_start_that_waits_ends_at_once(waiting, number, code):
    """IRC-25: the log says so last."""
    waiting.process.send_signal(number)
    assert waiting.process.wait(SOON) == code
    assert f"{number.name}: " in waiting.log.splitlines()[-1]
    assert (waiting.folder / "out").read_text() == ""
    waiting.start()
    time.sleep(0.5)  # in which it would end if it did
    assert waiting.process.poll() is None, "nothing keeps the next one out"

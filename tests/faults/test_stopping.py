"""A bot that is told to stop before it is there: it ends at once, whatever it waits for (IRC-25)."""

import asyncio
import signal
import time

import pytest
import sqlalchemy as sa

from ircdice.ledger.store import migrations
from ircdice.ledger.store.migrations import MIGRATIONS
from tests.store.drafts import Clock, opened

from .bots import BotProcess

HELD = "the ledger is not brought up to date yet"
SOON = 3.0  # s, on a machine that has other things to do; a migration's lock is waited for ten minutes


@pytest.fixture
def waiting(postgresql_alone, tmp_path):
    """A bot that waits for somebody who reads the ledger of an older version, as a dump does."""
    url = postgresql_alone.database()
    with pytest.MonkeyPatch.context() as before:
        before.setattr(migrations, "MIGRATIONS", MIGRATIONS[:-1])
        asyncio.run(opened(url, Clock()).close())
    engine = sa.create_engine(url)
    with engine.connect() as reader, BotProcess(tmp_path / "bot", 1, ("#none",), bot=f"ledger = {url}") as bot:
        reader.exec_driver_sql("SELECT count(*) FROM records")
        bot.start()
        end = time.monotonic() + 30
        while HELD not in bot.log and time.monotonic() < end:
            time.sleep(0.02)
        assert HELD in bot.log
        yield bot
    engine.dispose()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_irc_25_a_start_that_waits_ends_at_once(waiting, number, code):
    """IRC-25: what is open is left as a crash would leave it, and the log says so last."""
    waiting.process.send_signal(number)
    assert waiting.process.wait(SOON) == code
    assert f"{number.name}: " in waiting.log.splitlines()[-1]
    assert (waiting.folder / "out").read_text() == ""
    waiting.start()
    time.sleep(0.5)
    assert waiting.process.poll() is None  # nothing keeps the next one out

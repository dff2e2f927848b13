"""A ledger looked at by several processes, while a bot plays on, and broken off (LED-16)."""

import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import pytest

from bench.many_records import make
from ircdice.ledger import Draft, archive, proving, sharing
from ircdice.ledger.archive import Archive
from ircdice.ledger.examining import STRETCH, Means
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.notary import open_notary
from ircdice.ledger.proofs import Streams
from ircdice.ledger.sharing import Share, shared
from ircdice.ledger.store.whole import StoredRecords

COUNT = STRETCH + 200
DRAFT = Draft("seal", "net", "#a", "alice", "alice", "secret", (), "alice: x")


def now():
    """ms since 1970."""
    return time.time_ns() // 1_000_000


async def said(notary, count):
    """So many records in seven channels."""
    drafts = (replace(DRAFT, channel=f"#{n % 7}", line=f"alice: {n}") for n in range(count))
    await asyncio.gather(*map(notary.append, drafts))


def judge():
    """Finds fault with three records of three channels; of which the rules may be others."""
    faults = {"alice: 10", "alice: 4100", "alice: 4101"}
    return lambda entry: "not so" if entry.line in faults else None


@pytest.fixture
def keeping(tmp_path):
    """Where a ledger of more than one stretch stands."""

    async def play():
        notary = await open_notary(kept, now)
        await said(notary, COUNT)
        await notary.close()

    kept = Keeping(tmp_path, "sqlite:///ledger.db", wait=30)
    asyncio.run(play())
    return kept


def checked(keeping, progress=None, processes=2):
    """The report on it."""
    there = Archive(keeping)
    try:
        return there.check(judge, progress, processes=processes)
    finally:
        there.close()


@pytest.mark.parametrize("processes", [2, 3])
def test_led_16_processes_tell_what_one_tells(keeping, monkeypatch, processes):
    """LED-16: each place is judged by one of them, in order; the report is that of one that does it alone."""
    alone = checked(keeping)
    assert [(finding.damage, finding.why) for finding in alone.findings] == [("altered", "not so")] * 3
    monkeypatch.setattr(sharing, "ALONE", 0)
    monkeypatch.setattr(proving, "FEW", 0)
    assert checked(keeping, processes=processes) == alone
    with closing(sqlite3.connect(keeping.data / "ledger.db")) as database, database:
        database.execute("UPDATE records SET line = 'mallory: x' WHERE seq = 4150")
        database.execute("DELETE FROM records WHERE seq = 5")
    assert "4150" in str(checked(keeping, processes=processes).findings)
    assert str(checked(keeping, processes=processes).findings[0]).startswith("missing: record 5: ")


def test_led_16_a_process_that_cannot_read_says_so(keeping, monkeypatch):
    """LED-05: in one sentence, whichever process it is."""
    monkeypatch.setattr(sharing, "ALONE", 0)
    with closing(sqlite3.connect(keeping.data / "ledger.db")) as database, database:
        database.execute("ALTER TABLE records RENAME COLUMN line TO words")
    with pytest.raises(archive.LedgerUnavailable, match="cannot be read: no such column"):
        checked(keeping)


def test_led_16_no_stretch_is_left_out(tmp_path):
    """LED-16: however many stretches there are, each is given to the processes once, and in order."""
    records = StoredRecords(f"sqlite:///{tmp_path / 'l.db'}")
    make(9 * STRETCH + 7, tmp_path / "l.db")
    share = Share(records, Means(Streams(()), "0.1.0"), judge)
    found = [stretch.seqs for stretch, _ in shared(share, 9 * STRETCH + 7, 2)]
    assert [seq for seqs in found for seq in seqs] == list(range(1, 9 * STRETCH + 8))


@pytest.mark.parametrize("alone", [0, 20_000])
def test_led_16_what_was_found_until_it_was_broken_off(keeping, monkeypatch, alone):
    """LED-16: whoever interrupts is told what is known by then, and no more."""
    monkeypatch.setattr(sharing, "ALONE", alone)

    def interrupted(done):
        if done:
            raise KeyboardInterrupt

    report = checked(keeping, interrupted)
    assert (report.whole, report.records) == (False, STRETCH)
    assert [finding.why for finding in report.findings] == ["not so"]


@pytest.mark.parametrize("looked", ["proofs", "History"])
def test_led_16_a_bot_that_plays_on_is_no_damage(keeping, monkeypatch, looked):
    """LED-16: what is recorded and signed between two looks is left for the next check."""

    async def scene():
        notary = await open_notary(keeping, now)
        loop, real = asyncio.get_running_loop(), getattr(archive, looked)
        wanted = real if looked == "proofs" else real.of

        def busy(*given, **beside):
            asyncio.run_coroutine_threadsafe(said(notary, 110), loop).result()
            return wanted(*given, **beside)

        target = (archive, "proofs") if looked == "proofs" else (real, "of")
        monkeypatch.setattr(*target, busy)
        report = await asyncio.to_thread(checked, keeping)
        await notary.close()
        return report

    report = asyncio.run(scene())
    assert {finding.why for finding in report.findings} <= {"not so"}

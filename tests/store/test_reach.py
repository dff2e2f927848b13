"""What the log is told of a ledger that is out of reach: once when it goes, once when it is back (LED-05)."""

import asyncio
import re
import subprocess
import sys
import threading

import pytest

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.store import pace, writer
from ircdice.ledger.store.driver import Driver

from .drafts import append, everything, opened, roll

FULL = """
import asyncio, logging, resource, sys
from ircdice.errors import LedgerUnavailable
from tests.store.drafts import Clock, opened, roll

async def main():
    logging.basicConfig(stream=sys.stdout, format="%(message)s")
    ledger, counter = opened(sys.argv[1], Clock(), wait=0.5), 0
    ledger.stand_by(lambda: sys.argv[2] == "lone")
    async def is_full(times):
        nonlocal counter
        for _ in range(times):
            try:
                await ledger.append(roll("x" * 300, counter=counter + 1))
                counter += 1
            except LedgerUnavailable:
                return True
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    assert await is_full(5_000), "it never was full"
    for _ in range(4):  # nobody asks, then somebody does: room for nothing is room for nothing
        await asyncio.sleep(0.6)
        assert await is_full(1), "it is full no more"
    print("room again", flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await asyncio.sleep(1.2)
    print("asked again", flush=True)
    assert not await is_full(5), "it is full though there is room"
    await ledger.close()
asyncio.run(main())
"""


@pytest.mark.parametrize("lone", ["lone", "in the thread"])
def test_led_05_a_full_disk_is_told_once(tmp_path, environment, pytestconfig, lone):
    """LED-05: however often it is tried, and whatever little fits; that it is back is told before anybody asks."""
    command = [sys.executable, "-c", FULL, f"sqlite:///{tmp_path / 'ledger.db'}", lone]
    done = subprocess.run(
        command, env=environment, cwd=pytestconfig.rootpath, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    told = [re.sub(" reach:.*", " reach", line) for line in done.stdout.splitlines()]
    assert told == ["the ledger is out of reach", "room again", "the ledger is in reach again", "asked again"]


@pytest.fixture
def frozen(monkeypatch):
    """A file system that is frozen while this is not set: a commit hangs in its sync and comes to no error."""
    thawed, commit = threading.Event(), Driver.commit
    thawed.set()

    def hangs(driver):
        thawed.wait(20)
        commit(driver)

    monkeypatch.setattr(Driver, "commit", hangs)
    yield thawed
    thawed.set()


def told(caplog):
    return [record.message for record in caplog.records if "reach" in record.message]


OUT, BACK = "the ledger is out of reach: nothing was heard of it for 0.3 s", "the ledger is in reach again"


async def test_led_05_a_frozen_disk_is_told(tmp_path, clock, frozen, caplog):
    """LED-05: the writer hangs in a call that never ends; the log says so once, however many ask."""
    ledger, late = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock, wait=0.3), []
    ledger.on_late = late.append
    await append(ledger, roll("before"))
    frozen.clear()
    for text in ("first", "second"):
        with pytest.raises(LedgerUnavailable):
            await ledger.append(roll(text))
    assert (told(caplog), ledger.away, ledger.out_of_reach) == ([OUT], True, 0.3)
    frozen.set()
    assert (await ledger.append(roll("after"))).seq == 3
    assert (told(caplog), ledger.away, ledger.out_of_reach) == ([OUT, BACK], False, None)
    assert [record.draft.text for record in await everything(ledger)] == ["before", "first", "after"]
    assert [record.draft.text for record in late] == ["first"]
    await ledger.close()


async def test_led_05_a_disk_that_freezes_the_event_loop_is_told(tmp_path, clock, frozen, caplog, monkeypatch):
    """LED-05: a lone roll is written where the loop stands, and with it the whole bot; another thread says so."""
    monkeypatch.setattr(pace, "SLOW", 60.0)
    monkeypatch.setattr(writer, "_WATCH", 0.05)
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock, wait=0.3)
    ledger.stand_by(lambda: True)
    await append(ledger, roll(), roll())
    while ledger._writer._turn.locked():
        await asyncio.sleep(0)
    frozen.clear()
    meanwhile = []
    threading.Timer(1.0, lambda: (meanwhile.extend(told(caplog)), frozen.set())).start()
    assert (await ledger.append(roll())).seq == 3
    assert (meanwhile, told(caplog)) == ([OUT], [OUT, BACK])
    await ledger.close()


async def test_led_05_who_waits_for_more_than_a_roll_hears_why(tmp_path, clock, held):
    """LED-05: at a start, or where keys are rotated: an operator reads it, and not the channel."""
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock, wait=1.5)
    await append(ledger, roll())
    held.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnavailable, match=r"^the ledger is out of reach: database is locked\.$"):
        await ledger.transact(lambda page: page.put("a", "b"))
    with pytest.raises(LedgerUnavailable, match=r"^the record is out of reach\.$"):
        await ledger.append(roll())
    held.execute("ROLLBACK")
    await ledger.transact(lambda page: page.put("a", "b"))
    await ledger.close()

"""Processes that die, and a server that dies under two of them: what was acknowledged is there, once, without gaps."""

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from ircdice.dice import SystemDice

from .drafts import Clock, everything, opened
from .player import EPOCHS

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("IRCDICE_KILLS", "20"))


@pytest.fixture
def play(environment, pytestconfig, tmp_path):
    """Starts a process that plays; what it has acknowledged is read from its file."""
    players = []

    def start(url, name, places=5):
        said = (tmp_path / f"{name}{len(players)}").open("w+")
        command = [sys.executable, "-m", "tests.store.player", url, name, str(places)]
        process = subprocess.Popen(command, stdout=said, env=environment, cwd=pytestconfig.rootpath)
        players.append((process, said))
        while not told(said):
            assert process.poll() in (None, 0), "it did not start"
            time.sleep(0.01)
        return process, said

    yield start
    for process, said in players:
        process.kill()
        process.wait()
        said.close()


def _heard(said, most: int) -> None:
    """Wait for some rolls to be acknowledged, or for none, as chance has it."""
    wanted = SystemDice().roll(1, most)[0]  # the first line says that it is ready
    while len(told(said)) < wanted:
        time.sleep(0.001)


def _roll_on(players, more: int = 10) -> None:
    """Wait until each has been told of so many rolls more."""
    wanted = [len(rolled(told(said))) + more for _, said in players]
    while any(len(rolled(told(said))) < least for (_, said), least in zip(players, wanted, strict=True)):
        assert [process.poll() for process, _ in players] == [None] * len(players)
        time.sleep(0.01)


def _end(players) -> list[dict[int, str]]:
    """Have them finish what they do; the rolls that each was told of."""
    for process, _ in players:
        process.terminate()
    assert [process.wait(60) for process, _ in players] == [0] * len(players)
    return [rolled(told(said)) for _, said in players]


def _moment(shortest: int, longest: int) -> None:
    """Wait for so many ms, as chance has it."""
    time.sleep((shortest + SystemDice().roll(1, longest - shortest)[0]) / 1_000)


def told(said) -> list[str]:
    """The whole lines that a process has said; its own handle is left alone, or it would write where this one reads."""
    return Path(said.name).read_text().split("\n")[:-1]


def rolled(lines: list[str]) -> dict[int, str]:
    """The rolls that were acknowledged: text by number, each said once."""
    found = [line.split(" ", 2)[1:] for line in lines if line.startswith(("rolled", "late"))]
    assert len({seq for seq, _ in found}) == len(found)
    return {int(seq): text for seq, text in found}


def check(url: str, acknowledged: dict[int, str]) -> int:
    """What stands in the ledger, beside what was acknowledged; how many records nobody was told of."""

    async def read():
        ledger = opened(url, Clock())
        try:
            return await everything(ledger)
        finally:
            await ledger.close()

    records = asyncio.run(read())
    assert [r.seq for r in records] == list(range(1, len(records) + 1))
    texts = {r.seq: r.draft.text for r in records}
    assert {seq: texts.get(seq) for seq in acknowledged} == acknowledged
    assert max(Counter(texts.values()).values(), default=1) == 1
    for place in {r.draft.channel for r in records}:
        counters = [r.draft.stamp.counter for r in records if r.draft.channel == place]
        assert counters == list(range(1, len(counters) + 1)), place
    return len(records) - len(acknowledged)


@pytest.mark.timeout(60 + 6 * KILLS)
def test_led_03_killed_at_any_moment(url, play):
    """LED-03: nothing that was acknowledged is missing, nothing is there twice, each counter goes on where it stood."""
    acknowledged: dict[int, str] = {}
    untold = 0
    for _ in range(KILLS // 2):  # as many on each database
        process, said = play(url, "one")
        _heard(said, 30)
        _moment(0, 20)
        process.kill()
        process.wait()
        acknowledged |= rolled(told(said))
        untold = check(url, acknowledged)
    assert len(acknowledged) > KILLS
    print(f"{KILLS // 2} kills: {len(acknowledged)} acknowledged, {untold} recorded and not told of")


@pytest.mark.timeout(180)
def test_led_04_postgresql_dies_in_the_middle_of_a_burst(postgresql_alone, play):
    """LED-04, LED-05: two processes play on it, each in its own channels; both go on when it is back."""
    server = postgresql_alone
    url = server.database()
    players = [play(url, name) for name in EPOCHS]
    for away in (0.0, 0.3, None):  # the last is longer than the players wait
        _roll_on(players)
        _moment(0, 400)
        server.stop()
        time.sleep(away or 0.0)
        while away is None and not all("away" in told(said) for _, said in players):
            time.sleep(0.01)
        server.start()
    _roll_on(players)
    both = _end(players)
    assert not both[0].keys() & both[1].keys()
    assert check(url, both[0] | both[1]) == 0, "a record whose commit was not heard was handed to nobody"


def test_led_04_two_processes_on_one_database_leave_no_gap(url, play):
    """LED-04: by turns, under the lock."""
    players = [play(url, name, places=10) for name in EPOCHS]
    _roll_on(players, 100)
    both = _end(players)
    assert check(url, both[0] | both[1]) == 0

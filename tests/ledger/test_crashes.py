"""Processes that are killed, a server that dies under two of them, and several writers (LED-03, LED-04, LED-06)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ircdice.dice import SystemDice
from ircdice.ledger import Record
from ircdice.ledger.service import open_to_read

from .house import House, everything

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("IRCDICE_KILLS", "8"))  # `python -m bench faults --kills 100` for more
WRITERS = 4


@dataclass
class Process:
    """A player, and the file of what it printed."""

    process: subprocess.Popen[bytes]
    out: Path

    def lines(self) -> list[str]:
        return self.out.read_text().split("\n")[:-1]

    def posted(self) -> dict[int, tuple[int, int]]:
        """Counter and first face of each roll that it posted, by number; each was posted once."""
        rolls = [tuple(map(int, line.split())) for line in self.lines() if line[0].isdigit()]
        assert len({seq for seq, *_ in rolls}) == len(rolls)
        return {seq: (counter, face) for seq, counter, face in rolls}

    def wait_for(self, rolls: int) -> None:
        """Until it has posted so many more."""
        wanted = len(self.posted()) + rolls
        while len(self.posted()) < wanted:
            assert self.process.poll() is None, "it ended"
            time.sleep(0.002)


@pytest.fixture
def start(environment, pytestconfig, tmp_path) -> Iterator[Callable[..., list[Process]]]:
    """Starts players on one ledger; all share one key."""
    started: list[Process] = []

    def launch(url: str, name: str, channels: int, wait: float) -> Process:
        out = tmp_path / f"out{len(started)}"
        arguments = [url, tmp_path / name, tmp_path / "shared" / "signing.key", name, channels, wait]
        command = [sys.executable, "-m", "tests.ledger.player", *map(str, arguments)]
        with out.open("w") as sink:
            process = subprocess.Popen(command, stdout=sink, env=environment, cwd=pytestconfig.rootpath)
        started.append(Process(process, out))
        return started[-1]

    def all_of(url: str, *names: str, channels: int = 5, wait: float = 60.0) -> list[Process]:
        players = [launch(url, name, channels, wait) for name in names]
        for player in players:
            while not player.lines():
                assert player.process.poll() is None, "it did not start"
                time.sleep(0.01)
        return players

    yield all_of
    for player in started:
        player.process.kill()
        player.process.wait()


def end(*players: Process) -> None:
    for player in players:
        player.process.terminate()
    assert [player.process.wait(120) for player in players] == [0] * len(players)


def recorded(url: str, folder: Path) -> list[Record]:
    """All records, in order."""

    async def read() -> list[Record]:
        ledger = open_to_read(House(folder, url).paths)
        try:
            return await ledger.read(lambda store: list(store.scan()))
        finally:
            await ledger.close()

    return asyncio.run(read())


def compare(records: list[Record], *players: Process) -> int:
    """Compare the ledger with what was posted; how many rolls are recorded and were not posted."""
    assert [r.seq for r in records] == list(range(1, len(records) + 1))
    assert [r.ts for r in records] == sorted(r.ts for r in records)
    rolls = [r for r in records if r.draft.kind == "roll"]
    kept = {r.seq: (r.draft.stamp.counter, r.draft.draws[0][1]) for r in rolls}
    posted: dict[int, tuple[int, int]] = {}
    for player in players:
        assert not posted.keys() & player.posted().keys()
        posted |= player.posted()
    assert {seq: kept.get(seq) for seq in posted} == posted
    counters = defaultdict(list)
    for record in rolls:
        counters[record.draft.stamp.epoch, record.draft.channel].append(record.draft.stamp.counter)
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in counters.values())
    assert len({r.draft.draws for r in rolls}) == len(rolls), "the same dice twice"
    return len(kept) - len(posted)


@pytest.mark.timeout(300 + 6 * KILLS)
def test_led_03_killed_at_any_moment(url, start, tmp_path):
    """LED-03: nothing that was posted is missing, nothing is there twice, and the counters go on."""
    players = []
    for _ in range(KILLS // 2):  # as many on each database
        players += start(url, "one")
        players[-1].wait_for(SystemDice().roll(1, 40)[0])
        time.sleep(SystemDice().roll(1, 20)[0] / 1_000)
        players[-1].process.kill()
        players[-1].process.wait()
        unposted = compare(recorded(url, tmp_path), *players)
    assert unposted < 10 * KILLS
    end(*start(url, "one"))


def test_led_06_what_a_killed_bot_did_not_deliver_is_known(url, start, tmp_path):
    """LED-06: every roll on record whose delivery was not noted; it may be posted twice, but never not at all."""
    (player,) = start(url, "one", channels=2)
    player.wait_for(20)
    player.process.kill()
    player.process.wait()
    records = recorded(url, tmp_path)

    async def undelivered() -> list[Record]:
        async with House(tmp_path / "reader", url).open() as ledger:
            return list(await ledger.undelivered(["net"]))

    for name in ("tag.keys", "signing.key"):
        target = tmp_path / "reader" / "data" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((tmp_path / "shared" / name).read_bytes())
    assert [r.seq for r in asyncio.run(undelivered())] == [r.seq for r in records if r.draft.kind == "roll"]


def test_led_04_postgresql_dies_in_the_middle_of_a_burst(postgresql_alone, start, tmp_path):
    """LED-04, LED-05: under two bots; both go on when it is back, and post what was recorded meanwhile."""
    server = postgresql_alone
    url = server.database()
    players = start(url, "one", "two", wait=10.0)
    for away in (0.0, 0.3, None):  # the last is longer than the players wait
        for player in players:
            player.wait_for(10)
        time.sleep(SystemDice().roll(1, 400)[0] / 1_000)
        server.stop()
        time.sleep(away or 0.0)
        while away is None and not all("away" in player.lines() for player in players):
            time.sleep(0.01)
        server.start()
    for player in players:
        player.wait_for(10)
    end(*players)
    assert compare(recorded(url, tmp_path), *players) == 0, "a roll was recorded and not posted"


def test_led_04_several_bots_on_one_postgresql_leave_no_gap(postgresql, start, tmp_path):
    """LED-04: no number twice, no number missing, every checkpoint over the records of all."""
    url = postgresql.database()
    players = start(url, *(f"bot{number}" for number in range(WRITERS)), channels=3)
    for player in players:
        player.wait_for(30)
    end(*players)
    assert compare(recorded(url, tmp_path), *players) == 0

    async def again() -> int:
        house = House(tmp_path / "again", url)
        house.data.mkdir(parents=True)
        for name in ("tag.keys", "signing.key"):
            (house.data / name).write_bytes((tmp_path / "shared" / name).read_bytes())
        async with house.open() as ledger:
            return len(await everything(ledger))

    assert asyncio.run(again()) > 30 * WRITERS

"""A bot without IRC: `python -m tests.ledger.player URL DATA SIGNING_KEY NAME CHANNELS WAIT`.

Every channel rolls as soon as its last roll is recorded. Each line of output is a roll that may be posted, by its
number, counter and first face; or `away`, where the speaker is told that the record is out of reach. SIGTERM ends it.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from ircdice.clock import Clock
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import Record
from ircdice.ledger.paths import Paths
from ircdice.ledger.service import ProvenLedger, open_ledger

from .house import ORIGIN, roll


class Player:
    """The channels of one process."""

    def __init__(self, ledger: ProvenLedger) -> None:
        self.ledger, self.ended = ledger, False

    async def play(self, channels: list[str]) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.end)
        print("ready", flush=True)
        await asyncio.gather(self.late(), *map(self.channel, channels))

    def end(self) -> None:
        self.ended = True

    async def channel(self, name: str) -> None:
        while not self.ended:
            try:
                posted(await roll(self.ledger, ("net", name)))
            except LedgerUnavailable:
                print("away", flush=True)

    async def late(self) -> None:
        """What was recorded after its speaker was told that it was not."""
        while not self.ended:
            for record in self.ledger.late():
                posted(record)
            await asyncio.sleep(0.01)


def posted(record: Record) -> None:
    if record.draft.kind == "roll":
        print(record.seq, record.draft.stamp.counter, record.draft.draws[0][1], flush=True)


async def main(url: str, data: str, signing_key: str, name: str, channels: int, wait: float) -> None:
    paths = Paths(Path(data), url, ORIGIN, name=name, signing_key=Path(signing_key), wait=wait)
    ledger = await open_ledger(paths, Clock())
    player = Player(ledger)
    places = [f"#{name}{number}" for number in range(channels)]
    await player.play(places)
    for place in places:
        await ledger.of_channel("net", place)  # until it is known of every roll whether it was recorded
    for record in ledger.late():
        posted(record)
    await ledger.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:5], int(sys.argv[5]), float(sys.argv[6])))

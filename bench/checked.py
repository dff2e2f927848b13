"""`python -m bench checked [COUNT]`: how long `ircdice ledger check` takes for a ledger that a bot has played.

The ledger stands in TMPDIR, or in the folder that `PLAYED` names, where it is made once and found again. Six people in
each of 40 channels play: each has some commands that come again and again, one in six with words of their own behind
it; one in twelve rerolls. It is the real bot on a real ledger, whose epochs of six hours have ended but for the last.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from bench.timing import table
from ircdice.bot import Bot, Message
from ircdice.casemapping import DEFAULT
from ircdice.cli.ledger import _judge
from ircdice.dice import SystemDice
from ircdice.ledger.archive import Archive
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.notary import open_notary
from ircdice.settings import ChannelSettings

COUNT = 100_000  # records
CHANNELS, EACH, AT_ONCE = 40, 6, 40
STEP = 4_000  # ms between two commands
COMMENTED = 6  # one in so many
FAVOURITES = {  # what is rolled at a table of each game
    "v5": ("roll {n}d10 h{h} dc{k}", "roll {n}d10 h{h}", "rouse", "roll {n}d10 h{h} dc{k}", "wp 1", "toss 3 {h}"),
    "strike_cinder": ("sc strike {n}", "sc defend {n} dc{k}", "sc strike {n} dc{k}"),
    "crossroads": ("xr 3d6", "xr {k}d6 a{h}", "xr reroll 1", "xr 3d6 n{h}"),
    "beat_eight": ("b8 t{n}", "b8 t{n} severe", "b8 t{k}"),
    "fayrewood": ("toss {n} {h}", "toss {n} {h} dc{k}", "toss 3 2 boon dc7"),
    "generic": ("roll {k}d6k{h}+{n}", "roll 1d20+{n}", "roll d%", "roll {n}d6", "roll 2d20kh1+{n}"),
}
WORDS = (
    *("over", "the", "old", "wall", "against", "a", "hungry", "hound", "with"),
    *("no", "light", "left", "before", "dawn", "breaks", "again"),
)


class Tables:
    """Every channel plays one of the games."""

    def channel(self, _network: str, channel: str | None, _casemapping: str = DEFAULT) -> ChannelSettings:
        """As `Settings` has it: two in three play V5."""
        number = int((channel or "#0")[1:])
        games = tuple(FAVOURITES)
        system = "v5" if number % 3 else games[number // 3 % len(games)]
        return ChannelSettings(official=True, system=system)

    def plays(self, _network: str, _channel: str) -> bool:
        """All of them."""
        return True

    def announcing(self) -> tuple[tuple[str, str], ...]:
        """Nowhere."""
        return ()


def said() -> Iterator[Message]:
    """What people say, without an end."""
    dice, tables = SystemDice(), Tables()
    favourites: dict[tuple[int, int], list[str]] = {}
    while True:
        number, person = dice.roll(1, CHANNELS)[0], dice.roll(1, EACH)[0]
        if (number, person) not in favourites:
            ways = FAVOURITES[tables.channel("", f"#{number}").system]
            filled = [
                way.format(n=dice.roll(1, 6)[0] + 2, h=dice.roll(1, 3)[0], k=dice.roll(1, 3)[0] + 2) for way in ways
            ]
            favourites[number, person] = filled
        text = favourites[number, person][dice.roll(1, len(favourites[number, person]))[0] - 1]
        if dice.roll(1, COMMENTED)[0] == 1:
            text += " # " + " ".join(WORDS[n - 1] for n in dice.roll(4, len(WORDS)))
        yield Message(f"net{number % 2}", f"#{number}", f"player{person}", text, account=f"player{person}")


async def played(keeping: Keeping, count: int) -> None:
    """Play until there are so many records."""
    times = itertools.count(1_600_000_000_000, STEP)
    now = [next(times)]
    notary = await open_notary(keeping, lambda: now[0])
    bot, lines, last = Bot(notary, notary, Tables(), lambda: now[0]), said(), 0
    while last < count:
        for _ in range(50):
            now[0] += STEP * AT_ONCE
            await asyncio.gather(*(bot.hear(next(lines)) for _ in range(AT_ONCE)))
        await bot.due()
        await notary.tend()
        last = await notary.read(lambda page: page.last()[0])
        print(f"\r{last} ", end="", file=sys.stderr, flush=True)
    await notary.close()


def checked(keeping: Keeping, processes: int) -> tuple[str, ...]:
    """A row of the table."""
    archive = Archive(keeping)
    start, busy = time.perf_counter(), cpu()
    report = archive.check(_judge, processes=processes)
    seconds, worked = time.perf_counter() - start, cpu() - busy
    archive.close()
    if not report.sound:
        print(*report.findings[:3], sep="\n")
    return (
        f"{processes} processes",
        f"{report.records / seconds:,.0f}",
        f"{worked / report.records * 1e6:.0f}",
        f"{report.proved}",
        "sound" if report.sound else "BROKEN",
    )


def cpu() -> float:
    """Seconds of the processor so far, of all processes."""
    return sum(getrusage(which).ru_utime + getrusage(which).ru_stime for which in (RUSAGE_SELF, RUSAGE_CHILDREN))


def main() -> None:
    """Make it, check it."""
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    with tempfile.TemporaryDirectory() as folder:
        data = Path(os.environ.get("PLAYED", folder))
        keeping = Keeping(data, "sqlite:///ledger.db", epoch=6 * 3_600_000, wait=60)
        if not (data / "ledger.db").exists():
            asyncio.run(played(keeping, count))
        rows = [checked(keeping, processes) for processes in (1, 2)]
    table("Ledger check", ("by", "records a second", "processor µs each", "proved", "verdict"), rows)


if __name__ == "__main__":
    main()

"""A ledger that a bot has played: six people in each channel, the real bot, a real ledger. No wire, and no waiting.

Each has some commands that come again and again, one in six with a comment; one in twelve rerolls, one in
fifty is a contest, which is answered; one in two hundred is sent in private.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ircdice.bot import Bot, Message
from ircdice.casemapping import DEFAULT
from ircdice.dice import SystemDice
from ircdice.ledger.paths import Paths
from ircdice.ledger.service import open_ledger
from ircdice.settings import ChannelSettings

CHANNELS, EACH, AT_ONCE = 40, 6, 40
STEP = 4_000  # ms between two commands
EPOCH = 6 * 3_600_000  # ms
BEGAN = 1_600_000_000_000
COMMENTED, OPPOSED, ALONE, STIRRED = 6, 50, 200, 2_000  # one in so many
FAVOURITES = {  # what is rolled at a table of each game
    "v5": ("roll {n}d10 h{h} dc{k}", "roll {n}d10 h{h}", "rouse", "roll {n}d10 h{h} dc{k}", "wp 1", "toss 3 {h}"),
    "strike_cinder": ("sc strike {n}", "sc defend {n} dc{k}", "sc strike {n} dc{k}"),
    "crossroads": ("xr 3d6", "xr {k}d6 a{h}", "xr reroll 1", "xr 3d6 n{h}", "xr endturn"),
    "beat_eight": ("b8 t{n}", "b8 t{n} severe", "b8 t{k}"),
    "fayrewood": ("toss {n} {h}", "toss {n} {h} dc{k}", "toss 3 2 boon dc7"),
    "generic": ("roll {k}d6k{h}+{n}", "roll 1d20+{n}", "roll d%", "roll {n}d6", "roll 2d20kh1+{n}"),
}
OPPOSING = {  # a contest, and how it is answered
    "v5": ("roll {n}d10 vs @{other}", "roll {k}d10"),
    "beat_eight": ("b8 t{n} vs @{other}", "b8 t{k}"),
    "crossroads": ("xr 3d6 vs @{other}", "pass"),
    "fayrewood": ("toss d8 d6 vs @{other}", "toss d8 d6"),
}
WORDS = (
    *("over", "the", "old", "wall", "against", "a", "hungry", "hound", "with"),
    *("no", "light", "left", "before", "dawn", "breaks", "again"),
)


@dataclass(frozen=True, slots=True)
class Tables:
    """So many channels, each of which plays one of the games."""

    channels: int = CHANNELS

    def channel(self, _network: str, channel: str | None, _casemapping: str = DEFAULT) -> ChannelSettings:
        """As `Settings` has it: two in three play V5."""
        number = int((channel or "#0")[1:])
        games = tuple(FAVOURITES)
        system = "v5" if number % 3 else games[number // 3 % len(games)]
        return ChannelSettings(official=True, system=system)

    def plays(self, _network: str, _channel: str) -> bool:
        """All of them."""
        return True

    def joining(self) -> tuple[tuple[str, str], ...]:
        """Nowhere."""
        return ()


def said(tables: Tables) -> Iterator[Message]:
    """What people say, without an end."""
    dice, favourites = SystemDice(), dict[tuple[int, int], list[str]]()

    def one(sides: int) -> int:
        return dice.roll(1, sides)[0]

    def filled(way: str, other: str = "") -> str:
        return way.format(n=one(6) + 2, h=one(3), k=one(3) + 2, other=other)

    def words() -> str:
        return " ".join(WORDS[n - 1] for n in dice.roll(4, len(WORDS)))

    while True:
        number, person, other = one(tables.channels), one(EACH), one(EACH)
        system = tables.channel("", f"#{number}").system
        if (number, person) not in favourites:
            favourites[number, person] = [filled(way) for way in FAVOURITES[system]]
        text = favourites[number, person][one(len(favourites[number, person])) - 1]
        if one(COMMENTED) == 1:
            text += f" # {words()}"
        if one(STIRRED) == 1:
            text = f"stir {words()}"
        if one(ALONE) == 1:
            yield _said(number, person, "roll 4d10", private=True)
        elif one(OPPOSED) == 1 and system in OPPOSING and person != other:
            asked, answered = OPPOSING[system]
            yield _said(number, person, filled(asked, f"player{other}"))
            yield _said(number, other, filled(answered))
        else:
            yield _said(number, person, text)


def farewells(tables: Tables) -> Iterator[Message]:
    """Commands that end whatever a table still remembers, so that the next players find an empty one."""
    for number, person in itertools.product(range(1, tables.channels + 1), range(1, EACH + 1)):
        if tables.channel("", f"#{number}").system == "crossroads":
            yield replace(_said(number, 1, f"xr fate end player{person}"), storyteller=True)


def _said(channel: int, person: int, text: str, *, private: bool = False) -> Message:
    who, where = f"player{person}", None if private else f"#{channel}"
    return Message(f"net{channel % 2}", where, who, text, account=who)


async def played(paths: Paths, count: int, channels: int = CHANNELS, *, at_once: int = AT_ONCE) -> None:
    """Play until there are so many records."""
    times, tables = itertools.count(BEGAN, STEP * at_once), Tables(channels)
    now = [next(times)]
    ledger = await open_ledger(paths, lambda: now[0])
    bot, lines, last = Bot(ledger, ledger, tables, lambda: now[0]), said(tables), 0
    while last < count:
        for _ in range(50):
            now[0] = next(times)
            await asyncio.gather(*(bot.hear(next(lines)) for _ in range(at_once)))
        await bot.due()
        await ledger.tend()
        last = await ledger.read(lambda store: store.last()[0])
        print(f"\r{last} ", end="", file=sys.stderr, flush=True)
    for line in farewells(tables):
        await bot.hear(line)
    now[0] += paths.epoch
    await ledger.tend()  # the last epoch ends whole
    await ledger.close()

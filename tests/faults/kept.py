"""Compares a ledger after a fault with what was posted."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ircdice.ledger import Record
from ircdice.ledger.paths import Paths
from ircdice.ledger.service import StoredLedger, open_to_read

from .players import Crowd, until


@dataclass(frozen=True)
class Found:
    """Counts for the table of faults."""

    recorded: int  # lines to be posted
    once: int  # that were posted once
    again: int  # that were posted more than once, not being known to be out
    named: int  # that were told by their ids alone, the bot having been away for a minute (IRC-23)


async def reader(url: str) -> StoredLedger:
    """The ledger at `url`; a busy machine has a minute for each question."""
    return await asyncio.to_thread(open_to_read, Paths(Path(), url, wait=60.0))


async def records(url: str) -> list[Record]:
    """Every record in the ledger at `url`."""
    ledger = await reader(url)
    try:
        return await ledger.read(lambda store: list(store.scan()))
    finally:
        await ledger.close()


async def settled(url: str, people: Crowd) -> Found:
    """What is there once the bots have ended, and all that they said has been read."""
    kept = await records(url)
    wanted = {record.id for record in kept if record.draft.line}
    with suppress(AssertionError):  # `held` says better what is missing
        await until(lambda: wanted <= {id_ for _, id_ in people.rolls()} | people.named(), "all is posted")
    return held(kept, people.rolls(), people.named())


def held(kept: Iterable[Record], rolls: Counter[tuple[str, str]], named: Collection[str] = ()) -> Found:
    """LED-03…LED-06: what was posted is recorded, what is recorded was posted, each once in the ledger, no gaps."""
    kept = list(kept)
    assert [record.seq for record in kept] == list(range(1, len(kept) + 1))
    assert [record.ts for record in kept] == sorted(record.ts for record in kept)
    lines = {record.id: f"{record.draft.line}; id {record.id}" for record in kept if record.draft.line}
    strangers = {text for text, id_ in rolls if lines.get(id_) != text}
    assert not strangers, f"posted and not recorded: {strangers}"
    times = Counter(dict.fromkeys(lines, 0))
    for (_, id_), count in rolls.items():
        times[id_] += count
    unposted = [lines[id_] for id_, count in times.items() if not count and id_ not in named]
    assert not unposted, f"recorded and never posted: {unposted}"
    _each_once(kept)
    _gapless(kept)
    once, again = sum(n == 1 for n in times.values()), sum(n > 1 for n in times.values())
    return Found(len(lines), once, again, len(lines) - once - again)


def _each_once(kept: list[Record]) -> None:
    said = Counter(found[0] for record in kept if (found := re.search(r"# n\d+$", record.draft.text)))
    assert not [text for text, count in said.items() if count > 1]


def _gapless(kept: list[Record]) -> None:
    counters = defaultdict(list)
    for record in kept:
        if record.draft.stamp.counter:
            counters[record.draft.stamp.epoch, record.draft.channel].append(record.draft.stamp.counter)
    for place, numbers in counters.items():
        assert numbers == list(range(1, len(numbers) + 1)), place

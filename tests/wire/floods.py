"""Many commands at once from many people in many channels, and what came of them. For the suite and for the bench."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic

from .bots import Rolls, config, network, running
from .client import Person
from .servers import Server

ANSWER = re.compile(r":(?P<bot>\S+?)!\S+ PRIVMSG (?P<channel>#\S+) :(?P<text>.*)")
ONE = re.compile(r"\S+: (?P<said>\S+); id (?P<id>[0-9]+)-abc")
QUIET = "#quiet"


@dataclass
class Flood:
    """What was asked and answered, by channel in its order; times in seconds from the first line said."""

    asked: dict[str, list[str]] = field(default_factory=dict)
    answered: dict[str, list[str]] = field(default_factory=dict)
    lines: int = 0
    took: float = 0.0
    quiet: int = 0  # the lines until the quiet channel had its answer
    connections: int = 0
    told: list[int] = field(default_factory=list)


async def flood(server: Server, plan: Mapping[str, int], people: int, *, within: float, **values: object) -> Flood:
    """Say `plan[channel]` commands in each channel, all at once, by `people`, and one in a quiet channel after them."""
    found, bot = Flood(asked={channel: [] for channel in plan}), Rolls()
    nick, kind = f"Flood{server.kind[:3]}", server.kind[:3]
    net = network(server.port, *plan, QUIET, nick=nick, **values)
    seated = [Person(f"{kind}{number}") for number in range(people)]
    async with await Person(f"{kind}watch").connect(server.port, *plan, QUIET) as watcher:
        for person in seated:
            await person.connect(server.port)
        async with running(config(net), bot):
            for _ in (*plan, QUIET):
                await watcher.sees(f":{nick}!\\S+ JOIN")
            await asyncio.gather(*(_seated(person, _sat(person, seated, plan)) for person in seated))
            start = monotonic()
            _say(found, plan, seated)
            watcher.say(QUIET, "say quiet")
            await _watched(found, watcher, nick, sum(plan.values()) + 1, start, within)
            found.told = sorted(await bot.tells(sum(plan.values()) + 1))
    for person in seated:
        await person.__aexit__()
    heard = [message for message in bot.heard if message.channel != QUIET]
    found.asked = {channel: [m.text.split()[1] for m in heard if m.channel == channel] for channel in plan}
    found.connections = sum(f":{nick}!" in line and " JOIN " in line for line in watcher.seen) // (len(plan) + 1)
    return found


async def _seated(person: Person, channels: list[str]) -> None:
    for channel in channels:
        await person.join(channel)


def _sat(person: Person, people: list[Person], plan: Mapping[str, int]) -> list[str]:
    """The channels that a person speaks in: each has two in it, if there are as many."""
    at, count = people.index(person), len(people)
    return [channel for number, channel in enumerate(plan) if at in (number % count, (number + 1) % count)]


def _say(found: Flood, plan: Mapping[str, int], people: list[Person]) -> None:
    for channel, count in plan.items():
        seated = [person for person in people if channel in _sat(person, people, plan)]
        for number in range(count):
            seated[number % len(seated)].say(channel, f"say {channel[1:]}.{number}")


async def _watched(found: Flood, watcher: Person, nick: str, count: int, start: float, within: float) -> None:
    """Read until all answers are there."""
    seen = 0
    while seen < count:
        line = await watcher.sees(f":{nick}!\\S+ (PRIVMSG|QUIT) ", within=within - (monotonic() - start))
        answer = ANSWER.fullmatch(line)
        assert answer, f"{nick} is gone after {seen} of {count}: {line}"
        found.lines += 1
        for one in answer["text"].split(" | "):
            part = ONE.fullmatch(one)
            assert part, line
            found.answered.setdefault(answer["channel"], []).append(part["said"])
            seen += 1
        if answer["channel"] == QUIET:
            found.quiet = found.lines
    found.took = monotonic() - start

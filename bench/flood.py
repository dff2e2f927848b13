"""`python -m bench flood`: 1,000 commands at once from 50 people in 10 channels, at the servers' own limits."""

from __future__ import annotations

import asyncio

from bench.timing import table
from tests.wire import servers
from tests.wire.floods import Flood, flood

PLAN = {f"#flood{number}": 100 for number in range(10)}
WITHIN = 900.0


def row(name: str, found: Flood) -> tuple[str, ...]:
    asked, answered = sum(map(len, found.asked.values())), sum(map(len, found.answered.values())) - 1
    ordered = all(found.answered.get(channel) == said for channel, said in found.asked.items())
    figures = f"{asked}", f"{answered}", "yes" if ordered else "NO", f"{found.lines}", f"{found.connections}"
    return (name, *figures, f"line {found.quiet}", f"{found.took:.1f} s")


def main() -> None:
    running = [servers.ngircd(), servers.inspircd()]

    async def both() -> list[Flood]:
        return await asyncio.gather(*(flood(server, PLAN, 50, within=WITHIN) for server in running))

    try:
        rows = [row(server.kind, found) for server, found in zip(running, asyncio.run(both()), strict=True)]
    finally:
        for server in running:
            server.remove()
    heads = ("server", "asked", "answered", "in order", "lines", "connections", "quiet channel", "all")
    table("Flood: 1,000 commands at once, 50 people, 10 channels, default flood control", heads, rows)

"""Exact odds, cold (nothing kept from an earlier question) and warm."""

from __future__ import annotations

import grammars
from bench.timing import microseconds, table
from ircdice.dispatcher import odds
from ircdice.rules.v5.odds import parts

COMMANDS = (
    "roll 5d10 h2 dc3",
    "roll 15d10 h5 dc4",
    "roll 6d10 h2 vs 5d10 h1",
    "roll 15d10 h5 vs 15d10 h5",
    "roll 100d10 h5",
)


def cold(node: object) -> None:
    """Odds with nothing kept."""
    parts.cache_clear()
    odds.__wrapped__(node)


def main() -> None:
    """Print the table."""
    rows = []
    for text in COMMANDS:
        node = grammars.parse(text)
        first = microseconds(lambda _, node=node: cold(node), 30)
        again = microseconds(lambda _, node=node: odds.__wrapped__(node), 30)
        rows.append((text, f"{first / 1000:.2f}", f"{again / 1000:.2f}"))
    table("Exact odds: median ms", ("command", "cold", "warm"), rows)

"""A long time in short."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ircdice.ledger.engine import READERS

from . import servers
from .soaks import Soak


@pytest.mark.slow
async def test_servers_come_and_go_and_nothing_is_lost(server_packages: None, tmp_path: Path) -> None:
    """IRC-06, IRC-23: 12 seconds on three networks whose servers are restarted three times while people play: what was
    recorded is known to be out, and nothing stays open that was not open before, but for those who read the ledger.
    `python -m bench soak` does it for half an hour.
    """
    made = [lambda: servers.ngircd(flood_limit=False), lambda: servers.ngircd(flood_limit=False), servers.inspircd]
    running = await asyncio.gather(*(asyncio.to_thread(one) for one in made))
    try:
        found = await Soak(running, seconds=12, restarts=3, pause=0.6).run(tmp_path)
    finally:
        for server in running:
            server.remove()
    assert found.restarts == 3
    assert found.recorded > 5
    assert found.lost == 0
    assert found.code == 0
    before, behind = found.files
    assert before["socket"] > len(running)
    assert not {kind: more for kind, more in (behind - before).items() if not kind.startswith("ledger.db")}
    assert behind["ledger.db"] <= READERS + 1

"""A long time in short."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from . import servers
from .soaks import Soak


@pytest.mark.slow
async def test_servers_come_and_go_and_nothing_is_lost(server_packages: None, tmp_path: Path) -> None:
    """IRC-06, IRC-23: 25 seconds on three networks whose servers are restarted three times while people play: what was
    recorded is known to be out, and no file stays open. `python -m bench soak` does it for half an hour.
    """
    made = [lambda: servers.ngircd(flood_limit=False), lambda: servers.ngircd(flood_limit=False), servers.inspircd]
    running = await asyncio.gather(*(asyncio.to_thread(one) for one in made))
    try:
        found = await Soak(running, seconds=25, restarts=3, pause=0.6).run(tmp_path)
    finally:
        for server in running:
            server.remove()
    assert found.restarts == 3
    assert found.recorded > 40
    assert found.lost == 0
    assert found.code == 0
    assert found.files[-1] - min(found.files[len(found.files) // 4 :]) <= 6, found.files

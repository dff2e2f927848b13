"""More than the servers bear, on servers with their own limits: all is answered, and nobody is thrown out."""

from __future__ import annotations

import asyncio

import pytest

from .floods import QUIET, flood
from .servers import Server

# 60 commands from 10 people in 4 channels: one of them busy enough that answers share lines.
PLAN = {"#busy": 45, "#calm1": 5, "#calm2": 5, "#calm3": 5}


@pytest.mark.slow
async def test_sixty_at_once(ngircd: Server, inspircd: Server) -> None:
    """IRC-22, IRC-23: at the shipped limits of ngircd and InspIRCd each of 60 commands is answered, once, in order
    for its channel, with no Excess Flood; the quiet channel is not kept waiting by the busy ones, and of each answer it
    is known that it is out. `python -m bench flood` does it with 1,000 from 50 people.
    """
    for found in await asyncio.gather(*(flood(server, PLAN, 10, within=240) for server in (ngircd, inspircd))):
        assert sum(map(len, found.asked.values())) == 60
        assert found.answered.pop(QUIET) == ["quiet"]
        assert found.answered == found.asked
        assert found.told == list(range(1, 62))
        assert found.quiet <= 3 * len(PLAN), "the channels take turns"
        assert found.lines < 50, "where more than 20 wait they share lines"
        assert found.connections == 1

"""More than the servers bear, on servers with their own limits: all is answered, and nobody is thrown out."""

from __future__ import annotations

import asyncio

import pytest

from .floods import QUIET, flood
from .servers import Server

# 200 commands from 10 people in 10 channels: some of them busy enough that answers share lines.
PLAN = {**{f"#busy{number}": 45 for number in range(4)}, **{f"#calm{number}": 4 for number in range(5)}}


@pytest.mark.slow
async def test_two_hundred_at_once(ngircd: Server, inspircd: Server) -> None:
    """IRC-22, IRC-23: at the shipped limits of ngircd and InspIRCd each of 200 commands is answered, once, in order
    for its channel, with no Excess Flood; the quiet channel is not kept waiting by the busy ones, and of each answer it
    is known that it is out. `python -m bench flood` does it with 1,000 from 50 people.
    """
    for found in await asyncio.gather(*(flood(server, PLAN, 10, within=160) for server in (ngircd, inspircd))):
        assert sum(map(len, found.asked.values())) == 200
        assert found.answered.pop(QUIET) == ["quiet"]
        assert found.answered == found.asked
        assert found.told == list(range(1, 202))
        assert found.quiet < 20, "ten channels take turns, a line a second"
        assert found.lines < 120, "where more than 20 wait they share lines"
        assert found.connections == 1

"""Two real servers that are one network, and part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import servers
from .bots import config, network, running, whole
from .client import Person
from .servers import Server


@pytest.fixture
def pair(server_packages: None) -> Iterator[tuple[Server, Server]]:
    """Two linked ngircds, which the test may part."""
    made = servers.linked_ngircds()
    yield made
    for server in made:
        server.remove()


async def _seen_from_afar(near: Person, port: int, nick: str) -> Person:
    """Somebody on the other server, once both are one network."""
    far = await Person(nick).connect(port, "#split")
    await near.sees(f"^:{nick}!\\S+ JOIN")
    return far


async def test_a_netsplit_parts_people_and_no_contest(pair: tuple[Server, Server], tmp_path: Path) -> None:
    """GEN-06: who is on a server that is parted from the bot's is gone and comes back; the bot stays and
    answers those who are left, and a contest with somebody who is parted waits for their return.
    """
    here, there = pair
    made = config(network(here.port, "#split"))
    async with (
        await Person("bob").connect(here.port, "#split") as bob,
        whole(made, tmp_path) as bot,
        running(made, bot),
    ):
        await bob.sees("JOIN :?#split")
        alice = await _seen_from_afar(bob, there.port, "alice")
        alice.say("#split", "roll 1d10")
        await alice.sees("PRIVMSG #split :alice: ")
        bob.say("#split", "xr 3d6 vs @alice")
        await bob.sees("PRIVMSG #split :bob vs alice: ")
        there.stop()
        await bob.sees("^:alice!\\S+ QUIT")
        bob.say("#split", "roll 2d10")
        await bob.sees("PRIVMSG #split :bob: .* 2d10")
        await alice.__aexit__()
        there.start()
        alice = await _seen_from_afar(bob, there.port, "alice")
        alice.say("#split", "xr 3d6")
        await bob.sees("PRIVMSG #split :bob vs alice: .*; bob .*; alice ")
        await alice.__aexit__()

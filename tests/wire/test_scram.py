"""SCRAM-SHA-256 on InspIRCd, with services of the tests' own behind it, as Debian's Atheme has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import services
from .scram_services import scram_services
from .services import Network
from .test_services import ROOM, account, bot


@pytest.fixture(scope="module")
def unserved(server_packages: None) -> Iterator[Network]:
    """An InspIRCd without services."""
    made = services.launch(atheme=False)
    yield made
    made.remove()


async def test_right(unserved: Network) -> None:
    """IRC-04: both sides prove that they know the password, and the bot is in; it was never said."""
    values = account(unserved, "Scram", sasl_password="pencil")
    async with scram_services(unserved.link_port, "pencil") as made, bot(unserved, ROOM, **values) as log:
        await log.says("logged in SCRAM-SHA-256 as dice")
        await log.says("joined")
    assert made.outcomes == ["in"]


async def test_wrong(unserved: Network) -> None:
    """IRC-04: a wrong password is refused for good, and not tried as PLAIN."""
    values = account(unserved, "Scram", sasl_password="pen")
    async with scram_services(unserved.link_port, "pencil") as made, bot(unserved, ROOM, **values) as log:
        await log.says("refused for good: SASL failed: SCRAM-SHA-256: 904")
    assert made.outcomes == ["refused"]


async def test_a_server_that_does_not_know_the_password(unserved: Network) -> None:
    """IRC-04: its signature is wrong: `AUTHENTICATE *`, and the bot does not come in."""
    values = account(unserved, "Scram", sasl_password="pencil")
    async with scram_services(unserved.link_port, "pencil", lie=True) as made, bot(unserved, ROOM, **values) as log:
        await log.says("refused for good: SASL failed: SCRAM-SHA-256: SCRAM: ")
        await made.came_to(1)
    assert made.outcomes == ["broken off"]
    assert not any("welcome" in line for line in log.lines)

"""Real servers for the tests."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from . import servers
from .servers import Server


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """The demo sets logging up for the process; a test leaves it as it found it."""
    loggers = [logging.getLogger(name) for name in (None, "ircdice", "grammars", "irc", "jaraco", "ircdice.wire")]
    levels, handlers = [logger.level for logger in loggers], loggers[0].handlers[:]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    for handler in [one for one in loggers[0].handlers if one not in handlers]:
        loggers[0].removeHandler(handler)
        handler.close()
    logging.captureWarnings(False)


@pytest.fixture(scope="session")
def server_packages() -> None:
    """No server, no proof: a missing package fails the tests, it does not skip them."""
    if lacking := servers.missing():
        pytest.fail(f"these tests need the Debian packages {' '.join(lacking)}: apt-get install -y {' '.join(lacking)}")


@pytest.fixture(scope="session")
def ngircd(server_packages: None) -> Iterator[Server]:
    """An ngircd with its default limits, for all tests; they keep to channels and nicks of their own."""
    yield from _kept(servers.ngircd())


@pytest.fixture(scope="session")
def ngircd_unlimited(server_packages: None) -> Iterator[Server]:
    """An ngircd without flood limits."""
    yield from _kept(servers.ngircd(flood_limit=False))


@pytest.fixture(scope="session")
def inspircd(server_packages: None) -> Iterator[Server]:
    """An InspIRCd with the limits of its example class, casemapping rfc1459."""
    yield from _kept(servers.inspircd())


@pytest.fixture(scope="session")
def inspircd_ascii(server_packages: None) -> Iterator[Server]:
    """An InspIRCd whose casemapping is ascii."""
    yield from _kept(servers.inspircd(casemapping="ascii"))


@pytest.fixture
def ngircd_alone(server_packages: None) -> Iterator[Server]:
    """An ngircd for one test, which may stop it."""
    yield from _kept(servers.ngircd())


@pytest.fixture
def ngircd_password(server_packages: None) -> Iterator[Server]:
    """An ngircd that wants the password `open`."""
    yield from _kept(servers.ngircd(flood_limit=False, password="open"))


def _kept(server: Server) -> Iterator[Server]:
    yield server
    server.remove()

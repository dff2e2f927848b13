"""Endpoint: where a network is to be reached, by its config and by what its server asked for (IRC-02)."""

from __future__ import annotations

from dataclasses import replace

from ircdice.config import NetworkConfig
from ircdice.wire.sts import Policies


class Endpoint:
    """One network's. A server that once asked for TLS is never again spoken to in the clear while the bot runs."""

    def __init__(self, policies: Policies) -> None:
        self._policies = policies
        self._asked: tuple[str, int] | None = None  # by which host, and the port
        self._duration = 0

    def config(self, wanted: NetworkConfig, now: float) -> NetworkConfig:
        """`wanted` as it is to be connected to at `now`, in seconds since the epoch."""
        self._duration = 0
        if wanted.tls or not wanted.sts:
            return wanted
        asked = self._asked[1] if self._asked and self._asked[0] == wanted.host else None
        port = asked or self._policies.port(wanted.host, now)
        return wanted if port is None else replace(wanted, tls=True, port=port)

    def secure(self, host: str, port: int) -> None:
        """The server asked for TLS on `port`: to be taken up at once."""
        self._asked = (host, port)

    def keep(self, used: NetworkConfig, duration: int, now: float) -> None:
        """The server asked, over TLS, to be held to it for `duration` seconds."""
        self._duration = duration
        self._policies.keep(used.host, used.port, duration, now)

    def ended(self, used: NetworkConfig, now: float) -> None:
        """A connection is over: the time that the server asked for begins then."""
        if used.tls and self._duration:
            self._policies.keep(used.host, used.port, self._duration, now)

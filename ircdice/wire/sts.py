"""Strict Transport Security: which hosts are reached only over TLS, and until when (IRC-02). The time is passed in."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass, replace
from pathlib import Path

from ircdice.config import NetworkConfig

log = logging.getLogger(__name__)
FILE = "sts.json"
_NUMBER = re.compile("[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Policy:
    """The value of the capability: the port for TLS, and how many seconds to require it."""

    port: int | None = None
    duration: int | None = None


def parse_policy(value: str) -> Policy:
    """Parse `value`; invalid parts are ignored."""
    given: dict[str, str] = {}
    for token in value.split(","):
        name, _, text = token.partition("=")
        given.setdefault(name, text)
    port, duration = (
        int(given[key]) if _NUMBER.fullmatch(given.get(key, "")) else None for key in ("port", "duration")
    )
    return Policy(port if port is not None and 0 < port < 65536 else None, duration)


class Endpoint:
    """Where to connect. A server that once asked for TLS never gets plain text again while the bot runs.

    Policies by host are kept in a file if there is a folder for it, so that they survive a restart.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / FILE
        self._asked: tuple[str, int] | None = None  # host and port of a requested upgrade

    def config(self, config: NetworkConfig, now: float) -> NetworkConfig:
        """`config` with TLS and its port if a policy asks for it at `now`, in seconds since the epoch."""
        if config.socket is not None:
            return replace(config, sts=False)
        if config.tls or not config.sts:
            return config
        if self._asked and self._asked[0] == config.host:
            return replace(config, tls=True, port=self._asked[1])
        port, until = self._read().get(config.host.lower(), (0, 0.0))
        return replace(config, tls=True, port=port) if now < until else config

    def secure(self, host: str, port: int) -> None:
        """The server asked for TLS on `port`."""
        self._asked = (host, port)

    def keep(self, used: NetworkConfig, duration: int, now: float) -> None:
        """Require TLS for `duration` seconds from `now`, as the server asked over TLS; 0 ends the policy."""
        host, policies = used.host.lower(), {name: policy for name, policy in self._read().items() if now < policy[1]}
        policies.pop(host, None)
        if duration:
            policies[host] = (used.port, now + duration)
        self._write(policies)

    def _read(self) -> dict[str, tuple[int, float]]:
        if self._file is None or not self._file.exists():
            return {}
        try:
            stored = json.loads(self._file.read_text("utf-8"))
            return {str(host): (int(policy["port"]), float(policy["until"])) for host, policy in stored.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            log.exception("%s cannot be read and is ignored", self._file)
            return {}

    def _write(self, policies: dict[str, tuple[int, float]]) -> None:
        if self._file is None:
            return
        text = json.dumps({host: {"port": port, "until": until} for host, (port, until) in policies.items()}, indent=1)
        new = self._file.with_suffix(".new")
        try:
            new.write_text(text + "\n", "utf-8")
            new.replace(self._file)
        except OSError as error:
            log.warning("%s cannot be written, a restart would forget TLS: %s", self._file, error.strerror)

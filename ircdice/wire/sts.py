"""Sts: which hosts are to be spoken to over TLS alone, and until when (IRC-02). The time is passed in."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)
FILE = "sts.json"
_NUMBER = re.compile("[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Policy:
    """The value of the capability: where TLS is spoken, and for how many seconds it is to be kept to."""

    port: int | None = None
    duration: int | None = None


def policy(value: str) -> Policy:
    """What `value` says; what makes no sense counts as not said."""
    said: dict[str, str] = {}
    for token in value.split(","):
        name, _, text = token.partition("=")
        said.setdefault(name, text)
    port, duration = (int(said[key]) if _NUMBER.fullmatch(said.get(key, "")) else None for key in ("port", "duration"))
    return Policy(port if port is not None and 0 < port < 65536 else None, duration)


class Policies:
    """Policies by host, kept in a file where there is one, so that a restart does not forget them."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / FILE

    def port(self, host: str, now: float) -> int | None:
        """Where `host` is to be reached over TLS, if a policy holds at `now`, in seconds since the epoch."""
        kept = self._read().get(host.lower())
        return kept[0] if kept and now < kept[1] else None

    def keep(self, host: str, port: int, duration: int, now: float) -> None:
        """Hold `host` to TLS for `duration` seconds from `now`; 0 lets it go."""
        kept = {name: held for name, held in self._read().items() if now < held[1]}
        kept.pop(host.lower(), None)
        if duration:
            kept[host.lower()] = (port, now + duration)
        self._write(kept)

    def _read(self) -> dict[str, tuple[int, float]]:
        if self._file is None or not self._file.exists():
            return {}
        try:
            kept = json.loads(self._file.read_text("utf-8"))
            return {str(host): (int(held["port"]), float(held["until"])) for host, held in kept.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            log.exception("%s cannot be read: it is passed over", self._file)
            return {}

    def _write(self, kept: dict[str, tuple[int, float]]) -> None:
        if self._file is None:
            return
        text = json.dumps({host: {"port": port, "until": until} for host, (port, until) in kept.items()}, indent=1)
        beside = self._file.with_suffix(".new")
        try:
            beside.write_text(text + "\n", "utf-8")
            beside.replace(self._file)
        except OSError as error:
            log.warning("%s cannot be written, TLS would be forgotten at a restart: %s", self._file, error.strerror)

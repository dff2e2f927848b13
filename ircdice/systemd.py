"""Systemd: how the process tells its supervisor what it is at (IRC-26). Knows the protocol of sd_notify alone.

A datagram to the socket that `NOTIFY_SOCKET` names is all there is to it, which no library is worth. Where the
variable is not set nothing is sent: whoever starts the bot by hand misses nothing.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from time import clock_gettime_ns

log = logging.getLogger(__name__)
CLOCK_MONOTONIC = 1


def notify(*state: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Tell the supervisor `READY=1`, `STOPPING=1`, `STATUS=…`; whether there is one. Raises nothing."""
    address = environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.connect(address.replace("@", "\0", 1) if address[0] == "@" else address)
            sender.sendall("\n".join(state).encode())
    except OSError as error:
        log.warning("the supervisor could not be told %s: %s", state[0], error)
        return False
    return True


def reloading() -> tuple[str, str]:
    """The state of a process that reads its config again; READY ends it."""
    return "RELOADING=1", f"MONOTONIC_USEC={clock_gettime_ns(CLOCK_MONOTONIC) // 1000}"


def watchdog(environ: Mapping[str, str] = os.environ) -> float | None:
    """Seconds between two `WATCHDOG=1`, half of what the supervisor waits; None where it does not wait for any."""
    said = environ.get("WATCHDOG_USEC", "")
    if not said.isascii() or not said.isdigit() or int(said) == 0:
        return None
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # it is another process that is waited for
    return int(said) / 2_000_000

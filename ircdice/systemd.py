"""Systemd: report the state of the process to its supervisor by sd_notify (IRC-26).

The protocol is one datagram to the socket in `NOTIFY_SOCKET`. Without that variable nothing is sent.
"""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Mapping
from time import clock_gettime_ns

log = logging.getLogger(__name__)
CLOCK_MONOTONIC = 1


def notify(*state: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send `READY=1`, `STOPPING=1`, `STATUS=…`; whether there is a supervisor. Raises nothing."""
    address = environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.connect(address.replace("@", "\0", 1) if address[0] == "@" else address)
            sender.sendall("\n".join(state).encode())
    except OSError as error:
        log.warning("%s could not be sent to the supervisor: %s", state[0], error)
        return False
    return True


def reloading() -> tuple[str, str]:
    """The state of a process that reads its config again, until READY."""
    return "RELOADING=1", f"MONOTONIC_USEC={clock_gettime_ns(CLOCK_MONOTONIC) // 1000}"


def watchdog(environ: Mapping[str, str] = os.environ) -> float | None:
    """Seconds between two `WATCHDOG=1`, half the supervisor's limit; None if it expects none."""
    limit = environ.get("WATCHDOG_USEC", "")
    if not re.fullmatch("[0-9]{1,18}", limit) or int(limit) == 0:
        return None
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # another process is meant
    return int(limit) / 2_000_000

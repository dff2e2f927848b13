"""TLS: how a server proves who it is (IRC-02). Knows contexts and reasons, and opens no socket."""

from __future__ import annotations

import ssl
from pathlib import Path


def context(extra: Path | None) -> ssl.SSLContext:
    """Name and chain are checked; `extra` adds a file to the system's authorities."""
    made = ssl.create_default_context()
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    if extra is not None:
        made.load_verify_locations(cafile=extra)
    return made


def reason(error: BaseException) -> str:
    """Why connecting failed, in one line for a person."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"TLS handshake failed: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS handshake failed: {(error.reason or str(error)).replace('_', ' ').lower()}"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return " ".join(str(error).split()) or type(error).__name__

"""TLS: how a server proves who it is, and we to it (IRC-02). Knows contexts and reasons, and opens no socket."""

from __future__ import annotations

import hashlib
import re
import ssl

from ircdice.config import NetworkConfig

_NUMBER = re.compile(r"\[Errno -?[0-9]+\] ")  # tells a person nothing that the words do not


class PinError(OSError):
    """The server's certificate is none of those that the config names."""


def context(config: NetworkConfig) -> ssl.SSLContext:
    """Name and chain are checked; where certificates are pinned, `check_pin` takes the place of that."""
    made = ssl.create_default_context()
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    if config.tls_fingerprint:
        made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    elif config.tls_ca is not None:
        made.load_verify_locations(cafile=config.tls_ca)
    if config.tls_cert is not None:
        made.load_cert_chain(config.tls_cert, config.tls_key, password="")  # else OpenSSL would ask the terminal
    return made


def fingerprint(certificate: bytes) -> str:
    """SHA-256 of a certificate in DER, in small hexadecimal."""
    return hashlib.sha256(certificate).hexdigest()


def check_pin(pins: tuple[str, ...], certificate: bytes | None) -> None:
    """Raise `PinError` unless `certificate` is pinned; no pins pin nothing."""
    if pins and (certificate is None or fingerprint(certificate) not in pins):
        shown = fingerprint(certificate) if certificate else "none"
        raise PinError(f"TLS refused: the certificate is not among tls_fingerprint, it is {shown}")


def reason(error: BaseException) -> str:
    """Why connecting failed, or a connection ended, in one line for a person."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"TLS handshake failed: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS handshake failed: {(error.reason or str(error)).replace('_', ' ').lower()}"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return _NUMBER.sub("", " ".join(str(error).split())) or type(error).__name__

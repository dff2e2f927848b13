"""Logins: whether what a network is given to prove itself with can work (IRC-02, IRC-04), as far as files tell."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

MECHANISMS = ("none", "auto", "plain", "external", "scram-sha-256", "ecdsa-nist256p-challenge")
_NEEDS = {
    "plain": "sasl_password",
    "external": "tls_cert",
    "scram-sha-256": "sasl_password",
    "ecdsa-nist256p-challenge": "sasl_key",
}
_PLAIN_PORTS = (6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 7000)
_SOON = timedelta(days=14)

Told = Iterator[tuple[str, str]]  # a key, and a sentence about it


def faults(given: Mapping[str, Any]) -> Told:
    """What cannot work."""
    wanted = given.get("sasl", ())
    for name in wanted:
        if (need := _NEEDS.get(name)) and not given.get(need):
            yield "sasl", f"{name} needs {need}"
    credentials = [key for key in ("sasl_password", "sasl_key") if given.get(key)]
    if "auto" in wanted and not credentials and not given.get("tls_cert"):
        yield "sasl", "auto needs one of sasl_password, sasl_key and tls_cert"
    if not wanted:
        yield from ((key, "is given, but sasl is none; did you mean sasl = auto?") for key in credentials)
    yield from _certificate_faults(given.get("tls_cert"), given.get("tls_key"))


def warnings(given: Mapping[str, Any]) -> Told:
    """What can work, and is not what most people mean."""
    tls = given.get("tls", True)
    if given.get("tls_ca") and given.get("tls_fingerprint"):
        yield "tls_ca", "is not looked at: tls_fingerprint takes the place of all other checks"
    if tls and given.get("port") in _PLAIN_PORTS:
        yield "port", f"{given['port']} is without TLS on nearly every network"
    if not tls:
        yield from _in_the_clear(given)
    if given.get("tls_cert"):
        yield from _expiry(given["tls_cert"])


def _in_the_clear(given: Mapping[str, Any]) -> Told:
    wanted = given.get("sasl", ())
    alone = set(wanted) <= {"plain", "external"} or ("auto" in wanted and not given.get("sasl_password"))
    if wanted and alone and not ("plain" in wanted and given.get("sasl_plain_without_tls")):
        yield "sasl", f"{', '.join(wanted)} needs TLS, and tls is no"
    for key in ("password", "nickserv_password"):
        if given.get(key):
            yield key, "is sent in the clear, as tls is no"


def _certificate_faults(certificate: Path | None, key: Path | None) -> Told:
    if certificate is None:
        if key is not None:
            yield "tls_key", "is of no use without tls_cert"
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        yield "tls_cert", _why(error, key or certificate)
    except OSError as error:
        yield "tls_cert", f"{error.filename}: {(error.strerror or 'cannot be read').lower()}"


def _why(error: ssl.SSLError, key: Path) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return "tls_key is the key of another certificate"
    if b"ENCRYPTED" in key.read_bytes():
        return "its key is encrypted; the bot cannot be asked for the password"
    return "holds no certificate with its key; where that is in another file, name it in tls_key"


def _expiry(certificate: Path) -> Told:
    from cryptography import x509  # only those pay for it who have a certificate

    ends = x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc
    now = datetime.now(UTC)
    if ends < now + _SOON:
        yield "tls_cert", f"{'has expired' if ends < now else 'expires'} on {ends:%Y-%m-%d}"

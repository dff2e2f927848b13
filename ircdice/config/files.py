"""Types of the files in a config. A relative path starts at the folder of the config, the context of pydantic."""

from __future__ import annotations

import errno
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import AfterValidator, BeforeValidator, ValidationInfo

from ircdice.errors import reason
from ircdice.values import plain

LARGEST = 1_000_000  # bytes of a file


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """A key for ECDSA-NIST256P-CHALLENGE (IRC-04), with the file it was read from."""

    file: Path
    pem: str = field(repr=False)  # IRC-05


def content(file: Path) -> bytes:
    """The bytes in `file`. ValueError if it is a directory, a device or too large, or cannot be read."""
    try:
        size = file.stat().st_size
        if not file.is_file():
            raise ValueError(f"{file}: is {'a directory' if file.is_dir() else 'not a regular file'}")
        if size > LARGEST:
            raise ValueError(f"{file}: is longer than {LARGEST} bytes")
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file}: {reason(error)}") from None


def secret(file: Path) -> str:
    """The text in `file`, without line breaks at its end."""
    try:
        return content(file).decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ValueError(f"{file}:{line}: is not UTF-8") from None


def _resolved(text: str, info: ValidationInfo[Path]) -> Path:
    file: Path = info.context / plain(text)
    try:
        file.lstat()
    except OSError as error:  # other faults depend on what the file is for
        if error.errno == errno.ENAMETOOLONG:
            raise ValueError(f"{text!r} is too long for a path") from None
    return file


@AfterValidator
def readable(file: Path) -> Path:
    """A file that can be read."""
    content(file)
    return file


@AfterValidator
def certificates(file: Path) -> Path:
    """A file of certificates that TLS can use."""
    content(file)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except ssl.SSLError:
        raise ValueError(f"{file}: contains no certificate") from None
    return file


@BeforeValidator
def private_key(text: str, info: ValidationInfo[Path]) -> PrivateKey:
    """A file with a private key on the curve P-256, in PEM (IRC-04)."""
    file = _resolved(text, info)
    pem = secret(file)
    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, ArithmeticError):
        key = None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise ValueError(f"{file}: contains no unencrypted P-256 (prime256v1) private key in PEM")
    return PrivateKey(file, pem)


File = Annotated[Path, BeforeValidator(_resolved)]

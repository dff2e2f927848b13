"""Values that name files, and what is read from those. Knows no section and no key."""

from __future__ import annotations

import os
import ssl
import stat
from collections.abc import Callable
from pathlib import Path

from ircdice.config.model import PrivateKey
from ircdice.config.values import Parser, plain

_MOST = 1_000_000  # bytes: no config is longer, and no secret


def path(folder: Path) -> Parser[Path]:
    """A path, a relative one taken from `folder`."""
    return lambda text: folder / plain(text)


def folder_in(folder: Path) -> Parser[Path]:
    """A directory, that need not be there yet."""

    def parse(text: str) -> Path:
        wanted = path(folder)(text)
        _roomy(wanted)
        return wanted

    return parse


def written(folder: Path) -> Parser[Path]:
    """A file that is to be written."""

    def parse(text: str) -> Path:
        file = path(folder)(text)
        if _is_folder(file):
            raise ValueError(f"{file}: is a directory")
        _roomy(file.parent)
        return file

    return parse


def _roomy(folder: Path) -> None:
    """ValueError where a file stands in a directory's place, or in that of one above it."""
    there = next((each for each in (folder, *folder.parents) if _is_folder(each) is not None), folder)
    if _is_folder(there) is False:
        raise ValueError(f"{there}: is no directory")


def try_to_make(folder: Path) -> None:
    """ValueError where a directory is not there and cannot be made; of the trial nothing stays.

    No look tells that: whoever may do anything makes none below /proc all the same.
    """
    if _is_folder(folder) is not None:
        return
    there = next(each for each in folder.parents if _is_folder(each))
    trial = there / f".ircdice-{os.getpid()}"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        raise ValueError(f"{there}: is not writable") from None


def _is_folder(file: Path) -> bool | None:
    """None where nothing is, or nobody may look."""
    try:
        return stat.S_ISDIR(file.stat().st_mode)
    except OSError:
        return None


def certificates(folder: Path) -> Parser[Path]:
    """A file of certificates that TLS can use."""
    return _usable(folder, lambda file: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file))


def readable(folder: Path) -> Parser[Path]:
    """A file that can be read."""
    return _usable(folder, lambda file: file.open("rb").close())


def _usable(folder: Path, use: Callable[[Path], None]) -> Parser[Path]:
    """A file that can be used so."""

    def parse(text: str) -> Path:
        file = path(folder)(text)
        _ending(file)
        try:
            use(file)
        except OSError as error:  # SSLError is one
            raise ValueError(f"{file}: {_reason(error)}") from None
        return file

    return parse


def signing_key(folder: Path) -> Parser[PrivateKey]:
    """A file with a private key of the curve P-256, in PEM (IRC-04)."""

    def parse(text: str) -> PrivateKey:
        file = path(folder)(text)
        pem = secret(file)
        if not _is_p256(pem):
            raise ValueError(f"{file}: holds no unencrypted private key of the curve P-256 (prime256v1) in PEM")
        return PrivateKey(file, pem)

    return parse


def _is_p256(pem: str) -> bool:
    # Only those pay for these who log in with a key.
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, ArithmeticError):
        return False
    return isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1)


def secret(file: Path) -> str:
    """What `file` holds, less the line break at its end."""
    try:
        return content(file).decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ValueError(f"{file}: is not UTF-8") from None


def content(file: Path) -> bytes:
    """All of `file`. ValueError where it cannot be read, or need not end."""
    _ending(file)
    try:
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file}: {_reason(error)}") from None


def _ending(file: Path) -> None:
    """ValueError where reading might never come to an end: a pipe, a device; or where it is too long."""
    try:
        found = file.stat()
    except OSError as error:
        raise ValueError(f"{file}: {_reason(error)}") from None
    if stat.S_ISDIR(found.st_mode):
        raise ValueError(f"{file}: is a directory")
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{file}: is no regular file")
    if found.st_size > _MOST:
        raise ValueError(f"{file}: is longer than {_MOST} bytes")


def open_to_others(file: Path) -> bool:
    """Whether anyone on this machine may read `file` (IRC-05)."""
    return bool(file.stat().st_mode & stat.S_IROTH)


def _reason(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return "holds no certificate"
    return (error.strerror or "cannot be read").lower()

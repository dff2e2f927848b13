"""Values that name files, and what is read from those. Knows no section and no key."""

from __future__ import annotations

import ssl
import stat
from pathlib import Path

from ircdice.config.values import Parser, plain


def path(folder: Path) -> Parser[Path]:
    """A path, a relative one taken from `folder`."""
    return lambda text: folder / plain(text)


def certificates(folder: Path) -> Parser[Path]:
    """A file of certificates that TLS can use."""

    def parse(text: str) -> Path:
        file = path(folder)(text)
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
        except OSError as error:  # SSLError is one
            raise ValueError(f"{file}: {_reason(error)}") from None
        return file

    return parse


def secret(file: Path) -> str:
    """What `file` holds, less the line break at its end."""
    try:
        return file.read_text("utf-8-sig").rstrip("\r\n")
    except OSError as error:
        raise ValueError(f"{file}: {_reason(error)}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file}: is not UTF-8") from None


def open_to_others(file: Path) -> bool:
    """Whether anyone on this machine may read `file` (IRC-05)."""
    return bool(file.stat().st_mode & stat.S_IROTH)


def _reason(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return "holds no certificate"
    return (error.strerror or "cannot be read").lower()

"""Parse the text of one value. A ValueError holds the end of a sentence: `KEY: …`."""

from __future__ import annotations

import ipaddress
import re
import ssl
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from grammars.channel import INITIATIVE
from ircdice.config.ini import nearest

T = TypeVar("T")
Parser = Callable[[str], T]

LONGEST = 200  # bytes of a value sent to a server: it fits into one line with its command
LARGEST = 1_000_000  # bytes of a file
MECHANISMS = ("none", "auto", "plain", "external", "scram-sha-256", "ecdsa-nist256p-challenge")

_TRUTH = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LETTER = r"A-Za-z\[\]\\`_^{|}"
_NICK = re.compile(rf"(?:[{_LETTER}]|[^\x00-\xa0])(?:[{_LETTER}0-9-]|[^\x00-\xa0])*")
_HOST = re.compile(r"(?!-)[\w-]{1,63}(?<!-)(\.(?!-)[\w-]{1,63}(?<!-))*\.?")
_SHOWN = 40  # characters of a faulty value that are quoted


@dataclass(frozen=True, slots=True)
class Join:
    """A channel to join, with its key if it has one."""

    name: str
    key: str | None = field(default=None, repr=False)  # IRC-05


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """A key for ECDSA-NIST256P-CHALLENGE (IRC-04), with the file it was read from."""

    file: Path
    pem: str = field(repr=False)  # IRC-05


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


# Combinations


def optional(parser: Parser[T]) -> Parser[T | None]:
    """A value that may be empty."""
    return lambda text: parser(text) if text else None


def several(parser: Parser[T], separator: str = r"[,\s]+") -> Parser[tuple[T, ...]]:
    """A list on one line or more. It may be empty, but not consist of commas."""

    def parse(text: str) -> tuple[T, ...]:
        parts = [part.strip() for part in re.split(separator, text) if part.strip()]
        if text.strip() and not parts:
            raise ValueError("has nothing between its commas")
        return tuple(map(parser, parts))

    return parse


def one_of(names: Collection[str]) -> Parser[str]:
    """One of a few names."""

    def parse(text: str) -> str:
        if text.lower() not in names:
            raise ValueError(f"{_quoted(text)} is not known; {nearest(text, names)}")
        return text.lower()

    return parse


# Switches and numbers


def yes_or_no(text: str) -> bool:
    """A switch."""
    if text.lower() not in _TRUTH:
        raise ValueError(f"{_quoted(text)} is neither yes nor no")
    return _TRUTH[text.lower()]


def whole(low: int, high: int) -> Parser[int]:
    """A whole number within bounds."""
    return _number(int, r"[+-]?[0-9]{1,18}", "a whole number", low, high)


def decimal(low: float, high: float) -> Parser[float]:
    """A number within bounds, with or without a point."""
    return _number(float, r"[+-]?([0-9]{1,18}\.?[0-9]{0,18}|\.[0-9]{1,18})", "a number", low, high)


def _number(convert: Parser[T], pattern: str, kind: str, low: float, high: float) -> Parser[T]:
    def parse(text: str) -> T:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{_quoted(text)} is not {kind}")
        if not low <= float(text) <= high:
            raise ValueError(f"{_quoted(text)} is not between {low} and {high}")
        return convert(text)

    return parse


# Text


def plain(text: str) -> str:
    """Any text without control characters and line breaks."""
    if not text:
        raise ValueError("is empty")
    if _CONTROL.search(text):
        raise ValueError("contains a control character or a line break")
    return text


def line(text: str) -> str:
    """Text that is sent to a server (IRC-21)."""
    if len(plain(text).encode()) > LONGEST:
        raise ValueError(f"is longer than {LONGEST} bytes")
    return text


def word(text: str) -> str:
    """One word that is sent to a server."""
    if re.search(r"\s", line(text)):
        raise ValueError("contains a space")
    return text


def matching(pattern: str | re.Pattern[str], sentence: str, parser: Parser[str] = str) -> Parser[str]:
    """Text that `parser` accepts and that matches the whole pattern; `sentence` is the error for any other."""

    def parse(text: str) -> str:
        if not re.fullmatch(pattern, parser(text)):
            raise ValueError(f"{_quoted(text)} {sentence}")
        return text

    return parse


label = matching(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", "is not a name of at most 32 letters, digits, ., - and _")
"""A name that can be part of a file name."""


dice = matching(INITIATIVE, "is not dice, such as 1d10")
"""One kind of dice."""


origin = matching(r"[^\s+]*", "contains a space or a +", line)
"""A ledger's name in signed notes, whose format reserves `+` and spaces (LED-12)."""


def prefixes(text: str) -> str:
    """The characters that may come before a command (GEN-02); none is allowed."""
    bad = [c for c in text if c.isalnum() or c.isspace() or not c.isprintable() or c in "<@#"]
    if bad or len(set(text)) < len(text):
        raise ValueError(f"{_quoted(text)} must be punctuation, each character once, and none of < @ #")
    return text


# IRC


nick = matching(_NICK, "is not a nick: letters, digits, - and []\\`_^{|}, no digit or - first", word)
"""A nick that a server could accept."""


username = matching(r"[^@!:]*", "contains one of @ ! :", word)
"""The name before the host, as USER sends it."""


account = matching(r"(?![0*]$).*", "is not an account: servers say that of users who are not logged in", word)
"""A services account. Servers use `0` and `*` for users without one (IRC-14)."""


def relay(text: str) -> str:
    """A relay: an account, or a mask with more than a nick (IRC-29)."""
    nick, _, rest = word(text).rpartition("!")
    if not rest.strip("*?@") or (not nick and "@" not in rest and re.search("[*?]", rest)):
        raise ValueError(f"{_quoted(text)} matches any user: name an account, or a mask with its host, *!*@HOST")
    return text if "@" in rest else account(text)


def channel(text: str) -> str:
    """A channel's name. The sentences do not quote it: its key may be part of the text (IRC-05)."""
    if len(text) < 2 or text[0] not in "#&+!":
        raise ValueError("a channel begins with # (& + !), and its key comes after a space: #NAME, #NAME KEY")
    if "," in word(text):
        raise ValueError("the name of a channel contains no comma")
    if not unicodedata.is_normalized("NFC", text):
        raise ValueError("the name is not in Unicode's composed form (NFC), which the ledger uses for channels")
    return text


def join(text: str) -> Join:
    """`#NAME` or `#NAME KEY`."""
    name, *keys = text.split()
    if len(keys) > 1:
        raise ValueError("after a channel comes at most one key, then a comma")
    if keys and word(keys[0]).startswith(":"):
        raise ValueError("a key does not begin with a colon")
    return Join(channel(name), *keys)


def mechanisms(text: str) -> tuple[str, ...]:
    """SASL mechanisms in the order in which to try them (IRC-04)."""
    given = several(one_of(MECHANISMS))(text)
    if len(set(given)) < len(given):
        raise ValueError("names one of them twice")
    if len(given) > 1 and {"none", "auto"} & set(given):
        raise ValueError("none and auto cannot be combined with others")
    return tuple(name for name in given if name != "none")


# Addresses


def address(text: str) -> str:
    """An IP address."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise ValueError(f"{_quoted(text)} is not an IP address") from None


def host(text: str) -> str:
    """A server's name or IP address."""
    try:
        return address(text)
    except ValueError:
        if _HOST.fullmatch(text) and len(text) <= 253:
            return text
    found = re.fullmatch(r"(.+):([0-9]+)", text)
    hint = f"; write host = {found[1]} and, on another line, port = {found[2]}" if found else ""
    raise ValueError(f"{_quoted(text)} is neither a host name nor an IP address{hint}")


def socks_proxy(text: str) -> str:
    """`socks5://HOST:PORT`, with `USER:PASSWORD@` if the proxy needs it (IRC-27). It is not quoted (IRC-05)."""
    where = re.fullmatch(r"socks5://(?:[^\s@/]+@)?(?P<host>[^\s@/]+):(?P<port>[0-9]{1,5})/?", plain(text))
    if where is None or not 0 < int(where["port"]) < 65536:
        raise ValueError("is not socks5://HOST:PORT or socks5://USER:PASSWORD@HOST:PORT")
    host(where["host"].removeprefix("[").removesuffix("]"))
    return text


@dataclass(frozen=True, slots=True)
class Listen:
    """Where a server listens: an address and a port, or a unix socket."""

    host: str = ""
    port: int = 0
    socket: Path | None = None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"unix:{self.socket}" if self.socket else f"{host}:{self.port}"


def listen(text: str) -> Listen:
    """`127.0.0.1:8040`, `[::1]:8040` or `unix:/run/ircdice/web.sock`."""
    if text.startswith(("unix:", "/")):
        return Listen(socket=path(text.removeprefix("unix:")))
    where, _, port = text.rpartition(":")
    try:
        return Listen(address(where.removeprefix("[").removesuffix("]")), whole(1, 65535)(port))
    except ValueError:
        raise ValueError(f"{_quoted(text)} is neither ADDRESS:PORT nor unix:PATH") from None


def listen_locally(text: str) -> Listen | None:
    """As `listen`, on the loopback interface or a unix socket only; `off` or empty is none (IRC-26)."""
    if text.lower() in ("", "off", "no"):
        return None
    where = listen(text)
    if where.socket is None and not ipaddress.ip_address(where.host).is_loopback:
        raise ValueError(f"{_quoted(text)} can be reached from elsewhere; use 127.0.0.1, [::1] or unix:PATH")
    return where


def base_url(text: str) -> str:
    """The public address of the page, without a slash at its end; it may be empty."""
    if text and not re.fullmatch(r"https?://[A-Za-z0-9.\[\]:-]{1,253}(/[A-Za-z0-9._~-]{1,64})*/?", text):
        raise ValueError(f"{_quoted(text)} is not an address like https://dice.example.org")
    return text.rstrip("/")


docs_url = matching(r"(https?://[!-~]{1,150})?", "is not an address like https://dice.example.org/docs")
"""The address of the documentation; it may be empty."""


def proxy(text: str) -> str:
    """The address or network of a proxy trusted to report client addresses."""
    try:
        return str(ipaddress.ip_network(text)) if "/" in text else address(text)
    except ValueError:
        raise ValueError(f"{_quoted(text)} is neither an IP address nor a network") from None


def fingerprint(text: str) -> str:
    """SHA-256 of a certificate, as `openssl x509 -fingerprint -sha256` shows it or without colons (IRC-02)."""
    digits = text.replace(":", "").lower()
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise ValueError(f"{_quoted(text)} is not a SHA-256 fingerprint, which has 64 hexadecimal digits")
    return digits


def ledger_url(text: str) -> str:
    """The address of the ledger: a SQLite file or a PostgreSQL database whose driver is installed (LED-01)."""
    if not re.match(r"(sqlite:////?|postgresql\+psycopg://)[^/\s]", plain(text)):
        raise ValueError("is neither sqlite:///FILE nor postgresql+psycopg://…")
    if text.startswith("sqlite:") and (text.endswith((":memory:", "/")) or "?" in text):
        raise ValueError("is not sqlite:///FILE; :memory: and ?options are not supported")
    if text.startswith("postgresql") and find_spec("psycopg") is None:
        raise ValueError("needs the driver for PostgreSQL: pip install 'ircdice[postgresql]'")
    return text


# Files, with their whole path


def path(text: str) -> Path:
    """Any path."""
    return Path(plain(text))


def folder(text: str) -> Path:
    """A directory, which need not exist yet."""
    existing(path(text))
    return path(text)


def log_file(text: str) -> Path:
    """A file that will be written to."""
    file = path(text)
    if file.is_dir():
        raise ValueError(f"{file}: is a directory")
    existing(file.parent)
    return file


def readable(text: str) -> Path:
    """A file that can be read."""
    content(path(text))
    return path(text)


def certificates(text: str) -> Path:
    """A file of certificates that TLS can use."""
    file = readable(text)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except ssl.SSLError:
        raise ValueError(f"{file}: contains no certificate") from None
    return file


def private_key(text: str) -> PrivateKey:
    """A file with a private key on the curve P-256, in PEM (IRC-04)."""
    file = path(text)
    pem = secret(file)
    if not _is_p256(pem):
        raise ValueError(f"{file}: contains no unencrypted P-256 (prime256v1) private key in PEM")
    return PrivateKey(file, pem)


def _is_p256(pem: str) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec  # slow to import, and rarely needed
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, ArithmeticError):
        return False
    return isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1)


def existing(folder: Path) -> Path:
    """`folder`, or the nearest directory above it that exists. ValueError if a file is in its place."""
    found = next(each for each in (folder, *folder.parents) if each.exists())
    if not found.is_dir():
        raise ValueError(f"{found}: is not a directory")
    return found


def secret(file: Path) -> str:
    """The text in `file`, without line breaks at its end."""
    try:
        return content(file).decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ValueError(f"{file}: is not UTF-8") from None


def content(file: Path) -> bytes:
    """The bytes in `file`. ValueError if it is a directory, a device or too large; OSError if it cannot be read."""
    size = file.stat().st_size
    if not file.is_file():
        raise ValueError(f"{file}: is {'a directory' if file.is_dir() else 'not a regular file'}")
    if size > LARGEST:
        raise ValueError(f"{file}: is longer than {LARGEST} bytes")
    return file.read_bytes()

"""Types of the values in a config, for pydantic. A ValueError holds the end of a sentence: `KEY: …`."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from grammars import catalogue
from grammars import channel as house

T = TypeVar("T")

LONGEST = 200  # bytes of a value sent to a server: it fits into one line with its command

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LETTER = r"A-Za-z\[\]\\`_^{|}"
_NICK = rf"(?:[{_LETTER}]|[^\x00-\xa0])(?:[{_LETTER}0-9-]|[^\x00-\xa0])*"
_HOST = re.compile(r"(?!-)[\w-]{1,63}(?<!-)(\.(?!-)[\w-]{1,63}(?<!-))*\.?")


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence: the name in `known` closest to `word`, or all of them if none is close."""
    names = sorted(known)
    close = get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    return f"known are {', '.join(names)}" if names else "there is none"


# Combinations and numbers


def split(text: str, separator: str = r"[,\s]+") -> list[str]:
    """The parts of a list on one line or more. It may be empty, but not consist of commas."""
    parts = [part.strip() for part in re.split(separator, text) if part.strip()]
    if text.strip() and not parts:
        raise ValueError("has nothing between its commas")
    return parts


Several = Annotated[tuple[T, ...], BeforeValidator(split)]
Maybe = Annotated[T | None, BeforeValidator(lambda text: text or None)]  # None if it is empty
Lower = BeforeValidator(str.lower)


def expecting(pattern: str, sentence: str) -> Callable[[str], str]:
    """A check that text matches the whole pattern; `sentence` is the error for any other."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{text!r} {sentence}")
        return text

    return check


# Stricter than pydantic, which reads 1_0 and 5.0 as whole numbers, 1e3 as a decimal, and t as yes.
_SWITCH = BeforeValidator(expecting("(?ai)yes|no|on|off|true|false|1|0", "is neither yes nor no"))
_WHOLE = BeforeValidator(expecting("[+-]?[0-9]{1,18}", "is not a whole number"))
_DECIMAL = BeforeValidator(expecting(r"[+-]?([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18})", "is not a number"))
Switch = Annotated[bool, _SWITCH]
Whole = Annotated[int, _WHOLE]
Decimal = Annotated[float, _DECIMAL]
Minutes = Annotated[Whole, Field(ge=house.MINUTES[0], le=house.MINUTES[1])]
Seconds = Annotated[Decimal, Field(ge=0.001, le=86400)]  # not 0: a limit that refills at once would not limit anything
Burst = Annotated[Whole, Field(ge=1, le=1_000_000)]
Port = Annotated[Whole, Field(ge=1, le=65535)]
_PORT = TypeAdapter(Port)


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


def matching(pattern: str, sentence: str) -> AfterValidator:
    """Accept text that matches the whole pattern; `sentence` is the error for any other."""
    return AfterValidator(expecting(pattern, sentence))


@AfterValidator
def prefixes(text: str) -> str:
    """The characters that may come before a command (GEN-02); none is allowed."""
    if any(c.isalnum() or c.isspace() or not c.isprintable() or c in "<@#" for c in text):
        raise ValueError(f"{text!r} must be punctuation, and none of < @ #")
    return text


@AfterValidator
def game(text: str) -> str:
    """The name of a game."""
    names = {"v5", *catalogue.system_names()}
    if text.lower() not in names:
        raise ValueError(f"{text!r} is not known; {nearest(text, names)}")
    return text.lower()


label = matching(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", "is not a name of at most 32 letters, digits, ., - and _")
dice = matching(house.INITIATIVE, "is not dice, such as 1d10")
origin = matching(r"[^\s+]*", "contains a space or a +")  # which the format of signed notes reserves (LED-12)

Plain = Annotated[str, AfterValidator(plain)]
Line = Annotated[str, AfterValidator(line)]
Word = Annotated[str, AfterValidator(word)]
Game = Annotated[str, game]


# IRC


@dataclass(frozen=True, slots=True)
class Join:
    """A channel to join, with its key if it has one."""

    name: str
    key: str | None = field(default=None, repr=False)  # IRC-05


@AfterValidator
def relay(text: str) -> str:
    """A relay: an account, or a mask with more than a nick (IRC-29)."""
    nick, _, rest = text.rpartition("!")
    if not rest.strip("*?@") or (not nick and "@" not in rest and re.search("[*?]", rest)):
        raise ValueError(f"{text!r} matches any user: name an account, or a mask with its host, *!*@HOST")
    return text


def channel(text: str) -> str:
    """A channel's name. The sentences do not quote it: its key may be part of the text (IRC-05)."""
    if len(text) < 2 or text[0] not in "#&+!":
        raise ValueError("a channel begins with # (& + !); in channels, its key may follow: #NAME KEY")
    if "," in word(text):
        raise ValueError("the name of a channel contains no comma")
    if not unicodedata.is_normalized("NFC", text):
        raise ValueError("the name is not in Unicode's composed form (NFC), which the ledger uses for channels")
    return text


def _join(text: str) -> Join:
    name, *keys = text.split()
    if len(keys) > 1:
        raise ValueError("after a channel comes at most one key, then a comma")
    if keys and word(keys[0]).startswith(":"):
        raise ValueError("a key does not begin with a colon")
    return Join(channel(name), *keys)


@BeforeValidator
def joins(text: str) -> tuple[Join, ...]:
    """Channels as `#NAME` or `#NAME KEY`, between commas or on lines of their own."""
    return tuple(_join(part) for part in split(text, r"[,\n]"))


@AfterValidator
def mechanisms(given: tuple[str, ...]) -> tuple[str, ...]:
    """SASL mechanisms in the order in which to try them (IRC-04)."""
    if len(given) > 1 and {"none", "auto"} & set(given):
        raise ValueError("none and auto cannot be combined with others")
    return tuple(name for name in given if name != "none")


username = matching("[^@!:]*", "contains one of @ ! :")
Mechanism = Literal["none", "auto", "plain", "external", "scram-sha-256", "ecdsa-nist256p-challenge"]
Nick = Annotated[Word, matching(_NICK, "is not a nick: letters, digits, - and []\\`_^{|}, no digit or - first")]
# IRC-14: servers use `0` and `*` for users without a services account.
Account = Annotated[Word, matching("(?![0*]$).*", "is not an account: servers say that of users who are not logged in")]


# Addresses


@AfterValidator
def address(text: str) -> str:
    """An IP address."""
    return str(ipaddress.ip_address(text))


@AfterValidator
def network(text: str) -> str:
    """An IP address or a network."""
    return str(ipaddress.ip_network(text)) if "/" in text else str(ipaddress.ip_address(text))


@AfterValidator
def host(text: str) -> str:
    """A server's name or IP address."""
    if _HOST.fullmatch(text) and len(text) <= 253:
        return text
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        found = re.fullmatch(r"(\w+://)?([^/\s]{1,253}?)(:([0-9]{1,5}))?/?", text)
        hint = f"; write host = {found[2].strip('[]')}" if found and found[2] != text else ""
        hint += f" and, on another line, port = {found[4]}" if found and found[4] else ""
        raise ValueError(f"{text!r} is neither a host name nor an IP address{hint}") from None


@AfterValidator
def socks_proxy(text: str) -> str:
    """`socks5://HOST:PORT`, with `USER:PASSWORD@` if the proxy needs it (IRC-27). It is not quoted (IRC-05)."""
    where = re.fullmatch(r"socks5://(?:[^\s@/]+@)?(\[[0-9A-Fa-f:.]+\]|[\w.-]+):(?P<port>[0-9]{1,5})/?", text)
    if where is None or not 0 < int(where["port"]) < 65536:
        raise ValueError("is not socks5://HOST:PORT or socks5://USER:PASSWORD@HOST:PORT")
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


def _listen(text: str) -> Listen:
    if text.startswith(("unix:", "/")):
        return Listen(socket=Path(plain(text.removeprefix("unix:"))))
    where, _, port = text.rpartition(":")
    try:
        host = ipaddress.ip_address(where.removeprefix("[").removesuffix("]"))
        return Listen(str(host), _PORT.validate_python(port))
    except ValueError:
        raise ValueError(f"{text!r} is neither ADDRESS:PORT, as 127.0.0.1:8040, nor unix:PATH") from None


listen = BeforeValidator(_listen)
"""`127.0.0.1:8040`, `[::1]:8040` or `unix:/run/ircdice/web.sock`."""


@BeforeValidator
def listen_locally(text: str) -> Listen | None:
    """As `listen`, on the loopback interface or a unix socket only; `off` or empty is none (IRC-26)."""
    if text.lower() in ("", "off", "no"):
        return None
    where = _listen(text)
    if where.socket is None and not ipaddress.ip_address(where.host).is_loopback:
        raise ValueError(f"{text!r} can be reached from elsewhere; use 127.0.0.1, [::1] or unix:PATH")
    return where


@AfterValidator
def base_url(text: str) -> str:
    """The public address of the page, without a slash at its end; it may be empty."""
    if text and not re.fullmatch(r"https?://[A-Za-z0-9.\[\]:-]{1,253}(/[A-Za-z0-9._~-]{1,64})*/?", text):
        raise ValueError(f"{text!r} is not an address like https://dice.example.org")
    return text.rstrip("/")


docs_url = matching(r"(https?://[!-~]{1,150})?", "is not an address like https://dice.example.org/docs")


@AfterValidator
def fingerprint(text: str) -> str:
    """SHA-256 of a certificate, as `openssl x509 -fingerprint -sha256` shows it or without colons (IRC-02)."""
    digits = text.replace(":", "").lower()
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise ValueError(f"{text!r} is not a SHA-256 fingerprint, which has 64 hexadecimal digits")
    return digits


@AfterValidator
def ledger_url(text: str) -> str:
    """The address of the ledger: a SQLite file or a PostgreSQL database whose driver is installed (LED-01)."""
    if not re.match(r"(sqlite:////?|postgresql\+psycopg://)[^/\s]", text):
        raise ValueError("is neither sqlite:///FILE nor postgresql+psycopg://…")
    if text.startswith("sqlite:") and (text.endswith((":memory:", "/")) or "?" in text):
        raise ValueError("is not sqlite:///FILE; :memory: and ?options are not supported")
    if text.startswith("postgresql") and find_spec("psycopg") is None:
        raise ValueError("needs the driver for PostgreSQL: pip install 'ircdice[postgresql]'")
    try:
        make_url(text)
    except (ArgumentError, ValueError):  # the sentence does not quote the address: it may hold a password (IRC-05)
        raise ValueError("is not postgresql+psycopg://USER:PASSWORD@HOST:PORT/DATABASE with a number as PORT") from None
    return text

"""Text → one checked value, or a `ValueError` with a sentence. Knows no section, no key and no file."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Collection
from importlib.util import find_spec
from typing import TypeVar

from ircdice.config.faults import nearest
from ircdice.config.model import Join

T = TypeVar("T")
Parser = Callable[[str], T]

_TRUTH = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LETTER = r"A-Za-z\[\]\\`_^{|}"
_NICK = re.compile(rf"(?:[{_LETTER}]|[^\x00-\xa0])(?:[{_LETTER}0-9-]|[^\x00-\xa0])*")
_HOST = re.compile(r"(?!-)[\w-]{1,63}(?<!-)(\.(?!-)[\w-]{1,63}(?<!-))*\.?")
_CHANNEL_SIGNS = "#&+!"
_SHOWN = 40  # characters of a faulty value that are quoted
_LONGEST = 200  # bytes of anything that goes to the wire: with its command it fits in one line


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def yes_or_no(text: str) -> bool:
    """A switch."""
    if text.lower() not in _TRUTH:
        raise ValueError(f"{_quoted(text)} is neither yes nor no")
    return _TRUTH[text.lower()]


def whole(low: int, high: int) -> Parser[int]:
    """A whole number within bounds."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            raise ValueError(f"{_quoted(text)} is no whole number")
        if not low <= int(text) <= high:
            raise ValueError(f"{_quoted(text)} is not between {low} and {high}")
        return int(text)

    return parse


def decimal(low: float, high: float) -> Parser[float]:
    """A number within bounds, with a point or without."""

    def parse(text: str) -> float:
        if not re.fullmatch(r"[+-]?([0-9]{1,18}\.?[0-9]{0,18}|\.[0-9]{1,18})", text):
            raise ValueError(f"{_quoted(text)} is no number")
        if not low <= float(text) <= high:
            raise ValueError(f"{_quoted(text)} is not between {low:g} and {high:g}")
        return float(text)

    return parse


_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")


def label(text: str) -> str:
    """A name that may stand in a file's: letters, digits, `.`, `-` and `_`."""
    if not _LABEL.fullmatch(text):
        raise ValueError(f"{_quoted(text)} is no name of at most 32 letters, digits, ., - and _")
    return text


def origin(text: str) -> str:
    """A ledger's name in signed notes, which keep `+` and blanks for themselves (LED-12)."""
    if re.search(r"[\s+]", line(text)):
        raise ValueError(f"{_quoted(text)} holds a blank or a +")
    return text


def ledger_url(text: str) -> str:
    """The address of the ledger: a SQLite file or a PostgreSQL database whose driver is installed (LED-01)."""
    if not re.match(r"(sqlite:///|postgresql\+psycopg://)[^/\s]", plain(text)) and not text.startswith("sqlite:////"):
        raise ValueError("is neither sqlite:///FILE nor postgresql+psycopg://…")
    if text.startswith("sqlite:") and (text.endswith((":memory:", "/")) or "?" in text):
        raise ValueError("is sqlite:/// and the name of a file; :memory: or ?options are none")
    if text.startswith("postgresql") and find_spec("psycopg") is None:
        raise ValueError("needs the driver for PostgreSQL: pip install 'ircdice[postgresql]'")
    return text


def one_of(names: Collection[str]) -> Parser[str]:
    """One of a few names."""

    def parse(text: str) -> str:
        if text.lower() not in names:
            raise ValueError(f"{_quoted(text)} is not known; {nearest(text, names)}")
        return text.lower()

    return parse


def optional(parser: Parser[T]) -> Parser[T | None]:
    """What may be left empty."""
    return lambda text: parser(text) if text else None


def several(parser: Parser[T], apart: str = r"[,\s]+") -> Parser[tuple[T, ...]]:
    """A list, over one line or more; none is fine, and commas alone are not."""

    def parse(text: str) -> tuple[T, ...]:
        parts = [part.strip() for part in re.split(apart, text) if part.strip()]
        if text.strip() and not parts:
            raise ValueError("holds nothing between its commas")
        return tuple(map(parser, parts))

    return parse


def plain(text: str) -> str:
    """Anything but nothing, control characters and line breaks."""
    if not text:
        raise ValueError("is empty")
    if _CONTROL.search(text):
        raise ValueError("holds a control character or a line break")
    return text


def line(text: str) -> str:
    """Words that go to the wire: what is plain (IRC-21) and not too long."""
    if len(plain(text).encode()) > _LONGEST:
        raise ValueError(f"is longer than {_LONGEST} bytes")
    return text


def word(text: str) -> str:
    """One word that goes to the wire."""
    if re.search(r"\s", line(text)):
        raise ValueError("holds a blank")
    return text


def nick(text: str) -> str:
    """A nick that a server could take."""
    if not _NICK.fullmatch(word(text)):
        raise ValueError(f"{_quoted(text)} is no nick: letters, digits, - and []\\`_^{{|}}, no digit or - first")
    return text


def username(text: str) -> str:
    """The name in front of the host, as USER sends it."""
    if re.search(r"[@!:]", word(text)):
        raise ValueError(f"{_quoted(text)} holds one of @ ! :")
    return text


def account(text: str) -> str:
    """A services account; `0` and `*` are what a server says of one who has none (IRC-14)."""
    if word(text) in ("0", "*"):
        raise ValueError(f"{_quoted(text)} stands for nobody's account")
    return text


def prefixes(text: str) -> str:
    """The signs that may stand before a command (GEN-02); none is fine."""
    bad = [sign for sign in text if sign.isalnum() or sign.isspace() or not sign.isprintable() or sign in "<@#"]
    if bad or len(set(text)) < len(text):
        raise ValueError(f"{_quoted(text)} must be signs, each once, and none of < @ #")
    return text


def address(text: str) -> str:
    """An IP address of this machine."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise ValueError(f"{_quoted(text)} is no IP address") from None


def fingerprint(text: str) -> str:
    """SHA-256 of a certificate, as `openssl x509 -fingerprint -sha256` shows it or without colons (IRC-02)."""
    digits = text.replace(":", "").lower()
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise ValueError(f"{_quoted(text)} is no SHA-256 fingerprint, which has 64 hexadecimal digits")
    return digits


def mechanisms(names: Collection[str]) -> Parser[tuple[str, ...]]:
    """Ways to log in, in the order in which to try them (IRC-04); `none` is none, `auto` stands alone."""
    listed = several(one_of(names))

    def parse(text: str) -> tuple[str, ...]:
        given = listed(text)
        if len(set(given)) < len(given):
            raise ValueError("names one of them twice")
        if len(given) > 1 and {"none", "auto"} & set(given):
            raise ValueError("none and auto stand alone")
        return tuple(name for name in given if name != "none")

    return parse


def host(text: str) -> str:
    """A server's name or IP address."""
    try:
        return address(text)
    except ValueError:
        if not _HOST.fullmatch(text) or len(text) > 253:
            raise ValueError(f"{_quoted(text)} is neither a host name nor an IP address") from None
    return text


def channel(text: str) -> str:
    """A channel's name. The sentences do not quote it: beside it may stand a key (IRC-05)."""
    if not text or text[0] not in _CHANNEL_SIGNS or len(text) < 2:
        raise ValueError(f"a channel is one of {' '.join(_CHANNEL_SIGNS)} and a name")
    if "," in word(text):
        raise ValueError("a channel's name holds no comma")
    if not unicodedata.is_normalized("NFC", text):
        raise ValueError("the ledger has its names in Unicode's composed form (NFC), and this channel's is not in it")
    return text


def join(text: str) -> Join:
    """`#NAME` or `#NAME KEY`."""
    name, *keys = text.split()
    if len(keys) > 1:
        raise ValueError("after a channel comes one key, then a comma")
    if keys and word(keys[0]).startswith(":"):
        raise ValueError("a key does not begin with a colon")
    return Join(channel(name), *keys)

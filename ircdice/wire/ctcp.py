"""CTCP: the few requests that the bot answers (IRC-11). No quoting: `\\x10r` stays what it is and is no CR."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from ircdice import __version__

_QUERY = re.compile(r"\x01([A-Za-z]+)(?: ([^\x01]*))?\x01?")
_ECHOED = 100  # bytes of a PING given back


def answer(text: str, now: float) -> str | None:
    """What to answer to a message that begins with `\\x01`; None is silence, as for ACTION and all that is unknown."""
    found = _QUERY.fullmatch(text)
    if found is None:
        return None
    match found[1].upper():
        case "VERSION":
            return f"\x01VERSION ircdice {__version__}\x01"
        case "PING":
            return f"\x01PING {_plain(found[2] or '')}\x01"
        case "TIME":
            return f"\x01TIME {datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H:%M:%SZ}\x01"
    return None


def _plain(text: str) -> str:
    return "".join(filter(str.isprintable, text)).encode()[:_ECHOED].decode(errors="ignore")

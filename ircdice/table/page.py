"""Which records of a channel the page shows, as its `page` records say (WEB-10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from ircdice.ledger.record import Record

Mode = Literal["no", "link", "public"]
MODES: tuple[Mode, ...] = ("no", "link", "public")


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page shows of a channel: nothing, or the records after record `since`.

    `token` is the SHA-256, in hex, of the token in the channel's link.
    """

    mode: Mode = "no"
    since: int = 0
    token: str = ""

    def shows(self, seq: int) -> bool:
        """Whether that record was made after the page was switched on."""
        return self.mode != "no" and seq > self.since


def shown(records: Iterable[Record]) -> Shown:
    """What a channel's `page` records, in order, come to. Another link does not hide what the old one showed."""
    now = Shown()
    for record in records:
        mode, _, token = record.draft.text.removeprefix("page ").partition(" ")
        since = now.since if mode == now.mode else record.seq
        now = Shown("public", since) if mode == "public" else Shown("link", since, token) if mode == "link" else Shown()
    return now


def page_text(mode: Mode, token: str = "") -> str:
    """The text of a `page` record: `page public`, `page off`, or `page link` and the hash of the token."""
    if mode == "link":
        return f"page link {hashed(token)}"
    return "page public" if mode == "public" else "page off"


def hashed(token: str) -> str:
    """What the ledger keeps of a link's token."""
    return sha256(token.encode()).hexdigest()

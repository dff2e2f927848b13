"""Which records of a channel the page shows, as its `page` records say (WEB-10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal
from urllib.parse import quote

from ircdice.ledger.record import Record

Mode = Literal["no", "link", "public"]
PUBLIC, OFF, HIDDEN = "page public", "page off", "page hidden"  # texts of `page` records
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+")


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page shows of a channel: nothing, or the records after record `since`, made after `ts` (ms since 1970).

    `token` is the SHA-256, in hex, of the token in the channel's link. `ended` says that a storyteller switched the
    page off, so that only a storyteller switches it on again.
    """

    mode: Mode = "no"
    since: int = 0
    ts: int = 0
    token: str = ""
    ended: bool = False

    def shows(self, seq: int) -> bool:
        """Whether that record was made after the page was switched on."""
        return self.mode != "no" and seq > self.since


def shown(records: Iterable[Record]) -> Shown:
    """The state after a channel's `page` records, in order. A new link keeps what the old one showed."""
    now = Shown()
    for record in records:
        text = record.draft.text
        mode: Mode = "public" if text == PUBLIC else "link" if text.startswith("page link ") else "no"
        since, ts = (now.since, now.ts) if mode == now.mode else (record.seq, record.ts)
        token = text.removeprefix("page link ") if mode == "link" else ""
        now = Shown(mode, since, ts, token, ended=text == OFF)
    return now


def shown_places(records: Iterable[Record]) -> Mapping[tuple[str, str], Shown]:
    """The state of each place that has `page` records."""
    by_place: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        by_place.setdefault(record.draft.place, []).append(record)
    return {place: shown(theirs) for place, theirs in by_place.items()}


def link_text(token: str) -> str:
    """The text of the record that switches a link on: the ledger keeps the hash of its token."""
    return f"page link {hashed(token)}"


def hashed(token: str) -> str:
    """SHA-256 of a token, in hex."""
    return sha256(token.encode()).hexdigest()


def page_path(network: str, channel: str) -> str:
    """Where the page shows a public channel: `/c/libera/fu_dice`."""
    return f"/c/{network}/{name_in_path(channel)}"


def name_in_path(channel: str) -> str:
    """A channel in a path: `fu_dice` for `#fu_dice`; any other name is escaped twice, as servers unescape once."""
    bare = channel[1:]
    if channel.startswith("#") and _PLAIN.fullmatch(bare):
        return bare
    return quote(quote(channel, safe=""), safe="")

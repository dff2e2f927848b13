"""What the tests of the store record, and a stand-in for what completes it."""

from __future__ import annotations

from hashlib import sha256

from ircdice.dice import Stamp
from ircdice.ledger import Draft, Record
from ircdice.ledger.ids import tag
from ircdice.ledger.store import StoredLedger

KEY = b"\x11" * 32
START = 1_700_000_000_000


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


def complete(draft: Draft, seq: int, ts: int) -> Record:
    """Tag, blind and leaf as deterministic as a test likes them."""
    mark = tag(KEY, seq, draft.network, draft.channel, draft.nick, draft.line)
    blind = sha256(b"blind%d" % seq).digest()[:16]
    return Record(seq, ts, draft, mark, blind, "1.0.0", sha256(blind + draft.text.encode()).digest())


def opened(url: str, clock, wait: float = 5.0, *, to_read: bool = False) -> StoredLedger:
    return StoredLedger(url, complete, clock, wait, tag_of=lambda *fields: tag(KEY, *fields), to_read=to_read)


def roll(text: str = "roll 2d10", *, counter: int = 0, **more) -> Draft:
    """A roll as alice would say it in #fu on net."""
    given = {"kind": "roll", "network": "net", "channel": "#fu", "nick": "Alice", "who": "alice"}
    given |= {
        "draws": ((10, 9), (10, 1)),
        "line": f"Alice: {text}",
        "stamp": Stamp(1, counter, 0) if counter else Stamp(),
    }
    return Draft(text=text, **given | more)


async def append(ledger, *drafts: Draft) -> list[Record]:
    """One after the other."""
    return [await ledger.append(draft) for draft in drafts]


async def everything(ledger) -> list[Record]:
    """In order; of a database the settings too."""
    if isinstance(ledger, StoredLedger):
        return await ledger.read(lambda page: page.records(0, 1_000_000))
    return (await ledger.latest(1_000_000))[::-1]

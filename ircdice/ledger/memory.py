"""A ledger in memory, for `eval` and the tests."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ircdice.dice import entropy
from ircdice.errors import StaleError
from ircdice.ledger.record import NOTHING_SEEN, Draft, Record, tag

KEPT = 20_000  # records; the oldest are dropped, so that memory stays bounded


class MemoryLedger:
    """A ledger whose `records` are in order, oldest first. `clock` gives ms since 1970."""

    alone = True  # whether no other bot can write to it
    out_of_reach: float | None = None  # while the database is away: seconds that a command waits for it (LED-05)

    def __init__(self, clock: Callable[[], int], key: bytes | None = None) -> None:
        self._clock = clock
        self._key = key if key is not None else entropy(32)
        self.records: deque[Record] = deque(maxlen=KEPT)
        self._kept: dict[str, dict[str, Record]] = {}  # by network and key

    async def append(self, draft: Draft) -> Record:
        """Turn the draft into a record with number, time and tag; time never goes back (LED-02)."""
        seq, last = (self.records[-1].seq + 1, self.records[-1].ts) if self.records else (1, 0)
        mark = self.tag_of(seq, draft.network, draft.channel, draft.nick, draft.line)
        record = Record(seq, max(self._clock(), last), draft, mark)
        self.records.append(record)
        if draft.key:
            self._kept.setdefault(draft.network, {})[draft.key] = record
        return record

    async def append_all(self, drafts: Sequence[Draft], seen: Mapping[str, int] = NOTHING_SEEN) -> Sequence[Record]:
        """As `ProvenLedger.append_all`, but always in reach."""
        kept = self._kept.get(drafts[0].network, {})
        if any((kept[key].seq if key in kept else 0) != seq for key, seq in seen.items()):
            raise StaleError
        first = await self.append(drafts[0])
        return [first, *[await self.append(replace(draft, ref=first.seq)) for draft in drafts[1:]]]

    async def get(self, seq: int) -> Record | None:
        """The record with that number, if any."""
        index = seq - self.records[0].seq if self.records else -1
        return self.records[index] if 0 <= index < len(self.records) else None

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """Each network and channel with a record of `since` (ms since 1970) or later, or with a waiting contest."""
        return list(dict.fromkeys(r.draft.place for r in self.records if r.ts >= since))

    async def of_channel(self, network: str, channel: str, _since: int = 0) -> Sequence[Record]:
        """The channel's records, in order."""
        return [r for r in self.records if r.draft.place == (network, channel)]

    async def latest(
        self, count: int, *, network: str | None = None, channel: str | None = None, who: str | None = None
    ) -> Sequence[Record]:
        """The newest `count` records of a place, a person or both, newest first."""
        found = (
            r
            for r in reversed(self.records)
            if network in (None, r.draft.network) and channel in (None, r.draft.channel) and who in (None, r.draft.who)
        )
        return list(islice(found, count))

    async def of_who(self, who: str, since: int, until: int) -> Sequence[Record]:
        """A person's records between two times (ms since 1970, both included), on any network, in order."""
        return [r for r in self.records if r.draft.who == who and since <= r.ts <= until]

    async def scenes(self, network: str, channel: str) -> Sequence[Record]:
        """The records that open or end a scene there, newest first."""
        return [r for r in reversed(self.records) if (r.draft.kind, r.draft.place) == ("scene", (network, channel))]

    async def of_scene(self, network: str, channel: str, scene: str, count: int) -> Sequence[Record]:
        """The first `count` records of that scene, in order."""
        here = (network, channel), scene
        return [r for r in self.records if (r.draft.place, r.draft.scene) == here][:count]

    async def about(self, *seqs: int) -> Sequence[Record]:
        """The records that refer to any of those, in order."""
        return [r for r in self.records if r.draft.ref in seqs]

    async def kept(self, network: str, *owners: str) -> Sequence[Record]:
        """The latest record of each key of those owners: a key is `OWNER …`."""
        kept = self._kept.get(network, {})
        return [record for key, record in kept.items() if key.partition(" ")[0] in owners]

    async def kept_since(self, network: str, seq: int) -> Sequence[Record]:
        """The records with a key that come after that number, in order."""
        return [r for r in self.records if r.seq > seq and r.draft.key and r.draft.network == network]

    async def page_records(self) -> Sequence[Record]:
        """The `page` records of all places, in order for each (WEB-10)."""
        return [r for r in self.records if r.draft.kind == "page"]

    async def undelivered(self, _networks: Sequence[str]) -> Sequence[Record]:
        """The records whose lines are not known to be delivered (LED-06): none, because they end with the process."""
        return ()

    def mark_delivered(self, _network: str, _channel: str, _seq: int) -> None:
        """Note that a line was delivered; a ledger in memory ignores this."""

    def late(self) -> Sequence[Record]:
        """Records written after their commands were refused: never in memory."""
        return ()

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str:
        """The tag by LED-10, with this ledger's key."""
        return tag(self._key, seq, network, channel, nick, line)

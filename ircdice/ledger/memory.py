"""A ledger that lives as long as the process, for `eval` and the tests."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ircdice.dice import entropy
from ircdice.errors import StaleError
from ircdice.ledger.ids import tag
from ircdice.ledger.record import NOTHING_SEEN, Draft, Record

KEPT = 20_000  # records; the oldest go first, or a bot that runs for years would fill the memory


class MemoryLedger:
    """`records` are in order, oldest first. `clock` gives ms since 1970."""

    def __init__(self, clock: Callable[[], int], key: bytes | None = None) -> None:
        self._clock = clock
        self._key = key if key is not None else entropy(32)
        self.records: deque[Record] = deque(maxlen=KEPT)
        self._kept: dict[str, dict[str, Record]] = {}  # by network and key

    @property
    def alone(self) -> bool:
        """Nobody else knows of it."""
        return True

    @property
    def out_of_reach(self) -> None:
        """It never is."""

    async def append(self, draft: Draft) -> Record:
        """Number, date and tag the draft; time never goes back (LED-02)."""
        last = self.records[-1] if self.records else None
        seq = last.seq + 1 if last else 1
        ts = max(self._clock(), last.ts) if last else self._clock()
        mark = self.tag_of(seq, draft.network, draft.channel, draft.nick, draft.line)
        record = Record(seq, ts, draft, mark)
        self.records.append(record)
        if draft.key:
            self._kept.setdefault(draft.network, {})[draft.key] = record
        return record

    async def append_all(self, drafts: Sequence[Draft], seen: Mapping[str, int] = NOTHING_SEEN) -> Sequence[Record]:
        """All or none; see `Ledger`."""
        kept = self._kept.get(drafts[0].network, {})
        if any((kept[key].seq if key in kept else 0) != seq for key, seq in seen.items()):
            raise StaleError
        first = await self.append(drafts[0])
        return [first, *[await self.append(replace(draft, ref=first.seq)) for draft in drafts[1:]]]

    async def get(self, seq: int) -> Record | None:
        """The record with that number, while it is kept."""
        if not self.records or not (index := seq - self.records[0].seq) >= 0 or index >= len(self.records):
            return None
        return self.records[index]

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """The places of the records that are kept."""
        return list(dict.fromkeys((r.draft.network, r.draft.channel) for r in self.records if r.ts >= since))

    async def of_channel(self, network: str, channel: str, _since: int = 0) -> Sequence[Record]:
        """The channel's records that are kept, in order."""
        return [r for r in self.records if r.draft.network == network and r.draft.channel == channel]

    async def latest(
        self, count: int, *, network: str | None = None, channel: str | None = None, who: str | None = None
    ) -> Sequence[Record]:
        """The newest that are kept, newest first."""
        found = (
            record
            for record in reversed(self.records)
            if network in (None, record.draft.network)
            and channel in (None, record.draft.channel)
            and who in (None, record.draft.who)
        )
        return list(islice(found, count))

    async def of_who(self, who: str, since: int, until: int) -> Sequence[Record]:
        """What a person said in that time, as far as it is kept."""
        return [r for r in self.records if r.draft.who == who and since <= r.ts <= until]

    async def scenes(self, network: str, channel: str) -> Sequence[Record]:
        """The records that open or end a scene there, newest first."""
        return [r for r in reversed(self.records) if r.draft.place == (network, channel) and r.draft.kind == "scene"]

    async def of_scene(self, network: str, channel: str, scene: str, count: int) -> Sequence[Record]:
        """The first `count` records of that scene, in order."""
        here = (network, channel), scene
        return [r for r in self.records if (r.draft.place, r.draft.scene) == here][:count]

    async def about(self, *seqs: int) -> Sequence[Record]:
        """The records that refer to any of those, as far as they are kept."""
        return [r for r in self.records if r.draft.ref in seqs]

    async def kept(self, network: str, *owners: str) -> Sequence[Record]:
        """The latest record of each key of those owners."""
        kept = self._kept.get(network, {})
        return [record for key, record in kept.items() if key.partition(" ")[0] in owners]

    async def kept_since(self, network: str, seq: int) -> Sequence[Record]:
        """The records with a key after that number, as far as they are kept."""
        return [r for r in self.records if r.seq > seq and r.draft.key and r.draft.network == network]

    async def page_records(self) -> Sequence[Record]:
        """Those that are kept."""
        return [r for r in self.records if r.draft.kind == "page"]

    async def undelivered(self, _networks: Sequence[str]) -> Sequence[Record]:
        """Nothing outlives the process."""
        return ()

    def mark_delivered(self, _network: str, _channel: str, _seq: int) -> None:
        """It need not be known."""

    def late(self) -> Sequence[Record]:
        """Memory is never late."""
        return ()

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str:
        """As LED-10 has it, by this ledger's key."""
        return tag(self._key, seq, network, channel, nick, line)

    async def close(self) -> None:
        """Nothing is held open."""

"""A ledger that lives as long as the process: for `eval`, the demo and the tests. Knows no file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from ircdice.dice import entropy
from ircdice.ledger.ids import tag
from ircdice.ledger.record import Draft, Record

KEPT = 20_000  # records; the oldest go first, or a bot that runs for years would fill the memory


class MemoryLedger:
    """Records in a queue. `clock` gives ms since 1970."""

    def __init__(self, clock: Callable[[], int], key: bytes | None = None) -> None:
        self._clock = clock
        self._key = key if key is not None else entropy(32)
        self._records: deque[Record] = deque(maxlen=KEPT)

    @property
    def waits(self) -> bool:
        """Memory is there at once."""
        return False

    async def append(self, draft: Draft) -> Record:
        """Number, date and tag the draft; time never goes back (LED-02)."""
        last = self._records[-1] if self._records else None
        seq = last.seq + 1 if last else 1
        ts = max(self._clock(), last.ts) if last else self._clock()
        mark = tag(self._key, seq, draft.network, draft.channel, draft.nick, draft.line)
        record = Record(seq, ts, draft, mark)
        self._records.append(record)
        return record

    async def get(self, seq: int) -> Record | None:
        """The record with that number, while it is kept."""
        if not self._records or not (index := seq - self._records[0].seq) >= 0 or index >= len(self._records):
            return None
        return self._records[index]

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """The places of the records that are kept."""
        return list(dict.fromkeys((r.draft.network, r.draft.channel) for r in self._records if r.ts >= since))

    async def of_channel(self, network: str, channel: str) -> Sequence[Record]:
        """The channel's records that are kept, in order."""
        return [r for r in self._records if r.draft.network == network and r.draft.channel == channel]

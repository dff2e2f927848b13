"""`python -m bench.repeated COUNT FOLDER [CHANNELS]`: a whole signed ledger of so many records, quickly.

PLAYED of them are played by the real bot (`bench.played`); the rest are the same again and again, later, each with the
numbers, tags, leaves, epochs and checkpoints of its own place: epochs that have one seed have the same dice.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import event

from bench.played import EPOCH, played
from ircdice import __version__
from ircdice.dice import Stamp, entropy
from ircdice.ledger.canonical import complete
from ircdice.ledger.durable import make
from ircdice.ledger.ids import base32, from_base32
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import Checkpoint, SigningKey, sign
from ircdice.ledger.record import Draft, Record
from ircdice.ledger.signing import EVERY
from ircdice.ledger.store.engine import engines
from ircdice.ledger.store.migrations import migrate
from ircdice.ledger.store.page import Page
from ircdice.ledger.stream import commitment

PLAYED = 100_000  # records
SILENT = 1  # epoch at the end whose seed is not published: it goes on
AT_ONCE = 100
_NAMED = re.compile('(?<= )on ([0-9a-z]+)(?= "|$)')  # the roll that an amendment is of


@dataclass(frozen=True, slots=True)
class Original:
    """What was played: the records, when each of its epochs began (ms since 1970), and their seeds; `span` in ms."""

    records: list[Record]
    begun: list[int]
    seeds: list[bytes]
    span: int

    def epochs(self) -> Iterator[tuple[int, int, bytes]]:
        """Number, begin and seed of each, again and again without an end."""
        for number in itertools.count(1):
            again, nth = divmod(number - 1, len(self.seeds))
            yield number, self.begun[nth] + again * self.span, self.seeds[nth]

    def drafts(self, count: int) -> Iterator[tuple[int, int, Draft]]:
        """Number, time and draft of so many, again and again."""
        for seq in range(count):
            again, nth = divmod(seq, len(self.records))
            record = self.records[nth]
            ahead = again * len(self.records), again * len(self.seeds)
            yield seq + 1, record.ts + again * self.span, _moved(record.draft, *ahead)


def _moved(draft: Draft, records: int, epochs: int) -> Draft:
    stamp, line = draft.stamp, draft.line
    if draft.ref:
        line = _NAMED.sub(lambda match: f"on {base32((from_base32(match[1]) or 0) + records)}", line)
    return Draft(
        *(draft.kind, draft.network, draft.channel, draft.nick, draft.who, draft.text, draft.draws, line),
        *(draft.ref and draft.ref + records, draft.system, draft.house, draft.official),
        (stamp.epoch and Stamp(stamp.epoch + epochs, stamp.counter, stamp.generation)) or stamp,
        draft.sealed,
    )


def original(folder: Path, count: int, channels: int) -> Original:
    """Play it, or find it played."""
    keeping = Keeping(folder, "sqlite:///ledger.db", epoch=EPOCH, wait=60)
    if not (folder / "ledger.db").exists():
        asyncio.run(played(keeping, count, channels, at_once=AT_ONCE))
    ways = engines(keeping.database)
    with ways.read.connect() as connection:
        page = Page(connection)
        records = page.records(0, page.last()[0])
        begun = [epoch.begun for epoch in page.epochs() if epoch.begun is not None]
    ways.dispose()
    ended = range(1, len(begun))  # each of them is repeated whole
    whole = list(itertools.takewhile(lambda record: record.draft.stamp.epoch <= len(ended), records))
    return Original(whole, begun[:-1], [keeping.seeds.read(number) for number in ended], begun[-1] - begun[0])


@dataclass(slots=True)
class Signing:
    """Makes the checkpoints of one process, into table and file."""

    page: Page
    key: SigningKey
    seeds: Iterator[tuple[int, int, bytes]]
    tree: Tree
    notes: list[str]
    epoch: tuple[int, int] = (0, 0)
    coming: tuple[int, int, bytes] = (0, 0, b"")

    def prepare(self) -> None:
        """Commit to an epoch to come."""
        self.coming = next(self.seeds)
        number, _, seed = self.coming
        self.page.enter_epoch(number, "ircdice", commitment(number, seed))

    def begin(self) -> None:
        """The epoch that was committed to begins."""
        self.epoch = self.coming[:2]
        self.page.begin_epoch(*self.epoch)
        self.prepare()
        self.sign()

    def sign(self) -> None:
        """A checkpoint of what is there."""
        number, _, seed = self.coming
        running = (self.epoch,) if self.epoch[0] else ()
        following = ((number, commitment(number, seed)),)
        checkpoint = Checkpoint(self.key.name, self.tree.size, self.tree.root(), running, following)
        self.notes.append(sign(checkpoint, self.key))
        self.page.add_checkpoint(self.tree.size, self.notes[-1], self.tree.frontier)


def repeated(played: Original, keeping: Keeping, count: int) -> None:
    """Fill the ledger of `keeping`."""
    keeping.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    keeping.make_database()
    ways = engines(keeping.database)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -3000000"):
        event.listen(ways.write, "connect", lambda raw, _, said=f"PRAGMA {pragma}": raw.execute(said).fetchall())
    tags = keeping.tag_keys.load()
    key = keeping.signing_keys(keeping.suggested).load().current
    with ways.write.connect() as connection:
        migrate(connection)
        page = Page(connection)
        with connection.begin():
            page.keep("origin", keeping.suggested)
            page.keep("tag_key", tags.mark)
            _fill(played, Signing(page, key, played.epochs(), Tree(), []), count, tags.ranges[0][1], keeping)
    ways.dispose()


def _fill(played: Original, signing: Signing, count: int, tag_key: bytes, keeping: Keeping) -> None:
    page, made, marks = signing.page, list[tuple[Record, bytes]](), {}
    signing.prepare()
    signing.sign()
    signing.begin()
    for seq, ts, draft in played.drafts(count):
        if draft.stamp.epoch > signing.epoch[0]:
            signing.begin()
        record = complete(draft, seq, ts, entropy(16), __version__, tag_key)
        signing.tree.append(record.leaf)
        made.append((record, entropy(16)))
        marks[draft.network, draft.channel] = seq
        if seq % EVERY == 0:
            signing.sign()
        if len(made) == 5_000:
            page.insert(made)
            made.clear()
            print(f"\r{seq} ", end="", file=sys.stderr, flush=True)
    page.insert(made)
    page.mark(marks)
    signing.sign()
    with keeping.checkpoints.file.open("w") as file:
        file.writelines(f"{note}\n" for note in signing.notes)
    running = signing.epoch[0]
    for number, _, seed in itertools.islice(played.epochs(), running + 1):
        if number <= running - SILENT:
            page.reveal_seed(number, seed)
        else:
            keeping.seeds.folder.mkdir(mode=0o700, exist_ok=True)
            make(keeping.seeds.folder / str(number), f"{seed.hex()}\n".encode())


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(100_000, 20, 1_000)
    number, data = int(sys.argv[1]), Path(sys.argv[2]).resolve()
    channels = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    start = time.perf_counter()
    repeated(
        original(data / "original", min(number, PLAYED), channels),
        Keeping(data, "sqlite:///ledger.db", epoch=EPOCH),
        number,
    )
    print(f"{number} records in {time.perf_counter() - start:.0f} s")

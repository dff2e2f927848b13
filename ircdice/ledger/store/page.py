"""What stands beside the records and is written under the ledger's lock: checkpoints, epochs, seeds. Knows no proof."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ircdice.errors import LedgerDamaged
from ircdice.ledger.record import SHOWING_A_CONTEST, Record
from ircdice.ledger.store import made, made_postgresql, rows
from ircdice.ledger.store.driver import Driver, Row, text_of
from ircdice.ledger.store.migrations import LASTING, SETTING
from ircdice.ledger.store.schema import BEGUN, CHECKPOINTS, EPOCHS, META, RECORDS, SEEDS

HASH_LENGTH = 32
_NUMBER = re.compile("[0-9]{1,18}")
_KEY = re.compile("[0-9a-f]{64}")
IMPORTED = "imported"  # the process that epochs of an import belong to: nobody's, so that none of them goes on
_STEP = 10_000  # leaves, or checkpoints, fetched at once
_C = RECORDS.c
_LAST = (
    f"SELECT seq, ts, coalesce((SELECT s.seq FROM records AS s WHERE s.{SETTING} ORDER BY s.seq DESC LIMIT 1), 0)"
    " FROM records ORDER BY seq DESC LIMIT 1"
)
_IN_FORCE = (
    sa.select(_C.text)
    .where(sa.text(SETTING), _C.network == sa.bindparam("network"), _C.channel == sa.bindparam("channel"))
    .order_by(_C.seq.desc())
    .limit(1)
)
_EPOCHS = (
    "SELECT epochs.epoch, epochs.name, epochs.commitment, begun.ts, seeds.seed FROM epochs"
    " LEFT JOIN begun ON begun.epoch = epochs.epoch LEFT JOIN seeds ON seeds.epoch = epochs.epoch"
)
_UNPUBLISHED = f"{_EPOCHS} WHERE seeds.epoch IS NULL"
MOST_EPOCHS = 2**31 - 1  # what lies behind it, somebody else wrote: there would be no number for the next one
# Whatever became of the list: no epoch that was drawn from is given out again, or its dice would come again.
_GIVEN_OUT = (
    f"SELECT max(listed) FROM (SELECT max(epoch) AS listed FROM epochs WHERE epoch < {MOST_EPOCHS}"
    f" UNION ALL SELECT max(epoch) FROM records WHERE counter > 0 AND epoch < {MOST_EPOCHS}) AS known"
)
_CHECKPOINTS = "SELECT number, size, note, frontier FROM checkpoints"
_NEXT_CHECKPOINT = "SELECT coalesce(max(number), 0) + 1 FROM checkpoints"
_DELIVER = {
    dialect: f"INSERT INTO delivered (network, channel, seq) VALUES ({mark}, {mark}, {mark})"
    " ON CONFLICT (network, channel) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > delivered.seq"
    for dialect, mark in (("sqlite", "?"), ("postgresql", "%s"))
}


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """A signed note as it was made, and the tree of its size by the roots of its parts."""

    number: int  # 1, 2, 3, … in the order in which they were made
    size: int
    note: str
    frontier: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class StoredEpoch:
    """A time of one seed (LED-13): `name` is the process's; `begun` and `seed` are None until it began, or ended."""

    number: int
    name: str
    commitment: bytes
    begun: int | None = None  # ms since 1970
    seed: bytes | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """The ledger in one transaction; where its lock is held, nobody else writes until it ends."""

    connection: sa.Connection
    said_through: Driver | None = None  # where it is at hand

    @property
    def driver(self) -> Driver:
        """For what is said in every transaction."""
        return self.said_through or Driver(self.connection)

    def _asked(self, statement: str, *values: Any) -> Sequence[Row]:
        return self.driver.asked(statement, *values)

    def laid_out_otherwise(self) -> Sequence[str]:
        """What of the database is not as the migrations make it."""
        compared = made if self.connection.dialect.name == "sqlite" else made_postgresql
        return [*compared.differences(self._asked)]

    def last(self) -> tuple[int, int, int]:
        """Number and time of the last record, and the number of the last setting; 0 where there is none."""
        row = self.driver.first(_LAST)
        return (row[0], row[1], row[2]) if row else (0, 0, 0)

    def in_force(self, network: str, channel: str) -> str | None:
        """The text of that place's last setting."""
        return self.connection.scalar(_IN_FORCE, {"network": network, "channel": channel})

    def leaves(self, since: int, most: int = -1) -> Iterator[bytes]:
        """The leaves of the records behind `since`, in order; `most` of them, or all."""
        while most:
            step = _STEP if most < 0 else min(_STEP, most)
            asked = "SELECT leaf FROM records WHERE seq > ? ORDER BY seq LIMIT ?"
            found = [leaf if isinstance(leaf, bytes) else b"" for (leaf,) in self._asked(asked, since, step)]
            yield from found
            if len(found) < step:
                return
            since += step
            most -= step if most > 0 else 0

    def counters(self, epoch: int) -> Mapping[tuple[str, str], int]:
        """The highest counter of that epoch in each place that drew from it (LED-14)."""
        asked = "SELECT network, channel, max(counter) FROM records WHERE epoch = ? AND counter > 0"
        found = self._asked(f"{asked} GROUP BY network, channel", epoch)
        return {(network, channel): top for network, channel, top in found}

    def stirs(self, epoch: int, network: str | None = None, channel: str | None = None) -> list[Record]:
        """The `stir` records of that epoch, of one place or of all, in order."""
        place = {"network": network, "channel": channel}
        named = {name: value for name, value in place.items() if value is not None}
        wanted = " AND ".join(("kind = 'stir'", LASTING, "epoch = ?", *(f"{name} = ?" for name in named)))
        asked = f"{rows.ASKED} WHERE {wanted} ORDER BY seq"
        return [rows.record_of(row) for row in self._asked(asked, epoch, *named.values())]

    def covered(self, epoch: int) -> set[tuple[str, str]]:
        """Where a contest of that epoch still waits for its answer, its dice not shown (GEN-06, LED-13)."""
        later = RECORDS.alias("later")
        ending = sa.select(later.c.seq).where(
            later.c.ref == _C.seq, later.c.kind.in_(sorted(SHOWING_A_CONTEST)), later.c.ref > 0
        )
        place = _C.network, _C.channel
        asked = sa.select(*place).distinct().where(_C.epoch == epoch, sa.text("counter > 0"), _C.kind == "contest")
        return {(network, channel) for network, channel in self.connection.execute(asked.where(~ending.exists()))}

    def records(self, since: int, most: int) -> list[Record]:
        """Up to `most` records behind that number, in order."""
        asked = f"{rows.ASKED} WHERE seq > ? ORDER BY seq LIMIT ?"
        return [rows.record_of(row) for row in self._asked(asked, since, most)]

    def add_checkpoint(self, size: int, note: str, frontier: Sequence[bytes]) -> StoredCheckpoint:
        """Keep a checkpoint."""
        [[number]] = self._asked(_NEXT_CHECKPOINT)
        self.driver.insert(CHECKPOINTS, [(number, size, note, b"".join(frontier))])
        return StoredCheckpoint(number, size, note, tuple(frontier))

    def checkpoints(self, since: int = 0) -> Iterator[StoredCheckpoint]:
        """The checkpoints behind that number, in the order in which they were made."""
        found: Sequence[Row] = ((since,),)
        while found:
            found = self._asked(f"{_CHECKPOINTS} WHERE number > ? ORDER BY number LIMIT ?", found[-1][0], _STEP)
            yield from map(_checkpoint, found)

    def checkpoint_number(self, size: int, note: str) -> int | None:
        """The number of the last checkpoint of that size with that very note: a start without news repeats it."""
        asked = "SELECT number FROM checkpoints WHERE size = ? AND note = ? ORDER BY number DESC LIMIT 1"
        return next((number for (number,) in self._asked(asked, size, note)), None)

    def last_checkpoint(self) -> StoredCheckpoint | None:
        """The one that was made last."""
        return next(map(_checkpoint, self._asked(f"{_CHECKPOINTS} ORDER BY number DESC LIMIT 1")), None)

    def checkpoint_before(self, size: int) -> StoredCheckpoint | None:
        """The last one of at most `size` records that has its tree."""
        asked = f"{_CHECKPOINTS} WHERE size <= ? AND frontier <> ? ORDER BY number DESC LIMIT 1"
        return next(map(_checkpoint, self._asked(asked, size, b"")), None)

    def new_epoch(self, name: str, commitment: Callable[[int], bytes]) -> int:
        """Give out the next epoch's number to the process `name`; `commitment` makes its commitment of the number."""
        ((last,),) = self._asked(_GIVEN_OUT)
        number = int(last or 0) + 1
        self.enter_epoch(number, name, commitment(number))
        return number

    def enter_epoch(self, number: int, name: str, commitment: bytes) -> None:
        """Put an epoch into the list whose number was given out."""
        self.driver.insert(EPOCHS, [(number, name, commitment)])

    def begin_epoch(self, number: int, ts: int) -> None:
        """That epoch begins: dice are drawn from its seed from now on."""
        self.driver.insert(BEGUN, [(number, ts)])

    def has_begun(self, number: int) -> bool:
        """Whether it is put down when that epoch began, legibly or not."""
        return bool(self._asked("SELECT 1 FROM begun WHERE epoch = ?", number))

    def reveal_seed(self, number: int, seed: bytes) -> None:
        """Publish the seed of an epoch that is over."""
        self.driver.insert(SEEDS, [(number, seed)])

    def epochs(self, *, unpublished: bool = False) -> list[StoredEpoch]:
        """All epochs by their numbers, or those whose seed is not published."""
        asked = _UNPUBLISHED if unpublished else _EPOCHS
        return [_epoch(row) for row in self._asked(f"{asked} ORDER BY epochs.epoch")]

    def redact(self, who: Collection[str], network: str | None = None) -> int:
        """Take the content of a person's records away, and keep their leaves and the numbers of their dice (LED-25).

        The one thing that alters records; gives how many.
        """
        if self.connection.dialect.name == "sqlite":
            self.connection.exec_driver_sql("PRAGMA secure_delete = ON")
        gone: dict[str, Any] = dict.fromkeys(("nick", "who", "line", "tag", "rules"), "")
        gone |= {"kind": "withheld", "text": "redacted", "draws": b"", "blind": b""}
        gone |= dict.fromkeys(("sealed_text", "sealed_salt"))
        return self.connection.execute(sa.update(RECORDS).where(*_of(who, network)).values(gone)).rowcount

    def count_of(self, who: Collection[str], network: str | None = None) -> dict[tuple[str, str], int]:
        """How many records a person has, by network and channel."""
        place = _C.network, _C.channel
        asked = sa.select(*place, sa.func.count()).where(*_of(who, network)).group_by(*place).order_by(*place)
        return {(_text(row[0]), _text(row[1])): row[2] for row in self.connection.execute(asked)}

    def counts(self) -> dict[tuple[str, str, str], int]:
        """How many records there are of each kind in each network and channel."""
        place = _C.network, _C.channel, _C.kind
        asked = sa.select(*place, sa.func.count()).group_by(*place).order_by(*place)
        return {(_text(row[0]), _text(row[1]), _text(row[2])): row[3] for row in self.connection.execute(asked)}

    def origin(self) -> str | None:
        """The name that the ledger was made with."""
        return self.told("origin")

    def keep(self, name: str, value: str) -> str:
        """What the ledger was made with under that name; `value` from now on where it has none yet."""
        if (kept := self.told(name)) is None:
            self.connection.execute(sa.insert(META), {"name": name, "value": value})
        return kept or value

    def told(self, name: str) -> str | None:
        """What was put down under that name."""
        found = self._asked("SELECT value FROM meta WHERE name = ?", name)
        return next((_text(value) for (value,) in found), None)

    def number(self, name: str) -> int:
        """The number that was put down under that name; 0 where none was, or what stands there is none."""
        told = self.told(name) or ""
        return int(told) if _NUMBER.fullmatch(told) else 0

    def put(self, name: str, value: str) -> None:
        """Put something down that is no record: it may be another the next time."""
        self.connection.execute(sa.delete(META).where(META.c.name == name))
        self.connection.execute(sa.insert(META), {"name": name, "value": value})

    def keep_signer(self, key: bytes) -> None:
        """The public key of 32 bytes that signed first, where the ledger is another's, taken in from an export."""
        self.connection.execute(sa.insert(META), {"name": "signer", "value": key.hex()})

    def signer(self) -> bytes | None:
        """That key; None for a ledger of one's own. LedgerDamaged where what stands there is none."""
        kept = self.told("signer")
        if kept and not _KEY.fullmatch(kept):
            raise LedgerDamaged("whose key signed the ledger is not to be told: signer in its table meta is no key.")
        return bytes.fromhex(kept) if kept else None

    def mark(self, marks: Mapping[tuple[str, str], int]) -> None:
        """Of each place, up to where its lines were delivered; a place never goes back."""
        values = [(network, channel, seq) for (network, channel), seq in marks.items()]
        if values:
            self.driver.each(_DELIVER[self.connection.dialect.name], values)

    def insert(self, records: Iterable[tuple[Record, bytes | None]]) -> None:
        """Take up records as they are, each with its request key or None."""
        values = [rows.row_of(record, request) for record, request in records]
        if values:
            self.driver.insert(RECORDS, values)

    def put_in_place(self, records: Sequence[Record]) -> None:
        """Take up records that stand for others which are gone or altered, a loss being accepted (LED-12)."""
        for record in records:
            self.connection.execute(sa.delete(RECORDS).where(_C.seq == record.seq))
        self.insert((record, None) for record in records)

    def void(self, first: int) -> None:
        """The checkpoints that count record `first` hold no more: they keep their notes, and lose their trees."""
        self.connection.execute(sa.update(CHECKPOINTS).where(CHECKPOINTS.c.size >= first).values(frontier=b""))


def _of(who: Collection[str], network: str | None) -> list[sa.ColumnElement[bool]]:
    """What is true of a person's records, on one network or on all."""
    return [_C.who.in_(who), *([] if network is None else [_C.network == network])]


def _text(value: str | bytes) -> str:
    """A text: SQLite keeps any bytes in its place."""
    return text_of(value) if isinstance(value, bytes) else value


def _checkpoint(row: Sequence[Any]) -> StoredCheckpoint:
    number, size, note, frontier = row
    if not (isinstance(size, int) and isinstance(frontier, bytes)):  # SQLite keeps any value anywhere
        size, frontier = 0, b"\0"  # the tree of nothing, which has no part
    hashes = tuple(frontier[start : start + HASH_LENGTH] for start in range(0, len(frontier), HASH_LENGTH))
    return StoredCheckpoint(number, size, str(note), hashes)


def _epoch(row: Sequence[Any]) -> StoredEpoch:
    """Where SQLite keeps what is no time, nobody knows when it began; what are no bytes, no seed is bound to."""
    number, name, commitment, begun, seed = row
    begun = begun if isinstance(begun, int) else None
    commitment, seed = [b"" if isinstance(value, str | int | float) else value for value in (commitment, seed)]
    return StoredEpoch(number, str(name), commitment, begun, seed)

"""Reads and writes of the ledger's tables (LED-01, LED-02)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ircdice.clock import DAY
from ircdice.dice import UNSTAMPED, Draws, Stamp
from ircdice.errors import LedgerDamaged, LedgerUnavailable
from ircdice.ledger.checkpoint import HASH_LENGTH, Checkpoint, Tree
from ircdice.ledger.engine import REPAIR
from ircdice.ledger.paths import commitment
from ircdice.ledger.record import CLOSING, LASTING, ROLLING, Draft, Record, Sealed, Terms, terms_of
from ircdice.ledger.schema import CHECKPOINTS, DELIVERED, EPOCHS, META, RECORDS

LATEST_OF_CHANNEL = 200  # records to rebuild a table from, at any age
MOST_OF_CHANNEL = 2_000  # of one day
MOST_UNDELIVERED = 1_000
MOST_SCENES = 1_000  # openings and ends searched for a name
STEP = 1_000  # rows fetched at once
LIMIT_EPOCH = 2**31  # above all numbers assigned by the ledger
_C = RECORDS.c
_SETTING = RECORDS.alias("setting")
# The last setting before a record says how it was judged (LED-02): the bot's own; one by a user is a command (DSK-10).
_SETTING_THEN = (
    sa.select(_SETTING.c.text)
    .where(_SETTING.c.network == _C.network, _SETTING.c.channel == _C.channel, _SETTING.c.seq <= _C.seq)
    .where(_SETTING.c.kind == "setting", _SETTING.c.nick == "")
    .order_by(_SETTING.c.seq.desc())
    .limit(1)
)
_SELECT = sa.select(RECORDS, _SETTING_THEN.scalar_subquery().label("setting"))
_OWN_SETTING = sa.and_(_C.kind == "setting", _C.nick == "")
_ASKED_FOR = sa.not_(sa.or_(_OWN_SETTING, sa.and_(_C.kind == "stir", _C.nick == "")))  # by a person
_LATER = RECORDS.alias("later")
_FOLLOWING = sa.select(_LATER.c.seq).where(_LATER.c.ref == _C.seq, _LATER.c.ref > 0)
_WAITS = sa.and_(_C.kind == "contest", ~_FOLLOWING.where(_LATER.c.kind.in_(CLOSING)).exists())
_EMPTIED = "nick", "who", "line", "tag", "rules", "draws", "game", "scene", "character", "key"
_REDACTED: dict[str, object] = dict.fromkeys(_EMPTIED, "") | {"kind": "withheld", "text": "redacted", "blind": b""}
_REDACTED |= {"official": False, "sealed_text": None, "sealed_salt": None}


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """A signed note and the roots of its tree's subtrees; an imported note has none if its records were given up."""

    number: int  # 1, 2, 3, … in order of creation
    size: int
    note: str
    frontier: tuple[bytes, ...]

    def is_tree_of(self, signed: Checkpoint) -> bool:
        """Whether its tree matches the signature."""
        try:
            return (self.size, Tree(self.size, self.frontier).root()) == (signed.size, signed.root)
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class StoredEpoch:
    """The period of one seed (LED-13): `name` is the process's; `begun` and `seed` are None until start and end."""

    number: int
    name: str
    commitment: bytes
    begun: int | None = None  # ms since 1970
    seed: bytes | None = None

    @property
    def has_wrong_seed(self) -> bool:
        """Whether its published seed is not the one that was committed to."""
        return self.seed is not None and commitment(self.number, self.seed) != self.commitment


def _type_of(column: sa.Column[Any]) -> type | tuple[type, ...]:
    """The Python type of a column; booleans are integers in SQLite."""
    kind = int if column.type.python_type is bool else column.type.python_type
    return (kind, type(None)) if column.nullable else kind


_TYPES = {table.name: tuple(map(_type_of, table.c)) for table in (RECORDS, CHECKPOINTS, EPOCHS)}


class Store:
    """The tables over one connection; within `Engines.transaction`, no other process writes."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    # Records

    def last(self) -> tuple[int, int]:
        """Number and time of the last record; (0, 0) in an empty ledger."""
        row = self.connection.execute(sa.select(_C.seq, _C.ts).order_by(_C.seq.desc()).limit(1)).first()
        return (row.seq, row.ts) if row else (0, 0)

    def insert(self, records: Iterable[tuple[Record, bytes | None]]) -> None:
        """Add records, each with its request key or None. LedgerUnavailable if the database did not keep them all."""
        rows = [_row(record, request) for record, request in records]
        added = sa.insert(RECORDS).execution_options(preserve_rowcount=True)
        if rows and self.connection.execute(added, rows).rowcount != len(rows):
            raise LedgerUnavailable("the database does not keep what is written to it, as if a trigger ignored it.")

    def by_request(self, requests: Sequence[bytes]) -> dict[bytes, int]:
        """The numbers of the first records written by those appends, by request key."""
        asked = sa.select(_C.request, _C.seq).where(_C.request.in_(requests))
        return {bytes(row.request): row.seq for row in self.connection.execute(asked)}

    def terms(self, network: str, channel: str) -> Terms:
        """The settings in force in that place."""
        asked = sa.select(_C.text).where(*_at(network, channel), _OWN_SETTING)
        return terms_of(self.connection.scalar(asked.order_by(_C.seq.desc()).limit(1)))

    def get(self, *seqs: int) -> list[Record]:
        """The records with those numbers, in order."""
        return self._by_numbers(_C.seq, seqs)

    def scan(self, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """All records after that number, in order, fetched in batches."""
        return map(_record, self._paged(_SELECT, _C.seq, after, until))

    def leaves(self, after: int, until: int | None = None) -> Iterator[bytes]:
        """The leaves of the records after that number, in order."""
        return (row.leaf for row in self._paged(sa.select(_C.seq, _C.leaf), _C.seq, after, until))

    def latest(
        self, count: int, *, network: str | None = None, channel: str | None = None, who: str | None = None
    ) -> list[Record]:
        """The newest `count` records of a place, a person or both, newest first; no settings."""
        return self.find_newest(count, _ASKED_FOR, *_given(network=network, channel=channel, who=who))

    def find_newest(self, count: int, *conditions: sa.ColumnElement[bool]) -> list[Record]:
        """The newest `count` records that meet all `conditions`, newest first."""
        return self._records(_SELECT.where(*conditions).order_by(_C.seq.desc()).limit(count))

    def find(self, *conditions: sa.ColumnElement[bool], most: int | None = None) -> list[Record]:
        """The first `most` records that meet all `conditions`, or all of them, in order."""
        return self._records(_SELECT.where(*conditions).order_by(_C.seq).limit(most))

    def page_records(self, places: Iterable[tuple[str, str]] | None = None) -> list[Record]:
        """The `page` records of those places, or of all, in order for each (WEB-10)."""
        places = self.places(0) if places is None else places
        found = (self.find(*_at(*place), _C.kind == "page") for place in places)
        return [record for records in found for record in records]

    def of_who(self, who: str, since: int, until: int) -> list[Record]:
        """A person's records between two times (ms since 1970, both included), on any network, in order."""
        return self.find(_C.who == who, _C.seq >= self.first_since(since), _C.seq < self.first_since(until + 1))

    def scenes(self, network: str, channel: str) -> list[Record]:
        """The latest records that open or end a scene there, newest first."""
        return self.find_newest(MOST_SCENES, *_at(network, channel), _C.kind == "scene")

    def of_scene(self, network: str, channel: str, scene: str, count: int) -> list[Record]:
        """The first `count` records of that scene, in order."""
        return self.find(*_at(network, channel), _C.scene == scene, _C.scene != "", most=count)

    def about(self, *seqs: int) -> list[Record]:
        """The records that refer to any of those, in order."""
        return self._by_numbers(_C.ref, seqs, _C.ref > 0)

    def of_channel(self, network: str, channel: str, since: int = 0) -> list[Record]:
        """The records that may still matter there: at least 200, the last day's, and lasting ones, in whole chains.

        If `since` is not 0, all from that record.
        """
        here, (_, now) = _at(network, channel), self.last()
        recent = self.find_newest(MOST_OF_CHANNEL, *here, _ASKED_FOR, _C.ts >= now - DAY)
        if len(recent) < LATEST_OF_CHANNEL:
            recent = self.find_newest(LATEST_OF_CHANNEL, *here, _ASKED_FOR)
        if since:
            recent = self.find(*here, _ASKED_FOR, _C.seq >= min(since, *(record.seq for record in recent)))
        lasting = self._records(_SELECT.where(*here, _C.kind.in_(LASTING), _C.key == ""))
        found = {record.seq: record for record in (*recent, *lasting)}
        roots = {record.draft.ref or record.seq for record in found.values()}
        found |= {record.seq: record for record in self.get(*roots - found.keys())}
        following = self.about(*roots)
        rolls = [record.seq for record in following if record.draft.kind in ROLLING]  # rolls that refer to a seal
        found |= {record.seq: record for record in (*following, *self.about(*rolls))}
        return [found[seq] for seq in sorted(found)]

    def kept(self, network: str, *owners: str) -> list[Record]:
        """The latest record of each key of those owners."""
        found: list[int] = []
        for owner in owners:  # keys are `OWNER …`; `!` is the character after the space
            here = _C.network == network, _C.key != "", _C.key > f"{owner} ", _C.key < f"{owner}!"
            found += self.connection.scalars(sa.select(sa.func.max(_C.seq)).where(*here).group_by(_C.key))
        return self.get(*found)

    def kept_since(self, network: str, seq: int) -> list[Record]:
        """The records with a key that come after that number, in order."""
        return self.find(_C.network == network, _C.key != "", _C.seq > seq)

    def last_number(self, network: str, key: str) -> int:
        """The number of the latest record of that key; 0 if there is none."""
        asked = sa.select(sa.func.max(_C.seq)).where(_C.network == network, _C.key == key, _C.key != "")
        return self.connection.scalar(asked) or 0

    def places(self, since: int) -> list[tuple[str, str]]:
        """Each network and channel with a record of `since` (ms since 1970) or later, or with a waiting contest.

        0 gives all places ever used.
        """
        asked = sa.select(DELIVERED.c.network, DELIVERED.c.channel)  # every place has a row
        if not since:
            return [(row.network, row.channel) for row in self.connection.execute(asked)]
        here = _C.network == DELIVERED.c.network, _C.channel == DELIVERED.c.channel
        recent = sa.select(_C.seq).where(*here, _C.seq >= self.first_since(since), _ASKED_FOR).exists()
        found = [(row.network, row.channel) for row in self.connection.execute(asked.where(recent))]
        waiting = [place for epoch in self.epochs(unpublished=True) for place in self.waiting_places(epoch.number)]
        return list(dict.fromkeys([*found, *waiting]))

    def waiting_places(self, epoch: int) -> set[tuple[str, str]]:
        """The places where a contest of that epoch is still open, with hidden dice (GEN-06, LED-13)."""
        asked = sa.select(_C.network, _C.channel).distinct().where(_C.epoch == epoch, _C.counter > 0, _WAITS)
        return {(row.network, row.channel) for row in self.connection.execute(asked)}

    def covered_records(self, seq: int | None = None) -> set[int]:
        """The open contests and unrevealed seals (GEN-06, LED-17), among all records or only `seq`."""
        sealed = sa.or_(_C.kind == "seal", _C.sealed_salt.is_not(None))
        covered = sa.and_(sealed, ~_FOLLOWING.where(_LATER.c.kind == "reveal").exists())
        asked = sa.select(_C.seq).where(sa.or_(_WAITS, covered))
        return set(self.connection.execute(asked if seq is None else asked.where(_C.seq == seq)).scalars())

    def counter(self, epoch: int, network: str | None = None, channel: str | None = None) -> int:
        """The highest counter of that epoch, everywhere or in one place; 0 without draws (LED-14)."""
        asked = sa.select(sa.func.max(_C.counter)).where(_C.epoch == epoch, _C.counter > 0)
        return self.connection.scalar(asked.where(*_given(network=network, channel=channel))) or 0

    def stirs(self, epoch: int, network: str | None = None, channel: str | None = None) -> list[Record]:
        """The `stir` records of an epoch, everywhere or in one place, in order (LED-15)."""
        return self.find(_C.kind == "stir", _C.epoch == epoch, *_given(network=network, channel=channel))

    def counts(self, who: Collection[str] = (), network: str | None = None) -> dict[tuple[str, str, str], int]:
        """Counts of records by network, channel and kind, for all users or some."""
        group = _C.network, _C.channel, _C.kind
        asked = sa.select(*group, sa.func.count().label("records")).where(*_given(network=network))
        asked = asked.where(_C.who.in_(who)) if who else asked
        rows = self.connection.execute(asked.group_by(*group).order_by(*group)).all()
        if not all(isinstance(name, str) for row in rows for name in row[:3]):
            raise LedgerDamaged(f"a place or a kind in the table records cannot be read. {REPAIR}")
        return {(row.network, row.channel, row.kind): row.records for row in rows}

    def redact(self, who: Collection[str], network: str | None = None) -> int:
        """Remove the content of a person's records; leaves and counters stay (LED-25).

        Returns the number of records, including the bot's own in private conversations with that person.
        The place of a private conversation contains the person's name: it becomes `@`. Nothing else changes records.
        """
        if self.connection.dialect.name == "sqlite":
            self.connection.exec_driver_sql("PRAGMA secure_delete = ON")
        channel = sa.case((_C.channel.startswith("@"), "@"), else_=_C.channel)
        redacted = sa.update(RECORDS).values(_REDACTED | {"channel": channel})
        here = _given(network=network)
        count = self.connection.execute(redacted.where(_C.who.in_(who), *here)).rowcount
        for name in who:  # values stored by others under a key with their name
            stored = _C.key.startswith(f"{name} ", autoescape=True)
            self.connection.execute(sa.update(RECORDS).values(key="").where(_C.key != "", stored, *here))
        theirs: list[sa.ColumnElement[bool]] = [DELIVERED.c.channel.in_([f"@{name}" for name in who])]
        theirs += [] if network is None else [DELIVERED.c.network == network]
        for place in self.connection.execute(sa.select(DELIVERED).where(*theirs)).all():  # the bot's records there
            count += self.connection.execute(redacted.where(*_at(place.network, place.channel))).rowcount
        self.connection.execute(sa.delete(DELIVERED).where(*theirs))
        return count

    # Deliveries

    def deliveries(self) -> list[tuple[str, str, int, int]]:
        """For each place: network, channel, number of the last delivered line, and its time (ms since 1970)."""
        return [tuple(row) for row in self.connection.execute(sa.select(DELIVERED))]

    def deliver(self, marks: Mapping[tuple[str, str], int], now: int) -> None:
        """Note the last delivered line of each place; it never goes back."""
        if not marks:
            return
        dialect = sqlite if self.connection.dialect.name == "sqlite" else postgresql
        added = dialect.insert(DELIVERED)
        later = added.excluded.seq > DELIVERED.c.seq
        values = {"seq": added.excluded.seq, "ts": added.excluded.ts}
        added = added.on_conflict_do_update(index_elements=["network", "channel"], set_=values, where=later)
        rows = [{"network": n, "channel": c, "seq": seq, "ts": now} for (n, c), seq in marks.items()]
        self.connection.execute(added, rows)

    def undelivered(self, networks: Sequence[str], most: int = MOST_UNDELIVERED) -> list[Record]:
        """The first `most` records of those networks not known to be delivered, in order (LED-06)."""
        waiting: list[int] = []
        for place in self.connection.execute(sa.select(DELIVERED).where(DELIVERED.c.network.in_(networks))).all():
            here = *_at(place.network, place.channel), _C.seq > place.seq, _C.line != ""
            waiting += self.connection.execute(sa.select(_C.seq).where(*here).order_by(_C.seq).limit(most)).scalars()
        return self.get(*sorted(waiting)[:most])

    def withdraw_deliveries(self) -> None:
        """Reset deliveries of lost records to the last record, otherwise later lines would not be posted."""
        last, _ = self.last()
        self.connection.execute(sa.update(DELIVERED).where(DELIVERED.c.seq > last).values(seq=last))

    # Checkpoints

    def add_checkpoint(self, size: int, note: str, frontier: Sequence[bytes]) -> StoredCheckpoint:
        """Store a checkpoint."""
        number = (self.connection.scalar(sa.select(sa.func.max(CHECKPOINTS.c.number))) or 0) + 1
        row = {"number": number, "size": size, "note": note, "frontier": b"".join(frontier)}
        self.connection.execute(sa.insert(CHECKPOINTS), row)
        return StoredCheckpoint(number, size, note, tuple(frontier))

    def checkpoints(self, after: int = 0) -> Iterator[StoredCheckpoint]:
        """The checkpoints after that number, in order of creation."""
        return map(_checkpoint, self._paged(sa.select(CHECKPOINTS), CHECKPOINTS.c.number, after))

    def last_checkpoint(self, most: int | None = None) -> StoredCheckpoint | None:
        """The latest checkpoint, or the largest of at most `most` records."""
        size = CHECKPOINTS.c.size
        return self._checkpoint() if most is None else self._checkpoint(size <= most, order=size.desc())

    def first_checkpoint(self, least: int) -> StoredCheckpoint | None:
        """The smallest checkpoint of at least `least` records, with its tree."""
        size, frontier = CHECKPOINTS.c.size, CHECKPOINTS.c.frontier
        return self._checkpoint(size >= least, sa.func.length(frontier) > 0, order=size)

    def checkpoint_of(self, note: str, size: int) -> StoredCheckpoint | None:
        """The latest checkpoint with exactly that note; a start without new records repeats it."""
        return self._checkpoint(CHECKPOINTS.c.size == size, CHECKPOINTS.c.note == note)

    def _checkpoint(
        self, *conditions: sa.ColumnElement[bool], order: sa.ColumnElement[Any] | None = None
    ) -> StoredCheckpoint | None:
        """The first checkpoint that meets all conditions in that order, preferring the latest."""
        orders = (CHECKPOINTS.c.number.desc(),) if order is None else (order, CHECKPOINTS.c.number.desc())
        asked = sa.select(CHECKPOINTS).where(*conditions).order_by(*orders).limit(1)
        return next(map(_checkpoint, self.connection.execute(asked)), None)

    # Epochs

    def add_epoch(self, number: int, name: str, promise: bytes) -> None:
        """Insert an epoch with the number from `next_epoch`."""
        self.connection.execute(sa.insert(EPOCHS), {"epoch": number, "name": name, "commitment": promise})

    def next_epoch(self) -> int:
        """The number of the next epoch: above all listed or used ones."""
        listed = sa.select(sa.func.max(EPOCHS.c.epoch)).where(EPOCHS.c.epoch < LIMIT_EPOCH)
        drawn = sa.select(sa.func.max(_C.epoch)).where(_C.counter > 0, _C.epoch < LIMIT_EPOCH)
        return max(self.connection.scalar(listed) or 0, self.connection.scalar(drawn) or 0) + 1

    def begin_epoch(self, number: int, ts: int) -> None:
        """Mark an epoch as begun: dice now come from its seed."""
        self.connection.execute(sa.update(EPOCHS).where(EPOCHS.c.epoch == number).values(begun=ts))

    def publish_seed(self, number: int, seed: bytes | None) -> None:
        """Publish the seed of an ended epoch; None withdraws a wrong one."""
        self.connection.execute(sa.update(EPOCHS).where(EPOCHS.c.epoch == number).values(seed=seed))

    def epochs(self, name: str | None = None, *, unpublished: bool = False) -> list[StoredEpoch]:
        """The epochs by number, of one process or all; only those with unpublished seeds if asked."""
        asked = sa.select(EPOCHS).order_by(EPOCHS.c.epoch)
        asked = asked if name is None else asked.where(EPOCHS.c.name == name)
        asked = asked.where(EPOCHS.c.seed.is_(None)) if unpublished else asked
        return [StoredEpoch(*_sound(row, EPOCHS)) for row in self.connection.execute(asked)]

    # Everything else

    def meta(self, name: str) -> str | None:
        """The value stored under that name."""
        value: str | None = self.connection.scalar(sa.select(META.c.value).where(META.c.name == name))
        return value

    def meta_number(self, name: str) -> int:
        """The number stored under `name`; 0 if there is none."""
        value = self.meta(name) or ""
        return int(value) if re.fullmatch("[0-9]{1,18}", value) else 0

    def put_meta(self, name: str, value: str) -> None:
        """Store a value outside of the records."""
        self.connection.execute(sa.delete(META).where(META.c.name == name))
        self.connection.execute(sa.insert(META), {"name": name, "value": value})

    def first_since(self, ts: int) -> int:
        """The first number at that time or later; otherwise the next number. Numbers and times both only increase."""
        asked = sa.select(_C.seq).where(_C.ts >= ts).order_by(_C.ts, _C.seq).limit(1)
        return self.connection.scalar(asked) or self.last()[0] + 1

    def _paged(
        self, asked: sa.Select[Any], key: sa.Column[Any], after: int, until: int | None = None
    ) -> Iterator[sa.Row[Any]]:
        """The rows with a `key` above that number, in order, fetched in batches."""
        asked = asked.order_by(key).limit(STEP)
        asked = asked if until is None else asked.where(key <= until)
        while rows := self.connection.execute(asked.where(key > after)).all():
            yield from rows
            after = rows[-1]._mapping[key]

    def _records(self, asked: sa.Select[Any]) -> list[Record]:
        return [_record(row) for row in self.connection.execute(asked)]

    def _by_numbers(
        self, column: sa.ColumnElement[Any], numbers: Iterable[int], *also: sa.ColumnElement[bool]
    ) -> list[Record]:
        records: list[Record] = []
        ordered = sorted(numbers)
        for start in range(0, len(ordered), STEP):
            records += self._records(_SELECT.where(column.in_(ordered[start : start + STEP]), *also))
        return sorted(records, key=lambda record: record.seq)


def _at(network: str, channel: str) -> tuple[sa.ColumnElement[bool], ...]:
    """The condition that a record was made in that place."""
    return _C.network == network, _C.channel == channel


def _given(**values: str | None) -> list[sa.ColumnElement[bool]]:
    """The condition that a record's columns have the given values."""
    return [_C[name] == value for name, value in values.items() if value is not None]


def _row(record: Record, request: bytes | None) -> dict[str, object]:
    draft, stamp, sealed = record.draft, record.draft.stamp, record.draft.sealed
    runs = groupby(draft.draws, key=lambda draw: draw[0])
    return {
        "seq": record.seq,
        "ts": record.ts,
        "kind": draft.kind,
        "ref": draft.ref,
        "epoch": stamp.epoch,
        "counter": stamp.counter,
        "generation": stamp.generation,
        "network": draft.network,
        "channel": draft.channel,
        "nick": draft.nick,
        "who": draft.who,
        "text": draft.text,
        "draws": ";".join(f"{sides}:{','.join(str(face) for _, face in run)}" for sides, run in runs),
        "line": draft.line,
        "blind": record.blind,
        "rules": record.rules,
        "tag": record.tag,
        "leaf": record.leaf,
        "request": request,
        "sealed_text": sealed and sealed.text,
        "sealed_salt": sealed and sealed.salt,
        "game": draft.game or draft.terms.system,
        "scene": draft.scene,
        "character": draft.character,
        "key": draft.key,
        "official": draft.terms.official,
    }


def _sound(row: sa.Row[Any], table: sa.Table) -> Sequence[Any]:
    """The row. LedgerDamaged if a value has the wrong type: SQLite reads anything from a damaged file (LED-16)."""
    if not all(map(isinstance, row, _TYPES[table.name])):
        raise LedgerDamaged(f"row {row[0]} of the table {table.name} cannot be read. {REPAIR}")
    return row


def _record(row: sa.Row[Any]) -> Record:
    _sound(row, RECORDS)
    stamp = Stamp(row.epoch, row.counter, row.generation) if row.epoch or row.generation else UNSTAMPED
    sealed = row.sealed_text is not None or row.sealed_salt is not None  # a text without its salt matches no leaf
    draft = Draft(
        *(row.kind, row.network, row.channel, row.nick, row.who, row.text, _draws(row.draws), row.line, row.ref),
        *(terms_of(row.setting), stamp),
        sealed=Sealed(row.sealed_text or "", row.sealed_salt or b"") if sealed else None,
        scene=row.scene,
        character=row.character,
        key=row.key,
        game=row.game,
        listed_official=bool(row.official),
    )
    return Record(row.seq, row.ts, draft, row.tag, row.blind, row.rules, row.leaf)


def _draws(written: str) -> Draws:
    """The draws in `10:7,3,10;6:2`; empty for an altered text, so that the leaf will not match."""
    try:
        runs = [run.split(":") for run in written.split(";") if run]
        return tuple((int(sides), int(face)) for sides, faces in runs for face in faces.split(","))
    except ValueError:
        return ()


def _checkpoint(row: sa.Row[Any]) -> StoredCheckpoint:
    _sound(row, CHECKPOINTS)
    hashes = [row.frontier[start : start + HASH_LENGTH] for start in range(0, len(row.frontier), HASH_LENGTH)]
    return StoredCheckpoint(row.number, row.size, row.note, tuple(hashes))

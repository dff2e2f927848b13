"""The tables and what is asked of them: the schema, quick questions, what a redaction leaves (LED-01…LED-25)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from ircdice.clock import DAY
from ircdice.dice import Stamp
from ircdice.ledger import Draft, Record
from ircdice.ledger.archive import proof_of
from ircdice.ledger.engine import engines, make_file
from ircdice.ledger.schema import METADATA, migrate
from ircdice.ledger.store import Store

from .house import NOON, House, a_roll, append, everything, filled, roll

COUNT = 4_000
STEPS = 25_000  # of SQLite's machine; a look at every record takes more


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Iterator[Store]:
    """Records of two people in two channels, all delivered, and as many checkpoints."""
    file: Path = tmp_path_factory.mktemp("large") / "ledger.db"
    make_file(file)
    made = engines(file)
    migrate(made.write)
    with made.write.connect() as connection:
        store = Store(connection)
        with connection.begin():
            store.insert((a_record(seq), None) for seq in range(1, COUNT + 1))
            store.deliver({("net", "#fu"): COUNT, ("net", "#other"): COUNT, ("net", "#gone"): 7}, NOON)
            for number in range(1, COUNT + 1):
                row = {"number": number, "size": 10 * number, "note": f"note {number}", "frontier": b"\0" * 32}
                connection.execute(sa.insert(METADATA.tables["checkpoints"]), row)
    with made.read.connect() as connection:
        yield Store(connection)
    made.close()


def a_record(seq: int) -> Record:
    """One of each hundred is the bot's own stir at a start, in an epoch of 400 records."""
    epoch = 1 + seq // 400
    if seq % 100 == 0:
        draft = Draft("stir", "net", "#fu", "", "start", f"stir {seq}", (), "", stamp=Stamp(epoch, 0, 1))
    elif seq % 100 == 50:
        draft = a_roll(kind="track", counter=0, key=f"~al track {seq // 100 % 3}")
    else:
        draft = a_roll(channel="#fu" if seq % 2 else "#other", counter=0)
    return Record(seq, NOON + seq * 1_000, draft, "")


QUESTIONS: dict[str, tuple[Callable[[Store], object], object]] = {
    "what was not delivered": (lambda store: store.undelivered(["net", "else"], 1_000), []),
    "every place": (lambda store: sorted(store.places(0)), [("net", "#fu"), ("net", "#gone"), ("net", "#other")]),
    "the places of a day": (lambda store: sorted(store.places(NOON + DAY)), []),
    "the stirs in an epoch": (lambda store: len(store.stirs(3)), 4),
    "a minute of somebody's": (
        lambda store: [r.seq for r in store.of_who("alice", NOON + 2_001_000, NOON + 2_003_000)],
        [2001, 2002, 2003],
    ),
    "the first checkpoint of 305 or more": (lambda store: store.first_checkpoint(305).number, 31),
    "the last checkpoint of 305 or fewer": (lambda store: store.last_checkpoint(305).number, 30),
    "the last checkpoint of none": (lambda store: store.last_checkpoint(0), None),
    "what somebody keeps": (lambda store: [r.seq for r in store.kept("net", "~al", "~bo")], [3750, 3850, 3950]),
    "what was changed since": (lambda store: [r.seq for r in store.kept_since("net", 3800)], [3850, 3950]),
    "a checkpoint by its note": (lambda store: store.checkpoint_of("note 31", 310).number, 31),
}


@pytest.mark.parametrize(("question", "answer"), QUESTIONS.values(), ids=QUESTIONS)
def test_led_02_a_large_ledger_answers_from_its_indexes(large, question, answer):
    """LED-02: a start and a paste do not read every record, or every checkpoint, that there is."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 100

    driver = large.connection.connection.driver_connection
    driver.set_progress_handler(count, 100)
    try:
        assert question(large) == answer
    finally:
        driver.set_progress_handler(None, 0)
    assert steps < STEPS


def test_led_01_each_migration_is_a_transaction(each_house):
    """LED-01: numbered; one that fails changes nothing, and those before it are not applied again."""

    def first(connection: sa.Connection) -> None:
        connection.exec_driver_sql("ALTER TABLE meta ADD COLUMN more INTEGER")

    def second(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE further (id INTEGER)")
        raise LookupError

    each_house.paths.make_database()
    made = engines(each_house.paths.database)
    migrate(made.write)
    for _ in range(2):
        with pytest.raises(LookupError):
            migrate(made.write, (first, second))
    with made.read.connect() as connection:
        assert connection.scalar(sa.text("SELECT value FROM meta WHERE name = 'schema'")) == "2"
        assert not sa.inspect(connection).has_table("further")
    migrate(made.write, (first,))
    made.close()


async def test_led_19_what_is_read_in_parts_needs_no_transaction(each_house):
    """LED-19: leaves, checkpoints and proofs, while the bot plays, on both databases."""
    await filled(each_house, 120)
    async with each_house.open() as ledger:
        leaves, notes = await ledger.read(lambda store: (list(store.leaves(2)), list(store.checkpoints(1))))
        last, _ = await ledger.read(lambda store: store.last())
        assert (len(leaves), [stored.number for stored in notes]) == (last - 2, list(range(2, 2 + len(notes))))
        assert (await ledger.read(lambda store: proof_of(store, 3)))["index"] == 2


async def test_led_06_what_was_not_delivered_comes_in_order(each_house):
    """LED-06: of all places of the networks that are asked for, the oldest first, and no more than asked for."""
    async with each_house.open() as ledger:
        said = [
            ("net", "#b"),
            ("net", "#a"),
            ("other", "#a"),
            ("net", "#b"),
            ("net", "#a"),
        ]
        made = await append(ledger, *(a_roll(network=network, channel=channel) for network, channel in said))
        ledger.mark_delivered("net", "#b", made[0].seq)
        await append(ledger, a_roll(network="third", channel="#c"))
        assert list(await ledger.undelivered(["net"])) == [made[1], made[3], made[4]]
        assert await ledger.read(lambda store: store.undelivered(["net", "other"], 2)) == [made[1], made[2]]


async def test_led_25_no_name_is_left_of_private_talk(each_house: House):
    """LED-25: the place of private talk is `@` and the name; it goes too, and everything stays sound."""
    house = each_house
    async with house.open() as ledger:
        await roll(ledger)
        whispered = [a_roll(channel="@~mallory", who="~mallory", nick="Mallory", line="Mallory: 9", system="generic")]
        whispered += [a_roll(channel="@bob", who="bob", nick="bob", line="bob: 9", system="generic")]
        made = await append(ledger, *whispered, *whispered)
        for record in made:
            ledger.mark_delivered(*record.draft.place, record.seq)
    async with house.open() as ledger:
        assert await ledger.redact({"~mallory"}) == 3, "two rolls and their setting"
    made_anew = engines(house.paths.database)
    with made_anew.read.connect() as connection:
        kept = [row for table in METADATA.sorted_tables for row in connection.execute(sa.select(table))]
    made_anew.close()
    assert not [row for row in kept if "mallory" in str(row).lower()]
    assert sum("@bob" in str(row) for row in kept) == 4, "two rolls, their setting, and up to where it was delivered"
    assert house.check().findings == ()
    async with house.open() as ledger:
        again = await ledger.append(whispered[0])
        assert again in await ledger.undelivered(["net"])
        assert (await ledger.get(again.seq)).draft.terms.system == "generic"
    assert house.check().findings == ()


async def test_led_25_what_others_kept_of_somebody_is_forgotten_with_them(each_house):
    """LED-25, DSK-02: a storyteller's records stay, and no longer bear the name in their keys; others' keys do."""
    keys = ("~al track viktor/hunger", "~alice track x", "~al track /luck")
    async with each_house.open() as ledger:
        await append(ledger, a_roll(who="~al"), *(a_roll(kind="track", who="sam", key=key) for key in keys))
        await ledger.redact(["~al"])
        assert await ledger.kept("net", "~al") == []
        assert [record.draft.key for record in await ledger.kept("net", "~alice")] == ["~alice track x"]
        assert [record.draft.who for record in await everything(ledger)].count("sam") == 3

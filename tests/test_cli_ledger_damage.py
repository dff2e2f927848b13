"""Damage to a ledger's file, and what `ircdice ledger check` says of it (LED-16)."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from ircdice.ledger.store.migrations import MIGRATIONS
from operating import evening, ledger, sql

from ircdice.cli.configured import loaded
from ircdice.cli.kept import kept
from ircdice.errors import Refused
from ircdice.ledger.stream import commitment

LARGEST = 2**63 - 1  # that SQLite has


def root_page(database, name):
    """Where in the file the first page of a table or an index is, and its size."""
    size = database.execute("PRAGMA page_size").fetchone()[0]
    number = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    return (number - 1) * size, size


@pytest.mark.parametrize("name", ["records_who", "records_drawn", "records_channel", "records_ref", "delivered"])
def test_damage_where_the_check_does_not_read_is_named(config, name):
    """LED-16: an index whose page is written over is damage, though every record can be read."""
    file = config.parent / "ledger.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        begin, size = root_page(database, name)
    content = bytearray(file.read_bytes())
    content[begin + size - 50 : begin + size] = b"X" * 50
    file.write_bytes(content)
    code, said = ledger("check", config=config)
    assert code == 1, said
    assert said.startswith("damaged: the database: "), said
    assert said.endswith(": broken\n"), said


def test_noise_in_the_middle_of_the_file_is_named(config):
    """LED-16: three pages of noise; what can be read is looked at, and what is wrong is said without a traceback."""
    file = config.parent / "ledger.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(file.read_bytes())
    content[20_000:32_000] = b"noise " * 2_000
    file.write_bytes(content)
    code, said = ledger("check", config=config)
    assert (code, said.startswith("damaged: the database: ")) == (1, True), said


@pytest.mark.parametrize("alone", [1_000, 10])
def test_a_page_of_records_that_is_written_over_is_named(config, alone, monkeypatch):
    """LED-16: records that nobody can read any more are damage, which is told without a traceback."""
    monkeypatch.setattr("ircdice.ledger.sharing.ALONE", alone)  # records up to which no other process is begun
    asyncio.run(evening(config, [("bob", "roll 3d10 h0 # over the wall")] * 100))
    file = config.parent / "ledger.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _, size = root_page(database, "records")
    content = file.read_bytes()
    pages = [content[begin : begin + size] for begin in range(0, len(content), size)]
    of_records = [number for number, page in enumerate(pages) if page.count(b"over the wall") > 5]
    pages[of_records[len(of_records) // 2]] = b"X" * size
    file.write_bytes(b"".join(pages))
    code, said = ledger("check", config=config)
    assert (code, said.startswith("damaged: the database: ")) == (1, True), said


UNMADE = (
    *("draws = x'ff'", "ts = 'abc'", "epoch = -1", "counter = 'x'", "channel = x'41'"),
    *("text = printf('%.70000c', 'x')", "sealed_salt = x'00'"),
)


@pytest.mark.parametrize("change", UNMADE)
def test_a_row_that_no_record_can_be_made_of_is_named(config, change):
    """LED-16: SQLite keeps any value in any column; what it is not is an altered record, and no traceback."""
    sql(config, f"UPDATE records SET {change} WHERE seq = 2")
    code, said = ledger("check", config=config)
    assert (code, said.startswith("altered: record 2: ")) == (1, True), said


def test_a_checkpoint_that_is_no_text_is_named(config):
    """LED-16, LED-18: a note that nobody can read is an altered one."""
    sql(config, "UPDATE checkpoints SET note = x'ff' WHERE number = 1")
    code, said = ledger("check", config=config)
    assert (code, "altered: " in said, "Traceback" in said) == (1, True, False), said


def test_a_setting_in_words_where_a_number_should_be_is_named(config):
    """LED-02, LED-16: the record is altered; what it puts in force is as far as it can be read."""
    sql(config, "UPDATE records SET text = 'system=v5 wp_minutes=x triples=9' WHERE kind = 'setting'")
    code, said = ledger("check", config=config)
    assert (code, said.startswith("altered: record 1: ")) == (1, True), said


@pytest.mark.parametrize("seq", [5, 7])
def test_a_record_of_the_largest_number_does_not_keep_a_check_going(config, seq):
    """LED-16: what is missing before it is said at once, and not after a way of 2^63 records."""
    sql(config, f"UPDATE records SET seq = {LARGEST} WHERE seq = {seq}")
    code, said = ledger("check", config=config)
    assert code == 1, said
    assert "missing: record" in said, said


BESIDE = {  # what somebody does to the tables beside the records, and what is said of it
    "DELETE FROM checkpoints": "missing: the ledger lacks checkpoints of the checkpoint file, 3 in all",
    "DELETE FROM checkpoints WHERE size > 0": "missing: record 7: the ledger lacks checkpoints of the",
    "UPDATE checkpoints SET size = size + 1 WHERE size = 7": "altered: record 7: the tree that is kept with",
    "UPDATE checkpoints SET size = 'x' WHERE size = 7": "altered: record 7: the tree that is kept with",
    "UPDATE checkpoints SET frontier = x'00' WHERE size = 7": "altered: record 7: the tree that is kept with",
    "UPDATE checkpoints SET frontier = zeroblob(96) WHERE size = 7": "altered: record 7: the tree that is kept with",
    "UPDATE checkpoints SET frontier = 'x' WHERE size = 7": "altered: record 7: the tree that is kept with",
    "UPDATE checkpoints SET frontier = x'' WHERE size = 7": "altered: record 7: the tree that is kept with",
    "UPDATE checkpoints SET note = CAST(x'ff' AS TEXT) WHERE size = 7": "altered: the ledger: no checkpoint:",
    f"UPDATE checkpoints SET note = replace(note, '{chr(10)}7{chr(10)}', '{chr(10)}{'7' * 5_000}{chr(10)}')": (
        "altered: the ledger: no checkpoint:"
    ),
    "UPDATE checkpoints SET number = 1099511627776 WHERE number = 1": "reordered: the ledger: a checkpoint of that",
    "INSERT INTO checkpoints SELECT 9, size, note, frontier FROM checkpoints WHERE number = 1": "reordered: the ledger",
    "DELETE FROM begun": "missing: when epoch 1 began",
    "UPDATE begun SET ts = ts + 1": "altered: when epoch 1 began",
    "UPDATE begun SET ts = 'x'": "missing: when epoch 1 began",
    "UPDATE epochs SET commitment = 'x' WHERE epoch = 1": "altered: record 2: epoch 1 is not what was committed to",
    "UPDATE epochs SET commitment = zeroblob(32) WHERE epoch = 2": "altered: epoch 2 is not what was ",
    f"UPDATE checkpoints SET number = {LARGEST} WHERE number = 3": f"altered: checkpoint {LARGEST} is in the",
    f"UPDATE epochs SET epoch = {LARGEST} WHERE epoch = 2": f"altered: epoch {LARGEST} is in the ",
    "INSERT INTO epochs VALUES (99, 'ircdice', zeroblob(32))": "altered: epoch 99 is in the list of epochs, ",
    "INSERT INTO seeds VALUES (1, 'x')": "altered: the seed of epoch 1 is not what was committed to",
    "DELETE FROM meta": "damaged: the ledger says nothing where its origin should stand",
    "DELETE FROM meta WHERE name = 'schema'": "damaged: the ledger says nothing where its schema should stand",
    "UPDATE meta SET value = 'x' WHERE name = 'schema'": "damaged: the ledger says x where its schema should stand",
    "DELETE FROM meta WHERE name = 'origin'": "damaged: the ledger says nothing where its origin should stand",
    "UPDATE meta SET value = 'x' WHERE name = 'tag_key'": "damaged: the ledger says x where its tag_key should stand",
    "UPDATE meta SET value = x'ff' WHERE name = 'tag_key'": "damaged: the ledger says \ufffd where its tag_key should",
    "UPDATE meta SET value = x'ff' WHERE name = 'origin'": "altered: the checkpoint file: no checkpoint: ",
}


@pytest.mark.parametrize(("change", "said"), BESIDE.items())
def test_what_is_wrong_beside_the_records_is_named(config, change, said):
    """LED-12, LED-16: what was signed, and what the ledger says of itself, is held against the tables as they are."""
    sql(config, change)
    code, told = ledger("check", config=config)
    assert code == 1, told
    assert told.startswith(said), told


OTHER_SEED = "INSERT INTO seeds VALUES (1, zeroblob(32))"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ((OTHER_SEED,), "altered: the seed of epoch 1 is not what was committed to"),
        (
            (OTHER_SEED, f"UPDATE epochs SET commitment = x'{commitment(1, bytes(32)).hex()}' WHERE epoch = 1"),
            "altered: record 2: epoch 1 is not what was committed to",
        ),
    ],
)
def test_a_seed_that_is_another_speaks_against_no_record(config, changes, said):
    """LED-13, LED-16: only what was committed to proves dice, or that they are others."""
    sql(config, *changes)
    code, told = ledger("check", config=config)
    assert (code, told.count("altered"), told.split("\n")[0]) == (1, 1, said), told


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE meta SET value = 'a b' WHERE name = 'origin'", "the origin in the ledger's table meta is none: "),
        ("INSERT INTO meta VALUES ('signer', 'x')", "whose key signed the ledger is not to be told: signer in its "),
    ],
)
def test_a_ledger_that_no_signature_can_be_looked_for_in_is_refused(config, change, said):
    """LED-16: by whom it was signed is in the tables as well."""
    sql(config, change)
    code, told = ledger("check", config=config)
    assert (code, told.startswith(f"ircdice: {said}")) == (2, True), told


@pytest.mark.parametrize("command", [("export", "-"), ("keys",), ("reveal",)])
def test_every_command_that_signs_says_that_the_ledgers_name_is_none(config, command):
    """LED-16: as `check` does."""
    sql(config, "UPDATE meta SET value = 'a b' WHERE name = 'origin'")
    code, told = ledger(*command, config=config)
    assert (code, told.startswith("ircdice: the origin in the ledger's table meta is none: ")) == (2, True), told


@pytest.mark.parametrize(
    ("step", "said"), [(len(MIGRATIONS) - 1, "an older version of ircdice: ircdice run "), (99, "a newer version of ")]
)
def test_a_ledger_of_another_version_is_no_damaged_one(config, step, said):
    """LED-01: whoever checks before the first start of a new version is told so."""
    sql(config, f"UPDATE meta SET value = {step} WHERE name = 'schema'")
    code, told = ledger("check", config=config)
    assert (code, told.startswith(f"ircdice: the ledger was written by {said}")) == (2, True), told


def started(config, caplog):
    """What a start on it logs, or why there is none."""

    async def start():
        async with kept(loaded(config)):
            pass

    try:
        asyncio.run(start())
    except Refused as why:
        return f"refused: {why}"
    return caplog.text


def test_an_index_that_is_gone_keeps_no_step_from_being_taken(config, caplog):
    """LED-01: the step that drops it finds it dropped; the ledger is whole behind it."""
    sql(config, "UPDATE meta SET value = 1 WHERE name = 'schema'")
    assert not started(config, caplog).startswith("refused")
    code, told = ledger("check", config=config)
    assert code == 0, told


STARTS = {
    "DELETE FROM checkpoints": "the ledger has lost checkpoints that its file has",
    "DELETE FROM begun": "epoch 1 was begun, and the ledger has lost when",
    "UPDATE begun SET ts = 'x'": "epoch 1 was begun, and the ledger has lost when",
    "INSERT INTO begun VALUES (2, x'ff')": "epoch 2 was begun, and the ledger has lost when",
    "UPDATE epochs SET commitment = 'x'": "/seeds/2 is not what was committed to",
    "UPDATE epochs SET commitment = x'00'": "/seeds/2 is not what was committed to",
    "UPDATE epochs SET commitment = zeroblob(32)": "/seeds/2 is not what was committed to",
    f"UPDATE begun SET ts = {LARGEST}": "epoch 1 is not gone on with: when it began was altered",
    f"UPDATE checkpoints SET number = {LARGEST} WHERE number = 3": f"refused: checkpoint {LARGEST} is in the",
    f"UPDATE epochs SET epoch = {LARGEST} WHERE epoch = 1": f"refused: epoch {LARGEST} is in the ledger, and ",
    f"UPDATE epochs SET epoch = {2**32 - 1} WHERE epoch = 2": f"refused: epoch {2**32 - 1} is in the ledger, and ",
    "UPDATE checkpoints SET frontier = x'00'": "refused: the tree of the first",
    "UPDATE checkpoints SET note = 'x'": "refused: the ledger's last checkpoint is damaged: a note is a",
    "UPDATE meta SET value = 'x' WHERE name = 'schema'": "refused: the ledger's table meta does not say of which",
    "UPDATE meta SET value = 'a b' WHERE name = 'origin'": "refused: the origin in the ledger's table meta is none: ",
    "DELETE FROM meta": "refused: the ledger's table meta does not say of which",
    "UPDATE records SET text = CAST(x'ff41' AS TEXT) WHERE seq = 3": "refused: record 3 was altered",
    "DELETE FROM epochs": "the ledger's list of epochs has lost epoch 1 and others: ircdice ledger",
    "DELETE FROM epochs WHERE epoch = 1": "the ledger's list of epochs has lost epoch 1: ircdice ledger check tells",
    "DELETE FROM epochs WHERE epoch = 2": "the ledger's list of epochs has lost epoch 2: ircdice ledger check tells",
    "UPDATE checkpoints SET frontier = x''": "refused: the last checkpoint, of 7 records, has no tree beside it",
    "DROP TABLE begun": "refused: the ledger's tables are not what they were: no such table: begun.",
    "ALTER TABLE records RENAME COLUMN kind TO of": "refused: the ledger's tables are not what they were: no such ",
    "ALTER TABLE records RENAME COLUMN tag TO of": "altered: table records has no column tag.",
    "ALTER TABLE records DROP COLUMN request": "refused: the ledger's database was altered: table records has no ",
    "ALTER TABLE delivered RENAME COLUMN seq TO at": "altered: table delivered has no column seq.",
}


@pytest.mark.parametrize(("change", "said"), STARTS.items())
def test_a_start_says_what_is_wrong_beside_the_records(config, caplog, change, said):
    """LED-12: it refuses, or begins and says it."""
    sql(config, change)
    assert said in started(config, caplog)


@pytest.mark.parametrize("gone", ["begun", "epochs"])
def test_no_die_comes_again_where_an_epoch_was_forgotten(config, gone):
    """LED-14: its numbers are used up, whatever became of the tables; the next epoch is another."""
    sql(config, f"DELETE FROM {gone}")
    asyncio.run(evening(config, [("bob", "roll 3d10 h0")]))
    with closing(sqlite3.connect(config.parent / "ledger.db")) as database:
        epochs = [epoch for (epoch,) in database.execute("SELECT epoch FROM records WHERE counter > 0 ORDER BY seq")]
    assert epochs[-1] > epochs[-2]


@pytest.mark.parametrize("column", ["text", "line", "nick", "who", "network", "channel", "rules", "tag", "kind"])
def test_bytes_that_are_no_text_are_named_by_their_record(config, column):
    """LED-16: SQLite keeps any bytes as a text."""
    sql(config, f"UPDATE records SET {column} = CAST(x'41ff' AS TEXT) WHERE seq = 3")
    code, said = ledger("check", config=config)
    assert (code, said.startswith("altered: record 3: ")) == (1, True), said


@pytest.mark.parametrize("command", [("check",), ("stats",), ("export", "-")])
def test_a_file_that_is_no_database_is_named(config, command):
    """LED-16: the message says which file."""
    file = config.parent / "ledger.db"
    file.write_bytes(b"no database " * 1_000)
    code, said = ledger(*command, config=config)
    assert (code, said) == (2, f"ircdice: the ledger at {file} cannot be read: file is not a database.\n")


def test_a_ledger_that_is_not_empty_is_named(config, tmp_path):
    """LED-07: an import into it says which database has records."""
    ledger("export", tmp_path / "x.jsonl", config=config)
    code, said = ledger("import", tmp_path / "x.jsonl", config=config)
    file = config.parent / "ledger.db"
    assert (code, f"an export is read into an empty ledger, and {file} has records" in said) == (2, True), said


@pytest.mark.parametrize(
    ("statement", "damage", "ways"),
    [
        ("UPDATE records SET line = 'x' WHERE seq = 3", "altered", ["ledger restore BACKUP", "run --accept-loss"]),
        ("DELETE FROM records WHERE seq = 3", "missing", ["ledger restore BACKUP", "run --accept-loss"]),
        ("DELETE FROM records WHERE seq > 4", "cut off", ["newest copy", "ledger restore BACKUP", "run --accept-loss"]),
    ],
)
def test_a_check_says_what_to_do(config, statement, damage, ways):
    """LED-16: each kind of damage comes with its way out."""
    sql(config, statement)
    code, said = ledger("check", config=config)
    todo = [line for line in said.splitlines() if line.startswith("what to do: ")]
    assert (code, f"{damage}: record" in said) == (1, True), said
    assert all(any(way in line for line in todo) for way in ways), said


def test_a_sound_ledger_needs_nothing(config):
    """LED-16: no advice where nothing is wrong."""
    assert "what to do" not in ledger("check", config=config)[1]

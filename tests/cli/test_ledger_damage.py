"""Damage to a ledger's file, and what `ircdice ledger check` says of it (LED-16)."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from operating import evening, ledger, sql

LARGEST = 2**63 - 1  # that SQLite has


def root_page(database, name):
    """Where in the file the first page of a table or an index is, and its size."""
    size = database.execute("PRAGMA page_size").fetchone()[0]
    number = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    return (number - 1) * size, size


@pytest.mark.parametrize("name", ["records_who", "records_drawn", "records_place", "records_ref"])
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
    assert (code, said.startswith("damaged: the database")) == (1, True), said


def test_a_page_of_records_that_is_written_over_is_named(config):
    """LED-16: records that nobody can read any more are damage, which is reported without a traceback."""
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
    assert (code, said.startswith("damaged: the database ")) == (1, True), said


@pytest.mark.parametrize(
    "change", ["draws = 'x'", "epoch = -1", "text = printf('%.70000c', 'x')", "sealed_salt = x'00'"]
)
def test_a_row_that_no_record_can_be_made_of_is_named(config, change):
    """LED-16: SQLite keeps any number and text; what no record can hold is an altered one, without a traceback."""
    sql(config, f"UPDATE records SET {change} WHERE seq = 3")
    code, said = ledger("check", config=config)
    assert (code, said.startswith("altered: record 3: ")) == (1, True), said


def test_a_setting_in_words_where_a_number_should_be_is_named(config):
    """LED-02, LED-16: the record is altered; what it puts in force is as far as it can be read."""
    sql(config, "UPDATE records SET text = 'system=v5 wp_minutes=x triples=9' WHERE kind = 'setting'")
    code, said = ledger("check", config=config)
    assert (code, said.startswith("altered: record 2: ")) == (1, True), said


@pytest.mark.parametrize("ts", [LARGEST, -1])
def test_a_time_that_no_calendar_has_is_left_out_of_the_counts(config, ts):
    """LED-16: `ledger stats` counts a ledger whose last record has any number for its time."""
    sql(config, f"UPDATE records SET ts = {ts} WHERE seq = (SELECT max(seq) FROM records)")
    code, said = ledger("stats", config=config)
    assert (code, " records" in said.splitlines()[-1], "Traceback" in said) == (0, True, False), said


@pytest.mark.parametrize("seq", [5, 7])
def test_a_record_of_the_largest_number_does_not_keep_a_check_going(config, seq):
    """LED-16: what is missing before it is said at once, and not after a way of 2^63 records."""
    sql(config, f"UPDATE records SET seq = {LARGEST} WHERE seq = {seq}")
    code, said = ledger("check", config=config)
    assert code == 1, said
    assert "missing: record" in said, said


@pytest.mark.parametrize(
    ("version", "said"),
    [(0, "the ledger does not say which version wrote it"), (99, "a newer version of ircdice wrote the ledger")],
)
def test_a_ledger_of_another_version_is_no_damaged_one(config, version, said):
    """LED-01: the message says which version to use."""
    sql(config, f"UPDATE meta SET value = {version} WHERE name = 'schema'")
    code, told = ledger("check", config=config)
    assert (code, told.startswith(f"ircdice: {said}")) == (2, True), told


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
    assert code == 2
    assert said.startswith(f"ircdice: the ledger at {file} cannot be read: file is not a database. ")
    assert said.endswith("`ircdice ledger restore DIR` puts a backup back.\n")


LOOSE = "replace(replace(sql, ' NOT NULL', ''), 'STRICT', '')"  # a table that takes any value, as damaged pages do


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("checkpoints", "frontier = NULL"),
        ("epochs", "commitment = 7"),
        ("records", "nick = NULL"),
        ("records", "channel = x'07'"),
        ("records", "leaf = 'text'"),
    ],
)
def test_a_row_of_other_types_is_named(config, table, change):
    """LED-16: SQLite reads what a damaged page holds, whatever the column is for."""
    sql(config, "PRAGMA writable_schema = ON", f"UPDATE sqlite_master SET sql = {LOOSE} WHERE name = '{table}'")
    sql(config, f"UPDATE {table} SET {change} WHERE rowid = 3 OR '{table}' = 'epochs'")
    code, said = ledger("check", config=config)
    assert (code, said.startswith("damaged: the database ")) == (1, True), said
    assert f"of the table {table} cannot be read" in said, said
    for command in (("stats",), ("stats", "--json"), ("export", "-"), ("redact", "--who", "bob", "--dry-run")):
        code, said = ledger(*command, config=config)
        assert code in (0, 1, 2), (command, said)
        assert said, command


def test_a_schema_of_other_bytes_is_named(config):
    """LED-16: SQLite's own message then holds bytes that are no text."""
    file = config.parent / "ledger.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = file.read_bytes()
    at = content.index(b"CREATE TABLE meta")
    file.write_bytes(content[: at + 8] + b"\xae\xff\xae" + content[at + 11 :])
    for command in (("check",), ("stats",), ("keys",), ("reveal",), ("export", "-")):
        code, said = ledger(*command, config=config)
        assert (code, said.startswith("ircdice: the ledger at "), "restore DIR" in said) == (2, True, True), said


@pytest.mark.parametrize(
    ("statement", "damage", "ways"),
    [
        ("UPDATE records SET line = 'x' WHERE seq = 3", "altered", ["find out who", "ledger restore BACKUP"]),
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

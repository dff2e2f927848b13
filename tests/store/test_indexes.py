"""SQLite's indexes held against their table by sums (LED-16): what differs is seen, and no row is searched for."""

import sqlite3
from contextlib import closing

import pytest

from bench.many_records import make
from ircdice.ledger.store.indexes import agree, indexes
from ircdice.ledger.store.made import differences


@pytest.fixture
def file(tmp_path):
    """A ledger of some records."""
    file = tmp_path / "ledger.db"
    make(300, file)
    return file


def put_in_place(database, name, change="", instead=("", "")):
    """The index `name` is now one of a table that was the same but for a `change`, made with other words."""
    made = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    assert instead[0] in made
    database.execute("CREATE TABLE other AS SELECT * FROM records ORDER BY seq")
    database.execute(change)
    database.execute(made.replace(f"INDEX {name} ON records", "INDEX other_index ON other").replace(*instead))
    roots = dict(database.execute("SELECT name, rootpage FROM sqlite_master"))
    database.execute("PRAGMA writable_schema = ON")
    for one, another in ((name, "other_index"), ("other_index", name)):
        database.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (roots[another], one))
    database.commit()


def test_led_16_every_index_is_gone_through_by_itself(file):
    """LED-16: of none of them a row is looked up, which would tell of the table and not of the index."""
    with closing(sqlite3.connect(file)) as database:
        assert agree(database, "records")
        known = indexes(database, "records")
        assert len(known) == 6
        for index in known:
            assert " COVERING INDEX " in database.execute(f"EXPLAIN QUERY PLAN {index.found}").fetchone()[3]


CHANGES = [
    ("records_drawn", "UPDATE other SET counter = counter + 1000 WHERE seq = 7"),
    ("records_drawn", "UPDATE other SET network = 'net2' WHERE seq = 7"),
    ("records_drawn", "UPDATE other SET epoch = 'x' WHERE seq = 7"),
    ("records_channel", "UPDATE other SET channel = '#channeI0' WHERE seq = 7"),
    ("records_channel", "UPDATE other SET rowid = 1000 WHERE seq = 7"),
    ("records_who", "UPDATE other SET who = '' WHERE seq = 7"),
    ("records_who", "UPDATE other SET channel = '' WHERE seq = 7"),
    ("records_who", "UPDATE other SET ts = ts + 1 WHERE seq = 7"),
    ("records_who", "UPDATE other SET who = CAST(x'ff' AS TEXT) WHERE seq = 7"),
    ("records_ref", "UPDATE other SET ref = ref - 1 WHERE seq = 10"),
    ("records_ref", "DELETE FROM other WHERE seq = 10"),
    ("records_who", "DELETE FROM other WHERE seq = 7"),
    ("records_who", "INSERT INTO other SELECT * FROM records WHERE seq = 7"),
    ("records_last_setting", "UPDATE other SET kind = 'setting' WHERE seq = 7"),
    ("records_lasting", "UPDATE other SET kind = 'stir' WHERE seq = 7"),
]


@pytest.mark.parametrize(("name", "change"), CHANGES)
def test_led_16_an_entry_that_is_not_its_rows_is_told(file, name, change):
    """LED-16: another value, bytes that are no text, an entry too many or too few."""
    with closing(sqlite3.connect(file)) as database:
        put_in_place(database, name, change)
    with closing(sqlite3.connect(file)) as database:
        assert not agree(database, "records")
        assert database.execute("PRAGMA quick_check").fetchall() == [("ok",)]


ORDERS = [
    ("records_drawn", "counter) WHERE", "counter DESC) WHERE"),
    ("records_drawn", "(epoch, network, channel, counter)", "(epoch, channel, network, counter)"),
    ("records_channel", "(channel)", "(channel DESC)"),
    ("records_who", "(who, ts,", "(who, ts DESC,"),
    ("records_ref", "(ref)", "(ref DESC)"),
]


@pytest.mark.parametrize(("name", "as_made", "otherwise"), ORDERS)
def test_led_16_entries_in_another_order_are_told(file, name, as_made, otherwise):
    """LED-16: all are there and each is its row's, but a search goes by where they should stand: it finds none."""
    with closing(sqlite3.connect(file)) as database:
        put_in_place(database, name, instead=(as_made, otherwise))
    with closing(sqlite3.connect(file)) as database:
        assert not agree(database, "records")
        assert list(differences(database.execute)) == []
        assert database.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        told = database.execute("PRAGMA integrity_check(records)").fetchall()
        assert f"missing from index {name}" in told[0][0], "who has the last word says so too"


@pytest.mark.parametrize("first", [10, 11])
def test_led_16_values_of_neighbours_that_have_changed_places_are_told(file, first):
    """LED-16: all values are there, and two of them are not their rows'."""
    swapped = f"(SELECT r.channel FROM records AS r WHERE r.seq = {2 * first + 1} - other.seq)"
    with closing(sqlite3.connect(file)) as database:
        put_in_place(
            database, "records_channel", f"UPDATE other SET channel = {swapped} WHERE seq IN ({first}, {first + 1})"
        )
    with closing(sqlite3.connect(file)) as database:
        assert not agree(database, "records")


@pytest.mark.parametrize(
    ("own", "by_sums"),
    [
        ("own ON records (who) where nick <> 'x'", True),
        ('"my own" ON records (nick)', True),
        ("own ON records (lower(nick))", False),
        ("own ON records (nick DESC)", False),
    ],
)
def test_led_16_an_index_of_the_operators_own_is_no_damage(file, own, by_sums):
    """LED-16: whoever asks a ledger much may have made one; what cannot be held by sums is left to SQLite."""
    with closing(sqlite3.connect(file)) as database:
        database.execute(f"CREATE INDEX {own}")
        assert agree(database, "records") is by_sums


ALTERED = [
    ("DROP INDEX records_who", ["index records_who is missing"]),
    (
        "DROP INDEX records_who; CREATE INDEX records_who ON records (who DESC, ts)",
        ["index records_who is not as it was made"],
    ),
    (
        "DROP INDEX records_drawn; CREATE INDEX records_drawn ON records (epoch, network, channel, counter)",
        ["index records_drawn is not as it was made"],
    ),
    ("ALTER TABLE records ADD COLUMN more TEXT", ["table records is not as it was made"]),
    ("DROP TABLE seeds", ["table seeds is missing"]),
    ("ALTER TABLE records DROP COLUMN request", ["table records has no column request"]),
    ("ALTER TABLE begun RENAME COLUMN ts TO at", ["table begun has no column ts"]),
    (
        "CREATE TRIGGER late AFTER INSERT ON records BEGIN DELETE FROM records WHERE seq < new.seq; END",
        ["trigger late is none of the ledger's"],
    ),
    (
        "CREATE UNIQUE INDEX own ON records (channel) WHERE seq > 99999",
        ["index own is none of the ledger's and may refuse"],
    ),
    (
        "CREATE INDEX own ON records (json(text)) WHERE seq > 99999",
        ["index own is none of the ledger's and may refuse"],
    ),
    (
        "CREATE INDEX own ON records (nick) WHERE seq > 99999 AND json(text) > 1",
        ["index own is none of the ledger's and may refuse"],
    ),
    (
        "CREATE INDEX own ON records (nick) WHERE seq > 99999 AND text ->> 1 > 1",
        ["index own is none of the ledger's and may refuse"],
    ),
    ("CREATE UNIQUE INDEX own ON delivered (channel)", ["index own is none of the ledger's and may refuse"]),
    ('CREATE INDEX "my own" ON records (nick DESC, "who") WHERE nick <> \'x\' AND seq > 5', []),
    ("CREATE TABLE other (a); CREATE UNIQUE INDEX own ON other (a)", []),
    ("CREATE INDEX mine ON records (nick); CREATE TABLE other (a); CREATE VIEW seen AS SELECT * FROM records", []),
]


@pytest.mark.parametrize(("change", "told"), ALTERED)
def test_led_16_what_the_file_is_laid_out_as_is_held_against_the_migrations(file, change, told):
    """LED-16: an index that is gone, in another order, or no more unique; a table; a trigger. One's own are no harm."""
    with closing(sqlite3.connect(file)) as database:
        assert list(differences(database.execute)) == []
        database.executescript(change)
        found = list(differences(database.execute))
        assert len(found) == len(told)
        assert all(one.startswith(said) for one, said in zip(found, told, strict=True))

"""What stands between PostgreSQL's tables and whoever asks them is told (LED-16)."""

import asyncio

import pytest
import sqlalchemy as sa

from ircdice.errors import LedgerDamaged
from ircdice.ledger.archive import Archive
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.notary import open_notary
from ircdice.ledger.store.page import Page

from .drafts import START, opened, roll

FUNCTION = (
    "CREATE FUNCTION better() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN NEW.line = replace(NEW.line, 'Alice', 'Mallory'); RETURN NEW; END $$"
)
TRIGGER = "CREATE TRIGGER mine BEFORE INSERT ON records FOR EACH ROW EXECUTE FUNCTION better()"
VIEW = "CREATE VIEW records AS SELECT * FROM kept"
ALTERED = {
    "nothing": ((), []),
    "an index and a table of one's own": (("CREATE INDEX mine ON records (nick)", "CREATE TABLE more (n INT)"), []),
    "a trigger": ((FUNCTION, TRIGGER), ["trigger mine is none of the ledger's"]),
    "a rule": (
        ("CREATE RULE mine AS ON INSERT TO delivered DO INSTEAD NOTHING",),
        ["rule mine is none of the ledger's"],
    ),
    "a view": (
        ("ALTER TABLE records RENAME TO kept", VIEW),
        ["records is no table, but something else in its place"],
    ),
    "another table that is found first": (
        ("CREATE SCHEMA IF NOT EXISTS AUTHORIZATION CURRENT_USER", 'CREATE VIEW "{user}".seeds AS SELECT 1 AS epoch'),
        ["seeds is no table, but something else in its place"],
    ),
    "rows of another table": (
        ("CREATE TABLE more () INHERITS (checkpoints)",),
        ["table checkpoints has the rows of more as well"],
    ),
    "rows that some do not see": (
        ("ALTER TABLE records ENABLE ROW LEVEL SECURITY",),
        ["table records is not as it was made"],
    ),
    "a table that no crash survives": (("ALTER TABLE begun SET UNLOGGED",), ["table begun is not as it was made"]),
    "a column more": (("ALTER TABLE records ADD COLUMN more TEXT",), ["table records is not as it was made"]),
    "indexes and constraints that may refuse": (
        (
            "CREATE UNIQUE INDEX a ON records (channel) WHERE seq > 270",
            "CREATE INDEX b ON records ((text::int))",
            "CREATE INDEX c ON records (nick) WHERE length(text) > 270",
            "ALTER TABLE records ADD CONSTRAINT d CHECK (seq < 270)",
            "CREATE INDEX fine ON records (nick, who) WHERE seq > 270",
        ),
        [f"{each} is none of the ledger's and may refuse a record" for each in ("index a", "index b", "index c")]
        + ["constraint d is none of the ledger's and may refuse a record"],
    ),
    "a column less": (
        ("ALTER TABLE records DROP COLUMN request", "ALTER TABLE seeds RENAME COLUMN seed TO s"),
        ["table records has no column request", "table seeds has no column seed"],
    ),
    "no key": (("ALTER TABLE meta DROP CONSTRAINT meta_pkey",), ["table meta is not as it was made"]),
    "a column of another kind": (
        ("ALTER TABLE epochs ALTER COLUMN epoch TYPE INT",),
        ["table epochs is not as it was made"],
    ),
    "names that are alike": (
        (
            "CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
            "ALTER TABLE delivered ALTER COLUMN channel TYPE TEXT COLLATE alike",
        ),
        ["table delivered is not as it was made"],
    ),
    "no table": (("DROP TABLE seeds",), ["table seeds is missing"]),
    "no index": (("DROP INDEX records_who",), ["index records_who is missing"]),
    "an index that is unique no more": (
        ("DROP INDEX records_drawn", "CREATE INDEX records_drawn ON records (epoch, network, channel, counter)"),
        ["index records_drawn is not as it was made"],
    ),
    "another way to what is asked": (
        ("CREATE SCHEMA mine", "ALTER DATABASE {database} SET search_path = mine, pg_catalog, public"),
        ["schema mine goes before PostgreSQL's own"],
    ),
}


@pytest.fixture
def url(postgresql):
    return postgresql.database()


def done(url, *statements):
    """What somebody does to the database."""
    parsed = sa.make_url(url)
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement.format(user=parsed.username, database=parsed.database))
    engine.dispose()


def laid_out_otherwise(url):
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        told = Page(connection).laid_out_otherwise()
    engine.dispose()
    return told


@pytest.mark.parametrize("what", ALTERED)
def test_led_16_what_the_tables_are_is_held_against_the_migrations(url, clock, what):
    """LED-16: what would do more than is asked, or answer otherwise; one's own beside them are no harm."""
    asyncio.run(opened(url, clock).close())
    statements, told = ALTERED[what]
    done(url, *statements)
    assert laid_out_otherwise(url) == told


@pytest.fixture
def keeping(tmp_path, url):
    """The place of a bot that has rolled on PostgreSQL."""
    place = Keeping(tmp_path / "data", url, "dice.example/one")
    asyncio.run(rolled(place))
    return place


async def rolled(keeping):
    notary = await open_notary(keeping, lambda: START)
    try:
        return await notary.append(roll())
    finally:
        await notary.close()


def told_by_a_check(keeping):
    archive = Archive(keeping)
    try:
        return [str(finding) for finding in archive.check(lambda: lambda *_: None, processes=1).findings]
    finally:
        archive.close()


def test_led_16_a_trigger_that_rewrites_is_named(keeping, caplog):
    """LED-16: by a start and by a check, which names what it has altered too."""
    assert told_by_a_check(keeping) == []
    done(keeping.url, FUNCTION, TRIGGER)
    asyncio.run(rolled(keeping))
    assert "the ledger's database was altered: trigger mine is none of the ledger's" in caplog.text
    assert told_by_a_check(keeping)[:2] == [
        "damaged: the database: trigger mine is none of the ledger's",
        "altered: record 2: its content is not what its leaf was made of",
    ]


def test_led_16_no_bot_starts_on_what_is_no_table(keeping):
    """LED-16: it would answer with whatever somebody wants it to."""
    done(keeping.url, "ALTER TABLE records RENAME TO kept", VIEW)
    with pytest.raises(LedgerDamaged, match="was altered: records is no table, but something else in its place"):
        asyncio.run(rolled(keeping))
    assert told_by_a_check(keeping) == ["damaged: the database: records is no table, but something else in its place"]

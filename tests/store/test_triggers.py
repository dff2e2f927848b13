"""What becomes of rolls where somebody put a trigger or more in: nothing is told that is in no record (LED-03)."""

import asyncio

import pytest

from ircdice.errors import LedgerUnavailable, NumberTaken

from .drafts import append, everything, opened, roll

PASSED_OVER = (
    "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "CREATE TRIGGER t BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION nothing()",
)
IGNORED = ("CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END",)
ON_SQLITE = [
    *IGNORED,
    "CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table} WHERE {table}.rowid = new.rowid; END",
    "CREATE TRIGGER t AFTER INSERT ON records BEGIN UPDATE records SET line = 'x' WHERE seq = new.seq; END",
    # As many changes as there should be, and none of them the one that was wanted.
    "CREATE TRIGGER t BEFORE INSERT ON records BEGIN INSERT INTO seeds VALUES (new.seq, x'00'); SELECT RAISE(IGNORE);"
    " END",
]


async def change(ledger, *statements, table="records"):
    def work(page):
        for statement in statements:
            page.connection.exec_driver_sql(statement.format(table=table))

    await ledger.transact(work)


async def refused(ledger, caplog, *drafts):
    """Nobody is told a result, and the log says why, without a traceback; nothing is there that was not before."""
    before = await everything(ledger)
    told = await asyncio.gather(*map(ledger.append, drafts), return_exceptions=True)
    assert {type(one) for one in told} == {LedgerUnavailable}, told
    assert await everything(ledger) == before
    assert "the ledger's tables are not what they were: what was put into " in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("many", [1, 3, 130])
async def test_led_03_what_the_database_passes_over_is_told_to_nobody(stored, url, caplog, many):
    """LED-03: it raises no error, alone, in a burst or in a large one; without it play goes on with the next number."""
    ledger = stored()
    await append(ledger, roll(counter=1))
    await change(ledger, *(IGNORED if url.startswith("sqlite") else PASSED_OVER))
    await refused(ledger, caplog, *(roll(counter=2 + n) for n in range(many)))
    await change(ledger, "DROP TRIGGER t" if url.startswith("sqlite") else "DROP TRIGGER t ON records")
    assert (await ledger.append(roll(counter=2))).seq == 2


@pytest.mark.parametrize("lone", [True, False])
@pytest.mark.parametrize("trigger", ON_SQLITE)
async def test_led_03_what_is_taken_away_or_altered_at_once_is_told_to_nobody(tmp_path, clock, caplog, trigger, lone):
    """LED-03: whether SQLite counts it as inserted or not, and where the event loop writes as well."""
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock)
    ledger.stand_by(lambda: lone)
    await append(ledger, *(roll(counter=n) for n in range(1, 9)))
    await change(ledger, trigger)
    await refused(ledger, caplog, roll(counter=9))
    await ledger.close()


@pytest.mark.parametrize("statement", [*IGNORED, ON_SQLITE[1]])
@pytest.mark.parametrize("table", ["checkpoints", "epochs", "begun", "seeds"])
async def test_led_12_nothing_beside_the_records_is_taken_for_kept(tmp_path, clock, statement, table):
    """LED-12, LED-13: a checkpoint, an epoch, a seed: what follows relies on them."""
    work = {
        "checkpoints": lambda page: page.add_checkpoint(0, "note", ()),
        "epochs": lambda page: page.enter_epoch(1, "name", bytes(32)),
        "begun": lambda page: page.begin_epoch(1, 5),
        "seeds": lambda page: page.reveal_seed(1, bytes(32)),
    }
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock)
    await change(ledger, statement, table=table)
    with pytest.raises(LedgerUnavailable, match=f"what was put into {table} is not there"):
        await ledger.transact(work[table])
    await ledger.close()


@pytest.mark.parametrize("many", [1, 3])
async def test_led_03_a_trigger_that_leaves_the_records_alone_stops_nobody(tmp_path, clock, many):
    """LED-03: an operator may have something put down beside."""
    ledger = opened(f"sqlite:///{tmp_path / 'ledger.db'}", clock)
    await change(
        ledger,
        "CREATE TABLE heard (seq)",
        "CREATE TRIGGER t AFTER INSERT ON records BEGIN INSERT INTO heard VALUES (new.seq); END",
    )
    await asyncio.gather(*(ledger.append(roll(counter=n)) for n in range(1, many + 1)))
    assert len(await everything(ledger)) == many
    await ledger.close()


REFUSING = {
    "an index": ("CREATE UNIQUE INDEX own ON records (channel) WHERE seq > 1",),
    "a column": ("ALTER TABLE records ADD COLUMN more TEXT NOT NULL DEFAULT 'x' CHECK (seq < 3)",),
}


@pytest.mark.parametrize("what", REFUSING)
async def test_led_16_what_the_tables_refuse_is_told_with_its_cause(stored, caplog, what):
    """LED-05: with each roll, in one line, and not as a number that was drawn already."""
    ledger = stored()
    await append(ledger, roll(counter=1))
    await change(ledger, *REFUSING[what])
    await ledger.append(roll(counter=2))
    with pytest.raises(LedgerUnavailable, match="the ledger's tables are not what they were: ") as told:
        await ledger.append(roll(counter=3))
    assert not isinstance(told.value, NumberTaken)
    assert "a draft could not be recorded: the ledger's tables are not what they were: " in caplog.text
    assert "Traceback" not in caplog.text
    assert roll(counter=3).line not in f"{caplog.text} {told.value}"  # nor its faces, which may be covered
    assert (await ledger.append(roll(channel="#other"))).seq == 3 if what == "an index" else True

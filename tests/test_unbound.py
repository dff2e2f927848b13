"""What no leaf binds and nobody signs, and `ledger check` names all the same (LED-06, LED-16)."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from ledger_house import House, filled, roll, started
from operating import CONFIG, ledger, sql

OUT = "lines of #dice on home are told to be out up to record {}, and 7 is the last"
UNBOUND = {
    "UPDATE delivered SET seq = 8 WHERE channel = '#dice'": OUT.format(8),
    "UPDATE delivered SET seq = -1 WHERE channel = '#dice'": OUT.format(-1),
    "UPDATE delivered SET seq = 'x' WHERE channel = '#dice'": OUT.format("x"),
    "DELETE FROM delivered": "record 7: up to where lines of #dice on home are out is gone",
    "UPDATE delivered SET network = 'work'": "record 7: up to where lines of #dice on home are out is gone",
    "UPDATE records SET sealed_text = '9' WHERE seq = 3": "record 3: beside it stands a text that it has not sealed",
    "UPDATE records SET kind = 'withheld', text = 'redacted' WHERE seq = 4": "record 4: its content is withheld, and",
    "UPDATE epochs SET name = '' WHERE epoch = 2": "epoch 2 is nobody's",
    "UPDATE epochs SET name = 'imported' WHERE epoch = 1": "epoch 1 is listed as that of imported, as in an",
}


@pytest.mark.parametrize(("change", "said"), UNBOUND.items())
def test_what_nothing_binds_is_named_where_it_cannot_be(config, change, said):
    """LED-06, LED-13, LED-16: what was delivered, whose an epoch is, what stands beside a record that holds no such."""
    sql(config, change)
    code, told = ledger("check", config=config)
    assert (code, f"altered: {said}" in told) == (1, True), told


def test_the_first_of_each_kind_is_named(config, monkeypatch):
    """LED-16: however many records are looked at in one question."""
    monkeypatch.setattr("ircdice.ledger.store.unbound._STEP", 2)
    sql(config, "UPDATE records SET sealed_text = 'x' WHERE seq IN (3, 6)")
    _, told = ledger("check", config=config)
    assert [line.split(":")[1] for line in told.splitlines() if "not sealed" in line] == [" record 3"]


def test_an_epoch_of_another_name_whose_seed_is_here_is_a_note(config):
    """LED-13: nobody publishes it; the bot may have been renamed by its config."""
    sql(config, "UPDATE epochs SET name = 'other' WHERE epoch = 1")
    code, told = ledger("check", config=config)
    assert (code, "note: epoch 1 is listed as other's, and its seed is kept by ircdice" in told) == (0, True), told


def test_what_was_redacted_holds_nothing(config, tmp_path):
    """LED-25, LED-07: it is found sound, and so is an import of it."""
    assert ledger("redact", "--yes", "--who", "~alice", config=config)[0] == 0
    code, told = ledger("check", config=config)
    assert code == 0, told
    ledger("export", tmp_path / "x.jsonl", config=config)
    other = tmp_path / "other" / "config.ini"
    other.parent.mkdir()
    other.write_text(CONFIG)
    ledger("import", tmp_path / "x.jsonl", config=other)
    code, told = ledger("check", config=other)
    assert code == 0, told


def test_a_view_in_the_place_of_a_table_is_named(config):
    """LED-16: it would answer with whatever somebody wants it to."""
    sql(config, "ALTER TABLE records RENAME TO kept", "CREATE VIEW records AS SELECT *, rowid FROM kept")
    code, told = ledger("check", config=config)
    assert (code, "records is no table, but something else in its place" in told) == (1, True), told


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def delivered(house):
    with closing(sqlite3.connect(house.database)) as database:
        return dict(database.execute("SELECT channel, seq FROM delivered"))


@pytest.mark.parametrize(("wrong", "right"), [("999", 20), ("'x'", 20), ("-5", 0)])
def test_lines_to_come_are_posted_whatever_was_written_there(house, caplog, wrong, right):
    """LED-06: a start has no line be out that is not there, and says so."""
    filled(house, 20)
    house.sql(f"UPDATE delivered SET seq = {wrong}")
    asyncio.run(started(house))
    assert delivered(house) == {"#fu": right}
    assert "lines of #fu on net were called delivered that are not in the ledger" in caplog.text


def test_a_loss_takes_along_what_was_delivered_of_it(house):
    """LED-06, LED-12: the next lines have the numbers of those that are lost, and are no more out than any."""

    async def played():
        async with house.open() as notary:
            for _ in range(20):
                record = await roll(notary)
            notary.mark_delivered("net", "#fu", record.seq)

    asyncio.run(played())
    last = delivered(house)["#fu"]
    house.sql("DELETE FROM records WHERE seq > 10")
    asyncio.run(started(house, accept_loss=True))
    assert (last, delivered(house)) == (20, {"#fu": 10})

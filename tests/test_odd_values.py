"""A number that is none, or that nobody gave, in any table: each command has a sentence for it (LED-16)."""

import asyncio
import shutil
import sqlite3
from contextlib import closing

import pytest
from operating import ledger, played, sql

from ircdice.bot import Message
from ircdice.cli.configured import loaded
from ircdice.cli.kept import kept, ready_bot
from ircdice.errors import Refused

pytestmark = pytest.mark.slow
LARGEST = 2**63 - 1
ODD = (str(LARGEST), "-1", "0", "NULL", "'x'", "x'ff'")
COLUMNS = (
    *("records.ts", "records.ref", "records.epoch", "records.counter", "records.generation", "records.seq"),
    *("records.draws", "records.blind", "records.leaf", "records.text", "records.channel"),
    *("checkpoints.number", "checkpoints.size", "checkpoints.note"),
    *("epochs.epoch", "begun.epoch", "begun.ts", "seeds.epoch", "delivered.seq"),
)
WHERE = {"records": "seq = {}", "checkpoints": "number = 3", "epochs": "epoch = 2", "meta": "name = 'origin'"}
COMMANDS = (("check",), ("stats",), ("export", "out.jsonl"), ("backup", "backup"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The folder of a bot that has played an evening."""
    return played(tmp_path_factory.mktemp("played")).parent


@pytest.fixture
def altered(evening, tmp_path):
    """Makes a copy of it with one value in place of another; None where the database takes none such."""

    def made(column, value, seq=3):
        table, name = column.split(".")
        config = shutil.copytree(evening, tmp_path / "again", dirs_exist_ok=True) / "config.ini"
        sql(config, "INSERT OR IGNORE INTO seeds VALUES (1, zeroblob(32))")
        wanted = WHERE.get(table, "1").format(seq)
        try:
            sql(config, f"UPDATE {table} SET {name} = {value} WHERE {wanted}")
        except sqlite3.Error:
            return None
        return config

    return made


def started(config, *, accept_loss=False):
    """What a bot on it answers, or why there is none."""

    async def start():
        whole = loaded(config)
        async with kept(whole, accept_loss=accept_loss) as notary:
            bot = await ready_bot(notary, whole)
            await bot.owed(["home"])
            return (await bot.hear(Message("home", "#dice", "alice", "roll 5d10 h0")))[0].text

    try:
        return asyncio.run(start())
    except Refused as why:
        return f"refused: {why}"


@pytest.mark.parametrize("column", COLUMNS)
def test_every_command_has_a_sentence_for_it(altered, column, tmp_path):
    """LED-16: SQLite keeps any value in any column; nothing is told with a traceback."""
    each = [(value, seq) for value in ODD for seq in ((3, 7) if column == "records.ts" else (3,))]
    for value, seq in each:
        if (config := altered(column, value, seq)) is None:
            continue
        for name, *more in COMMANDS:
            code, said = ledger(name, *(tmp_path / each for each in more), config=config)
            assert code in (0, 1, 2), (value, name, said)
            assert "Traceback" not in said, (value, name, said)
        shutil.rmtree(tmp_path / "backup", ignore_errors=True)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("looked_at", [1_000, 1])
def test_a_bot_starts_on_it_or_says_why_not(altered, column, looked_at, monkeypatch, caplog):
    """LED-12: refused in a sentence, and gone on with where that is accepted; or never looked at, and rolls."""
    monkeypatch.setattr("ircdice.ledger.opening.LOOKED_AT", looked_at)
    for value in ODD:
        for seq in (2, 7) if column.startswith("records") and looked_at > 1 else (2,):
            if (config := altered(column, value, seq)) is None:
                continue
            caplog.clear()
            said = started(config)
            if said.startswith("refused: "):
                said = started(config, accept_loss=True)
            assert said.startswith("alice: "), (value, seq, said)
            told = [each for each in caplog.records if each.exc_info and each.name != "ircdice.table.table"]
            assert not told, (value, seq, caplog.text)


def test_the_largest_number_is_got_past(altered):
    """LED-12: where it is accepted checkpoints are numbered on, and the next epoch has a number of its own."""
    for table, name, most in (("checkpoints", "number", 100), ("epochs", "epoch", 10)):
        config = altered(f"{table}.{name}", str(LARGEST))
        assert started(config).startswith(f"refused: {table[:-1]} {LARGEST} is in the ledger, and no ")
        assert started(config, accept_loss=True).startswith("alice: ")
        assert started(config).startswith("alice: ")
        with closing(sqlite3.connect(config.parent / "ledger.db")) as database:
            assert database.execute(f"SELECT max({name}) FROM {table}").fetchone()[0] < most

"""Numbers and bytes that nobody recorded, in any table: every command has a sentence for them (LED-16)."""

import asyncio
import shutil
import sqlite3

import pytest
from operating import ledger, played, sql

from ircdice.bot import Message
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.errors import Refused

pytestmark = pytest.mark.slow
NUMBERS = (str(10**12), "-1", "0")
BYTES = ("x'ff'", "x''")
TEXTS = ("CAST(x'ff' AS TEXT)", "''", "char(0)")
COLUMNS = {
    **dict.fromkeys(("ts", "ref", "epoch", "counter", "generation", "seq"), NUMBERS),
    **dict.fromkeys(("blind", "leaf"), BYTES),
    **dict.fromkeys(("draws", "text", "channel", "kind", "tag"), TEXTS),
}
PLACES = [
    *((f"records.{name}", "seq = 3", values) for name, values in COLUMNS.items()),
    *((f"checkpoints.{name}", "number = 3", NUMBERS) for name in ("number", "size")),
    *(("checkpoints.note", "number = 3", TEXTS), ("checkpoints.frontier", "number = 3", BYTES)),
    *((f"epochs.{name}", "epoch = 2", NUMBERS) for name in ("epoch", "begun")),
    *((f"epochs.{name}", "epoch = 1", BYTES) for name in ("commitment", "seed")),
    *(("delivered.seq", "1", NUMBERS), ("delivered.ts", "1", NUMBERS), ("meta.value", "name = 'origin'", TEXTS)),
]


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The folder of a bot that has played an evening."""
    return played(tmp_path_factory.mktemp("played")).parent


@pytest.fixture(params=PLACES, ids=lambda place: f"{place[0]} {place[1]}")
def altered(request, evening, tmp_path):
    """The config of a bot for each odd value in one place of its ledger that SQLite accepts there."""
    column, where, values = request.param
    table, name = column.split(".")
    made = []
    for number, value in enumerate(values):
        config = shutil.copytree(evening, tmp_path / str(number)) / "config.ini"
        try:
            sql(config, f"UPDATE {table} SET {name} = {value} WHERE {where}")
        except sqlite3.IntegrityError:
            continue
        made.append(config)
    return made


def started(config, *, accept_loss=False):
    """The answer of a bot on it, or why it does not start."""

    async def start():
        whole = loaded(config)
        async with open_for_bot(whole, accept_loss=accept_loss) as opened:
            bot = await ready_bot(opened, whole)
            await bot.owed(["home"])
            return (await bot.hear(Message("home", "#dice", "alice", "roll 5d10 h0")))[0].text

    try:
        return asyncio.run(start())
    except Refused as why:
        return f"refused: {why}"


def test_led_16_every_command_has_a_sentence(altered):
    """LED-16: no traceback."""
    for config in altered:
        for name, *more in (("check",), ("stats",), ("export", config.parent / "out.jsonl")):
            code, said = ledger(name, *more, config=config)
            assert code in (0, 1, 2), (config, name, said)
            assert "Traceback" not in said, (config, name, said)


def test_led_12_a_bot_starts_or_says_why_not(altered, caplog):
    """LED-12: it refuses in a sentence, with `--accept-loss` it rolls or names the backup; else it rolls."""
    for config in altered:
        caplog.clear()
        said = started(config)
        if said.startswith("refused: "):
            said = started(config, accept_loss=True)
        assert said.startswith(("alice: ", "refused: ")), (config, said)
        unexpected = [each for each in caplog.records if each.exc_info and each.name != "ircdice.table.channel"]
        assert not unexpected, (config, caplog.text)

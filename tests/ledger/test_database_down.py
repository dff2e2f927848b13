"""A database that is not there when the bot starts, or goes away while it runs (LED-05)."""

import asyncio
import re
import subprocess
import sys

import pytest

from ircdice import log
from ircdice.errors import LedgerUnavailable
from ircdice.ledger.paths import Paths

from .house import House, everything, roll, waited

CONFIG = "[bot]\nledger = {}\nledger_wait = 0.5\n[network home]\nhost = 127.0.0.1\nport = 9\nchannels = #dice\n"


@pytest.fixture
def run(tmp_path, environment):
    """`ircdice run` on a ledger at that address: its exit code and standard error."""

    def started(url):
        config = tmp_path / "config.ini"
        config.write_text(CONFIG.format(url))
        config.chmod(0o600)
        command = [sys.executable, "-m", "ircdice", "run", "-c", str(config)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
        return done.returncode, done.stderr

    return started


def test_led_05_a_supervisor_tries_again_while_postgresql_is_down(run, postgresql_alone):
    """LED-05: exit code 75 and one sentence; 2 is for faults of the config."""
    url = postgresql_alone.database()
    postgresql_alone.stop()
    code, said = run(url)
    assert (code, "Traceback" in said) == (75, False), said
    assert said.splitlines()[-1].startswith("ircdice: the ledger at postgresql+psycopg://")
    assert re.search(r"\w\.\n$", said)


def test_led_13_a_supervisor_tries_again_while_another_bot_has_the_folder(run, tmp_path):
    """LED-13: exit code 75, as the other one may be about to end."""
    with Paths(tmp_path, "sqlite:///ledger.db").lock():
        code, said = run("sqlite:///ledger.db")
    way_out = "stop it, or give this one its own data folder"
    assert (code, said.splitlines()[-1]) == (
        75,
        f"ircdice: {tmp_path}: another ircdice runs on this folder: {way_out}.",
    )


def test_led_01_a_fault_of_the_config_is_not_tried_again(run):
    """LED-01: exit code 2, which the unit's RestartPreventExitStatus names."""
    assert run("mysql://localhost/dice")[0] == 2


async def test_led_05_the_log_has_one_sentence_for_a_database_that_goes_away(tmp_path, lines, postgresql_alone):
    """LED-05: no tracebacks of the connections that broke."""
    log.configure(file=tmp_path / "bot.log")
    async with House(tmp_path, postgresql_alone.database()).open() as ledger:
        await roll(ledger)
        await asyncio.gather(*(ledger.read(lambda store: store.last()) for _ in range(4)))
        postgresql_alone.stop()
        for asked in [roll, lambda ledger: ledger.read(lambda store: store.last())] * 3:
            assert [type(one) for one in await waited(asked(ledger))] == [LedgerUnavailable]
        postgresql_alone.start()
    said = "\n".join(lines())
    assert "Traceback" not in said
    assert said.count("the ledger is out of reach: ") == 1


IGNORING = {
    "sqlite": ("CREATE TRIGGER ignoring BEFORE INSERT ON records BEGIN SELECT RAISE(IGNORE); END",),
    "postgresql": (
        "CREATE FUNCTION ignored() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER ignoring BEFORE INSERT ON records FOR EACH ROW EXECUTE FUNCTION ignored()",
    ),
}


async def test_led_03_nothing_is_shown_that_the_database_did_not_keep(each_house, lines, tmp_path):
    """LED-03, LED-05: somebody made a trigger that ignores what is inserted."""
    log.configure(file=tmp_path / "bot.log")
    async with each_house.open() as ledger:
        await roll(ledger)
    each_house.sql(*IGNORING["sqlite" if each_house.paths.database_file else "postgresql"])
    async with each_house.open() as ledger:
        before = await everything(ledger)
        with pytest.raises(LedgerUnavailable):
            await roll(ledger)
        with pytest.raises(LedgerUnavailable):
            await ledger.redact({"~alice"})
        assert await everything(ledger) == before
    assert "the database does not keep what is written to it" in "\n".join(lines())

"""`ircdice ledger`: what an operator does with the record of rolls on the command line (LED-07, LED-16, LED-18)."""

import asyncio
import io
import json
import os
import subprocess
import sys

import pytest
from exported import checked
from operating import CONFIG, evening, ircdice, ledger, played, sql

from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot


def test_a_sound_ledger(config):
    """LED-16: everything is looked at, and nothing is wrong."""
    code, said = ledger("check", config=config)
    assert code == 0
    assert "8 records" in said
    assert said.endswith("sound\n")


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE records SET line = replace(line, 'alice', 'mallory') WHERE seq = 3", "altered: record 3"),
        ("DELETE FROM records WHERE seq = 4", "missing: record 4"),
        ("DELETE FROM records WHERE seq > 5", "cut off: record 6"),
    ],
)
def test_a_broken_ledger(config, statement, told):
    """LED-16: the first bad record and what was done to it, with exit code 1."""
    sql(config, statement)
    code, said = ledger("check", config=config)
    assert code == 1
    assert said.startswith(told)


@pytest.mark.parametrize("name", ["table #1", "why?", "100%41", "über"])
def test_whatever_a_ledgers_folder_is_called(tmp_path, name):
    """LED-01, LED-07: `?`, `#` and `%` mean something in an address: it is in its folder, and in its backup."""
    folder = tmp_path / name
    folder.mkdir()
    config, backup, again = played(folder), folder / "backup", folder / "again"
    assert [file.name for file in tmp_path.iterdir()] == [name]
    for file in (config.with_name("ledger.db"), config.with_name("ledger.db-wal")):
        code, said = ledger("export", file, config=config)
        assert (code, "the bot's own" in said) == (2, True)
    assert ledger("backup", backup, config=config)[0] == 0
    assert ledger("restore", backup, again)[0] == 0
    for each in (config, again / "config.ini"):
        assert "8 records" in ledger("check", config=each)[1]


def test_led_07_a_backup_names_the_files_that_it_lacks(config):
    """LED-07: secrets in files of their own are not copied; the operator is shown which they are."""
    secret = config.with_name("password")
    secret.write_text("pencil")
    config.write_text(config.read_text().replace("[network home]\n", "[network home]\npassword_file = password\n"))
    code, said = ledger("backup", config.with_name("backup"), config=config)
    assert code == 0
    assert said.endswith(f"not in it, although the config names it: {secret}\n")


def test_keys_are_rotated(config):
    """LED-18: tags by the range, the signing key by a checkpoint that the old one signed; the ledger stays sound."""
    assert ledger("keys", "--rotate", "tag", config=config) == (0, "tags have a new key from record 9 on\n")
    assert ledger("keys", "--rotate", "signing", config=config)[0] == 0
    asyncio.run(evening(config))
    assert ledger("check", config=config)[0] == 0
    code, said = ledger("keys", config=config)
    assert code == 0
    assert said.count("signed before by ") == 1
    assert "tags have a key of their own from record 1, 9 on" in said


def test_a_rotation_is_checked_without_our_code(config, tmp_path):
    """LED-18, LED-19: whatever signs the new keys hold."""
    for _ in range(4):
        ledger("keys", "--rotate", "signing", config=config)
    ledger("export", tmp_path / "x.jsonl", config=config)
    assert checked(tmp_path / "x.jsonl")[0] == 0


def test_what_changes_a_ledger_waits_for_the_bot_to_stop(config):
    """LED-13: one process has the folder."""

    async def scene():
        async with open_for_bot(loaded(config)):
            return await asyncio.to_thread(ledger, "redact", "--yes", "--who", "~carol", config=config)

    code, said = asyncio.run(scene())
    in_use = (
        f"ircdice: {config.parent}: another ircdice runs on this folder: stop it, or give this one its own data folder."
    )
    assert (code, said.splitlines()[-1]) == (2, in_use)


LOSSES = {
    "the last": ("DELETE FROM records WHERE seq = 8",),
    "a contest and its answer": ("DELETE FROM records WHERE seq > 6",),
    "a reroll": ("DELETE FROM records WHERE seq > 3",),
    "everything": ("DELETE FROM records",),
}


@pytest.mark.parametrize("what", LOSSES)
def test_a_loss_that_was_accepted_is_one_for_good(config, tmp_path, what):
    """LED-12: play goes on after the last record that is left, and check, export and import take it so."""
    sql(config, *LOSSES[what])
    assert ledger("check", config=config)[0] == 1

    async def accepted():
        whole = loaded(config)
        async with open_for_bot(whole, accept_loss=True) as notary:
            return notary.schedule.running.number

    assert asyncio.run(accepted()) == 3
    said = [("alice", "roll 5d10 h0"), ("bob", "roll 4d6k3"), ("carol", "roll 3d1000 vs @bob"), ("bob", "roll 2d1000")]
    asyncio.run(evening(config, [("alice", "roll 6d10 h2 dc3")] * 97 + said))
    asyncio.run(evening(config))
    code, told = ledger("check", config=config)
    assert code == 0, told
    assert "note: a checkpoint gives up the records from" in told
    assert ledger("reveal", config=config)[0] == 0
    export = tmp_path / "x.jsonl"
    assert ledger("export", export, config=config)[0] == 0
    assert checked(export)[0] == 0
    records = [json.loads(line) for line in export.read_text().splitlines() if '"type":"record"' in line]
    assert [record["seq"] for record in records] == list(range(1, len(records) + 1))
    assert not [record for record in records if "withheld" in record]
    other = tmp_path / "other" / "config.ini"
    other.parent.mkdir()
    other.write_text(CONFIG)
    assert ledger("import", export, config=other)[0] == 0


def test_no_ledger_is_told(tmp_path):
    """cli.md: bad input in one line, and nothing is made by looking."""
    path = tmp_path / "config.ini"
    path.write_text(CONFIG)
    assert ledger("check", config=path) == (2, f"ircdice: there is no ledger at {tmp_path / 'ledger.db'}.\n")
    assert [file.name for file in tmp_path.iterdir()] == ["config.ini"]


def test_what_is_there_is_counted(config):
    """cli.md: `ledger stats`."""
    code, said = ledger("stats", config=config)
    assert code == 0
    assert said.splitlines()[0] == "home/#dice: 1 answer, 1 contest, 1 reroll, 2 roll, 1 setting, 2 stir"


@pytest.mark.parametrize("command", ["check", "stats", "export", "keys"])
@pytest.mark.parametrize("content", [b"", b"noise " * 2_000, None])
def test_a_ledger_that_cannot_be_read_is_told(config, command, content):
    """cli.md: in one line, exit code 2; an empty file, one of something else, one that was cut short."""
    file = config.parent / "ledger.db"
    file.write_bytes(file.read_bytes()[:5_000] if content is None else content)
    code, said = ledger(command, config=config)
    assert (code, said.startswith("ircdice: "), said.count("\n")) == (2, True, 1), said


def test_what_is_damaged_is_told_and_nothing_else(config, capfd):
    """cli.md: a record that cannot be judged any more is told in the report, without a traceback beside it."""
    sql(config, "UPDATE records SET text = 'roll 0d0' WHERE seq = 2")
    assert ledger("check", config=config)[0] == 1
    assert capfd.readouterr().err == ""


def test_a_check_shows_its_progress_on_a_terminal(config, environment):
    """LED-16: a bar on standard error; the report is not mixed with it."""
    master, terminal = os.openpty()
    command = [sys.executable, "-m", "ircdice", "ledger", "check", "-c", str(config)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, env=environment, timeout=120)
    os.close(terminal)
    shown = os.read(master, 65_536).decode()
    os.close(master)
    assert (done.returncode, "100%" in shown, "100%" in done.stdout.decode()) == (0, True, False), shown


class Terminal(io.StringIO):
    """Ctrl-C is pressed as soon as it shows the progress of a check."""

    def isatty(self):
        return True

    def write(self, text):
        if "records" in text:
            raise KeyboardInterrupt
        return super().write(text)


def test_a_check_is_interrupted(config):
    """cli.md: exit code 130, and what was found by then is reported."""
    shown = io.StringIO()
    assert ircdice("ledger", "check", "-c", config, out=shown, errors=Terminal()) == 130
    assert shown.getvalue().endswith("not complete, so far sound\n")


def test_looking_at_keys_makes_none(config):
    """LED-10: a lost tag key is told; another one would make every id look lost."""
    (config.parent / "tag.keys").unlink()
    code, said = ledger("keys", config=config)
    way_out = "copy it from another bot on this ledger, or from a backup"
    assert (code, said) == (2, f"ircdice: {config.parent / 'tag.keys'} is missing: {way_out}.\n")
    assert not (config.parent / "tag.keys").exists()


@pytest.mark.parametrize("key", ["tag", "signing"])
def test_a_key_is_not_replaced_where_keys_are_asked_for_as_json(config, key):
    """cli.md: `--json` shows keys, so it comes without `--rotate`."""
    before = ledger("keys", config=config)
    code, said = ledger("keys", "--rotate", key, "--json", config=config)
    assert (code, said.splitlines()[-1]) == (
        2,
        "ircdice: --json shows the keys, --rotate replaces one: use one of them.",
    )
    assert ledger("keys", config=config) == before


def test_check_stats_and_keys_as_json(config):
    """cli.md: one object each; a broken ledger has its findings in it, with what to do."""
    told = {each: json.loads(ledger(each, "--json", config=config)[1]) for each in ("check", "stats", "keys")}
    assert (told["check"]["sound"], told["check"]["records"], told["check"]["findings"]) == (True, 8, [])
    assert (told["stats"]["records"], sum(kind["records"] for kind in told["stats"]["kinds"])) == (8, 8)
    assert (told["keys"]["signing"].count("+") >= 2, told["keys"]["earlier"], told["keys"]["tags_from"]) == (
        True,
        [],
        [1],
    )
    sql(config, "UPDATE records SET line = 'x' WHERE seq = 3")
    code, said = ledger("check", "--json", config=config)
    found = json.loads(said)["findings"][0]
    assert (code, found["damage"], found["seq"], "ledger restore" in found["todo"]) == (1, "altered", 3, True)

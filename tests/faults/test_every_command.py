"""What a person or a disk can do wrong, and each command that meets it: one line, and no traceback (cli.md)."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ircdice.bot import Message
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot

from . import each_command

pytestmark = pytest.mark.slow

CONFIG = """
[bot]
ledger_wait = 2
log_level = warning
[network home]
host = 127.0.0.1
port = 1
tls = no
channels = #dice
"""
ALL = frozenset(each_command.commands(Path()))
LOOKING = frozenset({"config", "verify", "check", "stats", "keys", "export", "backup"})
NEVER = frozenset({"import"})  # the ledger has begun
REFUSED, UNKNOWN, AWAY = 2, 3, 75
GOOD = {"verify": (UNKNOWN,), "check": (0, 1), "redact": (0, 1)}  # a table's own no is an answer too


async def evening(config):
    whole = loaded(config)
    async with open_for_bot(whole) as notary:
        bot = await ready_bot(notary, whole)
        for text in ("roll 5d10 h2 dc3", "!stir our words", "roll 4d6k3+2"):
            await bot.answer(Message("home", "#dice", "bob", text))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder whose bot has played, and beside it an export."""
    folder = tmp_path_factory.mktemp("played") / "bot"
    folder.mkdir()
    config = folder / "config.ini"
    config.write_text(CONFIG)
    config.chmod(0o600)
    asyncio.run(evening(config))
    words = ("ledger", "export", str(folder.parent / "export.jsonl"), "-c", str(config))
    subprocess.run([sys.executable, "-m", "ircdice", *words], check=True, timeout=120)
    return folder.parent


def database(change):
    def done(folder):
        for end in ("-wal", "-shm"):
            (folder / f"ledger.db{end}").unlink(missing_ok=True)
        change(folder / "ledger.db")

    return done


def instead(*names, by):
    """Something else stands where each of these files stood."""

    def done(folder):
        for name in names:
            (folder / name).unlink()
            by(folder / name)

    return done


def mode(number, *names):
    def done(folder):
        for name in names:
            (folder / name).chmod(number)

    return done


def setting(line):
    def done(folder):
        (folder / "config.ini").write_text(CONFIG.replace("[bot]", f"[bot]\n{line}"))

    return done


def log_in_a_pipe(folder):
    os.mkfifo(folder / "pipe")
    setting("log_file = pipe")(folder)


def ledger(url):
    return setting(f"ledger = {url}")


def zero(file):
    file.symlink_to("/dev/zero")


def endless(file):
    file.write_bytes(b"; " + b"x" * 2_000_000)


def noise(file):
    file.write_bytes(bytes(range(256)) * 40)


KEYS = ("tag.keys", "signing.key")
LOOKING_AT_NONE = frozenset({"config", "verify", "stats", "keys", "export", "backup"})
# What is done, and the commands that do their work all the same; None where each may do so or not.
FAULTS = {
    "nothing": (lambda folder: None, ALL - NEVER),
    "the ledger is empty": (database(lambda file: os.truncate(file, 0)), None),
    "the ledger is noise": (database(noise), {"config"}),
    "the ledger is a folder": (database(lambda file: (file.unlink(), file.mkdir())), {"config"}),
    "the ledger is gone": (database(Path.unlink), {"config"}),
    "the ledger may not be read": (database(lambda file: file.chmod(0)), {"config"}),
    "the ledger may not be written": (database(lambda file: file.chmod(0o400)), LOOKING),
    "the ledger is in no folder": (ledger("sqlite:///no/such/ledger.db"), set()),
    "the ledger's server is away": (ledger("postgresql+psycopg://x@127.0.0.1:1/x"), {"config"}),
    "the ledger is in the memory": (ledger("sqlite:///:memory:"), set()),
    "the ledger has options": (ledger("sqlite:///ledger.db?mode=ro"), set()),
    "nothing can be made": (lambda folder: folder.chmod(0o500), LOOKING - {"config"}),
    "a read-only file system": (lambda folder: None, LOOKING - {"config"}),
    "the keys may not be read": (mode(0, *KEYS), {"config", "stats"}),
    "the checkpoints are a folder": (instead("checkpoints", by=Path.mkdir), LOOKING_AT_NONE - {"backup"}),
    "the config is a folder": (instead("config.ini", by=Path.mkdir), set()),
    "the config is a pipe": (instead("config.ini", by=os.mkfifo), set()),
    "the config has no end": (instead("config.ini", by=zero), set()),
    "the config is endless": (instead("config.ini", by=endless), set()),
    "the config is noise": (instead("config.ini", by=noise), set()),
    "the config may not be read": (mode(0, "config.ini"), set()),
    "the log is a folder": (setting("log_file = ."), {"verify", "stats"}),  # which write no log
    "the log is a pipe": (log_in_a_pipe, ALL - NEVER - {"run"}),
}  # fmt: skip
OF_THE_CONFIG = {name for name in FAULTS if "config" in name or "the log" in name} | {
    "the ledger is in the memory",
    "the ledger has options",
}


@pytest.mark.timeout(1200)
def test_led_16_every_command_says_it_in_a_line(played, tmp_path, environment):
    """cli.md, LED-05, LED-07, LED-16: 2 or 3 and one line where it cannot be done, and never a traceback."""
    folders = [faulty(played, tmp_path / str(number), fault) for number, fault in enumerate(FAULTS)]
    command = [sys.executable, each_command.__file__, *map(str, folders)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=1180, env=environment)
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert done.returncode == 0, done.stderr
    tried = zip(FAULTS.items(), map(json.loads, done.stdout.splitlines()), strict=True)
    wrong = [
        (fault, name, code, told)
        for (fault, (_, fine)), found in tried
        for name, (code, told) in (found or {}).items()
        if not as_it_should(
            name, code, told, fine=fine is None or name in fine, refused=fine is None or name not in fine
        )
    ]
    assert not wrong, "\n".join(map(str, wrong))


def faulty(played, place, fault):
    folder = place / ("read-only" if "read-only" in fault else "config" if fault in OF_THE_CONFIG else "bot")
    shutil.copytree(played / "bot", folder)
    shutil.copy2(played / "export.jsonl", place)
    FAULTS[fault][0](folder)
    return folder


def as_it_should(name, code, told, *, fine, refused):
    """Whether the work was done, or refused with one line that fits on a screen."""
    if "Traceback" in told:
        return False
    said = re.findall("^ircdice: .*", told, re.MULTILINE)
    if fine and code in GOOD.get(name, (0,)):
        return True
    codes = (REFUSED, UNKNOWN, AWAY) if name == "run" else (REFUSED, UNKNOWN)
    return refused and code in codes and len(said) == 1 and len(said[0]) < 400

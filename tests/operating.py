"""A bot's ledger on disk after an evening, and `ircdice ledger` as an operator calls it on it."""

import asyncio
import io
import sqlite3
from contextlib import closing, redirect_stderr, redirect_stdout

import pytest

from ircdice.bot import Message
from ircdice.cli.config import loaded
from ircdice.cli.main import main
from ircdice.cli.run import open_for_bot, ready_bot

CONFIG = (
    "[bot]\nledger_wait = 60\n[network home]\nhost = irc.example.net\nchannels = #dice\n"
    "[channel home/#dice]\nofficial = yes\n"
)
SAID = (
    ("alice", "roll 40d10 h0 dc3"),  # so many that some can be rerolled
    ("bob", "!stir our own words"),
    ("alice", "wp"),
    ("carol", "roll 4d6k3+2"),
    ("alice", "roll 6d10 h2 vs @bob"),
    ("bob", "roll 5d10 h1"),
)


async def evening(config, said=SAID, channel="#dice"):
    """Lines said to a bot on the ledger of a config; what it posted."""
    whole = loaded(config)
    async with open_for_bot(whole) as notary:
        bot = await ready_bot(notary, whole)
        answers = [await bot.answer(Message("home", channel, nick, text)) for nick, text in said]
        return [answer.replies[0].text for answer in answers]


def played(folder):
    """The config, in a folder of its own, of a bot that has played an evening."""
    path = folder / "home" / "config.ini"
    path.parent.mkdir()
    path.write_text(CONFIG)
    path.chmod(0o600)
    asyncio.run(evening(path))
    return path


def ircdice(*arguments, out, errors, given=""):
    """The exit code of `ircdice …`, by the very function that the console command calls; what it says goes to files."""
    with redirect_stdout(out), redirect_stderr(errors), pytest.MonkeyPatch.context() as patched:
        patched.setattr("sys.argv", ["ircdice", *map(str, arguments)])
        patched.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8"))
        try:
            main()
        except SystemExit as end:
            return end.code or 0
    return 0


def ledger(*arguments, config=None):
    """Exit code and output of `ircdice ledger …`."""
    shown = io.StringIO()
    code = ircdice("ledger", *arguments, *(["-c", config] if config else []), out=shown, errors=shown)
    return code, shown.getvalue()


def sql(config, *statements):
    """What somebody does to the database."""
    with closing(sqlite3.connect(config.parent / "ledger.db")) as database, database:
        for statement in statements:
            database.execute(statement)

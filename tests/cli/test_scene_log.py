"""`ircdice log --scene`: a scene of the ledger, ready to paste (DSK-08)."""

import asyncio
import io
import re

import pytest
from operating import CONFIG, ircdice

from ircdice.bot import Message
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot

LINES = ("!scene Harbour", "roll 5d10 h2 dc3", "!scene end", "roll 4d6k3")


@pytest.fixture
def config(tmp_path):
    """The config of a bot in whose channel a scene was played."""
    path = tmp_path / "config.ini"
    path.write_text(CONFIG)
    path.chmod(0o600)

    async def play():
        whole = loaded(path)
        async with open_for_bot(whole) as ledger:
            bot = await ready_bot(ledger, whole)
            for text in LINES:
                await bot.answer(Message("home", "#dice", "sam", text, storyteller=True))

    asyncio.run(play())
    return path


def log(config, scene, channel):
    """`ircdice log --scene`: its exit code, and what it says on each output."""
    out, errors = io.StringIO(), io.StringIO()
    code = ircdice("log", "--scene", scene, "--channel", channel, "-c", config, out=out, errors=errors)
    return code, out.getvalue(), errors.getvalue()


@pytest.mark.parametrize("scene", ["1", "harbour"])
def test_dsk_08_a_scene_is_printed_in_the_order_of_play(config, scene):
    """DSK-08: by its number or its name, without what was rolled after its end."""
    code, said, _ = log(config, scene, "home/#DICE")
    title, roll = said.splitlines()
    assert (code, title) == (0, "Harbour (#dice, scene 1)")
    assert re.fullmatch(r"sam: .*; 5d10 h2 dc3; id [0-9a-z]+-[0-9a-z]{6}", roll)


def test_dsk_08_a_scene_that_is_not_there(config):
    """DSK-08"""
    assert log(config, "Docks", "home/#dice") == (1, "", "there was no scene Docks in home/#dice.\n")
    assert log(config, "1", "#dice")[0] == 2

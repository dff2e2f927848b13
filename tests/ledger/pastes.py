"""A short evening that the real bot plays into a ledger on SQLite, and what verify says of lines pasted from it."""

import asyncio
import io
import json

from operating import ircdice

from ircdice.bot import Message
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.cli.verify import open_ledger
from ircdice.ledger.paste import Paste
from ircdice.ledger.verify import Asker, verify_all

from .forgeries import Evening
from .honest_pastes import BOT

CONFIG = "[network home]\nhost = irc.example.net\nchannels = #dice\n[channel home/#dice]\nofficial = yes\n"
ASKER = Asker("net", "#fu_dice", "sam", "~sam", bots=(BOT,))  # on a table of tests/playing.py
# Each rolls something else, so that no line is *roll k of n*. `*` marks the storyteller, `@` a private message.
SAID = (
    "zoe #dice: roll 1d20",
    "alice #dice: roll 5d10 h2 dc3 # over the wall, it's José's turn & x>y",
    "bob #dice: roll 4d6k3+2 # he said 'now' -- and left...",
    "alice #dice: roll 6d10 h2 vs @bob",
    "bob #dice: roll 5d10 h1",
    "player #dice: rouse",
    "[mara] #dice: roll 5d10 h1 vs 4d10 h1",
    "x-y_ #dice: roll 40d10",
    "Yan2 #dice: toss d8 d12 dc7 # the lock, 2nd try",
    "cat^ #dice: b8 t2 a1",
    "dora #dice: roll 3d6-9",
    "eve #dice: xr 3d6 a1",
    "gus #dice: roll 5d6>=5",
    "alice #dice: !play Viktor",
    "alice #dice: roll 7d10 h3 # as a character",
    "sam* @: difficulty 4 for dave in #dice",
    "dave #dice: roll 7d10 h1",
    "bob @: roll 3d10 h1",
    "eve #dice: roll 4d10 h1 vs @gus",
    "sam* @: secret roll 5d10 h2 in #dice",
)


async def _said(config):
    """What the bot posted, and what it answered in private."""
    posted, private = [], []
    settings = loaded(config)
    async with open_for_bot(settings) as ledger:
        bot = await ready_bot(ledger, settings)
        for line in SAID:
            said, _, text = line.partition(": ")
            nick, _, channel = said.partition(" ")
            place, storyteller = None if channel == "@" else channel, nick.endswith("*")
            answer = await bot.answer(Message("home", place, nick.strip("*"), text, storyteller=storyteller))
            assert answer.error is None, (line, answer.error)
            for reply in answer.replies:
                if "; id " in reply.text:
                    (private if reply.private else posted).append(reply.text)
    return posted, private


def play(folder):
    """The config of a bot that has played the evening, and the lines that it posted."""
    config = folder / "config.ini"
    config.write_text(CONFIG)
    config.chmod(0o600)
    posted, private = asyncio.run(_said(config))
    covered = [line for line in posted if line.startswith("eve vs gus") or "in secret" in line]
    hidden = [line.rpartition(" ")[2] for line in (*covered, *private)]
    assert len(hidden) == 4, hidden  # a contest, a secret roll, a private one, a difficulty
    waited = [line for line in posted if "covered" in line]  # answered since: that is a note
    lines = [line for line in posted if line not in covered and line not in waited and not line.startswith("zoe")]
    return config, tuple(lines), tuple(hidden)


def evening(folder):
    """The config, and the evening as forgers know it, with the lines of another bot's evening."""
    here, elsewhere = folder / "here", folder / "elsewhere"
    here.mkdir()
    elsewhere.mkdir()
    config, lines, hidden = play(here)
    _, foreign, _ = play(elsewhere)
    return config, Evening(lines, foreign, hidden)


def asked(config, text):
    """`ircdice verify - --json`: the exit code, the verdicts and all notes."""
    out, errors = io.StringIO(), io.StringIO()
    code = ircdice("verify", "-", "--json", "-c", config, out=out, errors=errors, given=text)
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    return code, [each["verdict"] for each in found], [note for each in found for note in each["notes"]]


def judged(config, texts):
    """What verify finds in each of the texts, as the command line asks it, in one process."""

    async def found():
        asker = Asker(everywhere=True, bots=(BOT,))
        async with open_ledger(loaded(config)) as ledger:
            return [await verify_all(Paste(text, asker.bots), ledger, asker) for text in texts]

    return asyncio.run(found())


def found(table, text):
    """What a bot that is asked in its channel finds in a paste."""
    return asyncio.run(verify_all(Paste(text, ASKER.bots), table.ledger, ASKER))

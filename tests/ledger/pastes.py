"""Posted lines to paste, and what verify finds in a paste."""

import asyncio
import re
from dataclasses import replace

from playing import Table

from ircdice.ledger.paste import Paste
from ircdice.ledger.verify import Asker, verify_all

RUNNER = asyncio.Runner()  # one for all: verify is asked 50,000 times
ASKER = Asker("net", "#fu_dice", "sam", "~sam", bots=("FUDice",))
# system, nick, command, faces
ROLLS = (
    ("v5", "alice", "roll 5d10 h2 dc3", (9, 4, 3, 8, 2)),
    ("generic", "bob", "roll 4d6k3 # he said 'now' -- and left...", (6, 3, 5, 2)),
    ("v5", "[mara]", "roll 5d10 h1 vs 4d10 h1", (10, 10, 2, 5, 3, 7, 8, 2, 4)),
    ("v5", "player", "rouse", (2,)),
    ("generic", "x-y_", "roll 12d10", (10, 3, 10, 1, 9, 8, 7, 7, 2, 10, 5, 6)),
    ("fayrewood", "Zoe2", "toss d8 d12 dc7 # the lock, 2nd try", (5, 11)),
    ("beat_eight", "cat^", "b8 t2 a1", (3, 6)),
    ("generic", "dora", "roll 1d20+3", (17,)),
)


def evening():
    """A table where those rolls were made, and the lines that the bot posted."""
    table, lines = Table(), []
    for system, nick, command, faces in ROLLS:
        table.settings = replace(table.settings, system=system)
        lines.append(table.say(nick, command, faces).replies[0].text)
        table.now += 60 * 60_000
    return table, lines


def rows(text):
    """The rows of a table: a name, two spaces or more, and the paste; ⏎ is a line break in it."""
    split = (re.split(r" {2,}", row, maxsplit=1) for row in text.strip("\n").split("\n"))
    return {name: paste.replace("⏎", "\n") for name, paste in split}


def found(table, text, asker=ASKER):
    """What verify finds in a paste: a verification for each posted line."""
    return RUNNER.run(verify_all(Paste(text, asker.bots), table.ledger, asker))


def relied_on(table, text):
    """Whether anything in a paste is called genuine with exit code 0."""
    return any(each.counts for each in found(table, text))

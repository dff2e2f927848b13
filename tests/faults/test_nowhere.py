"""A covered or sealed value, looked for in all that the whole bot says, logs, exports and answers before its time."""

import json
import re

import pytest

from . import kept
from .bots import BotProcess
from .players import begun, crowd, rolled, until

pytestmark = pytest.mark.slow

CHANNEL = "#veil"
NUMBER = 777  # the secret difficulty; nothing else here has it
BIG = "5d1000000"  # faces of so many digits that none comes by chance
ALONE = ("for you alone, #", "not revealed: #")  # begin what the storyteller alone is shown
PRYING = (
    *("!log", "!log #last", "!stats", "odds toss 3 2", "!contests", "reveal #2", "!verify #1", "!verify #2"),
    *("!verify #3", "!verify #last", "!help difficulty", "!fair", "log #1", "discard #1"),
    *("!secrets", f"secrets in {CHANNEL}", f"log #1 in {CHANNEL}", f"status in {CHANNEL}"),
)


@pytest.mark.timeout(600)
async def test_led_17_what_is_covered_is_read_nowhere(ngircd_unlimited, tmp_path):
    """LED-17, FW-10, DSK-07, GEN-06: in no reply, log, export or answer on the command line; after it, everywhere.

    The storyteller alone is shown it at once.
    """
    more = f"[channel net/{CHANNEL}]\nops_are_storytellers = yes\nofficial = yes\nsystem = fayrewood"
    port = ngircd_unlimited.port
    bot = BotProcess(tmp_path / "bot", port, (CHANNEL,), "Veiled", "log_level = debug\nlog_format = json", more)
    with bot:
        async with crowd(bot, nicks=("nan", "oli")) as people:
            gm, nan, oli = people.people  # the first in a channel is its op
            await begun(people, bot)
            gm.say("Veiled", f"difficulty {NUMBER} for nan in {CHANNEL}", f"secret roll {BIG} in {CHANNEL}")
            await until(lambda: len(people.rolls()) >= 2, "both are sealed")
            nan.say(CHANNEL, "toss 3 2 boon", "roll 6d10 h2 vs @oli")
            await until(lambda: any("answer" in text for text, _ in people.rolls()), "a contest waits")
            for person in people.people:
                asked_for = [text for text in PRYING if person is not gm or not text.startswith("reveal")]
                person.say(CHANNEL, *asked_for)
                person.say("Veiled", *asked_for)
            nan.say("Veiled", f"reveal #2 in {CHANNEL}")
            await rolled(people, CHANNEL, "toss 2 2 # the end of it", nick=2)
            records = await kept.records(f"sqlite:///{bot.database}")
            secrets = sealed(records)
            alone = [line for person in people.people for line in person.seen if shown_alone(line)]
            assert alone
            assert all(f" {gm.nick} :" in line for line in alone)
            heard = [text for text in people.heard() if not text.startswith(ALONE)]
            before = "\n".join([*heard, bot.log, *asked(bot, records), str(records)])
            assert [secret for secret in secrets if reads(secret, before)] == []
            gm.say(CHANNEL, *(f"reveal #{record.id[0]}" for record in records if record.draft.kind == "seal"))
            oli.say(CHANNEL, "roll 5d10 h1")
            await until(lambda: sum("reveal" in text for text, _ in people.rolls()) >= 2, "both are shown")
            assert bot.stop() == 0
            records = await kept.records(f"sqlite:///{bot.database}")
            after = "\n".join([*people.heard(), *asked(bot, records)])
            assert [secret for secret in secrets if not reads(secret, after)] == []


def shown_alone(line):
    """Whether the bot tells in it what a storyteller alone may read."""
    return any(f" :{beginning}" in line for beginning in ALONE)


def reads(secret, text):
    """Whether it stands there by itself or as `dc777`: in words, base 64 or behind a point it came by chance."""
    return re.search(rf"(?<![0-9A-Za-z])(?<![0-9]\.)(?:dc)?{secret}(?![0-9A-Za-z])", text) is not None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("nan: Loss; 16 vs 777", True),
        ('"text":"777"', True),
        ("toss 3 2 boon dc777.", True),
        ('"time": "2026-11-21T20:15:09.777Z"', False),
        ("took=0.777", False),
        ("1777, 7770, Q777f+, id 5-7770ab", False),
    ],
)
def test_led_17_what_it_would_be_to_read_it(text, read):
    """LED-17: a number by itself is read, the thousandths of a log's time are none."""
    assert reads(str(NUMBER), text) == read


def sealed(records):
    """What nobody may read: the number, the faces, and the salts that prove them."""
    seals = [record.draft.sealed for record in records if record.draft.sealed]
    assert len(seals) == 2
    faces = re.findall(r"(?<!d)\b\d{5,}", seals[1].text.partition(";")[2])
    assert len(faces) > 2
    return [str(NUMBER), *faces, *(seal.salt.hex() for seal in seals)]


def asked(bot, records):
    """What the commands that look at the ledger tell; the export has the covered contest withheld."""
    ids = "\n".join(f"{record.draft.line}; id {record.id}" for record in records)
    said = [bot.command(*words)[1] for words in (("ledger", "check"), ("ledger", "stats"), ("verify", ids))]
    exported = bot.command("ledger", "export", "--private")[1]
    items = [json.loads(line) for line in exported.splitlines() if '"type":"record"' in line]
    hidden = {item["seq"] for item in items if item.get("withheld") == "covered"}
    answered = {record.draft.ref for record in records if record.draft.kind in ("answer", "reveal")}
    assert {record.seq for record in records if record.draft.kind == "contest"} - answered <= hidden
    return [*said, exported]

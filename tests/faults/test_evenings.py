"""An evening of each game on a real server: two bots on one PostgreSQL, whose channels share players and characters."""

import re
from itertools import pairwise, zip_longest

import pytest

from tests.table.test_evenings import EVENINGS

from . import kept
from .bots import BotProcess
from .players import begun, crowd, until
from .test_two_bots import one_ledger

SCRIPTED = "#FU_Dice"  # the channel of the scripts
BY_CHANCE = ("wp", "xr reroll 2", "!xr fate spend")  # refused or not as the dice fall
SAID = re.compile(r"(?P<nick>\w+)\*?(?P<aside> in private)?: (?P<text>.*?)(?: \|[ 0-9]*)?")


@pytest.fixture
def two(postgresql_alone, ngircd_unlimited, tmp_path):
    """Two bots on one ledger, each with a channel whose operator is the storyteller."""
    url = postgresql_alone.database()
    shared = (
        f"ledger = {url}\nsigning_key = {tmp_path / 'signing.key'}\norigin = tests/dice\nops_are_storytellers = yes"
    )
    made = [
        BotProcess(tmp_path / nick, ngircd_unlimited.port, (f"#{nick.lower()}",), nick, f"{shared}\nname = {nick}")
        for nick in ("One", "Two")
    ]
    yield url, *made
    for bot in made:
        bot.kill()


def steps(game, channel):
    """What is said in an evening: the nick, whether in private, the text, and whether the answer is private."""
    yield "sam", False, f"!channel system {game}", False
    for line, reply in pairwise(EVENINGS[game].splitlines()):
        if line.startswith(" " * 8) and line[8] != " ":
            said = SAID.fullmatch(line.strip())
            text = said["text"].replace(SCRIPTED, channel)
            yield said["nick"], bool(said["aside"]), text, reply.strip().startswith("(")


@pytest.mark.timeout(600)
async def test_dsk_01_an_evening_of_each_game_with_two_bots(two, tmp_path):
    """DSK-01 to DSK-09, LED-04: each line is answered, where the script has it, and what was recorded was posted."""
    url, *bots = two
    async with crowd(*bots, nicks=("alice", "bob")) as people:
        sam, alice, bob = people.people  # who comes first is the channel's operator
        players = {"sam": sam, "alice": alice, "bob": bob}

        async def play(bot, nick, aside, text, private):
            person, channel = players[nick], bot.channels[0]
            seen, heard = len(person.seen), len(sam.seen)
            person.say(bot.nick if aside else channel, text)

            def answered():
                own = any(re.match(f":{bot.nick}!\\S+ \\S+ {person.nick} :", line) for line in person.seen[seen:])
                public = any(re.match(f":{bot.nick}!\\S+ \\S+ {channel} :", line) for line in sam.seen[heard:])
                return own or public if text in BY_CHANCE else own if private else public

            await until(answered, f"{bot.nick} answers {nick}: {text}")

        for bot in bots:
            await begun(people, bot)
        games = list(EVENINGS)
        for pair in zip(games, games[1:] + games[:1], strict=True):
            evenings = [
                [(bot, *step) for step in steps(game, bot.channels[0])] for bot, game in zip(bots, pair, strict=True)
            ]
            for each in zip_longest(*evenings):
                for step in filter(None, each):
                    await play(*step)
        assert [bot.stop() for bot in bots] == [0, 0]
        records = await kept.records(url)
        posted = {part for line in sam.seen for part in line.partition(" :")[2].split(" | ")}
        missing = {f"{record.draft.line}; id {record.id}" for record in records if record.draft.line} - posted
        assert not missing
        seen = [line for person in people.people for line in person.seen]
        assert not [line for line in seen if "went wrong" in line]
    # While one bot stands still in a transaction, the other says that the ledger is out of reach.
    log = [line for bot in bots for line in bot.log.splitlines() if "the ledger is out of reach" not in line]
    assert not [line for line in log if "ERROR" in line or "Traceback" in line]
    reader = BotProcess(tmp_path / "third", 1, ("#none",), "Three", one_ledger(url, tmp_path))
    code, report = reader.command("ledger", "check")
    assert code == 0, report

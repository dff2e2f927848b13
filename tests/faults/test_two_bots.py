"""Two bots on one PostgreSQL that is stopped at once in the middle of a burst, and a third process that reads both."""

import asyncio

import pytest

from . import kept
from .bots import BotProcess
from .players import begun, crowd, rolled, until
from .test_away import AWAY

pytestmark = pytest.mark.slow

PLACES = {"One": "#first", "Two": "#second"}
WAIT = 10  # seconds that a record may take, and the database at a bot's start, on a machine that has other things to do


@pytest.fixture
def two(postgresql_alone, ngircd_unlimited, tmp_path):
    """Two bots on one ledger, each with a folder and a channel of its own, sharing the keys."""
    url = postgresql_alone.database()
    shared = f"ledger = {url}\nsigning_key = {tmp_path / 'signing.key'}\norigin = tests/dice\nledger_wait = {WAIT}"
    made = [
        BotProcess(tmp_path / nick, ngircd_unlimited.port, (channel,), nick, f"{shared}\nname = {nick}")
        for nick, channel in PLACES.items()
    ]
    yield url, *made
    for bot in made:
        bot.kill()


@pytest.mark.timeout(600)
async def test_led_04_postgresql_dies_under_two_bots(two, postgresql_alone, tmp_path):
    """LED-04, LED-05: no roll that was told is lost, none is there twice, no counter is left out; both play on."""
    url, one, two_ = two
    async with crowd(one, two_, nicks=("hal", "ida", "jon")) as people:
        await begun(people, one)
        await begun(people, two_)
        for away in (0.0, 0.5, None):  # the last is longer than they wait
            people.burst(8, PLACES.values())
            await until(people.answered, "somebody is answered")
            await asyncio.to_thread(postgresql_alone.stop)
            await (refused(people) if away is None else asyncio.sleep(away))
            await asyncio.to_thread(postgresql_alone.start)
            for channel in PLACES.values():
                await until_it_rolls(people, channel)
        assert [bot.stop() for bot in (one, two_)] == [0, 0]
        found = await kept.settled(url, people)
        records = await kept.records(url)
    reader = BotProcess(tmp_path / "third", 1, ("#none",), "Three", one_ledger(url, tmp_path))
    code, said = reader.command("ledger", "check")
    assert (code, "note: no bot of this config has run on this ledger" in said) == (0, True), said
    for channel in PLACES.values():
        last = next(record for record in reversed(records) if record.draft.channel == channel)
        code, verdict = reader.command("verify", f"{last.draft.line}; id {last.id}")
        assert verdict.startswith("Genuine"), (code, verdict)
    print(f"3 stops: {found}; {said.splitlines()[-1]}")
    assert {bot.log.count("the ledger is out of reach") > 0 for bot in (one, two_)} == {True}


def one_ledger(url, folder):
    """What a third process is told of it."""
    return f"ledger = {url}\nsigning_key = {folder / 'signing.key'}\nname = Three"


async def refused(people):
    """Each bot is asked something, and tells whoever's turn it is that the record is out of reach."""
    since = {person: len(person.seen) for person in people.people}
    for channel in PLACES.values():
        people.people[1].say(channel, "roll 2d10 h0 # while it is away")

    def told(nick):
        lines = (line for person, seen in since.items() for line in person.seen[seen:])
        return any(line.startswith(f":{nick}!") and line.endswith(AWAY) for line in lines)

    await until(lambda: all(map(told, PLACES)), "both give up")


async def until_it_rolls(people, channel):
    """The server is back: whoever was refused says it again until it is rolled."""
    for _ in range(40):
        try:
            async with asyncio.timeout(3):
                await rolled(people, channel, "roll 3d10 h0")
                return
        except TimeoutError:
            continue
    raise AssertionError(f"{channel} does not play on")

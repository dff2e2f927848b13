"""People who play on a real server while the bot comes and goes, and all that they saw it post."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from tests.wire.client import Person

from .bots import BotProcess, posted

PATIENCE = 120.0  # seconds, on a machine that has other things to do
_SAID = re.compile(r"^:(?P<nick>[^!\s]+)!\S+ (?:PRIVMSG|NOTICE) (?P<target>\S+) :(?P<text>.*)$")
_LATE = "made earlier, and may not have been shown here"
COMMANDS = (
    "roll 5d10 h2 dc3",
    "roll 4d6k3+2",
    "xr 3d6",
    "toss 3 2 boon",
    "roll 7d10 h1 dc2",
    "roll 2d20",
)


class Crowd:
    """Some people in the channels of a bot; one of them, the witness, hears all that is said there."""

    def __init__(self, bots: Iterable[BotProcess], people: list[Person]) -> None:
        self.people = people
        self._bots = {bot.nick for bot in bots}
        self._said = self._since = 0

    @property
    def witness(self) -> Person:
        return self.people[0]

    def burst(self, rolls: int, channels: Iterable[str]) -> None:
        """Everybody but the witness rolls so often in each channel, and once in private; no comment comes twice."""
        self._since = len(self.witness.seen)
        for person in self.people[1:]:
            for channel in channels:
                person.say(channel, *(self._roll() for _ in range(rolls)))
            for bot in self._bots:
                person.say(bot, self._roll())

    def _roll(self) -> str:
        self._said += 1
        return f"{COMMANDS[self._said % len(COMMANDS)]} # n{self._said}"

    def heard(self) -> Counter[str]:
        """What the bots said to each, wherever it was: the witness alone counts for the channels."""
        found: Counter[str] = Counter()
        for person in self.people:
            for line in person.seen:
                said = _SAID.match(line)
                if said and said["nick"] in self._bots and (person is self.witness or said["target"][0] != "#"):
                    found[said["text"]] += 1
        return found

    def answered(self) -> bool:
        """Whether a recorded line was said in a channel since the last burst."""
        return any(posted(line) for line in self.witness.seen[self._since :])

    def named(self) -> set[str]:
        """The ids of the rolls that came too late to be said in full (IRC-23)."""
        parts = [part for text in self.heard() for part in text.split(" | ") if _LATE in part]
        return {id_ for part in parts for id_ in part.rpartition(": id ")[2].split(", ")}

    def rolls(self) -> Counter[tuple[str, str]]:
        """The recorded lines among it, with their ids, and how often each came."""
        found: Counter[tuple[str, str]] = Counter()
        for text, times in self.heard().items():
            for roll in posted(text):
                found[roll] += times
        return found


@asynccontextmanager
async def crowd(*bots: BotProcess, nicks: Iterable[str] = ("ann", "bob", "cat", "dan")) -> AsyncIterator[Crowd]:
    """People with these nicks, and a witness; each reads all the while."""
    channels = [channel for bot in bots for channel in bot.channels]
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(await Person(nick).connect(bots[0].port, *channels))
            for nick in (f"wit{bots[0].nick}", *nicks)
        ]
        reading = [asyncio.create_task(_read(person)) for person in people]
        try:
            yield Crowd(bots, people)
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)


async def _read(person: Person) -> None:
    with suppress(AssertionError):
        while True:
            await person._read()


async def until(true, what: str, within: float = PATIENCE) -> None:
    """Wait for something to come true."""
    try:
        async with asyncio.timeout(within):
            while not true():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"it never came to it: {what}") from None


async def joined(crowd: Crowd, bot: BotProcess, since: int = 0) -> None:
    """Wait until the witness has seen the bot come into its channels, behind so many lines."""

    def there() -> bool:
        assert bot.process is not None
        assert bot.process.poll() is None, bot.log[-2000:] + (bot.folder / "out").read_text()
        lines = crowd.witness.seen[since:]
        joins = re.compile(rf"^:{bot.nick}!\S+ JOIN :?(\S+)")
        return set(bot.channels) <= {found[1] for line in lines if (found := joins.match(line))}

    await until(there, f"{bot.nick} joins")


async def begun(crowd: Crowd, bot: BotProcess, *arguments: str) -> None:
    """Start a bot and wait until it is there."""
    since = len(crowd.witness.seen)
    bot.start(*arguments)
    await joined(crowd, bot, since)


async def rolled(crowd: Crowd, channel: str, text: str, *, nick: int = 1) -> tuple[str, str]:
    """Say a command in a channel and wait for its line: the line whole, and its id."""
    person, since = crowd.people[nick], len(crowd.witness.seen)
    person.say(channel, text)
    found: list[tuple[str, str]] = []

    def there() -> bool:
        for line in crowd.witness.seen[since:]:
            said = _SAID.match(line)
            if said and said["target"] == channel and said["text"].startswith(f"{person.nick}: "):
                found.extend(posted(said["text"]))
        return bool(found)

    await until(there, f"{text} is answered")
    return found[0]

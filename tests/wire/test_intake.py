"""What waits for the bot, and in which order it is given to it: places, turns, room and bounds."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable

import pytest

from ircdice.bot import Bot, Randomness
from ircdice.bot.message import Message
from ircdice.clock import milliseconds
from ircdice.config import Limits
from ircdice.dice import SystemDice
from ircdice.ledger import MemoryLedger
from ircdice.metrics import Metrics
from ircdice.settings import ChannelSettings
from ircdice.wire.incoming import MOST_IN_ALL, MOST_WAITING, CommandHandler, CommandQueue
from ircdice.wire.network import Networks
from ircdice.wire.protocol import Caller, Incoming
from ircdice.wire.rate_limit import MOST_WARNED, Admission

from .bots import UNLIMITED, Echo, config, network
from .plays import SAY
from .scripted import Scripted, scripted


class Work:
    """Takes every line; one that says `slow` waits for the gate, one that says `fails` does. Notes what is done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.gate = asyncio.Event()

    async def answer(self, message: Message) -> bool:
        if "slow" in message.text:
            await self.gate.wait()
        if "fails" in message.text:
            raise ValueError(message.text)
        self.done.append(message.text)
        return False


def queue(work: Work, room: Callable[[str, int], bool] = lambda _place, _under_way: True) -> CommandQueue:
    return CommandQueue(UNLIMITED, room, work.answer)


def take(places: CommandQueue, place: str, text: str) -> bool:
    """Whether a line was queued."""
    return places.take(line(place, text), 1, 0) is Admission.HEARD


def line(place: str, text: str, nick: str = "al", host: str = "") -> Incoming:
    message = Message("n", place, nick, text)
    return Incoming(message, Caller(nick, host or nick, message.place))


async def turns(count: int = 20) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def idle(queue: CommandQueue) -> None:
    async with asyncio.timeout(60):
        while queue.busy:
            await asyncio.sleep(0)


async def test_places_keep_their_order_and_wait_for_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-22: lines of one place are done in turn, though one takes long or fails; others do not wait for it."""
    work = Work()
    places = queue(work)
    for place, text in (("#a", "a1 slow"), ("#a", "a2 fails"), ("#a", "a3"), ("#b", "b1")):
        assert take(places, place, text)
    await turns()
    assert (work.done, places.busy) == (["b1"], True)
    work.gate.set()
    await idle(places)
    assert work.done == ["b1", "a1 slow", "a3"]
    assert "ValueError: a2 fails" in caplog.text


async def test_places_are_bounded_each_and_together() -> None:
    """IRC-15: commands past the bounds are dropped, never queued without end."""
    places = queue(Work(), lambda _place, _under_way: False)
    assert [take(places, "#a", "x") for _ in range(MOST_WAITING + 2)].count(False) == 2
    taken = [take(places, f"#b{number}", "x") for number in range(MOST_IN_ALL)]
    assert taken.count(True) == MOST_IN_ALL - MOST_WAITING
    assert places.clear() == MOST_IN_ALL
    await idle(places)
    assert take(places, "#a", "x")
    await places.finish(1)


async def test_places_wait_for_room_and_take_turns() -> None:
    """IRC-22: what has no room yet begins when there is, one of each place before the second of any."""
    work, room = Work(), 0
    places = queue(work, lambda _place, under_way: len(work.done) + under_way < room)
    for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        take(places, f"#{name[0]}", name)
    for most, done in ((1, "a1"), (2, "a1 b1"), (5, "a1 b1 c1 a2 b2"), (9, "a1 b1 c1 a2 b2 a3")):
        room = most
        places.wake()
        await turns(40)
        assert work.done == done.split()
    await idle(places)


async def test_a_place_without_room_keeps_no_other_waiting() -> None:
    """IRC-22: fair between channels."""
    work = Work()
    places = queue(work, lambda place, _under_way: place != "#full")
    take(places, "#full", "full")
    take(places, "#free", "free")
    await turns()
    assert (work.done, places.busy, places.clear()) == (["free"], True, 1)
    await idle(places)


async def test_what_is_under_way_is_waited_for_at_the_end() -> None:
    """IRC-25: what was begun is ended, what was not begun never is."""
    work = Work()
    places = queue(work)
    take(places, "#a", "begun slow")
    take(places, "#a", "waiting")
    await turns()
    asyncio.get_running_loop().call_later(0.05, work.gate.set)
    await places.finish(60)
    assert (work.done, places.busy) == (["begun slow"], False)


async def test_what_never_ends_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-25: leaving takes no longer than it may."""
    work = Work()
    places = queue(work)
    take(places, "#a", "slow")
    await turns()
    await asyncio.wait_for(places.finish(0.05), 60)
    assert work.done == []
    assert "took too long" in caplog.text


class Takes:
    """An intake with what it gave out."""

    def __init__(self, limits: Limits, *, room: bool = True, bot: CommandHandler | None = None) -> None:
        self.bot = bot or Echo()
        self.said: list[str] = []
        self.refused: list[tuple[str, str]] = []
        self.intake = CommandQueue(limits, lambda _place, _under_way: room, self.answer)

    async def answer(self, message: Message) -> bool:
        replies = await self.bot.hear(message)
        self.said += [reply.text for reply in replies]
        return bool(replies)

    def say(self, nick: str, *texts: str, now: float = 0.0, host: str = "") -> None:
        for text in texts:
            incoming = line("#x", text, nick, host)
            if count := self.bot.commands_in(incoming.message):
                admission = self.intake.take(incoming, count, now)
                if admission in (Admission.TOO_FAST, Admission.TOO_LATE):
                    self.refused.append((nick, admission.value))


FIVE = Limits(user_burst=2, user_interval=10.0, channel_burst=5, channel_interval=1.0)


async def test_talk_is_neither_counted_nor_warned_of() -> None:
    """IRC-15: only what may be answered takes a token, and what was met with silence gives it back."""
    takes = Takes(FIVE)
    for _ in range(20):
        takes.say("al", "what a day", "hm")
        await idle(takes.intake)
    takes.say("al", "say 1", "say 2", "what a day", "say 3", "say 4", "what a day")
    await idle(takes.intake)
    assert takes.said == ["al: 1", "al: 2"]
    assert takes.refused == [("al", "too many commands at once")]


class Faulty(tuple[str, ...]):
    """Games whose look-up has a defect."""

    def __bool__(self) -> bool:
        raise SystemError("a defect in reading")


class Real(Randomness):
    """What the bot itself is given, in channels where V5 is played."""

    systems: tuple[str, ...] = ()

    def channel(self, _network: str, _channel: str | None, _casemapping: str = "") -> ChannelSettings:
        return ChannelSettings(official=True, systems=self.systems)

    def begin(self, _network: str, _place: str) -> SystemDice:
        return SystemDice()


@pytest.fixture
def bot() -> Bot:
    """The bot itself, on a ledger in memory."""
    return Bot(MemoryLedger(milliseconds), Real(), Real(), milliseconds)


async def test_gen_16_limits_come_before_reading() -> None:
    """GEN-16: what comes too fast is not given to the bot, and so not parsed."""
    echo = Echo()
    takes = Takes(FIVE, bot=echo)
    takes.say("al", "say 1", "say 2", "say 3", "say 4")
    assert echo.heard == []
    await idle(takes.intake)
    assert [message.text for message in echo.heard] == ["say 1", "say 2"]
    assert takes.refused == [("al", "too many commands at once")]


async def test_gen_16_talk_with_a_command_word_gives_its_token_back(bot: Bot) -> None:
    """IRC-15: it costs nothing; and what is plainly talk warns nobody, not even of an empty bucket."""
    takes = Takes(FIVE, bot=bot)
    for _ in range(20):
        takes.say("al", "roll with it", "the d6 rolled away", "what a day")
        await idle(takes.intake)
    takes.say("al", "roll 1d6", "roll 2d6", "what a day", "well, roll with it")
    await idle(takes.intake)
    assert (len(takes.said), takes.refused) == (2, [])


async def test_gen_17_a_repeated_command_counts_as_often(bot: Bot) -> None:
    """GEN-17, IRC-15: three rolls take three tokens, and talk gives them back."""
    takes = Takes(Limits(user_burst=4, user_interval=10.0, channel_burst=40, channel_interval=1.0), bot=bot)
    for text in ("3x roll with 1d6 it", "3x roll 2d10 h0", "2x roll 2d10 h0", "roll 1d6"):
        takes.say("al", text)
        await idle(takes.intake)
    assert (len(takes.said), takes.refused) == (4, [("al", "too many commands at once")])


async def test_gen_17_its_lines_are_one(bot: Bot) -> None:
    """GEN-17: three short rolls are posted in one line, with the id of each."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(b":al!u@h PRIVMSG #x :3x roll 2d10 h0\r\n")
        line = await server.gets("^PRIVMSG #x")
        assert [text.partition(":")[0] for text in line.partition(" :")[2].split(" | ")] == ["al"] * 3
        assert len(re.findall(r"; id [0-9a-z]+-[0-9a-z]{6}", line)) == 3

    async with scripted(script) as (port, done):
        fleet = Networks(config(network(port, "#x")), bot)
        run = asyncio.create_task(fleet.run())
        await asyncio.wait_for(done, 60)
        await fleet.leave()
        await run


@pytest.mark.parametrize(
    ("line", "told"),
    [("roll 1d6", True), ("!roll", True), ("FUDice: hello", True), ("wp 2", True), ("roll with it", False)],
)
async def test_gen_19_a_fault_inside_reading_silences_nobody(
    caplog: pytest.LogCaptureFixture, line: str, told: bool
) -> None:
    """GEN-19: one calm sentence for a command or a call; for any other line the log alone. The next one is answered."""
    settings = Real()
    takes = Takes(UNLIMITED, bot=Bot(MemoryLedger(milliseconds), settings, settings, milliseconds))
    settings.systems = Faulty()
    takes.say("al", line)
    await idle(takes.intake)
    settings.systems = ()
    assert [text.startswith("Something went wrong here") for text in takes.said] == [True] * told
    assert "a defect in reading" in caplog.text
    takes.say("al", "roll 1d6")
    await idle(takes.intake)
    assert "1d6" in takes.said[-1]


async def test_commands_are_counted_and_talk_is_not() -> None:
    """IRC-26: the figure of commands tells how much the bot is played with, and not how much people talk."""
    metrics = Metrics()

    async def talk(server: Scripted) -> None:
        await server.lets_in()
        server.says(SAY[: -len("say ")] + b"what a day\r\n", SAY + b"1\r\n")
        await server.gets("^PRIVMSG #x :al: 1")

    async with scripted(talk) as (port, done):
        fleet = Networks(config(network(port, "#x")), Echo(), metrics=metrics)
        run = asyncio.create_task(fleet.run())
        await asyncio.wait_for(done, 60)
        await fleet.leave()
        await run
    assert metrics.registry.get_sample_value("ircdice_commands_total", {"network": "test"}) == 1


async def test_an_empty_channel_warns_whoever_asks() -> None:
    """IRC-15: each who asks is told once, not whoever happens to talk; and the others' own tokens are kept."""
    takes = Takes(FIVE)
    for nick in ("al", "bo", "cy", "di", "ed"):
        takes.say(nick, "say 1", "what a day", "say 2")
    await idle(takes.intake)
    assert takes.said == [f"{nick}: {number}" for nick in ("al", "bo") for number in (1, 2)] + ["cy: 1"]
    assert [nick for nick, _ in takes.refused] == ["cy", "di", "ed"]
    takes.say("cy", "say 3", now=1.0)
    takes.say("di", "say 3", now=2.0)
    await idle(takes.intake)
    assert takes.said[5:] == ["cy: 3", "di: 3"]


async def test_irc_28_one_of_thirty_on_a_host_silences_no_other() -> None:
    """IRC-28: 8 for each person, and each who is dropped is told once."""
    takes = Takes(Limits(channel_burst=1000))
    for _ in range(3):
        takes.say("p0", "say x", host="gateway")
    for _ in range(20):
        takes.say("loud", "say x", host="gateway")
    for number in range(30):
        takes.say(f"p{number}", "say x", host="gateway")
    await idle(takes.intake)
    said = [text.partition(":")[0] for text in takes.said]
    assert said.count("loud") == 8
    assert said[11:] == [f"p{number}" for number in range(29)]
    assert takes.refused == [("loud", "too many commands at once"), ("p29", "too many commands at once")]


async def test_irc_28_new_nicks_evade_nothing() -> None:
    """IRC-28: 40 for each host, however many nicks it has; nor are more and more of them warned."""
    takes = Takes(Limits(channel_burst=1000))
    for number in range(100):
        takes.say(f"n{number}", "say x", host="one")
    takes.say("other", "say x", host="two")
    await idle(takes.intake)
    assert (len(takes.said), takes.said[-1]) == (41, "other: x")
    assert len(takes.refused) == MOST_WARNED


async def test_what_comes_too_late_is_said_once() -> None:
    """IRC-15: where too much waits each speaker is told once, and again when it has been worked off."""
    takes = Takes(UNLIMITED, room=False)
    for _ in range(2):
        takes.say("al", *["say x"] * (MOST_WAITING + 3))
        takes.say("bo", "say x", "talk", "say x")
        assert takes.refused == [("al", "too much waits"), ("bo", "too much waits")]
        assert takes.intake.clear() == MOST_WAITING
        takes.refused.clear()
    assert takes.bot.heard == []


async def test_a_defect_in_the_bot_costs_one_answer(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-10: what raises is in the log, and the next command is answered."""
    caplog.set_level(logging.ERROR)
    takes = Takes(UNLIMITED)
    takes.say("al", "crash", "say on")
    await idle(takes.intake)
    assert takes.said == ["al: on"]
    assert "a defect in the bot" in caplog.text

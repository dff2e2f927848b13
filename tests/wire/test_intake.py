"""What waits for the bot, and in which order it is given to it: places, turns, room and bounds."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import grammars
from ircdice.bot import Bot, OwnChance, reckoning
from ircdice.bot.message import Message, Reply
from ircdice.config import Limits
from ircdice.dice import SystemDice
from ircdice.evaluation import milliseconds
from ircdice.ledger import MemoryLedger
from ircdice.metrics import Registry
from ircdice.settings import ChannelSettings
from ircdice.wire.effects import Incoming
from ircdice.wire.fleet import Fleet
from ircdice.wire.intake import Hearer, Intake
from ircdice.wire.queues import MOST_IN_ALL, MOST_WAITING, Job, Queues

from .bots import UNLIMITED, Echo, config, network, whole
from .plays import SAY
from .scripted import Scripted, scripted


class Work:
    """Jobs that note when they are done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.gate = asyncio.Event()

    def job(self, name: str, *, waits: bool = False, fails: bool = False) -> Job:
        async def work() -> None:
            if waits:
                await self.gate.wait()
            if fails:
                raise ValueError(name)
            self.done.append(name)

        return work


async def idle(places: Queues) -> None:
    async with asyncio.timeout(5):
        while places.busy:
            await asyncio.sleep(0)


async def test_places_keep_their_order_and_wait_for_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-22: lines of one place are done in turn, though one takes long or fails; others do not wait for it."""
    work, places = Work(), Queues()
    places.put("a", work.job("a1", waits=True))
    places.put("a", work.job("a2", fails=True))
    places.put("a", work.job("a3"))
    places.put("b", work.job("b1"))
    for _ in range(5):
        await asyncio.sleep(0)
    assert (work.done, places.busy) == (["b1"], True)
    work.gate.set()
    await idle(places)
    assert work.done == ["b1", "a1", "a3"]
    assert "ValueError: a2" in caplog.text


async def test_what_steps_aside_holds_up_nothing_of_its_place() -> None:
    """IRC-22: the next job begins beside it; it is under way as before, and waited for at the end (IRC-25)."""
    work, places = Work(), Queues()

    async def aside() -> None:
        places.step_aside("b")  # of another place, which is none of its business
        places.step_aside("a")
        places.step_aside("a")
        await work.job("aside", waits=True)()

    for job in (aside, work.job("a2"), work.job("a3", waits=True), work.job("a4")):
        places.put("a", job)
    for _ in range(8):
        await asyncio.sleep(0)
    assert (work.done, places.jobs, places.waiting("a"), places.busy) == (["a2"], 2, 1, True)
    asyncio.get_running_loop().call_later(0.02, work.gate.set)
    await places.finish(5)
    assert (sorted(work.done), places.jobs, places.busy) == (["a2", "a3", "aside"], 0, False)


async def test_jobs_that_would_keep_one_another_waiting_are_counted() -> None:
    """LED-03: what waits behind another of its place does so anyway; what has no room yet may have it at once."""
    work, room = Work(), True
    places = Queues(lambda _place, _under_way: room)
    places.put("a", work.job("a1", waits=True))
    places.put("a", work.job("a2"))
    assert places.jobs == 1
    places.put("b", work.job("b1", waits=True))
    room = False
    places.put("c", work.job("c1"))
    assert places.jobs == 3
    room = True
    work.gate.set()
    await idle(places)
    assert (places.jobs, len(work.done)) == (0, 4)


async def test_places_are_bounded_each_and_together() -> None:
    """IRC-15: commands past the bounds are dropped, never queued without end."""
    work, places = Work(), Queues(lambda _place, _under_way: False)
    assert [places.put("a", work.job("x")) for _ in range(MOST_WAITING + 2)].count(False) == 2
    taken = [places.put(f"b{number}", work.job("x")) for number in range(MOST_IN_ALL)]
    assert taken.count(True) == MOST_IN_ALL - MOST_WAITING
    assert (places.clear(), places.busy) == (MOST_IN_ALL, False)
    assert places.put("a", work.job("x"))


async def test_places_wait_for_room_and_take_turns() -> None:
    """IRC-22: what has no room yet begins when there is, one of each place before the second of any."""
    work, room = Work(), 0
    places = Queues(lambda _place, under_way: len(work.done) + under_way < room)
    for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        places.put(name[0], work.job(name))
    for most, done in ((1, "a1"), (2, "a1 b1"), (5, "a1 b1 c1 a2 b2"), (9, "a1 b1 c1 a2 b2 a3")):
        room = most
        places.wake()
        for _ in range(20):
            await asyncio.sleep(0)
        assert work.done == done.split()
    assert not places.busy


async def test_a_place_without_room_keeps_no_other_waiting() -> None:
    """IRC-22: fair between channels."""
    work = Work()
    places = Queues(lambda place, _under_way: place != "full")
    places.put("full", work.job("full"))
    places.put("free", work.job("free"))
    for _ in range(5):
        await asyncio.sleep(0)
    assert (work.done, places.busy, places.clear()) == (["free"], True, 1)


async def test_what_is_under_way_is_waited_for_at_the_end() -> None:
    """IRC-25: what was begun is ended, what was not begun never is."""
    work, places = Work(), Queues()
    places.put("a", work.job("begun", waits=True))
    places.put("a", work.job("waiting"))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0.05, work.gate.set)
    await places.finish(5)
    assert (work.done, places.busy) == (["begun"], False)


async def test_what_never_ends_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-25: leaving takes no longer than it may."""
    work, places = Work(), Queues()
    places.put("a", work.job("stuck", waits=True))
    await asyncio.sleep(0)
    await asyncio.wait_for(places.finish(0.05), 5)
    assert (work.done, places.busy) == ([], False)
    assert "took too long" in caplog.text


class Takes:
    """An intake with what it gave out."""

    def __init__(self, limits: Limits, *, room: bool = True, bot: Hearer | None = None) -> None:
        self.bot = bot or Echo()
        self.said: list[str] = []
        self.refused: list[tuple[str, str]] = []
        self.intake = Intake(self.bot, limits, lambda _place, _under_way: room, self.deliver, self.refuse)

    def deliver(self, reply: Reply, _heard: Message | None) -> None:
        self.said.append(reply.text)

    def refuse(self, message: Message, why: str) -> None:
        self.refused.append((message.nick, why))

    def say(self, nick: str, *texts: str, now: float = 0.0) -> None:
        for text in texts:
            self.intake.take(Incoming(Message("n", "#x", nick, text), nick), now)


FIVE = Limits(user_burst=2, user_interval=10.0, channel_burst=5, channel_interval=1.0)


async def test_talk_is_neither_counted_nor_warned_of() -> None:
    """IRC-15: only what may be answered takes a token, and what was met with silence gives it back."""
    takes = Takes(FIVE)
    for _ in range(20):
        takes.say("al", "what a day", "hm")
        await idle(takes.intake.places)
    takes.say("al", "say 1", "say 2", "what a day", "say 3", "say 4", "what a day")
    await idle(takes.intake.places)
    assert takes.said == ["al: 1", "al: 2"]
    assert takes.refused == [("al", "too many commands at once")]


class Real(OwnChance):
    """What the bot itself is given, in channels where V5 is played."""

    def channel(self, _network: str, _channel: str | None, _casemapping: str = "") -> ChannelSettings:
        return ChannelSettings(official=True)

    def begin(self, _network: str, _place: str) -> SystemDice:
        return SystemDice()


@pytest.fixture
def bot() -> Bot:
    """The bot itself, on a ledger in memory."""
    return Bot(MemoryLedger(milliseconds), Real(), Real(), milliseconds)


async def test_gen_16_limits_come_before_reading(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """GEN-16: of what is said too fast nothing is parsed, and what is parsed is parsed once."""
    read, parsed = grammars.read, []

    def counted(text: str, system: str = "v5", called: bool = False) -> grammars.Reading:
        parsed.append(text)
        return read(text, system, called)

    monkeypatch.setattr(grammars, "read", counted)
    takes = Takes(FIVE, bot=bot)
    takes.say("al", "roll 1d6", "roll 2d6", "roll 3d6", "roll 4d6")
    assert parsed == []
    await idle(takes.intake.places)
    assert parsed == ["roll 1d6", "roll 2d6"]
    assert takes.refused == [("al", "too many commands at once")]


async def test_gen_16_talk_with_a_command_word_gives_its_token_back(bot: Bot) -> None:
    """IRC-15: it costs nothing; and what is plainly talk warns nobody, not even of an empty bucket."""
    takes = Takes(FIVE, bot=bot)
    for _ in range(20):
        takes.say("al", "roll with it", "the d6 rolled away", "what a day")
        await idle(takes.intake.places)
    takes.say("al", "roll 1d6", "roll 2d6", "what a day", "well, roll with it")
    await idle(takes.intake.places)
    assert (len(takes.said), takes.refused) == (2, [])


@pytest.mark.parametrize(
    ("line", "told"),
    [("roll 1d6", True), ("!roll", True), ("FUDice: hello", True), ("wp 2", True), ("roll with it", False)],
)
async def test_gen_19_a_fault_inside_reading_silences_nobody(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, line: str, told: bool
) -> None:
    """GEN-19: one calm sentence for a command or a call; for any other line the log alone. The next one is answered."""

    def fails(text: str, system: str = "v5", called: bool = False) -> grammars.Reading:
        raise SystemError("a defect in a grammar")

    takes = Takes(UNLIMITED, bot=bot)
    with monkeypatch.context() as broken:
        broken.setattr(grammars, "read", fails)
        takes.say("al", line)
        await idle(takes.intake.places)
    assert [text.startswith("Something went wrong here") for text in takes.said] == [True] * told
    assert "a defect in a grammar" in caplog.text
    takes.say("al", "roll 1d6")
    await idle(takes.intake.places)
    assert "1d6" in takes.said[-1]


async def test_commands_are_counted_and_talk_is_not() -> None:
    """IRC-26: the figure of commands tells how much the bot is played with, and not how much people talk."""
    takes, now = Takes(FIVE), 0.0
    lines = [
        Incoming(Message("n", "#x", "al", text), "al") for text in ("what a day", "say 1", "say 2", "say 3", "hm, no")
    ]
    assert [takes.intake.take(line, now) for line in lines] == [False, True, True, False, False]
    registry = Registry()

    async def talk(server: Scripted) -> None:
        await server.lets_in()
        server.says(SAY[: -len("say ")] + b"what a day\r\n", SAY + b"1\r\n")
        await server.gets("^PRIVMSG #x :al: 1")

    async with scripted(talk) as (port, done):
        fleet = Fleet(config(network(port, "#x")), Echo(), metrics=registry)
        run = asyncio.create_task(fleet.run())
        await asyncio.wait_for(done, 5)
        await fleet.leave()
        await run
    assert registry.counter("ircdice_commands_total", "", "network").value("test") == 1


async def test_an_empty_channel_warns_whoever_asks() -> None:
    """IRC-15: each who asks is told once, not whoever happens to talk; and the others' own tokens are kept."""
    takes = Takes(FIVE)
    for nick in ("al", "bo", "cy", "di", "ed"):
        takes.say(nick, "say 1", "what a day", "say 2")
    await idle(takes.intake.places)
    assert takes.said == [f"{nick}: {number}" for nick in ("al", "bo") for number in (1, 2)] + ["cy: 1"]
    assert [nick for nick, _ in takes.refused] == ["cy", "di", "ed"]
    takes.say("cy", "say 3", now=1.0)
    takes.say("di", "say 3", now=2.0)
    await idle(takes.intake.places)
    assert takes.said[5:] == ["cy: 3", "di: 3"]


async def test_what_comes_too_late_is_said_once() -> None:
    """IRC-15: where too much waits each speaker is told once, and again when it has been worked off."""
    takes = Takes(UNLIMITED, room=False)
    for _ in range(2):
        takes.say("al", *["say x"] * (MOST_WAITING + 3))
        takes.say("bo", "say x", "talk", "say x")
        assert takes.refused == [("al", "too much waits"), ("bo", "too much waits")]
        assert takes.intake.places.clear() == MOST_WAITING
        takes.refused.clear()
    assert takes.bot.heard == []


async def test_a_defect_in_the_bot_costs_one_answer(caplog: pytest.LogCaptureFixture) -> None:
    """IRC-10: what raises is in the log, and the next command is answered."""
    caplog.set_level(logging.ERROR)
    takes = Takes(UNLIMITED)
    takes.say("al", "crash", "say on")
    await idle(takes.intake.places)
    assert takes.said == ["al: on"]
    assert "a defect in the bot" in caplog.text


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Until this is set other odds are worked out, and those that wait for them are patient."""
    monkeypatch.setattr(reckoning, "PATIENCE", 20)
    released = threading.Event()
    reckoning._ONE.submit(released.wait, 20)
    yield released
    released.set()


async def test_gen_08_rolls_wait_for_no_odds_that_were_asked_for_before_them(
    tmp_path: Path, held: threading.Event
) -> None:
    """GEN-08, IRC-22: odds are told when they are known; what is rolled meanwhile keeps its order."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        for line in ("odds 1d4", "roll 2d6", "odds 1d6", "roll 3d6"):
            server.says(f":al!u@h PRIVMSG #x :{line}\r\n".encode())
        await server.gets("PRIVMSG #x .*3d6")
        held.set()
        await server.gets("PRIVMSG #x :odds 1d6")
        said.extend(line for line in server.got if "PRIVMSG #x" in line)

    said: list[str] = []
    async with scripted(script) as (port, done):
        made = config(network(port, "#x", flood_burst=1000))
        async with whole(made, tmp_path) as bot:
            fleet = Fleet(made, bot)
            task = asyncio.create_task(fleet.run())
            await asyncio.wait_for(done, 30)
            await fleet.leave()
            await asyncio.wait_for(task, 10)
    told = [match[0] for line in said if (match := re.search(r"\b[23]d6\b|odds 1d[46]", line))]
    assert told == ["2d6", "3d6", "odds 1d4", "odds 1d6"]

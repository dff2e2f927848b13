"""Places: what must not be lost when the ledger is slow, fails, is damaged, or much is spoken elsewhere."""

import asyncio
from dataclasses import replace

import pytest
from leaping import until

from ircdice.bot import Bot, Hinting, Message, Randomness
from ircdice.clock import MINUTE
from ircdice.dice import SystemDice
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import NOTHING_SEEN, MemoryLedger
from ircdice.settings import ChannelSettings, HouseRules


class Room(Randomness):
    """A bot on a ledger that the test can slow down or break, with a clock that it sets."""

    def __init__(self):
        self.now = 1_700_000_000_000
        self.settings = ChannelSettings(official=True)
        self.joined = {"#a", "#b", "#c"}
        self.ledger = Ledger(lambda: self.now)
        self.bot = self.another()

    def another(self):
        return Bot(self.ledger, self, self, lambda: self.now, Hinting())

    def begin(self, network, place):
        return SystemDice()

    def plays(self, network, channel):
        return channel in self.joined

    def channel(self, network, channel, casemapping=""):
        return self.settings

    async def say(self, nick, text, channel="#a", **more):
        return [reply.text for reply in await self.bot.hear(Message("net", channel, nick, text, **more))]


class Ledger(MemoryLedger):
    """A ledger in memory that waits where it is told to, and fails on a channel where it is told to."""

    def __init__(self, clock):
        super().__init__(clock)
        self.gate, self.answers = asyncio.Event(), asyncio.Event()  # before it is recorded, and behind that
        self.gate.set()
        self.answers.set()
        self.broken = None

    async def append_all(self, drafts, seen=NOTHING_SEEN):
        await self.gate.wait()
        if drafts[0].channel == self.broken:
            raise OSError("the disk is full")
        records = await super().append_all(drafts, seen)
        await self.answers.wait()
        return records


@pytest.fixture
def room():
    return Room()


def test_a_contest_lapses_after_a_restart(room):
    """GEN-06, GEN-09: the dice are shown though nobody speaks again, and in the channel where it was opened."""

    async def scene():
        await room.say("alice", "roll 3d10 h1 vs @bob", "#A")
        room.bot = room.another()
        await room.bot.resume()
        room.now += 16 * MINUTE
        return await room.bot.due()

    (reply,) = asyncio.run(scene())
    assert reply.target == "#a"
    assert reply.text.startswith("alice vs bob: lapsed, not answered; alice ")


def test_another_bots_contests_are_left_to_it(room):
    """LED-04: several bots share a ledger; a contest lapses where it is played, and once."""

    async def scene():
        await room.say("alice", "roll 3d10 h1 vs @bob", "#A")
        room.joined = {"#b"}
        room.bot = room.another()
        await room.bot.resume()
        room.now += 16 * MINUTE
        return await room.bot.due()

    assert asyncio.run(scene()) == ()


def test_a_place_that_fails_does_not_silence_the_others(room):
    """GEN-06: what was recorded is posted, whatever became of the contest beside it."""

    async def scene():
        for channel in ("#a", "#b", "#c"):
            await room.say("alice", "roll 3d10 h1 vs @bob", channel)
        room.now += 16 * MINUTE
        room.ledger.broken = "#b"
        first = await room.bot.due()
        room.ledger.broken = None
        return first, await room.bot.due()

    first, second = asyncio.run(scene())
    assert [reply.target for reply in first] == ["#a", "#c"]
    assert [reply.target for reply in second] == ["#b"]


def test_a_busy_place_is_not_dropped(room):
    """GEN-09: a table that is in use stays the only one of its channel, however many others are spoken in."""
    room.bot.places.most_ready = 1

    async def scene():
        room.ledger.gate.clear()
        slow = asyncio.create_task(room.say("alice", "roll 3d10 h0"))
        await asyncio.sleep(0)
        await room.say("bob", "!contests", "#b")
        other = asyncio.create_task(room.say("carol", "roll 3d10 h0"))
        await asyncio.sleep(0)
        room.ledger.gate.set()
        return await slow, await other, await room.say("alice", "odds wp 1"), await room.say("alice", "!wp 1 #1")

    alice, carol, _, again = asyncio.run(scene())
    assert alice[0].startswith("alice: ")
    assert carol[0].startswith("carol: ")
    assert "no roll" not in again[0]


def test_an_open_contest_is_not_dropped(room):
    """GEN-06: it still lapses, however many other places are spoken in meanwhile."""
    room.bot.places.most_ready = 1

    async def scene():
        await room.say("alice", "roll 3d10 h1 vs @bob")
        for nth in range(5):
            await room.say("bob", "!contests", f"#other{nth}")
        room.now += 16 * MINUTE
        return await room.bot.due()

    assert [reply.target for reply in asyncio.run(scene())] == ["#a"]


def test_whoever_is_cancelled_leaves_a_whole_record(room):
    """LED-03: a roll that reached the ledger is on the table too, though nobody waited for it any more."""

    async def scene():
        room.ledger.answers.clear()
        roll = asyncio.create_task(room.say("alice", "roll 3d10 h0"))
        await until(lambda: room.ledger.records)
        roll.cancel()
        room.ledger.answers.set()
        await asyncio.gather(roll, return_exceptions=True)
        return await room.say("alice", "!wp 1 #1")

    assert "there is no roll" not in asyncio.run(scene())[0]


@pytest.mark.parametrize("damage", [{"text": "nothing of ours"}, {"draws": ((10, 3),)}])
def test_a_damaged_record_is_our_fault_and_stops_nobody(room, damage, caplog):
    """GEN-07: nobody is told that they mistyped what a record holds, and the channel plays on."""

    async def scene():
        await room.say("alice", "roll 3d10 h0")
        record = room.ledger.records[0]
        room.ledger.records[0] = replace(record, draft=replace(record.draft, **damage))
        room.bot = room.another()
        return await room.say("carol", "roll 3d10 h0"), await room.say("alice", "!wp 1 #1")

    carol, alice = asyncio.run(scene())
    assert carol[0].startswith("carol: ")
    assert alice[0].startswith(("Not rolled: there is no roll #1", "Something went wrong here"))
    assert "cannot be judged again" in caplog.text


def test_a_roll_is_judged_again_by_its_own_rules(room):
    """LED-02: house rules and system of the channel may change; what was rolled under them stands."""

    async def scene():
        room.settings = ChannelSettings(official=True, house=HouseRules(botch=False))
        while "Failure, 0 successes" not in (line := (await room.say("alice", "roll 1d10 h0 dc9 # x"))[0]):
            pass
        room.settings = ChannelSettings(official=True, system="generic")
        room.bot = room.another()
        return line, await room.say("alice", "!wp 1 #last")

    line, again = asyncio.run(scene())
    assert "Botch" not in line
    assert again[0].startswith("alice: ")


def test_the_other_side_is_an_account_too(room):
    """V5-15, GEN-06: whoever takes the nick of the one who answered does not get their dice."""

    async def scene():
        await room.say("alice", "roll 3d10 h0 vs @bob")
        await room.say("bob", "roll 3d10 h0", account="bob")
        return await room.say("bob", "!wp 1", account="mallory")

    assert asyncio.run(scene())[0].startswith("Not rolled:")


def test_hints_are_wanted_or_not_on_each_network(room):
    """GEN-11: `hints off` is said on one network, and holds there."""

    async def scene():
        await room.say("alice", "!hints off")
        here = await room.say("alice", "v5 8 dificulty 3")
        there = await room.bot.hear(Message("elsewhere", "#a", "alice", "v5 8 dificulty 3"))
        return here, there

    here, there = asyncio.run(scene())
    assert here == []
    assert len(there) == 1


@pytest.mark.parametrize("line", ["sc strike 6", "toss 3 2 7", "b8 4", "odds xr 3d6", "roll 4d6k3"])
def test_games_that_are_not_played_here_are_silent(room, line):
    """GEN-12: neither answered nor asked about, where the channel names its systems."""
    room.settings = ChannelSettings(official=True, systems=("v5",))
    assert asyncio.run(room.say("alice", line)) == []


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("!sc strike 6 vs 3", "Strike & Cinder"),
        ("FUDice: toss me the keys", "Fayrewood"),
        ("!odds xr 3d6", "Crossroads"),
        ("!roll 4d6k3", "the dice notation"),
        ("!roll 4d6 dc3", "the dice notation"),
    ],
)
def test_gen_19_a_game_that_is_not_played_here_says_so_when_called(room, line, game):
    """GEN-19: and names the game."""
    room.settings = ChannelSettings(official=True, systems=("v5",))
    (told,) = asyncio.run(room.say("alice", line))
    assert told.removeprefix("Not rolled: ").lower() == f'{game.lower()} is not played here; "!help" names what is.'


@pytest.mark.parametrize(
    ("line", "systems", "hint"),
    [
        ("tos d8 d6", (), '"tos" is unknown. Did you mean: toss d8 d6'),
        ("tos d8 d6", ("v5",), 'Fayrewood is not played here; "!help" names what is.'),
        ("rol 4d6k3", ("generic",), '"rol" is unknown. Did you mean: roll 4d6k3'),
        ("rol 4d6k3", ("v5",), 'the dice notation is not played here; "!help" names what is.'),
        ("roll 3d6 a1", ("crossroads",), '"a1" is unknown. Did you mean: xr 3d6 a1'),
        ("roll 6d6 dc3", ("strike_cinder",), '"dc3" is unknown. For example: sc strike 6'),
        ("roll 6d6 dc3", ("v5",), 'the dice notation is not played here; "!help" names what is.'),
        ("roll 4d6", ("crossroads",), None),
        ("roll 5d10 h7", ("crossroads",), None),
    ],
)
def test_gen_19_a_hint_is_a_command_of_a_game_that_is_played_here(room, line, systems, hint):
    """GEN-11, GEN-19: no hint is a command that would be refused, and what a game of the channel can say is offered."""
    room.settings = ChannelSettings(official=True, systems=systems, system=(systems or ("v5",))[0])
    assert asyncio.run(room.say("alice", line)) == [f"Not rolled: {hint}"] * (hint is not None)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("roll 5d10", True),
        ("roll 5d10 h7", True),
        ("rol 5d10", True),
        ("wp", True),
        ("FUDice: hello there", True),
        ("hello there", False),
        ("what a roll", False),
        ("7 2", False),
    ],
)
def test_what_may_be_a_command(room, line, wanted):
    """IRC-15, GEN-16: a command word, dice or a call; what is plainly talk is never counted."""
    assert bool(room.bot.commands_in(Message("net", "#a", "alice", line))) is wanted


@pytest.mark.parametrize(
    ("line", "storyteller", "told"),
    [
        ("difficulty 9 for bob in #a", True, True),
        ("Difficulty 9 for bob", True, True),
        ("difficulty 9 for bob", False, False),
        ("difficulty of 9 I think", True, False),
        ("difficulty, I think it's 18", True, False),
    ],
)
def test_a_difficulty_said_aloud_is_heard(room, line, storyteller, told):
    """FW-10: set in the channel by mistake, the storyteller is told in private; it does not pass for talk."""
    message = Message("net", "#a", "sam", line, storyteller=storyteller)
    replies = asyncio.run(room.bot.hear(message))
    assert [reply.private for reply in replies] == [True] * told


def test_an_append_that_went_in_all_the_same_is_found(room):
    """LED-05: nobody is told a result that was doubtful; if it is in the ledger, the next command goes on from it."""

    async def doubtful(draft):
        await MemoryLedger.append(room.ledger, draft)
        raise LedgerUnavailable

    async def scene():
        append, room.ledger.append = room.ledger.append, doubtful
        told = await room.say("alice", "roll 3d10 h0")
        room.ledger.append = append
        return told, await room.say("alice", "!close #1", storyteller=True)

    told, after = asyncio.run(scene())
    assert told == ["Not rolled: the record is out of reach."]
    assert after[0].startswith("alice: #1 is closed")


async def test_a_long_day_keeps_nobody_else_waiting():
    """LED-02, IRC-22: a table of many rolls is rebuilt in turns, and another channel's command goes between them."""
    room = Room()
    for _ in range(1_000):
        await room.say("alice", "roll 5d10 h2 dc3")
    room.bot = room.another()
    long = asyncio.create_task(room.say("alice", "log #last"))
    await asyncio.sleep(0)
    short = await room.say("bob", "roll 1d10 h0", channel="#b")
    assert short
    assert not long.done()
    assert await long

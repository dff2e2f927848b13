"""What a game remembers of a channel is the same after a start, however long ago it began (SC-26, XR-10, LED-16)."""

from __future__ import annotations

from ircdice.bot import Message
from ircdice.cli.run import ready_bot
from ircdice.clock import DAY
from ircdice.ledger.record import Record
from ircdice.ledger.service import ProvenLedger
from ircdice.replay import Replay
from ircdice.settings import ChannelSettings

from .house import House, everything

MANY = 210  # rolls, more than a start reads of a channel in any case


class Everywhere:
    """The same settings for each channel."""

    def channel(self, *_place: object) -> ChannelSettings:
        return ChannelSettings()

    def plays(self, *_place: object) -> bool:
        return True

    def joining(self) -> tuple[()]:
        return ()


class Scene:
    """A channel where people play; what anybody is told."""

    def __init__(self, ledger: ProvenLedger) -> None:
        self.ledger = ledger

    async def begin(self) -> Scene:
        self.bot = await ready_bot(self.ledger, Everywhere())
        return self

    async def says(self, nick: str, text: str) -> str:
        replies = await self.bot.hear(Message("net", "#fu", nick, text))
        return " / ".join(reply.text for reply in replies)

    async def plays_on(self, house: House) -> None:
        """Two days pass, and other dice are rolled."""
        house.clock.now += 2 * DAY
        for _ in range(MANY):
            await self.says("carol", "roll 1d10 h0 dc1")


def faults(records: list[Record]) -> dict[int, str]:
    """What `ledger check` says of the verdicts."""
    replay = Replay()
    return {record.seq: why for record in records if (why := replay.fault(record))}


async def test_sc_26_luck_is_the_same_after_a_start(each_house: House) -> None:
    """SC-26, SC-24: what attacks drained is not forgotten, and the next hit is judged as it was posted."""
    async with each_house.open() as ledger:
        scene = await Scene(ledger).begin()
        await scene.says("gm", "sc encounter start Ghoul luck 900 dc1")
        for _ in range(10):
            await scene.says("alice", "sc strike 9 vs Ghoul")
        luck = await scene.says("alice", "sc luck")
        await scene.plays_on(each_house)
    assert "900/900" not in luck
    async with each_house.open() as ledger:
        scene = await Scene(ledger).begin()
        assert await scene.says("alice", "sc luck") == luck
        for _ in range(5):
            await scene.says("alice", "sc strike 9 vs Ghoul")
        assert faults(await everything(ledger)) == {}


async def test_sc_26_an_encounter_that_was_closed_meanwhile_is_remembered_whole(each_house: House) -> None:
    """SC-26, SC-21: a roll of its last day gives back the Luck that it took, and no other."""
    async with each_house.open() as ledger:
        scene = await Scene(ledger).begin()
        await scene.says("gm", "sc encounter start Ghoul luck 900 dc1")
        for _ in range(5):
            await scene.says("alice", "sc strike 9 vs Ghoul")
        await scene.plays_on(each_house)
        while "Hit" not in await scene.says("alice", "sc strike 9 vs Ghoul"):
            pass
        await scene.says("gm", "sc encounter close")
    async with each_house.open() as ledger:
        scene = await Scene(ledger).begin()
        assert "o encounter is open here" in await scene.says("alice", "!sc luck")
        assert "Ghoul Luck" in await scene.says("alice", "!discard")
        assert faults(await everything(ledger)) == {}


async def test_xr_10_a_group_counts_the_same_after_a_start(each_house: House) -> None:
    """XR-10: every roll since the group was opened."""
    async with each_house.open() as ledger:
        scene = await Scene(ledger).begin()
        await scene.says("gm", "xr group open")
        for nick in ("alice", "bob"):
            await scene.says(nick, "xr 3d6")
        await scene.plays_on(each_house)
    async with each_house.open() as ledger:
        scene = await Scene(ledger).begin()
        await scene.says("carol", "xr 3d6")
        closed = await scene.says("gm", "xr group close")
        assert closed.partition(" from ")[2].partition(";")[0].count(" ") == 2, closed
        assert faults(await everything(ledger)) == {}

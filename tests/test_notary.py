"""The ledger as the bot keeps it: epochs, checkpoints, keys that change, rolls that land late (LED-12…LED-18)."""

import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import pytest
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notary import open_notary
from ircdice.ledger.notes import read
from ircdice.ledger.shift import GRACE
from ledger_house import NOON, PLACE, House, roll, rolls

from ircdice.dice import Stamp
from ircdice.durations import DAY, HOUR
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import Draft
from ircdice.ledger.keys import SigningKeyFile
from ircdice.ledger.store import StoredLedger
from ircdice.ledger.stream import commitment


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_a_seed_is_committed_to_before_it_is_used(house):
    """LED-12, LED-13: epoch 1 stands in the checkpoint of size 0, then it begins, and the next is committed to."""

    async def scene():
        async with house.open() as notary:
            return await roll(notary)

    record = asyncio.run(scene())
    promise, begun, *_ = house.notes()
    assert (promise.size, promise.epochs, [number for number, _ in promise.following]) == (0, (), [1])
    assert (begun.size, begun.epochs, [number for number, _ in begun.following]) == (0, ((1, NOON),), [2])
    assert promise.following[0][1] == commitment(1, house.keeping.seeds.read(1))
    assert record.draft.stamp == Stamp(1, 1, 0)


def test_a_hundred_records_are_signed(house):
    """LED-12: whoever's append crosses the hundred signs, table and file alike; the root is that of the leaves."""

    async def scene():
        async with house.open() as notary:
            records = await rolls(notary, 205)
            table = await notary.read(lambda page: list(page.checkpoints()))
            async with asyncio.timeout(30):  # no roll waits for the file
                while len(house.notes()) < len(table):
                    await asyncio.sleep(0.01)
            return records, house.notes(), table

    records, notes, table = asyncio.run(scene())
    assert [note.size for note in notes] == [0, 0, 100, 200]
    tree = Tree()
    tree.extend(record.leaf for record in records[:200])
    assert notes[-1].root == tree.root()
    assert [read(stored.note).checkpoint for stored in table] == notes


def test_an_hour_with_news_is_signed(house):
    """LED-12: and one without is not."""

    async def scene():
        async with house.open() as notary:
            await rolls(notary, 3)
            house.now += HOUR
            await notary.tend()
            house.now += HOUR
            await notary.tend()

    asyncio.run(scene())
    assert [note.size for note in house.notes()] == [0, 0, 3]


def test_an_epoch_ends_and_is_published(house):
    """LED-13: the next begins with numbers of its own; the seed is told once its dice are all on record and shown."""

    async def scene():
        async with house.open() as notary:
            await roll(notary)
            house.now += DAY
            await notary.tend()
            first = (await roll(notary)).draft.stamp
            early = await notary.read(lambda page: [epoch.seed for epoch in page.epochs()])
            house.now += GRACE
            await notary.tend()
            return first, early, notary.news(), await notary.read(lambda page: [epoch.seed for epoch in page.epochs()])

    first, early, news, late = asyncio.run(scene())
    assert first == Stamp(2, 1, 0)
    assert early == [None, None, None]
    assert late == [house.keeping.seeds.read(1), None, None]
    assert news.startswith("dice of epoch 2, since ")
    assert [note.epochs for note in house.notes()][-1] == ((2, NOON + DAY),)


def test_a_covered_contest_keeps_its_seed_back(house):
    """LED-13: as long as an opening waits for its answer its dice could be read from the seed."""

    async def scene():
        async with house.open() as notary:
            opening = await roll(notary, kind="contest")
            house.now += DAY
            await notary.tend()
            house.now += GRACE
            await notary.tend()
            covered = (await notary.read(lambda page: page.epochs()))[0].seed
            lapse = Draft("lapse", *PLACE, "alice", "~alice", "", (), "lapsed", ref=opening.seq)
            await notary.append(lapse)
            await notary.tend()
            return covered, (await notary.read(lambda page: page.epochs()))[0].seed

    covered, shown = asyncio.run(scene())
    assert covered is None
    assert shown == house.keeping.seeds.read(1)


def test_a_restart_goes_on_with_the_numbers(house):
    """LED-05, LED-14: the same epoch, the same stirs, the next counter; what a broken roll drew comes again."""

    async def scene():
        async with house.open() as notary:
            await rolls(notary, 3)
            stamp = notary.stirred(*PLACE, house.now)
            stir = Draft("stir", *PLACE, "bob", "~bob", "stir our own words", (), "…", stamp=stamp)
            await notary.append(stir)
            lost = notary.begin(*PLACE)
            faces = lost.roll(20, 10)
        async with house.open() as notary:
            again = notary.begin(*PLACE)
            return lost.stamp, faces, again.stamp, again.roll(20, 10)

    stamp, faces, stamp_again, faces_again = asyncio.run(scene())
    assert stamp == stamp_again == Stamp(1, 4, 1)
    assert faces == faces_again


def test_private_dice_are_the_systems(house):
    """LED-14: a published seed must not uncover what was rolled in private."""

    async def scene():
        async with house.open() as notary:
            return notary.begin("net", "@~alice").stamp

    assert asyncio.run(scene()) == Stamp()


def test_time_never_goes_back(house):
    """LED-02: the clock set back an hour changes no order."""

    async def scene():
        async with house.open() as notary:
            first = await roll(notary)
            house.now -= HOUR
            return first.ts, (await roll(notary)).ts

    assert asyncio.run(scene()) == (NOON, NOON)


@pytest.mark.parametrize("late", [False, True])
def test_a_roll_whose_speaker_is_gone_uses_its_number_up(house, late):
    """LED-14: whoever waited was cancelled while it was written, or in the moment when it was answered."""

    async def scene():
        async with house.open() as notary:
            drawn, landed = notary.on_record, []

            def hear(record):
                if not late:
                    asyncio.get_running_loop().call_soon(waiting.cancel)
                landed.append(drawn(record))

            notary.on_record = hear
            waiting = asyncio.create_task(roll(notary))
            while not notary._writer._waiting and not landed:
                await asyncio.sleep(0)
            if late:
                waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            async with asyncio.timeout(30):
                while notary.in_doubt(*PLACE) or not (landed or late):
                    await asyncio.sleep(0.001)
            return (await roll(notary)).draft.stamp, len(landed)

    stamp, landed = asyncio.run(scene())
    assert landed == 2 or late  # one that nobody waits for any more may be left out, before it is written
    assert stamp == Stamp(1, landed, 0)


def test_a_roll_that_landed_late_is_posted_after_all(house):
    """LED-05: told "out of reach", recorded all the same: it is handed over once, and its number is used up."""
    house.keeping = replace(house.keeping, wait=0.5)

    async def scene():
        async with house.open() as notary:
            with closing(sqlite3.connect(house.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(LedgerUnavailable):
                    await roll(notary)
                other.execute("ROLLBACK")
            first = await roll(notary)
            return first.draft.stamp, list(notary.late())

    stamp, late = asyncio.run(scene())
    assert stamp == Stamp(1, 1 + len(late), 0)


def test_an_answer_in_the_last_moment_leaves_no_doubt(house):
    """LED-05: the loop stood still for longer than a command waits; what was recorded is known to be."""
    house.keeping = replace(house.keeping, wait=0.3)

    async def scene():
        async with house.open() as notary:
            for _ in range(3):
                rolling = asyncio.ensure_future(roll(notary))
                await asyncio.sleep(0)
                time.sleep(0.5)  # a paused machine
                await asyncio.gather(rolling, return_exceptions=True)
            await asyncio.sleep(0.1)
            return await notary.of_channel(*PLACE)

    assert [record.seq for record in asyncio.run(scene())] == [1, 2, 3]


def test_a_rotation_that_broke_off_is_gone_on_with(house, monkeypatch):
    """LED-18: the checkpoint that names the new key is durable, and the machine dies: the next start signs with it."""

    def dies(*_):
        raise OSError("the machine dies")

    async def scene():
        notary = await open_notary(house.keeping, lambda: house.now)
        with monkeypatch.context() as broken:
            broken.setattr(SigningKeyFile, "rotate", dies)
            with pytest.raises(OSError, match="the machine dies"):
                await notary.rotate_signing_key()
        await StoredLedger.close(notary)  # nothing more is signed
        notary._lock.close()
        async with house.open() as again:
            await roll(again)

    keys = house.keeping.signing_keys("dice.example/one")
    first = keys.load().current.verifying
    asyncio.run(scene())
    assert keys.load().retired == (first,)
    *before, last = (read(note) for note in house.keeping.checkpoints.notes())
    assert before[0].signed_by(first)
    assert last.signed_by(keys.load().current.verifying)

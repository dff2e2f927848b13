"""What the bot does to the ledger other than appending: done once or not at all, however long it takes."""

import asyncio
import contextlib
import gc
import threading
from dataclasses import replace

import pytest

from ircdice.clock import DAY
from ircdice.errors import KeysError, LedgerUnavailable
from ircdice.ledger.epochs import GRACE
from tests.leaping import until

from .house import PLACE, Clock, a_roll, append, everything, filled, roll, rolls, waited


async def test_led_05_work_that_has_begun_takes_as_long_as_it_needs(each_house):
    """LED-05: nobody hears that it failed when it is done; what only waited for it is refused, and not done."""
    done, begun, over = [], threading.Event(), threading.Event()

    def slow(store):
        begun.set()
        assert over.wait(120)
        store.put_meta("slow", "done")
        return store.last()

    async with each_house.open() as ledger:
        slowly = asyncio.ensure_future(ledger.transact(slow))
        await until(begun.is_set)
        waiting = await waited(ledger.transact(lambda _store: done.append("never")))
        early = slowly.done()
        over.set()  # before anything fails: the ledger closes when the work is done
        assert [type(one) for one in waiting] == [LedgerUnavailable]
        assert not early
        assert await slowly == (0, 0)
        assert await ledger.read(lambda store: store.meta("slow")) == "done"
        await append(ledger, a_roll())
    assert done == []


async def test_led_05_work_whose_caller_is_gone_is_done_only_if_it_has_begun(each_house):
    """LED-05: what still waits for its turn is not done later."""
    done, begun, over = [], threading.Event(), threading.Event()

    def slow(store):
        begun.set()
        assert over.wait(120)
        store.put_meta("slow", "done")

    async with each_house.open() as ledger:
        callers = [asyncio.ensure_future(ledger.transact(slow))]
        await until(begun.is_set)
        callers.append(asyncio.ensure_future(ledger.transact(lambda _store: done.append("never"))))
        await asyncio.sleep(0)
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
        over.set()
        await append(ledger, a_roll())
        assert await ledger.read(lambda store: store.meta("slow")) == "done"
    assert done == []


async def test_led_05_work_whose_caller_is_gone_may_fail(house, caplog):
    """LED-05: nobody waits for the error any more, so the log has it, once."""
    begun, over = threading.Event(), threading.Event()

    def failing(_store):
        begun.set()
        assert over.wait(120)
        raise ValueError("a defect")

    async with house.open() as ledger:
        caller = asyncio.ensure_future(ledger.transact(failing))
        await until(begun.is_set)
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        over.set()
        await append(ledger, a_roll())
        del caller
        gc.collect()  # the event loop reports errors that nobody has looked at
    assert [record.message for record in caplog.records] == ["the ledger could not be written to"]


class SlowStart(Clock):
    """A clock that is first read in a transaction when more time has passed than a command waits."""

    def __init__(self):
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.read = False

    def __call__(self):
        if threading.current_thread() is not threading.main_thread() and not self.read:
            self.read = True
            asyncio.run_coroutine_threadsafe(waited(), self.loop).result(60)
        return super().__call__()


async def test_led_12_a_loss_that_takes_long_to_look_through_is_accepted_and_signed(house):
    """LED-12: longer than a command waits."""
    await filled(house)
    house.sql("DELETE FROM records WHERE seq > 100")
    house.clock = SlowStart()
    async with house.open(accept_loss=True) as ledger:
        assert house.clock.read
        await roll(ledger)
    assert [note.lost for note in house.notes() if note.lost is not None] == [101]
    assert house.check().findings == ()


async def test_led_12_a_loss_is_accepted_whole_or_not_at_all(house):
    """LED-12: one transaction accepts and signs the loss and gives the old seeds up; if it fails nothing changes."""
    await filled(house)
    house.sql("DELETE FROM records WHERE seq > 139")
    promised = {promise for note in house.notes() for _, promise in note.following}
    before = house.paths.checkpoints.file.read_text()
    seeds = house.paths.seeds.folder
    seeds.rename(house.data / "aside")
    seeds.write_text("no folder, so that no seed can be made")
    with pytest.raises(KeysError, match="File exists"):
        async with house.open(accept_loss=True):
            pass
    assert house.paths.checkpoints.file.read_text() == before
    assert list(house.data.glob("checkpoints.damaged-*")) == []
    assert any("record 140" in str(finding) for finding in house.check().findings)
    seeds.unlink()
    (house.data / "aside").rename(seeds)
    async with house.open(accept_loss=True) as ledger:
        await roll(ledger)
        assert ledger.schedule.running.commitment not in promised
    assert [note.lost for note in house.notes() if note.lost is not None] == [140]


async def test_led_12_every_accepted_loss_keeps_the_checkpoints_of_before(house):
    """LED-12: the second does not replace those of the first."""
    await filled(house)
    for seq in (120, 100):
        house.sql(f"DELETE FROM records WHERE seq > {seq}")
        async with house.open(accept_loss=True):
            pass
    assert len(list(house.data.glob("checkpoints.damaged-*"))) == 2


async def test_led_12_a_checkpoint_file_that_cannot_be_written(each_house, caplog):
    """LED-12, LED-13: it is logged; one epoch begins, not one each time; later the file gets what it lacks."""
    file = each_house.paths.checkpoints.file
    aside = file.with_name("aside")
    async with each_house.open() as ledger:
        await roll(ledger)
        file.rename(aside)
        file.mkdir()
        each_house.clock.now += DAY
        for _ in range(3):
            await ledger.tend()
        assert (await roll(ledger)).draft.stamp.epoch == 2
        file.rmdir()
        aside.rename(file)
        await ledger.sign()
        stored = await ledger.transact(lambda store: [each.note for each in store.checkpoints()])
        assert list(each_house.paths.checkpoints.notes()) == stored
    assert caplog.text.count("checkpoints cannot be written to") == 1
    assert [number for note in each_house.notes() for number, _ in note.epochs][-1] == 2


@pytest.mark.parametrize("losing", ["answer", "commit"])
async def test_led_13_an_epoch_whose_begin_was_not_heard(proxied_house, proxy, losing):
    """LED-04, LED-13: the bot looks it up; one epoch has begun, and dice are drawn from it."""
    async with proxied_house.open() as ledger:
        await roll(ledger)
        proxied_house.clock.now += DAY
        proxy.losing = losing
        with pytest.raises(LedgerUnavailable):
            await ledger.tend()
        proxy.open()
        await tended(ledger)
        assert (await roll(ledger)).draft.stamp.epoch == 2
    assert proxied_house.check().findings == ()


async def test_led_13_no_seed_that_is_drawn_from_is_published(proxied_house, proxy):
    """LED-13: a redaction ended the epoch, and the bot did not hear of it."""
    async with proxied_house.open() as ledger:
        await roll(ledger)
        await append(ledger, a_roll(who="mallory", nick="Mallory"))
        await ledger.publish_all()
        proxy.losing = "answer"
        with pytest.raises(LedgerUnavailable):
            await ledger.redact({"mallory"})
        proxy.open()
        proxied_house.clock.now += GRACE
        await tended(ledger)
        epoch = (await roll(ledger)).draft.stamp.epoch
        await ledger.tend()
        seeds = await ledger.read(lambda store: {each.number: each.seed for each in store.epochs()})
        assert seeds[epoch] is None
    assert proxied_house.check().findings == ()


async def tended(ledger) -> None:
    """As soon as the database is back."""
    async with asyncio.timeout(120):
        while True:
            with contextlib.suppress(LedgerUnavailable):
                return await ledger.tend()
            await asyncio.sleep(0.05)


async def test_led_18_a_rotation_that_failed_is_not_named_later(proxied_house, proxy):
    """LED-18: or the checkpoints after it would be signed by a key that is no longer in force."""
    async with proxied_house.open() as ledger:
        await roll(ledger)
        proxy.losing = "commit"
        with pytest.raises(LedgerUnavailable):
            await ledger.rotate_signing_key()
        proxy.open()
        await tended(ledger)
        await rolls(ledger, 3)
        await ledger.sign()
        assert len(await everything(ledger)) == 5
    assert [note.successor for note in proxied_house.notes() if note.successor] == []
    assert proxied_house.check().findings == ()


async def test_led_04_a_name_that_another_bot_uses(postgresql, house, tmp_path):
    """LED-04: the same keys and the same name on one PostgreSQL: the second is told so, before all else."""
    house.paths = replace(house.paths, url=postgresql.database())
    async with house.open() as ledger:
        await roll(ledger)
        with pytest.raises(Exception, match="another process may be using the name ircdice: give this one a `name`"):
            async with house.another(tmp_path / "second", "ircdice").open():
                pass
        async with house.another(tmp_path / "third", "third").open() as third:
            await roll(third, ("net", "#third"))
        await roll(ledger, PLACE)

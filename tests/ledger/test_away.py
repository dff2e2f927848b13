"""The database is away: nobody sees a result, nothing is lost, nothing is written twice (LED-03…LED-05)."""

import asyncio
import contextlib
import logging
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from ircdice.errors import LedgerDamaged, LedgerUnavailable, NumberTaken
from ircdice.ledger import Sealed
from tests.leaping import leap, until

from .house import LONG, PLACE, House, a_roll, append, everything, held, roll, waited

OUT, BACK = "the ledger is out of reach", "the ledger is in reach again"


def said(caplog) -> list[str]:
    """The start of each warning about the ledger in the log."""
    return [r.message[: len(OUT)] for r in caplog.records if r.levelno > logging.INFO and "reach" in r.message]


async def settled(ledger) -> None:
    """Nothing is in doubt any more."""
    async with asyncio.timeout(120):
        with contextlib.suppress(LedgerUnavailable):
            await ledger.of_channel(*PLACE)
            return
        await asyncio.sleep(0.1)
        await settled(ledger)


async def refused_at_its_commit(ledger, proxy, text) -> bool:
    """Whether a roll is refused that waits until nobody has heard for too long what became of its commit."""
    rolled = asyncio.ensure_future(roll(ledger, text=text))
    await until(lambda: proxy.losing is None)
    return [type(one) for one in await waited(rolled)] == [LedgerUnavailable]


async def texts(ledger) -> list[str]:
    return [r.draft.text for r in await everything(ledger) if r.draft.kind == "roll"]


async def test_led_05_a_lock_is_waited_for_and_then_reported(each_house, caplog):
    """LED-05: after `wait`, for each from its own question on; nothing is half done; then the same dice come."""
    async with each_house.open() as ledger:
        await roll(ledger)
        dice = ledger.begin(*PLACE)
        faces = dice.roll(5, 10)
        async with held(each_house_url(each_house)):
            asked = []
            for _ in range(2):
                asked.append(asyncio.ensure_future(ledger.append(a_roll("never"))))
                await asyncio.sleep(0.1)
                assert not any(one.done() for one in asked)
                leap(LONG / 2)
            with pytest.raises(LedgerUnavailable, match="the record is out of reach"):
                await asked[0]
            assert not asked[1].done()
            leap(LONG / 2)
            with pytest.raises(LedgerUnavailable, match="the record is out of reach"):
                await asked[1]
            assert ledger.out_of_reach == LONG
            if each_house.paths.database_file:
                assert len(await everything(ledger)) == 2  # reading goes on
        await settled(ledger)
        late = [record.draft.text for record in ledger.late()]
        again = ledger.begin(*PLACE)
        assert (again.stamp, again.roll(5, 10)) == (dice.stamp, faces)
        assert (await roll(ledger)).draft.stamp.counter == 2
        assert ledger.out_of_reach is None
        assert (await texts(ledger))[1:-1] == late
    assert said(caplog) == [OUT, BACK[: len(OUT)]]


def each_house_url(house) -> str:
    file = house.paths.database_file
    return f"sqlite:///{file}" if file else house.paths.url


async def test_led_05_a_short_lock_is_not_noticed(each_house, caplog):
    """LED-05: the commands wait and are answered."""
    async with each_house.open() as ledger:
        async with held(each_house_url(each_house)):
            waiting = asyncio.gather(*(ledger.append(a_roll(channel=f"#{n}")) for n in range(5)))
            await asyncio.sleep(0.3)
            assert not waiting.done()
        assert sorted(r.seq for r in await waiting) == [1, 2, 3, 4, 5]


async def test_led_03_what_waits_is_written_together(house):
    """LED-03: one transaction for all that was asked while the lock was waited for, in order."""
    async with house.open() as ledger:
        async with held(each_house_url(house)):
            waiting = asyncio.gather(*(ledger.append(a_roll(str(n))) for n in range(30)))
            await asyncio.sleep(0.1)
        assert [r.draft.text for r in await waiting] == [str(n) for n in range(30)] == await texts(ledger)


async def test_led_05_a_server_that_was_stopped(postgresql_alone, tmp_path, clock, caplog):
    """LED-05: nothing is read or written meanwhile; afterwards the same dice."""
    house = House(tmp_path, postgresql_alone.database(), clock=clock)
    async with house.open() as ledger:
        record = await roll(ledger)
        faces = ledger.begin(*PLACE).roll(5, 10)
        postgresql_alone.stop()
        failed = await waited(ledger.get(1), ledger.append(a_roll("never")))
        assert [type(one) for one in failed] == [LedgerUnavailable] * 2
        assert ledger.out_of_reach
        postgresql_alone.start()
        assert ledger.begin(*PLACE).roll(5, 10) == faces
        assert (await roll(ledger)).seq == record.seq + 1
        assert not ledger.out_of_reach
    assert said(caplog)[0] == OUT


OUTSIDE_PLAY = {
    "a command that reads": lambda ledger: ledger.get(1),
    "nobody": lambda ledger: ledger.tend(),
    "a job": lambda ledger: ledger.transact(lambda store: store.last()),
}


@pytest.mark.parametrize("asked", OUTSIDE_PLAY)
async def test_led_05_an_outage_while_nothing_is_recorded(postgresql_alone, tmp_path, clock, caplog, asked):
    """LED-05, IRC-26: the log and `/healthz` report it, and its end although nobody asks."""
    house = House(tmp_path, postgresql_alone.database(), clock=clock)
    async with house.open() as ledger:
        await roll(ledger)
        postgresql_alone.stop()
        failed = await waited(OUTSIDE_PLAY[asked](ledger))
        assert [type(one) for one in failed] == [LedgerUnavailable]
        assert ledger.out_of_reach
        postgresql_alone.start()
        await until(lambda: not ledger.out_of_reach)
    assert said(caplog) == [OUT, BACK[: len(OUT)]]


async def test_led_05_a_frozen_server(postgresql_alone, tmp_path, clock, caplog):
    """LED-05: no error, no answer; the speaker is told after `wait`, and what lands later is posted."""
    house = House(tmp_path, postgresql_alone.database(), clock=clock)
    async with house.open() as ledger:
        await append(ledger, a_roll("before"))
        with postgresql_alone.frozen():
            for text in ("first", "second"):
                assert [type(one) for one in await waited(ledger.append(a_roll(text)))] == [LedgerUnavailable]
            assert ledger.out_of_reach == LONG
        assert (await ledger.append(a_roll("after"))).draft.text == "after"
        await settled(ledger)
        kept = await texts(ledger)
        assert kept == ["before", *(r.draft.text for r in ledger.late()), "after"]
        assert ledger.late() == []
    assert said(caplog) == [OUT, BACK[: len(OUT)]]


async def test_led_05_a_table_that_is_gone(each_house):
    """LED-05, LED-16: the sentence says what is wrong; when it is back play goes on."""
    async with each_house.open() as ledger:
        await append(ledger, a_roll())
        each_house.sql("ALTER TABLE records RENAME TO gone")
        for waiting in (ledger.append(a_roll("never")), ledger.get(1)):
            with pytest.raises(LedgerUnavailable, match=r"the ledger cannot be (written to|read): "):
                await waiting
        each_house.sql("ALTER TABLE gone RENAME TO records")
        assert (await ledger.append(a_roll("again"))).seq == 2


async def test_led_05_a_file_that_is_gone(house):
    """LED-05: what would be committed goes nowhere, and is not shown."""
    async with house.open() as ledger:
        await append(ledger, a_roll())
        for file in house.data.glob("ledger.db*"):
            file.rename(house.data / f"gone-{file.name}")
        assert [type(one) for one in await waited(ledger.append(a_roll("never")))] == [LedgerUnavailable]
        for file in house.data.glob("gone-*"):
            file.rename(house.data / file.name.removeprefix("gone-"))
        assert (await ledger.append(a_roll("again"))).seq == 2
        assert await texts(ledger) == ["roll 2d10", "again"]


@pytest.mark.parametrize("losing", ["answer", "commit"])
async def test_led_04_a_commit_whose_outcome_was_not_heard_is_looked_up(proxied_house, proxy, losing):
    """LED-04: whether or not it landed it is written once, and whoever still waits has it."""
    async with proxied_house.open() as ledger:
        await append(ledger, a_roll("first"))
        proxy.losing = losing
        waiting = asyncio.gather(*(ledger.append(a_roll(str(n), channel=f"#{n}", counter=1)) for n in range(3)))
        await until(lambda: proxy.losing is None)
        proxy.open()
        told = await waiting
        await append(ledger, a_roll("last"))
        assert await texts(ledger) == ["first", "0", "1", "2", "last"]
        assert (await everything(ledger))[1:4] == sorted(told, key=lambda record: record.seq)
        assert ledger.late() == []


async def test_led_05_what_landed_although_its_speaker_was_refused_is_posted(proxied_house, proxy):
    """LED-05: once; its number is used up before the next is drawn."""
    async with proxied_house.open() as ledger:
        await roll(ledger)
        proxy.losing = "answer"
        assert await refused_at_its_commit(ledger, proxy, "late")
        assert ledger.late() == []
        proxy.open()
        await settled(ledger)
        assert [r.draft.text for r in ledger.late()] == ["late"]
        assert ledger.late() == []
        assert (await roll(ledger)).draft.stamp.counter == 3
        assert [r.draft.stamp.counter for r in await everything(ledger)] == [0, 1, 2, 3]


async def test_led_05_what_did_not_land_and_was_refused_is_not_written(proxied_house, proxy):
    """LED-05: the same dice come with the next command."""
    async with proxied_house.open() as ledger:
        await roll(ledger)
        faces = ledger.begin(*PLACE).roll(5, 1_000_000)
        proxy.losing = "commit"
        assert await refused_at_its_commit(ledger, proxy, "never")
        proxy.open()
        await settled(ledger)
        again = await roll(ledger, text="again")
        assert tuple(face for _, face in again.draft.draws) == faces
        assert (await texts(ledger))[1:] == ["again"]
        assert ledger.late() == []


async def test_led_04_a_job_whose_commit_was_not_heard_is_not_done_again(proxied_house, proxy):
    """LED-04: a key rotation or a new epoch is not repeated on a guess."""
    done = []
    async with proxied_house.open() as ledger:
        proxy.losing = "answer"
        job = asyncio.ensure_future(ledger.transact(lambda store: done.append(store.last())))
        await until(lambda: proxy.losing is None)
        proxy.open()  # a second attempt would succeed
        with pytest.raises(LedgerUnavailable):
            await job
        await roll(ledger)
    assert len(done) == 1


@pytest.mark.parametrize("moment", [0.0, 0.001, 0.003])
async def test_led_06_a_speaker_who_is_gone_leaves_a_whole_record_or_none(house, moment):
    """LED-06, LED-14: cancelled while it was written: posted all the same, its number used up; or never written."""
    async with house.open() as ledger:
        await ledger.ready(*PLACE)
        waiting = asyncio.create_task(roll(ledger))
        await asyncio.sleep(moment)
        waiting.cancel()
        (result,) = await asyncio.gather(waiting, return_exceptions=True)
        await settled(ledger)
        kept = [r for r in await everything(ledger) if r.draft.kind == "roll"]
        late = list(ledger.late())
        assert late == ([] if result in kept else kept)
        assert (await roll(ledger)).draft.stamp.counter == len(kept) + 1


async def test_led_05_an_answer_in_the_last_moment_is_known(house):
    """LED-05: the machine stood still for longer than a command waits; each roll is recorded once at most."""
    async with house.open() as ledger:
        await ledger.ready(*PLACE)
        told = []
        for _ in range(3):
            waiting = asyncio.ensure_future(roll(ledger))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            time.sleep(0.1)  # a paused machine
            leap(LONG + 1)
            told += await asyncio.gather(waiting, return_exceptions=True)
        await settled(ledger)
        seen = [one for one in told if not isinstance(one, BaseException)] + list(ledger.late())
        kept = [r for r in await everything(ledger) if r.draft.kind == "roll"]
        assert sorted(r.seq for r in seen) == [r.seq for r in kept]
        assert [r.draft.stamp.counter for r in kept] == list(range(1, len(kept) + 1))


async def test_led_04_a_number_is_drawn_once(each_house):
    """LED-04: a second roll with the same epoch, channel and counter is refused, and stops no other."""
    drafts = [
        a_roll("good", counter=2),
        a_roll("twice", counter=1),
        *(a_roll("private"), a_roll("private"), a_roll(counter=3)),
    ]
    async with each_house.open() as ledger:
        await append(ledger, a_roll(counter=1))
        told = await asyncio.gather(*map(ledger.append, drafts), return_exceptions=True)
        assert [type(one) for one in told if isinstance(one, Exception)] == [NumberTaken]
        assert await texts(ledger) == ["roll 2d10", "good", "private", "private", "roll 2d10"]


async def test_led_04_only_a_number_of_the_dice_is_taken(each_house, caplog):
    """LED-04, LED-17: any other key is a fault of the ledger; the log says where, and does not quote the record."""
    async with each_house.open() as ledger:
        each_house.sql("CREATE UNIQUE INDEX one_line ON records (line)")
        await append(ledger, a_roll(line="alice: 8607779"))
        with pytest.raises(
            LedgerUnavailable, match=r"the ledger cannot be written to: .*(one_line|records.line)"
        ) as told:
            await ledger.append(a_roll(line="alice: 8607779"))
        assert not isinstance(told.value, NumberTaken)
        each_house.sql("DROP INDEX one_line")
        assert (await ledger.append(a_roll(line="alice: 8607779"))).seq == 2
    assert "in insert" in caplog.text
    assert "8607779" not in caplog.text


async def test_led_04_two_bots_on_a_server_with_another_isolation(postgresql, tmp_path, clock):
    """LED-04: whatever the server's default, an append sees the last record."""
    url = postgresql.database()
    name = url.rpartition("/ledger")[2].partition("?")[0]
    postgresql.sql(f"ALTER DATABASE ledger{name} SET default_transaction_isolation = 'repeatable read'")
    house = House(tmp_path, url, clock=clock)
    async with house.open() as first, house.another(tmp_path / "second", "second").open() as second:
        ledgers = [first, second] * 20
        await asyncio.gather(*(ledger.append(a_roll(str(n))) for n, ledger in enumerate(ledgers)))
        assert len(await everything(first)) == 40


async def test_led_05_a_damaged_file_is_not_waited_for(house):
    """LED-05, LED-16: the sentence is the database's own."""
    async with house.open() as ledger:
        await append(ledger, *(a_roll() for _ in range(50)))
    with house.database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (house.database.stat().st_size - 4096))
    house.paths = replace(house.paths, wait=3_600.0)
    with pytest.raises(LedgerDamaged, match=r"malformed.*ircdice ledger restore DIR"):
        async with asyncio.timeout(120), house.open():
            pass


async def test_led_03_a_draft_that_cannot_be_written_stops_no_other(each_house):
    """LED-03: a text that is too long for the leaf, which no command can be."""
    async with each_house.open() as ledger:
        rolls = (ledger.append(a_roll(text)) for text in ("a", "x" * 2**16, "b"))
        told = await asyncio.gather(*rolls, return_exceptions=True)
        assert [isinstance(one, OverflowError) for one in told] == [False, True, False]
        assert await texts(ledger) == ["a", "b"]


async def test_led_17_no_log_quotes_what_could_not_be_recorded(each_house, caplog):
    """FW-10, LED-17: the complaint about a record leaves out what is sealed, and who said what."""
    caplog.set_level(logging.DEBUG)
    draft = a_roll(text="difficulty for bob", kind="seal", draws=(), line="", sealed=Sealed("8607779", b"\x77" * 16))
    async with each_house.open() as ledger:
        await append(ledger, a_roll(counter=1))
        each_house.sql("ALTER TABLE records RENAME COLUMN sealed_text TO gone")
        with pytest.raises(LedgerUnavailable):
            await ledger.append(draft)
        each_house.sql("ALTER TABLE records RENAME COLUMN gone TO sealed_text")
        with pytest.raises(NumberTaken):
            await ledger.append(replace(draft, stamp=a_roll(counter=1).stamp))
    assert "sealed_text" in caplog.text
    assert "8607779" not in caplog.text
    assert "wwww" not in caplog.text


FULL = """
import asyncio, resource, sys
from pathlib import Path
from ircdice.errors import LedgerDamaged, LedgerUnavailable
from tests.leaping import LeapingLoop
from tests.ledger.house import House, everything, roll, waited

async def main():
    house, told = House(Path(sys.argv[1])), []
    async with house.open() as ledger:
        async def play(times):
            for _ in range(times):
                rolling = asyncio.ensure_future(roll(ledger, text="x" * 300))
                while not rolling.done() and not ledger.out_of_reach:
                    await asyncio.wait([rolling], timeout=0.01)
                (answer,) = await waited(rolling) if ledger.out_of_reach else [await rolling]
                if isinstance(answer, LedgerUnavailable):
                    return True
                told.append(answer)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
        assert await play(5_000), "it never was full"
        dice = ledger.begin("net", "#fu").roll(5, 10)
        assert await play(1), "it is full no more"
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await ledger.of_channel("net", "#fu")
        late = list(ledger.late())
        told += late
        assert late or ledger.begin("net", "#fu").roll(5, 10) == dice
        told += [await roll(ledger, text="x" * 300) for _ in range(50)]
        kept = [record for record in await everything(ledger) if record.draft.kind == "roll"]
    assert kept == told, (len(kept), len(told))
    assert [r.draft.stamp.counter for r in kept] == list(range(1, len(kept) + 1))
    async with house.open() as ledger:
        await roll(ledger)
    print(len(kept))
with asyncio.Runner(loop_factory=LeapingLoop) as runner:
    runner.run(main())
"""


def test_led_05_a_full_disk(tmp_path, environment, pytestconfig):
    """LED-05: no result is shown; when there is room, play goes on with the same counters, hence the same dice."""
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(
        command, env=environment, cwd=pytestconfig.rootpath, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50
    assert done.stderr.count("out of reach") <= 2, "the log says it once each time"

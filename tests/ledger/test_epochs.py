"""Epochs, checkpoints, keys that change, and redaction, as the bot uses the ledger (LED-12…LED-14, LED-18, LED-25)."""

import asyncio
from dataclasses import replace

import pytest

from ircdice.clock import DAY, HOUR
from ircdice.dice import Stamp
from ircdice.errors import KeysError
from ircdice.ledger import Draft
from ircdice.ledger.checkpoint import Tree, Trust, read
from ircdice.ledger.epochs import GRACE
from ircdice.ledger.paths import commitment

from .house import NOON, PLACE, a_roll, append, everything, filled, roll, rolls


async def test_led_13_a_seed_is_committed_to_before_it_is_used(each_house):
    """LED-12, LED-13: epoch 1 is committed to in the checkpoint of size 0; then it begins, and 2 is committed to."""
    async with each_house.open() as ledger:
        record = await roll(ledger)
        seed = ledger.schedule.running.seed
    promise, begun, *_ = each_house.notes()
    assert (promise.size, promise.epochs, promise.following) == (0, (), ((1, commitment(1, seed)),))
    assert (begun.size, begun.epochs, [number for number, _ in begun.following]) == (0, ((1, NOON),), [2])
    assert record.draft.stamp.epoch == 1


@pytest.mark.parametrize(("days", "drawn_from"), [(0.5, 1), (1.5, 2), (2.5, 3)])
async def test_led_13_an_epoch_that_was_due_long_ago_is_never_begun(house, days, drawn_from):
    """LED-13: after more than a day of delay somebody may know its seed: a fresh one is committed to first."""
    async with house.open() as ledger:
        await roll(ledger)
    house.clock.now += int(days * DAY)
    async with house.open() as ledger:
        assert (await roll(ledger)).draft.stamp.epoch == drawn_from
    assert drawn_from in [number for note in house.notes()[:-1] for number, _ in note.following]
    assert house.check().sound


async def test_led_12_every_hundred_records_are_signed(each_house):
    """LED-12: in the table and in the file; the root is that of the leaves."""
    async with each_house.open() as ledger:
        records = await filled_while(ledger)
        table = await ledger.transact(lambda store: list(store.checkpoints()))
        notes = each_house.notes()
    assert [note.size // 100 for note in notes if note.size] == list(range(1, len(records) // 100 + 1))
    for note in notes:
        tree = Tree()
        tree.extend(record.leaf for record in records[: note.size])
        assert note.root == tree.root()
    assert [read(stored.note) for stored in table] == notes


async def filled_while(ledger):
    """Rolls alone and in bursts; all records."""
    await rolls(ledger, 110)
    for burst in (60, 7, 30):
        await asyncio.gather(*(ledger.append(a_roll()) for _ in range(burst)))
    return await everything(ledger)


async def test_led_04_two_bots_sign_each_others_records(postgresql, house, tmp_path):
    """LED-04, LED-12: each root is that of all leaves; each file has the checkpoints of both."""
    house.paths = replace(house.paths, url=postgresql.database())
    async with house.open() as first, house.another(tmp_path / "second", "second").open() as second:
        for burst in (1, 60, 7, 150, 1, 90):
            await asyncio.gather(*(roll(first, ("net", f"#{n}")) for n in range(burst)))
            await asyncio.gather(*(roll(second, ("net", f"#{n}")) for n in range(burst // 2)))
        await first.sign()
        records = await everything(first)
        table = await first.transact(lambda store: [stored.note for stored in store.checkpoints()])
        assert {record.draft.stamp.epoch for record in records} == {1, 3}
        assert set(house.paths.checkpoints.notes()) == set(table)
    for note in (read(note) for note in table):
        tree = Tree()
        tree.extend(record.leaf for record in records[: note.size])
        assert note.root == tree.root()


async def test_led_12_an_hour_with_news_is_signed(house):
    """LED-12: and one without is not."""
    async with house.open() as ledger:
        await rolls(ledger, 3)
        house.clock.now += HOUR
        await ledger.tend()
        house.clock.now += HOUR
        await ledger.tend()
    assert [note.size for note in house.notes()] == [0, 0, 4]


async def test_led_13_an_epoch_ends_and_its_seed_is_published(each_house):
    """LED-13: the next begins with its own counters; the seed is published once all its dice are recorded and shown."""
    async with each_house.open() as ledger:
        await roll(ledger)
        seed = ledger.schedule.running.seed
        each_house.clock.now += DAY
        await ledger.tend()
        first = (await roll(ledger)).draft.stamp
        assert await seeds(ledger) == [None, None, None]
        each_house.clock.now += GRACE
        await ledger.tend()
        assert await seeds(ledger) == [seed, None, None]
        assert ledger.news().startswith("dice of epoch 2, since ")
    assert (each_house.check().findings, each_house.check().proved) == ((), 1)
    assert first == Stamp(2, 1, 1)
    assert each_house.notes()[-1].epochs == ((2, NOON + DAY),)


async def seeds(ledger):
    return [epoch.seed for epoch in await ledger.read(lambda store: store.epochs())]


async def test_led_13_a_covered_contest_keeps_the_seed_back(each_house):
    """LED-13: until it is answered or lapses, also across a restart; its dice could be computed from the seed."""
    async with each_house.open() as ledger:
        opening = await roll(ledger, kind="contest")
        each_house.clock.now += DAY
        await ledger.tend()
    each_house.clock.now += GRACE
    async with each_house.open() as ledger:
        assert (await seeds(ledger))[0] is None
        await ledger.append(Draft("lapse", *PLACE, "alice", "~alice", "", (), "lapsed", ref=opening.seq))
        await ledger.tend()
        assert (await seeds(ledger))[0] is not None


async def test_led_13_seeds_can_be_published_at_once(house):
    """LED-13: `ledger reveal`: the running epoch ends first."""
    async with house.open() as ledger:
        await roll(ledger)
        assert await ledger.publish_all() == ([1], [])
        assert (await roll(ledger)).draft.stamp == Stamp(2, 1, 1)


async def test_led_14_numbers_run_without_gaps_in_each_channel(house):
    """LED-05, LED-14: a number is used up by its record only; without one the same dice come again."""
    async with house.open() as ledger:
        await ledger.ready(*PLACE)
        first, again = ledger.begin(*PLACE), ledger.begin(*PLACE)
        assert first.stamp == again.stamp == Stamp(1, 1, 1)
        assert first.roll(5, 10) == again.roll(5, 10)
        assert [r.draft.stamp.counter for r in await rolls(ledger, 3)] == [1, 2, 3]
        assert (await roll(ledger, ("net", "#other"))).draft.stamp == Stamp(1, 1, 1)
        assert ledger.begin("net", "@~alice").stamp == Stamp()


async def test_irc_05_a_seed_is_in_no_repr(house):
    """IRC-05: it would foretell the dice."""
    async with house.open() as ledger:
        await roll(ledger)
        seed = ledger.schedule.running.seed
        for shown in (repr(ledger), repr(ledger.schedule), repr(ledger.begin(*PLACE))):
            assert seed.hex() not in shown
            assert repr(seed) not in shown


async def test_led_18_a_rotated_tag_key_is_for_later_records(each_house):
    """LED-18: earlier tags stay right, after a restart too."""
    async with each_house.open() as ledger:
        before = await rolls(ledger, 3)
        assert await ledger.rotate_tag_key() == before[-1].seq + 1
        after = await rolls(ledger, 3)
    async with each_house.open() as ledger:
        for record in (*before, *after):
            assert record.tag == ledger.tag_of(record.seq, *PLACE, "alice", record.draft.line)
        await roll(ledger)
    keys = each_house.paths.tag_keys.load()
    assert [first for first, _ in keys.ranges] == [1, after[0].seq]
    assert each_house.check().findings == ()


async def test_led_18_a_rotated_signing_key_is_named_by_the_old_one(each_house):
    """LED-18: every checkpoint can be verified from the first key on, and the next start signs with the new one."""
    async with each_house.open() as ledger:
        await roll(ledger)
        first = each_house.paths.signing_keys("dice.example/one").load().current.verifying
        new = await ledger.rotate_signing_key()
        await roll(ledger)
    async with each_house.open() as ledger:
        await roll(ledger)
    trust = Trust(first)
    for note in each_house.paths.checkpoints.notes():
        trust.verify(note)
    assert trust.keys == (new,)
    assert each_house.check().findings == ()


async def test_led_18_an_interrupted_rotation_is_completed(each_house):
    """LED-18: the machine dies after the checkpoint that names the new key; the next start signs with it."""
    file = each_house.paths.signing_keys("dice.example/one")
    async with each_house.open() as ledger:
        first, before = file.load().current.verifying, file.file.read_text()
        await ledger.rotate_signing_key()
    file.file.write_text(before + file.file.read_text().splitlines()[-1].replace("private", "next"))  # it died here
    async with each_house.open() as ledger:
        await roll(ledger)
    assert file.load().retired == (first,)
    assert "next" not in file.file.read_text()
    trust = Trust(first)
    for note in each_house.paths.checkpoints.notes():
        trust.verify(note)
    assert trust.keys == (file.load().current.verifying,)


@pytest.mark.parametrize("signed", [False, True])
async def test_led_18_a_signing_key_from_before_a_rotation_is_refused(each_house, signed):
    """LED-18: a copy on another machine, whether the new key has only been named or has signed already."""
    file = each_house.paths.signing_file
    async with each_house.open() as ledger:
        old = file.read_text()
        await roll(ledger)
        await ledger.rotate_signing_key()
        if signed:
            await ledger.sign()
    new = file.read_text()
    file.write_text(old)
    before = len(each_house.notes())
    with pytest.raises(KeysError, match=r"signing\.key is from before a rotation: copy it and tag\.keys from"):
        async with each_house.open():
            pass
    assert len(each_house.notes()) == before
    file.write_text(new)
    async with each_house.open() as ledger:
        await roll(ledger)
    assert each_house.check().findings == ()


async def test_led_18_a_rotation_that_no_checkpoint_names_is_forgotten(house):
    """LED-18: the machine died before; nothing was signed with the new key."""
    await filled(house, 3)
    file = house.paths.signing_keys("dice.example/one")
    before = file.load()
    file.prepare()
    async with house.open() as ledger:
        await roll(ledger)
    assert file.load() == before


async def test_led_25_a_redaction_takes_content_and_keeps_leaves(each_house):
    """LED-25: nothing of the person remains, also in the file; every root still holds; it is itself a record."""
    secret = "a word that only mallory would type"
    async with each_house.open() as ledger:
        await append(ledger, *(a_roll(secret, nick="Mallory", who="mallory", scene="s", character="c") for _ in "12"))
        kept = await append(ledger, a_roll(), a_roll(network="other", who="mallory", nick="Mallory"))
        before = await ledger.transact(lambda store: list(store.leaves(0)))
        assert await ledger.redact({"mallory"}, "net") == 2
        after = await everything(ledger)
        assert [r.leaf for r in after[:4]] == before
        assert [r.redacted for r in after] == [True, True, False, False, False]
        assert after[2:4] == kept
        assert after[-1].draft.kind == "redact"
        assert "mallory" not in repr(after[0]).lower()
        assert (after[0].draft.scene, after[0].draft.character) == ("", "")
        assert await ledger.redact({"nobody"}) == 0
    async with each_house.open() as ledger:
        assert len(await everything(ledger)) == 5
    if each_house.paths.database_file:
        assert secret.encode() not in each_house.paths.database_file.read_bytes()
    assert each_house.notes()[-1].size == 5
    assert (each_house.check().findings, each_house.check().withheld) == ((), 2)


async def test_led_25_a_redacted_stir_ends_the_epoch(house):
    """LED-15, LED-25: its words are gone, and its generation is not used twice."""
    async with house.open() as ledger:
        await roll(ledger)
        stamp, started = ledger.stirred(*PLACE, house.clock.now)
        words = f"stir mine {started}"
        await ledger.append(Draft("stir", *PLACE, "bob", "~bob", words, (), "bob: stirred", stamp=stamp))
        await ledger.redact({"~bob"})
        assert (await roll(ledger)).draft.stamp == Stamp(2, 1, 1)
    async with house.open() as ledger:
        assert (await roll(ledger)).draft.stamp == Stamp(2, 2, 2)
    assert house.check().findings == ()

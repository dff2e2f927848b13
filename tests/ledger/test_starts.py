"""Every start stirs the dice of each channel before its first roll (LED-15)."""

import pytest

from ircdice.clock import DAY, HOUR
from ircdice.dice import Stamp
from ircdice.errors import RuleError
from ircdice.ledger import Draft
from ircdice.ledger.epochs import MOST_STIRS, derived, mix_of, start_draft, stream_key

from .house import NOON, PLACE, everything, noted, roll, rolls

OTHER = "net", "#other"
SECONDS = NOON // 1000


async def test_led_15_a_start_stirs_before_the_first_roll_of_each_channel(each_house):
    """LED-15: one record of its own in each channel that rolls, with the time of the start; later rolls add none."""
    async with each_house.open() as ledger:
        for place in (PLACE, OTHER, PLACE, OTHER):
            await roll(ledger, place)
        kept = [r.draft for r in await everything(ledger)]
    assert [(d.kind, d.channel) for d in kept] == [
        *(("stir", "#fu"), ("roll", "#fu"), ("stir", "#other"), ("roll", "#other")),
        *(("roll", "#fu"), ("roll", "#other")),
    ]
    stir = kept[0]
    assert (stir.nick, stir.who, stir.text, stir.line, stir.draws) == ("", "start", f"stir {SECONDS}", "", ())
    assert stir.stamp == Stamp(1, 0, 1)
    assert [d.stamp for d in kept if d.kind == "roll"] == [Stamp(1, n, 1) for n in (1, 1, 2, 2)]


async def test_led_15_the_dice_come_from_the_mix_of_the_start(house):
    """LED-14, LED-15: `start:` and the seconds, as anybody can compute from the published seed."""
    async with house.open() as ledger:
        record = await roll(ledger)
        seed = ledger.schedule.running.seed
    key = stream_key(seed, *PLACE, 1, mix_of("start", str(SECONDS)))
    assert derived(key, record.draft.stamp, record.draft.draws)


async def test_led_15_each_start_begins_a_generation_and_numbers_go_on(each_house):
    """LED-14, LED-15: the same epoch, the next counter, the next generation; what was drawn and lost is not shown."""
    async with each_house.open() as ledger:
        await rolls(ledger, 3)
        not_recorded = ledger.begin(*PLACE).roll(5, 10**6)
    async with each_house.open() as ledger:
        again = await roll(ledger)
    assert again.draft.stamp == Stamp(1, 4, 2)
    assert tuple(face for _, face in again.draft.draws) != not_recorded


async def test_led_15_a_start_without_rolls_records_nothing(house):
    """LED-15: nor does a private roll, whose dice are the system's (LED-14)."""
    async with house.open() as ledger:
        await ledger.ready("net", "@~alice")
        assert ledger.begin("net", "@~alice").stamp == Stamp()
        assert await everything(ledger) == []


async def test_led_15_a_place_that_was_not_stirred_has_no_dice(house):
    """LED-15: a mistake in the bot draws nothing rather than old dice."""
    async with house.open() as ledger:
        assert ledger.begin(*PLACE).stamp == Stamp()
        await ledger.ready(*PLACE)
        assert ledger.begin(*PLACE).stamp == Stamp(1, 1, 1)


async def test_led_15_the_stir_of_a_start_is_not_posted(each_house):
    """LED-06, LED-15: after a crash only the roll is posted."""
    async with each_house.open() as ledger:
        record = await roll(ledger)
    async with each_house.open() as ledger:
        assert [r.seq for r in await ledger.undelivered(["net"])] == [record.seq]


async def player_stir(ledger, words):
    stamp, started = ledger.stirred(*PLACE, ledger.clock())
    return await ledger.append(Draft("stir", *PLACE, "bob", "~bob", f"stir {words} {started}", (), "…", stamp=stamp))


async def test_led_15_a_start_does_not_count_for_the_hour(house):
    """LED-15: a player may stir right after it; the hour after a player's stir outlasts a start."""
    async with house.open() as ledger:
        await ledger.ready(*PLACE)
        assert (await player_stir(ledger, "ours")).draft.stamp == Stamp(1, 0, 2)
        assert (await roll(ledger)).draft.stamp == Stamp(1, 1, 2)
    async with house.open() as ledger:
        await ledger.ready(*PLACE)
        with pytest.raises(RuleError, match="stirred within the hour; again in 60 min"):
            ledger.stirred(*PLACE, house.clock.now)
        house.clock.now += HOUR
        assert (await player_stir(ledger, "ours")).draft.stamp == Stamp(1, 0, 4)


async def test_led_15_fair_counts_the_starts_of_the_epoch(each_house):
    """LED-15: a new epoch begins at one."""
    for said in ("; 1 start since;", "; 2 starts since;", "; 3 starts since;"):
        async with each_house.open() as ledger:
            assert said in ledger.statement()
            for place in (PLACE, OTHER):
                await roll(ledger, place)
    async with each_house.open() as ledger:
        each_house.clock.now += DAY
        await ledger.tend()
        assert "dice of epoch 2, " in ledger.statement()
        assert "; 1 start since;" in ledger.statement()


async def test_led_15_a_new_epoch_is_stirred_as_well(house):
    """LED-13, LED-15: before the first roll in it, without a start."""
    async with house.open() as ledger:
        await roll(ledger)
        house.clock.now += DAY
        await ledger.tend()
        assert (await roll(ledger)).draft.stamp == Stamp(2, 1, 1)
        kept = [r.draft for r in await everything(ledger) if r.draft.kind == "stir"]
    assert [(d.stamp, d.text) for d in kept] == [(Stamp(n, 0, 1), f"stir {SECONDS}") for n in (1, 2)]


async def test_led_15_past_255_generations_the_epoch_ends(each_house):
    """LED-15: the generation is one byte; the next roll is drawn from the next seed."""
    async with each_house.open() as ledger:
        await ledger.append(start_draft(*PLACE, SECONDS - 1, 1, MOST_STIRS - 1))
        assert (await roll(ledger)).draft.stamp == Stamp(1, 1, MOST_STIRS)
        with pytest.raises(RuleError, match="255 times"):
            ledger.stirred(*PLACE, each_house.clock.now)
    async with each_house.open() as ledger:
        assert (await roll(ledger)).draft.stamp == Stamp(2, 1, 1)
        assert (await roll(ledger, OTHER)).draft.stamp == Stamp(2, 1, 1)
    assert each_house.notes()[-1].epochs[0][0] == 2


@pytest.mark.parametrize("back", [1_000, HOUR, 40 * DAY])
async def test_led_15_a_start_is_later_than_every_earlier_one(house, back):
    """LED-15: also when the clock was set back; the seconds are those of no start before, nor before any record."""
    for _ in range(4):
        async with house.open() as ledger:
            await roll(ledger)
            house.clock.now += 5_000
            ledger.mark_delivered(*PLACE, (await roll(ledger)).seq)
            kept = await everything(ledger)
        house.clock.now -= back
    starts = [int(r.draft.text.split()[1]) for r in kept if r.draft.kind == "stir"]
    assert starts == sorted(set(starts))
    assert len(starts) == 4


@pytest.mark.parametrize("left", ["the file of checkpoints", "the table of deliveries"])
async def test_led_15_a_start_is_later_than_those_that_only_one_place_remembers(house, tmp_path, left):
    """LED-15: the bot was killed, the records of its last start are gone, and the clock was set back."""
    async with house.open() as ledger:
        await roll(ledger)
    async with house.open() as ledger:
        ledger.mark_delivered(*PLACE, (await roll(ledger)).seq)
        last = int((await everything(ledger))[-2].draft.text.split()[1])
        await noted(ledger)
        copy = house.copy(tmp_path / "killed")
    house.put_back(copy)
    forgotten = "DELETE FROM meta WHERE name = 'started'"
    house.sql("DELETE FROM records WHERE seq > 2", "UPDATE delivered SET seq = 2", forgotten)
    if left == "the file of checkpoints":
        house.sql("UPDATE delivered SET ts = 0")
    else:
        house.sql("DELETE FROM checkpoints")
        house.paths.checkpoints.file.write_text("")
    house.clock.now = NOON + 1
    async with house.open(accept_loss=True) as ledger:
        await roll(ledger)
        assert int((await everything(ledger))[-2].draft.text.split()[1]) > last

"""What a start of the bot refuses to go on with, how it says so, and how a loss is accepted (LED-12, LED-16)."""

import asyncio
import shutil
from dataclasses import replace

import pytest

from ircdice.clock import DAY
from ircdice.dice import Stamp
from ircdice.errors import KeysError, LedgerDamaged, LedgerUnavailable
from ircdice.ledger.service import open_to_read

from .house import ORIGIN, PLACE, House, everything, filled, roll, rolls

COUNT = 150  # records, and the bot's own stir before the first
LAST = COUNT + 1
ZEROS = "zeroblob(32)"


def altered_in_the_file(house):
    file = house.paths.checkpoints.file
    file.write_text(file.read_text().replace(f"\n{LAST}\n", f"\n{LAST + 1}\n"))


def emptied(house):
    house.paths.checkpoints.file.unlink()


def of_another_ledger(house):
    """Signed by somebody else."""
    note = next(iter(house.paths.checkpoints.notes()))
    house.paths.checkpoints.append(note.replace("\u2014 " + ORIGIN, "\u2014 elsewhere"))


def sql(*statements):
    return lambda house: house.sql(*statements)


FAULTS = {
    "the tail is deleted": (sql("DELETE FROM records WHERE seq > 120"), "records 121 to 151 are missing"),
    "the last record is deleted": (sql(f"DELETE FROM records WHERE seq = {LAST}"), f"record {LAST} is missing"),
    "all records are deleted": (sql("DELETE FROM records"), "records 1 to 151 are missing"),
    "the tail is deleted with its checkpoints": (
        sql("DELETE FROM records WHERE seq > 120", "DELETE FROM checkpoints WHERE size > 120"),
        "records 121 to 151 are missing",
    ),
    "a delivered record is missing": (
        sql(f"UPDATE delivered SET seq = {LAST + 4}"),
        "records 152 to 155 are missing: the line of 155 was posted to #fu",
    ),
    "the last checkpoint is altered in the table": (
        sql("UPDATE checkpoints SET note = replace(note, '151', '150') WHERE size = 151"),
        "has lost or altered the last checkpoint",
    ),
    "the last checkpoint is deleted from the table": (
        sql("DELETE FROM checkpoints WHERE size = 151"),
        "has lost or altered the last checkpoint",
    ),
    "all checkpoints are deleted from the table": (
        sql("DELETE FROM checkpoints"),
        "lost or altered the last checkpoint",
    ),
    "the tree of a checkpoint is altered": (
        sql("UPDATE checkpoints SET frontier = zeroblob(length(frontier))"),
        "the tree of the first 151 records is not the one that was signed",
    ),
    "a checkpoint is altered in the file": (altered_in_the_file, "is not signed by this ledger's key"),
    "the file has a checkpoint of another ledger": (of_another_ledger, "is not signed by this ledger's key"),
    "the file is missing": (emptied, "checkpoints is missing"),
    "a published seed is replaced": (
        sql(f"UPDATE epochs SET seed = {ZEROS} WHERE epoch = 1"),
        "the published seed of epoch 1 is not the one that was committed to",
    ),
    "a commitment is altered": (
        sql(f"UPDATE epochs SET commitment = {ZEROS} WHERE epoch = 3"),
        "the commitment of epoch 3 is not the one that was signed",
    ),
    "the begin of the epoch is altered": (
        sql("UPDATE epochs SET begun = begun - 1 WHERE epoch = 2"),
        "epoch 2 did not begin when a checkpoint says",
    ),
    "an epoch is deleted": (sql("DELETE FROM epochs WHERE epoch = 3"), "the commitment of epoch 3"),
}


STAYS = (  # somebody had access to the database: the bot goes on, and `ledger check` goes on naming what was done
    "the last checkpoint is altered in the table",
    "the tree of a checkpoint is altered",
    "a commitment is altered",
    "the begin of the epoch is altered",
)


async def play(house):
    """Two epochs, the first published; 151 records; a clean stop."""
    await filled(house, 10)
    house.clock.now += DAY
    async with house.open() as ledger:
        await ledger.tend()
        house.clock.now += DAY // 2
        await ledger.tend()
        for _ in range(LAST - 11 - 1):
            record = await roll(ledger)
        ledger.mark_delivered(*PLACE, record.seq)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Such a folder, of which each test has a copy."""
    house = House(tmp_path_factory.mktemp("played"))
    asyncio.run(play(house))
    return house


@pytest.fixture
def evening(played, tmp_path):
    house = House(tmp_path)
    house.clock.now = played.clock.now
    shutil.copytree(played.data, house.data)
    return house


@pytest.mark.parametrize("fault", FAULTS)
async def test_led_16_a_fault_stops_the_start_and_names_the_way_out(evening, fault):
    """LED-16: nothing is rolled on a ledger that is not what was signed; `--accept-loss` goes on, aloud (LED-12)."""
    house = evening
    change, sentence = FAULTS[fault]
    change(house)
    promised = {promise for note in house.notes() for _, promise in note.following}
    for _ in range(2):  # it does not go away by itself
        with pytest.raises(LedgerDamaged) as refused:
            async with house.open():
                pass
        assert sentence in str(refused.value)
        for way in ("ircdice ledger check", "ircdice ledger restore DIR", "--accept-loss"):
            assert way in str(refused.value)
    async with house.open(accept_loss=True) as ledger:
        record = await roll(ledger)
        assert ledger.schedule.running.commitment not in promised, "a seed from before the loss"
        records = await everything(ledger)
    assert [r.seq for r in records] == list(range(1, len(records) + 1))
    lost = min(note.lost for note in house.notes() if note.lost is not None)
    first = {"the tail": 121, "the last record": LAST, "all records": 1, "all checkpoints": lost}
    assert lost == next((seq for words, seq in first.items() if fault.startswith(words)), LAST + 1)
    async with house.open() as ledger:
        assert (await roll(ledger)).draft.stamp.epoch == record.draft.stamp.epoch
    if "all" not in fault:  # what the deleted checkpoints proved is proved no more
        assert (house.check().findings != ()) == (fault in STAYS)
    house.sql("UPDATE records SET line = 'alice: Critical' WHERE seq = 3")
    assert any("record 3: " in str(finding) for finding in house.check().findings), "what is altered later is found"


ALTERED_AFTER_THE_CHECKPOINT = {
    "a line": "UPDATE records SET line = 'alice: Critical' WHERE seq = 140",
    "a face": "UPDATE records SET draws = '10:10' WHERE seq = 140",
    "a leaf": f"UPDATE records SET leaf = {ZEROS} WHERE seq = 140",
    "a text that is no text": "UPDATE records SET text = CAST(x'ff' AS TEXT) WHERE seq = 140",
}


@pytest.mark.parametrize("what", ALTERED_AFTER_THE_CHECKPOINT)
async def test_led_16_a_record_that_no_checkpoint_counts_yet_is_compared_with_its_leaf(house, tmp_path, what):
    """LED-16: the bot was killed before it signed; older records are for `ledger check`."""
    async with house.open() as ledger:
        await rolls(ledger, COUNT)
        copy = house.copy(tmp_path / "killed")
    house.put_back(copy)
    house.sql(ALTERED_AFTER_THE_CHECKPOINT[what])
    with pytest.raises(LedgerDamaged, match="record 140 was altered"):
        async with house.open():
            pass
    async with house.open(accept_loss=True) as ledger:
        await roll(ledger)
    assert [note.lost for note in house.notes() if note.lost is not None] == [140]
    assert [finding.seq for finding in house.check().findings] == [140], "it stays as it is, and is named"


@pytest.mark.parametrize("accept_loss", [False, True])
async def test_led_12_a_gap_is_not_accepted(house, tmp_path, caplog, accept_loss):
    """LED-12: a record is gone, and later ones are there: no crash does that, and no number may be given out twice."""
    async with house.open() as ledger:
        await rolls(ledger, COUNT)
        copy = house.copy(tmp_path / "killed")
    house.put_back(copy)
    house.sql("DELETE FROM records WHERE seq = 140")
    with pytest.raises(LedgerDamaged, match=r"record 140 is missing.*ircdice ledger restore DIR") as refused:
        async with house.open(accept_loss=accept_loss):
            pass
    assert "cannot be accepted" in str(refused.value)
    assert "--accept-loss" not in str(refused.value)
    assert "accepted: " not in caplog.text


async def test_led_12_an_accepted_loss_is_said_aloud(house):
    """LED-12: in the next checkpoint, and once."""
    await filled(house)
    house.sql("DELETE FROM records WHERE seq > 120")
    async with house.open(accept_loss=True) as ledger:
        await ledger.sign()
    async with house.open(accept_loss=True) as ledger:
        assert (await roll(ledger)).draft.stamp == Stamp(3, 1, 1)
    said = [remark for note in house.notes() for remark in note.remarks if remark.startswith("lost")]
    assert said == ["lost 121 151"]


async def test_led_12_the_checkpoints_of_before_are_kept_beside(house):
    """LED-12: what the file had shows later what was lost."""
    await filled(house)
    before = house.paths.checkpoints.file.read_text()
    house.sql("DELETE FROM records WHERE seq > 120", "DELETE FROM checkpoints WHERE size > 120")
    async with house.open(accept_loss=True):
        pass
    (aside,) = house.data.glob("checkpoints.damaged-*")
    assert aside.read_text() == before


async def test_led_12_lines_that_come_after_a_loss_are_posted(house, tmp_path):
    """LED-06, LED-12: though their numbers were delivered before."""
    async with house.open() as ledger:
        for record in await rolls(ledger, 10):
            ledger.mark_delivered(*PLACE, record.seq)
    house.sql("DELETE FROM records WHERE seq > 5")
    async with house.open(accept_loss=True) as ledger:
        record = await roll(ledger)
        assert [r.seq for r in await ledger.undelivered(["net"])] == [record.seq]


async def test_led_12_a_killed_bot_starts_again(house, tmp_path):
    """LED-12: whatever the moment: the file may lack the last checkpoint, or end within one."""
    async with house.open() as ledger:
        await rolls(ledger, 120)
        copy = house.copy(tmp_path / "killed")
    notes = list(house.paths.checkpoints.notes())
    first, second, third = (f"{note}\n" for note in notes[:3])
    for text in (first, first + second, first + second + third[:100], first + second + third[:-1]):
        house.put_back(copy)
        house.paths.checkpoints.file.write_text(text)
        async with house.open() as ledger:
            assert (await roll(ledger)).draft.stamp.counter == 121
        assert {note.size for note in house.notes()} >= {0, 100}


async def test_led_12_starts_without_news_start_again(house):
    """LED-12: one checkpoint for each start, alike but for the time."""
    await filled(house, 3)
    before = len(house.notes())
    for _ in range(4):
        async with house.open():
            pass
    assert len(house.notes()) == before + 4


async def test_led_16_another_ledgers_database_is_refused(house, tmp_path):
    """LED-16: with other keys, or with every record made anew under the same keys."""
    await filled(house)
    other = House(tmp_path / "other", clock=house.clock)
    await filled(other)
    mine = house.database.read_bytes()
    shutil.copy(other.database, house.database)
    with pytest.raises(KeysError, match=r"signing\.key is not this ledger's"):
        async with house.open():
            pass
    house.database.write_bytes(mine)
    house.sql(
        "DELETE FROM records",
        *(f"ATTACH '{other.database}' AS other", "INSERT INTO records SELECT * FROM other.records"),
        "UPDATE checkpoints SET frontier = (SELECT o.frontier FROM other.checkpoints o WHERE o.number = "
        "checkpoints.number)",
    )
    with pytest.raises(LedgerDamaged, match="is not the one that was signed"):
        async with house.open():
            pass


async def test_led_13_a_seed_that_is_gone_ends_its_epoch(house, caplog):
    """LED-13: the epoch stays unproved, the log says so, and a fresh seed is committed to first."""
    await filled(house, 3)
    (house.paths.seeds.folder / "1").unlink()
    async with house.open() as ledger:
        assert (await roll(ledger)).draft.stamp == Stamp(3, 1, 1)
        house.clock.now += DAY
        await ledger.tend()
    assert "seeds/1 is missing" in caplog.text
    assert "epoch 1 can no longer be proved" in caplog.text


@pytest.mark.parametrize("name", ["tag.keys", "signing.key"])
async def test_led_10_a_ledger_without_its_keys_is_refused(house, name):
    """LED-10, LED-12: a new key would disown every record."""
    await filled(house, 3)
    (house.data / name).unlink()
    with pytest.raises(KeysError, match=f"{name} is missing: .*or from a backup"):
        async with house.open():
            pass
    assert not (house.data / name).exists()


async def test_led_10_a_changed_tag_key_is_refused(house):
    """LED-10: the tags to come would be of another key than those that were posted."""
    await filled(house)
    file = house.paths.tag_keys.file
    whole = file.read_text()
    file.write_text(f"{whole}120 {'5' * 64}\n")
    with pytest.raises(KeysError, match=r"tag\.keys is not this ledger's: record 151 was tagged with another key"):
        async with house.open():
            pass
    file.write_text(whole)
    async with house.open():
        pass


async def test_led_12_a_ledger_keeps_its_name(house):
    """LED-12: the origin of every checkpoint is the first one's; the config may name no other."""
    await filled(house, 1)
    house.paths = replace(house.paths, origin=None, suggested="other.example/ircdice")
    async with house.open():
        pass
    assert {note.origin for note in house.notes()} == {ORIGIN}
    house.paths = replace(house.paths, origin="other.example/ircdice")
    with pytest.raises(KeysError, match=f"this ledger is {ORIGIN}, and cannot become other.example/ircdice"):
        async with house.open():
            pass


async def test_irc_05_nobody_else_can_read_the_ledger(house):
    """IRC-05: it holds sealed values; checkpoints are public."""
    await filled(house, 1)
    assert {file.name: file.stat().st_mode & 0o077 for file in house.data.iterdir()} == {
        "checkpoints": 0o044,
        **dict.fromkeys(("ircdice.lock", "ledger.db", "ledger.db-lock", "seeds", "signing.key", "tag.keys"), 0),
    }


async def test_irc_05_secrets_that_others_can_read_are_named(house, caplog):
    """IRC-05: at each start."""
    await filled(house, 1)
    (house.data / "signing.key").chmod(0o644)
    async with house.open():
        pass
    assert "signing.key can be read by others: `chmod 600` it" in caplog.text


async def test_led_13_a_contest_of_long_ago_is_still_known(house):
    """GEN-06, LED-13: it lapses after days, or its seed would never be published."""
    async with house.open() as ledger:
        await roll(ledger, kind="contest")
        await roll(ledger, ("net", "#other"))
    house.clock.now += 5 * DAY
    async with house.open() as ledger:
        assert await ledger.places(house.clock.now - DAY) == [PLACE]


async def test_led_01_a_server_that_is_not_there(tmp_path):
    """LED-01: a sentence, not a traceback."""
    house = House(tmp_path, "postgresql+psycopg://nobody@/ledger?host=/nowhere", wait=0.2)
    with pytest.raises(LedgerUnavailable, match="cannot be opened: "):
        async with house.open():
            pass


@pytest.mark.parametrize("address", ["u:hunter2@127.0.0.1:1/d", "u@127.0.0.1:1/d?password=hunter2"])
async def test_irc_05_no_password_of_a_server_is_named(tmp_path, address):
    """IRC-05: neither the one before the host nor the one among the options."""
    house = House(tmp_path, f"postgresql+psycopg://{address}", wait=0.2)
    with pytest.raises(LedgerUnavailable, match=r"@127\.0\.0\.1:1/d cannot be opened: ") as caught:
        async with house.open():
            pass
    assert "hunter2" not in str(caught.value)


async def test_led_01_a_file_that_is_no_database_is_named(house):
    """LED-01, LED-05"""
    house.data.mkdir(mode=0o700)
    house.database.write_text("a letter to the storyteller\n" * 100)
    house.paths = replace(house.paths, wait=0.2)
    with pytest.raises(LedgerDamaged, match=r"ledger\.db cannot be opened: file is not a database.*restore DIR"):
        async with house.open():
            pass


@pytest.mark.parametrize(("version", "sentence"), [("99", "newer version"), (None, "does not say which")])
async def test_led_01_a_reader_changes_nothing(each_house, version, sentence):
    """LED-01: a reader leaves the schema of another version as it is; the bot refuses it too."""
    await filled(each_house, 1)
    change = f"UPDATE meta SET value = '{version}' WHERE name = 'schema'" if version else "DROP TABLE meta"
    each_house.sql(change)
    with pytest.raises(LedgerDamaged, match=sentence):
        open_to_read(each_house.paths)
    with pytest.raises(LedgerDamaged, match=sentence):
        async with each_house.open():
            pass


async def test_led_01_a_reader_answers_beside_the_bot(each_house):
    """LED-01, LED-24"""
    async with each_house.open() as ledger:
        record = await roll(ledger)
        reader = open_to_read(each_house.paths)
        assert await reader.get(record.seq) == record
        assert [r.seq for r in await reader.latest(5)] == [record.seq]
        await reader.close()


BROKEN = {
    "no records": "DROP TABLE records",
    "no epochs": "DROP TABLE epochs",
    "no meta": "DROP TABLE meta",
    "another column": "ALTER TABLE delivered RENAME COLUMN seq TO gone",
    "no version": "DELETE FROM meta WHERE name = 'schema'",
    "a version in words": "UPDATE meta SET value = 'new' WHERE name = 'schema'",
}


@pytest.mark.parametrize("fault", BROKEN)
async def test_led_16_a_database_that_is_broken_is_not_waited_for(each_house, fault):
    """LED-16: it is damaged and not away, so that no supervisor tries again; the sentence names the way out."""
    await filled(each_house, 1)
    each_house.sql(BROKEN[fault])
    with pytest.raises(LedgerDamaged, match="ircdice ledger restore DIR"):
        async with each_house.open():
            pass

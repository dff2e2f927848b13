"""LED-12, LED-16: what a start of the bot refuses to go on with, and what it mends."""

import asyncio
from dataclasses import replace

import pytest
from ircdice.ledger.notary import open_notary
from ircdice.ledger.store.page import Page
from ledger_house import NOON, PLACE, House, filled, roll, started

from ircdice.dice import Stamp
from ircdice.durations import DAY
from ircdice.errors import KeysError, LedgerDamaged, LedgerUnavailable
from ircdice.ledger.archive import Archive


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


DAMAGE = {
    "tail deleted": (("DELETE FROM records WHERE seq > 120",), "records 121 to 150 lost"),
    "cut off with its checkpoint": (
        ("DELETE FROM records WHERE seq > 120", "DELETE FROM checkpoints WHERE size > 120"),
        "records 121 to 150 lost",
    ),
    "a row altered": (("UPDATE records SET line = 'alice: Critical' WHERE seq = 140",), "record 140 was altered"),
    "a row gone": (("DELETE FROM records WHERE seq = 140",), "lost|record 140 is missing"),
    "two swapped": (
        (
            "UPDATE records SET seq = 1000 WHERE seq = 140",
            "UPDATE records SET seq = 140 WHERE seq = 141",
            "UPDATE records SET seq = 141 WHERE seq = 1000",
        ),
        "record 140 was altered",
    ),
    "another leaf": (("UPDATE records SET leaf = zeroblob(32) WHERE seq = 50",), "record 50 was altered"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_ledger_is_refused(house, what):
    """LED-12, LED-16: the bot does not start, and names the record."""
    statements, sentence = DAMAGE[what]
    filled(house)
    house.sql(*statements)
    with pytest.raises(LedgerDamaged, match=sentence):
        asyncio.run(started(house))


LAID_OUT = {
    "an index": (("DROP INDEX records_who",), "index records_who is missing"),
    "a trigger": (
        ("CREATE TRIGGER late AFTER INSERT ON records BEGIN DELETE FROM delivered; END",),
        "trigger late is none of the ledger's",
    ),
    "a column": (("ALTER TABLE records ADD COLUMN more TEXT",), "table records is not as it was made"),
    "an index that is unique no more": (
        ("DROP INDEX records_drawn", "CREATE INDEX records_drawn ON records (epoch, network, channel, counter)"),
        "index records_drawn is not as it was made",
    ),
}


@pytest.mark.parametrize("what", LAID_OUT)
def test_a_database_that_is_laid_out_otherwise_is_told_of(house, what, caplog):
    """LED-16: tables, indexes and triggers are as the migrations make them, or the log of a start says what is not."""
    changes, said = LAID_OUT[what]
    filled(house)
    house.sql(*changes)
    asyncio.run(started(house))
    assert [r.message for r in caplog.records if "altered" in r.message] == [
        f"the ledger's database was altered: {said}"
    ]


def test_an_operators_own_index_or_view_is_none_of_it(house, caplog):
    """LED-16: whoever asks a ledger much may have made them."""
    filled(house)
    house.sql("CREATE INDEX mine ON records (nick)", "CREATE VIEW seen AS SELECT * FROM records")
    asyncio.run(started(house))
    assert "altered" not in caplog.text


def test_all_rewritten_is_another_ledger(house):
    """LED-16: new leaves and new checkpoints for everything, without the key, are not what the file has seen."""
    filled(house)
    other = House(house.database.parent.parent / "other")
    filled(other)
    house.database.write_bytes(other.database.read_bytes())
    with pytest.raises(KeysError, match=r"tag\.keys is not this ledger's"):
        asyncio.run(started(house))


def test_all_rewritten_with_new_leaves_is_found(house):
    """LED-16: every record made anew, leaf and all, under the checkpoints as they were."""
    filled(house)
    other = House(house.database.parent.parent / "other")
    filled(other)
    house.sql(
        "DELETE FROM records",
        f"ATTACH '{other.database}' AS other",
        "INSERT INTO records SELECT * FROM other.records",
    )
    with pytest.raises(LedgerDamaged, match="are not those"):
        asyncio.run(started(house))


def test_an_old_backup_put_back_is_refused(house):
    """LED-12: the file of checkpoints has seen more."""
    filled(house, 120)
    old = house.database.read_bytes()
    filled(house, 30)
    house.database.write_bytes(old)
    with pytest.raises(LedgerDamaged, match="has seen 150 records, the ledger has 120: records 121 to 150 lost"):
        asyncio.run(started(house))


def test_a_loss_is_accepted_aloud(house):
    """LED-12: the next checkpoint says so, and an epoch begins whose seed is made now: old dice would come again."""
    filled(house)
    house.sql("DELETE FROM records WHERE seq > 120")
    assert asyncio.run(started(house, accept_loss=True)) == Stamp(3, 1, 0)
    loud = [note for note in house.notes() if note.remarks]
    assert [note.size for note in loud] == [120]
    assert loud[0].remarks == ("lost 121 150",)
    assert asyncio.run(started(house)) == Stamp(3, 1, 0)


def test_a_seed_that_is_gone_costs_its_epoch(house, caplog):
    """LED-13, LED-16: it stays unproved, the log says so, and the next begins."""
    filled(house)
    (house.keeping.seeds.folder / "1").unlink()
    assert asyncio.run(started(house)) == Stamp(2, 1, 0)
    assert "epoch 1 cannot be proved any more" in caplog.text


@pytest.mark.parametrize("name", ["tag.keys", "signing.key"])
def test_a_ledger_without_its_keys_is_refused(house, name):
    """LED-10, LED-18: a new key would disown every record."""
    filled(house)
    (house.database.parent / name).unlink()
    with pytest.raises(KeysError, match=f"{name} is missing"):
        asyncio.run(started(house))


def test_a_key_of_tags_that_no_rotation_made_is_told(house, caplog):
    """LED-10, LED-18: whoever put it there knows the tags to come; a start and a check say so."""
    filled(house)
    file = house.keeping.tag_keys.file
    file.write_text(f"{file.read_text()}9999 {'5' * 64}\n")
    said = "its last key is for record 9999 and later, and the next is 151"
    archive = Archive(house.keeping)
    report = archive.check(lambda: lambda _entry: None)
    archive.close()
    assert (report.findings, report.notes) == ((), (f"{file}: {said}",))
    asyncio.run(started(house))
    assert f"{file}: {said}" in caplog.text


def test_a_key_of_tags_that_is_not_the_latest_records_is_refused(house):
    """LED-10: the tags to come would be of another key than those that were posted."""
    filled(house)
    file = house.keeping.tag_keys.file
    whole = file.read_text()
    file.write_text(f"{whole}120 {'5' * 64}\n")
    with pytest.raises(KeysError, match="is not as it was: the tag of record 150 is of another key"):
        asyncio.run(started(house))
    file.write_text(whole)
    asyncio.run(started(house))


def test_a_rotated_key_of_tags_is_nothing_to_tell(house, caplog):
    """LED-18: before and behind the first record that it is for."""

    async def rotated():
        async with house.open() as notary:
            await notary.rotate_tag_key()

    filled(house)
    asyncio.run(rotated())
    filled(house, 3)
    asyncio.run(started(house))
    assert "last key" not in caplog.text


def test_a_lost_file_of_checkpoints_is_written_again(house):
    """LED-12: from the table, so that the next start can compare."""
    filled(house)
    before = house.notes()
    house.keeping.checkpoints.file.unlink()
    asyncio.run(started(house))
    assert house.notes()[: len(before)] == before


@pytest.mark.parametrize("lines_left", ["none", "some", "all"])
def test_a_file_of_checkpoints_that_lacks_many_is_told(house, caplog, lines_left):
    """LED-12: its end may lag by one where the bot was killed; who cut it or took it away is not met with silence."""
    filled(house)
    file = house.keeping.checkpoints.file
    kept = {"none": b"", "some": file.read_bytes()[: file.stat().st_size // 3], "all": file.read_bytes()}[lines_left]
    file.write_bytes(kept)
    asyncio.run(started(house))
    assert ("the file of checkpoints lacks the last" in caplog.text) == (lines_left != "all")


def test_starts_without_news_add_a_line_each(house):
    """LED-12: checkpoints that are alike to the letter are told apart, and none is put into the file again."""
    filled(house, 3)
    before = len(house.notes())
    for _ in range(4):
        asyncio.run(started(house))
    assert len(house.notes()) == before + 4


def test_two_processes_never_share_a_folder(house):
    """LED-13: an epoch belongs to one process."""

    async def scene():
        async with house.open():
            await started(house)

    with pytest.raises(LedgerUnavailable, match="another ircdice runs on this folder"):
        asyncio.run(scene())


def test_a_ledger_keeps_its_name(house):
    """LED-12: what is signed bears one origin; the config may name no other."""
    filled(house, 1)
    house.keeping = replace(house.keeping, origin=None, suggested="other.example/ircdice")
    asyncio.run(started(house))
    house.keeping = replace(house.keeping, origin="other.example/ircdice")
    with pytest.raises(KeysError, match=r"this ledger is dice\.example/one"):
        asyncio.run(started(house))


def test_nobody_else_reads_the_ledger(house):
    """IRC-05: what is sealed stands in it."""
    filled(house, 1)
    assert {file.name: file.stat().st_mode & 0o077 for file in house.database.parent.iterdir()} == {
        "checkpoints": 0o044,
        **dict.fromkeys(("ircdice.lock", "ledger.db", "ledger.db-lock", "seeds", "signing.key", "tag.keys"), 0),
    }


def test_a_file_behind_the_table_is_compared_from_the_nearest_checkpoint(house, monkeypatch):
    """LED-12: killed before the file was written, or put back from a backup; not every leaf is read for it."""
    filled(house)
    filled(house)
    notes = list(house.keeping.checkpoints.notes())
    house.keeping.checkpoints.file.write_text("".join(f"{note}\n" for note in notes[:-2]))
    read = []
    leaves = Page.leaves
    monkeypatch.setattr(Page, "leaves", lambda page, since, most=-1: read.append(since) or leaves(page, since, most))
    monkeypatch.setattr("ircdice.ledger.opening.LOOKED_AT", 10)
    asyncio.run(started(house))
    assert min(read) > 0
    assert set(house.keeping.checkpoints.notes()) >= set(notes)


def test_bots_on_one_ledger_share_their_tag_keys(house, tmp_path):
    """LED-04, LED-10: the second one's own would call the first one's lines lost."""
    filled(house, 3)
    database = f"sqlite:///{house.database}"
    other = replace(house.keeping, data=tmp_path / "second", url=database, name="second")

    async def second(keeping):
        notary = await open_notary(keeping, lambda: NOON)
        await notary.close()

    for name in ("tag.keys", "signing.key"):
        with pytest.raises(KeysError, match=f"{name} is missing"):
            asyncio.run(second(other))
        other.data.mkdir(exist_ok=True)
        (other.data / name).write_bytes((house.keeping.data / name).read_bytes())
    (other.data / "tag.keys").write_text(f"1 {'5' * 64}\n")
    with pytest.raises(KeysError, match=r"tag\.keys is not this ledger's"):
        asyncio.run(second(other))
    asyncio.run(second(replace(other, signing_key=house.keeping.data / "signing.key")))


def test_a_contest_of_long_ago_is_still_at_hand(house):
    """GEN-06, LED-13: the bot was away for days; the contest lapses, or its seed would never be published."""

    async def scene():
        async with house.open() as notary:
            await roll(notary, kind="contest")
            await roll(notary, place=("net", "#other"))
        house.now += 5 * DAY
        async with house.open() as notary:
            return await notary.places(house.now - DAY)

    assert asyncio.run(scene()) == [PLACE]

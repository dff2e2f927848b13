"""Half a note at the end of the file of checkpoints: of a crash, or of somebody who hides what was cut off (LED-12)."""

import asyncio

import pytest
from ledger_house import House, filled, roll, started
from operating import evening, ledger, sql

from ircdice.dice import Stamp
from ircdice.errors import LedgerDamaged
from ircdice.ledger.torn import claimed

CUT = "DELETE FROM records WHERE seq > 120", "DELETE FROM checkpoints WHERE size > 120"
JUNK = [b"hello\n", b"\0" * 4096, b"dice.example/one", b"dice.example/one\n15", b"\xff\n\n\xe2\x80\x94 x\n"]


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def shorten(file, by):
    file.write_bytes(file.read_bytes()[:-by])


@pytest.mark.parametrize("by", [1, 2, 30, 110])
def test_a_cut_ledger_does_not_hide_behind_half_a_note(house, by):
    """LED-12: what is left of the last note still says how many records there were; the start is refused."""
    filled(house)
    house.sql(*CUT)
    shorten(house.keeping.checkpoints.file, by)
    with pytest.raises(LedgerDamaged, match="counts 150 records, the ledger has 120: those from 121 on are lost"):
        asyncio.run(started(house))


def test_its_loss_is_accepted_aloud(house):
    """LED-12: as much is given up as half a note says, in another epoch; it makes room for the next one."""
    filled(house)
    house.sql(*CUT)
    shorten(house.keeping.checkpoints.file, 30)
    assert asyncio.run(started(house, accept_loss=True)) == Stamp(3, 1, 0)
    assert [note.remarks for note in house.notes() if note.remarks] == [("lost 121 150",)]
    assert house.keeping.checkpoints.rest() == ""
    assert asyncio.run(started(house)) == Stamp(3, 1, 0)


@pytest.mark.parametrize("accept_loss", [False, True])
@pytest.mark.parametrize("junk", [None, *JUNK])
def test_half_a_note_of_a_crash_is_no_loss(house, caplog, junk, accept_loss):
    """LED-12: the table has the checkpoint, the log says what stood there, and play goes on in the same epoch."""
    filled(house)
    file = house.keeping.checkpoints.file
    if junk is None:
        shorten(file, 30)
    else:
        file.write_bytes(file.read_bytes() + junk)
    assert asyncio.run(started(house, accept_loss=accept_loss)) == Stamp(1, 2, 0)
    assert "bytes that are no whole checkpoint, as a crash may leave behind" in caplog.text
    assert house.keeping.checkpoints.rest() == ""
    assert house.notes()[-1].size == 150
    caplog.clear()
    asyncio.run(started(house))
    assert "no whole checkpoint" not in caplog.text


def test_a_check_names_what_half_a_note_counts(config):
    """LED-16: cut off; where nothing is, half a note is a note, until the next start has put a whole one there."""
    file = config.parent / "checkpoints"
    shorten(file, 30)
    code, said = ledger("check", config=config)
    assert (code, "note: the checkpoint file ends in 238 bytes" in said) == (0, True), said
    sql(config, "DELETE FROM records WHERE seq > 5", "DELETE FROM checkpoints WHERE size > 5")
    code, said = ledger("check", config=config)
    assert (code, said.split("\n")[0]) == (
        1,
        "cut off: record 6: half a note at the end of the checkpoint file counts 7 records, 5 are here",
    )


def test_a_start_clears_it_away(config):
    """LED-12: what the table has is written whole, and nothing is left to say."""
    shorten(config.parent / "checkpoints", 30)
    asyncio.run(evening(config, [("alice", "roll 5d10 h0")]))
    code, said = ledger("check", config=config)
    assert (code, "checkpoint file" in said) == (0, False), said


async def test_a_bot_that_runs_leaves_none(house):
    """LED-12: a note is whole or is not there."""
    async with house.open() as notary:
        await roll(notary)
        await notary.sign()
        assert house.keeping.checkpoints.rest() == ""


@pytest.mark.parametrize(
    ("rest", "counted"),
    [
        ("", 0),
        ("a/b\n270\nAAAA", 270),
        ("a/b\r\n270\r\nAAAA", 270),
        ("a/b\n27", 27),
        ("noise\n\na/b\n5\nx\n\na/b\n7\nx", 7),
        ("xa/b\n270\n", 0),
        ("a/bc\n270\n", 0),
        ("a/b\n-270\n", 0),
        ("a/b\n\u0662\n", 0),
    ],
)
def test_how_much_it_counts(rest, counted):
    """LED-12: whatever number can still be read, of this ledger's notes alone."""
    assert claimed(rest, "a/b") == counted

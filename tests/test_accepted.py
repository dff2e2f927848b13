"""LED-12, LED-16: what was accepted with `--accept-loss` is told by a check, and wrong no more."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from exported import checked
from operating import evening, ledger, sql

from ircdice.cli.configured import loaded
from ircdice.cli.kept import kept
from ircdice.ledger import opening

DAMAGED = "are damaged, and accepted as such"


async def accepted(config):
    """A start that accepts whatever there is, and a clean end."""
    async with kept(loaded(config), accept_loss=True):
        pass


def in_file(config, number):
    """The note of that number in the file of checkpoints is written over."""
    file = config.parent / "checkpoints"
    notes = file.read_text().split("\n\n")
    file.write_text("\n\n".join(notes).replace(notes[2 * number - 2], "dice\n7\nAAAA", 1))


def epochs(config):
    """How many have begun; the one that was committed to before a loss was accepted serves no roll."""
    with closing(sqlite3.connect(config.parent / "ledger.db")) as database:
        return database.execute("SELECT count(*) FROM begun").fetchone()[0]


# A note that a start reads is the last: behind it a new epoch begins. Whether it is no note or has another root is
# alike. No record is given up with it: those that are here are the ones that every other checkpoint counts.
DAMAGES = {
    "the last of the table": (lambda config: sql(config, "UPDATE checkpoints SET note = 'x' WHERE number = 3"), True),
    "one of the table": (lambda config: sql(config, "UPDATE checkpoints SET note = 'x' WHERE number = 1"), False),
    "another root": (
        lambda config: sql(
            config, "UPDATE checkpoints SET note = replace(note, char(10)||'7'||char(10), char(10)||'6'||char(10))"
        ),
        True,
    ),
    "the last of the file": (lambda config: in_file(config, 3), True),
    "one of the file": (lambda config: in_file(config, 1), False),
    "the last of both": (
        lambda config: (sql(config, "UPDATE checkpoints SET note = 'x' WHERE number = 3"), in_file(config, 3)),
        True,
    ),
    "all of the table": (lambda config: sql(config, "UPDATE checkpoints SET note = 'x'||number"), True),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_note_that_was_accepted_is_a_note(config, what, tmp_path):
    """LED-12, LED-16: the checkpoint that goes on from there names it by its hash; what else is damaged is told."""
    damage, last = DAMAGES[what]
    damage(config)
    code, said = ledger("check", config=config)
    assert (code, "no checkpoint: " in said) == (1, True), said
    asyncio.run(accepted(config))
    code, said = ledger("check", config=config)
    assert (code, DAMAGED in said, "gives up what was recorded" in said) == (0, True, False), said
    assert epochs(config) == (3 if last else 1)
    asyncio.run(evening(config, [("alice", "roll 5d10 h0")]))
    asyncio.run(accepted(config))  # there is nothing more to accept
    code, said = ledger("check", config=config)
    assert (code, said.count(DAMAGED), (config.parent / "checkpoints").read_text().count("void ")) == (
        0,
        2 if "both" in what else 1,
        {"the last of both": 2, "all of the table": 3}.get(what, 1),
    ), said
    ledger("export", tmp_path / "out.jsonl", config=config)
    code, said = checked(tmp_path / "out.jsonl")
    assert code == 0, said
    sql(config, "UPDATE checkpoints SET note = 'y' WHERE number = 2")
    code, said = ledger("check", config=config)
    assert (code, "the ledger: no checkpoint: a note is" in said) == (1, True), said


def test_what_is_gone_is_no_damaged_note_that_was_accepted(config):
    """LED-16: a note that is damaged in table and file alike excuses none that somebody takes away elsewhere."""
    for _ in range(3):
        asyncio.run(evening(config, [("alice", "roll 5d10 h0")]))
    sql(config, "UPDATE checkpoints SET note = 'x' WHERE number = 2")
    in_file(config, 2)
    asyncio.run(accepted(config))
    code, said = ledger("check", config=config)
    assert (code, DAMAGED in said) == (0, True), said
    sql(config, "DELETE FROM checkpoints WHERE number = (SELECT min(number) FROM checkpoints WHERE size = 10)")
    code, said = ledger("check", config=config)
    assert (code, "record 10: the ledger lacks checkpoints of the checkpoint file, 1 in all" in said) == (1, True), said


def test_what_was_accepted_before_takes_no_room_of_what_is_damaged_now(config, monkeypatch):
    """LED-12: so many may be damaged at one time, and not ever."""
    monkeypatch.setattr(opening, "MOST_VOID", 1)
    for number in (1, 2):
        sql(config, f"UPDATE checkpoints SET note = 'x{number}' WHERE number = {number}")
        asyncio.run(accepted(config))
        code, said = ledger("check", config=config)
        assert (code, f"{number} of what should be checkpoints {DAMAGED}" in said) == (0, True), said


def test_records_that_went_with_a_damaged_note_are_given_up(config):
    """LED-12: the table's last checkpoint is damaged, and records that the file has seen are gone: from there on."""
    sql(config, "DELETE FROM records WHERE seq > 5", "UPDATE checkpoints SET note = 'x' WHERE number = 3")
    asyncio.run(accepted(config))
    code, said = ledger("check", config=config)
    assert (code, "gives up what was recorded from 6 on" in said) == (0, True), said
    assert epochs(config) == 3


def test_nothing_is_called_lost_where_the_last_note_of_the_file_is_damaged(config, caplog):
    """LED-12: every record is there, and the log says what is damaged."""
    in_file(config, 3)
    asyncio.run(accepted(config))
    assert "lost " not in (config.parent / "checkpoints").read_text()
    assert [record.message for record in caplog.records if "accepted" in record.message] == [
        "accepted: 1 checkpoints are damaged",
        "accepted: the last is one of them; gone on with is the one of 7 records",
    ]


def test_records_that_a_damaged_note_of_the_file_still_counts_are_given_up(config):
    """LED-12: its signature is wrong, and it says how many there were: those that are not here."""
    file = config.parent / "checkpoints"
    before, _, after = file.read_text().rpartition("\n7\n")
    file.write_text(f"{before}\n9\n{after}")
    asyncio.run(accepted(config))
    code, said = ledger("check", config=config)
    assert (code, "gives up what was recorded from 8 on" in said, DAMAGED in said) == (0, True, True), said
    assert "\nlost 8 9\n" in file.read_text()
    assert epochs(config) == 3


TREES = {
    "the last": "UPDATE checkpoints SET frontier = x'00' WHERE number = 3",
    "gone": "UPDATE checkpoints SET frontier = x'' WHERE number = 3",
    "all": "UPDATE checkpoints SET frontier = zeroblob(96)",
    "its size": "UPDATE checkpoints SET size = 5 WHERE number = 3",
    "the first": "UPDATE checkpoints SET frontier = x'00' WHERE number = 1",
}


@pytest.mark.parametrize("what", TREES)
def test_a_tree_beside_a_checkpoint_is_made_anew(config, what, caplog):
    """LED-12: the leaves come to what was signed, so that nothing is lost, nor any epoch ended."""
    sql(config, TREES[what])
    assert "the tree that is kept with a checkpoint" in ledger("check", config=config)[1]
    asyncio.run(accepted(config))
    code, said = ledger("check", config=config)
    assert (code, "gives up" in said, epochs(config)) == (0, False, 1), said
    assert "checkpoints were altered; the leaves come to what was signed" in caplog.text


def test_a_tree_of_leaves_that_are_others_stays_as_it_is(config):
    """LED-16: a leaf was altered with it; then all of it is given up."""
    sql(config, TREES["the last"], "UPDATE records SET leaf = zeroblob(32) WHERE seq = 2")
    asyncio.run(accepted(config))
    code, said = ledger("check", config=config)
    assert (code, "gives up what was recorded from" in said) == (0, True), said

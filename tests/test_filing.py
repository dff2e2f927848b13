"""What `ircdice ledger check` says of a file of checkpoints that is gone, cut or written over (LED-12, LED-16)."""

import asyncio

import pytest
from operating import evening, ledger, sql

NONE = "missing: the checkpoint file has none of the 5 checkpoints: the database alone says how many records"
LACKS = "note: the checkpoint file lacks {} of the ledger's 5 checkpoints, the first of them counts {} records"


@pytest.fixture
def file(config):
    """The file of a bot that has played two evenings."""
    asyncio.run(evening(config, [("alice", "roll 5d10 h0")]))
    return config.parent / "checkpoints"


GONE = {
    "taken away": lambda file: file.unlink(),
    "empty": lambda file: file.write_bytes(b""),
    "noise": lambda file: file.write_bytes(b"\xff\0 noise" * 500),
    "of another ledger": lambda file: file.write_bytes(
        file.read_bytes().replace(b"irc.example.net/", b"irc.example.org/")
    ),
}


@pytest.mark.parametrize("what", GONE)
def test_a_file_of_which_nothing_is_left_is_named(config, file, what):
    """LED-12: cut off together with its checkpoints, the ledger would agree with itself; a start writes it anew."""
    GONE[what](file)
    code, said = ledger("check", config=config)
    assert (code, NONE in said) == (1, True), said
    assert said.endswith(": broken\n") == (what != "of another ledger"), said
    if what != "of another ledger":
        asyncio.run(evening(config, [("alice", "roll 5d10 h0")]))
        code, said = ledger("check", config=config)
        assert (code, "checkpoint file" in said) == (0, False), said


@pytest.mark.parametrize(("left", "lacking"), [(0.3, (4, 0)), (0.5, (3, 7)), (0.9, None), (1, None)])
def test_a_file_that_lacks_some_is_a_note(config, file, left, lacking):
    """LED-12: its end may be behind by one, where the bot was killed; what is cut off further is told."""
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * left)])
    code, said = ledger("check", config=config)
    assert (code, "lacks" in said) == (0, lacking is not None), said
    assert lacking is None or LACKS.format(*lacking) in said, said


def test_what_is_lacking_at_its_beginning_is_a_note(config, file):
    """LED-12: nobody puts those back, and the later ones count the same records."""
    content = file.read_bytes()
    file.write_bytes(content[content.index(b"irc.example.net", len(content) // 3) :])
    code, said = ledger("check", config=config)
    assert (code, "lacks 2 of the ledger's 5 checkpoints, the first of them counts 0 records" in said) == (0, True), (
        said
    )


def test_a_note_that_is_damaged_is_told_once(config, file):
    """LED-16: of which checkpoint it was one need not be said as well."""
    file.write_bytes(file.read_bytes().replace(b"\n7\n", b"\n6\n", 1))
    code, said = ledger("check", config=config)
    assert (code, said.count("the checkpoint file")) == (1, 1), said


def test_an_import_has_no_such_file(config, file, tmp_path):
    """LED-07: nobody plays on with it; what came with it is all that it is held against."""
    ledger("export", tmp_path / "out.jsonl", config=config)
    other = tmp_path / "other" / "config.ini"
    other.parent.mkdir()
    other.write_text(config.read_text())
    other.chmod(0o600)
    ledger("import", tmp_path / "out.jsonl", config=other)
    code, said = ledger("check", config=other)
    assert (code, "checkpoint file" in said) == (0, False), said


def test_a_ledger_that_has_no_checkpoint_lacks_none_in_the_file(config, file):
    """LED-16: then the file has what the table has not."""
    sql(config, "DELETE FROM checkpoints")
    code, said = ledger("check", config=config)
    assert (code, "the ledger lacks checkpoints of the checkpoint file" in said, "has none" in said) == (1, True, False)

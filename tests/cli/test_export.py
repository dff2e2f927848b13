"""LED-07, LED-19: ircdice ledger export and import."""

import asyncio
import json

import pytest
from exported import checked
from operating import CONFIG, evening, ledger, sql

from ircdice.ledger.paths import Paths


def empty(folder):
    """The config of a bot that has not played."""
    path = folder / "other" / "config.ini"
    path.parent.mkdir()
    path.write_text(CONFIG)
    return path


def test_an_export_is_checked_without_our_code(config, tmp_path):
    """LED-19: the example checker, alone; with the seed once the epoch is published."""
    export = tmp_path / "ledger.jsonl"
    assert ledger("reveal", config=config) == (0, "published: 1\n")
    assert ledger("export", export, config=config)[0] == 0
    code, said = checked(export)
    assert code == 0, said
    assert "dice of 5 commands proved" in said


def test_an_export_is_read_back(config, tmp_path):
    """LED-07: into an empty ledger, arriving at the same roots; not into one that has begun."""
    export = tmp_path / "ledger.jsonl"
    ledger("export", export, config=config)
    other = empty(tmp_path)
    code, said = ledger("import", export, config=other)
    assert code == 0, said
    assert said.startswith("8 records of irc.example.net/ircdice")
    code, said = ledger("import", export, config=config)
    assert code == 2
    assert "empty ledger" in said


def test_private_rolls_stay_private(config, tmp_path):
    """LED-07: an export withholds them unless they are asked for."""
    asyncio.run(evening(config, [("dora", "roll 3d10 h1")], None))
    public, whole = tmp_path / "public.jsonl", tmp_path / "whole.jsonl"
    ledger("export", public, config=config)
    ledger("export", "--private", whole, config=config)
    assert "dora" not in public.read_text()
    assert "dora" in whole.read_text()
    assert '"withheld":"private"' in public.read_text()


@pytest.mark.parametrize(("said", "channel"), [("roll 5d10 h1 vs @bob # mine", "#dice"), ("roll 3d10 h1", None)])
def test_led_25_what_somebody_marked_as_withheld_is_withheld(config, tmp_path, said, channel):
    """LED-17, LED-25: of a record that was set so in the database alone nothing goes out in place of the reason."""
    asyncio.run(evening(config, [("dora", said)], channel))
    sql(config, "UPDATE records SET kind = 'withheld' WHERE seq = (SELECT max(seq) FROM records)")
    export = tmp_path / "x.jsonl"
    assert ledger("export", export, config=config)[0] == 0
    last = [line for line in export.read_text().splitlines() if '"type":"record"' in line][-1]
    assert json.loads(last).keys() == {"type", "seq", "leaf", "withheld"}
    assert json.loads(last)["withheld"] == "redacted"
    assert "altered: record " in ledger("check", config=config)[1]


def imported(config, tmp_path):
    """The config of an empty ledger into which that one was read."""
    ledger("export", tmp_path / "x.jsonl", config=config)
    other = empty(tmp_path)
    assert ledger("import", tmp_path / "x.jsonl", config=other)[0] == 0
    return other


def test_what_was_taken_in_is_checked_without_keys(config, tmp_path):
    """LED-07: leaves, and roots by the key that came with the export; that tags were not looked at is told."""
    other = imported(config, tmp_path)
    code, said = ledger("check", config=other)
    assert (code, "tags not at all" in said) == (0, True), said
    sql(other, "UPDATE records SET line = 'mallory: Critical' WHERE seq = 5")
    assert ledger("check", config=other)[0] == 1
    sql(other, "DELETE FROM records WHERE seq > 5")
    assert "cut off: record 6" in ledger("check", config=other)[1]


@pytest.mark.parametrize("file", ["ledger.db", "tag.keys", "signing.key", "checkpoints", "config.ini", "seeds/1"])
def test_an_export_is_written_over_nothing_of_the_bots(config, file):
    """LED-07: whoever names the wrong file loses nothing."""
    before = (config.parent / file).read_bytes()
    code, said = ledger("export", config.parent / file, config=config)
    assert (code, "is the bot's own" in said) == (2, True), said
    assert (config.parent / file).read_bytes() == before


def test_an_export_that_fails_leaves_the_last_one(config, tmp_path):
    """LED-07: the file is there whole or not at all; one with private rolls is for its owner."""
    target = tmp_path / "x.jsonl"
    assert ledger("export", "--private", target, config=config)[0] == 0
    assert target.stat().st_mode & 0o077 == 0
    before = target.read_bytes()
    assert ledger("export", target, config=tmp_path / "none.ini")[0] == 2
    (config.parent / "signing.key").unlink()
    assert ledger("export", target, config=config)[0] == 2
    assert target.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["home", "x.jsonl"]


def test_an_export_with_a_key_that_nobody_knows_is_refused(config, tmp_path):
    """LED-07: by its line, and nothing of it is taken in."""
    export = tmp_path / "x.jsonl"
    ledger("export", export, config=config)
    before, after = export.read_text().split('"seq":1,')
    export.write_text(f'{before}"seq":1,"extra":"mallory: Critical",{after}')
    line = f"line {len(before.splitlines())} "
    other = empty(tmp_path)
    code, said = ledger("import", export, config=other)
    assert (code, f"{line}of the export is not valid" in said, "extra" in said) == (2, True, True), said
    code, said = checked(export)
    assert (code, said.startswith(f"altered: record 1: {line}")) == (1, True), said


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda whole: whole[: whole.index(b'{"type":"epoch"')], "epoch 1 is not in the list of epochs"),
        (lambda whole: whole[:-3], "is not valid"),
        (lambda whole: whole[:900] + b"\xff" + whole[900:], "the export is not UTF-8"),
        (lambda whole: whole + whole, "an export begins with its log, and has only one"),
        (lambda whole: whole.replace(b"\n", b"\r\n"), None),
        (lambda whole: whole.rstrip(), None),
    ],
)
def test_an_export_that_suffered_on_its_way(config, tmp_path, spoil, said):
    """LED-07: cut anywhere, doubled, not UTF-8: a sentence; other line ends do no harm."""
    ledger("export", tmp_path / "x.jsonl", config=config)
    (tmp_path / "x.jsonl").write_bytes(spoil((tmp_path / "x.jsonl").read_bytes()))
    other = empty(tmp_path)
    code, told = ledger("import", tmp_path / "x.jsonl", config=other)
    assert (code, said is None or said in told) == (2 if said else 0, True), told


def test_an_import_that_fails_leaves_what_was_there(config, tmp_path):
    """LED-07: no ledger if there was none, so that the next import finds an empty place; else what was there."""
    whole, cut = tmp_path / "x.jsonl", tmp_path / "cut.jsonl"
    ledger("export", whole, config=config)
    cut.write_bytes(whole.read_bytes()[:-3])
    other = empty(tmp_path)
    for _ in range(2):
        assert ledger("import", cut, config=other)[0] == 2
        code, said = ledger("check", config=other)
        assert (code, "there is no ledger" in said) == (2, True), said
    assert ledger("import", whole, config=other)[0] == 0
    before = (other.parent / "ledger.db").read_bytes()
    assert ledger("import", cut, config=other)[0] == 2
    assert (other.parent / "ledger.db").read_bytes() == before


def test_an_import_beside_a_running_bot_is_refused(config, tmp_path):
    """LED-04: whose ledger it would be read into; what is there stays."""
    ledger("export", tmp_path / "x.jsonl", config=config)
    before = sorted(config.parent.iterdir())
    with Paths(config.parent, "sqlite:///ledger.db").lock():
        code, said = ledger("import", tmp_path / "x.jsonl", config=config)
    assert (code, "another ircdice runs on this folder" in said) == (2, True), said
    assert sorted(config.parent.iterdir()) == before

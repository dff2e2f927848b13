"""Backups that are taken while something is going on: each can be put back, and is sound (LED-07, LED-18)."""

import asyncio
from itertools import count

import pytest
from exported import checked
from operating import evening, ledger

from ircdice.cli.configured import loaded
from ircdice.cli.kept import keeping, kept
from ircdice.ledger import backup
from ircdice.ledger.keys import SigningKeyFile
from ircdice.ledger.notary import Notary

ROLLS = [("alice", "roll 5d10 h0"), ("bob", "roll 4d6k3")]
CHANGES = {"tags": ("keys", "--rotate", "tag"), "signatures": ("keys", "--rotate", "signing"), "an epoch": ("reveal",)}


def sound(config, folder):
    """Nobody who checks the ledger of `config`, with our code or without, finds anything."""
    asyncio.run(evening(config, ROLLS))
    code, said = ledger("check", config=config)
    assert code == 0, said
    export = folder / "x.jsonl"
    assert ledger("export", export, config=config)[0] == 0
    assert checked(export)[0] == 0


@pytest.mark.parametrize("step", range(10))
@pytest.mark.parametrize("what", CHANGES)
def test_led_18_whatever_is_renewed_while_it_is_taken(config, tmp_path, monkeypatch, what, step):
    """LED-07, LED-18: between any two files the bot may be stopped, its keys or seeds renewed, and play go on."""
    steps = count()

    def interrupted(copy):
        def copied(source, target):
            copy(source, target)
            if next(steps) == step:
                assert ledger(*CHANGES[what], config=config)[0] == 0
                asyncio.run(evening(config, ROLLS))

        return copied

    with monkeypatch.context() as patched:
        for name in ("_copied", "_database"):
            patched.setattr(backup, name, interrupted(getattr(backup, name)))
        backup.back_up(keeping(loaded(config)), config, tmp_path / "backup")
    code, said = ledger("restore", tmp_path / "backup", tmp_path / "again")
    assert code == 0, said
    sound(tmp_path / "again" / "config.ini", tmp_path)


def test_led_13_a_seed_that_is_being_written_is_none(config, tmp_path):
    """LED-13: under its name it stands once it is whole; what stands beside may be gone before it is copied."""
    (config.parent / "seeds" / ".3.0123456789abcdef").write_text("0")
    assert ledger("backup", tmp_path / "backup", config=config)[0] == 0
    assert sorted(file.name for file in (tmp_path / "backup" / "seeds").iterdir()) == ["1", "2"]


@pytest.mark.parametrize(("owner", "step"), [(Notary, "sign"), (SigningKeyFile, "rotate")])
def test_led_18_a_rotation_that_broke_off(config, tmp_path, monkeypatch, owner, step):
    """LED-18: the new key stands beside the old one, and may be the only one that still signs."""

    def dies(*_):
        raise OSError("the machine dies")

    async def rotating():
        async with kept(loaded(config)) as notary:
            monkeypatch.setattr(owner, step, dies)
            await notary.rotate_signing_key()

    with pytest.raises(OSError, match="the machine dies"):
        asyncio.run(rotating())
    monkeypatch.undo()
    assert ledger("backup", tmp_path / "backup", config=config)[0] == 0
    assert ledger("restore", tmp_path / "backup", tmp_path / "again")[0] == 0
    sound(tmp_path / "again" / "config.ini", tmp_path)
    assert not (tmp_path / "again" / "signing.key.next").exists()

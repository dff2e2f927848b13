"""Backups, taken whatever is going on, and put back on a machine that has nothing else (LED-07, LED-18)."""

import asyncio
import resource
import signal
import sqlite3
from contextlib import closing
from itertools import count

import pytest
from exported import checked
from operating import CONFIG, evening, ledger

from ircdice.bot import Message
from ircdice.cli.configured import loaded
from ircdice.cli.kept import keeping, kept, ready_bot
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import backup
from ircdice.ledger.keys import SigningKeyFile
from ircdice.ledger.notary import Notary

ROLLS = [("alice", "roll 5d10 h0"), ("bob", "roll 4d6k3")]
CHANGES = {"tags": ("keys", "--rotate", "tag"), "signatures": ("keys", "--rotate", "signing"), "an epoch": ("reveal",)}


def test_a_backup_brings_a_dead_machine_back(config, tmp_path):
    """LED-07: database, keys, seeds, checkpoints and config; the dice go on in a new epoch, so that none come twice."""
    into, again = tmp_path / "backup", tmp_path / "again"
    assert ledger("backup", into, config=config)[0] == 0
    assert {file.name for file in into.iterdir()} == {
        *("checkpoints", "config.ini", "ledger.db", "seeds", "signing.key", "tag.keys")
    }
    assert all(file.stat().st_mode & 0o077 == 0 for file in into.iterdir() if file.name not in ("checkpoints",))
    code, said = ledger("restore", into, again)
    assert code == 0, said
    assert ledger("check", config=again / "config.ini")[0] == 0
    posted = asyncio.run(evening(again / "config.ini", [("alice", "wp 1 #2"), ("alice", "roll 5d10 h0")]))
    assert posted[1].startswith("alice: ")
    with closing(sqlite3.connect(again / "ledger.db")) as database:
        assert database.execute("SELECT epoch, counter FROM records ORDER BY seq DESC LIMIT 1").fetchone()[0] == 3
    code, said = ledger("restore", into, again)
    assert (code, "there already" in said) == (2, True)


@pytest.mark.parametrize(
    ("room", "said"),
    [(100, "File too large: '{into}/checkpoints'"), (20_000, "the ledger cannot be copied to {into}/led")],
)
def test_a_backup_that_finds_no_room_names_where(config, tmp_path, room, said):
    """LED-07: not what it copies; and it leaves nothing that could be taken for a backup."""
    into = tmp_path / "kept"
    limits, heard = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
        with pytest.raises((OSError, LedgerUnavailable), match=said.format(into=into)):
            backup.back_up(keeping(loaded(config)), config, into)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, heard)
    assert not into.exists()


def test_a_backup_is_taken_while_the_bot_plays(config, tmp_path):
    """LED-07: live; whoever plays on does not notice."""

    async def scene():
        whole = loaded(config)
        async with kept(whole) as notary:
            bot = await ready_bot(notary, whole)
            code, said = await asyncio.to_thread(ledger, "backup", tmp_path / "backup", config=config)
            return code, said, await bot.hear(Message("home", "#dice", "alice", "roll 5d10 h0"))

    code, said, replies = asyncio.run(scene())
    assert code == 0, said
    assert replies[0].text.startswith("alice: ")


def test_what_a_backup_leaves_out_is_told(config, tmp_path):
    """LED-07: whoever restores it on another machine needs the files of passwords as well."""
    secret = config.parent / "nickserv"
    secret.write_text("hunter2")
    secret.chmod(0o600)
    config.write_text(CONFIG.replace("channels", "nickserv_password_file = nickserv\nchannels", 1))
    code, said = ledger("backup", tmp_path / "backup", config=config)
    assert code == 0, said
    assert f"not in it, though the config names it: {secret}\n" in said


def test_a_restore_that_is_refused_leaves_nothing(config, tmp_path):
    """LED-07: the config of the backup names a folder where a bot is; the next try finds its place free."""
    assert ledger("backup", tmp_path / "backup", config=config)[0] == 0
    saved = tmp_path / "backup" / "config.ini"
    text = saved.read_text()
    saved.write_text(f"[bot]\ndata = {config.parent}\n{text}")
    code, said = ledger("restore", tmp_path / "backup", tmp_path / "new")
    assert (code, "a backup is put back where nothing is" in said) == (2, True), said
    saved.write_text(text)
    assert ledger("restore", tmp_path / "backup", tmp_path / "new")[0] == 0
    assert ledger("check", config=config)[0] == 0


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

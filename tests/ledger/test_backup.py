"""Backups, taken while the bot plays, and restored on a machine that has nothing else (LED-07, LED-13, LED-18)."""

import asyncio
import os
import shutil

import pytest

from ircdice.errors import LedgerDamaged, LedgerUnavailable
from ircdice.ledger.archive import back_up, put_back

from .evening import ORIGIN, Evening


@pytest.fixture
def config(tmp_path):
    """A config file, of which nothing is read here."""
    file = tmp_path / "config.ini"
    file.write_text("[bot]\n")
    return file


@pytest.fixture
def urls(request, url):
    """Two empty databases of one kind."""
    if url.startswith("sqlite"):
        return "sqlite:///ledger.db", "sqlite:///ledger.db"
    return url, request.getfixturevalue("postgresql").database()


async def test_led_07_a_backup_brings_everything_back(urls, tmp_path, config):
    """LED-07, LED-13: every record as it was, and new dice for what comes: none of those that are lost."""
    played, again = Evening(tmp_path / "house", urls[0]), Evening(tmp_path / "again", urls[1])
    await played.play_all()
    back_up(played.paths, config, tmp_path / "backup")
    kept = played.records
    lost = await played.play(*["alice #fu: roll 40d10 h0"] * 3)
    put_back(tmp_path / "backup", again.paths)
    again.now = played.now
    rolled = await again.play(*["alice #fu: roll 40d10 h0"] * 3)
    assert [record.leaf for record in again.records[: len(kept)]] == [record.leaf for record in kept]
    assert {record.draft.stamp.epoch for record in rolled}.isdisjoint({0, 1, 2, 3}), "neither the running nor the next"
    assert not {record.draft.draws for record in rolled} & {record.draft.draws for record in lost}
    assert again.check().findings == ()


async def test_led_13_only_the_first_start_after_a_restore_begins_an_epoch(played, tmp_path, config):
    """LED-13: the next start continues it."""
    back_up(played.paths, config, tmp_path / "backup")
    again = played.moved(tmp_path / "again")
    put_back(tmp_path / "backup", again.paths)
    (first,) = await again.play("alice #fu: roll 5d10 h0")
    (second,) = await again.play("alice #fu: roll 5d10 h0")
    assert second.draft.stamp.epoch == first.draft.stamp.epoch


async def test_led_07_a_backup_is_taken_while_the_bot_plays(played, tmp_path, config):
    """LED-07: nobody waits for it, and what was copied belongs together."""
    async with played.open():
        await asyncio.to_thread(back_up, played.paths, config, tmp_path / "backup")
    names = {file.name for file in (tmp_path / "backup").iterdir()}
    assert names == {"checkpoints", "config.ini", "ledger.db", "seeds", "signing.key", "tag.keys"}
    again = played.moved(tmp_path / "again")
    put_back(tmp_path / "backup", again.paths)
    assert again.check().findings == ()


def test_led_07_a_backup_is_secret(played, tmp_path, config):
    """LED-07: it holds keys and seeds; only its owner can read them."""
    back_up(played.paths, config, tmp_path / "backup")
    secrets = [tmp_path / "backup" / name for name in (".", "ledger.db", "seeds", "signing.key", "tag.keys", "seeds/1")]
    assert [file.name for file in secrets if file.stat().st_mode & 0o077] == []


@pytest.mark.parametrize("earlier", [False, True])
async def test_led_18_an_interrupted_rotation_is_backed_up(played, tmp_path, config, earlier):
    """LED-18: the new key may be the only one that still signs, also where an earlier version kept it."""
    file = played.paths.signing_keys(ORIGIN)
    async with played.open() as ledger:
        before = file.file.read_text()
        await ledger.rotate_signing_key()
    new = file.file.read_text().splitlines()[-1]
    if earlier:
        file.file.write_text(before)
        file.file.with_name("signing.key.next").write_text(new)
    else:
        file.file.write_text(before + new.replace("private", "next"))
    back_up(played.paths, config, tmp_path / "backup")
    again = played.moved(tmp_path / "again")
    put_back(tmp_path / "backup", again.paths)
    await again.play("alice #fu: roll 5d10 h0")
    assert again.check().findings == ()


def test_led_18_a_backup_during_a_rotation_is_refused(played, tmp_path, config):
    """LED-18: its keys would be older than its records."""

    class Late(type(config)):
        """The config, copied last, and only after a key was rotated."""

        def exists(self):
            played.paths.tag_keys.rotate(1_000)
            return super().exists()

    with pytest.raises(LedgerUnavailable, match="rotated meanwhile"):
        back_up(played.paths, Late(config), tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_led_07_a_backup_that_fails_leaves_nothing(played, tmp_path, config):
    """LED-07: half a backup cannot be taken for one."""
    played.paths.tag_keys.file.unlink()
    played.paths.tag_keys.file.mkdir()
    with pytest.raises(OSError, match="Is a directory"):
        back_up(played.paths, config, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.parametrize("size", [0, 60_000])
def test_led_07_a_restore_that_fails_leaves_nothing(played, tmp_path, config, size):
    """LED-07: after a truncated backup, a good one can be restored to the same place."""
    back_up(played.paths, config, tmp_path / "good")
    shutil.copytree(tmp_path / "good", tmp_path / "cut")
    os.truncate(tmp_path / "cut" / "ledger.db", size)
    again = played.moved(tmp_path / "again")
    with pytest.raises(LedgerDamaged, match="the backup cannot be restored"):
        put_back(tmp_path / "cut", again.paths)
    assert list(again.paths.data.iterdir()) == []
    put_back(tmp_path / "good", again.paths)
    assert again.check().findings == ()


def test_led_07_nothing_is_overwritten(played, tmp_path, config):
    """LED-07: a backup goes into an empty folder, and is restored where there is no ledger."""
    back_up(played.paths, config, tmp_path / "backup")
    with pytest.raises(LedgerUnavailable, match="is not empty"):
        back_up(played.paths, config, tmp_path / "backup")
    with pytest.raises(LedgerUnavailable, match="already exists"):
        put_back(tmp_path / "backup", played.paths)
    with pytest.raises(LedgerUnavailable, match="is no backup"):
        put_back(tmp_path / "house", played.moved(tmp_path / "other").paths)
    assert played.check().findings == ()

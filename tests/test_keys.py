"""The files of keys and seeds (LED-10, LED-12, LED-13, LED-18): made once, whole, for their owner's eyes."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from ircdice.ledger.notes import Checkpoint, sign, succession

from ircdice.errors import KeysError
from ircdice.ledger.keys import SeedFiles, SigningKeyFile, TagKeyFile, exposed

ORIGIN = "irc.example.net/ircdice"


@pytest.fixture
def tags(tmp_path):
    return TagKeyFile(tmp_path / "data" / "tag.keys")


@pytest.fixture
def signing(tmp_path):
    return SigningKeyFile(tmp_path / "data" / "signing.key", ORIGIN)


@pytest.fixture
def seeds(tmp_path):
    return SeedFiles(tmp_path / "data" / "seeds")


def mode(file):
    return stat.S_IMODE(file.stat().st_mode)


def test_led_13_files_are_their_owners(tags, signing, seeds):
    """LED-13: mode 0600, whatever the umask, in folders of mode 0700; nothing else is left lying about."""
    before = os.umask(0)
    try:
        tags.load(), signing.load(), seeds.make(1)
    finally:
        os.umask(before)
    folder = tags.file.parent
    assert {str(file.relative_to(folder)) for file in folder.rglob("*")} == {
        "tag.keys",
        "signing.key",
        "seeds",
        "seeds/1",
    }
    assert {mode(file) for file in folder.rglob("*") if file.is_file()} == {0o600}
    assert mode(folder) == mode(folder / "seeds") == 0o700
    assert exposed(folder, folder / "seeds") == ()


def test_led_12_keys_are_made_once(tags, signing):
    """LED-12: a restart finds the keys of before."""
    assert tags.load() == TagKeyFile(tags.file).load()
    assert signing.load() == SigningKeyFile(signing.file, ORIGIN).load()


def test_led_12_processes_that_start_at_once_agree(tmp_path):
    """LED-12: several processes share the keys, whoever made them."""
    files = [SigningKeyFile(tmp_path / "signing.key", ORIGIN) for _ in range(16)]
    with ThreadPoolExecutor(8) as pool:
        assert len({keys.current.private for keys in pool.map(SigningKeyFile.load, files)}) == 1


def test_led_18_tag_keys_are_for_ranges(tags):
    """LED-18: a new key for later records; those before keep theirs."""
    first = tags.load().key(1)
    tags.rotate(100)
    tags.rotate(250)
    keys = tags.load()
    assert [keys.key(seq) == first for seq in (1, 99, 100, 250)] == [True, True, False, False]
    assert keys.key(100) == keys.key(249) != keys.key(250) == keys.key(10**9)
    assert mode(tags.file) == 0o600
    with pytest.raises(KeysError, match="250"):
        tags.rotate(250)


def test_led_18_the_signing_key_is_rotated(signing):
    """LED-18: the old key's private half is forgotten, its public one shows how an export begins."""
    old, new = signing.load().current, signing.successor()
    assert signing.load().current == old
    signing.rotate(new)
    keys = signing.load()
    assert keys.current == new
    assert keys.first == old.verifying
    assert old.private.hex() not in signing.file.read_text()
    assert mode(signing.file) == 0o600


def test_led_18_a_rotation_that_broke_off_at_its_very_end(signing):
    """LED-18: the file has the new key already, and the one beside it is not gone yet: nothing is rotated twice."""
    old, new = signing.load().current, signing.successor()
    beside = signing.file.with_name("signing.key.next")
    kept = beside.read_text()
    note = sign(Checkpoint(ORIGIN, 0, bytes(32), remarks=(succession(new.verifying),)), old)
    done = signing.rotate(new)
    beside.write_text(kept)
    assert signing.resumed(note) == signing.load() == done
    assert not beside.exists()


def test_led_13_an_epoch_has_one_seed(seeds):
    """LED-13: a seed that was committed to is never written over."""
    assert seeds.epochs() == ()
    made = {epoch: seeds.make(epoch) for epoch in (1, 2, 10)}
    assert len(set(made.values())) == 3
    assert seeds.epochs() == (1, 2, 10)
    with pytest.raises(KeysError):
        seeds.make(2)
    assert {epoch: seeds.read(epoch) for epoch in made} == made


@pytest.mark.parametrize(
    "content",
    ["", "\n", "1", f"1 {'0' * 63}\n", f"2 {'0' * 64}\n", f"1 {'0' * 64}\n1 {'0' * 64}\n", f"1 {'0' * 64}\nx\n", "é"],
)
def test_led_18_damaged_tag_keys(tags, content):
    """LED-18: short, out of order or torn, it is said and no key is made in its place."""
    tags.load()
    tags.file.write_text(content, "utf-8")
    with pytest.raises(KeysError, match=r"tag\.keys is damaged"):
        tags.load()
    assert tags.file.read_text("utf-8") == content


@pytest.mark.parametrize("content", ["", "private", f"private {'0' * 63}", f"{'0' * 64}", f"public {'0' * 64}\n"])
def test_led_18_a_damaged_signing_key(signing, content):
    """LED-18: the same, where the key itself is not there."""
    signing.load()
    signing.file.write_text(content)
    with pytest.raises(KeysError, match=r"signing\.key is damaged"):
        signing.load()


def test_led_13_a_seed_that_is_gone_or_short(seeds):
    """LED-13: an epoch without its seed cannot go on, and says which."""
    seeds.make(3)
    (seeds.folder / "3").write_text("00ff")
    with pytest.raises(KeysError, match="seeds/3 is damaged"):
        seeds.read(3)
    with pytest.raises(KeysError, match="seeds/4 is missing"):
        seeds.read(4)


def test_led_13_what_others_can_read_is_said(tags, seeds):
    """LED-13: mode 0600 outside the database."""
    tags.load(), seeds.make(1), seeds.make(2)
    tags.file.chmod(0o640)
    (seeds.folder / "2").chmod(0o604)
    first, second = exposed(tags.file, seeds.folder)
    assert "tag.keys can be read by others" in first
    assert "seeds/2 can be read by others" in second


def test_led_13_a_folder_that_cannot_be_written(tmp_path):
    """LED-13: one sentence for the operator."""
    (tmp_path / "data").write_text("a file")
    with pytest.raises(KeysError, match="data"):
        SeedFiles(tmp_path / "data" / "seeds").make(1)
    with pytest.raises(KeysError, match=r"tag\.keys"):
        TagKeyFile(tmp_path / "data" / "tag.keys").load()


def test_led_18_no_secret_in_a_traceback(tags, signing):
    """LED-18: nor in a log."""
    for keys in (tags.load(), signing.load()):
        assert repr(keys).startswith("<")

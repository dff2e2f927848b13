"""The files of keys and seeds: made once, readable by their owner only (LED-10, LED-12, LED-13, LED-18)."""

import os
import stat

import pytest

from ircdice.errors import KeysError
from ircdice.ledger.checkpoint import SigningKey
from ircdice.ledger.paths import SeedFiles, SigningKeyFile, SigningKeys, TagKeyFile, commitment, exposed

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
    """LED-13: mode 0600, whatever the umask, in folders of mode 0700; no other files are left."""
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
    """LED-12: a restart finds the same keys."""
    assert tags.load() == TagKeyFile(tags.file).load()
    assert signing.load() == SigningKeyFile(signing.file, ORIGIN).load()


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
    """LED-18: the old key's private half is deleted; an export is checked from its public half."""
    old, new = signing.load().current, signing.prepare()
    assert signing.load().current == old
    signing.rotate(new)
    keys = signing.load()
    assert keys.current == new
    assert keys.all == (old.verifying, new.verifying)
    assert old.private.hex() not in signing.file.read_text()
    assert mode(signing.file) == 0o600


def test_led_18_an_interrupted_rotation_is_completed(signing):
    """LED-18: once a checkpoint names the new key it signs, whenever the machine died; before that nothing changes."""
    old, new = signing.load().current, signing.prepare()
    assert signing.load(named=old.verifying) == signing.load()
    assert signing.load(named=new.verifying).current == new
    assert signing.load().all == (old.verifying, new.verifying)
    assert old.private.hex() not in signing.file.read_text()
    signing.prepare()
    assert signing.load(named=new.verifying).current == new


def test_led_18_a_rotation_that_an_earlier_version_began(signing):
    """LED-18: the new key was in a file of its own; it signs if a checkpoint names it, and is replaced otherwise."""
    own_file = signing.file.with_name("signing.key.next")
    old = signing.load().current
    own_file.write_text(f"private {'1' * 64}\n")
    named = SigningKey(ORIGIN, bytes.fromhex("1" * 64))
    assert signing.load(named=None) == signing.load(named=old.verifying) == SigningKeys(old)
    assert signing.load(named=named.verifying) == SigningKeys(named, (old.verifying,)) == signing.load()
    assert not own_file.exists()
    own_file.write_text(f"private {'2' * 64}\n")
    signing.prepare()
    assert not own_file.exists()


def test_led_18_a_rotation_is_completed_once(signing):
    """LED-18: another bot with the same key may complete it first; the new key is not stored among earlier ones."""
    old, new = signing.load().current, signing.prepare()
    completed = signing.load(named=new.verifying)
    assert signing.rotate(new) == completed == signing.load() == SigningKeys(new, (old.verifying,))


def test_led_13_a_seed_is_the_one_that_was_committed_to(seeds):
    """LED-13: each epoch has another; one that was replaced is refused."""
    made = {epoch: seeds.make(epoch) for epoch in (1, 2, 10)}
    assert len(set(made.values())) == 3
    for epoch, seed in made.items():
        assert seeds.committed(epoch, commitment(epoch, seed)) == seed
    with pytest.raises(KeysError, match="seeds/2 is not the seed that was committed to"):
        seeds.committed(2, commitment(2, made[1]))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        "1",
        f"1 {'0' * 64}\n{'9' * 5000} {'0' * 64}\n",
        f"1 {'0' * 63}\n",
        f"2 {'0' * 64}\n",
        f"1 {'0' * 64}\n1 {'0' * 64}\n",
        f"1 {'0' * 64}\nx\n",
        "é",
    ],
)
def test_led_18_damaged_tag_keys(tags, content):
    """LED-18: short, out of order or torn: it is reported, and no key is made in its place."""
    tags.load()
    tags.file.write_text(content, "utf-8")
    with pytest.raises(KeysError, match=r"tag\.keys is damaged"):
        tags.load()
    assert tags.file.read_text("utf-8") == content


@pytest.mark.parametrize(
    "content",
    [
        *("", "private", f"private {'0' * 63}", f"{'0' * 64}", f"public {'0' * 64}\n", f"next {'0' * 64}\n"),
        f"next {'0' * 64}\nprivate {'0' * 64}\n",
    ],
)
def test_led_18_a_damaged_signing_key(signing, content):
    """LED-18: the same."""
    signing.load()
    signing.file.write_text(content)
    with pytest.raises(KeysError, match=r"signing\.key is damaged"):
        signing.load()


@pytest.mark.parametrize("content", ["00ff", "seed {0}\n", "3 {0}\n", "{0}\n{0}\n"])
def test_led_13_a_missing_or_damaged_seed(seeds, content):
    """LED-13: the error names the file."""
    seed = seeds.make(3)
    promise = commitment(3, seed)
    (seeds.folder / "3").write_text(content.format(seed.hex()))
    with pytest.raises(KeysError, match="seeds/3 is damaged"):
        seeds.committed(3, promise)
    with pytest.raises(KeysError, match="seeds/4 is missing"):
        seeds.committed(4, promise)


def test_irc_05_files_that_others_can_read_are_named(tags, seeds):
    """IRC-05: one sentence for each."""
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


def test_irc_05_no_secret_in_a_traceback(tags, signing):
    """IRC-05: nor in a log."""
    for keys in (tags.load(), signing.load()):
        assert repr(keys).startswith("<")

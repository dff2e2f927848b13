"""Secrets of a config: where they may be, and that they are never shown."""

import pytest

from ircdice.config import Join

HEAD = "[network n]\nhost = x\n"
LEAST = "[network home]\nhost = irc.example.net\nchannels = #dice\n"


def test_a_secret_from_a_file_or_from_the_environment(read, tmp_path):
    """IRC-05: the environment overrides the file; a path is relative to the config."""
    (tmp_path / "pass").write_text("from file %\n")
    (tmp_path / "pass").chmod(0o600)
    text = "[network my-net]\nhost = x\npassword_file = pass\n"
    assert read(text).networks[0].password == "from file %"
    taken = read(text, IRCDICE_NETWORK_MY_NET_PASSWORD="env", IRCDICE_NETWORK_MY_NET_CHANNELS="#a key").networks[0]
    assert (taken.password, taken.channels) == ("env", (Join("#a", "key"),))


def test_channels_with_keys_from_a_file(read, tmp_path):
    """IRC-05: the keys of channels are secrets too."""
    (tmp_path / "list").write_text("#a key\n#b\n")
    (tmp_path / "list").chmod(0o600)
    assert read("[network n]\nhost = x\nchannels_file = list\n").networks[0].channels == (Join("#a", "key"), Join("#b"))


def test_a_secret_given_twice_or_not_found(faults, tmp_path):
    """IRC-05: a value and a file for it are a fault, and so is a file that cannot be read or has two lines."""
    (tmp_path / "two").write_text("a\nQUIT\n")
    assert faults(HEAD + "password = a\npassword_file = two\n") == [
        "4: [network n] password_file: repeats line 3; keep one of them"
    ]
    assert faults(HEAD + "password_file = two\n") == [
        "3: [network n] password_file: contains a control character or a line break"
    ]
    assert faults(HEAD + "password_file = none\n")[0].endswith("/none: no such file or directory")
    assert faults(HEAD + "host_file = two\n")[0].startswith("3: [network n] host_file: no such key")


def test_the_environment_is_checked_too(faults):
    """IRC-05, IRC-21: a line break in it is never sent, and one variable never sets two networks."""
    text = "[network a-b]\nhost = x\n[network a_b]\nhost = y\n"
    assert "contains a control character" in faults(LEAST, IRCDICE_NETWORK_HOME_PASSWORD="a\r\nQUIT")[0]
    assert "sets both [network a-b] and [network a_b]" in faults(text, IRCDICE_NETWORK_A_B_PASSWORD="a")[0]


def test_no_secret_is_shown(read, faults):
    """IRC-05: neither a repr nor a fault contains one."""
    config = read("[network n]\nhost = x\npassword = hunter2\nchannels = #a hunter2\n", IRCDICE_X="hunter2")
    assert "hunter2" not in repr(config) + str(config.warnings)
    faulty = ["channels = #a hunter2 x", "channels = hunter2", "channels = #b :hunter2", "password = a\n  hunter2"]
    faulty += ["proxy = hunter2", "nickserv_password = hunter2 x", "hunter2", "[bot]\nledger = hunter2"]
    for entry in (*faulty, "[bot]\nledger = postgresql+psycopg://u:hunter2@h:hunter2/d"):
        assert "hunter2" not in " ".join(faults(f"[network n]\nhost = x\n{entry}\n"))


@pytest.mark.parametrize(
    ("entry", "mode", "warned"),
    [
        ("password = x", 0o644, True),
        ("channels = #a key", 0o604, True),
        ("password = x", 0o640, False),
        ("channels = #a", 0o644, False),
        ("password =", 0o644, False),
        ("[bot]\nledger = sqlite:///rolls.db", 0o644, False),
        ("[bot]\nledger = postgresql+psycopg://me:x@db/dice", 0o644, True),
    ],
)
def test_a_config_with_a_secret_that_anyone_may_read(read, entry, mode, warned):
    """IRC-05: it gets a warning and is used."""
    assert (
        any("may be read by anyone" in str(said) for said in read(f"[network n]\nhost = x\n{entry}\n", mode).warnings)
        == warned
    )


def test_a_secret_file_that_anyone_may_read(read, tmp_path):
    """IRC-05: a file with a secret gets a warning as the config itself does."""
    (tmp_path / "pass").write_text("x")
    (tmp_path / "pass").chmod(0o644)
    (warning,) = read(LEAST + "password_file = pass\n").warnings
    assert str(warning) == f"{tmp_path / 'pass'}: holds a secret and may be read by anyone: chmod 600"


def test_what_has_no_effect_gets_a_warning(read):
    """IRC-05: a variable that names no secret, and a section of a channel that is not joined."""
    config = read(LEAST + "[channel home/#other]\nofficial = yes\n", IRCDICE_NETWORK_HOEM_PASSWORD="x")
    stray, unjoined = map(str, config.warnings)
    assert stray == "IRCDICE_NETWORK_HOEM_PASSWORD in the environment names no secret of this config"
    assert unjoined.endswith("config.ini:4: [channel home/#other]: the channel is not among its network's channels")

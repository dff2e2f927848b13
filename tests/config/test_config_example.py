"""The example config has every key with its default."""

import re
from pathlib import Path

import pytest

import ircdice
from ircdice.config import BotConfig, Join
from ircdice.config.model import KEYS, SECRETS, accepted
from ircdice.settings import ChannelSettings

PACKAGED = Path(ircdice.__file__).parent / "config.example.ini"
EXAMPLE = Path(__file__).parents[2] / "config.example.ini"


def test_the_example_is_the_packaged_one():
    """IRC-05: `config init` writes the file at the top of the repository."""
    assert EXAMPLE.read_bytes() == PACKAGED.read_bytes()


def test_the_example_loads_and_shows_the_defaults(read):
    """IRC-05: unchanged, and with every key uncommented, it is the default config."""
    text = PACKAGED.read_text("utf-8")
    whole = re.sub(r"(?m)^;(?=[a-z_]+ =)(?!\w+_file)", "", text)
    assert whole != text
    assert read(whole) == read(text)
    (network,) = read(text).networks
    assert (network.host, network.channels) == ("irc.example.net", (Join("#FU_Dice"),))
    config = read(text)
    assert config.bot == BotConfig(data=config.bot.data)
    assert read(text).channel("example", "#fu_dice") == ChannelSettings()


def test_the_unchanged_example_gets_a_warning(read):
    """IRC-05: its host does not exist."""
    (warning,) = read(PACKAGED.read_text("utf-8")).warnings
    assert str(warning).endswith(
        "[network example] host: irc.example.net is only an example: name a server of your network"
    )


@pytest.mark.parametrize("kind", ["bot", "network", "channel", "limits", "web", "metrics"])
def test_every_key_is_in_the_example(kind):
    """IRC-05: each section has its own keys, commented out or not, and no others."""
    text = PACKAGED.read_text("utf-8")
    section = re.search(rf"(?ms)^\[{kind}\b.*?(?=^\[|\Z)", text)
    assert section is not None
    known = KEYS[kind] | {f"{name}_file" for name in KEYS[kind] & SECRETS}
    assert set(re.findall(r"(?m)^;?([a-z_]+) =", section[0])) == known


def test_keys_of_a_channel_may_be_defaults():
    """V5-20: in its network's section and in [bot], but not in [limits]."""
    assert [("official" in accepted(kind)) for kind in ("bot", "network", "channel", "limits")] == [True] * 3 + [False]

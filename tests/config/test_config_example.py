"""The example config: whole, and true to what is read."""

import re
from pathlib import Path

import pytest

import ircdice
from ircdice.config import BotConfig, Join
from ircdice.config.model import accepted, schema
from ircdice.settings import ChannelSettings

SYSTEMS = ("v5", "generic")
PACKAGED = Path(ircdice.__file__).parent / "config.example.ini"
EXAMPLE = Path(__file__).parents[2] / "config.example.ini"


def test_the_example_is_the_packaged_one():
    """IRC-05: `config init` writes the very file that stands at the top."""
    assert EXAMPLE.read_bytes() == PACKAGED.read_bytes()


def test_the_example_loads_and_says_the_defaults(read):
    """IRC-05: as it stands, and with every key switched on, it is the default config."""
    text = PACKAGED.read_text("utf-8")
    whole = re.sub(r"(?m)^;(?=[a-z_]+ =)(?!\w+_file)", "", text)
    assert whole != text
    assert read(whole) == read(text)
    (network,) = read(text).networks
    assert (network.host, network.channels) == ("irc.example.net", (Join("#FU_Dice"),))
    config = read(text)
    assert config.bot == BotConfig(data=config.bot.data)
    assert read(text).channel("example", "#fu_dice") == ChannelSettings()


@pytest.mark.parametrize("kind", ["bot", "network", "channel", "limits"])
def test_every_key_stands_in_the_example(kind):
    """IRC-05: in its own section, switched on or off, and no other does."""
    text = PACKAGED.read_text("utf-8")
    section = re.search(rf"(?ms)^\[{kind}\b.*?(?=^\[|\Z)", text)
    assert section is not None
    keys = schema(SYSTEMS)
    known = keys[kind].keys() | {f"{name}_file" for name, key in keys[kind].items() if key.secret}
    assert set(re.findall(r"(?m)^;?([a-z_]+) =", section[0])) == known


def test_keys_of_a_channel_may_stand_above_it():
    """V5-20: in its network's section and in [bot], and not in [limits]."""
    keys = schema(SYSTEMS)
    assert [("official" in accepted(keys, kind)) for kind in ("bot", "network", "channel", "limits")] == [True] * 3 + [
        False
    ]

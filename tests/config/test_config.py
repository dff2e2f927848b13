"""Reading a config: every key, fallbacks from channel to default, and where the file is looked for."""

from dataclasses import fields
from pathlib import Path

import pytest

from ircdice.config import BotConfig, Current, Join, Limits, NetworkConfig, default_path, house_rules
from ircdice.errors import ConfigError
from ircdice.settings import ChannelSettings, HouseRules

PIN = ":".join(["AB"] * 32)
LEAST = "[network home]\nhost = irc.example.net\nchannels = #dice\n"


def test_one_network_a_host_and_a_channel_run(read):
    """IRC-01: every other key has a default."""
    config = read(LEAST)
    (network,) = config.networks
    assert config.bot == BotConfig(data=config.bot.data)
    assert config.limits == Limits()
    assert config.warnings == ()
    assert (network.name, network.host, network.port, network.tls) == ("home", "irc.example.net", 6697, True)
    assert (network.nick, network.channels) == ("FUDice", (Join("#dice"),))
    assert config.channel("home", "#dice") == ChannelSettings()


def test_a_network_that_a_reload_removed_keeps_its_settings(read):
    """IRC-25: commands from it that are under way are answered as before."""
    current = Current(read(f"{LEAST}[network away]\nhost = irc.example.org\nchannels = #dice\nnotice = yes\n"))
    current.take(read(LEAST))
    assert current.channel("away", "#dice").notice
    assert not current.plays("away", "#dice")


def test_every_key_is_read(read):
    """IRC-01: each key sets the field of the same name."""
    config = read(
        "[bot]\nnick = Rolf\nalternate_nicks = Rolf_, [Rolf]\nprefixes = !\nusername = rolf\nrealname = Rolf the bot\n"
        "log_level = DEBUG\nlog_format = json\nlog_file = logs/bot.log\n"
        "data = kept\nledger = postgresql+psycopg://me:1%@db/dice\nledger_wait = 2\nepoch_hours = 12\nname = second\n"
        "origin = dice.example/one\nsigning_key = keys/shared\noperators = ann, ben\n"
        "[network home]\nhost = ::1\nport = 6667\ntls = off\npassword = 100%; a#b\nchannels = #a, &b key\n"
        "flood_burst = 9\nflood_interval = .5\nreconnect_first = 2\nreconnect_longest = 60\n"
        "sts = no\nsasl = plain, scram-sha-256\nsasl_username = dice\nsasl_password = 100% b\nsasl_required = no\n"
        "sasl_plain_without_tls = yes\nnickserv_password = c\naccept_invites = yes\n"
        f"tls_fingerprint = {PIN}, {'b' * 64}\n"
        "relays = discord matrix\nignore = *!*@bad.example, spammer\nbind = 127.0.0.1\n"
        "[limits]\nuser_burst = 1\nuser_interval = 2\nchannel_burst = 3\nchannel_interval = 4.5\nhints = no\n"
    )
    file = config.bot.log_file
    assert file is not None
    assert file.parts[-2:] == ("logs", "bot.log")
    assert file.is_absolute()
    folder = file.parents[1]
    assert config.bot == BotConfig(
        "Rolf",
        ("Rolf_", "[Rolf]"),
        "!",
        "rolf",
        "Rolf the bot",
        "debug",
        "json",
        file,
        data=folder / "kept",
        ledger="postgresql+psycopg://me:1%@db/dice",
        ledger_wait=2.0,
        epoch_hours=12.0,
        name="second",
        origin="dice.example/one",
        signing_key=folder / "keys" / "shared",
        operators=("ann", "ben"),
    )
    assert config.limits == Limits(1, 2.0, 3, 4.5, False)
    assert config.networks[0] == NetworkConfig(
        name="home",
        host="::1",
        nick="Rolf",
        alternate_nicks=("Rolf_", "[Rolf]"),
        username="rolf",
        realname="Rolf the bot",
        port=6667,
        tls=False,
        password="100%; a#b",
        channels=(Join("#a"), Join("&b", "key")),
        flood_burst=9,
        flood_interval=0.5,
        reconnect_first=2.0,
        reconnect_longest=60.0,
        relays=("discord", "matrix"),
        ignore=("*!*@bad.example", "spammer"),
        bind="127.0.0.1",
        sts=False,
        sasl=("plain", "scram-sha-256"),
        sasl_username="dice",
        sasl_password="100% b",
        sasl_required=False,
        sasl_plain_without_tls=True,
        nickserv_password="c",
        accept_invites=True,
        tls_fingerprint=("ab" * 32, "b" * 64),
        data=folder / "kept",
        defaults=ChannelSettings(prefixes="!", hints=False, operators=("ann", "ben")),
    )


def test_a_list_of_channels_spans_lines(read):
    """IRC-01: `# ` begins a comment and `#name` is a channel, indented or not."""
    head = "# first\n#\n; second\n[network home]\nhost = x\n"
    text = "channels =\n  #one\n  # not this\n  #\n  ; nor this\n  #two key,\n  #three\n"
    assert read(head + text).networks[0].channels == (Join("#one"), Join("#two", "key"), Join("#three"))


@pytest.mark.parametrize("form", ["\ufeff{}", "{}\n\n", "  \n{}"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(read, form):
    """IRC-01: a byte order mark, blank lines and CRLF are fine."""
    assert read(form.format(LEAST).replace("\n", "\r\n")).networks[0].host == "irc.example.net"


def test_settings_fall_back_from_channel_to_network_to_bot(read):
    """V5-20, GEN-02: the setting closest to the channel applies."""
    config = read(
        "[bot]\nwp_minutes = 10\nbotch = no\ncolour = yes\nprefixes = !\n"
        "[network home]\nhost = x\nchannels = #Dice, #b\nofficial = yes\nwp_minutes = 20\nstorytellers = ann\n"
        "[channel home/#DICE]\nofficial = no\nstorytellers =\nsystem = generic\nsystems = v5, generic\n"
        "contest_minutes = 7\nops_are_storytellers = yes\nnotice = yes\nno_highlight = yes\n"
        "[network far]\nhost = y\nchannels = #dice\n"
    )
    assert config.channel("home", "#dice") == ChannelSettings(
        official=False,
        system="generic",
        systems=("v5", "generic"),
        house=HouseRules(botch=False, wp_minutes=20),
        contest_minutes=7,
        ops_are_storytellers=True,
        prefixes="!",
        notice=True,
        colour=True,
        no_highlight=True,
    )
    assert config.channel("home", "#b") == ChannelSettings(
        official=True, house=HouseRules(botch=False, wp_minutes=20), storytellers=("ann",), prefixes="!", colour=True
    )
    assert config.channel("far", "#dice").house == HouseRules(botch=False, wp_minutes=10)


def test_private_talk_is_never_official(read):
    """V5-20: in private, the network's house rules apply and nothing is official."""
    config = read(LEAST + "official = yes\nbotch = no\n")
    assert config.channel("home", "#dice").official
    private = config.channel("home", None)
    assert (private.official, private.house.botch) == (False, False)


@pytest.mark.parametrize("said", ["#Dice[1]", "#dice{1}", "#DICE[1}"])
def test_channels_are_compared_as_servers_do(read, said):
    """IRC-09: case does not matter, nor do the brackets that RFC 1459 treats as letters."""
    config = read("[network home]\nhost = x\nchannels = #dice[1]\n[channel home/#DICE{1]]\nofficial = yes\n")
    assert config.channel("home", said).official


@pytest.mark.parametrize(
    ("casemapping", "said", "minutes"),
    [
        ("ascii", "#A[", 1),
        ("ascii", "#A{", 2),
        ("ascii", "#b[", 3),
        ("ascii", "#b{", 9),
        ("rfc1459", "#b{", 3),
        ("rfc1459", "#c~", 4),
        ("rfc1459", "#c^", 4),
        ("rfc1459-strict", "#b{", 3),
        ("rfc1459-strict", "#c^", 9),
        ("unheard-of", "#b{", 3),
    ],
)
def test_channels_are_compared_as_this_server_does(read, casemapping, said, minutes):
    """IRC-09: brackets are letters on some networks; on others `#a[` and `#a{` are two channels."""
    apart = "".join(
        f"[channel home/{name}]\nwp_minutes = {n}\n" for n, name in enumerate(("#a[", "#a{", "#B[", "#c~"), 1)
    )
    config = read(f"[network home]\nhost = x\nwp_minutes = 9\nchannels = #a[, #A{{, #b[, #c~\n{apart}")
    assert config.channel("home", said, casemapping).house.wp_minutes == minutes


def test_the_first_section_of_a_channel_applies(read):
    """IRC-09: two names may be one channel there; only the server knows its mapping."""
    config = read(LEAST.replace("#dice", "#a[, #a{") + "[channel home/#a[]\nofficial = yes\n[channel home/#A{]\n")
    assert (config.channel("home", "#a{").official, config.channel("home", "#a{", "ascii").official) == (True, False)


def test_a_network_may_have_its_own_nick(read):
    """IRC-01: otherwise it has that of [bot]."""
    config = read("[bot]\nnick = A\n[network x]\nhost = x\nnick = B\nalternate_nicks = C\n[network y]\nhost = y\n")
    assert [(n.nick, n.alternate_nicks) for n in config.networks] == [("B", ("C",)), ("A", ())]


def test_house_rules_from_keys_and_values():
    """V5-09, V5-25: as `eval --lines` reads them."""
    assert house_rules({"botch": "no", "wp_minutes": "5"}) == HouseRules(botch=False, wp_minutes=5)
    with pytest.raises(ConfigError) as caught:
        house_rules({"botsh": "no", "wp_minutes": "x", "official": "yes"})
    first, second, third = map(str, caught.value.faults)
    assert first == "botsh: no such house rule; did you mean botch?"
    assert third == "wp_minutes: 'x' is not a whole number"
    said, _, known = second.partition("; known are ")
    assert said == "official: no such house rule"
    assert set(known.split(", ")) == {field.name for field in fields(HouseRules)}


def test_the_skill_rank_for_a_luck_bonus_of_two():
    """SC-18: from 4, the text of the rules, to 6, their table."""
    assert house_rules({}).luck_rank_for_two == 4
    assert house_rules({"luck_rank_for_two": "6"}).luck_rank_for_two == 6
    with pytest.raises(ConfigError):
        house_rules({"luck_rank_for_two": "3"})


def test_the_config_is_looked_for_here_then_for_the_user_then_for_the_system(tmp_path, monkeypatch):
    """IRC-05: the first that exists is used."""
    here, user, system = (tmp_path / name for name in ("here", "user", "system"))
    for folder in (here, user / "ircdice", system):
        folder.mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(user))
    assert default_path(system) is None
    for folder, found in ((system, system), (user / "ircdice", user / "ircdice"), (here, Path())):
        (folder / "config.ini").touch()
        assert default_path(system) == found / "config.ini"


def test_the_user_folder_is_under_home(tmp_path, monkeypatch):
    """IRC-05: if XDG_CONFIG_HOME is empty or not an absolute path."""
    (tmp_path / ".config" / "ircdice").mkdir(parents=True)
    (tmp_path / ".config" / "ircdice" / "config.ini").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
        assert default_path() == tmp_path / ".config" / "ircdice" / "config.ini"

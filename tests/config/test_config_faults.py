"""Faults of a config: all of them at once, each in one line with its place."""

import socket
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ircdice.config import load, load_for_page
from ircdice.errors import ConfigError

LEAST = "[network home]\nhost = irc.example.net\nchannels = #dice\n"


def test_all_faults_are_reported_at_once_with_their_lines(faults):
    """IRC-05: each has its line, section and key; unknown names get a suggestion."""
    text = (
        "stray = 1\n[bot]\nnick = two words\nnikc = x\nuser_burst = 3\n[netwrok home]\nhost = x\n"
        "[network home]\nport = 70000\ntls = maybe\ntls = yes\nnonsense\n[network home]\nhost = y\n"
        "[channel hone/#a]\nsystem = v6\nwp_minutes = soon\n[network]\n[channel home/dice]\n[limits extra]\n"
    )
    assert faults(text) == [
        "1: stray: comes before any section",
        "3: [bot] nick: contains a space",
        "4: [bot] nikc: no such key; did you mean nick?",
        "5: [bot] user_burst: belongs in [limits]",
        "6: [netwrok home]: no such section; did you mean network?",
        "9: [network home] port: '70000' should be less than or equal to 65535",
        "10: [network home] tls: 'maybe' is neither yes nor no",
        "11: [network home] tls: repeats line 10; keep one of them",
        "12: neither [SECTION], KEY = VALUE nor a comment (; or # and a space)",
        "13: [network home]: is already on line 8",
        "15: [channel hone/#a]: there is no [network hone]; did you mean home?",
        "16: [channel hone/#a] system: 'v6' is not known; did you mean v5?",
        "17: [channel hone/#a] wp_minutes: 'soon' is not a whole number",
        "18: [network]: the section is called [network NAME]",
        "19: [channel home/dice]: a channel begins with # (& + !); in channels, its key may follow: #NAME KEY",
        "20: [limits extra]: the section is called [limits]",
    ]


@pytest.mark.parametrize(
    ("section", "entry"),
    [
        ("bot", "nick = 1abc"),
        ("bot", "nick = a@b"),
        ("bot", "nick ="),
        ("bot", "nick = a\x02b"),
        ("bot", "alternate_nicks = good, -bad"),
        ("bot", "username = a b"),
        ("bot", "username = a@b"),
        ("bot", "realname = a\x00b"),
        ("bot", "realname = a\n  QUIT :b"),
        ("bot", "realname = a\u2028b"),
        ("bot", "realname = " + "x" * 201),
        ("bot", "prefixes = !a"),
        ("bot", "prefixes = <"),
        ("bot", "log_level = loud"),
        ("bot", "log_format = xml"),
        ("bot", "log_file = a\x01b"),
        ("bot", "ledger = sqlite:///:memory:"),
        ("bot", "ledger = sqlite:///kept/"),
        ("bot", "ledger = sqlite:///ledger.db?mode=ro"),
        ("bot", "ledger = postgresql+psycopg://u:p@h:port/d"),
        ("bot", "ledger = postgresql+psycopg://u:p@[::1/d"),
        ("bot", "signing_key_file = /dev/zero"),
        ("network n", "password_file = /dev/zero"),
        ("network n", "tls_ca = /dev/zero"),
        ("network n", "tls_cert = /dev/zero"),
        ("network n", "password_file = ."),
        ("network n", "host = a b"),
        ("network n", "host = irc.example.net:6697"),
        ("network n", "host = -x"),
        ("network n", "port = 0"),
        ("network n", "port = 65536"),
        ("network n", "port = ٣"),
        ("network n", "port = 1_0"),
        ("network n", "flood_interval = 1e3"),
        ("network n", "tls_ca = absent.pem"),
        ("network n", "tls_ca = config.ini"),
        ("network n", "password = a\n  b"),
        ("network n", "password = a\x00b"),
        ("network n", "channels = dice"),
        ("network n", "channels = #"),
        ("network n", "channels = #a b c"),
        ("network n", "channels = #a :b"),
        ("network n", "channels = #a\x07"),
        ("network n", "channels = #a k\x02"),
        ("network n", "channels = #A, #a"),
        ("network n", "channels = #cafe\u0301"),
        ("network n", "flood_burst = 0"),
        ("network n", "flood_burst = 1.5"),
        ("network n", "flood_interval = 0"),
        ("network n", "flood_interval = nan"),
        ("network n", "relays = discord!*@*"),
        ("network n", "relays = discord!*"),
        ("network n", "relays = *@*"),
        ("network n", "relays = *"),
        ("network n", "relays = a*b"),
        ("network n", "ignore = a\x01"),
        ("network n", "bind = localhost"),
        ("network n", "proxy = http://h:1"),
        ("network n", "proxy = socks5://h"),
        ("network n", "proxy = socks5://h:99999"),
        ("network n", "proxy = socks5://h:1\nbind = ::1"),
        ("network n", "socket = /run/irc.sock\ntls = no\nproxy = socks5://h:1"),
        ("network n/m", "host = x"),
        ("channel n/#a", "official = perhaps"),
        ("channel n/#a", "systems = v5 v6"),
        ("channel n/#a", "storytellers = *"),
        ("channel n/#a", "storytellers = 0"),
        ("channel n/#a", "wp_minutes = 0"),
        ("channel n/#a", "contest_minutes = 99999"),
        ("channel n/#a", "nick = x"),
        ("channel n/#a", "password = x"),
        ("channel n/#a", "sasl = plain"),
        ("limits", "user_interval = -1"),
        ("limits", "hints = 2"),
        ("web", "listen = x"),
        ("web", "base_url = dice.example.org"),
        ("web", "base_url = javascript:alert"),
        ("web", "base_url = https://dice.example.org/a b"),
        ("metrics", "listen = 0.0.0.0:9402"),
        ("metrics", "listen = 192.0.2.1:9402"),
        ("metrics", "listen = 9402"),
        (" bot", "= 1"),
    ],
)
def test_a_faulty_value_is_one_fault_in_one_line(faults, section, entry):
    """IRC-05, IRC-21: values that no server would accept, or that nobody can mean, are refused at the start."""
    network = "" if section == "network n" else "[network n]\nhost = x\n"
    host = "" if entry.startswith("host") or section != "network n" else "host = x\n"
    told = faults(f"{network}[{section}]\n{host}{entry}\n")
    assert len(told) == 1
    assert told[0].isprintable()


def test_irc_27_a_socket_needs_no_host(faults, read, tmp_path):
    """IRC-27: it replaces host and port, for the page too; with TLS there must be a name to check."""
    config = read("[network n]\nsocket = /run/irc.sock\ntls = no\nchannels = #a\n")
    page = load_for_page(tmp_path / "config.ini", {})
    assert config.networks[0].address == page.networks[0].address == "/run/irc.sock"
    (fault,) = faults("[network n]\nsocket = /run/irc.sock\nchannels = #a\n")
    assert "no host is given" in fault
    assert any("host: is missing" in fault for fault in faults("[network n]\ntls = no\nchannels = #a\n"))


def test_the_page_reads_no_file_and_no_secret_of_a_network(read, tmp_path):
    """WEB-11, IRC-05: it may run as another user; of everything else it knows what the bot knows."""
    files = "".join(f"{name} = absent\n" for name in ("tls_ca", "tls_cert", "tls_key", "sasl_key"))
    secrets = "".join(f"{name}_file = absent\n" for name in ("password", "sasl_password", "nickserv_password", "proxy"))
    text = "[network n]\nhost = x\nnick = Rolf\nport = 6667\nrelays = bridge\nsystem = generic\nchannels = #a key\n"
    (tmp_path / "config.ini").write_text(text + files + secrets)
    (page,) = load_for_page(tmp_path / "config.ini", {"IRCDICE_NETWORK_N_PASSWORD": "pencil"}).networks
    (bot,) = read(text).networks
    assert page == replace(bot, channels=())


def test_a_ledger_on_postgresql_needs_its_driver(faults, monkeypatch):
    """LED-01: a missing driver is a fault of the config, so that no supervisor restarts the bot in vain."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    found = faults(f"{LEAST}[bot]\nledger = postgresql+psycopg://me@db/dice\n")
    assert found == ["5: [bot] ledger: needs the driver for PostgreSQL: pip install 'ircdice[postgresql]'"]


ABSENT = "there is no [network NAME] section"


@pytest.mark.parametrize(
    ("text", "said"),
    [("", ABSENT), (b"[network a]\nhost = \xff\n", "2: is not UTF-8")],
)
def test_a_file_that_is_not_a_config(faults, text, said):
    """IRC-05: one sentence, no traceback."""
    assert [fault.removeprefix(" ").rpartition("config.ini: ")[2] for fault in faults(text)] == [said]


def test_a_missing_file_is_a_fault(tmp_path):
    """IRC-05: and so is a folder instead of a file."""
    for path, said in ((tmp_path / "none.ini", "no such file or directory"), (tmp_path, "is a directory")):
        with pytest.raises(ConfigError, match=f"^{path}: {said}$"):
            load(path, {})


@given(st.text(st.sampled_from("[]=#;: \n\t\\a0,%network\x00\u2028bot/host"), max_size=120))
@settings(max_examples=300)
def test_no_text_raises_another_error(text):
    """IRC-05: a file gives a config or a list of faults."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "config.ini"
        file.write_text("[network n]\nhost = x\n" + text, "utf-8")
        try:
            told = [network.name for network in load(file, {}).networks]
        except ConfigError as error:
            told = [str(fault) for fault in error.faults]
    assert told
    assert all(line.isprintable() for line in told)


LONG = 5000 * "9"
SHORT = f"'{LONG[:40]}…'"


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        *((f"[limits]\nuser_burst = {text}", f"'{text}' is not a whole number") for text in ("1_0", "5.0", "1e3", "")),
        *((f"[limits]\nuser_interval = {text}", f"'{text}' is not a number") for text in ("1_0.5", "1e3", "inf", ".")),
        *(
            (f"[limits]\nhints = {text}", f"'{text}' is neither yes nor no")
            for text in ("t", "y", "F", "2", "ye\u017f")
        ),
        ("[bot]\nannounce = t", "'t' is neither yes nor no"),
        ("[bot]\nmodifier_limit = 1_0", "'1_0' is not a whole number"),
        (f"[limits]\nuser_burst = {LONG}", f"{SHORT} is not a whole number"),
        (f"[limits]\nuser_interval = {LONG}", f"{SHORT} is not a number"),
        (f"[bot]\ninitiative = {LONG}", f"{SHORT} is not dice, such as 1d10"),
        (f"[bot]\nlog_level = {LONG}", f"{SHORT} should be 'debug', 'info', 'warning' or 'error'"),
        (f"[web]\nforwarded_allow_ips = ::1 {LONG}", f"{SHORT} does not appear to be an IPv4 or IPv6 address"),
    ],
)
def test_values_have_one_form_and_are_quoted_in_short(faults, entry, fault):
    """IRC-01, IRC-05: whole numbers are digits, decimals have a point at most; 40 characters of a value are quoted."""
    (found,) = faults(f"{LEAST}{entry}\n")
    assert found.split(": ", 2)[2] == fault


@pytest.mark.parametrize(
    ("text", "switch"), [(text, True) for text in ("yes", "On", "TRUE", "1")] + [(t, False) for t in ("no", "off", "0")]
)
def test_the_words_of_a_switch(read, text, switch):
    """IRC-01: in upper or lower case."""
    assert read(f"{LEAST}[limits]\nhints = {text}\n").limits.hints is switch


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("systems = generic\n", "4: [network home] systems: v5 is played, but is not among systems, generic"),
        (
            "[channel home/#dice]\nsystem = generic\nsystems = v5\n",
            "5: [channel home/#dice] system: generic is played, but is not among systems, v5",
        ),
        (
            "[bot]\nsystem = generic\n[channel home/#dice]\nsystems = v5\n",
            "7: [channel home/#dice] systems: generic is played, but is not among systems, v5",
        ),
        (
            "systems = v5\n[channel home/#else]\nsystem = generic\n",
            "6: [channel home/#else] system: generic is played, but is not among systems, v5",
        ),
    ],
)
def test_the_game_of_a_channel_is_among_those_it_answers(faults, text, fault):
    """GEN-12: `system` must be among `systems`, in whichever sections the two are."""
    assert faults(LEAST + text) == [fault]


@pytest.mark.parametrize(
    "text",
    [
        "system = generic\nsystems = generic\n",
        "systems = generic\n[channel home/#dice]\nsystem = generic\n",
        "systems = generic\n[bot]\nsystem = generic\n",
    ],
)
def test_systems_may_be_in_another_section_than_system(read, text):
    """GEN-12: there is no fault if they fit together."""
    assert read(LEAST + text).channel("home", "#dice").system == "generic"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "[network n]\nhost = x:6667\n",
            "'x:6667' is neither a host name nor an IP address; write host = x and, on another line, port = 6667",
        ),
        ("[network n]\nhost = ircs://x:6697/\n", "write host = x and, on another line, port = 6697"),
        ("[network n]\nhost = irc://x\n", "is neither a host name nor an IP address; write host = x"),
        ("[network n]\nhost = [::1]:6667\n", "write host = ::1 and, on another line, port = 6667"),
        ("[network n]\nhost = -x\n", "'-x' is neither a host name nor an IP address"),
        ("[network n]\nhost = x ; mine\n", "a comment needs a line of its own"),
        ("[network n]\nhost = x\nport = 6667 # plain\n", "a comment needs a line of its own"),
        (f"{LEAST}[channel #dice]\n", "4: [channel #dice]: the section is called [channel NETWORK/#NAME]"),
        (f"{LEAST}channels_file = x\n", "4: [network home] channels_file: repeats line 3; keep one of them"),
        (
            "[network n]\nhost = x\nchannels = FU_Dice\n",
            "a channel begins with # (& + !); in channels, its key may follow: #NAME KEY",
        ),
        (
            f"{LEAST}[web]\nlisten = localhost:8040\n",
            "'localhost:8040' is neither ADDRESS:PORT, as 127.0.0.1:8040, nor unix:PATH",
        ),
    ],
)
def test_the_fault_of_a_common_mistake_says_what_to_write(faults, text, fault):
    """IRC-05: a port or a comment in a value, a channel without its network, a secret given twice."""
    assert [said for said in faults(text) if said.endswith(fault)]


def test_channels_without_commas_get_a_warning(read):
    """IRC-05: the second one is valid as the key of the first, so it may be secret and is not quoted."""
    (warning,) = read("[network home]\nhost = x\nchannels = #a #b\n").warnings
    sentence = "what comes after #a is taken as its key; separate channels with commas"
    assert str(warning).endswith(f"config.ini:3: [network home] channels: {sentence}")
    assert read("[network home]\nhost = x\nchannels = #a b, #c\n").warnings == ()


def test_a_network_without_channels_gets_a_warning(read):
    """IRC-05: it works, but is hardly intended."""
    (warning,) = read("[network home]\nhost = x\n").warnings
    assert str(warning).endswith("config.ini:1: [network home] channels: is empty: the bot joins no channel")


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("data = taken", "data: {0}/taken: is not writable"),
        ("data = taken/below/it", "data: {0}/taken: is not writable"),
        ("log_file = taken/bot.log", "log_file: {0}/taken: is not writable"),
        ("log_file = .", "log_file: {0}: is a directory"),
        ("log_file = /", "log_file: /: is a directory"),
    ],
)
def test_a_path_that_cannot_be_written_to_is_a_fault(tmp_path, entry, fault):
    """cli.md: `config check` finds what `run` would refuse; folders that do not exist yet are fine."""
    (tmp_path / "taken").write_text("a file")
    file = tmp_path / "config.ini"
    file.write_text(f"[bot]\n{entry}\n{LEAST}")
    with pytest.raises(ConfigError) as told:
        load(file, {}, trying=True)
    assert str(told.value) == f"{file}:2: [bot] {fault.format(tmp_path)}"
    file.write_text(f"[bot]\ndata = not/yet\nlog_file = taken\n{LEAST}")
    assert load(file, {}).bot.data == tmp_path / "not" / "yet"


@pytest.mark.parametrize("entry", ["data", "log_file", "signing_key"])
def test_a_path_that_is_too_long_hides_no_other_fault(tmp_path, entry):
    """config.md: all faults at once, each with its line."""
    file = tmp_path / "config.ini"
    file.write_text(f"[bot]\n{entry} = {'a' * 300}\nnikc = x\nledger = sqlite:////{'b' * 300}/ledger.db\n{LEAST}")
    with pytest.raises(ConfigError) as told:
        load(file, {}, trying=True)
    assert [str(fault).removeprefix(f"{file}:")[:60] for fault in told.value.faults] == [
        f"2: [bot] {entry}: '{'a' * 40}…' is too long for a path"[:60],
        "3: [bot] nikc: no such key; did you mean nick?",
        f"4: [bot] ledger: /{'b' * 300}"[:60],
    ]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("data = /proc", "[bot] data: /proc: is not writable"),
        ("data = /proc/none/below", "[bot] data: /proc: is not writable"),
        ("log_file = /proc/log", "[bot] log_file: /proc: is not writable"),
        ("log_file = /nowhere/log", "[bot] log_file: /nowhere: there is no such folder; create it first"),
        ("ledger = sqlite:////proc/ledger.db", "[bot] ledger: /proc: is not writable"),
        (
            "ledger = sqlite:////nowhere/ledger.db",
            "[bot] ledger: /nowhere: there is no such folder; create it first",
        ),
        (
            "[metrics]\nlisten = unix:/nowhere/socket",
            "[metrics] listen: /nowhere: there is no such folder; create it first",
        ),
    ],
)
def test_config_check_finds_a_folder_that_run_could_not_write_to(tmp_path, entry, fault):
    """cli.md: whether it exists or not; only the check tries, not a start."""
    file = tmp_path / "config.ini"
    file.write_text(f"[bot]\n{entry}\n{LEAST}")
    with pytest.raises(ConfigError) as told:
        load(file, {}, trying=True)
    assert str(told.value).endswith(fault)
    load(file, {})


def test_config_check_warns_of_a_port_that_is_in_use(tmp_path):
    """cli.md: `run` could not listen there, unless it is the bot that runs already; only the check tries."""
    file = tmp_path / "config.ini"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        file.write_text(f"{LEAST}[metrics]\nlisten = {listen}\n")
        (warning,) = load(file, {}, trying=True).warnings
        assert load(file, {}).warnings == ()
    assert str(warning).startswith(f"{file}:5: [metrics] listen: {listen}: address already in use; unless")
    assert load(file, {}, trying=True).warnings == ()


@pytest.mark.parametrize("data", ["", "data = not/yet\n", "data = .\n"])
def test_config_check_leaves_nothing_in_the_data_folder(tmp_path, data):
    """cli.md: it creates a folder to try, and removes it."""
    file = tmp_path / "config.ini"
    file.write_text(f"[bot]\n{data}{LEAST}")
    load(file, {}, trying=True)
    assert [each.name for each in tmp_path.iterdir()] == ["config.ini"]


def test_a_list_of_commas_is_a_fault(faults):
    """config.md: something is missing from it."""
    assert faults("[network home]\nhost = x\nchannels = ,,\n") == [
        "3: [network home] channels: has nothing between its commas"
    ]

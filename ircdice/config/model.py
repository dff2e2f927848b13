"""The config as frozen values: every key with its type, bounds and default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ircdice import values as v
from ircdice.casemapping import DEFAULT, MAPPINGS, fold, known
from ircdice.config import files
from ircdice.config.files import File, PrivateKey
from ircdice.errors import ConfigFault
from ircdice.settings import ChannelSettings, HouseRules
from ircdice.values import Listen, Lower, Maybe, Several

TITLES = {
    "bot": "bot",
    "network": "network NAME",
    "channel": "channel NETWORK/#NAME",
    "limits": "limits",
    "web": "web",
    "metrics": "metrics",
}


@dataclass(frozen=True, slots=True)
class BotConfig:
    """`[bot]`, without its defaults for channels. A field that `repr` leaves out is a secret (IRC-05)."""

    nick: v.Nick = "FUDice"
    alternate_nicks: Several[v.Nick] = ()
    prefixes: Annotated[str, v.prefixes] = "`!."  # GEN-02
    username: Annotated[v.Word, v.username] = "ircdice"
    realname: v.Line = "ircdice, dice for tabletop players"
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Lower] = "info"
    log_format: Annotated[Literal["text", "json"], Lower] = "text"
    log_file: Maybe[File] = None  # none: standard error
    data: File = Path()  # ledger, keys, seeds and checkpoint file
    ledger: Annotated[v.Plain, v.ledger_url] = field(
        default="sqlite:///ledger.db", repr=False
    )  # may contain a password
    ledger_wait: Annotated[v.Decimal, Field(ge=0, le=60)] = 5.0  # seconds, LED-05
    epoch_hours: Annotated[v.Decimal, Field(ge=1, le=24 * 366)] = 24.0  # LED-13
    name: Annotated[str, v.label] = "ircdice"  # of this process, if several share a ledger
    origin: Maybe[Annotated[v.Line, v.origin]] = None  # the ledger's name in checkpoints; none: from the host
    signing_key: Maybe[File] = None  # none: a file in `data`
    operators: Several[v.Account] = ()
    docs_url: Annotated[str, v.docs_url] = ""  # shown by `help` and `fair`


_BOT = BotConfig()


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """One `[network NAME]`; intervals and pauses in seconds. A field that `repr` leaves out is a secret (IRC-05)."""

    name: str = ""
    host: Annotated[str, v.host] = ""
    nick: v.Nick = _BOT.nick
    alternate_nicks: Several[v.Nick] = ()
    username: str = _BOT.username
    realname: str = _BOT.realname
    port: v.Port = 6697
    tls: v.Switch = True
    tls_ca: Maybe[Annotated[File, files.certificates]] = None
    tls_fingerprint: Several[Annotated[str, v.fingerprint]] = ()
    tls_cert: Maybe[Annotated[File, files.readable]] = None
    tls_key: Maybe[Annotated[File, files.readable]] = None  # none: it is in `tls_cert`
    sts: v.Switch = True
    sasl: Annotated[Several[Annotated[v.Mechanism, Lower]], v.mechanisms] = ()
    sasl_username: Maybe[v.Word] = None  # none: the nick
    sasl_password: Maybe[v.Plain] = field(default=None, repr=False)
    sasl_key: Maybe[Annotated[PrivateKey, files.private_key]] = None
    sasl_required: v.Switch = True
    sasl_plain_without_tls: v.Switch = False
    nickserv_password: Maybe[v.Word] = field(default=None, repr=False)
    password: Maybe[v.Line] = field(default=None, repr=False)
    channels: Annotated[tuple[v.Join, ...], v.joins] = field(default=(), repr=False)  # with their keys
    flood_burst: v.Burst = 5
    flood_interval: v.Seconds = 1.0
    reconnect_first: v.Seconds = 1.0
    reconnect_longest: v.Seconds = 300.0
    relays: Several[Annotated[v.Account, v.relay]] = ()
    ignore: Several[v.Word] = ()
    accept_invites: v.Switch = False
    bind: Maybe[Annotated[str, v.address]] = None
    proxy: Maybe[Annotated[v.Plain, v.socks_proxy]] = field(default=None, repr=False)  # may contain a password
    socket: Maybe[File] = None  # instead of host and port
    data: Path | None = None  # for state that survives a restart; None keeps no state
    defaults: ChannelSettings = field(default_factory=ChannelSettings)  # without a section of their own
    settings: Mapping[str, ChannelSettings] = field(default_factory=dict)  # by channel, as written

    @property
    def address(self) -> str:
        """The server's address, for display."""
        if self.socket is not None:
            return str(self.socket)
        return f"{self.host} port {self.port}" + (" through the proxy" if self.proxy else "")


@dataclass(frozen=True, slots=True)
class Limits:
    """`[limits]`: rate limits for one user and one channel; intervals in seconds."""

    user_burst: v.Burst = 8
    user_interval: v.Seconds = 2.0
    channel_burst: v.Burst = 40
    channel_interval: v.Seconds = 0.5
    hints: v.Switch = True


@dataclass(frozen=True, slots=True)
class WebConfig:
    """`[web]`: the page (WEB-11)."""

    listen: Annotated[Listen, v.listen] = Listen("127.0.0.1", 8040)
    base_url: Annotated[str, v.base_url] = ""  # of absolute links; none: no such links
    forwarded_allow_ips: Several[Annotated[str, v.network]] = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    """`[metrics]`: the endpoint for Prometheus (IRC-26)."""

    listen: Annotated[Listen | None, v.listen_locally] = None


_FIELDS = {
    "bot": fields(BotConfig),
    "network": fields(NetworkConfig),
    "channel": fields(ChannelSettings) + fields(HouseRules),
    "limits": fields(Limits),
    "web": fields(WebConfig),
    "metrics": fields(MetricsConfig),
}
# Fields of networks and channels that are not keys of their sections.
_ELSEWHERE = {"name", "username", "realname", "data", "defaults", "settings", "house", "twice_seconds"}
_ELSEWHERE |= {"prefixes", "hints", "base_url", "operators", "docs_url"}

KEYS = {
    kind: {key.name for key in keys} - (_ELSEWHERE if kind in ("network", "channel") else set())
    for kind, keys in _FIELDS.items()
}
"""The own keys of each kind of section."""

SECRETS = {key.name for keys in _FIELDS.values() for key in keys if not key.repr}
"""Keys that may also be in a file or the environment (IRC-05)."""

FILES = {key.name for key in fields(NetworkConfig) if "files." in str(key.type)}
"""Keys whose annotation has a check of `config/files.py`, which reads the file."""


def accepted(kind: str) -> set[str]:
    """The keys allowed in a section; `[bot]` and networks also take those of channels, as defaults."""
    return KEYS[kind] | KEYS["channel"] if kind in ("bot", "network") else KEYS[kind]


@dataclass(frozen=True, slots=True)
class Config:
    """A whole config without faults. `warnings` are sentences for the operator."""

    bot: BotConfig
    networks: tuple[NetworkConfig, ...]
    limits: Limits = field(default_factory=Limits)
    web: WebConfig = field(default_factory=WebConfig)
    metrics: MetricsConfig = field(default_factory=MetricsConfig)
    warnings: tuple[ConfigFault, ...] = ()
    elsewhere: tuple[Path, ...] = ()  # files of secrets and certificates that the config names

    def channel(self, network: str, channel: str | None, casemapping: str = DEFAULT) -> ChannelSettings:
        """The settings of `channel` on `network`; `None` is a private conversation, which is never official (V5-20)."""
        own = next(config for config in self.networks if config.name == network)
        if channel is None:
            return replace(own.defaults, official=False)
        casemapping = known(casemapping)
        folded = fold(channel, casemapping)  # IRC-09: two names may be one channel on the server; the first wins
        return next((s for name, s in own.settings.items() if fold(name, casemapping) == folded), own.defaults)

    def plays(self, network: str, channel: str) -> bool:
        """Whether the config tells the bot to join that channel; the name may be folded by any casemapping."""
        names = [name for joined, name in self.joining() if joined == network]
        return any(fold(name, casemapping) == channel for name in names for casemapping in MAPPINGS)

    def joining(self) -> list[tuple[str, str]]:
        """Network and name of each channel that the bot joins."""
        return [(network.name, join.name) for network in self.networks for join in network.channels]

    @property
    def bots(self) -> tuple[str, ...]:
        """The bot's own nicks, on any network."""
        return tuple(nick for network in self.networks for nick in (network.nick, *network.alternate_nicks))

    def window(self, network: str, place: str) -> int:
        """Minutes within which a repeated roll is noted (LED-22); the default on a network that the config lacks."""
        is_known = any(config.name == network for config in self.networks)
        return (self.channel(network, place) if is_known else ChannelSettings()).window


class Current:
    """The `Settings` of the latest config. A network that a reload removed keeps its last settings."""

    def __init__(self, config: Config) -> None:
        self._by_network: dict[str, Config] = {}
        self.take(config)

    def take(self, config: Config) -> None:
        """Switch to another config."""
        self._config = config
        self._by_network.update((network.name, config) for network in config.networks)

    def channel(self, network: str, channel: str | None, casemapping: str = DEFAULT) -> ChannelSettings:
        """The settings of a channel; see `Settings`."""
        return self._by_network[network].channel(network, channel, casemapping)

    def plays(self, network: str, channel: str) -> bool:
        """Whether the bot joins that channel; see `Settings`."""
        return self._config.plays(network, channel)

    def joining(self) -> list[tuple[str, str]]:
        """The channels that the bot joins; see `Settings`."""
        return self._config.joining()

"""What a config comes to, defaults included. Knows nothing of the file that it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ircdice.casemapping import DEFAULT, MAPPINGS, fold
from ircdice.settings import ChannelSettings


@dataclass(frozen=True, slots=True)
class BotConfig:
    """`[bot]`, less what it says for all channels."""

    nick: str = "FUDice"
    alternate_nicks: tuple[str, ...] = ()
    prefixes: str = "`!."  # GEN-02
    username: str = "ircdice"
    realname: str = "ircdice, dice for tabletop players"
    log_level: str = "info"
    log_format: str = "text"
    log_file: Path | None = None  # none: standard error
    data: Path = Path()  # ledger, keys, seeds and checkpoint file
    ledger: str = field(default="sqlite:///ledger.db", repr=False)  # may hold a password (IRC-05)
    ledger_wait: float = 5.0  # seconds, LED-05
    epoch_hours: float = 24.0  # LED-13
    name: str = "ircdice"  # of this process, where several share a ledger
    origin: str | None = None  # the ledger's name in checkpoints; none: made of the first network's host
    signing_key: Path | None = None  # none: a file in `data`
    operators: tuple[str, ...] = ()  # services accounts


_BOT = BotConfig()


@dataclass(frozen=True, slots=True)
class Join:
    """A channel to join, with its key where it has one."""

    name: str
    key: str | None = field(default=None, repr=False)  # IRC-05


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """A key for ECDSA-NIST256P-CHALLENGE (IRC-04), and the file that it stands in."""

    file: Path
    pem: str = field(repr=False)  # IRC-05


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """One `[network NAME]`; intervals and pauses in seconds."""

    name: str
    host: str
    nick: str = _BOT.nick
    alternate_nicks: tuple[str, ...] = ()
    username: str = _BOT.username
    realname: str = _BOT.realname
    port: int = 6697
    tls: bool = True
    tls_ca: Path | None = None
    tls_fingerprint: tuple[str, ...] = ()  # SHA-256 in small hexadecimal
    tls_cert: Path | None = None
    tls_key: Path | None = None  # none: it stands in `tls_cert`
    sts: bool = True
    sasl: tuple[str, ...] = ()  # in the order in which to try them, or `auto` alone
    sasl_username: str | None = None  # none: the nick
    sasl_password: str | None = field(default=None, repr=False)
    sasl_key: PrivateKey | None = None
    sasl_required: bool = True
    sasl_plain_without_tls: bool = False
    nickserv_password: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)  # IRC-05
    channels: tuple[Join, ...] = ()
    flood_burst: int = 5
    flood_interval: float = 1.0
    reconnect_first: float = 1.0
    reconnect_longest: float = 300.0
    relays: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    accept_invites: bool = False
    bind: str | None = None
    data: Path | None = None  # where to keep what outlives a restart; none: nowhere
    defaults: ChannelSettings = field(default_factory=ChannelSettings, repr=False)  # of channels not set apart
    settings: Mapping[str, ChannelSettings] = field(default_factory=dict, repr=False)  # by channel, as written


@dataclass(frozen=True, slots=True)
class Limits:
    """`[limits]`: what one speaker and one channel may ask for; intervals in seconds."""

    user_burst: int = 8
    user_interval: float = 2.0
    channel_burst: int = 40
    channel_interval: float = 0.5
    hints: bool = True


@dataclass(frozen=True, slots=True)
class Config:
    """A whole config that can be run; `warnings` are sentences for whoever keeps the bot.

    `elsewhere` are the files of secrets and certificates that it names.
    """

    bot: BotConfig
    networks: tuple[NetworkConfig, ...]
    limits: Limits = field(default_factory=Limits)
    warnings: tuple[str, ...] = ()
    elsewhere: tuple[Path, ...] = ()
    _apart: dict[tuple[str, str, str], ChannelSettings] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _others: dict[str, NetworkConfig] = field(default_factory=dict, init=False, repr=False, compare=False)
    _private: dict[str, ChannelSettings] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for network in self.networks:
            self._others[network.name] = network
            self._private[network.name] = replace(network.defaults, official=False)  # V5-20
            for casemapping in MAPPINGS:  # IRC-09: which of them holds is known when the server has said it
                for name, kept in network.settings.items():
                    self._apart.setdefault((network.name, casemapping, fold(name, casemapping)), kept)

    def channel(self, network: str, channel: str | None, casemapping: str = DEFAULT) -> ChannelSettings:
        """The settings of `channel` on `network`; `None` is private talk, which is never official (V5-20)."""
        if channel is None:
            return self._private[network]
        known = casemapping if casemapping in MAPPINGS else DEFAULT
        return self._apart.get((network, known, fold(channel, known))) or self._others[network].defaults

    def plays(self, network: str, channel: str) -> bool:
        """Whether this bot is to be in that channel, folded by whichever casemapping its server has."""
        joins = self._others[network].channels if network in self._others else ()
        return any(fold(join.name, casemapping) == channel for join in joins for casemapping in MAPPINGS)

    def announcing(self) -> list[tuple[str, str]]:
        """Network and channel of each joined one that is told what the dice are bound to: official ones unless said."""
        joined = [(network.name, join.name) for network in self.networks for join in network.channels]
        wanted = {place: self.channel(*place) for place in joined}
        return [place for place, kept in wanted.items() if (kept.official if kept.announce is None else kept.announce)]

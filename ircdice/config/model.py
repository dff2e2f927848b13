"""The config as frozen values: every key with its parser, bounds and default."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TypeVar

from grammars import channel as house
from ircdice.casemapping import DEFAULT, MAPPINGS, fold, known
from ircdice.config import values as v
from ircdice.errors import ConfigFault
from ircdice.settings import ChannelSettings

T = TypeVar("T")
TITLES = {
    "bot": "bot",
    "network": "network NAME",
    "channel": "channel NETWORK/#NAME",
    "limits": "limits",
    "web": "web",
    "metrics": "metrics",
}

_SECONDS = v.decimal(0.001, 86400)  # not 0: a limit that refills at once would not limit anything
_BURST = v.whole(1, 1_000_000)
_MINUTES = v.whole(*house.MINUTES)


@dataclass(frozen=True, slots=True)
class Key:
    """How a key is read. A secret may also come from a file or the environment (IRC-05)."""

    parse: Callable[[str], object]
    secret: bool = False
    path: bool = False  # relative to the folder of the config


def _key(parse: Callable[[str], T], default: T, *, secret: bool = False, path: bool = False) -> T:
    return field(default=default, repr=not secret, metadata={"key": Key(parse, secret, path)})


@dataclass(frozen=True, slots=True)
class BotConfig:
    """`[bot]`, without its defaults for channels."""

    nick: str = _key(v.nick, "FUDice")
    alternate_nicks: tuple[str, ...] = _key(v.several(v.nick), ())
    prefixes: str = _key(v.prefixes, "`!.")  # GEN-02
    username: str = _key(v.username, "ircdice")
    realname: str = _key(v.line, "ircdice, dice for tabletop players")
    log_level: str = _key(v.one_of(("debug", "info", "warning", "error")), "info")
    log_format: str = _key(v.one_of(("text", "json")), "text")
    log_file: Path | None = _key(v.optional(v.log_file), None, path=True)  # none: standard error
    data: Path = _key(v.folder, Path(), path=True)  # ledger, keys, seeds and checkpoint file
    ledger: str = _key(v.ledger_url, "sqlite:///ledger.db", secret=True)  # may contain a password
    ledger_wait: float = _key(v.decimal(0, 60), 5.0)  # seconds, LED-05
    epoch_hours: float = _key(v.decimal(1, 24 * 366), 24.0)  # LED-13
    name: str = _key(v.label, "ircdice")  # of this process, if several share a ledger
    origin: str | None = _key(v.optional(v.origin), None)  # the ledger's name in checkpoints; none: from the host
    signing_key: Path | None = _key(v.optional(v.path), None, path=True)  # none: a file in `data`
    operators: tuple[str, ...] = _key(v.several(v.account), ())
    docs_url: str = _key(v.docs_url, "")  # shown by `help` and `fair`


_BOT = BotConfig()


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """One `[network NAME]`; intervals and pauses in seconds."""

    name: str
    host: str = field(metadata={"key": Key(v.host)})
    nick: str = _key(v.nick, _BOT.nick)
    alternate_nicks: tuple[str, ...] = _key(v.several(v.nick), ())
    username: str = _BOT.username
    realname: str = _BOT.realname
    port: int = _key(v.whole(1, 65535), 6697)
    tls: bool = _key(v.yes_or_no, True)
    tls_ca: Path | None = _key(v.optional(v.certificates), None, path=True)
    tls_fingerprint: tuple[str, ...] = _key(v.several(v.fingerprint), ())
    tls_cert: Path | None = _key(v.optional(v.readable), None, path=True)
    tls_key: Path | None = _key(v.optional(v.readable), None, path=True)  # none: it is in `tls_cert`
    sts: bool = _key(v.yes_or_no, True)
    sasl: tuple[str, ...] = _key(v.mechanisms, ())
    sasl_username: str | None = _key(v.optional(v.word), None)  # none: the nick
    sasl_password: str | None = _key(v.optional(v.plain), None, secret=True)
    sasl_key: v.PrivateKey | None = _key(v.optional(v.private_key), None, path=True)
    sasl_required: bool = _key(v.yes_or_no, True)
    sasl_plain_without_tls: bool = _key(v.yes_or_no, False)
    nickserv_password: str | None = _key(v.optional(v.word), None, secret=True)
    password: str | None = _key(v.optional(v.line), None, secret=True)
    channels: tuple[v.Join, ...] = _key(v.several(v.join, r"[,\n]"), (), secret=True)  # with their keys
    flood_burst: int = _key(_BURST, 5)
    flood_interval: float = _key(_SECONDS, 1.0)
    reconnect_first: float = _key(_SECONDS, 1.0)
    reconnect_longest: float = _key(_SECONDS, 300.0)
    relays: tuple[str, ...] = _key(v.several(v.relay), ())
    ignore: tuple[str, ...] = _key(v.several(v.word), ())
    accept_invites: bool = _key(v.yes_or_no, False)
    bind: str | None = _key(v.optional(v.address), None)
    proxy: str | None = _key(v.optional(v.socks_proxy), None, secret=True)  # may contain a password
    socket: Path | None = _key(v.optional(v.path), None, path=True)  # instead of host and port
    data: Path | None = None  # for state that survives a restart; None keeps no state
    defaults: ChannelSettings = field(default_factory=ChannelSettings, repr=False)  # without a section of their own
    settings: Mapping[str, ChannelSettings] = field(default_factory=dict, repr=False)  # by channel, as written

    @property
    def address(self) -> str:
        """The server's address, for display."""
        if self.socket is not None:
            return str(self.socket)
        return f"{self.host} port {self.port}" + (" through the proxy" if self.proxy else "")


@dataclass(frozen=True, slots=True)
class Limits:
    """`[limits]`: rate limits for one user and one channel; intervals in seconds."""

    user_burst: int = _key(_BURST, 8)
    user_interval: float = _key(_SECONDS, 2.0)
    channel_burst: int = _key(_BURST, 40)
    channel_interval: float = _key(_SECONDS, 0.5)
    hints: bool = _key(v.yes_or_no, True)


@dataclass(frozen=True, slots=True)
class WebConfig:
    """`[web]`: the page (WEB-11)."""

    listen: v.Listen = _key(v.listen, v.Listen("127.0.0.1", 8040))
    base_url: str = _key(v.base_url, "")  # of absolute links; none: no such links
    forwarded_allow_ips: tuple[str, ...] = _key(v.several(v.proxy), ("127.0.0.1", "::1"))


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    """`[metrics]`: the endpoint for Prometheus (IRC-26)."""

    listen: v.Listen | None = _key(v.listen_locally, None)


Schema = Mapping[str, Mapping[str, Key]]


def schema(systems: Collection[str]) -> Schema:
    """The keys of each kind of section, by name; `systems` are the games."""
    models = {
        "bot": BotConfig,
        "network": NetworkConfig,
        "limits": Limits,
        "web": WebConfig,
        "metrics": MetricsConfig,
    }
    keys = {
        kind: {each.name: each.metadata["key"] for each in fields(model) if each.metadata}
        for kind, model in models.items()
    }
    return keys | {"channel": _channel(v.one_of({"v5", *systems}))}


def _channel(game: v.Parser[str]) -> dict[str, Key]:
    """The keys of `ChannelSettings` and `HouseRules`, which are defined by the games, not by the config."""
    parsers: dict[str, Callable[[str], object]] = {
        "official": v.yes_or_no,
        "system": game,
        "systems": v.several(game),
        "storytellers": v.several(v.account),
        "ops_are_storytellers": v.yes_or_no,
        "botch": v.yes_or_no,
        "wp_minutes": _MINUTES,
        "luck_rank_for_two": v.whole(*house.RANKS),
        "triples": v.one_of(house.TRIPLES),
        "modifier_limit": v.optional(v.whole(0, house.LARGEST_LIMIT)),
        "initiative": v.dice,
        "contest_minutes": _MINUTES,
        "auto_hunger": v.yes_or_no,
        "window": _MINUTES,
        "announce": v.optional(v.yes_or_no),
        "notice": v.yes_or_no,
        "colour": v.yes_or_no,
        "no_highlight": v.yes_or_no,
        "settings_by_storyteller": v.yes_or_no,
        "page": v.one_of(("no", "link", "public")),
    }
    return {name: Key(parse) for name, parse in parsers.items()}


def accepted(schema: Schema, kind: str) -> Mapping[str, Key]:
    """The keys allowed in a section; `[bot]` and networks also take those of channels, as defaults."""
    return {**schema[kind], **schema["channel"]} if kind in ("bot", "network") else schema[kind]


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
        found = next(each for each in self.networks if each.name == network)
        if channel is None:
            return replace(found.defaults, official=False)
        casemapping = known(casemapping)
        wanted = fold(channel, casemapping)  # IRC-09: two names may be one channel on the server; the first wins
        return next((s for name, s in found.settings.items() if fold(name, casemapping) == wanted), found.defaults)

    def plays(self, network: str, channel: str) -> bool:
        """Whether the config tells the bot to join that channel; the name may be folded by any casemapping."""
        joins = [join.name for each in self.networks if each.name == network for join in each.channels]
        return any(fold(name, casemapping) == channel for name in joins for casemapping in MAPPINGS)

    def joining(self) -> list[tuple[str, str]]:
        """Network and name of each channel that the bot joins."""
        return [(network.name, join.name) for network in self.networks for join in network.channels]

    @property
    def bots(self) -> tuple[str, ...]:
        """The bot's own nicks, on any network."""
        return tuple(nick for network in self.networks for nick in (network.nick, *network.alternate_nicks))

    def window(self, network: str, place: str) -> int:
        """Minutes within which a repeated roll is noted (LED-22); the default on a network that the config lacks."""
        is_known = any(each.name == network for each in self.networks)
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

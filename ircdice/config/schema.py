"""The keys of a config, as tables that reading walks: section, name, parser. A default is its field's in `model`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ircdice.config import values as v
from ircdice.config.files import certificates, folder_in, path, readable, signing_key, written
from ircdice.config.logins import MECHANISMS


@dataclass(frozen=True, slots=True)
class Key:
    """One key; a secret one may come from a file or from the environment too (IRC-05)."""

    name: str
    parse: Callable[[str], Any]
    secret: bool = False


Schema = dict[str, tuple[Key, ...]]

_SECONDS = v.decimal(0.001, 86400)  # never 0: a bucket that refills at once is no limit
_BURST = v.whole(1, 1_000_000)
_MINUTES = v.whole(1, 10080)
TITLES = {"bot": "bot", "network": "network NAME", "channel": "channel NETWORK/#NAME", "limits": "limits"}


def schema(folder: Path, systems: Collection[str]) -> Schema:
    """The keys of each kind of section; paths are taken from `folder`, games from `systems`."""
    return {"bot": _bot(folder), "network": _network(folder), "channel": _channel(systems), "limits": _LIMITS}


def accepted(keys: Schema, kind: str) -> dict[str, Key]:
    """What may stand in a section: its own keys, and in `[bot]` and a network's those of channels, as defaults."""
    own = keys[kind] + (keys["channel"] if kind in ("bot", "network") else ())
    return {key.name: key for key in own}


def _bot(folder: Path) -> tuple[Key, ...]:
    return (
        Key("nick", v.nick),
        Key("alternate_nicks", v.several(v.nick)),
        Key("prefixes", v.prefixes),
        Key("username", v.username),
        Key("realname", v.line),
        Key("log_level", v.one_of(("debug", "info", "warning", "error"))),
        Key("log_format", v.one_of(("text", "json"))),
        Key("log_file", v.optional(written(folder))),
        Key("data", folder_in(folder)),
        Key("ledger", v.ledger_url, secret=True),
        Key("ledger_wait", v.decimal(0, 60)),
        Key("epoch_hours", v.decimal(1, 24 * 366)),
        Key("name", v.label),
        Key("origin", v.optional(v.origin)),
        Key("signing_key", v.optional(path(folder))),
        Key("operators", v.several(v.account)),
    )


def _network(folder: Path) -> tuple[Key, ...]:
    return (
        Key("nick", v.nick),
        Key("alternate_nicks", v.several(v.nick)),
        Key("host", v.host),
        Key("port", v.whole(1, 65535)),
        Key("tls", v.yes_or_no),
        Key("tls_ca", v.optional(certificates(folder))),
        Key("tls_fingerprint", v.several(v.fingerprint)),
        Key("tls_cert", v.optional(readable(folder))),
        Key("tls_key", v.optional(readable(folder))),
        Key("sts", v.yes_or_no),
        Key("sasl", v.mechanisms(MECHANISMS)),
        Key("sasl_username", v.optional(v.word)),
        Key("sasl_password", v.optional(v.plain), secret=True),
        Key("sasl_key", v.optional(signing_key(folder))),
        Key("sasl_required", v.yes_or_no),
        Key("sasl_plain_without_tls", v.yes_or_no),
        Key("nickserv_password", v.optional(v.word), secret=True),
        Key("password", v.optional(v.line), secret=True),
        Key("channels", v.several(v.join, r"[,\n]"), secret=True),  # with their keys
        Key("flood_burst", _BURST),
        Key("flood_interval", _SECONDS),
        Key("reconnect_first", _SECONDS),
        Key("reconnect_longest", _SECONDS),
        Key("relays", v.several(v.nick)),
        Key("accept_invites", v.yes_or_no),
        Key("ignore", v.several(v.word)),
        Key("bind", v.optional(v.address)),
    )


def _channel(systems: Collection[str]) -> tuple[Key, ...]:
    system = v.one_of({"v5", *systems})
    return (
        Key("official", v.yes_or_no),
        Key("system", system),
        Key("systems", v.several(system)),
        Key("storytellers", v.several(v.account)),
        Key("ops_are_storytellers", v.yes_or_no),
        Key("botch", v.yes_or_no),
        Key("wp_minutes", _MINUTES),
        Key("luck_rank_for_two", v.whole(4, 6)),
        Key("triples", v.one_of(("table", "simple"))),
        Key("modifier_limit", v.optional(v.whole(0, 1_000_000))),
        Key("contest_minutes", _MINUTES),
        Key("window", _MINUTES),
        Key("announce", v.optional(v.yes_or_no)),
        Key("notice", v.yes_or_no),
        Key("colour", v.yes_or_no),
        Key("no_highlight", v.yes_or_no),
    )


_LIMITS = (
    Key("user_burst", _BURST),
    Key("user_interval", _SECONDS),
    Key("channel_burst", _BURST),
    Key("channel_interval", _SECONDS),
    Key("hints", v.yes_or_no),
)

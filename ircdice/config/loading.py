"""A file → a whole `Config`, or every fault in it at once."""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from ircdice.casemapping import fold
from ircdice.config import files, ini, logins, secret
from ircdice.config.faults import Faults, nearest
from ircdice.config.model import BotConfig, Config, Limits, NetworkConfig
from ircdice.config.schema import schema
from ircdice.config.sections import Block, understand
from ircdice.errors import ConfigError
from ircdice.settings import ChannelSettings, HouseRules

_NAME = "config.ini"
SYSTEM_FOLDER = Path("/etc/ircdice")
_HOUSE = tuple(field.name for field in fields(HouseRules))
_OF_BOT = ("nick", "alternate_nicks", "username", "realname", "data")  # what a network takes from [bot]


def default_path() -> Path | None:
    """The config that is used when none is named: here, else the user's, else the system's."""
    user = Path(os.environ.get("XDG_CONFIG_HOME") or "")
    if not user.is_absolute():
        user = Path("~/.config").expanduser()
    places = (Path(), user / "ircdice", SYSTEM_FOLDER)
    return next((place / _NAME for place in places if (place / _NAME).is_file()), None)


def load(path: Path, systems: Collection[str], environ: Mapping[str, str]) -> Config:
    """The config in `path`. Games are checked against `systems`, secrets may come from `environ`."""
    faults = Faults(path)
    text = _text(path)
    keys = schema(path.parent, systems)
    blocks = understand(ini.read(text, faults), keys, faults)
    open_files = [path] if any(secret.held(block, keys) for block in blocks) else []
    for block in blocks:
        open_files += secret.from_files(block, keys, path.parent, faults)
    strays = secret.from_environment(blocks, keys, environ, faults)
    _check(blocks, faults)
    faults.raise_any()
    open_files += [file for block in blocks for file in _keys(block)]
    warnings = [
        f"{file}: holds a secret and may be read by anyone" for file in open_files if files.open_to_others(file)
    ]
    warnings += [f"{name} in the environment names no secret of this config" for name in strays]
    warnings += [
        f"{path}:{line}: {sentence}" for line, sentence in (*_unjoined(blocks), *_alike(blocks), *_logins(blocks))
    ]
    certificates = [file for block in blocks if (file := block.given.get("tls_cert"))]
    elsewhere = tuple(sorted({*open_files, *certificates} - {path}))
    return replace(_built(blocks, path.parent, tuple(warnings)), elsewhere=elsewhere)


def house_rules(values: Mapping[str, str]) -> HouseRules:
    """House rules from keys and values as a channel's section would hold them."""
    keys = {key.name: key for key in schema(Path(), ())["channel"] if key.name in _HOUSE}
    faults, given = [], {}
    for name, value in values.items():
        try:
            if name not in keys:
                raise ValueError(f"no such house rule; {nearest(name, keys)}")
            given[name] = keys[name].parse(value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise ConfigError(tuple(faults))
    return HouseRules(**given)


def _text(path: Path) -> str:
    try:
        text = files.content(path).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError((f"{path}:{line}: is not UTF-8",)) from None
    except ValueError as error:
        raise ConfigError((str(error),)) from None


def _check(blocks: list[Block], faults: Faults) -> None:
    """What no single value can tell."""
    networks = {block.network for block in blocks if block.kind == "network"}
    if not networks:
        faults.add(0, "there is no [network NAME]")
    for block in blocks:
        if block.kind == "channel" and block.network not in networks:
            sentence = f"there is no [network {block.network}]; {nearest(block.network, networks)}"
            faults.add(block.line, sentence, section=block.title)
        if block.kind == "network":
            _check_network(block, faults)
    _check_systems(blocks, faults)


def _check_network(block: Block, faults: Faults) -> None:
    def fault(key: str, sentence: str) -> None:
        faults.add(block.lines.get(key, block.line), sentence, section=block.title, key=key)

    if "host" not in block.lines:
        fault("host", "is missing")
    names = [fold(join.name, "ascii") for join in block.given.get("channels", ())]
    for name in sorted({name for name in names if names.count(name) > 1}):
        fault("channels", f"{name} stands twice")
    default = NetworkConfig(name="", host="")
    first, longest = (block.given.get(key, getattr(default, key)) for key in ("reconnect_first", "reconnect_longest"))
    if all({key, key.removesuffix("_file")} & block.given.keys() for key in block.lines):
        # else what is faulty would be told as missing too
        for key, sentence in logins.faults(block.given):
            fault(key, sentence)
    if first > longest:
        fault("reconnect_first", f"{first:g} is longer than reconnect_longest, {longest:g}")


def _check_systems(blocks: list[Block], faults: Faults) -> None:
    """A channel's own game is one of those that it answers, wherever each of the two is said."""
    apart = {(b.network, fold(b.channel)): b for b in blocks if b.kind == "channel"}
    for network in (block for block in blocks if block.kind == "network"):
        names = {fold(join.name) for join in network.given.get("channels", ())}
        places = [apart[key] for key in apart if key[0] == network.network and key[1] not in names]
        for place in (*(apart.get((network.network, name)) for name in sorted(names)), *places):
            levels = [block for block in (place, network, *(b for b in blocks if b.kind == "bot")) if block]
            settings = _settings(ChainMap(*[block.given for block in levels]))
            if settings.systems and settings.system not in settings.systems:
                block = next(block for block in levels if "system" in block.given or "systems" in block.given)
                key = "system" if "system" in block.given else "systems"
                sentence = f"{settings.system} is played, and is not among systems, {', '.join(settings.systems)}"
                faults.add(block.lines[key], sentence, section=block.title, key=key)


def _unjoined(blocks: list[Block]) -> list[tuple[int, str]]:
    joined = {(b.network, fold(j.name)) for b in blocks if b.kind == "network" for j in b.given.get("channels", ())}
    apart = [
        block for block in blocks if block.kind == "channel" and (block.network, fold(block.channel)) not in joined
    ]
    return [(block.line, f"[{block.title}]: the channel is not among its network's channels") for block in apart]


def _keys(block: Block) -> list[Path]:
    """Files of private keys (IRC-05)."""
    given, key = block.given, block.given.get("sasl_key")
    return [file for file in (given.get("tls_key") or given.get("tls_cert"), key and key.file) if file]


def _logins(blocks: list[Block]) -> list[tuple[int, str]]:
    return [
        (block.lines.get(key, block.line), f"[{block.title}] {key}: {sentence}")
        for block in blocks
        if block.kind == "network"
        for key, sentence in logins.warnings(block.given)
    ]


def _alike(blocks: list[Block]) -> list[tuple[int, str]]:
    """Channels that are two on some networks and one on the others: the first one's settings hold there."""
    first: dict[tuple[str, str], Block] = {}
    found = []
    for block in (block for block in blocks if block.kind == "channel"):
        other = first.setdefault((block.network, fold(block.channel)), block)
        if other is not block:
            sentence = f"[{block.title}]: is [{other.title}] where the server takes brackets for letters"
            found.append((block.line, sentence))
    return found


def _built(blocks: list[Block], folder: Path, warnings: tuple[str, ...]) -> Config:
    given = {block.kind: block.given for block in blocks if block.kind in ("bot", "limits")}
    limits = Limits(**given.get("limits", {}))
    bot = BotConfig(**{"data": folder} | _of(BotConfig, given.get("bot", {})))
    common = {"prefixes": bot.prefixes, "hints": limits.hints}
    networks = []
    for block in (block for block in blocks if block.kind == "network"):
        fallback = ChainMap(block.given, given.get("bot", {}), common)
        apart = [other for other in blocks if other.kind == "channel" and other.network == block.network]
        networks.append(
            NetworkConfig(
                name=block.network,
                defaults=_settings(fallback),
                settings={other.channel: _settings(fallback.new_child(other.given)) for other in apart},
                **{name: getattr(bot, name) for name in _OF_BOT} | _of(NetworkConfig, block.given),
            )
        )
    return Config(bot=bot, networks=tuple(networks), limits=limits, warnings=warnings)


def _of(kind: type[BotConfig | NetworkConfig | ChannelSettings], given: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}


def _settings(given: Mapping[str, Any]) -> ChannelSettings:
    house = HouseRules(**{name: given[name] for name in _HOUSE if name in given})
    return ChannelSettings(**_of(ChannelSettings, given) | {"house": house})

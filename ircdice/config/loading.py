"""Load a config: an INI file, its secrets from other files and the environment, and every fault at once."""

from __future__ import annotations

import os
import re
import stat
from collections import ChainMap
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ircdice.casemapping import fold
from ircdice.config import checks, ini, model, values
from ircdice.config.ini import Option, Report, nearest, why
from ircdice.config.model import TITLES, BotConfig, Config, NetworkConfig, Schema, accepted, schema
from ircdice.errors import ConfigError, ConfigFault
from ircdice.settings import ChannelSettings, HouseRules

SYSTEM_FOLDER = Path("/etc/ircdice")

_NAME = "config.ini"
_VARIABLE = "IRCDICE_"
_NETWORK = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FROM_BOT = ("nick", "alternate_nicks", "username", "realname", "data")  # a network inherits these from [bot]
_READ_FOR_PAGE = frozenset({"data", "ledger"})  # of the paths and secrets

Values = Mapping[str, Any]  # by key, each of the type of its field in `model` or `settings`


@dataclass(slots=True)
class _Section:
    """A section, with the keys that its options set and their parsed values. A faulty option has no value."""

    title: str
    kind: str  # bot, network, channel or limits
    network: str = ""
    channel: str = ""  # as written
    options: dict[str, Option] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict, repr=False)


def default_path(system: Path = SYSTEM_FOLDER) -> Path | None:
    """The default config: in this folder, else the user's, else the system's."""
    user = Path(os.environ.get("XDG_CONFIG_HOME") or "")
    if not user.is_absolute():
        user = Path("~/.config").expanduser()
    places = (Path(), user / "ircdice", system)
    return next((place / _NAME for place in places if (place / _NAME).is_file()), None)


def load(path: Path, systems: Collection[str], environ: Mapping[str, str], *, trying: bool = False) -> Config:
    """Load the config in `path`; ConfigError with every fault. `systems` are the games, `environ` may hold secrets.

    `trying` also checks that the bot can write where it must.
    """
    report, keys = Report(path), schema(systems)
    sections = _sections(keys, report)
    unknown = _add_environment(sections, keys, environ, report)
    secret_files = [file for section in sections for file in _parse(section, keys, report)]
    config = _built(sections, path.parent)
    checks.check(config, report)
    if trying:
        checks.check_places(config, report)
    report.raise_faults()
    for network in config.networks:
        secret_files += [file for file in (network.tls_key or network.tls_cert,) if file]
        secret_files += [network.sasl_key.file] if network.sasl_key else []
    readable = [file for file in dict.fromkeys(secret_files) if file.stat().st_mode & stat.S_IROTH]
    warnings = [
        *(ConfigFault("holds a secret and may be read by anyone: chmod 600", str(file)) for file in readable),
        *(ConfigFault(f"{name} in the environment names no secret of this config") for name in unknown),
        *checks.warnings(config, report),
    ]
    certificates = [network.tls_cert for network in config.networks if network.tls_cert]
    elsewhere = sorted({*secret_files, *certificates} - {path})
    return replace(config, warnings=tuple(warnings), elsewhere=tuple(elsewhere))


def load_for_page(path: Path, systems: Collection[str], environ: Mapping[str, str]) -> Config:
    """The parts of a config that the web page needs: the only secret is the ledger's address."""
    report, keys = Report(path), schema(systems)
    sections = _sections(keys, report)
    _add_environment(sections, keys, environ, report)
    for section in sections:
        for name, key in accepted(keys, section.kind).items():
            if (key.secret or key.path) and name not in _READ_FOR_PAGE:
                section.options.pop(name, None)
        _parse(section, keys, report)
    report.raise_faults()
    return _built(sections, path.parent)


def house_rules(given: Mapping[str, str]) -> HouseRules:
    """House rules from keys and values as in the section of a channel."""
    rules = {each.name for each in fields(HouseRules)}
    keys = {name: key for name, key in schema(())["channel"].items() if name in rules}
    faults, parsed = [], {}
    for name, value in given.items():
        try:
            if name not in keys:
                raise ValueError(f"no such house rule; {nearest(name, keys)}")
            parsed[name] = keys[name].parse(value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise ConfigError(*faults)
    return _settings(parsed).house


def _sections(keys: Schema, report: Report) -> list[_Section]:
    """The known sections of the file, each once, with their known options."""
    raw = ini.read(_text(report.path), report)
    found: dict[tuple[str, str, str], _Section] = {}
    example = next((each.title.split()[1] for each in raw if each.title.startswith("network ")), "NETWORK")
    for each in raw:
        try:
            new = _identified(each.title, example)
        except ValueError as error:
            report.fault(str(error), each.title, line=each.line)
            continue
        # IRC-09: ascii, because brackets are letters on some networks only
        section = found.setdefault((new.kind, new.network, fold(new.channel, "ascii")), new)
        if section is new:
            report.lines[new.title, ""] = each.line
        else:
            report.fault(f"is already on line {report.lines[section.title, '']}", new.title, line=each.line)
        for option in each.options:
            _add(section, option, keys, report)
    networks = {network for kind, network, _ in found if kind == "network"}
    if not networks:
        report.fault("there is no [network NAME] section", line=0)
    for section in found.values():
        if section.kind == "channel" and section.network not in networks:
            sentence = f"there is no [network {section.network}]; {nearest(section.network, networks)}"
            report.fault(sentence, section.title)
    return list(found.values())


def _text(path: Path) -> str:
    try:
        text = values.content(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(ConfigFault("is not UTF-8", str(path), line)) from None
    except (ValueError, OSError) as error:
        raise ConfigError(why(error)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _identified(title: str, example: str) -> _Section:
    """An empty section with that title; ValueError for an unknown title. `example` names a network."""
    kind, _, name = " ".join(title.split()).partition(" ")
    kind = kind.lower()
    if kind not in TITLES:
        raise ValueError(f"no such section; {nearest(kind, TITLES)}")
    network, slash, channel = name.partition("/") if kind == "channel" else (name, "", "")
    if kind == "channel" and name and not slash:
        raise ValueError(f"name its network too: [channel {example}/{name}]")
    if ("NAME" in TITLES[kind]) != bool(name) or ("/" in TITLES[kind]) != bool(slash):
        raise ValueError(f"the section is called [{TITLES[kind]}]")
    if kind == "network" and not _NETWORK.fullmatch(network):
        raise ValueError("the name of a network consists of letters, digits, . - and _")
    return _Section(f"{kind} {name}".strip(), kind, network, values.channel(channel) if slash else "")


def _add(section: _Section, option: Option, keys: Schema, report: Report) -> None:
    """Add an option to its section if it is known and not a duplicate."""
    known = accepted(keys, section.kind)
    names = {name: name for name in known} | {f"{name}_file": name for name, key in known.items() if key.secret}
    if option.key not in names:
        homes = [f"[{TITLES[kind]}]" for kind in TITLES if option.key in keys[kind]]
        sentence = f"belongs in {' or '.join(homes)}" if homes else f"no such key; {nearest(option.key, names)}"
    elif first := section.options.get(names[option.key]):
        sentence = f"is already on line {first.line}"
        if first.key != option.key:
            sentence = f"{first.key} is on line {first.line}; keep one of them"
    else:
        section.options[names[option.key]] = option
        report.lines[section.title, option.key] = option.line
        return
    report.fault(sentence, section.title, option.key, option.line)


def _add_environment(
    sections: Iterable[_Section], keys: Schema, environ: Mapping[str, str], report: Report
) -> list[str]:
    """Add the secrets of the environment, which override those of the file; return the unknown variables."""
    owners: dict[str, _Section] = {}
    for section in sections:
        for name in (name for name, key in keys[section.kind].items() if key.secret):
            variable = _VARIABLE + re.sub(r"[^A-Za-z0-9]", "_", f"{section.title} {name}").upper()
            if not environ.get(variable):
                continue
            owner = owners.setdefault(variable, section)
            if owner is not section:  # one network would be sent the other's password
                report.fault(f"sets both [{owner.title}] and [{section.title}]", key=variable, line=0)
            section.options[name] = Option(variable, [environ[variable]], 0)
    return sorted(name for name in environ if name.startswith(_VARIABLE) and name not in owners)


def _parse(section: _Section, keys: Schema, report: Report) -> list[Path]:
    """Parse the options of a section; return the files that hold its secrets (IRC-05)."""
    known, folder, files = accepted(keys, section.kind), report.path.parent, []
    for name, option in section.options.items():
        key, text = known[name], option.value
        try:
            if option.key == f"{name}_file":
                files.append(folder / values.plain(text))
                text = values.secret(files[-1])
            elif key.path and text:
                text = str(folder / text)
            section.values[name] = key.parse(text)
        except (ValueError, OSError) as error:
            hint = "; a comment needs a line of its own" if not key.secret and re.search(r"\s[;#]\s", text) else ""
            report.fault(f"{why(error)}{hint}", section.title, option.key, option.line)
        else:
            if key.secret and option.key == name and _is_secret(section.values[name]):
                files.append(report.path)
    return files


def _is_secret(value: object) -> bool:
    if isinstance(value, tuple):
        return any(isinstance(each, values.Join) and each.key for each in value)
    return bool(value) and not str(value).startswith("sqlite:")  # a URL may hold a password, a file's name does not


def _built(sections: Collection[_Section], folder: Path) -> Config:
    """The config: a network falls back to [bot], a channel to its network and [bot], everything to the defaults."""
    top = {kind: next((each.values for each in sections if each.kind == kind), {}) for kind in TITLES}
    bot = BotConfig(**{"data": folder, **_only(BotConfig, top["bot"])})
    limits, web = model.Limits(**top["limits"]), model.WebConfig(**top["web"])
    common = {"prefixes": bot.prefixes, "hints": limits.hints, "base_url": web.base_url, "docs_url": bot.docs_url}
    common |= {"operators": bot.operators}
    from_bot = {"host": "", **{name: getattr(bot, name) for name in _FROM_BOT}}  # a missing host is a fault
    networks = []
    for section in (section for section in sections if section.kind == "network"):
        fallback = ChainMap(section.values, top["bot"], common)
        channels = [other for other in sections if other.kind == "channel" and other.network == section.network]
        network = NetworkConfig(
            name=section.network,
            defaults=_settings(fallback),
            settings={other.channel: _settings(fallback.new_child(other.values)) for other in channels},
            **{**from_bot, **_only(NetworkConfig, section.values)},
        )
        networks.append(network)
    return Config(bot, tuple(networks), limits, web, model.MetricsConfig(**top["metrics"]))


def _settings(given: Values) -> ChannelSettings:
    return ChannelSettings(**{**_only(ChannelSettings, given), "house": HouseRules(**_only(HouseRules, given))})


def _only(kind: type[BotConfig | NetworkConfig | ChannelSettings | HouseRules], given: Values) -> dict[str, Any]:
    return {each.name: given[each.name] for each in fields(kind) if each.name in given}

"""Load a config: an INI file, its secrets from other files and the environment, and every fault at once."""

from __future__ import annotations

import os
import re
import stat
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from ircdice.casemapping import fold
from ircdice.config import checks, files, ini, model
from ircdice.config.ini import Option, Report
from ircdice.config.model import FILES, KEYS, SECRETS, TITLES, BotConfig, Config, NetworkConfig, accepted
from ircdice.errors import ConfigError, ConfigFault
from ircdice.settings import ChannelSettings, HouseRules
from ircdice.values import channel, nearest, plain

T = TypeVar("T")
SYSTEM_FOLDER = Path("/etc/ircdice")

_NAME = "config.ini"
_VARIABLE = "IRCDICE_"
_NAME_OF_NETWORK = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FOR_BOT = (SECRETS | FILES) - {"ledger"}  # what the page must not know, and may not be allowed to read
_BOT, _NETWORK = TypeAdapter(BotConfig), TypeAdapter(NetworkConfig)
_LIMITS, _WEB, _METRICS = TypeAdapter(model.Limits), TypeAdapter(model.WebConfig), TypeAdapter(model.MetricsConfig)
_CHANNEL, _HOUSE = TypeAdapter(ChannelSettings), TypeAdapter(HouseRules)
_QUOTED = 40  # characters of a faulty value

Options = Mapping[str, Option]  # by key


@dataclass(slots=True)
class _Section:
    """A section with its options."""

    title: str
    kind: str
    network: str = ""
    channel: str = ""  # as written
    options: dict[str, Option] = field(default_factory=dict)


def default_path(system: Path = SYSTEM_FOLDER) -> Path | None:
    """The default config: in this folder, else the user's, else the system's."""
    user = Path(os.environ.get("XDG_CONFIG_HOME") or "")
    if not user.is_absolute():
        user = Path("~/.config").expanduser()
    places = (Path(), user / "ircdice", system)
    return next((place / _NAME for place in places if (place / _NAME).is_file()), None)


def load(path: Path, environ: Mapping[str, str], *, trying: bool = False) -> Config:
    """Load the config in `path`; ConfigError with every fault. `environ` may hold secrets.

    `trying` also checks that the bot can write where it must, and listen.
    """
    report = Report(path)
    sections = _sections(report)
    unknown = _add_environment(sections, environ, report)
    secret_files = _read_secrets(sections, report)
    config = _built(sections, report)
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
        *(checks.port_warnings(config, report) if trying else ()),
    ]
    certificates = [network.tls_cert for network in config.networks if network.tls_cert]
    elsewhere = sorted({*secret_files, *certificates} - {path})
    return replace(config, warnings=tuple(warnings), elsewhere=tuple(elsewhere))


def load_for_page(path: Path, environ: Mapping[str, str]) -> Config:
    """The parts of a config that the web page needs: the only secret is the ledger's address."""
    report = Report(path)
    sections = _sections(report)
    _add_environment(sections, environ, report)
    for section in sections:
        for name in _FOR_BOT:
            section.options.pop(name, None)
    _read_secrets(sections, report)
    config = _built(sections, report)
    report.raise_faults()
    return config


def house_rules(given: Mapping[str, str]) -> HouseRules:
    """House rules from keys and values as in the section of a channel."""
    known = {rule.name for rule in fields(HouseRules)}
    faults = [f"{name}: no such house rule; {nearest(name, known)}" for name in given if name not in known]
    try:
        rules = _HOUSE.validate_python(dict(given))
    except ValidationError as error:
        faults += [f"{key}: {sentence}" for key, sentence in _faults(error)]
    if faults:
        raise ConfigError(*faults)
    return rules


def _faults(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Each faulty key with a sentence. Secrets have no sentences but ours, which do not quote them (IRC-05)."""
    for details in error.errors():
        value = str(details["input"])
        if details["type"] == "value_error":
            sentence = str(details["ctx"]["error"])
        else:
            sentence = f"{value!r} {details['msg'].removeprefix('Input ')}"
        shortened = value if len(value) <= _QUOTED else f"{value[:_QUOTED]}…"
        yield str(details["loc"][0]), sentence.replace(repr(value), repr(shortened))


def _sections(report: Report) -> list[_Section]:
    """The known sections of the file, each once, with their known options."""
    try:
        raw = ini.read(files.secret(report.path), report)
    except ValueError as error:
        line, _, sentence = str(error).removeprefix(f"{report.path}:").rpartition(": ")
        raise ConfigError(ConfigFault(sentence.strip(), str(report.path), int(line or 0))) from None
    sections: dict[tuple[str, str, str], _Section] = {}
    for written in raw:
        try:
            new = _identified(written.title)
        except ValueError as error:
            report.fault(str(error), written.title, line=written.line)
            continue
        # IRC-09: ascii, because brackets are letters on some networks only
        section = sections.setdefault((new.kind, new.network, fold(new.channel, "ascii")), new)
        if section is new:
            report.lines[new.title, ""] = written.line
        else:
            report.fault(f"is already on line {report.lines[section.title, '']}", new.title, line=written.line)
        for option in written.options:
            _add(section, option, report)
    networks = {network for kind, network, _ in sections if kind == "network"}
    if not networks:
        report.fault("there is no [network NAME] section", line=0)
    for section in sections.values():
        if section.kind == "channel" and section.network not in networks:
            sentence = f"there is no [network {section.network}]; {nearest(section.network, networks)}"
            report.fault(sentence, section.title)
    return list(sections.values())


def _identified(title: str) -> _Section:
    """An empty section with that title; ValueError for an unknown title."""
    kind, _, name = title.partition(" ")
    kind = kind.lower()
    if kind not in TITLES:
        raise ValueError(f"no such section; {nearest(kind, TITLES)}")
    network, slash, on = name.partition("/") if kind == "channel" else (name, "", "")
    if ("NAME" in TITLES[kind]) != bool(name) or ("/" in TITLES[kind]) != bool(slash):
        raise ValueError(f"the section is called [{TITLES[kind]}]")
    if kind == "network" and not _NAME_OF_NETWORK.fullmatch(network):
        raise ValueError("the name of a network consists of letters, digits, . - and _")
    return _Section(f"{kind} {name}".strip(), kind, network, channel(on) if slash else "")


def _add(section: _Section, option: Option, report: Report) -> None:
    """Add an option to its section if it is known and not a duplicate."""
    known = accepted(section.kind)
    names = {name: name for name in known} | {f"{name}_file": name for name in known & SECRETS}
    name = names.get(option.key, "")
    if not name:
        homes = [f"[{TITLES[kind]}]" for kind in TITLES if option.key in KEYS[kind]]
        sentence = f"belongs in {' or '.join(homes)}" if homes else f"no such key; {nearest(option.key, names)}"
        report.fault(sentence, section.title, option.key, option.line)
    elif first := section.options.get(name):
        report.fault(f"repeats line {first.line}; keep one of them", section.title, option.key, option.line)
    else:
        section.options[name] = option
        report.lines[section.title, option.key] = option.line


def _add_environment(sections: Iterable[_Section], environ: Mapping[str, str], report: Report) -> list[str]:
    """Add the secrets of the environment, which override those of the file; return the unknown variables."""
    owners: dict[str, _Section] = {}
    for section in sections:
        for name in sorted(KEYS[section.kind] & SECRETS):
            variable = _VARIABLE + re.sub(r"[^A-Za-z0-9]", "_", f"{section.title} {name}").upper()
            if not environ.get(variable):
                continue
            owner = owners.setdefault(variable, section)
            if owner is not section:  # one network would be sent the other's password
                report.fault(f"sets both [{owner.title}] and [{section.title}]", key=variable, line=0)
            section.options[name] = Option(section.title, variable, environ[variable], 0)
    return sorted(name for name in environ if name.startswith(_VARIABLE) and name not in owners)


def _read_secrets(sections: Iterable[_Section], report: Report) -> list[Path]:
    """Read the secrets that are in files of their own; return the files that hold secrets (IRC-05)."""
    holders = []
    for section in sections:
        for name in sorted(section.options.keys() & SECRETS):
            option = section.options[name]
            if option.key == name and _is_secret(name, option.value):
                holders.append(report.path)
            if option.key == f"{name}_file":
                try:
                    file = report.path.parent / plain(option.value)
                    option.value = files.secret(file)
                    holders.append(file)
                except ValueError as error:
                    report.fault(str(error), section.title, option.key, option.line)
                    del section.options[name]
    return holders


def _is_secret(name: str, value: str) -> bool:
    if name == "channels":
        return re.search(r"[^\s,][^\S\n]+[^\s,]", value) is not None  # a name and its key
    return bool(value) and not value.startswith("sqlite:")  # a URL may hold a password, a file's name does not


def _built(sections: Iterable[_Section], report: Report) -> Config:
    """The config: a network falls back to [bot], a channel to its network and [bot], everything to the defaults."""
    top: dict[str, dict[str, Option]] = {kind: {} for kind in TITLES}
    top |= {section.kind: section.options for section in sections}
    top["bot"].setdefault("data", Option("bot", "data", ".", 0))
    shared = (top["bot"], top["limits"], top["web"])
    own = {section.network: section.options for section in sections if section.kind == "network"}
    channels: dict[str, dict[str, ChannelSettings]] = {network: {} for network in own}
    for section in sections:
        if section.kind == "channel":
            options = ChainMap(section.options, own.get(section.network, {}), *shared)
            channels.setdefault(section.network, {})[section.channel] = _settings(options, report)
    bot, networks = _validated(_BOT, top["bot"], report), []
    for name, given in own.items():
        options = ChainMap(given, *shared)
        network = _validated(_NETWORK, options, report)
        defaults = _settings(options, report)
        networks.append(replace(network, name=name, data=bot.data, defaults=defaults, settings=channels[name]))
        if not {"host", "socket"} & given.keys():
            report.fault("is missing", f"network {name}", "host")
    limits, web = _validated(_LIMITS, top["limits"], report), _validated(_WEB, top["web"], report)
    return Config(bot, tuple(networks), limits, web, _validated(_METRICS, top["metrics"], report))


def _settings(options: Options, report: Report) -> ChannelSettings:
    return replace(_validated(_CHANNEL, options, report), house=_validated(_HOUSE, options, report))


def _validated(adapter: TypeAdapter[T], options: Options, report: Report) -> T:
    """The values of `options`. A faulty one is reported, and has its default."""
    values = {name: option.value for name, option in options.items()}
    try:
        return adapter.validate_python(values, context=report.path.parent)
    except ValidationError as error:
        faults = [*_faults(error)]
    for key, sentence in faults:
        option = options[key]
        hint = "; a comment needs a line of its own" if re.search(r"\s[;#]\s", option.value) else ""
        report.fault(f"{sentence}{hint}", option.section, option.key, option.line)
    sound = {name: option for name, option in options.items() if name not in dict(faults)}
    return _validated(adapter, sound, report)

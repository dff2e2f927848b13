"""Checks across several keys, sections or files."""

from __future__ import annotations

import os
import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509

from ircdice.casemapping import fold
from ircdice.config.ini import Report
from ircdice.config.model import Config, NetworkConfig
from ircdice.errors import ConfigFault

Findings = Iterator[tuple[str, str]]  # a key of a network, and a sentence about it

_CREDENTIALS = {
    "plain": "sasl_password",
    "external": "tls_cert",
    "scram-sha-256": "sasl_password",
    "ecdsa-nist256p-challenge": "sasl_key",
}
_PORTS_WITHOUT_TLS = (*range(6660, 6670), 7000)
_PORT_WITH_TLS = 6697
_SOON = timedelta(days=14)
_EXAMPLE = ("example", "irc.example.net")  # in config.example.ini
_SYSTEM_KEYS = ("system", "systems")


def check(config: Config, report: Report) -> None:
    """Report every fault."""
    for network in config.networks:
        section = f"network {network.name}"
        if not any(fault.section == section for fault in report.faults):  # otherwise perhaps a consequence
            for key, sentence in (*_network_faults(network), *_login_faults(network)):
                report.fault(sentence, section, key)
        _check_systems(network, report)


def check_places(config: Config, report: Report) -> None:
    """Report unwritable folders: for data, the SQLite file, the log and the metrics socket."""
    bot = config.bot
    created_in = next(folder for folder in (bot.data, *bot.data.parents) if os.access(folder, os.F_OK))
    _check_writable(created_in, report, "bot", "data")
    if bot.log_file is not None:
        _check_writable(bot.log_file.parent, report, "bot", "log_file")
        if bot.log_file.is_dir():
            report.fault(f"{bot.log_file}: is a directory", "bot", "log_file")
    file = bot.data / bot.ledger.removeprefix("sqlite:///")
    if bot.ledger.startswith("sqlite:") and file.parent != bot.data:
        _check_writable(file.parent, report, "bot", "ledger")
    if config.metrics.listen is not None and config.metrics.listen.socket is not None:
        _check_writable(config.metrics.listen.socket.parent, report, "metrics", "listen")


def port_warnings(config: Config, report: Report) -> Iterator[ConfigFault]:
    """A warning if nothing can listen at the port for metrics now: the bot may be running, and listen there itself."""
    listen = config.metrics.listen
    if listen is not None and listen.socket is None:
        family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
        try:
            socket.create_server((listen.host, listen.port), family=family).close()
        except OSError as error:
            why = os.strerror(error.errno or 0).lower()
            sentence = f"{listen}: {why}; unless the bot already runs there, it cannot start"
            yield report.warning(sentence, "metrics", "listen")


def _check_writable(folder: Path, report: Report, section: str, key: str) -> None:
    """Create a directory and remove it: permissions are not enough, even root cannot create one in /proc."""
    trial = folder / f".ircdice-{os.getpid()}"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        missing = f"{folder}: there is no such folder; create it first"
        report.fault(f"{folder}: is not writable" if os.access(folder, os.F_OK) else missing, section, key)


def _network_faults(network: NetworkConfig) -> Findings:
    if network.socket and network.tls and not (network.host or network.tls_fingerprint):
        yield "tls", "is yes, but no host is given whose name to check; a local server usually takes tls = no"
    if network.bind and (network.proxy or network.socket):
        yield "bind", "has no effect with a proxy or a socket"
    if network.proxy and network.socket:
        yield "proxy", "has no effect with a socket"
    names = Counter(fold(join.name, "ascii") for join in network.channels)
    for name in sorted(name for name, times in names.items() if times > 1):
        yield "channels", f"{name} is listed twice"


def _check_systems(network: NetworkConfig, report: Report) -> None:
    """A channel's `system` must be among its `systems`, wherever the two keys are set."""
    given = [(f"channel {network.name}/{name}", settings) for name, settings in network.settings.items()]
    if {fold(join.name) for join in network.channels} - set(map(fold, network.settings)):
        given.append((f"network {network.name}", network.defaults))
    for own, settings in given:
        if settings.systems and settings.system not in settings.systems:
            places = [(section, key) for section in (own, f"network {network.name}", "bot") for key in _SYSTEM_KEYS]
            section, key = next(place for place in places if place in report.lines)
            sentence = f"{settings.system} is played, but is not among systems, {', '.join(settings.systems)}"
            report.fault(sentence, section, key)


def warnings(config: Config, report: Report) -> Iterator[ConfigFault]:
    """Warnings: valid, but probably a mistake."""
    for network in config.networks:
        for key, sentence in _network_warnings(network):
            yield report.warning(sentence, f"network {network.name}", key)
        joined = {fold(join.name) for join in network.channels}
        for channel in network.settings:
            if fold(channel) not in joined:
                section = f"channel {network.name}/{channel}"
                yield report.warning("the channel is not among its network's channels", section)


def _network_warnings(network: NetworkConfig) -> Findings:
    if (network.name, network.host) == _EXAMPLE:
        yield "host", f"{network.host} is only an example: name a server of your network"
    if not network.channels:
        yield "channels", "is empty: the bot joins no channel"
    for join in network.channels:
        if join.key and join.key.startswith("#"):  # IRC-05: keys are not quoted
            yield "channels", f"what comes after {join.name} is taken as its key; separate channels with commas"
    if network.tls_ca and network.tls_fingerprint:
        yield "tls_ca", "is ignored: tls_fingerprint replaces all other checks"
    if network.tls and network.port in _PORTS_WITHOUT_TLS:
        yield "port", f"{network.port} is a port without TLS on nearly every network"
    if not network.tls:
        yield from _warnings_without_tls(network)
    if network.tls_cert:
        yield from _expiry(network.tls_cert)


def _warnings_without_tls(network: NetworkConfig) -> Findings:
    if network.port == _PORT_WITH_TLS:
        yield "tls", f"is no, but port {network.port} takes only TLS on nearly every network"
    sasl = set(network.sasl)
    needs_tls = sasl <= {"plain", "external"} or ("auto" in sasl and not network.sasl_password)
    if sasl and needs_tls and not ("plain" in sasl and network.sasl_plain_without_tls):
        yield "sasl", f"{', '.join(network.sasl)} needs TLS, but tls is no"
    for key, password in (("password", network.password), ("nickserv_password", network.nickserv_password)):
        if password:
            yield key, "is sent in the clear, because tls is no"


def _login_faults(network: NetworkConfig) -> Findings:
    values = {"sasl_password": network.sasl_password, "sasl_key": network.sasl_key, "tls_cert": network.tls_cert}
    for name in network.sasl:
        need = _CREDENTIALS.get(name)
        if need and not values[need]:
            yield "sasl", f"{name} needs {need}"
    if "auto" in network.sasl and not any(values.values()):
        yield "sasl", "auto needs one of sasl_password, sasl_key and tls_cert"
    for key in ("sasl_password", "sasl_key"):
        if values[key] and not network.sasl:
            yield key, "is given, but sasl is none; did you mean sasl = auto?"
    if network.tls_cert:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(network.tls_cert, network.tls_key, password="")
        except ssl.SSLError:
            yield "tls_cert", "needs its own key, unencrypted, in the same file or in tls_key"
    elif network.tls_key:
        yield "tls_key", "has no effect without tls_cert"


def _expiry(certificate: Path) -> Findings:
    ends = x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc
    now = datetime.now(UTC)
    if ends < now + _SOON:
        yield "tls_cert", f"{'has expired' if ends < now else 'expires'} on {ends:%Y-%m-%d}"

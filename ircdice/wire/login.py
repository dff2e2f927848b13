"""Login: capabilities, PASS, SASL, NickServ and the nick, up to the first JOIN (IRC-03, IRC-04, IRC-07).

Lines in, effects out.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator

from ircdice.config import NetworkConfig
from ircdice.wire.channels import Roster, join_lines
from ircdice.wire.protocol import Close, Effect, KeepTls, Line, Note, Send, Support, Wake
from ircdice.wire.sasl import BY_PASSWORD, STRONGEST_FIRST, Credentials, Sasl, State, start
from ircdice.wire.sts import Policy, parse_policy

OPENING = "CAP LS 302"
WANTED = (
    "message-tags",
    "account-tag",
    "server-time",
    "multi-prefix",
    "account-notify",
    "extended-join",
    "batch",
    "echo-message",
    "labeled-response",
)
_KNOWN = frozenset({*WANTED, "sasl", "sts"})  # bounds what an endless list can store
HELD = 3.0  # seconds to hold back a password without TLS, in case the server asks for TLS
_SERVICES_FIRST, _SERVICES_LONGEST = 5.0, 300.0  # seconds until absent services are retried
_SETTLE = 0.1  # seconds after the welcome for ISUPPORT, which limits the joins
_IDENTIFY = 10.0  # seconds for services to recognise us
_IDENTIFY_AGAIN = 60.0  # seconds before the password is sent again
_YES = re.compile(r"you are (?:now|already) (?:identified|logged in|recogni[sz]ed)|password accepted", re.IGNORECASE)
_NO = re.compile(r"invalid|incorrect|wrong|denied|isn'?t registered|is not registered|not a registered", re.IGNORECASE)
_ASKS = re.compile(r"/msg nickserv identify|please (?:choose|identify)|nick(?:name)? is registered", re.IGNORECASE)
_UNDERSCORES = 3
_TRIES = 30
_SHORT = 9  # the shortest limit that servers still have
_EVERY = 60.0  # seconds between two ISON
_IN_USE = "433"
_THROUGH_SERVICES = ("REGAIN", "GHOST")  # Atheme's newer command, and the one that all others have


def mechanisms(config: NetworkConfig) -> tuple[str, ...]:
    """The mechanisms that the config allows on this connection, in order of preference."""
    named = tuple(name.upper() for name in config.sasl)
    has = {
        "EXTERNAL": config.tls_cert is not None,
        "ECDSA-NIST256P-CHALLENGE": config.sasl_key is not None,
        **dict.fromkeys(BY_PASSWORD, bool(config.sasl_password)),
    }
    allowed = tuple(name for name in STRONGEST_FIRST if has[name]) if "AUTO" in named else named
    barred = set() if config.tls else {"EXTERNAL"}
    if not (config.tls or config.sasl_plain_without_tls):
        barred.add("PLAIN")
    return tuple(name for name in allowed if name not in barred and name in STRONGEST_FIRST)


class Login:
    """From the first line to the first JOIN. `nonce` is for SCRAM; `config` includes TLS by policy.

    The channels wait for NickServ for a while if SASL was not used.
    """

    def __init__(self, config: NetworkConfig, support: Support, roster: Roster, nonce: str) -> None:
        self._config, self._support, self._roster = config, support, roster
        allowed = mechanisms(config)
        self.wanted = (*WANTED, "sasl") if allowed else WANTED
        self.offered: dict[str, str] = {}  # capabilities and their values
        self.enabled: set[str] = set()
        self._requested: set[str] = set()
        self._listed = self._ended = False  # a complete list has come; negotiation is over
        name, key = config.sasl_username or config.nick, config.sasl_key
        credentials = Credentials(name, config.sasl_password or "", key.pem if key else "")
        self.sasl = Sasl(allowed, lambda mechanism: start(mechanism, credentials, nonce))
        self.over = False  # failed, or to be continued over TLS: send nothing more
        self._registered = False
        self.welcomed = False  # by the server
        self.tls_duration: int | None = None  # seconds for which the server requires TLS (IRC-02)
        self._pause = _SERVICES_FIRST
        self.arrived = False  # whether everything that precedes joining is done
        self._waiting = self._resting = False  # with NickServ

    @property
    def authenticated(self) -> bool:
        """Whether services know our account."""
        return self.sasl.state is State.DONE or bool(self.sasl.account)

    def open(self) -> Iterator[Effect]:
        """The first lines, CAP before all (IRC-03). A password is held back until the server could ask for TLS."""
        yield Send(OPENING, urgent=True)
        if self._config.password and self._config.sts and not self._config.tls:
            yield Wake(HELD, self._register)
        else:
            yield from self._register()

    def receive(self, line: Line) -> Iterator[Effect]:
        """Handle a line that may concern the login."""
        if self.over:
            return
        if line.command == "CAP":
            yield from self._capabilities(line)
        else:
            before = self.sasl.state
            yield from _sent(self.sasl.receive(line))
            if self.sasl.state is not before:
                yield from self._sasl_changed()
            if self.welcomed:
                yield from self._services(line)

    def welcome(self) -> Iterator[Effect]:
        """The server accepted us, perhaps before negotiation ended or without CAP; ISUPPORT follows."""
        self._registered = self._ended = True
        if self._config.sasl and self.sasl.state in (State.IDLE, State.UNDER_WAY) and not self.authenticated:
            yield from self._without(self._absent())
        if not self.over:
            self.welcomed = True
            yield from self._try_services_later()
            yield Wake(_SETTLE, self._identify_or_join)

    def hurry(self) -> Iterator[Effect]:
        """Negotiation takes too long: continue without it if the config allows (IRC-03)."""
        yield from self._register()
        if self.sasl.state is State.UNDER_WAY:
            yield from _sent(self.sasl.abort(f"{self.sasl.mechanism}: no answer in time"))
            yield from self._without(self.sasl.reason)
        yield from self._finish()

    def _register(self) -> Iterator[Effect]:
        """PASS, NICK and USER, once."""
        if self._registered or self.over:
            return
        self._registered = True
        config = self._config
        if config.password:
            colon = ":" if " " in config.password or config.password.startswith(":") else ""
            yield Send(f"PASS {colon}{config.password}", urgent=True)
        yield Send(f"NICK {config.nick}", urgent=True)
        yield Send(f"USER {config.username} 0 * :{config.realname}", urgent=True)

    def _capabilities(self, line: Line) -> Iterator[Effect]:
        kind, names = line.param(1).upper(), line.param(-1).split() if len(line.params) > 2 else []
        requests = self._negotiate(kind, names, more=line.param(2) == "*" and len(line.params) > 3)
        security = parse_policy(self.offered.get("sts", "")) if self._config.sts else Policy()
        if not self._config.tls and security.port is not None:
            self.over = True
            yield Note("STS", f"the server asks for TLS on port {security.port}")
            yield Close(f"continued over TLS on port {security.port}", tls_port=security.port)
            return
        if self._config.tls and security.duration not in (None, self.tls_duration):
            self.tls_duration = security.duration
            yield KeepTls(security.duration)
        if self._listed:
            yield from self._register()
        yield from _sent(requests)
        granted = kind == "ACK" and "sasl" in names and "sasl" in self.enabled  # not without a request
        if granted and self.sasl.state is not State.UNDER_WAY and not self.authenticated:
            yield from _sent(self.sasl.begin(self.offered.get("sasl", "")))
            if self.sasl.state is State.FAILED:
                yield from self._without(self.sasl.reason)
        yield from self._finish_if_settled()

    def _negotiate(self, kind: str, names: list[str], *, more: bool) -> list[str]:
        """Request the wanted capabilities on offer, one by one if the server refuses the whole list."""
        match kind:
            case "LS" | "NEW":
                pairs = (name.partition("=")[::2] for name in names)
                self.offered |= {name: value for name, value in pairs if name in _KNOWN}
                if more and kind == "LS":
                    return []
                self._listed = self._listed or kind == "LS"
                known = self.enabled | self._requested
                new = [name for name in self.wanted if name in self.offered and name not in known]
                self._requested.update(new)
                return [f"CAP REQ :{' '.join(new)}"] if new else []
            case "DEL":
                for name in names:
                    self.offered.pop(name, None)
                    self.enabled.discard(name)
                    self._requested.discard(name)  # an answer may never come
            case "ACK":
                self.enabled |= self._requested & set(names)  # only what was requested
                self._requested -= set(names)
            case "NAK":
                refused = [name for name in names if name in self._requested]
                if len(refused) > 1:  # a request is granted or refused as a whole: try them one by one
                    return [f"CAP REQ :{name}" for name in refused]
                self._requested -= set(refused)
        return []

    def _sasl_changed(self) -> Iterator[Effect]:
        if self.sasl.state is State.FAILED:
            yield from self._without(self.sasl.reason)
        elif self.sasl.state is State.DONE:
            yield Note("logged in", f"{self.sasl.mechanism} as {self.sasl.account or 'unknown'}")
        yield from self._finish_if_settled()

    def _without(self, why: str) -> Iterator[Effect]:
        """SASL failed: the config decides whether to disconnect (IRC-04)."""
        config = self._config
        if not self.welcomed and config.sasl_required and (self.sasl.final or not config.nickserv_password):
            self.over = True
            yield Close(f"SASL failed: {why}", self.sasl.final)
        else:
            yield Note("SASL failed", why, level=logging.WARNING)

    def _finish_if_settled(self) -> Iterator[Effect]:
        """End the negotiation once every request is answered and SASL has finished."""
        if self._listed and not self._requested and self.sasl.state is not State.UNDER_WAY:
            yield from self._finish()

    def _finish(self) -> Iterator[Effect]:
        if self._config.sasl and not self.welcomed and self.sasl.state is State.IDLE:
            self.sasl.state = State.FAILED
            yield from self._without(self._absent())
        if not self.over and not self._ended:
            self._ended = True
            yield Send("CAP END", urgent=True)

    def _absent(self) -> str:
        if "sasl" not in self.wanted:
            return "the config allows no mechanism without TLS"
        return "the server does not offer it" if "sasl" not in self.enabled else "it did not come to an end"

    def _try_services_later(self) -> Iterator[Effect]:
        if self._config.sasl and not self.authenticated and not self.sasl.final:
            yield Wake(self._pause, self._try_services)
            self._pause = min(self._pause * 2, _SERVICES_LONGEST)

    def _try_services(self) -> Iterator[Effect]:
        """Try SASL again. Not every server sends CAP NEW when services come back: InspIRCd 3 does not."""
        if not self.authenticated and not self.sasl.final:
            yield from _sent(self.sasl.abort("no answer in time"))
            again = "sasl" in self.enabled
            yield from _sent(self.sasl.begin(self.offered["sasl"]) if again else [OPENING])
            yield from self._try_services_later()

    def _services(self, line: Line) -> Iterator[Effect]:
        """Handle a line after the welcome: the end of the MOTD, or one that may end the wait for NickServ."""
        match line.command:
            case "376" | "422":
                yield from self._identify_or_join()
            case "900" if self._waiting:
                yield from self._join()
            case "401" if self._waiting and self._support.fold(line.param(1)) == self._support.fold("NickServ"):
                yield Note("not identified", f"NickServ is absent: {line.param(-1)}", level=logging.WARNING)
                yield from self._join()
            case "MODE" if self._waiting and re.fullmatch(r"\+\w*r\w*", line.param(1)):
                if self._roster.is_me(line.param(0)):
                    yield from self._join()
            case "NOTICE" if self._support.fold(line.nick) == self._support.fold("NickServ"):
                yield from self._noticed(line.param(-1))

    def _identify_or_join(self) -> Iterator[Effect]:
        if self._waiting or self.arrived:
            return
        if self._support.bot_mode:
            yield Send(f"MODE {self._roster.me} +{self._support.bot_mode}")  # IRC-27
        if self._config.nickserv_password and not self.authenticated:
            self._waiting = True
            yield from self._identify()
            yield Wake(_IDENTIFY, self._stop_waiting)
        else:
            yield from self._join()

    def _identify(self) -> Iterator[Effect]:
        """Identify to NickServ. Under our own nick, send only the password: all services understand that."""
        wanted = self._config.sasl_username or self._config.nick
        account = "" if self._roster.is_me(wanted) else f"{wanted} "
        self._resting = True
        yield Send(f"PRIVMSG NickServ :IDENTIFY {account}{self._config.nickserv_password}", urgent=True)
        yield Wake(_IDENTIFY_AGAIN, self._allow_identifying)

    def _allow_identifying(self) -> Iterator[Effect]:
        self._resting = False
        return iter(())

    def _stop_waiting(self) -> Iterator[Effect]:
        if self._waiting:
            yield Note("not identified", "NickServ did not answer in time", level=logging.WARNING)
            yield from self._join()

    def _noticed(self, text: str) -> Iterator[Effect]:
        if _YES.search(text):
            yield Note("identified", text)
        elif self._waiting and _NO.search(text):
            yield Note("NickServ refused", text, level=logging.WARNING)
        else:
            # Services ask for it when they return.
            if self._config.nickserv_password and self.arrived and not self._resting and _ASKS.search(text):
                yield from self._identify()
            return
        if self._waiting:
            yield from self._join()

    def _join(self) -> Iterator[Effect]:
        self._waiting, self.arrived = False, True
        yield from (Send(line) for line in join_lines(self._config.channels, self._support.joins_at_once))


def _sent(lines: Iterable[str]) -> Iterator[Effect]:
    return (Send(line, urgent=True) for line in lines)


def nicks_to_try(wanted: str, alternates: tuple[str, ...] = ()) -> Iterator[str]:
    """The nicks to try when `wanted` is taken: its alternates, then variations of it."""
    yield from alternates
    yield from (wanted + "_" * count for count in range(1, _UNDERSCORES + 1))
    # A server with a short limit refuses the underscores or cuts them off: then change the end.
    yield from (f"{wanted[: _SHORT - 2]}{number:02}" for number in range(1, _TRIES))


class Regain:
    """Regains the configured nick: through services if we are logged in, and as soon as it becomes free."""

    def __init__(self, wanted: str, support: Support, roster: Roster) -> None:
        self._wanted, self._support, self._roster = wanted, support, roster
        self._looking = self._monitoring = self._waking = False
        self._refusal = ""  # the latest numeric that refused the nick
        self._asked = False  # another nick was requested and not yet answered

    def change(self, wanted: str) -> Iterator[Effect]:
        """The configured nick changed (IRC-25): request it, and watch for it if refused."""
        if wanted == self._wanted:
            return
        yield from self._found()
        self._wanted, self._asked = wanted, self._roster.me != wanted
        if self._asked:
            yield Send(f"NICK {self._wanted}")

    def refused(self, line: Line) -> Iterator[Effect]:
        """The server refused the nick; the first refusal is logged."""
        self._asked = False
        if self._has_it():
            return
        if not self._refusal:
            yield Note("nick refused", f"{self._wanted}: {line.command} {line.param(-1)}", level=logging.WARNING)
        self._refusal = line.command
        if self._looking:
            yield from self._wait()

    def begin(self, *, known: bool) -> Iterator[Effect]:
        """Start to watch for the nick unless we have it; `known` means that services know us."""
        if self._looking or self._asked or self._has_it():
            return
        self._looking = True
        yield Note("nick taken", f"watching for {self._wanted}")
        if known:
            yield from (Send(f"PRIVMSG NickServ :{command} {self._wanted}") for command in _THROUGH_SERVICES)
        self._monitoring = self._support.monitors
        yield Send(f"MONITOR + {self._wanted}" if self._monitoring else f"ISON {self._wanted}")
        yield from self._wait()

    def receive(self, line: Line) -> Iterator[Effect]:
        """Handle a line that may show that the nick is free."""
        if self._has_it():
            self._asked = False
        if not self._looking:
            return
        match line.command:
            case "731" if self._is_wanted_among(line.param(-1).split(",")):
                yield Send(f"NICK {self._wanted}")
            case "734" if self._monitoring:  # its list is full
                self._monitoring = False
                yield from self._wait()
            case "303" if not self._is_wanted_among(line.param(-1).split()):
                yield Send(f"NICK {self._wanted}")
            case "QUIT" | "NICK" if self._is_wanted(line.nick) and not self._is_wanted(self._roster.me):
                yield Send(f"NICK {self._wanted}")
            case "NICK" if self._has_it():
                yield from self._found()

    def _look_for_nick(self) -> Iterator[Effect]:
        self._waking = False
        if self._looking:
            yield Send(f"ISON {self._wanted}")
            yield from self._wait()

    def _wait(self) -> Iterator[Effect]:
        """Check later, unless MONITOR will report it: it only reports that a user leaves."""
        reported = self._monitoring and self._refusal in ("", _IN_USE)
        if not (self._waking or reported):
            self._waking = True
            yield Wake(_EVERY, self._look_for_nick)

    def _found(self) -> Iterator[Effect]:
        if self._monitoring:
            yield Send(f"MONITOR - {self._wanted}")
        self._looking, self._monitoring, self._refusal = False, False, ""

    def _has_it(self) -> bool:
        """Whether the bot has the configured nick, or as much of it as the server allows (NICKLEN)."""
        me = self._roster.me
        return self._is_wanted(me) or me == self._wanted[: self._support.nicklen]

    def _is_wanted(self, nick: str) -> bool:
        return self._support.fold(nick) == self._support.fold(self._wanted)

    def _is_wanted_among(self, nicks: list[str]) -> bool:
        return any(self._is_wanted(nick.partition("!")[0]) for nick in nicks)

"""Login: from the first byte to the welcome: capabilities, TLS asked for, PASS, SASL. Lines in, effects out."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from ircdice.config import NetworkConfig
from ircdice.wire.cap import OPENING, WANTED, Negotiation
from ircdice.wire.effects import Effect, Hopeless, Keep, Note, Secure, Send, Wake
from ircdice.wire.line import Line
from ircdice.wire.mechanisms import Credentials, made
from ircdice.wire.sasl import BY_PASSWORD, STRONGEST_FIRST, Sasl, State
from ircdice.wire.sts import Policy, policy

HELD = 3.0  # seconds that a password waits in the clear for a server to say that it wants TLS
REGISTER, SERVICES = "register", "services"
_FIRST, _LONGEST = 5.0, 300.0  # seconds until services that were away are looked for again, and the most of them
_UNKNOWN = ("421", "451", "461", "410")  # what servers say to CAP that do not know it


def mechanisms(config: NetworkConfig) -> tuple[str, ...]:
    """The mechanisms that the config allows on this connection, in the order in which to try them."""
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
    """One connection's way in. `nonce` is for SCRAM; `config` is that of the connection, TLS by policy included."""

    def __init__(self, config: NetworkConfig, nonce: str) -> None:
        self._config = config
        wanted = mechanisms(config)
        self.caps = Negotiation((*WANTED, "sasl") if wanted else WANTED)
        name = config.sasl_username or config.nick
        credentials = Credentials(name, config.sasl_password or "", config.sasl_key.pem if config.sasl_key else "")
        self.sasl = Sasl(wanted, lambda mechanism: made(mechanism, credentials, nonce))
        self._in = self._registered = False
        self.over = False  # given up, or TLS is to be taken up: not a word more
        self._policy = Policy()
        self._pause = _FIRST

    @property
    def authenticated(self) -> bool:
        """Whether services know us by our account."""
        return self.sasl.state is State.DONE or bool(self.sasl.account)

    def open(self) -> Iterator[Effect]:
        """The first lines: CAP ahead of all (IRC-03). What is secret waits until it is known how it may be sent."""
        yield Send(OPENING, urgent=True)
        if self._config.password and self._config.sts and not self._config.tls:
            yield Wake(HELD, REGISTER)
        else:
            yield from self.register()

    def register(self) -> Iterator[Effect]:
        """PASS, NICK and USER, once."""
        if self._registered or self.over:
            return
        self._registered = True
        config = self._config
        if config.password:
            yield Send(f"PASS {_last(config.password)}", urgent=True)
        yield Send(f"NICK {config.nick}", urgent=True)
        yield Send(f"USER {config.username} 0 * :{config.realname}", urgent=True)

    def receive(self, line: Line) -> Iterator[Effect]:
        """Take a line that may have to do with coming in."""
        if self.over:
            return
        if line.command == "CAP":
            yield from self._capable(line)
        elif line.command in _UNKNOWN:
            yield from self.register()
        else:
            before = self.sasl.state
            yield from _sent(self.sasl.receive(line))
            if self.sasl.state is not before:
                yield from self._authenticated()

    def hurry(self) -> Iterator[Effect]:
        """The server takes too long: what is open is left, and done without where that may be."""
        yield from self.register()
        if self.sasl.state is State.UNDER_WAY:
            yield from self._broken_off(f"{self.sasl.mechanism}: no answer in time")
        yield from self._ended()

    def welcomed(self) -> Iterator[Effect]:
        """The server let us in, which it may do before all is settled, or without knowing of CAP at all."""
        self._registered = True
        self.caps.welcomed()
        if self._config.sasl and self.sasl.state in (State.IDLE, State.UNDER_WAY) and not self.authenticated:
            yield from self._without(self._absent())
        self._in = True
        yield from self._look_again()

    def woken(self, what: str) -> Iterator[Effect]:
        """The time of a `Wake` has come."""
        if what == REGISTER:
            yield from self.register()
        elif what == SERVICES and self._in and not self.authenticated and not self.sasl.final:
            # Not every server says CAP NEW when services come back: InspIRCd 3 does not.
            yield from _sent(self.sasl.abort("no answer in time"))
            again = "sasl" in self.caps.enabled
            yield from _sent(self.sasl.begin(self.caps.offered["sasl"]) if again else [OPENING])
            yield from self._look_again()

    def _look_again(self) -> Iterator[Effect]:
        if self._config.sasl and not self.authenticated and not self.sasl.final:
            yield Wake(self._pause, SERVICES)
            self._pause = min(self._pause * 2, _LONGEST)

    def _capable(self, line: Line) -> Iterator[Effect]:
        answers = self.caps.receive(line)
        yield from self._strict()
        if self.over:
            return
        if self.caps.listed:
            yield from self.register()
        yield from _sent(answers)
        yield from self._authenticate(line.param(1).upper(), line.param(-1).split())
        if self.caps.settled and self.sasl.state is not State.UNDER_WAY:
            yield from self._ended()

    def _strict(self) -> Iterator[Effect]:
        said = policy(self.caps.offered.get("sts", "")) if self._config.sts else Policy()
        if self._config.tls:
            if said.duration is not None and said != self._policy:
                self._policy = said
                yield Keep(said.duration)
        elif said.port is not None:
            self.over = True
            yield Secure(said.port)

    def _authenticate(self, said: str, names: list[str]) -> Iterator[Effect]:
        """Log in once `sasl` is granted: at the beginning, and whenever services have come back."""
        if "sasl" not in names:
            return
        if said == "DEL" and self.sasl.state is State.UNDER_WAY:
            yield from self._broken_off("services have gone")
        elif said != "ACK" or "sasl" not in self.caps.enabled:
            return  # a server may say ACK to what nobody asked for
        elif self.sasl.state is not State.UNDER_WAY and not self.authenticated:
            yield from _sent(self.sasl.begin(self.caps.offered.get("sasl", "")))
            if self.sasl.state is State.FAILED:
                yield from self._without(self.sasl.reason)

    def _broken_off(self, why: str) -> Iterator[Effect]:
        yield from _sent(self.sasl.abort(why))
        yield from self._without(why)

    def _authenticated(self) -> Iterator[Effect]:
        if self.sasl.state is State.FAILED:
            yield from self._without(self.sasl.reason)
        elif self.sasl.state is State.DONE:
            yield Note("logged in", f"{self.sasl.mechanism} as {self.sasl.account or 'not said'}")
        if self.caps.settled and self.sasl.state is not State.UNDER_WAY:
            yield from self._ended()

    def _without(self, why: str) -> Iterator[Effect]:
        """SASL did not come about: whether that is the end is for the config to say (IRC-04)."""
        config = self._config
        if not self._in and config.sasl_required and (self.sasl.final or not config.nickserv_password):
            self.over = True
            yield Hopeless(f"SASL failed: {why}", self.sasl.final)
        else:
            yield Note("SASL failed", why, level=logging.WARNING)

    def _ended(self) -> Iterator[Effect]:
        if self._config.sasl and not self._in and self.sasl.state is State.IDLE:
            self.sasl.state = State.FAILED
            yield from self._without(self._absent())
        if not self.over:
            yield from _sent(self.caps.finish())

    def _absent(self) -> str:
        if not mechanisms(self._config):
            return "the config allows no mechanism without TLS"
        return "the server does not offer it" if "sasl" not in self.caps.enabled else "it did not come to an end"


def _sent(lines: list[str]) -> Iterator[Effect]:
    return (Send(line, urgent=True) for line in lines)


def _last(text: str) -> str:
    return f":{text}" if " " in text or text.startswith(":") else text

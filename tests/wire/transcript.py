"""A connection as it would be written down: what the server says, and all that the session must make of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ircdice.config import Config
from ircdice.wire.channels import Rejoins
from ircdice.wire.protocol import Close, Effect, KeepTls, Line, Note, Send, Wake, parse
from ircdice.wire.session import Session

from .bots import config, network

_TOLD = ("logged in", "SASL failed", "not identified", "NickServ refused", "invited")

TLS = {"tls": True}
SASL = TLS | {"sasl": ("plain",), "sasl_username": "dice", "sasl_password": "pencil"}
HELLO = """
    C: CAP LS 302
    C: NICK FUDice
    C: USER ircdice 0 * :ircdice, dice for tabletop players
"""


def session(**values: object) -> Session:
    """A session of FUDice on a plain network, no channel unless `channels` says so; other values by name.

    `settings` are those of every channel.
    """
    settings, page = values.pop("settings", {}), values.pop("page", "no")
    assert isinstance(settings, dict)
    made: Config = config(network(6667, **values), **{"page": page, **settings})
    return Session(made.networks[0], made, Rejoins(), 0.0, nonce="nonce")


def play(text: str, **values: object) -> Session:
    """Play a transcript of these lines, in which blanks in front mean nothing.

    `S: …` the server says; `T: …` the time has come for the action of a `Wake`; `hurry` time is up for capabilities;
    `nick: …` the config wants another nick.
    All others are what must follow: `C: …` a line, with its pause as `C 60: …`; `end: …`, `end for good: …`;
    `TLS: port`; `keep: seconds`; `note: …` of the events that matter here; `in 60: …` what a nick waits for.
    """
    one = session(**values)
    effects = list(one.login.open())
    pending = {_named(effect): effect for effect in effects if isinstance(effect, Wake)}
    happened: list[str] = list(_shown(effects))
    written = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(written):
        kind, _, rest = line.partition(": ")
        if kind in ("S", "T", "hurry", "nick"):
            assert not happened, (f"line {number}", happened)
            effects = list(_acted(one, kind, rest, pending))
            pending |= {_named(effect): effect for effect in effects if isinstance(effect, Wake)}
            happened = list(_shown(effects))
        else:
            assert happened[:1] == [line], (f"line {number}: {line}", happened)
            happened.pop(0)
    assert not happened
    return one


def _named(wake: Wake) -> str:
    return wake.action.__name__.strip("_").replace("_", " ")


def _acted(one: Session, kind: str, rest: str, pending: dict[str, Wake]) -> Iterable[Effect]:
    if kind == "S":
        return one.receive(parse(rest) or Line(""), 0.0)
    if kind == "nick":
        return one.change(replace(one.config, nick=rest), one.settings)
    return one.woken(pending.pop(rest).action if kind == "T" else one.login.hurry)


def _shown(effects: Iterable[Effect]) -> Iterator[str]:
    for effect in effects:
        match effect:
            case Send(line, _, later):
                yield f"C {later:g}: {line}" if later else f"C: {line}"
            case Close(reason, final, tls_port):
                yield f"TLS: {tls_port}" if tls_port else f"end for good: {reason}" if final else f"end: {reason}"
            case KeepTls(duration):
                yield f"keep: {duration}"
            case Note(event, detail) if event in _TOLD:
                yield f"note: {event} {detail}".rstrip()
            case Wake(seconds) if _named(effect) == "look for nick":
                yield f"in {seconds:g}: look for nick"

"""Keepalive: whether the server is still there (IRC-06, IRC-03). The time is passed in; knows no clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that the bot waits for a server."""

    connect: float = 30.0
    negotiate: float = 20.0  # for the server to settle the capabilities, then done without
    silent: float = 30.0  # for any word, while registering
    register: float = 120.0  # for the welcome
    ask: float = 60.0  # of silence, then a PONG is asked for
    give_up: float = 60.0  # more of it, then the connection is given up
    leave: float = 5.0  # to send what is queued at the end
    tick: float = 1.0


class Action(Enum):
    """What silence asks for."""

    NOTHING = "nothing"
    END_CAP = "end of negotiation"
    PING = "ping"
    GIVE_UP = "give up"


class Keepalive:
    """Watches one connection from the moment it stands."""

    def __init__(self, patience: Patience, now: float) -> None:
        self._patience = patience
        self._began = self._heard = now
        self._asked = self._ended = False
        self._welcome = False

    def heard(self, now: float) -> None:
        """A line came: any line is a sign of life."""
        self._heard, self._asked = now, False

    def welcome(self) -> None:
        """The server let us in."""
        self._welcome = True

    def step(self, now: float) -> Action:
        """What to do now."""
        silence = now - self._heard
        return self._standing(silence) if self._welcome else self._registering(silence, now - self._began)

    def _standing(self, silence: float) -> Action:
        if silence >= self._patience.ask + self._patience.give_up:
            return Action.GIVE_UP
        if silence >= self._patience.ask and not self._asked:
            self._asked = True
            return Action.PING
        return Action.NOTHING

    def _registering(self, silence: float, waited: float) -> Action:
        if silence >= self._patience.silent or waited >= self._patience.register:
            return Action.GIVE_UP
        if waited >= self._patience.negotiate and not self._ended:
            self._ended = True
            return Action.END_CAP
        return Action.NOTHING

"""Sasl: one login to services (IRC-04). Lines in, lines out; knows no socket and no chance, and no secret by itself."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable
from enum import Enum

from ircdice.wire.line import Line
from ircdice.wire.mechanisms import Distrust, Mechanism

STRONGEST_FIRST = ("EXTERNAL", "ECDSA-NIST256P-CHALLENGE", "SCRAM-SHA-256", "PLAIN")
BY_PASSWORD = frozenset({"SCRAM-SHA-256", "PLAIN"})
NUMERICS = ("900", "901", "902", "903", "904", "905", "906", "907", "908")
_PIECE = 400
_LONGEST = 16_384  # characters of one challenge


class State(Enum):
    """Where a login stands."""

    IDLE = "not begun"
    UNDER_WAY = "under way"
    DONE = "done"
    FAILED = "failed"


def pieces(answer: bytes) -> list[str]:
    """AUTHENTICATE lines for an answer, 400 characters each; a last one that is full is followed by `+`."""
    text = base64.b64encode(answer).decode()
    cut = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    if not cut or len(cut[-1]) == _PIECE:
        cut.append("+")
    return [f"AUTHENTICATE {piece}" for piece in cut]


class Sasl:
    """Tries the `wanted` mechanisms in their order until the server takes one, or what it says is final."""

    def __init__(self, wanted: Iterable[str], make: Callable[[str], Mechanism]) -> None:
        self.state = State.IDLE
        self.account = ""  # what the server says we are
        self.reason = ""  # of the failure
        self.final = False  # whether to try again with the same credentials is of no use
        self.mechanism = ""
        self._wanted, self._make = tuple(wanted), make
        self._left: list[str] = []
        self._by: Mechanism | None = None
        self._challenge = ""
        self._answered = False

    def begin(self, offered: str) -> list[str]:
        """Begin with what the server offers: the value of its capability, where it has one."""
        self.reason, self.final = "", False
        self._left = list(self._wanted)
        self._offer(offered)
        return self._next(f"the server offers {offered}, which the config does not allow" if offered else "")

    def receive(self, line: Line) -> list[str]:
        """Take AUTHENTICATE, or one of the numerics."""
        match line.command:
            case "900":
                self.account = line.param(2)
            case "901":
                self.account, self.state = "", State.IDLE
            case _ if self.state is not State.UNDER_WAY:
                pass
            case "AUTHENTICATE":
                return self._challenged(line.param(0))
            case "903" | "907":
                return self._taken()
            case "908":
                self._offer(line.param(1))
            case "902" | "904" | "905" | "906":
                return self._refused(line)
        return []

    def abort(self, why: str) -> list[str]:
        """Break off a login that is under way."""
        if self.state is not State.UNDER_WAY:
            return []
        self._fail(why)
        return ["AUTHENTICATE *"]

    def _offer(self, names: str) -> None:
        offered = {name.upper() for name in names.split(",") if name}
        self._left = [name for name in self._left if not offered or name in offered]

    def _next(self, otherwise: str) -> list[str]:
        if not self._left:
            self._fail(otherwise or "no mechanism is left to try")
            return []
        self.mechanism = self._left.pop(0)
        self.state, self._answered, self._challenge = State.UNDER_WAY, False, ""
        self._by = self._make(self.mechanism)
        return [f"AUTHENTICATE {self.mechanism}"]

    def _challenged(self, piece: str) -> list[str]:
        if len(self._challenge) + len(piece) > _LONGEST:
            return self._distrust("a challenge without end")
        self._challenge += "" if piece == "+" else piece
        if len(piece) == _PIECE:
            return []
        whole, self._challenge = self._challenge, ""
        try:
            answer = self._by.respond(base64.b64decode(whole, validate=True)) if self._by else b""
        except (Distrust, binascii.Error, ValueError) as error:
            return self._distrust(str(error))
        self._answered = True
        return pieces(answer)

    def _distrust(self, why: str) -> list[str]:
        """Never on to a weaker mechanism: whoever cannot prove that it knows the password must not be told it."""
        lines = self.abort(f"{self.mechanism}: {why}")
        self.final = True
        return lines

    def _taken(self) -> list[str]:
        if self._by is not None and not self._by.proved:
            self._fail(f"{self.mechanism}: the server let us in without proving that it knows the password")
            self.final = True
        else:
            self.state = State.DONE
        return []

    def _refused(self, line: Line) -> list[str]:
        why = f"{self.mechanism}: {line.command} {line.param(-1)}"
        if line.command == "906":
            self._fail(why)
            return []
        if self._answered and self.mechanism in BY_PASSWORD:  # the same password will not be better by another way
            self._left = [name for name in self._left if name not in BY_PASSWORD]
        if line.command == "902" or not self._left:
            self._fail(why)
            self.final = self._answered or line.command == "902"
            return []
        return self._next(why)

    def _fail(self, why: str) -> None:
        self.state, self.reason = State.FAILED, why

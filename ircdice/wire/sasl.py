"""SASL: the mechanisms, and one login to services (IRC-04). Lines in, lines out; nonces are passed in."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from enum import Enum

from ircdice.wire.protocol import Line

STRONGEST_FIRST = ("EXTERNAL", "ECDSA-NIST256P-CHALLENGE", "SCRAM-SHA-256", "PLAIN")
BY_PASSWORD = frozenset({"SCRAM-SHA-256", "PLAIN"})
MOST_ITERATIONS = 500_000  # accepted from a server: they block the bot for a third of a second
_ITERATIONS = re.compile(rb"(?:^|,)i=([0-9]+)")
_ECDSA_CHALLENGE = 32  # bytes
_MUTUAL = frozenset({"SCRAM-SHA-256"})  # the server must prove itself, too, before it accepts us
_PIECE = 400
_LONGEST = 16_384  # characters of one challenge


class Distrust(Exception):  # noqa: N818  # its name appears in the log
    """The server did not prove itself, or sent an invalid challenge: abort the login."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Credentials of the account; the key is PEM, on the curve P-256."""

    username: str
    password: str = field(default="", repr=False)  # IRC-05
    key: str = field(default="", repr=False)


Mechanism = Generator[bytes, bytes, None]
"""The client's side of one login: yields answers, and receives challenges after the first, empty one.

A mutual mechanism ends once the server has proved itself; the answer is then empty.
"""


def one_answer(answer: str) -> Mechanism:
    """PLAIN (RFC 4616) and EXTERNAL."""
    yield answer.encode()


def scram(credentials: Credentials, nonce: str) -> Mechanism:
    """SCRAM-SHA-256 (RFC 5802, RFC 7677) by the scramp package, which includes SASLprep.

    First message and proof; it ends once the server's signature is right.
    """
    from scramp import ScramClient, ScramException  # type: ignore[import-untyped]  # takes 70 ms, needed only for SCRAM

    client = ScramClient(["SCRAM-SHA-256"], credentials.username, credentials.password, c_nonce=nonce)
    try:
        challenge = yield client.get_client_first().encode()
        asked = _ITERATIONS.search(challenge)
        if asked and (len(asked[1]) > len(str(MOST_ITERATIONS)) or int(asked[1]) > MOST_ITERATIONS):
            raise Distrust("SCRAM: the server asks for more work than is sensible")
        client.set_server_first(challenge.decode())
        challenge = yield client.get_client_final().encode()
        client.set_server_final(challenge.decode())
    except (ScramException, UnicodeDecodeError) as error:
        raise Distrust(f"SCRAM: {error}") from None


def ecdsa(credentials: Credentials) -> Mechanism:
    """ECDSA-NIST256P-CHALLENGE: the account, then the server's 32 bytes signed, in DER."""
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    challenge = yield credentials.username.encode()
    if len(challenge) != _ECDSA_CHALLENGE:
        raise Distrust(f"ECDSA: a challenge of {len(challenge)} bytes")
    key = load_pem_private_key(credentials.key.encode(), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)  # the config accepts no other
    yield key.sign(challenge, ec.ECDSA(utils.Prehashed(SHA256()), deterministic_signing=True))


def start(name: str, credentials: Credentials, nonce: str) -> Mechanism:
    """The mechanism with that name, in upper case as on the wire."""
    user, password = credentials.username, credentials.password
    match name:
        case "EXTERNAL":
            return one_answer("")
        case "ECDSA-NIST256P-CHALLENGE":
            return ecdsa(credentials)
        case "SCRAM-SHA-256":
            return scram(credentials, nonce)
        case "PLAIN":
            return one_answer(f"{user}\0{user}\0{password}")
    raise ValueError(name)


class State(Enum):
    """The state of a login."""

    IDLE = "not begun"
    UNDER_WAY = "under way"
    DONE = "done"
    FAILED = "failed"


def pieces(answer: bytes) -> list[str]:
    """AUTHENTICATE lines for an answer, 400 characters each; a full last one is followed by `+`."""
    text = base64.b64encode(answer).decode()
    cut = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    if not cut or len(cut[-1]) == _PIECE:
        cut.append("+")
    return [f"AUTHENTICATE {piece}" for piece in cut]


class Sasl:
    """Tries the `wanted` mechanisms in order until the server accepts one or refuses for good."""

    def __init__(self, wanted: Iterable[str], make: Callable[[str], Mechanism]) -> None:
        self.state = State.IDLE
        self.account = ""  # as reported by the server
        self.reason = ""  # why the login failed
        self.final = False  # whether the same credentials would fail again
        self.mechanism = ""
        self._wanted, self._make = tuple(wanted), make
        self._left: list[str] = []
        self._current: Mechanism | None = None
        self._challenge = ""
        self._answers = 0
        self._proved = False  # whether the server may accept us

    def begin(self, offered: str) -> list[str]:
        """Start with the mechanisms that the server offers in the value of its capability, if any."""
        self.reason, self.final = "", False
        self._left = list(self._wanted)
        self._offer(offered)
        return self._next(f"the server offers {offered}, which the config does not allow" if offered else "")

    def receive(self, line: Line) -> list[str]:
        """Handle AUTHENTICATE or one of the numerics."""
        match line.command:
            case "900":
                self.account = line.param(2)
            case "901":
                self.account, self.state = "", State.IDLE
            case _ if self.state is not State.UNDER_WAY:
                pass
            case "AUTHENTICATE":
                return self._challenged(line.param(0))
            case "903" | "907" if self._proved:
                self.state = State.DONE
            case "903" | "907":
                why = "the server accepted us without proving that it knows the password"
                self._fail(f"{self.mechanism}: {why}", final=True)
            case "908":
                self._offer(line.param(1))
            case "902" | "904" | "905" | "906":
                return self._refused(line)
        return []

    def abort(self, why: str) -> list[str]:
        """Abort a running login."""
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
        self.state, self._answers, self._challenge = State.UNDER_WAY, 0, ""
        self._proved = self.mechanism not in _MUTUAL
        self._current = self._make(self.mechanism)
        return [f"AUTHENTICATE {self.mechanism}"]

    def _challenged(self, piece: str) -> list[str]:
        self._challenge += "" if piece == "+" else piece
        if len(piece) == _PIECE and len(self._challenge) <= _LONGEST:
            return []
        whole, self._challenge = self._challenge, ""
        try:
            if len(whole) > _LONGEST:
                raise Distrust("a challenge without end")
            answer = self._answer(base64.b64decode(whole, validate=True))
        except (Distrust, ValueError) as error:
            # Try no weaker mechanism: a server that cannot prove that it knows the password must not learn it.
            self._fail(f"{self.mechanism}: {error}", final=True)
            return ["AUTHENTICATE *"]
        self._answers += 1
        return pieces(answer)

    def _answer(self, challenge: bytes) -> bytes:
        assert self._current is not None
        if challenge and not self._answers:
            raise Distrust("a challenge where none is due")
        try:
            return self._current.send(challenge) if self._answers else next(self._current)
        except StopIteration:
            if self._proved:
                raise Distrust("the server does not come to an end") from None
            self._proved = True
            return b""

    def _refused(self, line: Line) -> list[str]:
        why = f"{self.mechanism}: {line.command} {line.param(-1)}"
        if line.command == "906":
            self._fail(why)
            return []
        if self._answers and self.mechanism in BY_PASSWORD:  # the password would fail with any other mechanism too
            self._left = [name for name in self._left if name not in BY_PASSWORD]
        if line.command == "902" or not self._left:
            self._fail(why, final=self._answers > 0 or line.command == "902")
            return []
        return self._next(why)

    def _fail(self, why: str, *, final: bool = False) -> None:
        self.state, self.reason, self.final = State.FAILED, why, final

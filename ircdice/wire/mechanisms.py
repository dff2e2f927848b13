"""Mechanisms: what SASL says on each side (IRC-04). Challenge in, answer out; nonces are passed in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol

MOST_ITERATIONS = 500_000  # what a server may ask of us: a third of a second, in which nothing else is answered
_ITERATIONS = re.compile(rb"(?:^|,)i=([0-9]+)")
_CHALLENGE = 32  # bytes, of ECDSA-NIST256P-CHALLENGE


class Distrust(Exception):  # noqa: N818  # it names what happened, as it reads in the log
    """The server did not prove itself, or said what makes no sense: the login is broken off."""


class Mechanism(Protocol):
    """One side of one login."""

    def respond(self, challenge: bytes) -> bytes:
        """The answer to the server's next challenge, the first of which is empty. `Distrust` breaks off."""
        ...

    @property
    def proved(self) -> bool:
        """Whether the server has proved all that it has to: before that its consent counts for nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a network's account is proved with. Key is PEM, of the curve P-256."""

    username: str
    password: str = field(default="", repr=False)  # IRC-05
    key: str = field(default="", repr=False)


class Plain:
    """RFC 4616, as IRC has it: `user NUL user NUL password`."""

    proved = True

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    def respond(self, challenge: bytes) -> bytes:
        """All at once; a second challenge is nonsense."""
        _expect_nothing(challenge)
        user, password = self._credentials.username, self._credentials.password
        return f"{user}\0{user}\0{password}".encode()


class External:
    """The certificate of the TLS connection says who we are, and there is nothing to add to it."""

    proved = True

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    def respond(self, challenge: bytes) -> bytes:
        """Nothing: the account is the one that the certificate opens."""
        _expect_nothing(challenge)
        return b""


class Scram:
    """SCRAM-SHA-256 (RFC 5802, RFC 7677) by the scramp package, which has SASLprep too."""

    def __init__(self, credentials: Credentials, nonce: str) -> None:
        from scramp import ScramClient  # type: ignore[import-untyped]  # 70 ms that only those pay who use it

        self._client = ScramClient(["SCRAM-SHA-256"], credentials.username, credentials.password, c_nonce=nonce)
        self._step = 0
        self.proved = False

    def respond(self, challenge: bytes) -> bytes:
        """First message, proof, and an empty line once the server's signature is right."""
        from scramp import ScramException

        self._step += 1
        try:
            return self._answers(challenge).encode()
        except (ScramException, UnicodeDecodeError) as error:
            raise Distrust(f"SCRAM: {error}") from None

    def _answers(self, challenge: bytes) -> str:
        match self._step:
            case 1:
                _expect_nothing(challenge)
                return str(self._client.get_client_first())
            case 2:
                _bounded(challenge)
                self._client.set_server_first(challenge.decode())
                return str(self._client.get_client_final())
            case 3:
                self._client.set_server_final(challenge.decode())
                self.proved = True
                return ""
        raise Distrust("SCRAM: the server does not come to an end")


class Ecdsa:
    """ECDSA-NIST256P-CHALLENGE: the server's 32 bytes are signed as they stand."""

    proved = True

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._named = False

    def respond(self, challenge: bytes) -> bytes:
        """The account, then the signature in DER."""
        if not self._named:
            _expect_nothing(challenge)
            self._named = True
            return self._credentials.username.encode()
        if len(challenge) != _CHALLENGE:
            raise Distrust(f"ECDSA: a challenge of {len(challenge)} bytes")
        return _signed(challenge, self._credentials.key)


def made(name: str, credentials: Credentials, nonce: str) -> Mechanism:
    """The mechanism of that name, in capitals as on the wire."""
    match name:
        case "EXTERNAL":
            return External(credentials)
        case "ECDSA-NIST256P-CHALLENGE":
            return Ecdsa(credentials)
        case "SCRAM-SHA-256":
            return Scram(credentials, nonce)
        case "PLAIN":
            return Plain(credentials)
    raise ValueError(name)


def _expect_nothing(challenge: bytes) -> None:
    if challenge:
        raise Distrust("a challenge where none is due")


def _bounded(challenge: bytes) -> None:
    asked = _ITERATIONS.search(challenge)
    if asked and (len(asked[1]) > len(str(MOST_ITERATIONS)) or int(asked[1]) > MOST_ITERATIONS):
        raise Distrust("SCRAM: the server asks for more work than is sensible")


def _signed(challenge: bytes, pem: str) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    key = load_pem_private_key(pem.encode(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise Distrust("ECDSA: the key is none of the curve P-256")
    return key.sign(challenge, ec.ECDSA(utils.Prehashed(SHA256()), deterministic_signing=True))

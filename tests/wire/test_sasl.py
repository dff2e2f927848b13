"""SASL by itself: what each mechanism says to what a server says, right and wrong."""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ircdice.config import PrivateKey
from ircdice.wire.login import mechanisms
from ircdice.wire.protocol import Line, parse
from ircdice.wire.sasl import MOST_ITERATIONS, Credentials, Distrust, Mechanism, Sasl, State, start

from .bots import network

# The example of RFC 7677, section 3.
NONCE = "rOprNGfwEbeRWgbNEkqO"
FIRST = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
SERVER_FIRST = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
FINAL = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
SERVER_FINAL = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
USER = Credentials("user", "pencil")


def test_scram_as_the_standard_has_it() -> None:
    """IRC-04: SCRAM-SHA-256, word by word, up to the server's signature."""
    scram = start("SCRAM-SHA-256", USER, NONCE)
    assert next(scram) == FIRST.encode()
    assert scram.send(SERVER_FIRST.encode()) == FINAL.encode()
    with pytest.raises(StopIteration):
        scram.send(SERVER_FINAL.encode())


@pytest.mark.parametrize(
    "challenges",
    [
        ("hello",),
        ("", SERVER_FIRST.replace("rOpr", "xOpr")),  # another nonce than ours
        ("", "r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"),  # nothing of the server's own
        ("", SERVER_FIRST.replace("i=4096", "i=1")),
        ("", SERVER_FIRST.replace("i=4096", "i=x")),
        ("", SERVER_FIRST.replace("i=4096", f"i={MOST_ITERATIONS + 1}")),
        ("", SERVER_FIRST.replace("i=4096", "i=" + "9" * 5000)),
        ("", SERVER_FIRST.replace("s=W22", "s=!")),
        ("", "m=extension," + SERVER_FIRST),
        ("", "e=unknown-user"),
        ("", ""),
        ("", "\udcff"),
        ("", SERVER_FIRST, SERVER_FINAL.replace("6rri", "7rri")),
        ("", SERVER_FIRST, "e=invalid-proof"),
        ("", SERVER_FIRST, ""),
        ("", SERVER_FIRST, "v="),
        ("", SERVER_FIRST, SERVER_FINAL, SERVER_FINAL),
    ],
)
def test_scram_against_a_server_that_is_none(challenges: tuple[str, ...]) -> None:
    """IRC-04: whatever does not prove the server breaks the login off, and nothing is worked at without end."""
    lines, one = talk(*map(said, challenges), wanted=BOTH)
    assert (lines[-1], one.state, one.final) == ("AUTHENTICATE *", State.FAILED, True)
    assert len(lines) == len(challenges) + 1


def test_scram_with_a_name_and_a_password_of_any_signs() -> None:
    """IRC-04: commas and equals signs are escaped, and a password is prepared as SASLprep has it, so `Ⅸ` is `IX`."""
    credentials = Credentials("a=b,c", "p\u2168\u00adq")
    scram = start("SCRAM-SHA-256", credentials, NONCE)
    assert next(scram) == b"n,,n=a=3Db=2Cc,r=rOprNGfwEbeRWgbNEkqO"
    final = scram.send(SERVER_FIRST.encode()).decode()
    auth = f"n=a=3Db=2Cc,r={NONCE},{SERVER_FIRST},{final.rpartition(',p=')[0]}".encode()
    salted = hashlib.pbkdf2_hmac("sha256", b"pIXq", base64.b64decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096)
    key = hmac.digest(salted, b"Client Key", "sha256")
    signature = hmac.digest(hashlib.sha256(key).digest(), auth, "sha256")
    assert base64.b64decode(final.rpartition(",p=")[2]) == bytes(a ^ b for a, b in zip(key, signature, strict=True))


def test_ecdsa() -> None:
    """IRC-04: the account, then the 32 bytes signed as they stand, which the public key confirms."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
    one = start("ECDSA-NIST256P-CHALLENGE", Credentials("dice", key=pem), "")
    assert next(one) == b"dice"
    challenge = bytes(range(32))
    answer = one.send(challenge)
    key.public_key().verify(answer, challenge, ec.ECDSA(utils.Prehashed(SHA256())))
    again = start("ECDSA-NIST256P-CHALLENGE", Credentials("dice", key=pem), "")
    assert (next(again), again.send(challenge)) == (b"dice", answer)  # no chance of its own
    other = start("ECDSA-NIST256P-CHALLENGE", Credentials("dice", key=pem), "")
    next(other)
    with pytest.raises(Distrust):
        other.send(challenge + b"x")


def test_external_and_plain() -> None:
    """IRC-04: EXTERNAL adds nothing to the certificate, PLAIN says all at once; neither answers what is not asked."""
    assert next(start("EXTERNAL", Credentials("dice"), "")) == b""
    assert next(start("PLAIN", Credentials("dice", "p\u00e9"), "")) == "dice\0dice\0pé".encode()
    for name in ("EXTERNAL", "PLAIN"):
        assert talk(said("who?"), wanted=(name,))[0] == [f"AUTHENTICATE {name}", "AUTHENTICATE *"]


def test_credentials_show_no_secret() -> None:
    """IRC-05: not in a repr."""
    shown = repr(Credentials("dice", "hunter2", "hunter3")) + repr(PrivateKey(Path("key.pem"), "hunter4"))
    assert "dice" in shown
    assert "hunter" not in shown


FILE, KEY = Path("cert.pem"), PrivateKey(Path("key.pem"), "x")
PASSWORD = {"sasl_password": "x"}


@pytest.mark.parametrize(
    ("values", "allowed"),
    [
        ({}, ()),
        ({"sasl": ("auto",)}, ()),
        ({"sasl": ("auto",)} | PASSWORD, ("SCRAM-SHA-256", "PLAIN")),
        (
            {"sasl": ("auto",), "tls_cert": FILE, "sasl_key": KEY} | PASSWORD,
            ("EXTERNAL", "ECDSA-NIST256P-CHALLENGE", "SCRAM-SHA-256", "PLAIN"),
        ),
        (
            {"sasl": ("auto",), "tls_cert": FILE, "sasl_key": KEY, "tls": False} | PASSWORD,
            ("ECDSA-NIST256P-CHALLENGE", "SCRAM-SHA-256"),
        ),
        ({"sasl": ("plain", "scram-sha-256")} | PASSWORD, ("PLAIN", "SCRAM-SHA-256")),
        ({"sasl": ("plain",), "tls": False} | PASSWORD, ()),
        ({"sasl": ("plain",), "tls": False, "sasl_plain_without_tls": True} | PASSWORD, ("PLAIN",)),
    ],
)
def test_what_the_config_allows(values: dict[str, object], allowed: tuple[str, ...]) -> None:
    """IRC-04: the strongest first or the config's order, what there is no credential for left out; PLAIN by TLS."""
    assert mechanisms(network(6697, **{"tls": True} | values)) == allowed


def talk(*lines: str, wanted: tuple[str, ...], offered: str = "") -> tuple[list[str], Sasl]:
    """What is said to each line of a server, beginning with the capability's value."""
    one = Sasl(wanted, lambda name: start(name, USER, NONCE))
    said = one.begin(offered)
    for line in lines:
        parsed = parse(line)
        assert parsed is not None
        said += one.receive(parsed)
    return said, one


def said(text: str) -> str:
    """An AUTHENTICATE line that holds `text`."""
    return f"AUTHENTICATE {base64.b64encode(text.encode(errors='surrogateescape')).decode() or '+'}"


BOTH = ("SCRAM-SHA-256", "PLAIN")
GREETED = ("AUTHENTICATE +", said(SERVER_FIRST))
ANSWERED = ["AUTHENTICATE SCRAM-SHA-256", said(FIRST), said(FINAL)]


def test_scram_on_the_wire() -> None:
    """IRC-04: an empty line after the server's signature, then its consent."""
    lines, one = talk(*GREETED, said(SERVER_FINAL), ":s 900 * x user :in", ":s 903 * :ok", wanted=BOTH)
    assert lines == [*ANSWERED, "AUTHENTICATE +"]
    assert (one.state, one.account) == (State.DONE, "user")


def test_a_wrong_signature_ends_it() -> None:
    """IRC-04: `AUTHENTICATE *`, for good, and never on to PLAIN: whoever it is must not be told the password."""
    wrong = said(SERVER_FINAL.replace("6rri", "7rri"))
    lines, one = talk(*GREETED, wrong, ":s 903 * :ok", ":s 904 * :no", wanted=BOTH)
    assert lines == [*ANSWERED, "AUTHENTICATE *"]
    assert (one.state, one.final) == (State.FAILED, True)


def test_consent_without_a_signature_is_none() -> None:
    """IRC-04: a server that says yes before it has proved itself is refused."""
    lines, one = talk(*GREETED, ":s 903 * :ok", wanted=BOTH)
    assert lines == ANSWERED
    assert (one.state, one.final) == (State.FAILED, True)
    assert "without proving" in one.reason


def test_no_number_of_answers_proves_the_server() -> None:
    """IRC-04: only the mechanism says that the server has proved itself."""

    def mechanism() -> Mechanism:
        while True:
            yield b"more"

    one = Sasl(("SCRAM-SHA-256",), lambda _name: mechanism())
    one.begin("")
    for _ in range(5):
        one.receive(Line("AUTHENTICATE", ("+",)))
    one.receive(Line("903", ("*", "ok")))
    assert (one.state, one.final) == (State.FAILED, True)


@pytest.mark.parametrize(
    ("lines", "wanted", "offered", "tried", "final"),
    [
        # what the server offers and the config allows, in the config's order
        ((), BOTH, "PLAIN,EXTERNAL", ["PLAIN"], None),
        ((), BOTH, "", ["SCRAM-SHA-256"], None),
        ((), BOTH, "plain,scram-sha-256", ["SCRAM-SHA-256"], None),
        ((), ("PLAIN",), "EXTERNAL", [], False),
        # not known after all: the next, of those that it now says it has
        ((":s 904 * :no such",), BOTH, "", ["SCRAM-SHA-256", "PLAIN"], None),
        ((":s 908 * PLAIN :are", ":s 904 * :no"), ("EXTERNAL", *BOTH), "", ["EXTERNAL", "PLAIN"], None),
        ((":s 908 * GSSAPI :are", ":s 904 * :no"), BOTH, "", ["SCRAM-SHA-256"], False),
        # a certificate that is not known is no reason not to try the password
        (("AUTHENTICATE +", ":s 904 * :no"), ("EXTERNAL", *BOTH), "", ["EXTERNAL", "SCRAM-SHA-256"], None),
        # a password that is wrong is wrong
        ((*GREETED, ":s 904 * :no"), BOTH, "", ["SCRAM-SHA-256"], True),
        (("AUTHENTICATE +", ":s 905 * :too long"), ("PLAIN",), "", ["PLAIN"], True),
        ((":s 902 * :locked",), BOTH, "", ["SCRAM-SHA-256"], True),
        # broken off by the server: another day
        ((*GREETED, ":s 906 * :aborted"), BOTH, "", ["SCRAM-SHA-256"], False),
        # after the end nothing counts
        ((*GREETED, ":s 904 * :no", "AUTHENTICATE +", ":s 903 * :ok"), BOTH, "", ["SCRAM-SHA-256"], True),
    ],
)
def test_which_is_tried(
    lines: tuple[str, ...], wanted: tuple[str, ...], offered: str, tried: list[str], final: bool | None
) -> None:
    """IRC-04: the strongest that the server offers and the config allows; final failures are final."""
    sent, one = talk(*lines, wanted=wanted, offered=offered)
    names = [line.split()[1] for line in sent]
    assert [name for name in names if name in {"EXTERNAL", *BOTH}] == tried
    assert (None if one.state is State.UNDER_WAY else one.final) == final


@pytest.mark.parametrize(
    "line",
    ["AUTHENTICATE !!!!", "AUTHENTICATE abc", "AUTHENTICATE é", said("who are you?")],
)
def test_a_challenge_that_makes_no_sense(line: str) -> None:
    """IRC-04: breaks the login off; nothing of ours is said to it."""
    sent, one = talk(line, wanted=BOTH)
    assert sent == ["AUTHENTICATE SCRAM-SHA-256", "AUTHENTICATE *"]
    assert one.state is State.FAILED


def test_a_challenge_in_pieces() -> None:
    """IRC-04: what comes in pieces of 400 is read as one; without an end it is broken off."""
    heard: list[bytes] = []

    def mechanism() -> Mechanism:
        heard.append((yield b""))
        heard.append((yield b"y" * 300))

    one = Sasl(("PLAIN",), lambda _name: mechanism())
    one.begin("")
    one.receive(Line("AUTHENTICATE", ("+",)))
    whole = base64.b64encode(b"x" * 600).decode()
    answers = [one.receive(Line("AUTHENTICATE", (part,))) for part in (whole[:400], whole[400:], "+")]
    assert answers[:2] == [[], []]
    assert [len(line) for line in answers[2]] == [413, 14]
    assert heard == [b"x" * 600]
    piece = Line("AUTHENTICATE", ("A" * 400,))
    assert [line for _ in range(50) for line in one.receive(piece)] == ["AUTHENTICATE *"]

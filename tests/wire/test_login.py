"""Coming in, line by line: PASS, SASL, and services before channels. No socket, no clock, no chance."""

from __future__ import annotations

import base64

import pytest

from ircdice.config import Join
from ircdice.wire.sasl import pieces

from .transcript import HELLO, SASL, play

PLAIN = base64.b64encode(b"dice\0dice\0pencil").decode()


@pytest.mark.parametrize(
    ("talk", "values"),
    [
        # right
        (
            f"""
            S: CAP * LS :sasl=EXTERNAL,PLAIN batch
            C: CAP REQ :batch sasl
            S: CAP * ACK :batch sasl
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 900 * *!*@* dice :You are now logged in as dice
            S: :s 903 * :SASL authentication successful
            note: logged in PLAIN as dice
            C: CAP END
            """,
            SASL,
        ),
        # granted without a request: no login
        (
            """
            S: CAP * LS :batch
            C: CAP REQ :batch
            S: CAP * ACK :batch sasl
            end: SASL failed: the server does not offer it
            """,
            SASL,
        ),
        # wrong: the server's word is final
        (
            f"""
            S: CAP * LS :sasl
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 904 * :SASL authentication failed
            end for good: SASL failed: PLAIN: 904 SASL authentication failed
            S: :s 904 * :SASL authentication failed
            """,
            SASL,
        ),
        # wrong, and the config lets it pass
        (
            f"""
            S: CAP * LS :sasl
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 904 * :SASL authentication failed
            note: SASL failed PLAIN: 904 SASL authentication failed
            C: CAP END
            """,
            SASL | {"sasl_required": False},
        ),
        # not offered; with another mechanism only; with no CAP; let in before its end
        ("S: CAP * LS :\nend: SASL failed: the server does not offer it", SASL),
        (
            """
            S: CAP * LS :sasl=GSSAPI,EXTERNAL
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            end: SASL failed: the server offers GSSAPI,EXTERNAL, which the config does not allow
            """,
            SASL,
        ),
        ("S: :s 001 FUDice :hi\nend: SASL failed: the server does not offer it", SASL),
        (
            """
            S: CAP * LS :sasl
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            C: AUTHENTICATE PLAIN
            S: :s 001 FUDice :hi
            end: SASL failed: it did not come to an end
            """,
            SASL,
        ),
        # refused by NAK
        (
            "S: CAP * LS :sasl\nC: CAP REQ :sasl\nS: CAP * NAK :sasl\nend: SASL failed: the server does not offer it",
            SASL,
        ),
        # services that go, or do not answer, are no final word
        (
            """
            S: CAP * LS :sasl
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            C: AUTHENTICATE PLAIN
            hurry
            C: AUTHENTICATE *
            end: SASL failed: PLAIN: no answer in time
            """,
            SASL,
        ),
        (
            """
            S: CAP * LS :sasl
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            C: AUTHENTICATE PLAIN
            S: :s 906 * :SASL authentication aborted
            end: SASL failed: PLAIN: 906 SASL authentication aborted
            """,
            SASL,
        ),
        # services come back later, and we are asked in
        (
            f"""
            S: CAP * LS :
            note: SASL failed the server does not offer it
            C: CAP END
            S: :s 001 FUDice :hi
            S: CAP FUDice NEW :sasl=PLAIN
            C: CAP REQ :sasl
            S: CAP FUDice ACK :sasl
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 900 FUDice FUDice!u@h dice :You are now logged in as dice
            S: :s 903 FUDice :SASL authentication successful
            note: logged in PLAIN as dice
            S: CAP FUDice DEL :sasl
            S: CAP FUDice NEW :sasl=PLAIN
            C: CAP REQ :sasl
            S: CAP FUDice ACK :sasl
            """,
            SASL | {"sasl_required": False},
        ),
        # a server that does not say when they are back is asked, until it is done
        (
            f"""
            S: CAP * LS :
            note: SASL failed the server does not offer it
            C: CAP END
            S: :s 001 FUDice :hi
            T: try services
            C: CAP LS 302
            S: CAP FUDice LS :
            T: try services
            C: CAP LS 302
            S: CAP FUDice LS :sasl=PLAIN
            C: CAP REQ :sasl
            S: CAP FUDice ACK :sasl
            C: AUTHENTICATE PLAIN
            T: try services
            C: AUTHENTICATE *
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 903 FUDice :ok
            note: logged in PLAIN as unknown
            T: try services
            """,
            SASL | {"sasl_required": False},
        ),
        # a password is not sent in the clear, unless the config says so
        ("S: CAP * LS :sasl\nend: SASL failed: the config allows no mechanism without TLS", SASL | {"tls": False}),
        (
            f"""
            S: CAP * LS :sasl
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 903 * :ok
            note: logged in PLAIN as unknown
            C: CAP END
            """,
            SASL | {"tls": False, "sasl_plain_without_tls": True},
        ),
    ],
)
def test_sasl_in_the_login(talk: str, values: dict[str, object]) -> None:
    """IRC-04: what fails is final where the server says so, and by default the bot does not come in without it."""
    play(HELLO + talk, **values)


NICKSERV = {"nickserv_password": "pencil", "channels": (Join("#x"),)}
IN = HELLO + "S: CAP * LS :\nC: CAP END\nS: :s 001 FUDice :hi\n"
ASKED = IN + "S: :s 376 FUDice :end\nC: PRIVMSG NickServ :IDENTIFY pencil\n"


@pytest.mark.parametrize(
    ("talk", "values"),
    [
        (IN + "S: :s 422 FUDice :no motd\nC: JOIN #x\nT: identify or join", {"channels": (Join("#x"),)}),
        (IN + "T: identify or join\nC: JOIN #x\nS: :s 376 FUDice :end", {"channels": (Join("#x"),)}),
        (ASKED + "S: :s 900 FUDice FUDice!u@h dice :You are now logged in as dice\nC: JOIN #x", NICKSERV),
        (ASKED + "S: :FUDice MODE FUDice +ir\nC: JOIN #x", NICKSERV),
        (ASKED + "S: :FUDice MODE FUDice +i", NICKSERV),
        (ASKED + "S: :x MODE #x +r", NICKSERV),
        (ASKED + "S: :NickServ!s@s NOTICE FUDice :You are now identified for FUDice.\nC: JOIN #x", NICKSERV),
        (
            ASKED + "S: :NickServ!s@s NOTICE FUDice :Invalid password for FUDice.\n"
            "note: NickServ refused Invalid password for FUDice.\nC: JOIN #x",
            NICKSERV,
        ),
        (ASKED + "S: :evil!s@s NOTICE FUDice :You are now identified for FUDice.", NICKSERV),
        (
            ASKED + "S: :s 401 FUDice nickserv :No such nick\n"
            "note: not identified NickServ is absent: No such nick\nC: JOIN #x",
            NICKSERV,
        ),
        (ASKED + "S: :s 401 FUDice bob :No such nick", NICKSERV),
        (ASKED + "T: stop waiting\nnote: not identified NickServ did not answer in time\nC: JOIN #x", NICKSERV),
        # services come back and ask; not more than once a minute are they told
        (
            ASKED + "T: stop waiting\nnote: not identified NickServ did not answer in time\nC: JOIN #x\n"
            "S: :NickServ!s@s NOTICE FUDice :This nickname is registered. Please choose another\n"
            "T: allow identifying\n"
            "S: :NickServ!s@s NOTICE FUDice :This nickname is registered. Please choose another\n"
            "C: PRIVMSG NickServ :IDENTIFY pencil\n"
            "S: :NickServ!s@s NOTICE FUDice :This nickname is registered. Please choose another\n",
            NICKSERV,
        ),
        # the account by name where the nick is another
        (
            IN + "S: :s 376 FUDice :end\nC: PRIVMSG NickServ :IDENTIFY dice pencil",
            NICKSERV | {"sasl_username": "dice"},
        ),
        # SASL first; this only where it is not there
        (
            HELLO + "S: CAP * LS :\nnote: SASL failed the server does not offer it\nC: CAP END\n"
            "S: :s 001 FUDice :hi\nS: :s 376 FUDice :end\nC: PRIVMSG NickServ :IDENTIFY dice pencil",
            SASL | NICKSERV,
        ),
        (
            HELLO
            + f"""
            S: CAP * LS :sasl
            C: CAP REQ :sasl
            S: CAP * ACK :sasl
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 903 * :ok
            note: logged in PLAIN as unknown
            C: CAP END
            S: :s 001 FUDice :hi
            S: :s 376 FUDice :end
            C: JOIN #x
            """,
            SASL | NICKSERV,
        ),
    ],
)
def test_services_before_channels(talk: str, values: dict[str, object]) -> None:
    """IRC-04, IRC-08: NickServ by config where SASL was not; the channels come after the login, or after a while."""
    play(talk, **values)


@pytest.mark.parametrize(
    ("length", "sizes"), [(0, [1]), (1, [4]), (299, [400, 1]), (300, [400, 1]), (301, [400, 4]), (600, [400, 400, 1])]
)
def test_pieces(length: int, sizes: list[int]) -> None:
    """IRC-04: 400 bytes each; after a full one comes another, if only to say that it was the last."""
    lines = [line.removeprefix("AUTHENTICATE ") for line in pieces(b"x" * length)]
    assert [len(line) for line in lines] == sizes
    assert base64.b64decode("".join(line for line in lines if line != "+")) == b"x" * length

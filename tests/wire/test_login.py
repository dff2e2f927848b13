"""Coming in, line by line: capabilities, TLS asked for, PASS, SASL. No socket, no clock, no chance."""

from __future__ import annotations

import base64

import pytest

from ircdice.config import Join
from ircdice.wire.cap import WANTED
from ircdice.wire.line import Line
from ircdice.wire.login import Login
from ircdice.wire.sasl import pieces

from .bots import network
from .transcript import play

TLS = {"tls": True}
SASL = TLS | {"sasl": ("plain",), "sasl_username": "dice", "sasl_password": "pencil"}
HELLO = """
    C: CAP LS 302
    C: NICK FUDice
    C: USER ircdice 0 * :ircdice, dice for tabletop players
"""
PLAIN = base64.b64encode(b"dice\0dice\0pencil").decode()


@pytest.mark.parametrize(
    "talk",
    [
        # what is there is asked for, all at once, and what is not is done without
        """
        S: CAP * LS :account-tag sasl=PLAIN nothing=we,want
        C: CAP REQ :account-tag
        S: CAP * ACK :account-tag
        C: CAP END
        """,
        # a list in several lines
        """
        S: CAP * LS * :server-time
        S: CAP * LS * :
        S: CAP * LS :account-tag=value
        C: CAP REQ :account-tag server-time
        S: CAP * ACK :server-time
        S: CAP * ACK :account-tag
        C: CAP END
        """,
        # nothing there, in three ways
        """
        S: CAP * LS :
        C: CAP END
        """,
        """
        S: CAP * LS
        C: CAP END
        """,
        """
        S: CAP * LS :a b=c
        C: CAP END
        """,
        # refused as a whole, then one by one
        """
        S: CAP * LS :account-tag batch echo-message
        C: CAP REQ :account-tag batch echo-message
        S: CAP * NAK :account-tag batch echo-message
        C: CAP REQ :account-tag
        C: CAP REQ :batch
        C: CAP REQ :echo-message
        S: CAP * NAK :echo-message
        S: CAP * ACK :account-tag
        S: CAP * ACK :batch
        C: CAP END
        """,
        # what was not asked for is not given
        """
        S: CAP * ACK :account-tag
        S: CAP * LS :
        C: CAP END
        """,
        # gone while it was asked for: there may be no answer
        """
        S: CAP * LS :account-tag
        C: CAP REQ :account-tag
        S: CAP * DEL :account-tag
        C: CAP END
        """,
        # offered later
        """
        S: CAP * LS :
        C: CAP END
        S: :s 001 FUDice :hi
        S: CAP FUDice NEW :account-tag batch=x
        C: CAP REQ :account-tag batch
        S: CAP FUDice ACK :account-tag batch
        """,
        # no CAP at all
        """
        S: :s 421 * CAP :Unknown command
        S: :s 001 FUDice :hi
        """,
        # CAP after the welcome
        """
        S: :s 001 FUDice :hi
        S: CAP FUDice LS :batch
        C: CAP REQ :batch
        S: CAP FUDice ACK :batch
        """,
        # a list without end, and an answer that never comes
        """
        S: CAP * LS * :account-tag
        hurry
        C: CAP END
        """,
        """
        S: CAP * LS :account-tag
        C: CAP REQ :account-tag
        hurry
        C: CAP END
        S: CAP * ACK :account-tag
        """,
        # nonsense
        """
        S: CAP
        S: CAP *
        S: CAP * NONSENSE :x
        S: CAP * LS :=  = ~ -a
        C: CAP END
        """,
    ],
)
def test_capabilities(talk: str) -> None:
    """IRC-03: split lists, values, NEW, DEL and NAK; registration comes to an end whatever a server does."""
    play(HELLO + talk, tls=True)


def test_capabilities_that_are_there() -> None:
    """IRC-03: each is used while it is there."""
    one = play(HELLO + "S: CAP * LS :batch account-tag\nC: CAP REQ :account-tag batch", tls=True)
    assert one.caps.enabled == set()
    for said, enabled in (("ACK :account-tag batch ", {"account-tag", "batch"}), ("DEL :batch", {"account-tag"})):
        verb, _, names = said.partition(" :")
        list(one.receive(Line("CAP", ("*", verb, names)), 0.0))
        assert one.caps.enabled == enabled


def test_all_that_is_named_is_asked_for() -> None:
    """IRC-03: every capability of the rule, `sasl` where the config has it."""
    named = {
        *("message-tags", "server-time", "account-tag", "account-notify", "extended-join", "echo-message"),
        *("labeled-response", "batch"),
    }
    assert named <= set(WANTED)
    assert "sasl" in Login(network(6697, **SASL), "").caps.wanted


def test_a_list_without_end_fills_no_memory() -> None:
    """IRC-03: only what we know of is kept."""
    login = Login(network(6697, tls=True), "")
    for number in range(1000):
        list(login.receive(Line("CAP", ("*", "LS", "*", f"cap-{number} batch sts=port=1"))))
    assert set(login.caps.offered) == {"batch", "sts"}


@pytest.mark.parametrize(
    ("talk", "values"),
    [
        # the password waits until it is known that the server does not ask for TLS
        (
            """
            C: CAP LS 302
            S: CAP * LS :sts=duration=1
            C: PASS open
            C: NICK FUDice
            C: USER ircdice 0 * :ircdice, dice for tabletop players
            C: CAP END
            """,
            {"password": "open"},
        ),
        (
            """
            C: CAP LS 302
            S: :s 421 * CAP :Unknown command
            C: PASS open
            C: NICK FUDice
            C: USER ircdice 0 * :ircdice, dice for tabletop players
            """,
            {"password": "open"},
        ),
        (
            """
            C: CAP LS 302
            S: :s NOTICE * :looking up
            T: register
            C: PASS :two words
            C: NICK FUDice
            C: USER ircdice 0 * :ircdice, dice for tabletop players
            S: CAP * LS :
            C: CAP END
            """,
            {"password": "two words"},
        ),
        # it asks: not a word more
        (
            """
            C: CAP LS 302
            S: CAP * LS * :a sts=port=6697,duration=60
            TLS: 6697
            S: CAP * LS :batch
            S: PING x
            S: :s 001 FUDice :hi
            S: :s 376 FUDice :end
            T: register
            hurry
            """,
            {"password": "open"},
        ),
        (HELLO + "S: CAP * LS :sts=port=99,port=7\nTLS: 99", {}),
        (HELLO + "S: CAP * LS :\nC: CAP END\nS: CAP * NEW :sts=port=99\nTLS: 99", {}),
        # nonsense, and what the config does not want
        (HELLO + "S: CAP * LS :sts=port=0\nC: CAP END", {}),
        (HELLO + "S: CAP * LS :sts=port=x,duration=1\nC: CAP END", {}),
        (HELLO + "S: CAP * LS :sts\nC: CAP END", {}),
        (HELLO + "S: CAP * LS :sts=port=6697\nC: CAP END", {"sts": False}),
        # over TLS the port says nothing, the duration does, once
        (
            HELLO + "S: CAP * LS * :sts=port=1,duration=60\nkeep: 60\nS: CAP * LS :\nC: CAP END",
            TLS,
        ),
        (HELLO + "S: CAP * LS :sts=duration=0\nkeep: 0\nC: CAP END", TLS),
        (HELLO + "S: CAP * LS :sts=port=1\nC: CAP END", TLS),
    ],
)
def test_strict_transport_security(talk: str, values: dict[str, object]) -> None:
    """IRC-02: on a plain connection the port is taken up before anything secret is sent; over TLS the duration."""
    play(talk, **values)


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
            S: CAP * DEL :sasl
            C: AUTHENTICATE *
            end: SASL failed: services have gone
            """,
            SASL,
        ),
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
            T: services
            C: CAP LS 302
            S: CAP FUDice LS :
            T: services
            C: CAP LS 302
            S: CAP FUDice LS :sasl=PLAIN
            C: CAP REQ :sasl
            S: CAP FUDice ACK :sasl
            C: AUTHENTICATE PLAIN
            T: services
            C: AUTHENTICATE *
            C: AUTHENTICATE PLAIN
            S: AUTHENTICATE +
            C: AUTHENTICATE {PLAIN}
            S: :s 903 FUDice :ok
            note: logged in PLAIN as not said
            T: services
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
            note: logged in PLAIN as not said
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
        (IN + "S: :s 422 FUDice :no motd\nC: JOIN #x\nT: settled", {"channels": (Join("#x"),)}),
        (IN + "T: settled\nC: JOIN #x\nS: :s 376 FUDice :end", {"channels": (Join("#x"),)}),
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
            ASKED + "S: :s 401 FUDice NickServ :No such nick\nnote: NickServ is away No such nick\nC: JOIN #x",
            NICKSERV,
        ),
        (ASKED + "T: identified\nnote: not identified NickServ did not answer in time\nC: JOIN #x", NICKSERV),
        # services come back and ask; not more than once a minute are they told
        (
            ASKED + "S: :s 401 FUDice NickServ :No such nick\nnote: NickServ is away No such nick\nC: JOIN #x\n"
            "S: :NickServ!s@s NOTICE FUDice :This nickname is registered. Please choose another\n"
            "T: identify again\n"
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
            note: logged in PLAIN as not said
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

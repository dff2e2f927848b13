"""IRC-02, IRC-03: capabilities and TLS asked for, line by line. No socket, no clock, no chance."""

from __future__ import annotations

import pytest

from ircdice.wire.channels import Roster
from ircdice.wire.login import WANTED, Login
from ircdice.wire.protocol import Line, Support

from .bots import network
from .transcript import HELLO, SASL, TLS, play


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
    """IRC-03: each is used while it is there, and none that was not requested."""
    one = play(HELLO + "S: CAP * LS :batch account-tag\nC: CAP REQ :account-tag batch", tls=True)
    assert one.enabled == set()
    both = {"account-tag", "batch"}
    talk = (("ACK :account-tag batch ", both), ("ACK :echo-message", both), ("DEL :batch", {"account-tag"}))
    for said, enabled in talk:
        verb, _, names = said.partition(" :")
        list(one.receive(Line("CAP", ("*", verb, names)), 0.0))
        assert one.enabled == enabled


def test_all_that_is_named_is_asked_for() -> None:
    """IRC-03: every capability of the rule, `sasl` where the config has it."""
    named = {
        *("message-tags", "server-time", "account-tag", "account-notify", "extended-join", "echo-message"),
        *("labeled-response", "batch"),
    }
    assert named <= set(WANTED)
    play(HELLO + "S: CAP * LS :sasl\nC: CAP REQ :sasl", **SASL)


def test_a_list_without_end_fills_no_memory() -> None:
    """IRC-03: only what we know of is kept."""
    support = Support()
    login = Login(network(6697, tls=True), support, Roster(support, "FUDice"), "")
    for number in range(1000):
        list(login.receive(Line("CAP", ("*", "LS", "*", f"cap-{number} batch sts=port=1"))))
    assert set(login.offered) == {"batch", "sts"}


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
            T: register
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

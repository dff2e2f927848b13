"""Contests and rolls that are over: `pass`, `withdraw`, `contests`, `close`, `discard`."""

from __future__ import annotations

from dataclasses import field

import pyparsing as pp

from grammars.command import Node, builds
from grammars.tokens import Token, command_word, reference, refused

UNCALLED = ("pass", "withdraw", "close", "discard")  # GEN-13: the others are commands only when the bot is called
EXAMPLES = {
    "pass": "answer an open contest without resisting; `pass #4d` names one of several",
    "withdraw #4d": "the one who opened a contest takes it back, and its dice are shown",
    "contests": "the open contests of this channel",
    "close #4d": "storyteller: nothing more is rerolled of that roll, or that contest is over",
    "discard #4d": "disregard a roll of yours, in public: it never counts again; `discard #4d # why` keeps the reason",
}
HELP = {
    "duel": "A duel is a contest: a roll with vs @bob at its end waits until bob answers with a roll of his own, or"
    " pass.",
    "mistake, delete, remove": "Nothing is deleted, but much is taken back: a roll of yours by discard #4d, a number by"
    " !undo, an open contest by !withdraw; a storyteller may do so for anybody.",
    "storyteller": "A storyteller may do to any roll what its player may, and act for others: roll 5d10 h2 as Thug, wp"
    " as bob, pass as bob, !track hunger 3 as bob, discard #4d.",
}


class Pass(Node):
    """Decline to resist in the speaker's oldest open contest, or in the one named (GEN-06)."""

    ref: str | None = None


class Withdraw(Node):
    """Take back one's own contest (GEN-06)."""

    ref: str | None = None

    @property
    def only_called(self) -> bool:
        """GEN-13: an everyday word, unless an id follows."""
        return self.ref is None


class Close(Node):
    """A storyteller closes a roll or contest (V5-25)."""

    ref: str = field()


class Discard(Node):
    """A player discards a roll, which is no longer listed (SC-21); `reason` in words (DSK-14)."""

    ref: str | None = None
    reason: str | None = None

    @property
    def only_called(self) -> bool:
        """GEN-13, as for `withdraw`; with a reason in plain words it may be talk."""
        return self.ref is None or self.reason is not None


class Contests(Node):
    """List the open contests."""


ID = reference()
NUMBER = refused("4d", r"[0-9]{1,9}(?=[\s.!?]*(?:$|#))", '"{0}" is not an id: ids begin with #, as #{0}.')
an_id = (ID | NUMBER).set_name("an id, as #4d")

REASON = Token("a reason", r"(?!as\s|for\s)[^\s#].*?(?=\s*(?:#(?:\s|$)|[.!?]*\s*$))", clause="reason")

passes = (command_word("pass") + pp.Opt(an_id)).set_parse_action(builds(Pass))
withdraw = (command_word("withdraw") + pp.Opt(an_id)).set_parse_action(builds(Withdraw))
close = (command_word("close") + an_id).set_parse_action(builds(Close))
discard = (command_word("discard") + pp.Opt(an_id + pp.Opt(REASON))).set_parse_action(builds(Discard))
contests = command_word("contests").add_parse_action(builds(Contests))

GRAMMAR = passes | withdraw | close | discard | contests

"""Lines and what they tell of a server, by tables: no socket, no clock, no chance."""

from __future__ import annotations

import pickle
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.wire.protocol import LONGEST, Frames, Line, Support, parse


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("PING", Line("PING")),
        ("ping :a b", Line("PING", ("a b",))),
        (":n!u@h PRIVMSG #x :hi :there", Line("PRIVMSG", ("#x", "hi :there"), "n!u@h")),
        (":n!u@h  JOIN   #x", Line("JOIN", ("#x",), "n!u@h")),
        ("@a=b\\s\\:;c :s 001 me :", Line("001", ("me", ""), "s", {"a": "b ;", "c": ""})),
        (":s 353 me = #a\u3000b :@x", Line("353", ("me", "=", "#a\u3000b", "@x"), "s")),
        ("", None),
        (":", None),
        (":only.source", None),
        ("@only=tags", None),
        ("12 x", None),
        ("é x", None),
    ],
)
def test_line(text: str, line: Line | None) -> None:
    """IRC-10: a line is taken apart, or is none."""
    assert parse(text) == line


@given(st.text(max_size=200))
def test_any_line_is_parsed(text: str) -> None:
    """IRC-10: no text whatever raises."""
    parse(text)


def test_missing_parameters_are_empty() -> None:
    """IRC-10: what a server leaves out reads as nothing."""
    assert (Line("X").param(0), Line("X").param(-1), Line("X", ("a",)).param(1), Line("X").nick) == ("", "", "", "")


@given(st.lists(st.binary(max_size=40)), st.integers(1, 7))
def test_frames_do_not_depend_on_the_pieces(raws: list[bytes], size: int) -> None:
    """IRC-10: lines are the same, however they arrive."""
    data = b"\n".join(raws) + b"\n"
    whole, pieces = Frames(), Frames()
    found = [line for at in range(0, len(data), size) for line in pieces.feed(data[at : at + size])]
    assert found == whole.feed(data)


def test_frames_drop_what_is_too_long() -> None:
    """IRC-10: a line without an end fills no memory, and the next one is read."""
    frames = Frames()
    tracemalloc.start()
    for _ in range(5_000):
        assert frames.feed(b"x" * 1000) == []
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 * LONGEST
    assert frames.feed(b"\nPING\r\n\r\n") == ["PING"]


@pytest.mark.parametrize(
    ("tokens", "name", "value"),
    [
        ((), "casemapping", "rfc1459"),
        (("CASEMAPPING=ascii",), "casemapping", "ascii"),
        (("CASEMAPPING=ascii", "-CASEMAPPING"), "casemapping", "rfc1459"),
        (("CASEMAPPING=",), "casemapping", "rfc1459"),
        ((), "linelen", 512),
        (("LINELEN=2048",), "linelen", 2048),
        (("LINELEN=3",), "linelen", 512),
        (("LINELEN=x", "CHANLIMIT=#"), "linelen", 512),
        (("LINELEN=٩٩٩",), "linelen", 512),
        (("LINELEN=999999",), "linelen", 8192),
        (("CHANTYPES=",), "chantypes", ""),
        (("CHANTYPES=#+",), "chantypes", "#+"),
        (("PREFIX=(qaohv)~&@%+",), "ranks", {"~": "q", "&": "a", "@": "o", "%": "h", "+": "v"}),
        (("PREFIX=(ov)@",), "ranks", {"@": "o", "+": "v"}),
        (("PREFIX=",), "ranks", {"@": "o", "+": "v"}),
        (("=", "-", "", "CHANMODES=b\\x2Cc,k,l,m"), "modes_with_argument", ("bcov", "k")),
    ],
)
def test_isupport(tokens: tuple[str, ...], name: str, value: object) -> None:
    """IRC-09: what makes no sense counts as not said."""
    support = Support()
    support.load(tokens)
    assert getattr(support, name) == value


def test_tokens_that_mean_nothing_here_are_not_kept() -> None:
    """IRC-09: however many a server says, the bot's memory is flat."""
    support = Support()
    before = len(pickle.dumps(support))
    support.load(f"TOKEN{number}=value" for number in range(1_000))
    assert len(pickle.dumps(support)) == before

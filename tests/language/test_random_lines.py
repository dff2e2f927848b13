"""Random lines: only our own errors, hints that work, nodes that survive being written, and no line that takes long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timed import best_of_three

import grammars
from grammars.channel import Hints
from grammars.contests import Close, Contests, Pass, Withdraw
from grammars.help import Help
from grammars.line import Line, posted_comment
from grammars.odds import OddsOf
from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from ircdice.bot.message import Message, listen

WORDS = """roll v5 rouse wp hunger autowin pass withdraw contests close odds help hints"""
PARTS = """
d10 5d10 d 10 0 1 2 3 5 7 100 101 -1 +1 . ! ? , # #4d #last @bob @ vs vs. h h2 h7 dc dc3 diff 4 difficulty
hunger willpower humanity morality tens for as off on messy + - : = % / ( ) < ٣ “ ” – punching him the and
\x02 \x0304 \u200b \x00
"""
PLACES = "`!."


def spelt_wrong(line: str, at: int, how: int) -> str:
    """`line` with one letter dropped, doubled, swapped with the next, or changed."""
    at %= max(len(line), 1)
    before, letter, after = line[:at], line[at : at + 1], line[at + 1 :]
    return [before + after, before + letter * 2 + after, before + after[:1] + letter + after[1:], f"{before}x{after}"][
        how
    ]


words = st.sampled_from(re.findall("[a-z0-9]+", WORDS))
sentences = st.builds(
    lambda word, parts, gap: gap.join([word, *parts]),
    words,
    st.lists(st.sampled_from(re.findall("[^ \n]+", PARTS)), max_size=9),
    st.sampled_from([" ", " ", "", "  "]),
)
commands = st.sampled_from(
    [
        "roll 5d10 h2 dc3",
        "roll 5d10 h2 # punching",
        "roll 6d10 h2 vs 5d10 h1",
        "roll 6d10 h2 vs @bob",
        "roll 4d10 willpower",
        "v5 3+4+1 h2 dc3",
        "rouse 2",
        "wp 2 tens #4d",
        "hunger 2 #4d",
        "autowin 9 dc4 h1",
        "odds roll 10d10 h5 dc4",
        "close #4d for good",
        "help messy",
        "hints off",
    ]
)
mutated = st.builds(spelt_wrong, commands, st.integers(0, 40), st.integers(0, 3))
twice = st.builds(spelt_wrong, mutated, st.integers(0, 40), st.integers(0, 3))
alphabet = st.builds(
    "{} {}".format, words, st.text(st.sampled_from("0123456789d hcvsrolwp#@+-.!?:=\x02\x03é"), max_size=30)
)
anything = st.text(max_size=60) | st.text(st.characters(codec="latin-1"), max_size=60)
behind_a_word = st.builds("{}{}".format, words, anything)


def check(line: str) -> None:
    """GEN-04, GEN-07, GEN-11, GEN-15: the family of our own errors or a node that can be written and read again."""
    for called in (False, True):
        try:
            reading = grammars.read(line, "v5", called)
        except grammars.CommandSyntaxError as error:
            check_error(error, line)
        except grammars.UnknownCommand:
            assert not called, "called, a line is answered or hinted at (GEN-10)"
        else:
            assert grammars.parse(str(reading.node), called=True) == reading.node
            assert len(posted_comment(reading.comment or "").encode()) <= 80


def check_error(error: grammars.CommandSyntaxError, line: str) -> None:
    assert error.text == line
    assert 1 <= error.column <= len(line) + 1
    assert str(error).isprintable()
    if error.hint is not None:
        assert str(grammars.parse(error.hint, called=True))


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(sentences)
def test_words_of_the_grammar(line: str) -> None:
    """GEN-04, GEN-11: the grammar's own words in any order."""
    check(line)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(mutated | twice)
def test_commands_misspelt(line: str) -> None:
    """GEN-10, GEN-11: commands with a letter dropped, doubled, swapped or changed."""
    check(line)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(alphabet)
def test_the_grammars_alphabet(line: str) -> None:
    """GEN-02, GEN-04: command words before anything made of their letters."""
    check(line)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(anything | behind_a_word)
def test_any_text(line: str) -> None:
    """GEN-02, IRC-10: any characters at all, surrogates and controls with them."""
    check(line)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from(["", "FUDice: ", "fudice,", "!", ".", "`", "<bob> ", "<b\x02ob>", "\x0304", " ", "<"]),
    sentences | anything,
    st.booleans(),
    st.booleans(),
)
def test_any_line_heard(address: str, line: str, relay: bool, private: bool) -> None:
    """GEN-02, IRC-13: whatever precedes it, the text is the end of the line as typed."""
    typed = address + line
    heard = listen(Message("net", None if private else "#c", "alice", typed, relay=relay), PLACES)
    if heard is not None:
        assert typed.endswith(heard.text)
        assert heard.message.text[heard.offset :] == heard.text
        assert heard.called or not private
        check(heard.text)


refs = st.none() | st.from_regex(r"[0-9a-z]{1,6}(-[0-9a-z]{6})?", fullmatch=True)
hungers = st.none() | st.integers(0, 5)
difficulties = st.none() | st.integers(1, 1_000_000)
terms = st.lists(st.integers(-50, 100), min_size=2, max_size=6).filter(lambda t: 1 <= sum(t) <= 100).map(tuple)
plain = st.builds(Pool, st.integers(1, 100), hungers, difficulties)
kinds = st.builds(Pool, st.integers(1, 100), st.none(), difficulties, kind=st.sampled_from(["willpower", "humanity"]))
sums = st.builds(lambda t, h, d: Pool(sum(t), h, d, terms=t), terms, hungers, difficulties)
free = st.builds(Pool, st.integers(1, 100), hungers)
positive = st.lists(st.integers(1, 20), min_size=2, max_size=5).map(tuple)
free_sums = st.builds(lambda t, h: Pool(sum(t), h, terms=t), positive, hungers)
nicks = st.from_regex(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]{0,29}", fullmatch=True)
rolls = st.one_of(
    plain,
    kinds,
    sums,
    st.builds(Contest, free | free_sums, free | free_sums),
    st.builds(Contest, free | free_sums, st.none(), nicks),
    st.builds(Rouse, st.integers(1, 100)),
)
rerolls = st.builds(Willpower, st.none() | st.integers(1, 3), st.booleans(), hungers, refs)
nodes = st.one_of(
    rolls,
    rerolls,
    st.builds(SayHunger, st.integers(0, 5), refs),
    st.builds(AutomaticWin, terms, st.integers(1, 1_000_000), st.integers(0, 5)),
    st.builds(Pass, refs),
    st.builds(Withdraw, refs),
    st.builds(Close, refs.filter(lambda ref: ref is not None)),
    st.builds(Contests),
    st.builds(Hints, st.booleans()),
    st.builds(Help, st.sampled_from([None, "roll", "v5", "messy", "wp"])),
    st.builds(OddsOf, rolls | rerolls),
)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(nodes)
def test_what_is_written_is_read(node: object) -> None:
    """GEN-04, GEN-08, GEN-09: `parse(str(node)) == node`, in any case and with spaces doubled."""
    written = str(node)
    assert grammars.parse(written, called=True) == node
    assert grammars.parse(f"  {written.replace(' ', '   ')} ", called=True) == node
    if "@" not in written:
        assert grammars.parse(written.upper(), called=True) == node


HOSTILE = {  # what no command's own words make, which tests/language/test_adversarial_lines.py repeats
    "hashes": "#" * 400,
    "tabs after dc": "roll 5d10 dc" + "\t" * 370 + ":" + "\t" * 10,
    "odds odds": "odds " * 75,
    "a word of 16,000": "x" * 16_000,  # the longest line of a server
    "16,000 spaces": " " * 16_000,
    "4,000 colours": "\x0304" * 4_000 + "roll 5d10",
    "newlines": "roll 5d10" + "\n" * 380 + "x",
    "a name": "FUDice" * 10_000 + ":",
    "a relay": "<" + "b" * 10_000,
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE.keys())
def test_nothing_takes_long(line: str) -> None:
    """GEN-15: refused or read in a few ms; the bound is ten times the longest, so that no busy machine fails it."""
    _, seconds = best_of_three(lambda: heard_and_read(line))
    assert seconds < 0.25


def heard_and_read(line: str) -> None:
    for relay in (False, True):
        heard = listen(Message("net", "#c", "alice", line, relay=relay), PLACES)
        assert heard is None or heard.text
    for called in (False, True):
        said = ""
        try:
            grammars.read(line, "v5", called)
        except grammars.Refused as refusal:
            said = str(refusal)
        assert len(said) < 300


@given(st.text(max_size=80))
@settings(max_examples=500, deadline=None)
def test_a_line_keeps_its_columns(text: str) -> None:
    """GEN-02: every character that stays knows where it stood."""
    line = Line.of(text)
    at = [line.column(i) - 1 for i in range(len(line.plain))]
    assert at == sorted(set(at))
    assert all(text[i] == c or not text[i].isascii() or text[i].isspace() for i, c in zip(at, line.plain, strict=True))

"""Generic dice: texts that read back as the same node, and any line read or refused."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grammars
from grammars.generic.nodes import Chain, Compare, Dice, Modifier, Negative, Number, Question, Roll

pytestmark = pytest.mark.slow

SIGNS = st.sampled_from(["=", "<", ">", "<=", ">=", "<>"])
COMPARES = st.builds(Compare, SIGNS, st.integers(-3, 9))
SELECTIONS = st.builds(Modifier, st.sampled_from(["k", "kl", "dl", "dh"]), st.integers(1, 9))
CLAMPS = st.builds(Modifier, st.sampled_from(["mi", "ma"]), st.integers(-3, 9))
DRAWING = st.builds(
    lambda name, on: Modifier(name, compare=on), st.sampled_from(["r", "ro", "!", "!!", "!p"]), COMPARES
)
LABELS = st.sampled_from(["", "", "fire", "a b"])


def possible(build):
    """What `build` makes, where it can be built."""

    def tried(*parts):
        try:
            return build(*parts)
        except ValueError:
            return None

    return tried


def valid(build, *parts):
    return st.builds(possible(build), *parts).filter(lambda node: node is not None)


DICE = valid(
    lambda count, die, modifiers, counts, less, label: Dice(
        count, *die, tuple(modifiers), counts, counts and less, label
    ),
    st.integers(1, 12),
    st.one_of(
        st.tuples(st.sampled_from([1, 2, 4, 6, 10, 20, 100]), st.just(())),
        st.tuples(st.just(0), st.lists(st.integers(-3, 9), min_size=2, max_size=5).map(tuple)),
    ),
    st.lists(st.one_of(SELECTIONS, CLAMPS, DRAWING), max_size=4),
    st.none() | COMPARES,
    st.none() | COMPARES,
    LABELS,
)
NUMBERS = st.builds(Number, st.integers(0, 99) | st.integers(1, 999).map(lambda n: Fraction(2 * n + 1, 8)), LABELS)
EXPRESSIONS = st.recursive(
    DICE | NUMBERS,
    lambda inner: st.one_of(
        inner.filter(lambda node: not isinstance(node, Negative)).map(Negative),
        valid(
            lambda first, rest: Chain(first, tuple(rest)),
            inner,
            st.one_of(
                st.lists(st.tuples(st.sampled_from(["+", "-"]), inner), min_size=1, max_size=3),
                st.lists(st.tuples(st.sampled_from(["*", "/", "//", "%"]), inner), min_size=1, max_size=3),
            ),
        ),
    ),
    max_leaves=6,
)
ROLLS = valid(Roll, EXPRESSIONS, st.sampled_from([1, 1, 2, 20]))
QUESTIONS = valid(Question, EXPRESSIONS, SIGNS, EXPRESSIONS)


@settings(max_examples=60, deadline=None)
@given(st.one_of(ROLLS, QUESTIONS), st.sampled_from(["v5", "generic", "crossroads"]))
def test_text_reads_back_as_the_same_node(node, system):
    """GD-01…GD-13: `str(node)` parses to the same node, whatever is played."""
    text = str(node)
    if len(text) <= 400:
        again = grammars.parse(text, system, called=True)
        assert str(again) == text
        assert flat(again) == flat(node)


def flat(node):
    """A node with sums in sums and products in products laid open, as reading them does."""
    return str(node).replace("(", "").replace(")", "")


@pytest.mark.parametrize(("terms", "posted"), [(30, "1d1+" * 29 + "1d1"), (31, "1d1+" * 29 + "1...")])
def test_gd_14_a_long_command_is_posted_by_its_beginning(evaluate, terms, posted):
    """GD-14: in up to 120 bytes, with the three dots."""
    answer = evaluate({"text": f"roll {'+'.join(['1d1'] * terms)}"})
    assert f"; {posted}; " in answer["reply"]

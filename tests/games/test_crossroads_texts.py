"""Crossroads' texts: any roll reads back as it is written, and any line is read or refused."""

from hypothesis import given
from hypothesis import strategies as st

import grammars
from grammars.crossroads import (
    Contest,
    Damage,
    GroupRoll,
    GroupValues,
    Keep,
    Reroll,
    Roll,
)


def rolls():
    """Any roll that can be written."""
    skill = st.builds(
        Roll,
        advantage=st.integers(-20, 20),
        bonus=st.integers(-99, 99),
        convert=st.integers(0, 3),
        low=st.booleans(),
        simple=st.booleans(),
        reaction=st.booleans(),
    )
    other = st.builds(
        Roll,
        dice=st.integers(1, 40),
        sides=st.just(3),
        advantage=st.integers(-20, 20),
        bonus=st.integers(-99, 99),
        piercing=st.integers(0, 9),
        armour=st.none() | st.integers(0, 9),
        low=st.booleans(),
    )
    return skill, other


SKILLS, OTHERS = rolls()
NODES = st.one_of(
    SKILLS,
    OTHERS,
    st.builds(Contest, SKILLS, SKILLS),
    st.builds(Contest, SKILLS, against=st.sampled_from(("bob", "Al[ce]", "x-1"))),
    st.builds(GroupRoll, st.lists(SKILLS, min_size=1, max_size=3).map(tuple)),
    st.builds(GroupValues, st.lists(st.integers(-2, 3), min_size=1, max_size=9).map(tuple)),
    st.builds(Damage, st.integers(0, 99), st.integers(0, 99), st.integers(-9, 9), st.integers(-9, 9)),
    st.builds(Keep, st.lists(st.integers(1, 100), min_size=1, unique=True, max_size=9).map(tuple), st.none()),
    st.builds(Reroll, st.integers(1, 100), st.booleans(), st.none() | st.just("4d")),
)


@given(NODES)
def test_the_text_of_a_node_reads_as_the_node(node):
    """XR-02, XR-03: whatever can be written, as it would be written."""
    assert grammars.parse(str(node), called=True) == node

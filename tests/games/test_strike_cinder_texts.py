"""Strike & Cinder's texts: what can be built or said reads back, and any other line is refused."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import grammars
from grammars.strike_cinder import FORMS, PATHS, TAGS, WEAKENING, Assist, Mind, Pool, Resist, Roll, Target


def _valid(build):
    def attempt(*values, **more):
        try:
            return build(*values, **more)
        except ValueError:
            return None

    return attempt


WEAK = st.none() | st.sampled_from(WEAKENING)
FORM = st.none() | st.sampled_from(list(FORMS))
DICE = st.none() | st.integers(1, 100)
CHANGES = st.lists(st.integers(-5, 5), max_size=3).map(tuple)
PATH = st.none() | st.sampled_from(list(PATHS))
FLAG = st.booleans()
POOLS = {
    kind: st.builds(_valid(Pool), st.just(kind), DICE, PATH, FORM, WEAK, CHANGES, st.sampled_from((0, 0, 1, 2))).filter(
        bool
    )
    for kind in ("strike", "cinder")
}
ANY_POOL = POOLS["strike"] | POOLS["cinder"]
TAG = st.none() | st.sampled_from(TAGS)
STATE = st.none() | st.sampled_from(("shifted", "manifested"))
TARGETS = st.builds(Target, st.sampled_from(list(PATHS)), st.none(), STATE, WEAK)
DC = st.none() | st.integers(1, 30)
NODES = (
    st.builds(_valid(Roll), ANY_POOL, st.none() | TARGETS, DC, fullmoon=FLAG, tag=TAG)
    | st.builds(_valid(Assist), ANY_POOL, st.none() | st.just("bob"), fullmoon=FLAG, tag=TAG)
    | st.builds(_valid(Mind), POOLS["cinder"], st.none() | POOLS["cinder"], st.none(), FLAG, fullmoon=FLAG, tag=TAG)
    | st.builds(_valid(Resist), POOLS["cinder"], fullmoon=FLAG, tag=TAG)
).filter(bool)


# A parser is built on first use; and by far not all that can be put together is a legal node.
@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(NODES)
def test_the_text_of_a_node_is_the_node(node):
    """SC-01: whatever can be built can be said, and says the same."""
    assert grammars.parse(str(node), "strike_cinder", called=True) == node


@pytest.mark.parametrize(
    "text",
    [
        "sc join Human human",
        "sc join Wolf shifter",
        "sc join Vlad undying exchange",
        "sc encounter open Wolf luck 3 dc0",
        "sc join Wolf cursed rank 11",
        "sc join Wolf cursed rank xx",
        "sc join Wolf cursed rank 2 rank 4",
    ],
)
def test_what_cannot_be_read(text):
    """SC-18, SC-26: refused before anything is asked of the table."""
    with pytest.raises(grammars.CommandSyntaxError):
        grammars.parse(text, "strike_cinder", called=True)


@pytest.mark.parametrize(
    "text",
    [
        "sc encounter open Wolf luck 6 dc3",
        "sc encounter open Wolf luck 6",
        "sc encounter close",
        "sc luck",
        "sc luck Wolf",
        "sc luck Wolf -1",
        "sc luck Wolf +2",
        "sc join Wolf natural shifter rank 4",
        "sc join Al human exchange",
        "sc leave Wolf",
        "sc tracking",
        "sc tracking Wolf",
        "sc strike 4 vs Wolf dc3 as Al",
        "sc strike 4 vs Wolf silver",
    ],
)
def test_what_is_said_of_encounters_reads_back(text):
    """SC-26: what is posted about encounters reads back."""
    assert str(grammars.read(text, "strike_cinder")) == text

"""Any toss, sweep and clash of Fayrewood that can be said, and the faces of their dice."""

from hypothesis import strategies as st

from grammars.fayrewood import MODIFIERS, Clash, Main, Pool, Sweep, Toss

mains = st.builds(Main, st.integers(0, 5), st.integers(-3, 3))


@st.composite
def pools(draw, helped=True):
    some = tuple(draw(st.lists(mains, min_size=1, max_size=2)))
    if not any(main.rung for main in some):
        some = (Main(draw(st.integers(1, 5))), *some[1:])
    modifier = draw(st.sampled_from([None, *MODIFIERS]))
    may_help = helped and len(some) == 2 and modifier != "boon"
    return Pool(some, modifier, draw(st.none() | st.integers(1, 3)) if may_help else None)


def faces_of(pool):
    return [range(1, sides + 1) for sides in (*pool.dice, *([MODIFIERS[pool.modifier][0]] if pool.modifier else []))]


difficulties = st.integers(1, 30)
tosses = st.builds(Toss, pools(), st.none() | difficulties, st.booleans())
clashes = st.builds(Clash, pools(), pools(), st.none(), st.booleans())
sweeps = st.builds(Sweep, pools(helped=False), difficulties)
waiting = st.builds(lambda pool: Clash(pool, None, "bob"), pools())

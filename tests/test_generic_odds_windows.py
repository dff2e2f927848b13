"""What a stretch of the sorted dice is worth, against every throw, by each of the ways to it (GD-02)."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

import pytest

from ircdice.errors import RuleError
from ircdice.rules.generic import ends, even, windows
from ircdice.rules.generic.packing import unpack
from ircdice.rules.generic.spread import Spread
from ircdice.rules.generic.trimmed import trimmed
from ircdice.rules.generic.windows import Group

pytestmark = pytest.mark.slow

PLAIN = dict.fromkeys(range(1, 9), 1)
TWICE = dict.fromkeys(range(1, 8), 2)
GAPS = {1: 1, 2: 1, 4: 1, 5: 1}
UNEVEN = {1: 1, 2: 3, 3: 1, 4: 2}
LOADED = {**PLAIN, 1: 2}
FAR = {-10: 1, 0: 1, 10: 1, 20: 1, 30: 1, 40: 1, 50: 1}


def itself(value):
    return value


def matching(value):
    """What a die adds to a term that counts."""
    return (value >= 4) - (value == 1)


def raised(value):
    """What a die adds behind mi3."""
    return max(value, 3)


def every_throw(groups, start, end, worth):
    """The chances of what the dice from `start` to `end` add, lowest first, by sorting each of all throws."""
    sides = [group.weights for group in groups for _ in range(group.count)]
    found = defaultdict(Fraction)
    for throw in product(*sides):
        ways = prod(weights[face] for weights, face in zip(sides, throw, strict=True))
        kept = [worth(face) for face in sorted(throw)[start:end]]
        for drawn in product(*[spread.weights.items() for spread in kept]):
            chance = Fraction(prod(each for _, each in drawn), prod(spread.total for spread in kept))
            found[sum(value for value, _ in drawn)] += ways * chance
    whole = prod(sum(weights.values()) for weights in sides)
    return {value: ways / whole for value, ways in found.items()}


def shares(spread):
    return {value: Fraction(weight, spread.total) for value, weight in spread.weights.items()}


@pytest.mark.parametrize("worth", [itself, matching, raised])
@pytest.mark.parametrize("faces", [PLAIN, TWICE, GAPS, UNEVEN, LOADED, FAR])
@pytest.mark.parametrize(("count", "number"), [(1, 1), (2, 1), (3, 0), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3)])
def test_gd_02_one_end_by_each_way(faces, count, number, worth):
    """GD-02: the highest and the lowest, of dice that are alike, apart, uneven, or worth the same."""
    for highest in (False, True):
        order = {face: faces[face] for face in sorted(faces, reverse=highest)}
        stretch = (count - number, count) if highest else (0, number)
        expected = every_throw([Group(count, faces)], *stretch, lambda face: Spread.certain(worth(face)))
        worths = {face: worth(face) for face in faces}
        throws = sum(faces.values()) ** count
        assert shares(Spread(ends.one_end(order, count, number, worths).found(), throws)) == expected
        packing = ends.Packing.of(order, count, worths)
        ways = [ends._first, *([ends._all_but_last] if number < count else ())]
        for way in ways if number else ():
            packed = way(packing.steps, count, number, packing.width)
            found = unpack(packed, packing.lowest * number, packing.stride, packing.width)
            assert shares(Spread(found, throws)) == expected


def test_gd_02_what_is_a_plain_die():
    """GD-02: the short way is for faces that are alike, one beside the other, in either order, and for no others."""
    orders = [(PLAIN, True), (TWICE, True), (FAR, True), (GAPS, False), (UNEVEN, False), (LOADED, False)]
    for faces, plain in orders:
        for highest in (False, True):
            order = {face: faces[face] for face in sorted(faces, reverse=highest)}
            assert (even.Row.of(order, {face: face for face in faces}) is not None) is plain
    assert even.Row.of(PLAIN, {face: raised(face) for face in PLAIN}) is None


GROUPS = {
    "alike": [Group(4, UNEVEN)],
    "none": [Group(0, PLAIN), Group(3, GAPS)],
    "apart": [Group(2, {1: 1, 2: 2, 3: 1}), Group(2, {4: 1, 6: 2})],
    "middle": [Group(3, {1: 1, 2: 2}), Group(1, {4: 1, 6: 2})],
    "touching": [Group(2, {3: 1, 5: 1}), Group(2, {1: 1, 2: 2, 3: 1})],
    "among": [Group(2, {1: 1, 4: 2}), Group(1, {2: 1, 3: 1, 6: 1}), Group(1, {3: 1, 4: 1})],
}


def chance(value):
    """A die that adds itself, or one and a die of three, as one does that explodes."""
    return Spread({value: 2, value + 1: 1, value + 4: 1}, 4) if value == 4 else Spread({value: 1, value - 1: 2}, 3)


def certain(value):
    return Spread.certain(value)


def successes(value):
    return Spread.certain(matching(value))


@pytest.mark.parametrize("worth", [certain, successes, chance])
@pytest.mark.parametrize("groups", GROUPS)
def test_gd_02_every_window_by_each_way(groups, worth):
    """GD-02: any stretch of dice of one kind or several, one above the other or not."""
    groups = GROUPS[groups]
    count, there = sum(group.count for group in groups), [group for group in groups if group.count]
    gains = {value: worth(value) for group in there for value in group.weights}
    total = prod(sum(group.weights.values()) ** group.count for group in groups)
    for start, end in combinations_with_replacement(range(count + 1), 2):
        expected = every_throw(groups, start, end, worth)
        assert shares(windows.window(groups, start, end, worth)) == expected
        if start < end:
            apart = windows._apart(there, start, end, gains, total)
            for way in (windows._jointly(there, (start, end), gains, total), apart):
                assert way is None or shares(way.spread({})) == expected


def test_gd_08_pieces_that_windows_share_are_worked_out_once():
    """GD-08: what is known already is taken as it is."""
    known = {}
    window = windows.plan(GROUPS["apart"], 1, 4, certain)
    first = window.spread(known)
    assert set(window.prices) == set(known)
    assert window.spread(known) == first
    known.update({key: {0: 1} for key in known})
    assert window.spread(known).weights == {0: 1}


def coin(value):
    """A die that adds itself or one more."""
    return Spread({value: 1, value + 1: 1}, 2)


@pytest.mark.parametrize(
    "find",
    [
        lambda: windows.window([Group(100, dict.fromkeys(range(1, 1001), 1))], 0, 50, certain),
        lambda: windows.window([Group(100, dict.fromkeys(range(1, 101), 1))], 2, 98, certain),
        lambda: windows.window([Group(45, dict.fromkeys(range(1, 21), 1))], 10, 35, coin),
    ],
)
def test_gd_14_each_way_refuses_what_takes_too_long(find):
    """GD-14: by what it is reckoned to take, before any of it is done."""
    with pytest.raises(RuleError, match="would take too long"):
        find()


@pytest.mark.parametrize("worth", [itself, matching])
@pytest.mark.parametrize(("low", "high"), [(low, high) for low in range(1, 5) for high in range(1, 6 - low)])
def test_gd_02_both_ends_of_six_dice_dropped(low, high, worth):
    """GD-02: also where more are dropped at one end than at the other."""
    faces = {1: 1, 2: 3, 4: 1}
    expected = every_throw([Group(6, faces)], low, 6 - high, lambda face: Spread.certain(worth(face)))
    found = trimmed(faces, 6, (low, high), {face: worth(face) for face in faces})
    assert shares(Spread(found, 5**6)) == expected

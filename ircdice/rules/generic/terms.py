"""The exact spread of one term: the way that its modifiers leave open, from the shortest to the longest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import comb, lcm, prod
from typing import NamedTuple

from grammars.generic import Dice, Modifier
from grammars.generic.values import CLAMPING, EXPLODING, SELECTING, UNENDING
from grammars.tokens import MOST_DRAWN
from ircdice.rules.generic.burst_ends import Burst, Choice, one_end
from ircdice.rules.generic.choices import SUMMING, effective, stretch
from ircdice.rules.generic.chosen_bursts import chosen_bursts
from ircdice.rules.generic.ends import MOST_SECONDS
from ircdice.rules.generic.gains import (
    A_FACE,
    final_worth,
    fresh,
    mean_worth,
    parted,
    sides_of,
    unchanged,
    unmodified,
    worth_through,
)
from ircdice.rules.generic.lone_bursts import lone_bursts
from ircdice.rules.generic.multisets import enumerated
from ircdice.rules.generic.quotients import last_listed, power, quotient
from ircdice.rules.generic.refusing import never_ending, too_much
from ircdice.rules.generic.spread import MOST_VALUES, FaceWorth, Spread
from ircdice.rules.generic.sums import summed
from ircdice.rules.generic.windows import Group, Known, Plan, plan, window
from ircdice.rules.generic.work import A_VALUE, Charged, of_product, spend

TAIL = 1e-12  # what may be cut off of all explosions of a term
# Dice of each kind: plain, exploded, further plain, further exploded; and the ways.
Counts = tuple[int, int, int, int, int]


def _term_spread(dice: Dice) -> Spread:
    """How the value of a term is spread."""
    left, modifiers = effective(dice) if dice.modifiers else (dice.count, ())
    if not left:
        return Spread.certain(0)
    if len(modifiers) < len(dice.modifiers):
        dice = replace(dice, modifiers=modifiers)
    if dice.sides > MOST_VALUES and dice.count == 1 and not modifiers and dice.counts is None:
        return Spread.even(range(1, dice.sides + 1))
    _surely_ending(dice)
    return _selected(dice) if any(modifier.name in SELECTING for modifier in modifiers) else _unselected(dice)


def _selected(dice: Dice) -> Spread:
    """Dice of which some are kept or dropped: by what stands before, between and behind those choices."""
    modifiers = dice.modifiers
    chosen = [place for place, modifier in enumerate(modifiers) if modifier.name in SELECTING]
    first, last = chosen[0], chosen[-1]
    choices = [modifiers[place] for place in chosen]
    between = [modifier for modifier in modifiers[first:last] if modifier.name not in SELECTING]
    bursts = [place for place in range(first) if modifiers[place].name in SUMMING]
    waiting = (*between, *(modifiers[bursts[0] + 1 : first] if bursts else ()))
    if any(modifier.name not in CLAMPING for modifier in waiting):
        return enumerated(dice)
    if not (bursts or between):
        found = _chosen_and_burst(dice, modifiers[:first], choices, modifiers[last + 1 :])
        if found is not None:
            return found
    # Raising and lowering keep the order of the dice, so they may as well wait until the last choice is made.
    worth = worth_through(dice, (*between, *modifiers[last + 1 :]), final_worth(dice))
    if bursts:
        return _burst_and_chosen(dice, bursts[0], first, choices, worth)
    return _chosen(dice, modifiers[:first], choices, worth)


def _chosen(dice: Dice, before: Sequence[Modifier], choices: Sequence[Modifier], worth: FaceWorth) -> Spread:
    """Dice that are alike and as many as they were, of which some are kept."""
    one = _changed(dice, before)
    weights = _whole(one)
    spread = window([Group(dice.count, weights)], *stretch(choices, dice.count), worth)
    throws = sum(weights.values()) ** dice.count  # fewer than there are where `!!` was cut off
    return Spread(spread.weights, spread.total // throws * one.total**dice.count)


def _chosen_and_burst(
    dice: Dice, before: Sequence[Modifier], choices: Sequence[Modifier], behind: Sequence[Modifier]
) -> Spread | None:
    """Dice of which some are kept and explode then; None where that is not so, or is to be found otherwise."""
    start, end = stretch(choices, dice.count)
    bursts = [modifier.name for modifier in behind if modifier.name in EXPLODING]
    if not bursts or (dice.counts and "!!" in bursts) or (start and end < dice.count):
        return None
    one = _changed(dice, before)
    weights = dict(sorted(_whole(one).items(), reverse=start > 0))
    given = dice, weights, end - start, behind
    found = chosen_bursts(*given) or lone_bursts(*given)
    if found is None:
        return None
    throws = sum(weights.values()) ** dice.count  # fewer than there are where `!!` was cut off
    return Spread(found.weights, found.total // throws * one.total**dice.count)


term_spread = Charged(_term_spread, lambda spread: len(spread.weights), largest=2_000, most=64)


def _changed(dice: Dice, modifiers: Sequence[Modifier]) -> Spread:
    """How one die is spread behind modifiers that look at each die alone."""
    return mean_worth(fresh(dice), worth_through(dice, modifiers, Spread.certain)) if modifiers else unchanged(dice)


def _unselected(dice: Dice) -> Spread:
    """Dice that know nothing of each other: one of them, as often as there are."""
    if not dice.modifiers:
        one = unmodified(dice)
        return Spread(summed(one.weights, dice.count), one.total**dice.count)
    compounded = dice.counts is not None and any(modifier.name == "!!" for modifier in dice.modifiers)
    found = None if compounded else power(quotient(dice), dice.count)
    if found is None:
        one = mean_worth(fresh(dice), worth_through(dice, dice.modifiers, final_worth(dice)))
        found = Spread(summed(_whole(one), dice.count), one.total**dice.count)
    return found


def _surely_ending(dice: Dice) -> None:
    """RuleError where so many dice may explode, or be rolled again, that GD-14 would stop them."""
    most = dice.count
    for modifier in dice.modifiers:
        if modifier.name in UNENDING:
            matching, _ = parted(fresh(dice), modifier)
            further = most_explosions(most, sum(matching.values()) / sides_of(dice)) if matching else 0
            most += further if modifier.name in EXPLODING else 0


def _whole(spread: Spread) -> dict[int, int]:
    return {int(value): weight for value, weight in spread.weights.items()}


def most_explosions(count: int, chance: float) -> int:
    """How many explosions of `count` dice to reckon with until the rest is less likely than TAIL."""
    spend(MOST_DRAWN * A_VALUE / 2)
    mass = (1 - chance) ** count
    for k in range(MOST_DRAWN - count):
        mass *= chance * (count + k) / (k + 1)
        ratio = chance * (count + k + 1) / (k + 2)
        if ratio < 1 and mass / (1 - ratio) < TAIL:
            return k
    raise never_ending()


def _burst_and_chosen(dice: Dice, burst: int, first: int, choices: Sequence[Modifier], worth: FaceWorth) -> Spread:
    """Explosions first, then keep or drop: j dice of the pool explode, k times further, and all lie side by side."""
    modifier = dice.modifiers[burst]
    between = dice.modifiers[burst + 1 : first]
    pool = _changed(dice, dice.modifiers[:burst])
    exploded, plain = parted(_whole(pool), modifier)
    matching, others = parted(fresh(dice), modifier)
    less = modifier.name == "!p"
    further = [{face - less: weight for face, weight in faces.items()} for faces in (others, matching)]
    shape = worth_through(dice, between, Spread.certain)
    kinds = [_reshaped(weights, shape) for weights in (plain, exploded, *further)]
    fresh_pool = burst == 0 and not less  # then it does not matter which of the dice the pool had, only how many
    if len(choices) == 1 and (not fresh_pool or choices[0].name in ("k", "kl")):
        found = _one_end(dice, Burst(dice.count, pool.total, *kinds), choices[0], worth)
        if found is not None:
            return found
    chance = sum(exploded.values()) / pool.total
    bursts = (_alike if fresh_pool else _bursts)(dice.count, chance, kinds)
    cases, known = _affordable(bursts, kinds, choices, worth), Known()
    each = [
        _Case(ways, sum(group.count for group in groups) - dice.count, groups, chosen.spread(known))
        for groups, ways, chosen in cases
    ]
    return _gathered(each, pool.total**dice.count, sides_of(dice))


def _one_end(dice: Dice, burst: Burst, modifier: Modifier, worth: FaceWorth) -> Spread | None:
    """The same by the value where a single choice ends; None where it is not for that, or takes too long."""
    values = sorted({value for poly in burst.kinds for value in poly}, reverse=modifier.name in ("k", "dh"))
    spend(len(values) * A_FACE)
    certain = {value: next(iter(worth(value).weights)) for value in values}
    if min(certain.values()) < 0 or modifier.number > dice.count:
        return None
    every = quotient(replace(dice, modifiers=tuple(m for m in dice.modifiers if m.name not in SELECTING)))
    if min(every.under) < 0 or any(worth(value).total > 1 for value in values):
        return None
    endless = len(every.under) > 1
    last = last_listed([every.over], every, dice.count) if endless else max(every.over) * dice.count
    return one_end(burst, Choice(values, modifier.number, modifier.name in ("dl", "dh"), certain, last))


def _affordable(
    cases: Iterator[Counts], kinds: Sequence[Mapping[int, int]], choices: Sequence[Modifier], worth: FaceWorth
) -> list[tuple[list[Group], int, Plan]]:
    """All cases, each with its ways and the way to its spread, if what they take together can be borne."""
    found, prices = [], dict[object, float]()
    for *counts, ways in cases:
        groups = [Group(number, kind) for number, kind in zip(counts, kinds, strict=True)]
        chosen = plan(groups, *stretch(choices, sum(counts)), worth)
        prices.update(chosen.prices)
        found.append((groups, ways, chosen))
        if sum(prices.values()) > MOST_SECONDS:
            raise too_much()
    return found


class _Case(NamedTuple):
    """So many dice drawn behind the pool, in so many ways, and how what is kept is spread then."""

    ways: int
    drawn: int
    groups: Sequence[Group]
    spread: Spread

    @property
    def share(self) -> int:
        """What the spread's total has beside the throws: the worth of kept dice may itself be a matter of chance."""
        throws: int = prod(sum(group.weights.values()) ** group.count for group in self.groups)
        return self.spread.total // throws


def _reshaped(weights: Mapping[int, int], shape: FaceWorth) -> dict[int, int]:
    """Faces as raising and lowering leave them before any die is chosen."""
    found: defaultdict[int, int] = defaultdict(int)
    spend(len(weights) * A_FACE)
    for face, weight in weights.items():
        (value,) = shape(face).weights
        found[int(value)] += weight
    return found


def _alike(count: int, chance: float, _kinds: Sequence[Mapping[int, int]]) -> Iterator[Counts]:
    """Explosions of dice that are all alike: so many that end a chain, and k that go on, until TAIL."""
    for k in range(most_explosions(count, chance) + 1 if chance else 1):
        yield 0, 0, count, k, comb(count + k - 1, k)


def _bursts(count: int, chance: float, kinds: Sequence[Mapping[int, int]]) -> Iterator[Counts]:
    """How many of the pool explode, how often further, and the ways to share them out, until TAIL."""
    again = sum(kinds[3].values()) / max(sum(kinds[2].values()) + sum(kinds[3].values()), 1)
    for j in range(count + 1 if chance else 1):
        if kinds[0] or j == count:
            for k in range(most_explosions(j, again) + 1 if j and again else 1):
                yield count - j, j, j, k, comb(count, j) * (comb(j + k - 1, k) if j else 1)


def _gathered(cases: Sequence[_Case], throws: int, sides: int) -> Spread:
    """All cases as one spread, out of the throws of the longest of them."""
    most = max(case.drawn for case in cases)
    spend(sum([len(group.weights) for case in cases for group in case.groups]) * A_VALUE / 10)
    common = lcm(*[case.share for case in cases])
    found: defaultdict[int, int] = defaultdict(int)
    for case in cases:
        spend(
            len(case.spread.weights) * (A_VALUE + of_product(case.spread.total.bit_length(), sides.bit_length() * most))
        )
        factor = case.ways * sides ** (most - case.drawn) * (common // case.share)
        for value, weight in case.spread.weights.items():
            found[int(value)] += weight * factor
    return Spread(found, throws * sides**most * common)

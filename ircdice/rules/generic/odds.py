"""Exact odds of generic commands (GEN-08): distributions of terms and expressions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from grammars import Command
from grammars.generic import nodes as gd
from grammars.line import MOST_DRAWN
from ircdice.distributions import (
    TAIL,
    Group,
    Poly,
    Steps,
    added,
    raised,
    scaled,
    series,
    times,
    window,
)
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.odds import Labels, Odds, Shares
from ircdice.outcome import Number
from ircdice.rules.generic.throwing import judge, operated

A_PAIR, A_FRACTION = 4, 30  # steps to combine two integers, or two fractions
ADDING = ("!", "!p")  # modifiers that add dice to the pool
A_HAND = 6  # steps
Hand = tuple[int, ...]  # the values of dice, lowest first
Hands = dict[Hand, Fraction]


def odds(node: Command) -> Odds:
    """The odds of a command; if repeated, of one repetition."""
    steps = Steps()
    throws = node.as_roll if isinstance(node, gd.Between) else expect(node, gd.Throws)
    if sum(_most_drawn(term, steps) for term in throws.terms) * throws.times > MOST_DRAWN:  # GD-14
        raise never_ending()
    spread, *others = [spread_of(expression, steps) for expression in throws.expressions]
    if isinstance(throws, gd.Question):
        return _answers(combined(spread, "-", others[0], steps), throws.sign)
    steps.take(3 * len(spread.weights))
    in_order = sorted(spread.weights.items(), key=lambda each: (float(each[0]), each[0]))  # fractions compare slowly
    counting = expect(throws, gd.Roll).counting
    error = spread.cut if counting else spread.missing  # a count omits rare values, it does not approximate
    values = Shares(dict(in_order), spread.total)
    return Odds({(): Fraction(1)}, "successes" if counting else "total", values, error=error)


def spread_of(node: gd.Expression, steps: Steps) -> Shares:
    """The distribution of an expression; its terms are independent of each other."""
    if isinstance(node, gd.Dice):
        steps.of = node.plain
        return Term(node, steps).spread()
    if isinstance(node, gd.Number):
        return Shares({node.value: 1}, 1)
    if isinstance(node, gd.Chain):
        spread = spread_of(node.first, steps)
        for operator, operand in node.rest:
            other = spread_of(operand, steps)
            steps.of = str(node)
            spread = combined(spread, operator, other, steps)
        return spread
    inner = spread_of(node.of, steps)
    return inner if isinstance(node, gd.Labelled) else combined(Shares({0: 1}, 1), "-", inner, steps)


def combined(left: Shares, operator: str, right: Shares, steps: Steps) -> Shares:
    """GD-09: apply the operator to two independent values."""
    left_whole, right_whole = _whole(left), _whole(right)
    if operator in ("+", "-") and left_whole is not None and right_whole is not None:
        right_whole = {-value: weight for value, weight in right_whole.items()} if operator == "-" else right_whole
        return Shares(dict(times(left_whole, right_whole, steps).items()), left.total * right.total)
    exact = operator == "/" or left_whole is None or right_whole is None
    steps.take(len(left.weights) * len(right.weights) * (A_FRACTION if exact else A_PAIR))
    weights: defaultdict[Number, int] = defaultdict(int)
    for value, weight in left.weights.items():
        for another, factor in right.weights.items():
            weights[operated(value, operator, another)] += weight * factor
    return Shares(weights, left.total * right.total)


def _whole(spread: Shares) -> Poly | None:
    """The weights if all values are integers."""
    weights = {value: weight for value, weight in spread.weights.items() if isinstance(value, int)}
    return weights if len(weights) == len(spread.weights) else None


def _answers(difference: Shares, sign: str) -> Odds:
    """GD-13: how often the comparison holds for left minus right."""
    counts: Counter[Labels] = Counter()
    for value, weight in difference.weights.items():
        counts[judge(value, sign, 0)] += weight
    together = {labels: Fraction(ways, difference.total) for labels, ways in sorted(counts.items(), reverse=True)}
    return Odds(together, None, Shares({}, 1), error=difference.missing)


def _most_drawn(dice: gd.Dice, steps: Steps) -> int:
    """The most dice that a term draws; more are less likely than TAIL."""
    steps.of = dice.plain
    drawn = size = dice.count
    changed = False  # whether dice may differ from new dice: then all of them may match
    for modifier in dice.modifiers:
        if modifier.name in gd.SELECTING:
            size = modifier.kept(size)
        elif modifier.compare:
            steps.take(len(dice.faces))
            matching = modifier.compare.among(dice.faces)
            again = most_explosions(size, matching / len(dice.faces)) if matching < len(dice.faces) else size
            if modifier.name == "ro":
                again = size if changed else min(again, size)
            elif changed:
                again += size
            drawn += again
            size += again if modifier.name in ADDING else 0
        changed = True
    return drawn


@dataclass(frozen=True, slots=True)
class Worth:
    """The amount that a die with a value adds to the total: the distribution over(value) / under."""

    over: Callable[[int], Poly]
    under: Poly


Case = tuple[Sequence[Group], Fraction]  # after a number of explosions: the dice, and their probability
ITSELF = Worth(lambda value: {value: 1}, {0: 1})


def stretch(choices: Sequence[gd.Modifier], count: int) -> tuple[int, int]:
    """GD-02: the range of sorted dice that are kept, lowest first."""
    start, end = 0, count
    for modifier in choices:
        dropped = end - start - modifier.kept(end - start)
        if modifier.name in ("k", "dl"):
            start += dropped
        else:
            end -= dropped
    return start, end


class Term:
    """Computes one term."""

    def __init__(self, dice: gd.Dice, steps: Steps) -> None:
        steps.take(8 * len(dice.faces))
        self.dice, self.steps = dice, steps
        self.fresh = Counter(dice.faces)
        self.sides = len(dice.faces)

    def spread(self) -> Shares:
        """The distribution of the value, die by die or over the dice kept."""
        modifiers, final = self.dice.modifiers, Worth(self._counted, {0: 1})
        chosen = [place for place, modifier in enumerate(modifiers) if modifier.name in gd.SELECTING]
        if not chosen:
            return self._of_each(modifiers, final, self.dice.count)
        first, last = chosen[0], chosen[-1]
        adding = [place for place in range(first) if modifiers[place].name in ADDING]
        endless = [modifier for modifier in modifiers[:first] if modifier.name in gd.EXPLODING]
        worth = self._through(modifiers[last + 1 :], final)
        kept: defaultdict[int, list[tuple[Poly, Fraction]]] = defaultdict(list)
        # If dice change between two choices, or explode twice before the first, enumerate every possible hand.
        if last - first >= len(chosen) or (adding and len(endless) > 1):
            for hand, share in self._hands(modifiers[: last + 1]).items():
                ways = {0: 1}
                for value in hand:
                    ways = times(ways, worth.over(value), self.steps)
                kept[len(hand)].append((ways, share))
            return self._of_kept(kept, worth)
        for groups, share in self._cases(modifiers[:first], adding):
            start, end = stretch(modifiers[first : last + 1], sum(group.count for group in groups))
            kept[max(end - start, 0)].append((window(groups, start, end, worth.over, self.steps), share))
        return self._of_kept(kept, worth)

    def _counted(self, value: int) -> Poly:
        """GD-07: the amount that a kept die adds: its value, or 1 if it matches, less 1 if it is subtracted."""
        counts, less = self.dice.counts, self.dice.less
        if counts is None:
            return {value: 1}
        return {counts.matches(value) - (less is not None and less.matches(value)): 1}

    def _of_each(self, modifiers: Sequence[gd.Modifier], final: Worth, count: int) -> Shares:
        """The sum of dice that are modified independently."""
        worth, steps = self._through(modifiers, final), self.steps
        dice = raised(self._mean(self.fresh, worth), count, steps)
        return series(dice, self.sides**count, worth.under, count, steps)

    def _of_kept(self, kept: Mapping[int, Sequence[tuple[Poly, Fraction]]], worth: Worth) -> Shares:
        """The sum over all cases of the dice kept, weighted by probability."""
        unit = lcm(*[share.denominator for cases in kept.values() for _, share in cases])
        most, under, parts = max(kept), {0: 1}, []
        for number in range(most, -1, -1):  # one denominator for all: under^most
            ways = added(scaled(case, int(share * unit)) for case, share in kept.get(number, ()))
            parts.append(times(ways, under, self.steps))
            if number and worth.under != {0: 1} and min(kept) < number:
                under = times(under, worth.under, self.steps)
        return series(added(parts), unit, worth.under, most, self.steps)

    def _mean(self, weights: Mapping[int, int], worth: Worth) -> Poly:
        """The amount that dice with these weights add."""
        self.steps.take(4 * len(weights))
        return added(scaled(worth.over(value), weight) for value, weight in weights.items())

    def _through(self, modifiers: Sequence[gd.Modifier], worth: Worth) -> Worth:
        """The worth of a die before `modifiers` are applied, in the order written (GD-08)."""
        for modifier in reversed(modifiers):
            worth = self._before(modifier, worth)
        return worth

    def _before(self, modifier: gd.Modifier, worth: Worth) -> Worth:
        """The worth of a die before `modifier` is applied; `worth` is that after it."""
        over, under, compare = worth.over, worth.under, modifier.compare
        if compare is None:
            return Worth(lambda value: over(clamped(value, modifier)), under)
        matches = compare.matches
        going, ending = split(self.fresh, modifier)
        if modifier.name in ("r", "ro"):  # GD-04
            again = ending if modifier.name == "r" else self.fresh
            mean, number = self._mean(again, worth), sum(again.values())
            return Worth(lambda value: mean if matches(value) else scaled(over(value), number), scaled(under, number))
        if modifier.name == "!!" and self.dice.counts:
            return self._compounded(modifier, worth)
        less = modifier.name == "!p"
        ended, gone = (self._mean({face - less: w for face, w in part.items()}, worth) for part in (ending, going))
        chained, rest = self._chain(ended, gone, scaled(under, self.sides))
        return Worth(
            lambda value: times(over(value), chained if matches(value) else rest, self.steps),
            times(under, rest, self.steps),
        )

    def _chain(self, ended: Poly, gone: Poly, whole: Poly) -> tuple[Poly, Poly]:
        """All the dice from one explosion (GD-05), as a quotient: C in whole C = ended + gone C.

        If further dice can add less than 0, C has no series; then long chains are cut off.
        """
        if min(gone, default=0) >= 0:
            return ended, added([whole, scaled(gone, -1)])
        longest = most_explosions(1, sum(gone.values()) / sum(whole.values()))
        sums, link, rest = ended, ended, whole
        for _ in range(longest):
            link, rest = times(link, gone, self.steps), times(rest, whole, self.steps)
            sums = added([times(sums, whole, self.steps), link])
        return sums, rest

    def _compounded(self, modifier: gd.Modifier, worth: Worth) -> Worth:
        """GD-05, GD-07: `!!` in a counting term; the sum of a die decides its worth."""
        going, ending = split(self.fresh, modifier)
        ended, rest = self._chain(ending, going, {0: self.sides})
        sums = series(ended, 1, rest, 1, self.steps)

        def over(value: int) -> Poly:
            if modifier.compare and not modifier.compare.matches(value):
                return scaled(worth.over(value), sums.total)
            self.steps.take(8 * len(sums.weights))
            return added(scaled(worth.over(value + int(more)), ways) for more, ways in sums.weights.items())

        return Worth(over, scaled(worth.under, sums.total))

    # Dice before the first choice.

    def _cases(self, modifiers: Sequence[gd.Modifier], adding: Sequence[int]) -> Iterator[Case]:
        """The pool, its dice modified independently, and the dice that an explosion adds (GD-05), by number.

        `j` dice of the pool explode and end in `j` further dice, and `k` further dice explode again.
        """
        count, place = self.dice.count, adding[0] if adding else len(modifiers)
        pool = self._of_each(modifiers[:place], ITSELF, 1)
        if not adding:
            yield [Group(count, _whole(pool) or {})], Fraction(1, pool.total**count)
            return
        burst = modifiers[place]
        less = burst.name == "!p"
        exploded, plain = split(_whole(pool) or {}, burst)
        going, ending = ({face - less: w for face, w in part.items()} for part in split(self.fresh, burst))
        shape = self._through(modifiers[place + 1 :], ITSELF)
        exploded, plain, going, ending = (self._mean(part, shape) for part in (exploded, plain, going, ending))
        pool_unit, unit = pool.total * shape.under[0], self.sides * shape.under[0]
        chance, again = sum(exploded.values()) / pool_unit, sum(going.values()) / unit
        if not place and not less:  # dice of the pool and added ones are alike: only their number matters
            for k in range(most_explosions(count, chance) + 1):
                share = Fraction(comb(count + k - 1, k), pool_unit ** (count + k))
                yield [Group(count, plain), Group(k, exploded)], share
            return
        for j in range(count + 1):
            for k in range(most_explosions(j, again) + 1 if j else 1):
                groups = Group(count - j, plain), Group(j, exploded), Group(j, ending), Group(k, going)
                if all(group.weights or not group.count for group in groups):
                    ways = comb(count, j) * (comb(j + k - 1, k) if j else 1)
                    yield groups, Fraction(ways, pool_unit**count * unit ** (j + k))

    # Dice drawn between two choices: every possible hand.

    def _hands(self, modifiers: Sequence[gd.Modifier]) -> Hands:
        """The probability of each hand after `modifiers`."""
        hands: Hands = {(): Fraction(1)}
        for _ in range(self.dice.count):
            hands = self._joined(hands, alone(self.fresh))
        for modifier in modifiers:
            following: defaultdict[Hand, Fraction] = defaultdict(Fraction)
            become: dict[int, Hands] = {}
            for hand, chance in hands.items():
                if modifier.name in gd.SELECTING:
                    start, end = stretch([modifier], len(hand))
                    changed = {hand[start:end]: chance}
                else:
                    changed = {(): chance}
                    for value in hand:
                        if value not in become:
                            become[value] = self._becoming(value, modifier)
                        changed = self._joined(changed, become[value])
                for other, share in changed.items():
                    following[other] += share
            hands = following
        return hands

    def _joined(self, hands: Hands, others: Hands) -> Hands:
        """Combine each hand with each other hand."""
        longest = max(map(len, hands), default=0) + max(map(len, others), default=0)
        self.steps.take((A_HAND + longest) * len(hands) * len(others))
        joined: defaultdict[Hand, Fraction] = defaultdict(Fraction)
        for hand, chance in hands.items():
            for other, share in others.items():
                joined[tuple(sorted(hand + other))] += chance * share
        return joined

    def _becoming(self, value: int, modifier: gd.Modifier) -> Hands:
        """The possible dice from one die that shows `value`."""
        if modifier.compare is None:
            return alone({clamped(value, modifier): 1})
        if not modifier.compare.matches(value):
            return alone({value: 1})
        going, ending = split(self.fresh, modifier)
        if modifier.name in ("r", "ro"):
            return alone(ending if modifier.name == "r" else self.fresh)
        less = modifier.name == "!p"
        ended: Hands = {}
        chains: Hands = {(value,): Fraction(1)}
        while sum(chains.values()) > TAIL:  # GD-05
            ended |= self._joined(chains, self._share(ending, less))
            chains = self._joined(chains, self._share(going, less))
        if modifier.name != "!!":
            return ended
        sums: defaultdict[Hand, Fraction] = defaultdict(Fraction)
        for dice, chance in ended.items():
            sums[(sum(dice),)] += chance
        return sums

    def _share(self, faces: Mapping[int, int], less: int) -> Hands:
        """Some faces of a new die, with their probabilities."""
        return {(face - less,): Fraction(weight, self.sides) for face, weight in faces.items()}


def alone(weights: Mapping[int, int]) -> Hands:
    """One die with these weights."""
    total = sum(weights.values())
    return {(value,): Fraction(weight, total) for value, weight in weights.items()}


def clamped(value: int, modifier: gd.Modifier) -> int:
    """GD-06."""
    return max(value, modifier.number) if modifier.name == "mi" else min(value, modifier.number)


def split(weights: Mapping[int, int], modifier: gd.Modifier) -> tuple[Poly, Poly]:
    """Split the weights: values that make the modifier draw, and the others."""
    parts: tuple[Poly, Poly] = {}, {}
    for value, weight in weights.items():
        parts[not (modifier.compare and modifier.compare.matches(value))][value] = weight
    return parts


def most_explosions(count: int, chance: float) -> int:
    """The number of explosions of `count` dice; more are less likely than TAIL."""
    mass = (1 - chance) ** count
    for k in range(MOST_DRAWN - count):
        mass *= chance * (count + k) / (k + 1)
        ratio = chance * (count + k + 1) / (k + 2)
        if ratio < 1 and mass / (1 - ratio) < TAIL:
            return k
    raise never_ending()


def never_ending() -> RuleError:
    """The error for odds of a roll that GD-14 may stop."""
    return RuleError(f"that may well go on past {MOST_DRAWN} dice, where a roll stops, and has no exact odds.")

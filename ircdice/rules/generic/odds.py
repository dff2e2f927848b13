"""Exact odds of generic commands (GEN-08): distributions of terms and expressions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, lcm, prod

from grammars import Command
from grammars.generic import nodes as gd
from grammars.line import MOST_DRAWN
from ircdice.distributions import TAIL, Group, Poly, Steps, added, all_throws, mean, scaled, series, times, window
from ircdice.errors import RuleError
from ircdice.game import expect
from ircdice.odds import Labels, Odds, Shares
from ircdice.outcome import Number
from ircdice.rules.generic.throwing import judge, operated

A_PAIR, A_FRACTION = 4, 30  # steps to combine two integers, or two fractions
ADDING = ("!", "!p")  # modifiers that add dice to the pool
A_HAND, A_CASE = 6, 30  # steps
Hand = tuple[int, ...]  # the values of dice, lowest first


def odds(node: Command) -> Odds:
    """The odds of a command; if repeated, of one repetition."""
    steps = Steps()
    throws = expect(node, gd.Throws)
    if sum(_most_drawn(term, steps) for term in throws.terms) * throws.times > MOST_DRAWN:  # GD-14
        raise never_ending()

    def spread_of(node: gd.Dice | gd.Number) -> Shares:
        steps.of = str(node)
        return Term(node, steps).spread() if isinstance(node, gd.Dice) else Shares({node.value: 1}, 1)

    def combine(left: Shares, operator: str, right: Shares) -> Shares:
        steps.of = throws.as_posted
        return combined(left, operator, right, steps)

    spread, *others = [gd.folded(expression, spread_of, combine) for expression in throws.expressions]
    if isinstance(throws, gd.Question):
        return _answers(combined(spread, "-", others[0], steps), throws.sign)
    steps.take(3 * len(spread.weights))
    in_order = sorted(spread.weights.items(), key=lambda each: (float(each[0]), each[0]))  # fractions compare slowly
    counting = isinstance(throws, gd.Roll) and throws.counting
    error = spread.cut if counting else spread.missing  # a count omits rare values, it does not approximate
    values = Shares(dict(in_order), spread.total)
    return Odds({(): Fraction(1)}, "successes" if counting else "total", values, error=error)


def combined(left: Shares, operator: str, right: Shares, steps: Steps) -> Shares:
    """GD-09: apply the operator to two independent values."""
    one, other = whole(left), whole(right)
    integers = len(one) == len(left) and len(other) == len(right)
    if operator in ("+", "-") and integers:
        other = {-value: weight for value, weight in other.items()} if operator == "-" else other
        return Shares(dict(times(one, other, steps).items()), left.total * right.total)
    a_pair = A_PAIR if integers and operator != "/" else A_FRACTION
    steps.take(len(left) * len(right) * a_pair)
    weights: defaultdict[Number, int] = defaultdict(int)
    for value, weight in left.weights.items():
        for another, factor in right.weights.items():
            weights[operated(value, operator, another)] += weight * factor
    return Shares(weights, left.total * right.total)


def whole(spread: Shares) -> Poly:
    """The weights of its integers."""
    return {value: weight for value, weight in spread.weights.items() if isinstance(value, int)}


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


ITSELF = Worth(lambda value: {value: 1}, {0: 1})
Groups = Sequence[Group]  # independent dice


class Term:
    """Computes one term."""

    def __init__(self, dice: gd.Dice, steps: Steps) -> None:
        steps.take(8 * len(dice.faces))
        self.dice, self.steps = dice, steps
        self.fresh = Counter(dice.faces)
        self.sides = len(dice.faces)

    def spread(self) -> Shares:
        """The distribution of the value."""
        return self._sum([Group(self.dice.count, self.fresh)], self.dice.modifiers)

    def _sum(self, dice: Groups, modifiers: Sequence[gd.Modifier]) -> Shares:
        """The value of independent dice: some modifiers, the first choice of dice to keep if any, and the rest."""
        selecting = [modifier.name in gd.SELECTING for modifier in modifiers]
        first = selecting.index(True) if True in selecting else 0
        last = [*selecting, False].index(False, first)
        after = modifiers[last:]
        parts: list[tuple[Fraction, Shares]] = []
        for groups, share in self._cases(dice, modifiers[:first]):
            start, end = stretch(modifiers[first:last], sum(group.count for group in groups))
            if True in selecting[last:]:  # each die kept matters for the next choice
                parts += [(share * chance, self._sum(hand, after)) for hand, chance in self._hands(groups, start, end)]
            else:
                worth = self._through(after, Worth(self._counted, {0: 1}))
                kept = window(groups, start, end, worth.over, self.steps)
                parts.append((share, series(kept, all_throws(groups), worth.under, max(end - start, 0), self.steps)))
        return mixed(parts)

    def _counted(self, value: int) -> Poly:
        """GD-07: the amount that a kept die adds: its value, or 1 if it matches, less 1 if it is subtracted."""
        counts, less = self.dice.counts, self.dice.less
        if counts is None:
            return {value: 1}
        return {counts.matches(value) - (less is not None and less.matches(value)): 1}

    # What one die comes to.

    def _through(self, modifiers: Sequence[gd.Modifier], worth: Worth) -> Worth:
        """The worth of a die before `modifiers` are applied, in the order written (GD-08)."""
        for modifier in reversed(modifiers):
            worth = self._before(modifier, worth)
        return worth

    def _before(self, modifier: gd.Modifier, worth: Worth) -> Worth:
        """The worth of a die before `modifier` is applied; `worth` is that after it."""
        over, under, compare = worth.over, worth.under, modifier.compare
        if compare is None:
            return Worth(lambda value: over(modifier.clamped(value)), under)
        matches = compare.matches
        going, ending = split(self.fresh, modifier)
        if modifier.name in ("r", "ro"):  # GD-04
            again = ending if modifier.name == "r" else self.fresh
            redrawn, number = mean(again, over, self.steps), sum(again.values())
            return Worth(
                lambda value: redrawn if matches(value) else scaled(over(value), number), scaled(under, number)
            )
        if modifier.name == "!!" and self.dice.counts:
            return self._compounded(modifier, worth)
        less = modifier.name == "!p"
        ended, gone = (mean({face - less: w for face, w in part.items()}, over, self.steps) for part in (ending, going))
        chained, rest = self._chain(ended, gone, scaled(under, len(self.dice.faces)))
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
        ended, rest = self._chain(ending, going, {0: len(self.dice.faces)})
        sums = series(ended, 1, rest, 1, self.steps)

        def over(value: int) -> Poly:
            if modifier.compare and not modifier.compare.matches(value):
                return scaled(worth.over(value), sums.total)
            self.steps.take(8 * len(sums.weights))
            return added(scaled(worth.over(value + int(more)), ways) for more, ways in sums.weights.items())

        return Worth(over, scaled(worth.under, sums.total))

    # Dice before a choice.

    def _cases(self, dice: Groups, modifiers: Sequence[gd.Modifier]) -> Iterator[tuple[Groups, Fraction]]:
        """What the dice may be after `modifiers`, with the probability of each case: explosions add dice."""
        if not modifiers:
            yield dice, Fraction(1)
            return
        for parts in product(*[list(self._becoming(group, modifiers[0])) for group in dice]):
            chance = prod([chance for _, chance in parts], start=Fraction(1))
            for case, share in self._cases([group for groups, _ in parts for group in groups], modifiers[1:]):
                yield case, share * chance

    def _becoming(self, group: Group, modifier: gd.Modifier) -> Iterator[tuple[Groups, Fraction]]:
        """What a group may be after a modifier.

        If it explodes (GD-05), `n` of its dice do, and end in `n` further dice; `k` further dice explode again.
        """
        count, ways = group.count, sum(group.weights.values())
        if modifier.name not in ADDING:
            worth = self._before(modifier, ITSELF)
            one = series(mean(group.weights, worth.over, self.steps), ways, worth.under, 1, self.steps)
            yield [Group(count, whole(one))], (1 - one.missing) ** count
            return
        matching, rest = split(group.weights, modifier)
        going, ending = (
            {face - (modifier.name == "!p"): w for face, w in part.items()} for part in split(self.fresh, modifier)
        )
        likely, again = Fraction(sum(matching.values()), ways), Fraction(sum(going.values()), self.sides)
        alike = (matching, rest) == (going, ending)  # then it only matters how many dice there are in the end
        for n in [count] if alike else range(0 if rest else count, count + 1 if matching else 1):
            chance = (1 - again) ** n * (1 if alike else comb(count, n) * likely**n * (1 - likely) ** (count - n))
            for k in range(most_explosions(n, again) + 1):
                self.steps.take(A_CASE)
                own = [] if alike else [Group(count - n, rest), Group(n, matching)]
                groups = [each for each in (*own, Group(n, ending), Group(k, going)) if each.count]
                yield groups, chance * comb(max(n + k - 1, 0), k) * again**k

    def _hands(self, dice: Groups, start: int, end: int) -> Iterator[tuple[Groups, Fraction]]:
        """The dice from `start` to `end` in ascending order, for each possible set of values."""
        hands: Mapping[Hand, int] = {(): 1}
        for weights in [group.weights for group in dice for _ in range(group.count)]:
            self.steps.take((A_HAND + len(next(iter(hands)))) * len(hands) * len(weights))
            following: Counter[Hand] = Counter()
            for hand, ways in hands.items():
                for value, weight in weights.items():
                    following[tuple(sorted((*hand, value)))] += ways * weight
            hands = following
        kept: Counter[Hand] = Counter()
        for hand, ways in hands.items():
            kept[hand[start:end]] += ways
        for hand, ways in kept.items():
            yield [Group(count, {value: 1}) for value, count in Counter(hand).items()], Fraction(ways, all_throws(dice))


def mixed(parts: Sequence[tuple[Fraction, Shares]]) -> Shares:
    """The distribution over all cases, each with its probability."""
    cut = 1 - sum([share * (1 - spread.cut) for share, spread in parts], Fraction())
    unit = lcm(*[(share / spread.total).denominator for share, spread in parts])
    weights = added(scaled(whole(spread), int(share * unit / spread.total)) for share, spread in parts)
    return Shares(dict(weights.items()), unit, cut)


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


def split(weights: Mapping[int, int], modifier: gd.Modifier) -> tuple[Poly, Poly]:
    """Split the weights: values that make the modifier draw, and the others."""
    parts: tuple[Poly, Poly] = {}, {}
    for value, weight in weights.items():
        parts[not (modifier.compare and modifier.compare.matches(value))][value] = weight
    return parts


def most_explosions(count: int, chance: float | Fraction) -> int:
    """The number of explosions of `count` dice; more are less likely than TAIL."""
    chance = float(chance)
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

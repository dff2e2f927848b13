"""V5 Hunger pools (seed 002): successes, pairs of tens, what Hunger dice do, and Willpower."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate, product
from math import comb, inf
from typing import ClassVar, NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.v5 import (
    MOST_HUNGER,
    MOST_REROLLED,
    SMALLEST_DIFFICULTY,
    AutomaticWin,
    Contest,
    Pool,
    Rouse,
    SayHunger,
    Willpower,
)
from ircdice.dice import DiceSource, ScriptedDice
from ircdice.errors import RuleError
from ircdice.game import AmendKind, Game, Move, Said, expect, listed, signed
from ircdice.game import counted as counted_faces
from ircdice.odds import Odds
from ircdice.outcome import Covered, Die, Earlier, Outcome, Side, faces_of, pool
from ircdice.settings import HouseRules

SIDES = 10
SUCCESS = 6  # V5-02: this face or more
TEN = 10
ONE = 1
PAIR_BONUS = 2  # V5-03: two tens count four in all
ROUSED = 5  # V5-13: this face or less lets Hunger rise
MOST_HUNGER_TO_WIN = 2  # V5-18
PASSED = ("success", "critical", "messy_critical")
FAILED = ("failure", "bestial_failure", "botch")
CONDITIONAL = ("critical_if_passed", "messy_critical_if_passed", "bestial_if_failed")
UNTOLD = "untold"  # the remark if a secret Difficulty would be revealed by the verdict


class Tally(NamedTuple):
    """All that the verdict on a throw depends on."""

    successes: int
    tens: int
    hunger_tens: int
    ones: int
    hunger_ones: int


def tally(faces: Sequence[int], hunger: Sequence[int]) -> Tally:
    """Count a throw, `hunger` being the faces of its Hunger dice: V5-02 and V5-03; a 1 takes nothing away (V5-10)."""
    tens = faces.count(TEN)
    successes = sum(face >= SUCCESS for face in faces) + tens // 2 * PAIR_BONUS
    return Tally(successes, tens, hunger.count(TEN), faces.count(ONE), hunger.count(ONE))


def judge(throw: Tally, difficulty: int | None, house: HouseRules) -> tuple[tuple[str, ...], dict[str, int]]:
    """Labels and values of one throw: the only place that knows who passes (V5-04, V5-06…V5-11)."""
    values = {"successes": throw.successes}
    if difficulty is None and throw.successes:
        return _conditional(throw), values
    if difficulty is not None:
        values["difficulty"], values["margin"] = difficulty, throw.successes - difficulty
        if throw.successes >= difficulty:
            return (_critical(throw) or "success",), values
    causes = []
    if house.botch and not throw.successes and throw.ones:
        causes.append("botch")  # V5-09
    if throw.hunger_ones:
        causes.append("bestial_failure")  # V5-08
    return tuple(causes) or ("failure",), values


def _critical(throw: Tally) -> str | None:
    """V5-06, V5-07."""
    if throw.tens < 2:
        return None
    return "messy_critical" if throw.hunger_tens else "critical"


def _conditional(throw: Tally) -> tuple[str, ...]:
    """V5-11: what would follow, if no Difficulty is given."""
    critical = _critical(throw)
    return ((f"{critical}_if_passed",) if critical else ()) + (("bestial_if_failed",) if throw.hunger_ones else ())


def evaluate(node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
    """Throw and judge any V5 command that rolls."""
    expect_numbers(node)
    if isinstance(node, Pool):
        return judged(node, throw(node, dice), node.difficulty, house)
    if isinstance(node, Contest):
        acting = throw(node.acting, dice)
        if node.other is None:
            return Outcome(dice=acting, kind="waiting")
        return contest(node, acting, throw(node.other, dice), house)
    if isinstance(node, Rouse):
        faces = dice.roll(node.count, SIDES)
        return _rouse(sum(face <= ROUSED for face in faces), pool(faces, SIDES, "normal"))
    return _automatic_win(expect(node, AutomaticWin))


def expect_numbers(node: Command) -> None:
    """V5-22: RuleError for a Hunger that is tracked, where no table has filled it in."""
    pool = node.acting if isinstance(node, Contest) else node
    if isinstance(pool, Pool) and pool.tracked:
        raise RuleError("h without a number is a Hunger that is tracked: write it, as h2.")


def throw(node: Pool, dice: DiceSource) -> tuple[Die, ...]:
    """Draw a pool, its Hunger dice last (V5-05)."""
    faces, normal = dice.roll(node.dice, SIDES), normal_dice(node)
    return pool(faces[:normal], SIDES, "normal") + pool(faces[normal:], SIDES, "hunger")


def normal_dice(node: Pool) -> int:
    """How many dice of the pool are not Hunger dice; none is one while Hunger is not said (V5-21)."""
    return max(node.dice - (node.hunger or 0), 0)


def with_hunger(node: Pool, dice: tuple[Die, ...]) -> tuple[Die, ...]:
    """Dice that are thrown already, with the last of them as Hunger dice (V5-21)."""
    normal = normal_dice(node)
    return dice[:normal] + tuple([die._replace(role="hunger") for die in dice[normal:]])


def judged(node: Pool, dice: tuple[Die, ...], difficulty: int | None, house: HouseRules) -> Outcome:
    """A pool's dice, normal ones first, as an outcome."""
    faces = faces_of(dice)
    labels, values = judge(tally(faces, faces[normal_dice(node) :]), difficulty, house)
    return Outcome(dice, labels, values, remarks=unsaid(node))


def unsaid(node: Pool) -> tuple[str, ...]:
    """The remark on a pool whose Hunger is not said (V5-21)."""
    return ("hunger_not_said",) if node.hunger is None and node.kind == "hunger" else ()


def contest(node: Contest, acting: tuple[Die, ...], others: tuple[Die, ...], house: HouseRules) -> Outcome:
    """V5-19: each side's successes are the other's Difficulty; equal is enough for the one who began."""
    other = pool_of(node, "other")
    mine, theirs = successes(acting), successes(others)
    first = judged(node.acting, acting, max(1, theirs), house)
    second = judged(other, others, mine + 1, house)
    return first._replace(kind="contest", opponent=second)


def successes(dice: tuple[Die, ...]) -> int:
    """Successes on all of the dice (V5-02, V5-03)."""
    return tally(faces_of(dice), ()).successes


def pool_of(node: Command, side: Side) -> Pool:
    """The pool of one side of a pool or contest. RuleError if it is not known yet."""
    if isinstance(node, Pool):
        return node
    node = expect(node, Contest)
    if side == "acting":
        return node.acting
    if node.other is None:
        raise RuleError(f"@{node.against} has not answered yet.")
    return node.other


def _rouse(risen: int, dice: tuple[Die, ...] = ()) -> Outcome:
    """V5-13, V5-23."""
    return Outcome(dice, ("hunger_rises",) if risen else (), {"hunger_gained": risen})


def _automatic_win(node: AutomaticWin) -> Outcome:
    """V5-18."""
    won = node.pool >= 2 * node.difficulty and node.hunger <= MOST_HUNGER_TO_WIN
    return Outcome(labels=("automatic_win" if won else "no_automatic_win",), kind="check")


def cover(outcome: Outcome, first: Outcome) -> Covered:
    """Successes, and whether they pass, under a secret Difficulty (FW-10): no margin and no critical.

    After Willpower, the two verdicts together could reveal the Difficulty. Then the second one is not posted.
    """
    if not _may_be_told(first.whole("successes"), passed(first), outcome.whole("successes")):
        return Covered.of(outcome, (), ("successes",))._replace(remarks=(*outcome.remarks, UNTOLD))
    return Covered.of(outcome, ("success",) if passed(outcome) else outcome.labels, ("successes",))


def passed(outcome: Outcome) -> bool:
    """Whether the labels say that a side passes."""
    return not set(PASSED).isdisjoint(outcome.labels)


def _may_be_told(first: int, first_passed: bool, now: int) -> bool:
    """Whether each verdict leaves several Difficulties possible, of those that the first verdict left."""
    lowest, highest = (SMALLEST_DIFFICULTY, first) if first_passed else (first + 1, inf)
    if_passed = max(0, min(now, highest) - lowest + 1)
    if_failed = max(0, highest - max(now + 1, lowest) + 1)
    certain = not if_passed or not if_failed
    return certain or 1 not in (if_passed, if_failed)


# Follow-ups: Willpower, Hunger that is typed later, and the answer to a contest.

PASSED_DIFFICULTY = 1  # GEN-06: `pass` is no resistance


def means(_node: Command, earlier: Earlier) -> bool:
    """GEN-09: the latest pool or contest; Willpower and Humanity pools, rouse checks and `autowin` do not hide it."""
    return isinstance(earlier.node, Pool | Contest) and pool_of(earlier.node, earlier.side).kind == "hunger"


def admits(node: Command, earlier: Earlier, house: HouseRules) -> None:
    """RuleError, with the reason, if `node` cannot follow that roll."""
    if earlier.outcome.kind == "waiting" and earlier.closed:
        raise RuleError("that contest ended without an answer: its dice count for nothing.")
    if earlier.outcome.kind == "waiting":
        raise RuleError(f"{earlier.name} is covered until @{earlier.node.against} has answered.")
    if isinstance(earlier.node, AutomaticWin):
        raise RuleError("autowin rolled nothing: Willpower rerolls the dice of a pool, as roll 5d10 h2.")
    kind = pool_of(earlier.node, earlier.side).kind if isinstance(earlier.node, Pool | Contest) else str(earlier.node)
    if kind != "hunger":  # V5-16
        raise RuleError(f"{kind.split()[0]} rolls hold no Hunger dice, and cannot be rerolled with Willpower.")
    names_hunger = isinstance(node, Willpower | SayHunger) and node.hunger is not None
    if names_hunger and (said := pool_of(earlier.node, earlier.side).hunger) is not None:
        raise RuleError(f"the Hunger of {earlier.name} is said already: h{said}.")  # V5-21: once
    if isinstance(node, Willpower):
        _admits_willpower(earlier, house)


def _admits_willpower(earlier: Earlier, house: HouseRules) -> None:
    if earlier.mine.rerolled:
        raise RuleError(f"Willpower was spent on {earlier.name} already: once a roll.")  # V5-15
    if earlier.closed:
        raise RuleError(f"{earlier.name} is closed: no more Willpower on it.")  # V5-25
    if earlier.minutes > house.wp_minutes:
        old = "a minute" if house.wp_minutes == 1 else f"{house.wp_minutes} minutes"
        raise RuleError(f"{earlier.name} is more than {old} old: no more Willpower on it.")


def answers(opening: Command, node: Command) -> bool:
    """Whether `node` can be the other side of that contest: a pool without a Difficulty (V5-19)."""
    return isinstance(opening, Contest) and isinstance(node, Pool) and node.difficulty is None


def picked(node: Willpower, earlier: Earlier, house: HouseRules) -> list[int]:
    """Positions of the dice that `node` would reroll, left to right. RuleError as in play."""
    admits(node, earlier, house)
    return _picks(node, earlier if node.hunger is None else _with_hunger_said(node.hunger, earlier))


def amend(node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
    """A roll after Willpower, Hunger that is typed later, or the answer to a contest."""
    if isinstance(node, Pass):
        opened = replace(expect(earlier.node, Contest).acting, difficulty=PASSED_DIFFICULTY)
        return judged(opened, earlier.outcome.dice, PASSED_DIFFICULTY, house)._replace(kind="contest", becomes=opened)
    if isinstance(node, Pool):
        # A pool of one part is posted by its dice: a lone number after `vs` would be asked about (GEN-05).
        other = replace(node, terms=()) if len(node.terms) == 1 else node
        answered = replace(expect(earlier.node, Contest), other=other, against=None)
        return contest(answered, earlier.outcome.dice, throw(node, dice), house)._replace(becomes=answered)
    admits(node, earlier, house)
    if isinstance(node, SayHunger):
        earlier = _with_hunger_said(node.hunger, earlier)
        return _judged_again(earlier, house)._replace(kind="reroll", becomes=earlier.node)
    willpower = expect(node, Willpower)
    if willpower.hunger is not None:
        earlier = _with_hunger_said(willpower.hunger, earlier)
    picks = _picks(willpower, earlier)
    return _paid(_judged_again(_rerolled(earlier, picks, dice.roll(len(picks), SIDES)), house), earlier)


def _paid(outcome: Outcome, earlier: Earlier) -> Outcome:
    """V5-15: it costs the player of those dice one superficial Willpower."""
    cost, node = ("willpower_spent",), earlier.node
    if earlier.side == "other" and outcome.opponent:
        opponent = outcome.opponent._replace(effects=cost)
        return outcome._replace(opponent=opponent, kind="reroll", becomes=node)
    return outcome._replace(effects=cost, kind="reroll", becomes=node)


def _with_dice(earlier: Earlier, dice: tuple[Die, ...]) -> Earlier:
    mine = earlier.mine._replace(dice=dice)
    if earlier.side == "other" and earlier.outcome.opponent:
        return replace(earlier, outcome=earlier.outcome._replace(opponent=mine))
    return replace(earlier, outcome=mine)


def _with_hunger_said(hunger: int, earlier: Earlier) -> Earlier:
    """V5-21: the last dice become Hunger dice."""
    said = replace(pool_of(earlier.node, earlier.side), hunger=hunger)
    node: Command = said
    if isinstance(earlier.node, Contest):
        acting = earlier.side == "acting"
        node = replace(earlier.node, acting=said) if acting else replace(earlier.node, other=said)
    return replace(_with_dice(earlier, with_hunger(said, earlier.mine.dice)), node=node)


def _rerolled(earlier: Earlier, picks: Sequence[int], faces: Sequence[int]) -> Earlier:
    """V5-17: new faces take the places of the old ones."""
    dice = list(earlier.mine.dice)
    for position, face in zip(picks, faces, strict=True):
        old = dice[position]
        dice[position] = Die(old.sides, face, old.role, old.kept, old.face)
    return _with_dice(earlier, tuple(dice))


def _judged_again(earlier: Earlier, house: HouseRules) -> Outcome:
    """The roll judged with its dice as they are now."""
    node, outcome = earlier.node, earlier.outcome
    if isinstance(node, Contest) and outcome.opponent:
        return contest(node, outcome.dice, outcome.opponent.dice, house)
    pool = expect(node, Pool)
    return judged(pool, outcome.dice, pool.difficulty, house)


def _picks(node: Willpower, earlier: Earlier) -> list[int]:
    """Positions that Willpower rerolls, left to right (V5-14, V5-24). RuleError if there is nothing to reroll."""
    if pool_of(earlier.node, earlier.side).hunger is None:
        raise RuleError(
            'say your Hunger, 0 to 5, in the same breath: "wp hN". Hunger dice cannot be rerolled.'
        )  # V5-21
    normal = [(die.face, i) for i, die in enumerate(earlier.mine.dice) if die.role == "normal"]
    if not normal:
        raise RuleError("every die of that roll is a Hunger die: none can be rerolled.")
    lowest = sorted((face, i) for face, i in normal if face != TEN)
    tens = [(face, i) for face, i in normal if face == TEN]
    tens_only = 'the normal dice show tens only: say "wp tens" to reroll those.'
    if node.tens:
        chosen = (tens + lowest)[: node.count] if node.count else tens[:MOST_REROLLED]
        nothing = "there is no ten on a normal die to reroll."
    elif node.count:
        chosen, nothing = lowest[: node.count], tens_only
    else:
        chosen = [(face, i) for face, i in lowest if face < SUCCESS][:MOST_REROLLED]
        nothing = 'no normal die has failed: "wp 1" to "wp 3" reroll successes too.' if lowest else tens_only
    if not chosen:
        raise RuleError(nothing)
    return sorted(i for _, i in chosen)


# Odds, by the judge that play uses (GEN-08): sums over tallies, not over faces.

PLAIN_SUCCESSES = 4  # faces 6 to 9
FAILURES = 4  # faces 2 to 5
ENDS = 1  # the ten, and the one


class Part(NamedTuple):
    """What a tally needs of one kind of dice of a pool: tens by parity and by pairs, ones by their presence."""

    successes: int
    odd_ten: bool
    pair: bool
    ones: bool


@cache
def parts(count: int) -> Mapping[Part, int]:
    """How many of the 10^count throws of `count` dice come to each part."""
    ways: defaultdict[tuple[int, bool, bool, bool], int] = defaultdict(int)
    for tens in range(count + 1):
        for plain in range(count - tens + 1):
            rest = count - tens - plain
            chosen = comb(count, tens) * comb(count - tens, plain) * PLAIN_SUCCESSES**plain
            successes = plain + tens + tens // 2 * PAIR_BONUS
            without_ones = FAILURES**rest
            for ones, filled in ((False, without_ones), (True, (FAILURES + ENDS) ** rest - without_ones)):
                if filled:
                    ways[successes, tens % 2 == 1, tens >= 2, ones] += chosen * filled
    return {Part(*key): weight for key, weight in ways.items()}


def _tallies(pool: Pool) -> Mapping[Tally, int]:
    """How many throws of the pool come to each tally; counts that the judge treats alike are one."""
    hunger = min(pool.hunger or 0, pool.dice)
    ways: defaultdict[tuple[int, int, int, int, int], int] = defaultdict(int)
    for (mine, odd, pair, ones), weight in parts(pool.dice - hunger).items():
        for (theirs, their_odd, their_pair, their_ones), other_weight in parts(hunger).items():
            both = odd and their_odd
            tens = 2 if pair or their_pair or both else odd + their_odd
            successes = mine + theirs + PAIR_BONUS * both
            ways[successes, tens, their_odd or their_pair, ones or their_ones, their_ones] += weight * other_weight
    return {Tally(*key): weight for key, weight in ways.items()}


def odds(node: Command, house: HouseRules) -> Odds:
    """The odds of a command that rolls."""
    expect_numbers(node)
    if isinstance(node, Pool):
        chances = Odds.weighted(_judged(_tallies(node), node.difficulty, house), of="successes")
        return replace(chances, remarks=unsaid(node))  # V5-21
    if isinstance(node, Contest):
        return _contest(node, house)
    if isinstance(node, Rouse):
        risen = {
            n: comb(node.count, n) * ROUSED**n * (SIDES - ROUSED) ** (node.count - n) for n in range(node.count + 1)
        }
        outcomes = ((_rouse(n), weight) for n, weight in risen.items())
        return Odds.weighted(outcomes, of="hunger_gained")
    return Odds.over([evaluate(node, ScriptedDice(()), house)])


def _judged(tallies: Mapping[Tally, int], difficulty: int | None, house: HouseRules) -> Iterator[tuple[Outcome, int]]:
    for throw, weight in tallies.items():
        labels, values = judge(throw, difficulty, house)
        yield Outcome(labels=labels, values=values), weight


def _successes(tallies: Mapping[Tally, int]) -> Mapping[int, int]:
    counts: defaultdict[int, int] = defaultdict(int)
    for throw, weight in tallies.items():
        counts[throw.successes] += weight
    return counts


def _contest(node: Contest, house: HouseRules) -> Odds:
    """Each side against every count that the other can reach (V5-19)."""
    if node.other is None:
        raise RuleError(f"the odds depend on what @{node.against} rolls: say it, as {node.acting} vs 5d10.")
    mine, theirs = _tallies(node.acting), _tallies(node.other)
    acting = _against(mine, _successes(theirs), lambda count: max(1, count), house)
    other = _against(theirs, _successes(mine), lambda count: count + 1, house)
    return Odds.weighted(acting, of="successes").versus(Odds.weighted(other, of="successes"))


def _against(
    tallies: Mapping[Tally, int], counts: Mapping[int, int], difficulty: Callable[[int], int], house: HouseRules
) -> Iterator[tuple[Outcome, int]]:
    """Each tally judged twice: against all counts that it beats, and against all that beat it."""
    total, ascending = sum(counts.values()), sorted(counts)
    ways_below = list(accumulate([counts[count] for count in ascending], initial=0))
    for throw, weight in tallies.items():
        beaten = ways_below[bisect_right(ascending, throw.successes, key=difficulty)]
        for passed, ways in ((throw.successes, beaten), (throw.successes + 1, total - beaten)):
            if ways:
                labels, _ = judge(throw, passed, house)
                yield Outcome(labels=labels, values={"successes": throw.successes}), weight * ways


def reroll_odds(node: Command, earlier: Earlier, house: HouseRules) -> Odds:
    """The odds of Willpower, over every face of the dice that it rerolls, at most three."""
    if isinstance(node, Willpower | SayHunger):
        count = len(picked(node, earlier, house)) if isinstance(node, Willpower) else 0
        faces = product(range(1, SIDES + 1), repeat=count)
        return Odds.over((_side(amend(node, earlier, ScriptedDice(f), house), earlier) for f in faces), of="successes")
    raise RuleError(f"there are no odds for {node}.")


def _side(outcome: Outcome, earlier: Earlier) -> Outcome:
    return outcome.opponent if earlier.side == "other" and outcome.opponent else outcome


# The words of a reply, and the rules for `help`.

WORDS = {
    "success": "success",
    "critical": "critical",
    "messy_critical": "messy critical",
    "failure": "failure",
    "botch": "botch",
    "bestial_failure": "bestial failure",
    "critical_if_passed": "critical if passed",
    "messy_critical_if_passed": "messy critical if passed",
    "bestial_if_failed": "bestial failure if failed",
    "automatic_win": "Automatic win",
    "no_automatic_win": "No automatic win",
    "hunger_rises": "Hunger rises",
    "willpower_spent": "costs{who} 1 superficial Willpower",
    "hunger_not_said": "hunger not said",
    UNTOLD: "whether it passes is told on reveal",
}
CHANCES = {"pass": PASSED, "fail": FAILED}
SHORT = {
    "critical": "critical",
    "messy_critical": "messy",
    "bestial_failure": "bestial",
    "botch": "botch",
    "hunger_rises": "Hunger rises",
    "automatic_win": "automatic win",
    "no_automatic_win": "no automatic win",
}
LEADS: Mapping[type[Command], str] = {Rouse: "rouse"}


def asked(node: Command) -> str:
    """The command as it is posted after the dice; that of a rouse check is posted before them."""
    if isinstance(node, Pool):
        return f"v5 {node.as_side}" if node.terms else node.as_side
    return "" if isinstance(node, Rouse) else str(node).removeprefix("roll ")


def headline(node: Command, outcome: Outcome) -> str:
    """The verdict, the first thing in the line."""
    if isinstance(node, Rouse):
        risen = outcome.values["hunger_gained"]
        return f"{WORDS['hunger_rises']} by {risen}" if risen else "Hunger does not rise"
    if isinstance(node, AutomaticWin):
        return _won_automatically(node, outcome)
    return _verdict(outcome)


def _verdict(outcome: Outcome) -> str:
    labels, text = outcome.labels, counted(outcome.whole("successes"))
    if "difficulty" in outcome.values:
        text += f" vs {outcome.values['difficulty']}, margin {signed(outcome.whole('margin'))}"
    if not labels or labels[0] in CONDITIONAL:
        return ", ".join([text, *[WORDS[label] for label in labels]])
    certain = WORDS[labels[0]] if len(labels) == 1 else " and ".join([WORDS[label] for label in labels])
    return f"{certain.capitalize()}, {text}"


def counted(successes: int) -> str:
    """`1 success`, `6 successes`."""
    return "1 success" if successes == 1 else f"{successes} successes"


def _won_automatically(node: AutomaticWin, outcome: Outcome) -> str:
    """V5-18: which condition fails, or who decides."""
    if "automatic_win" in outcome.labels:
        return f"{WORDS['automatic_win']} if the storyteller agrees, never in combat or distraction"
    pool = f"pool {node.pool} is less than twice {node.difficulty}" if node.pool < 2 * node.difficulty else ""
    hunger = f"Hunger {node.hunger} is over {MOST_HUNGER_TO_WIN}" if node.hunger > MOST_HUNGER_TO_WIN else ""
    return ", ".join(part for part in (WORDS["no_automatic_win"], pool, hunger) if part)


def versus(outcome: Outcome, acting: str, other: str) -> str:
    """The verdict of a contest: who wins, how, and what the loser's dice say (V5-19)."""
    if outcome.opponent is None:  # the other side passed: it has no dice (GEN-06)
        won = passed(outcome)
        beaten = f"{other} does not resist, {counted(outcome.whole('successes'))}"
        return ", ".join([f"{acting} wins" if won else "neither wins", *_how(outcome, acting, won), beaten])
    sides = (acting, outcome), (other, outcome.opponent)
    winner = next((index for index, (_, side) in enumerate(sides) if passed(side)), None)
    first, second = sides if winner != 1 else sides[::-1]
    scores = f"{counted(first[1].whole('successes'))} to {second[1].values['successes']}"
    if winner is None:
        return ", ".join(["neither wins", scores, *_how(outcome, acting, False), *_how(outcome.opponent, other, False)])
    even = first[1].values["successes"] == second[1].values["successes"]
    tie = ["a tie"] if even else []
    how, lost = _how(first[1], first[0], True), _how(second[1], second[0], False)
    return ", ".join([f"{first[0]} wins", *how, scores, *tie, *lost])


def _how(side: Outcome, name: str, won: bool) -> list[str]:
    """What there is to say about a side, besides that it won or lost."""
    if side.labels in {("success",), ("failure",)}:
        return []
    words = " and ".join(WORDS[label] for label in side.labels)
    return [words if won else f"{name} {words}"]


def waiting(node: Command, other: str, minutes: int) -> str:
    """How the player who is asked can answer."""
    contest = expect(node, Contest)
    asked_for = asked(contest.acting)
    # GEN-06: the same command; `roll` is not V5's everywhere.
    answer = "v5 5 h1" if contest.acting.terms else f"{contest.word} 5d10 h1"
    return f'{asked_for} is rolled and covered. {other}: answer "{answer}" or "pass" within {minutes} min'


def show(outcome: Outcome, compact: bool) -> str:
    """`3 8 6, hunger 10 1`: Hunger dice are always last (V5-05)."""
    written = counted_faces if compact else listed
    normal = [die.face for die in outcome.dice if die.role != "hunger"]
    hunger = [die.face for die in outcome.dice if die.role == "hunger"]
    return ", ".join([f"{word}{written(faces)}" for word, faces in (("", normal), ("hunger ", hunger)) if faces])


def offer(_node: Command, earlier: Earlier, roll: str, house: HouseRules) -> str | None:
    """What Willpower can still do for one side of a contest, sent to that side alone; `roll` is the id, as `#4d`."""
    try:
        admits(Willpower(), earlier, house)
    except RuleError:
        return None
    normal = sorted(die.face for die in earlier.mine.dice if die.role == "normal")
    if not normal or normal[0] == TEN:
        return None
    if pool_of(earlier.node, earlier.side).hunger is None:
        return f'You may still spend Willpower: "wp hN {roll}", N your Hunger, 0 to 5.'
    failed = [str(face) for face in normal if face < SUCCESS][:MOST_REROLLED]
    if failed:
        return f'You may still spend Willpower: "wp {roll}" rerolls {" ".join(failed)}.'
    return f'You may still spend Willpower: no die has failed, "wp 1 {roll}" rerolls the {normal[0]}.'


RULES = {
    "V5-01": '"roll Nd10" throws a pool of N dice, and "v5 3+4+1" one that is given by its parts; it takes at least 1.',
    "V5-02": f"Every face of {SUCCESS} or more is one success.",
    "V5-03": f"Two tens make a pair, and each pair is worth {PAIR_BONUS} successes more than its two faces.",
    "V5-04": "dcN is the Difficulty: N successes or more pass, and the margin is how many more.",
    "V5-05": f"hN makes the last N dice Hunger dice, 0 to {MOST_HUNGER} and never more than the pool has.",
    "V5-06": "A roll that passes with a pair of tens is a critical.",
    "V5-07": "A critical is messy when at least one of its tens is on a Hunger die.",
    "V5-08": "A roll that does not pass and shows a 1 on a Hunger die is a bestial failure.",
    "V5-09": "House rule: no success at all and a 1 on any die is a botch, unless the channel has botch = no.",
    "V5-10": "A 1 takes no success away.",
    "V5-11": "Without a Difficulty the answer says what would follow; with no success at all the roll has failed.",
    "V5-12": "Rouse checks, Willpower and Humanity pools have no Hunger dice, so they are never messy or bestial.",
    "V5-13": f'"rouse" throws a die for each check, and Hunger rises by one for each {ROUSED} or less.',
    "V5-14": f'"wp" throws up to {MOST_REROLLED} dice of your latest roll again, lowest first, but never Hunger dice.',
    "V5-15": "Willpower is spent once on a roll, by who rolled it or a storyteller, for one superficial damage.",
    "V5-16": "What has no Hunger dice by its kind cannot be rerolled with Willpower; a pool at h0 can.",
    "V5-17": "After a reroll the dice keep their places, the roll that was replaced is named, and all is judged anew.",
    "V5-18": f'"autowin" says yes to a pool of at least twice the Difficulty at Hunger {MOST_HUNGER_TO_WIN} or less, '
    "if the storyteller agrees.",
    "V5-19": "In a contest each side must meet the other's successes, at least 1: who began wins a tie.",
    "V5-20": "Only rolls in a channel that the config calls official are official; all others say unofficial.",
    "V5-21": '"hunger N" says the Hunger of a roll afterwards, once; until then it counts as 0.',
    "V5-22": "h without a number is the Hunger that is tracked for you: !track hunger 2.",
    "V5-23": "A rouse check shows its dice and by how much Hunger rises, and nothing else comes of it.",
    "V5-24": f'"wp tens" throws the tens again that are not on Hunger dice, up to {MOST_REROLLED}; no die goes twice.',
    "V5-25": "Willpower may be spent until a storyteller closes the roll, or its time is over, "
    f"{HouseRules().wp_minutes} minutes unless the config says otherwise.",
    "V5-26": '"help messy", "help bestial", "help botch" and "help willpower" tell what may come of it.',
}


class V5(Game[None]):
    """Hunger pools."""

    nodes = (Pool, Contest, Rouse, AutomaticWin)
    diceless = (AutomaticWin,)
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {Willpower: "reroll", SayHunger: "hunger"}
    words = WORDS
    short = SHORT
    chances = (CHANCES,)
    rules = RULES
    leads = LEADS
    closed = "no more Willpower on it"

    evaluate = staticmethod(evaluate)
    odds = staticmethod(odds)
    means = staticmethod(means)
    admits = staticmethod(admits)
    amend = staticmethod(amend)
    amend_odds = staticmethod(reroll_odds)
    answers = staticmethod(answers)
    offer = staticmethod(offer)
    asked = staticmethod(asked)
    headline = staticmethod(headline)
    versus = staticmethod(versus)
    waiting = staticmethod(waiting)
    show = staticmethod(show)
    cover = staticmethod(cover)

    def moves(self, said: Said, _before: Outcome | None) -> tuple[Move, ...]:
        """DSK-03: a rouse raises Hunger, a reroll costs Willpower, and Hunger that is typed later is kept."""
        latest = said.latest
        if isinstance(latest, Rouse):
            stopped = f"Hunger is {MOST_HUNGER} and cannot rise"
            moved = partial(_rouse, dice=said.outcome.dice)
            return (Move("hunger", said.outcome.whole("hunger_gained"), stopped=stopped, moved=moved),)
        hunger = latest.hunger if isinstance(latest, SayHunger | Willpower) else None
        told = () if hunger is None else (Move("hunger", to=hunger),)
        return (*told, Move("willpower", -1)) if isinstance(latest, Willpower) else told


GAME = V5()

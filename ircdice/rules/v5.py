"""V5 Hunger pools: successes, pairs of tens, what Hunger dice do, and Willpower."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import comb, inf
from typing import ClassVar, NamedTuple

from grammars import Command
from grammars.contests import Pass
from grammars.v5 import MOST_HUNGER, MOST_REROLLED, AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.game import AmendKind, Game, Move, counted, expect, listed, signed
from ircdice.odds import Odds
from ircdice.outcome import Die, Earlier, Outcome, Side, faces_of, pool
from ircdice.settings import HouseRules

SIDES = 10
SUCCESS = 6  # V5-02: this face or more
TEN = 10
ONE = 1
PAIR_BONUS = 2  # V5-03: two tens count as four
ROUSED = 5  # V5-13: Hunger rises on this face or less
MOST_HUNGER_TO_WIN = 2  # V5-18
PASSED_DIFFICULTY = 1  # GEN-06: `pass` offers no resistance
PASSED = ("success", "critical", "messy_critical")
FAILED = ("failure", "bestial_failure", "botch")
CONDITIONAL = ("critical_if_passed", "messy_critical_if_passed", "bestial_if_failed")
NORMAL, HUNGER = "normal", "hunger"  # the roles of dice
UNTOLD = "untold"  # the remark if the verdict would reveal a secret Difficulty


class Tally(NamedTuple):
    """The counts that decide the verdict on a throw."""

    successes: int
    tens: int
    hunger_tens: int
    ones: int
    hunger_ones: int


def tally(dice: Sequence[Die]) -> Tally:
    """Count a throw (V5-02, V5-03). A 1 subtracts nothing (V5-10)."""
    faces, hunger = [die.face for die in dice], [die.face for die in dice if die.role == HUNGER]
    tens = faces.count(TEN)
    successes = sum([face >= SUCCESS for face in faces]) + tens // 2 * PAIR_BONUS
    return Tally(successes, tens, hunger.count(TEN), faces.count(ONE), hunger.count(ONE))


def judge(throw: Tally, difficulty: int | None, house: HouseRules) -> Outcome:
    """The labels and values of one throw: the only place that decides who passes (V5-04, V5-06…V5-11)."""
    values = {"successes": throw.successes}
    critical = "" if throw.tens < 2 else "messy_critical" if throw.hunger_tens else "critical"  # V5-06, V5-07
    if difficulty is None and throw.successes:  # V5-11
        bestial = "bestial_if_failed" if throw.hunger_ones else ""
        return Outcome(labels=tuple(filter(None, (critical and f"{critical}_if_passed", bestial))), values=values)
    if difficulty is not None:
        values |= {"difficulty": difficulty, "margin": throw.successes - difficulty}
        if throw.successes >= difficulty:
            return Outcome(labels=(critical or "success",), values=values)
    causes = []
    if house.botch and not throw.successes and throw.ones:
        causes.append("botch")  # V5-09
    if throw.hunger_ones:
        causes.append("bestial_failure")  # V5-08
    return Outcome(labels=tuple(causes) or ("failure",), values=values)


def judged(node: Pool, dice: tuple[Die, ...], difficulty: int | None, house: HouseRules) -> Outcome:
    """A pool's dice as an outcome."""
    return judge(tally(dice), difficulty, house)._replace(dice=dice, remarks=remarks_on(node))


def remarks_on(node: Pool) -> tuple[str, ...]:
    """V5-21: the remark on a pool whose Hunger was not given."""
    return ("hunger_not_said",) if node.hunger is None and node.kind == HUNGER else ()


def normal_dice(node: Pool) -> int:
    """The number of normal dice in the pool; all of them if Hunger was not given (V5-21).

    RuleError for tracked Hunger that no table has filled in (V5-22).
    """
    if node.tracked:
        raise RuleError("h without a number is a Hunger that is tracked: write it, as h2.")
    return max(node.dice - (node.hunger or 0), 0)


def draw(node: Pool, dice: DiceSource) -> tuple[Die, ...]:
    """Draw a pool, Hunger dice last (V5-05)."""
    normal, faces = normal_dice(node), dice.roll(node.dice, SIDES)
    return pool(faces[:normal], SIDES, NORMAL) + pool(faces[normal:], SIDES, HUNGER)


def judge_contest(node: Contest, acting: tuple[Die, ...], others: tuple[Die, ...], house: HouseRules) -> Outcome:
    """V5-19: each side's successes are the other's Difficulty; the acting side wins ties."""
    first = judged(node.acting, acting, max(1, tally(others).successes), house)
    second = judged(pool_of(node, "other"), others, first.whole("successes") + 1, house)
    return first._replace(kind="contest", opponent=second)


def pool_of(node: Command, side: Side) -> Pool:
    """The pool of one side of a pool or contest. RuleError if it is not known yet."""
    if isinstance(node, Contest):
        if side == "other" and node.other is None:
            raise RuleError(f"@{node.against} has not answered yet.")
        node = node.other if side == "other" and node.other else node.acting
    return expect(node, Pool)


def roused(risen: int, dice: tuple[Die, ...] = ()) -> Outcome:
    """V5-13, V5-23."""
    return Outcome(dice, ("hunger_rises",) if risen else (), {"hunger_gained": risen})


def falls_short(asked: AutomaticWin) -> list[str]:
    """V5-18: the conditions of an automatic win that fail, in words."""
    fails = []
    if asked.pool < 2 * asked.difficulty:
        fails.append(f"pool {asked.pool} is less than twice {asked.difficulty}")
    if asked.hunger > MOST_HUNGER_TO_WIN:
        fails.append(f"Hunger {asked.hunger} is over {MOST_HUNGER_TO_WIN}")
    return fails


def passed(outcome: Outcome) -> bool:
    """Whether the labels say that a side passes."""
    return not set(PASSED).isdisjoint(outcome.labels)


# Follow-ups.


def check_follow_up(node: Willpower | SayHunger, earlier: Earlier, house: HouseRules) -> None:
    """Raise RuleError with the reason if `node` cannot follow that roll."""
    name, rolled = earlier.name, earlier.node
    if earlier.outcome.kind == "waiting":
        why = "ended without an answer" if earlier.closed else f"is covered until @{rolled.against} has answered"
        raise RuleError(f"{name} {why}.")
    if isinstance(rolled, AutomaticWin):
        raise RuleError("autowin rolled nothing: Willpower rerolls the dice of a pool, as roll 5d10 h2.")
    kind = "rouse" if isinstance(rolled, Rouse) else pool_of(rolled, earlier.side).kind
    if kind != HUNGER:  # V5-16
        raise RuleError(f"{kind} rolls hold no Hunger dice, and cannot be rerolled with Willpower.")
    hunger = pool_of(rolled, earlier.side).hunger
    if node.hunger is not None and hunger is not None:  # V5-21: once
        raise RuleError(f"the Hunger of {name} was given already: h{hunger}.")
    if isinstance(node, SayHunger):
        return
    if earlier.mine.rerolled:
        raise RuleError(f"Willpower was spent on {name} already: once a roll.")  # V5-15
    if earlier.closed:
        raise RuleError(f"{name} is closed: no more Willpower on it.")  # V5-25
    if earlier.minutes > house.wp_minutes:
        old = "a minute" if house.wp_minutes == 1 else f"{house.wp_minutes} minutes"
        raise RuleError(f"{name} is more than {old} old: no more Willpower on it.")


def prepared(node: Command, earlier: Earlier, house: HouseRules) -> tuple[Earlier, list[int]]:
    """The roll with the Hunger in `node` (V5-21), and the dice to reroll. RuleError as in play."""
    node = node if isinstance(node, Willpower) else expect(node, SayHunger)
    check_follow_up(node, earlier, house)
    if node.hunger is not None:
        said = replace(pool_of(earlier.node, earlier.side), hunger=node.hunger)
        is_contest = isinstance(earlier.node, Contest)
        earlier = replace(earlier, node=replace(earlier.node, **{earlier.side: said}) if is_contest else said)
    return earlier, picks(node, earlier) if isinstance(node, Willpower) else []


def picks(node: Willpower, earlier: Earlier) -> list[int]:
    """The positions that Willpower rerolls, left to right (V5-14, V5-24). RuleError if there are none."""
    rolled = pool_of(earlier.node, earlier.side)
    if rolled.hunger is None:  # V5-21
        raise RuleError('say your Hunger, 0 to 5, in the same breath: "wp hN". Hunger dice cannot be rerolled.')
    normal = sorted((die.face, place) for place, die in enumerate(earlier.mine.dice[: normal_dice(rolled)]))
    if not normal:
        raise RuleError("every die of that roll is a Hunger die: none can be rerolled.")
    tens, lowest = [die for die in normal if die[0] == TEN], [die for die in normal if die[0] != TEN]
    failed = [die for die in lowest if die[0] < SUCCESS]
    if node.count is None:
        chosen = (tens if node.tens else failed)[:MOST_REROLLED]
    else:
        chosen = (tens + lowest if node.tens else lowest)[: node.count]
    if chosen:
        return sorted(place for _, place in chosen)
    if node.tens:
        raise RuleError("there is no ten on a normal die to reroll.")
    if not lowest:
        raise RuleError(f'the normal dice show tens only: say "{replace(node, tens=True)}" to reroll those.')
    one, three = replace(node, count=1), replace(node, count=MOST_REROLLED)
    raise RuleError(f'no normal die has failed: "{one}" to "{three}" reroll successes too.')


def rerolled(earlier: Earlier, places: Sequence[int], faces: Sequence[int], house: HouseRules) -> Outcome:
    """V5-17: the roll with new faces in place of the old ones."""
    node, other, dice = earlier.node, earlier.outcome.opponent, list(earlier.mine.dice)
    for place, face in zip(places, faces, strict=True):
        dice[place] = dice[place]._replace(face=face, was=dice[place].face)
    rolled = pool_of(node, earlier.side)
    normal = normal_dice(rolled)
    mine = tuple(dice[:normal] + [die._replace(role=HUNGER) for die in dice[normal:]])
    if isinstance(node, Contest) and other:
        sides = (earlier.outcome.dice, mine) if earlier.side == "other" else (mine, other.dice)
        return judge_contest(node, *sides, house)
    return judged(rolled, mine, rolled.difficulty, house)


# Odds, by the same judge as in play (GEN-08), summed over tallies, not faces.

PLAIN_SUCCESSES = 4  # faces 6 to 9
FAILURES = 4  # faces 2 to 5; that leaves the ten and the one


def tallies(asked: Pool) -> Mapping[Tally, int]:
    """The number of throws of the pool with each tally, computed die by die.

    Counts that the judge treats alike are merged: after two tens only their parity is kept, and of ones and of tens on
    Hunger dice only whether there are any.
    """
    normal = normal_dice(asked)
    ways = {(0, 0, 0, 0, 0): 1}
    for place in range(asked.dice):
        hunger = place >= normal
        following: defaultdict[tuple[int, int, int, int, int], int] = defaultdict(int)
        for (successes, tens, hunger_tens, ones, hunger_ones), weight in ways.items():
            following[successes, tens, hunger_tens, ones, hunger_ones] += FAILURES * weight
            following[successes + 1, tens, hunger_tens, ones, hunger_ones] += PLAIN_SUCCESSES * weight
            ten = successes + 1 + tens % 2 * PAIR_BONUS, 2 + (tens + 1) % 2 if tens else 1
            following[*ten, int(hunger or hunger_tens), ones, hunger_ones] += weight
            following[successes, tens, hunger_tens, 1, int(hunger or hunger_ones)] += weight
        ways = following
    return {Tally(*counts): weight for counts, weight in ways.items()}


def against(
    mine: Mapping[Tally, int], theirs: Mapping[Tally, int], difficulty: Callable[[int], int], house: HouseRules
) -> Iterator[tuple[Outcome, int]]:
    """V5-19: judge each tally twice, against all counts that it beats and all that beat it."""
    counts: Counter[int] = Counter()
    for throw, weight in theirs.items():
        counts[throw.successes] += weight
    total = counts.total()
    beaten = {
        mark: sum([ways for count, ways in counts.items() if difficulty(count) <= mark])
        for mark in {throw.successes for throw in mine}
    }
    for throw, weight in mine.items():
        ways = beaten[throw.successes]
        for mark, often in (throw.successes, ways), (throw.successes + 1, total - ways):
            if often:
                yield judge(throw, mark, house), weight * often


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
}

RULES = {
    "V5-01": '"roll Nd10" throws a pool of N dice, and "v5 3+4+1" one that is given by its parts; it takes at least 1.',
    "V5-02": f"Every face of {SUCCESS} or more is one success.",
    "V5-03": f"Two tens make a pair, and each pair is worth {PAIR_BONUS} successes more than its two faces.",
    "V5-04": "dcN is the Difficulty: N successes or more are a success, fewer a failure; the margin is the difference.",
    "V5-05": f"hN makes the last N dice Hunger dice, 0 to {MOST_HUNGER} and never more than the pool has.",
    "V5-06": "A roll that passes with a pair of tens is a critical.",
    "V5-07": "A messy critical is a critical with at least one of its tens on a Hunger die.",
    "V5-08": "A roll that does not pass and shows a 1 on a Hunger die is a bestial failure.",
    "V5-09": "House rule: no success at all and a 1 on any die is a botch, unless the channel has botch = no.",
    "V5-10": "A 1 takes no success away.",
    "V5-11": "Without a Difficulty the answer says what would follow: critical or messy critical if passed, bestial "
    "failure if failed; with no success at all the roll has failed.",
    "V5-12": "Rouse checks, Willpower and Humanity pools have no Hunger dice, so they are never messy or bestial.",
    "V5-13": f'"rouse" throws a die for each check, and Hunger rises by one for each {ROUSED} or less.',
    "V5-14": f'"wp" rerolls up to {MOST_REROLLED} of the lowest dice that failed, "wp 2" the two lowest; never '
    "Hunger dice.",
    "V5-15": "Willpower: once per roll, for one superficial damage, by who rolled it or a storyteller.",
    "V5-16": "Rouse, willpower and humanity rolls have no Hunger dice by their kind and cannot be rerolled; a pool "
    "at h0 can.",
    "V5-17": "After a reroll the dice keep their places, the roll that was replaced is named, and all is judged anew.",
    "V5-18": f"A pool of at least twice the Difficulty at Hunger {MOST_HUNGER_TO_WIN} or less is an automatic win, if "
    'the storyteller agrees, any other no automatic win: "autowin" tells which.',
    "V5-19": "In a contest each side must meet the other's successes, at least 1: who began wins a tie.",
    "V5-20": "Only rolls in a channel that the config calls official are official; all others say unofficial.",
    "V5-21": '"hunger N" says the Hunger of a roll afterwards, once; until then it counts as 0.',
    "V5-22": "h without a number is the Hunger that is tracked for you: !track hunger 2.",
    "V5-23": "A rouse check shows its dice and by how much Hunger rises, and nothing else comes of it.",
    "V5-24": f'"wp tens" rerolls up to {MOST_REROLLED} tens that are not on Hunger dice; no die is rerolled twice.',
    "V5-25": "Willpower may be spent until a storyteller closes the roll, or its time is over, "
    f"{HouseRules().wp_minutes} minutes unless the config says otherwise.",
    "V5-26": '"help messy", "help bestial", "help botch" and "help willpower" tell what may come of it.',
    "V5-27": '"v5 7 2 3" is a pool of 7 at Hunger 2 and Difficulty 3; a modifier is part of it, as in "v5 5+2 h2".',
}


def how(side: Outcome, name: str) -> str:
    """Labels of a side, other than winning or losing, in words; a loser is named."""
    if side.labels in {("success",), ("failure",)}:
        return ""
    words = " and ".join(WORDS[label] for label in side.labels)
    return words if passed(side) else f"{name} {words}"


class V5(Game):
    """Hunger pools."""

    nodes = (Pool, Contest, Rouse, AutomaticWin)
    diceless = (AutomaticWin,)
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {Willpower: "reroll", SayHunger: "hunger"}
    words, short, chances, rules = WORDS, SHORT, (CHANCES,), RULES
    closed = "no more Willpower on it"

    def evaluate(self, node: Command, dice: DiceSource, house: HouseRules) -> Outcome:
        """Throw and judge any V5 command that rolls."""
        if isinstance(node, Pool):
            return judged(node, draw(node, dice), node.difficulty, house)
        if isinstance(node, Contest):
            acting = draw(node.acting, dice)
            if node.other is None:
                return Outcome(dice=acting, kind="waiting")
            return judge_contest(node, acting, draw(node.other, dice), house)
        if isinstance(node, Rouse):
            faces = dice.roll(node.count, SIDES)
            return roused(sum([face <= ROUSED for face in faces]), pool(faces, SIDES, NORMAL))
        asked = expect(node, AutomaticWin)
        return Outcome(labels=("no_automatic_win" if falls_short(asked) else "automatic_win",), kind="check")

    def odds(self, node: Command, house: HouseRules) -> Odds:
        """The odds of a command that rolls."""
        if isinstance(node, Pool):
            outcomes = ((judge(throw, node.difficulty, house), weight) for throw, weight in tallies(node).items())
            return replace(Odds.weighted(outcomes, of="successes"), remarks=remarks_on(node))
        if isinstance(node, Contest):
            mine, theirs = tallies(node.acting), tallies(pool_of(node, "other"))
            other = Odds.weighted(against(theirs, mine, lambda count: count + 1, house), of="successes")
            acting = Odds.weighted(against(mine, theirs, lambda count: max(1, count), house), of="successes")
            return replace(acting, opponent=other)
        count = expect(node, Rouse).count
        risen = ((n, comb(count, n) * ROUSED**n * (SIDES - ROUSED) ** (count - n)) for n in range(count + 1))
        return Odds.weighted(((roused(n), weight) for n, weight in risen), of="hunger_gained")

    def means(self, _node: Command, earlier: Earlier) -> bool:
        """GEN-09: the latest pool or contest, skipping Willpower and Humanity pools, rouse checks and `autowin`."""
        return isinstance(earlier.node, Pool | Contest) and pool_of(earlier.node, earlier.side).kind == HUNGER

    def answers(self, opening: Command, node: Command) -> bool:
        """Whether `node` can be the other side of that contest: a pool without a Difficulty (V5-19)."""
        return isinstance(opening, Contest) and isinstance(node, Pool) and node.difficulty is None

    def amend(self, node: Command, earlier: Earlier, dice: DiceSource, house: HouseRules) -> Outcome:
        """A roll after Willpower, after Hunger is typed later, or after the answer to a contest."""
        covered = earlier.outcome.dice
        if isinstance(node, Pass):
            opened = replace(expect(earlier.node, Contest).acting, difficulty=PASSED_DIFFICULTY)
            return judged(opened, covered, PASSED_DIFFICULTY, house)._replace(kind="contest", becomes=opened)
        if isinstance(node, Pool):
            # A pool of one part is posted as dice: a lone number after `vs` would be ambiguous (GEN-05).
            other = replace(node, terms=()) if len(node.terms) == 1 else node
            answered = expect(earlier.node, Contest).answered_by(other)
            return judge_contest(answered, covered, draw(node, dice), house)._replace(becomes=answered)
        now, places = prepared(node, earlier, house)
        faces = dice.roll(len(places), SIDES) if places else ()
        outcome = rerolled(now, places, faces, house)._replace(kind="reroll", becomes=now.node)
        cost = ("willpower_spent",) if isinstance(node, Willpower) else ()  # V5-15: for the player of those dice
        if now.side == "other" and outcome.opponent:
            return outcome._replace(opponent=outcome.opponent._replace(effects=cost))
        return outcome._replace(effects=cost)

    def amend_odds(self, node: Command, earlier: Earlier, house: HouseRules) -> Odds:
        """The odds of Willpower, over every face of the rerolled dice, at most three."""
        now, places = prepared(node, earlier, house)
        throws = product(range(1, SIDES + 1), repeat=len(places))
        again = (replace(now, outcome=rerolled(now, places, faces, house)).mine for faces in throws)
        return Odds.over(again, of="successes")

    def offer(self, _node: Command, earlier: Earlier, roll: str, house: HouseRules) -> str | None:
        """A private line on what Willpower can do for one side of a contest; `roll` is an id, such as `#4d`."""
        try:
            check_follow_up(Willpower(), earlier, house)
        except RuleError:
            return None
        normal = sorted(die.face for die in earlier.mine.dice if die.role == NORMAL)
        if not normal or normal[0] == TEN:
            return None
        if pool_of(earlier.node, earlier.side).hunger is None:
            return f'You may still spend Willpower: "wp hN {roll}", N your Hunger, 0 to 5.'
        failed = [str(face) for face in normal if face < SUCCESS][:MOST_REROLLED]
        if failed:
            return f'You may still spend Willpower: "wp {roll}" rerolls {" ".join(failed)}.'
        return f'You may still spend Willpower: no die has failed, "wp 1 {roll}" rerolls the {normal[0]}.'

    def cover(self, outcome: Outcome, first: Outcome) -> Outcome:
        """The successes and whether they pass, under a secret Difficulty (FW-10): no margin and no critical.

        After Willpower, the two verdicts together could reveal the Difficulty. Unless each leaves several possible, of
        those that the first verdict allowed, the second one is not posted.
        """
        before, now = first.whole("successes"), outcome.whole("successes")
        lowest, highest = (1, before) if passed(first) else (before + 1, inf)  # V5-04: from 1
        if_passed = max(0, min(now, highest) - lowest + 1)
        if_failed = max(0, highest - max(now + 1, lowest) + 1)
        if if_passed and if_failed and 1 in (if_passed, if_failed):
            return outcome.under_cover((), "successes")._replace(remarks=(*outcome.remarks, UNTOLD))
        return outcome.under_cover(("success",) if passed(outcome) else outcome.labels, "successes")

    def moves(self, _node: Command, outcome: Outcome, latest: Command, _before: Outcome | None) -> tuple[Move, ...]:
        """DSK-03: a rouse raises Hunger, a reroll costs Willpower, and Hunger typed later is stored."""
        if isinstance(latest, Rouse):
            stopped = f"Hunger is {MOST_HUNGER} and cannot rise"
            moved = partial(roused, dice=outcome.dice)
            return (Move("hunger", outcome.whole("hunger_gained"), stopped=stopped, moved=moved),)
        if not isinstance(latest, SayHunger | Willpower):
            return ()
        told = () if latest.hunger is None else (Move("hunger", to=latest.hunger),)
        return (*told, Move("willpower", -1)) if isinstance(latest, Willpower) else told

    def asked(self, node: Command) -> str:
        """The command as posted after the dice; for a rouse check it is part of the dice."""
        return "" if isinstance(node, Rouse) else str(node).removeprefix("roll ")

    def headline(self, node: Command, outcome: Outcome) -> str:
        """The verdict, at the start of the line."""
        labels, words = outcome.labels, [WORDS[label] for label in outcome.labels]
        if isinstance(node, Rouse):
            return f"{words[0]} by {outcome.values['hunger_gained']}" if labels else "Hunger does not rise"
        if isinstance(node, AutomaticWin):  # V5-18
            agreed = "" if falls_short(node) else " if the storyteller agrees, never in combat or distraction"
            return ", ".join([*words, *falls_short(node)]) + agreed
        text = counted(outcome.whole("successes"), "success")
        if "difficulty" in outcome.values:
            text += f" vs {outcome.values['difficulty']}, margin {signed(outcome.whole('margin'))}"
        if not labels or labels[0] in CONDITIONAL:
            return ", ".join([text, *words])
        return f"{' and '.join(words).capitalize()}, {text}"

    def versus(self, outcome: Outcome, acting: str, other: str) -> str:
        """The verdict of a contest: the winner, the scores, and labels of the loser (V5-19)."""
        opponent, successes = outcome.opponent, counted(outcome.whole("successes"), "success")
        if opponent is None:  # the other side passed: it has no dice (GEN-06)
            won = f"{acting} wins" if passed(outcome) else "neither wins"
            parts = [won, how(outcome, acting), f"{other} does not resist, {successes}"]
        elif passed(outcome) or passed(opponent):
            sides = [(outcome, acting), (opponent, other)]
            (first, winner), (second, loser) = sides if passed(outcome) else reversed(sides)
            scores = f"{counted(first.whole('successes'), 'success')} to {second.values['successes']}"
            tie = "a tie" if first.values["successes"] == second.values["successes"] else ""
            parts = [f"{winner} wins", how(first, winner), scores, tie, how(second, loser)]
        else:
            scores = f"{successes} to {opponent.values['successes']}"
            parts = ["neither wins", scores, how(outcome, acting), how(opponent, other)]
        return ", ".join(filter(None, parts))

    def show(self, outcome: Outcome, compact: bool) -> str:
        """`3 8 6, hunger 10 1`: Hunger dice are always last (V5-05); `rouse 4 7`."""
        if "hunger_gained" in outcome.values:
            return f"rouse {listed(faces_of(outcome.dice), compact)}"
        hunger = [die.face for die in outcome.dice if die.role == HUNGER]
        normal = [die.face for die in outcome.dice if die.role != HUNGER]
        shown = listed(normal, compact), f"hunger {listed(hunger, compact)}" if hunger else ""
        return ", ".join(filter(None, shown))


GAME = V5()

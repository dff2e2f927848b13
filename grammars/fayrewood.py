"""Fayrewood: `toss 3 2 boon dc7`, one or two dice of a ladder and a modifier die."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pyparsing as pp

from grammars.command import AgainstDifficulty, Clause, Node, Part, TwoSided, joined, limited, made_by, sides, values_of
from grammars.errors import ImpossibleError
from grammars.line import END, LAST, shown
from grammars.reading import AS_NAME, no_difficulty
from grammars.tokens import THE_END, Token, choice, command_word, flag, keyed, refused, versus

KEYWORDS = ("toss", "sweep", "fw")
JOINABLE = ("toss", "sweep", "fw")  # GEN-04: `tossd8 d6`
# Words that are not in any command, for "did you mean ..." and help.
SYNONYMS = {
    "target": "dc", "tn": "dc", "against": "vs", "versus": "vs", "v": "vs",
    "advantage": "boon", "adv": "boon", "disadvantage": "bane", "dis": "bane", "fray": "frayed", "helpers": "help",
}  # fmt: skip
LADDER = (0, 4, 6, 8, 10, 12)  # FW-01: the sides of the die, by level
TOP = len(LADDER) - 1
STEPS = {"up": 1, "down": -1, "": 0}  # FW-02
MOST_MAINS = 2
MODIFIERS = {"boon": (4, 1), "bane": (4, -1), "frayed": (8, 1)}  # FW-03: sides and sign
DIFFICULTIES = {  # FW-09, the rulebook's table
    3: "Routine",
    5: "Straightforward",
    7: "Moderate",
    9: "Challenging",
    11: "Hard",
    13: "Very Hard",
    15: "Near Impossible",
}

EXAMPLES = {
    "toss d8 d6 dc7": "a pillar of 3 and a skill of 2 against difficulty 7; `toss 3 2 moderate` is the same",
    "toss d8 d6": "the same without a difficulty: the total, and what is certain already",
    "toss d8up2 d6down boon dc7": "stepped up two rungs and down one, with 1d4 added; `bane`, `frayed` likewise",
    "toss d8 d6 help 2 dc7": "two helpers, each stepping up the second die",
    "toss d8 d6 dc5 for help": "a task that helps another: its win grants a boon",
    "toss d8 d6 boon vs d10 d4": "a clash in one line",
    "toss d8 d6 vs @bob": "a clash that bob answers with a toss of his own, or `pass`",
    "sweep d12 d12 dc5": "may that difficulty be swept? Nothing is rolled; `sweep 5 5 dc5` is the same",
}
HELP = {
    "ladder": ("FW-01", "FW-02"),
    "modifier, boon, bane, frayed": "FW-03",
    "difficulties, difficulty": "FW-09",
    "margin": ("FW-04", "FW-06"),
    "fumble": ("FW-07", "FW-08", "FW-05"),
    "clash": "FW-13",
    "helping": "FW-12",
    "try-again": "FW-14",
}


class Main(Part):
    """A main die: a level of the ladder, and rungs to step up or down from it (FW-02)."""

    level: int
    steps: int = 0

    def __post_init__(self) -> None:  # FW-01
        if not 0 <= self.level <= TOP:
            limits = f"a level is 0 to {TOP}, a die is written d8 and a difficulty dc7"
            raise ImpossibleError(limits, "mains", typed=True)

    @property
    def rung(self) -> int:
        """The level after stepping, limited to the ladder."""
        return min(max(self.level + self.steps, 0), TOP)

    @property
    def stops(self) -> int:
        """1 if stepping would go past d12, -1 if below none, otherwise 0."""
        reached = self.level + self.steps
        return (reached > TOP) - (reached < 0)

    def __str__(self) -> str:
        die = f"d{LADDER[self.level]}" if self.level else "0"
        rungs = abs(self.steps) if abs(self.steps) > 1 else ""
        return f"{die}{'up' if self.steps > 0 else 'down'}{rungs}" if self.steps else die


class Pool(Part):
    """One or two main dice, at most one modifier die, and helpers who step up the second main die."""

    mains: tuple[Main, ...]
    modifier: str | None = None
    helpers: int | None = limited(1, says="the number of helpers", default=None)

    def __post_init__(self) -> None:  # FW-01, FW-03, FW-12
        super().__post_init__()
        if not 1 <= len(self.mains) <= MOST_MAINS:
            raise ImpossibleError("a pool has one or two main dice.", "mains")
        if self.helpers and len(self.mains) < MOST_MAINS:
            sentence = "help steps up the second main die, and there is only one: say boon."
            raise ImpossibleError(sentence, "helpers")
        if self.helpers and self.modifier == "boon":
            raise ImpossibleError("help steps up a die or brings a boon, not both: leave one out.", "helpers")
        if not self.dice:
            raise ImpossibleError("a pool needs a main die, as d8 or 3, and 0 is none.", "mains")
        if self.modifier is not None and self.modifier not in MODIFIERS:
            raise ImpossibleError(f"a modifier die is one of {', '.join(MODIFIERS)}.", "modifier")

    @property
    def stepped(self) -> tuple[Main, ...]:
        """The main dice; helpers step up the second, the skill, from its current rung (FW-12)."""
        return (self.mains[0], Main(self.mains[1].rung, self.helpers)) if self.helpers else self.mains

    @property
    def dice(self) -> tuple[int, ...]:
        """The sides of the main dice to roll, in draw order."""
        return tuple(LADDER[main.rung] for main in self.stepped if main.rung)

    @property
    def rolled(self) -> tuple[object, ...]:
        """The dice, regardless of order and of how they were stepped (LED-22)."""
        return tuple(sorted(self.dice)), self.modifier

    @property
    def highest(self) -> int:
        """The highest possible total (FW-11): a bane subtracts at least 1."""
        sides, sign = MODIFIERS[self.modifier] if self.modifier else (0, 1)
        return sum(self.dice) + (sides if sign > 0 else -1)

    def shown(self) -> str:
        """The dice after stepping, as in a reply."""
        return joined(*[f"d{sides}" for sides in self.dice], self.modifier)

    def __str__(self) -> str:
        return joined(*self.mains, self.modifier, self.helpers and f"help {self.helpers}")


Written = Callable[[Pool], str]  # `str` as typed, `Pool.shown` as in a reply


class Toss(AgainstDifficulty):
    """A toss; without a difficulty only its total is judged (FW-15). `for_help`: its win grants a boon (FW-12)."""

    pool: Pool
    difficulty: int | None = limited(1, says="a difficulty", default=None)  # FW-04
    for_help: bool = False

    def written(self, pool: Written = str) -> str:
        """The whole command."""
        difficulty = self.difficulty and f"dc{self.difficulty}"
        return joined("toss", pool(self.pool), difficulty, self.for_help and "for help")

    __str__ = written


class Clash(TwoSided):
    """Two pools against each other (FW-13)."""

    answer = "toss d8 d6"

    acting: Pool
    other: Pool | None = None
    for_help: bool = False

    def written(self, pool: Written = str) -> str:
        """The whole command."""
        other = pool(self.other) if self.other else f"@{self.against}"
        return joined("toss", pool(self.acting), "vs", other, self.for_help and "for help")

    __str__ = written


class Sweep(Node):
    """Ask whether a toss may be swept (FW-11)."""

    pool: Pool
    difficulty: int = limited(1, says="a difficulty")

    def __post_init__(self) -> None:  # FW-11
        super().__post_init__()
        if self.pool.helpers:
            raise ImpossibleError("a sweep takes main dice, a modifier die and a difficulty.", "helpers")

    def written(self, pool: Written = str) -> str:
        """The whole command."""
        return f"sweep {pool(self.pool)} dc{self.difficulty}"

    __str__ = written


# Values of tokens, and nodes built from clauses.


def _main(match: re.Match[str]) -> tuple[Main]:
    """FW-01, FW-02: a level or a die of the ladder, stepped."""
    typed, sides = shown(match[0], 12), match["sides"]
    if sides and int(sides) not in LADDER[1:]:
        dice = ", ".join(f"d{sides}" for sides in LADDER[1:])
        raise ImpossibleError(f"a main die is one of {dice}", typed=True)
    if sides and int(match["count"] or 1) != 1:
        raise ImpossibleError(f"each main die is typed by itself, as d{sides} d{sides}, not {typed}.")
    if match["apart"]:  # GEN-12: `toss d8 up the stairs`
        sentence = f'"{typed}" could be a stepped die, {typed.replace(" ", "")}, or a comment, which begins with #.'
        raise ImpossibleError(sentence, asked=bool(sides))
    steps = STEPS[(match["way"] or "").lower()] * int(match["rungs"] or 1)
    return (Main(LADDER.index(int(sides)) if sides else int(match["level"]), steps),)


def _lone_number(match: re.Match[str]) -> str:  # GEN-05
    toss, number = shown(match.string[: match.start()].lower().rpartition("vs")[0].strip(), 60), int(match[0])
    return f'"vs {number}" could be a difficulty, {toss} dc{number}, or a die, {toss} vs d{LADDER[number]}.'


def _toss(clauses: Sequence[Clause]) -> Toss | Clash:
    """A toss, or a clash if `vs` is among the clauses."""
    own, theirs = sides(clauses)
    pool, said = Pool(**values_of(own, Pool)), values_of(clauses, Toss)
    if len(own) == len(clauses):
        return Toss(pool, **said)
    if "difficulty" in said:
        raise ImpossibleError("with vs the other side's total is the difficulty: leave it out.", "difficulty")
    said |= values_of(theirs, Clash)
    return Clash(pool, None if "against" in said else Pool(**values_of(theirs, Pool)), **said)


def _sweep(clauses: Sequence[Clause]) -> Sweep:
    """FW-11: main dice, a modifier die, a difficulty."""
    pool, said = Pool(**values_of(clauses, Pool)), values_of(clauses, Sweep)
    if not said:
        raise ImpossibleError("a sweep needs a difficulty too, as dc3.", clauses[-1])
    return Sweep(pool, **said)


# The notation.

DIE = r"(?:(?P<count>[0-9]*)d\s?(?P<sides>[0-9]+)|(?P<level>[0-9]+))(?![0-9]|\.[0-9])"
STEP = r"(?:(?P<apart>\s?)(?P<way>up|down)(?![a-z])(?P<rungs>[1-9][0-9]*)?(?![0-9]))?"
MAIN = Token("a main die, as d8, 3 or d8up2", DIE + STEP, clause="mains", value=_main)  # FW-01, FW-02
MODIFIER = choice("modifier", {name: name for name in MODIFIERS})  # FW-03
DIFFICULTY = keyed("difficulty", "difficulty diff dc")  # FW-04
WORD = choice("difficulty", {word.lower(): number for number, word in DIFFICULTIES.items()})  # FW-09, GEN-18
HELPERS = keyed("helpers", "help")  # FW-12
FOR_HELP = flag("for_help", "for help")

# Input that is refused.

OR_DIFFICULTY = refused(  # GEN-12: `toss 3 2 7`
    "7",
    rf"[1-9][0-9]*(?![0-9]|\.[0-9]|\s?(?:up|down)|\s?d[0-9]){LAST}",
    '"{0}" could be a difficulty, dc{0}, or a third main die, and a pool has two at most.',
    asked=True,
)
PLUS = refused("+", r"\+\s?(?=d[0-9])", "main dice are typed one after the other, without +.", asked=True, instead="")
WITH_HELP = refused("with help", rf"with\s+help{LAST}", "help needs the number of helpers, as help 1.", asked=True)
THIRD = refused("d8", DIE + STEP, "a pool has two main dice at most: leave {} out.")
ONE_NUMBER = refused(  # GEN-05: neither dice nor steps follow
    "5", rf"[1-{TOP}]{END}(?!\.[0-9]|\s?(?:up|down)(?![a-z])|[\s,]*(?:d\s?)?[0-9])", _lone_number, asked=True
)
NOT_SWEPT = refused(
    "help", rf"(?:help|vs){END}", "a sweep is main dice, a modifier die and a difficulty: leave {} out."
)
NO_WORD = no_difficulty([word.lower() for word in DIFFICULTIES.values()])

difficulty = (DIFFICULTY | WORD).set_name("difficulty")


def of_main_dice(others: pp.ParserElement) -> pp.ParserElement:
    """One or two main dice, with other clauses before, between and after them."""
    others = others[...]
    return others + MAIN + others + pp.Opt(pp.Opt(PLUS) + MAIN + others + pp.Opt(OR_DIFFICULTY | THIRD))


part = MODIFIER | difficulty | HELPERS
NAME = Token("as NAME", AS_NAME)
# Otherwise it is a comment: `for help me out`.
for_help = FOR_HELP + pp.FollowedBy(MAIN | part | flag("vs") | NAME | THE_END)
clause = (part | for_help | WITH_HELP | NO_WORD).set_name("modifier die, difficulty or help")
pool = of_main_dice(clause)
lone = ~(MAIN + part) + ONE_NUMBER  # `vs 4 boon` is a pool, `vs 4 jump the fence` may be a difficulty
clash = versus(pool, MAIN | part, example="main dice, as d10 d4", begins="d?[0-9]", lone=lone, difficulty=difficulty)
clash += pp.Opt(for_help)

swept = (MODIFIER | difficulty | NOT_SWEPT | NO_WORD).set_name("modifier die or difficulty")

toss = (command_word("toss", "fw") - pool + pp.Opt(clash)).set_name("toss").set_parse_action(made_by(_toss))
sweep = (command_word("sweep") - of_main_dice(swept)).set_name("sweep").set_parse_action(made_by(_sweep))

GRAMMAR = toss | sweep

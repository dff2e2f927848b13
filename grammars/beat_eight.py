"""Beat Eight: `b8 t4 a1 severe`, two dice plus modifiers, to beat 8."""

from __future__ import annotations

from collections.abc import Sequence

import pyparsing as pp

from grammars.command import Clause, Node, TwoSided, check, joined, limited, made_by, sides, values_of
from grammars.errors import ImpossibleError
from grammars.line import END, LARGEST, LAST, LONE_NUMBER
from grammars.reading import no_difficulty
from grammars.tokens import Token, choice, command_word, keyed, refused, refused_clause, repeatable, signed, versus

KEYWORDS = ("b8",)
CERTAIN = ("b8",)  # GEN-03
JOINABLE = ("b8",)  # GEN-04: `b8t4a1`
# Words that are not in any command, for "did you mean ..." and help.
SYNONYMS = {
    "against": "vs", "versus": "vs", "v": "vs", "opposed": "vs",
    "attribute": "trait", "stat": "trait", "skill": "ability", "multi": "multitask", "actions": "multitask",
}  # fmt: skip
DIFFICULTIES = {  # B8-03, the rulebook's ladder
    "laughable": 3,
    "advantage": 1,
    "edge": 1,
    "normal": 0,
    "disadvantage": -1,
    "awkward": -1,
    "severe": -3,
    "great-disadvantage": -3,
    "ridiculous": -5,
    "practically-impossible": -7,
}
PHRASES = {  # the full names in the rulebook (GEN-18)
    "laughably easy": "laughable",
    "position of advantage": "advantage",
    "normal action": "normal",
    "position of disadvantage": "disadvantage",
    "position of great disadvantage": "great-disadvantage",
    "ridiculously difficult": "ridiculous",
}
IMPOSSIBLE = "impossible"
HARDEST = -7
EACH_ACTION = -2  # B8-04: for each action after the first
NO_DIFFICULTY = "difficulty is no part of an opposed roll: leave {} out."

EXAMPLES = {
    "b8 t4 a1": "two dice, trait 4 and an ability of 1, to beat 8; `b8 trait 4 ability 1` is the same",
    "b8 t4 a1 severe": "the same at a difficulty by its word; `b8 t4 a1 -3` by its number",
    "b8 t4 x3": "one of three actions at once, each at -4; `b8 t4 multitask 3` is the same",
    "b8 t4 a1 vs t3 x2": "an opposed roll in one line; a tie goes to the target",
    "b8 t4 vs @bob": "an opposed roll that bob answers with `b8 t3`, or `pass`",
    "b8 impossible": "nothing is rolled: the narrator decides",
}
HELP = {
    "success, failure": ("B8-01", "B8-05"),
    "difficulty-words, difficulty, advantage, disadvantage": "B8-03",
    "snake-eyes, double-sixes": ("B8-05", "B8-07"),
    "multitask": "B8-04",
    "parry, dodge": "B8-08",
    "opposed": ("B8-06", "B8-08"),
}


class Roll(Node):
    """A roll to beat 8 (B8-02), or one side of an opposed roll, which has no difficulty."""

    trait: int = limited(-LARGEST, default=0)
    abilities: tuple[int, ...] = limited(-LARGEST, says="ability", default=())
    actions: int = limited(1, says="x, the number of actions at once,", default=1)  # B8-04
    difficulty: int | str = 0  # a number, or its word

    def __post_init__(self) -> None:  # B8-03
        super().__post_init__()
        if self.modifier < HARDEST:
            raise ImpossibleError("the hardest difficulty is -7: write -7 or impossible", "difficulty", typed=True)
        check("difficulty", self.modifier, -LARGEST, says="a difficulty")

    @property
    def modifier(self) -> int:
        """The difficulty as a number."""
        return DIFFICULTIES[self.difficulty] if isinstance(self.difficulty, str) else self.difficulty

    @property
    def added(self) -> tuple[tuple[str, int], ...]:
        """What is added to the dice, by name."""
        word = self.difficulty if isinstance(self.difficulty, str) else "difficulty"
        multitask = EACH_ACTION * (self.actions - 1)
        return (
            ("trait", self.trait),
            ("abilities", sum(self.abilities)),
            ("multitask", multitask),
            (word, self.modifier),
        )

    @property
    def rolled(self) -> tuple[object, ...]:
        """The sums, however they are composed, and the number of actions at once (LED-22)."""
        return Roll, self.trait + sum(self.abilities), self.actions, self.modifier

    @property
    def typed(self) -> str:
        """The roll without its command word."""
        abilities = (f"a{ability}" for ability in self.abilities)
        difficulty = self.difficulty if isinstance(self.difficulty, str) else self.difficulty and f"{self.difficulty:+}"
        return joined(self.trait and f"t{self.trait}", *abilities, self.actions > 1 and f"x{self.actions}", difficulty)

    def __str__(self) -> str:
        return joined("b8", self.typed)


class Impossible(Node):
    """An impossible attempt: `roll` is not made (B8-03)."""

    roll: Roll

    def __str__(self) -> str:
        return f"{self.roll} {IMPOSSIBLE}"


class Opposed(TwoSided):
    """A roll against a target's (B8-06)."""

    answer = "b8 t3"

    acting: Roll
    other: Roll | None = None

    def __post_init__(self) -> None:  # B8-06
        super().__post_init__()
        if self.acting.difficulty or (self.other and self.other.difficulty):
            raise ImpossibleError(NO_DIFFICULTY.format("it"), "difficulty")

    def __str__(self) -> str:
        target = f"@{self.against}" if self.other is None else self.other.typed or "t0"  # B8-09
        return f"{self.acting} vs {target}"


def _roll(clauses: Sequence[Clause]) -> Roll | Impossible | Opposed:
    """A roll, or an opposed one."""
    own, theirs = sides(clauses)
    said, other = values_of(own), values_of(theirs)
    if len(own) < len(clauses):
        if "difficulty" in said:  # B8-06
            raise ImpossibleError(NO_DIFFICULTY.format("it"), "difficulty")
        against = other.pop("against", None)
        return Opposed(Roll(**said), None if against else Roll(**other), against)
    if said.get("difficulty") == IMPOSSIBLE:
        del said["difficulty"]
        return Impossible(Roll(**said))
    return Roll(**said)


# The notation.

TRAIT = keyed("trait", "trait t", everyday=True, signed=True)  # B8-02
ABILITY = repeatable(keyed("abilities", "ability abilities a", everyday=True, signed=True))
ACTIONS = keyed("actions", "multitask x", everyday=True)  # B8-04
NUMBER = signed("difficulty", "+1 or -3")  # B8-03
WORD = choice("difficulty", {word: word for word in (*DIFFICULTIES, IMPOSSIBLE)} | PHRASES)
NOTHING = Token("nothing", LAST).suppress()  # B8-09

# Input that is refused.

DICE = refused(  # B8-01: `b8 2d6 t4`
    "2d6",
    r"[0-9]*d[0-9]+(?![a-z0-9])",
    "b8 rolls its 2d6 by itself: leave {} out.",
    asked=True,
    instead=lambda match: "" if match[0].lower() == "2d6" else None,  # the 4 of `b8 d4 a1` may have been meant
)
KEY = r"(?P<key>difficulty|diff|dc)\s*[:=]?\s*"
KEYED = refused(  # B8-03: `difficulty -1`
    "dc-1", rf"{KEY}(?=[-+]\s?[0-9]|{WORD.pattern})", 'write the difficulty without "{key}".', asked=True, instead=""
)
TARGET = refused(  # B8-03: `dc8`
    "dc8",
    rf"(?:{KEY}|target|tn)\s*[:=]?\s*(?=[0-9])",
    "the number to beat is always 8: a difficulty is a word, as severe, or a number with its sign, as -3.",
    asked=True,
)
THEN = rf"(?:{LAST}|(?=\s+vs{END}))"
NUMBERS = refused(  # GEN-12: `b8 4 1`, `b8 4`
    "4 1",
    rf"(?P<first>[0-9]+)\s+(?P<second>[0-9]+)(?:\s+[0-9]+)?{THEN}",
    "each number has its letter: t{first} is a trait, a{second} an ability.",
    asked=True,
)
NUMBER_ALONE = refused(  # GEN-12: `b8 4`, `b8 t3 4`
    "4",
    rf"(?P<number>[0-9]+){THEN}",
    '"{number}" could be a trait, t{number}, an ability, a{number}, or a difficulty, +{number}.',
    asked=True,
)
LONE = refused(  # GEN-05
    "4", LONE_NUMBER, '"vs {0}" could be a difficulty, +{0}, or the trait of the target, vs t{0}.', asked=True
)
NO_WORD = no_difficulty([*DIFFICULTIES, IMPOSSIBLE])

added = (TRAIT | ABILITY | ACTIONS).set_name("trait, ability or multitask")
difficulty = (NUMBER | WORD | KEYED | TARGET).set_name("difficulty")
own = added[...] + (difficulty + added[...])[...]  # once, anywhere
target = added[1, ...] | NOTHING
opposed = versus(
    target, added, example="the target's side, as t3", begins="[tax][0-9]", lone=LONE, difficulty=difficulty
)

GRAMMAR = (
    command_word("b8")
    + pp.Opt(DICE)
    + own
    + pp.Opt(NUMBERS | NUMBER_ALONE | NO_WORD)
    + pp.Opt(opposed + refused_clause(difficulty, NO_DIFFICULTY))
)
GRAMMAR.set_name("b8").set_parse_action(made_by(_roll))

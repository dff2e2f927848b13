"""Fayrewood: `toss 3 2 boon dc7`, one or two dice of a ladder and a modifier die."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pyparsing as pp

from grammars.command import Command
from grammars.errors import Objection
from grammars.line import shown
from grammars.tokens import (
    END,
    FLAGS,
    LARGEST,
    LAST,
    NICK_PATTERN,
    Clause,
    Token,
    at_nick,
    bounded,
    choice,
    clauses,
    command_word,
    flag,
    keyed,
    not_vs,
    once,
    refused,
)

KEYWORDS = ("toss", "sweep", "fw")
TIGHT = ("toss", "sweep", "fw")  # GEN-04: `tossd8 d6`
SYNONYMS = {
    "target": "dc", "tn": "dc", "against": "vs", "versus": "vs", "v": "vs",
    "advantage": "boon", "adv": "boon", "disadvantage": "bane", "dis": "bane", "fray": "frayed", "helpers": "help",
}  # fmt: skip
LADDER = (0, 4, 6, 8, 10, 12)  # FW-01: the sides of the die, by level
TOP = len(LADDER) - 1
MOST_MAINS = 2
MODIFIERS = {"boon": (4, 1), "bane": (4, -1), "frayed": (8, 1)}  # FW-03: sides, and added or subtracted
DIFFICULTIES = {  # FW-09, the seed's table
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
_LADDER = ", ".join(f"{level} {f'd{sides}' if sides else 'none'}" for level, sides in enumerate(LADDER))
_DICE = ", ".join(
    f"{name} {'adds' if sign > 0 else 'subtracts'} 1d{sides}" for name, (sides, sign) in MODIFIERS.items()
)
_WORDS = ", ".join(f"{number}{'+' if number == max(DIFFICULTIES) else ''} {w}" for number, w in DIFFICULTIES.items())
HELP = {
    "ladder": (f"Fayrewood's dice by level: {_LADDER}.", "Stepping, 3up2 or d8down, stops above d12 and below none."),
    **dict.fromkeys(("modifier", *MODIFIERS), (f"One modifier die at most: {_DICE} and costs a wound.",)),
    "difficulties": (f"Fayrewood's difficulties: {_WORDS}.",),
    "margin": ("The margin is total less difficulty. Won with a margin of the difficulty or more is a critical.",),
    "fumble": (
        "Won with exactly one main die on 1 is a fumble: done, at a cost. A critical may be one too.",
        "Two main dice on 1 are a catastrophic fumble: lost, whatever the total. The modifier die never counts.",
    ),
    "clash": (
        "The acting side wins where its total is at least the other's, which is its difficulty.",
        "A side with two 1s on its main dice has failed; where both have, the acting side loses.",
    ),
    "helping": (
        "The strongest pool tosses with a boon, or its skill steps up once a helper: help 2.",
        "A different task that helps is a toss of its own, said `for help`: its win grants a boon.",
    ),
    "try-again": ("A failed toss may be tried again where the story justifies it: the storyteller decides.",),
}


@dataclass(frozen=True, slots=True)
class Main:
    """A main die: a level of the ladder, and rungs to step up or down from it (FW-02).

    `rung` is the level after stepping, which stops at both ends; `stops` is 1 where it would go past d12, -1 below
    none, else 0.
    """

    level: int
    steps: int = 0
    rung: int = field(init=False, compare=False, repr=False)
    stops: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """FW-01, FW-02."""
        if not 0 <= self.level <= TOP:
            raise ValueError(f"a level is 0 to {TOP}, you wrote {self.level}")
        reached = self.level + self.steps
        object.__setattr__(self, "rung", min(max(reached, 0), TOP))
        object.__setattr__(self, "stops", (reached > TOP) - (reached < 0))

    def __str__(self) -> str:
        die = f"d{LADDER[self.level]}" if self.level else "0"
        if not self.steps:
            return die
        far = abs(self.steps)
        return f"{die}{'up' if self.steps > 0 else 'down'}{far if far > 1 else ''}"


@dataclass(frozen=True, slots=True)
class Pool:
    """One or two main dice, at most one modifier die, and helpers who step up the second main die.

    `dice` are the sides of the main dice to roll, in draw order; `stops` the ends of the ladder at which stepping
    stopped.
    """

    mains: tuple[Main, ...]
    modifier: str | None = None
    helpers: int = 0
    dice: tuple[int, ...] = field(init=False, compare=False, repr=False)
    stops: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what FW-01, FW-03 and FW-12 rule out."""
        if self.helpers < 0 or (self.helpers and (len(self.mains) < MOST_MAINS or self.modifier == "boon")):
            raise ValueError("helpers step up the second of two main dice, where there is no boon")
        stepped = self.mains
        if self.helpers:  # FW-12: the skill, from the rung that it is on
            stepped = (self.mains[0], Main(self.mains[1].rung, self.helpers))
        dice = tuple(LADDER[main.rung] for main in stepped if main.rung)
        if not 1 <= len(self.mains) <= MOST_MAINS or not dice:
            raise ValueError("a pool has one or two main dice, and one of them at least has a die")
        if self.modifier is not None and self.modifier not in MODIFIERS:
            raise ValueError(f"a modifier die is one of {', '.join(MODIFIERS)}")
        stops = {main.stops for main in (*self.mains, *stepped) if main.stops}
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "stops", tuple(sorted(stops, reverse=True)))

    @classmethod
    def of(cls, text: str, said: list[Clause]) -> Pool:
        """The pool of one side (FW-01, FW-03, FW-12)."""
        mains = [clause for clause in said if clause.name == "main"]
        modifiers = [clause for clause in said if clause.name == "modifier"]
        if mains[MOST_MAINS:]:
            raise _third(text, mains[MOST_MAINS])
        dice = tuple(_main(text, clause) for clause in mains)
        if modifiers[1:]:
            sentence = f"a pool has one modifier die at most: leave {_typed(modifiers[1])} out."
            raise Objection(text, modifiers[1].at, sentence)
        if not mains:
            raise Objection(text, said[0].at, "a pool needs a main die, as d8 or 3.")
        parts = once(text, (clause for clause in said if clause.name in ("modifier", "helpers")))
        if helpers := next((clause for clause in said if clause.name == "helpers"), None):
            if len(mains) < MOST_MAINS:
                raise Objection(text, helpers.at, "help steps up the second main die, and there is only one: say boon.")
            if parts.get("modifier") == "boon":
                raise Objection(text, helpers.at, "help steps up a die or brings a boon, not both: leave one out.")
        elif not any(main.rung for main in dice):
            raise Objection(text, mains[0].at, f"a pool needs a main die, and {_typed(mains[0])} is none.")
        return cls(dice, **parts)

    @property
    def thrown(self) -> tuple[object, ...]:
        """The dice, whatever stepped them and whichever is first (LED-22)."""
        return tuple(sorted(self.dice)), self.modifier

    @property
    def highest(self) -> int:
        """The highest total that can be rolled (FW-11): a bane takes at least 1 away."""
        if self.modifier is None:
            return sum(self.dice)
        sides, sign = MODIFIERS[self.modifier]
        return sum(self.dice) + (sides if sign > 0 else -1)

    @property
    def shown(self) -> str:
        """The dice that are thrown, as a reply shows them: after stepping."""
        return " ".join([*(f"d{sides}" for sides in self.dice), *([self.modifier] if self.modifier else [])])

    def __str__(self) -> str:
        parts = [*map(str, self.mains), *([self.modifier] if self.modifier else [])]
        return " ".join([*parts, f"help {self.helpers}"] if self.helpers else parts)


@dataclass(frozen=True, slots=True)
class Toss(Command):
    """A toss; without a difficulty only its total is judged (FW-15). `for_help`: its win grants a boon (FW-12).

    `asked`, how a reply shows it, is made of the rest: the dice that are thrown.
    """

    pool: Pool
    difficulty: int | None = None
    for_help: bool = False
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """FW-04."""
        _check_difficulty(self.difficulty)
        object.__setattr__(self, "asked", self._written(self.pool.shown))

    @property
    def rolled(self) -> tuple[object, ...]:
        """The dice that are thrown, and what for (LED-22)."""
        return Toss, self.pool.thrown, self.difficulty, self.for_help

    def __str__(self) -> str:
        return f"toss {self._written(str(self.pool))}"

    def _written(self, pool: str) -> str:
        text = pool if self.difficulty is None else f"{pool} dc{self.difficulty}"
        return f"{text} for help" if self.for_help else text


@dataclass(frozen=True, slots=True)
class Clash(Command):
    """Two pools against each other (FW-13). `against` is the nick that is asked; `other` is then unknown so far."""

    acting: Pool
    other: Pool | None = None
    against: str | None = None
    for_help: bool = False

    def __post_init__(self) -> None:
        """There is one other side: known, or asked."""
        if (self.other is None) == (self.against is None):
            raise ValueError("a clash has one other side")

    @property
    def rolled(self) -> tuple[object, ...]:
        """The dice of both sides (LED-22)."""
        other = self.other and self.other.thrown
        return Clash, self.acting.thrown, other, self.against and self.against.lower(), self.for_help

    @property
    def asked(self) -> str:
        """The clash as a reply shows it."""
        return self._written(self.acting.shown, self.other.shown if self.other else "")

    def __str__(self) -> str:
        return f"toss {self._written(str(self.acting), str(self.other))}"

    def _written(self, acting: str, other: str) -> str:
        text = f"{acting} vs {other if self.against is None else f'@{self.against}'}"
        return f"{text} for help" if self.for_help else text


@dataclass(frozen=True, slots=True)
class Sweep(Command):
    """The question whether a toss may be swept (FW-11)."""

    pool: Pool
    difficulty: int

    def __post_init__(self) -> None:
        """FW-11: no helpers are part of it."""
        _check_difficulty(self.difficulty)
        if self.pool.helpers:
            raise ValueError("a sweep takes main dice, a modifier die and a difficulty")

    @property
    def asked(self) -> str:
        """The sweep as a reply shows it."""
        return f"sweep {self.pool.shown} dc{self.difficulty}"

    def __str__(self) -> str:
        return f"sweep {self.pool} dc{self.difficulty}"


def _check_difficulty(difficulty: int | None) -> None:
    if difficulty is not None and difficulty < 1:
        raise ValueError(f"a difficulty is 1 or more, you wrote dc{difficulty}")


# What parse actions make of tokens, and what they object to.


def _typed(clause: Clause) -> str:
    return shown(clause.typed, 12)


def _die(_text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """A main die by its parts. The pool judges them: a third number may be a difficulty."""
    return Clause("main", tokens.as_dict(), at, tokens[0])


def _main(text: str, clause: Clause) -> Main:
    """FW-01, FW-02: a level or a die of the ladder, stepped."""
    die, typed = clause.value, _typed(clause)
    level = _level_of_die(text, clause) if die["sides"] else int(die["level"][:12])
    if level > TOP:
        number = shown(die["level"], 12)
        as_die = f"a die is written d{number} and " if level in LADDER else ""
        sentence = f"a level is 0 to {TOP}, you wrote {number}: {as_die}a difficulty is written dc7."
        raise Objection(text, clause.at, sentence)
    if die["apart"]:  # GEN-12: `toss d8 up the stairs`
        tight = typed.replace(" ", "")
        sentence = f'"{typed}" could be a stepped die, {tight}, or a comment, which begins with #.'
        raise Objection(text, clause.at, sentence, asked=bool(die["sides"]))
    if not die["way"]:
        return Main(level)
    steps = bounded(text, clause.at, typed, die["rungs"] or "1", 1, LARGEST, "a number of rungs")
    return Main(level, steps if die["way"].lower() == "up" else -steps)


def _level_of_die(text: str, clause: Clause) -> int:
    """FW-01: the level of d4 to d12, each by itself."""
    sides, count = int(clause.value["sides"][:12]), clause.value["count"] or "1"
    if sides not in LADDER[1:]:
        dice = ", ".join(f"d{sides}" for sides in LADDER[1:])
        raise Objection(text, clause.at, f"a main die is one of {dice}, you wrote {_typed(clause)}.")
    if int(count[:12]) != 1:
        sentence = f"each main die is typed by itself, as d{sides} d{sides}, not {_typed(clause)}."
        raise Objection(text, clause.at, sentence)
    return LADDER.index(sides)


def _third(text: str, clause: Clause) -> Objection:
    """FW-01, and GEN-12: `toss 3 2 7`. Uncalled it is asked where nothing follows."""
    die, typed = clause.value, _typed(clause)
    if die["sides"] or die["way"] or not int(die["level"][:12]):
        return Objection(text, clause.at, f"a pool has two main dice at most: leave {typed} out.")
    sentence = f'"{typed}" could be a difficulty, dc{typed}, or a third main die, and a pool has two at most.'
    asked = re.compile(LAST, FLAGS).match(text, clause.at + len(clause.typed)) is not None
    return Objection(text, clause.at, sentence, asked=asked)


def _toss(text: str, _at: int, tokens: pp.ParseResults) -> Toss | Clash:
    """A toss, or a clash where `vs` is among the clauses."""
    said = list(tokens)
    if any(clause.name == "vs" for clause in said):
        return _clash(text, said)
    return Toss(Pool.of(text, said), **once(text, (c for c in said if c.name in ("difficulty", "for_help"))))


def _clash(text: str, said: list[Clause]) -> Clash:
    """FW-13: two pools, and no difficulty."""
    versus, *more = (i for i, clause in enumerate(said) if clause.name == "vs")
    mine, other = said[:versus], said[versus + 1 :]
    if more:
        raise Objection(text, said[more[0]].at, "a clash has two sides: leave the second vs out.")
    if difficulty := next((clause for clause in said if clause.name == "difficulty"), None):
        sentence = f"with vs the other side's total is the difficulty: leave {_typed(difficulty)} out."
        raise Objection(text, difficulty.at, sentence)
    for_help = "for_help" in once(text, (clause for clause in said if clause.name == "for_help"))
    acting = Pool.of(text, mine)
    asked, late = other[0], [clause for clause in other[1:] if clause.name != "for_help"]
    if asked.name == "number":  # GEN-05
        toss, number = shown(text[: said[versus].at].strip(), 60), int(asked.value)
        sentence = f'"vs {number}" could be a difficulty, {toss} dc{number}, or a die, {toss} vs d{LADDER[number]}.'
        raise Objection(text, said[versus].at, sentence, asked=True)
    if asked.name == "no_at":
        sentence = f"vs needs main dice, as d10 d4, or a nick with its @, as @{shown(asked.value)}."
        hint, certain = f"{text[: asked.at].lstrip()}@{text[asked.at :]}", len(acting.mains) == MOST_MAINS
        raise Objection(text, asked.at, sentence, asked=certain, hint=hint)
    if asked.name != "against":
        return Clash(acting, Pool.of(text, other), for_help=for_help)
    if late:
        sentence = f"@{asked.value} answers with a toss of their own: leave {_typed(late[0])} out, or put it before vs."
        raise Objection(text, late[0].at, sentence)
    return Clash(acting, against=asked.value, for_help=for_help)


def _sweep(text: str, _at: int, tokens: pp.ParseResults) -> Sweep:
    """FW-11: main dice, a modifier die, a difficulty."""
    pool = Pool.of(text, list(tokens))
    difficulty = once(text, (clause for clause in tokens if clause.name == "difficulty"))
    if not difficulty:
        raise Objection(text, len(text), "a sweep needs a difficulty too, as dc3.")
    return Sweep(pool, **difficulty)


def _not_swept(text: str, at: int, tokens: pp.ParseResults) -> None:
    """FW-11."""
    raise Objection(text, at, f"a sweep is main dice, a modifier die and a difficulty: leave {tokens[0]} out.")


# The notation: what is typed ...

DIE = r"(?:(?P<count>[0-9]*)d\s?(?P<sides>[0-9]+)|(?P<level>[0-9]+))(?![0-9]|\.[0-9])"
STEP = r"(?:(?P<apart>\s?)(?P<way>up|down)(?![a-z])(?P<rungs>[0-9]*))?"
MAIN = Token("d8, 3 or d8up2", rf"{DIE}{STEP}").set_parse_action(_die)  # FW-01, FW-02
MODIFIER = choice("modifier", {name: name for name in MODIFIERS})  # FW-03
DIFFICULTY = keyed("difficulty", "difficulty diff dc", 1, says="a difficulty")  # FW-04
WORD = choice("difficulty", {word.lower(): number for number, word in DIFFICULTIES.items()})  # FW-09, GEN-18
HELP_BY = keyed("helpers", "help", 1, says="the number of helpers")  # FW-12
FOR_HELP = flag("for_help", "for help")
VERSUS = flag("vs", "vs.", "vs")  # FW-13
NICK = at_nick()
THE_END = Token("end", LAST)

# ... what is refused ...

VERSUS_NUMBER = refused("5", rf"[1-{TOP}]{LAST}", lambda _, at, t: Clause("number", t[0], at, t[0]))  # GEN-05
A_NAME = rf"(?:(?<=vs )|(?<=vs\. ))(?=[a-z_]){NICK_PATTERN}{LAST}"
NOT_VS = not_vs("d?[0-9]")
NO_AT = refused("bob", A_NAME, lambda _, at, t: Clause("no_at", t[0], at, t[0]))
NOT_SWEPT = refused("help or vs", rf"(?:help|vs){END}", _not_swept)

# ... and the commands.

part = MAIN | MODIFIER | DIFFICULTY | WORD | HELP_BY
for_help = FOR_HELP + pp.FollowedBy(part | VERSUS | THE_END)  # else a comment: `for help me out`
clause = (part | for_help).set_name("main die, modifier die, difficulty or help")
opponent = VERSUS_NUMBER | NICK + clauses(clause) | clause[1, ...] | NO_AT
versus = VERSUS - opponent.set_name("main dice, as d10 d4, or @nick")
swept = (MAIN | MODIFIER | DIFFICULTY | WORD | NOT_SWEPT).set_name("main die, modifier die or difficulty")

toss = (command_word("toss", "fw") - clause[1, ...] + clauses(versus | NOT_VS)).set_parse_action(_toss)
sweep = (command_word("sweep") - swept[1, ...]).set_parse_action(_sweep)

GRAMMAR = toss | sweep

"""Beat Eight: `b8 t4 a1 severe`, two dice and what is added, to beat 8."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby

import pyparsing as pp

from grammars.command import Command
from grammars.errors import Objection
from grammars.line import shown
from grammars.tokens import (
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

KEYWORDS = ("b8",)
CERTAIN = ("b8",)  # GEN-03
TIGHT = ("b8",)  # GEN-04: `b8t4a1`
SYNONYMS = {
    "against": "vs", "versus": "vs", "v": "vs", "opposed": "vs",
    "attribute": "trait", "stat": "trait", "skill": "ability", "multi": "multitask", "actions": "multitask",
}  # fmt: skip
DIFFICULTIES = {  # B8-03, the seed's ladder
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
PHRASES = {  # the same in the seed's full words (GEN-18)
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

EXAMPLES = {
    "b8 t4 a1": "two dice, trait 4 and an ability of 1, to beat 8; `b8 trait 4 ability 1` is the same",
    "b8 t4 a1 severe": "the same at a difficulty by its word; `b8 t4 a1 -3` by its number",
    "b8 t4 x3": "one of three actions at once, each at -4; `b8 t4 multitask 3` is the same",
    "b8 t4 a1 vs t3 x2": "an opposed roll in one line; a tie goes to the target",
    "b8 t4 vs @bob": "an opposed roll that bob answers with `b8 t3`, or `pass`",
    "b8 impossible": "nothing is rolled: the narrator decides",
}
_LADDER = [f"{value:+} {' or '.join(words)}" for value, words in groupby(DIFFICULTIES, DIFFICULTIES.__getitem__)]
HELP = {
    "difficulty-words": (f"Beat Eight's difficulties: {', '.join(_LADDER)}; other numbers are allowed, from -7.",),
    "snake-eyes": (
        "Snake-eyes, two 1s, always fail, and bring further harm as the narrator sees fit.",
        "Opposed, the initiator's fail whatever the target rolls; the target's lose to anything but snake-eyes.",
    ),
    "double-sixes": (
        "Double sixes always succeed, and bring a further gain.",
        "Opposed, they beat all but double sixes; then the totals decide, and a tie goes to the target.",
    ),
    "multitask": ("xN: one of N actions at once. Each of their rolls is at -2 for every action after the first.",),
    "opposed": (
        "Dice, trait and abilities less multitask on each side: the higher wins, a tie goes to the target.",
        "In a chain each roll is a contest of its own: who parries acts, so the attacker wins that tie.",
    ),
}

Added = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """What one side adds to its dice: a trait, abilities, and less for each further action at once (B8-04).

    `added`, each part by its name, and `bonus`, their sum, are made of the rest.
    """

    trait: int = 0
    abilities: tuple[int, ...] = ()
    actions: int = 1
    added: Added = field(init=False, compare=False, repr=False)
    bonus: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """B8-04: one action at least."""
        if self.actions < 1:
            raise ValueError(f"x counts the actions at once, from 1, you wrote x{self.actions}")
        abilities, multitask = sum(self.abilities), EACH_ACTION * (self.actions - 1)
        object.__setattr__(self, "added", (("trait", self.trait), ("abilities", abilities), ("multitask", multitask)))
        object.__setattr__(self, "bonus", self.trait + abilities + multitask)

    @classmethod
    def of(cls, text: str, said: list[Clause]) -> Side:
        """B8-02: a trait and a number of actions at most once, any number of abilities."""
        abilities = tuple(clause.value for clause in said if clause.name == "ability")
        return cls(abilities=abilities, **once(text, (c for c in said if c.name in ("trait", "actions"))))

    @property
    def rolled(self) -> tuple[int, int]:
        """What is added, by whatever parts, and the actions at once (LED-22)."""
        return self.trait + sum(self.abilities), self.actions

    def __str__(self) -> str:
        parts = [f"t{self.trait}"] if self.trait else []
        parts += [f"a{ability}" for ability in self.abilities]
        return " ".join([*parts, f"x{self.actions}"] if self.actions > 1 else parts)


@dataclass(frozen=True, slots=True)
class Roll(Command):
    """A roll to beat 8 (B8-02); `word` is the difficulty's, where it was typed as a word.

    `added`, `bonus` and `asked`, how it is posted, are made of the rest.
    """

    side: Side = field(default_factory=Side)
    difficulty: int = 0
    word: str | None = None
    added: Added = field(init=False, compare=False, repr=False)
    bonus: int = field(init=False, compare=False, repr=False)
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """B8-03: nothing is harder than -7, and a word has one number."""
        if self.difficulty < HARDEST:
            raise ValueError("the hardest difficulty is -7: say -7 or impossible")
        if self.word is not None and DIFFICULTIES.get(self.word) != self.difficulty:
            raise ValueError(f"{self.word} is no word for {self.difficulty:+}")
        said = self.word or (f"{self.difficulty:+}" if self.difficulty else "")
        object.__setattr__(self, "added", (*self.side.added, (self.word or "difficulty", self.difficulty)))
        object.__setattr__(self, "bonus", self.side.bonus + self.difficulty)
        object.__setattr__(self, "asked", " ".join(filter(None, ("b8", str(self.side), said))))

    @property
    def rolled(self) -> tuple[object, ...]:
        """What is added, and the difficulty, by word or by number (LED-22)."""
        return Roll, self.side.rolled, self.difficulty

    def __str__(self) -> str:
        return self.asked


@dataclass(frozen=True, slots=True)
class Impossible(Command):
    """B8-03: an attempt that no roll decides."""

    side: Side = field(default_factory=Side)

    def __str__(self) -> str:
        return " ".join(filter(None, ("b8", str(self.side), IMPOSSIBLE)))


@dataclass(frozen=True, slots=True)
class Opposed(Command):
    """A roll against a target's (B8-06). `against` is the nick that is asked; `target` is then unknown so far."""

    initiator: Side
    target: Side | None = None
    against: str | None = None

    def __post_init__(self) -> None:
        """There is one other side: known, or asked."""
        if (self.target is None) == (self.against is None):
            raise ValueError("an opposed roll has one target")

    @property
    def rolled(self) -> tuple[object, ...]:
        """What both sides add (LED-22)."""
        return Opposed, self.initiator.rolled, self.target and self.target.rolled, self.against and self.against.lower()

    def __str__(self) -> str:
        other = f"@{self.against}" if self.target is None else str(self.target) or "t0"  # B8-09
        return " ".join(filter(None, ("b8", str(self.initiator), "vs", other)))


def answered(opening: Opposed, answer: Side) -> Opposed:
    """The opposed roll once its target is known."""
    return replace(opening, target=answer, against=None)


# What parse actions make of tokens, and what they object to.


def _difficulty(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """B8-03: a difficulty by its number."""
    typed = tokens[0]
    value = bounded(text, at, typed, tokens.sign + tokens.number, -LARGEST, LARGEST, "a difficulty")
    if value < HARDEST:
        raise Objection(text, at, f"the hardest difficulty is -7: say -7 or impossible, you wrote {value}.")
    return Clause("difficulty", value, at, typed)


def _roll(text: str, _at: int, tokens: pp.ParseResults) -> Roll | Impossible | Opposed:
    """A roll, or an opposed one where `vs` is among the clauses."""
    said = list(tokens)
    if any(clause.name == "vs" for clause in said):
        return _opposed(text, said)
    side = Side.of(text, said)
    difficulty = once(text, (c for c in said if c.name == "difficulty")).get("difficulty", 0)
    if difficulty == IMPOSSIBLE:
        return Impossible(side)
    if isinstance(difficulty, str):
        return Roll(side, DIFFICULTIES[difficulty], difficulty)
    return Roll(side, difficulty)


def _opposed(text: str, said: list[Clause]) -> Opposed:
    """B8-06: two sides, and no difficulty."""
    versus, *more = (i for i, clause in enumerate(said) if clause.name == "vs")
    mine, other = said[:versus], said[versus + 1 :]
    if more:
        raise Objection(text, said[more[0]].at, "an opposed roll has two sides: leave the second vs out.")
    if difficulty := next((clause for clause in said if clause.name == "difficulty"), None):
        typed = shown(difficulty.typed)
        raise Objection(text, difficulty.at, f"difficulty is no part of an opposed roll: leave {typed} out.")
    initiator = Side.of(text, mine)
    if not other:
        return Opposed(initiator, Side())  # B8-09
    asked, *late = other
    if asked.name == "number":  # GEN-05
        roll, number = shown(text[: said[versus].at].strip(), 60), shown(asked.value, 12)
        meanings = f"a difficulty, {roll} +{number}, or the target's trait, {roll} vs t{number}"
        raise Objection(text, said[versus].at, f'"vs {number}" could be {meanings}.', asked=True)
    if asked.name == "no_at":
        sentence = f"vs needs the target's side, as t3, or a nick with its @, as @{shown(asked.value)}."
        raise Objection(text, asked.at, sentence, hint=f"{text[: asked.at].lstrip()}@{text[asked.at :]}")
    if asked.name != "against":
        return Opposed(initiator, Side.of(text, other))
    if late:
        sentence = f"@{asked.value} answers with a roll of their own: leave {late[0].typed} out, or put it before vs."
        raise Objection(text, late[0].at, sentence)
    return Opposed(initiator, against=asked.value)


def _without_letter(text: str, at: int, tokens: pp.ParseResults) -> None:
    """GEN-12: `b8 4`, `b8 t3 4`."""
    number = shown(tokens[0], 12)
    sentence = f'"{number}" could be a trait, t{number}, an ability, a{number}, or a difficulty, +{number}.'
    raise Objection(text, at, sentence, asked=True)


# The notation: what is typed ...

TRAIT = keyed("trait", "trait t", -LARGEST, everyday=True)  # B8-02
ABILITY = keyed("ability", "ability abilities a", -LARGEST, everyday=True)
ACTIONS = keyed("actions", "multitask x", 1, says="x, the number of actions at once,", everyday=True)  # B8-04
DIFFICULTY = Token("+1 or -3", r"(?P<sign>[-+])\s?(?P<number>[0-9]+)(?!\.?[0-9])").set_parse_action(_difficulty)
WORDS = {word: word for word in (*DIFFICULTIES, IMPOSSIBLE)}  # B8-03
WORD = choice("difficulty", WORDS | PHRASES)
VERSUS = flag("vs", "vs.", "vs")  # B8-06
NICK = at_nick()
NOTHING = Token("nothing", LAST).suppress()  # B8-09

# ... what is refused ...

NUMBER = refused("4", rf"[0-9]+{LAST}", _without_letter)  # GEN-12
VERSUS_NUMBER = refused("3", rf"[0-9]+{LAST}", lambda _, at, t: Clause("number", t[0], at, t[0]))  # GEN-05
A_NAME = rf"(?:(?<=vs )|(?<=vs\. ))(?=[a-z_]){NICK_PATTERN}{LAST}"
NOT_VS = not_vs("[tax][0-9]")
NO_AT = refused("bob", A_NAME, lambda _, at, t: Clause("no_at", t[0], at, t[0]))

# ... and the command.

clause = (TRAIT | ABILITY | ACTIONS | DIFFICULTY | WORD).set_name("what is added")
target = VERSUS_NUMBER | NICK + clauses(clause) | clause[1, ...] | NOTHING | NO_AT
versus = VERSUS - target.set_name("the target's side, as t3, or @nick")

GRAMMAR = (command_word("b8") + clauses(clause | NUMBER) + clauses(versus | NOT_VS)).set_parse_action(_roll)

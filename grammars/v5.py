"""V5 Hunger pools: `roll 5d10 h2 dc3` and what follows it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pyparsing as pp

from grammars.command import Command
from grammars.errors import Objection
from grammars.line import shown
from grammars.tokens import (
    END,
    LAST,
    MOST_DICE,
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
    number,
    once,
    reference,
    refused,
    word,
)

KEYWORDS = ("roll", "r", "v5", "rouse", "wp", "hunger", "autowin")
CALLED = ("r",)  # GEN-14
BARE = ("rouse",)  # GEN-10: certain enough alone where the channel plays V5
TAKES_DICE = ("roll", "v5")
SYNONYMS = {"target": "dc", "tn": "dc", "dv": "dc", "against": "vs", "versus": "vs", "v": "vs", "beast": "hunger"}
EXAMPLES = {
    "roll 5d10 h2 dc3": "five dice, the last two of them Hunger dice, against Difficulty 3",
    "roll 5d10 h2": "the same without a Difficulty: the successes, and what would follow",
    "v5 3+4+1 h2 dc3": "a pool by its parts: Attribute, Ability, specialty; `v5 8 2 3` is `v5 8 h2 dc3`",
    "roll 4d10 willpower": "a Willpower pool; `humanity` (or `morality`) likewise: no Hunger dice",
    "roll 6d10 h2 vs 5d10 h1": "a contest in one line",
    "roll 6d10 h2 vs @bob": "a contest that bob answers with a roll of his own, or `pass`",
    "rouse": "a rouse check; `rouse 2` makes two",
    "wp": "after a roll: spend Willpower, reroll up to three failed dice; `wp 2`, `wp tens`, `wp 1 #4d`",
    "hunger 2": "after a roll without `h`: say the Hunger afterwards; `hunger 2 #4d`",
    "autowin 9 dc4 h1": "would a pool of 9 win automatically against Difficulty 4 at Hunger 1?",
}
HELP = {  # V5-26: two lines each
    "messy": (
        "Messy critical: a critical with a ten on a Hunger die. It succeeds, as the Beast would do it.",
        "Storyteller and player may agree on stains, a breach of the Masquerade, a lost dot of an Advantage, "
        "or a mess to clean up.",
    ),
    "bestial": (
        "Bestial failure: the Difficulty was not met and a Hunger die shows 1. A roll that passes never is one.",
        "It may be a Compulsion acted out, an Advantage lost, aggravated damage, or Hunger rising by one.",
    ),
    "botch": (
        "Botch (house rule): no success at all and at least one 1 on any die.",
        "It may be an injury, a tool damaged or lost, unwanted attention, or what a bestial failure brings.",
    ),
    "willpower": (
        "Willpower: once per roll, for one superficial damage, reroll up to three dice that are not Hunger dice.",
        '"wp" takes the lowest that failed, "wp 2" the two lowest, "wp tens" the tens; never on rouse, willpower '
        "or humanity rolls.",
    ),
}

MOST_HUNGER = 5  # V5-05
MOST_REROLLED = 3  # V5-14
SMALLEST_DIFFICULTY = 1  # V5-04
KINDS = {"willpower": "willpower", "humanity": "humanity", "morality": "humanity"}  # V5-12
MOST_COUNTED = 10  # GEN-12: `roll 5` is a pool or a die up to this number


@dataclass(frozen=True, slots=True)
class Pool(Command):
    """A pool of `dice` d10. `hunger` None is Hunger not said (V5-21); `terms` are the parts of the long form.

    `asked` is the pool without its command word, as one side of a contest is written.
    """

    dice: int
    hunger: int | None = None
    difficulty: int | None = None
    kind: str = "hunger"
    terms: tuple[int, ...] = ()
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what V5-01, V5-04, V5-05 and V5-12 rule out."""
        if not 1 <= self.dice <= MOST_DICE:
            raise ValueError(f"a pool has 1 to {MOST_DICE} dice, you wrote {self.dice}")
        if self.hunger is not None and not 0 <= self.hunger <= MOST_HUNGER:
            raise ValueError(f"hunger is 0 to {MOST_HUNGER}, you wrote h{self.hunger}")
        if self.difficulty is not None and self.difficulty < SMALLEST_DIFFICULTY:
            raise ValueError(f"a Difficulty is {SMALLEST_DIFFICULTY} or more, you wrote dc{self.difficulty}")
        if self.kind != "hunger" and self.hunger is not None:
            raise ValueError(f"{self.kind} pools never hold Hunger dice")
        object.__setattr__(self, "asked", self._written())

    @classmethod
    def of(cls, text: str, _at: int, tokens: pp.ParseResults) -> Pool:
        """A pool from its dice or terms and its clauses."""
        said = once(text, tokens)
        terms = said.pop("terms", ())
        hunger = next((clause for clause in tokens if clause.name == "hunger"), None)
        if hunger and "kind" in said:  # V5-12
            raise Objection(text, hunger.at, f"{said['kind']} pools never hold Hunger dice: leave {hunger.typed} out.")
        return cls(dice=said.pop("dice", 0) or sum(terms), terms=terms, **said)

    @property
    def rolled(self) -> Pool:
        """The same pool, by whatever parts it was said (LED-22)."""
        return replace(self, terms=())

    def __str__(self) -> str:
        return f"{'v5' if self.terms else 'roll'} {self.asked}"

    def _written(self) -> str:
        text = _signed_sum(self.terms) if self.terms else f"{self.dice}d10"
        if self.hunger is not None:
            text += f" h{self.hunger}"
        if self.kind != "hunger":
            text += f" {self.kind}"
        return text if self.difficulty is None else f"{text} dc{self.difficulty}"


@dataclass(frozen=True, slots=True)
class Contest(Command):
    """Two pools against each other (V5-19). `against` is the nick that is asked; `other` is then unknown so far.

    `word` is the command word as typed: where `roll` means other dice, the answer needs `v5` too.
    """

    acting: Pool
    other: Pool | None = None
    against: str | None = None
    word: str = field(default="roll", compare=False, repr=False)

    @property
    def rolled(self) -> Contest:
        """The same contest, by whatever parts its pools were said (LED-22)."""
        other, against = self.other and self.other.rolled, self.against and self.against.lower()
        return Contest(self.acting.rolled, other, against)

    def __str__(self) -> str:
        return f"{self.acting} vs {self.other.asked if self.other else f'@{self.against}'}"


@dataclass(frozen=True, slots=True)
class Rouse(Command):
    """`count` rouse checks (V5-13)."""

    count: int = 1

    def __str__(self) -> str:
        return "rouse" if self.count == 1 else f"rouse {self.count}"


@dataclass(frozen=True, slots=True)
class Willpower(Command):
    """A Willpower reroll (V5-14). `count` None is plain `wp`; `ref` names a roll, else it is the speaker's latest."""

    count: int | None = None
    tens: bool = False
    hunger: int | None = None
    ref: str | None = None

    def __str__(self) -> str:
        tens = " tens" if self.tens else ""
        return f"wp{_number(' ', self.count)}{tens}{_number(' h', self.hunger)}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class SayHunger(Command):
    """Hunger said after the roll (V5-21)."""

    hunger: int
    ref: str | None = None

    def __str__(self) -> str:
        return f"hunger {self.hunger}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class AutomaticWin(Command):
    """The question whether a pool wins without a roll (V5-18)."""

    terms: tuple[int, ...]
    difficulty: int
    hunger: int

    @property
    def pool(self) -> int:
        """Dice in the pool."""
        return sum(self.terms)

    def __str__(self) -> str:
        return f"autowin {_signed_sum(self.terms)} dc{self.difficulty} h{self.hunger}"


def _number(mark: str, value: int | None) -> str:
    return "" if value is None else f"{mark}{value}"


def _reference(ref: str | None) -> str:
    return "" if ref is None else f" #{ref}"


def _signed_sum(terms: tuple[int, ...]) -> str:
    return "+".join(map(str, terms)).replace("+-", "-")


# What parse actions make of tokens, and what they object to.


def _dice(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """V5-01: the dice of `Nd10`, one where N is left out."""
    if tokens.sides != "10":
        raise Objection(text, at, f"a V5 pool is rolled with d10, you wrote {shown(tokens[0])}.")
    if tokens.bang:  # GEN-12
        dice = f"{tokens.count or 1}d10"
        sentence = f'"{shown(tokens[0])}" could be the pool, roll {dice}, or exploding dice, roll ({dice}!).'
        raise Objection(text, at, sentence, asked=True)
    count = bounded(text, at, tokens[0], tokens.count or "1", 1, MOST_DICE, "the number of dice in a pool")
    return Clause("dice", count, at, tokens[0])


def _terms(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """V5-01: the parts of a pool, which must come to a pool that can be rolled."""
    typed = "".join(tokens)
    terms = tuple(int(t[:12]) for t in "".join(tokens).replace("-", "+-").split("+") if t)
    if not 1 <= sum(terms) <= MOST_DICE:
        came_to = f"{shown(typed)} comes to {shown(str(sum(terms)))}" if len(terms) > 1 else f"you wrote {shown(typed)}"
        raise Objection(text, at, f"a pool is 1 to {MOST_DICE} dice, {came_to}.")
    return Clause("terms", terms, at, typed)


def _added_to_dice(text: str, at: int, tokens: pp.ParseResults) -> None:
    """V5-27: `5d10+2 h2` may be a pool of seven."""
    before, _, dice = text[:at].rpartition(" ")
    pool = f"{dice.lower().partition('d')[0] or 1}{tokens[0]}"
    sentence = f'is "{shown(dice + tokens[0])}" a pool? Its modifier is part of it, and the 10 is implied.'
    raise Objection(text, len(before) + 1, sentence, asked=True, hint=f"v5 {pool}{text[at + len(tokens[0]) :]}")


def _tracked(text: str, at: int, tokens: pp.ParseResults) -> None:
    """V5-22."""
    sentence = f"{tokens[0]} alone stands for a tracked Hunger, and none is tracked here: say h0 to h{MOST_HUNGER}."
    raise Objection(text, at, sentence)


def _no_hunger(text: str, at: int, _tokens: pp.ParseResults) -> None:
    """V5-12."""
    raise Objection(text, at, "a rouse check never holds Hunger dice: leave the Hunger out.")


def _two_meanings(text: str, at: int, tokens: pp.ParseResults) -> None:
    """GEN-12: `roll 4d10 wp`."""
    pool = text[:at].split(" h")[0].strip()
    willpower = f"{shown(pool)} willpower"
    sentence = f'"{tokens[0]}" could be a Willpower pool, {willpower}, or a reroll, which is wp on a line of its own.'
    raise Objection(text, at, sentence, asked=True)


def _lone_number(text: str, at: int, tokens: pp.ParseResults) -> None:
    """GEN-05."""
    sentence = f'is "vs {tokens[0]}" a difficulty, dc{tokens[0]}, or a pool? For a pool write vs {tokens[0]}d10.'
    raise Objection(text, at, sentence, asked=True)


def _name(text: str, at: int, _tokens: pp.ParseResults) -> None:
    """V5-19: `vs bob`."""
    raise Objection(text, at, "vs needs a pool, as 5d10, or @nick.", hint=f"{text[:at]}@{text[at:]}")


def _pool_or_die(text: str, at: int, tokens: pp.ParseResults) -> None:
    """GEN-12: `roll 5`, `roll 7 2` where V5 is played."""
    numbers = tokens[0].split()
    if max(map(int, numbers)) > MOST_COUNTED:
        raise pp.ParseException(text, at, "no pool")
    pool = f"v5 {' h'.join(numbers)}"
    die = f"roll d{numbers[0]}" if len(numbers) == 1 else f"a number from {' to '.join(numbers)}"
    raise Objection(text, at, f"is that a pool, {pool}, or a die, {die}?")


def _opposed(text: str, _at: int, tokens: pp.ParseResults) -> Pool | Contest:
    """V5-19: a pool alone, or against another or @nick."""
    acting, *further = tokens
    if not further:
        return acting  # type: ignore[no-any-return]  # pyparsing's results are untyped
    versus, other = further[0], further[1]
    sides = [acting] if isinstance(other, Clause) else [acting, other]
    if any(side.difficulty for side in sides):
        dc = next(side.difficulty for side in sides if side.difficulty)
        raise Objection(text, versus.at, f"with vs the other side's successes are the difficulty: leave dc{dc} out.")
    if isinstance(other, Clause):
        return Contest(acting, against=other.value)
    return Contest(acting, other)


def _by_v5(tokens: pp.ParseResults) -> Pool | Contest:
    """GEN-06: a contest that `v5` opened is answered with `v5`, which is the pool's word in every channel."""
    return replace(tokens[0], word="v5") if isinstance(tokens[0], Contest) else tokens[0]


def _after_contest(text: str, at: int, tokens: pp.ParseResults) -> None:
    """V5-19: what cannot follow the second side."""
    typed = shown(tokens[0].strip())
    if tokens.versus:
        raise Objection(text, at, f"a contest has two sides: leave {typed} out.")
    if tokens.difficulty:
        raise Objection(text, at, f"with vs the other side's successes are the difficulty: leave {typed} out.")
    raise Objection(text, at, f"{typed} after @nick is for the other side to say: put your own before vs.")


def _autowin(text: str, _at: int, tokens: pp.ParseResults) -> AutomaticWin:
    """V5-18."""
    said = once(text, tokens)
    for name, example in (("difficulty", "dc2"), ("hunger", "h0")):
        if name not in said:
            raise Objection(text, len(text), f"autowin needs the {name} too, as {example}.")
    return AutomaticWin(**said)


# The notation.

HUNGER = keyed("hunger", "hunger h", 0, MOST_HUNGER)  # V5-05
DIFFICULTY = keyed("difficulty", "difficulty diff dc", SMALLEST_DIFFICULTY, says="a difficulty")  # V5-04
KIND = choice("kind", KINDS)  # V5-12
VERSUS = flag("vs", "vs.", "vs")  # V5-19
NICK = at_nick()
REF = reference()  # GEN-09
TENS = flag("tens")  # V5-24
D10 = Token("5d10", r"(?P<count>[0-9]*)\s?d\s?(?P<sides>10)(?P<bang>!(?=\s*$|\s+h|\s+dc))?(?![0-9%o!]|\.[0-9])")
ANY_DICE = Token("5d10", r"(?P<count>[0-9]*)\s?d\s?(?P<sides>[0-9]+)(?![0-9%o]|\.[0-9])")
SIGN = Token("+ or -", r"[-+]")
COLON = Token(":", r"[:=]?").suppress()
PART = Token("a number", r"[0-9]+(?![0-9d]|\.[0-9])")
ADDED = refused("+2", r"[-+]\s?[0-9]+(?=\s*(?:h|dc|diff))", _added_to_dice)  # V5-27
TRACKED = refused("h", rf"(?:hunger|h){END}", _tracked)  # V5-22
AMBIGUOUS = refused("wp", r"(?:wp|will)(?![a-z0-9])", _two_meanings)
LONE = refused("a number", r"[0-9]+(?![0-9d+-]|\.[0-9]|\s*[-+d])", _lone_number)
AFTER = refused(
    "vs",
    r"(?P<versus>vs\s.*)|(?P<difficulty>(?:difficulty|diff|dc)\s*[:=]?\s*[0-9]+)"
    r"|(?:hunger|h)\s*[:=]?\s*[0-9]+|willpower|humanity|morality",
    _after_contest,
)
NAME = refused("bob", rf"(?=[a-z_]){NICK_PATTERN}{LAST}", _name)
COUNT = number("count", 1, MOST_REROLLED, says="the number of dice that wp rerolls")
CHECKS = number("count", 1, MOST_DICE, says="the number of rouse checks")
TIMES = Token("x", r"(?:x(?=[0-9]))?").suppress()
NO_HUNGER = refused("h", r"(?:hunger|h)(?![a-z])\s*[0-9]*", _no_hunger)

dice = D10.set_parse_action(_dice)
any_dice = ANY_DICE.set_parse_action(_dice)
total = (pp.Opt(SIGN) + PART + (SIGN - PART)[...]).set_name("3+4+1").set_parse_action(_terms)
sum_of_two = (PART + (SIGN + PART)[1, ...]).set_name("3+4").set_parse_action(_terms)
clause = HUNGER | DIFFICULTY | KIND | TRACKED | AMBIGUOUS | ADDED

pool = (dice + clauses(clause)).set_name("pool").set_parse_action(Pool.of)
side = ((any_dice | sum_of_two | LONE) + clauses(clause)).set_name("other pool").set_parse_action(Pool.of)
versus = VERSUS - (NICK | side | NAME).set_name("a pool, as 5d10, or @nick") + pp.Opt(AFTER)
in_order = number("hunger", 0, MOST_HUNGER) + pp.Opt(number("difficulty", SMALLEST_DIFFICULTY))  # V5-27
long_form = (
    ((any_dice | total + pp.Opt(in_order)).set_name("a pool, as 3+4+1") + clauses(clause))
    .set_name("pool by its parts")
    .set_parse_action(Pool.of)
)
POOL_OR_DIE = refused("5 or 7 2", r"[0-9]{1,3}(?:\s+[0-9]{1,3})?(?=\s*[.!?]*$)", _pool_or_die)  # GEN-12

roll = command_word("roll", "r") + ((pool + pp.Opt(versus)).set_parse_action(_opposed) | POOL_OR_DIE)
v5 = command_word("v5") - (long_form + pp.Opt(versus)).set_parse_action(_opposed).add_parse_action(_by_v5)
rouse = command_word("rouse") + pp.Opt(word("check", "checks"))
rouse = (rouse + pp.Opt(TIMES + CHECKS) + pp.Opt(NO_HUNGER)).set_parse_action(lambda text, _, t: Rouse(**once(text, t)))
wp = command_word("wp") + clauses(TENS | COUNT + pp.Opt(word("dice", "die")) | HUNGER | REF)
wp.set_parse_action(lambda text, _, t: Willpower(**once(text, t)))
say_hunger = command_word("hunger") + COLON + number("hunger", 0, MOST_HUNGER) + pp.Opt(REF)
say_hunger.set_parse_action(lambda text, _, t: SayHunger(**once(text, t)))
autowin = command_word("autowin") - total + clauses(HUNGER | DIFFICULTY)
autowin.set_parse_action(_autowin)

GRAMMAR = roll | v5 | rouse | wp | say_hunger | autowin

"""V5 Hunger pools: `roll 5d10 h2 dc3` and follow-ups.

The commands: `roll` (or `r`) a pool, `v5` a pool by its parts, `rouse`, `wp` to reroll, `hunger` to give it afterwards,
and `autowin`. Ids such as V5-05 are rules of the specification; the bot explains one at `help V5-05`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial

import pyparsing as pp

from grammars import command
from grammars.command import Clause, Node, alone_or, builds, joined, limited, made_by, marked, values_of
from grammars.errors import ImpossibleError, Objection, UntrackedError
from grammars.line import ALONE, END, LAST, LONE_NUMBER, MOST_DICE, shown
from grammars.tokens import Token, choice, command_word, flag, keyed, number, reference, refused, versus, word

KEYWORDS = ("roll", "r", "v5", "rouse", "wp", "hunger", "autowin")
# GEN-14: The bot sees every line of a channel. Uncalled, it ignores `r 5d10` and impossible follow-ups such as `wp 4`;
# called, it rolls the first and explains the error in the second.
ONLY_CALLED = ("r",)
WORKS_ALONE = ("rouse",)  # GEN-10: certain enough alone where the channel plays V5
TAKES_DICE = ("roll", "v5")
# Words that are not in any command, for "did you mean ..." and help.
SYNONYMS = {"target": "dc", "tn": "dc", "dv": "dc", "against": "dc", "versus": "vs", "v": "vs", "beast": "hunger"}
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
    "success, failure": ("V5-04", "V5-11"),
    "messy": (
        "V5-07",
        "It succeeds, as the Beast would do it: storyteller and player may agree on stains, a breach of the "
        "Masquerade, a lost dot of an Advantage, or a mess to clean up.",
    ),
    "bestial": (
        "V5-08",
        "It may be a Compulsion acted out, an Advantage lost, aggravated damage, or Hunger rising by one.",
    ),
    "botch": (
        "V5-09",
        "It may be an injury, a tool damaged or lost, unwanted attention, or what a bestial failure brings.",
    ),
    "willpower, reroll": ("V5-15", "V5-14", "V5-24", "V5-16"),
}

MOST_HUNGER = 5  # V5-05
MOST_REROLLED = 3  # V5-14
KINDS = {"willpower": "willpower", "humanity": "humanity", "morality": "humanity"}  # V5-12
MOST_COUNTED = 10  # GEN-12: up to this number `roll 5` is asked about: a pool, or a die?


class Pool(command.AgainstDifficulty):
    """A pool of `dice` d10. `hunger` None means that it was not given (V5-21); `terms` are the parts of the long form.

    `hunger` may exceed `dice`: then all of them are Hunger dice (V5-05).
    `tracked` means that the tracked Hunger will be filled in (V5-22).
    """

    dice: int
    hunger: int | None = limited(0, MOST_HUNGER, default=None)  # V5-05
    difficulty: int | None = limited(1, says="a difficulty", default=None)  # V5-04
    kind: str = "hunger"
    terms: tuple[int, ...] = field(default=(), compare=False)
    tracked: bool = False

    def __post_init__(self) -> None:  # V5-01, V5-12
        part = "terms" if self.terms else "dice"
        command.check(part, self.dice, 1, MOST_DICE, "the number of dice in a pool")
        super().__post_init__()
        if self.kind != "hunger" and self.hunger is not None:
            sentence = f"{self.kind} pools never hold Hunger dice: leave h{self.hunger} out."
            raise ImpossibleError(sentence, "hunger")
        if self.tracked and (self.kind != "hunger" or self.hunger is not None):
            raise ImpossibleError("leave the h without a number out.", "tracked")

    def with_levels(self, levels: Mapping[str, int], *, auto: bool) -> Pool:
        """V5-22, DSK-04: fill in the tracked Hunger."""
        wanted = self.tracked or (auto and self.kind == "hunger" and self.hunger is None)
        if wanted and "hunger" in levels:
            return replace(self, hunger=levels["hunger"], tracked=False)
        if self.tracked:
            raise UntrackedError("hunger", 2, f"say h0 to h{MOST_HUNGER}")
        return self

    @property
    def as_side(self) -> str:
        """The pool without its command word, as one side of a contest is written."""
        dice = _signed_sum(self.terms) if self.terms else f"{self.dice}d10"
        hunger = "h" if self.tracked else marked("h", self.hunger)
        return joined(dice, hunger, self.kind != "hunger" and self.kind, marked("dc", self.difficulty))

    def __str__(self) -> str:
        return f"{'v5' if self.terms else 'roll'} {self.as_side}"


class Contest(command.TwoSided):
    """Two pools against each other (V5-19).

    `word` is the command word as typed: if `roll` means other dice, the answer needs `v5` too.
    """

    acting: Pool
    other: Pool | None = None
    word: str = field(default="roll", compare=False, repr=False)

    def __post_init__(self) -> None:  # V5-19
        super().__post_init__()
        for side in (self.acting, self.other):
            if side and side.difficulty:
                sentence = f"with vs the other side's successes are the difficulty: leave dc{side.difficulty} out."
                raise ImpossibleError(sentence, "vs")
        if self.other and self.other.tracked:
            raise ImpossibleError("h after vs is the other side's Hunger: write its number.", "vs")

    def with_levels(self, levels: Mapping[str, int], *, auto: bool) -> Contest:
        """A copy with the tracked Hunger of the acting side."""
        return replace(self, acting=self.acting.with_levels(levels, auto=auto))

    @property
    def answer(self) -> str:
        """An answer with the same command word, because `roll` is not V5 in every channel."""
        return "v5 5 h1" if self.acting.terms else f"{self.word} 5d10 h1"

    def __str__(self) -> str:
        return f"{self.acting} vs {self.other.as_side if self.other else f'@{self.against}'}"


class Rouse(Node):
    """`count` rouse checks (V5-13)."""

    count: int = limited(1, MOST_DICE, "the number of rouse checks", default=1)  # GEN-15

    def __str__(self) -> str:
        return joined("rouse", self.count > 1 and self.count)


class Willpower(Node):
    """A Willpower reroll (V5-14). `count` None is plain `wp`; `ref` names a roll, by default the speaker's latest.

    `tens` alone takes every ten, up to three; with `count` it takes that many dice, tens first (V5-14, V5-24).
    """

    count: int | None = limited(1, MOST_REROLLED, "the number of dice that wp rerolls", default=None)
    tens: bool = False
    hunger: int | None = limited(0, MOST_HUNGER, default=None)
    ref: str | None = None

    def __str__(self) -> str:
        return joined("wp", self.count, self.tens and "tens", marked("h", self.hunger), marked("#", self.ref))


class SayHunger(Node):
    """Hunger given after the roll (V5-21)."""

    begins = "hunger"

    hunger: int = limited(0, MOST_HUNGER)
    ref: str | None = None

    @property
    def tracks(self) -> tuple[str, int] | None:
        """DSK-02: if no roll needs it, it sets the tracked Hunger."""
        return None if self.ref else ("hunger", self.hunger)


class AutomaticWin(Node):
    """Ask whether a pool wins without a roll (V5-18)."""

    terms: tuple[int, ...]
    difficulty: int
    hunger: int

    def __post_init__(self) -> None:  # V5-01, V5-04, V5-05
        Pool(self.pool, self.hunger, self.difficulty, terms=self.terms)

    @property
    def pool(self) -> int:
        """Dice in the pool."""
        return sum(self.terms)

    def __str__(self) -> str:
        return f"autowin {_signed_sum(self.terms)} dc{self.difficulty} h{self.hunger}"


def _signed_sum(terms: tuple[int, ...]) -> str:
    return "+".join(map(str, terms)).replace("+-", "-")


# Values of tokens and expressions, and their errors.


def _dice(match: re.Match[str]) -> int:
    """V5-01: the dice of `Nd10`, one if N is omitted."""
    if match["sides"] != "10":
        raise ImpossibleError("a V5 pool is rolled with d10", typed=True)
    return int(match["count"] or 1)


def _pool_of_dice(match: re.Match[str]) -> int:
    """The dice after `roll`; `5d10!` may mean exploding dice (GEN-12), `5d10+2 h2` a pool of seven (V5-27)."""
    typed, count = shown(match[0]), match["count"] or 1
    if match["exploding"]:
        sentence = f'"{typed}" could be the pool, roll {count}d10, or exploding dice, roll ({count}d10!).'
        raise ImpossibleError(sentence, asked=True)
    if match["added"]:
        sentence = f'is "{typed}" a pool? Its modifier is part of it, and the 10 is implied.'
        hint = f"v5 {count}{match['added'].replace(' ', '')}{match.string[match.end() :]}"
        raise ImpossibleError(sentence, asked=True, hint=hint)
    return int(count)


def _terms(_text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """V5-01: the parts of a pool."""
    typed = "".join(tokens)
    return Clause("terms", tuple(map(int, typed.replace("-", "+-").lstrip("+").split("+"))), at, typed)


def _pool(clauses: Sequence[Clause]) -> Pool:
    said = values_of(clauses)
    return Pool(**({"dice": sum(said.get("terms", ()))} | said))


def _check_numbers(text: str, _at: int, tokens: pp.ParseResults) -> None:
    """V5-27: a modifier belongs in the pool, and a number after dice needs its keyword."""
    dice, *clauses = tokens
    names = {clause.name for clause in clauses}
    if added := next((clause for clause in clauses if clause.name == "added"), None):
        pool = f"{dice.value if dice.name == 'dice' else dice.typed}{added.value}"
        between, after = text[dice.at + len(dice.typed) : added.at], text[added.at + len(added.typed) :]
        sentence = f'is "{added.typed}" part of the pool? Then write it in the pool, as {pool}.'
        raise Objection(text, added.at, ImpossibleError(sentence, hint=f"v5 {pool}{between.rstrip()}{after}"))
    if alone := [clause for clause in clauses if clause.name == "number"]:
        keys = {"h": "the Hunger"} if names.isdisjoint(("hunger", "kind")) else {}
        keys |= {} if "difficulty" in names else {"dc": "a difficulty"}
        first, last = alone[0], alone[-1]
        meant = ", or ".join(f"{sense}, {key}{first.typed}" for key, sense in keys.items())
        sentence = f"is {first.typed} {meant}?" if meant else f'"{first.typed}" is unknown.'
        said = " ".join(f"{key}{clause.typed}" for key, clause in zip(keys, alone, strict=False))
        hint = f"{text[: first.at]}{said}{text[last.at + len(last.typed) :]}" if len(keys) == len(alone) else None
        raise Objection(text, first.at, ImpossibleError(sentence, hint=hint))


def _no_dice(match: re.Match[str]) -> None:
    """GEN-11: `roll 7 h2`. GEN-12: `roll 5`, `roll 7 2` where V5 is played."""
    if match["pool"]:
        raise ImpossibleError(
            "a pool by its number of dice begins with v5.", hint=f"v5 {match.string[match.start() :]}"
        )
    first, *second = map(int, match[0].split())
    low, high = min([first, *second]), max([first, *second])
    if not 1 <= first <= high <= MOST_COUNTED:
        raise pp.ParseException(match.string, match.start(), "no pool")
    pool = f"v5 {first}"
    if second:
        pool += f" h{second[0]}" if second[0] <= MOST_HUNGER else f"+{second[0]}"
    die = f"a die, roll d{first}"
    if low != high:
        die = f"a number from {low} to {high}, roll d{high - low + 1}{f'{low - 1:+}' if low != 1 else ''}"
    raise ImpossibleError(f"is that a pool, {pool}, or {die}?")


def _two_meanings(match: re.Match[str]) -> str:
    """GEN-12: `roll 4d10 wp`."""
    pool = shown(match.string[: match.start()].split(" h")[0].strip())
    return f'"{match[0]}" could be a Willpower pool, {pool} willpower, or a reroll, which is wp on a line of its own.'


# The notation, from tokens to commands. A comma may be typed between the parts of a command: `5d10, h2`.
# In patterns END ends a word; ALONE too, where nothing like the `２` of `h ２` follows; LAST is the end of the line,
# or `#` or `for` before a comment.
# The tokens that may be typed,

DICE = r"(?P<count>[0-9]*)\s?d\s?"
ONLY = r"(?![0-9%o!]|\.[0-9])"
D10 = Token(
    "5d10",
    rf"{DICE}10(?:{ONLY}(?!\s*(?:[*/%]|[-+]\s*[(d0-9]))"  # more arithmetic is dice notation
    r"|(?P<exploding>!)(?=\s*$|\s+h|\s+dc)"
    r"|\s?(?P<added>[-+]\s?[0-9]+)(?=\s*(?:h|dc|diff|vs[.\s]*(?:@|[0-9]*d))))",
    clause="dice",
    value=_pool_of_dice,
)
ANY_DICE = Token("5d10", rf"{DICE}(?P<sides>[0-9]+){ONLY}", clause="dice", value=_dice)
HUNGER = keyed("hunger", "hunger h")  # V5-05: `h2`, `h 2`, `h: 2`, `hunger=2`
KEYS = "(?:hunger|h|difficulty|diff|dc)"
DIFFICULTY = keyed("difficulty", "difficulty diff dc")  # V5-04
TRACKED = Token(  # V5-22: `again h` replaces `h2`, and vice versa
    "h", rf"(?:hunger|h){ALONE}(?!\s*[-+])", ("h",), clause="tracked", kind="hunger", value=lambda _: True
)
KIND = choice("kind", KINDS)  # V5-12
SIGN = Token("+ or -", r"[-+]")
PART = Token("a number", r"[0-9]+(?![0-9d]|\.[0-9])")
SECOND = number("hunger")  # V5-27: `v5 8 2 3`
THIRD = number("difficulty")
CHECKS = number("count", before="(?:x(?=[0-9]))?")  # V5-13
COUNT = number("count")  # V5-14
OF_DICE = word("dice", "die")  # `wp 2 dice`
TIMES = word("times")  # `rouse 2 times`
TENS = flag("tens")  # V5-24
LEVEL = number("hunger", before=r"[:=]?\s*(?!-)")  # V5-21; `hunger -1` changes what is tracked (DSK-02)
REF = reference()  # GEN-09

# the tokens that are recognised to be refused (`rejects`, or made by `refused`) with a sentence that may end with what
# was `typed`; if `asked`, in answer to uncalled lines too (GEN-12),

NO_DICE = Token(
    "5, 7 2 or 7 h2",
    rf"(?P<pool>[0-9]+(?:\s?[-+]\s?[0-9]+)*(?=\s+{KEYS}\s*[:=]?\s*[0-9]+{END}))"
    r"|[0-9]{1,3}(?:\s+[0-9]{1,3})?(?=\s*[.!?]*$)",
    value=_no_dice,
    rejects=True,
)
ADDED = Token(  # V5-27
    "+2",
    r"[-+]\s?[0-9]+(?![0-9]|\s?d[0-9]|\.[0-9])",
    clause="added",
    value=lambda match: match[0].replace(" ", ""),
    rejects=True,
)
ALONE_LAST = Token(  # V5-27
    "2 or 2 3", rf"[0-9]+(?=(?:\s+[0-9]+)?{LAST})", clause="number", rejects=True
)
AMBIGUOUS = refused("wp", r"(?:wp|will)(?![a-z0-9])", _two_meanings, asked=True)
NO_HUNGER = refused(  # V5-12
    "h", r"(?:hunger|h)(?![a-z])\s*[0-9]*", "a rouse check never holds Hunger dice: leave the Hunger out."
)
LONE = refused(  # GEN-05
    "4", LONE_NUMBER, 'is "vs {0}" a difficulty, dc{0}, or a pool? For a pool write vs {0}d10.', asked=True
)

# and the commands.

total = (pp.Opt(SIGN) + PART + (SIGN - PART)[...]).set_name("3+4+1").set_parse_action(_terms)
sum_of_two = (PART + (SIGN + PART)[1, ...]).set_name("3+4").set_parse_action(_terms)
allowed = HUNGER | DIFFICULTY | KIND | TRACKED
refused_here = AMBIGUOUS | ADDED | ALONE_LAST
clause = (allowed | refused_here).set_name("hunger, difficulty or kind")
builds_a_pool = _check_numbers, made_by(_pool)

pool = (D10 + clause[...]).set_name("pool").set_parse_action(*builds_a_pool)
by_parts = (ANY_DICE | total + pp.Opt(SECOND + pp.Opt(THIRD))).set_name("a pool, as 3+4+1") + clause[...]
by_parts.set_name("pool by its parts").set_parse_action(*builds_a_pool)
other = ((ANY_DICE | sum_of_two) + clause[...]).set_name("other pool").set_parse_action(*builds_a_pool)
opposed = pp.Opt(  # V5-19
    versus(other, clause, example="a pool, as 5d10", begins="[0-9]*d[0-9]", lone=LONE, difficulty=DIFFICULTY)
)

# Input that cannot be read after `v5 -` is an error in V5. After `roll +`, the dice notation may still read the line.
roll = (command_word("roll", "r") + (pool | NO_DICE) + opposed).set_parse_action(alone_or(Contest))
v5 = (command_word("v5") - by_parts + opposed).set_parse_action(alone_or(partial(Contest, word="v5")))
rouse = command_word("rouse") + pp.Opt(word("check", "checks"))
rouse += pp.Opt(CHECKS + pp.Opt(OF_DICE | TIMES)) + pp.Opt(NO_HUNGER)
rouse.set_parse_action(builds(Rouse))
wp = command_word("wp") + (TENS | COUNT + pp.Opt(OF_DICE) | HUNGER | REF)[...]
wp.set_parse_action(builds(Willpower))
say_hunger = (command_word("hunger") + LEVEL + pp.Opt(REF)).set_parse_action(builds(SayHunger))
autowin = (
    command_word("autowin")
    - total
    - (
        HUNGER - DIFFICULTY.copy().set_name("the difficulty, as dc2")
        | DIFFICULTY - HUNGER.copy().set_name("the hunger, as h0")
    ).set_name("difficulty and hunger, as dc2 h0")
)
autowin.set_parse_action(builds(AutomaticWin))

# GEN-03: after a complete command that cannot be talk, with dice or a keyed number, the rest of the line is
# a comment: `roll 5d10 h2 punching the wall`. Words such as "plus three" are asked about (reading.py).
GRAMMAR = roll | v5 | rouse | wp | say_hunger | autowin

"""Crossroads: `xr 3d6 a1 n2`, contests, groups, damage, and what follows a roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import pyparsing as pp

from grammars.command import Command
from grammars.errors import Objection
from grammars.help import Help
from grammars.line import shown
from grammars.tokens import (
    END,
    LARGEST,
    MOST_DICE,
    MOST_DRAWN,
    NICK_PATTERN,
    NUMBER,
    Clause,
    Token,
    at_nick,
    bounded,
    choice,
    clauses,
    command_word,
    flag,
    once,
    reference,
    refused,
    word,
)

KEYWORDS = ("xr",)
TAKES_DICE = ("xr",)
CERTAIN = ("xr",)  # GEN-03: `xr a1 sneak past`
SYNONYMS = {"v": "vs", "versus": "vs", "against": "vs", "plus": "+", "minus": "-"}
EXAMPLES = {
    "xr 3d6 a1 n2": "a Skill Roll with one Advantage, and 2 taken from the total; `xr a1n2` is the same",
    "xr 3d6 a2 b1 convert 1": "one of two Advantages becomes a Bonus before anything is rolled",
    "xr 3d6 a1 low": "low dice are the favoured ones",
    "xr 1d6 b2 p1 av3": "damage with a Bonus, Piercing 1 against armour 3; any roll but 3d6 is a plain total",
    "xr 3d6 a1 vs 3d6 b1": "a Skill Roll against another, in one line",
    "xr 3d6 vs @bob": "a contest that bob answers with a Skill Roll of his own, or `pass`",
    "xr keep 1 2 4": "after an Advantage roll: keep these dice instead, counted in drawn order; `xr keep 1 2 4 #4d`",
    "xr reroll 1": "after a double 2 to 5: reroll that die; `xr reroll 1 fate #4d` spends a Change of Fate on any roll",
    "xr group 3d6; 3d6 a1; 3d6 d1": "a group: the mean of their Success Values",
    "xr group -1 0 0 1": "the same for values that are known; `xr group open` and `xr group close` count the Skill "
    "Rolls made in between",
    "xr damage HHL a1b1": "Narrative Health damage: heavy and light points; `xr damage 2h1l a1b1` is the same",
    "xr endturn": "end your present turn, and the blessings that end with it",
    "xr 3d6 reaction": "a roll outside your own turn: what its triple gives ends with your next turn's end; "
    "`xr reaction` says it afterwards",
    "xr fate": "the temporary Fate Dice and blessings that you hold; `xr fate bob` lists those of bob",
    "xr fate end bob die": "storyteller: end one Fate Die of bob's; `blessing`, `change`, or nothing for all",
}
HELP = {
    "advantage": (
        "Advantage aN: roll N more dice and remove the N least favoured; Disadvantage dN removes the N most favoured.",
        '"xr keep 1 2 4" keeps other dice after an Advantage roll, "convert N" makes N of it a Bonus beforehand.',
    ),
    "doubles": (
        "Of the three dice kept: double 1 Misstep, value 1 less; double 2 to 5 Change, one of them may be rerolled;",
        "double 6 Fateful, value 1 more.",
    ),
    "triples": (
        "Triple 1 Doomed Portents, value 1 less; 2 Balanced Portents, result 0; 3 or 4 Change of Fate, a reroll kept;",
        "5 Fate's Blessing, a1 on Skill Rolls; 6 Fate's Child, value 1 more. 1 and 6 give a temporary Fate Die.",
    ),
}

DIE_SIDES = (6, 3)  # XR-01
SKILL_DICE, SKILL_SIDES = 3, 6  # XR-01
SUCCESS_VALUES = (-2, 3)  # XR-10: the least and the greatest
MODIFIERS = {  # XR-02: each with its spellings (GEN-18)
    "advantage": ("a", "adv", "advantage"),
    "disadvantage": ("d", "dis", "disadv", "disadvantage"),
    "bonus": ("b", "bonus"),
    "negative": ("n", "negative"),
    "piercing": ("p", "piercing"),  # XR-22
    "armour": ("av", "armour", "armor"),  # XR-22
    "convert": ("convert",),  # XR-07
}
SWITCHES = ("plain", "low", "simple", "reaction")  # XR-01, XR-04, XR-21, XR-18
ADDED = ("advantage", "disadvantage", "bonus", "negative", "piercing")  # said twice, they add up (XR-03)
DAMAGE_ONLY = ("piercing", "armour")  # XR-22
SKILL_ONLY = ("simple", "reaction")  # XR-18, XR-21
FATE_KINDS = {"die": "fate_die", "blessing": "fates_blessing", "change": "change_of_fate"}  # XR-25: with the label


@dataclass(frozen=True, slots=True)
class Roll(Command):
    """`xr NdX` with its modifiers, each pair netted (XR-03): below 0 is Disadvantage, or Negative.

    `blessings` is the part of the Advantage that the table's memory added (XR-18). `chosen` and `rerolled` say that
    `xr keep` and the roll's own Change are used up; no text has them. `skill`, whether it is a Skill Roll (XR-01),
    and `asked`, how it is posted, follow from the rest.
    """

    dice: int = SKILL_DICE
    sides: int = SKILL_SIDES
    advantage: int = 0
    bonus: int = 0
    convert: int = 0
    piercing: int = 0
    armour: int | None = None
    low: bool = False
    plain: bool = False
    simple: bool = False
    reaction: bool = False
    blessings: int = 0
    chosen: bool = False
    rerolled: bool = False
    skill: bool = field(init=False, compare=False, repr=False)
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what XR-01, XR-22 and GEN-15 rule out."""
        if self.sides not in DIE_SIDES or not 1 <= self.dice <= MOST_DICE:
            raise ValueError(f"Crossroads rolls 1 to {MOST_DICE} d6 or d3, you wrote {self.dice}d{self.sides}")
        if self.drawn > MOST_DICE:
            raise ValueError(f"a roll draws at most {MOST_DICE} dice, yours would draw {self.drawn}")
        usual = self.dice == SKILL_DICE and self.sides == SKILL_SIDES
        object.__setattr__(self, "skill", usual and not self.plain)
        if self.skill and (self.piercing or self.armour is not None):
            raise ValueError("p and av are for damage rolls")
        if not self.skill and (self.simple or self.reaction):
            raise ValueError("simple and reaction are for Skill Rolls")
        if self.convert < 0 or self.piercing < 0 or (self.armour or 0) < 0 or abs(self.bonus) > LARGEST:
            raise ValueError("a modifier's number is out of its range")
        if self.plain and not usual:
            object.__setattr__(self, "plain", False)  # such a roll is plain without the word
        object.__setattr__(self, "asked", self._posted())

    @property
    def drawn(self) -> int:
        """Dice that it draws at most: those that it keeps, and one for each Advantage or Disadvantage."""
        return self.dice + abs(self.advantage)

    @property
    def rolled(self) -> tuple[object, ...]:
        """The dice and what changes them, with Advantage converted already (LED-22)."""
        netted = self.advantage - self.convert, self.bonus + self.convert
        more = self.piercing, self.armour, self.low, self.plain, self.simple, self.reaction
        return Roll, self.dice, self.sides, *netted, *more

    def __str__(self) -> str:
        return f"xr {self.typed}"

    @property
    def typed(self) -> str:
        """The roll without its command word, so that it reads as the same roll."""
        return self._written(self.advantage, self.bonus)

    def _posted(self) -> str:
        """The roll with its modifiers netted after `convert` too (XR-03, XR-07)."""
        return self._written(self.advantage - self.convert, self.bonus + self.convert, " after")

    def _written(self, advantage: int, bonus: int, after: str = "") -> str:
        text = f"{self.dice}d{self.sides}{_net(' a', ' d', advantage)}{_net(' b', ' n', bonus)}"
        if self.convert:
            text += f"{after} convert {self.convert}"
        if self.piercing:
            text += f" p{self.piercing}"
        if self.armour is not None:
            text += f" av{self.armour}"
        switches = (("low", self.low), ("plain", self.plain), ("simple", self.simple), ("reaction", self.reaction))
        return text + "".join(f" {name}" for name, on in switches if on)


@dataclass(frozen=True, slots=True)
class Contest(Command):
    """Two Skill Rolls against each other (XR-09). `other` is unknown so far where the nick `against` is asked."""

    acting: Roll
    other: Roll | None = None
    against: str | None = None

    def __post_init__(self) -> None:
        """Refuse what XR-09 rules out."""
        if not self.acting.skill or (self.other is not None and not self.other.skill):
            raise ValueError("only Skill Rolls oppose, and are opposed")

    @property
    def rolled(self) -> tuple[object, ...]:
        """Both sides' dice and what changes them (LED-22)."""
        return Contest, self.acting.rolled, self.other and self.other.rolled, self.against and self.against.lower()

    def __str__(self) -> str:
        return f"xr {self.acting.typed} vs {self.other.typed if self.other else f'@{self.against}'}"

    @property
    def asked(self) -> str:
        """Both sides as they are posted."""
        return f"{self.acting.asked} vs {self.other.asked if self.other else f'@{self.against}'}"


@dataclass(frozen=True, slots=True)
class GroupRoll(Command):
    """The Skill Rolls of a whole group, in one line (XR-10)."""

    rolls: tuple[Roll, ...]

    def __post_init__(self) -> None:
        """Refuse what XR-10 and GEN-15 rule out."""
        if not self.rolls or not all(roll.skill for roll in self.rolls):
            raise ValueError("a group is made of Skill Rolls")
        if sum(roll.drawn for roll in self.rolls) > MOST_DRAWN:
            raise ValueError(f"a command draws at most {MOST_DRAWN} dice")

    def __str__(self) -> str:
        return f"xr group {'; '.join(roll.typed for roll in self.rolls)}"

    @property
    def asked(self) -> str:
        """As it is posted, with commas: a semicolon separates the parts of a reply."""
        return f"group {', '.join(roll.asked for roll in self.rolls)}"


@dataclass(frozen=True, slots=True)
class GroupValues(Command):
    """Success Values of a group that are known already (XR-10)."""

    values: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what XR-10 rules out."""
        least, greatest = SUCCESS_VALUES
        if not self.values or not all(least <= value <= greatest for value in self.values):
            raise ValueError(f"a Success Value is {least} to {greatest}")

    def __str__(self) -> str:
        return f"xr group {' '.join(map(str, self.values))}"


@dataclass(frozen=True, slots=True)
class GroupOpen(Command):
    """From now on Skill Rolls count for a group (XR-10).

    `opener` has opened one already; `storyteller` is set by the bot where a storyteller opens it.
    """

    opener: str | None = None
    storyteller: bool = field(default=False, compare=False)

    @property
    def said_by_storyteller(self) -> GroupOpen:
        """A storyteller's own rolls do not count."""
        return replace(self, storyteller=True)

    def __str__(self) -> str:
        return "xr group open"


@dataclass(frozen=True, slots=True)
class GroupClose(Command):
    """The open group is complete; the table's memory adds its `values`, None where none is open."""

    values: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return "xr group close"


@dataclass(frozen=True, slots=True)
class Damage(Command):
    """Narrative Health damage: points and what changes them (XR-23)."""

    heavy: int
    light: int
    advantage: int = 0
    bonus: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers below 0 and too large ones."""
        numbers = self.heavy, self.light, abs(self.advantage), abs(self.bonus)
        if min(numbers) < 0 or max(numbers) > LARGEST:
            raise ValueError(f"damage has 0 to {LARGEST} points of a kind")

    def __str__(self) -> str:
        text = f"{_net(' a', ' d', self.advantage)}{_net(' b', ' n', self.bonus)}"
        return f"xr damage {self.heavy}h{self.light}l{text}"


@dataclass(frozen=True, slots=True)
class Keep(Command):
    """Other dice kept after an Advantage roll (XR-05); positions from 1 over all dice, in drawn order."""

    positions: tuple[int, ...]
    ref: str | None = None

    def __post_init__(self) -> None:
        """Refuse what XR-05 rules out."""
        if not self.positions or min(self.positions) < 1 or len(set(self.positions)) < len(self.positions):
            raise ValueError("positions count from 1, each once")

    def __str__(self) -> str:
        return f"xr keep {' '.join(map(str, self.positions))}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class Reroll(Command):
    """One die rolled again: by the roll's own Change (XR-13), or with `fate` by a Change of Fate (XR-17).

    `granted` says that the speaker holds a Change of Fate: the table adds it, no text has it.
    """

    position: int
    fate: bool = False
    ref: str | None = None
    granted: bool = False

    def __post_init__(self) -> None:
        """Refuse positions below 1."""
        if self.position < 1:
            raise ValueError("positions count from 1")

    @property
    def anyones(self) -> bool:
        """XR-17: in any roll that affects the player, also in somebody else's."""
        return self.fate

    def __str__(self) -> str:
        return f"xr reroll {self.position}{' fate' if self.fate else ''}{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class Reaction(Command):
    """A roll was made outside one's own turn, as is said after its triple (XR-18)."""

    ref: str | None = None

    def __str__(self) -> str:
        return f"xr reaction{_reference(self.ref)}"


@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    """The speaker's present turn is over (XR-18). The table adds `ends`, the labels of what ends with it."""

    ends: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "xr endturn"


@dataclass(frozen=True, slots=True)
class FateList(Command):
    """What does a player hold (XR-25)? The speaker, if nobody is named."""

    nick: str | None = None

    def __str__(self) -> str:
        return f"xr fate {self.nick}" if self.nick else "xr fate"


@dataclass(frozen=True, slots=True)
class FateEnd(Command):
    """A storyteller ends what a player holds (XR-25): one of a kind, or all of it."""

    nick: str
    kind: str | None = None

    def __post_init__(self) -> None:
        """Refuse what nobody holds."""
        if self.kind is not None and self.kind not in FATE_KINDS:
            raise ValueError(f"what ends is {', '.join(FATE_KINDS)}")

    def __str__(self) -> str:
        return f"xr fate end {self.nick}{f' {self.kind}' if self.kind else ''}"


def _net(above: str, below: str, amount: int) -> str:
    """A netted pair as it is written: `a1`, `d2`, nothing at 0."""
    return f"{above}{amount}" if amount > 0 else f"{below}{-amount}" if amount else ""


def _reference(ref: str | None) -> str:
    return "" if ref is None else f" #{ref}"


# What parse actions make of tokens, and what they object to.


def _dice(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """XR-01: N and X of `NdX`."""
    if tokens.sides not in map(str, DIE_SIDES):
        raise Objection(text, at, f"Crossroads is rolled with d6 and d3, you wrote {_typed(tokens)}.")
    count = bounded(text, at, _typed(tokens), tokens.count, 1, MOST_DICE, "the number of dice")
    return Clause("dice", [count, int(tokens.sides)], at, _typed(tokens))


def _modifier(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """XR-02: `a1`, `a 1`, `advantage: 1`."""
    name = next(name for name, spellings in MODIFIERS.items() if tokens.word.lower() in spellings)
    low, high = (1, MOST_DICE) if name == "convert" else (0, LARGEST)
    return Clause(name, bounded(text, at, _typed(tokens), tokens.number, low, high, name), at, _typed(tokens))


def _switch(_text: str, at: int, tokens: pp.ParseResults) -> Clause:
    return Clause(tokens.word.lower(), True, at, _typed(tokens))


def _signed(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """XR-02: `+2` is `b2`, `-2` is `n2`."""
    name = "bonus" if tokens.sign == "+" else "negative"
    return Clause(name, bounded(text, at, _typed(tokens), tokens.number, 0, LARGEST, name), at, _typed(tokens))


def _position(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """XR-05: a die by its place in drawn order."""
    value = bounded(text, at, _typed(tokens), tokens.number, 1, MOST_DRAWN, "the position of a die")
    return Clause("position", value, at, _typed(tokens))


def _point(_text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """XR-23: `H`, `2h`, `2 heavy`."""
    return Clause("heavy" if tokens.kind[0] in "hH" else "light", int(tokens.count or 1), at, _typed(tokens))


def _value(_text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """XR-10: a Success Value as typed; its limits count once the whole line is values."""
    return Clause("value", _typed(tokens), at, _typed(tokens))


def _typed(tokens: pp.ParseResults) -> str:
    return shown(tokens[0])


def _modifiers_or_dice(text: str, at: int, tokens: pp.ParseResults) -> None:
    """XR-26: `1d6+1d3`."""
    count, die = shown(tokens.count, 9), f"d{shown(tokens.sides, 9)}"
    apart = f"{tokens.modifier.strip()}{count} {die}" if count else die
    sentence = f'"{_typed(tokens)}" could be modifiers, {apart}, or dice of their own, xr {count or 1}{die}.'
    raise Objection(text, at, sentence, asked=True)


def _no_difficulty(text: str, at: int, tokens: pp.ParseResults) -> None:
    """XR-08: the total is compared with a table, never with a number."""
    sentence = f"Crossroads has no difficulty, the total alone decides: leave {_typed(tokens)} out."
    raise Objection(text, at, sentence)


def _numberless(text: str, at: int, tokens: pp.ParseResults) -> None:
    """XR-02: `xr 3d6 advantage`, where no words follow that could be a comment."""
    raise Objection(text, at, f"{tokens.name} needs a whole number after it.")


def _lone_number(text: str, at: int, tokens: pp.ParseResults) -> None:
    """GEN-05."""
    typed = shown(tokens[0], 9)
    sentence = f'is "vs {typed}" a difficulty, dc{typed}, or a pool? Crossroads opposes rolls only: vs 3d6.'
    raise Objection(text, at, sentence, asked=any(c.isdigit() for c in text[:at]))


def _not_vs(text: str, at: int, tokens: pp.ParseResults) -> None:
    """XR-09: `v @bob` is no comment."""
    hint = f"{text[:at]}vs{text[at + len(tokens[0]) :]}".strip()
    raise Objection(text, at, f'"{tokens[0]}" is unknown.', hint=hint)


def _third_side(text: str, at: int, _tokens: pp.ParseResults) -> None:
    raise Objection(text, at, "a contest has two sides, and this vs begins a third.")


def _no_at(text: str, at: int, tokens: pp.ParseResults) -> None:
    hint = f"{text[:at]}@{text[at:]}".strip()
    raise Objection(text, at, f'"{shown(tokens[0])}" is no roll; a nick begins with @.', hint=hint)


def _side(text: str, said: Sequence[Clause], only_skill: str = "") -> Roll:
    """The roll that one side's clauses make; `only_skill` is the objection where it must be a Skill Roll."""
    first = next((clause for clause in said if clause.name not in SWITCHES), None)
    if first and first.typed.lower().replace(" ", "") in ("d6", "d3"):  # XR-26
        readings = f"one die, xr 1d{first.value}, or Disadvantage {first.value}, xr 3d6 d{first.value}"
        raise Objection(text, first.at, f'"{first.typed}" could be {readings}.', asked=True)
    values = once(text, (clause for clause in said if clause.name not in ADDED))
    dice, sides = values.pop("dice", (SKILL_DICE, SKILL_SIDES))
    skill = (dice, sides) == (SKILL_DICE, SKILL_SIDES) and "plain" not in values
    if only_skill and not skill:
        culprit = _first(said, "plain" if "plain" in values else "dice")
        raise Objection(text, culprit.at, f"{only_skill}: leave {culprit.typed} out.")
    for clause in said:
        if skill and clause.name in DAMAGE_ONLY:
            sentence = f"{clause.typed} is for damage rolls, anything but 3d6: leave it out, or say 3d6 plain."
            raise Objection(text, clause.at, sentence)
        if not skill and clause.name in SKILL_ONLY:
            raise Objection(text, clause.at, f"{clause.typed} is for Skill Rolls, 3d6: leave it out.")
    values["advantage"] = _total(said, "advantage") - _total(said, "disadvantage")
    values["bonus"] = _total(said, "bonus") - _total(said, "negative")
    values["piercing"] = _total(said, "piercing")
    if (drawn := dice + abs(values["advantage"])) > MOST_DICE:
        at = _first(said, "advantage", "disadvantage").at
        raise Objection(text, at, f"a roll draws at most {MOST_DICE} dice, yours would draw {drawn}.")
    if abs(values["bonus"]) > LARGEST:
        raise Objection(text, _first(said, "bonus", "negative").at, f"a modifier comes to at most {LARGEST}.")
    return Roll(dice, sides, **values)


def _first(said: Iterable[Clause], *names: str) -> Clause:
    return next(clause for clause in said if clause.name in names)


def _total(said: Iterable[Clause], name: str) -> int:
    return sum(clause.value for clause in said if clause.name == name)


def _roll(text: str, _at: int, tokens: pp.ParseResults) -> Roll | Contest:
    """XR-01 and XR-09: one roll, or one against another or @nick."""
    acting: Sequence[Clause] = tokens.acting or ()
    asked = [clause for clause in tokens if isinstance(clause, Clause)]  # @nick, and what was typed after it
    if not asked and not tokens.other:
        if all(clause.name in SWITCHES for clause in acting):  # `xr low` is no roll yet, and may be talk
            raise Objection(text, acting[0].at, f"{acting[0].typed} needs a roll, as xr 3d6 {acting[0].typed}.")
        return _side(text, acting)
    only_skill = "only Skill Rolls, 3d6, oppose and are opposed"
    mine = _side(text, acting, only_skill)
    if not asked:
        return Contest(mine, _side(text, tokens.other, only_skill))
    nick, *late = asked
    if late:
        raise Objection(text, late[0].at, f"@{nick.value} answers with a roll of their own: put yours before vs.")
    return Contest(mine, against=nick.value)


def _group(text: str, at: int, tokens: pp.ParseResults) -> GroupRoll:
    """XR-10: one Skill Roll for each member."""
    members = [said for said in tokens if not isinstance(said, str)]
    if len(members) > 1 and all(len(said) == 1 and said[0].typed[0] in "+-" for said in members):  # GEN-12
        typed = shown("; ".join(said[0].typed for said in members))
        sentence = f'"{typed}" could be Success Values, written with spaces, or rolls, as 3d6 +1; 3d6 -1.'
        raise Objection(text, members[0][0].at, sentence, asked=True)
    for said in members:
        dice = [clause for clause in said if clause.name == "dice"]
        if len(dice) > 1:
            raise Objection(text, dice[1].at, f"put a semicolon before {dice[1].typed}, if it is the next one's roll.")
    rolls = tuple(_side(text, said, "a group is made of Skill Rolls, 3d6") for said in members)
    if sum(roll.drawn for roll in rolls) > MOST_DRAWN:
        raise Objection(text, at, f"a command draws at most {MOST_DRAWN} dice.")
    return GroupRoll(rolls)


def _group_values(text: str, _at: int, tokens: pp.ParseResults) -> GroupValues:
    """XR-10: Success Values, each within its limits."""
    return GroupValues(tuple(bounded(text, c.at, c.typed, c.value, *SUCCESS_VALUES, "a Success Value") for c in tokens))


def _damage(text: str, at: int, tokens: pp.ParseResults) -> Damage:
    """XR-23: points, and what changes them."""
    if rolled := next((clause for clause in tokens if clause.name in (*DAMAGE_ONLY, "convert")), None):  # XR-22
        raise Objection(text, rolled.at, f"nothing is rolled for this damage: leave {rolled.typed} out.")
    advantage = _total(tokens, "advantage") - _total(tokens, "disadvantage")
    bonus = _total(tokens, "bonus") - _total(tokens, "negative")
    heavy, light = _total(tokens, "heavy"), _total(tokens, "light")
    if max(heavy, light, abs(advantage), abs(bonus)) > LARGEST:
        raise Objection(text, at, f"damage has at most {LARGEST} points of a kind.")
    return Damage(heavy, light, advantage, bonus)


def _keep(text: str, _at: int, tokens: pp.ParseResults) -> Keep:
    """XR-05: each die once."""
    positions = [clause.value for clause in tokens if clause.name == "position"]
    for i, clause in enumerate(clause for clause in tokens if clause.name == "position"):
        if clause.value in positions[:i]:
            raise Objection(text, clause.at, f"die {clause.value} is kept already: leave it out.")
    if not positions:
        raise Objection(text, len(text), "keep needs the dice to keep, as xr keep 1 3 4.")
    return Keep(tuple(positions), **once(text, (clause for clause in tokens if clause.name != "position")))


def _reroll(text: str, _at: int, tokens: pp.ParseResults) -> Reroll:
    """XR-13, XR-17: one die."""
    said = once(text, tokens)
    if "position" not in said:
        raise Objection(text, len(text), "reroll needs one die, counted in drawn order, as xr reroll 1.")
    return Reroll(**said)


def _fate_end(tokens: pp.ParseResults) -> FateEnd:
    """XR-25."""
    nick, *kind = tokens
    return FateEnd(nick, kind[0].value if kind else None)


# The notation: what is typed …
# A modifier may be spelled out or not, with a space, `:` or `=` before its number or not: a1, a 1, advantage: 1.
# Clauses may be run together, or have spaces or commas between them: 3d6a1n2, 3d6 a1, n2.

NICK_BY_ITSELF = rf"(?<=\s)(?!(?:as|for)\s)@?{NICK_PATTERN}"  # after a space: else any word would be known as one
SPELLINGS = sorted((word for words in MODIFIERS.values() for word in words), key=len, reverse=True)
A_MODIFIER = "|".join(SPELLINGS)
SUGGESTED = [word for word in SPELLINGS if word != "dis"]  # which every `is` would be nearly

XR = command_word("xr")
DICE = Token("3d6", r"(?P<count>[0-9]+)\s?d\s?(?P<sides>[0-9]+|%)(?!%|\.?[0-9])")  # XR-01
MODIFIER = Token("a1", rf"(?P<word>{A_MODIFIER})\s*[:=]?\s*(?P<number>{NUMBER})", SUGGESTED, numbered=True)
SIGNED = Token("+2 or -2", r"(?P<sign>[-+])\s*(?P<number>[0-9]+)(?!\.?[0-9])")  # XR-02: b2 or n2
SWITCH = Token("plain", rf"(?P<word>{'|'.join(SWITCHES)}){END}", SWITCHES)
VERSUS = Token("vs", rf"vs(?:\.|{END}|(?=[0-9]+\s?d|[abdn][0-9]))", ("vs",))  # XR-09
AT_NICK = at_nick()
NICK = Token("a nick", NICK_BY_ITSELF)  # XR-25
POSITION = Token("position of a die", rf"(?P<number>{NUMBER})(?![a-z0-9])")  # XR-05
REF = reference()  # GEN-09
FATE = flag("fate")  # XR-17
SEMICOLON = Token(";", r"[;,]", after_comma=False)  # XR-10
VALUE = Token("Success Value", rf"{NUMBER}(?![a-z0-9])")  # XR-10
POINT = Token("H, L, 2h or 1l", r"(?P<count>[0-9]{0,7})\s?(?P<kind>[hl])(?![a-gi-km-z](?![0-9]))")  # XR-23
POINTS = Token("2 heavy or 1 light", r"(?P<count>[0-9]{1,7})\s?(?P<kind>heavy|light)(?![a-z])")  # GEN-18
KIND = choice("kind", {kind: kind for kind in FATE_KINDS})  # XR-25

# … what is refused …

WHOLE = r"\s*[:=]?\s*[0-9]+(?![0-9.])"
A_COMMENT = r"\s+(?!for\s)[a-z][^0-9#]*(?:$|#)"  # GEN-03
# `xr 3d6 advantage`, but not `xr 3d6 bonus round`
NUMBERLESS = refused("a", rf"(?:with\s+)?(?P<name>{A_MODIFIER}){END}(?!{WHOLE}|{A_COMMENT})", _numberless)
# XR-26: `xr 1d6+1d3`, `xr b 2d6`
SIGN = r"[-+]|[abdnp]\s+(?=[0-9])"
RUN = refused("+1d3", rf"(?P<modifier>{SIGN})\s*(?P<count>[0-9]*)d\s?(?P<sides>[0-9]+)", _modifiers_or_dice)
DIFFICULTY = refused("dc 11", r"(?:difficulty|diff|dc|target|tn)\s*[:=]?\s*[0-9]+", _no_difficulty)
# GEN-05 and XR-09: `v @bob`, `vs 11`, `vs bob`, `vs 3d6 vs 3d6`
NOT_VS = refused("v", r"(?:v\.?|versus|against)(?=\s+(?:@|[0-9]*d[0-9]))", _not_vs)
LONE_NUMBER = refused("11", r"[0-9]+(?![0-9%]|\.[0-9]|\s?d[0-9%])", _lone_number)
NO_AT = refused("bob", rf"{NICK_BY_ITSELF}(?=[\s.!?]*$)", _no_at)
THIRD = refused("vs", rf"vs\.?{END}", _third_side)

# … and the commands.

dice = DICE.set_parse_action(_dice)
modifier = MODIFIER.set_parse_action(_modifier) | SIGNED.set_parse_action(_signed)
clause = RUN | dice | modifier | SWITCH.set_parse_action(_switch) | DIFFICULTY | NUMBERLESS

side = pp.Group(clause[1, ...]).set_name("a roll, as 3d6 a1")
opponent = (AT_NICK + clauses(clause) | LONE_NUMBER | side("other") | NO_AT).set_name("a roll, as 3d6 a1, or @nick")
versus = VERSUS - opponent + pp.Opt(THIRD) | NOT_VS
roll = (XR + (side("acting") + pp.Opt(versus) | versus)).set_name("roll").set_parse_action(_roll)

die = POSITION.set_parse_action(_position)
keep = (XR + word("keep", tight=True) - clauses(die | REF)).set_name("keep").set_parse_action(_keep)
reroll = XR + word("reroll", "re-roll", tight=True) - clauses(die | FATE | REF)
reroll.set_name("reroll").set_parse_action(_reroll)
reaction = (XR + word("reaction") + pp.Opt(REF)).set_name("reaction")
reaction.set_parse_action(lambda text, _, tokens: Reaction(**once(text, tokens)))

GROUP = word("group", tight=True)
member = pp.Group(clause + clauses(~SEMICOLON + clause)).set_name("a Skill Roll, as 3d6 a1")
group = XR + GROUP + member + (SEMICOLON + member)[...] + pp.Opt(SEMICOLON)
group.set_name("group").set_parse_action(_group)
the_end = pp.FollowedBy(pp.Regex(r"$|[.!?#]|(?:as|for)\s").set_name("end or comment"))  # `xr group 3 people` is talk
group_values = XR + GROUP + VALUE.set_parse_action(_value)[1, ...] + the_end
group_values.set_name("group of values").set_parse_action(_group_values)
group_open = (XR + GROUP + word("open")).set_name("group open").set_parse_action(lambda: GroupOpen())
group_close = (XR + GROUP + word("close")).set_name("group close").set_parse_action(lambda: GroupClose())

point = (POINT | POINTS).set_parse_action(_point).set_name("points, as HHL")
damage = XR + word("damage", tight=True) - point[1, ...] + clauses(modifier)
damage.set_name("damage").set_parse_action(_damage)

end_turn = (XR + word("endturn", "end turn")).set_name("endturn").set_parse_action(lambda: EndTurn())
nick = NICK.set_parse_action(lambda tokens: tokens[0].lstrip("@"))
fate = (XR + word("fate") + pp.Opt(nick)).set_name("fate").set_parse_action(lambda tokens: FateList(*tokens))
fate_end = XR + word("fate") + word("end") - nick + pp.Opt(KIND)
fate_end.set_name("fate end").set_parse_action(_fate_end)
nothing = command_word("xr").set_name("xr alone").set_parse_action(lambda: Help("xr"))  # XR-01

GRAMMAR = (
    reaction | roll | keep | reroll | group_values | group_open | group_close | group
    | damage | end_turn | fate_end | fate | nothing
)  # fmt: skip

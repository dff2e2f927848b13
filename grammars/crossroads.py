"""Crossroads: `xr 3d6 a1 n2`, contests, groups, damage and follow-ups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pyparsing as pp

from grammars import tokens
from grammars.command import Clause, Node, TwoSided, alone_or, builds, from_table, joined, limited, made_by, values_of
from grammars.errors import ImpossibleError
from grammars.help import Help
from grammars.line import END, FIGURE, LARGEST, LONE_NUMBER, MOST_DICE, MOST_DRAWN, shown
from grammars.tokens import Token, command_word, flag, keyed, number, refused, repeatable, versus, word

KEYWORDS = ("xr",)
TAKES_DICE = ("xr",)
CERTAIN = ("xr",)  # GEN-03: `xr a1 sneak past`
# Words that are not in any command, for "did you mean ..." and help.
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
    "xr fate": "your temporary Fate Dice and blessings, and the `fate` that you track; `xr fate bob` lists bob's",
    "xr fate spend": "spend a Fate Die, one that a triple gave or one that you keep count of with `!track fate 2`",
    "xr fate end bob die": "storyteller: end one Fate Die of bob's; `blessing`, `change`, or nothing for all",
}
HELP = {
    "result, success, failure": ("XR-24", "XR-09", "XR-08"),
    "blessing, blessings": ("XR-18", "XR-25"),
    "change, reroll": ("XR-13", "XR-17"),
    "keep": "XR-05",
    "advantage": ("XR-04", "XR-05", "XR-07"),
    "doubles": ("XR-11", "XR-12", "XR-13", "XR-14"),
    "triples": (
        "Triple 1 Doomed Portents, value 1 less; 2 Balanced Portents, result 0; 3 or 4 Change of Fate, a reroll kept;",
        "5 Fate's Blessing, a1 on Skill Rolls; 6 Fate's Child, value 1 more. 1 and 6 give a temporary Fate Die.",
    ),
}

DIE_SIDES = (6, 3)  # XR-01
SKILL_DICE, SKILL_SIDES = 3, 6  # XR-01
SUCCESS_VALUES = (-2, 3)  # XR-10: the least and the greatest
FATE_KINDS = {"die": "fate_die", "blessing": "fates_blessing", "change": "change_of_fate"}  # XR-25: with the label


class Roll(Node):
    """`xr NdX` with its modifiers, each pair netted (XR-03): below 0 is Disadvantage, or Negative.

    `blessings` is the part of the Advantage added from the table's memory (XR-18). `chosen` and `rerolled` mean that
    `xr keep` and the roll's own Change are used up.
    """

    dice: int = limited(1, MOST_DICE, "the number of dice", default=SKILL_DICE)
    sides: int = SKILL_SIDES
    advantage: int = 0
    bonus: int = limited(-LARGEST, default=0)
    convert: int = limited(0, MOST_DICE, default=0)
    piercing: int = limited(0, default=0)
    armour: int | None = limited(0, default=None)
    low: bool = False
    plain: bool = False
    simple: bool = False
    reaction: bool = False
    blessings: int = from_table(default=0)
    chosen: bool = from_table(default=False)
    rerolled: bool = from_table(default=False)

    def __post_init__(self) -> None:  # XR-01, XR-22, GEN-15
        if self.sides not in DIE_SIDES:
            raise ImpossibleError("Crossroads is rolled with d6 and d3", "sides", typed=True)
        super().__post_init__()
        if self.drawn > MOST_DICE:
            sentence = f"a roll draws at most {MOST_DICE} dice, yours would draw {self.drawn}."
            raise ImpossibleError(sentence, "advantage")
        if self.skill and (self.piercing or self.armour is not None):
            sentence = "piercing and armour are for damage rolls, anything but 3d6: leave them out, or write 3d6 plain."
            raise ImpossibleError(sentence, "piercing" if self.armour is None else "armour")
        if not self.skill and (self.simple or self.reaction):
            sentence = "simple and reaction are for Skill Rolls, 3d6: leave them out."
            raise ImpossibleError(sentence, "simple" if self.simple else "reaction")

    @property
    def skill(self) -> bool:
        """Whether it is a Skill Roll (XR-01)."""
        return (self.dice, self.sides) == (SKILL_DICE, SKILL_SIDES) and not self.plain

    @property
    def net(self) -> tuple[int, int]:
        """Advantage and Bonus after conversion (XR-07); below 0 they are Disadvantage and Negative."""
        convert = min(self.convert, max(self.advantage, 0))  # more is refused when it is rolled
        return self.advantage - convert, self.bonus + convert

    @property
    def drawn(self) -> int:
        """The dice drawn: those kept, and one for each Advantage or Disadvantage."""
        return self.dice + abs(self.net[0])

    @property
    def keeps_highest(self) -> bool:
        """XR-04: whether the highest dice are kept; irrelevant if all are."""
        return (self.net[0] >= 0) != self.low

    @property
    def rolled(self) -> Roll:
        """The roll after conversion (LED-22)."""
        advantage, bonus = self.net
        return replace(self, advantage=advantage, bonus=bonus, convert=0)

    def written(self, *, posted: bool = False) -> str:
        """The roll without its command word: as typed, or `posted` with net modifiers after `convert` (XR-03)."""
        advantage, bonus = self.net if posted else (self.advantage, self.bonus)
        convert = f"{'after ' if posted else ''}convert {self.convert}" if self.convert else ""
        modifiers = _pair("a", "d", advantage), _pair("b", "n", bonus), convert, _pair("p", "", self.piercing)
        armour = "" if self.armour is None else f"av{self.armour}"
        switches = {"low": self.low, "plain": self.plain, "simple": self.simple, "reaction": self.reaction}
        return joined(f"{self.dice}d{self.sides}", *modifiers, armour, *[name for name, on in switches.items() if on])

    def __str__(self) -> str:
        return f"xr {self.written()}"


class Contest(TwoSided):
    """Two Skill Rolls against each other (XR-09)."""

    answer = "xr 3d6"

    acting: Roll
    other: Roll | None = None

    def __post_init__(self) -> None:  # XR-09
        super().__post_init__()
        if not self.acting.skill or (self.other is not None and not self.other.skill):
            raise ImpossibleError("only Skill Rolls, 3d6, oppose and are opposed.", "vs")

    def written(self, *, posted: bool = False) -> str:
        """Both sides."""
        other = self.other.written(posted=posted) if self.other else f"@{self.against}"
        return f"{self.acting.written(posted=posted)} vs {other}"

    def __str__(self) -> str:
        return f"xr {self.written()}"


class GroupRoll(Node):
    """The Skill Rolls of a whole group, in one line (XR-10)."""

    rolls: tuple[Roll, ...]

    def __post_init__(self) -> None:  # XR-10, GEN-15
        if not self.rolls or not all(roll.skill for roll in self.rolls):
            raise ImpossibleError("a group is made of Skill Rolls, 3d6.")
        if sum(roll.drawn for roll in self.rolls) > MOST_DRAWN:
            raise ImpossibleError(f"a command draws at most {MOST_DRAWN} dice.")

    def written(self, *, posted: bool = False) -> str:
        """All rolls; posted with commas, because semicolons separate the parts of a reply."""
        return f"group {(', ' if posted else '; ').join([roll.written(posted=posted) for roll in self.rolls])}"

    def __str__(self) -> str:
        return f"xr {self.written()}"


class GroupValues(Node):
    """Known Success Values of a group (XR-10)."""

    values: tuple[int, ...] = limited(*SUCCESS_VALUES, "a Success Value")

    def __post_init__(self) -> None:  # XR-10
        super().__post_init__()
        if not self.values:
            raise ImpossibleError("a group has at least one Success Value.")

    def __str__(self) -> str:
        return f"xr group {' '.join(map(str, self.values))}"


class GroupOpen(Node):
    """Open a group that Skill Rolls count for (XR-10); a `storyteller`'s own do not."""

    begins = "xr group open"

    storyteller: bool = from_table(default=False)

    @property
    def said_by_storyteller(self) -> GroupOpen:
        """A storyteller opens it."""
        return replace(self, storyteller=True)


class GroupClose(Node):
    """Close the group, with the `values` that counted."""

    begins = "xr group close"

    values: tuple[int, ...] = from_table(default=())


class Damage(Node):
    """Narrative Health damage: points and modifiers (XR-23)."""

    heavy: int = limited(0, default=0)
    light: int = limited(0, default=0)
    advantage: int = limited(-LARGEST, default=0)
    bonus: int = limited(-LARGEST, default=0)

    def __str__(self) -> str:
        points = f"{self.heavy}h{self.light}l"
        return joined("xr damage", points, _pair("a", "d", self.advantage), _pair("b", "n", self.bonus))


class Keep(Node):
    """Keep other dice after an Advantage roll (XR-05); positions count from 1 over all dice, in draw order."""

    begins = "xr keep"

    positions: tuple[int, ...] = limited(1, MOST_DRAWN, "the position of a die", default=())
    ref: str | None = None

    def __post_init__(self) -> None:  # XR-05
        if not self.positions:
            raise ImpossibleError("keep needs the dice to keep, as xr keep 1 3 4.")
        super().__post_init__()
        for position in self.positions:
            if self.positions.count(position) > 1:
                raise ImpossibleError(f"die {position} is kept twice: leave one out.", "positions")


class Reroll(Node):
    """Reroll one die: by the roll's own Change (XR-13), or with `fate` by a Change of Fate (XR-17), if `granted`."""

    begins = "xr reroll"

    position: int = limited(1, MOST_DRAWN, "the position of a die", default=0)
    fate: bool = False
    ref: str | None = None
    granted: bool = from_table(default=False)

    def __post_init__(self) -> None:
        if not self.position:
            raise ImpossibleError("reroll needs one die, counted from 1 in drawn order, as xr reroll 1.", "position")
        super().__post_init__()

    @property
    def anyones(self) -> bool:
        """XR-17: any roll that affects the player, even another player's."""
        return self.fate


class Reaction(Node):
    """Declare, after its triple, that a roll was made outside one's own turn (XR-18)."""

    begins = "xr reaction"

    ref: str | None = None


class EndTurn(Node):
    """End the speaker's turn, and the gifts with these labels (XR-18)."""

    begins = "xr endturn"

    ends: tuple[str, ...] = from_table(default=())


class FateList(Node):
    """Ask what a player, by default the speaker, holds (XR-25)."""

    begins = "xr fate"

    nick: str | None = None

    @property
    def asks_for(self) -> tuple[str, str | None]:
        """DSK-03: Fate Dice may be tracked as well."""
        return "fate", self.nick

    def with_names(self, _own: str, known_as: Callable[[str], str]) -> FateList:
        """DSK-01: fill in the character of the nick."""
        return self if self.nick is None else replace(self, nick=known_as(self.nick))


class FateSpend(Node):
    """Spend a Fate Die; `held` is the number of the speaker's temporary ones (DSK-03)."""

    begins = "xr fate spend"

    held: int = from_table(default=0)


class FateEnd(Node):
    """A storyteller ends a player's gifts (XR-25): one of a kind, or all, `dice` of them Fate Dice."""

    begins = "xr fate end"

    nick: str
    kind: str | None = None
    dice: int = from_table(default=0)

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in FATE_KINDS:
            raise ImpossibleError(f"what ends is {', '.join(FATE_KINDS)}.", "kind")

    def with_names(self, _own: str, known_as: Callable[[str], str]) -> FateEnd:
        """DSK-01: fill in the character of the nick."""
        return replace(self, nick=known_as(self.nick))


def _pair(above: str, below: str, amount: int) -> str:
    """A net modifier as written: `a1`, `d2`, empty at 0."""
    return f"{above}{amount}" if amount > 0 else f"{below}{-amount}" if amount else ""


# From clauses to nodes.


def _summed(clauses: Iterable[Clause]) -> dict[str, Any]:
    """The values of clauses by name, with modifiers summed (XR-03)."""
    return {name: sum(each) if isinstance(each, tuple) else each for name, each in values_of(clauses).items()}


def _roll(clauses: Iterable[Clause]) -> Roll:  # XR-01 to XR-07
    said = _summed(clauses)
    if (said.get("dice", SKILL_DICE), said.get("sides", SKILL_SIDES)) != (SKILL_DICE, SKILL_SIDES):
        said.pop("plain", None)  # other rolls are plain anyway
    return Roll(**said)


def _dice(match: re.Match[str]) -> list[Clause]:
    """XR-01: N and X of `NdX`."""
    sides = 100 if match["sides"] == "%" else int(match["sides"])
    at, typed = match.start(), match[0]
    return [Clause("dice", int(match["count"]), at, typed), Clause("sides", sides, at, typed)]


def _point(match: re.Match[str]) -> Clause:
    """XR-23: `H`, `2h`, `2 heavy`."""
    kind = "heavy" if match["kind"][0] in "hH" else "light"
    return Clause(kind, (int(match["count"] or 1),), match.start(), match[0])


def _modifiers_or_dice(match: re.Match[str]) -> str:
    """XR-26: `1d6+1d3`."""
    count, die = shown(match["count"], 9), f"d{shown(match['sides'], 9)}"
    apart = f"{match['sign'].strip()}{count} {die}" if count else die
    return f'"{shown(match[0])}" could be modifiers, {apart}, or dice of their own, xr {count or 1}{die}.'


def modifier(name: str, spellings: str, sign: int = 1) -> Token:
    """`a1`, `a 1`, `advantage: 1`: the clause `name`, which may be repeated (XR-02); below 0 where `sign` is -1."""
    words = spellings.split()
    pattern = rf"(?:{'|'.join(words)})\s*[:=]?\s*(?P<number>[0-9]+)(?!\.?[0-9])"
    known = [word for word in words if word != "dis"]  # almost every `is` would match

    def value(match: re.Match[str]) -> tuple[int]:
        return (sign * int(match["number"]),)

    return Token(f"{words[-1]}N", pattern, known, clause=name, value=value, numbered=True)


# The notation. Clauses may be run together or separated by spaces or commas: 3d6a1n2, 3d6 a1, n2.

XR = command_word("xr")
DICE = Token("3d6", r"(?P<count>[0-9]+)\s?d\s?(?P<sides>[0-9]+|%)(?!%|\.?[0-9])", value=_dice)  # XR-01
ADVANTAGE = modifier("advantage", "advantage adv a")  # XR-04
DISADVANTAGE = modifier("advantage", "disadvantage disadv dis d", -1)
BONUS = modifier("bonus", "bonus b")  # XR-06
NEGATIVE = modifier("bonus", "negative n", -1)
SIGNED = repeatable(tokens.signed("bonus", "+2 or -2"))
CONVERT = keyed("convert", "convert", everyday=True)  # XR-07
PIERCING = modifier("piercing", "piercing p")  # XR-22
ARMOUR = keyed("armour", "armour armor av", everyday=True)  # XR-22
LOW, PLAIN = flag("low"), flag("plain")  # XR-04, XR-01
SIMPLE, REACTION = flag("simple"), flag("reaction")  # XR-21, XR-18
REF = tokens.reference()  # GEN-09
FATE = flag("fate")  # XR-17
POSITION = number("position").set_name("position of a die")  # XR-05
POSITIONS = repeatable(number("positions")).set_name("position of a die")
SEMICOLON = Token(";", r"[;,]", after_comma=False)  # XR-10
VALUES = repeatable(number("values", before=r"\+?")).set_name("Success Value")  # XR-10
NICK = tokens.somebody("nick", no=r"(?!(?:as|for)\s)")
KIND = tokens.choice("kind", {kind: kind for kind in FATE_KINDS})  # XR-25
POINT = Token("H, L, 2h or 1l", r"(?P<count>[0-9]{0,7})\s?(?P<kind>[hl])(?![a-gi-km-z](?![0-9]))", value=_point)
POINTS = Token("2 heavy or 1 light", r"(?P<count>[0-9]{1,7})\s?(?P<kind>heavy|light)(?![a-z])", value=_point)  # GEN-18

# Input that is refused.

A_MODIFIER = "|".join(word for token in (ADVANTAGE, DISADVANTAGE, BONUS, NEGATIVE, PIERCING) for word in token.words)
A_COMMENT = rf"\s+(?!for\s|{FIGURE}{END})[a-z][^0-9#]*(?:$|#)"  # GEN-03
NUMBERLESS = refused(  # `xr 3d6 advantage`, but not `xr 3d6 bonus round`
    "a",
    rf"(?:with\s+)?(?:{A_MODIFIER}|av|armou?r|convert){END}(?!\s*[:=]?\s*[0-9]+(?![0-9.])|{A_COMMENT})",
    "{} needs a whole number after it.",
)
ONE_DIE = refused(  # XR-26: `xr d6`
    "d6",
    r"d\s?(?P<sides>[63])(?![0-9])",
    '"{}" could be one die, xr 1d{sides}, or Disadvantage {sides}, xr 3d6 d{sides}.',
    asked=True,
)
SIGN = r"[-+]|[abdnp]\s+(?=[0-9])"
RUN = refused("+1d3", rf"(?P<sign>{SIGN})\s*(?P<count>[0-9]*)d\s?(?P<sides>[0-9]+)", _modifiers_or_dice, asked=True)
DIFFICULTY = refused(  # XR-08
    "dc 11",
    r"(?:difficulty|diff|dc|target|tn)\s*[:=]?\s*[0-9]+",
    "Crossroads has no difficulty, the total alone decides: leave {} out.",
    asked=True,
)
NOT_ROLLED = refused(
    "p2", r"(?:p|piercing|av|armou?r|convert)\s*[:=]?\s*[0-9]+", "nothing is rolled for this damage: leave {} out."
)
VALUES_OR_ROLLS = refused(  # GEN-12
    "+1; -1",
    r"[-+][0-9]+(?:\s*[;,]\s*[-+][0-9]+)+(?=\s*$)",
    '"{}" could be Success Values, written with spaces, or rolls, as 3d6 +1; 3d6 -1.',
    asked=True,
)
LONE = refused(  # GEN-05
    "5", LONE_NUMBER, 'is "vs {0}" a pool? Crossroads has no difficulty, and opposes rolls only: vs 3d6.'
)

# Rolls.

netted = (ADVANTAGE | DISADVANTAGE | BONUS | NEGATIVE | SIGNED).set_name("modifier")
damage_only = PIERCING | ARMOUR
switch = LOW | PLAIN | SIMPLE | REACTION
objection = DIFFICULTY | NUMBERLESS
clause = (RUN | DICE | netted | damage_only | CONVERT | switch | objection).set_name("dice, modifier or switch")


def a_roll(more: pp.ParserElement) -> pp.ParserElement:
    """Dice or a modifier, then clauses in any order; switches alone are not a roll."""
    first: pp.ParserElement = ONE_DIE | RUN | DICE | netted | damage_only | CONVERT | objection
    return pp.And([switch[...], first.set_name("dice or modifier"), more[...]])


side = a_roll(clause).set_name("a roll, as 3d6 a1").set_parse_action(made_by(_roll))
opposed = versus(side, clause, example="a roll, as 3d6 a1", begins="[0-9]*d[0-9]", lone=LONE)
usual = pp.Empty().set_parse_action(lambda: Roll())  # `xr vs @bob` is `xr 3d6 vs @bob`
roll = (XR + (side + pp.Opt(opposed) | usual + opposed).set_parse_action(alone_or(Contest))).set_name("roll")

# Groups.

GROUP = word("group", tight=True)
member = a_roll(~SEMICOLON + clause).set_name("a Skill Roll, as 3d6 a1").set_parse_action(made_by(_roll))
members = member + (SEMICOLON.suppress() + member)[...] + pp.Opt(SEMICOLON).suppress()
members.set_parse_action(made_by(lambda rolls: GroupRoll(tuple(rolls))))
group = (XR + GROUP + (VALUES_OR_ROLLS | members)).set_name("group")
values = (VALUES[1, ...] + tokens.THE_END).set_parse_action(builds(GroupValues))  # `xr group 3 people` is talk
group_values = (XR + GROUP + values).set_name("group of values")
group_open = (XR + GROUP + word("open")).set_name("group open").set_parse_action(builds(GroupOpen))
group_close = (XR + GROUP + word("close")).set_name("group close").set_parse_action(builds(GroupClose))

# Follow-ups, and the rest.

keep = XR + word("keep", tight=True) - (POSITIONS | REF)[...]
keep.set_name("keep").set_parse_action(builds(Keep))
reroll = XR + word("reroll", "re-roll", tight=True) - (POSITION | FATE | REF)[...]
reroll.set_name("reroll").set_parse_action(builds(Reroll))
reaction = (XR + word("reaction") + pp.Opt(REF)).set_name("reaction").set_parse_action(builds(Reaction))
points = (POINT | POINTS).set_name("points, as HHL")
damage = XR + word("damage", tight=True) - points[1, ...] + (netted | NOT_ROLLED)[...]
damage.set_name("damage").set_parse_action(made_by(lambda clauses: Damage(**_summed(clauses))))
end_turn = (XR + word("endturn", "end turn")).set_name("endturn").set_parse_action(builds(EndTurn))
fate = (XR + word("fate") + pp.Opt(NICK)).set_name("fate").set_parse_action(builds(FateList))
fate_spend = (XR + word("fate") + word("spend")).set_name("fate spend").set_parse_action(lambda: FateSpend())
fate_end = XR + word("fate") + word("end") - NICK + pp.Opt(KIND)
fate_end.set_name("fate end").set_parse_action(builds(FateEnd))
nothing = command_word("xr").set_name("xr alone").set_parse_action(lambda: Help("xr"))  # XR-01

GRAMMAR = (
    reaction | roll | keep | reroll | group_values | group_open | group_close | group
    | damage | end_turn | fate_end | fate_spend | fate | nothing
)  # fmt: skip

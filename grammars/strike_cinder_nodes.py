"""Strike & Cinder: the seed's tables, what help explains from them, and the commands that are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from grammars.command import Command, joined
from grammars.errors import ImpossibleError
from grammars.names import check_name
from grammars.tokens import FLAGS, MOST_DICE, check

# The seed's tables.

STRIKE, CINDER = POOLS = "strike", "cinder"


class Path(NamedTuple):
    """A Path's name, its dice (SC-06), and its Defense DC (SC-08).

    Dice are None where there are none, as a Human's Cinder, or where they depend on which Shifter it is.
    """

    name: str
    strike: int | None
    cinder: int | None
    dc: int

    def dice(self, pool: str) -> int | None:
        """The dice of one of its pools."""
        return self.strike if pool == STRIKE else self.cinder


PATHS = {
    "human": Path("Human", 4, None, 1),
    "arcanist": Path("Arcanist", 4, 7, 2),
    "cursed": Path("Cursed", 5, 5, 3),
    "possessed": Path("Possessed", 4, 5, 3),
    "half-blood": Path("Half-Blood", 5, 5, 3),
    "natural shifter": Path("Natural Shifter", 6, 5, 4),
    "afflicted shifter": Path("Afflicted Shifter", 7, 5, 4),
    "undying": Path("Undying", 6, 5, 4),
    "spirit": Path("Spirit", 1, 6, 10),
    "shifter": Path("Shifter", None, 5, 4),  # which one is asked where they differ
}
HUMAN, SPIRIT, UNDYING, AFFLICTED, ANY_SHIFTER = "human", "spirit", "undying", "afflicted shifter", "shifter"
SHIFTERS = ("natural shifter", AFFLICTED, ANY_SHIFTER)
SHORT_PATHS = {"natural": "natural shifter", "afflicted": AFFLICTED}
SHIFTED_DC = 5  # SC-08
MANIFESTED_DC = 2  # SC-08, SC-09
MANIFESTED_STRIKE = 4  # SC-06
RITUAL_DICE = 4  # SC-07
IRONWILL_DICE = 5  # SC-17
STATES = ("shifted", "manifested")
IRONWILL_IS_FOR = "ironwill resists magic on the mind and does nothing else: sc resist ironwill."
SHIFTED_IS_FOR = "shifted is for a target that is an Afflicted Shifter: vs afflicted shifter shifted."
MANIFESTED_IS_FOR = "manifested is for the Strike of a Spirit, strike spirit manifested, or goes after vs spirit."
ASSIST = {1: "assist", 2: "assist2"}  # SC-14
CANTRIP = "cantrip"
TAGS = (CANTRIP, "charm", "boon", "aspect", "sorrows")  # SC-27


class Weakness(NamedTuple):
    """What `word` takes from a pool of these Paths (SC-12)."""

    word: str
    paths: tuple[str, ...]
    pool: str
    loss: int = 0
    most: int | None = None  # what the pool is brought down to


class Bane(NamedTuple):
    """What `word` does to a target of these Paths when one of `pools` hits (SC-11)."""

    word: str
    paths: tuple[str, ...]
    pools: tuple[str, ...]
    luck: int = 1
    bypasses: bool = False


WEAKNESSES = (
    Weakness("silver", SHIFTERS, STRIKE, loss=1),
    Weakness("silver", (UNDYING,), CINDER, loss=1),
    Weakness("skyiron", ("half-blood",), CINDER, loss=1),
    Weakness("salt", ("possessed",), CINDER, loss=1),
    Weakness("sunlight", (UNDYING,), STRIKE, most=4),
)
WEAKENING = tuple(dict.fromkeys(each.word for each in WEAKNESSES))
BANES = (
    Bane("silver", SHIFTERS, (STRIKE,), luck=2),
    Bane("salt", (SPIRIT,), POOLS, bypasses=True),
    Bane("sunlight", (UNDYING,), (STRIKE,), luck=2),
)

SUCCESS_RANGE = (  # SC-05: from that number of passes
    (0, "critical_failure", "Critical Failure"),
    (1, "failure", "Failure"),
    (2, "partial_failure", "Partial Failure"),
    (3, "complete_success", "Complete Success"),
    (5, "exceptional_success", "Exceptional Success"),
)
LUCK = 4  # SC-18
EXCHANGE = ("human", "arcanist", "cursed", "possessed", "half-blood")  # SC-18: whose Luck Exchange Equipment raises
LARGEST_DC = 1000  # GEN-15: no throw has more dice than that
MOST_LUCK = 1000
MOST_RANK = 10
# What is no name, as it would mean something else after `vs`.
TAKEN = {
    *(word for path in PATHS for word in (path.replace(" ", "-"), *path.split())),
    *("half", "ritual", "ironwill", *WEAKENING, *STATES),
}
LIKE_A_CLAUSE = re.compile("[a-z]{1,2}[0-9]+", FLAGS)  # `dv3`


def weakness(word: str, path: str | None, pool: str) -> Weakness | None:
    """The weakness of `path` that `word` names, for that pool."""
    return next((w for w in WEAKNESSES if w.word == word and path in w.paths and w.pool == pool), None)


def bane(word: str, path: str | None, pool: str) -> Bane | None:
    """What `word` does to a target of `path` when that pool hits."""
    return next((b for b in BANES if b.word == word and path in b.paths and pool in b.pools), None)


def article(path: str) -> str:
    """`an Undying`, `a Human`."""
    name = PATHS[path].name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


# What help explains from the tables, two lines each.


def _listed(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _weakens(weak: Weakness) -> str:
    of, pool = article(weak.paths[-1]), weak.pool.capitalize()
    return (
        f"{weak.word} brings the {pool} of {of} down to {weak.most}" if weak.most else f"{weak.word} -1 {pool} of {of}"
    )


def _harms(bane: Bane) -> str:
    how = "a hit meets no DC" if bane.bypasses else f"a {bane.pools[0].capitalize()} hit drains {bane.luck} Luck"
    return f"{bane.word} against {article(bane.paths[-1])}, {how}"


_PATHS = [path for path in PATHS.values() if path.strike]
_POOLS = {path.name: f"{path.strike}/{path.cinder or 'none'}" for path in _PATHS}
TERMS = {
    "luck": (
        f"Luck is {LUCK} for every Path, one more for a skill of rank II, two more from rank IV on (or as the "
        f"config says), and one more by Exchange Equipment for {', '.join(PATHS[each].name for each in EXCHANGE)}.",
        "In an encounter a hit drains 1 of its target's, a critical hit or a weakness 2; at 0 one is out of Luck.",
    ),
    "paths": (
        f"Strike / Cinder dice: {_listed(_POOLS)}; "
        f"a manifested Spirit has Strike {MANIFESTED_STRIKE}, a Human in a ritual Cinder {RITUAL_DICE}.",
        f"Defense DC: {_listed({path.name: path.dc for path in _PATHS})}; shifted {SHIFTED_DC}, a Spirit manifested or "
        f"met by Cinder {MANIFESTED_DC}.",
    ),
    "explode": (
        "Each 6 rolls one more die, which may explode again; under the full moon each 5 of a Cinder die as well.",
    ),
    "passes": (
        f"Success Range: from {_listed({str(at): name for at, _, name in SUCCESS_RANGE})} passes.",
        "A die passes at 4 or more; a 6 rolls one more die, under the full moon a Cinder die's 5 as well.",
    ),
    "weaknesses": (
        f"Before vs, of the roller: {'; '.join(map(_weakens, WEAKNESSES))}.",
        f"After vs, of the target: {'; '.join(map(_harms, BANES))}.",
    ),
    "fullmoon": (
        "Under the full moon Cinder dice explode on 5 and 6; Strike is not touched by it.",
        "It is written anywhere in the roll, as in sc cinder 5 fullmoon; in sc mind it holds for both sides.",
    ),
    "encounter": (
        "sc encounter open NAME luck N begins one, with dc N, strike N and cinder N if it has them; "
        "sc encounter close ends it.",
        "sc join NAME PATH brings in your character. Attacks vs NAME then drain Luck, as NAME rolls for one of them.",
    ),
    "tracking": (
        "sc tracking gives you the rolls and the Luck of the encounter in private, ready to paste into a forum post.",
        f"{', '.join(TAGS)} is a roll's tag there, and words after # its keyword: sc cinder 5 cantrip # Fire.",
    ),
}


# Commands that roll.


def _refuse(wrong: bool, part: str, sentence: str) -> None:
    """Refuse a command where something is wrong; `part` is the clause to blame."""
    if wrong:
        raise ImpossibleError(sentence, part)


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of one side: a number, a Path's own, or a number of dice of a Path (SC-06, SC-25).

    If neither is typed (`given` is False), they are the dice of the character or Encounter that rolls, which the
    table knows (SC-26). `ironwill` and `ritual` are the dice of Humans (SC-07, SC-17), `changes` are `+N` and `-N`
    (SC-13), `assist` the dice of a helper (SC-14).
    """

    kind: str
    dice: int | None = None
    path: str | None = None
    weaknesses: tuple[str, ...] = ()
    manifested: bool = False
    ritual: bool = False
    ironwill: bool = False
    changes: tuple[int, ...] = ()
    assist: int = 0

    def __post_init__(self) -> None:  # SC-06, SC-07, SC-12 to SC-14, SC-17
        cinder, path, numbered = self.kind == CINDER, self.path, self.dice is not None
        check("dice", self.dice, 1, MOST_DICE, "the number of dice")
        ironwill = "ironwill is a Human's 5d6 of Cinder, in place of a number or another Path."
        _refuse(self.ironwill and (not cinder or numbered or path is not None or self.ritual), "ironwill", ironwill)
        ritual = "ritual is for a Human, who then has 4d6 of Cinder: write cinder human ritual."
        _refuse(self.ritual and not (cinder and path == HUMAN), "ritual", ritual)
        no_cinder = "a Human has no Cinder, except for cinder human ritual, 4d6, and sc resist ironwill, 5d6."
        _refuse(cinder and path == HUMAN and (numbered or not self.ritual), "path", no_cinder)
        which = "which Shifter? A natural shifter has 6 Strike, an afflicted shifter 7."
        _refuse(self.kind == STRIKE and path == ANY_SHIFTER and not numbered, "path", which)
        manifested = self.kind == STRIKE and path == SPIRIT and not numbered
        _refuse(self.manifested and not manifested, "manifested", MANIFESTED_IS_FOR)
        _refuse(self.assist not in (0, *ASSIST), "assist", "assist is +1 die, assist2 is +2.")
        _refuse_repetition(self.weaknesses, "weaknesses")
        if self.given:  # else it is checked again when the table fills in the Path (SC-26)
            self._check_dice()

    def _check_dice(self) -> None:
        """SC-12, SC-13: weaknesses are the Path's, and one die is left."""
        for word in self.weaknesses:
            missing = f"{word} before vs is a weakness of your own Path: write the Path as well."
            _refuse(self.path is None, "weaknesses", missing)
            idle = f"{word} does not weaken the {self.kind.capitalize()} of {article(self.path or HUMAN)}."
            _refuse(weakness(word, self.path, self.kind) is None, "weaknesses", idle)
        part = "changes" if self.changes else "assist" if self.assist else "weaknesses" if self.weaknesses else "dice"
        sentence = f"a pool is 1 to {MOST_DICE} dice, yours comes to {self.size}."
        _refuse(not 1 <= self.size <= MOST_DICE, part, sentence)

    @property
    def given(self) -> bool:
        """Whether its dice are said; else they are those of the one who rolls (SC-26)."""
        return self.dice is not None or self.path is not None or self.ironwill

    @property
    def size(self) -> int:
        """Dice to throw: caps and weaknesses first, then `+N`, `-N` and assistance (SC-12)."""
        if self.ironwill or self.ritual:
            size = IRONWILL_DICE if self.ironwill else RITUAL_DICE
        elif self.manifested:
            size = MANIFESTED_STRIKE
        else:
            own = PATHS[self.path].dice(self.kind) if self.path else 0
            size = self.dice if self.dice is not None else own or 0
        for word in self.weaknesses:
            if weak := weakness(word, self.path, self.kind):
                size = min(size - weak.loss, weak.most or size)
        return size + sum(self.changes) + self.assist

    @property
    def thrown(self) -> tuple[str, int]:
        """What it comes to, a Path's dice or a number's (LED-22)."""
        return self.kind, self.size

    @property
    def as_side(self) -> str:
        """The pool without its name, as one side of a contest is written."""
        flags = self.manifested and "manifested", self.ritual and "ritual", self.ironwill and "ironwill"
        changes = (f"{change:+}" for change in self.changes)
        return joined(self.dice, self.path, *flags, *self.weaknesses, *changes, ASSIST.get(self.assist))

    def __str__(self) -> str:
        return joined(self.kind, self.as_side)


def _refuse_repetition(words: tuple[str, ...], part: str) -> None:
    for word in words:
        _refuse(words.count(word) > 1, part, f"{word} is given twice: leave one out.")


@dataclass(frozen=True, slots=True)
class Standing:
    """What an open encounter knows of a target: its Path or own DC, and its Luck before the roll (SC-19, SC-24)."""

    path: str | None
    dc: int | None
    luck: int
    most: int


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a roll: a Path (SC-08), or a name in the open encounter, then with its `standing`."""

    path: str | None = None
    name: str | None = None
    weaknesses: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    standing: Standing | None = None

    def __post_init__(self) -> None:
        _refuse((self.path is None) == (self.name is None), "path", "a target is a Path or a name: leave one out.")
        _refuse_repetition(self.weaknesses, "weaknesses")
        _refuse_repetition(self.states, "states")

    @property
    def known_path(self) -> str | None:
        """Its Path, typed or known from the encounter."""
        return self.path or (self.standing.path if self.standing else None)

    @property
    def aimed(self) -> tuple[object, ...]:
        """Which target it is, in whatever order it was typed (LED-22)."""
        return self.path, self.name and self.name.lower(), frozenset(self.weaknesses), frozenset(self.states)

    def check(self, pool: str, dc: int | None) -> None:
        """Refuse words that mean nothing for this target and pool (SC-08, SC-11, SC-12)."""
        path = self.known_path
        whom = article(path) if path else str(self.name)
        for word in self.weaknesses:
            sentence = f"{word} does nothing to {whom} when {pool.capitalize()} hits it."
            found = bane(word, path, pool)
            _refuse(found is None, "weaknesses", sentence)
            bypassed = found is not None and found.bypasses
            _refuse(bypassed and dc is not None, "dc", f"{word} bypasses {whom}'s DC: leave the dc out.")
        _refuse("shifted" in self.states and path != AFFLICTED, "states", SHIFTED_IS_FOR)
        _refuse("manifested" in self.states and path != SPIRIT, "states", MANIFESTED_IS_FOR)

    def defense(self, pool: str, dc: int | None) -> int | None:
        """The DC that a roll must meet; None where it is bypassed (SC-08, SC-09, SC-11)."""
        path = self.known_path
        banes = [bane(word, path, pool) for word in self.weaknesses]
        if any(found.bypasses for found in banes if found):
            return None
        if dc is not None:
            return dc
        if self.standing is not None and self.standing.dc is not None:
            return self.standing.dc
        # SC-09: Cinder meets the manifested DC, manifested or not.
        if path == SPIRIT and ("manifested" in self.states or pool == CINDER):
            return MANIFESTED_DC
        return SHIFTED_DC if "shifted" in self.states else PATHS[path].dc if path else None

    def __str__(self) -> str:
        return joined("vs", self.path or self.name, *self.states, *self.weaknesses)


@dataclass(frozen=True, slots=True)
class Roll(Command):
    """`sc strike` and `sc cinder`: on the Success Range, against a DC, or at a target."""

    pool: Pool
    target: Target | None = None
    dc: int | None = None
    fullmoon: bool = False
    tag: str | None = None
    speaker: str | None = None  # SC-27: `as NAME`
    helper: str | None = None  # who gave the assistance, as the table remembers it (SC-15)
    character: str | None = field(default=None, compare=False, repr=False)  # whose roll it is, likewise (SC-27)

    def __post_init__(self) -> None:  # SC-04, SC-17
        check("dc", self.dc, 1, LARGEST_DC, "a DC")
        _refuse_ironwill(self.pool)
        if self.target is not None and (self.target.name is None or self.target.standing is not None):
            self.target.check(self.pool.kind, self.dc)

    @property
    def defense(self) -> int | None:
        """The DC that hits the target; None where it is bypassed or there is no target."""
        return self.target.defense(self.pool.kind, self.dc) if self.target else None

    @property
    def only_called(self) -> bool:
        """`sc strike` alone is talk; called, it rolls the character's own dice (SC-26)."""
        return self.as_posted in POOLS and self.speaker is None

    @property
    def rolled(self) -> tuple[object, ...]:
        """What is thrown, at what, and by whom in the encounter (LED-22)."""
        speaker = self.speaker and self.speaker.lower()
        return *_thrown(self), self.target and self.target.aimed, self.dc, speaker

    @property
    def as_posted(self) -> str:
        """The roll as it is posted, without its speaker."""
        return joined(self.pool, *_moon_and_tag(self), self.target, self.dc and f"dc{self.dc}")

    def __str__(self) -> str:
        return joined("sc", self.as_posted, self.speaker and f"as {self.speaker}")


@dataclass(frozen=True, slots=True)
class Assist(Command):
    """`sc assist`: a helper's attempt (SC-15) for the `recipient`'s next roll of that pool."""

    pool: Pool
    recipient: str | None = None
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:  # SC-17
        _refuse_ironwill(self.pool)

    @property
    def only_called(self) -> bool:
        """`sc assist strike` alone is talk; called, it rolls the character's own dice (SC-26)."""
        return not self.pool.as_side and self.recipient is None

    @property
    def rolled(self) -> tuple[object, ...]:
        """What is thrown, and for whom (LED-22)."""
        return *_thrown(self), self.recipient and self.recipient.lower()

    def __str__(self) -> str:
        return joined("sc assist", self.pool, *_moon_and_tag(self), self.recipient and f"for {self.recipient}")


@dataclass(frozen=True, slots=True)
class Mind(Command):
    """`sc mind`: magic on a mind (SC-16). `other` resists, `against` is asked to, a `human` cannot."""

    opposed = True

    pool: Pool
    other: Pool | None = None
    against: str | None = None
    human: bool = False
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        _refuse_ironwill(self.pool)
        if self.other is not None:
            _refuse(not self.other.given, "vs", "the one who resists needs dice, as vs 5.")
            _refuse_ritual(self.other)
        others = (self.other is not None) + (self.against is not None) + self.human
        _refuse(others > 1, "vs", "a contest has two sides.")

    @property
    def only_called(self) -> bool:
        """`sc mind` alone is talk; called, it rolls the character's own dice (SC-26)."""
        return str(self) == "sc mind"

    @property
    def rolled(self) -> tuple[object, ...]:
        """What is thrown on both sides (LED-22)."""
        other = self.other and self.other.thrown
        return *_thrown(self), other, self.human, self.against and self.against.lower()

    def __str__(self) -> str:
        other = self.other.as_side if self.other else "human" if self.human else self.against and f"@{self.against}"
        return joined("sc mind", self.pool.as_side, *_moon_and_tag(self), other and f"vs {other}")


@dataclass(frozen=True, slots=True)
class Resist(Command):
    """`sc resist`: the answer to magic on one's mind (SC-16, SC-17)."""

    pool: Pool
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        _refuse_ritual(self.pool)

    def __str__(self) -> str:
        return joined("sc resist", self.pool.as_side, *_moon_and_tag(self))


def _thrown(node: Roll | Assist | Mind) -> tuple[object, ...]:
    """The kind of roll and its dice; tags are wording, and the moon does nothing to Strike (SC-03)."""
    return type(node), node.pool.thrown, node.fullmoon and node.pool.kind == CINDER


def _moon_and_tag(node: Roll | Assist | Mind | Resist) -> tuple[object, ...]:
    return node.fullmoon and "fullmoon", node.tag


def _refuse_ironwill(pool: Pool) -> None:
    _refuse(pool.ironwill, "ironwill", IRONWILL_IS_FOR)


def _refuse_ritual(pool: Pool) -> None:
    """SC-17: without Cinder there is no resistance but Iron Will."""
    _refuse(pool.ritual, "ritual", "a ritual does not resist: a Human resists with ironwill alone.")


# Commands about an encounter (SC-18 to SC-20, SC-26, SC-28).


def _check_name(name: str) -> None:
    check_name("name", name)
    sentence = f"{name} means something else after vs: choose another name."
    _refuse(name.lower() in TAKEN or bool(LIKE_A_CLAUSE.fullmatch(name)), "name", sentence)


@dataclass(frozen=True, slots=True)
class OpenEncounter(Command):
    """An encounter begins; the Encounter itself has its Luck, and may have a Defense DC and dice of its own."""

    name: str
    luck: int
    dc: int | None = None
    strike: int | None = None
    cinder: int | None = None

    def __post_init__(self) -> None:
        check("luck", self.luck, 1, MOST_LUCK, "Luck")
        check("dc", self.dc, 1, LARGEST_DC, "a DC")
        check("strike", self.strike, 1, MOST_DICE, "the number of dice")
        check("cinder", self.cinder, 1, MOST_DICE, "the number of dice")
        _check_name(self.name)

    def __str__(self) -> str:
        own = (
            self.dc and f"dc{self.dc}",
            self.strike and f"strike {self.strike}",
            self.cinder and f"cinder {self.cinder}",
        )
        return joined("sc encounter open", self.name, f"luck {self.luck}", *own)


@dataclass(frozen=True, slots=True)
class CloseEncounter(Command):
    """An encounter is over."""

    def __str__(self) -> str:
        return "sc encounter close"


@dataclass(frozen=True, slots=True)
class Join(Command):
    """A character joins, with the rank of the skill that helps and Exchange Equipment (SC-18).

    `name` is empty where it is left out: it is the one who acts (DSK-01).
    """

    name: str = ""
    path: str = field(default="", kw_only=True)
    rank: int = 1
    exchange: bool = False

    def __post_init__(self) -> None:  # SC-18
        if self.name:
            _check_name(self.name)
        _refuse(self.path == ANY_SHIFTER, "path", "which Shifter? natural shifter or afflicted shifter.")
        check("rank", self.rank, 1, MOST_RANK, "a rank")
        names = ", ".join(PATHS[each].name for each in EXCHANGE)
        sentence = f"Exchange Equipment gives Luck to {names}, not to {article(self.path)}."
        _refuse(self.exchange and self.path not in EXCHANGE, "exchange", sentence)

    def with_name(self, name: str) -> Join:
        """SC-26, DSK-01: the character that is played."""
        if not self.name and " " in name:
            raise ImpossibleError("an encounter has names of one word: say one, as sc join Tom arcanist.")
        return self if self.name else replace(self, name=name)

    def __str__(self) -> str:
        rank = self.rank > 1 and f"rank {self.rank}"
        return joined("sc join", self.name or None, self.path, rank, self.exchange and "exchange")


@dataclass(frozen=True, slots=True)
class Luck(Command):
    """Everybody's Luck, or one's, or a change of it; `before` is how it was, as the table remembers.

    `aside`: the answer is for the speaker alone (GEN-10).
    """

    name: str | None = None
    change: int | None = None
    before: Standing | None = None
    aside: bool = False

    @property
    def private(self) -> bool:
        """As `aside`."""
        return self.aside

    def __str__(self) -> str:
        return joined("sc luck", self.name, None if self.change is None else f"{self.change:+}")


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """A character leaves."""

    name: str

    def __str__(self) -> str:
        return f"sc leave {self.name}"


@dataclass(frozen=True, slots=True)
class Tracking(Command):
    """The question for the text to paste into a post, as one character's post."""

    name: str | None = None

    private = True  # It is many lines long, and for the one who asks

    def __str__(self) -> str:
        return joined("sc tracking", self.name)

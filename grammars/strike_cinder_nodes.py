"""Strike & Cinder: the seed's tables, and the commands that `strike_cinder.py` reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from grammars.command import Command
from grammars.tokens import MOST_DICE

# The seed's tables.

STRIKE, CINDER = POOLS = "strike", "cinder"


class Path(NamedTuple):
    """A Path's name, its dice (SC-06; None: not one number), and its Defense DC (SC-08)."""

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
NO_RESISTANCE = "a Human has no Cinder to resist with, except ironwill: 5d6."  # SC-17
STATES = ("shifted", "manifested")
ASSIST = {1: "assist", 2: "assist2"}  # SC-14
TAGS = ("cantrip", "charm", "boon", "aspect", "sorrows")  # SC-27


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

SUCCESS_RANGE = (  # SC-05: from so many passes
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


def _whose(table: Iterable[Weakness | Bane], word: str) -> str:
    """The Paths that `word` weakens by that table: "a Shifter or an Undying"."""
    paths = [ANY_SHIFTER if path in SHIFTERS else path for entry in table if entry.word == word for path in entry.paths]
    return " or ".join(map(article, dict.fromkeys(paths)))


# Commands that roll.


class ImpossibleError(ValueError):
    """What the rules rule out; `clause` names the clause to blame."""

    def __init__(self, sentence: str, clause: str) -> None:
        super().__init__(sentence)
        self.clause = clause


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of one side: a number, a Path's own, or a number of dice of a Path (SC-06, SC-25).

    Where neither is said (`given` is False) they are the dice of the character or Encounter that rolls, which the
    table knows (SC-26). `ironwill` and `ritual` are the dice of Humans (SC-07, SC-17), `changes` are `+N` and `-N`
    (SC-13), `assist` the dice of a helper (SC-14). `size` is the number of dice to throw, and `asked` the pool without
    its name, as one side of a contest is written.
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
    size: int = field(init=False, compare=False, repr=False, default=0)
    asked: str = field(init=False, compare=False, repr=False, default="")

    def __post_init__(self) -> None:
        """Refuse what SC-06, SC-07 and SC-12 to SC-14 rule out."""
        if self.dice is not None and not 1 <= self.dice <= MOST_DICE:
            raise ImpossibleError(f"the number of dice is 1 to {MOST_DICE}, you wrote {self.dice}.", "dice")
        self._check_human()
        self._check_path()
        if self.assist not in (0, *ASSIST):
            raise ImpossibleError("assist is +1 die, assist2 is +2.", "assist")
        if self.given:
            for word in self.weaknesses:
                self._check_weakness(word)
            object.__setattr__(self, "size", self._summed())
            if not 1 <= self.size <= MOST_DICE:
                blame = "change" if self.changes else "assist" if self.assist else next(iter(self.weaknesses), "dice")
                raise ImpossibleError(f"a pool is 1 to {MOST_DICE} dice, yours comes to {self.size}.", blame)
        object.__setattr__(self, "asked", self._written())

    @property
    def given(self) -> bool:
        """Whether its dice are said; else they are those of the one who rolls (SC-26)."""
        return self.dice is not None or self.path is not None or self.ironwill

    @property
    def thrown(self) -> tuple[str, int]:
        """What it comes to, a Path's dice or a number's (LED-22)."""
        return self.kind, self.size

    def _check_human(self) -> None:
        """SC-07 and SC-17: what Humans have instead of Cinder."""
        if self.ironwill and (self.path is not None or self.dice is not None or self.ritual):
            raise ImpossibleError("ironwill is a Human's 5d6, in place of a number or another Path.", "ironwill")
        if self.ironwill and self.kind != CINDER:
            raise ImpossibleError("ironwill dice are Cinder dice.", "ironwill")
        if self.ritual and self.kind != CINDER:
            raise ImpossibleError("ritual gives Cinder dice, not Strike.", "ritual")
        if self.ritual and self.path is None:
            raise ImpossibleError(
                "ritual is for a Human, who then has 4d6 Cinder: write cinder human ritual.", "ritual"
            )
        if self.ritual and self.path != HUMAN:
            raise ImpossibleError(f"ritual is for a Human, not for {self._who}.", "ritual")
        if self.kind == CINDER and self.path == HUMAN:
            if self.dice is not None:
                sentence = "a Human has no Cinder, and so no number of Cinder dice: cinder human ritual is 4d6."
                raise ImpossibleError(sentence, "dice")
            if not self.ritual:
                raise ImpossibleError("a Human has no Cinder; for a ritual write human ritual: 4d6.", "path")

    def _check_path(self) -> None:
        """SC-06: a Path that has one number of dice, and manifested where it says the dice."""
        if self.dice is None and self.path is not None and not self.ritual and self._own is None:
            sentence = "which Shifter? A natural shifter has 6 Strike, an afflicted shifter 7."
            raise ImpossibleError(sentence, "path")
        if self.manifested and not (self.kind == STRIKE and self.path == SPIRIT and self.dice is None):
            sentence = "manifested is for the Strike of a Spirit, strike spirit manifested, or goes after vs spirit."
            raise ImpossibleError(sentence, "manifested")

    def _check_weakness(self, word: str) -> None:
        """SC-12: the word needs a Path that it weakens, in this pool."""
        if self.path is None:
            sentence = f"{word} before vs weakens {_whose(WEAKNESSES, word)}: write your own Path as well."
            raise ImpossibleError(sentence, word)
        if weakness(word, self.path, self.kind) is None:
            known = any(w.word == word and self.path in w.paths for w in WEAKNESSES)
            what = f"its {self.kind.capitalize()}" if known else "it"
            raise ImpossibleError(f"{word} does not weaken {self._who}: {what} loses nothing by it.", word)

    @property
    def _who(self) -> str:
        return article(self.path) if self.path else "nobody"

    @property
    def _own(self) -> int | None:
        """The Path's own dice."""
        return PATHS[self.path].dice(self.kind) if self.path else None

    def _summed(self) -> int:
        """Caps and weaknesses first, then `+N`, `-N` and assistance (SC-12)."""
        if self.ironwill or self.ritual:
            size = IRONWILL_DICE if self.ironwill else RITUAL_DICE
        elif self.manifested:
            size = MANIFESTED_STRIKE
        else:
            size = self.dice if self.dice is not None else self._own or 0
        for word in self.weaknesses:
            if weak := weakness(word, self.path, self.kind):
                size = min(size - weak.loss, weak.most or size)
        return size + sum(self.changes) + self.assist

    def _written(self) -> str:
        parts = [str(self.dice)] if self.dice is not None else ["ironwill"] if self.ironwill else []
        parts += [self.path] if self.path and not self.ironwill else []
        parts += ["manifested"] * self.manifested + ["ritual"] * self.ritual + [*self.weaknesses]
        parts += [f"{change:+}" for change in self.changes]
        return " ".join([*parts, ASSIST[self.assist]] if self.assist else parts)

    def __str__(self) -> str:
        return f"{self.kind} {self.asked}".rstrip()


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
        """A target is one of the two."""
        if (self.path is None) == (self.name is None):
            raise ValueError("a target is a Path or a name.")

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
        for word in self.weaknesses:
            self._check_bane(word, pool)
            if word == "salt" and dc is not None:
                raise ImpossibleError("salt bypasses a Spirit's DC: leave the dc out.", "dc")
        if "shifted" in self.states and path != AFFLICTED:
            where = ": write vs afflicted shifter shifted." if path == ANY_SHIFTER else "."
            raise ImpossibleError(f"shifted after vs is for an Afflicted Shifter{where}", "shifted")
        if "manifested" in self.states and path != SPIRIT:
            raise ImpossibleError("manifested after vs is for a Spirit.", "manifested")

    def _check_bane(self, word: str, pool: str) -> None:
        path = self.known_path
        if bane(word, path, pool) is not None:
            return
        whose = _whose(BANES, word)
        if not whose:
            raise ImpossibleError(f"{word} weakens {_whose(WEAKNESSES, word)} that rolls, and goes before vs.", word)
        if path is None:
            raise ImpossibleError(f"{word} after vs is for {whose}: write the target's Path.", word)
        known = any(b.word == word and path in b.paths for b in BANES)
        how = f"when {pool.capitalize()} hits it" if known else "when it is hit"
        raise ImpossibleError(f"{word} does nothing to {article(path)} {how}.", word)

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
        return " ".join(["vs", self.path or self.name or "", *self.states, *self.weaknesses])


@dataclass(frozen=True, slots=True)
class Roll(Command):
    """`sc strike` and `sc cinder`: on the Success Range, against a DC, or at a target.

    `defense` is the DC that hits the target, None where it is bypassed or there is no target; `asked` is how the roll
    is posted, without its speaker.
    """

    pool: Pool
    target: Target | None = None
    dc: int | None = None
    fullmoon: bool = False
    tag: str | None = None
    speaker: str | None = None  # SC-27: `as NAME`
    helper: str | None = None  # who gave the assistance, as the table remembers it (SC-15)
    character: str | None = field(default=None, compare=False, repr=False)  # whose roll it is, likewise (SC-27)
    defense: int | None = field(init=False, compare=False, repr=False)
    asked: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a DC below 1 (SC-04), Iron Will (SC-17), and what means nothing for the target."""
        if self.dc is not None and not 1 <= self.dc <= LARGEST_DC:
            raise ImpossibleError(f"a DC is 1 to {LARGEST_DC}, you wrote dc{self.dc}.", "dc")
        _check_ironwill(self.pool)
        if self.target is not None and (self.target.name is None or self.target.standing is not None):
            self.target.check(self.pool.kind, self.dc)
        object.__setattr__(self, "defense", self.target.defense(self.pool.kind, self.dc) if self.target else None)
        object.__setattr__(self, "asked", self._written())

    @property
    def only_called(self) -> bool:
        """`sc strike` alone is talk; called, it rolls the character's own dice (SC-26)."""
        return self.asked in POOLS and self.speaker is None

    @property
    def rolled(self) -> tuple[object, ...]:
        """What is thrown, at what, and by whom in the encounter (LED-22)."""
        speaker = self.speaker and self.speaker.lower()
        return *_thrown(self), self.target and self.target.aimed, self.dc, speaker

    def _written(self) -> str:
        parts = [str(self.pool), *_moon_and_tag(self)]
        parts += [str(self.target)] if self.target else []
        return " ".join(parts if self.dc is None else [*parts, f"dc{self.dc}"])

    def __str__(self) -> str:
        return f"sc {self.asked}{f' as {self.speaker}' if self.speaker else ''}"


@dataclass(frozen=True, slots=True)
class Assist(Command):
    """`sc assist`: a helper's attempt (SC-15) for the `recipient`'s next roll of that pool."""

    pool: Pool
    recipient: str | None = None
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse Iron Will (SC-17)."""
        _check_ironwill(self.pool)

    @property
    def only_called(self) -> bool:
        """`sc assist strike` alone is talk; called, it rolls the character's own dice (SC-26)."""
        return not self.pool.asked and self.recipient is None

    @property
    def rolled(self) -> tuple[object, ...]:
        """What is thrown, and for whom (LED-22)."""
        return *_thrown(self), self.recipient and self.recipient.lower()

    def __str__(self) -> str:
        recipient = [f"for {self.recipient}"] if self.recipient else []
        return " ".join([f"sc assist {self.pool}", *_moon_and_tag(self), *recipient])


@dataclass(frozen=True, slots=True)
class Mind(Command):
    """`sc mind`: magic on a mind (SC-16). `other` resists, `against` is asked to, a `human` cannot."""

    pool: Pool
    other: Pool | None = None
    against: str | None = None
    human: bool = False
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse Iron Will of the attacker, a ritual of the one who resists, and two targets at once."""
        _check_ironwill(self.pool)
        if self.other is not None:
            if not self.other.given:
                raise ValueError("the other side of one line has dice of its own.")
            _check_resisting(self.other)
        if (self.other is not None) + (self.against is not None) + self.human > 1:
            raise ValueError("a contest has two sides.")

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
        other = self.other.asked if self.other else "human" if self.human else f"@{self.against}" * bool(self.against)
        return " ".join(filter(None, ["sc mind", self.pool.asked, *_moon_and_tag(self), other and f"vs {other}"]))


@dataclass(frozen=True, slots=True)
class Resist(Command):
    """`sc resist`: the answer to magic on one's mind (SC-16, SC-17)."""

    pool: Pool
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse a ritual: Humans resist with Iron Will alone."""
        _check_resisting(self.pool)

    def __str__(self) -> str:
        return " ".join(filter(None, ["sc resist", self.pool.asked, *_moon_and_tag(self)]))


def _thrown(node: Roll | Assist | Mind) -> tuple[object, ...]:
    """The kind of roll and its dice; tags are wording, and the moon does nothing to Strike (SC-03)."""
    return type(node), node.pool.thrown, node.fullmoon and node.pool.kind == CINDER


def _check_ironwill(pool: Pool) -> None:
    if pool.ironwill:
        sentence = "ironwill resists magic on the mind and does nothing else: sc resist ironwill."
        raise ImpossibleError(sentence, "ironwill")


def _check_resisting(pool: Pool) -> None:
    """SC-17: without Cinder there is no resistance but Iron Will."""
    if pool.ritual:
        raise ImpossibleError("a ritual does not resist: a Human resists with ironwill alone.", "ritual")


def _moon_and_tag(node: Roll | Assist | Mind | Resist) -> list[str]:
    return ["fullmoon"] * node.fullmoon + ([node.tag] if node.tag else [])


# Commands about an encounter (SC-18 to SC-20, SC-26, SC-28).


@dataclass(frozen=True, slots=True)
class OpenEncounter(Command):
    """An encounter begins; the Encounter itself has its Luck, and may have a Defense DC and dice of its own."""

    name: str
    luck: int
    dc: int | None = None
    strike: int | None = None
    cinder: int | None = None

    def __post_init__(self) -> None:
        """Refuse Luck, DCs and dice below 1."""
        if not 1 <= self.luck <= MOST_LUCK or not 1 <= (self.dc or 1) <= LARGEST_DC or self.dc == 0:
            raise ValueError(f"Luck and DC are 1 to {MOST_LUCK}.")
        if any(dice is not None and not 1 <= dice <= MOST_DICE for dice in (self.strike, self.cinder)):
            raise ValueError(f"a pool is 1 to {MOST_DICE} dice.")

    def __str__(self) -> str:
        said = {"dc": self.dc, "strike ": self.strike, "cinder ": self.cinder}
        parts = [f"{name}{value}" for name, value in said.items() if value is not None]
        return " ".join([f"sc encounter open {self.name} luck {self.luck}", *parts])


@dataclass(frozen=True, slots=True)
class CloseEncounter(Command):
    """An encounter is over."""

    def __str__(self) -> str:
        return "sc encounter close"


@dataclass(frozen=True, slots=True)
class Join(Command):
    """A character joins, with the rank of the skill that helps and Exchange Equipment (SC-18)."""

    name: str
    path: str
    rank: int = 0
    exchange: bool = False

    def __post_init__(self) -> None:
        """Refuse an unknown rank, the equipment for Paths that have none (SC-18), and an unnamed Shifter."""
        if self.path == ANY_SHIFTER:
            raise ImpossibleError("which Shifter? natural shifter or afflicted shifter.", "path")
        if not 0 <= self.rank <= MOST_RANK:
            raise ImpossibleError(f"a rank is 1 to {MOST_RANK}, you wrote {self.rank}.", "rank")
        if self.exchange and self.path not in EXCHANGE:
            names = ", ".join(PATHS[each].name for each in EXCHANGE)
            sentence = f"Exchange Equipment gives Luck to {names}, not to {article(self.path)}."
            raise ImpossibleError(sentence, "exchange")

    def __str__(self) -> str:
        rank = f" rank {self.rank}" if self.rank else ""
        return f"sc join {self.name} {self.path}{rank}{' exchange' if self.exchange else ''}"


@dataclass(frozen=True, slots=True)
class Luck(Command):
    """Everybody's Luck, or one's, or a change of it; `before` is how it was, as the table remembers."""

    name: str | None = None
    change: int | None = None
    before: Standing | None = None

    def __str__(self) -> str:
        return "sc luck" + (f" {self.name}" if self.name else "") + ("" if self.change is None else f" {self.change:+}")


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

    @property
    def private(self) -> bool:
        """It is many lines long, and for the one who asks."""
        return True

    def __str__(self) -> str:
        return "sc tracking" + (f" {self.name}" if self.name else "")

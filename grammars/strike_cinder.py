"""Strike & Cinder: `sc cinder 5`, `sc strike 6 vs undying`, `sc mind 7 vs @bob`, and encounters with their Luck.

Ids such as SC-06 are rules of the specification; the bot explains one at `help SC-06`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from functools import partial
from typing import ClassVar, NamedTuple

import pyparsing as pp

from grammars import command, tokens
from grammars.command import Clause, Node, Part, builds, joined, limited, made_by, marked, values_of
from grammars.errors import ImpossibleError
from grammars.line import END, FLAGS, MOST_DICE, NICK_PATTERN
from grammars.tokens import Token, choice, command_word, flag, keyed, refused, word

KEYWORDS = ("sc", "strike", "cinder", "luck")
ONLY_CALLED = ("luck",)  # GEN-10
ONLY_HERE = ("strike", "cinder")  # `strike 6`: short for `sc strike 6` where this game is played
# GEN-03: followed by a number, these are never talk, and a comment may follow: `sc strike 6 brawler`. `sc strike` alone
# is talk, unless the bot is called (SC-26).
CERTAIN = ("sc strike", "sc cinder")
# Words that are not in any command, for "did you mean ..." and help.
SYNONYMS = {
    "against": "vs", "versus": "vs", "v": "vs", "target": "dc", "tn": "dc", "dv": "dc", "help": "assist",
    "end": "close", "moon": "fullmoon",
}  # fmt: skip
EXAMPLES = {
    "sc strike 6": "six dice on the Success Range; a 4 or more passes, a 6 explodes; also `strike 6`",
    "sc cinder arcanist": "the dice of a Path in place of a number; `sc cinder 9 arcanist` for one who has grown",
    "sc cinder 5 +1 assist fullmoon dc3": "against a DC, with a bonus, a helper and the full moon",
    "sc strike 6 vs afflicted shifter shifted silver": "an attack: hit or miss, and the Luck it drains",
    "sc strike undying sunlight": "one's own weakness is written before vs, the target's after it",
    "sc mind 7 vs 5": "magic on a mind, and the target's dice against it",
    "sc mind 7 vs @bob": "the same, resisted by bob with `sc resist 5`, `sc resist ironwill` or `pass`",
    "sc resist 5": "resist magic on your mind; a Human who has it says `sc resist ironwill`",
    "sc assist cinder 6 for bob": "try to give bob two dice for his next Cinder roll",
    "sc cinder human ritual": "a Human's four dice in a ritual",
    "sc cinder 5 cantrip # Fire": "with its tag and keyword for the tracking",
    "sc encounter open Ghoul luck 6 dc3 strike 5 cinder 4": "an encounter begins (`dc`, `strike` and `cinder` may be"
    " left out); `sc encounter close` ends it",
    "sc join Viktor arcanist rank 4 exchange": "a character with their Luck joins, and is posted with your rolls, as"
    " `Viktor (alice)`; `sc leave Viktor`",
    "sc strike 9 vs Ghoul": "an attack that drains tracked Luck; `as Ghoul` rolls for it, in `sc mind` and `sc assist`",
    "sc cinder vs Ghoul": "with the dice of the Path that you joined with, as `sc mind vs @bob` and `sc resist` are;"
    " `sc strike as Ghoul` with those of Ghoul",
    "sc luck": "everybody's Luck; `sc luck Viktor -1` changes one's",
    "luck": "your own Luck, in an encounter everybody's, told to you alone",
    "sc tracking": "what was rolled, ready to paste, in private; `sc tracking Viktor` as Viktor's post",
}

# The rulebook's tables.

STRIKE, CINDER = POOLS = "strike", "cinder"


class Path(NamedTuple):
    """A Path's name, its dice (SC-06), and its Defense DC (SC-08).

    Dice are None if there are none, as for a Human's Cinder, or if they depend on the kind of Shifter.
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
    "shifter": Path("Shifter", None, 5, 4),  # ambiguous if their numbers differ
}
HUMAN, SPIRIT, UNDYING, AFFLICTED, ANY_SHIFTER = "human", "spirit", "undying", "afflicted shifter", "shifter"
SHIFTERS = ("natural shifter", AFFLICTED, ANY_SHIFTER)
SHORT_PATHS = {"natural": "natural shifter", "afflicted": AFFLICTED}
SHIFTED_DC = 5  # SC-08
MANIFESTED_DC = 2  # SC-08, SC-09
SHIFTED, MANIFESTED, RITUAL, IRONWILL = "shifted", "manifested", "ritual", "ironwill"
FORMS = {  # pools in place of the Path's own
    MANIFESTED: 4,  # a Spirit's Strike (SC-06)
    RITUAL: 4,  # a Human's Cinder (SC-07)
    IRONWILL: 5,  # a Human's Cinder, to resist with (SC-17)
}
IRONWILL_IS_FOR = "ironwill is a Human's 5d6 of Cinder against magic on the mind, and nothing else: sc resist ironwill."
SHIFTED_IS_FOR = "shifted is for a target that is an Afflicted Shifter: vs afflicted shifter shifted."
MANIFESTED_IS_FOR = "manifested is for the Strike of a Spirit, strike spirit manifested, or goes after vs spirit."
ASSIST = {1: "assist", 2: "assist2"}  # SC-14
CANTRIP = "cantrip"
TAGS = (CANTRIP, "charm", "boon", "aspect", "sorrows")  # SC-27


class Weakness(NamedTuple):
    """What `word` does to these Paths: to their own `pools` (SC-12), or when one of `pools` hits them (SC-11)."""

    word: str
    paths: tuple[str, ...]
    pools: tuple[str, ...]
    loss: int = 0  # of dice
    most: int = MOST_DICE  # that are left
    luck: int = 1  # drained by a hit
    bypasses: bool = False


WEAKNESSES = (  # the roller's, before vs
    Weakness("silver", SHIFTERS, (STRIKE,), loss=1),
    Weakness("silver", (UNDYING,), (CINDER,), loss=1),
    Weakness("skyiron", ("half-blood",), (CINDER,), loss=1),
    Weakness("salt", ("possessed",), (CINDER,), loss=1),
    Weakness("sunlight", (UNDYING,), (STRIKE,), most=4),
)
WEAKENING = tuple(dict.fromkeys(each.word for each in WEAKNESSES))
BANES = (  # the target's, after vs
    Weakness("silver", SHIFTERS, (STRIKE,), luck=2),
    Weakness("salt", (SPIRIT,), POOLS, bypasses=True),
    Weakness("sunlight", (UNDYING,), (STRIKE,), luck=2),
)

EXCHANGE = ("human", "arcanist", "cursed", "possessed", "half-blood")  # SC-18: can have Exchange Equipment
LARGEST_DC = 1000  # GEN-15: the most dice in a throw
MOST_LUCK = 1000
MOST_RANK = 10
# Words that cannot be names, because they mean something else after `vs`.
TAKEN = {
    *(word for path in PATHS for word in (path.replace(" ", "-"), *path.split())),
    *("half", SHIFTED, *FORMS, *WEAKENING),
}
LIKE_A_CLAUSE = re.compile("[a-z]{1,2}[0-9]+", FLAGS)  # `dv3`


def weakness(of: Iterable[Weakness], word: str | None, path: str | None, pool: str) -> Weakness | None:
    """The weakness of `path` that `word` names, for that pool."""
    return next((each for each in of if each.word == word and path in each.paths and pool in each.pools), None)


def article(path: str) -> str:
    """`an Undying`, `a Human`."""
    name = PATHS[path].name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


HELP = {
    "success, failure": ("SC-04", "SC-05"),
    "luck": ("SC-18", "SC-10", "SC-19"),
    "paths": ("SC-06", "SC-07", "SC-08", "SC-09"),
    "explode": ("SC-02", "SC-03"),
    "passes": ("SC-05", "SC-01", "SC-02"),
    "weaknesses": ("SC-12", "SC-11"),
    "fullmoon": "SC-03",
    "encounter": ("SC-26", "SC-24"),
    "tracking": ("SC-20", "SC-28", "SC-27"),
}


# Commands that roll.


def _refuse(wrong: bool, part: str, sentence: str) -> None:
    """Refuse a command if `wrong`; `part` is the clause to blame."""
    if wrong:
        raise ImpossibleError(sentence, part)


class Pool(Part):
    """The dice of one side: a number, a Path's own, or a number of dice of a Path (SC-06, SC-25).

    If neither is typed (`given` is False), the dice are those of the character or Encounter that rolls, which the
    table knows (SC-26). `form` is one of FORMS, `changes` are `+N` and `-N` (SC-13), `assist` the dice of a helper
    (SC-14).
    """

    kind: str = CINDER
    dice: int | None = limited(1, MOST_DICE, "the number of dice", default=None)
    path: str | None = None
    form: str | None = None
    weakness: str | None = None
    changes: tuple[int, ...] = ()
    assist: int = 0

    def __post_init__(self) -> None:  # SC-06, SC-07, SC-12 to SC-14, SC-17
        super().__post_init__()
        cinder, path, form, numbered = self.kind == CINDER, self.path, self.form, self.dice is not None
        _refuse(form == IRONWILL and (not cinder or numbered or path is not None), "form", IRONWILL_IS_FOR)
        ritual = "ritual is for a Human, who then has 4d6 of Cinder: write cinder human ritual."
        _refuse(form == RITUAL and not (cinder and path == HUMAN), "form", ritual)
        no_cinder = "a Human has no Cinder, except for cinder human ritual, 4d6, and sc resist ironwill, 5d6."
        _refuse(cinder and path == HUMAN and (numbered or form != RITUAL), "path", no_cinder)
        which = "which Shifter? A natural shifter has 6 Strike, an afflicted shifter 7."
        _refuse(not cinder and path == ANY_SHIFTER and not numbered, "path", which)
        _refuse(form == MANIFESTED and (cinder or path != SPIRIT or numbered), "form", MANIFESTED_IS_FOR)
        _refuse(self.assist not in (0, *ASSIST), "assist", "assist is +1 die, assist2 is +2.")
        if self.given:  # else it is checked again when the table fills in the Path (SC-26)
            self._check_dice()

    def _check_dice(self) -> None:
        """SC-12, SC-13: the weakness is the Path's, and one die is left."""
        missing = f"{self.weakness} before vs is a weakness of your own Path: write the Path as well."
        _refuse(self.weakness is not None and self.path is None, "weakness", missing)
        idle = f"{self.weakness} does not weaken the {self.kind.capitalize()} of {article(self.path or HUMAN)}."
        _refuse(self.weakness is not None and self._weakened is None, "weakness", idle)
        part = "changes" if self.changes else "assist" if self.assist else "weakness" if self.weakness else "dice"
        sentence = f"a pool is 1 to {MOST_DICE} dice, yours comes to {self.size}."
        _refuse(not 1 <= self.size <= MOST_DICE, part, sentence)

    @property
    def given(self) -> bool:
        """Whether the dice are typed; otherwise they are the roller's (SC-26)."""
        return self.dice is not None or self.path is not None or self.form == IRONWILL

    @property
    def _weakened(self) -> Weakness | None:
        return weakness(WEAKNESSES, self.weakness, self.path, self.kind)

    @property
    def size(self) -> int:
        """Dice to throw: caps and weaknesses first, then `+N`, `-N` and assistance (SC-12)."""
        own = FORMS[self.form] if self.form else PATHS[self.path].dice(self.kind) if self.path else 0
        size = self.dice or own or 0
        if weak := self._weakened:
            size = min(size - weak.loss, weak.most)
        return size + sum(self.changes) + self.assist

    @property
    def rolled(self) -> tuple[str, int]:
        """The resulting pool, from a Path or a number (LED-22)."""
        return self.kind, self.size

    @property
    def as_side(self) -> str:
        """The pool without its name, as one side of a contest is written."""
        changes = (f"{change:+}" for change in self.changes)
        return joined(self.dice, self.path, self.form, self.weakness, *changes, ASSIST.get(self.assist))

    def __str__(self) -> str:
        return joined(self.kind, self.as_side)


class Target(Part):
    """The target of a roll: a Path (SC-08), or a name in the open encounter.

    For a name the table adds its Path or its own DC, and its Luck before the roll, of at most `most` (SC-19, SC-24).
    """

    path: str | None = None
    name: str | None = None
    state: str | None = None
    weakness: str | None = None
    dc: int | None = None
    luck: int | None = None
    most: int = 0

    def __post_init__(self) -> None:
        both = self.luck is None and (self.path is None) == (self.name is None)
        _refuse(both, "path", "a target is a Path or a name: leave one out.")

    def bane(self, pool: str) -> Weakness | None:
        """The weakness that counts when that pool hits it."""
        return weakness(BANES, self.weakness, self.path, pool)

    def check(self, pool: str, dc: int | None) -> None:
        """Refuse words that have no effect on this target and pool (SC-08, SC-11, SC-12)."""
        path, bane = self.path, self.bane(pool)
        whom = article(path) if path else str(self.name)
        idle = f"{self.weakness} does nothing to {whom} when {pool.capitalize()} hits it."
        _refuse(self.weakness is not None and bane is None, "weakness", idle)
        bypassed = bane is not None and bane.bypasses and dc is not None
        _refuse(bypassed, "difficulty", f"{self.weakness} bypasses {whom}'s DC: leave the dc out.")
        _refuse(self.state == SHIFTED and path != AFFLICTED, "state", SHIFTED_IS_FOR)
        _refuse(self.state == MANIFESTED and path != SPIRIT, "state", MANIFESTED_IS_FOR)

    def __str__(self) -> str:
        return joined("vs", self.name or self.path, self.state, self.weakness)


class Throw(Node):
    """The common base of one-sided rolls. The table adds `character`, the member of the encounter who rolls (SC-27),
    and `helper`, who gave assistance (SC-15)."""

    begins: ClassVar[str] = "{kind}"  # the words before the dice; `kind` is strike or cinder
    by_members = True  # SC-27

    pool: Pool
    fullmoon: bool = field(default=False, kw_only=True)
    tag: str | None = field(default=None, kw_only=True)
    character: str | None = field(default=None, kw_only=True, compare=False, repr=False)
    helper: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:  # SC-17
        super().__post_init__()
        _refuse(self.pool.form == IRONWILL, "form", IRONWILL_IS_FOR)

    @property
    def rolled(self) -> object:
        """The roll without its tag and helper (LED-22), and without the moon for Strike (SC-03)."""
        plain = replace(self, fullmoon=self.fullmoon and self.pool.kind == CINDER, tag=None, helper=None)
        return super(Throw, plain).rolled

    @property
    def whom(self) -> tuple[object, ...]:
        """The target or recipient, as typed."""
        return ()

    @property
    def only_called(self) -> bool:
        """`sc strike` alone is talk; called, it rolls the character's own dice (SC-26)."""
        return self == type(self)(Pool(self.pool.kind))

    @property
    def as_posted(self) -> str:
        """The roll as posted."""
        begins = self.begins.format(kind=self.pool.kind)
        return joined(begins, self.pool.as_side, self.fullmoon and "fullmoon", self.tag, *self.whom)

    def __str__(self) -> str:
        return f"sc {self.as_posted}"


class Roll(Throw, command.AgainstDifficulty):
    """`sc strike` and `sc cinder`: on the Success Range, against a DC, or at a target."""

    target: Target | None = None
    difficulty: int | None = limited(1, LARGEST_DC, "a DC", default=None)  # SC-04

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.target is not None and (self.target.name is None or self.target.luck is not None):
            self.target.check(self.pool.kind, self.difficulty)

    @property
    def whom(self) -> tuple[object, ...]:
        """Its target and DC."""
        return self.target, marked("dc", self.difficulty)


class Assist(Throw):
    """`sc assist`: a helper's attempt (SC-15) for the `recipient`'s next roll of that pool."""

    begins = "assist {kind}"

    recipient: str | None = None

    def with_names(self, _own: str, known_as: Callable[[str], str]) -> Assist:
        """SC-15, DSK-01: fill in the recipient's character."""
        return self if self.recipient is None else replace(self, recipient=known_as(self.recipient))

    @property
    def whom(self) -> tuple[object, ...]:
        """The recipient."""
        return (self.recipient and f"for {command.somebody(self.recipient)}",)


class Mind(Throw):
    """`sc mind`: magic on a mind (SC-16). `other` resists, `against` is challenged to, a `human` cannot."""

    begins = "mind"
    answer = "sc resist 5"

    other: Pool | None = None
    against: str | None = None
    human: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.other is not None:
            _refuse(not self.other.given, "vs", "the one who resists needs dice, as vs 5.")
            _refuse_ritual(self.other)
        others = (self.other is not None) + (self.against is not None) + self.human
        _refuse(others > 1, "vs", "a contest has two sides.")

    @property
    def whom(self) -> tuple[object, ...]:
        """The other side."""
        other = self.other.as_side if self.other else "human" if self.human else self.against and f"@{self.against}"
        return (marked("vs ", other),)


class Resist(Throw):
    """`sc resist`: the answer to magic on one's mind (SC-16, SC-17)."""

    begins = "resist"
    only_called = by_members = False  # it is the answer of the nick that is asked (GEN-06)

    def __post_init__(self) -> None:
        _refuse_ritual(self.pool)


def _refuse_ritual(pool: Pool) -> None:
    """SC-17: without Cinder, only Iron Will resists."""
    _refuse(pool.form == RITUAL, "form", "a ritual does not resist: a Human resists with ironwill alone.")


# Commands about an encounter (SC-18 to SC-20, SC-26, SC-28).


def _check_name(name: str) -> None:
    tokens.check_name(name)
    sentence = f"{name} means something else after vs: choose another name."
    _refuse(name.lower() in TAKEN or bool(LIKE_A_CLAUSE.fullmatch(name)), "name", sentence)


class OpenEncounter(Node):
    """Open an encounter. The Encounter itself has Luck, and may have a Defense DC and dice."""

    name: str
    luck: int = limited(1, MOST_LUCK, "Luck")
    difficulty: int | None = limited(1, LARGEST_DC, "a DC", default=None)
    strike: int | None = limited(1, MOST_DICE, "the number of dice", default=None)
    cinder: int | None = limited(1, MOST_DICE, "the number of dice", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_name(self.name)

    @property
    def joins(self) -> str | None:
        """The name of the Encounter as a character."""
        return self.name

    @property
    def opens(self) -> str | None:
        """An encounter is a scene with Luck (DSK-08)."""
        return self.name

    @property
    def dice(self) -> dict[str, int]:
        """Its own dice, by pool, if given."""
        return {pool: dice for pool, dice in ((STRIKE, self.strike), (CINDER, self.cinder)) if dice}

    def __str__(self) -> str:
        dice = (f"{pool} {number}" for pool, number in self.dice.items())
        return joined("sc encounter open", self.name, f"luck {self.luck}", marked("dc", self.difficulty), *dice)


class CloseEncounter(Node):
    """Close the encounter."""

    begins = "sc encounter close"

    closes = True  # its scene ends with it (DSK-08)


class Join(Node):
    """A character joins, with the rank of a skill and Exchange Equipment (SC-18).

    An empty `name` means the actor (DSK-01).
    """

    name: str = ""
    path: str = field(default="", kw_only=True)
    rank: int = limited(1, MOST_RANK, "a rank", default=1)
    exchange: bool = False

    def __post_init__(self) -> None:  # SC-18
        super().__post_init__()
        if self.name:
            _check_name(self.name)
        _refuse(self.path == ANY_SHIFTER, "path", "which Shifter? natural shifter or afflicted shifter.")
        names = ", ".join(PATHS[each].name for each in EXCHANGE)
        sentence = f"Exchange Equipment gives Luck to {names}, not to {article(self.path)}."
        _refuse(self.exchange and self.path not in EXCHANGE, "exchange", sentence)

    @property
    def joins(self) -> str | None:
        """The character that joins, if named."""
        return self.name or None

    def with_names(self, own: str, _known_as: Callable[[str], str]) -> Join:
        """SC-26, DSK-01: fill in the speaker's character."""
        if not self.name and not NEW_NAME.re.fullmatch(own):
            sentence = "an encounter has names of one word, of letters and digits: say one, as sc join Tom arcanist."
            raise ImpossibleError(sentence)
        return self if self.name else replace(self, name=own)

    def __str__(self) -> str:
        rank = self.rank > 1 and f"rank {self.rank}"
        return joined("sc join", self.name or None, self.path, rank, self.exchange and "exchange")


class Luck(Node):
    """Ask for Luck, of all or one, or change it; the table adds the `luck` before, of at most `most`.

    `private_question` means that the answer is sent in private (GEN-10).
    """

    name: str | None = None
    change: int | None = None
    luck: int | None = None
    most: int = 0
    private_question: bool = field(default=False, compare=False)

    @property
    def asks_for(self) -> tuple[str, str | None] | None:
        """DSK-02: outside an encounter, `!luck` is a tracker."""
        return ("luck", self.name) if self.private_question and self.change is None else None

    def __str__(self) -> str:
        return joined("sc luck", self.name, None if self.change is None else f"{self.change:+}")


class Leave(Node):
    """A character leaves."""

    begins = "sc leave"

    name: str


class Tracking(Node):
    """Ask for the text to paste into a post, perhaps for one character."""

    begins = "sc tracking"

    name: str | None = None

    private_question = True  # the answer is many lines long


# The grammar.

MEMBER = rf"(?:{NICK_PATTERN}|{tokens.ONE_WORD})(?=[\s.,!?#]|$)"
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

# From clauses to nodes. `values_of` refuses a clause that is given twice; tuples are joined, as those of `+1 +2`.


def _roll(clauses: Sequence[Clause]) -> Roll:
    """SC-01 to SC-14: `vs` is followed by a target."""
    own, theirs = command.sides(clauses)
    values_of([clause for clause in clauses if clause.name == "vs"])  # refuses a second `vs`
    target = Target(**values_of(theirs, Target)) if theirs else None
    return Roll(Pool(**values_of(own, Pool)), target, **values_of(clauses, Roll))


def _mind(clauses: Sequence[Clause]) -> Mind:
    """SC-16: `vs` is followed by dice, a Human, or `@nick`."""
    own, theirs = command.sides(clauses)
    dice = values_of(theirs, Pool)
    return Mind(Pool(**values_of(own, Pool)), Pool(**dice) if dice else None, **values_of(clauses, Mind))


def throws(node: type[Throw]) -> command.Action[Throw]:
    """A parse action for `sc assist` and `sc resist`: one side alone (SC-15, SC-16)."""
    return made_by(lambda said: node(Pool(**values_of(said, Pool)), **values_of(said, node)), asked=True)


def _number(match: re.Match[str]) -> int:
    """SC-01: a number of dice, which are six-sided."""
    if match["sides"] not in (None, "6"):
        raise ImpossibleError("Strike & Cinder is rolled with d6", typed=True)
    return int((match["number"] or "1").replace(" ", ""))


def _rank(match: re.Match[str]) -> int:
    """SC-18."""
    rank = match["rank"].lower()
    return ROMAN.index(rank) + 1 if rank in ROMAN else int(rank)


def named(clause: str, pattern: str = MEMBER) -> Token:
    """A name: the clause `clause`."""
    pattern = rf"@?((?=[^0-9.@-]){pattern})"
    return Token("NAME", pattern, clause=clause)


# Words and numbers. END ends a word; THE_END is the end of the line, or `#` or `for` before a comment.
# `numbered`: a number follows its words; `tight`: one may, without a space.

SC = command_word("sc")
KIND = Token(  # SC-01: `strike6` too
    "strike or cinder", r"(?:strike|cinder)(?![a-z])", POOLS, clause="kind", value=tokens.lower, numbered=True
)
DICE = Token(  # SC-01: `6`, `6d6`, `d6`
    "6 or 6d6",
    r"(?:(?P<number>[0-9]+)|(?=d[0-9]))(?:\s?d\s?(?P<sides>[0-9]+)|(?!\s?d\s?[0-9]))(?!\.?[0-9])",
    clause="dice",
    value=_number,
)
CHANGE = Token(  # SC-13
    "+1",
    r"(?P<number>[-+]\s*[0-9]+)(?:\s*d\s*(?P<sides>[0-9]+))?(?!\.?[0-9])",
    clause="changes",
    value=lambda match: (_number(match),),
)
ASSISTED = Token(  # SC-14
    "assist2",
    rf"assist(?:\s*(?P<dice>[0-9]+)(?:\s*d\s*6)?)?{END}",
    ASSIST.values(),
    clause="assist",
    value=lambda match: int(match["dice"] or "1"),
)
PATH = choice("path", {path: path for path in PATHS} | SHORT_PATHS)  # SC-06: in place of dice, or after them
WEAKNESS = choice(  # SC-11, SC-12: with the Path that has it
    "weakness", {word: word for word in WEAKENING} | {"sky-iron": "skyiron", "true sunlight": "sunlight"}
)
FORM = choice("form", {form: form for form in (MANIFESTED, RITUAL)})  # SC-06: a Spirit's, SC-07: a Human's
RESISTING = flag(  # SC-17
    "form", "ironwill", "iron-will", "human ironwill", "human iron-will", value=IRONWILL
)
STATE = choice("state", {state: state for state in (SHIFTED, MANIFESTED)})  # SC-08
NO_CINDER = flag("human")  # SC-17: no Cinder to resist with
FULLMOON = flag("fullmoon", "fullmoon", "full-moon")  # SC-03: idle on Strike
DC = keyed("difficulty", "difficulty diff dc")  # SC-04
TAG = choice("tag", {tag: tag for tag in TAGS})  # SC-27
VERSUS = flag("vs", "vs.", "vs")
NICK = tokens.at_nick()
NEW_NAME = tokens.one_word()
NAME = named("name", rf"(?!(?:for|as)\s|{LIKE_A_CLAUSE.pattern}{END}){MEMBER}")  # SC-24, SC-26

# Input that is refused. `asked`: in uncalled lines too (GEN-12); `instead`: its replacement in the command that is
# offered.

NOT_SHIFTED = refused("shifted", rf"shifted{END}", SHIFTED_IS_FOR, asked=True)  # before vs
NO_POOL = refused(  # GEN-05, GEN-12
    "3",
    r"(?P<number>[0-9]+)(?:\s?d\s?[0-9]+)?(?!\.?[0-9])",
    '"vs {}" could be a difficulty, dc{number}, or a pool; only sc mind has a pool after vs.',
    asked=True,
)
OPPONENT = refused(  # SC-22
    "@nick", "@", "only sc mind is opposed by a roll: write the target's Path, as vs human, or its name without @."
)
NOT_THEIRS = refused(
    "+1",
    rf"[-+]\s*[0-9]+|(?:assist\s?[0-9]?|ritual|iron[\s-]?will){END}",
    "{} after vs would be the target's, who rolls nothing: put it before vs.",
    asked=True,
)
NOT_JUDGED = "{} means nothing here: mind, resist and assist are judged on the Success Range."  # SC-15, SC-16
NO_DC = refused("dc3", r"(?:dc|difficulty|diff)\s*[:=]?\s*[0-9]+", NOT_JUDGED)
NO_VS = refused("vs", rf"vs{END}", NOT_JUDGED)

ARTICLE = refused("a", r"(?:an?|the)\s+(?=[a-z])", 'write the target without "{}".', asked=True, instead="")
NO_AT = tokens.nick_without_at("dice, as 5, a Path, ironwill")  # GEN-06

# Rolls: dice, `6`, then clauses in any order, `undying +1 dc3`; a Path may replace the dice.

own = CHANGE | ASSISTED | RESISTING | PATH | WEAKNESS | FORM | NOT_SHIFTED
shared = FULLMOON | TAG
dc = DC | VERSUS.suppress() + DC

whom = (ARTICLE | PATH | NOT_THEIRS | OPPONENT | NO_POOL | NAME).set_name("a Path or a name, as vs human")
target = (WEAKNESS | STATE)[...] + whom + (PATH | WEAKNESS | STATE | NOT_THEIRS | shared | dc | VERSUS)[...]
roll = KIND + pp.Opt(DICE) + (own | shared | dc)[...] + pp.Opt(VERSUS - target)
roll.set_parse_action(made_by(_roll, asked=True))

resists = (own | shared | NO_DC).set_name("what resists")
resistance = (RESISTING | DICE | ~NO_CINDER + WEAKNESS[...] + PATH) + resists[...]
defender = ARTICLE | NICK + shared[...] | resistance | NO_CINDER + shared[...] | NO_AT
defender.set_name("dice, as 5, a Path, ironwill or @nick")
mind = word("mind", tight=True) + pp.Opt(DICE) + (own | shared | NO_DC)[...] + pp.Opt(VERSUS - defender)
mind.set_parse_action(made_by(_mind, asked=True))
resist = word("resist", tight=True) + pp.Opt(DICE) + (resists | NO_VS)[...]
resist.set_parse_action(throws(Resist))
last = tokens.THE_END | pp.FollowedBy(word("as"))
recipient = word("for") + tokens.somebody("recipient", "NAME", no="(?=[^0-9.-])") + last
assist = word("assist") + KIND + pp.Opt(DICE) + (own | shared | NO_DC | NO_VS)[...] + pp.Opt(recipient)
assist.set_parse_action(throws(Assist))

# Encounters.

LUCK_OF = keyed("luck", "luck").set_name("Luck, as luck 6")
STRIKE_OF = keyed("strike", "strike")
CINDER_OF = keyed("cinder", "cinder")
RANKS = "|".join(sorted(ROMAN, key=len, reverse=True))
RANK = Token("rank 4", rf"rank\s*(?P<rank>[0-9]+|{RANKS}){END}", ("rank",), clause="rank", value=_rank, numbered=True)
EXCHANGED = flag("exchange", "exchange equipment", "exchange")
BY = tokens.signed("change", "-1")
NEW_LUCK = refused("3", r"[0-9]+(?!\.?[0-9])", "Luck is changed by +N or -N, you wrote {}.", asked=True)

others = (DC | STRIKE_OF | CINDER_OF)[...]
open_encounter = word("encounter") + word("open", "start") + NEW_NAME + others - LUCK_OF + others
open_encounter.set_parse_action(builds(OpenEncounter, asked=True))
close_encounter = (word("encounter") + word("close")).set_parse_action(builds(CloseEncounter))
join = (word("join") + pp.Opt(~PATH + NEW_NAME) + PATH + (RANK | EXCHANGED)[...]).set_parse_action(
    builds(Join, asked=True)
)
whose = pp.Opt(NAME + pp.Opt(BY | NEW_LUCK))
luck = (word("luck") + whose).set_parse_action(builds(Luck))
my_luck = (command_word("luck") + whose).set_parse_action(builds(partial(Luck, private_question=True)))
leave = (word("leave") + NAME).set_parse_action(builds(Leave))
tracking = (word("tracking") + pp.Opt(NAME)).set_parse_action(builds(Tracking))

# GEN-03: after a complete command that cannot be talk (CERTAIN, or with dice or a keyed number) the rest of the
# line is a comment: `sc strike 6 brawler`. Words such as "plus three" are asked about (reading.py).
GRAMMAR = (
    (SC + roll).set_name("sc strike, sc cinder")
    | roll.set_name("strike, cinder")
    | (SC + mind).set_name("sc mind")
    | (SC + resist).set_name("sc resist")
    | (SC + assist).set_name("sc assist")
    | (SC + open_encounter).set_name("sc encounter open")
    | (SC + close_encounter).set_name("sc encounter close")
    | (SC + join).set_name("sc join")
    | (SC + luck).set_name("sc luck")
    | my_luck.set_name("luck")
    | (SC + leave).set_name("sc leave")
    | (SC + tracking).set_name("sc tracking")
)

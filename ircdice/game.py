"""The interface of a game: judging, exact odds, and the words of a reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

from grammars import Command
from grammars.trackers import Track
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome, faces_of
from ircdice.settings import HouseRules

N = TypeVar("N", bound=Command)
AmendKind = Literal["reroll", "hunger", "keep"]


@dataclass(frozen=True, slots=True)
class Said:
    """One command, for the memory of its game. Nicks are folded, or names of characters in their place (DSK-01).

    A roll that changes is passed again with the same number `roll`: `other` is the other side once it has answered,
    `latest` the last command about the roll, and `by` the nick that this command counts for.
    """

    nick: str
    node: Command
    outcome: Outcome
    roll: int = 0
    other: str | None = None
    by: str = ""
    latest: Command | None = None
    comment: str | None = None
    line: str = ""  # as it was posted
    revealed: bool = False  # passed once more: its difficulty is no longer secret (FW-10)
    name: str = ""  # `nick` as it is written


@dataclass(frozen=True, slots=True)
class Move:
    """What a roll does to a tracker that is kept (DSK-03): `change` is added, or it becomes `to`, of at most `most`.

    `of` is whose it is: a side of a contest, the name of a character, or `mine`, who rolls or changes a roll. `told`:
    the verdict says it already. `needed`: it cannot be done where it is not kept, or would be out of bounds.
    """

    tracker: str
    change: int = 0
    to: int | None = None
    most: int | None = None
    of: str = "mine"
    told: bool = False
    needed: bool = False
    stopped: str | None = None  # the verdict where the tracker cannot move at all
    moved: Callable[[int], Outcome] | None = None  # the outcome by how far it could move


@dataclass(slots=True)
class Memory:
    """What a game remembers of a channel, from one command to the next. This one remembers nothing."""

    open_since: int = 0
    """The number of the record that opened what is still open, such as an encounter; else 0."""

    def remember(self, _said: Said, /) -> None:
        """Add one more command."""

    def forget(self, _roll: int, /) -> None:
        """Undo what a roll did that is discarded: it never counts again (SC-21)."""

    def prepared(self, node: Command, _nick: str, /) -> Command:
        """The command with what is remembered, such as a blessing. RuleError if it cannot be."""
        return node

    def tells(self, _node: Command, _nick: str, _name: str, _storyteller: bool, /) -> tuple[str, ...] | None:
        """The lines that answer a question; None for any other command. RuleError if the speaker may not say it."""
        return None

    def returns(self, _roll: int, /) -> str:
        """What comes back when that roll is discarded, for the reply."""
        return ""

    def tracked(self, _nick: str, _said: Track, /) -> Command | None:
        """The game's own command in place of a change of a tracker, where this is where its number is (SC-26)."""
        return None

    def knows(self, _node: Command, _nick: str, /) -> bool:
        """Whether `as NAME` after that command means somebody of the game alone, as the Encounter (SC-27)."""
        return False

    def taking_back(self, _node: Command, _seq: int, /) -> Command | None:
        """The command that takes back, by hand, what the command of that record changed here; else None."""
        return None


class Game:
    """A game.

    `evaluate` and `odds` are required; everything else has a default.
    """

    nodes: ClassVar[tuple[type[Command], ...]]
    """The commands that are rolls by themselves."""
    diceless: ClassVar[tuple[type[Command], ...]] = ()
    """Those of them that throw nothing."""
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {}
    """The follow-ups to an earlier roll (GEN-09), each with the kind of its record; nothing else rerolls a die."""

    words: ClassVar[Mapping[str, str]] = {}
    """Every label, effect and remark as it is posted."""
    short: ClassVar[Mapping[str, str]] = {}
    """Labels as odds name them."""
    chances: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ()
    """Headings for odds with the labels under each; the first table that covers every outcome is used."""
    rules: ClassVar[Mapping[str, str]] = {}
    """By id, such as `XX-07`, a sentence for `help`."""
    closed: ClassVar[str] = ""
    """What is no longer possible after a storyteller closed a roll (V5-25)."""
    difficulty_words: ClassVar[Mapping[str, int]] = {}
    """What `difficulty WORD for NICK` means here (GEN-18); it reads the words of Fayrewood alone."""
    takes_back: ClassVar[Mapping[str, bool]] = {}
    """The trackers that a roll which is discarded takes back (SC-21), and whether that is still to be told."""
    memory: ClassVar[type[Memory]] = Memory
    """Its memory of a channel."""

    # Judging.

    def evaluate(self, node: Command, dice: DiceSource, house: HouseRules, /) -> Outcome:
        """Throw and judge. RuleError if the command asks the impossible."""
        raise NotImplementedError

    def odds(self, node: Command, house: HouseRules, /) -> Odds:
        """The exact chances of `node`."""
        raise NotImplementedError

    # Follow-ups and contests.

    def means(self, _node: Command, _earlier: Earlier, /) -> bool:
        """Whether a follow-up without an id may mean that roll; it changes the latest such roll (GEN-09)."""
        return True

    def admits(self, _node: Command, _earlier: Earlier, _house: HouseRules, /) -> None:
        """RuleError, with the reason, if that follow-up cannot change that roll."""

    def amend(self, node: Command, _earlier: Earlier, _dice: DiceSource, _house: HouseRules, /) -> Outcome:
        """The outcome that replaces the earlier one after a follow-up or an answer."""
        raise RuleError(f"nothing can be changed about that roll by {node}.")

    def amend_odds(self, node: Command, _earlier: Earlier, _house: HouseRules, /) -> Odds:
        """The exact chances of a follow-up (GEN-08)."""
        raise RuleError(f"there are no odds for {node}.")

    def answers(self, opening: Command, node: Command, /) -> bool:
        """Whether `node` answers a contest that `opening` opened."""
        return type(opening) is type(node)

    def is_open(self, _node: Command, _outcome: Outcome, /) -> bool:
        """Whether anyone may answer that roll although no one was asked."""
        return False

    def offer(self, _node: Command, _earlier: Earlier, _roll: str, _house: HouseRules, /) -> str | None:
        """What one side of a contest can still do, sent to that side in private; `_roll` is the id, as `#4d`."""
        return None

    # Words.

    def asked(self, node: Command, /) -> str:
        """The command as it is posted; empty if the dice say it."""
        return str(node)

    def headline(self, _node: Command, outcome: Outcome, /) -> str:
        """The verdict: here the labels in words, then the values."""
        words = [self.words.get(label, label) for label in outcome.labels]
        return ", ".join([*words, *(f"{value} {name}" for name, value in outcome.values.items())])

    def versus(self, _outcome: Outcome, _acting: str, _other: str, /) -> str | None:
        """The verdict of a contest between those nicks; None: the headline."""
        return None

    def example(self, _opening: Command, /) -> str:
        """An example of an answer to a contest."""
        return ""

    def show(self, outcome: Outcome, compact: bool, /) -> str:
        """One side's dice in draw order, with the faces counted if `compact`."""
        return listed(faces_of(outcome.dice), compact)

    def moves(
        self, _node: Command, _outcome: Outcome, _latest: Command, _before: Outcome | None, /
    ) -> tuple[Move, ...]:
        """The trackers that a roll moves by its `latest` command; `before` is the outcome before it (DSK-03)."""
        return ()

    # Secrets.

    def cover(self, _outcome: Outcome, _first: Outcome, /) -> Outcome:
        """What may be posted of a roll under a secret difficulty; `_first` is its first throw (FW-10)."""
        raise RuleError("such a roll takes no secret difficulty.")

    def in_secret(self, outcome: Outcome, /) -> Outcome:
        """A revealed secret roll: it gave nothing, and nothing follows it (DSK-07)."""
        return outcome


def expect(node: Command, kind: type[N]) -> N:
    """`node`, which the caller knows to be of that class."""
    if not isinstance(node, kind):
        raise TypeError(f"{node!r} is no {kind.__name__}")
    return node


# Words that games share.

MOST_FACES = 30  # of a reply; more are counted


def listed(faces: Sequence[int], compact: bool = False) -> str:
    """`10 3 10`; counted if `compact`, `10x2 3x1`, highest first."""
    if not compact:
        return " ".join(map(str, faces))
    return " ".join([f"{face}x{count}" for face, count in sorted(Counter(faces).items(), reverse=True)])


def signed(margin: int) -> str:
    """`+3`, `-2`, `0`."""
    return f"{margin:+}" if margin else "0"

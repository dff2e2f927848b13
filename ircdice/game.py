"""The interface of a game: judging, exact odds, and the words of a reply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

from grammars import Command
from grammars.trackers import Track
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.odds import Odds
from ircdice.outcome import Earlier, Outcome, faces_of
from ircdice.settings import HouseRules

N = TypeVar("N")
AmendKind = Literal["reroll", "hunger", "keep"]


@dataclass(frozen=True, slots=True)
class Event:
    """One command, for the memory of its game. Nicks are folded; a character's name replaces its player's (DSK-01).

    A changed roll is passed again with the same number `roll`: `other` is the other side once it has answered,
    `latest` the last command about the roll, and `by` the nick credited with this command.
    """

    nick: str
    node: Command
    outcome: Outcome
    roll: int = 0
    other: str | None = None
    by: str = ""
    latest: Command | None = None
    comment: str | None = None
    line: str = ""  # as posted
    revealed: bool = False  # passed again: its difficulty is no longer secret (FW-10)
    name: str = ""  # `nick` as written


@dataclass(frozen=True, slots=True)
class Move:
    """A change that a roll makes in a tracker (DSK-03): add `change`, or set it to `to`, of at most `most`.

    `of` is its owner: a side of a contest, a character's name, or `mine`, the player acting. `told` means that
    it is already in the verdict. `needed` makes the roll fail if the tracker is missing or would leave its bounds.
    """

    tracker: str
    change: int = 0
    to: int | None = None
    most: int | None = None
    of: str = "mine"
    told: bool = False
    needed: bool = False
    stopped: str | None = None  # the verdict if the tracker cannot change at all
    moved: Callable[[int], Outcome] | None = None  # the outcome, by how far the tracker changed


@dataclass(slots=True)
class Memory:
    """What a game remembers of a channel between commands. This default remembers nothing."""

    open_since: int = 0  # the record that opened the current encounter or the like; 0 if there is none

    def remember(self, _event: Event, /) -> None:
        """Add a command."""

    def forget(self, _roll: int, /) -> None:
        """Undo the effects of a discarded roll, for good (SC-21)."""

    def prepared(self, node: Command, _nick: str, /) -> Command:
        """The command with remembered effects, such as a blessing, applied. RuleError if it is impossible."""
        return node

    def tells(self, _node: Command, _nick: str, _name: str, _storyteller: bool, /) -> tuple[str, ...] | None:
        """The lines that answer a question; None for any other command. RuleError if the speaker may not."""
        return None

    def returns(self, _roll: int, /) -> str:
        """What discarding that roll restores, in words."""
        return ""

    def tracked(self, _nick: str, _track: Track, /) -> Command | None:
        """The game's own command for a change of a tracker, if the game stores the number (SC-26)."""
        return None

    def speakers(self, _node: Command, /) -> Iterable[str]:
        """The names in the game that `as NAME` may have after that command, such as the Encounter's (SC-27)."""
        return ()

    def taking_back(self, _node: Command, _seq: int, /) -> Command | None:
        """The command that undoes the change made by that record; None if there was no change."""
        return None


class Game(ABC):
    """A game. `nodes`, `evaluate` and `odds` are required; everything else has a default."""

    nodes: ClassVar[tuple[type[Command], ...]]  # the commands that are rolls
    diceless: ClassVar[tuple[type[Command], ...]] = ()  # the rolls that throw no dice
    # The follow-ups to an earlier roll (GEN-09), with their kinds of record; nothing else rerolls a die.
    amends: ClassVar[Mapping[type[Command], AmendKind]] = {}

    words: ClassVar[Mapping[str, str]] = {}  # every label, effect and remark as it is posted
    short: ClassVar[Mapping[str, str]] = {}  # labels as shown in odds
    # Headings for odds with the labels under each; the first table that covers every outcome is used.
    chances: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ()
    rules: ClassVar[Mapping[str, str]] = {}  # a sentence for `help` on each rule, by id, such as `XX-07`
    closed: ClassVar[str] = ""  # what is no longer possible once a storyteller has closed a roll (V5-25)
    difficulty_words: ClassVar[Mapping[str, int]] = {}  # what `difficulty WORD for NICK` means (GEN-18)
    # The trackers that discarding a roll reverts (SC-21), and whether the reply must still say so.
    takes_back: ClassVar[Mapping[str, bool]] = {}
    memory: ClassVar[type[Memory]] = Memory  # of a channel

    # Judging.

    @abstractmethod
    def evaluate(self, node: Command, dice: DiceSource, house: HouseRules, /) -> Outcome:
        """Throw and judge. RuleError if the command is impossible."""

    @abstractmethod
    def odds(self, node: Command, house: HouseRules, /) -> Odds:
        """The exact odds of `node`, a roll with dice; never a contest that waits for its answer."""

    # Follow-ups and contests.

    def means(self, _node: Command, _earlier: Earlier, /) -> bool:
        """Whether a follow-up without an id can mean that roll; the latest such roll is changed (GEN-09)."""
        return True

    def amend(self, _node: Command, _earlier: Earlier, _dice: DiceSource, _house: HouseRules, /) -> Outcome:
        """The outcome that replaces the earlier one after a follow-up or an answer.

        RuleError with the reason, before anything is drawn, if it cannot change that roll.
        """
        raise NotImplementedError  # required of a game with follow-ups or contests

    def amend_odds(self, node: Command, _earlier: Earlier, _house: HouseRules, /) -> Odds:
        """The exact odds of a follow-up (GEN-08). RuleError as in `amend`."""
        raise RuleError(f"there are no odds for {node}.")

    def answers(self, opening: Command, node: Command, /) -> bool:
        """Whether `node` is an answer to the contest that `opening` opened."""
        return type(opening) is type(node)

    def offer(self, _node: Command, _earlier: Earlier, _roll: str, _house: HouseRules, /) -> str | None:
        """A private line on what one side of a contest can still do; `_roll` is the id, such as `#4d`."""
        return None

    # Words.

    def asked(self, node: Command, /) -> str:
        """The command as posted; empty if it is shown with the dice."""
        return str(node)

    def headline(self, _node: Command, outcome: Outcome, /) -> str:
        """The verdict: by default the labels in words, then the values."""
        words = [self.words.get(label, label) for label in outcome.labels]
        return ", ".join([*words, *(f"{value} {name}" for name, value in outcome.values.items())])

    def versus(self, _outcome: Outcome, _acting: str, _other: str, /) -> str | None:
        """The verdict of a contest between those nicks; None to use the headline."""
        return None

    def show(self, outcome: Outcome, compact: bool, /) -> str:
        """One side's dice in draw order, or as counts of faces if `compact`."""
        return listed(faces_of(outcome.dice), compact)

    def moves(
        self, _node: Command, _outcome: Outcome, _latest: Command, _before: Outcome | None, /
    ) -> tuple[Move, ...]:
        """The tracker changes made by a roll's `latest` command; `before` is the outcome before it (DSK-03)."""
        return ()

    # Secrets.

    def cover(self, _outcome: Outcome, _first: Outcome, /) -> Outcome:
        """The part of a roll under a secret difficulty that may be posted; `_first` is its first throw (FW-10)."""
        raise RuleError("such a roll takes no secret difficulty.")

    def in_secret(self, outcome: Outcome, /) -> Outcome:
        """A secret roll, revealed: it has no effects and no follow-ups (DSK-07)."""
        return outcome


def expect(node: object, kind: type[N]) -> N:
    """Narrow a command or a part of one to a class that the caller is sure of. TypeError otherwise."""
    if not isinstance(node, kind):
        raise TypeError(f"{node!r} is no {kind.__name__}")
    return node


# Words that games share.

MOST_FACES = 30  # in a reply; longer lists are shown as counts


def listed(faces: Sequence[int | str], compact: bool = False) -> str:
    """`10 3 10`; counted if `compact`, `10x2 3x1`, highest first. `6+3` counts as its sum."""
    if not compact:
        return " ".join(map(str, faces))
    counts = sorted(Counter(faces).items(), key=lambda item: sum(map(int, str(item[0]).split("+"))), reverse=True)
    return " ".join([f"{face}x{count}" for face, count in counts])


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 roll`, `6 passes`, `3 dice`; `plural` is for irregular nouns."""
    regular = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural or regular}"


def signed(margin: int) -> str:
    """`+3`, `-2`, `0`."""
    return f"{margin:+}" if margin else "0"

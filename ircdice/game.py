"""What a game supplies: how its commands are judged, their exact odds, and the words of a reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeAlias, TypeVar

from grammars import Command
from grammars.contests import Pass
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.odds import Odds
from ircdice.outcome import Covered, Earlier, Outcome
from ircdice.settings import HouseRules

N = TypeVar("N", bound=Command)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Said:
    """One command, for the memory of its game. Nicks are folded.

    A roll that is changed is passed again, with the same number `roll`: `other` is the other side once it has answered,
    `latest` the last command about the roll, and `by` the nick that this one counts for.
    """

    nick: str
    node: Command
    outcome: Outcome
    roll: int = 0
    other: str | None = None
    by: str = ""
    latest: Command | None = None
    discarded: bool = False  # passed once more: what it did is undone, and it never counts again (SC-21)
    comment: str | None = None
    line: str = ""  # as it was posted
    revealed: bool = False  # passed once more: its difficulty is no longer secret (FW-10)


class Game(Generic[N, M]):
    """A game with its commands N, and M, its memory of a channel, which is immutable.

    `evaluate` and `odds` are required; everything else has a default.

    `nodes` are the commands that stand by themselves, `diceless` those of them that throw nothing. `amends` are the
    commands that change an earlier roll (GEN-09), each with the kind of its record; nothing else rerolls a die.
    """

    nodes: ClassVar[tuple[type[Command], ...]]
    diceless: ClassVar[tuple[type[Command], ...]] = ()
    amends: ClassVar[Mapping[type[Command], str]] = {}

    words: ClassVar[Mapping[str, str]] = {}  # every label, effect and remark as it is posted
    short: ClassVar[Mapping[str, str]] = {}  # labels as odds name them
    chances: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ()
    """Headings for odds with the labels under each; the first table that covers every outcome is used."""
    rules: ClassVar[Mapping[str, str]] = {}  # by id, such as `XX-07`, a sentence for `help`
    values: ClassVar[str] = ""  # a format string over the outcome's values, posted after the labels
    roles: ClassVar[Mapping[str, str]] = {}  # by role, the word in front of its dice, in posting order
    leads: ClassVar[Mapping[type[Command], str]] = {}  # by command, a word that is posted in its place before the dice
    closed: ClassVar[str] = ""  # what can no longer be done about a roll that a storyteller closed (V5-25)
    difficulties: ClassVar[Mapping[type[Command], str]] = {}
    """By command, the field of its difficulty, which may be secret (FW-10)."""

    # Judging.

    def evaluate(self, node: N, dice: DiceSource, house: HouseRules, /) -> Outcome:
        """Throw and judge. RuleError if the command asks the impossible."""
        raise NotImplementedError

    def odds(self, node: N, house: HouseRules, /) -> Odds:
        """The exact chances of `node`."""
        raise NotImplementedError

    # Follow-ups and contests.

    def means(self, _node: N, _earlier: Earlier, /) -> bool:
        """Whether a follow-up without an id may mean that roll; the latest such roll is changed (GEN-09)."""
        return True

    def admits(self, _node: N, _earlier: Earlier, _house: HouseRules, /) -> None:
        """RuleError, with the reason, if that roll cannot be changed by that follow-up."""

    def amend(self, node: N, _earlier: Earlier, _dice: DiceSource, _house: HouseRules, /) -> Outcome:
        """The outcome that replaces the earlier one after a follow-up or an answer."""
        raise RuleError(f"nothing can be changed about that roll by {node}.")

    def amend_odds(self, node: N, _earlier: Earlier, _house: HouseRules, /) -> Odds:
        """The exact chances of a follow-up (GEN-08)."""
        raise RuleError(f"there are no odds for {node}.")

    def answers(self, opening: N, node: N, /) -> bool:
        """Whether `node` answers a contest that `opening` opened."""
        return type(opening) is type(node)

    def is_open(self, _node: N, _outcome: Outcome, /) -> bool:
        """Whether others may answer that roll although nobody was asked."""
        return False

    def offer(self, _node: N, _earlier: Earlier, _roll: str, _house: HouseRules, /) -> str | None:
        """What a side of a contest may still do, for that side alone."""
        return None

    # Words.

    def asked(self, node: N, /) -> str:
        """The command as it is posted."""
        return str(node)

    def headline(self, _node: N, outcome: Outcome, /) -> str:
        """The verdict."""
        words = [self.words.get(label, label) for label in outcome.labels]
        values = self.values.format(**outcome.values) if outcome.values else ""
        return ", ".join(part for part in (*words, values) if part)

    def versus(self, _outcome: Outcome, _acting: str, _other: str, /) -> str | None:
        """The verdict of a contest between those nicks; None: the headline."""
        return None

    def waiting(self, _node: N, other: str, minutes: int, /) -> str:
        """How a contest is answered."""
        return f"{other}: answer, or pass, within {minutes} min"

    def show(self, _outcome: Outcome, _compact: bool, /) -> str | None:
        """One side's dice, faces counted if `compact`; None: by role."""
        return None

    # Memory: a fold over the commands of a channel.

    def remember(self, memory: M | None, _said: Said, /) -> M | None:
        """The memory after one more command."""
        return memory

    def prepared(self, node: N, _memory: M | None, _nick: str, /) -> N:
        """The command with what the memory adds to it, such as a blessing."""
        return node

    def tells(self, _node: N, _memory: M | None, _nick: str, /) -> tuple[str, ...] | None:
        """The lines that answer a command that only asks; None for any other."""
        return None

    def permits(self, _node: N, _memory: M | None, _nick: str, _storyteller: bool, /) -> None:
        """RuleError if the speaker may not say that."""

    def returns(self, _said: Said, _memory: M | None, /) -> str:
        """What comes back when a roll is discarded, for the reply."""
        return ""

    def open_since(self, _memory: M | None, /) -> int:
        """The number of the record that opened what is not closed yet, such as an encounter; else 0."""
        return 0

    # Secrets.

    def cover(self, _outcome: Outcome, _first: Outcome, /) -> Covered:
        """What may be told of a roll under a secret difficulty; `first` is its first throw (FW-10)."""
        raise RuleError("such a roll takes no secret difficulty.")

    def in_secret(self, outcome: Outcome, /) -> Outcome:
        """A secret roll as it is told once it is revealed: it gave nothing, and nothing follows it (DSK-07)."""
        return outcome

    def check_follows(self, node: N, earlier: Earlier, house: HouseRules) -> None:
        """RuleError if `node` cannot follow that roll."""
        if type(node) not in self.amends:
            raise RuleError(f'"{node}" cannot follow that roll.')
        self.admits(node, earlier, house)

    def is_answered_by(self, node: N, earlier: Earlier) -> bool:
        """Whether a roll waits for an answer, and `node` is one (GEN-06)."""
        if earlier.outcome.kind == "waiting":
            return isinstance(node, Pass) or self.answers(earlier.node, node)
        return self.is_open(earlier.node, earlier.outcome) and self.answers(earlier.node, node)


def expect(node: Command, kind: type[N]) -> N:
    """`node`, which the caller knows to be of that class."""
    if not isinstance(node, kind):
        raise TypeError(f"{node!r} is no {kind.__name__}")
    return node


AnyGame: TypeAlias = Game[Command, object]

"""The form of a game system: what a rules file hands over. Knows no game."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from grammars.command import Command
from grammars.contests import Pass
from ircdice.dice import DiceSource
from ircdice.errors import RuleError
from ircdice.odds import Odds
from ircdice.outcome import Covered, Earlier, Outcome
from ircdice.settings import HouseRules

Memory = Any  # what a system remembers of a channel: immutable, its own, None at first
Node = Command  # of the game's own grammar; each rules file knows its classes


@dataclass(frozen=True, slots=True)
class Said:
    """One command as a system's memory learns of it: the folded nick it counts for, the node, what it came to.

    Of a roll that was amended it is told anew, with the same number `roll`; `other` is the folded nick of the other
    side, once it has answered; `latest` is the command that was said last about it, `by` the folded nick of whoever
    it counts for.
    """

    nick: str
    node: Node
    outcome: Outcome
    roll: int = 0
    other: str | None = None
    by: str = ""
    latest: Node | None = None
    discarded: bool = False  # told once more, so that what it did is taken back and it never counts again (SC-21)
    comment: str | None = None  # what was said behind the roll
    line: str = ""  # as it was posted
    revealed: bool = False  # told once more, because the difficulty that it was under is a secret no longer (FW-10)


def _no_amendments(node: Node, _earlier: Earlier, _dice: DiceSource, _house: HouseRules) -> Outcome:
    raise RuleError(f"nothing can be changed about that roll by {node}.")


def _no_reroll_odds(node: Node, _earlier: Earlier, _house: HouseRules) -> Odds:
    raise RuleError(f"there are no odds for {node}.")


def _admits_all(_node: Node, _earlier: Earlier, _house: HouseRules) -> None:
    return None


def _means_all(_node: Node, _earlier: Earlier) -> bool:
    return True


def _answers_alike(opening: Node, node: Node) -> bool:
    return type(opening) is type(node)


@dataclass(frozen=True)
class System:
    """A game: its nodes, how they are judged, their exact odds, and the data by which a reply is worded.

    `nodes` roll by themselves; `amends` change an earlier roll (GEN-09), and nothing else rerolls a die. `words` has
    every label and effect as it is posted. `headline` is the verdict: a format string over the values, put behind the
    labels' words, or a function that words the whole. `asked` is the command as it is posted.
    """

    nodes: type | tuple[type, ...]
    evaluate: Callable[..., Outcome]  # (node, dice[, house])
    odds: Callable[..., Odds]  # (node[, house])
    words: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)  # by id, as `XX-07`, its sense in a sentence, for `help`
    headline: str | Callable[[Node, Outcome], str] = ""
    roles: Mapping[str, str] = field(default_factory=dict)  # by role, the word in front of its dice, in posting order
    # By node, a word that stands in front of all the dice in the command's place.
    leads: Mapping[type[Any], str] = field(default_factory=dict)
    show: Callable[[Outcome, bool], str] | None = None  # one side's dice, faces counted where True; else by `roles`
    asked: Callable[..., str] = str  # (node)
    versus: Callable[[Outcome, str, str], str] | None = None  # (outcome, acting nick, other nick)
    waiting: Callable[..., str] | None = None  # (node, asked nick, minutes): how to answer
    diceless: tuple[type, ...] = ()  # of the nodes that stand by themselves those that throw nothing
    amends: Mapping[type[Any], str] = field(default_factory=dict)  # by node, the kind of its record
    amend: Callable[[Node, Earlier, DiceSource, HouseRules], Outcome] = _no_amendments
    amend_odds: Callable[[Node, Earlier, HouseRules], Odds] = _no_reroll_odds
    # Whether a roll is of the kind that a follow-up changes; without an id it means the latest of these (GEN-09).
    means: Callable[..., bool] = _means_all  # (node, earlier)
    # RuleError, with the reason, where that roll cannot be changed so.
    admits: Callable[..., None] = _admits_all  # (node, earlier, house)
    answers: Callable[..., bool] = _answers_alike  # (the contest's opening node, a node): is it an answer?
    # Whether others may answer a roll, though nobody was asked: (node, outcome).
    unasked: Callable[[Node, Outcome], bool] | None = None
    # What a side may still do, or None: (node, earlier, side, house).
    offer: Callable[..., str | None] | None = None
    closed: str = ""  # what can no more be done about a roll that a storyteller closed (V5-25), for the reply
    # What a channel remembers beside its rolls: a fold over what was said, and what it adds to a node before a roll,
    # an answer, a follow-up or the question for its odds.
    remember: Callable[[Memory, Said], Memory] | None = None
    prepared: Callable[[Node, Memory, str], Node] | None = None  # (node, memory, folded nick)
    # The number of the `track` record that opened what is not closed yet, as an encounter; 0 where nothing is open.
    open_since: Callable[[Memory], int] | None = None
    # For nodes that only ask, what is told, a line each, to the speaker alone where the node is `private`; else None.
    tells: Callable[[Node, Memory, str], tuple[str, ...] | None] | None = None  # (node, memory, folded nick)
    # RuleError where the speaker may not say that: (node, memory, folded nick, whether a storyteller).
    permits: Callable[[Node, Memory, str, bool], None] | None = None
    returns: Callable[[Said, Memory], str] | None = None  # what comes back when a roll is discarded, for the reply
    # By node, the field that holds its difficulty, which may be a secret (FW-10); and what may then be told of an
    # outcome, the second being that of the first throw, of which this was told already.
    difficulties: Mapping[type[Any], str] = field(default_factory=dict)
    cover: Callable[[Outcome, Outcome], Covered] | None = None
    # A roll that nobody saw, as it is told once it is revealed: it gave nothing, and nothing can follow it (DSK-07).
    in_secret: Callable[[Outcome], Outcome] | None = None
    # For odds: headings and the labels under each. The first of these tables that covers every outcome is used.
    chances: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    short: Mapping[str, str] = field(default_factory=dict)  # labels as odds name them, under a heading too

    def __post_init__(self) -> None:
        """Let `evaluate` and `odds` leave `house` out where their game has no house rules."""
        object.__setattr__(self, "evaluate", _with_house(self.evaluate))
        object.__setattr__(self, "odds", _with_house(self.odds))
        object.__setattr__(self, "admits", _of_its_kind(self.admits, self.amends))

    @property
    def rolls(self) -> tuple[type, ...]:
        """The types of node that roll by themselves."""
        return self.nodes if isinstance(self.nodes, tuple) else (self.nodes,)

    def is_answered_by(self, node: Node, earlier: Earlier) -> bool:
        """Whether a roll of this game wants an answer, and `node` is one (GEN-06)."""
        if earlier.outcome.kind == "waiting":
            return isinstance(node, Pass) or self.answers(earlier.node, node)
        open_to_all = self.unasked is not None and self.unasked(earlier.node, earlier.outcome)
        return open_to_all and self.answers(earlier.node, node)


def _of_its_kind(
    admits: Callable[..., None], amends: Mapping[type[Any], str]
) -> Callable[[Node, Earlier, HouseRules], None]:
    """`admits`, asked only about the game's own nodes: another's cannot follow its rolls."""

    def of_its_kind(node: Node, earlier: Earlier, house: HouseRules) -> None:
        if type(node) not in amends:
            raise RuleError(f'"{node}" cannot follow that roll.')
        admits(node, earlier, house)

    return of_its_kind


def _with_house(function: Callable[..., Any]) -> Callable[..., Any]:
    if "house" in inspect.signature(function).parameters:
        return function

    def without(*args: Any, house: HouseRules | None = None) -> Any:  # noqa: ARG001  # taken and not passed on
        return function(*args)

    return without

"""Crossroads (seed 001): the one object through which the bot reaches its rules."""

from grammars.crossroads import (
    Contest,
    Damage,
    EndTurn,
    FateEnd,
    FateList,
    GroupClose,
    GroupOpen,
    GroupRoll,
    GroupValues,
    Keep,
    Reaction,
    Reroll,
    Roll,
)
from ircdice.rules.crossroads import texts
from ircdice.rules.crossroads.commands import evaluate
from ircdice.rules.crossroads.memory import open_since, permits, prepared, remember, returns, tells
from ircdice.rules.crossroads.odds import amend_odds, odds
from ircdice.rules.crossroads.rerolls import admits, amend, answers, means
from ircdice.system import System

SYSTEM = System(
    (Roll, Contest, GroupRoll, GroupValues, Damage, EndTurn, GroupOpen, GroupClose, FateList, FateEnd),
    evaluate,
    odds,
    words=texts.WORDS,
    rules=texts.RULES,
    headline=texts.headline,
    show=texts.show,
    asked=texts.asked,
    versus=texts.versus,
    waiting=texts.waiting,
    diceless=(GroupValues, Damage, EndTurn, GroupOpen, GroupClose, FateList, FateEnd),
    amends={Keep: "keep", Reroll: "reroll", Reaction: "keep"},
    amend=amend,
    amend_odds=amend_odds,
    means=means,
    admits=admits,
    answers=answers,
    closed="no more dice of it are kept or rerolled",
    remember=remember,
    prepared=prepared,
    tells=tells,
    permits=permits,
    returns=returns,
    open_since=open_since,
    in_secret=texts.in_secret,
    chances=texts.CHANCES,
    short=texts.SHORT,
)

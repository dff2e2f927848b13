"""A cache of exact odds, computed in other processes (WEB-12)."""

from __future__ import annotations

import asyncio
import signal
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import grammars
from grammars.errors import CommandSyntaxError
from ircdice import dispatcher
from ircdice.bot.odds import as_object, odds_line, question
from ircdice.errors import Refused, RuleError
from ircdice.ledger.record import STANDARD_RULES
from ircdice.odds import Odds
from ircdice.outcome import plain_number
from ircdice.settings import HouseRules
from ircdice.web.answers import PageError
from ircdice.web.charts import Number
from ircdice.web.workers import Workers

BUDGET = 2.0  # seconds of CPU time for one command
WAIT = 6.0  # seconds that a reader waits, including the queue
MOST_WAITING = 20
REMEMBERED = 500  # answers
EXAMPLE = "5d10 h2 dc3"


@dataclass(frozen=True, slots=True)
class Side:
    """The odds of one side: its labels in words, the most likely first, and each value of `measure`."""

    name: str  # the command, as named in the chart
    outcomes: Sequence[tuple[str, float]]
    measure: str
    values: Sequence[tuple[Number, float]]
    mean: float
    sd: float
    exact: bool

    @classmethod
    def of(cls, name: str, odds: Odds, words: Mapping[str, str]) -> Side:
        """The odds of one side of a command."""
        labels = [(words.get(label, label), float(chance)) for label, chance in odds.outcomes.items()]
        return cls(
            name,
            sorted(labels, key=lambda label: -label[1]),
            (odds.name or "").replace("_", " "),
            [(plain_number(value), float(chance)) for value, chance in odds.values.items()],
            float(odds.mean) if odds.values else 0.0,
            odds.sd if odds.values else 0.0,
            not odds.error,
        )


@dataclass(frozen=True, slots=True)
class Chances:
    """The odds of one command: `line` as posted, `data` as in `odds --json`, and its sides."""

    line: str
    data: Mapping[str, object]
    sides: Sequence[Side]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command has no odds, the column of the mistake, and a command that works."""

    sentence: str
    column: int | None = None
    example: str | None = None


class OddsCache:
    """Sends commands to the workers, and caches the odds."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._known: OrderedDict[tuple[str, str, HouseRules], Chances | Refusal] = OrderedDict()
        self._waiting = 0

    async def of(self, text: str, system: str, house: HouseRules = STANDARD_RULES, wait: float = WAIT) -> Chances:
        """The odds of a command in a channel of that game, within `wait` seconds. PageError if there are none."""
        key = text, system, house
        answer = self._known.get(key) or await self._worked_out(*key, wait)
        self._known[key] = answer
        self._known.move_to_end(key)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        if isinstance(answer, Refusal):
            raise PageError(answer.sentence, text=text, column=answer.column, example=answer.example or EXAMPLE)
        return answer

    async def _worked_out(self, text: str, system: str, house: HouseRules, wait: float) -> Chances | Refusal:
        if self._waiting >= MOST_WAITING:
            raise PageError("Too many odds are being worked out just now. Ask again in a minute.", 503)
        self._waiting += 1
        try:
            async with asyncio.timeout(wait):
                return await self._workers.run(answer, text, system, house)
        except TimeoutError:
            raise PageError("Too many odds are being worked out just now. Ask again in a minute.", 503) from None
        except BrokenProcessPool:
            raise PageError("That is too large to work out.", example=EXAMPLE) from None
        finally:
            self._waiting -= 1


def _too_long(_number: int, _frame: object) -> None:
    raise RuleError("that takes too long to work out.")


def answer(text: str, system: str, house: HouseRules) -> Chances | Refusal:
    """Compute the odds of one command within the budget; runs in a worker."""
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, BUDGET)
    try:
        return _answer(text, system, house)
    except CommandSyntaxError as refusal:
        return Refusal(_sentence(refusal), refusal.column, refusal.hint or refusal.example)
    except RuleError as refusal:
        return Refusal(_sentence(refusal), example=refusal.hint)
    except MemoryError:
        return Refusal("That is too large to work out.")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _sentence(refusal: Refused) -> str:
    text = str(refusal)
    return text[:1].upper() + text[1:]


def _answer(text: str, system: str, house: HouseRules) -> Chances:
    node = grammars.read(text, system, True).node.inner
    asked = question(node)
    odds, game = dispatcher.odds(node, house), dispatcher.system_of(node)
    name = asked.removeprefix("odds ")
    sides = [Side.of(name, odds, game.words)]
    if odds.opponent:
        sides.append(Side.of(f"{name}, other side", odds.opponent, game.words))
    return Chances(odds_line(asked, odds, game), as_object(text, node, odds), sides)

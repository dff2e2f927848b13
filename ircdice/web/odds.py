"""`/odds`: exact odds of one to four commands, in one chart (WEB-03)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from starlette.requests import Request

from grammars import catalogue
from ircdice.odds import Odds
from ircdice.outcome import plain_number
from ircdice.web.answers import Answer, PageError
from ircdice.web.charts import MODES, Chart, Mode, Number, chart
from ircdice.web.odds_cache import EXAMPLE, Chances
from ircdice.web.site import site_of

MOST = 4  # commands in one chart
LONGEST = 400  # characters of one command
_VALUE = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class LabelChance:
    """A label in words, and its probability."""

    word: str
    chance: float


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The probabilities of exactly, at least and at most a value."""

    value: Number
    exactly: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class ShownOdds:
    """The odds of one command, for the page; `side` is empty, or names the other side of a contest."""

    chances: Chances
    side: str = ""

    @property
    def name(self) -> str:
        """The command, as named in the chart."""
        return f"{self.chances.asked.removeprefix('odds ')}{self.side}"

    @property
    def odds(self) -> Odds:
        """The odds of this side."""
        whole = self.chances.odds
        return whole.opponent if self.side and whole.opponent else whole

    @property
    def outcomes(self) -> list[LabelChance]:
        """The labels, most likely first."""
        words, chances = self.chances.words, self.odds.outcomes.items()
        labels = [LabelChance(words.get(label, label), float(chance)) for label, chance in chances]
        return sorted(labels, key=lambda label: -label.chance)

    @property
    def measure(self) -> str:
        """The name of its values: `successes`, `success value`."""
        return (self.odds.name or "").replace("_", " ")

    @property
    def values(self) -> list[tuple[Number, float]]:
        """Each value with its probability."""
        return [(plain_number(value), float(chance)) for value, chance in self.odds.values.items()]

    def likelihood(self, value: Number) -> Likelihood:
        """The probabilities of that value."""
        spread = self.values
        least = sum(chance for each, chance in spread if each >= value)
        most = sum(chance for each, chance in spread if each <= value)
        return Likelihood(value, sum(chance for each, chance in spread if each == value), least, most)

    @property
    def mean(self) -> float | None:
        """The mean of the values."""
        return float(self.odds.mean) if self.odds.values else None

    @property
    def sd(self) -> float | None:
        """Their standard deviation."""
        return self.odds.sd if self.odds.values else None


async def odds_page(request: Request) -> Answer:
    """`/odds`: the commands are in the address, so that it can be shared."""
    asked = [text.strip() for text in request.query_params.getlist("q") if text.strip()]
    mode, game = request.query_params.get("show", "exactly"), request.query_params.get("game", "v5")
    here = _number(request.query_params.get("at"))
    if len(asked) > MOST:
        raise PageError(f"At most {MOST} commands can be compared.", example=f"/odds?q={EXAMPLE}")
    if mode not in MODES:
        raise PageError(f'"{mode[:40]}" is none of {", ".join(MODES)}.', example=f"/odds?q={EXAMPLE}&show=least")
    if game not in catalogue.system_names():
        raise PageError(
            f'"{game[:40]}" is none of the games: {", ".join(catalogue.system_names())}.', example="/odds?game=v5"
        )
    if long := next((text for text in asked if len(text) > LONGEST), None):
        raise PageError(f"A command has at most {LONGEST} characters.", text=long[:60], example=EXAMPLE)
    pool, fault = site_of(request).odds, None
    try:
        chances = await asyncio.gather(*(pool.of(text, game) for text in asked))
    except PageError as error:
        if error.status != 400:
            raise
        chances, fault = [], error  # shown above the form
    sides = [
        ShownOdds(each, side) for each in chances for side in (("", ", other side") if each.odds.opponent else ("",))
    ]
    drawn = drawing(sides, cast(Mode, mode), here)
    data: object = [{**each.data, "line": each.line} for each in chances]
    lines = "; ".join(each.line for each in chances)
    values = {
        "asked": asked,
        "mode": mode,
        "modes": MODES,
        "game": game,
        "games": [grammar for grammar in catalogue.grammars_found() if grammar.is_system],
        "measure": " and ".join(dict.fromkeys(side.measure for side in sides if side.values)),
        "tabs": [(_address(asked, each, game, here), f"{words} N", each == mode) for each, words in MODES.items()],
        "sides": sides,
        "lines": [each.line for each in chances],
        "chart": drawn,
        "most": MOST,
        "example": EXAMPLE,
        "at": here,
        "fault": fault,
    }
    if fault is not None:
        return Answer("odds.html", "Not understood", fault.as_object(), values, status=fault.status, hidden=True)
    return Answer("odds.html", f"Odds of {', '.join(asked)}" if asked else "Odds", data, values, lines)


def _address(asked: Sequence[str], mode: str, game: str, here: Number | None) -> str:
    """The address of the same odds in another view."""
    query = [*(("q", text) for text in asked), ("show", mode), ("game", game)]
    return f"/odds?{urlencode([*query, *((('at', str(here)),) if here is not None else ())])}"


def _number(text: str | None) -> Number | None:
    """Parse the value to mark. PageError if it is not a number."""
    if text is not None and not _VALUE.fullmatch(text):
        raise PageError(f'"{text[:40]}" is not a number.', example=f"/odds?q={EXAMPLE}&at=3")
    return None if text is None else round(float(text), 2)


def drawing(sides: Sequence[ShownOdds], mode: Mode, here: Number | None = None) -> Chart | None:
    """All commands in one chart; repeated ones are drawn once."""
    return chart({side.name: side.values for side in sides if side.values}, mode, here)

"""`/odds`: exact odds of one to four commands, in one chart (WEB-03)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import cast
from urllib.parse import urlencode

from starlette.requests import Request

from grammars import catalogue
from ircdice.web.answers import Answer, PageError
from ircdice.web.charts import MODES, Mode, Number, chart
from ircdice.web.odds_cache import EXAMPLE
from ircdice.web.site import site_of

MOST = 4  # commands in one chart
LONGEST = 400  # characters of one command
_VALUE = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,2})?")


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
    sides = [side for each in chances for side in each.sides]
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
        "chart": chart({side.name: side.values for side in sides if side.values}, cast(Mode, mode), here),
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


def likelihood(values: Sequence[tuple[Number, float]], at: Number) -> dict[str, Number]:
    """The probabilities of exactly, at least and at most a value."""
    return {
        "value": at,
        "exactly": sum(chance for value, chance in values if value == at),
        "least": sum(chance for value, chance in values if value >= at),
        "most": sum(chance for value, chance in values if value <= at),
    }

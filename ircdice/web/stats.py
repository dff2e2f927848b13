"""`/c/…/stats`: a channel's dice statistics, compared with fair dice (WEB-05)."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request

from grammars import catalogue
from ircdice.web.access import Place
from ircdice.web.answers import RETRY, Answer
from ircdice.web.counting import MOST_ROLLS
from ircdice.web.site import site_of


async def stats_page(request: Request, place: Place) -> Answer:
    """`/c/NETWORK/CHANNEL/stats`."""
    counts = await site_of(request).statistics.of(place)
    data = {"counted": None} if counts is None else {"counted": asdict(counts)}
    games = {grammar.name: grammar for grammar in catalogue.grammars_found()}
    values = {"counts": counts, "retry": RETRY, "most": MOST_ROLLS, "games": games}
    return Answer("stats.html", f"Dice of {place.channel}", data, values)

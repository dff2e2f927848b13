"""Server-sent events: what is new in a channel, for everybody who has one of its pages open (WEB-04, WEB-07)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ircdice.web.access import Place
from ircdice.web.guard import address_of
from ircdice.web.live import News
from ircdice.web.site import site_of


def event(name: str, data: Mapping[str, str]) -> str:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def stream(request: Request, place: Place, told: Callable[[News], Awaitable[str]]) -> Response:
    """The events that `told` makes of the news; they end when the channel's page is switched. PageError 429."""
    site, address = site_of(request), address_of(request)
    site.limits.expect_stream(address)

    async def events() -> AsyncIterator[str]:
        with site.limits.stream(address):
            yield ": what is new, as it comes\n\n"
            async for news in site.live.news():
                if any(
                    r.draft.kind == "page" and r.draft.place == (place.network, place.channel) for r in news.records
                ):
                    return  # the next request is told whether it is still shown
                if (text := await told(news)) or not news.records:
                    yield text or ": still here\n\n"

    return StreamingResponse(
        events(), media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )

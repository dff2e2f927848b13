"""Server-sent events: news of a channel, for readers with one of its pages open (WEB-04, WEB-07)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ircdice.web.access import Place
from ircdice.web.guard import Limits, address_of
from ircdice.web.live import News
from ircdice.web.site import site_of


def event(name: str, data: Mapping[str, str]) -> str:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


class _Stream(StreamingResponse):
    """A stream of events, counted against its address until it is closed. PageError 429."""

    def __init__(self, events: AsyncIterator[str], limits: Limits, address: str) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._limits, self._address = limits, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._limits.stream(self._address):
            await super().__call__(scope, receive, send)


def stream(request: Request, place: Place, render: Callable[[News], Awaitable[str]]) -> Response:
    """The events that `render` makes from the news, until the page's access is changed. PageError 429."""
    site = site_of(request)

    async def events() -> AsyncIterator[str]:
        yield ": what is new, as it comes\n\n"
        async for news in site.live.news():
            if any(r.draft.kind == "page" and r.draft.place == (place.network, place.channel) for r in news.records):
                return  # the next request shows whether access remains
            if (text := await render(news)) or not news.records:
                yield text or ": still here\n\n"

    return _Stream(events(), site.limits, address_of(request))

"""The web application and its server (WEB-01, WEB-11)."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from socket import socket
from threading import Thread
from time import sleep
from typing import TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from grammars import catalogue
from ircdice.config import Config
from ircdice.errors import ConfigError, LedgerDamaged, LedgerUnavailable
from ircdice.ledger.paths import Paths
from ircdice.outcome import Die
from ircdice.web.access import Place
from ircdice.web.answers import FOLDER, Answer, PageError, fault_page, page, respond
from ircdice.web.fair import epoch_page, fair_page
from ircdice.web.guard import Guard, Protocol
from ircdice.web.help import game_page, help_page
from ircdice.web.live import Live
from ircdice.web.log import events, log_page
from ircdice.web.odds import odds_page
from ircdice.web.openapi import openapi
from ircdice.web.rolls import proof, roll_page
from ircdice.web.scenes import scene_page, scenes_page
from ircdice.web.site import Site, site_of
from ircdice.web.stats import stats_page
from ircdice.web.table import table_events, table_page
from ircdice.web.verify import EXAMPLE, verify_page

log = logging.getLogger(__name__)
T = TypeVar("T")
CONNECTIONS = 2_000
KEEP_ALIVE = 10  # seconds
NICE = 5  # so that a bot on the same machine has priority
LEAVING = 3  # seconds for open answers to finish when the page stops
AWAY = "The record is out of reach just now. This page asks again in a moment."
SHOWN = (
    Die(10, 9),
    Die(10, 7),
    Die(10, 3),
    Die(10, 8, "hunger"),
    Die(10, 6, "hunger"),
    Die(20, 20),
    Die(6, 5),
    Die(8, 4),
)
OfPlace = Callable[[Request, Place], Awaitable[T]]


async def home(request: Request) -> Answer:
    """`/`: the games, the channels, and how to join (WEB-01)."""
    site = site_of(request)
    games = [grammar for grammar in catalogue.grammars_found() if grammar.is_system]
    places = await site.access.public()
    networks = {network.name: network for network in site.config.networks}
    shown = [{"network": p.network, "channel": p.channel, "href": p.home} for p in places]
    data = {"games": {game.name: next(iter(game.examples)) for game in games}, "channels": shown}
    values = {"games": games, "places": places, "networks": networks, "example": EXAMPLE, "shown": SHOWN}
    return Answer(
        "home.html", "Dice a table can trust", data, values, "Verify a posted roll, compare odds, read along."
    )


async def place_of(request: Request) -> Place:
    """The channel in the address: a public one, or by its link. PageError 404 if there is none."""
    given, access = request.path_params, site_of(request).access
    if "token" in given:
        return await access.linked_place(given["token"])
    return await access.public_place(given["network"], given["channel"])


def of_channel(path: str, endpoint: OfPlace[Answer]) -> list[BaseRoute]:
    """The routes of a channel's page, hidden if it requires a link, which also works without a trailing slash."""

    async def answer(request: Request) -> Answer:
        place = await place_of(request)
        found = await endpoint(request, place)
        about = "" if place.secret else found.about
        return replace(found, values={"place": place, **found.values}, about=about, hidden=place.secret)

    links = [f"/l/{{token}}{path}"] if path else ["/l/{token}/", "/l/{token}"]
    return [route for each in (f"/c/{{network}}/{{channel}}{path}", *links) for route in page(each, answer)]


def events_of_channel(path: str, endpoint: OfPlace[Response]) -> list[BaseRoute]:
    """The routes of a channel's events."""

    async def answer(request: Request) -> Response:
        return await endpoint(request, await place_of(request))

    return [Route(f"/{start}{path}", answer) for start in ("c/{network}/{channel}", "l/{token}")]


async def healthz(request: Request) -> Response:
    """Whether the database answers (IRC-26 has the metrics)."""
    try:
        await site_of(request).ledger.read(lambda store: store.last())
    except (LedgerUnavailable, LedgerDamaged):
        return JSONResponse({"ledger": "away"}, 503)
    return JSONResponse({"ledger": "ok"})


async def checker(_request: Request) -> Response:
    """`/check_export.py`: the program that checks a proof or an export independently (LED-19)."""
    return FileResponse(FOLDER / "checker.txt", media_type="text/x-python")


ROUTES: list[BaseRoute] = [
    Route("/check_export.py", checker),
    Mount("/static", StaticFiles(directory=FOLDER / "static")),
    Route("/healthz", healthz),
    Route("/openapi.json", openapi),
    *page("/", home),
    *page("/verify", verify_page, ("GET", "POST")),
    Route("/r/{id}/proof.json", proof),
    Route("/l/{token}/r/{id}/proof.json", proof),
    *page("/r/{id}", roll_page),
    *page("/l/{token}/r/{id}", roll_page),
    *page("/odds", odds_page),
    *page("/fair", fair_page),
    *page("/help", help_page),
    *page("/help/{game}", game_page),
    *events_of_channel("/events", events),
    *events_of_channel("/table/events", table_events),
    *of_channel("/epoch/{number}", epoch_page),
    *of_channel("/stats", stats_page),
    *of_channel("/table", table_page),
    *of_channel("/scene/{number}", scene_page),
    *of_channel("/scene", scenes_page),
    *of_channel("", log_page),
]


def build(site: Site) -> Starlette:
    """The application, which never writes to the ledger."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        site.workers.close()
        await site.ledger.close()

    app = Starlette(
        routes=ROUTES,
        middleware=[Middleware(Guard, limits=site.limits), Middleware(GZipMiddleware, minimum_size=1_000)],
        exception_handlers={
            PageError: _fault,
            HTTPException: _http,
            LedgerUnavailable: _away,
            LedgerDamaged: _away,
            Exception: _broken,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # the redirect would use the Host header (WEB-11)
    app.state.site, app.state.base_url = site, site.config.web.base_url
    return app


async def _fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, PageError)
    return respond(request, fault_page(error))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is no such page here." if error.status_code == 404 else "This page is only for reading."
    return respond(request, fault_page(PageError(sentence, error.status_code)))


async def _away(request: Request, error: Exception) -> Response:
    log.warning("the ledger cannot be read: %s", error)
    return respond(request, fault_page(PageError(AWAY, 503)))


async def _broken(request: Request, error: Exception) -> Response:
    log.error("a page failed", exc_info=error)
    return respond(request, fault_page(PageError("Something went wrong here. The operator's log has it.", 500)))


class Server(uvicorn.Server):
    """A server that ends event streams as soon as it has to stop, but waits for other answers."""

    def __init__(self, config: uvicorn.Config, live: Live) -> None:
        super().__init__(config)
        self._live = live

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop."""
        self._live.close()
        await super().shutdown(sockets)


def server(site: Site) -> uvicorn.Server:
    """The server. It does not log URLs, because they may contain a token (WEB-10)."""
    listen = site.config.web.listen
    return Server(
        uvicorn.Config(
            build(site),
            host=listen.host,
            port=listen.port,
            uds=str(listen.socket) if listen.socket else None,
            http=Protocol,
            ws="none",
            access_log=False,
            log_config=None,
            server_header=False,
            forwarded_allow_ips="*" if listen.socket else ",".join(site.config.web.forwarded_allow_ips),
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=LEAVING,
        ),
        site.live,
    )


def serve(config: Config, paths: Paths) -> None:
    """Serve the page until a signal stops the process. ConfigError if it cannot listen at the configured address."""
    log.info("the page listens on %s", config.web.listen)
    os.nice(NICE)
    site = Site(config, paths)
    site.workers.start()
    try:
        server(site).run()
    except SystemExit as end:
        if end.code:  # uvicorn's, which logs the reason
            listen = config.web.listen
            raise ConfigError(f"[web] listen: {listen}: the page cannot listen there; see the log") from None


@contextmanager
def running(config: Config, paths: Paths) -> Iterator[str]:
    """Serve the page in a thread of this process; yields its address."""
    served = server(Site(config, paths))
    thread = Thread(target=served.run, daemon=True)
    thread.start()
    while not served.started and thread.is_alive():
        sleep(0.01)
    if not served.started:  # uvicorn has logged why
        raise ConfigError(f"[web] listen: {config.web.listen}: the page cannot listen there; see the log")
    host, port = served.servers[0].sockets[0].getsockname()[:2]
    try:
        yield f"http://{host}:{port}"
    finally:
        served.should_exit = True
        thread.join(2 * LEAVING)

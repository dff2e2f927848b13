"""`/openapi.json`: the pages as JSON, described for programs."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from ircdice import __version__
from ircdice.web.answers import SafeJSON

_LOG = ("before", "day", "nick", "game", "official", "scene", "month", "q")
_PAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "/index.json": ("The games and the public channels.", ()),
    "/verify.json": ("The verdict on each posted line, as `ircdice verify --json`.", ("line",)),
    "/r/{id}.json": ("One roll, as far as it may be shown.", ()),
    "/r/{id}/proof.json": ("What proves one roll without this page (docs/verification.md).", ()),
    "/odds.json": ("Exact odds of one to four commands, as `ircdice odds --json`.", ("q", "game")),
    "/c/{network}/{channel}.json": ("A public channel's rolls, newest first.", _LOG),
    "/c/{network}/{channel}/stats.json": ("How the dice fell there.", ()),
    "/c/{network}/{channel}/table.json": ("Characters, initiative, what is open, the last rolls.", ()),
    "/c/{network}/{channel}/scene.json": ("The scenes of a channel, the latest first.", ()),
    "/c/{network}/{channel}/scene/{number}.json": ("A scene in the order of play.", ()),
    "/c/{network}/{channel}/epoch/{number}.json": ("The rolls of an epoch whose seed is published.", ()),
    "/fair.json": ("Commitments, published seeds, the last checkpoint, the keys.", ()),
    "/help.json": ("Every game's commands.", ()),
    "/help/{game}.json": ("One game's commands and rules.", ()),
    "/healthz": ("Whether the database answers.", ()),
}


async def openapi(_request: Request) -> Response:
    """OpenAPI 3.1."""
    return SafeJSON(
        {
            "openapi": "3.1.0",
            "info": {"title": "ircdice", "version": __version__},
            "paths": {path: {"get": _described(path, *about)} for path, about in _PAGES.items()},
        }
    )


def _described(path: str, summary: str, query: tuple[str, ...]) -> dict[str, object]:
    places = [("path", name) for name in re.findall(r"{(\w+)}", path)] + [("query", name) for name in query]
    return {
        "summary": summary,
        "parameters": [
            {"name": name, "in": where, "required": where == "path", "schema": {"type": "string"}}
            for where, name in places
        ],
        "responses": {
            "200": {"description": "OK", "content": {"application/json": {}}},
            "4XX": {
                "description": "`error` is a sentence, `hint` an example that works.",
                "content": {"application/json": {}},
            },
        },
    }

"""The answers of the page: a template with its values or JSON, and errors (WEB-02, WEB-03)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from grammars import as_typed
from grammars.catalogue import Grammar
from ircdice import __version__
from ircdice.clock import utc

FOLDER = Path(__file__).parent
RETRY = 10  # seconds until a page that could not be shown reloads
_UNSAFE = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})  # safe however a browser reads the JSON


class PageError(Exception):
    """An error, in a sentence; `example` works, `text` and `column` locate the mistake."""

    def __init__(
        self, sentence: str, status: int = 400, *, text: str = "", column: int | None = None, example: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence, self.status, self.text, self.column, self.example = sentence, status, text, column, example

    @property
    def place(self) -> tuple[str, str, str] | None:
        """The text before the mistake, its first character, and the rest; None if its place is unknown."""
        if self.column is None or not 0 < self.column <= len(self.text) + 1:
            return None
        return self.text[: self.column - 1], self.text[self.column - 1 : self.column] or " ", self.text[self.column :]

    def as_object(self) -> dict[str, object]:
        """The keys for an error."""
        return {"error": self.sentence, "column": self.column, "hint": self.example}


@dataclass(frozen=True, slots=True)
class Answer:
    """A page: its template with `values`, or `data` if JSON is requested. `about` is for link previews."""

    template: str
    title: str
    data: object
    values: Mapping[str, object] = field(default_factory=dict)
    about: str = ""
    status: int = 200
    hidden: bool = False  # from search engines


Endpoint = Callable[[Request], Awaitable[Answer]]


def environment() -> Environment:
    """The templates; every value is escaped."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "as_typed": as_typed,
        "clock": clock,
        "day": day,
        "percent": percent,
        "moment": moment,
        "code": code,
        "heading": heading,
        "summary": summary,
    }
    made.globals["version"] = __version__
    return made


def code(text: str) -> Markup:
    """A sentence in HTML, with text in backticks as code."""
    parts = escape(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if nth % 2 else part for nth, part in enumerate(parts)
    )


def heading(grammar: Grammar) -> str:
    """`Strike & Cinder` for a game, `Contests` for a group of commands."""
    return grammar.title if grammar.is_system else grammar.title.capitalize()


def summary(grammar: Grammar) -> Markup:
    """The summary of a grammar, without the name of the game."""
    return code(grammar.summary.partition(": ")[2] or grammar.summary)


def clock(ts: int) -> str:
    """`14:03` for ms since 1970, in UTC."""
    return f"{utc(ts):%H:%M}"


def number(text: str, example: str) -> int:
    """Parse a number in an address. PageError, with an example that works, if it is not one."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise PageError(f'"{text[:40]}" is not a number.', example=example)
    return int(text)


def day(ts: int) -> str:
    """`2026-11-24`."""
    return f"{utc(ts):%Y-%m-%d}"


def moment(ts: int) -> str:
    """`2026-11-24T14:03:05Z`."""
    return f"{utc(ts):%Y-%m-%dT%H:%M:%SZ}"


def percent(chance: float) -> str:
    """`51.3`; `<0.1` for smaller values above 0."""
    return "<0.1" if 0 < chance < 0.0005 else f"{100 * chance:.1f}"


TEMPLATES = environment()


def page(path: str, endpoint: Endpoint, methods: tuple[str, ...] = ("GET",)) -> list[Route]:
    """The routes of a page: as HTML, or as JSON with `.json` at its end or by the Accept header."""

    async def answer(request: Request) -> Response:
        return respond(request, await endpoint(request))

    as_json = "/index.json" if path == "/" else f"{path.rstrip('/')}.json"
    return [Route(as_json, answer, methods=list(methods)), Route(path, answer, methods=list(methods))]


def respond(request: Request, answer: Answer) -> Response:
    """The answer in the requested form."""
    headers = {"Vary": "Accept", "Cache-Control": "no-store" if answer.hidden else "no-cache"}
    if answer.hidden:
        headers["X-Robots-Tag"] = "noindex, nofollow"
    if answer.status == 503:
        headers["Retry-After"] = str(RETRY)
    if wants_json(request):
        return SafeJSON(answer.data, answer.status, headers)
    template = TEMPLATES.get_template(answer.template)
    base, asked = request.app.state.base_url, request.url.query
    address = "" if answer.hidden or not base else f"{base}{request.url.path}{'?' if asked else ''}{asked}"
    values = {"title": answer.title, "about": answer.about, "hidden": answer.hidden, "address": address}
    return HTMLResponse(
        template.render(values | {"here": request.url.path} | dict(answer.values)), answer.status, headers
    )


def wants_json(request: Request) -> bool:
    """Whether the request asks for JSON."""
    accepts = request.headers.get("accept", "")
    return request.url.path.endswith(".json") or ("application/json" in accepts and "text/html" not in accepts)


class SafeJSON(JSONResponse):
    """JSON without characters that are special in HTML."""

    def render(self, content: object) -> bytes:
        """The text, one line."""
        return json.dumps(content, ensure_ascii=False).translate(_UNSAFE).encode("utf-8", "replace") + b"\n"


def fault_page(fault: PageError) -> Answer:
    """The page for an error: the sentence, the place, and an example that works."""
    title = {404: "Not here", 429: "A moment", 503: "Out of reach"}.get(fault.status, "Not understood")
    return Answer(
        "fault.html",
        title,
        fault.as_object(),
        {"fault": fault, "retry": RETRY},
        status=fault.status,
        hidden=True,
    )

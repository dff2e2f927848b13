"""`/c/NETWORK/CHANNEL`: a channel's log, with filters and pages, and its new rolls live (WEB-04)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from urllib.parse import urlencode

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from grammars import catalogue
from ircdice.ledger.paste import LARGEST
from ircdice.ledger.record import AMENDING, ROLLING, Record
from ircdice.ledger.schema import RECORDS
from ircdice.ledger.store import Store
from ircdice.ledger.verify import begun_by
from ircdice.web.access import Place
from ircdice.web.answers import TEMPLATES, Answer, PageError, day, moment
from ircdice.web.events import event, stream
from ircdice.web.live import News
from ircdice.web.site import site_of

A_PAGE = 50  # records
SEARCHED = 10_000  # records of the channel that one request searches
LISTED = ROLLING | AMENDING | {"answer", "lapse", "reveal", "discard", "draw", "withheld"}
_C = RECORDS.c
_DAY = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")
_MONTH = re.compile(r"[0-9]{4}-[01][0-9]")


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of the log; empty values match everything."""

    before: int = 0
    day: str = ""
    nick: str = ""
    game: str = ""
    official: str = ""
    scene: str = ""
    month: str = ""
    q: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Filter:
        """Parse a filter. PageError if it is not valid."""
        found = {name: given[name].strip()[:100] for name in cls.__slots__ if given.get(name, "").strip()}
        if any(not value.isprintable() for value in found.values()):
            raise PageError("A filter has no control characters.", example="?nick=alice")
        before = found.pop("before", "0")
        if not re.fullmatch("[0-9]{1,18}", before):
            raise PageError(f'"{before}" is not a record number.', example="?before=1000")
        if not re.fullmatch("[0-9]{1,9}", wrong := found.get("scene", "1")):
            raise PageError(f'"{wrong}" is not the number of a scene.', example="?scene=1")
        if (wrong := found.get("official", "yes")) not in ("yes", "no"):
            raise PageError(f'"{wrong}" is neither yes nor no.', example="?official=yes")
        if (wrong := found.get("game", "v5")) not in (games := catalogue.system_names()):
            raise PageError(f'"{wrong}" is none of the games: {", ".join(games)}.', example="?game=v5")
        if "q" in found and not (found.get("month") or found.get("day")):
            raise PageError("Choose a month to search the text.", example=f"?q=door&month={datetime.now(UTC):%Y-%m}")
        for name, form, example in (("day", _DAY, "2026-11-24"), ("month", _MONTH, "2026-11")):
            if name in found and (not form.fullmatch(found[name]) or _span(found[name]) is None):
                raise PageError(f'"{found[name]}" is not a {name}.', example=f"?{name}={example}")
        return cls(int(before), **found)

    def query(self, **changes: str | int) -> str:
        """The filter as a query string."""
        given = {name: getattr(self, name) for name in self.__slots__} | changes
        return urlencode({name: value for name, value in given.items() if value})

    @property
    def narrow(self) -> bool:
        """Whether anything but the page's position is set."""
        return bool(self.query(before=0))


def _span(text: str) -> tuple[int, int] | None:
    """The first ms of a day or month, and the first after it; None if it does not exist."""
    try:
        first = datetime.strptime(text if len(text) > 7 else f"{text}-01", "%Y-%m-%d").replace(tzinfo=UTC)
        after = first + timedelta(days=1) if len(text) > 7 else (first + timedelta(days=32)).replace(day=1)
    except (ValueError, OverflowError):
        return None
    return int(first.timestamp() * 1000), int(after.timestamp() * 1000)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log, with notes from later records."""

    record: Record
    notes: tuple[str, ...] = ()

    def as_object(self) -> dict[str, object]:
        """As JSON; a redacted record has only its place."""
        record, draft = self.record, self.record.draft
        if record.redacted:
            return {"seq": record.seq, "time": moment(record.ts), "withheld": "redacted"}
        shown = {"id": record.id, "seq": record.seq, "time": moment(record.ts), "nick": draft.nick, "kind": draft.kind}
        return shown | {
            "line": draft.line,
            "game": draft.game or draft.terms.system,
            "official": draft.terms.official,
            "notes": list(self.notes),
        }


async def log_page(request: Request, place: Place) -> Answer:
    """The log, newest first; `before` gives older records."""
    asked = Filter.of(request.query_params)
    entries, older = await site_of(request).ledger.read(lambda store: found(store, place, asked))
    days = [(name, list(some)) for name, some in groupby(entries, key=lambda entry: day(entry.record.ts))]
    games = [grammar for grammar in catalogue.grammars_found() if grammar.is_system]
    values = {"days": days, "asked": asked, "older": older, "games": games}
    data = {"network": place.network, "channel": place.channel, "rolls": [entry.as_object() for entry in entries]}
    about = f"The rolls of {place.channel} on {place.network}, as they were posted."
    return Answer("log.html", f"{place.channel} on {place.network}", data | {"before": older}, values, about)


def found(store: Store, place: Place, asked: Filter) -> tuple[list[Entry], int]:
    """A page of the log, and the `before` of the next one, or 0."""
    after, before = place.shown.since, asked.before or LARGEST
    if (span := _span(asked.day or asked.month)) is not None:
        after, before = max(after, store.first_since(span[0]) - 1), min(before, store.first_since(span[1]))
    floor = _floor(store, _between(place, after, before)) if asked.narrow else 0
    listed = _C.kind.in_(LISTED), _shown_line(), *_matching(asked)
    records = store.find_newest(A_PAGE + 1, *_between(place, max(after, floor), before), *listed)
    older = records[A_PAGE - 1].seq if len(records) > A_PAGE else floor + 1 if floor else 0
    return with_notes(store, records[:A_PAGE]), older


def _between(place: Place, after: int, before: int) -> list[sa.ColumnElement[bool]]:
    """Records of a channel between two others, with one bound at each end: SQLite uses the first bound it is given."""
    return [_C.network == place.network, _C.channel == place.channel, _C.seq > after, _C.seq < before]


def _shown_line() -> sa.ColumnElement[bool]:
    """Posted lines, and placeholders of redacted ones."""
    return sa.or_(_C.line != "", _C.kind == "withheld")


def _floor(store: Store, within: Sequence[sa.ColumnElement[bool]]) -> int:
    """The oldest record that a search reaches; 0 if there are fewer. Only reads the index."""
    last = sa.select(_C.seq).where(*within).order_by(_C.seq.desc()).offset(SEARCHED).limit(1)
    return store.connection.scalar(last) or 0


def _matching(asked: Filter) -> list[sa.ColumnElement[bool]]:
    each = {
        "nick": sa.func.lower(_C.nick) == asked.nick.lower(),
        "game": _C.game == asked.game,
        "official": _C.official == (asked.official == "yes"),
        "scene": _C.scene == asked.scene,
        "q": _C.line.icontains(asked.q, autoescape=True),
    }
    return [condition for name, condition in each.items() if getattr(asked, name)]


def with_notes(store: Store, records: Sequence[Record]) -> list[Entry]:
    """Records with notes from later ones."""
    later = store.about(*{begun_by(record) for record in records if not record.redacted})
    return [Entry(record, tuple(_notes(record, later))) for record in records]


def _notes(record: Record, later: Sequence[Record]) -> list[str]:
    about = [each for each in later if each.draft.ref == begun_by(record)]
    if record.draft.kind not in ROLLING | AMENDING | {"answer"}:
        return []
    notes = ["discarded"] if any(each.draft.kind == "discard" for each in about) else []
    changes = [each.id for each in about if each.draft.kind in AMENDING and each.seq > record.seq]
    notes += [f"replaced by {changes[-1]}"] if changes else []
    return notes if record.draft.terms.official else ["unofficial", *notes]


def shows(place: Place, record: Record) -> bool:
    """Whether a new record belongs in the filtered log."""
    return place.shows(record) and record.draft.kind in LISTED and bool(record.draft.line)


async def events(request: Request, place: Place) -> Response:
    """`/c/NETWORK/CHANNEL/events`: each new line as it is posted."""

    async def render(news: News) -> str:
        if place.home not in news.lines:
            news.lines[place.home] = "".join(_events(place, news.records))  # shared by all watchers (WEB-12)
        return news.lines[place.home]

    return stream(request, place, render)


def _events(place: Place, records: Sequence[Record]) -> Iterator[str]:
    entry: Callable[[Entry, Place], str] = TEMPLATES.get_template("entry.html").module.entry  # type: ignore[attr-defined]  # a macro of the template
    for record in records:
        if shows(place, record):
            row = entry(Entry(record, tuple(_notes(record, ()))), place)
            yield event("roll", {"day": day(record.ts), "html": str(row)})

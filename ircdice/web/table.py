"""`/c/…/table`: the storyteller's view during play: characters, initiative, open contests and secrets (WEB-07)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from grammars.scenes import Scene
from ircdice.bot.initiative import Fight
from ircdice.ledger.record import CLOSING, Record
from ircdice.ledger.schema import RECORDS
from ircdice.ledger.store import Store
from ircdice.table.characters import Character, Tracker, played, players, the_channel, trackers
from ircdice.table.desk import Desk, open_scene
from ircdice.web.access import Place
from ircdice.web.answers import TEMPLATES, Answer
from ircdice.web.events import event, stream
from ircdice.web.live import News
from ircdice.web.log import Entry, Filter, found
from ircdice.web.site import Site, site_of

ROLLS = 10
LOOKED_AT = 50  # contests and secret rolls, the newest
_C = RECORDS.c


@dataclass(frozen=True, slots=True)
class Seat:
    """A character with its tracked numbers; `player` is empty for the channel's own characters."""

    name: str
    player: str
    trackers: tuple[Tracker, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The contents of the table."""

    seats: Sequence[Seat]
    shared: Sequence[Tracker]
    scene: Scene | None
    fight: Fight
    contests: Sequence[Record]
    secrets: Sequence[Record]
    rolls: Sequence[Entry]

    def as_object(self) -> dict[str, object]:
        """As JSON."""
        return {
            "scene": self.scene and {"number": self.scene.number, "name": self.scene.name},
            "characters": [
                {"name": seat.name, "player": seat.player or None, "trackers": _levels(seat.trackers)}
                for seat in self.seats
            ],
            "channel": _levels(self.shared),
            "initiative": [{"name": entry.name, "total": entry.total} for entry in self.fight.entries],
            "turn": self.fight.turn,
            "contests": [{"id": record.id, "line": record.draft.line} for record in self.contests],
            "secrets": [{"id": record.id, "line": record.draft.line} for record in self.secrets],
            "rolls": [entry.as_object() for entry in self.rolls],
        }


def _levels(found: Sequence[Tracker]) -> dict[str, dict[str, int | None]]:
    return {each.name: {"value": each.level.value, "most": each.level.most} for each in found}


async def table_page(request: Request, place: Place) -> Answer:
    """`/c/NETWORK/CHANNEL/table`."""
    view = await site_of(request).ledger.read(lambda store: seen(store, place))
    data = {"network": place.network, "channel": place.channel, **view.as_object()}
    return Answer("table.html", f"The table of {place.channel}", data, {"view": view})


def seen(store: Store, place: Place) -> View:
    """The table of a channel, without anything from before the page was switched on."""
    desk = Desk(whole=True)
    _take(desk, store, place, [place.channel])
    rolls, _ = found(store, place, Filter())
    people = {entry.record.draft.who: entry.record.draft.nick for entry in rolls if entry.record.draft.who}
    _take(desk, store, place, {*people, *players(desk, place.channel)})
    return View(
        seats=_seats(desk, place.channel, people),
        shared=tuple(trackers(desk, the_channel(place.channel))),
        scene=open_scene(desk, place.channel),
        fight=Fight.of(desk, place.channel),
        contests=_open(store, place, _C.kind == "contest"),
        secrets=_open(store, place, _C.kind == "seal"),
        rolls=rolls[:ROLLS],
    )


def _take(desk: Desk, store: Store, place: Place, owners: Sequence[str] | set[str]) -> None:
    """Trackers that those owners have changed since the page was switched on."""
    desk.take(owners, [record for record in store.kept(place.network, *owners) if place.shown.shows(record.seq)])


def _seats(desk: Desk, channel: str, people: dict[str, str]) -> list[Seat]:
    """The characters in play, then the users without a character who have trackers."""
    characters = played(desk, channel)
    seats = [
        Seat(one.name, "" if one.owner == channel else one.player, tuple(trackers(desk, one))) for one in characters
    ]
    nicks = [Character(who, nick, named=False) for who, nick in people.items()]
    bare = [Seat(one.name, "", tuple(trackers(desk, one))) for one in nicks]
    return [*seats, *(seat for seat in bare if seat.trackers)]


def _open(store: Store, place: Place, kind: sa.ColumnElement[bool]) -> list[Record]:
    """The open contests or secrets that the channel knows about, oldest first."""
    here = _C.network == place.network, _C.channel == place.channel, _C.seq > place.shown.since
    records = store.find_newest(LOOKED_AT, *here, kind, _C.line != "")
    over = {r.draft.ref for r in store.about(*(r.seq for r in records)) if r.draft.kind in CLOSING | {"reveal"}}
    return [record for record in reversed(records) if record.seq not in over]


async def table_events(request: Request, place: Place) -> Response:
    """`/c/…/table/events`: the table, sent whenever it may have changed."""
    site = site_of(request)

    async def render(news: News) -> str:
        if not any(_concerns(record, place) for record in news.records):
            return ""
        drawing = news.tables.get(place.home) or asyncio.create_task(_drawn(site, place))
        news.tables[place.home] = drawing  # shared by all watchers (WEB-12)
        return event("table", {"html": await asyncio.shield(drawing)})

    return stream(request, place, render)


def _concerns(record: Record, place: Place) -> bool:
    """Whether a record may change the table: one of the channel or of stored numbers, or a redaction."""
    draft = record.draft
    return draft.kind == "redact" or (
        draft.network == place.network and (draft.channel == place.channel or bool(draft.key))
    )


async def _drawn(site: Site, place: Place) -> str:
    view = await site.ledger.read(lambda store: seen(store, place))
    return TEMPLATES.get_template("view.html").render(view=view, place=place)

"""`/c/…/scene` and `/c/…/scene/N`: a scene in the order of play, to replay, to print or to copy (WEB-06)."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request

from grammars.scenes import Scene
from ircdice.bot import scenes
from ircdice.ledger.store import Store
from ircdice.web.access import Place
from ircdice.web.answers import Answer, PageError, moment, number
from ircdice.web.log import Entry, with_notes
from ircdice.web.rolls import dice_of
from ircdice.web.site import site_of

MOST = 1_000  # records in one scene
FORMS = {"": "Page", "text": "Text", "md": "Markdown", "bbcode": "BBCode"}


async def scenes_page(request: Request, place: Place) -> Answer:
    """`/c/…/scene`: the scenes opened since the page was switched on, latest first."""
    records = await site_of(request).ledger.read(lambda store: store.scenes(place.network, place.channel))
    opened = [(node, record) for record in records if place.shows(record) and (node := scenes.opened(record))]
    data = [{"number": node.number, "name": node.name, "time": moment(record.ts)} for node, record in opened]
    return Answer("scenes.html", f"Scenes of {place.channel}", {"scenes": data}, {"opened": opened})


async def scene_page(request: Request, place: Place) -> Answer:
    """`/c/…/scene/N`: one scene; `step` shows it up to a roll, `form` as text to paste."""
    scene_number, step = number(request.path_params["number"], f"{place.home}/scene"), request.query_params.get("step")
    form = request.query_params.get("form", "")
    if form not in FORMS:
        raise PageError(f'"{form[:40]}" is none of text, md and bbcode.', example="?form=md")
    found = await site_of(request).ledger.read(lambda store: _played(store, place, scene_number))
    if found is None:
        raise PageError(f"There is no scene {scene_number} here.", 404, example=f"{place.home}/scene")
    scene, entries, more = found
    at = min(max(number(step, "?step=1"), 1), len(entries)) if step and entries else 0
    title = scenes.title(scene, place.channel)
    lines = [entry.record.posted for entry in entries]
    values = {
        "scene": scene,
        "entries": entries[:at] if at else entries,
        "at": at,
        "last": len(entries),
        "dice": dice_of(entries[at - 1].record) if at else (),
        "form": form,
        "forms": FORMS,
        "more": more,
        "most": MOST,
        "pasted": "\n".join(scenes.pasted(title, lines, form)) if form else "",
    }
    rolls = [entry.as_object() for entry in entries]
    data = {"number": scene_number, "name": scene.name, "rolls": rolls, "more": more}
    return Answer("scene.html", title, data, values, f"{scene.name}: {len(entries)} rolls")


def _played(store: Store, place: Place, number: int) -> tuple[Scene, Sequence[Entry], bool] | None:
    """The scene with that number, its rolls, and whether there are more than a page shows.

    None if the page may not reveal that the scene exists.
    """
    opened = [record for record in store.scenes(place.network, place.channel) if place.shows(record)]
    scene = scenes.named(opened, None, number)
    if scene is None:
        return None
    records = store.of_scene(place.network, place.channel, str(number), MOST + 1)
    shown = [record for record in scenes.shown(records[:MOST]) if place.shows(record)]
    return scene, with_notes(store, shown), len(records) > MOST

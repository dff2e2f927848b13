"""`/fair`: commitments to the dice, and the rolls of an epoch, to recompute from its seed (WEB-08)."""

from __future__ import annotations

from starlette.requests import Request

from ircdice.ledger.archive import mixes
from ircdice.ledger.checkpoint import base64, read_or_none
from ircdice.ledger.schema import RECORDS
from ircdice.ledger.store import Store, StoredEpoch
from ircdice.web.access import Place
from ircdice.web.answers import Answer, PageError, number
from ircdice.web.site import site_of

MOST_EPOCHS = 30
MOST_ROLLS = 2_000
_C = RECORDS.c


def _published(epoch: StoredEpoch) -> dict[str, object]:
    """The published data of an epoch; its seed is stored only once it may be published."""
    seed = epoch.seed.hex() if epoch.seed else None
    return {"epoch": epoch.number, "begun": epoch.begun, "commitment": base64(epoch.commitment), "seed": seed}


async def fair_page(request: Request) -> Answer:
    """Commitments, seeds, the last checkpoint and the keys that sign."""
    site = site_of(request)

    def asked(store: Store) -> tuple[list[StoredEpoch], str]:
        latest = store.last_checkpoint()
        return store.epochs()[: -MOST_EPOCHS - 1 : -1], latest.note if latest else ""

    stored, note = await site.ledger.read(asked)
    epochs = [_published(epoch) for epoch in stored]
    keys = await site.keys()
    places = await site.access.public()
    running = next((epoch for epoch in epochs if epoch["begun"] is not None and epoch["seed"] is None), None)
    values: dict[str, object] = {"epochs": epochs, "note": note, "checkpoint": read_or_none(note), "keys": keys}
    values |= {"places": places, "running": running}
    data = {"epochs": epochs, "checkpoint": note, "keys": keys}
    return Answer("fair.html", "Are the dice fair?", data, values, "The commitment to the dice, and how to check them.")


async def epoch_page(request: Request, place: Place) -> Answer:
    """`/c/…/epoch/N`: the rolls of a channel in an epoch, with the sources of their dice."""
    asked = number(request.path_params["number"], "/fair")
    data = await site_of(request).ledger.read(lambda store: _rolls(store, place, asked))
    return Answer("epoch.html", f"Dice of epoch {asked} in {place.channel}", data, {"epoch": data})


def _rolls(store: Store, place: Place, epoch: int) -> dict[str, object]:
    """The newest rolls of an ended epoch, without those made before the page was switched on."""
    stored = next((each for each in store.epochs() if each.number == epoch), None)
    if stored is None or stored.seed is None:
        raise PageError("The seed of that epoch is not published.", 404, example="/fair")
    here = _C.network == place.network, _C.channel == place.channel, _C.epoch == epoch
    records = store.find_newest(MOST_ROLLS, *here, _C.seq > place.shown.since, _C.counter > 0, _C.sealed_salt.is_(None))
    rolls = [
        {"id": r.id, "counter": r.draft.stamp.counter, "generation": r.draft.stamp.generation, "draws": r.draft.draws}
        for r in records[::-1]
        if not r.redacted
    ]
    stirs = mixes(store.stirs(epoch, place.network, place.channel))
    shown = _published(stored) | {"network": place.network, "channel": place.channel}
    return shown | {"mixes": stirs, "rolls": rolls}

"""`/fair`: commitments to the dice, and the rolls of an epoch, to recompute from its seed (WEB-08)."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Epoch:
    """The published data of an epoch."""

    number: int
    begun: int | None
    commitment: str
    seed: str | None

    @classmethod
    def of(cls, stored: StoredEpoch) -> Epoch:
        """The seed is in the table only once it is published."""
        return cls(stored.number, stored.begun, base64(stored.commitment), stored.seed.hex() if stored.seed else None)

    def as_object(self) -> dict[str, object]:
        """As JSON."""
        return {"epoch": self.number, "begun": self.begun, "commitment": self.commitment, "seed": self.seed}


async def fair_page(request: Request) -> Answer:
    """Commitments, seeds, the last checkpoint and the keys that sign."""
    site = site_of(request)

    def asked(store: Store) -> tuple[list[Epoch], str]:
        latest = store.last_checkpoint()
        return [Epoch.of(each) for each in store.epochs()[-MOST_EPOCHS:]][::-1], latest.note if latest else ""

    epochs, note = await site.ledger.read(asked)
    keys = await site.keys()
    places = await site.access.public()
    running = next((epoch for epoch in epochs if epoch.begun is not None and epoch.seed is None), None)
    values: dict[str, object] = {"epochs": epochs, "note": note, "checkpoint": read_or_none(note), "keys": keys}
    values |= {"places": places, "running": running}
    data = {"epochs": [epoch.as_object() for epoch in epochs], "checkpoint": note, "keys": keys}
    return Answer("fair.html", "Are the dice fair?", data, values, "What the dice are bound to, and how to check them.")


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
    records = store.newest(MOST_ROLLS, *here, _C.seq > place.shown.since, _C.counter > 0, _C.sealed_salt.is_(None))
    rolls = [
        {"id": r.id, "counter": r.draft.stamp.counter, "generation": r.draft.stamp.generation, "draws": r.draft.draws}
        for r in records[::-1]
        if not r.redacted
    ]
    stirs = list(mixes(store.stirs(epoch, place.network, place.channel)))
    shown = Epoch.of(stored).as_object() | {"network": place.network, "channel": place.channel}
    return shown | {"mixes": stirs, "rolls": rolls}

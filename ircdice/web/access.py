"""Access control: the channels that the page shows, since when, and to whom (WEB-10)."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from ircdice.bot.page import Mode, Shown, hashed, page_path, shown_places
from ircdice.casemapping import DEFAULT, MAPPINGS, same
from ircdice.config import Config
from ircdice.ledger.record import Record
from ircdice.ledger.service import StoredLedger
from ircdice.ledger.store import Store
from ircdice.web.answers import PageError


@dataclass(frozen=True, slots=True)
class Place:
    """A channel that the reader may see. `home` is the path of its pages, including the token if needed."""

    network: str
    channel: str
    shown: Shown
    home: str

    @property
    def secret(self) -> bool:
        """Whether its pages require the link."""
        return self.shown.mode == "link"

    def shows(self, record: Record) -> bool:
        """Whether the record belongs to the channel and was made after the page was switched on."""
        return record.draft.place == (self.network, self.channel) and self.shown.shows(record.seq)


class Access:
    """The channels of a ledger that config and `page` records allow to be shown."""

    def __init__(self, config: Config, ledger: StoredLedger) -> None:
        self.config, self.ledger = config, ledger

    async def public(self) -> list[Place]:
        """Every public channel."""
        return await self.ledger.read(lambda store: list(self._places(store, "public", store.places(0))))

    async def public_place(self, network: str, name: str) -> Place:
        """The channel at `/c/NETWORK/NAME`. PageError 404, as for one that does not exist, if it is not public."""
        channel = channel_of(name)

        def found(store: Store) -> list[Place]:
            # Names that are equal under any casemapping are equal under the default.
            named = [place for place in store.places(0) if place[0] == network and same(channel, place[1], DEFAULT)]
            here = [place for place in named if same(channel, place[1], store.terms(*place).casemapping)]
            return list(self._places(store, "public", here))

        if places := await self.ledger.read(found):
            return places[0]
        raise PageError("There is no such page here.", 404)

    async def linked_place(self, token: str) -> Place:
        """The channel of a link. PageError 404 if no channel has that token."""
        wanted = hashed(token)
        for place in await self.ledger.read(lambda store: list(self._places(store, "link", store.places(0)))):
            if hmac.compare_digest(place.shown.token, wanted):
                return Place(place.network, place.channel, place.shown, f"/l/{token}")
        raise PageError("There is no such page here.", 404)

    async def public_place_of(self, record: Record) -> Place | None:
        """The channel of a record, if the record is public there."""
        places = await self.ledger.read(lambda store: self._places(store, "public", [record.draft.place]))
        return next((place for place in places if place.shows(record)), None)

    def _places(self, store: Store, mode: Mode, among: Iterable[tuple[str, str]]) -> list[Place]:
        """The channels with that kind of page, by config and records."""
        configured = [place for place in among if self._configured(store, *place) == mode]
        now = shown_places(store.page_records(configured))
        return [Place(*place, each, page_path(*place)) for place, each in now.items() if each.mode == mode]

    def _configured(self, store: Store, network: str, channel: str) -> Mode:
        """The setting in the config, compared under the casemapping of the channel's rolls."""
        if channel.startswith("@") or all(each.name != network for each in self.config.networks):
            return "no"
        modes = {self.config.channel(network, channel, each).page for each in MAPPINGS}
        if len(modes) > 1:
            modes = {self.config.channel(network, channel, store.terms(network, channel).casemapping).page}
        return modes.pop()


def channel_of(name: str) -> str:
    """The channel named in a path."""
    name = unquote(name)
    return name if name[:1] in ("#", "&", "+", "!") else f"#{name}"

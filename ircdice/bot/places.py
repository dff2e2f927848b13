"""The tables kept ready, one for each channel or private talk; any other is rebuilt from the ledger when needed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ircdice.bot import contests
from ircdice.bot.context import posting
from ircdice.bot.message import Message, Reply
from ircdice.casemapping import DEFAULT
from ircdice.clock import DAY
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import NOTHING_SEEN, Draft, Ledger, Record
from ircdice.settings import ChannelSettings, Settings
from ircdice.table import Desk, Table, characters, house

log = logging.getLogger(__name__)
_A_TURN = 20  # records of a table that is rebuilt, before the commands of other channels have a turn
MOST_PLACES = 2_000  # tables kept ready; any other is rebuilt from the ledger when it is needed


@dataclass(slots=True)
class Place:
    """A channel, or one person in private: its table, and the lock that keeps its commands in order."""

    network: str
    channel: str  # as the record has it, folded
    target: str  # where its lines go: the channel as it is written
    table: Table
    desk: Desk
    ledger: Ledger
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    # Its table must be rebuilt: an append was given up that may have been written (LED-05), or the network compares
    # names by another casemapping than the default (IRC-09).
    doubtful: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Its key in the ledger."""
        return self.network, self.channel

    @property
    def wanted(self) -> bool:
        """Whether it must stay: a command is under way, or a contest waits for its answer."""
        return self.lock.locked() or bool(self.table.open_contests())

    async def keep(self, draft: Draft, *following: Draft, seen: Mapping[str, int] = NOTHING_SEEN) -> Record:
        """Append a record, and those that follow from it, and tell table and desk; the first one.

        If that is cancelled, it is unknown whether it was appended.
        """
        try:
            records = await self.ledger.append_all((draft, *following), seen)
        except (LedgerUnavailable, asyncio.CancelledError):
            self.doubtful = True
            raise
        for record in records:
            self.table.apply(record)
            self.desk.apply(record)
        return records[0]

    async def settle(self) -> None:
        """Before a command: rebuild the table from the ledger if it is in doubt. LedgerUnavailable."""
        if self.doubtful:
            table = await _rebuilt(self.ledger, self.key, self.table.settings, self.table.casemapping)
            table.settings, table.casemapping = self.table.settings, self.table.casemapping  # a reload may have come
            table.owners = self.table.owners
            self.table, self.doubtful = table, False


async def _rebuilt(ledger: Ledger, key: tuple[str, str], settings: ChannelSettings, casemapping: str) -> Table:
    """The table of a place from its latest records, and from all since the opening of what was open meanwhile."""
    since = 0
    while True:
        table = Table(settings, casemapping)
        for nth, _ in enumerate(table.rebuild(await ledger.of_channel(*key, since))):
            if nth % _A_TURN == 0:
                await asyncio.sleep(0)
        if not table.incomplete_since or 0 < since <= table.incomplete_since:
            return table
        since = table.incomplete_since


class Places:
    """Every place in use, the one used last at the end."""

    def __init__(self, ledger: Ledger, settings: Settings, clock: Callable[[], int]) -> None:
        self._ledger, self._settings, self._clock = ledger, settings, clock
        self.ready: dict[tuple[str, str], Place] = {}
        self.most_ready = MOST_PLACES
        self._desks: dict[str, Desk] = {}  # by network

    async def of(self, message: Message, settings: ChannelSettings) -> Place:
        """The place of a message."""
        place = await self._at(message.network, message.place, settings, message.casemapping)
        place.doubtful = place.doubtful or place.table.casemapping != message.casemapping
        place.table.settings, place.table.casemapping = settings, message.casemapping
        place.target = message.channel or message.nick
        self._drop_unwanted()
        return place

    def desk(self, network: str) -> Desk:
        """What is kept on that network."""
        return self._desks.setdefault(network, Desk())

    async def take_up(self, place: Place, who: str) -> None:
        """Before a command: what other processes changed meanwhile, and what its channel and its people keep."""
        desk, network = place.desk, place.network
        if desk.seq is None:
            desk.seq = next((record.seq for record in await self._ledger.latest(1)), 0)
        elif not self._ledger.alone:
            for record in await self._ledger.kept_since(network, desk.seq):
                desk.apply(record)
                desk.seq = record.seq
        await self.fetch(network, place.channel, who)
        await self.fetch(network, *characters.players(desk, place.channel))

    async def fetch(self, network: str, *owners: str) -> None:
        """Make ready what those owners keep."""
        desk = self.desk(network)
        if missing := desk.missing(owners):
            desk.take(missing, await self._ledger.kept(network, *missing))

    async def settings(self, network: str, channel: str, configured: ChannelSettings) -> ChannelSettings:
        """The settings of a channel, its name folded, with what was set there (DSK-10). LedgerUnavailable."""
        desk = self.desk(network)
        await self.fetch(network, channel)
        return house.settings(desk, channel, configured)

    def lately(self, network: str) -> Iterator[tuple[str, Table]]:
        """The channels that are ready, the one used last first, and what each remembers."""
        for place in reversed(self.ready.values()):
            if place.network == network and not place.channel.startswith("@"):
                yield place.target, place.table

    async def resume(self) -> None:
        """After a start: load every place where a contest may still wait (GEN-06, GEN-09).

        Not those of another bot on the same ledger: a contest would lapse twice.
        """
        for network, channel in await self._ledger.places(self._clock() - DAY):
            if self._settings.plays(network, channel):
                settings = await self.settings(network, channel, self._settings.channel(network, channel))
                await self._at(network, channel, settings)

    async def _at(self, network: str, channel: str, settings: ChannelSettings, casemapping: str = DEFAULT) -> Place:
        key = network, channel
        if key not in self.ready:
            table = await _rebuilt(self._ledger, key, settings, casemapping)
            place = Place(network, channel, channel, table, self.desk(network), self._ledger)
            self.ready.setdefault(key, place)  # another line may have been quicker
        place = self.ready[key] = self.ready.pop(key)  # used last, dropped last
        return place

    def _drop_unwanted(self) -> None:
        """Drop the places that were not used for longest; never one in use, or two would keep its order."""
        over = len(self.ready) - self.most_ready
        if over > 0:
            unwanted = [key for key, place in self.ready.items() if not place.wanted]
            for key in unwanted[:over]:
                del self.ready[key]

    async def lapsed(self) -> tuple[Reply, ...]:
        """Contests whose time is over (GEN-06). A busy place is left for the next call."""
        replies: list[Reply] = []
        for place in list(self.ready.values()):
            if place.lock.locked() or not place.table.open_contests():
                continue
            try:
                await self._lapse(place, replies)
            except LedgerUnavailable:
                log.warning("contests cannot lapse while the ledger is out of reach", extra={"network": place.network})
            except Exception:
                log.exception("contests could not lapse", extra={"network": place.network, "channel": place.target})
        return tuple(replies)

    async def _lapse(self, place: Place, replies: list[Reply]) -> None:
        async with place.lock:
            await place.settle()
            table = place.table
            for chain in table.open_contests():
                if not table.overdue(chain, self._clock()):
                    continue
                line = contests.lapse_line(table, chain, table.settings, "lapsed")
                record = await place.keep(_lapse(chain.root, table.settings, line))
                replies.append(posting(record, place.target))


def _lapse(root: Record, settings: ChannelSettings, line: str) -> Draft:
    """The record that ends a contest in the name of the player who opened it."""
    opener = root.draft
    return Draft(
        "lapse",
        opener.network,
        opener.channel,
        opener.nick,
        opener.who,
        text="",
        draws=(),
        line=line,
        ref=root.seq,
        scene=opener.scene,
        system=settings.system,
        house=settings.house,
        official=settings.official and not opener.private,
        casemapping=opener.casemapping,
    )

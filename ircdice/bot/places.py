"""The tables in memory, one for each channel or private conversation; others are rebuilt from the ledger."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from ircdice.bot.message import Reply, posting
from ircdice.casemapping import DEFAULT
from ircdice.clock import DAY
from ircdice.dice import UNSTAMPED
from ircdice.errors import LedgerUnavailable
from ircdice.game import MOST_FACES
from ircdice.ledger import Draft, Ledger, Record
from ircdice.ledger.record import LASTING
from ircdice.reply import commented, marked, side
from ircdice.settings import ChannelSettings, Settings
from ircdice.table import Chain, Desk, Table, characters
from ircdice.table.desk import settings_of
from ircdice.table.rolls import Judged

log = logging.getLogger(__name__)
_A_TURN = 20  # records between two pauses for other channels while a table is rebuilt
MOST_PLACES = 2_000  # tables in memory; others are rebuilt from the ledger when needed


@dataclass
class Place:
    """A channel, or one user in private: its table, and the lock that keeps its commands in order."""

    network: str
    channel: str  # as recorded, folded
    target: str  # the target of its lines: the channel as written
    table: Table
    desk: Desk
    ledger: Ledger
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    # The owners of the nicks that contests wait for, by number (IRC-29).
    owners: Mapping[int, str | None] = field(default_factory=dict)
    # Its table must be rebuilt: it is new, an abandoned append may have been written (LED-05), or the network's
    # casemapping has changed (IRC-09).
    outdated: bool = True

    async def append(
        self, draft: Draft, *following: Draft, seen: Iterable[str] = (), judged: Judged | None = None
    ) -> Record:
        """Append a record and those that follow from it, update table and desk, and return the first.

        `judged` is the result of the first, if it is a roll. If cancelled, it is unknown whether it was appended.
        StaleError if another process changed one of their keys, or one of `seen`; LedgerUnavailable.
        """
        drafts = draft, *following
        keys = filter(None, [*(each.key for each in drafts), *seen])
        try:
            records = await self.ledger.append_all(drafts, self.desk.seen(*keys))
        except (LedgerUnavailable, asyncio.CancelledError):
            self.outdated = True
            raise
        for record in records:
            self.table.apply(record, judged)
            self.desk.apply(record)
            judged = None
        return records[0]

    async def settle(self) -> None:
        """Rebuild the table from the ledger if it is outdated. LedgerUnavailable."""
        if self.outdated:
            table = await self._rebuilt()
            table.settings, table.casemapping = self.table.settings, self.table.casemapping  # after a reload
            self.table, self.outdated = table, False

    async def _rebuilt(self) -> Table:
        """The table from the latest records, reaching back to the opening of anything that was open among them."""
        since = 0
        while True:
            table, opened = Table(self.table.settings, self.table.casemapping), set[int]()
            for nth, record in enumerate(await self.ledger.of_channel(self.network, self.channel, since)):
                if record.draft.kind not in LASTING and not record.draft.ref:  # lasting ones may be far older
                    opened |= table.open_since
                table.apply(record)
                if nth % _A_TURN == 0:
                    await asyncio.sleep(0)
            needed = min(opened | table.open_since, default=0)
            if not needed or 0 < since <= needed:
                return table
            since = needed

    async def load(self, who: str) -> None:
        """Before a command: settle, and load changes by other processes and the stored values of the channel and its
        users."""
        await self.settle()
        if self.desk.seq is None:
            self.desk.seq = next((record.seq for record in await self.ledger.latest(1)), 0)
        elif not self.ledger.alone:
            for record in await self.ledger.kept_since(self.network, self.desk.seq):
                self.desk.apply(record)
                self.desk.seq = record.seq
        await self.fetch(self.channel, who)
        await self.fetch(*characters.players(self.desk, self.channel))

    async def fetch(self, *owners: str) -> None:
        """Load the stored values of those owners into the desk."""
        if missing := self.desk.missing(owners):
            self.desk.take(missing, await self.ledger.kept(self.network, *missing))

    async def lapse(self, now: int, replies: list[Reply]) -> None:
        """End the contests that have timed out (GEN-06), each with a reply."""
        async with self.lock:
            await self.settle()
            for chain in self.table.open_contests():
                if self.table.overdue(chain, now):
                    record = await self.append(_lapse(self.table, chain))
                    replies.append(posting(record, self.target))


class Places:
    """All places in memory, the most recently used last."""

    def __init__(self, ledger: Ledger, settings: Settings, clock: Callable[[], int]) -> None:
        self._ledger, self._settings, self._clock = ledger, settings, clock
        self.ready: dict[tuple[str, str], Place] = {}
        self.most_ready = MOST_PLACES
        self.desks = defaultdict[str, Desk](Desk)  # by network

    def of(self, network: str, channel: str, settings: ChannelSettings, casemapping: str = DEFAULT) -> Place:
        """The place of that folded name; call `load` on it before a command."""
        place = self.ready.pop((network, channel), None)
        if place is None:
            table = Table(settings, casemapping)
            place = Place(network, channel, channel, table, self.desks[network], self._ledger)
        place.outdated = place.outdated or place.table.casemapping != casemapping
        place.table.settings, place.table.casemapping = settings, casemapping
        # Never evict a place in use: two locks would then order its commands.
        idle = (key for key, each in self.ready.items() if not (each.lock.locked() or each.table.open_contests()))
        for key in list(islice(idle, max(0, len(self.ready) + 1 - self.most_ready))):
            del self.ready[key]
        self.ready[network, channel] = place
        return place

    async def settings(self, network: str, channel: str, configured: ChannelSettings) -> ChannelSettings:
        """The settings of a channel, by its folded name, including those set there (DSK-10). LedgerUnavailable."""
        desk = self.desks[network]
        if missing := desk.missing([channel]):
            desk.take(missing, await self._ledger.kept(network, *missing))
        return settings_of(desk, channel, configured)

    async def resume(self) -> None:
        """After a start: load every place with a contest that may still be open (GEN-06, GEN-09).

        Places of other bots on the same ledger are left out, because contests would lapse twice.
        """
        for network, channel in await self._ledger.places(self._clock() - DAY):
            if self._settings.plays(network, channel):
                settings = await self.settings(network, channel, self._settings.channel(network, channel))
                await self.of(network, channel, settings).settle()

    async def lapsed(self) -> list[Reply]:
        """End contests that have timed out (GEN-06), each with a reply. Busy places are left for the next call."""
        replies: list[Reply] = []
        for place in list(self.ready.values()):
            if place.lock.locked() or not place.table.open_contests():
                continue
            try:
                await place.lapse(self._clock(), replies)
            except LedgerUnavailable:
                log.warning("contests cannot lapse while the ledger is out of reach", extra={"network": place.network})
            except Exception:
                log.exception("contests could not lapse", extra={"network": place.network, "channel": place.target})
        return replies


def lapse_line(table: Table, chain: Chain, how: str, comment: str | None = None) -> str:
    """The line of a contest that ended unanswered, which shows the acting side's dice; `comment` says why."""
    earlier = table.standing(chain)
    acting, other = chain.names()
    dice = side(chain.game, earlier.outcome._replace(kind="roll"), compact=len(earlier.outcome.dice) > MOST_FACES)
    line = f"{acting} vs {other}: {how}, not answered; {acting} {dice}; {chain.game.asked(earlier.node)}"
    return marked(commented(line, comment), table.settings.official)


def _lapse(table: Table, chain: Chain) -> Draft:
    """The record that ends a contest, in the name of the player who opened it."""
    opener, settings = chain.root.draft, table.settings
    line, official = lapse_line(table, chain, "lapsed"), settings.official and not opener.private
    terms = replace(opener.terms, system=settings.system, house=settings.house, official=official)
    ended = replace(opener, kind="lapse", text="", draws=(), stamp=UNSTAMPED, line=line, ref=chain.root.seq)
    return replace(ended, terms=terms, character="", game="")

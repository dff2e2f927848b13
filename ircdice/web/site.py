"""The shared parts of the pages: ledger, access, limits, odds and events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.requests import Request

from ircdice.config import Config
from ircdice.ledger.paths import Paths
from ircdice.ledger.service import StoredLedger, browse
from ircdice.ledger.signing import PUBLIC_KEYS
from ircdice.web.access import Access
from ircdice.web.counting import Statistics
from ircdice.web.guard import Limits
from ircdice.web.live import Live
from ircdice.web.odds_cache import OddsCache
from ircdice.web.workers import Workers


@dataclass(slots=True)
class Site:
    """The page of the ledger at `paths`: `limits` are by address, `workers` do slow work."""

    config: Config
    paths: Paths
    workers: Workers = field(default_factory=Workers)
    limits: Limits = field(default_factory=Limits)
    ledger: StoredLedger = field(init=False)
    odds: OddsCache = field(init=False)
    access: Access = field(init=False)
    live: Live = field(init=False)
    statistics: Statistics = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = browse(self.paths)
        self.odds = OddsCache(self.workers)
        self.access = Access(self.config, self.ledger)
        self.live = Live(self.ledger)
        self.statistics = Statistics(self.ledger, self.paths, self.workers)

    async def keys(self) -> list[str]:
        """The public keys of the checkpoints in base 64, oldest first."""
        return (await self.ledger.read(lambda store: store.meta(PUBLIC_KEYS)) or "unknown").split()


def site_of(request: Request) -> Site:
    """The site of a request."""
    return cast(Site, request.app.state.site)

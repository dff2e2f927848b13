"""Epochs of one process whose seeds the ledger has not, and since when it should (LED-13, LED-16). Reads no file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ircdice.ledger.record import SHOWING_A_CONTEST
from ircdice.ledger.store.page import Page, StoredEpoch

_ENDING = ", ".join(f"'{kind}'" for kind in sorted(SHOWING_A_CONTEST))
_DRAWN = "SELECT max(ts) FROM records WHERE epoch = ? AND counter > 0"
# Where the clock was ahead records are later than the epoch that they are of.
_FIRST_DRAWN = "SELECT min(ts) FROM records WHERE epoch = ? AND counter > 0"
# The last contest of an epoch that was over, be it as its answer came or as it lapsed.
_UNCOVERED = (
    "SELECT max(later.ts) FROM records JOIN records AS later ON later.ref = records.seq AND later.ref > 0"
    f" AND later.kind IN ({_ENDING}) WHERE records.epoch = ? AND records.counter > 0 AND records.kind = 'contest'"
)


@dataclass(frozen=True, slots=True)
class Owed:
    """An epoch without its seed. `since`: when its process could first have published it (ms since 1970), and `seen`
    when it last drew dice behind it; None while the epoch runs, or a contest of it is covered."""

    number: int
    commitment: bytes
    since: int | None = None
    seen: int = 0


def owed(page: Page, name: str) -> list[Owed]:
    """Those that the process of that name began."""
    begun = [epoch for epoch in page.epochs() if epoch.name == name and epoch.begun is not None]
    found = [_over(page, one, (behind, begun[-1])) for one, behind in pairwise(begun) if one.seed is None]
    return found + [Owed(each.number, each.commitment) for each in begun[-1:] if each.seed is None]


def _over(page: Page, epoch: StoredEpoch, behind: tuple[StoredEpoch, StoredEpoch]) -> Owed:
    if page.covered(epoch.number):
        return Owed(epoch.number, epoch.commitment)
    drawn = [ts for each in behind if (ts := _time(page, _FIRST_DRAWN, each))]
    since = max(behind[0].begun or 0, _time(page, _UNCOVERED, epoch), min(drawn, default=0))
    return Owed(epoch.number, epoch.commitment, since, max(_time(page, _DRAWN, each) for each in behind))


def _time(page: Page, asked: str, epoch: StoredEpoch) -> int:
    return next((ts for (ts,) in page.driver.asked(asked, epoch.number) if isinstance(ts, int)), 0)

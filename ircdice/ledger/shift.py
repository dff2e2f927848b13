"""The epochs of one process, one after the other: committed to, begun, ended, published (LED-12, LED-13)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from ircdice.errors import KeysError
from ircdice.ledger.canonical import is_own
from ircdice.ledger.epochs import Epoch
from ircdice.ledger.keys import SeedFiles
from ircdice.ledger.stream import commitment

if TYPE_CHECKING:
    from ircdice.ledger.store.page import Page, StoredEpoch

log = logging.getLogger(__name__)
GRACE = 120_000  # ms after its end: what was drawn from an epoch is on record by then
_MOST_LOST = 4_000  # epochs, ten years of days: a file among the seeds that has a higher number is none


def spend(page: Page, name: str, seeds: SeedFiles) -> None:
    """Have the process of that name, from its next start on, draw from none of these seeds (LED-12)."""
    most = max((each.number for each in page.epochs()), default=0) + _MOST_LOST
    page.put(_spending(name), str(max((number for number in seeds.epochs() if number <= most), default=0)))


def _spending(name: str) -> str:
    return f"spent {name}"


class Shift:
    """The epoch that runs, and the one that is committed to. Its methods with a page are called under the lock.

    What they decide holds from `committed` on: a transaction may fail, and is then done again.
    """

    def __init__(self, name: str, seeds: SeedFiles) -> None:
        self._name, self._seeds = name, seeds
        self._epoch: Epoch | None = None
        self._coming: Epoch | None = None
        self._spent = 0  # up to this number any seed may have served days that the ledger has lost (LED-12)
        self._then: tuple[Epoch | None, Epoch | None] = None, None  # what will run and come, once it is durable
        self.ended: dict[int, int] = {}  # by number, when each epoch ended whose seed is not published

    @property
    def epoch(self) -> Epoch:
        """The one that dice are drawn from."""
        assert self._epoch is not None, "asked before it was begun or resumed"
        return self._epoch

    @property
    def coming(self) -> Epoch:
        """The one that is committed to."""
        assert self._coming is not None, "asked before it was prepared or resumed"
        return self._coming

    @property
    def spent(self) -> bool:
        """Whether the running epoch is one whose dice may have been drawn before: another must begin."""
        return self.epoch.number <= self._spent

    def resume(self, page: Page, signed: Mapping[int, int], *, fresh: bool) -> bool:
        """Go on with the epoch that ran when the process stopped; False where there is none, or it must not go on.

        `signed` is when epochs began (ms since 1970), as far as a checkpoint says.
        `fresh`: of any seed that is here numbers may be used up without a record of it, and old dice would come again
        (LED-12).
        """
        if fresh:
            spend(page, self._name, self._seeds)
        self._spent = page.number(_spending(self._name))
        mine = [entered for entered in page.epochs(unpublished=True) if entered.name == self._name]
        begun = [entered for entered in mine if entered.begun is not None]
        kept = {entered.number: seed for entered in mine if (seed := self._seed(entered)) is not None}
        for entered, follower in pairwise(begun):
            if entered.number in kept:
                self.ended[entered.number] = follower.begun or 0
        unused = [e for e in mine if e.begun is None and e.number in kept and not self._drawn_from(page, e.number)]
        coming = next(iter(unused), None)
        running = begun[-1] if begun else None
        if coming:
            self._coming = Epoch(coming.number, kept[coming.number])
        if running is None or running.number <= self._spent or running.number not in kept or coming is None:
            if running and running.number in kept:
                self.ended[running.number] = running.begun or 0
            return False
        epoch = Epoch(running.number, kept[running.number], running.begun or 0)
        if not _as_signed(epoch, signed) or not _recalled(page, epoch):
            self.ended[running.number] = running.begun or 0
            return False
        self._epoch = epoch
        return True

    @staticmethod
    def _drawn_from(page: Page, number: int) -> bool:
        """Whether an epoch of which no time is known was begun all the same: no die of it may come again."""
        if drawn := bool(page.has_begun(number) or page.counters(number)):
            log.error("epoch %d was begun, and the ledger has lost when: it is not gone on with", number)
        return drawn

    def prepare(self, page: Page) -> None:
        """Commit to the first epoch, or to the one after a loss, where none is committed to."""
        if self._coming is None:
            self._then = None, self._committed_to(page)

    def begin(self, page: Page, now: int) -> None:
        """The epoch that was committed to begins, another is committed to."""
        coming = self.coming
        entered = [each for each in page.epochs(unpublished=True) if each.name == self._name]
        if (begun := next(each.begun for each in entered if each.number == coming.number)) is not None:
            # It went in though that was not heard (LED-04): go on from there.
            follower = next(each for each in entered if each.begun is None)
            self._then = self._begun(coming, begun), Epoch(follower.number, self._seeds.read(follower.number))
            return
        page.begin_epoch(coming.number, now)
        self._then = self._begun(coming, now), self._committed_to(page)

    def committed(self, now: int) -> None:
        """What was begun or prepared is durable, in table and file; until now dice came from the epoch before."""
        begun, coming = self._then
        if begun is not None:
            if self._epoch is not None:
                self.ended[self._epoch.number] = now
            self._epoch = begun
        self._coming = coming or self._coming
        self._then = None, None

    def publish(self, page: Page, now: int) -> list[int]:
        """Publish the seed of each epoch that is over for good: no contest of it is covered any more (LED-13)."""
        over = [number for number, end in self.ended.items() if now >= end + GRACE and not page.covered(number)]
        for number in over:
            page.reveal_seed(number, self._seeds.read(number))
        self.ended = {number: end for number, end in self.ended.items() if number not in over}
        return over

    @staticmethod
    def _begun(coming: Epoch, ts: int) -> Epoch:
        return Epoch(coming.number, coming.seed, ts)

    def _committed_to(self, page: Page) -> Epoch:
        seeds: dict[int, bytes] = {}

        def commit(number: int) -> bytes:
            seeds[number] = self._seeds.read(number) if number in self._seeds.epochs() else self._seeds.make(number)
            return commitment(number, seeds[number])

        number = page.new_epoch(self._name, commit)
        return Epoch(number, seeds[number])

    def _seed(self, entered: StoredEpoch) -> bytes | None:
        """The seed of an epoch of this process; None, and a word in the log, where it is not what was committed to."""
        try:
            return self._seeds.kept(entered.number, entered.commitment)
        except KeysError as error:
            log.error("epoch %d cannot be proved any more: %s", entered.number, error)
            return None


def _as_signed(epoch: Epoch, signed: Mapping[int, int]) -> bool:
    """Whether it began when a checkpoint says so; where somebody changed that, it might never end."""
    if epoch.begun == signed.get(epoch.number, epoch.begun):
        return True
    log.error("epoch %d is not gone on with: when it began was altered", epoch.number)
    return False


def _recalled(page: Page, epoch: Epoch) -> bool:
    """How far each channel has drawn, and what was stirred; False, and a word in the log, where that was altered."""
    counters, stirs, last = page.counters(epoch.number), page.stirs(epoch.number), page.last()[0]
    wrong = [f"a counter of {place[1]}" for place, top in counters.items() if not isinstance(top, int) or top > last]
    wrong += [f"record {stir.seq}, a stir," for stir in stirs if not is_own(stir)]
    if wrong:
        log.error("epoch %d is not gone on with: %s was altered", epoch.number, wrong[0])
        return False
    for place, counter in counters.items():
        epoch.count(place, counter)
    for record in stirs:
        epoch.take(record)
    return True

"""One process' part in a ledger that proves itself: its dice, its epochs, its checkpoints, over the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ircdice import __version__
from ircdice.dice import DiceSource, Stamp, SystemDice, entropy
from ircdice.durations import HOUR
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import opening
from ircdice.ledger.canonical import complete
from ircdice.ledger.identity import keys_of, look_at_tags
from ircdice.ledger.ids import tag
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.keys import TagKeys
from ircdice.ledger.notes import VerifyingKey, loss, succession, voiding
from ircdice.ledger.record import Draft, Record
from ircdice.ledger.shift import GRACE, Shift
from ircdice.ledger.signing import EVERY, Signed, Signer
from ircdice.ledger.statement import statement
from ircdice.ledger.store.ledger import StoredLedger

if TYPE_CHECKING:
    from ircdice.ledger.store.page import Page

log = logging.getLogger(__name__)


async def open_notary(keeping: Keeping, clock: Callable[[], int], *, accept_loss: bool = False) -> Notary:
    """The ledger of `keeping`, looked at and ready to be drawn from.

    KeysError where a key is missing or the folder is in use, LedgerUnavailable where the database cannot be opened,
    LedgerDamaged where it is not what was signed, unless `accept_loss`: the next checkpoint then says so (LED-12).
    """
    lock = keeping.lock()
    try:
        notary = await asyncio.to_thread(Notary, keeping, clock, lock)
    except BaseException:
        lock.close()
        raise
    try:
        await notary.begin_keeping(accept_loss=accept_loss)
    except BaseException:
        await notary.close()
        raise
    return notary


class Notary(StoredLedger):
    """A ledger and the dice that it proves; `open_notary` makes one. `clock` gives ms since 1970."""

    def __init__(self, keeping: Keeping, clock: Callable[[], int], lock: ExitStack) -> None:
        keeping.make_database()
        super().__init__(keeping.database, self._completed, clock, keeping.wait, tag_of=self._tag)
        self._keeping, self.clock, self._lock = keeping, clock, lock
        self._own = SystemDice()  # private rolls and secret ones: a published seed must not uncover them (LED-14)
        self._tags: TagKeys
        self._signer: Signer
        self._shift: Shift
        self._signed: Signed | None = None  # in the transaction that is under way
        self._signed_at = 0
        self._announced, self._noted = 0, 0  # the last epoch that channels were told of, and the one put down as such
        self._late: list[Record] = []
        self.within, self.landed = self._sign_hundreds, self._signed_hundreds
        self.on_record, self.on_late = self._drawn, self._late.append

    async def begin_keeping(self, *, accept_loss: bool) -> None:
        """Look at what is there, and begin or go on with an epoch; as `open_notary` has it."""
        for warning in self._keeping.warnings():
            log.warning("%s", warning)
        file = self._keeping.checkpoints
        self._tags, keys = await keys_of(self, self._keeping)
        shift = Shift(self._keeping.name, self._keeping.seeds)

        def look(page: Page) -> tuple[opening.Beginning, bool]:
            found = opening.begin(page, file, keys, accept_loss=accept_loss)
            look_at_tags(page, self._tags, self._keeping.tag_keys.file)
            fresh = found.broken or found.loss is not None  # or old dice would come again
            return found, shift.resume(page, found.begun, fresh=fresh)

        found, resumed = await self.transact(look)
        self._signer = Signer(keys, file, found.tree, found.in_file, found.promised)
        if found.loss:
            self._signer.remarks += (loss(found.loss.first, found.loss.last),)
            log.error("accepted: %s", found.loss.why)
        if found.void:
            self._signer.remarks += tuple(map(voiding, found.void))
            log.error("accepted: %d checkpoints are damaged", len(found.void))
        if found.broken:
            log.error("accepted: the last is one of them; gone on with is the one of %d records", found.tree.size)
        if found.forgotten:
            log.error("the ledger has lost checkpoints that its file has: ircdice ledger check tells which")
        if found.unfiled > 1:
            log.warning("the file of checkpoints lacks the last %d of the ledger's: they are put there", found.unfiled)
        self._shift = shift
        if not resumed:
            await self._checkpoint(self._shift.prepare)  # the commitment stands in a checkpoint before its epoch begins
            await self._begin_epoch()
            while self._shift.spent:
                await self._begin_epoch()
        else:
            await self.sign()
        self._announced = self._noted = await self.read(lambda page: page.number(self._announcing))
        await self.tend()

    @property
    def _announcing(self) -> str:
        return f"announced {self._keeping.name}"

    async def of_channel(self, network: str, channel: str) -> Sequence[Record]:
        """As any ledger, once it is known of each draft of that place whether it landed."""
        await self.settled(network, channel)
        return await super().of_channel(network, channel)

    def begin(self, network: str, place: str) -> DiceSource:
        """The dice for one command: the channel's stream, in private the system's own."""
        return self._own if place.startswith("@") else self._shift.epoch.begin(network, place)

    def stirred(self, network: str, place: str, now: int) -> Stamp:
        """Where a stir said now would stand (LED-15)."""
        return self._shift.epoch.next_stir(network, place, now)

    def statement(self) -> str:
        """What the dice are bound to now, in one line (LED-15)."""
        key = self._signer.keys.current.verifying
        return statement(self._shift.epoch, self._shift.coming, self._signer.latest, key)

    def news(self) -> str | None:
        """The statement, once in each epoch of this process, restarts or not (LED-15)."""
        number = self._shift.epoch.number
        if number == self._announced:
            return None
        self._announced = number
        return self.statement()

    def late(self) -> Sequence[Record]:
        """Records that landed though their speakers were told otherwise: to be posted after all (LED-05)."""
        late = tuple(self._late)
        self._late.clear()
        return late

    async def tend(self) -> None:
        """What falls due with time: a new epoch, an hour's checkpoint, a seed to publish. Call it now and then."""
        now = self.clock()
        if now >= self._shift.epoch.begun + self._keeping.epoch:
            await self._begin_epoch()
        elif now >= self._signed_at + HOUR and await self._has_news():
            await self.sign()
        await self._note_announced()
        if self._shift.ended:
            published = await self.transact(lambda page: self._shift.publish(page, now))
            if published:
                log.info("the seeds of epochs %s are published", ", ".join(map(str, published)))

    async def _note_announced(self) -> None:
        if self._noted != (number := self._announced):
            await self.transact(lambda page: page.put(self._announcing, str(number)))
            self._noted = number

    async def _begin_epoch(self) -> None:
        await self._checkpoint(lambda page: self._shift.begin(page, self.clock()))

    async def sign(self) -> None:
        """Make a checkpoint now."""
        await self._checkpoint(lambda _page: None)

    async def publish_all(self) -> tuple[list[int], list[int]]:
        """End the running epoch, publish every seed that covers nothing; those published, and those kept back."""
        await self._begin_epoch()
        published = await self.transact(lambda page: self._shift.publish(page, self.clock() + GRACE))
        return published, sorted(self._shift.ended)

    async def rotate_tag_key(self) -> int:
        """Another key for the tags to come; gives the first record that it is for (LED-18)."""
        first = await self.read(lambda page: page.last()[0]) + 1
        self._tags = self._keeping.tag_keys.rotate(first)
        return first

    async def rotate_signing_key(self) -> VerifyingKey:
        """Another key for the checkpoints to come, named in one that the old key signs (LED-18)."""
        file = self._keeping.signing_keys(self._signer.keys.current.name)
        new = file.successor()
        self._signer.remarks += (succession(new.verifying),)
        await self.sign()
        self._signer.keys = file.rotate(new)
        return new.verifying

    async def redact(self, who: Collection[str], network: str | None = None) -> int:
        """Take away the content of the records of whoever is written like that, on one network or on all.

        That it was done is a record (LED-25). Gives how many.
        """
        counts: list[int] = []

        def redacted(page: Page) -> None:
            counts[:] = [page.redact(who, network)]
            if counts[0]:
                last, ts, _ = page.last()
                text = f"redact {counts[0]} record{'' if counts[0] == 1 else 's'}"
                draft = Draft("redact", network or "", "", "", "", text, (), "")
                page.insert([(self._completed(draft, last + 1, max(ts, self.clock())), None)])
                self._shift.begin(page, self.clock())  # a stir that is gone must not be counted anew in its epoch

        await self._checkpoint(redacted)
        return counts[0]

    async def close(self) -> None:
        """Sign what came last, and let go of database and folder."""
        try:
            if hasattr(self, "_shift"):
                await self._note_announced()
                if await self._has_news():
                    await self.sign()
        except LedgerUnavailable:
            log.warning("the last records are not signed: the ledger is out of reach")
        finally:
            await super().close()
            if hasattr(self, "_signer"):
                await asyncio.to_thread(self._signer.close)
            self._lock.close()

    async def _has_news(self) -> bool:
        latest = self._signer.latest
        last = await self.read(lambda page: page.last()[0])
        return latest is None or last > latest.size

    async def _checkpoint(self, work: Callable[[Page], None]) -> None:
        """Do `work` and sign, in one transaction; then into the file with it."""

        def signed(page: Page) -> Signed:
            work(page)
            return self._signer.sign(page)

        made = await self.transact(signed)
        await asyncio.to_thread(self._signer.durable, made)
        self._shift.committed(self.clock())
        self._signed_at = self.clock()

    def _sign_hundreds(self, records: Sequence[Record], page: Page) -> None:
        """In the writer's transaction: whoever's append crosses the hundred signs (LED-12)."""
        crossed = bool(records) and (records[0].seq - 1) // EVERY != records[-1].seq // EVERY
        self._signed = self._signer.sign(page, records) if crossed else None

    def _signed_hundreds(self, records: Sequence[Record]) -> None:
        """Behind the writer's commit: the next one waits for no other file."""
        if self._signed is not None:
            self._signer.follow(self._signed)
            self._signed, self._signed_at = None, self.clock()
        self._signer.learn(records)

    def _drawn(self, record: Record) -> None:
        self._shift.epoch.take(record)

    def _completed(self, draft: Draft, seq: int, ts: int) -> Record:
        return complete(draft, seq, ts, entropy(16), __version__, self._tags.key(seq))

    def _tag(self, seq: int, network: str, channel: str, nick: str, line: str) -> str:
        return tag(self._tags.key(seq), seq, network, channel, nick, line)

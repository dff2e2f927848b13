"""The ledger in a database (LED-01…LED-06): appends go through one writer, questions past it. Knows no proof."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ircdice.dice import entropy
from ircdice.errors import LedgerUnavailable
from ircdice.ledger.record import Draft, Record
from ircdice.ledger.store import reading
from ircdice.ledger.store.deadlines import Deadlines
from ircdice.ledger.store.engine import READERS, Address, as_told, engines, in_a_line, patiently, shown
from ircdice.ledger.store.marks import Marks
from ircdice.ledger.store.migrations import expect_current, migrate
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.reach import Reach
from ircdice.ledger.store.requests import Append, Job, Request
from ircdice.ledger.store.scribe import Complete, Scribe
from ircdice.ledger.store.writer import Writer

MOST_UNDELIVERED = 1_000
_LITTLE = 1.0  # s that a reader has after its last try
_SOON, _TICK = 0.02, 0.001  # s
_SETTLED = 1.0  # s behind a start
T = TypeVar("T")
TagOf = Callable[[int, str, str, str, str], str]


class StoredLedger:
    """A ledger at `url`. Opening it blocks, and makes what is missing; LedgerUnavailable where it cannot be opened.

    One that is opened `to_read` is left as it is, and then what is missing makes it unavailable too.
    `complete` makes a record of a draft with its number and time; `clock` gives ms since 1970; `wait` is for how many
    seconds a command waits for a database that is away. Hooks, to be set before the first append:

    `within(records, page)` and `landed(records)`, as `Scribe` has them, in the ledger's order.
    `on_record(record)`, on the event loop: a draft of this process landed, whether or not anybody waits for it still.
    `on_late(record)`, likewise: a record landed whose speaker was told that it was out of reach, and is to be
    posted after all.
    """

    def __init__(
        self,
        url: Address,
        complete: Complete,
        clock: Callable[[], int],
        wait: float = 5.0,
        *,
        tag_of: TagOf | None = None,
        to_read: bool = False,
    ) -> None:
        self._clock, self._wait, self._tag_of = clock, wait, tag_of
        self.on_record: Callable[[Record], None] | None = None
        self.on_late: Callable[[Record], None] | None = None
        self._is_lone: Callable[[], bool] = lambda: False
        self._engines = engines(url)
        try:
            patiently(self._looked_at if to_read else self._made, wait)
        except DBAPIError as error:
            raise LedgerUnavailable(f"the ledger at {shown(url)} cannot be opened: {in_a_line(error)}.") from error
        self._marks, self._deadlines, self._reach = Marks(), Deadlines(wait, self._overdue), Reach(wait)
        self._unknown: set[Append] = set()  # given up, and perhaps written all the same
        self._keys = entropy(8), iter(range(2**32))
        self._scribe = Scribe(complete, clock)
        self._writer = Writer(self._engines, self._scribe, self._marks, self._answered, self._reach)
        self._readers = ThreadPoolExecutor(READERS, "ledger-reader")

    @property
    def alone(self) -> bool:
        """A file has one process, by the lock beside it."""
        return self._engines.write.dialect.name == "sqlite"

    @property
    def away(self) -> bool:
        """Whether the database was out of reach when it was last written to."""
        return self._reach.away

    @property
    def out_of_reach(self) -> float | None:
        """While it is: for how many seconds a command waits, all in all (LED-05)."""
        return self._wait if self._reach.away else None

    @property
    def within(self) -> Callable[[Sequence[Record], Page], None] | None:
        """Called in the transaction with each commit's records; what it raises undoes them."""
        return self._scribe.within

    @within.setter
    def within(self, hook: Callable[[Sequence[Record], Page], None] | None) -> None:
        self._scribe.within = hook

    @property
    def landed(self) -> Callable[[Sequence[Record]], None] | None:
        """Called behind the commit with its records."""
        return self._scribe.landed

    @landed.setter
    def landed(self, hook: Callable[[Sequence[Record]], None] | None) -> None:
        self._scribe.landed = hook

    def stand_by(self, is_lone: Callable[[], bool]) -> None:
        """Write a record without giving up the event loop, as far as `Pace` has it, wherever `is_lone` says that one
        command at most is under way: to hand it to a thread and come back takes as long as SQLite does. A moment
        later, when a start is over, make room for what will be written."""
        self._is_lone = is_lone
        asyncio.get_running_loop().call_later(_SETTLED, self._writer.make_room)

    async def append(self, draft: Draft) -> Record:
        """Take `draft` up, durably. LedgerUnavailable after `wait` seconds (LED-05)."""
        loop = asyncio.get_running_loop()
        key = self._keys[0] + next(self._keys[1]).to_bytes(4)
        append = Append(loop, loop.create_future(), draft, key)
        if not self._is_lone():
            self._writer.submit(append)
        elif (record := self._writer.at_once(append)) is not None:
            if self.on_record is not None:
                self.on_record(record)
            return record
        landed: Record = await self._answer(append)
        return landed

    async def transact(self, work: Callable[[Page], T]) -> T:
        """`work` in the writer's thread, under the ledger's lock, in a transaction of its own.

        LedgerUnavailable where it was not done, or where it is not known whether it was, with what is known of why.
        """
        loop = asyncio.get_running_loop()
        job = Job(loop, loop.create_future(), work)
        self._writer.submit(job)
        try:
            done: T = await self._answer(job)
        except LedgerUnavailable as error:
            if (why := self._reach.why) is None:
                raise
            raise LedgerUnavailable(f"{why}.") from error
        return done

    async def _answer(self, request: Request) -> Any:
        """The writer's, or LedgerUnavailable where that takes too long."""
        self._deadlines.begin(request)
        try:
            return await request.future
        except asyncio.CancelledError:
            self._give_up(request)
            self._too_late(request)
            raise

    def _overdue(self, request: Request) -> None:
        """The writer may hang in a call that never comes back."""
        if not request.future.done():
            self._reach.unheard()
        self._give_up(request)

    def _give_up(self, request: Request) -> None:
        if request.future.done() and not request.future.cancelled():
            return  # it was answered in the same moment
        if isinstance(request, Append):
            self._unknown.add(request)
        request.give_up()

    def _too_late(self, request: Request) -> None:
        """Who is cancelled in the round in which the answer came is told that there was none."""
        future = request.future
        if isinstance(request, Append) and future.done() and not (future.cancelled() or future.exception()):
            self._tell_late(future.result())

    def _tell_late(self, record: Record) -> None:
        if self.on_late is not None:
            self.on_late(record)

    def _answered(self, request: Request, answer: Any) -> None:
        """On the loop: the writer is done with a request."""
        if isinstance(request, Append):
            self._unknown.discard(request)
            if isinstance(answer, Record) and self.on_record is not None:
                self.on_record(answer)
        if not request.future.done():
            if isinstance(answer, BaseException):
                request.future.set_exception(answer)
            else:
                request.future.set_result(answer)
        elif isinstance(request, Append) and isinstance(answer, Record):
            self._tell_late(answer)
        self._deadlines.forget_answered()

    def in_doubt(self, network: str, channel: str) -> bool:
        """Whether a draft of that place was given up and may land yet: until it is known, roll nothing."""
        return any((a.draft.network, a.draft.channel) == (network, channel) for a in self._unknown)

    async def settled(self, network: str, channel: str) -> None:
        """Wait until no draft of that place is in doubt; LedgerUnavailable after `wait` seconds."""
        clock = asyncio.get_running_loop().time
        end = clock() + self._wait
        while self.in_doubt(network, channel):
            if clock() > end:
                raise LedgerUnavailable
            await asyncio.sleep(_SOON)

    async def get(self, seq: int) -> Record | None:
        """The record with that number."""
        return await self._read(reading.get, seq)

    async def places(self, since: int) -> Sequence[tuple[str, str]]:
        """Each network and channel with a record of `since` (ms since 1970) or later."""
        return await self._read(reading.places, since)

    async def of_channel(self, network: str, channel: str) -> Sequence[Record]:
        """The records that may still matter there: of a day, 200 in any case, what lasts, with whole chains."""
        return await self._read(reading.of_channel, network, channel, self._clock())

    async def latest(
        self, count: int, *, network: str | None = None, channel: str | None = None, who: str | None = None
    ) -> Sequence[Record]:
        """The newest `count` records of a place, a person or both, newest first; no settings."""
        return await self._read(reading.latest, count, network, channel, who)

    async def of_who(self, who: str, since: int, until: int) -> Sequence[Record]:
        """What a person said between two times (ms since 1970, both included), on any network, in order."""
        return await self._read(reading.of_who, who, since, until)

    async def about(self, *seqs: int) -> Sequence[Record]:
        """The records that refer to any of those, in order."""
        return await self._read(reading.about, seqs)

    async def undelivered(self, networks: Sequence[str]) -> Sequence[Record]:
        """The records of those networks whose lines are not known to have gone out, in order (LED-06)."""
        return await self._read(reading.undelivered, networks, MOST_UNDELIVERED)

    def mark_delivered(self, network: str, channel: str, seq: int) -> None:
        """That line went out, and all before it in its place; written down with the next commit, or in a moment."""
        if self._marks.add(network, channel, seq):
            asyncio.get_running_loop().call_later(self._marks.due_in() or 0.0, self._wake_for_marks)

    def _wake_for_marks(self) -> None:
        """Where no commit has taken them along: to wake the thread for each of them costs a roll as much as to post."""
        due = self._marks.due_in()
        if due is not None and due < _TICK:
            self._writer.wake()

    def tag_of(self, seq: int, network: str, channel: str, nick: str, line: str) -> str:
        """As LED-10 has it, by the key that whoever opened the ledger holds."""
        if self._tag_of is None:
            raise LedgerUnavailable("this ledger was opened without its key.")
        return self._tag_of(seq, network, channel, nick, line)

    async def read(self, question: Callable[[Page], T]) -> T:
        """Anything else that a page can tell, asked without the lock."""
        return await self._read(lambda connection: question(Page(connection)))

    async def _read(self, question: Callable[..., T], *about: Any) -> T:
        """LedgerUnavailable after `wait` and a little, whatever the readers are busy with (LED-05)."""
        asked = partial(self._asked, question, *about)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._wait + _LITTLE):
                return await loop.run_in_executor(self._readers, patiently, asked, self._wait)
        except TimeoutError:
            raise LedgerUnavailable from None
        except (DBAPIError, PoolTimeout) as error:
            raise as_told(error) from error

    def _asked(self, question: Callable[..., T], *about: Any) -> T:
        """In a reader's thread."""
        with self._engines.read.connect() as connection:
            return question(connection, *about)

    def _made(self) -> None:
        with self._engines.write.connect() as connection:
            migrate(connection)

    def _looked_at(self) -> None:
        with self._engines.read.connect() as connection:
            expect_current(connection)

    async def close(self) -> None:
        """Finish what waits and let go of the database."""
        await asyncio.to_thread(self._writer.stop)
        await asyncio.to_thread(self._readers.shutdown)
        self._engines.dispose()

"""The one writer of a process (LED-03…LED-06): a queue, a batch, a transaction."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from traceback import format_tb
from typing import Any, Generic, TypeVar

from sqlalchemy.exc import DBAPIError

from ircdice.dice import entropy
from ircdice.errors import LedgerUnavailable, NumberTaken, Refused, StaleError
from ircdice.ledger.engine import Engines, described, is_away, is_number_taken
from ircdice.ledger.ids import plain
from ircdice.ledger.record import NOTHING_SEEN, Draft, Record
from ircdice.ledger.store import Store
from ircdice.ledger.terms import Terms

log = logging.getLogger(__name__)
MOST = 500  # drafts in one transaction
_PAUSE, _LONGEST_PAUSE = 0.02, 0.5  # s between two attempts while the database is away
_MARKS = 0.02  # s that deliveries wait for a commit to join
T = TypeVar("T")
Complete = Callable[[Draft, int, int], Record]  # a draft with its seq and ts becomes a record: blind, tag, leaf
Place = tuple[str, str]  # network and channel


@dataclass(slots=True, eq=False)
class _Request(Generic[T]):
    """Something to be done under the ledger's lock.

    `abandoned`: nobody waits for it any more. `in_doubt`: a commit of it was tried, and its outcome was not heard.
    """

    future: asyncio.Future[T]
    abandoned: bool = field(default=False, kw_only=True)
    in_doubt: bool = field(default=False, kw_only=True)


@dataclass(slots=True, eq=False)
class _Append(_Request[Sequence[Record]]):
    """Drafts of one place that are written together.

    `request` is stored with the first record: by it a commit in doubt is looked up (LED-04). `seen` are the keys that
    must not have changed, with the numbers of their latest records.
    """

    drafts: Sequence[Draft]
    request: bytes
    seen: Mapping[str, int]

    @property
    def place(self) -> Place:
        """Network and channel."""
        return self.drafts[0].place


@dataclass(slots=True, eq=False)
class _Job(_Request[T]):
    """Any other work, done once or not at all; `then` gets its result after the commit, in the writer's thread.

    `begun`: the work is under way, and whoever asked for it waits for its outcome.
    """

    work: Callable[[Store], T]
    then: Callable[[T], None]
    begun: bool = field(default=False, kw_only=True)


_Answers = list[tuple[_Request[Any], object]]


class Writer:
    """Takes drafts and jobs from the event loop and writes them in a thread, whatever waits in one transaction.

    Hooks: `within(store, records)` runs in the transaction and may return what to do after the commit, both in the
    writer's thread; `landed(record)` runs on the event loop for each draft that was written. `late` gets the records
    whose speakers were told that they had not been written.
    """

    def __init__(self, engines: Engines, complete: Complete, clock: Callable[[], int], wait: float) -> None:
        self._engines, self._complete, self._clock, self._wait = engines, complete, clock, wait
        self.within: Callable[[Store, Sequence[Record]], Callable[[], None] | None] = lambda _store, _records: None
        self.landed: Callable[[Record], None] = lambda _record: None
        self.late: list[Record] = []
        self.away = False  # whether the database was out of reach at the last attempt
        self.why: str | None = None
        self._queue: deque[_Request[Any]] = deque()
        self._unfinished: set[_Append] = set()
        self._marks: dict[Place, int] = {}
        self._known: set[Place] = set()  # places that have a row in `delivered`
        self._wake, self._closing = asyncio.Event(), False
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._task = asyncio.create_task(self._run())

    async def append(self, drafts: Sequence[Draft], seen: Mapping[str, int] = NOTHING_SEEN) -> Sequence[Record]:
        """Record all `drafts` or none. LedgerUnavailable after `wait` seconds (LED-05); they may still come `late`.

        StaleError if another record than the one in `seen` is the latest of its key.
        """
        drafts = [replace(draft, network=plain(draft.network), channel=plain(draft.channel)) for draft in drafts]
        request = _Append(asyncio.get_running_loop().create_future(), drafts, entropy(12), seen)
        self._unfinished.add(request)
        return await self._answer(request)

    async def transact(self, work: Callable[[Store], T], then: Callable[[T], None] = lambda _result: None) -> T:
        """`work` in a transaction of its own under the ledger's lock; `then` in the writer's thread after its commit.

        LedgerUnavailable if it was not begun within `wait` seconds (what was begun may take as long as it needs), if
        it was not done, or if it is not known whether it was.
        """
        return await self._answer(_Job(asyncio.get_running_loop().create_future(), work, then))

    def mark(self, network: str, channel: str, seq: int) -> None:
        """That line went out, and all before it in its place; written with the next commit, or soon."""
        if not self._marks:
            asyncio.get_running_loop().call_later(_MARKS, self._wake.set)
        self._note(plain(network), plain(channel), seq)

    def _note(self, network: str, channel: str, seq: int) -> None:
        place = network, channel
        self._marks[place] = max(seq, self._marks.get(place, 0))

    async def settled(self, network: str, channel: str) -> None:
        """Wait until every draft of that place is known to be written or not; LedgerUnavailable after `wait`."""
        place = plain(network), plain(channel)
        try:
            async with asyncio.timeout(self._wait):
                while waiting := [r.future for r in self._unfinished if r.place == place]:
                    await asyncio.wait(waiting)
        except TimeoutError:
            raise LedgerUnavailable from None

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def close(self) -> None:
        """Write what waits, or refuse it if the database is away."""
        self._closing = True
        self._wake.set()
        await self._task
        await asyncio.to_thread(self._thread.shutdown)

    async def _answer(self, request: _Request[T]) -> T:
        self._queue.append(request)
        self._wake.set()
        try:
            async with asyncio.timeout(self._wait):
                return await asyncio.shield(request.future)
        except TimeoutError:
            self._abandon(request)
            if not (isinstance(request, _Job) and request.begun):
                if not self.away:
                    self._lost(f"the ledger is out of reach: no answer within {self._wait:g} s")
                raise LedgerUnavailable from None
        except asyncio.CancelledError:
            self._abandon(request)
            raise
        return await asyncio.shield(request.future)

    def _abandon(self, request: _Request[T]) -> None:
        request.abandoned = True
        if isinstance(request, _Append) and request.future.done() and not request.future.exception():
            self.late.extend(request.future.result())  # it was written in the same moment

    async def _run(self) -> None:
        while not self._closing or self._queue:
            await self._wake.wait()
            self._wake.clear()
            while batch := self._next_batch():
                await self._write(batch)
            await self._write([])  # the deliveries that no commit took along

    def _next_batch(self) -> list[_Request[Any]]:
        batch: list[_Request[Any]] = []
        while self._queue and len(batch) < MOST and (not batch or not isinstance(self._queue[0], _Job)):
            batch.append(self._queue.popleft())
            if isinstance(batch[0], _Job):
                break
        return batch

    async def _write(self, batch: Sequence[_Request[Any]]) -> None:
        """Write a batch, again and again while the database is away and somebody waits, or a commit is in doubt."""
        pause = _PAUSE
        while True:
            for request in batch:
                if request.abandoned and not request.in_doubt:
                    self._finish(request, LedgerUnavailable())
            batch = [request for request in batch if not request.future.done()]
            if (not batch and not self._marks) or await self._attempt(batch):
                return
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _attempt(self, batch: Sequence[_Request[Any]]) -> bool:
        """Try to write a batch; False if the database is away and the batch has to wait."""
        marks, self._marks = self._marks, {}
        try:
            answers = await self._in_thread(partial(self._commit, batch, marks))
        except Exception as error:
            for place, seq in marks.items():
                self._note(*place, seq)
            if not batch:  # the next append takes the marks along; if none comes, they are tried again by themselves
                asyncio.get_running_loop().call_later(_LONGEST_PAUSE, self._wake.set)
            if not is_away(error):
                await self._refuse(batch, error)
                return True
            await self._in_thread(self._engines.write.dispose)
            self._lost(f"the ledger is out of reach: {described(error)}")
            for request in batch:
                if self._closing or (isinstance(request, _Job) and request.in_doubt):
                    self._finish(request, LedgerUnavailable())
            return not batch
        self._reached()
        for request, answer in answers:
            self._finish(request, answer)
        return True

    async def _refuse(self, batch: Sequence[_Request[Any]], error: Exception) -> None:
        """Something failed that no waiting mends: each request by itself, so that only the one at fault is refused."""
        if len(batch) > 1:
            for request in batch:
                await self._write([request])
            return
        answer: Exception = error
        if is_number_taken(error):
            log.error("a number of the dice was already used: %s", described(error))
            answer = NumberTaken()
        elif not batch:
            self._lost(f"what was delivered cannot be recorded: {described(error)}")
        elif isinstance(error, DBAPIError):
            # Not the error itself: PostgreSQL's shows the row, which may hold covered faces.
            log.error(
                "the ledger cannot be written to: %s\n%s", described(error), "".join(format_tb(error.__traceback__))
            )
            answer = LedgerUnavailable(f"the ledger cannot be written to: {described(error)}.")
        elif not isinstance(error, (Refused, OSError)):
            log.error("the ledger could not be written to", exc_info=error)
        for request in batch:
            self._finish(request, answer)

    def _finish(self, request: _Request[Any], answer: object) -> None:
        if isinstance(request, _Append):
            self._unfinished.discard(request)
            if isinstance(answer, list):
                for record in answer:
                    self._tell(record)
                if request.abandoned:
                    self.late.extend(answer)
        if isinstance(answer, BaseException):
            request.future.set_exception(answer)
            request.future.exception()  # whoever waits has it from the future; nobody need wait
        else:
            request.future.set_result(answer)

    def _tell(self, record: Record) -> None:
        try:
            self.landed(record)
        except Exception:
            log.exception("record %d was written, and could not be followed up", record.seq)

    def _commit(self, batch: Sequence[_Request[Any]], marks: dict[Place, int]) -> _Answers:
        """In the writer's thread: one transaction."""
        appends = [request for request in batch if isinstance(request, _Append)]
        with self._engines.transaction() as connection:
            store = Store(connection)
            answers: _Answers = []
            then = self._append(store, appends, answers) if appends else None
            for job in [request for request in batch if isinstance(request, _Job)]:
                job.begun = True  # before `abandoned` is read: `_answer` sets and reads them the other way round
                if job.abandoned:
                    answers.append((job, LedgerUnavailable()))
                else:
                    result = job.work(store)
                    answers.append((job, result))
                    then = partial(job.then, result)
            new = {append.place: 0 for append in appends if append.place not in self._known}
            store.deliver(new | marks, self._clock())
            for request in batch:
                request.in_doubt = True
        self._known |= new.keys()
        if then is not None:
            try:
                then()
            except Exception:
                log.exception("the ledger was written to, and that could not be followed up")
        return answers

    def _append(self, store: Store, appends: Sequence[_Append], answers: _Answers) -> Callable[[], None] | None:
        """Number, date and insert the drafts; a setting goes before the first draft that was made by other rules."""
        landed = store.by_request([append.request for append in appends if append.in_doubt])
        latest: dict[tuple[str, str], int] = {}  # of a network and key, as far as it is known here
        rows: list[tuple[Record, bytes | None]] = []
        in_force: dict[Place, Terms] = {}
        seq, last = store.last()
        now = max(self._clock(), last)
        for append in appends:
            draft, place = append.drafts[0], append.place
            if first := landed.get(append.request):
                answers.append((append, store.get(*range(first.seq, first.seq + len(append.drafts)))))
                continue
            if append.abandoned:
                answers.append((append, LedgerUnavailable()))
                continue
            for key in append.seen:
                if (draft.network, key) not in latest:
                    latest[draft.network, key] = store.latest_of(draft.network, key)
            if any(latest[draft.network, key] != number for key, number in append.seen.items()):
                answers.append((append, StaleError()))
                continue
            if place not in in_force:
                in_force[place] = store.terms(*place)
            if not draft.nick:  # the bot's own record changes no setting
                draft = in_force[place].of_draft(draft)
            elif not in_force[place].hold_for(draft):
                seq += 1
                in_force[place] = Terms.of(draft)
                rows.append((self._complete(in_force[place].draft(*place), seq, now), None))
            following = [replace(in_force[place].of_draft(each), ref=seq + 1) for each in append.drafts[1:]]
            written = [self._complete(each, seq + n, now) for n, each in enumerate([draft, *following], start=1)]
            seq += len(written)
            latest |= {(draft.network, record.draft.key): record.seq for record in written}
            rows += zip(written, [append.request, *[None] * len(following)], strict=True)
            answers.append((append, written))
        store.insert(rows)
        return self.within(store, [record for record, _ in rows])

    def _lost(self, why: str) -> None:
        self.why = why
        if not self.away:
            self.away = True
            log.error("%s", why)

    def _reached(self) -> None:
        self.why = None
        if self.away:
            self.away = False
            log.warning("the ledger is in reach again")

"""The writer of a process (LED-03…LED-06): it queues drafts and writes batches in transactions."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from traceback import format_tb
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from ircdice.dice import entropy
from ircdice.errors import LedgerUnavailable, NumberTaken, Refused, StaleError
from ircdice.ledger.engine import Engines, described, is_away, is_number_taken
from ircdice.ledger.record import NOTHING_SEEN, Draft, Record, Terms, plain
from ircdice.ledger.store import Store

log = logging.getLogger(__name__)
MOST = 500  # drafts in one transaction
_PAUSE, _LONGEST_PAUSE = 0.02, 0.5  # seconds between attempts while the database is away
_MARKS = 0.02  # seconds that deliveries wait for another commit
T = TypeVar("T")
Place = tuple[str, str]  # network and channel
AfterCommit = Callable[[], None]


@dataclass(slots=True, eq=False)
class _Append:
    """Drafts of one place that are written together.

    `request` is stored with the first record, to look up a commit in doubt (LED-04). `seen` are the keys that must not
    have changed, with the numbers of their latest records. `abandoned` means that the caller no longer waits,
    `in_doubt` that a commit was tried and its result is unknown.
    """

    place: Place
    drafts: Sequence[Draft]
    request: bytes
    seen: Mapping[str, int]
    future: asyncio.Future[Sequence[Record]]
    abandoned: bool = False
    in_doubt: bool = False


_Rows = list[tuple[Record, bytes | None]]  # with the request, for the first record of an append
_Answers = list[tuple[_Append, Sequence[Record] | LedgerUnavailable | StaleError]]


class Writer:
    """Takes drafts from the event loop and writes them in a thread, all waiting ones in one transaction.

    `complete` makes a record from a draft, its seq and its ts. `within(store, records)` runs in the transaction and
    returns a function to run after the commit, both in the writer's thread; `landed(record)` runs on the event loop for
    each written draft. `late` gets the records written after their commands were refused.
    """

    def __init__(
        self,
        engines: Engines,
        clock: Callable[[], int],
        wait: float,
        *,
        complete: Callable[[Draft, int, int], Record],
        within: Callable[[Store, Sequence[Record]], AfterCommit],
        landed: Callable[[Record], None],
    ) -> None:
        self._engines, self._clock, self._wait = engines, clock, wait
        self._complete, self._within, self._landed = complete, within, landed
        self.late: list[Record] = []
        self.away = False  # whether the database was out of reach at the last attempt
        self._queue: deque[_Append] = deque()
        self._unfinished: set[_Append] = set()
        self._marks: dict[Place, int] = {}  # deliveries not recorded yet
        self._known: set[Place] = set()  # places with a row in `delivered`
        self._wake, self._closing = asyncio.Event(), False
        self._thread = ThreadPoolExecutor(1, "ledger")  # one, so that transactions come one after another
        self._task = asyncio.create_task(self._run())

    async def append(self, drafts: Sequence[Draft], seen: Mapping[str, int] = NOTHING_SEEN) -> Sequence[Record]:
        """Record all `drafts` or none. LedgerUnavailable after `wait` seconds (LED-05); they may still come `late`.

        StaleError if a key in `seen` has a newer record.
        """
        future: asyncio.Future[Sequence[Record]] = asyncio.get_running_loop().create_future()
        append = _Append(_plain_place(*drafts[0].place), drafts, entropy(12), seen, future)
        self._unfinished.add(append)
        self._queue.append(append)
        self._wake.set()
        try:
            await asyncio.wait([future], timeout=self._wait)
        except asyncio.CancelledError:
            if future.done() and not future.exception():
                self.late.extend(future.result())  # it was written at the same moment
            raise
        finally:
            append.abandoned = not future.done()
        if append.abandoned:
            raise self._unanswered()
        return future.result()

    async def transact(self, work: Callable[[Store], tuple[T, AfterCommit]]) -> T:
        """Run `work` in a transaction under the ledger's lock; it returns its result, and what to run after the commit.

        LedgerUnavailable if it did not start within `wait` seconds (once started, it may take any time), if it failed,
        or if the result is unknown: it is never done twice. If the caller is cancelled, work that has started is
        completed, and other work is not done.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + self._wait
        done = False

        def once(store: Store) -> tuple[T, AfterCommit]:
            nonlocal done
            result = work(store)
            done = True
            return result

        while True:
            attempt = self._thread.submit(self._transaction, once)
            outcome = asyncio.wrap_future(attempt)
            try:
                await asyncio.wait([outcome], timeout=end - loop.time())
            except asyncio.CancelledError:
                outcome.add_done_callback(self._log_failure)
                raise
            finally:
                queued = attempt.cancel()  # succeeds only if it has not started
            if queued:
                raise self._unanswered()
            try:
                return await self._outcome(outcome)
            except Exception as error:
                if not is_away(error):
                    raise self._answer_to(error) from None
                if done or loop.time() > end:
                    raise LedgerUnavailable from None
            await asyncio.sleep(_PAUSE)

    def mark(self, network: str, channel: str, seq: int) -> None:
        """Note that a line was delivered, with all before it in its place; written with the next commit, or soon."""
        if not self._marks:
            asyncio.get_running_loop().call_later(_MARKS, self._wake.set)
        place = _plain_place(network, channel)
        self._marks[place] = max(seq, self._marks.get(place, 0))

    async def settled(self, network: str, channel: str) -> None:
        """Wait until every draft of that place is settled; LedgerUnavailable after `wait`."""
        place = _plain_place(network, channel)
        waiting = [append.future for append in self._unfinished if append.place == place]
        if waiting and (await asyncio.wait(waiting, timeout=self._wait))[1]:
            raise LedgerUnavailable

    async def close(self) -> None:
        """Write what is waiting, or refuse it if the database is away."""
        self._closing = True
        self._wake.set()
        await self._task
        await asyncio.to_thread(self._thread.shutdown)

    async def _run(self) -> None:
        while not self._closing or self._queue:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                await self._write([self._queue.popleft() for _ in range(min(MOST, len(self._queue)))])
            if self._marks or (self.away and not self._closing):  # without another commit
                await self._write([])

    async def _write(self, batch: Sequence[_Append]) -> None:
        """Write a batch, with the deliveries; retry while the database is away."""
        pause = _PAUSE
        while True:
            try:
                return await self._commit(batch)
            except Exception as error:
                if not is_away(error):
                    if len(batch) == 1:
                        return self._finish(batch[0], self._answer_to(error))
                    for append in batch:  # refuse only the faulty ones
                        await self._write([append])
                    if batch:
                        return None
                    self._note_failure(f"what was delivered cannot be recorded: {described(error)}")
            if self._closing:
                for append in batch:
                    self._finish(append, LedgerUnavailable())
                return None
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _commit(self, batch: Sequence[_Append]) -> None:
        """Try once to write a batch, with the deliveries."""
        marks, new = dict(self._marks), {append.place: 0 for append in batch if append.place not in self._known}
        work = partial(self._insert, batch, new | marks)
        answers = await self._outcome(asyncio.wrap_future(self._thread.submit(self._transaction, work)))
        self._known |= new.keys()
        for place, seq in marks.items():
            if self._marks[place] == seq:
                del self._marks[place]
        for append, answer in answers:
            self._finish(append, answer)

    def _transaction(self, work: Callable[[Store], tuple[T, AfterCommit]]) -> T:
        """In the writer's thread: run `work` in one transaction."""
        with self._engines.transaction() as connection:
            result, after = work(Store(connection))
        _after_commit(after)
        return result

    async def _outcome(self, attempt: asyncio.Future[T]) -> T:
        """The result of a transaction; logs if the database is out of reach, or in reach again."""
        try:
            result = await attempt
        except Exception as error:
            if is_away(error):
                self.note_away(error)
            raise
        if self.away:
            self.away = False
            log.warning("the ledger is in reach again")
        return result

    def note_away(self, error: BaseException | None = None) -> None:
        """Note that the database is out of reach: it gave `error`, or no answer. Try to write until it is back."""
        why = f"no answer within {self._wait:g} s" if error is None else described(error)
        self._note_failure(f"the ledger is out of reach: {why}")
        self._wake.set()

    def _note_failure(self, why: str) -> None:
        if not self.away:
            log.error("%s", why)
        self.away = True

    def _unanswered(self) -> LedgerUnavailable:
        self.note_away()
        return LedgerUnavailable()

    def _answer_to(self, error: Exception) -> Exception:
        """The error for a request that failed although the database is in reach; unexpected ones are logged."""
        if is_number_taken(error):
            log.error("a number of the dice was already used: %s", described(error))
            return NumberTaken()
        if isinstance(error, DBAPIError):
            # Not the error itself: PostgreSQL's contains the row, which may have hidden faces.
            why = f"the ledger cannot be written to: {described(error)}"
            log.error("%s\n%s", why, "".join(format_tb(error.__traceback__)))
            return LedgerUnavailable(f"{why}.")
        if isinstance(error, LedgerUnavailable):
            log.error("%s", error)
        elif not isinstance(error, (Refused, OSError)):
            log.error("the ledger could not be written to", exc_info=error)
        return error

    def _log_failure(self, outcome: asyncio.Future[T]) -> None:
        """Log why work failed; its caller is gone."""
        if not outcome.cancelled() and isinstance(error := outcome.exception(), Exception):
            self._answer_to(error)

    def _finish(self, append: _Append, answer: Sequence[Record] | Exception) -> None:
        self._unfinished.discard(append)
        if isinstance(answer, Exception):
            append.future.set_exception(answer)
            append.future.exception()  # retrieved, because the caller may no longer wait
            return
        for record in answer:
            _after_commit(partial(self._landed, record))
        if append.abandoned:
            self.late.extend(answer)
        append.future.set_result(answer)

    def _insert(
        self, batch: Sequence[_Append], marks: Mapping[Place, int], store: Store
    ) -> tuple[_Answers, AfterCommit]:
        """In a transaction: write the valid appends, and note deliveries."""
        answers, rows = self._numbered(batch, store)
        store.insert(rows)
        store.deliver(marks, self._clock())
        after = self._within(store, [record for record, _ in rows])
        for append in batch:
            append.in_doubt = True  # the commit comes next
        return answers, after

    def _numbered(self, batch: Sequence[_Append], store: Store) -> tuple[_Answers, _Rows]:
        """The answer to each append, and the records to insert, with numbers and times."""
        in_doubt = [append.request for append in batch if append.in_doubt]
        landed = store.by_request(in_doubt) if in_doubt else {}
        latest: dict[tuple[str, str], int] = {}  # by network and key, among the new records
        in_force: dict[Place, Terms] = {}
        answers: _Answers = []
        rows: _Rows = []
        seq, last = store.last()
        now = max(self._clock(), last)
        for append in batch:
            network, _ = append.place
            if first := landed.get(append.request):
                answers.append((append, store.get(*range(first, first + len(append.drafts)))))
                continue
            if append.abandoned:
                answers.append((append, LedgerUnavailable()))
                continue
            if append.seen != {
                key: latest.get((network, key)) or store.last_number(network, key) for key in append.seen
            }:
                answers.append((append, StaleError()))
                continue
            terms = in_force.get(append.place) or store.terms(*append.place)
            drafts = _in_order(append, terms, seq + 1)
            in_force[append.place] = drafts[-1].terms
            written = [self._complete(draft, number, now) for number, draft in enumerate(drafts, seq + 1)]
            seq += len(written)
            records = written[-len(append.drafts) :]  # without a setting
            latest |= {(network, record.draft.key): record.seq for record in records}
            rows += [(record, append.request if record is records[0] else None) for record in written]
            answers.append((append, records))
        return answers, rows


def _in_order(append: _Append, terms: Terms, seq: int) -> list[Draft]:
    """The drafts to number from `seq` on. A setting comes first if they were made under other rules than `terms`."""
    first, *following = append.drafts
    setting = []
    if not first.nick:  # the bot's own records change no setting
        first = replace(first, terms=terms)
    elif first.terms != terms:
        setting = [Draft("setting", *append.place, "", "", str(first.terms), (), "", terms=first.terms)]
    ref = seq + len(setting)
    return [*setting, first, *(replace(draft, terms=first.terms, ref=ref) for draft in following)]


def _plain_place(network: str, channel: str) -> Place:
    """A place as recorded."""
    return plain(network), plain(channel)


def _after_commit(work: AfterCommit) -> None:
    """Run `work` after a commit; its failure does not mean that nothing was written."""
    try:
        work()
    except Exception:
        log.exception("the commit succeeded, but its follow-up failed")

"""What writes, in a process (LED-03): a thread that takes all that waits into one transaction. Knows no proof.

A lone roll need not wait for the thread: where the disk is quick it is written where the event loop stands.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, TypeVar

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.record import Record
from ircdice.ledger.store.answers import told, undone
from ircdice.ledger.store.engine import Engines, as_told, is_altered, is_away, why_not
from ircdice.ledger.store.marks import Marks
from ircdice.ledger.store.pace import Pace
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.pen import CommitUnknownError, Pen
from ircdice.ledger.store.reach import Reach
from ircdice.ledger.store.reading import by_request
from ircdice.ledger.store.requests import Answers, Append, Job, Request, hand_over
from ircdice.ledger.store.scribe import Scribe, Written

MOST = 500  # appends in one transaction
_WATCH = 1.0  # s between two looks at an event loop that writes
_TRIAL = "trial", "0" * 65_536  # as much as a roll may need: a disk that is full takes less now and then
T = TypeVar("T")


class Writer:
    """Takes each request from its own loop, where `answered` is called with it afterwards."""

    def __init__(
        self, engines: Engines, scribe: Scribe, marks: Marks, answered: Callable[[Request, Any], None], reach: Reach
    ) -> None:
        self._scribe, self._marks, self._answered, self._reach = scribe, marks, answered, reach
        self._pen, self._pace = Pen(engines, marks), Pace(engines.lone)
        self._turn = Lock()  # of who writes, the thread or the event loop
        self._asked: deque[Request] = deque()  # and not yet seen by the thread
        self._bell: SimpleQueue[None] = SimpleQueue()  # rung where there is something to do
        self._rings: asyncio.AbstractEventLoop | None = None  # the one that is about to ring it
        self._waiting: list[Request] = []
        self._doubtful: list[Append] = []
        self._wants_room = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> None:
        """Have something done, soon.

        What else is asked in the same round of the loop comes along: a thread that is woken by the first of a burst
        and the loop that has the others to ask would take the interpreter from one another again and again.
        """
        self._asked.append(request)
        if self._rings is not request.loop:
            self._rings = request.loop
            request.loop.call_soon(self._ring)

    def _ring(self) -> None:
        self._rings = None
        if self._asked:  # not taken along by a transaction that was under way
            self.wake()

    def at_once(self, append: Append) -> Record | None:
        """On the event loop: its record, written where it stands if the disk is quick and nobody else writes.

        None: the thread has it, and will tell.
        """
        if self._pace.allows(time.monotonic()) and self._turn.acquire(blocking=False):
            try:
                asked = self._asked or self._waiting or self._doubtful
                if not (asked or self._reach.doubtful or self._stopping.is_set()):
                    return self._written_here(append)
            finally:
                self._turn.release()
        self.submit(append)
        return None

    def _written_here(self, append: Append) -> Record | None:
        """One that fails is the thread's, which waits for locks and tells what is wrong."""
        start = self._reach.here_since = time.monotonic()
        try:
            written = self._pen.transact(lambda page: self._scribe.write(page, [append]), hasty=True)
        except CommitUnknownError as error:
            self._scribe.forget()
            self._doubtful.append(append)
            self._trouble(error)
            self.wake()
            return None
        except Exception:
            self._scribe.forget()
            self.submit(append)
            return None
        finally:
            self._reach.here_since = 0.0
        if self._reach.away:
            self._reach.wrote()
        now = time.monotonic()
        self._pace.took(now - start, now, here=True)
        self._scribe.tell([record for _, record in written])
        return written[-1][1]

    def wake(self) -> None:
        """Have the thread look at what there is to do, marks that are due included."""
        self._bell.put(None)

    def make_room(self) -> None:
        """Have room made for what will be written, as soon as the thread has nothing else to do."""
        self._wants_room = True
        self.wake()

    def stop(self) -> None:
        """Finish what waits, and end; blocks until it has."""
        self._stopping.set()
        self.wake()
        self._thread.join()

    def _run(self) -> None:
        while self._collect():
            while not self._turn.acquire(timeout=_WATCH):
                self._reach.look()
            try:
                self._work()
            except Exception as error:
                self._trouble(error)
            finally:
                self._turn.release()
        with self._turn:
            self._pen.put_down()
        self._refuse(self._waiting)

    def _collect(self) -> bool:
        """Wait until there is something to do, and take all of it; False where the end has come."""
        if self._reach.pause:
            self._rest()
        elif not self._stopping.is_set():
            self._listen()
        self._drain()
        if given_up := [request for request in self._waiting if request.given_up]:
            self._refuse(given_up)
            self._waiting = [request for request in self._waiting if not request.given_up]
        unfinished = self._waiting or ((self._doubtful or self._marks) and not self._reach.pause)
        return bool(unfinished) or not self._stopping.is_set()

    def _listen(self) -> None:
        """Wait until the bell is rung, marks are due, or the file is missed: told now, it may still be found."""
        with contextlib.suppress(Empty):
            while (due := self._marks.due_in()) is None:
                with contextlib.suppress(Empty):
                    self._bell.get(timeout=_WATCH)
                    return
                self._reach.look()
                if gone := self._pen.gone():
                    self._reach.failed(why_not(gone), None)
                    return
            self._bell.get(timeout=due)

    def _drain(self) -> None:
        """Take what was asked meanwhile."""
        while not self._bell.empty():
            self._bell.get_nowait()
        while self._asked:  # nobody else takes from it; what waits stands in one of the two at any moment
            self._waiting.append(self._asked[0])
            self._asked.popleft()

    def _rest(self) -> None:
        """Between two tries; one that stops takes its time as well, or it would spin."""
        if self._stopping.is_set():
            time.sleep(self._reach.pause)
        else:
            self._stopping.wait(self._reach.pause)

    def _work(self) -> None:
        """Do what waits; raises where the database is away, and leaves waiting what is not done."""
        if self._doubtful:
            self._look_up()
        while self._waiting:
            if isinstance(first := self._waiting[0], Job):
                self._do(first)
            else:
                self._append()
        if self._reach.doubtful:
            self._try()
        elif self._stopping.is_set() or self._marks.due_in() == 0:
            self._transact(lambda _: None)  # for the marks
        if self._wants_room:
            self._wants_room = False
            self._pen.make_room()

    def _try(self) -> None:
        """Is it back? It is when it takes what a roll may need."""
        name, much = _TRIAL
        self._transact(lambda page: page.put(name, much))
        self._transact(lambda page: page.put(name, ""))
        self._reach.wrote()

    def _leading(self, most: int) -> list[Append]:
        """The appends in front, as many as one transaction takes."""
        appends: list[Append] = []
        for request in self._waiting[:most]:
            if not isinstance(request, Append):
                break
            appends.append(request)
        return appends

    def _append(self, most: int = MOST) -> None:
        """Take drafts up in one transaction; where that fails, each in one of its own: the others are not to blame."""
        appends: list[Append] = []
        taken: list[Append] = []
        start = time.monotonic()
        try:
            written = self._transact(partial(self._write, most, appends, taken))
        except CommitUnknownError:
            self._doubtful += taken
            self._settle(appends, undone(appends, taken))
            raise
        except Exception as error:
            if is_away(error):
                raise
            fault = error
        else:
            if self._reach.doubtful and written:
                self._reach.wrote()
            if len(taken) == 1:
                now = time.monotonic()
                self._pace.took(now - start, now, here=False)
            answers: Answers = [(append, record) for append, record in written if append is not None]
            self._settle(appends, answers + undone(appends, taken))
            self._scribe.tell([record for _, record in written])  # nobody waits for the file of checkpoints
            return
        self._apart(appends or self._leading(most), fault)  # none was begun where there was no lock to be had

    def _write(self, most: int, appends: list[Append], taken: list[Append], page: Page) -> Written:
        """Under the lock: `appends` becomes those in front, `taken` those of them that somebody waits for."""
        self._drain()  # the lock may have been long in coming: others ask by now, and some have given up
        appends[:] = self._leading(most)
        taken[:] = [append for append in appends if not append.given_up]
        return self._scribe.write(page, taken)

    def _apart(self, failed: Sequence[Append], fault: Exception) -> None:
        """Those whose transaction failed: one alone is told why."""
        if len(failed) == 1:
            self._settle(failed, [(failed[0], told(fault))])
        else:
            for _ in failed:
                self._append(1)

    def _do(self, job: Job) -> None:
        """Do a job in a transaction of its own; it is never repeated, so that its outcome may stay unknown."""
        try:
            answer = self._transact(job.work)
        except CommitUnknownError:
            self._settle([job], [(job, LedgerUnavailable())])
            raise
        except Exception as error:
            if is_away(error):
                raise
            answer = as_told(error)
        self._settle([job], [(job, answer)])

    def _look_up(self) -> None:
        """Learn which doubtful appends landed (LED-04). Under the lock, so that no commit of them can still come."""
        numbers = {append.key: append.seq for append in self._doubtful}
        landed = self._pen.look(lambda page: by_request(page.connection, numbers))
        self._scribe.tell(sorted(landed.values(), key=lambda record: record.seq))
        answers: Answers = [(append, landed[append.key]) for append in self._doubtful if append.key in landed]
        self._waiting[:0] = [append for append in self._doubtful if append.key not in landed]
        self._doubtful = []
        hand_over(answers, self._answered)

    def _transact(self, work: Callable[[Page], T]) -> T:
        try:
            return self._pen.transact(work, early=self._stopping.is_set())
        except BaseException:
            self._scribe.forget()
            raise

    def _settle(self, requests: Sequence[Request], answers: Answers) -> None:
        """These, the first that waited, wait no longer."""
        del self._waiting[: len(requests)]
        hand_over(answers, self._answered)

    def _refuse(self, requests: Sequence[Request]) -> None:
        hand_over([(request, LedgerUnavailable()) for request in requests], self._answered)

    def _trouble(self, error: Exception) -> None:
        """The database is away, or the unforeseen happened: whoever waits goes on waiting (LED-05)."""
        self._pen.put_down()
        cause = (isinstance(error, CommitUnknownError) and error.__cause__) or error
        self._reach.failed(why_not(cause), None if is_away(cause) or is_altered(cause) else cause)

"""The work of a check shared among processes: each looks at the records of its own channels, stretch by stretch.

Nobody waits for more than a few stretches, however large the ledger, and whoever has worked most lends of its work: how
long a verdict takes differs by games, and is known behind it alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from operator import attrgetter
from time import process_time
from typing import cast

from sqlalchemy.exc import SQLAlchemyError

from ircdice.errors import LedgerUnavailable
from ircdice.ledger.check import stretches
from ircdice.ledger.examining import STRETCH, Means, Stretch, looked
from ircdice.ledger.judging import Discrepancy, Judge, Judging
from ircdice.ledger.portions import Loan, Portion, lent, portions
from ircdice.ledger.processes import deaf
from ircdice.ledger.store.engine import in_a_line
from ircdice.ledger.store.whole import Passage, StoredRecords
from ircdice.ledger.tidying import tidied

ALONE = 20_000  # records up to which one process looks at all of them: starting others takes longer
_POLLED = 0.2  # s
_AHEAD = 3  # stretches that a process is given before its first answer is taken
Judges = Callable[[], Judge]  # makes one; must be picklable
Found = tuple[Stretch, list[Discrepancy]]
_Answer = tuple[Found, float]  # and what was worked so far, in seconds of the processor


def cores() -> int:
    """How many processes can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(slots=True)
class Share:
    """What one process does with each stretch of a ledger, all of them in order."""

    records: StoredRecords
    means: Means
    judges: Judges
    portion: Portion = field(default_factory=Portion)
    _work: tuple[Passage, Judging] | None = field(default=None, init=False, repr=False)

    def __call__(self, after: int, loan: Loan | None = None) -> Found:
        """What is found in its part of the stretch behind `after`, and how verdicts on that differ now."""
        if self._work is None:
            judging = Judging(self.judges(), self.portion, self.means.rules)
            self._work = self.records.through(), judging
        (passage, judging), portion = self._work, self.portion
        entries = passage.up_to(after + STRETCH, portion.wanted(loan), portion.others(loan))
        mine = [entry for entry in entries if portion.answers_for(entry, loan)]
        return looked(self.means, after, mine), judging.take(entries)


def shared(share: Share, last: int, processes: int, waiting: Callable[[], object] = lambda: None) -> Iterator[Found]:
    """Every stretch up to record `last`, in order; `waiting` is called while there is none yet.

    LedgerUnavailable where the database or a process is gone.
    """
    ahead = iter(stretches(last))
    with ExitStack() as stack:
        if processes < 2 or last <= ALONE:
            stack.enter_context(tidied())
            yield from map(share, ahead)
            return
        each = portions(share.records.by_channel(), processes)
        team = _Team([stack.enter_context(_process(share, portion)) for portion in each])
        given = sum(map(team.give, islice(ahead, _AHEAD)))
        while given:
            found = team.taken(waiting)
            given += sum(map(team.give, islice(ahead, 1))) - 1
            yield found


class _Team:
    """The processes that share a check, by the pipes to them."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        self._pipes, self._worked = pipes, [0.0] * len(pipes)

    def give(self, after: int) -> int:
        """One stretch more, to each its part."""
        loan = lent(self._worked)
        for pipe in self._pipes:
            pipe.send((after, loan))
        return 1

    def taken(self, waiting: Callable[[], object]) -> Found:
        """What all found in the next stretch."""
        answers = [_taken(pipe, waiting) for pipe in self._pipes]
        self._worked = [worked for _, worked in answers]
        return _joined([found for found, _ in answers])


def _taken(pipe: Connection, waiting: Callable[[], object]) -> _Answer:
    try:
        while not pipe.poll(_POLLED):
            waiting()
        answer = pipe.recv()
    except (EOFError, OSError) as error:
        raise LedgerUnavailable("a process that looked at the ledger has ended.") from error
    if isinstance(answer, Exception):
        raise answer
    return cast(_Answer, answer)


def _joined(found: Sequence[Found]) -> Found:
    discrepancies = sorted((each for _, discrepancies in found for each in discrepancies), key=attrgetter("seq"))
    return Stretch.joined([stretch for stretch, _ in found]), discrepancies


@contextmanager
def _process(share: Share, portion: Portion) -> Iterator[Connection]:
    """A process of its own; it ends with the block, and by itself where this one is killed."""
    context = get_context("spawn")  # nothing of this one's connections and threads goes along
    here, there = context.Pipe()
    given = Share(share.records, share.means, share.judges, portion)
    process = context.Process(target=_worked, args=(there, given), daemon=True)
    with deaf():
        process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.terminate()
        process.join()


def _worked(pipe: Connection, share: Share) -> None:
    with suppress(EOFError, OSError), tidied():
        while True:
            pipe.send(_answer(share, *pipe.recv()))


def _answer(share: Share, after: int, loan: Loan | None) -> _Answer | Exception:
    try:
        return share(after, loan), process_time()
    except SQLAlchemyError as error:
        return LedgerUnavailable(f"the ledger cannot be read: {in_a_line(error)}.")
    except Exception as error:
        return error

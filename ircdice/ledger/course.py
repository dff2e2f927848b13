"""A check as it goes: what was found by then, whenever it ends (LED-16). Reads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ircdice.ledger.check import Check, Report
from ircdice.ledger.examining import STRETCH, Finding
from ircdice.ledger.judging import Discrepancies
from ircdice.ledger.progress import Progress
from ircdice.ledger.sharing import Found

NOTHING_YET = Report(0, 0, 0, 0, 0, (), (), whole=False)


@dataclass(slots=True)
class Course:
    """Goes through `last` records; `beside` is what is wrong beside them, `damages` what is with the file itself."""

    check: Check
    last: int
    beside: Sequence[Finding]
    damages: Sequence[Finding] = ()
    whole: bool = False
    done: int = 0  # records
    _discrepancies: Discrepancies = field(default_factory=Discrepancies)

    def go_through(self, found: Iterable[Found], progress: Progress | None) -> None:
        """All stretches, in order; `progress` is told after each."""
        for stretch, discrepancies in found:
            self.check.take(stretch)
            if self.last and not stretch.seqs:  # whatever number is behind it, the way there may have no end
                self.check.miss(stretch.after + 1, self.last)
                break
            self._discrepancies.take(discrepancies)
            self.done = min(stretch.after + STRETCH, self.last)
            if progress:
                progress(self.done)
        self.whole = True

    def report(self, *notes: str) -> Report:
        """What was found; where the file is damaged that comes first, and there is no more to be looked at."""
        report = self._discrepancies.added(self.check.report(whole=self.whole))
        found = (*self.damages, *sorted({*report.findings, *self.beside}))
        whole = self.whole or bool(self.damages)
        return replace(report, findings=found, notes=(*report.notes, *notes), whole=whole)

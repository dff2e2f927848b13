"""Every verdict again from its faces (LED-16). A place's records need one another, in order, and no other place's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ircdice import __version__
from ircdice.ledger.check import Report
from ircdice.ledger.entry import WITHHELD, Entry
from ircdice.ledger.examining import Finding
from ircdice.ledger.portions import Portion

Judge = Callable[[Entry], str | None]  # what the rules of now say otherwise than the record's line, if anything
MOST = 50  # discrepancies that are told, of each sort
_PRIVATE = "private"  # on such a record nothing in a channel hangs


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A record that the rules of now judge otherwise; `expected` is whether they may."""

    seq: int
    rules: str
    why: str
    expected: bool


class Judging:
    """Takes the records of a portion in order.

    By other rules than those of its time a difference may be expected, as in a place that has a record whose content is
    not here: what hangs on it cannot be judged any more.
    """

    def __init__(self, judge: Judge, portion: Portion | None = None, rules: str = __version__) -> None:
        self._judge, self._portion, self._rules = judge, portion or Portion(), rules
        self._hidden: set[tuple[str, str]] = set()  # places with a record that cannot be judged; "" for any
        self._otherwise: set[int] = set()  # records of which a difference was expected: so it is of what follows them

    def take(self, entries: Iterable[Entry]) -> list[Discrepancy]:
        """Those of the next records that are judged otherwise now."""
        return [discrepancy for entry in entries if (discrepancy := self._judged(entry))]

    def _judged(self, entry: Entry) -> Discrepancy | None:
        if not self._portion.holds(entry.network, entry.channel):
            return None
        if entry.kind == WITHHELD and entry.text != _PRIVATE:
            self._hidden.add((entry.network, entry.channel))
        if (why := self._judge(entry)) is None:
            return None
        unknown = not self._hidden.isdisjoint({(entry.network, entry.channel), ("", "")})
        expected = unknown or entry.rules != self._rules or entry.ref in self._otherwise
        if expected:
            self._otherwise.add(entry.seq)
        return Discrepancy(entry.seq, entry.rules, why, expected)


class Discrepancies:
    """Those of a check, in order, as far as they are told."""

    def __init__(self) -> None:
        self._told: dict[bool, list[Discrepancy]] = {True: [], False: []}  # by `expected`

    def take(self, discrepancies: Iterable[Discrepancy]) -> None:
        """The next ones."""
        for discrepancy in discrepancies:
            if len(told := self._told[discrepancy.expected]) < MOST:
                told.append(discrepancy)

    def added(self, report: Report) -> Report:
        """A report with what was judged."""
        wrong = {Finding(each.seq, "altered", each.why) for each in self._told[False]}
        notes = [f"record {each.seq}, by rules {each.rules}: {each.why}" for each in self._told[True]]
        return replace(report, findings=tuple(sorted({*report.findings, *wrong})), notes=(*report.notes, *notes))

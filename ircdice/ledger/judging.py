"""Every verdict again from its faces (LED-16). A place's records need one another, in order, and no other place's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from zlib import crc32

from ircdice import __version__
from ircdice.ledger.check import Report
from ircdice.ledger.examining import Finding
from ircdice.ledger.record import Draft, Record

Judge = Callable[[Record], str | None]  # what the rules of now say otherwise than the record's line, if anything
MOST_NAMED = 1_000  # channels
MOST = 50  # verdicts that differ and are told
_PRIVATE = "private"  # on such a record nothing in a channel hangs


@dataclass(frozen=True, slots=True)
class Portion:
    """Those places that are one of several judges' to look at, `number` from 0 `of` so many."""

    number: int = 0
    of: int = 1
    given: Mapping[str, int] = field(default_factory=dict)  # channels, whatever their network, to those judges

    def holds(self, network: str, channel: str) -> bool:
        """Whether a place falls to it; a record of which not even the place is known concerns every judge."""
        if self.of == 1 or not (channel or network):
            return True
        given = self.given.get(channel)
        return (crc32(channel.encode()) % self.of if given is None else given) == self.number

    @property
    def others(self) -> tuple[str, ...]:
        """Channels that surely fall to others, as long as they are few enough to be named in one question."""
        named = [channel for channel, number in self.given.items() if channel and number != self.number]
        return tuple(named) if len(named) <= MOST_NAMED else ()

    def answers_for(self, draft: Draft) -> bool:
        """Whether what else is to be looked at in a record falls to it, and to no other."""
        return self.number == 0 or bool(draft.channel or draft.network)


def portions(records: Mapping[str, int], of: int) -> list[Portion]:
    """As many as judges, each with about as much to do, by how many records each channel has."""
    loads, given = [0] * of, dict[str, int]()
    for channel, count in sorted(records.items(), key=itemgetter(1), reverse=True):
        given[channel] = number = loads.index(min(loads))
        loads[number] += count
    return [Portion(number, of, given) for number in range(of)]


@dataclass(frozen=True, slots=True)
class Verdict:
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

    def take(self, records: Iterable[Record]) -> list[Verdict]:
        """Those of the next records that are judged otherwise now."""
        return [verdict for record in records if (verdict := self._judged(record))]

    def _judged(self, record: Record) -> Verdict | None:
        draft = record.draft
        if not self._portion.holds(draft.network, draft.channel):
            return None
        if record.redacted and draft.text != _PRIVATE:
            self._hidden.add((draft.network, draft.channel))
        if (why := self._judge(record)) is None:
            return None
        unknown = not self._hidden.isdisjoint({(draft.network, draft.channel), ("", "")})
        expected = unknown or record.rules != self._rules or draft.ref in self._otherwise
        if expected:
            self._otherwise.add(record.seq)
        return Verdict(record.seq, record.rules, why, expected)


class Verdicts:
    """Those that differ, in order, as far as they are told."""

    def __init__(self) -> None:
        self._told: dict[bool, list[Verdict]] = {True: [], False: []}  # by `expected`

    def take(self, verdicts: Iterable[Verdict]) -> None:
        """The next ones."""
        for verdict in verdicts:
            if len(told := self._told[verdict.expected]) < MOST:
                told.append(verdict)

    def added(self, report: Report) -> Report:
        """A report with what was judged."""
        wrong = {Finding(each.seq, "altered", each.why) for each in self._told[False]}
        notes = [f"record {each.seq}, by rules {each.rules}: {each.why}" for each in self._told[True]]
        return replace(report, findings=tuple(sorted({*report.findings, *wrong})), notes=(*report.notes, *notes))

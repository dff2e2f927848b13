"""Drafts to records, inside the transaction: numbered, dated, with the settings that they were made under (LED-02)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from ircdice.ledger import terms
from ircdice.ledger.record import Draft, Record
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.requests import Append
from ircdice.ledger.terms import Terms

log = logging.getLogger(__name__)
Complete = Callable[[Draft, int, int], Record]  # of a draft, its seq and ts: blind, rules, tag and leaf filled in
Written = list[tuple[Append | None, Record]]  # None for a setting, which nobody waits for
_MOST_PLACES = 10_000  # whose terms are kept at hand


class Scribe:
    """Writes appends down. What it knows of the ledger it checks against the last records before it relies on it.

    `within` is called in the transaction with the records that it takes up, before it is committed: what it raises
    undoes them. `landed` is called behind the commit, when they are answered. Both run in the order of the ledger, in
    one thread at a time: the writer's, or the event loop's for a roll that is written there.
    """

    within: Callable[[Sequence[Record], Page], None] | None = None
    landed: Callable[[Sequence[Record]], None] | None = None

    def __init__(self, complete: Complete, clock: Callable[[], int]) -> None:
        self._complete, self._clock = complete, clock
        self._terms: dict[tuple[str, str], Terms] = {}
        self._setting = 0  # the number of the ledger's last setting, as far as known here

    def write(self, page: Page, appends: Sequence[Append]) -> Written:
        """Number, date and insert the drafts of `appends`; a setting goes before a draft that was made under others."""
        written = self._numbered(page, appends)
        if written:
            page.insert([(record, append.key if append else None) for append, record in written])
            if self.within is not None:
                self.within([record for _, record in written], page)
        return written

    def _numbered(self, page: Page, appends: Sequence[Append]) -> Written:
        seq, ts, setting = page.last()
        if setting != self._setting or len(self._terms) > _MOST_PLACES:
            self.forget()  # another process has written one
        now, written = max(self._clock(), ts), Written()
        for append in appends:
            draft = append.draft
            place = draft.network, draft.channel
            if not (self._terms.get(place) or self._in_force(page, place)).hold_for(draft):
                said, seq = Terms.of(draft), seq + 1
                setting = seq
                written.append((None, self._complete(said.draft(*place), seq, now)))
                self._terms[place] = said
            append.seq = seq = seq + 1
            written.append((append, self._complete(draft, seq, now)))
        self._setting = setting
        return written

    def tell(self, records: Sequence[Record]) -> None:
        """These have landed."""
        if self.landed is not None and records:
            try:
                self.landed(records)
            except Exception:
                log.exception("what follows a record failed")

    def forget(self) -> None:
        """Rely on nothing: the transaction did not land, or perhaps did not."""
        self._terms.clear()

    def _in_force(self, page: Page, place: tuple[str, str]) -> Terms:
        page.mark({place: 0})  # it may be the first record there, and then nothing was delivered yet (LED-06)
        known = self._terms[place] = terms.read(page.in_force(*place))
        return known

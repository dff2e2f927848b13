"""The verdicts of rolls, by game, as posted (DSK-14, WEB-05)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ircdice import dispatcher
from ircdice.ledger.record import AMENDING, ROLLING, Record
from ircdice.ledger.verify import begun_by

THROWN = ROLLING | AMENDING | {"answer"}  # kinds of record that may hold dice
MOST_OUTCOMES = 12
_FIGURES = re.compile("[;,(]")  # after the verdict: figures and remarks


def outcomes(rolls: Iterable[Record]) -> dict[str, dict[str, int]]:
    """Count verdicts by first word, for each game, most frequent first; changed rolls count once, with the latest."""
    standing: dict[int, Record] = {}
    for record in sorted(rolls, key=lambda record: record.seq):
        standing[begun_by(record)] = record
    words = {name: {word.lower() for word in game.words.values()} for name, game in dispatcher.systems().items()}
    counted: dict[str, Counter[str]] = {}
    for record in standing.values():
        name = record.draft.game or record.draft.terms.system
        head = _FIGURES.split(record.draft.line.partition(": ")[2], maxsplit=1)[0].rstrip()
        if set(head.lower().split(" and ")) <= words.get(name, set()):
            counted.setdefault(name, Counter())[head] += 1
    return {name: dict(counts.most_common(MOST_OUTCOMES)) for name, counts in sorted(counted.items())}

"""What was delivered, until it is written down: it waits a moment for a commit to ride in (LED-06)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from threading import Lock

# Until they are written a crash posts their lines again, and with each roll they would cost it.
_FEW = 8  # lines
_RIDE, _DUE = 0.01, 0.02  # s until the next commit takes them along, and until they are written on their own
_RIDE_OF_MANY, _DUE_OF_MANY = 0.0, 0.005


class Marks:
    """Of each place, the highest number delivered that is not written down yet. For two threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._marks: dict[tuple[str, str], int] = {}
        self._since = 0.0
        self._lines = 0

    def __bool__(self) -> bool:
        return bool(self._marks)

    def add(self, network: str, channel: str, seq: int) -> bool:
        """Whether that changes when they are due: it is the first that waits, or with it they are many."""
        with self._lock:
            if not self._marks:
                self._since, self._lines = time.monotonic(), 0
            self._lines += 1
            self._marks[network, channel] = max(seq, self._marks.get((network, channel), 0))
            return self._lines in (1, _FEW)

    def take(self, *, early: bool = False) -> Mapping[tuple[str, str], int]:
        """All that wait, to be written now; none yet where they came just now and are few, unless `early`."""
        if not self._marks:
            return {}
        with self._lock:
            if not early and self._left(_RIDE, _RIDE_OF_MANY) > 0:
                return {}
            taken, self._marks = self._marks, {}
            return taken

    def give_back(self, taken: Mapping[tuple[str, str], int]) -> None:
        """They were not written after all."""
        for place, seq in taken.items():
            self.add(*place, seq)

    def due_in(self) -> float | None:
        """Seconds until they should be written on their own; None where there are none."""
        if not self._marks:
            return None
        with self._lock:
            return max(0.0, self._left(_DUE, _DUE_OF_MANY)) if self._marks else None

    def _left(self, of_few: float, of_many: float) -> float:
        return self._since + (of_few if self._lines < _FEW else of_many) - time.monotonic()

"""How far each stream of dice was drawn from (LED-14). Knows numbers, and no dice."""

from __future__ import annotations

CounterKey = tuple[int, str, str]  # epoch, network, channel: counters run in each


class Counters:
    """The counters of records in their order; no gaps, but for what a record whose content is gone may have used."""

    def __init__(self) -> None:
        self._last: dict[CounterKey, tuple[int, int]] = {}  # the last, and how many records were hidden by then

    def take(self, place: CounterKey, counter: int, hidden: int) -> tuple[int, bool]:
        """The last counter there before this one, and whether more are missing than `hidden` records can have used."""
        last, before = self._last.get(place, (0, 0))
        self._last[place] = max(last, counter), hidden
        return last, counter - last - 1 > hidden - before

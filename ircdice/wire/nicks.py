"""Nicks: which name to try when one is taken (IRC-07). Knows only strings."""

from __future__ import annotations

_UNDERSCORES = 3
_TRIES = 30
_SHORT = 9  # the oldest limit that servers still have


class Nicks:
    """The names to try while registering: the wanted one, its alternates, then the wanted one changed a little."""

    def __init__(self, wanted: str, alternates: tuple[str, ...] = ()) -> None:
        shorter = wanted[: _SHORT - 2]
        self._rest = [*alternates, *(wanted + "_" * count for count in range(1, _UNDERSCORES + 1))]
        # A server that takes no longer nick refuses the underscores, or cuts them off: then the end must change.
        self._rest += [f"{shorter}{number:02}" for number in range(1, _TRIES)]

    def next(self) -> str | None:
        """The next name to try; None when there is none left."""
        return self._rest.pop(0) if self._rest else None

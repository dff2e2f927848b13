"""One file for each game, pure: a node and dice give an outcome, a node gives exact odds."""

from __future__ import annotations

from functools import cache
from pkgutil import extend_path, iter_modules

__path__ = extend_path(__path__, __name__)  # a further system's folder may stand elsewhere on the path


@cache
def names() -> tuple[str, ...]:
    """The names by which a channel's `system` is set: those of the rules files, of which none is loaded for it."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))

"""The `irc` package, as much of it as a connection wants. The one place that imports it for the bot.

Its table of numerics finds its file by a look at every module that is loaded, and its scheduler brings tempora,
dateutil and the world's time zones: together as long as everything else of the wire takes to load. A connection asks
neither. The table is loaded by whoever does ask; for the scheduler one stands in that has nothing to do.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType


class _Idle:
    """In the place of a reactor's scheduler, and of its interface."""


def _stand_ins() -> dict[str, ModuleType]:
    events, schedule = ModuleType("irc.events"), ModuleType("irc.schedule")
    vars(events)["__getattr__"] = lambda name: getattr(import_module("irc.events"), name)  # the real one, when asked
    vars(schedule).update(IScheduler=_Idle, DefaultScheduler=_Idle)
    return {module.__name__: module for module in (events, schedule) if module.__name__ not in sys.modules}


def _import_client() -> None:
    """Have the package's client loaded without the two, which are left for others to import."""
    standing_in = _stand_ins()
    sys.modules |= standing_in
    try:
        import_module("irc.client")
    finally:
        for name in standing_in:
            del sys.modules[name]


_import_client()

from irc.client_aio import AioConnection, AioReactor, IrcProtocol  # noqa: E402  now that it comes without them
from irc.message import Tag  # noqa: E402

__all__ = ["AioConnection", "AioReactor", "IrcProtocol", "Tag"]

"""The `irc` package, as much of it as a connection wants. The one place that imports it for the bot.

Its table of numerics finds its file by a look at every module that is loaded, and its scheduler brings tempora,
dateutil and the world's time zones: together as long as everything else of the wire takes to load. A connection asks
neither. The table is loaded by whoever does ask; for the scheduler one stands in that has nothing to do. A release that
wants more of the scheduler than these two names has the whole of it, and a start takes its time.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType

from ircdice.put_off import put_off


class _Idle:
    """In the place of a reactor's scheduler, and of its interface."""


def _import_client() -> None:
    """Have the package's client loaded without the scheduler, which is left for others to import."""
    stand_in = ModuleType("irc.schedule")
    vars(stand_in).update(IScheduler=_Idle, DefaultScheduler=_Idle)
    if sys.modules.setdefault("irc.schedule", stand_in) is not stand_in:
        return
    with suppress(AttributeError, ImportError):  # whoever imports the client next has what went wrong
        import_module("irc.client")
    del sys.modules["irc.schedule"]


put_off("irc.events")
_import_client()

from irc.client_aio import AioConnection, AioReactor, IrcProtocol  # noqa: E402  now that it comes without them
from irc.message import Tag  # noqa: E402  as above

__all__ = ["AioConnection", "AioReactor", "IrcProtocol", "Tag"]

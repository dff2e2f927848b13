"""Modules that others import and nobody here asks anything: they wait until somebody does. Knows none of them."""

from __future__ import annotations

import sys
from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import Any

_ONE_AT_A_TIME = Lock()


def put_off(name: str) -> None:
    """Have `import name` load nothing until something of that module is asked for; one that is loaded stays.

    `importlib.util.LazyLoader` would do, but that its modules are loaded by the next `import` of them already.
    """
    if name in sys.modules:
        return
    parent, _, child = name.rpartition(".")
    stand_in = ModuleType(name)
    vars(stand_in)["__getattr__"] = lambda attribute: getattr(_loaded(stand_in), attribute)
    if parent:
        setattr(import_module(parent), child, stand_in)
    sys.modules[name] = stand_in


def _loaded(stand_in: ModuleType) -> Any:
    """The module itself; any thread may be the first."""
    name = stand_in.__name__
    with _ONE_AT_A_TIME:  # or two would both see it there, and one of them would delete what is gone
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]
    return import_module(name)

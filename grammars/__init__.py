"""From text to a frozen node: the only place that knows pyparsing. It knows no dice, no channel, no clock."""

from __future__ import annotations

from pkgutil import extend_path
from typing import TYPE_CHECKING, Any

from grammars.errors import CommandSyntaxError, Refused, UnknownCommand

__path__ = extend_path(__path__, __name__)  # a further system's folder may stand elsewhere on the path

__all__ = ["CommandSyntaxError", "Reading", "Refused", "UnknownCommand", "parse", "read"]

if TYPE_CHECKING:
    from grammars.gate import parse, read
    from grammars.reading import Reading
else:

    def __getattr__(name: str) -> Any:
        """Whatever reads is loaded by the first who reads: a start wants the errors alone, and no pyparsing."""
        if name not in ("Reading", "parse", "read"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from grammars.gate import parse, read
        from grammars.reading import Reading

        globals().update(Reading=Reading, parse=parse, read=read)
        return globals()[name]

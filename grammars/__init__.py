"""From text to a frozen node: the only place that knows pyparsing. It knows no dice, no channel, no clock."""

from __future__ import annotations

from pkgutil import extend_path
from typing import Any

from grammars.errors import CommandSyntaxError, Refused, UnknownCommand

__path__ = extend_path(__path__, __name__)  # a further system's folder may stand elsewhere on the path

__all__ = ["CommandSyntaxError", "Reading", "Refused", "UnknownCommand", "parse", "read"]

from grammars.gate import read
from grammars.reading import Reading


def parse(text: str, system: str = "v5", called: bool = False) -> Any:
    """The node that `text` stands for.

    `system` is what `roll Nd10` means here; `called` is whether the bot was named, prefixed or spoken to alone
    (GEN-10…GEN-14). Raises UnknownCommand for talk and CommandSyntaxError for a command that cannot be read.
    """
    return read(text, system, called).node

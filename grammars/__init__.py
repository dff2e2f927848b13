"""From text to a frozen node: the only place that knows pyparsing."""

from grammars.command import Command
from grammars.errors import CommandSyntaxError, Refused, UnknownCommand
from grammars.gate import as_typed, parse, read
from grammars.reading import Reading

__all__ = ["Command", "CommandSyntaxError", "Reading", "Refused", "UnknownCommand", "as_typed", "parse", "read"]

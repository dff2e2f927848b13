"""Grammars: from text to frozen nodes. Only this package uses pyparsing."""

from grammars.command import Command
from grammars.errors import CommandSyntaxError, Refused
from grammars.gate import as_typed, parse, read
from grammars.reading import Reading, UnknownCommand

__all__ = ["Command", "CommandSyntaxError", "Reading", "Refused", "UnknownCommand", "as_typed", "parse", "read"]

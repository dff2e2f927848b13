"""The command line (docs/reference/cli.md), which assembles the parts of the program."""

from ircdice.cli.main import main

__all__ = ["main"]

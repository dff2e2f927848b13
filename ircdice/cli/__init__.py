"""The command line (docs/reference/cli.md): the one place where the parts are put together."""

from ircdice.cli.main import main

__all__ = ["main"]

"""The command line (cli.md): the one place where the parts are put together."""

import gc

gc.disable()  # what is imported stays: to look through it again and again takes a sixteenth of the time

from ircdice.cli.main import main  # noqa: E402  the collector rests while it is loaded

gc.freeze()
gc.enable()

__all__ = ["main"]

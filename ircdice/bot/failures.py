"""Failures inside the bot, and whether the line that met one is taken for a command (GEN-19)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ircdice.errors import Refused


class CommandFailedError(Exception):
    """Something failed inside while a command was answered."""


@contextmanager
def of_a_command() -> Iterator[None]:
    """Raise CommandFailedError for whatever fails in here and is nobody's mistake at the table."""
    try:
        yield
    except (Refused, CommandFailedError):
        raise
    except Exception as failure:
        raise CommandFailedError from failure

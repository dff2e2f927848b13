"""The commands and their exit codes: 0 done, 1 no, 2 bad input, 3 unknown, 75 try again later, 130 interrupted."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from ircdice import __version__
from ircdice.cli.config import CONFIG_FILE_BEFORE
from ircdice.errors import ConfigError, Refused

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
COMMANDS = {  # where each is
    "demo": "demo",
    "run": "run",
    "eval": "evaluate",
    "odds": "evaluate",
    "verify": "verify",
    "log": "verify",
    "health": "health",
    "web": "web",
    "config": "config_check",
    "ledger": "ledger",
}


class Commands(click.Group):
    """Imports the module of a command when it is needed, so that each starts quickly."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """All of them."""
        return sorted(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if name not in COMMANDS:
            return None
        commands: dict[str, click.Command] = import_module(f"ircdice.cli.{COMMANDS[name]}").COMMANDS
        return commands[name]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ircdice")
@CONFIG_FILE_BEFORE
def cli() -> None:
    """An IRC dice bot whose results can be verified."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run; whatever a user can do wrong is reported in one line, without a traceback. The default is `sys.argv`.

    A command returns its exit code.
    """
    try:
        code = cli(arguments, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.exit(code)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as wrong:
        click.echo(f"ircdice: {wrong.format_message()}", err=True)
        sys.exit(BAD_INPUT)
    except ConfigError as wrong:
        for fault in wrong.faults:
            click.echo(f"ircdice: {fault}", err=True)
        sys.exit(BAD_INPUT)
    except Refused as wrong:
        click.echo(f"ircdice: {wrong}", err=True)
        sys.exit(BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _discard_output()
        sys.exit(DONE)
    except OSError as wrong:
        _discard_output()
        where = f"{wrong.filename}: " if wrong.filename else ""
        click.echo(f"ircdice: {where}{(wrong.strerror or str(wrong)).lower()}", err=True)
        sys.exit(BAD_INPUT)


def _discard_output() -> None:
    """Discard what is still buffered: standard output is closed or full."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

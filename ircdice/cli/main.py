"""The main command and exit codes: 0 done, 1 no, 2 bad input, 3 unknown, 75 try again later, 130 interrupted."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from ircdice import __version__
from ircdice.cli.config import BAD_INPUT, CONFIG_FILE_BEFORE, DONE, INTERRUPTED, config
from ircdice.cli.demo import demo
from ircdice.cli.evaluate import evaluate, odds
from ircdice.cli.ledger import ledger
from ircdice.cli.run import health, run, web
from ircdice.cli.verify import log, verify
from ircdice.errors import ConfigError, Refused, reason


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ircdice")
@CONFIG_FILE_BEFORE
def cli() -> None:
    """An IRC dice bot whose results can be verified."""


@cli.command("help")
@click.pass_context
def show_help(context: click.Context) -> None:
    """What -h shows."""
    click.echo(context.find_root().get_help())


for command in (config, demo, evaluate, health, ledger, log, odds, run, verify, web):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; user errors are reported in one line, without a traceback. The default is `sys.argv`.

    A command returns its exit code.
    """
    code: int | None = BAD_INPUT
    try:
        code = cli(arguments, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as done:
        code = done.exit_code
    except click.ClickException as wrong:
        click.echo(f"ircdice: {wrong.format_message()}", err=True)
    except ConfigError as wrong:
        for fault in wrong.faults:
            click.echo(f"ircdice: {fault}", err=True)
    except Refused as wrong:
        click.echo(f"ircdice: {wrong}", err=True)
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        code = DONE
    except OSError as wrong:
        _discard_output()
        where = f"{wrong.filename}: " if wrong.filename else ""
        click.echo(f"ircdice: {where}{reason(wrong)}", err=True)
    sys.exit(code)


def _discard_output() -> None:
    """Discard buffered output: standard output is closed or full."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

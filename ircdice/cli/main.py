"""The commands and their exit codes: 0 done, 1 no, 2 bad input, 3 unknown, 75 try again later, 130 interrupted.

Each command imports its own modules, so that it starts quickly.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ircdice import __version__
from ircdice.cli.config import CONFIG_FILE, CONFIG_FILE_BEFORE
from ircdice.cli.ledger import ledger
from ircdice.errors import ConfigError, Refused

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ircdice")
@CONFIG_FILE_BEFORE
def cli() -> None:
    """An IRC dice bot whose results can be verified."""


@cli.command()
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    help="Keep config, log and ledger in this folder, and continue what is there.",
)
def demo(keep: Path | None) -> None:
    """Start a server on loopback with the bot, and a prompt: what you type is said in #FU_Dice.

    /as bob TEXT speaks as bob, /as sam* TEXT as a storyteller, /msg NICK TEXT in private; /quit ends.
    """
    from ircdice.cli.demo import demo as play

    sys.exit(play(keep))


@cli.command()
@CONFIG_FILE
@click.option(
    "--accept-loss", is_flag=True, help="Continue with a ledger that has lost records; the next checkpoint says so."
)
def run(config: Path | None, accept_loss: bool) -> None:
    """Run the bot on the networks of its config until it is stopped."""
    from ircdice.cli.run import run as start

    sys.exit(start(config, accept_loss=accept_loss))


@cli.command("eval")
@click.argument("text", required=False)
@click.option("--lines", is_flag=True, help="Read JSON lines from standard input, write JSON lines.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object instead of the reply.")
@click.option("--dice", help="The faces to use, in draw order: 10,3,8.")
@click.option("--as", "who", default="player", show_default=True, help="The nick of the sender.")
def evaluate(text: str | None, lines: bool, as_json: bool, dice: str | None, who: str) -> None:
    """Answer one command as in an official channel."""
    from ircdice.cli import evaluate as engine

    if lines == (text is not None):
        raise click.UsageError("eval needs either a TEXT or --lines.")
    if text is not None:
        sys.exit(engine.evaluate(text, as_json=as_json, dice=dice, who=who))
    sys.exit(engine.evaluate_lines(sys.stdin, sys.stdout))


@cli.command()
@click.argument("text")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object instead of a bar for each value.")
def odds(text: str, as_json: bool) -> None:
    """Show the exact odds of a command."""
    from ircdice.cli import evaluate as engine

    sys.exit(engine.odds(text, as_json=as_json))


@cli.command()
@click.argument("line")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each line.")
@CONFIG_FILE
def verify(line: str, as_json: bool, config: Path | None) -> None:
    """Check whether a posted LINE is genuine: a line as you copied it, an id, or - for a page on standard input.

    The bot may be running or not.
    """
    from ircdice.cli.config import loaded
    from ircdice.cli.verify import verify as verify_lines

    sys.exit(verify_lines(line, loaded(config), as_json=as_json))


@cli.command()
@click.option("--scene", required=True, help="The number or the name of the scene.")
@click.option("--channel", required=True, help="The channel, as NETWORK/#NAME.")
@click.option("--form", type=click.Choice(["text", "md", "bbcode"]), default="text", show_default=True)
@CONFIG_FILE
def log(scene: str, channel: str, form: str, config: Path | None) -> None:
    """Print what was rolled in a scene, in the order of play, ready to paste."""
    from ircdice.cli import scenes
    from ircdice.cli.config import loaded

    sys.exit(scenes.log(scene, channel, form, loaded(config)))


@cli.command()
@CONFIG_FILE
def health(config: Path | None) -> None:
    """Ask the running bot by its [metrics] endpoint whether it can play."""
    from ircdice.cli.health import health as ask

    sys.exit(ask(config))


@cli.command()
@CONFIG_FILE
def web(config: Path | None) -> None:
    """Serve the web page: verify, odds, logs and proofs. It only reads the ledger."""
    from ircdice.cli.web import web as serve

    sys.exit(serve(config))


@cli.group()
def config() -> None:
    """Check a config file, or write one."""


@config.command()
@CONFIG_FILE
@click.option("--connect", is_flag=True, help="Also log in to each network, join nothing, and leave.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(config: Path | None, connect: bool, as_json: bool) -> None:
    """List every error in a config, with file, line, section and key, and show where the bot would connect."""
    from ircdice.cli.config_check import check as check_config

    sys.exit(check_config(config, connect=connect, as_json=as_json))


@config.command()
@click.argument("path", type=click.Path(path_type=Path), default=Path("config.ini"))
def init(path: Path) -> None:
    """Write a commented config that only you can read; never overwrite one. The default PATH is config.ini."""
    from ircdice.cli.config_check import init as write_config

    sys.exit(write_config(path))


cli.add_command(ledger)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run; whatever a user can do wrong is reported in one line, without a traceback. The default is `sys.argv`."""
    try:
        cli(arguments, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
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

"""`ircdice web`: the page of a config's ledger."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import click

from grammars import catalogue
from ircdice import log
from ircdice.cli.config import CONFIG_FILE, path_of
from ircdice.cli.ledgers import ledger_paths
from ircdice.config import load_for_page
from ircdice.errors import Refused


@click.command()
@CONFIG_FILE
def web(config: Path | None) -> int:
    """Serve the web page: verify, odds, logs and proofs. It only reads the ledger."""
    try:
        from ircdice.web.app import serve
    except ImportError:
        raise Refused("the page needs the extra: pip install 'ircdice[web]'.") from None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn ends, and then sends itself the signal again
    settings = load_for_page(path_of(config), catalogue.system_names(), os.environ)
    log.configure(settings.bot.log_level, settings.bot.log_format)
    serve(settings, ledger_paths(settings))
    return 0


COMMANDS = {"web": web}

"""`ircdice web`: the page of a config's ledger."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from grammars import catalogue
from ircdice import log
from ircdice.cli.config import path_of
from ircdice.cli.ledgers import ledger_paths
from ircdice.config import load_for_page
from ircdice.errors import Refused


def web(path: Path | None) -> int:
    """`web -c FILE`: serve until a signal stops the process."""
    try:
        from ircdice.web.app import serve
    except ImportError:
        raise Refused("the page needs the extra: pip install 'ircdice[web]'.") from None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn ends, and then sends itself the signal again
    config = load_for_page(path_of(path), catalogue.system_names(), os.environ)
    log.configure(config.bot.log_level, config.bot.log_format)
    serve(config, ledger_paths(config))
    return 0

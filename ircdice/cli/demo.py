"""`ircdice demo`: the demo with a ledger and the page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import click

from ircdice.bot import Bot
from ircdice.bot.message import ChannelModes
from ircdice.casemapping import DEFAULT, fold
from ircdice.cli.ledgers import ledger_paths, open_for_bot, ready_bot
from ircdice.config import Config
from ircdice.demo import demo as play
from ircdice.errors import ConfigError
from ircdice.table.page import page_path


@click.command()
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    help="Keep config, log and ledger in this folder, and continue what is there.",
)
def demo(keep: Path | None) -> int:
    """Start a server on loopback with the bot, and a prompt: what you type is said in #FU_Dice.

    /as bob TEXT speaks as bob, /as sam* TEXT as a storyteller, /msg NICK TEXT in private; /quit ends.
    """
    return play(_bot, page=_page, keep=keep)


COMMANDS = {"demo": demo}


@asynccontextmanager
async def _bot(config: Config) -> AsyncIterator[Bot]:
    async with open_for_bot(config) as ledger:
        bot = await ready_bot(ledger, config)
        await bot.due(lambda _network, name: ChannelModes(fold(name, DEFAULT), False))  # its page is public
        yield bot


@contextmanager
def _page(config: Config) -> Iterator[str]:
    try:
        from ircdice.web.app import running
    except ImportError:
        yield "the page needs the extra: pip install 'ircdice[web]'"
        return
    with ExitStack() as stack:
        try:
            address = stack.enter_context(running(config, ledger_paths(config)))
            said = f"the page shows it: {address}{page_path(*config.joining()[0])}"
        except ConfigError as error:  # another program took the port
            said = str(error)
        yield said

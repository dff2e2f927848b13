"""`ircdice demo`: a server, the bot and some players in one process, to try the bot without any setup."""

from __future__ import annotations

import asyncio
import atexit
import re
import sys
import termios
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from functools import partial
from io import StringIO, TextIOWrapper
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TextIO

import click

from ircdice import log
from ircdice.bot import Bot
from ircdice.bot.message import ChannelModes
from ircdice.bot.page import page_path
from ircdice.casemapping import DEFAULT, fold
from ircdice.cli.config import DONE, NO, ledger_paths
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.config import Config, load
from ircdice.demo_irc import CHANNEL, Client, DemoServer
from ircdice.errors import ConfigError
from ircdice.wire.network import Networks
from ircdice.wire.protocol import FORBIDDEN, Line, parse, scrub

BOT, PLAYER = "FUDice", "player"
GREETING = (
    f"* {BOT} is in {CHANNEL}; any IRC client may join on 127.0.0.1 port {{port}}",
    "* Try: roll 5d10 h2 dc3",
    "*      roll 4d6k3",
    "*      !help",
    "* /as bob TEXT speaks as bob, /as sam* TEXT as a storyteller, /msg NICK TEXT in private; /quit ends",
)
SILENCE = f"* {BOT} stays silent: that is not a command. !help lists the commands"
USAGE = "* Type /as NICK TEXT, /msg NICK TEXT or /quit; anything else goes to the channel"
TIMEOUT = 30.0  # seconds
_POLL = 0.005
_WRITTEN_BY_DEMO = "; The demo's config."
_CONFIG = f"""\
{_WRITTEN_BY_DEMO} Its server only exists during the demo: change the host before using it with `ircdice run -c`.
[bot]
nick = {BOT}
log_file = ircdice.log

[network demo]
host = 127.0.0.1
port = 6667
tls = no
channels = {CHANNEL}
flood_burst = 1000000

[channel demo/{CHANNEL}]
official = yes
announce = no
ops_are_storytellers = yes
page = public

[web]
listen = 127.0.0.1:8040
base_url = http://127.0.0.1:8040

[limits]
user_burst = 1000000
channel_burst = 1000000
"""
_IRC_PORT = re.compile(r"^(host = 127\.0\.0\.1\nport =) [0-9]+$", re.M)
_WEB_PORTS = re.compile(r"^(listen = 127\.0\.0\.1:)[0-9]+(\nbase_url = http://127\.0\.0\.1:)[0-9]+$", re.M)
_PROMPT = f"<{PLAYER}> "
_TYPED = re.compile(r"(/as (?P<nick>[^ *]+)(?P<storyteller>\*?) +)?(/msg (?P<target>[^ ]+) +)?(?P<text>[^/ ].*)")


Playing = Callable[[Config], AbstractAsyncContextManager[tuple[Bot, str]]]
"""Opens the bot of a config; yields it, and what to say about its page."""


@click.command()
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    help="Keep config, log and ledger in this folder, and continue with those that exist.",
)
def demo(keep: Path | None) -> int:
    """Start a server on loopback with the bot, and a prompt: what you type is sent to #FU_Dice.

    /as bob TEXT speaks as bob, /as sam* TEXT as a storyteller, /msg NICK TEXT in private; /quit ends.
    """
    return play(_bot, keep=keep)


@asynccontextmanager
async def _bot(config: Config) -> AsyncIterator[tuple[Bot, str]]:
    async with open_for_bot(config) as ledger:
        bot = await ready_bot(ledger, config)
        await bot.due(lambda _network, name: ChannelModes(fold(name, DEFAULT), False))  # its page is public
        with _page(config) as page:
            yield bot, page


@contextmanager
def _page(config: Config) -> Iterator[str]:
    try:
        from ircdice.web.app import running
    except ImportError:
        yield "* the web page needs an extra package: pip install 'ircdice[web]'"
        return
    with running(config, ledger_paths(config)) as address:
        yield f"* the page shows it: {address}{page_path(*config.joining()[0])}"


def play(
    playing: Playing, *, keep: Path | None = None, stdin: TextIO | None = None, stdout: TextIO | None = None
) -> int:
    """Play until the input ends or the output is closed; returns the exit code, NO if an answer is missing."""
    source, out = stdin or sys.stdin or StringIO(), stdout or sys.stdout or StringIO()  # closed
    for stream in (source, out):
        if isinstance(stream, TextIOWrapper):  # any bytes as input, any characters as output
            stream.reconfigure(errors="replace")
    console = _Console(source, out)
    with TemporaryDirectory(prefix="ircdice-demo-") as scratch:
        try:
            asyncio.run(_play(keep or Path(scratch), playing, console, kept=keep is not None))
        except TimeoutError:
            console.show("* no answer came in time")
            return NO
        except BrokenPipeError:
            pass  # the reader of the output has left
    return DONE


async def _play(folder: Path, playing: Playing, console: _Console, *, kept: bool) -> None:
    server = DemoServer()
    async with server.serving() as port:
        config = _configured(folder, port, kept=kept)
        async with playing(config) as (bot, page):
            networks = Networks(config, bot, delivered=bot.delivered)
            table = _Table(server, networks, console.show)
            run = asyncio.create_task(networks.run())
            try:
                await table.settled()
                for line in filter(None, (*GREETING, page)):
                    console.show(line.format(port=port))
                async for text in console.lines():
                    if text == "/quit":
                        break
                    await table.act(text)
            finally:
                await networks.leave()
                await run


def _configured(folder: Path, port: int, *, kept: bool) -> Config:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.ini"
    text = path.read_text("utf-8", errors="surrogateescape") if path.exists() else _CONFIG
    text, found = _IRC_PORT.subn(rf"\1 {port}", text)  # of a config that exists, only the ports change
    if not found or not text.startswith(_WRITTEN_BY_DEMO):
        raise ConfigError(f"{path} is not the demo's, and is not overwritten: name another folder.")
    with create_server(("127.0.0.1", 0)) as trial:  # finds a free port for the page
        text = _WEB_PORTS.sub(r"\g<1>{0}\g<2>{0}".format(trial.getsockname()[1]), text)
    path.write_text(text, "utf-8", errors="surrogateescape")
    config = load(path, {})
    # Unless the log is kept, only errors are logged: the screen is for the channel.
    log.configure(config.bot.log_level if kept else "error", file=config.bot.log_file if kept else None)
    return config


class _Console:
    """Shows lines, above the prompt if there is one, and reads lines."""

    def __init__(self, source: TextIO, out: TextIO) -> None:
        self._source, self._out = source, out
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._is_terminal, self._prompting = source.isatty(), False
        if self._is_terminal:
            import readline  # gives input() history and editing

            self._typed = readline.get_line_buffer
            # After Ctrl-C, input() cannot clean up.
            atexit.register(termios.tcsetattr, source, termios.TCSADRAIN, termios.tcgetattr(source))

    def show(self, line: str) -> None:
        """Show a line; OSError if the output is closed or full."""
        self._out.write(f"\r\x1b[K{line}\n{_PROMPT}{self._typed()}" if self._prompting else f"{line}\n")
        self._out.flush()

    async def lines(self) -> AsyncIterator[str]:
        """The lines that are not empty. OSError as in `show`."""
        loop = asyncio.get_running_loop()
        line = "\n"
        while line:
            self._prompting = self._is_terminal
            Thread(target=self._read, args=(loop,), daemon=True).start()  # a daemon: Ctrl-C does not wait for it
            line = await self._lines.get()
            self._prompting = False
            if text := line.strip():
                if not self._is_terminal:
                    self.show(f"{_PROMPT}{text}")
                yield text
        if self._is_terminal:
            self.show("")

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        line = ""
        with suppress(EOFError, OSError):  # such as a terminal that was closed
            line = f"{input(_PROMPT)}\n" if self._is_terminal else self._source.readline()
        loop.call_soon_threadsafe(self._lines.put_nowait, line)


class _Table:
    """The players, who join when they first speak, and what they see."""

    def __init__(self, server: DemoServer, networks: Networks, show: Callable[[str], None]) -> None:
        self._server, self._networks, self._show = server, networks, show
        self._answers = 0  # lines from the bot
        self._players: dict[str, Client] = {}
        self._player(PLAYER)

    async def settled(self) -> None:
        """Wait until the bot has joined and dealt with everything, and its answers are shown. TimeoutError."""
        async with asyncio.timeout(TIMEOUT):
            while not ((bot := self._server.clients.get(fold(BOT))) and bot.joined):
                await asyncio.sleep(_POLL)
            await self._server.ping(bot)
            while self._networks.busy:
                await asyncio.sleep(_POLL)
            await self._server.ping(bot)

    async def act(self, typed: str) -> None:
        """Carry out a typed line, and show all answers to it. TimeoutError."""
        found = _TYPED.fullmatch(typed)
        if found is None:
            self._show(USAGE)
            return
        target, player = found["target"] or CHANNEL, self._player(found["nick"] or PLAYER)
        if not player.joined:
            return
        if found["storyteller"]:
            self._server.promote(player)
        before = self._answers
        self._server.receive(player, Line("PRIVMSG", (target, FORBIDDEN.sub(" ", found["text"]))))
        await self.settled()
        if self._answers == before and target in (BOT, CHANNEL):
            self._show(SILENCE)

    def _player(self, nick: str) -> Client:
        """The player of that nick, who joins unless the server refuses the nick."""
        player = self._players.setdefault(nick, Client(partial(self._see, nick)))
        if not player.joined:
            for line in Line("NICK", (nick,)), Line("JOIN", (CHANNEL,)):
                self._server.receive(player, line)
        return player

    def _see(self, nick: str, text: str) -> None:
        """Show a line as the client of that player does."""
        line = parse(text)
        if line and (shown := _shown(line, nick)):
            self._answers += line.nick == BOT
            with suppress(OSError):  # must not end the server; the next typed line fails too
                self._show(scrub(shown))


def _shown(line: Line, nick: str) -> str:
    """What the client of that player shows of a line, if anything; only the first player's shows the channel."""
    text, first, private = line.param(1), nick == PLAYER, not line.param(0).startswith("#")
    match line.command:
        case "401" | "432" | "433":
            return f"* {text}: {line.param(2)}"
        case "PRIVMSG" if first and text.startswith("\x01ACTION "):
            return f"* {line.nick} {text[8:]}"
        case "PRIVMSG" | "NOTICE" if first or private:
            left, right = "--" if line.command == "NOTICE" else "**" if private else "<>"
            return f"{left}{line.nick}{right}{'' if first else f' (to {nick})'} {text}"
        case "JOIN" | "QUIT" | "PART" if first and line.nick not in (PLAYER, BOT):
            return f"* {line.nick} {'joins' if line.command == 'JOIN' else 'leaves'}"
    return ""

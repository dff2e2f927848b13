"""`ircdice demo`: a server, the bot and some players in one process, to try the bot without any setup."""

from __future__ import annotations

import asyncio
import re
import sys
import termios
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from typing import TextIO

import click

from ircdice import log
from ircdice.bot import Bot
from ircdice.bot.message import ChannelModes, Message, Reply
from ircdice.bot.page import page_path
from ircdice.casemapping import DEFAULT, fold
from ircdice.cli.config import DONE, INTERRUPTED, NO, ledger_paths
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.config import Config, load
from ircdice.demo_irc import BOT, CHANNEL, MARK, DemoServer, Player
from ircdice.errors import ConfigError, Refused
from ircdice.wire.incoming import CommandHandler
from ircdice.wire.network import Networks

PLAYER = "player"
GREETING = (
    f"* {BOT} is in {CHANNEL}; any IRC client may join on 127.0.0.1 port {{port}}",
    "* Try: roll 5d10 h2 dc3",
    "*      roll 4d6k3",
    "*      !help",
    "* /as bob TEXT speaks as bob, /as sam* TEXT as a storyteller, /msg NICK TEXT in private; /quit ends",
)
SILENCE = f"* {BOT} stays silent: that is not a command. !help lists the commands"
UNKNOWN = "* Commands: /as NICK TEXT, /msg NICK TEXT, /quit; anything else goes to the channel"
MISSING = "* TEXT is missing: /as NICK TEXT, /msg NICK TEXT"
_WRITTEN_BY_DEMO = "; The demo's config."
_CONFIG = f"""\
{_WRITTEN_BY_DEMO} Its server only exists during the demo: change the host before using it with `ircdice run -c`.
[bot]
nick = {BOT}
{{log}}
[network demo]
host = 127.0.0.1
port = {{port}}
tls = no
channels = {CHANNEL}
flood_burst = 1000000
flood_interval = 0.001

[channel demo/{CHANNEL}]
official = yes
announce = no
ops_are_storytellers = yes
page = public

[web]
listen = 127.0.0.1:{{web}}
base_url = http://127.0.0.1:{{web}}

[limits]
user_burst = 1000000
user_interval = 0.001
channel_burst = 1000000
channel_interval = 0.001
"""
_IRC_PORT = re.compile(r"^(host = 127\.0\.0\.1\nport =) [0-9]+$", re.M)
_WEB_PORTS = re.compile(r"^(listen = 127\.0\.0\.1:)[0-9]+(\nbase_url = http://127\.0\.0\.1:)[0-9]+$", re.M)
_PROMPT = f"<{PLAYER}> "
_AS = re.compile(r"/as (?P<nick>[^ *]+)(?P<storyteller>\*?) +(?P<text>.+)")
_MSG = re.compile(r"/msg (?P<target>[^ ]+) +(?P<text>.+)")
_WITHOUT_TEXT = re.compile(r"/(as|msg)( +[^ ]*)? *")


Playing = Callable[[Config], AbstractAsyncContextManager[Bot]]
Page = Callable[[Config], AbstractContextManager[str]]  # its address, or a sentence saying why there is none


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
    return play(_bot, page=_page, keep=keep)


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
        yield "the web page needs an extra package: pip install 'ircdice[web]'"
        return
    with running(config, ledger_paths(config)) as address:
        yield f"the page shows it: {address}{page_path(*config.joining()[0])}"


def play(
    playing: Playing,
    *,
    page: Page | None = None,
    keep: Path | None = None,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
) -> int:
    """Play until the input ends; returns the exit code, NO if an answer is missing.

    BrokenPipeError if the reader of the output has closed it.
    """
    source, screen = _lenient(stdin or sys.stdin, "surrogateescape"), _Screen(_lenient(stdout or sys.stdout, "replace"))
    lines = _typed(screen) if source.isatty() else _piped(source, screen)
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(TemporaryDirectory(prefix="ircdice-demo-")))
        if source.isatty():  # after Ctrl-C the prompt cannot clean up
            stack.callback(termios.tcsetattr, source, termios.TCSADRAIN, termios.tcgetattr(source))
        try:
            asyncio.run(_play(folder, playing, page, lines, screen, kept=keep is not None))
        except OSError:  # or TimeoutError, its subclass
            screen.show("* no answer came in time")
            return NO
        except KeyboardInterrupt:
            return INTERRUPTED
    if screen.closed:
        raise BrokenPipeError
    return DONE


async def _play(
    folder: Path, playing: Playing, page: Page | None, lines: Iterator[str], screen: _Screen, *, kept: bool
) -> None:
    async with _played(folder, playing, screen.show, kept=kept) as table:
        for line in GREETING:
            screen.show(line.format(port=table.config.networks[0].port))
        with page(table.config) if page else nullcontext() as said:
            if said:
                screen.show(f"* {said}")
            while (text := await _next(lines)) is not None and text != "/quit" and not screen.closed:
                await table.act(text)


async def _next(lines: Iterator[str]) -> str | None:
    """The next line, read by a daemon thread; None after the last. OSError if the terminal is closed."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str | None] = loop.create_future()

    def read() -> None:
        try:
            text = next(lines, None)
        except Exception as error:  # such as a terminal that was closed
            loop.call_soon_threadsafe(line.set_exception, error)
        else:
            loop.call_soon_threadsafe(line.set_result, text)

    threading.Thread(target=read, daemon=True).start()
    return await line


class _Screen:
    """Shows lines, above the prompt if there is one."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._lock = out, threading.Lock()
        self.closed = False  # the reader has closed the output
        self.typed: Callable[[], str] | None = None  # the text typed at the prompt so far

    def show(self, line: str) -> None:
        with self._lock:
            again = f"{_PROMPT}{self.typed()}" if self.typed else ""
            try:
                self._out.write(f"\r\x1b[K{line}\n{again}" if self.typed else f"{line}\n")
                self._out.flush()
            except BrokenPipeError:
                self.closed = True


def _piped(source: TextIO, screen: _Screen) -> Iterator[str]:
    for line in source:
        text = line.rstrip("\r\n")
        if text.strip():
            screen.show(f"{_PROMPT}{text}")
            yield text


def _typed(screen: _Screen) -> Iterator[str]:
    readline = import_module("readline")  # gives input() history and line editing
    while True:
        screen.typed = readline.get_line_buffer
        try:
            line = input(_PROMPT).strip()
        except EOFError:
            screen.typed = None
            screen.show("")
            return
        finally:
            screen.typed = None
        if line:
            yield line


def _lenient(stream: TextIO, errors: str) -> TextIO:
    """Accept any bytes as input and any characters as output, whatever the terminal's encoding."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=errors)
    return stream


@asynccontextmanager
async def _played(folder: Path, playing: Playing, show: Callable[[str], None], *, kept: bool) -> AsyncIterator[_Table]:
    server = DemoServer()
    async with server.serving():
        table = _Table(server, _configured(folder, server.port, kept=kept), show)
        player = await table.player(PLAYER)
        async with playing(table.config) as bot:
            networks = Networks(table.config, _Marking(bot), delivered=bot.delivered)
            run = asyncio.create_task(networks.run())
            await player.sees(BOT)
            try:
                yield table
            finally:
                await networks.leave()
                await run
        table.leave()


def _configured(folder: Path, port: int, *, kept: bool) -> Config:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.ini"
    with socket() as trial:  # finds a free port for the page
        trial.bind(("127.0.0.1", 0))
        web = trial.getsockname()[1]
    if path.exists():  # only its ports change
        text, found = _IRC_PORT.subn(rf"\1 {port}", path.read_text("utf-8", errors="surrogateescape"))
        if not found or not text.startswith(_WRITTEN_BY_DEMO):
            raise ConfigError(f"{path} is not the demo's, and is not overwritten: name another folder.")
        text = _WEB_PORTS.sub(rf"\g<1>{web}\g<2>{web}", text)
    else:
        text = _CONFIG.format(port=port, web=web, log="log_file = ircdice.log\n" if kept else "")
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    config = load(path, {})
    # Without a log file, only errors are logged: the screen is for the channel.
    log.configure(config.bot.log_level if kept else "error", file=config.bot.log_file)
    return config


class _Marking:
    """The bot, but it echoes the players' marks after answering everything before them."""

    def __init__(self, bot: CommandHandler) -> None:
        self._bot = bot
        self.due = bot.due
        self._turn = asyncio.Lock()  # one line at a time, over all places

    def commands_in(self, message: Message) -> int:
        """As in the bot; marks count as commands."""
        return self._is_mark(message) or self._bot.commands_in(message)

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """As in the bot; marks are echoed."""
        async with self._turn:
            if self._is_mark(message):
                return (Reply(message.network, message.nick, message.text),)
            return await self._bot.hear(message)

    def _is_mark(self, message: Message) -> bool:
        return message.channel is None and message.text.startswith(MARK)


class _Table:
    """The players, who join when they first speak."""

    def __init__(self, server: DemoServer, config: Config, show: Callable[[str], None]) -> None:
        self._server, self.config, self._show = server, config, show
        self._players: dict[str, Player] = {}

    async def player(self, nick: str) -> Player:
        if nick not in self._players:
            player = Player(nick, self._show, first=not self._players)
            await player.enter(self._server.port)
            self._players[nick] = player
        return self._players[nick]

    async def act(self, line: str) -> None:
        """Carry out a typed line, and show all answers to it."""
        nick, text, storyteller = PLAYER, line, False
        if found := _AS.fullmatch(line):
            nick, text, storyteller = found["nick"], found["text"], bool(found["storyteller"])
        private = _MSG.fullmatch(text)
        if text.startswith("/") and not private:
            self._show(MISSING if _WITHOUT_TEXT.fullmatch(text) else UNKNOWN)
            return
        try:
            player = await self.player(nick)
        except Refused as refused:
            self._show(f"* {refused}")
            return
        if storyteller:
            self._server.promote(nick)
        before = self._answers
        await player.say(private["text"] if private else text, private["target"] if private else None)
        await asyncio.gather(*(each.catch_up() for each in self._players.values()))
        if self._answers == before and not (private and private["target"] != BOT):
            self._show(SILENCE)

    def leave(self) -> None:
        for player in self._players.values():
            player.leave()

    @property
    def _answers(self) -> int:
        return sum(player.answers for player in self._players.values())

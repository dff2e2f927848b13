"""Demo: a server, the bot and a client in one process, to try the bot with nothing set up. Puts parts together."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack, contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from typing import TextIO

from grammars import catalogue
from ircdice import log
from ircdice.bot.message import FindModes, Message, Reply
from ircdice.config import Config, load
from ircdice.demo_player import MARK, MARKED, NoAnswerError, Player
from ircdice.demo_server import DemoServer
from ircdice.wire.command_queue import Hearer
from ircdice.wire.network import Networks

CHANNEL, BOT, PLAYER = "#FU_Dice", "FUDice", "player"
_CONFIG = f"""\
; The demo's config. Its server is gone when the demo ends: name another host before `ircdice run -c` is used on it.
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
_LEAVING = 15.0


class _Marking:
    """The bot, made to give the player's marks back once all that was heard before them is answered."""

    def __init__(self, bot: Hearer) -> None:
        self._bot = bot
        self._turn = asyncio.Lock()  # first come, first served: places do not overtake one another here
        self._head = MARK.partition("{")[0]

    def wants(self, message: Message) -> int:
        """As the bot, and marks."""
        return self._is_mark(message) or self._bot.wants(message)

    async def hear(self, message: Message) -> tuple[Reply, ...]:
        """As the bot, but for marks."""
        async with self._turn:
            if self._is_mark(message):
                mark = message.text.removeprefix(self._head).rstrip("?")
                return (Reply(message.network, message.nick, MARKED.format(mark)),)
            return await self._bot.hear(message)

    async def due(self, modes: FindModes) -> tuple[Reply, ...]:
        """As the bot."""
        return await self._bot.due(modes)

    def _is_mark(self, message: Message) -> bool:
        return message.channel is None and message.text.startswith(self._head)


class _Screen:
    """Shows lines, above the prompt where there is one."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._lock = out, threading.Lock()
        self.typed: Callable[[], str] | None = None  # what stands at the prompt, while somebody types

    def show(self, line: str) -> None:
        with self._lock:
            again = f"{_PROMPT}{self.typed()}" if self.typed else ""
            self._out.write(f"\r\x1b[K{line}\n{again}" if self.typed else f"{line}\n")
            self._out.flush()


_PROMPT = f"<{PLAYER}> "


def demo(
    playing: Callable[[Config], AbstractAsyncContextManager[Hearer]],
    *,
    page: Callable[[Config], AbstractContextManager[str]] | None = None,
    keep: Path | None = None,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
) -> int:
    """Play until the input ends; 0, or 1 where an answer failed to come, or 130 when interrupted.

    `page` starts the page of a config and gives its address, or a sentence why there is none.
    """
    source, screen = _lenient(stdin or sys.stdin, "surrogateescape"), _Screen(_lenient(stdout or sys.stdout, "replace"))
    with ExitStack() as stack:
        server = stack.enter_context(_serving())
        folder = keep or Path(stack.enter_context(TemporaryDirectory(prefix="ircdice-demo-")))
        config = _configured(folder, server.port, kept=keep is not None)
        player = Player(server.port, PLAYER, CHANNEL, BOT, screen.show)
        try:
            player.enter()
            stack.enter_context(_playing(config, playing))
            player.meet()
            screen.show(f"* {BOT} is in {CHANNEL}; any IRC client may join on 127.0.0.1 port {server.port}")
            if page is not None:
                screen.show(f"* {stack.enter_context(page(config))}")
            _converse(player, source, screen)
            player.leave()
        except (NoAnswerError, OSError):
            screen.show("* no answer came in time")
            return 1
        except KeyboardInterrupt:
            return 130
    return 0


def _converse(player: Player, source: TextIO, screen: _Screen) -> None:
    """Say line after line."""
    for line in _typed(screen) if source.isatty() else _piped(source, screen):
        command, _, rest = line.partition(" ")
        if command == "/quit":
            return
        if command == "/msg" and " " in rest:
            target, _, text = rest.partition(" ")
            player.say(text, target)
        elif line.startswith("/"):
            screen.show("* there are /msg NICK TEXT and /quit; all else is said in the channel")
        elif line:
            player.say(line)


def _piped(source: TextIO, screen: _Screen) -> Iterator[str]:
    for line in source:
        text = line.rstrip("\r\n")
        if text.strip():
            screen.show(f"{_PROMPT}{text}")
            yield text


def _typed(screen: _Screen) -> Iterator[str]:
    readline = import_module("readline")  # its import gives input() a history and a line to edit
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
        yield line


@contextmanager
def _serving() -> Iterator[DemoServer]:
    server = DemoServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def _playing(config: Config, playing: Callable[[Config], AbstractAsyncContextManager[Hearer]]) -> Iterator[None]:
    """The bot on its network, in a thread with a loop of its own: the prompt blocks the first one."""
    started: Future[tuple[asyncio.AbstractEventLoop, Networks]] = Future()

    async def play() -> None:
        async with playing(config) as bot:
            fleet = Networks(config, _Marking(bot), delivered=getattr(bot, "delivered", lambda _reply: None))
            started.set_result((asyncio.get_running_loop(), fleet))
            await fleet.run()

    def run() -> None:
        try:
            asyncio.run(play())
        except BaseException as error:
            if not started.done():
                started.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    loop, fleet = started.result(timeout=_LEAVING)
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(fleet.leave(), loop).result(_LEAVING)
        thread.join(_LEAVING)


def _configured(folder: Path, port: int, *, kept: bool) -> Config:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.ini"
    text = _CONFIG.format(port=port, web=_free_port(), log="log_file = ircdice.log\n" if kept else "")
    path.write_text(text, encoding="utf-8")
    config = load(path, catalogue.system_names(), {})
    # Without a file to keep, only what is broken is told: the screen belongs to the channel.
    log.configure(config.bot.log_level if kept else "error", file=config.bot.log_file)
    return config


def _free_port() -> int:
    """A port of loopback for the page: the usual one, or any other if that is taken."""
    for port in (8040, 0):
        with socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return int(trial.getsockname()[1])
    return 8040


def _lenient(stream: TextIO, errors: str) -> TextIO:
    """Any bytes may be typed, and any characters shown, whatever the terminal's encoding."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=errors)
    return stream

"""The demo's player: an IRC client with a socket of its own. Knows the channel from outside, as anyone does."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from time import monotonic

from ircdice.wire.line import Frames, Line, parse
from ircdice.wire.wording import scrub

PATIENCE = 30.0
MARK, MARKED = "demo heard all before {}?", "demo heard all before {}."


class NoAnswerError(Exception):
    """The other side did not answer in time."""


class Player:
    """Says lines and hands what comes back to `show`, from a thread that reads."""

    def __init__(self, port: int, nick: str, channel: str, bot: str, show: Callable[[str], None]) -> None:
        self.nick, self._channel, self._bot, self._show = nick, channel, bot, show
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._news = threading.Condition()
        self._marks = self._marked = 0
        self._here: set[str] = set()
        self._gone = False
        threading.Thread(target=self._read, daemon=True).start()

    def enter(self) -> None:
        """Register and join."""
        self._send(f"NICK {self.nick}", f"USER {self.nick} 0 * :{self.nick}", f"JOIN {self._channel}")
        self._await(lambda: self.nick in self._here)

    def meet(self) -> None:
        """Wait until the bot has come."""
        self._await(lambda: self._bot in self._here)

    def say(self, text: str, target: str | None = None) -> None:
        """Say a line, in the channel if nowhere else, and wait until all that it brings has been shown.

        A line may be met with silence, so a mark is sent to the bot behind it: it takes lines in order, and when
        the mark comes back all before it has been answered, or will not be.
        """
        self._marks += 1
        self._send(f"PRIVMSG {target or self._channel} :{text}")
        self._send(f"PRIVMSG {self._bot} :{MARK.format(self._marks)}")
        self._await(lambda: self._marked == self._marks)

    def leave(self) -> None:
        """Go."""
        self._gone = True
        self._send("QUIT :bye")
        self._socket.close()

    def _send(self, *lines: str) -> None:
        for line in lines:
            plain = line.translate({10: " ", 13: " "})
            self._socket.sendall(plain.encode(errors="surrogateescape") + b"\r\n")

    def _await(self, come: Callable[[], bool]) -> None:
        end = monotonic() + PATIENCE
        with self._news:
            while not come():
                if self._gone or not self._news.wait(end - monotonic()):
                    raise NoAnswerError

    def _read(self) -> None:
        frames = Frames()
        while data := self._received():
            frames.feed(data)
            for text in frames:
                line = parse(text)
                if line is not None:
                    self._take(line)
        with self._news:
            self._gone = True
            self._news.notify_all()

    def _received(self) -> bytes:
        try:
            return self._socket.recv(4096)
        except OSError:
            return b""

    def _take(self, line: Line) -> None:
        if shown := self._shown(line):
            self._show(scrub(shown))
        with self._news:
            if line.command == "JOIN":
                self._here.add(line.nick)
            elif self._is_mark(line):
                self._marked = self._marks
            self._news.notify_all()
        if line.command == "PING":
            self._send(f"PONG :{line.param(-1)}")

    def _is_mark(self, line: Line) -> bool:
        return line.nick == self._bot and line.param(1) == MARKED.format(self._marks)

    def _shown(self, line: Line) -> str | None:
        """How a client shows a line; None for what it would not show."""
        if line.nick == self.nick or self._is_mark(line):
            return None
        text = line.param(1)
        match line.command:
            case "PRIVMSG" if text.startswith("\x01ACTION "):
                return f"* {line.nick} {text[8:]}"
            case "PRIVMSG" if line.param(0) == self._channel:
                return f"<{line.nick}> {text}"
            case "PRIVMSG":
                return f"*{line.nick}* {text}"
            case "NOTICE":
                return f"-{line.nick}- {text}"
            case "JOIN" | "QUIT" | "PART" if line.nick != self._bot:
                return f"* {line.nick} {'came' if line.command == 'JOIN' else 'went'}"
        return None

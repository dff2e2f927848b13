"""The demo: `ircdice demo` as a player meets it, cli.md."""

from __future__ import annotations

import asyncio
import io
import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from grammars import catalogue
from ircdice.bot.message import Message, Reply
from ircdice.config import Config, load
from ircdice.demo import demo
from ircdice.demo_player import PATIENCE
from ircdice.demo_server import DemoServer

from .bots import Echo
from .client import Person


def played(text: str, keep: Path | None = None, bot: Echo | None = None) -> list[str]:
    """What the demo shows for what was typed."""
    out = io.StringIO()

    @asynccontextmanager
    async def playing(config: Config) -> AsyncIterator[Echo]:
        assert config.channel("demo", "#FU_Dice").official
        yield bot or Echo()

    assert demo(playing, keep=keep, stdin=io.StringIO(text), stdout=out) == 0
    return out.getvalue().splitlines()


def test_transcript() -> None:
    """Each line is said, and all it brings is shown before the next one; silence is not waited out."""
    began = time.monotonic()
    head, *lines = played("say one\njust talk\n\npsst aside\nsay two\n/msg FUDice say three\n/nonsense\n")
    assert re.fullmatch(r"\* FUDice is in #FU_Dice; any IRC client may join on 127\.0\.0\.1 port [0-9]+", head)
    assert lines == [
        "<player> say one",
        "<FUDice> player: one",
        "<player> just talk",
        "<player> psst aside",
        "-FUDice- aside",
        "<player> say two",
        "<FUDice> player: two",
        "<player> /msg FUDice say three",
        "*FUDice* player: three",
        "<player> /nonsense",
        "* there are /msg NICK TEXT and /quit; all else is said in the channel",
    ]
    assert time.monotonic() - began < PATIENCE / 2


def test_slow_answers_are_waited_for() -> None:
    """The sign that a line was silent cannot overtake an answer that takes its time."""

    class Slow(Echo):
        async def hear(self, message: Message) -> tuple[Reply, ...]:
            await asyncio.sleep(0.2)
            return await super().hear(message)

    assert played("say one\nsay two\n", bot=Slow())[1:] == [
        "<player> say one",
        "<FUDice> player: one",
        "<player> say two",
        "<FUDice> player: two",
    ]


def test_hundred_lines_at_once_are_answered() -> None:
    """Flood limits are off in the demo."""
    lines = played("".join(f"say {number}\n" for number in range(100)))
    assert [line for line in lines if line.startswith("<FUDice>")] == [f"<FUDice> player: {n}" for n in range(100)]


def test_a_defect_ends_no_demo() -> None:
    """What raises in the bot is met with silence here, and the next line is answered."""
    assert played("crash\nsay on\n")[-1] == "<FUDice> player: on"


@pytest.mark.parametrize("text", ["say " + "x" * 10_000, "say a\x00b", "say a\rb", "say \udcff\udce2", "say \x1b[2J"])
def test_bad_input(text: str) -> None:
    """IRC-10, IRC-21: whatever is typed, the demo goes on, and the screen gets no control characters."""
    lines = played(f"{text}\nsay on\n")
    assert lines[-1] == "<FUDice> player: on"
    assert not any(re.search("[\x00-\x1f]", line) for line in lines if line.startswith("<FUDice>"))


def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without --keep no file stays, here or in the folder for temporary files."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)
    played("say one\n")
    assert list(tmp_path.iterdir()) == []


def test_keep(tmp_path: Path) -> None:
    """With --keep DIR the folder holds a config that `run -c` takes, and the log."""
    played("say one\n", keep=tmp_path / "kept")
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"config.ini", "ircdice.log"}
    config = load(tmp_path / "kept" / "config.ini", catalogue.system_names(), {})
    assert [join.name for join in config.networks[0].channels] == ["#FU_Dice"]
    assert "joined" in (tmp_path / "kept" / "ircdice.log").read_text()


@pytest.fixture
def demo_server() -> Iterator[DemoServer]:
    """The server alone."""
    server = DemoServer()
    server.start()
    yield server
    server.stop()


async def test_any_client_may_join(demo_server: DemoServer) -> None:
    """A second client sees and is seen; PING gets its token back; QUIT closes."""
    async with Person("alice") as alice, Person("bob") as bob:
        await alice.connect(demo_server.port, "#FU_Dice")
        await bob.connect(demo_server.port, "#FU_Dice")
        bob.say("#FU_Dice", "hello")
        await alice.sees(":bob!\\S+ PRIVMSG #FU_Dice :hello$")
        alice.send("PING :token 1")
        await alice.sees("PONG .*:token 1$")
        bob.send("QUIT :bye")
        await alice.sees(":bob!\\S+ QUIT :bye")


async def test_bad_bytes_end_no_client(demo_server: DemoServer) -> None:
    """IRC-10: what the package's server breaks down on is borne."""
    async with Person("alice") as alice:
        await alice.connect(demo_server.port, "#FU_Dice")
        alice.send(b"PRIVMSG #FU_Dice :caf\xe9", b"", b"\x00", b"MODE", b"PRIVMSG", b"PART #nowhere", b"TOPIC", b"JOIN")
        alice.send(b"DUMP", b"KICK a", b"USER", b"WHO #FU_Dice", b"CAP LS 302", b"PING :still here")
        await alice.sees("PONG .*still here$")


def test_an_idle_server_takes_no_time(demo_server: DemoServer) -> None:
    """The package's server keeps a core busy for each client; this one waits. Only its own threads are measured."""
    others = {threading.main_thread().ident, threading.get_ident()}

    def taken() -> float:
        idents = {thread.ident for thread in threading.enumerate()} - others
        return sum(time.clock_gettime(time.pthread_getcpuclockid(ident)) for ident in idents if ident)

    with socket.create_connection(("127.0.0.1", demo_server.port)) as client:
        client.sendall(b"PING :served\r\n")
        assert b"served" in client.recv(100)
        before = taken()
        time.sleep(0.5)
        assert 0 < before <= taken() < before + 0.05

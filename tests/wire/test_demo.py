"""The demo: `ircdice demo` as a player meets it, cli.md."""

from __future__ import annotations

import io
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ircdice.bot.message import Message, Reply
from ircdice.cli.demo import CHANNEL, GREETING, SILENCE, USAGE, play
from ircdice.config import Config, load
from ircdice.demo_irc import DemoServer
from ircdice.errors import ConfigError

from .bots import Rolls, settled
from .client import Person


def played(text: str, keep: Path | None = None, bot: Rolls | None = None) -> list[str]:
    """What the demo shows for what was typed, after its greeting."""
    out = io.StringIO()

    @asynccontextmanager
    async def playing(config: Config) -> AsyncIterator[tuple[Rolls, str]]:
        assert config.channel("demo", CHANNEL).official
        yield bot or Rolls(), ""

    assert play(playing, keep=keep, stdin=io.StringIO(text), stdout=out) == 0
    head, *lines = out.getvalue().splitlines()
    assert re.fullmatch(r"\* FUDice is in #FU_Dice; any IRC client may join on 127\.0\.0\.1 port [0-9]+", head)
    assert lines[: len(GREETING) - 1] == list(GREETING[1:])
    return lines[len(GREETING) - 1 :]


def test_transcript() -> None:
    """Each line is said, and everything it causes is shown before the next one; a silent bot is not waited for."""
    assert played("say one\njust talk\n\npsst aside\nsay two\n/msg FUDice say three\n/nonsense\n") == [
        "<player> say one",
        "<FUDice> player: one; id 1-abc",
        "<player> just talk",
        SILENCE,
        "<player> psst aside",
        "-FUDice- aside; id 2-abc",
        "<player> say two",
        "<FUDice> player: two; id 3-abc",
        "<player> /msg FUDice say three",
        "*FUDice* player: three; id 4-abc",
        "<player> /nonsense",
        USAGE,
    ]


@pytest.mark.parametrize("typed", ["/as bob", "/as", "/msg bob", "/as bob /msg sam"])
def test_a_text_that_is_missing(typed: str) -> None:
    """cli.md: the demo says what to type, and no one joins."""
    assert played(f"{typed}\n") == [f"<player> {typed}", USAGE]


def test_an_input_that_cannot_be_read_ends_the_demo(tmp_path: Path) -> None:
    """A terminal that is closed gives an error to its reader, as does this file, which is open for writing alone."""

    @asynccontextmanager
    async def playing(_config: Config) -> AsyncIterator[tuple[Rolls, str]]:
        yield Rolls(), ""

    with (tmp_path / "input").open("w") as unreadable:
        assert play(playing, stdin=unreadable, stdout=io.StringIO()) == 0


def test_others_speak() -> None:
    """`/as` speaks as another user in the channel or in private, and with a star as a storyteller."""
    bot = Rolls()
    lines = played("/as bob say one\n/as sam* /msg FUDice psst two\n/as sam* say three\n/as 1x hi\n", bot=bot)
    assert lines == [
        "<player> /as bob say one",
        "* bob joins",
        "<bob> say one",
        "<FUDice> bob: one; id 1-abc",
        "<player> /as sam* /msg FUDice psst two",
        "* sam joins",
        "*FUDice* (to sam) two; id 2-abc",
        "<player> /as sam* say three",
        "<sam> say three",
        "<FUDice> sam: three; id 3-abc",
        "<player> /as 1x hi",
        "* 1x: Erroneous nickname",
    ]
    assert [(heard.nick, heard.storyteller) for heard in bot.heard if heard.channel] == [("bob", False), ("sam", True)]


def test_players_speak_to_each_other() -> None:
    """A private line is shown with its reader, and the server says when there is none. No control characters."""
    assert played("/msg nobody hi\n/as bob /msg PLAYER psst\n/msg bob \x1bhush\n/msg #fu_dice say hi\n") == [
        "<player> /msg nobody hi",
        "* nobody: No such nick or channel",
        "<player> /as bob /msg PLAYER psst",
        "* bob joins",
        "*bob* psst",
        "<player> /msg bob \x1bhush",
        "*player* (to bob) hush",
        "<player> /msg #fu_dice say hi",
        "<FUDice> player: hi; id 1-abc",
    ]


@pytest.mark.parametrize("word", ["help", "hello"])
def test_a_newcomer_is_not_left_in_silence(word: str) -> None:
    """What is talk in a channel is answered by the demo itself, which names `!help`."""
    assert played(f"{word}\n") == [f"<player> {word}", SILENCE]
    assert "!help" in SILENCE


def test_slow_answers_are_waited_for() -> None:
    """The next line is not said before an answer that takes its time."""

    class Slow(Rolls):
        async def hear(self, message: Message) -> tuple[Reply, ...]:
            await settled(lambda: 0)
            return await super().hear(message)

    assert played("say one\nsay two\n", bot=Slow()) == [
        "<player> say one",
        "<FUDice> player: one; id 1-abc",
        "<player> say two",
        "<FUDice> player: two; id 2-abc",
    ]


def test_the_channel_is_not_hidden() -> None:
    """WEB-10: its modes are known, so that a storyteller is told the address of its page."""
    seen: list[bool | None] = []

    class Asked(Rolls):
        async def hear(self, message: Message) -> tuple[Reply, ...]:
            about = message.about(CHANNEL)
            seen.append(about.hidden if about else None)
            return await super().hear(message)

    played("/as sam* /msg FUDice say where is the page\n", bot=Asked())
    assert seen == [False]


def test_hundred_lines_at_once_are_answered() -> None:
    """Flood limits are off in the demo."""
    lines = played("".join(f"say {number}\n" for number in range(100)))
    assert [line for line in lines if line.startswith("<FUDice>")] == [
        f"<FUDice> player: {n}; id {n + 1}-abc" for n in range(100)
    ]


def test_a_defect_ends_no_demo() -> None:
    """After a fault in the bot the next line is answered."""
    assert played("crash\nsay on\n")[-1] == "<FUDice> player: on; id 2-abc"


@pytest.mark.parametrize("text", ["say " + "x" * 10_000, "say a\x00b", "say a\rb", "say \udcff\udce2", "say \x1b[2J"])
def test_bad_input(text: str) -> None:
    """IRC-10, IRC-21: whatever is typed, the demo goes on, and the screen gets no control characters."""
    lines = played(f"{text}\nsay on\n")
    assert lines[-1] == "<FUDice> player: on; id 2-abc"
    assert not any(re.search("[\x00-\x1f]", line) for line in lines if line.startswith("<FUDice>"))


def test_nothing_is_left_behind(environment: dict[str, str], tmp_path: Path) -> None:
    """Without --keep no file stays, here or in the folder for temporary files."""
    done = subprocess.run(
        [sys.executable, "-m", "ircdice", "demo"],
        input="roll 4d6k3\n",
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=environment | {"TMPDIR": str(tmp_path)},
        timeout=120,
        check=True,
    )
    assert ("<FUDice> player: " in done.stdout, done.stderr) == (True, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lines", [1, len(GREETING) + 2])
def test_a_reader_that_leaves(environment: dict[str, str], lines: int) -> None:
    """`printf 'roll 4d6k3\\n' | ircdice demo | head -1` ends without a traceback, as after the first prompt."""
    line = f"printf 'roll 4d6k3\\n%.0s' 1 2 3 | {sys.executable} -m ircdice demo | head -{lines}"
    done = subprocess.run(line, shell=True, capture_output=True, encoding="utf-8", env=environment, timeout=120)
    assert (len(done.stdout.splitlines()), done.stderr) == (lines, "")


def test_closed_standard_streams(environment: dict[str, str]) -> None:
    """The demo ends with 0 where input and output are closed, as under some supervisors."""
    line = f"{sys.executable} -m ircdice demo <&- >&-"
    done = subprocess.run(line, shell=True, stderr=subprocess.PIPE, env=environment, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_client_that_stays(environment: dict[str, str]) -> None:
    """The demo ends while an IRC client is connected."""
    command = [sys.executable, "-m", "ircdice", "demo"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, encoding="utf-8", env=environment, **pipes) as demo:
        assert demo.stdout is not None
        port = int(demo.stdout.readline().split()[-1])
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(f"NICK alice\r\nUSER alice 0 * :\r\nJOIN {CHANNEL}\r\n".encode())
            assert "* alice joins\n" in demo.stdout
            shown, _ = demo.communicate("roll 4d6\n", timeout=120)
        assert shown.startswith("<player> roll 4d6\n<FUDice> player: ")
    assert demo.returncode == 0


def test_keep(tmp_path: Path) -> None:
    """With --keep DIR the folder holds a config that `run -c` takes, and the log."""
    played("say one\n", keep=tmp_path / "kept")
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"config.ini", "ircdice.log"}
    config = load(tmp_path / "kept" / "config.ini", {})
    assert [join.name for join in config.networks[0].channels] == ["#FU_Dice"]
    log = (tmp_path / "kept" / "ircdice.log").read_text()
    assert "joined" in log
    assert "not sent" not in log  # `run -c` would post the roll once more


def test_keep_leaves_own_changes(tmp_path: Path) -> None:
    """cli.md: a demo that continues changes nothing in its config but the ports."""
    file = tmp_path / "config.ini"
    played("say one\n", keep=tmp_path)
    before = load(file, {})
    own = (
        file.read_text().replace("nick = FUDice", "nick = FUDice\nrealname = mine") + "[metrics]\nlisten = [::1]:9402\n"
    )
    file.write_text(own)
    played("say two\n", keep=tmp_path)
    after = load(file, {})
    assert (after.bot.realname, str(after.metrics.listen)) == ("mine", "[::1]:9402")
    assert after.networks[0].port != before.networks[0].port
    assert after.web.base_url == f"http://{after.web.listen}" != before.web.base_url
    without_ports = [re.sub("[0-9]+$", "", text, flags=re.M) for text in (own, file.read_text())]
    assert without_ports[0] == without_ports[1]


@pytest.mark.parametrize("change", [lambda _text: "[bot]\n", lambda text: text.replace("127.0.0.1\n", "irc.x\n", 1)])
def test_another_config_is_kept(tmp_path: Path, change: Callable[[str], str]) -> None:
    """--keep takes no config but one that a demo wrote."""
    config = tmp_path / "config.ini"
    played("say one\n", keep=tmp_path)
    played("say one\n", keep=tmp_path)
    own = change(config.read_text())
    config.write_text(own)
    with pytest.raises(ConfigError, match=r"config\.ini is not the demo's"):
        played("say one\n", keep=tmp_path)
    assert config.read_text() == own


async def test_any_client_may_join() -> None:
    """A second client sees and is seen; PING gets its token back; QUIT closes; a nick is used once, +o sent once."""
    server = DemoServer()
    async with server.serving() as port, Person("alice") as alice, Person("bob") as bob:
        await alice.connect(port, CHANNEL)
        await bob.connect(port, CHANNEL)
        bob.say(CHANNEL, "hello")
        await alice.sees(":bob!\\S+ PRIVMSG #FU_Dice :hello$")
        alice.send("PING :token 1", "NICK bob")
        await alice.sees("PONG .*:token 1$")
        await alice.sees(" 433 ")
        alice.send("NICK ally")
        await bob.sees(":alice!\\S+ NICK :?ally$")
        for _ in range(2):
            server.promote(server.clients["bob"])
        bob.send("QUIT :bye")
        await alice.sees(":bob!\\S+ QUIT ")
        assert [line for line in alice.seen if " MODE " in line] == [":demo.server MODE #FU_Dice +o bob"]


async def test_bad_bytes_end_no_client() -> None:
    """IRC-10: whatever a client sends, the server goes on."""
    server = DemoServer()
    async with server.serving() as port, Person("alice") as alice:
        await alice.connect(port, CHANNEL)
        alice.send(b"PRIVMSG #FU_Dice :caf\xe9", b"", b"\x00", b"MODE", b"PRIVMSG", b"PART #nowhere", b"TOPIC", b"JOIN")
        alice.send(
            b"NICK", b"KICK a", b"USER", b"WHO #FU_Dice", b"CAP LS 302", b"PRIVMSG nobody :x", b"PING :still here"
        )
        await alice.sees("PONG .*still here$")

"""What Prometheus and a health check see of a running bot (IRC-26)."""

from __future__ import annotations

import asyncio
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ircdice.config import Listen
from ircdice.errors import ConfigError
from ircdice.metrics import Metrics, served
from tests.wire.client import Person
from tests.wire.servers import Server, free_port

from .bots import BotProcess


def fetched(path: str, port: int) -> tuple[int, str]:
    """Status and body of a page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def samples(text: str) -> Mapping[str, float]:
    """Every figure by its name, those of a network alone or of none."""
    families = text_string_to_metric_families(text)
    return {sample.name: sample.value for family in families for sample in family.samples if "le" not in sample.labels}


async def test_irc_26_a_running_bot_serves_its_figures(ngircd_unlimited: Server, tmp_path: Path) -> None:
    """IRC-26: networks, commands, answers, queues, the ledger's latency and failures, and the games."""
    port = free_port()
    more = f"[metrics]\nlisten = 127.0.0.1:{port}\n"
    with BotProcess(tmp_path / "bot", ngircd_unlimited.port, ("#figures",), "Figures", more=more) as bot:
        bot.start()
        async with await Person("ann").connect(ngircd_unlimited.port, "#figures") as ann:
            await ann.sees(":Figures!.* JOIN ")
            ann.say("#figures", "roll 5d10 h2", "roll with it", "what a day")
            await ann.sees("ann: ")
            async with asyncio.timeout(60):
                while not (figures := samples((await asyncio.to_thread(fetched, "/metrics", port))[1])).get(
                    "ircdice_replies_delivered_total"
                ):
                    await asyncio.sleep(0.05)
            health = await asyncio.to_thread(fetched, "/healthz", port)
            asked = await asyncio.to_thread(bot.command, "health")
            assert bot.stop() == 0
            assert bot.command("health") == (1, f"ircdice: nothing answers at 127.0.0.1:{port}\n")
    assert health == (200, "ledger: ok\nnetwork net: connected\n")
    assert asked == (0, health[1])
    assert {name: figures[f"ircdice_{name}"] for name in EXPECTED} == EXPECTED
    assert figures["ircdice_ledger_append_seconds_count"] >= 1
    assert figures["ircdice_commands_total"] >= 1
    assert figures["process_resident_memory_bytes"] > 0


EXPECTED = {
    "connected": 1,
    "channels": 1,
    "answers_total": 1,
    "commands_waiting": 0,
    "lines_waiting": 0,
    "ledger_failures_total": 0,
    "games_loaded": 6,
    "replies_delivered_total": 1,
}


def test_irc_26_nothing_listens_unless_the_config_says_so(tmp_path: Path) -> None:
    """IRC-26: off by default; where the port is taken the bot does not start and names the key."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        more = f"[metrics]\nlisten = 127.0.0.1:{taken.getsockname()[1]}\n"
        code, text = BotProcess(tmp_path / "bot", free_port(), ("#x",), more=more).refused()
    assert code != 0
    assert re.search(r"\[metrics\] listen: 127\.0\.0\.1:[0-9]+: address already in use", text)
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("listen", "why"),
    [
        (Listen("no-such-host.invalid", 9), "name or service not known|name resolution"),  # a negative number
        (Listen(socket=Path(f"/tmp/{'x' * 200}")), "path too long"),  # has no number
        (Listen(socket=Path("/no/such/folder")), "no such file or directory"),
    ],
)
async def test_irc_26_why_it_cannot_listen(listen: Listen, why: str) -> None:
    """IRC-26: what cannot be listened at is refused with the reason."""
    with pytest.raises(ConfigError, match=f"({why})$"):
        async with served(Metrics(), listen):
            pass


async def test_irc_26_a_unix_socket_and_requests_of_any_kind(tmp_path: Path) -> None:
    """IRC-26: a socket that an earlier run left is replaced; what is no request costs nothing."""
    path = tmp_path / "metrics.sock"

    async def asked(request: bytes) -> bytes:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(request)
        writer.write_eof()
        answer = await reader.read()
        writer.close()
        return answer

    for _ in range(2):
        async with served(Metrics(), Listen(socket=path)):
            assert (await asked(b"GET /metrics HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 200 OK\r\n")
            assert b"ircdice_games_loaded 0.0" in await asked(b"GET /metrics HTTP/1.1\r\n\r\n")
            assert b" 404 " in await asked(b"GET / HTTP/1.1\r\n\r\n")
            assert b" 503 " in await asked(b"GET /healthz HTTP/1.1\r\n\r\n")
            assert b" 404 " in await asked(b"\xff\r\n\r\n")
            assert await asked(b"GET") == b""
            assert await asked(b"x" * 20_000) == b""


@pytest.mark.parametrize(
    ("links", "away", "healthy"),
    [
        ({}, False, False),
        ({"a": True, "b": False}, False, True),
        ({"a": False}, False, False),
        ({"a": True}, True, False),
    ],
)
def test_irc_26_health(links: dict[str, bool], away: bool, healthy: bool) -> None:
    """IRC-26: a network is connected, and the ledger is in reach; the body says which is not."""
    metrics = Metrics()
    metrics.ledger_away = lambda: away
    for name, up in links.items():
        figures = dict.fromkeys(("channels", "lines_waiting", "commands_waiting"), lambda: 0)
        metrics.follow(name, connected=lambda up=up: up, **figures)
    told = metrics.health()
    assert told[0] is healthy
    assert ("out of reach" in told[1]) is away
    if "b" in links:
        metrics.forget("b")
        assert "network b" in told[1]
        assert "network b" not in metrics.health()[1]


def test_irc_26_failures_are_counted() -> None:
    """IRC-26: an append that failed counts as one, with its time."""
    metrics = Metrics()
    began = time.monotonic()
    metrics.appended(time.monotonic() - began, True)
    metrics.appended(0.5, False)
    read = metrics.registry.get_sample_value
    assert (read("ircdice_ledger_append_seconds_count"), read("ircdice_ledger_failures_total")) == (2, 1)

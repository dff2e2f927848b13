"""`ircdice web` and the page of `ircdice demo` as processes (web.md, cli.md)."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.wire.servers import free_port

from .played import CONFIG, copied, played_briefly


@contextmanager
def started(*arguments, **more):
    process = subprocess.Popen([sys.executable, "-m", "ircdice", *arguments], text=True, **more)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def answered(address):
    """The first answer of a page that starts, and may ask for patience on a busy machine."""
    end = time.monotonic() + 120
    while True:
        with suppress(httpx.TransportError):
            if (answer := httpx.get(address, timeout=120)).status_code != 503:
                return answer
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def config(tmp_path):
    """A config with a ledger, and a free port for its page."""
    path = tmp_path / "config.ini"
    port = free_port()
    path.write_text(f"{CONFIG}listen = 127.0.0.1:{port}\n")
    path.chmod(0o600)
    played_briefly(path)
    return path, port


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_the_page_stops_quietly_while_somebody_watches(config, number, code):
    """cli.md: SIGTERM and SIGINT end it, the streams of events end with it, and the log has no errors."""
    path, port = config
    base = f"http://127.0.0.1:{port}"
    with started("web", "-c", path, stderr=subprocess.PIPE) as process:
        assert answered(f"{base}/c/home/dice").status_code == 200
        with httpx.stream("GET", f"{base}/c/home/dice/events", timeout=120) as stream:
            lines = stream.iter_lines()
            next(lines)
            process.send_signal(number)
            assert set(lines) <= {"", ": still here"}
        assert process.wait(120) == code
        assert "Traceback" not in process.stderr.read()


def test_the_page_gives_way_and_its_workers_end_when_it_is_killed(config):
    """WEB-12, WEB-13: by SIGKILL, when it can do nothing about them."""
    path, port = config
    with started("web", "-c", path, stderr=subprocess.DEVNULL) as process:
        assert answered(f"http://127.0.0.1:{port}/odds?q=3d6").status_code == 200
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(children) > 1
        # WEB-13: the page has less of a busy machine than a bot that was started alike.
        assert os.getpriority(os.PRIO_PROCESS, process.pid) > os.getpriority(os.PRIO_PROCESS, 0)
    end = time.monotonic() + 120
    while any(runs(child) for child in children):
        assert time.monotonic() < end
        time.sleep(0.05)


def runs(process: str) -> bool:
    """Whether a process runs: one that has ended may wait for a parent to ask."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_port_that_is_taken_is_one_line(config):
    """cli.md: exit code 2, and no traceback."""
    path, port = config
    with socket.create_server(("127.0.0.1", port)), started("web", "-c", path, stderr=subprocess.PIPE) as process:
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert f"ircdice: [web] listen: 127.0.0.1:{port}: the page cannot listen there" in errors
    assert "Traceback" not in errors


def test_the_demo_has_a_page():
    """web.md: `make demo` starts the page and prints its address; a roll is on it as soon as it is posted."""
    with started("demo", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        lines = iter(process.stdout.readline, "")
        address = next(found[1] for line in lines if (found := re.search("the page shows it: (http://.*)$", line)))
        process.stdin.write("roll 3d6 # on the page\n")
        process.stdin.flush()
        roll = next(found[1] for line in lines if (found := re.search("^<FUDice> player: .*; id (.*)$", line)))
        page = httpx.get(address, timeout=120)
        assert page.status_code == 200
        assert roll in page.text
        process.communicate("/quit\n", timeout=120)
    assert process.returncode == 0


NOBODY = 65534


def test_another_user_serves_the_page_with_the_bot_stopped(played):
    """web.md: who can read neither keys nor seeds nor secrets, and write nothing, shows every page."""
    with TemporaryDirectory(prefix="ircdice-page-") as scratch:  # pytest's own folders are closed to others
        folder = Path(scratch)
        folder.chmod(0o755)
        own = copied(played, folder / "own")
        data = own.config.parent
        port = free_port()
        own.config.write_text(f"{CONFIG}listen = 127.0.0.1:{port}\n")
        for file in (own.config, *data.glob("ledger.db*")):
            file.chmod(0o644)
        for secret in ("signing.key", "tag.keys", "seeds", "checkpoints"):
            (data / secret).chmod(0)  # as root it is another user who reads, else nobody may
        data.chmod(0o555)
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        with started("web", "-c", own.config, stderr=subprocess.DEVNULL, **user):
            base = f"http://127.0.0.1:{port}"
            answered(f"{base}/healthz")
            for path in ("/", "/c/home/dice", "/c/home/dice/table", "/fair", f"/r/{own.ids['keep']}/proof.json"):
                assert httpx.get(base + path, timeout=120).status_code == 200, path
            assert (
                httpx.get(f"{base}/verify.json", params={"line": own.ids["keep"]}, timeout=120).json()[0]["verdict"]
                == "genuine"
            )
        data.chmod(0o755)

"""The page behind a proxy and without one: headers, methods, bounds, limits, and a database that is away (WEB-11)."""

import asyncio
import re
import socket
import time
from dataclasses import replace

import httpx
import pytest

from ircdice.cli.config import ledger_paths, loaded
from ircdice.cli.run import open_for_bot
from ircdice.config import load_for_page
from ircdice.ledger.record import Draft, Terms
from ircdice.ledger.service import browse
from ircdice.web.live import Live
from tests.leaping import leap, until

from .played import CONFIG, TOKEN, Reader, apart, serving

ADDRESSES = (
    "/",
    "/verify",
    "/odds?q=3d6",
    "/c/home/dice",
    "/c/home/dice/stats",
    "/fair",
    "/help/v5",
    "/nope",
    "/r/hello",
)


@pytest.mark.parametrize("address", [*ADDRESSES, "/static/page.css", "/openapi.json", "/healthz"])
def test_every_answer_has_the_headers(reader, address):
    """WEB-11: no inline script, nothing from elsewhere, no frame, no referrer, no cookie."""
    answer = reader.get(address)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in answer.headers
    assert "server" not in answer.headers


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_is_loaded_from_elsewhere(reader, address):
    """WEB-11: every address on a page is its own; no script and no style is inline."""
    page = reader.get(address).text
    loaded = re.findall(r'(?:src|href|action)="([^"]*)"', page)
    assert all(each.startswith(("/", "#", "?")) and not each.startswith("//") for each in loaded)
    assert not re.search(r"<script(?! src=)|<style| style=| on[a-z]+=\"", page)


def test_what_people_typed_is_escaped(reader, played):
    """WEB-11: in HTML, in attributes, in JSON and in events."""
    for path in ("/c/home/dice", f"/r/{played.ids['hostile']}", "/c/home/dice.json"):
        text = reader.get(path).text
        assert "alert(1)" in text
        assert "<script>alert" not in text
    hostile = '"><script>alert(2)</script>'
    for path in ("/odds", "/verify", "/c/home/dice"):
        for name in ("q", "line", "nick", "game", "show", "day"):
            assert "<script>alert(2)" not in reader.get(path, params={name: hostile}).text
    assert "<script>alert(2)" not in reader.get("/help/%3Cscript%3Ealert(2)%3C%2Fscript%3E").text


def test_names_are_escaped_whatever_is_in_the_ledger(own):
    """WEB-11: nicks, characters, scenes and lines that no bot would have recorded."""
    hostile = "<b onload=x>\"'"

    async def recorded():
        async with open_for_bot(loaded(own.config)) as ledger:
            terms = {"terms": Terms(official=True), "scene": "1", "character": hostile, "game": hostile}
            line = f"{hostile}: 3; {hostile}"
            draft = Draft(
                "roll", "home", "#dice", hostile, hostile, f"roll 2d6 # {hostile}", ((6, 1), (6, 2)), line, **terms
            )
            await ledger.append(replace(draft, key=f"#dice character {hostile}"))
            return (await ledger.append(draft)).id

    roll = apart(recorded())
    with serving(own.config) as base, Reader(base) as reader:
        for path in ("", "/stats", "/table", "/scene/1", "/scene/1?form=bbcode", "/scene/1?step=99"):
            for form in ("text/html", "application/json"):
                answer = reader.get(f"/c/home/dice{path}", headers={"Accept": form})
                assert answer.status_code == 200
                assert "<b onload" not in answer.text, path
        page = reader.get(f"/r/{roll}").text
        assert "&lt;b onload" in page
        assert "<b onload" not in page


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_verify_takes_more_than_reading(reader, method):
    """WEB-11: GET, HEAD and one POST."""
    for path in ("/", "/odds", "/c/home/dice", f"/l/{TOKEN}/"):
        assert reader.request(method, path).status_code == 405
    assert reader.head("/verify").status_code == 200


def test_a_posted_text_is_bounded(reader):
    """WEB-11: 64 KiB, whatever length is claimed."""
    assert reader.post("/verify", data={"line": "x" * 70_000}).status_code == 413
    assert reader.post("/verify", content=(b"line=" + b"x" * 1_000 for _ in range(100))).status_code == 413


def test_links_are_made_from_base_url_alone(own):
    """WEB-11: never from Host."""
    own.config.write_text(f"{CONFIG}base_url = https://dice.example.org/\n")
    with serving(own.config) as base, Reader(base) as reader:
        page = reader.get("/odds?q=3d6", headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"}).text
        assert 'property="og:url" content="https://dice.example.org/odds?q=3d6"' in page
        assert "evil.example" not in page
        for path in ("/c/home/dice/", "/verify/", "/help/v5/", "/static"):
            answer = reader.get(path, headers={"Host": "evil.example"})
            assert answer.status_code == 404
            assert "location" not in answer.headers


def test_ids_are_limited_for_each_address(base, played):
    """LED-23: 20 a minute for one address, and nobody else is shut out; an IPv6 address counts as its /64."""
    with httpx.Client(base_url=base, timeout=120) as client:
        for nth in range(20):
            of_the_same = {"X-Forwarded-For": f"2001:db8::{nth + 1:x}"}
            assert client.get(f"/r/{played.ids['keep']}.json", headers=of_the_same).status_code == 200
        answer = client.get(f"/r/{played.ids['keep']}.json", headers={"X-Forwarded-For": "2001:db8::ffff"})
        assert answer.status_code == 429
        assert "Ask again in" in answer.json()["error"]
        other = client.get(f"/r/{played.ids['keep']}.json", headers={"X-Forwarded-For": "2001:db8:0:1::1"})
        assert other.status_code == 200


def test_guessing_stops_for_those_who_guess(base, played):
    """LED-23: after 200 wrong ids those who asked about them wait; the others are still answered."""
    with serving(played.config) as own, httpx.Client(base_url=own, timeout=120) as client:
        for nth in range(12):
            wrong = (
                " ".join(f"7z{each}-00000{each}" for each in range(1, 9))
                + " "
                + " ".join(f"8z{each}-00000{each}" for each in range(1, 10))
            )
            client.get("/verify.json", params={"line": wrong}, headers={"X-Forwarded-For": f"203.0.113.{nth}"})
        ask = f"/r/{played.ids['keep']}.json"
        assert client.get(ask, headers={"X-Forwarded-For": "203.0.113.3"}).status_code == 429
        assert client.get(ask, headers={"X-Forwarded-For": "203.0.113.99"}).status_code == 200


def test_requests_are_limited_for_each_address(played):
    """WEB-12: a reader may turn pages, and not for ever."""
    with serving(played.config) as own, Reader(own) as reader:
        codes = []
        while not codes or (codes[-1] == 200 and len(codes) < 3_000):  # a slow machine takes more than a minute
            codes.append(reader.get("/odds").status_code)
        assert (codes.count(200) >= 300, codes[-1]) == (True, 429)
        with Reader(own) as other:
            assert other.get("/odds").status_code == 200


def test_an_address_has_five_streams(base):
    """WEB-12: the sixth is refused, and one that is closed makes room."""
    with Reader(base) as reader:
        request = reader.build_request("GET", "/c/home/dice/events", headers=reader.headers)
        streams = [reader.send(request, stream=True) for _ in range(5)]
        assert [stream.status_code for stream in streams] == [200] * 5
        assert reader.get("/c/home/dice/events").status_code == 429
        for stream in streams:
            stream.close()


def test_an_address_has_five_streams_at_once(base):
    """WEB-12: however many are asked for in the same moment."""
    host, port = base.removeprefix("http://").split(":")

    async def first_line(reader, writer):
        writer.write(b"GET /c/home/dice/events HTTP/1.1\r\nHost: x\r\n\r\n")
        return (await reader.readline()).split()[1]

    async def opened():
        connections = [await asyncio.open_connection(host, int(port)) for _ in range(40)]
        codes = await asyncio.gather(*(first_line(*each) for each in connections))
        for _, writer in connections:
            writer.close()
        return codes

    codes = asyncio.run(opened())
    assert (codes.count(b"200"), codes.count(b"429")) == (5, 35)


async def test_a_hundred_watchers_cost_one_query_a_second(played):
    """WEB-12: whatever they watch; the first second has one more, for the number of the last record."""
    ledger = browse(ledger_paths(load_for_page(played.config, {})))
    asked, read = [], ledger.read

    async def counted(question):
        asked.append(question)
        return await read(question)

    ledger.read = counted
    live = Live(ledger)

    async def watch():
        async for _ in live.news():
            pass

    watchers = [asyncio.create_task(watch()) for _ in range(100)]
    for second in range(1, 5):
        await until(lambda second=second: len(asked) > second)
        leap(0.6)
        await asyncio.sleep(0.1)
        assert len(asked) == second + 1
        leap(0.5)
    for watcher in watchers:
        watcher.cancel()
    await ledger.close()


async def test_no_query_follows_the_end_of_the_news(played):
    """cli.md: a page that stops while it reads asks its ledger, which is closed next, nothing more."""
    ledger = browse(ledger_paths(load_for_page(played.config, {})))
    asked, read, reading = [], ledger.read, asyncio.Event()

    async def slow(question):
        asked.append(question)
        reading.set()
        answer = await read(question)
        await asyncio.sleep(0)
        return answer

    ledger.read = slow
    live = Live(ledger)
    news = live.news()
    first = asyncio.ensure_future(anext(news))
    await reading.wait()
    live.close()
    assert (await first).records == ()
    await ledger.close()
    await asyncio.sleep(0.1)
    assert len(asked) == 1


@pytest.mark.parametrize(
    "text", ["9999999d9999999", "100d100!", "(" * 200, "1+" * 190 + "1", "d10000 " * 40, "40d10k1!r1"]
)
def test_odds_bombs_are_refused_or_answered(reader, text):
    """WEB-12: within the budget, and the page goes on."""
    assert reader.get("/odds.json", params={"q": text}).status_code in (200, 400)
    assert reader.get("/odds.json", params={"q": "3d6"}).status_code == 200


def test_connections_that_do_not_ask_in_time_are_closed(base):
    """WEB-12: slow clients time out, in their first request and in any later one."""
    host, port = base.removeprefix("http://").split(":")
    slow = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
    with socket.create_connection((host, int(port))) as first, socket.create_connection((host, int(port))) as later:
        later.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert later.recv(4_000).startswith(b"HTTP/1.1 200")
        for connection in (first, later):
            connection.sendall(slow)
            connection.settimeout(120)
        assert first.recv(1) == b""
        while later.recv(1_000):  # the rest of the first answer, and then the end; else this times out
            pass


@pytest.mark.parametrize(
    "path",
    [
        "/static/../access.py",
        "/static/%2e%2e/access.py",
        "/static/..%2faccess.py",
        "/static/%2fetc/passwd",
        "/static//etc/passwd",
        "/help/..%2f..%2fstatic%2fpage.css",
        "/help/%2e%2e",
        "/c/home/..%2f..%2fl",
        "/c/home/%00",
        "/r/..%2f..%2fverify",
        "/l//",
        "/l/%2e%2e/",
        "/l/%00/",
        "http://evil.example/verify/",
        "/" + "a" * 8_000,
    ],
)
def test_tricks_with_paths_lead_nowhere(base, path):
    """WEB-11: as they are sent, with no client in between that would mend them."""
    host, port = base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.settimeout(120)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.split()[1] in (b"400", b"404")
    assert b"evil.example" not in answer
    assert b"root:" not in answer
    assert b"location:" not in answer.lower()


def test_a_database_that_is_away_is_a_calm_page(own):
    """WEB-11: 503, that asks again by itself, and the page is back with the database."""
    own.config.write_text(own.config.read_text().replace("ledger_wait = 60", "ledger_wait = 0"))
    folder = own.config.parent
    database, away = folder / "ledger.db", folder / "away.db"
    with serving(own.config) as base, Reader(base) as reader:
        database.rename(away)
        answer = reader.get("/c/home/dice")
        assert answer.status_code == 503
        assert "Ask again" in answer.text
        assert answer.headers["retry-after"] == "10"
        assert reader.get("/healthz").status_code == 503
        assert reader.get("/odds?q=3d6").status_code == 200
        away.rename(database)
        end = time.monotonic() + 120
        while (answer := reader.get("/c/home/dice")).status_code == 503:  # where an answer takes more than a second
            assert time.monotonic() < end
        assert answer.status_code == 200


def test_it_starts_without_the_files_of_secrets(own, tmp_path):
    """WEB-11: another user, who can read neither keys nor seeds nor passwords, and write nothing."""
    text = own.config.read_text().replace(
        "channels =", "password_file = no/such/file\nsasl = plain\nsasl_password_file = secrets/none\nchannels ="
    )
    own.config.write_text(text)
    for secret in ("signing.key", "tag.keys", "checkpoints"):
        (own.config.parent / secret).rename(tmp_path / secret)
    for number in (own.config.parent / "seeds").iterdir():
        number.unlink()
    with serving(own.config) as base, Reader(base) as reader:
        assert reader.get(f"/r/{own.ids['keep']}.json").json()["verdict"] == "genuine"
        assert reader.get("/c/home/dice").status_code == 200


def test_the_connection_cannot_write(played):
    """WEB-11: whatever a page might ask."""
    from sqlalchemy import text
    from sqlalchemy.exc import OperationalError

    from ircdice.ledger.engine import engines

    made = engines(played.config.parent / "ledger.db", read_only=True)
    for statement in ("DELETE FROM records", "CREATE TABLE x (y)", "PRAGMA user_version = 7"):
        with made.read.connect() as connection, pytest.raises(OperationalError):
            connection.execute(text(statement))

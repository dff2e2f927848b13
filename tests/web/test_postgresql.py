"""The page on PostgreSQL, as a role that may only select (WEB-11)."""

import psycopg
import pytest
from ledger import postgres

from .played import CONFIG, TOKEN, Reader, evening, serving

PATHS = (
    *("/", "/verify?line={v5}", "/r/{answered}", "/r/{answered}/proof.json", "/c/home/dice", "/c/home/dice.json"),
    *("/c/home/dice?nick=Carol", "/c/home/dice/stats.json", "/c/home/dice/epoch/1.json", "/fair.json", "/healthz"),
    f"/l/{TOKEN}/",
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The evening on a server: a reader of its pages, the ids, and the address of the database."""
    if missing := postgres.missing():
        pytest.fail(f"needs the Debian package {missing[0]}: apt-get install -y {missing[0]}")
    server = postgres.Postgres.launch()
    try:
        url = server.database()
        played = evening(tmp_path_factory.mktemp("postgresql"), CONFIG.replace("[bot]", f"[bot]\nledger = {url}"))
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute("CREATE ROLE page LOGIN")
            connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO page")
        reading = url.replace(f"//{url.partition('//')[2].partition('@')[0]}@", "//page@")
        played.config.write_text(CONFIG.replace("[bot]", f"[bot]\nledger = {reading}"))
        with serving(played.config) as base, Reader(base) as reader:
            yield reader, played, reading
    finally:
        server.remove()


@pytest.mark.parametrize("path", PATHS)
def test_a_role_that_may_only_select_is_enough(pages, path):
    """WEB-11: every page that reads the ledger."""
    reader, played, _ = pages
    answer = reader.get(path.format(**played.ids))
    assert answer.status_code == 200, answer.text


def test_new_rolls_appear_there_too(pages):
    """WEB-04: the events of the channel, as one query a second."""
    reader, _, _ = pages
    with reader.stream("GET", "/c/home/dice/events") as stream:
        assert next(stream.iter_lines()) == ": what is new, as it comes"


@pytest.mark.parametrize(
    "path", ["/c/home/dice?nick=%00", "/c/home/dice?q=%00&month=2026-11", "/c/home/%00", "/r/%00", "/l/%00/"]
)
def test_a_character_that_postgresql_cannot_hold_is_bad_input(pages, path):
    """WEB-11: no fault of the database."""
    reader, _, _ = pages
    assert reader.get(path).status_code in (400, 404)


def test_the_role_cannot_write(pages):
    """WEB-11: whatever a page might ask."""
    _, _, url = pages
    with (
        psycopg.connect(url.replace("+psycopg", "")) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("DELETE FROM records")

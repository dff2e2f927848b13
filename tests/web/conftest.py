"""The page over one evening's ledger, a reader of it, and a browser."""

import pytest
from playwright.sync_api import expect, sync_playwright

from .played import Reader, copied, evening, serving

expect.set_options(timeout=60_000)  # ms, on a machine that has other things to do


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    return evening(tmp_path_factory.mktemp("page"))


@pytest.fixture
def own(played, tmp_path):
    """The evening in a folder of the test's own."""
    return copied(played, tmp_path / "own")


@pytest.fixture(scope="session")
def base(played):
    with serving(played.config) as address:
        yield address


@pytest.fixture
def reader(base):
    with Reader(base) as client:
        yield client


@pytest.fixture(scope="module")
def chromium():
    """Closed with its module: Playwright runs a loop in this thread, and other tests need one of their own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"], timeout=120_000
        )
        yield browser
        browser.close()

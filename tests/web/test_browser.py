"""The page in a real browser: axe, keyboard, without script, live, narrow and wide (WEB-13, WEB-14)."""

from itertools import cycle, pairwise

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import expect

from ircdice.bot import Message, There
from ircdice.bot.page import PUBLIC, switching
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot

from .played import apart, serving, watched

ADDRESSES = cycle(range(1, 255))
AXE = Axe()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # what may differ from scheme to scheme
PATHS = {
    "home": "/",
    "verify": "/verify?line={v5}%20{keep}",
    "roll": "/r/{answered}",
    "unknown": "/r/7zz-000000",
    "odds": "/odds?q=5d10+h2+dc3",
    "compared": "/odds?q=4d6k3&q=3d6&q=1d20&show=least",
    "fault": "/odds?q=roll+5d10+h9",
    "log": "/c/home/dice",
    "stats": "/c/home/dice/stats",
    "table": "/c/home/dice/table",
    "scenes": "/c/home/dice/scene",
    "scene": "/c/home/dice/scene/1",
    "step": "/c/home/dice/scene/1?step=5",
    "pasted": "/c/home/dice/scene/1?form=md",
    "fair": "/fair",
    "epoch": "/c/home/dice/epoch/1",
    "help": "/help",
    "game": "/help/v5",
}


@pytest.fixture
def open_page(chromium, base, played):
    """A page in a browser of that width, as somebody with an address of their own."""
    contexts = []

    def opened(name, width=1024, **more):
        context = chromium.new_context(viewport={"width": width, "height": 800}, **more)
        contexts.append(context)
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
        goto(page, name)
        return page

    def goto(page, name):
        for _ in range(10):  # on a busy machine the page may ask for patience
            page.faults.clear()
            page.context.set_extra_http_headers({"X-Forwarded-For": f"192.0.2.{next(ADDRESSES)}"})
            answer = page.goto(base + PATHS.get(name, name).format(**played.ids), wait_until="domcontentloaded")
            if answer.status != 503:
                break

    opened.goto = goto
    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PATHS)
def test_every_page_is_accessible(open_page, name):
    """WEB-13: axe finds no violation of WCAG 2.2 AA, in the dark and in the light, on a phone."""
    page = open_page(name)
    for scheme, width, rules in (("light", 360, TAGS), ("dark", 1024, COLOURS)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        found = AXE.run(page, options={"runOnly": rules, "resultTypes": ["violations"]})["violations"]
        assert [(each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found] == []
        assert not [fault for fault in page.faults if "status of 4" not in fault]


@pytest.mark.parametrize("name", ["roll", "scene", "stats"])
def test_pages_print_on_white(open_page, name):
    """WEB-06, WEB-13: readable on paper, also for those who read in the dark."""
    page = open_page(name)
    page.emulate_media(media="print", color_scheme="dark")
    found = AXE.run(page, options={"runOnly": ["color-contrast"], "resultTypes": ["violations"]})["violations"]
    assert [node["html"][:200] for each in found for node in each["nodes"][:3]] == []


def test_a_page_without_its_database_comes_back_by_itself(chromium, own):
    """WEB-13: a calm page that axe takes, with a link to ask again; it is replaced once the ledger answers."""
    own.config.write_text(own.config.read_text().replace("ledger_wait = 60", "ledger_wait = 0"))
    database = own.config.parent / "ledger.db"
    with serving(own.config) as base:
        database.rename(f"{database}.away")
        page = chromium.new_page()
        page.goto(f"{base}/c/home/dice")
        expect(page.locator("[data-retry]")).to_contain_text("Nothing is lost")
        expect(page.get_by_role("link", name="Ask again")).to_be_visible()
        assert AXE.run(page, options={"runOnly": TAGS, "resultTypes": ["violations"]})["violations"] == []
        database.with_name("ledger.db.away").rename(database)
        expect(page.locator("h1")).to_contain_text("#dice")
        page.close()


def test_no_page_is_wider_than_its_window(open_page):
    """WEB-13: from a phone to 4K; what is wide scrolls by itself."""
    page = open_page("home")
    for name in PATHS:
        open_page.goto(page, name)
        for width in (360, 1024, 3840):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_every_page_works_without_script(open_page):
    """WEB-13: the same words, and nothing that only script could do is offered."""
    page = open_page("home", java_script_enabled=False)
    for name in PATHS:
        open_page.goto(page, name)
        expect(page.locator("h1")).to_be_visible()
        assert page.locator("button:visible").count() == page.locator("form button:visible").count()


def test_a_line_is_verified_without_script(open_page, played):
    """WEB-13: the form is a form."""
    page = open_page("verify", java_script_enabled=False)
    page.get_by_label("Paste one line").fill(played.lines["keep"])
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".says")).to_contain_text("Genuine and official")


def test_the_keyboard_is_enough(open_page):
    """WEB-13: the first key leads past the header, and what has the focus shows it."""
    page = open_page("home")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("A posted line")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_no_page_is_heavy(reader, played):
    """WEB-13: 100 kB at most with style and script, as it goes over the wire."""

    def weight(path):
        with reader.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
            return sum(map(len, answer.iter_raw()))

    always = sum(map(weight, ("/static/page.css", "/static/page.js", "/static/die.svg")))
    for path in PATHS.values():
        assert weight(path.format(**played.ids)) + always < 100_000


def test_a_roll_is_checked_in_the_browser(open_page):
    """WEB-08: record, checkpoint and signature, by WebCrypto."""
    page = open_page("roll")
    page.get_by_role("button", name="Check it in this browser").click()
    expect(page.locator("[data-proof] [role=status]")).to_contain_text("the key of this page signed it")
    expect(page.locator("[data-proof] [role=status]")).to_contain_text("dice are what the published seed gives")


def test_an_epochs_dice_are_computed_in_the_browser(open_page):
    """WEB-08: from the published seed, by WebCrypto."""
    page = open_page("epoch")
    page.get_by_role("button", name="Compute these dice").click()
    expect(page.locator("[data-epoch] [role=status]")).to_contain_text("the dice of all")


def test_a_false_seed_is_noticed_in_the_browser(open_page):
    """WEB-08: the check is one."""
    page = open_page("epoch")

    def changed(route):
        answer = route.fetch()
        rolls = answer.json()
        rolls["rolls"][0]["draws"][0][1] = rolls["rolls"][0]["draws"][0][1] % 6 + 1
        route.fulfill(response=answer, json=rolls)

    page.route("**/epoch/1.json", changed)
    page.get_by_role("button", name="Compute these dice").click()
    expect(page.locator("[data-epoch] [role=status]")).to_contain_text("are NOT what the seed gives")


def test_new_rolls_appear_by_themselves(chromium, own):
    """WEB-04: by server-sent events, without a reload, and what is typed stays text."""
    with serving(own.config) as base, watched(base):
        page = chromium.new_page()
        with page.expect_response("**/events"):
            page.goto(f"{base}/c/home/dice")

        async def roll():
            async with open_for_bot(loaded(own.config)) as ledger:
                bot = await ready_bot(ledger, loaded(own.config))
                for channel in ("#dice", "#hidden"):
                    said = f"roll 2d6 # <img src=x onerror=alert(1)> {channel[1:]}"
                    await bot.answer(Message("home", channel, "late", said, me="FUDice"))

        apart(roll())
        entry = page.locator(".entry.new")
        expect(entry).to_contain_text("late:")
        expect(entry).to_have_count(1)
        assert page.locator("img").count() == 0
        page.close()


def test_rolls_made_during_a_break_appear_too(chromium, own):
    """WEB-04: a phone that slept has missed events; once it is connected again, the page is loaded anew."""
    with serving(own.config) as base, watched(base):
        page = chromium.new_page()
        with page.expect_response("**/events"):
            page.goto(f"{base}/c/home/dice")

        async def switched():  # which ends the events
            async with open_for_bot(loaded(own.config)) as ledger:
                await ledger.append(switching("home", "#dice", PUBLIC, ""))
                bot = await ready_bot(ledger, loaded(own.config))
                await bot.answer(Message("home", "#dice", "late", "roll 2d6 # meanwhile", me="FUDice"))

        apart(switched())
        expect(page.locator(".entry").first).to_contain_text("meanwhile")
        page.close()


def test_the_bars_of_a_chart_are_drawn_apart(open_page):
    """WEB-14: whatever the stylesheet says."""
    page = open_page("odds")
    edges = page.locator(".chart .bar").evaluate_all(
        "bars => bars.map(b => b.getBoundingClientRect()).map(r => [r.left, r.right])"
    )
    assert len(edges) > 5
    assert all(right < left for (_, right), (left, _) in pairwise(edges))


def test_the_table_is_live(chromium, own):
    """WEB-07: a tracker that changes and whose turn it is, without a reload; a hidden tracker never."""

    async def go_on():
        there = {"storyteller": True, "there": lambda _name: There("#dice", True)}
        async with open_for_bot(loaded(own.config)) as ledger:
            bot = await ready_bot(ledger, loaded(own.config))
            for nick, channel, said in (
                ("gm", None, "track channel Menace 9 hidden in #dice"),
                ("gm", "#dice", "!init next"),
                ("alice", "#dice", "!hunger +1"),
            ):
                await bot.answer(Message("home", channel, nick, said, me="FUDice", **there))

    with serving(own.config) as base, watched(base):
        page = chromium.new_page()
        with page.expect_response("**/table/events"):
            page.goto(f"{base}/c/home/dice/table")
        hunger = page.locator(".hunger")
        expect(hunger.get_by_role("img", name="2 of 5")).to_be_visible()
        expect(page.locator(".turns .now")).to_contain_text("Ghoul")
        apart(go_on())
        expect(hunger.get_by_role("img", name="3 of 5")).to_be_visible()
        expect(page.locator(".turns .now")).to_contain_text("Viktor")
        assert "enace" not in page.content()
        page.close()


def test_a_scene_is_replayed_step_by_step(open_page, played):
    """WEB-06: one roll more with each step, its dice drawn; with links alone."""
    page = open_page("/c/home/dice/scene/1?step=5", java_script_enabled=False)
    expect(page.get_by_role("status")).to_contain_text("Roll 5 of")
    expect(page.locator(".entries .entry")).to_have_count(5)
    dice = page.locator(".tray svg").count()
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".entries .entry")).to_have_count(6)
    assert page.locator("[aria-current=step]").count() == 1
    assert dice > 0


def test_a_links_preview_says_what_it_shows(open_page):
    """WEB-14: OpenGraph, from the page's own words."""
    page = open_page("odds")
    about = page.locator('meta[property="og:description"]').get_attribute("content")
    assert about.startswith("odds 5d10 h2 dc3: ")

"""What each page shows, as HTML and as JSON (WEB-01 to WEB-09)."""

import asyncio
import json
import re
from dataclasses import replace
from urllib.parse import quote

import pytest
from exported import VERIFIER, checked

from grammars import catalogue
from ircdice.bot import Message, There
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.dice import UNSTAMPED

from .played import Reader, apart, counted, serving


def test_the_first_page_has_the_games_and_the_public_channels(reader):
    """WEB-01: an example of each game, both boxes, how to join; nothing of channels that are not public."""
    page = reader.get("/").text
    for game in (grammar for grammar in catalogue.grammars_found() if grammar.is_system):
        assert quote(next(iter(game.examples))) in page.replace("+", "%20")
    assert 'action="/verify"' in page
    assert 'action="/odds"' in page
    assert "irc.example.net" in page
    assert "#dice" in page
    assert "#linked" not in page
    assert "#hidden" not in page


@pytest.mark.parametrize("how", ["get", "post"])
def test_a_pasted_line_is_genuine(reader, played, how):
    """WEB-02: with who, where, when, and its notes, by the form too."""
    given = {"line": f"<FUDice> {played.lines['wp']}"}
    page = (reader.get("/verify", params=given) if how == "get" else reader.post("/verify", data=given)).text
    assert "Genuine and official" in page
    assert "alice rerolled it in #dice on home" in page
    assert re.search(f'replaces <a href="/r/{played.ids["v5"]}">', page)


def test_what_differs_is_marked(reader, played):
    """WEB-02: the characters that were changed, in the text."""
    line = played.lines["keep"]
    number = re.match("carol: ([0-9]+);", line)[1]
    page = reader.get("/verify", params={"line": line.replace(f": {number};", ": 99;", 1)}).text
    assert "Altered" in page
    assert f"<ins>{number}</ins>" in page
    assert "<del>99</del>" in page


def test_a_forum_post_has_a_verdict_for_each_line(reader, played):
    """WEB-02: a whole post at once; what is unknown is told in its own words."""
    post = f"> {played.lines['v5']}\nthen\n> {played.lines['keep']}\nand bob: 7; 1d20 7; 1d20; id zz-000000"
    found = reader.post("/verify.json", data={"line": post}).json()
    assert [each["verdict"] for each in found] == ["genuine", "genuine", "unknown"]
    assert "ask the bot" in reader.post("/verify", data={"line": post}).text


def test_json_has_the_keys_of_the_command_line(reader, played):
    """WEB-02: as `verify --json`; the services account is nobody's business."""
    (found,) = reader.get("/verify", params={"line": played.ids["keep"]}, headers={"Accept": "application/json"}).json()
    assert found.keys() == {
        *("verdict", "notes", "id", "given", "line", "nick", "who", "network", "channel", "official", "time", "differs")
    }
    assert found["who"] is None


def test_a_rolls_own_page(reader, played):
    """WEB-02: its dice drawn as dice, what became of it, its line to copy, its odds."""
    page = reader.get(f"/r/{played.ids['v5']}").text
    assert page.count('<svg class="die normal"') == 4
    assert page.count('<svg class="die hunger"') == 2
    assert f"/r/{played.ids['wp']}" in page
    assert "data-copy" in page
    chain = reader.get(f"/r/{played.ids['v5']}.json").json()["chain"]
    assert [each["id"] for each in chain] == [played.ids["v5"], played.ids["wp"]]
    assert "/odds?q=" in page
    assert 'property="og:description" content="Viktor (alice): ' in page


def test_dropped_dice_are_drawn_as_such(reader, played):
    """WEB-02: and told to those who do not see them."""
    page = reader.get(f"/r/{played.ids['keep']}").text
    assert page.count('class="die dice dropped"') == 1
    assert re.search('aria-label="d6 shows [1-6], dropped"', page)


def test_a_proof_checks_offline(reader, played, tmp_path):
    """WEB-02: with the command that the page gives, by the published checker alone."""
    page = reader.get(f"/r/{played.ids['keep']}").text
    key = re.search(r"--key (\S+?)</code>", page)[1].replace("&#43;", "+")
    file = tmp_path / "proof.json"
    file.write_bytes(reader.get(f"/r/{played.ids['keep']}/proof.json").content)
    code, said = checked(file, "--key", key)
    assert code == 0, said
    assert reader.get("/check_export.py").text == VERIFIER.read_text("utf-8")


GAMES = [grammar for grammar in catalogue.grammars_found() if grammar.is_system]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_example_has_odds_or_says_why_not(base, game):
    """WEB-03: exact odds of any command of any game."""
    for text in game.examples:
        with Reader(base) as reader:
            answer = reader.get("/odds", params={"q": text}, headers={"Accept": "application/json"})
        if answer.status_code == 200:
            (found,) = answer.json()
            assert found["outcomes"] or found["distribution"], text
        else:
            assert answer.status_code == 400, text
            assert answer.json()["error"]


def test_commands_are_compared_in_one_chart(reader):
    """WEB-03, WEB-14: up to four, drawn as SVG, with the same as a table."""
    page = reader.get("/odds", params={"q": ["4d6k3", "3d6"], "show": "least"}).text
    assert page.count("<polyline") == 2
    row = re.search(r'<th scope="row">12</th><td>([0-9.]+)%</td><td>([0-9.]+)%</td>', page)
    assert row.groups() == ("61.7", "37.5")
    assert "Average <strong>12.24</strong>" in page


def test_both_sides_of_a_contest_have_odds(reader):
    """WEB-03: each side's outcomes, the most likely first, and the average of its own dice."""
    page = reader.get("/odds", params={"q": "roll 2d10 vs 4d10"}).text
    sides = page.split("<article")[1:]
    assert [re.search("Average <strong>([0-9.]+)<", side)[1] for side in sides] == ["1.02", "2.10"]
    for side in sides:
        chances = [float(chance) for chance in re.findall("<td>([0-9.]+)%</td>", side)]
        assert chances == sorted(chances, reverse=True)
        assert len(chances) > 1


def test_a_roll_is_marked_in_its_odds(reader, played):
    """WEB-03: "you are here", on a roll's own page and where that leads, with its place in words."""
    page = reader.get(f"/r/{played.ids['keep']}").text
    link = re.search(r'href="(/odds\?[^"]*at=[^"]*)"', page)[1].replace("&amp;", "&")
    assert "you are here" in reader.get(link).text
    page = reader.get(f"/r/{played.ids['keep']}").text  # the first waits only so long for the odds
    assert "you are here" in page
    assert page.count('class="bar at"') == 1
    exactly, least, most = re.search(
        "Of 100 such rolls ([0-9.]+) .*, ([0-9.]+) to at least .*, ([0-9.]+) to at", page
    ).groups()
    assert float(least) + float(most) == pytest.approx(100 + float(exactly), abs=0.2)


def test_the_tabs_of_a_chart_keep_its_commands(reader):
    """WEB-03: exactly, at least, at most; the address is the state."""
    page = reader.get("/odds", params={"q": ["4d6k3", "3d6"]}).text
    for mode, chance in (("exactly", "12.9"), ("least", "61.7"), ("most", "51.2")):
        link = re.search(rf'href="(/odds\?q=4d6k3&amp;q=3d6&amp;show={mode}[^"]*)"', page)[1].replace("&amp;", "&")
        assert f'<th scope="row">12</th><td>{chance}%</td>' in reader.get(link).text


def test_one_command_is_drawn_as_bars_as_high_as_their_chances(reader):
    """WEB-14: the drawing is the numbers."""
    page = reader.get("/odds", params={"q": "2d6"}).text
    heights = [float(each) for each in re.findall(r'class="bar"[^>]* height="([0-9.]+)"', page)]
    assert [round(36 * height / sum(heights)) for height in heights] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_an_error_shows_the_place_and_a_command_that_works(reader):
    """WEB-03: status 400, the sentence, the place in the text, an example."""
    answer = reader.get("/odds", params={"q": "roll 5d10 h9"})
    assert answer.status_code == 400
    assert "unger is 0 to 5" in answer.text
    assert "<mark>h</mark>9" in answer.text
    assert 'value="roll 5d10 h9"' in answer.text  # to be mended in its place
    example = re.search(r'This works: <a href="([^"]*)"', answer.text)[1]
    assert reader.get(example.replace("&amp;", "&")).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/odds?q=1&q=2&q=3&q=4&q=5",
        "/odds?q=3d6&show=never",
        "/odds?q=3d6&game=chess",
        "/odds?q=what+is+this",
        "/odds?q=wp+2",
        f"/odds?q={'9' * 500}",
        "/verify?line=hello",
        "/r/hello",
        "/r/" + "4" * 60,
        "/c/home/dice?before=x",
        "/c/home/dice?day=2026-13-77",
        "/c/home/dice?official=perhaps",
        "/c/home/dice?game=chess",
        "/c/home/dice?q=door",
        "/c/home/dice?month=2026",
        "/c/home/dice?scene=harbour",
        "/c/home/dice/scene/%D9%A1",
        "/c/home/dice/scene/1?step=x",
        "/c/home/dice/epoch/%D9%A1",
        "/c/home/dice/epoch/1000000001",
        "/odds?q=3d6&at=high",
        "/odds?q=3d6&at=nan",
    ],
)
def test_what_cannot_be_read_is_a_400_with_an_example(reader, address):
    """Bad input: a sentence and something that works, as HTML and as JSON."""
    answer = reader.get(address)
    assert answer.status_code == 400
    assert "This works" in answer.text
    found = reader.get(address, headers={"Accept": "application/json"})
    assert found.status_code == 400
    assert found.json()["error"]
    assert found.json()["hint"]


def test_the_log_is_newest_first_by_day(reader, played):
    """WEB-04: what was posted, with notes; who asked to be forgotten is withheld at once (LED-25)."""
    rolls = reader.get("/c/home/dice.json").json()["rolls"]
    assert [roll["seq"] for roll in rolls] == sorted((roll["seq"] for roll in rolls), reverse=True)
    by_id = {roll.get("id"): roll for roll in rolls}
    assert by_id[played.ids["v5"]]["notes"] == [f"replaced by {played.ids['wp']}"]
    assert by_id[None]["withheld"] == "redacted"
    assert "forget me" not in reader.get("/c/home/dice").text


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("nick=Carol", {"keep", "covered"}),
        ("game=v5&nick=bob", {"answered", "stir"} - {"stir"}),
        ("game=crossroads", {"crossroads"}),
        ("official=no", set()),
        ("month=2020-01&q=door", set()),
        ("day=2020-01-01", set()),
    ],
)
def test_the_log_is_filtered(reader, played, query, names):
    """WEB-04: by nick, game, official or not, day, and text within a month."""
    rolls = reader.get(f"/c/home/dice.json?{query}").json()["rolls"]
    assert {roll["id"] for roll in rolls if "id" in roll} == {played.ids[name] for name in names}


def test_the_log_is_searched_within_a_month(reader, played):
    """WEB-04: the text of what was posted."""
    month = reader.get(f"/r/{played.ids['v5']}.json").json()["time"][:7]
    rolls = reader.get("/c/home/dice.json", params={"q": "DOOR", "month": month}).json()["rolls"]
    assert rolls[0]["id"] == played.ids["v5"]  # older ones are rolls after which no die had failed
    assert all("door" in roll["line"] for roll in rolls)
    assert reader.get("/c/home/dice.json", params={"q": "%", "month": month}).json()["rolls"] == []


def test_the_log_is_paged_by_number(reader):
    """WEB-04: an older page begins where the newer one ended."""
    rolls = reader.get("/c/home/dice.json").json()["rolls"]
    older = reader.get("/c/home/dice.json", params={"before": rolls[2]["seq"]}).json()["rolls"]
    assert older == rolls[3:]


def test_statistics_are_hedged(reader):
    """WEB-05: faces beside what was to be expected, by person too, with the time of the count."""
    page = counted(reader)
    assert "counted at" in page
    assert "expected" in page
    assert "by chance alone" in page
    counts = reader.get("/c/home/dice/stats.json").json()["counted"]
    assert sum(kind["dice"] for kind in counts["kinds"]) == counts["dice"]
    assert "alice" in {kind["nick"] for kind in counts["people"]}


def test_a_scene_is_in_the_order_of_play(reader, played):
    """WEB-06: what was rolled from its opening to its end, with comments and characters; nothing secret."""
    assert reader.get("/c/home/dice/scene.json").json()["scenes"][0]["name"] == "Harbour"
    scene = reader.get("/c/home/dice/scene/1.json").json()
    seqs = [roll["seq"] for roll in scene["rolls"]]
    assert seqs == sorted(seqs)
    lines = {roll["id"]: roll["line"] for roll in scene["rolls"]}
    assert lines[played.ids["v5"]].startswith("Viktor (alice): ")
    assert '"the door"' in lines[played.ids["v5"]]
    assert not {played.ids[name] for name in ("before", "secret", "blind", "opened", "stir")} & lines.keys()


@pytest.mark.parametrize(("form", "head"), [("text", "Harbour (#dice"), ("md", "## Harbour"), ("bbcode", "[b]Harbour")])
def test_a_scene_is_copied_as_text(reader, played, form, head):
    """WEB-06: as text, Markdown or BBCode, each line as it was posted."""
    page = reader.get(f"/c/home/dice/scene/1?form={form}").text
    pasted = re.search('<pre class="line copy"[^>]*>(.*?)</pre>', page, re.DOTALL)[1]
    assert pasted.startswith(head)
    assert f"id {played.ids['keep']}" in pasted
    assert "<script>" not in pasted


def test_a_scene_that_is_longer_than_a_page_says_so(own):
    """WEB-06: nobody takes the first 1,000 records for all of it."""

    async def go_on():
        there = {"storyteller": True, "there": lambda _name: There("#dice", True)}
        async with open_for_bot(loaded(own.config)) as ledger:
            bot = await ready_bot(ledger, loaded(own.config))
            await bot.answer(Message("home", "#dice", "gm", "!scene Siege", me="FUDice", **there))
            answer = await bot.answer(Message("home", "#dice", "alice", "roll 2d6", me="FUDice"))
            another = replace(answer.record.draft, stamp=UNSTAMPED)
            await asyncio.gather(*(ledger.append(another) for _ in range(1_000)))

    apart(go_on())
    with serving(own.config) as base, Reader(base) as reader:
        assert "the first 1,000 records of the scene" in reader.get("/c/home/dice/scene/2").text
        assert reader.get("/c/home/dice/scene/2.json").json()["more"]
        assert "the first 1,000 records" not in reader.get("/c/home/dice/scene/1").text


def test_a_scene_that_was_not_played_is_not_here(reader):
    """WEB-06: 404, and the scenes that were."""
    for number, status in (("7", 404), ("x", 400), ("1?step=x", 400), ("1?form=pdf", 400)):
        assert reader.get(f"/c/home/dice/scene/{number}").status_code == status
    assert reader.get("/c/home/dice/scene/1?step=99").status_code == 200


def test_the_table_has_what_a_storyteller_keeps_an_eye_on(reader, played):
    """WEB-07: characters with their trackers, initiative, what is open, that there is a secret, the last ten rolls."""
    table = reader.get("/c/home/dice/table.json").json()
    trackers = {seat["name"]: seat["trackers"] for seat in table["characters"]}
    assert trackers["Viktor"] == {"hunger": {"value": 2, "most": None}}
    assert trackers["bob"] == {"luck": {"value": 4, "most": 6}}
    assert table["channel"] == {"doom": {"value": 3, "most": 6}}
    assert [entry["name"] for entry in table["initiative"]] == ["Ghoul", "Viktor"]
    assert table["turn"] == "Ghoul"
    assert [contest["id"] for contest in table["contests"]] == [played.ids["covered"]]
    assert {secret["id"] for secret in table["secrets"]} == {played.ids["secret"], played.ids["blind"]}
    assert len(table["rolls"]) == 10


def test_hunger_is_drawn_as_dots(reader):
    """WEB-07: two of five, and Luck four of six."""
    page = reader.get("/c/home/dice/table").text
    assert re.search('aria-label="2 of 5">(<circle [^>]*class="full"/>){2}(<circle [^>]*[0-9]"/>){3}</svg>', page)
    assert 'aria-label="4 of 6"' in page


def test_what_the_dice_are_bound_to(reader):
    """WEB-08: commitments, the latest first, the published seed, the last checkpoint and the key that signed it."""
    found = reader.get("/fair.json").json()
    numbers = [epoch["epoch"] for epoch in found["epochs"]]
    assert numbers == sorted(numbers, reverse=True)
    assert found["checkpoint"].startswith("irc.example.net/ircdice\n")
    assert any(epoch["seed"] for epoch in found["epochs"])
    assert any(epoch["seed"] is None for epoch in found["epochs"])
    assert all(epoch["commitment"] in reader.get("/fair").text.replace("&#43;", "+") for epoch in found["epochs"])


def test_seeds_that_are_not_published_are_nowhere(reader, played):
    """WEB-08: the running epoch's seed is in a file that the page never reads."""
    epochs = reader.get("/fair.json").json()["epochs"]
    pages = "".join(reader.get(f"/c/home/dice/epoch/{epoch['epoch']}").text for epoch in epochs)
    running = [epoch["epoch"] for epoch in epochs if epoch["seed"] is None]
    assert running
    for number in running:
        seed = (played.config.parent / "seeds" / str(number)).read_text().strip()
        assert seed not in reader.get("/fair.json").text + pages


@pytest.mark.parametrize("grammar", catalogue.grammars_found(), ids=lambda grammar: grammar.name)
def test_help_has_examples_diagrams_and_rules(reader, grammar):
    """WEB-09: made from the grammars and the rules."""
    page = reader.get(f"/help/{grammar.name}").text
    assert 'class="railroad-diagram"' in page
    assert "style" not in re.sub('rel="stylesheet"', "", page)
    found = reader.get(f"/help/{grammar.name}.json").json()
    assert found["examples"] == dict(grammar.examples)
    assert all(f'id="{rule}"' in page for rule in found["rules"])


def test_everything_is_described_for_programs(reader, played):
    """WEB-09 and JSON: each described address answers in JSON."""
    given = {"network": "home", "channel": "dice", "number": "1", "id": played.ids["keep"], "game": "v5"}
    described = reader.get("/openapi.json").json()
    query = {"/verify.json": {"line": played.ids["keep"]}, "/odds.json": {"q": "3d6"}}
    for path in described["paths"]:
        answer = reader.get(path.format(**given), params=query.get(path, {}))
        assert answer.headers["content-type"].startswith("application/json"), path
        json.loads(answer.content)


def test_health_is_the_databases(reader):
    """IRC-26: whether it answers."""
    assert reader.get("/healthz").json() == {"ledger": "ok"}

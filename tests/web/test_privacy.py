"""Who may see what (WEB-10): each page beside what a stranger is told in the channel."""

import re

import pytest

from ircdice.bot import Message
from ircdice.bot.page import OFF, PUBLIC, switching
from ircdice.casemapping import fold
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot

from .played import TOKEN, Reader, apart, counted, serving, watched

PAGES = (
    *("/", "/verify", "/fair", "/help", "/c/home/dice", "/c/home/dice/stats", "/openapi.json"),
    *("/c/home/dice/table", "/c/home/dice/scene", "/c/home/dice/scene/1", "/c/home/dice/scene/1?form=text"),
    *("/c/home/dice/epoch/1", "/c/home/linked", "/c/home/hidden", "/c/home/%2540~frank", "/c/home/%40~frank"),
)
COVERED = ("enace", "forget me", "hidden channel", "# private", "before the page", "linked only")


def sentence(page):
    """The verdict on a page, without its markup."""
    found = re.search('<p class="says">(.*?)</p>', page, re.DOTALL)[1]
    return re.sub("<[^>]*>", "", found).replace("&#34;", '"').replace("&#39;", "'").strip()


def test_the_page_says_what_a_stranger_hears(base, played):
    """WEB-10: of every roll the same verdict in the same words as the bot's, without a link too."""
    for name, roll in played.ids.items():
        with Reader(base) as reader:
            said = sentence(reader.get(f"/r/{roll}").text)
        told = played.told[name]
        if said.startswith("Unknown"):
            assert told.startswith("Unknown"), name
        else:
            assert told.startswith(said), (name, said, told)


@pytest.mark.parametrize("path", ["/c/home/dice.json", "/c/home/dice/scene/1.json", "/c/home/dice/table.json"])
def test_every_line_on_a_page_was_said_in_the_channel(reader, played, path):
    """WEB-10: log, scene and table have what everybody there heard, and nothing else."""
    found = reader.get(path).json()
    shown = [*found["rolls"], *found.get("contests", ()), *found.get("secrets", ())]
    lines = [f"{each['line']}; id {each['id']}" for each in shown if "withheld" not in each]
    assert len(lines) > 5
    assert not [line for line in lines if line not in played.posted]


def test_the_table_tells_what_the_bot_tells_a_stranger_of_trackers(reader, played):
    """WEB-10: the same numbers as `!trackers`, in the same words."""
    table = reader.get("/c/home/dice/table.json").json()
    doom = table["channel"]["doom"]
    for seat in table["characters"]:
        told = [f"{seat['name']}: {name} {level_of(level)}" for name, level in seat["trackers"].items()]
        assert played.kept[seat["name"]] == "; ".join([*told, f"channel: doom {level_of(doom)}"])


def level_of(level):
    return f"{level['value']}/{level['most']}" if level["most"] else str(level["value"])


@pytest.mark.parametrize("name", ["hidden", "linked", "before", "private", "redacted"])
def test_of_what_is_not_shown_only_the_verdict_is_told(reader, played, name):
    """WEB-10: no dice, no text, no chain, no proof."""
    found = reader.get(f"/r/{played.ids[name]}.json").json()
    assert not found.keys() & {"dice", "text", "kind", "chain"}
    assert "tray" not in reader.get(f"/r/{played.ids[name]}").text
    assert reader.get(f"/r/{played.ids[name]}/proof.json").status_code == 404


@pytest.mark.parametrize("name", ["covered", "sealed", "secret", "blind", "veiled"])
def test_what_a_rule_covers_is_covered_here(reader, played, name):
    """WEB-10: open contests, sealed difficulties and secret rolls."""
    found = reader.get(f"/r/{played.ids[name]}.json").json()
    assert found["verdict"] == "withheld"
    assert found["line"] is None
    assert "dice" not in found
    assert reader.get(f"/r/{played.ids[name]}/proof.json").status_code == 404


def test_nothing_covered_is_on_any_page(base, played):
    """WEB-10: neither what was said nor the faces, whatever page and form."""
    for page in PAGES:
        for form in ("text/html", "application/json"):
            with Reader(base) as reader:
                text = reader.get(page, headers={"Accept": form}).text
            assert not [word for word in COVERED if word in text], page
            assert "8d10 h4" not in text
            assert "before the page" not in text
            assert TOKEN not in text


def test_a_number_without_its_tag_is_unknown(base, played):
    """WEB-10: in the words for a number that does not exist, with the right tag or not, by every route."""
    known = played.ids["secret"].partition("-")[0]
    for typed in (f"{known}-000000", f"{known}-zzzzzz", "7zz-000000", known, f"#{known}", "%23last"):
        with Reader(base) as reader:
            answer = reader.get(f"/r/{typed.replace('#', '%23')}")
            assert answer.status_code == 404, typed
            assert sentence(answer.text).startswith("Unknown: there is no such record here; ask the bot."), typed
            assert reader.get(f"/r/{typed.replace('#', '%23')}/proof.json").status_code == 404


def test_channels_that_are_not_public_are_like_none(base):
    """WEB-10: the same page for a hidden channel, one with a link, private talk, and one that does not exist."""
    with Reader(base) as reader:
        pages = {
            re.sub("/c/home/[a-z%0-9~]*", "", reader.get(f"/c/home/{name}{path}").text)
            for name in ("hidden", "linked", "%40~frank", "nowhere")
            for path in ("", "/stats", "/events", "/table", "/table/events", "/scene", "/scene/1", "/epoch/1")
        }
    assert len(pages) == 1


def test_a_link_works_without_its_last_slash(reader):
    """WEB-10: as it is when a forum or a phone has cut it off."""
    assert reader.get(f"/l/{TOKEN}").text == reader.get(f"/l/{TOKEN}/").text


def test_a_link_shows_its_channel_to_whoever_has_it(reader, played):
    """WEB-10, DSK-16: log, dice and rolls; not for search engines, previews or caches, and the token in no JSON."""
    answer = reader.get(f"/l/{TOKEN}/")
    assert "linked only" in answer.text
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert answer.headers["cache-control"] == "no-store"
    assert "og:" not in answer.text
    roll = reader.get(f"/l/{TOKEN}/r/{played.ids['linked']}")
    assert "tray" in roll.text
    assert reader.get(f"/l/{TOKEN}/r/{played.ids['linked']}/proof.json").status_code == 200
    assert TOKEN not in reader.get(f"/l/{TOKEN}.json", follow_redirects=True).text
    assert "tray" not in reader.get(f"/l/{TOKEN}/r/{played.ids['hidden']}").text
    epoch = reader.get(f"/l/{TOKEN}/epoch/1")
    assert f"/l/{TOKEN}/r/{played.ids['linked']}" in epoch.text
    assert epoch.headers["x-robots-tag"] == "noindex, nofollow"
    assert reader.get(f"/l/{TOKEN[:-1]}x/").status_code == 404


def test_the_page_says_since_when_and_how_to_be_forgotten(reader):
    """WEB-10: on the log itself."""
    text = reader.get("/c/home/dice").text
    assert "This page is for everybody. It shows what was rolled since <time" in text
    assert "To be forgotten" in text


def test_redaction_takes_effect_at_once(own):
    """WEB-10, LED-25: in log, rolls and what was counted before."""
    with serving(own.config) as base, Reader(base) as reader:
        assert "mallory" in counted(reader)

        async def redact():
            async with open_for_bot(loaded(own.config)) as ledger:
                await ledger.redact({f"~{fold('mallory')}"})

        apart(redact())
        assert "mallory" not in counted(reader)
        for path in ("/c/home/dice", "/c/home/dice.json", "/c/home/dice/stats", "/c/home/dice/stats.json"):
            assert "mallory" not in reader.get(path).text
        assert reader.get(f"/r/{own.ids['hostile']}.json").json()["verdict"] == "withheld"


def test_the_config_ends_it_at_once(own):
    """WEB-10: `page = no` hides what was public, whatever the record says."""
    own.config.write_text(own.config.read_text().replace("page = public", "page = no"))
    with serving(own.config) as base, Reader(base) as reader:
        assert reader.get("/c/home/dice").status_code == 404
        assert "dice" not in reader.get(f"/r/{own.ids['keep']}.json").json()


def test_channels_are_told_apart_as_their_network_does(tmp_path):
    """WEB-10, IRC-09: `#[a]` is shown; where it is not the same as `#{a}`, that one is not, whatever was recorded."""
    path = tmp_path / "config.ini"
    path.write_text(
        "[network home]\nhost = irc.example.net\nchannels = #[a], #{a}\n[channel home/#[a]]\npage = public\n"
    )
    path.chmod(0o600)

    async def play():
        whole = loaded(path)
        async with open_for_bot(whole) as ledger:
            bot = await ready_bot(ledger, whole)
            for channel in ("#[a]", "#{a}"):
                await ledger.append(switching("home", channel, PUBLIC, ""))
                await bot.answer(Message("home", channel, "alice", f"roll 2d6 # {channel}", casemapping="ascii"))

    apart(play())
    with serving(path) as base, Reader(base) as reader:
        assert "2d6 &#34;#[a]&#34;" in reader.get("/c/home/%2523%255Ba%255D").text
        assert reader.get("/c/home/%2523%257Ba%257D").status_code == 404
        assert "#{a}" not in reader.get("/").text


def test_switching_a_page_off_ends_its_streams(own):
    """WEB-10, DSK-16: nobody reads on who had it open; the next request is refused."""

    async def off():
        async with open_for_bot(loaded(own.config)) as ledger:
            await ledger.append(switching("home", "#dice", OFF, ""))

    with serving(own.config) as base, Reader(base) as reader:
        with watched(base) as lines:
            apart(off())
            assert not [line for line in lines if line != ": still here"]  # it ends, and says nothing more
        assert reader.get("/c/home/dice").status_code == 404
        assert reader.get("/c/home/dice/events").status_code == 404

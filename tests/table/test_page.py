"""`!page`, and the pages that the bot switches by itself (DSK-16, WEB-10)."""

import asyncio
import re
from contextlib import asynccontextmanager

import pytest

from ircdice.bot import Message, There
from ircdice.bot.message import ChannelModes
from ircdice.bot.page import hashed, shown_places
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot

CONFIG = """\
[network home]
host = irc.example.net
channels = #dice, #linked, #none
[channel home/#dice]
page = public
[channel home/#linked]
page = link
[web]
base_url = https://dice.example.org
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.ini"
    path.write_text(CONFIG)
    path.chmod(0o600)
    return path


class Scene:
    """A bot in three channels; `hidden` are those with +s, and `say` is heard in private by a storyteller."""

    def __init__(self, bot, ledger):
        self.bot, self.ledger, self.hidden = bot, ledger, set()

    async def due(self):
        return [(r.target, r.text) for r in await self.bot.due(self.modes) if r.text.startswith("Page")]

    def modes(self, _network, channel):
        return ChannelModes(channel.lower(), channel in self.hidden)

    async def say(self, text, channel=None, *, storyteller=True):
        def there(name):
            return There(name, storyteller, name in self.hidden)

        more = {"hidden": channel in self.hidden}
        message = Message("home", channel, "gm", text, storyteller=storyteller, there=there, **more)
        return await self.bot.answer(message)

    async def shown(self, channel):
        return shown_places(await self.ledger.page_records()).get(("home", channel))


@asynccontextmanager
async def scene(path):
    config = loaded(path)
    async with open_for_bot(config) as ledger:
        yield Scene(await ready_bot(ledger, config), ledger)


def played(path, script):
    """The result of a scene."""

    async def play():
        async with scene(path) as made:
            return await script(made)

    return asyncio.run(play())


def test_a_public_page_is_switched_on_once_and_posted(config):
    """WEB-10: with its address, in the channel; what was rolled before is not shown; not again after a restart."""

    async def script(scene):
        await scene.say("roll 2d6", "#dice")
        return (
            await scene.due(),
            await scene.due(),
            await scene.shown("#dice"),
            await scene.ledger.read(lambda s: s.last()),
        )

    first, again, shown, (last, _) = played(config, script)
    ((target, text),) = first
    assert target == "#dice"
    assert text.startswith(
        "Page: everybody can read this channel's rolls from now on at https://dice.example.org/c/home/dice; id "
    )
    assert again == []
    assert shown.since == last
    assert played(config, Scene.due) == []


def test_a_hidden_channel_is_never_public(config):
    """WEB-10: +s, +p or +k ends it at once; without it the page begins anew, without the rolls of the meantime."""

    async def script(scene):
        await scene.due()
        scene.hidden.add("#dice")
        assert await scene.due() == []
        during = await scene.shown("#dice")
        rolled = (await scene.say("roll 2d6", "#dice")).record
        scene.hidden.clear()
        assert len(await scene.due()) == 1
        return during, await scene.shown("#dice"), rolled

    during, after, rolled = played(config, script)
    assert during.mode == "no"
    assert after.mode == "public"
    assert not after.shows(rolled.seq)


def test_a_config_that_says_no_ends_it(config):
    """WEB-10: and `public` again later shows nothing that was rolled in between."""

    async def first(scene):
        await scene.due()

    async def second(scene):
        await scene.due()
        return (await scene.say("roll 2d6", "#dice")).record

    async def third(scene):
        assert len(await scene.due()) == 1
        return await scene.shown("#dice")

    played(config, first)
    config.write_text(CONFIG.replace("page = public", "page = no"))
    rolled = played(config, second)
    config.write_text(CONFIG)
    assert not played(config, third).shows(rolled.seq)


def test_the_link_is_told_once_in_private(config):
    """DSK-16: 128 random bits; the ledger has their hash; the channel is told that there is a link, and not which."""

    async def script(scene):
        answer = await scene.say("page in #linked")
        posted, told = answer.replies
        again = (await scene.say("page in #linked")).replies
        return posted, told, again, answer.record, await scene.shown("#linked")

    posted, told, again, record, shown = played(config, script)
    token = re.search("https://dice.example.org/l/([A-Za-z0-9_-]{22})/", told.text)[1]
    assert told.private
    assert told.target == "gm"
    assert posted.target == "#linked"
    assert posted.text.startswith("Page: those who have its link can read this channel's rolls from now on")
    assert shown.token == hashed(token)
    assert token not in f"{posted} {again} {record}"
    assert "since" in again[0].text


def test_a_renewed_link_ends_the_old_one_and_shows_the_same(config):
    """DSK-16: `page renew`."""

    async def script(scene):
        await scene.say("page in #linked")
        before = await scene.shown("#linked")
        renewed = await scene.say("page renew in #linked")
        return before, await scene.shown("#linked"), renewed.replies

    before, after, (posted, told) = played(config, script)
    assert before.token != after.token
    assert before.since == after.since
    assert "replaced" in posted.text
    assert "/l/" in told.text


@pytest.mark.parametrize("channel", ["#dice", "#linked"])
def test_a_page_that_is_off_stays_off_until_a_storyteller_renews_it(config, channel):
    """DSK-16, WEB-10: `page off`, whatever the config says; `page` alone switches nothing."""

    async def off(scene):
        await scene.due()
        await scene.say(f"page in {channel}")
        posted, _ = (await scene.say(f"page off in {channel}")).replies
        assert posted.target == channel
        assert await scene.due() == []
        scene.hidden.add(channel)
        assert await scene.due() == []
        scene.hidden.clear()

    async def still(scene):
        assert await scene.due() == []
        (told,) = (await scene.say(f"page in {channel}")).replies
        assert "is off" in told.text
        assert (await scene.shown(channel)).mode == "no"
        await scene.say(f"page renew in {channel}")
        return (await scene.shown(channel)).mode

    played(config, off)
    assert played(config, still) == {"#dice": "public", "#linked": "link"}[channel]


def test_the_forgotten_storyteller_does_not_switch_a_page_back_on(config):
    """LED-25: what is nobody's is not redacted."""

    async def script(scene):
        await scene.due()
        await scene.say("page off in #dice")
        await scene.ledger.redact({"~gm"})
        return await scene.shown("#dice")

    assert played(config, script).mode == "no"


@pytest.mark.parametrize(
    ("text", "channel", "storyteller", "refusal"),
    [
        ("page", None, True, "in private say where: page in #CHANNEL"),
        ("page in #linked", None, False, "only a storyteller"),
        ("!page off", "#dice", False, "only a storyteller"),
        ("page in #none", None, True, "page = no"),
        ("page renew in #dice", None, True, "it has no link"),
        ("page maybe in #dice", None, True, ""),
    ],
)
def test_what_is_refused(config, text, channel, storyteller, refusal):
    """DSK-16: one sentence, and nothing is switched."""

    async def script(scene):
        await scene.due()
        before = await scene.ledger.page_records()
        answer = await scene.say(text, channel, storyteller=storyteller)
        assert await scene.ledger.page_records() == before
        return answer

    assert refusal in str(played(config, script).error)


def test_in_the_channel_the_link_is_told_in_private_too(config):
    """DSK-16: `!page`; the bare word is talk."""

    async def script(scene):
        assert (await scene.say("page off", "#linked")).replies == ()
        return (await scene.say("!page", "#linked")).replies

    posted, told = played(config, script)
    assert "/l/" not in posted.text
    assert told.private


def test_what_a_page_record_says_is_proved_like_any(config):
    """LED-20: the posted line is verified, and `ledger check` reads the record."""

    async def script(scene):
        ((_, text),) = await scene.due()
        return (await scene.say(f"verify {text}")).replies[0].text

    assert played(config, script).startswith("Genuine")

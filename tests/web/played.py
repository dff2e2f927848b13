"""A ledger with an evening in it, and the page that shows it."""

import asyncio
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx

from ircdice.bot import Message, There
from ircdice.bot.message import Present
from ircdice.bot.page import PUBLIC, link_text
from ircdice.cli.config import ledger_paths, loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.config import Listen, load_for_page
from ircdice.ledger.record import Draft
from ircdice.web.app import running

TOKEN = "AAECAwQFBgcICQoLDA0ODw"
CONFIG = """\
[bot]
ledger_wait = 60

[network home]
host = irc.example.net
channels = #dice, #linked, #hidden

[channel home/#dice]
official = yes
page = public

[channel home/#linked]
page = link

[web]
forwarded_allow_ips = 127.0.0.1
"""
HOSTILE = '# <script>alert(1)</script> " onload=x'


def apart(coroutine):
    """Run it in a thread of its own: in this one Playwright may run a loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@dataclass
class Evening:
    """What was said, with the id and the line of each answer under a name."""

    config: Path
    ids: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)  # what a stranger in another channel hears of each id
    kept: dict[str, str] = field(default_factory=dict)  # what a stranger hears of the trackers of each name
    posted: set[str] = field(default_factory=set)  # all that was said where others hear it

    def play(self):
        apart(self._play())
        return self

    async def _play(self):
        whole = loaded(self.config)
        async with open_for_bot(whole) as ledger:
            bot = await ready_bot(ledger, whole)

            async def say(name, nick, text, channel="#dice", **more):
                message = Message("home", channel, nick, text, me="FUDice", **more)
                answer = await bot.answer(message)
                self.posted |= {reply.text for reply in answer.replies if not reply.private}
                if answer.record is not None:
                    self.ids[name] = answer.record.id
                    self.lines[name] = f"{answer.record.draft.line}; id {answer.record.id}"
                return answer

            there = {
                "storyteller": True,
                "there": lambda _name: There("#dice", True),
                "storytellers": lambda _name: (Present("gm", "~gm"),),
            }
            await say("before", "alice", "roll 3d10 h0 # before the page")
            for channel, text in (("#dice", PUBLIC), ("#linked", link_text(TOKEN))):
                await ledger.append(Draft("page", "home", channel, "", "", text, (), ""))
            await say("scene", "gm", "!scene Harbour", **there)
            await say("play", "alice", "!play Viktor")
            await say("tracked", "alice", "!track hunger 2")
            await say("luck", "bob", "!track luck 4/6")
            await say("doom", "gm", "!track channel Doom 3/6", **there)
            await say("veiled", "gm", "track channel Menace 7 hidden in #dice", None, **there)
            await say("npc", "gm", "!npc Ghoul", **there)
            await say("init", "alice", "!init +3")
            await say("init ghoul", "gm", "!init Ghoul 14", **there)
            await say("turn", "gm", "!init next", **there)
            while "wp" not in self.ids:  # refused after a roll without a failed die
                await say("v5", "alice", "roll 6d10 h2 dc3 # the door")
                await say("wp", "alice", "wp")
            await say("keep", "carol", "roll 4d6k3+2")
            await say("crossroads", "dana", "xr 3d6 a1")
            await say("opened", "alice", "roll 6d10 h2 vs @bob")
            await say("answered", "bob", "roll 5d10 h1")
            await say("hostile", "mallory", f"roll 3d10 h1 {HOSTILE}")
            await say("redacted", "zoe", "roll 7d10 h1 # forget me")
            await say("linked", "dave", "roll 2d10 h1 # linked only", "#linked")
            await say("hidden", "erin", "roll 2d10 h1 # hidden channel", "#hidden")
            await say("private", "frank", "roll 9d10 h1 # private", None)
            await say("sealed", "gm", "difficulty 5 for alice in #dice", None, **there)
            await say("under", "alice", "roll 5d10 h1")
            await say("secret", "gm", "secret roll 8d10 h4 in #dice", None, **there)
            await say("blind", "alice", "!blind roll 9d10 h3", **there | {"storyteller": False})
            await say("scene end", "gm", "!scene end", **there)
            await say("stir", "bob", "!stir our own words")
            await ledger.redact({"~zoe"})
            await ledger.publish_all()
            await say("covered", "carol", "roll 6d10 h2 vs @bob")
            await ledger.sign()
            for nth, (name, roll) in enumerate(self.ids.items()):
                answer = await say("", f"stranger{nth // 10}", f"!verify {roll}", "#elsewhere")  # LED-23
                self.told[name] = answer.replies[0].text
            for name in ("Viktor", "bob", "Ghoul"):
                self.kept[name] = (await say("", "stranger", f"!trackers {name}")).replies[0].text


def copied(played, folder):
    """The same evening in a folder of its own, which a test may change."""
    shutil.copytree(played.config.parent, folder)
    return replace(played, config=folder / played.config.name)


def played_briefly(config):
    """Make the ledger of a config, with one roll in #dice after its page was switched on."""

    async def play():
        whole = loaded(config)
        async with open_for_bot(whole) as ledger:
            await ledger.append(Draft("page", "home", "#dice", "", "", PUBLIC, (), ""))
            bot = await ready_bot(ledger, whole)
            await bot.answer(Message("home", "#dice", "alice", "roll 2d6", me="FUDice"))

    apart(play())


def evening(folder, config=CONFIG):
    """A config and its ledger, played."""
    path = folder / "config.ini"
    path.write_text(config)
    path.chmod(0o600)
    return Evening(path).play()


def serving(config_file):
    """The page of a config on a free port: its address."""
    config = load_for_page(config_file, {})
    config = replace(config, web=replace(config.web, listen=Listen("127.0.0.1", 0)))
    return running(config, ledger_paths(config))


@contextmanager
def watched(base, path="/c/home/dice/events"):
    """The lines of a stream of events that leaves out nothing from now on."""
    with Reader(base) as reader, reader.stream("GET", path) as stream:
        lines = (line for line in stream.iter_lines() if line)
        assert [next(lines), next(lines)] == [": what is new, as it comes", ": still here"]
        yield lines


def counted(reader, path="/c/home/dice/stats"):
    """The statistics of a channel, once its dice are counted: the page says so meanwhile."""
    end = time.monotonic() + 120
    while "being counted" in (page := reader.get(path).text):
        assert time.monotonic() < end, "the dice are still being counted"
    return page


class Reader(httpx.Client):
    """Somebody who reads the page; each has an address of its own."""

    count = 0

    def __init__(self, base, **more):
        Reader.count += 1
        address = f"198.51.{Reader.count // 250}.{Reader.count % 250 + 1}"
        super().__init__(base_url=base, headers={"X-Forwarded-For": address}, timeout=120, **more)

    def request(self, method, url, **more):
        """The answer, also on a machine that needs longer for some odds, or between two requests, than the page waits.

        The page closes a connection on which nobody has asked for some seconds, perhaps just when somebody asks.
        """
        for _ in range(10):
            with suppress(httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                answer = super().request(method, url, **more)
                if answer.status_code != 503 or "being worked out" not in answer.text:
                    break
        return answer

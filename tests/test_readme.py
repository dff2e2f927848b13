"""The README is true: its scene is played again, its table is the grammars'."""

import asyncio
import re
from pathlib import Path

import pytest

from ircdice.bot import Bot, Hinting, Message, Reply
from ircdice.cli.manual import commands
from ircdice.dice import ScriptedDice
from ircdice.ledger import MemoryLedger
from ircdice.settings import ChannelSettings

README = Path(__file__).parents[1] / "README.md"
CHANNEL = "#FU_Dice"
LATER = 90_000  # ms between two lines: long enough for the next hint
DICE = {  # the faces that the scene's commands throw, in draw order
    "roll 5d10 h2 dc3 # over the wall": (9, 4, 3, 8, 2),
    "wp": (6, 10),
    "roll 6d10 h2 vs @bob": (10, 10, 2, 5, 3, 1),
    "roll 5d10 h1": (7, 8, 2, 4, 9),
    "rouse": (4,),
}


class Scene:
    """A channel where the dice fall as they are told and the clock stands still between lines."""

    def __init__(self):
        self.now = 0
        self.dice = ScriptedDice(())
        ledger = MemoryLedger(self.clock, key=b"the scene of the README")
        self.bot = Bot(ledger, self, self, self.clock, Hinting())

    def clock(self):
        return self.now

    def begin(self, _network, _place):
        return self.dice

    def channel(self, _network, _channel, _casemapping=""):
        return ChannelSettings(official=True)

    def say(self, nick, text):
        self.now += LATER
        self.dice = ScriptedDice(DICE.get(text, ()))
        replies = asyncio.run(self.bot.hear(Message("net", CHANNEL, nick, text)))
        self.dice.finish()
        return [f"<{nick}> {text}", *map(shown, replies)]


def shown(reply: Reply) -> str:
    return f"-FUDice- (to {reply.target} alone) {reply.text}" if reply.private else f"<FUDice> {reply.text}"


@pytest.fixture
def scene():
    (block,) = re.findall(r"(?ms)^```irc\n(.*?)^```$", README.read_text("utf-8"))
    return block


def test_the_scene_plays_again(scene):
    """GEN-07, V5-14, V5-19: with the same dice the bot says what the README says, letter by letter."""
    channel = Scene()
    said = re.findall(r"(?m)^<(?!FUDice>)(\S+)> (.*)$", scene)
    played = [line for nick, text in said for line in channel.say(nick, text)]
    assert "\n".join(played) + "\n" == scene


def test_the_scene_throws_all_the_dice(scene):
    """GEN-07: no script is left that no line of the scene uses."""
    said = set(re.findall(r"(?m)^<\S+> (.*)$", scene))
    assert said >= set(DICE)


def test_the_table_is_the_grammars():
    """Design: commands stand in the README as the grammars give them."""
    assert commands() in README.read_text("utf-8")


def test_what_it_points_at_is_there():
    """Design: no link of the README leads nowhere."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text("utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).is_file()] == []

"""The README is true: its scene is played again, its table is the grammars'."""

import asyncio
import re
from pathlib import Path

import pytest

import grammars
from grammars.catalogue import grammars_found
from ircdice.bot import Bot, Hinting, Message, OwnChance, Reply
from ircdice.cli.manual import commands
from ircdice.dice import ScriptedDice
from ircdice.ledger import MemoryLedger
from ircdice.settings import ChannelSettings

README = Path(__file__).parents[2] / "README.md"
CHANNEL = "#FU_Dice"
LATER = 90_000  # ms between two lines: long enough for the next hint
SCENES = re.findall(r"(?ms)^```irc\n(.*?)^```$", README.read_text("utf-8"))
DICE = {  # the faces that the scenes' commands throw, in draw order
    "roll 5d10 h2 dc3 # over the wall": (9, 4, 3, 8, 2),
    "wp": (6, 10),
    "roll 6d10 h2 vs @bob": (10, 10, 2, 5, 3, 1),
    "roll 5d10 h1": (7, 8, 2, 4, 9),
    "rouse": (4,),
    "sc strike 6 vs undying sunlight": (6, 5, 4, 2, 1, 3, 4),
    "xr 3d6 a1": (4, 2, 4, 5),
    "xr reroll 1": (6,),
    "b8 t4 a1 vs t3": (4, 3, 6, 2),
    "toss d8 d12 boon dc7": (1, 12, 3),
    "roll 2d6[fire] + 1d8[cold] for the chest": (5, 2, 7),
}


class Scene(OwnChance):
    """A channel where the dice fall as they are told and the clock stands still between lines."""

    def __init__(self):
        self.now = 1_793_386_800_000  # an evening in October 2026
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


@pytest.mark.parametrize("scene", SCENES)
def test_the_scene_plays_again(scene):
    """GEN-07, V5-14, V5-19, SC-11, XR-13, B8-06, FW-07, GD-10: with the same dice the bot says what the README says."""
    channel = Scene()
    said = re.findall(r"(?m)^<(?!FUDice>)(\S+)> (.*)$", scene)
    played = [line for nick, text in said for line in channel.say(nick, text)]
    assert "\n".join(played) + "\n" == scene


def test_the_scenes_throw_all_the_dice():
    """GEN-07: no script is left that no line of a scene uses."""
    said = set(re.findall(r"(?m)^<\S+> (.*)$", "".join(SCENES)))
    assert said >= set(DICE)


def test_every_game_is_shown():
    """GEN-01: each game of the grammars has a command of its own in a scene."""
    said = re.findall(r"(?m)^<(?!FUDice>)\S+> (.*)$", "".join(SCENES))
    played = {grammars.read(text, "v5", True).grammar for text in said if text in DICE}
    assert played >= {grammar.name for grammar in grammars_found() if grammar.is_system}


def test_the_table_is_the_grammars():
    """Design: commands stand in the README as the grammars give them."""
    assert commands() in README.read_text("utf-8")


def test_what_it_points_at_is_there():
    """Design: no link of the README leads nowhere."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text("utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).is_file()] == []

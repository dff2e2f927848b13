"""Play the scenes that the documents show, and write the bot's replies: `python docs/scenes.py [--check]`.

A scene is a block marked `irc`; the scenes of one page are one evening in one channel. People say lines, `sam` is a
storyteller, and `/msg FUDice …` is sent in private. A comment before a scene has the faces that its dice show, with
commas between the commands.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ircdice.bot import Bot, Hinting, Message, Present, Randomness, Reply
from ircdice.dice import UNSTAMPED, DiceSource, ScriptedDice
from ircdice.ledger import MemoryLedger
from ircdice.settings import ChannelSettings

TREE = Path(__file__).parents[1]
CHANNEL, STORYTELLER, ASIDE = "#FU_Dice", "sam", "/msg FUDice "
PRESENT = (Present(STORYTELLER, f"~{STORYTELLER}"),)
EVENING = 1_793_386_800_000  # ms: 30 October 2026, 19:00 UTC
BETWEEN = 90_000  # ms between two lines: long enough for the next hint
SCENE = re.compile(r"(?ms)^(?P<head>(?:<!-- dice: (?P<dice>[-0-9 ,]*) -->\n)?```irc\n)(?P<lines>.*?)^```$")
SAID = re.compile(r"<(?!FUDice>)(?P<nick>[^\s>]+)> (?P<text>.*)")
ID = re.compile(r"\b([0-9a-z]+)-[0-9a-z]{6}\b")
SALT = re.compile(r"(?<=\bsalt )[0-9a-f]{32}")


class Script:
    """The dice of a scene: each command that rolls takes the next throw."""

    stamp = UNSTAMPED

    def __init__(self, dice: str) -> None:
        """`4 3 8, 6`: two throws."""
        self.throws = [throw for throw in dice.split(",") if throw.strip()]
        self._throw: ScriptedDice | None = None

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """As `DiceSource` has it."""
        return self._this().roll(count, sides)

    def sides_of(self, count: int, listed: Sequence[int]) -> tuple[int, ...]:
        """As `DiceSource` has it."""
        return self._this().sides_of(count, listed)

    def finish(self) -> None:
        """DiceError if the throw has more dice than the command."""
        throw, self._throw = self._throw, None
        if throw is not None:
            throw.finish()

    def _this(self) -> ScriptedDice:
        if self._throw is None:
            self._throw = ScriptedDice(map(int, self.throws.pop(0).split()) if self.throws else ())
        return self._throw


class Evening(Randomness):
    """A bot with scripted dice, and a clock that stops between two lines."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self.now = EVENING
        self.dice = Script("")
        self.ids: dict[str, str] = {}
        self.bot = Bot(MemoryLedger(self.clock, key=b"the evening of the documents"), self, self, self.clock, Hinting())

    def clock(self) -> int:
        """The time in ms."""
        return self.now

    def begin(self, _network: str, _place: str) -> DiceSource:
        """The dice of the scene."""
        return self.dice

    def channel(self, _network: str, channel: str | None, _casemapping: str = "") -> ChannelSettings:
        """An official channel, and private talk."""
        return ChannelSettings(official=channel is not None)

    def plays(self, _network: str, _channel: str) -> bool:
        """As `Settings` has it."""
        return True

    def joining(self) -> tuple[tuple[str, str], ...]:
        """None."""
        return ()

    def scene(self, lines: str, dice: str) -> str:
        """A scene with the replies that come; ValueError if dice are left over."""
        self.dice = Script(dice)
        played = "".join(f"{line}\n" for said in SAID.finditer(lines) for line in self.said(said["nick"], said["text"]))
        if self.dice.throws:
            raise ValueError(f"nobody rolled {', '.join(self.dice.throws)} in:\n{played}")
        return played

    def said(self, nick: str, text: str) -> Iterator[str]:
        """One line, with the ids as they are, and the replies to it."""
        self.now += BETWEEN
        text = ID.sub(lambda found: self.ids.get(found[1], found[0]), text)
        yield f"<{nick}> {text}"
        channel = None if text.startswith(ASIDE) else CHANNEL
        said = "net", channel, nick, text.removeprefix(ASIDE)
        message = Message(*said, storyteller=nick == STORYTELLER, storytellers=lambda _channel: PRESENT)
        for reply in asyncio.run(self.bot.hear(message)):
            self.ids |= {found[1]: found[0] for found in ID.finditer(reply.text)}
            yield shown(reply)


def shown(reply: Reply) -> str:
    """A reply as the documents show it, without what is random: a salt, and the tag that follows from it."""
    text = ID.sub(r"\1-…", SALT.sub("…", reply.text)) if SALT.search(reply.text) else reply.text
    return f"-FUDice to {reply.target}- {text}" if reply.private else f"<FUDice> {text}"


def played(page: str) -> str:
    """A page with its scenes played again."""
    evening = Evening()

    def scene(found: re.Match[str]) -> str:
        return f"{found['head']}{evening.scene(found['lines'], found['dice'] or '')}```"

    return SCENE.sub(scene, page)


def pages() -> Mapping[Path, str]:
    """Every page that has scenes, with its text as it should be."""
    files = [TREE / "README.md", *sorted((TREE / "docs").rglob("*.md"))]
    texts = {file: file.read_text("utf-8") for file in files}
    return {file: played(text) for file, text in texts.items() if SCENE.search(text)}


def main() -> int:
    """Write the pages, or with `--check` say which are not current."""
    stale = {file: text for file, text in pages().items() if file.read_text("utf-8") != text}
    if "--check" in sys.argv[1:]:
        if stale:
            print(f"not current: {', '.join(file.name for file in stale)}; run: make docs")
        return int(bool(stale))
    for file, text in stale.items():
        file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

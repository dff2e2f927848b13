"""Scripts of a channel, played on the real bot: what people type is at the margin, what the bot answers is indented.

    alice: roll 5d10 h2 dc3 | 9 4 3 8 2
        alice: Failure, 2 successes vs 3, margin -1; 9 4 3, hunger 8 2; 5d10 h2 dc3; id 1
    ... 31 min
    sam*: close #1
        (sam) told in private to sam

After `|` come the faces that the command draws, all of them; `*` marks a storyteller; `alice in #other:` and `alice in
private:` type elsewhere; `...` lets time pass, and `... restart` starts a new bot on the same ledger. A line that is
indented further continues the one before.
"""

import asyncio
import re
import textwrap

from ircdice.bot import Bot, Hinting, Message, Present, Randomness
from ircdice.dice import RecordingDice, ScriptedDice
from ircdice.ledger import MemoryLedger
from ircdice.ledger.record import base32
from ircdice.settings import ChannelSettings, HouseRules
from ircdice.table import Table as Remembered

CHANNEL = "#FU_Dice"
START = 1_700_000_000_000
SAID = re.compile(r"(?P<nick>[^\s:*]+)(?P<star>\*?)(?: in (?P<where>\S+))?: (?P<text>.*?)(?: \|(?P<dice>[ 0-9]*))?")
PAUSE = re.compile(r"\.\.\. (?P<count>[0-9]+) (?P<unit>min|s)")
MS = {"min": 60_000, "s": 1_000}


class Table(Randomness):
    """A bot over a ledger in memory, with a clock and dice that the script sets. It is its settings and its chance."""

    def __init__(self, *, hinting=False, other=None, **settings):
        house = HouseRules(**{k: settings.pop(k) for k in ("botch", "wp_minutes") if k in settings})
        self.settings = ChannelSettings(**{"official": True, "house": house} | settings)
        self.now = START
        self.ledger = MemoryLedger(lambda: self.now, key=b"\x11" * 32)
        self.hinting = Hinting() if hinting else None
        self.leaders = {}  # the storytellers who have spoken, who are there
        self.allowance = None
        self.restart()

    def restart(self):
        self.bot = Bot(self.ledger, self, self, lambda: self.now, self.hinting, self.allowance)

    def channel(self, network, channel, casemapping=""):
        if channel == CHANNEL:
            return self.settings
        return ChannelSettings(official=False, system=self.settings.system, house=self.settings.house)

    def begin(self, network, place):
        return self.dice

    @property
    def records(self):
        return list(self.ledger.records)

    def say(self, nick, text, faces=(), *, star=False, where=None, **more):
        """The bot's answer to one line. What is refused must have drawn nothing and left no record (GEN-07)."""
        self.dice = RecordingDice(ScriptedDice(faces))
        channel = None if where == "private" else where or CHANNEL
        before = len(self.records)
        if star:
            self.leaders[nick] = Present(nick, f"~{nick.lower()}")
        more = {"storytellers": lambda _channel: tuple(self.leaders.values()), **more}
        message = Message("net", channel, nick, text, storyteller=star, **more)
        answer = asyncio.run(self.bot.answer(message))
        if answer.error is None and answer.replies:
            self.dice.finish()
        else:
            assert self.dice.draws == (), f"{text}: drew {self.dice.draws}"
            assert len(self.records) == before, f"{text}: recorded"
        assert all(len(reply.text.encode()) <= 400 for reply in answer.replies)
        return answer

    def heard(self, line):
        """The replies to one line of a script."""
        if line == "... restart":
            self.restart()
            return ()
        if pause := PAUSE.fullmatch(line):
            self.now += int(pause["count"]) * MS[pause["unit"]]
            return asyncio.run(self.bot.due())
        said = SAID.fullmatch(line)
        assert said, f"not in the form of a script: {line}"
        faces = tuple(map(int, (said["dice"] or "").split()))
        answer = self.say(said["nick"], said["text"], faces, star=bool(said["star"]), where=said["where"])
        return answer.replies


class Room:
    """One channel of a game whose answers are checked one by one; faces come after what is typed."""

    def __init__(self, game):
        self.table = Table(system=game)

    def say(self, nick, text, *faces, **more):
        return self.table.say(nick, text, faces, **more)

    def line(self, nick, text, *faces, **more):
        """The reply to it, less its id."""
        return without_id(self.say(nick, text, *faces, **more).replies[0].text)

    def refusal(self, nick, text, **more):
        answer = self.say(nick, text, **more)
        assert answer.error is not None, answer.replies
        return str(answer.error)

    def check(self):
        """What the bot remembers is what its records give (GEN-09)."""
        (place,) = self.table.bot.places.ready.values()
        again = Remembered(self.table.settings, "rfc1459")
        for record in self.table.records:
            again.apply(record)
        assert again.memories == place.table.memories
        for chain in place.table.chains():
            assert again.standing(again.find(base32(chain.root.seq))) == place.table.standing(chain)


def shown(reply):
    """A reply as scripts have it: the tag is left off its id, and a salt is 0."""
    text = re.sub(r"(; id [0-9a-z]+)-[0-9a-z]{6}", r"\1", reply.text)
    text = re.sub(r"\bsalt [0-9a-f]{32}", "salt 0", text)
    return f"    ({reply.target}) {text}" if reply.private else f"    {text}"


def line(answer):
    """What `eval --lines` answers with, less its id."""
    return without_id(answer["reply"])


def without_id(reply):
    return re.sub(r"; id .*", "", reply)


def played(script, *, restarting=False, **settings):
    """The script with the replies that really come; equal to the script where it tells the truth."""
    table, lines = Table(**settings), []
    for line in textwrap.dedent(script).strip().splitlines():
        if line.startswith("    "):
            continue
        if restarting and not line.startswith("..."):
            table.restart()
        lines += [line, *map(shown, table.heard(line))]
    return "\n".join(lines)


def check_script(script, **settings):
    """Assert that a script is what happens, and happens again where the bot is restarted before each line (GEN-09)."""
    wanted = re.sub(r"\n {8,}", " ", textwrap.dedent(script).strip())
    assert played(script, **settings) == wanted
    assert played(script, restarting=True, **settings) == wanted

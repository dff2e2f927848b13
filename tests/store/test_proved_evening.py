"""An evening on the real bot and ledger, exported, and checked by a program that knows nothing of ours (LED-19)."""

import asyncio
import json

import pytest
from exported import checked

from ircdice.bot import Bot, Message
from ircdice.cli.checking import judge
from ircdice.durations import DAY
from ircdice.ledger.archive import Archive
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.notary import open_notary
from ircdice.ledger.shift import GRACE
from ircdice.ledger.store.whole import exported, imported
from ircdice.settings import ChannelSettings

from .drafts import everything

NOON = 1_700_000_000_000
EVENING = (
    "alice #fu: roll 5d10 h2 dc3 # over the wall",
    "alice #fu: wp 1",
    "bob #fu: roll 4d6k3+2",
    "bob #other: roll 100d6",
    "bob #other: roll 12d{1,3,5,5}",
    "carol #fu: !stir our “own” wörds",
    "alice #fu: roll 6d10 h2 vs @bob",
    "bob #fu: roll 5d10 h1",
    "bob @: roll 3d10 h1",
    "sam* @: difficulty 4 for alice in #fu",
    "alice #fu: roll 7d10 h1",
    "sam* #fu: reveal #{seal}",
    "sam* @: secret roll 5d10 h2 in #fu",
    "... a day",
    "bob #fu: toss 3 2 boon",
    "bob #fu: !discard",
    "bob #fu: !stir once more",
    "bob #fu: xr 3d6",
    "alice #fu: roll 6d10 h2 vs @bob",
    "dave #other: roll 3d1000",
    "dave #other: roll 8dF",
)


class Evening:
    """The bot on the ledger of a folder, and the clock beside it. It is its settings."""

    def __init__(self, folder, url):
        self.now = NOON
        self.keeping = Keeping(folder, url, "dice.example/one")

    def channel(self, _network, channel, _casemapping=""):
        return ChannelSettings(official=channel == "#fu")

    async def play(self):
        """All of it; gives the export, private talk and all, the ledger's key, and what `check` says."""
        notary = await open_notary(self.keeping, lambda: self.now)
        bot = Bot(notary, notary, self, lambda: self.now)
        try:
            for line in EVENING:
                await self.heard(line, notary, bot)
            await notary.sign()
            key = self.keeping.signing_keys("dice.example/one").load().first
            lines = await notary.read(lambda page: list(exported(page, key, private=True)))
            return lines, key, await asyncio.to_thread(self.checked)
        finally:
            await notary.close()

    async def heard(self, line, notary, bot):
        self.now += 1_000
        if line == "... a day":
            for passed in (DAY, GRACE):
                self.now += passed
                await notary.tend()
            return
        said, _, text = line.partition(": ")
        nick, _, channel = said.partition(" ")
        if "{seal}" in text:
            seals = [record for record in await everything(notary) if record.draft.kind == "seal"]
            text = text.format(seal=seals[-1].id.split("-")[0])
        message = Message(
            *("net", None if channel == "@" else channel, nick.strip("*"), text), storyteller=nick.endswith("*")
        )
        answer = await bot.answer(message)
        assert answer.error is None, (line, answer.error)
        assert answer.record is not None, line

    def checked(self):
        """The report of `ledger check`."""
        archive = Archive(self.keeping)
        try:
            return archive.check(judge, processes=1)
        finally:
            archive.close()


@pytest.fixture
def played(tmp_path, url):
    evening = Evening(tmp_path / "data", url)
    return evening, *asyncio.run(evening.play())


def test_led_19_an_evening_is_proved(played, tmp_path):
    """LED-16, LED-19: the whole evening, by our check with every verdict judged again, and by somebody else's."""
    evening, lines, _, report = played
    assert report.findings == ()
    assert report.notes == ()
    assert (report.proved, report.unproved) == (8, 5)
    file = tmp_path / "export.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    code, said = checked(file, "--notes", evening.keeping.checkpoints.file)
    assert (code, said.splitlines()[-1]) == (0, "all is well"), said
    assert "dice of 8 commands proved; of 4 not yet" in said, "the contest that waits is not shown"
    items = [json.loads(line) for line in lines]
    shown = [item for item in items if item["type"] == "record"]
    assert [item["opened"] for item in shown if "opened" in item] == ["4"]
    assert [item["withheld"] for item in shown if "withheld" in item] == ["covered", "covered"]
    assert len([item for item in items if item["type"] == "epoch" for _ in item["mixes"]]) == 2
    assert {item["kind"] for item in shown if "kind" in item} >= {
        "setting",
        "roll",
        "reroll",
        "stir",
        "answer",
        "reveal",
    }


def test_led_07_an_evening_moves_house(played, tmp_path):
    """LED-07: read into another ledger it has the same roots, and its export is the same to the letter."""
    _, lines, key, _ = played
    url = f"sqlite:///{tmp_path / 'moved.db'}"
    imported(url, lines, key=key)
    keeping = Keeping(tmp_path / "data", url)

    async def reopened():
        notary = await open_notary(keeping, lambda: NOON + 3 * DAY)
        try:
            return notary.begin("net", "#fu").stamp, await notary.read(
                lambda page: list(exported(page, key, private=True))
            )
        finally:
            await notary.close()

    stamp, again = asyncio.run(reopened())
    records = [line for line in lines if '"type":"record"' in line]
    assert [line for line in again if '"type":"record"' in line] == records
    assert stamp.counter == 1, "an epoch of an import never goes on: what it hides may have used its counters"
    file = tmp_path / "again.jsonl"
    file.write_text("\n".join(again), "utf-8")
    assert checked(file)[0] == 0

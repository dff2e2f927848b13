"""`stir`, `fair`, and the announcement of each epoch (LED-15)."""

import asyncio
import re
from contextlib import asynccontextmanager

import pytest

from ircdice.bot import Message
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.errors import Refused
from ircdice.evaluation import Evaluator
from ircdice.ledger import Draft, Record
from ircdice.ledger.checkpoint import Trust, VerifyingKey, base64, from_base64
from ircdice.ledger.epochs import mix_of_stir

CONFIG = """
[network home]
host = irc.example.net
channels = #dice, #quiet, #loud
[channel home/#dice]
official = yes
[channel home/#quiet]
official = yes
announce = no
[channel home/#loud]
announce = yes
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.ini"
    path.write_text(CONFIG)
    path.chmod(0o600)
    return loaded(path)


@asynccontextmanager
async def playing(config):
    """A bot on the ledger of a config, and what it says to a line."""
    async with open_for_bot(config) as ledger:
        bot = await ready_bot(ledger, config)

        async def say(nick, text, channel="#dice"):
            return [reply.text for reply in await bot.hear(Message("home", channel, nick, text))]

        yield bot, ledger, say


@pytest.mark.parametrize("words", ["~alice:foo ~alice: bar", "a: b: c", "~alice:", "~alice"])
def test_led_15_words_of_a_stir_may_look_like_a_speaker(config, words):
    """LED-15: the mix is `who:WORDS`; the words follow the first `who:` whatever they contain."""

    async def scene():
        async with playing(config) as (_, ledger, say):
            (posted,) = await say("alice", f"!stir {words}")
            (record,) = await ledger.latest(1)
            return posted, record

    posted, record = asyncio.run(scene())
    assert words in posted
    assert mix_of_stir(record).startswith(f"~alice:{words} ".encode())


@pytest.mark.parametrize("words", ["ｏｕｒ own", "a\u0378b", "two  spaces", "long " * 40])
def test_led_15_the_words_of_a_stir_are_those_of_its_record(words):
    """LED-15: the key depends on what is stored, and not on how a version of the bot reads or posts it."""
    record = Record(1, 0, Draft("stir", "home", "#fu", "alice", "~alice", f"stir {words}", (), ""), "")
    assert mix_of_stir(record) == f"~alice:{words}".encode()


@pytest.mark.parametrize("text", ["", "stir", "stir ", "roll 5d10"])
def test_led_15_a_text_that_is_no_stir_has_no_mix(text):
    """LED-15."""
    with pytest.raises(Refused):
        mix_of_stir(Record(1, 0, Draft("stir", "home", "#fu", "alice", "~alice", text, (), ""), ""))


def test_led_15_an_epoch_is_announced_once(config):
    """LED-15: in official channels and where `announce` says so; not again after a restart."""

    async def scene():
        async with playing(config) as (bot, ledger, _):
            told = await bot.due()
            assert {reply.text for reply in told} == {ledger.statement()}
            assert await bot.due() == ()
        async with playing(config) as (bot, _, _):
            assert await bot.due() == ()
        return [(reply.network, reply.target, reply.private) for reply in told]

    assert asyncio.run(scene()) == [("home", "#dice", False), ("home", "#loud", False)]


def test_led_15_an_epoch_that_was_begun_by_hand_is_announced_too(config):
    """LED-15: `ledger reveal` and `restore` begin one while the bot does not run."""

    async def scene():
        async with playing(config) as (bot, ledger, _):
            await bot.due()
            await ledger.publish_all()
        async with playing(config) as (bot, ledger, _):
            return await bot.due(), ledger.statement()

    told, statement = asyncio.run(scene())
    assert "epoch 2" in statement
    assert [reply.text for reply in told] == [statement] * 2


def test_led_15_fair_names_what_the_dice_are_committed_to(config):
    """LED-15: commitment, starts, latest checkpoint, the next commitment, the key, and where to check, in one line."""

    async def scene():
        async with playing(config) as (_, ledger, say):
            (line,) = await say("bob", "!fair")
            epochs = await ledger.read(lambda store: store.epochs())
            note = (await ledger.read(lambda store: store.last_checkpoint())).note
            return line, epochs, note

    line, (running, coming), note = asyncio.run(scene())
    (key,) = re.findall(r"signed by ([^;]+);", line)
    assert Trust(VerifyingKey(note.splitlines()[0], from_base64(key))).verify(note)
    assert "epoch 1, since 20" in line
    assert "; 1 start since; " in line
    for said in (base64(running.commitment), base64(coming.commitment), note.splitlines()[2]):
        assert said in line
    assert line.endswith("docs/verification.md")
    assert len(line.encode()) <= 400


def test_led_15_a_stir_is_posted_and_recorded(config):
    """LED-15: with its speaker, its words and the time of the start; once an hour for the whole channel."""

    async def scene():
        async with playing(config) as (_, ledger, say):
            await ledger.ready("home", "#dice")
            before = ledger.begin("home", "#dice").roll(20, 10)
            (posted,) = await say("bob", "!stir our  own; words")
            after = ledger.begin("home", "#dice").roll(20, 10)
            assert before != after
            again = await say("alice", "!stir mine")
            elsewhere = await say("alice", "!stir mine", "#loud")
            private = await say("alice", "stir mine", None)
            return posted, again, elsewhere, private

    posted, again, elsewhere, private = asyncio.run(scene())
    assert re.match(r'bob: stirred "our own, words [0-9]+"; generation 2 of epoch 1; id 3-', posted), posted
    assert again == ["The dice here were stirred within the hour; again in 60 min."]
    assert re.match(r'alice: stirred "mine [0-9]+"; generation 2 of epoch 1; unofficial; id ', elsewhere[0]), elsewhere
    assert private == ["That is for a channel: say it there."]


def test_led_15_without_a_ledger_nothing_is_claimed():
    """LED-15: `eval` says that nothing was committed to."""
    evaluator = Evaluator()
    try:
        assert "nothing was committed to" in evaluator.evaluate({"text": "!fair"})["reply"]
        assert "nothing to stir" in evaluator.evaluate({"text": "!stir us"})["error"]
    finally:
        evaluator.close()

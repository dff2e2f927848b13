"""What a channel has to do with its dice: `stir`, `fair`, and the word that comes by itself (LED-15)."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from ircdice.bot import Message
from ircdice.cli.configured import loaded
from ircdice.cli.kept import kept, ready_bot
from ircdice.evaluation import Evaluator
from ircdice.ledger.checkpoint import base64
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
    async with kept(config) as notary:
        bot = await ready_bot(notary, config)

        async def say(nick, text, channel="#dice"):
            return [reply.text for reply in await bot.hear(Message("home", channel, nick, text))]

        yield bot, notary, say


@pytest.mark.parametrize("words", ["~alice:foo ~alice: bar", "a: b: c", "~alice:", "~alice"])
def test_words_of_a_stir_may_look_like_whose_they_are(config, words):
    """LED-15: the mix is `who:WORDS`, and the words begin behind the first `who:` whatever they hold."""

    async def scene():
        async with playing(config) as (_, notary, say):
            (posted,) = await say("alice", f"!stir {words}")
            (record,) = await notary.latest(1)
            return posted, record

    posted, record = asyncio.run(scene())
    assert words in posted
    assert mix_of_stir(record).startswith(f"~alice:{words} ".encode())


def test_an_epoch_is_told_where_it_is_wanted(config):
    """LED-15: once, in official channels and where `announce` says so; a restart in the epoch says nothing again."""

    async def scene():
        async with playing(config) as (bot, notary, _):
            told = await bot.due()
            assert {reply.text for reply in told} == {notary.statement()}
            assert await bot.due() == ()
        async with playing(config) as (bot, _, _):
            assert await bot.due() == ()
        return [(reply.network, reply.target, reply.private) for reply in told]

    assert asyncio.run(scene()) == [("home", "#dice", False), ("home", "#loud", False)]


def test_an_epoch_begun_by_hand_is_told_too(config):
    """LED-15: `ledger reveal` and `restore` begin one while nobody listens."""

    async def scene():
        async with playing(config) as (bot, notary, _):
            await bot.due()
            await notary.publish_all()
        async with playing(config) as (bot, notary, _):
            return await bot.due(), notary.statement()

    told, statement = asyncio.run(scene())
    assert "epoch 2" in statement
    assert [reply.text for reply in told] == [statement] * 2


def test_fair_names_what_the_dice_are_bound_to(config):
    """LED-15: commitment, latest checkpoint, the next commitment, the key, and where to check, in one line."""

    async def scene():
        async with playing(config) as (_, notary, say):
            (line,) = await say("bob", "!fair")
            keys = notary._keeping.signing_keys(await notary.read(lambda page: page.origin())).load()
            epochs = await notary.read(lambda page: page.epochs())
            checkpoint = await notary.read(lambda page: page.last_checkpoint())
            return line, base64(keys.current.verifying.public), epochs, checkpoint

    line, key, (running, coming), checkpoint = asyncio.run(scene())
    assert "epoch 1, since 20" in line
    for said in (base64(running.commitment), base64(coming.commitment), key, checkpoint.note.splitlines()[2]):
        assert said in line
    assert line.endswith("docs/verification.md")
    assert len(line.encode()) <= 400


def test_a_stir_is_posted_and_on_record(config):
    """LED-15: with its speaker and its words; once an hour for all of the channel together."""

    async def scene():
        async with playing(config) as (_, notary, say):
            before = notary.begin("home", "#dice").roll(20, 10)
            (posted,) = await say("bob", "!stir our  own; words")
            after = notary.begin("home", "#dice").roll(20, 10)
            assert before != after
            again = await say("alice", "!stir mine")
            elsewhere = await say("alice", "!stir mine", "#loud")
            private = await say("alice", "stir mine", None)
            return posted, again, elsewhere, private

    posted, again, elsewhere, private = asyncio.run(scene())
    assert posted.startswith('bob: stirred "our own, words"; generation 1 of epoch 1; id 2-')
    assert again == ["The dice here were stirred within the hour; again in 60 min."]
    assert elsewhere[0].startswith('alice: stirred "mine"; generation 1 of epoch 1; unofficial; id ')
    assert private == ["Stir is said in the channel whose dice it is for, where all can see it."]


def test_without_a_ledger_nothing_is_claimed():
    """LED-15: `eval` says plainly that its dice are bound to nothing."""
    evaluator = Evaluator()
    try:
        assert "nothing was committed to" in evaluator.evaluate({"text": "!fair"})["reply"]
        assert "nothing to stir" in evaluator.evaluate({"text": "!stir us"})["error"]
    finally:
        evaluator.close()

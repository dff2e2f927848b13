"""A ledger whose tables somebody altered: it is said as it is, at once (LED-05, LED-16)."""

import asyncio
import time

import pytest
import sqlalchemy as sa

from ircdice.errors import LedgerUnavailable

from .drafts import everything, opened, roll

SAID = "the ledger's tables are not what they were: "
GONE = {
    "the records": ("ALTER TABLE records RENAME TO taken", "ALTER TABLE taken RENAME TO records"),
    "a column": ("ALTER TABLE records RENAME COLUMN line TO said", "ALTER TABLE records RENAME COLUMN said TO line"),
    "what was delivered": ("ALTER TABLE delivered RENAME TO taken", "ALTER TABLE taken RENAME TO delivered"),
}


def done(url, *statements):
    """What somebody does to the database."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


async def refusal(asked):
    """The sentence that a question meets, without a wait."""
    began = time.monotonic()
    with pytest.raises(LedgerUnavailable) as told:
        await asked
    assert time.monotonic() - began < 3
    return str(told.value)


@pytest.mark.parametrize("what", GONE)
async def test_led_16_what_is_gone_is_named(stored, url, what, caplog):
    """LED-05: nobody waits for what does not come back by itself; once it is there again play goes on."""
    ledger = stored(wait=10.0)
    take, put_back = GONE[what]
    await ledger.append(roll(channel="#a"))
    done(url, take)
    assert (await refusal(ledger.append(roll(channel="#b")))).startswith(SAID)
    question = ledger.undelivered(["net"]) if "delivered" in what else ledger.get(1)
    assert (await refusal(question)).startswith(SAID)
    assert (
        await refusal(ledger.transact(lambda page: page.mark({("net", "#a"): 1}) or page.records(0, 9)))
    ).startswith(SAID)
    assert ("out of reach" in caplog.text, "Traceback" in caplog.text) == (False, False)
    assert f"a draft could not be recorded: {SAID}" in caplog.text
    done(url, put_back)
    assert (await ledger.append(roll(channel="#b"))).seq == 2
    assert len(await everything(ledger)) == 2


async def test_led_16_nothing_can_be_marked_as_delivered(stored, url, caplog):
    """LED-06: nobody waits for it; the log says once why, and once that it is over."""
    ledger = stored(wait=10.0)
    await ledger.append(roll())
    take, put_back = GONE["what was delivered"]
    done(url, take)
    ledger.mark_delivered("net", "#fu", 1)
    await asyncio.sleep(1.2)
    done(url, put_back)
    await asyncio.sleep(1.2)
    told = [record.message for record in caplog.records]
    assert [text.startswith(SAID) for text in told] == [True, False], told
    assert told[1] == "the ledger is in reach again"


def test_led_16_a_look_at_what_is_gone(stored, url, clock):
    """LED-16: whoever only reads hears the same."""
    asyncio.run(stored().append(roll()))
    done(url, GONE["the records"][0])
    reader = opened(url, clock, to_read=True)
    assert asyncio.run(refusal(reader.get(1))).startswith(SAID)
    asyncio.run(reader.close())

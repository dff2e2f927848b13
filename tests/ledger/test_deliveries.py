"""What was posted is noted in the table of deliveries, sooner or later (LED-06)."""

import asyncio
import unicodedata

from tests.leaping import until

from .house import PLACE, a_roll, append, everything, held, noted, roll


async def test_led_06_a_delivery_is_noted_though_the_database_was_away(each_house):
    """LED-06: without another command; or the line would be posted again after a crash."""
    file = each_house.paths.database_file
    async with each_house.open() as ledger:
        record = await roll(ledger)
        async with held(f"sqlite:///{file}" if file else each_house.paths.url):
            ledger.mark_delivered(*PLACE, record.seq)
            await asyncio.sleep(1.2)  # longer than one attempt waits for a lock
        await noted(ledger)


async def test_led_06_a_delivery_that_cannot_be_noted_is_logged_once(each_house, caplog):
    """LED-06: and noted when the table is back."""
    async with each_house.open() as ledger:
        record = await roll(ledger)
        each_house.sql("ALTER TABLE delivered RENAME TO gone")
        ledger.mark_delivered(*PLACE, record.seq)
        await until(lambda: "cannot be recorded" in caplog.text)
        await asyncio.sleep(1.0)  # in which it is tried again
        assert caplog.text.count("what was delivered cannot be recorded: ") == 1
        each_house.sql("ALTER TABLE gone RENAME TO delivered")
        await noted(ledger)


async def test_led_02_a_channel_in_another_spelling_of_its_letters_is_one_place(each_house):
    """LED-02, LED-06: its settings are recorded once, and its deliveries are found."""
    names = [unicodedata.normalize(form, "#soirée") for form in ("NFD", "NFC")]
    async with each_house.open() as ledger:
        drafts = [a_roll(channel=name, system="generic") for name in names * 2]
        records = await append(ledger, *drafts)
        assert [r.draft.kind for r in await everything(ledger)] == ["setting", "roll", "roll", "roll", "roll"]
        ledger.mark_delivered("net", names[0], records[-1].seq)
        await noted(ledger)
        assert len(await ledger.of_channel("net", names[1])) == 4

"""LED-18: the tag key is rotated while several bots share a PostgreSQL ledger."""

import pytest

from ircdice.ledger.keys import TagKeyFile

from .house import PLACE, House, a_roll, append


async def test_led_18_every_bot_takes_a_new_tag_key_up(postgresql, tmp_path, clock):
    """LED-04, LED-18: the next record of each bot has a tag of the new key, and all know the tags of all."""
    one = House(tmp_path / "one", postgresql.database(), clock=clock)
    async with one.open() as first:
        two = one.another(tmp_path / "two", "two")
        async with two.open() as second:
            await append(first, a_roll())
            await append(second, a_roll())
            since = await first.rotate_tag_key()
            for ledger in (second, first):
                record = (await append(ledger, a_roll()))[0]
                assert record.seq >= since
                texts = *PLACE, record.draft.nick, record.draft.line
                assert {first.tag_of(record.seq, *texts), second.tag_of(record.seq, *texts)} == {record.tag}
    assert one.check().findings == ()


@pytest.mark.parametrize("content", [None, "", "1 x\n", "1 " + "0" * 64 + "\n"])
async def test_led_18_a_lost_or_foreign_key_file_changes_no_running_bot(house, content):
    """LED-10, LED-18: the tags stay those of the ledger's own key."""
    async with house.open() as ledger:
        before = (await append(ledger, a_roll()))[0]
        keys = TagKeyFile(house.paths.tag_keys.file).load()
        house.paths.tag_keys.file.unlink()
        if content is not None:
            house.paths.tag_keys.file.write_text(content)
        await append(ledger, a_roll())
        texts = *PLACE, before.draft.nick, before.draft.line
        assert ledger.tag_of(before.seq, *texts) == before.tag
    house.paths.tag_keys.file.write_text("".join(f"{seq} {key.hex()}\n" for seq, key in keys.ranges))
    assert house.check().findings == ()

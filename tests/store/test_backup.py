"""A backup of a ledger on either database, put back into one of its kind (LED-07)."""

from dataclasses import replace

import pytest
from ledger_house import House, checked, rolls

from ircdice.ledger.backup import back_up, put_back


@pytest.fixture(params=["sqlite", "postgresql"])
def urls(request):
    """Two empty databases of one kind."""
    if request.param == "sqlite":
        return "sqlite:///ledger.db", "sqlite:///another.db"
    server = request.getfixturevalue("postgresql")
    return server.database(), server.database()


async def test_led_07_what_is_put_back_is_what_was_there(urls, tmp_path):
    """LED-07, LED-12: record by record, with an epoch of its own for what comes."""
    house, config = House(tmp_path), tmp_path / "config.ini"
    config.touch()
    house.keeping = replace(house.keeping, url=urls[0])
    async with house.open() as notary:
        known = await rolls(notary, 3)
        back_up(house.keeping, config, tmp_path / "backup")
        lost = await rolls(notary, 1)
    house.keeping = replace(house.keeping, url=urls[1], data=tmp_path / "again")
    put_back(tmp_path / "backup", house.keeping)
    async with house.open() as notary:
        kept = await notary.read(lambda page: page.records(0, 9))
        assert [record.leaf for record in kept] == [record.leaf for record in known]
        (again,) = await rolls(notary, 1)
    assert again.draft.stamp.epoch == 3
    assert again.draft.draws != lost[0].draft.draws
    assert checked(house).findings == ()

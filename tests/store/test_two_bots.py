"""Two bots on one PostgreSQL, each with a folder and a name of its own, sharing the keys (LED-04)."""

import asyncio
from dataclasses import replace

from ledger_house import House, roll

from ircdice.ledger.merkle import Tree
from ircdice.ledger.notary import open_notary
from ircdice.ledger.notes import read


def test_whoever_crosses_the_hundred_signs_what_others_wrote_as_well(postgresql, tmp_path):
    """LED-04, LED-12: two bots roll by turns, alone and in bursts; each root is that of all leaves up to its size."""
    house = House(tmp_path)
    house.keeping = replace(house.keeping, url=postgresql.database())
    key = house.keeping.signing_file

    async def scene():
        async with house.open() as first:
            keeping = replace(house.keeping, data=tmp_path / "second", name="second", signing_key=key)
            second = await open_notary(keeping, lambda: house.now)
            for burst in (1, 60, 7, 150, 1, 1, 90, 40):
                await asyncio.gather(*(roll(first, ("net", f"#{n}")) for n in range(burst)))
                await asyncio.gather(*(roll(second, ("net", f"#{n}")) for n in range(burst // 2)))
            await second.close()
            return await first.read(lambda page: (list(page.leaves(0)), list(page.checkpoints())))

    leaves, table = asyncio.run(scene())
    notes = [read(stored.note).checkpoint for stored in table]
    assert len({note.size // 100 for note in notes}) > len(leaves) // 200  # a burst may cross more than one hundred
    for note in notes:
        tree = Tree()
        tree.extend(leaves[: note.size])
        assert note.root == tree.root()

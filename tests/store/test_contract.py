"""What every ledger does, in memory and on each database."""

import asyncio

import pytest

from ircdice.dice import Stamp
from ircdice.durations import DAY, MINUTE
from ircdice.ledger import Draft, Sealed
from ircdice.ledger.ids import tag
from ircdice.settings import HouseRules

from .drafts import KEY, START, append, everything, roll


async def test_led_02_numbers_run_without_gaps_and_time_never_goes_back(ledger, clock):
    """LED-02: 1, 2, 3, …, at the time of the clock or of the last record, whichever is later."""
    first = await ledger.append(roll())
    clock.now += 5
    second = await ledger.append(roll())
    clock.now -= 60 * MINUTE
    third = await ledger.append(roll())
    assert [(r.seq, r.ts) for r in (first, second, third)] == [(1, START), (2, START + 5), (3, START + 5)]


@pytest.mark.parametrize(
    "draft",
    [
        roll(counter=1),
        roll(draws=()),
        roll(draws=((10, 9), (6, 2), (6, 6), (3_000_000_000, 2_388_965_473), (1, 1), (10, 10), (200, 150))),
        roll(draws=((6, 3),) * 1_000),
        roll("“köttet” 🎲 'x' \" ; -- %s :x", nick="Zoë|afk", who="~zoë|afk"),
        roll(kind="contest", ref=1, stamp=Stamp(2**32 - 1, 2**62, 255)),
        roll(kind="seal", sealed=Sealed("DC 4", bytes(range(16)))),
        roll(kind="seal", sealed=Sealed("", b"\0" * 16), line="", channel="@alice"),
        roll("x" * 400, line="y" * 2_000),
    ],
)
async def test_led_02_a_record_comes_back_as_it_was_written(ledger, draft):
    """LED-02: every field, every draw in its order."""
    record = await ledger.append(draft)
    assert record.draft == draft
    assert record.tag == tag(KEY, record.seq, draft.network, draft.channel, draft.nick, draft.line)
    assert await ledger.get(record.seq) == record
    assert (await everything(ledger))[-1] == record


ODD = (  # one of each kind of character that some database, or its COPY, might take for something else
    *(
        "\\",
        "\\N",
        "\\.",
        "\t",
        "\n",
        "\r\n",
        "\x01",
        "\x1a",
        "\x7f",
        "\x85",
        "'",
        '"',
        "''",
        "$$",
        "%",
        "{}",
        "?",
        ":x",
    ),
    *("\u00a0", "\u00ad", "\u200b", "\u200f", "\u202e", "\u2028", "\ufeff", "\ufffd", "\ufffe", "\ue000", "\U0010ffff"),
    *("é", "e\u0301", "ß", "İ", "א", "ع", "字", "🎲", "👩\u200d🚀", "", " ", "NULL", "null"),
)


async def test_led_02_no_character_is_another_to_one_of_the_databases(ledger):
    """LED-02: texts alone and between others, recorded one by one and in a burst, come back to the character."""
    drafts = [roll(text, line=text, nick=f"n{text}") for odd in ODD for text in (odd, f"a{odd}b{odd}")]
    alone = [await ledger.append(draft) for draft in drafts[:6]]
    burst = await asyncio.gather(*(ledger.append(draft) for draft in drafts[6:]))
    assert [record.draft for record in (*alone, *burst)] == drafts
    assert await everything(ledger) == [*alone, *burst]


async def test_led_02_what_is_not_there(ledger):
    """LED-02"""
    assert [await ledger.get(seq) for seq in (0, 1, -1, 2**62)] == [None] * 4
    assert list(await ledger.latest(3)) == []
    assert list(await ledger.of_channel("net", "#fu")) == []
    assert list(await ledger.places(0)) == []


async def test_led_03_what_is_said_at_once_is_taken_up_once_each(ledger):
    """LED-03: a burst, in the order in which it came."""
    records = await asyncio.gather(*(ledger.append(roll(f"roll {n}d10")) for n in range(1, 301)))
    assert [r.seq for r in records] == list(range(1, 301))
    assert [r.draft.text for r in await everything(ledger)] == [f"roll {n}d10" for n in range(1, 301)]


async def test_a_channel_is_told_of_its_own_records_in_order(ledger):
    """LED-02: network and channel both count."""
    drafts = [
        roll(),
        roll(channel="#other"),
        roll(network="other"),
        roll(channel="@alice"),
        roll(nick="Bob", who="bob"),
    ]
    await append(ledger, *drafts)
    assert [r.seq for r in await ledger.of_channel("net", "#fu")] == [1, 5]
    assert [r.seq for r in await ledger.of_channel("net", "@alice")] == [4]


async def test_the_latest_of_a_place_a_person_or_both(ledger):
    """LED-24: newest first."""
    people = ["alice", "bob", "alice", "carol", "alice", "bob"]
    await append(ledger, *(roll(who=who, channel="#odd" if n % 2 else "#fu") for n, who in enumerate(people)))
    asked = [{}, {"who": "alice"}, {"network": "net", "channel": "#odd"}, {"who": "bob", "network": "net"}]
    assert [[r.seq for r in await ledger.latest(2, **one)] for one in asked] == [[6, 5], [5, 3], [6, 4], [6, 2]]
    assert [r.seq for r in await ledger.latest(9, network="net", channel="#fu", who="alice")] == [5, 3, 1]
    assert list(await ledger.latest(9, network="net", channel="#fu", who="dave")) == []


async def test_led_22_what_a_person_said_between_two_times(ledger, clock):
    """LED-22: both ends count, on every network, in order."""
    for minute in range(5):
        clock.now = START + minute * MINUTE
        await append(ledger, roll(network=f"net{minute % 2}"), roll(who="bob"))
    found = await ledger.of_who("alice", START + MINUTE, START + 3 * MINUTE)
    assert [(r.seq, r.draft.network) for r in found] == [(3, "net1"), (5, "net0"), (7, "net1")]


async def test_the_records_about_one(ledger):
    """LED-02: all that refer to it."""
    await append(ledger, roll(), roll(kind="reroll", ref=1), roll(), roll(kind="discard", ref=1), roll(ref=3))
    assert [r.seq for r in await ledger.about(1)] == [2, 4]
    assert list(await ledger.about(2)) == []


async def test_places_are_those_with_records_of_late(ledger, clock):
    """GEN-09: where a contest may still wait after a start."""
    await append(ledger, roll(channel="#old"), roll(network="other"))
    clock.now += DAY
    await append(ledger, roll(), roll(channel="@alice"), roll())
    assert sorted(await ledger.places(START + 1)) == [("net", "#fu"), ("net", "@alice")]
    assert len(await ledger.places(START)) == 4


async def test_led_10_a_tag_can_be_asked_for(ledger):
    """LED-10: whether or not there is such a record."""
    assert ledger.tag_of(9, "net", "#fu", "Alice", "a line") == tag(KEY, 9, "net", "#fu", "Alice", "a line")
    record = await ledger.append(roll())
    assert record.tag == ledger.tag_of(1, "net", "#fu", "Alice", record.draft.line)
    assert record.id == f"1-{record.tag}"


async def test_led_02_a_roll_is_judged_as_it_was(ledger):
    """LED-02: what the channel was set to comes back with the record, whatever it is set to since."""
    strict, mild = HouseRules(botch=False, wp_minutes=0), HouseRules(triples="simple", modifier_limit=3)
    drafts = [
        *(roll(), roll(system="crossroads", house=mild, official=True), roll(system="generic", house=strict)),
        *(roll(channel="#other"), roll(system="generic", house=strict), roll()),
    ]
    for draft in drafts:
        record = await ledger.append(draft)
        assert (await ledger.get(record.seq)).draft == draft
    kept = [r.draft for r in await everything(ledger) if r.draft.kind != "setting"]
    assert kept == drafts
    assert await ledger.of_channel("net", "#fu") == [r for r in await everything(ledger) if _is_roll(r.draft)]
    assert len(await ledger.latest(99)) == len(drafts)


def _is_roll(draft: Draft) -> bool:
    return draft.kind == "roll" and draft.channel == "#fu"

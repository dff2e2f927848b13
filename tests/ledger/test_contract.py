"""What every ledger does, in memory and on each database."""

import asyncio

import pytest

from ircdice.clock import DAY, MINUTE
from ircdice.dice import Stamp
from ircdice.errors import StaleError
from ircdice.ledger import Draft, Sealed
from ircdice.ledger.record import START
from ircdice.settings import HouseRules

from .house import NOON, a_roll, append, everything


async def test_led_02_numbers_run_without_gaps_and_time_never_goes_back(opened, clock):
    """LED-02: 1, 2, 3, …, at the time of the clock or of the last record, whichever is later."""
    async with opened() as ledger:
        first = await ledger.append(a_roll())
        clock.now += 5
        second = await ledger.append(a_roll())
        clock.now -= 60 * MINUTE
        third = await ledger.append(a_roll())
    assert [(r.seq, r.ts) for r in (first, second, third)] == [(1, NOON), (2, NOON + 5), (3, NOON + 5)]


@pytest.mark.parametrize(
    "draft",
    [
        a_roll(counter=1),
        a_roll(draws=()),
        a_roll(draws=((10, 9), (6, 2), (6, 6), (3_000_000_000, 2_388_965_473), (1, 1), (10, 10), (200, 150))),
        a_roll(draws=((6, 3),) * 1_000),
        a_roll("“köttet” 🎲 'x' \" ; -- %s :x", nick="Zoë|afk", who="~zoë|afk"),
        a_roll(kind="contest", ref=1, stamp=Stamp(2**31, 2**62, 255)),
        a_roll(kind="seal", sealed=Sealed("DC 4", bytes(range(16)))),
        a_roll(kind="seal", sealed=Sealed("", b"\0" * 16), line="", channel="@alice"),
        a_roll("x" * 400, line="y" * 2_000),
        a_roll(scene="The docks", character="Iris", key="~iris track hunger"),
    ],
)
async def test_led_02_a_record_comes_back_as_it_was_written(opened, draft):
    """LED-02: every field, every draw in its order."""
    async with opened() as ledger:
        record = await ledger.append(draft)
        assert record.draft == draft
        assert await ledger.get(record.seq) == record
        assert (await everything(ledger))[-1] == record


ODD = (  # characters that a database might take for something else
    *("\\", "\\N", "\\.", "\t", "\n", "\r\n", "\x01", "\x1a", "\x7f", "\x85", "'", '"', "''", "$$", "%", "{}", "?"),
    *(":x", "\u00a0", "\u00ad", "\u200b", "\u200f", "\u202e", "\u2028", "\ufeff", "\ufffd", "\ufffe", "\ue000"),
    *("\U0010ffff", "é", "ß", "İ", "א", "ع", "字", "🎲", "👩\u200d🚀", "", " ", "NULL", "null"),
)


async def test_led_02_every_character_comes_back(opened):
    """LED-02: texts alone and between others, recorded in one burst."""
    drafts = [a_roll(text, line=text, nick=f"n{text}") for odd in ODD for text in (odd, f"a{odd}b{odd}")]
    async with opened() as ledger:
        records = await asyncio.gather(*map(ledger.append, drafts))
        assert [record.draft for record in records] == drafts
        assert await everything(ledger) == list(records)


async def test_led_02_an_empty_ledger(opened):
    """LED-02"""
    async with opened() as ledger:
        assert [await ledger.get(seq) for seq in (0, 1, -1, 2**62)] == [None] * 4
        assert list(await ledger.latest(3)) == []
        assert list(await ledger.of_channel("net", "#fu")) == []
        assert list(await ledger.places(0)) == []


async def test_led_03_a_burst_is_recorded_once_each_in_order(opened):
    """LED-03"""
    async with opened() as ledger:
        records = await asyncio.gather(*(ledger.append(a_roll(f"roll {n}d10")) for n in range(1, 1_201)))
        assert [r.seq for r in records] == list(range(1, 1_201))
        assert [r.draft.text for r in await everything(ledger)] == [f"roll {n}d10" for n in range(1, 1_201)]


async def test_the_records_of_a_channel(opened):
    """LED-02: network and channel both count."""
    others = a_roll(channel="#other"), a_roll(network="other"), a_roll(channel="@alice"), a_roll(who="bob")
    async with opened() as ledger:
        await append(ledger, a_roll(), *others)
        assert [r.seq for r in await ledger.of_channel("net", "#fu")] == [1, 5]
        assert [r.seq for r in await ledger.of_channel("net", "@alice")] == [4]


async def test_led_24_the_latest_of_a_place_a_person_or_both(opened):
    """LED-24: newest first."""
    people = ["alice", "bob", "alice", "carol", "alice", "bob"]
    asked = [{}, {"who": "alice"}, {"network": "net", "channel": "#odd"}, {"who": "bob", "network": "net"}]
    async with opened() as ledger:
        await append(ledger, *(a_roll(who=who, channel="#odd" if n % 2 else "#fu") for n, who in enumerate(people)))
        assert [[r.seq for r in await ledger.latest(2, **one)] for one in asked] == [[6, 5], [5, 3], [6, 4], [6, 2]]
        assert [r.seq for r in await ledger.latest(9, network="net", channel="#fu", who="alice")] == [5, 3, 1]
        assert list(await ledger.latest(9, network="net", channel="#fu", who="dave")) == []


async def test_led_22_a_persons_records_between_two_times(opened, clock):
    """LED-22: both ends included, on every network, in order."""
    async with opened() as ledger:
        for minute in range(5):
            clock.now = NOON + minute * MINUTE
            await append(ledger, a_roll(network=f"net{minute % 2}"), a_roll(who="bob"))
        found = await ledger.of_who("alice", NOON + MINUTE, NOON + 3 * MINUTE)
    assert [(r.seq, r.draft.network) for r in found] == [(3, "net1"), (5, "net0"), (7, "net1")]


async def test_the_records_that_refer_to_others(opened):
    """LED-02: of one record, or of several in one question."""
    following = a_roll(kind="reroll", ref=1), a_roll(), a_roll(kind="discard", ref=1), a_roll(ref=3)
    async with opened() as ledger:
        await append(ledger, a_roll(), *following)
        assert [r.seq for r in await ledger.about(1)] == [2, 4]
        assert [r.seq for r in await ledger.about(1, 3)] == [2, 4, 5]
        assert list(await ledger.about(2)) == []


def kept(key, text="", **more):
    return a_roll(text, kind="track", key=key, **more)


async def test_dsk_02_of_a_key_the_latest_record_counts(opened):
    """DSK-02: those of each owner who is asked for, and of no other with a longer or shorter name."""
    keys = ("#fu track doom", "~al track x", "~al track x/y", "~alice track x", "~al track x", "#fu track doom")
    async with opened() as ledger:
        await append(ledger, *(kept(key, str(n)) for n, key in enumerate(keys)), kept("~al track x", network="other"))
        await append(ledger, a_roll(), kept("~a track x"))
        found = {owner: await ledger.kept("net", owner) for owner in ("#fu", "~al", "~nobody")}
        both = await ledger.kept("net", "#fu", "~alice")
        assert {owner: sorted(r.draft.text for r in records) for owner, records in found.items()} == {
            "#fu": ["5"],
            "~al": ["2", "4"],
            "~nobody": [],
        }
        assert sorted(r.draft.text for r in both) == ["3", "5"]
        assert [r.seq for r in await ledger.kept_since("net", 3)] == [4, 5, 6, 9]


async def test_dsk_03_a_roll_and_what_it_moves_are_written_together(opened):
    """DSK-03: one after another, the later ones with a reference to the roll, under the same settings."""
    house = HouseRules(botch=False)
    roll, moves = a_roll(house=house), [kept("~al track hunger", house=house), kept("#fu track doom", house=house)]
    async with opened() as ledger:
        await ledger.append(a_roll())
        first, *moved = await ledger.append_all([roll, *moves])
        assert [record.seq for record in moved] == [first.seq + 1, first.seq + 2]
        assert [record.draft.ref for record in (first, *moved)] == [0, first.seq, first.seq]
        assert list(await ledger.about(first.seq)) == moved
        assert [r.draft.terms.house for r in (await everything(ledger))[-3:]] == [house] * 3


async def test_dsk_02_a_change_of_what_has_changed_meanwhile_is_refused(opened):
    """DSK-02: nothing is recorded then, and what is recorded in the same moment is."""
    async with opened() as ledger:
        first = await ledger.append_all([kept("~al track x")], {"~al track x": 0})
        changes = (ledger.append_all([a_roll(), kept("~al track x", str(n))], {"~al track x": 1}) for n in range(5))
        results = await asyncio.gather(*changes, ledger.append(a_roll("roll 1d10")), return_exceptions=True)
        assert [type(result) for result in results[1:5]] == [StaleError] * 4
        assert [r.draft.text for r in await ledger.kept("net", "~al")] == ["0"]
        with pytest.raises(StaleError):
            await ledger.append_all([kept("~al track x")], {"~al track x": first[0].seq})
        assert [r.seq for r in await everything(ledger)] == [1, 2, 3, 4]


async def test_gen_09_the_places_with_records_of_late(opened, clock):
    """GEN-09: where a contest may still wait after a start."""
    async with opened() as ledger:
        await append(ledger, a_roll(channel="#old"), a_roll(network="other"))
        clock.now += DAY
        await append(ledger, a_roll(), a_roll(channel="@alice"), a_roll())
        assert sorted(await ledger.places(NOON + 1)) == [("net", "#fu"), ("net", "@alice")]
        assert len(await ledger.places(NOON)) == 4


async def test_led_10_a_tag_for_any_line(opened):
    """LED-10: whether or not there is such a record."""
    async with opened() as ledger:
        record = await ledger.append(a_roll())
        assert record.tag == ledger.tag_of(1, "net", "#fu", "Alice", record.draft.line)
        assert record.tag != ledger.tag_of(2, "net", "#fu", "Alice", record.draft.line)
        assert record.id == f"1-{record.tag}"


async def test_led_02_a_roll_keeps_the_settings_that_it_was_made_under(opened):
    """LED-02: they come back with the record, whatever the channel is set to later."""
    strict, mild = HouseRules(botch=False, wp_minutes=0), HouseRules(triples="simple", modifier_limit=3)
    drafts = [
        *(a_roll(), a_roll(system="crossroads", house=mild, official=True), a_roll(system="generic", house=strict)),
        *(a_roll(channel="#other"), a_roll(system="generic", house=strict), a_roll(), a_roll(casemapping="ascii")),
    ]
    async with opened() as ledger:
        for draft in drafts:
            record = await ledger.append(draft)
            assert (await ledger.get(record.seq)).draft == draft
        kept = [r for r in await everything(ledger) if r.draft.kind != "setting"]
        assert [r.draft for r in kept] == drafts
        assert list(await ledger.of_channel("net", "#fu")) == [r for r in kept if r.draft.channel == "#fu"]
        assert list(await ledger.latest(99)) == kept[::-1]


async def test_led_02_of_a_channel_what_a_day_holds_and_two_hundred_in_any_case(each_house, clock):
    """LED-02: 200 of a quiet channel however old, of a busy one all of a day."""
    async with each_house.open() as ledger:
        await asyncio.gather(*(ledger.append(a_roll(channel="#quiet")) for _ in range(250)))
        clock.now += 2 * DAY
        await asyncio.gather(*(ledger.append(a_roll(channel="#busy")) for _ in range(700)))
        assert [r.seq for r in await ledger.of_channel("net", "#quiet")] == list(range(51, 251))
        assert [r.seq for r in await ledger.of_channel("net", "#busy")] == list(range(251, 951))


async def test_led_02_what_lasts_is_remembered_at_any_age(each_house, clock):
    """LED-02: trackers, macros, characters, scenes and sealed values, with the records that refer to them."""
    kinds = ("track", "macro", "character", "scene", "init", "page", "seal", "reveal")
    async with each_house.open() as ledger:
        lasting = await append(ledger, *(a_roll(kind=kind) for kind in kinds), a_roll(kind="discard", ref=1))
        await append(ledger, a_roll(kind="lapse"))
        await asyncio.gather(*(ledger.append(a_roll()) for _ in range(200)))
        clock.now += 2 * DAY
        await ledger.append(a_roll(channel="#other"))
        remembered = [r.seq for r in await ledger.of_channel("net", "#fu")]
    assert remembered[: len(lasting)] == [r.seq for r in lasting]
    assert remembered[len(lasting) :] == list(range(11, 211))


async def test_gen_09_a_chain_is_remembered_whole(each_house, clock):
    """GEN-09: what follows an old roll brings the roll, and everything that followed it before."""
    async with each_house.open() as ledger:
        await append(ledger, a_roll("old"), a_roll(), a_roll(kind="reroll", ref=1), a_roll(kind="reroll", ref=2))
        await asyncio.gather(*(ledger.append(a_roll()) for _ in range(250)))
        clock.now += 2 * DAY
        last = await ledger.append(a_roll(kind="discard", ref=1))
        remembered = [r.seq for r in await ledger.of_channel("net", "#fu")]
    assert remembered == [1, 3, *range(last.seq - 199, last.seq + 1)]


async def test_led_02_each_change_of_the_settings_is_a_record(each_house):
    """LED-02: the bot's own, before the first roll under them, known to the next start, and not listed as a roll."""
    house = HouseRules(botch=False, modifier_limit=2)
    drafts = [a_roll(), a_roll(official=True), a_roll(official=True), a_roll(official=True, house=house), a_roll()]
    async with each_house.open() as ledger:
        await append(ledger, *drafts)
    async with each_house.open() as ledger:
        await append(ledger, a_roll(), a_roll(channel="#other"))
        kept = await everything(ledger)
        assert not [r for r in await ledger.of_channel("net", "#fu") if r.draft.kind == "setting"]
    assert "".join(r.draft.kind[0] for r in kept) == "rsrrsrsrrr"
    assert [r.draft.text.split()[:3] for r in kept if r.draft.kind == "setting"] == [
        ["system=v5", "official=yes", "botch=yes"],
        ["system=v5", "official=yes", "botch=no"],
        ["system=v5", "official=no", "botch=yes"],
    ]
    setting = kept[1].draft
    assert (setting.nick, setting.who, setting.line, setting.draws, setting.channel) == ("", "", "", (), "#fu")


async def test_led_15_the_bots_own_stir_is_not_listed_as_a_roll(each_house):
    """LED-15, LED-24: nobody typed it."""
    async with each_house.open() as ledger:
        await ledger.ready("net", "#fu")
        (stir,) = await everything(ledger)
        assert (stir.draft.kind, stir.draft.who, stir.draft.line) == ("stir", START, "")
        assert list(await ledger.latest(9)) == []


async def test_led_06_lines_that_are_not_known_to_have_gone_out(each_house):
    """LED-06: those after the last delivered one of their place, in order; what has no line is not posted."""
    places = ["#fu", "#odd", "@alice", "#fu", "#fu", "#odd"]
    silent = Draft("seal", "net", "#fu", "Alice", "alice", "", (), "")
    async with each_house.open() as ledger:
        await append(ledger, *(a_roll(channel=place) for place in places), a_roll(network="other"), silent)
        assert [r.seq for r in await ledger.undelivered(["net"])] == [1, 2, 3, 4, 5, 6]
        assert [r.seq for r in await ledger.undelivered(["other"])] == [7]
        ledger.mark_delivered("net", "#fu", 4)
        ledger.mark_delivered("net", "@alice", 3)
        ledger.mark_delivered("net", "#fu", 1)  # a place never goes back
    async with each_house.open() as ledger:
        assert [r.seq for r in await ledger.undelivered(["net", "other"])] == [2, 5, 6, 7]

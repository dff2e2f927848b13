"""What the questions to a ledger cost, and what a table is told of an old channel."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

from ircdice.durations import DAY, MINUTE
from ircdice.settings import HouseRules

from .drafts import START, append, everything, opened, roll


@pytest.fixture
def plans(tmp_path, clock):
    """The ways by which SQLite finds the answers to what is asked of a ledger."""
    file, asked = tmp_path / "ledger.db", []
    ledger = opened(f"sqlite:///{file}", clock)
    sa.event.listen(ledger._engines.read, "connect", lambda driver, _: driver.set_trace_callback(asked.append))

    async def answered(question):
        await append(ledger, roll(system="generic"), roll(kind="track", ref=1), roll(counter=1), roll(kind="stir"))
        asked.clear()
        await question(ledger)
        with closing(sqlite3.connect(file)) as beside:
            plans = [beside.execute(f"EXPLAIN QUERY PLAN {said}") for said in asked if said.startswith("SELECT")]
            return [step for plan in plans for *_, step in plan]

    yield answered
    asyncio.run(ledger.close())


QUESTIONS = {
    "get": lambda ledger: ledger.get(5),
    "records": lambda ledger: ledger.read(lambda page: page.records(5, 10)),
    "latest": lambda ledger: ledger.latest(10),
    "latest of a channel": lambda ledger: ledger.latest(10, network="net", channel="#fu"),
    "latest of a nick": lambda ledger: ledger.latest(10, network="net", channel="#fu", who="alice"),
    "latest of a person": lambda ledger: ledger.latest(10, who="alice"),
    "of a person": lambda ledger: ledger.of_who("alice", 0, 2**60),
    "of a channel": lambda ledger: ledger.of_channel("net", "#fu"),
    "about": lambda ledger: ledger.about(1),
    "counters": lambda ledger: ledger.read(lambda page: page.counters(1)),
    "stirs": lambda ledger: ledger.read(lambda page: page.stirs(1)),
    "last": lambda ledger: ledger.read(lambda page: page.last()),
    "in force": lambda ledger: ledger.read(lambda page: page.in_force("net", "#fu")),
    "undelivered": lambda ledger: ledger.undelivered(["net"]),
}


@pytest.mark.parametrize("question", QUESTIONS)
async def test_every_question_has_an_index(plans, question):
    """LED-24: at ten million records none walks through them all, and none sorts more than it tells."""
    steps = await plans(QUESTIONS[question])
    assert steps
    in_order = question in ("latest", "last", "records")  # the key itself is walked, no further than is asked for
    assert in_order or not [s for s in steps if s in ("SCAN records", "SCAN s")], steps
    assert not [s for s in steps if "TEMP B-TREE" in s and question not in ("of a channel", "about", "stirs")], steps
    setting = "records_last_setting" if question == "last" else "records_lasting"
    assert not [s for s in steps if " s " in s and setting not in s], steps


async def test_a_channel_is_told_of_a_day_and_of_two_hundred_records(stored, clock):
    """LED-02: of a quiet channel 200 however old, of a busy one all of a day."""
    ledger = stored()
    await asyncio.gather(*(ledger.append(roll(channel="#quiet")) for _ in range(250)))
    clock.now += 2 * DAY
    await asyncio.gather(*(ledger.append(roll(channel="#busy")) for _ in range(700)))
    assert [r.seq for r in await ledger.of_channel("net", "#quiet")] == list(range(51, 251))
    assert [r.seq for r in await ledger.of_channel("net", "#busy")] == list(range(251, 951))


async def test_what_lasts_is_told_whatever_its_age(stored, clock):
    """LED-02: trackers, macros, sealed values and stirs, with whatever refers to them."""
    ledger = stored()
    kinds = ("track", "macro", "seal", "reveal", "stir")
    await append(ledger, *(roll(kind=kind) for kind in kinds), roll(kind="discard", ref=1), roll(kind="lapse"))
    await asyncio.gather(*(ledger.append(roll()) for _ in range(200)))
    clock.now += 2 * DAY
    assert [r.seq for r in await ledger.of_channel("net", "#fu")] == [1, 2, 3, 4, 5, 6, *range(8, 208)]


async def test_a_chain_is_told_whole(stored, clock):
    """GEN-09: what follows an old roll brings the roll, and all that followed it before."""
    ledger = stored()
    await append(ledger, roll("old"), roll(), roll(kind="reroll", ref=1), roll(kind="reroll", ref=2), roll("unrelated"))
    await asyncio.gather(*(ledger.append(roll()) for _ in range(250)))
    clock.now += 2 * DAY
    last = await ledger.append(roll(kind="discard", ref=1))
    told = [r.seq for r in await ledger.of_channel("net", "#fu")]
    assert told == [1, 3, *range(last.seq - 199, last.seq + 1)]


async def test_led_02_settings_are_kept_and_not_told(stored):
    """LED-02: a record at the start and at each change, of the bot's own, in front of the first roll under it."""
    ledger = stored()
    house = HouseRules(botch=False, modifier_limit=2)
    drafts = [roll(), roll(official=True), roll(official=True, house=house), roll(official=True, house=house), roll()]
    await append(ledger, *drafts, roll(channel="#other"))
    kept = await everything(ledger)
    assert [r.draft.kind for r in kept] == ["roll", *["setting", "roll"] * 2, "roll", "setting", "roll", "roll"]
    texts = [r.draft.text for r in kept if r.draft.kind == "setting"]
    assert [text.split()[:3] for text in texts] == [
        ["system=v5", "official=yes", "botch=yes"],
        ["system=v5", "official=yes", "botch=no"],
        ["system=v5", "official=no", "botch=yes"],
    ]
    assert texts[1] == (
        "system=v5 official=yes botch=no wp_minutes=30 luck_rank_for_two=4 triples=table modifier_limit=2"
    )
    setting = kept[1].draft
    assert (setting.nick, setting.who, setting.line, setting.draws, setting.channel) == ("", "", "", (), "#fu")
    assert not [r for r in await ledger.of_channel("net", "#fu") if r.draft.kind == "setting"]


async def test_led_02_irc_09_by_which_names_are_the_same_is_kept(stored):
    """LED-02, IRC-09: a roll is judged again as it was, on a network where x[1] and x{1} are two people as well."""
    ledger = stored()
    await append(ledger, roll(), roll(casemapping="ascii"), roll(casemapping="ascii"), roll())
    kept = await everything(ledger)
    assert [r.draft.text.split()[-1] for r in kept if r.draft.kind == "setting"] == [
        "casemapping=ascii",
        "modifier_limit=none",
    ]
    rolls = [r.draft.casemapping for r in kept if r.draft.kind == "roll"]
    assert rolls == ["rfc1459", "ascii", "ascii", "rfc1459"]


async def test_led_02_settings_of_one_process_are_known_to_the_next(stored):
    """LED-02: two processes in turn, and one after a restart, write a setting only where it changes."""
    one, other = stored(), stored()
    await append(one, roll(official=True))
    await append(other, roll(official=True), roll())
    await append(one, roll(), roll(official=True))
    await append(stored(), roll(official=True))
    kinds = [r.draft.kind[0] for r in await everything(one)]
    assert "".join(kinds) == "srr" + "srr" + "srr"


async def test_led_06_what_was_not_delivered_is_known(stored):
    """LED-06: of each place what stands behind its mark, in order; what has no line is not posted."""
    ledger = stored()
    places = ["#fu", "#odd", "@alice", "#fu", "#fu", "#odd"]
    await append(ledger, *(roll(channel=place) for place in places), roll(network="other"), roll(line="", kind="seal"))
    assert [r.seq for r in await ledger.undelivered(["net"])] == [1, 2, 3, 4, 5, 6]
    assert [r.seq for r in await ledger.undelivered(["other"])] == [7]
    ledger.mark_delivered("net", "#fu", 4)
    ledger.mark_delivered("net", "@alice", 3)
    ledger.mark_delivered("net", "#fu", 1)
    await ledger.close()
    again = stored()
    assert [r.seq for r in await again.undelivered(["net"])] == [2, 5, 6]
    assert [r.seq for r in await again.undelivered(["net", "other"])] == [2, 5, 6, 7]


async def test_led_06_a_mark_is_written_without_a_further_record(stored):
    """LED-06: within a second."""
    ledger, other = stored(), stored()
    await append(ledger, roll())
    ledger.mark_delivered("net", "#fu", 1)
    async with asyncio.timeout(5):
        while await other.undelivered(["net"]):
            await asyncio.sleep(0.05)


async def test_time_is_looked_up_by_person(stored, clock):
    """LED-22: many records of one moment keep their order."""
    ledger = stored()
    await asyncio.gather(*(ledger.append(roll()) for _ in range(50)))
    clock.now += MINUTE
    await append(ledger, roll())
    assert [r.seq for r in await ledger.of_who("alice", START, START)] == list(range(1, 51))
    assert [r.seq for r in await ledger.latest(3, who="alice")] == [51, 50, 49]

"""Settings made in a channel, in a ledger on disk: they last, and rolls are checked by them (DSK-10, LED-16)."""

import asyncio

import pytest

from ircdice.ledger.record import DEFAULT_TERMS, terms_of

from .evening import Evening


def test_led_02_a_record_without_any_rule_has_the_defaults():
    """LED-02: rules that were added after a record was written do not change what it means."""
    assert terms_of("system=v5") == DEFAULT_TERMS


@pytest.mark.parametrize("missing", str(DEFAULT_TERMS).split())
def test_led_02_a_setting_that_is_missing_has_its_default(missing):
    """LED-02: each of them, whether a number, a word or a switch."""
    assert terms_of(str(DEFAULT_TERMS).replace(missing, "")) == DEFAULT_TERMS


def test_dsk_10_they_last_and_are_checked(tmp_path):
    """DSK-10, LED-02: the bot's own setting precedes the first roll by other rules, and the check is content."""
    evening = Evening(tmp_path)
    asyncio.run(
        evening.play("alice #fu: roll 5d10 h2", "sam* #fu: !channel botch no", "sam* #fu: !channel system fayrewood")
    )
    asyncio.run(evening.play("alice #fu: toss 3 2", "sam* #fu: !channel botch default", "alice #fu: toss 3 2"))
    records = evening.records
    kinds = [(record.draft.kind, record.draft.nick) for record in records if record.draft.kind != "stir"]
    assert kinds == [
        ("setting", ""),
        ("roll", "alice"),
        ("setting", "sam"),
        ("setting", ""),
        ("setting", "sam"),
        ("setting", ""),
        ("roll", "alice"),
        ("setting", "sam"),
        ("setting", ""),
        ("roll", "alice"),
    ]
    judged = [(r.draft.terms.system, r.draft.terms.house.botch) for r in records if r.draft.kind == "roll"]
    assert judged == [("v5", True), ("fayrewood", False), ("fayrewood", True)]
    assert evening.ask(lambda store: store.get(*[record.seq for record in records])) == records  # sam's is a command
    assert evening.check().sound

"""Exports (LED-07, LED-19), read by the example verifier in docs/, which knows nothing of our code."""

import pytest
from damages import DAMAGES
from evening import HERE, KEY, NET, SEEDS, played
from exported import objects, of_type

from ircdice.ledger import Record
from ircdice.ledger.export import covered
from ircdice.ledger.notes import SigningKey, base64, loss, read, succession

KEYS = {"type", "seq", "ts", "kind", "ref", "epoch", "counter", "generation", "network", "channel", "nick", "who"}
KEYS |= {"text", "draws", "line", "sealed", "blind", "rules", "tag", "leaf"}


@pytest.fixture
def evening():
    return played()


def test_led_19_an_honest_export_is_found_to_be_that(evening, verify):
    """LED-19: every leaf, root, signature, counter, and every die of the epoch that ended."""
    code, said = verify(evening.exported())
    assert (code, said.splitlines()[-1]) == (0, "all is well")
    assert "24 records of irc.example.net/ircdice, 2 withheld: covered, 1 withheld: private" in said
    assert "dice of 9 commands proved; of 6 not yet" in said


def test_led_07_each_kind_of_line(evening):
    """LED-07: the log first; records in order, each with the specification's keys; checkpoints; epochs."""
    lines = evening.exported(private=True)
    assert objects(lines)[0] == {
        "type": "log",
        "format": "ircdice/1",
        "origin": KEY.name,
        "key": base64(KEY.verifying.public),
    }
    records = of_type(lines, "record")
    assert [record["seq"] for record in records] == list(range(1, 25))
    assert {frozenset(record) - {"salt", "opened"} for record in records if "withheld" not in record} == {
        frozenset(KEYS)
    }
    assert [item["note"] for item in of_type(lines, "checkpoint")] == evening.notes
    first, second = of_type(lines, "epoch")
    assert (first["seed"], second["seed"]) == (SEEDS[1].hex(), None)
    assert [(mix["channel"], mix["generation"], mix["seq"]) for mix in first["mixes"]] == [(HERE, 1, 8)]
    assert bytes.fromhex(first["mixes"][0]["mix"]).decode().startswith("carol:caf\u00e9")


def test_led_07_what_may_not_be_shown_is_withheld(evening):
    """LED-07: of a contest that waits and a seal that is not revealed, and of private talk, the leaf alone."""
    records = of_type(evening.exported(), "record")
    withheld = {record["seq"]: record for record in records if "withheld" in record}
    assert {seq: record["withheld"] for seq, record in withheld.items()} == {
        13: "private",
        21: "covered",
        22: "covered",
    }
    assert {frozenset(record) for record in withheld.values()} == {frozenset({"type", "seq", "leaf", "withheld"})}


def test_led_07_private_rolls_if_wanted(evening, verify):
    """LED-07: `--private` shows private talk, and still nothing that is covered."""
    lines = evening.exported(private=True)
    assert {record["seq"] for record in of_type(lines, "record") if "withheld" in record} == {21, 22}
    assert verify(lines)[0] == 0


@pytest.mark.parametrize(
    ("events", "waiting"),
    [
        ([(1, "contest", 0, False)], {1}),
        ([(1, "contest", 0, False), (2, "answer", 1, False)], set()),
        ([(1, "contest", 0, False), (2, "lapse", 1, False)], set()),
        ([(1, "contest", 0, False), (2, "withheld", 1, False)], set()),
        ([(1, "contest", 0, False), (2, "withheld", 0, False)], {1}),
        ([(1, "contest", 0, False), (2, "discard", 1, False)], {1}),
        ([(1, "seal", 0, True), (2, "withheld", 1, False)], {1}),
        ([(1, "seal", 0, True)], {1}),
        ([(1, "seal", 0, True), (2, "answer", 1, False)], {1}),
        ([(1, "seal", 0, True), (2, "roll", 1, False), (3, "reveal", 1, False)], set()),
        ([(1, "contest", 0, True), (2, "answer", 1, False)], {1}),
        ([(1, "contest", 0, True), (2, "reveal", 1, False)], {1}),
        ([(1, "roll", 0, False), (2, "roll", 0, True)], {2}),
    ],
)
def test_led_17_what_waits_to_be_shown(events, waiting):
    """LED-17: a contest until it is answered or lapses, whether or not that was redacted; a seal until revealed."""
    assert covered(events) == waiting


def test_led_25_a_redacted_record_keeps_its_leaf(evening, verify):
    """LED-25: every root still holds, and a counter that only a redacted record can have used is no gap."""
    for seq in (3, 23):
        record = evening.records[seq - 1]
        evening.records[seq - 1] = Record.withheld(seq, record.ts, record.leaf, "redacted")
    lines = evening.exported()
    assert "roll 1d100" not in "".join(lines)
    code, said = verify(lines)
    assert code == 0
    assert "2 withheld: redacted" in said


def test_led_18_an_export_over_two_keys(evening, verify):
    """LED-18: the key of the first line is enough: each checkpoint that names a new one hands over."""
    new = SigningKey(KEY.name, b"\x77" * 32)
    evening.checkpoint(3, remarks=[succession(new.verifying)])
    evening.roll("dave", 2)
    evening.checkpoint(3, key=new)
    assert verify(evening.exported())[0] == 0
    evening.checkpoint(3, key=KEY)
    assert verify(evening.exported())[0] == 1


def test_led_12_a_loss_that_was_said_aloud(evening, verify):
    """LED-12: after `--accept-loss` the checkpoint that was ahead is void, and the verifier repeats what was said."""
    del evening.records[20:]
    evening.counters[2, NET, HERE] = 5
    evening.checkpoint(3, remarks=[loss(21, 24)])
    evening.epoch = 3
    for _ in range(8):
        evening.roll("dave", 2)
    evening.checkpoint(4)
    code, said = verify(evening.exported())
    assert code == 0, said
    assert "the checkpoint of 20 records gives up what was recorded from 21 on" in said
    kept = [read(item["note"]).checkpoint.size for item in of_type(evening.exported(), "checkpoint")]
    assert kept == [0, 6, 13, 14, 24, 20, 28]


@pytest.mark.parametrize(("damage", "kind", "first"), DAMAGES)
def test_led_16_damage_is_named(evening, verify, damage, kind, first):
    """LED-16, LED-19: what was done, and the first record that is wrong."""
    damage(evening)
    code, said = verify(evening.exported(private=True))
    assert code == 1, said
    where = f"record {first}: " if first else ""
    assert said.startswith(f"{kind}: {where}"), said
    assert said.endswith("broken\n")

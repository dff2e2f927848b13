"""Export and import (LED-07), the proof of one roll, and what a program with no code of ours says of them (LED-19)."""

import asyncio
import json
from hashlib import sha256

import pytest
from exported import checked, of_type

from ircdice.errors import ExportError
from ircdice.ledger.archive import import_into, proof_of
from ircdice.ledger.checkpoint import read
from ircdice.ledger.record import Draft

from .evening import Evening


def verified(lines, folder, *arguments):
    """What the example verifier says of those lines."""
    file = folder / "export.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return checked(file, *arguments)


def test_led_19_an_evening_is_proved_without_our_code(url, tmp_path):
    """LED-19: on both databases, the export of a played evening is sound for a program that knows only the format."""
    played = Evening(tmp_path / "house", url)
    asyncio.run(played.play_all())
    code, said = verified(played.export(private=True), tmp_path, "--notes", played.paths.checkpoints.file)
    assert code == 0, said
    assert "dice of 9 commands proved; of 4 not yet" in said, "the contest that waits is not shown"


def test_led_07_what_an_export_holds(played):
    """LED-07: the log, every record, each checkpoint after the records that it counts, the epochs with their stirs."""
    lines = played.export()
    items = [json.loads(line) for line in lines]
    assert items[0] == {"type": "log", "format": "ircdice/1", "origin": "dice.example/one", "key": items[0]["key"]}
    assert [item["seq"] for item in of_type(lines, "record")] == list(range(1, 27))
    counted = 0
    for item in items:
        if item["type"] == "record":
            counted = item["seq"]
        elif item["type"] == "checkpoint":
            assert read(item["note"]).size == counted
    epochs = of_type(lines, "epoch")
    assert [bool(epoch["seed"]) for epoch in epochs] == [True, False, False]
    assert [(mix["seq"], mix["generation"]) for mix in epochs[0]["mixes"]] == [(1, 1), (7, 1), (10, 2)]
    assert bytes.fromhex(epochs[0]["mixes"][0]["mix"]) == b"start:1700000001"


def test_led_07_what_may_not_be_shown_is_withheld(played):
    """LED-07, LED-17: covered dice, secrets and private rolls have their leaf alone; a revealed secret opens."""
    withheld = {item["seq"]: item["withheld"] for item in of_type(played.export(), "record") if "withheld" in item}
    assert withheld == {13: "private", 17: "covered", 23: "covered"}
    with_private = of_type(played.export(private=True), "record")
    assert {item["seq"] for item in with_private if "withheld" in item} == {17, 23}
    assert [item["opened"] for item in with_private if "opened" in item] == ["4"]


async def test_led_25_what_was_redacted_stays_withheld(played, tmp_path):
    """LED-25: the leaf is exported, so that every root still holds."""
    async with played.open() as ledger:
        await ledger.redact({"~dave"})
    lines = played.export(private=True)
    assert {item["seq"] for item in of_type(lines, "record") if item.get("withheld") == "redacted"} == {25, 26}
    assert verified(lines, tmp_path)[0] == 0
    at, item = next((at, item) for at, item in enumerate(map(json.loads, lines)) if item.get("seq") == 4)
    lines[at] = json.dumps({name: item[name] for name in ("type", "seq", "leaf")} | {"withheld": "redacted"})
    code, said = verified(lines, tmp_path)
    assert (code, said.splitlines()[0]) == (
        1,
        "altered: 1 more records are called redacted than all redactions removed",
    )


async def test_led_12_a_loss_that_was_accepted_is_exported(played, tmp_path):
    """LED-12: the checkpoints that count what was lost are exported before the one that gives it up."""
    played.sql("DELETE FROM records WHERE seq > 20")
    await played.play("alice #fu: roll 5d10 h0", accept_loss=True)
    lines = played.export(private=True)
    code, said = verified(lines, tmp_path)
    assert code == 0, said
    other = Evening(tmp_path / "other")
    report, _, _ = import_into(other.paths, lines)
    assert report.records == len(played.records)


def test_led_07_an_import_arrives_at_the_same_roots(played, url, tmp_path):
    """LED-07: on both databases; the import is sound, nothing of it is posted again, and its export is the same."""
    other = Evening(tmp_path / "other", url)
    lines = played.export(private=True)
    report, _, root = import_into(other.paths, lines)
    assert (report.records, report.withheld, root) == (26, 2, played.root())
    assert [record.leaf for record in other.records] == [record.leaf for record in played.records]
    assert other.check().findings == ()
    assert other.ask(lambda store: store.undelivered(["net"], 10)) == []
    assert other.export(private=True) == lines


def altered(kind, number=None, /, **changed):
    """The export with a line of that kind, and number, changed."""

    def change(lines):
        items = [json.loads(line) for line in lines]
        next(item for item in items if item["type"] == kind and item.get("seq") == number).update(changed)
        return [json.dumps(item) for item in items]

    return change


def without(part):
    return lambda lines: [line for line in lines if part not in line]


DAMAGES = {
    "empty": (lambda lines: [], "the export is empty"),
    "no log": (lambda lines: lines[1:], "line 1 of the export is not valid: an export begins with its log"),
    "two exports": (lambda lines: lines + lines, "and has only one"),
    "not JSON": (lambda lines: ["{", *lines], "line 1 of the export is not valid"),
    "another key": (altered("log", key="A" * 43 + "="), "not signed by"),
    "another format": (altered("log", format="ircdice/9"), "no log of format ircdice/1"),
    "a line altered": (altered("record", 4, line="alice: Critical"), "altered: record 4: its leaf"),
    "a leaf altered": (altered("record", 23, leaf="00" * 32), "altered: record 18: records 18 to 26"),
    "a leaf that is none": (altered("record", 4, leaf="zz"), "line .* is not valid"),
    "what was sealed altered": (altered("record", 14, opened="3"), "sealed is '"),
    "a number altered": (altered("record", 4, seq=5), "it is record 5, after record 3"),
    "a number that is none": (altered("record", 4, counter=True), "counter is True"),
    "an unknown key": (altered("record", 4, extra="Critical"), "too much or missing: extra"),
    "an unknown kind": (altered("record", 4, kind="dance"), "'dance' is no kind of record"),
    "a record called withheld": (altered("record", 4, kind="withheld"), "too much or missing"),
    "an unknown reason": (altered("record", 23, withheld="because"), "withheld is 'because'"),
    "a record missing": (without('"seq":12,'), "it is record 13, after record 11"),
    "the tail missing": (without('"seq":26,'), "cut off: record 26: a checkpoint signs 26 records"),
    "no checkpoint": (without('{"type":"checkpoint"'), "missing: no checkpoint signs the records"),
    "another seed": (altered("epoch", seed="00" * 32), "the seed of epoch 1 is not the one"),
    "an epoch missing": (without('{"type":"epoch","epoch":2,'), "it is epoch 3, after epoch 1"),
    "an epoch twice": (lambda lines: [*lines, lines[-1]], "it is epoch 3, after epoch 3"),
    "a key of a line twice": (
        lambda lines: [lines[0].replace("{", '{"key":"",', 1), *lines[1:]],
        "a key is there twice",
    ),
}


@pytest.mark.parametrize(("damage", "sentence"), DAMAGES.values(), ids=DAMAGES)
def test_led_07_a_damaged_export_is_refused(played, tmp_path, damage, sentence):
    """LED-07: with what is wrong, and nothing of it is kept; the sound export can then be imported."""
    other = Evening(tmp_path / "other")
    lines = played.export(private=True)
    with pytest.raises(ExportError, match=sentence):
        import_into(other.paths, damage(lines))
    assert not other.paths.database.exists()
    report, _, _ = import_into(other.paths, lines)
    assert report.records == 26


async def test_led_07_only_an_empty_ledger_is_filled(played):
    """LED-07: nothing is added to records that are there, and they stay as they are."""
    before = played.export(private=True)
    with pytest.raises(ExportError, match="has records"):
        import_into(played.paths, before)
    assert played.export(private=True) == before


def root_of(proof):
    """The root that a proof leads to, by RFC 6962."""
    index, last = proof["index"], read(proof["checkpoint"]).size - 1
    found = bytes.fromhex(proof["record"]["leaf"])
    for step in map(bytes.fromhex, proof["path"]):
        if index & 1 or index == last:
            found = sha256(b"\1" + step + found).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            found = sha256(b"\1" + found + step).digest()
        index, last = index >> 1, last >> 1
    return found


@pytest.mark.parametrize("seq", [1, 2, 12, 16, 18, 25, 26])
def test_led_19_the_proof_of_one_roll(played, tmp_path, seq):
    """LED-19: one record, the path to a signed root, and the epoch that its dice came from."""
    proof = played.ask(lambda store: proof_of(store, seq))
    assert root_of(proof) == read(proof["checkpoint"]).root
    assert proof["record"] == of_type(played.export(), "record")[seq - 1]
    if proof["record"]["epoch"]:
        assert proof["epoch"]["mixes"][0]["generation"] == 1
    else:
        assert proof["epoch"] is None


@pytest.mark.parametrize("seq", [13, 17, 23, 27])
def test_led_21_no_proof_of_what_may_not_be_shown(played, seq):
    """LED-21: private, secret and covered rolls, and those that do not exist."""
    assert played.ask(lambda store: proof_of(store, seq)) is None


async def test_led_19_proofs_in_a_large_ledger(tmp_path):
    """LED-19: of any record, whatever checkpoints are around it; of none that no checkpoint counts yet."""
    played = Evening(tmp_path)
    async with played.open() as ledger:
        draft = Draft("roll", "net", "#fu", "alice", "~alice", "roll 5d10", (), "alice: …")
        await asyncio.gather(*(ledger.append(draft) for _ in range(330)))
        await ledger.append(draft)
        assert (await ledger.read(lambda store: proof_of(store, 331))) is None
    for seq in (1, 64, 99, 100, 101, 128, 200, 257, 299, 330):
        proof = played.ask(lambda store, seq=seq: proof_of(store, seq))
        assert root_of(proof) == read(proof["checkpoint"]).root, seq

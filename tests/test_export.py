"""Exports (LED-07, LED-19), read by the example verifier in docs/, which knows nothing of our code."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from damages import CROOK, DAMAGES, other_dice, resign
from evening import HERE, KEY, NET, SEEDS, THERE, played
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ircdice.ledger import Draft, Record
from ircdice.ledger.export import covered
from ircdice.ledger.notes import SigningKey, base64, loss, read, succession

VERIFIER = Path(__file__).parents[1] / "docs" / "check_export.py"
KEYS = {"type", "seq", "ts", "kind", "ref", "epoch", "counter", "generation", "network", "channel", "nick", "who"}
KEYS |= {"text", "draws", "line", "sealed", "blind", "rules", "tag", "leaf"}


@pytest.fixture
def evening():
    return played()


@pytest.fixture
def verify(tmp_path):
    """The example verifier on those lines: its exit code and what it says."""

    def run(lines, *arguments):
        file = tmp_path / "export.jsonl"
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        command = [sys.executable, "-I", str(VERIFIER), str(file), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    return run


def objects(lines):
    return [json.loads(line) for line in lines]


def of_type(lines, kind):
    return [item for item in objects(lines) if item["type"] == kind]


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
        ([(1, "contest", 0, False), (2, "discard", 1, False)], {1}),
        ([(1, "seal", 0, True)], {1}),
        ([(1, "seal", 0, True), (2, "answer", 1, False)], {1}),
        ([(1, "seal", 0, True), (2, "roll", 1, False), (3, "reveal", 1, False)], set()),
        ([(1, "contest", 0, True), (2, "answer", 1, False)], {1}),
        ([(1, "contest", 0, True), (2, "reveal", 1, False)], {1}),
        ([(1, "roll", 0, False), (2, "roll", 0, True)], {2}),
    ],
)
def test_led_17_what_waits_to_be_shown(events, waiting):
    """LED-17: a contest until it is answered or lapses, a seal until it is revealed."""
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
    assert said.startswith(f"{kind}: record {first}: "), said
    assert said.endswith("broken\n")


def test_led_13_a_seed_chosen_afterwards(evening, verify):
    """LED-13: the seed is the one that was committed to before the epoch began, or it proves nothing."""
    lines = objects(evening.exported())
    for item in lines:
        if item["type"] == "epoch" and item["epoch"] == 1:
            item["seed"] = SEEDS[5].hex()
    code, said = verify(map(json.dumps, lines))
    assert code == 1
    assert "the seed of epoch 1 is not the one that was committed to" in said


def test_led_13_an_epoch_that_was_never_committed_to(evening, verify):
    """LED-13: an epoch's commitment stands in a checkpoint before its first record."""
    lines = [line for line in evening.exported() if json.loads(line).get("note") not in evening.notes[:3]]
    code, said = verify(lines)
    assert code == 1
    assert said.startswith("altered: record 2: epoch 1 ")


def test_led_14_a_channels_roll_from_nowhere_is_said(evening, verify):
    """LED-14: dice without an epoch are for private and secret rolls; others are no damage, but they are counted."""
    draws = ((10, 10),) * 5
    evening.record(Draft("roll", NET, THERE, "mallory", "mallory", "roll 5d10", draws, "mallory: 10 10 10 10 10"))
    code, said = verify(evening.exported())
    assert code == 0
    assert "1 rolls in channels are bound by no seed, the first is record 25" in said


def test_led_12_a_checkpoint_that_somebody_kept(evening, verify, tmp_path):
    """LED-12: whoever logged a checkpoint can hold any later export against it, by its note or by its root."""
    kept = tmp_path / "kept"
    kept.write_text(f"{evening.notes[2]}\n\n{evening.notes[1]}", "utf-8")
    six, root = 6, base64(read(evening.notes[1]).checkpoint.root)
    honest = evening.exported()
    assert verify(honest, "--notes", kept, "--root", six, root)[0] == 0
    other_dice(evening, 5)
    evening.rewrite(5, draws=played().records[4].draft.draws, line="bob: another story")
    resign(evening)
    rewritten = evening.exported()
    assert verify(rewritten)[0] == 0
    code, said = verify(rewritten, "--notes", kept)
    assert (code, said.partition(":")[0]) == (1, "forked")
    assert verify(rewritten, "--root", six, root)[0] == 1


def test_led_12_the_key_that_one_knows(evening, verify):
    """LED-12: an export that names its own key is believed only by who does not know the true one."""
    resign(evening, CROOK)
    lines = evening.exported()
    lines[0] = lines[0].replace(base64(KEY.verifying.public), base64(CROOK.verifying.public))
    assert verify(lines)[0] == 0
    assert verify(lines, "--key", base64(KEY.verifying.public))[0] == 1
    assert verify(played().exported(), "--key", base64(KEY.verifying.public))[0] == 0


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [""],
        ["{"],
        ["[]"],
        ['{"type":"log"}'],
        ['{"type":"log","format":"ircdice/2","origin":"a","key":""}'],
        ['{"type":"log","format":"ircdice/1","origin":"a","key":""}', '{"type":"checkpoint","note":"x"}'],
    ],
)
def test_led_19_what_is_no_export(verify, lines):
    """LED-19: one line says so, and the exit code is 2."""
    code, said = verify(lines)
    assert code == 2
    assert "cannot be read" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"ts": -1},
        {"ts": "now"},
        {"draws": [[10]]},
        {"draws": 5},
        {"blind": "xy"},
        {"line": None},
        {"leaf": "00"},
        {"who": {}},
    ],
    ids=str,
)
def test_led_19_a_record_of_another_form(evening, verify, wrong):
    """LED-19: whatever stands in a record, it is found to be altered and nothing falls over."""
    lines = objects(evening.exported())
    next(item for item in lines if item.get("seq") == 4).update(wrong)
    code, said = verify(map(json.dumps, lines))
    assert code == 1
    assert said.startswith("altered: record 4: ")


def test_led_19_the_verifier_knows_nothing_of_ours():
    """LED-19: the standard library and `cryptography` only."""
    source = VERIFIER.read_text("utf-8")
    assert "import ircdice" not in source
    assert "from ircdice" not in source
    assert "grammars" not in source


@pytest.fixture(scope="module")
def checker():
    """The example verifier as a module, to ask it often."""
    spec = importlib.util.spec_from_file_location("check_export", VERIFIER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def faults(items):
        check = module.Check(iter(items), None, [])
        check.records(iter(items))
        check.checkpoints()
        return check.faults

    return faults


LINES = [json.loads(line) for line in played().exported(private=True)]
RECORDS = [at for at, item in enumerate(LINES) if item["type"] == "record"]
OTHERS = {
    str: lambda old: st.sampled_from(["", f"{old} ", f"x{old}", old.swapcase(), old[:-1]]),
    int: lambda old: st.integers(0, 2**31),
    list: lambda old: st.sampled_from([[], old[:-1], old[::-1], [*old, [10, 3]], [[10, 10]] * len(old)]),
}


@given(st.sampled_from(RECORDS), st.data())
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_led_19_no_field_can_be_another(checker, at, data):
    """LED-19: whichever field of whichever record is altered, the verifier finds that record, or its very place."""
    item = LINES[at]
    field = data.draw(st.sampled_from(sorted(item.keys() - {"type", "withheld"})))
    other = data.draw(OTHERS[type(item[field])](item[field]))
    hexadecimal = field in {"leaf", "blind", "sealed", "salt"}
    if other == item[field] or (hexadecimal and other.strip().lower() == item[field]):
        return
    faults = checker([*LINES[:at], {**item, field: other}, *LINES[at + 1 :]])
    assert faults
    if field not in {"seq", "leaf"}:
        assert min(faults)[0] == item["seq"]


@given(st.sampled_from(RECORDS), st.sampled_from(RECORDS))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_led_19_no_record_can_be_elsewhere(checker, one, other):
    """LED-19: two lines exchanged, or one left out or said twice."""
    lines = list(LINES)
    lines[one], lines[other] = lines[other], lines[one]
    assert bool(checker(lines)) == (one != other)
    assert checker([*LINES[:one], *LINES[one + 1 :]])
    assert checker([*LINES[:one], LINES[one], *LINES[one:]])


def forged(text, **changed):
    return json.dumps(json.loads(text) | changed, separators=(",", ":"))


def first_roll(lines):
    return next(at for at, line in enumerate(lines) if '"kind":"roll"' in line)


@pytest.mark.parametrize("why", ["redacted", "covered", ["x"]])
def test_led_19_what_is_withheld_holds_nothing_else(evening, verify, why):
    """LED-19: content beside the word is bound by no leaf, whatever anybody reads there."""
    lines = evening.exported()
    at = first_roll(lines)
    lines[at] = forged(lines[at], line="mallory: Critical", withheld=why)
    assert verify(lines)[0] == 1


def test_led_19_a_key_stands_once(evening, verify):
    """LED-19: people read the first, programs the last."""
    lines = evening.exported()
    at = first_roll(lines)
    lines[at] = lines[at].replace("{", '{"line":"mallory: Critical",', 1)
    assert verify(lines)[0] == 2


def test_led_19_how_far_it_is_signed(evening, verify):
    """LED-19: without a checkpoint nothing is proved; behind the last one it is nobody's word."""
    lines = evening.exported()
    unsigned = [line for line in lines if '"type":"checkpoint"' not in line and '"type":"epoch"' not in line]
    code, said = verify(unsigned)
    assert (code, "nobody has signed this" in said) == (1, True)
    evening.roll("dave", 2)
    code, said = verify(evening.exported())
    assert (code, said.splitlines()[-1]) == (0, "all is well up to record 24, no word of the rest")
    assert "signed up to record 24 of 25" in said


@pytest.mark.parametrize("line", ["[" * 100_000, '{"type":"record","seq":NaN,"withheld":"private","leaf":""}'])
def test_led_19_lines_that_no_export_has(evening, verify, line):
    """LED-19: cannot be read, and no traceback."""
    assert verify([*evening.exported(), line])[0] == 2


def test_led_19_two_exports_are_none(evening, verify, tmp_path):
    """LED-19: the key of which of them?; and a file of checkpoints that holds none compares nothing."""
    lines = evening.exported()
    assert verify([*lines, lines[0]])[0] == 2
    (tmp_path / "notes").write_text("no note")
    assert verify(lines, "--notes", tmp_path / "notes")[0] == 2


def test_led_15_words_that_name_their_speaker(verify):
    """LED-15: whatever words are stirred in, they are what stands behind the first name."""
    evening = played()
    evening.stir("bob", "bob: and bob:words")
    evening.checkpoint(3)
    evening.revealed = {1, 2}
    assert verify(evening.exported())[0] == 0

"""LED-19: docs/check_export.py, the example verifier, on exports that somebody has altered or that are none."""

import json

import pytest
from damages import CROOK, DAMAGES, other_dice, resign
from evening import KEY, NET, SEEDS, THERE, played
from exported import CHECK_EXPORT, VERIFIER, objects, refused
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ircdice.ledger import Draft
from ircdice.ledger.checkpoint import base64, read
from ircdice.ledger.paths import commitment


@pytest.fixture
def evening():
    return played()


@pytest.mark.parametrize(("damage", "kind", "first"), DAMAGES)
def test_led_19_what_was_done_is_named(evening, verify, damage, kind, first):
    """LED-16, LED-19: with the first record that is wrong, in the words of `ledger check`."""
    damage(evening)
    code, said = verify(evening.exported(private=True))
    where = f"record {first}: " if first else ""
    assert (code, said.startswith(f"{kind}: {where}")) == (1, True), said


def test_led_13_a_seed_chosen_afterwards(evening, verify):
    """LED-13: the seed is the one that was committed to before the epoch began, or it proves nothing."""
    lines = objects(evening.exported())
    for item in lines:
        if item["type"] == "epoch" and item["epoch"] == 1:
            item["seed"] = SEEDS[5].hex()
    code, said = verify(map(json.dumps, lines))
    assert code == 1
    assert said.startswith("altered: the seed of epoch 1 is not the one that was committed to\n24 records")
    assert "not those of epoch" not in said, "no record is to blame"


def test_led_13_a_seed_chosen_afterwards_with_its_commitment(evening, verify):
    """LED-13: the epoch is not the one that a checkpoint knows; no record is judged by it."""
    lines = objects(evening.exported())
    for item in lines:
        if item["type"] == "epoch" and item["epoch"] == 1:
            item |= {"seed": SEEDS[5].hex(), "commitment": commitment(1, SEEDS[5]).hex()}
    code, said = verify(map(json.dumps, lines))
    assert (code, said.count("altered")) == (1, 1), said
    assert said.startswith("altered: record 2: epoch 1 is not what was committed to"), said


def test_led_13_an_epoch_that_no_checkpoint_knows(evening, verify):
    """LED-13: somebody wrote it into the list."""
    more = {"type": "epoch", "epoch": 99, "commitment": "0" * 64, "seed": None, "mixes": []}
    code, said = verify([*evening.exported(), json.dumps(more)])
    assert code == 1
    assert said.startswith("altered: epoch 99 is in the list of epochs, and no checkpoint knows of it")


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
    six, root = 6, base64(read(evening.notes[1]).root)
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
        {"draws": [["10", "3"]]},
        {"ts": 1700000004000.0},
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


FALSELY = [  # of the record with that number, what is changed there; a sound leaf says nothing of it
    (4, {"extra": "mallory: Critical"}),
    (4, {"salt": "44" * 16, "opened": "9"}),
    (4, {"ref": False}),
    (5, {"counter": True}),
    (9, {"generation": True}),
    (23, {"draws": [["100", "45"]]}),
    (10, {"opened": None}),
    (10, {"salt": None}),
    (10, {"opened": None, "salt": None}),
]


@pytest.mark.parametrize(("seq", "wrong"), FALSELY, ids=str)
def test_led_19_what_no_leaf_binds_is_refused_by_all(evening, verify, seq, wrong):
    """LED-07, LED-19: another key, `true` for a 1, half a seal: checker and import name the line."""
    lines = objects(evening.exported())
    line, item = next((n, item) for n, item in enumerate(lines, 1) if item.get("seq") == seq)
    altered = {key: value for key, value in (item | wrong).items() if value is not None}
    lines[line - 1] = altered
    code, said = verify(map(json.dumps, lines))
    assert code == 1
    assert said.startswith(f"altered: record {seq}: line {line} is not of the form of a record: ")
    assert refused(map(json.dumps, lines)).startswith(f"line {line} of the export is not valid: ")


def test_led_19_a_number_is_no_word_for_yes(evening, verify):
    """LED-07, LED-19: a record whose number is `true` has none."""
    lines = [line.replace('"seq":1,', '"seq":true,', 1) for line in evening.exported()]
    code, said = verify(lines)
    assert (code, "line 3 is a record with the number True" in said) == (2, True), said
    assert refused(lines) == "line 3 of the export is not valid: seq is True."


def test_led_19_the_verifier_knows_nothing_of_ours():
    """LED-19: the standard library and `cryptography` only."""
    source = VERIFIER.read_text("utf-8")
    assert "import ircdice" not in source
    assert "from ircdice" not in source
    assert "grammars" not in source


@pytest.fixture(scope="module")
def checker():
    """The example verifier as a module, to ask it often."""

    def faults(items):
        check = CHECK_EXPORT.Check(iter(items), None, [])
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
    assert (code, "no one has signed this" in said) == (1, True)
    evening.roll("dave", 2)
    code, said = verify(evening.exported())
    assert (code, said.splitlines()[-1]) == (0, "all is well up to record 24, the rest is not signed")
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

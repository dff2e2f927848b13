"""LED-07, LED-19: what `ledger import` refuses the example verifier calls broken as well, and the other way round."""

import json

import pytest
from evening import SEEDS, played
from exported import refused

from ircdice.ledger.paths import commitment

LINES = list(played().exported())
OBJECTS = [json.loads(line) for line in LINES]


def at(kind):
    return [number for number, item in enumerate(OBJECTS) if item["type"] == kind]


RECORDS, NOTES, EPOCHS = at("record"), at("checkpoint"), at("epoch")


def without(*numbers):
    return [line for number, line in enumerate(LINES) if number not in numbers]


def changed(number, **values):
    """The export with other values in one line; without those that are `...`."""
    item = {key: value for key, value in (OBJECTS[number] | values).items() if value is not ...}
    return [*LINES[:number], json.dumps(item), *LINES[number + 1 :]]


def picked(*parts):
    return [LINES[number] for part in parts for number in part]


THIRD = json.dumps({"type": "epoch", "epoch": 3, "commitment": "0" * 64, "seed": None, "mixes": []})
BROKEN = {
    "two logs": [LINES[0], *LINES],
    "a log at the end": [*LINES, LINES[0]],
    "a log behind a checkpoint": [LINES[1], LINES[0], *LINES[2:]],
    "no epochs": without(*EPOCHS),
    "the first epoch gone": without(EPOCHS[0]),
    "the last epoch gone": without(EPOCHS[1]),
    "an epoch twice": [*LINES, LINES[EPOCHS[0]]],
    "the last epoch twice": [*LINES, LINES[EPOCHS[1]]],
    "epochs the other way round": picked(range(EPOCHS[0]), reversed(EPOCHS)),
    "an epoch that was never promised": [*LINES, THIRD.replace('"epoch": 3', '"epoch": 4')],
    "an epoch that was not so promised": [*LINES, THIRD],
    "another commitment": changed(EPOCHS[1], commitment="11" * 32),
    "a seed in capitals": changed(EPOCHS[0], seed=OBJECTS[EPOCHS[0]]["seed"].upper()),
    "an epoch without stirs": changed(EPOCHS[0], mixes=...),
    "an epoch without a word on its seed": changed(EPOCHS[0], seed=...),
    "another mix": changed(EPOCHS[0], mixes=[OBJECTS[EPOCHS[0]]["mixes"][0] | {"mix": "00"}]),
    "an epoch called true": changed(EPOCHS[0], epoch=True),
    "epochs first": picked([0], EPOCHS, range(1, EPOCHS[0])),
    "a record behind the epochs": picked(range(RECORDS[-1]), range(RECORDS[-1] + 1, len(LINES)), [RECORDS[-1]]),
    "checkpoints first": picked([0], NOTES, [n for n in range(1, len(LINES)) if n not in NOTES]),
    "checkpoints last": picked([n for n in range(EPOCHS[0]) if n not in NOTES], NOTES, EPOCHS),
    "the first checkpoint gone": without(NOTES[0]),
    "no checkpoints": without(*NOTES),
    "a leaf in capitals": changed(RECORDS[4], leaf=OBJECTS[RECORDS[4]]["leaf"].upper()),
    "a leaf with blanks": changed(RECORDS[4], leaf=" " + OBJECTS[RECORDS[4]]["leaf"]),
    "a hidden leaf of one byte": changed(RECORDS[12], leaf="00"),
    "half a key": changed(0, key="AAAA"),
    "cut at a record": LINES[: RECORDS[-3]],
    "cut at a checkpoint": LINES[: NOTES[-1]],
}


@pytest.mark.parametrize("what", BROKEN)
def test_led_19_what_neither_takes(verify, what):
    """LED-07, LED-19: no ledger is made of it, and it is no proof."""
    lines = BROKEN[what]
    assert refused(lines)
    code, said = verify(lines)
    assert code in (1, 2), said


def test_led_19_what_both_take(verify):
    """LED-07, LED-19: a sound export; one less a checkpoint in between; lines and keys that are not known yet."""
    more = '{"type":"later","more":1}'
    promised = THIRD.replace("0" * 64, commitment(3, SEEDS[3]).hex())
    for lines in (LINES, without(NOTES[3]), [LINES[0], more, *LINES[1:]], changed(0, more=1), [*LINES, promised]):
        assert refused(lines) is None
        code, said = verify(lines)
        assert code == 0, said


REFUSALS = {
    "two logs": "line 2 of the export is not valid: an export begins with its log, and has only one.",
    "an epoch twice": f"line {len(LINES) + 1} of the export is not valid: it is epoch 1, after epoch 2.",
    "a record behind the epochs": f"line {len(LINES)} of the export is not valid: a record comes after the epochs.",
    "no epochs": "the export is not sound: missing: record 2: epoch 1 is not in the list of epochs.",
    "no checkpoints": "the export is not sound: missing: no checkpoint signs the records.",
    "the first checkpoint gone": "the export is not sound: altered: record 2: epoch 1 was not committed to in any "
    "checkpoint.",
    "checkpoints first": "the export is out of order: a checkpoint of 6 records is not after these.",
    "cut at a record": "the export is not sound: missing: record 2: epoch 1 is not in the list of epochs.",
}


@pytest.mark.parametrize("what", REFUSALS)
def test_led_07_what_is_wrong_is_said(what):
    """LED-07: with the line or the record."""
    assert refused(BROKEN[what]) == REFUSALS[what]


def test_led_13_an_epoch_that_is_left_out_is_told(verify):
    """LED-13, LED-19: with the first record that drew from it."""
    code, said = verify(BROKEN["no epochs"])
    assert code == 1
    assert said.startswith("missing: record 2: epoch 1, which it drew from, is not in the list of epochs")

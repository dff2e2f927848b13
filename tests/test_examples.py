"""The specification's worked throws of V5, each table of them through the engine (V5-01..V5-21)."""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"

EXAMPLES = [json.loads(line) for line in (DATA / "v5_examples.jsonl").read_text("utf-8").splitlines()]


def check(answer, wanted):
    """What an example names must come back; what it does not name is free."""
    if wanted.get("error"):
        assert answer["error"]
        return
    assert "error" not in answer, answer
    if "labels" in wanted:
        assert set(answer["labels"]) == set(wanted["labels"])
        assert len(answer["labels"]) == len(wanted["labels"])
    for name, value in wanted.get("values", {}).items():
        assert answer["values"][name] == value
    if "opponent" in wanted:
        check(answer["opponent"], wanted["opponent"])


def said(example, number):
    return [{"table": str(number), "system": example["system"], **line} for line in example["say"]]


def test_every_example_is_here():
    """V5-01..V5-21: an empty file would prove nothing."""
    assert len(EXAMPLES) == 32
    named = {name for example in EXAMPLES for wanted in example["expect"] for name in wanted}
    assert named <= {"labels", "values", "opponent", "error"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["say"][0]["text"])
def test_v5_examples(evaluate, example):
    """V5-01..V5-21: labels and values as the specification has them."""
    for line, wanted in zip(said(example, 0), example["expect"], strict=True):
        check(evaluate(line), wanted)


def test_v5_examples_through_the_real_command(command):
    """V5-01..V5-21: all of them through one `python -m ircdice eval --lines`, tables side by side."""
    lines = [line for number, example in enumerate(EXAMPLES) for line in said(example, number)]
    wanted = [each for example in EXAMPLES for each in example["expect"]]
    done = command("eval", "--lines", said="".join(json.dumps(line) + "\n" for line in lines))
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["text"] for answer in answers] == [line["text"] for line in lines]
    for answer, expected in zip(answers, wanted, strict=True):
        check(answer, expected)

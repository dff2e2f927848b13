"""The specification's worked throws of every game, through the real command."""

import json
from pathlib import Path

EXAMPLES = {
    file.stem.removeprefix("examples_"): [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for file in sorted((Path(__file__).parents[1] / "data").glob("examples_*.jsonl"))
}
PLAYED = [(game, example) for game, examples in EXAMPLES.items() for example in examples]
ELSEWHERE = [(game, example) for game in ("v5", "crossroads") for example in EXAMPLES["generic"]]


def check(answer, wanted):
    """What an example names must come back; what it does not name is free."""
    if wanted.get("error"):
        assert answer["error"]
        return
    assert "error" not in answer, answer
    labels = answer["labels"]
    assert sorted(labels) == sorted(wanted.get("labels", labels))
    assert set(labels).issuperset(wanted.get("labels_include", ()))
    assert set(labels).isdisjoint(wanted.get("labels_exclude", ()))
    values = wanted.get("values", {})
    assert {name: answer["values"].get(name) for name in values} == values
    if "opponent" in wanted:
        check(answer["opponent"], wanted["opponent"])


def said(example, table, system):
    return [{"table": str(table), "system": system, **line} for line in example["say"]]


def test_every_example_is_here():
    """An empty file would prove nothing."""
    assert {game: len(examples) for game, examples in EXAMPLES.items()} == {
        "beat_eight": 24,
        "crossroads": 32,
        "fayrewood": 24,
        "generic": 24,
        "strike_cinder": 32,
        "v5": 32,
    }
    named = {name for _, example in PLAYED for wanted in example["expect"] for name in wanted}
    assert named == {"labels", "labels_include", "labels_exclude", "values", "opponent", "error"}


def test_the_worked_throws(command):
    """V5-01…V5-21, SC-01…SC-17, B8-01…B8-07, FW-01…FW-15, Crossroads; GD-01…GD-15 whatever the channel plays. GEN-01:
    all through one `python -m ircdice eval --lines`, tables side by side.
    """
    played = PLAYED + ELSEWHERE
    lines = [line for number, (system, example) in enumerate(played) for line in said(example, number, system)]
    wanted = [each for _, example in played for each in example["expect"]]
    done = command("eval", "--lines", said="".join(json.dumps(line) + "\n" for line in lines))
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["text"] for answer in answers] == [line["text"] for line in lines]
    for answer, expected in zip(answers, wanted, strict=True):
        check(answer, expected)

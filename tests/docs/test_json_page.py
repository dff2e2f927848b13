"""docs/reference/json.md: the objects of `eval --lines` (GEN-01)."""

import json
import re
from dataclasses import fields

import pytest
from documents import DOCS, TREE, blocks, masked, shell, table

from ircdice.dispatcher import systems
from ircdice.evaluation import Evaluator
from ircdice.settings import HouseRules

PAGE = DOCS / "reference/json.md"


def test_lines_in_and_lines_out(tmp_path):
    """Design: the objects that the page shows are those that come."""
    (given,), (answers,) = blocks(PAGE, "jsonl in"), blocks(PAGE, "jsonl out")
    (tmp_path / "in").write_text(given, "utf-8")
    assert masked(shell("ircdice eval --lines < in", tmp_path)) == masked(answers)


def test_the_keys_are_listed():
    """Design: the keys that are accepted, in their order, and every key that comes out."""
    refused = Evaluator().evaluate({"text": "roll 1d10", "nonsense": 1})["error"]
    known = re.findall(r"[a-z]+", refused.partition("known are")[2])
    assert [row[0].strip("`") for row in table(PAGE, "`eval --lines`")] == known
    came = {key for line in blocks(PAGE, "jsonl out")[0].splitlines() for key in json.loads(line)}
    assert {key for key in came if f"`{key}`" not in PAGE.read_text("utf-8")} == set()


def test_the_house_rules_are_listed():
    """GEN-01: those that `config` takes, in their order."""
    (cell,) = [text for key, text in table(PAGE, "`eval --lines`") if key == "`config`"]
    assert re.findall(r"`(\w+)`", cell) == [rule.name for rule in fields(HouseRules)]


def listed(system):
    """The labels, values and roles that the page has for a game."""
    (cells,) = [cells for name, *cells in table(PAGE, "Labels, values and roles") if name == f"`{system}`"]
    return [set(re.findall(r"`(\w+)`", cell)) for cell in cells]


@pytest.mark.parametrize("system", systems())
def test_every_label_is_one(system):
    """GEN-01: the labels that are listed have their words in the game."""
    labels, _, _ = listed(system)
    assert labels <= systems()[system].words.keys()


@pytest.mark.parametrize("file", sorted((TREE / "tests/data").glob("examples_*.jsonl")), ids=lambda file: file.stem)
def test_what_comes_out_is_listed(file):
    """GEN-01: the labels, values and roles of the worked throws."""
    for line in file.read_text("utf-8").splitlines():
        example, engine = json.loads(line), Evaluator()
        for said in example["say"]:
            answer = engine.evaluate({"table": "t", "system": example["system"], **said})
            if "dice" not in answer:
                continue
            labels, values, roles = listed(answer["system"])
            for side in (answer, answer.get("opponent", answer)):
                assert labels >= set(side["labels"])
                assert values >= side["values"].keys()
                assert roles >= {die["role"] for die in side["dice"]}

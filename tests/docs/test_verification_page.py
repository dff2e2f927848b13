"""docs/verification.md (LED-19): what it shows is run, what it lists is what there is."""

import json
import re
from pathlib import Path
from typing import get_args

from evening import played

from ircdice.ledger.check import Damage
from ircdice.ledger.record import RecordKind, Withheld

TREE = Path(__file__).parents[2]
PAGE = (TREE / "docs" / "verification.md").read_text("utf-8")


def test_led_19_the_page_is_a_program():
    """LED-19: every formula with its example, run from top to bottom with no code of ours."""
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE)
    assert len(blocks) == 9
    program = "\n".join(blocks)
    assert program.count("assert") >= 9
    assert "ircdice." not in program.replace("irc.example.net/ircdice", "")
    exec(compile(program, "verification.md", "exec"), {})


def test_led_19_the_page_begins_with_the_steps_of_a_storyteller():
    """LED-19: one step for those who trust the bot, one command for those who do not; the checker has its options."""
    steps = PAGE.partition("## For everybody else")[0]
    assert "!verify alice: " in steps
    assert "check_export.py export.jsonl --key KEY --line 'alice: " in steps
    checker = (TREE / "docs" / "check_export.py").read_text("utf-8")
    for option in set(re.findall(r"--[a-z]+", steps)):
        assert f'"{option}"' in checker
    for verdict in re.findall(r"(?m)^ +\| `(\w+)`", steps):
        assert f'"{verdict}"' in checker or f'"{verdict}:' in checker


def test_led_19_every_key_of_an_export_is_told():
    """LED-19: the export's lines hold the keys that the page lists, and no others."""
    section = PAGE.partition("## The export")[2].partition("\n## ")[0]
    told = set(re.findall(r"`(\w+)`", section))
    for line in played().exported():
        item = json.loads(line)
        mixes = {key for mix in item.get("mixes", ()) for key in mix}
        assert {*item, *mixes} <= told, item


def test_led_19_kinds_and_words_are_told():
    """LED-19: each kind of record, each reason to withhold one, each word for damage."""
    for word in (set(get_args(RecordKind)) - {"withheld"}) | set(get_args(Withheld)):
        assert f"`{word}`" in PAGE
    for word in get_args(Damage):
        assert f"| {word} | " in PAGE


def test_led_30_each_party_is_told():
    """LED-30: whoever could try something stands in the table, with what is left to them."""
    table = PAGE.partition("## What each party can still do")[2]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines() if row.startswith("| ")]
    parties = {row[0] for row in rows[1:]}
    assert {"a player", "the operator", "an operator who plays", "an operator who stirs"} <= parties
    assert {"anyone who can write to the database", "a thief of the seed file"} <= parties
    assert all(row[1] and row[3] for row in rows)

"""CONTRIBUTING.md: the game and the command that it shows work in a copy of the source, as they are."""

import re
import shutil
import subprocess
import sys

import pytest
from documents import ROOT, TREE, blocks, console, masked

PAGE = TREE / "CONTRIBUTING.md"
FILES = dict(re.findall(r"(?ms)^```python (\S+)\n(.*?)^```$", PAGE.read_text("utf-8")))
COMMANDS = "ircdice/bot/commands.py"


@pytest.fixture
def copy(tmp_path):
    """The source with the files of the page, and the lines that it adds to the table of commands."""
    for package in ("grammars", "ircdice"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    for name, source in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, "utf-8")
    table = (tmp_path / COMMANDS).read_text("utf-8")
    (added,) = blocks(PAGE, f"diff {COMMANDS}")
    *imports, line = re.findall(r"(?m)^\+(.*)$", added)
    (tmp_path / COMMANDS).write_text(_with(table, imports, line), "utf-8")
    return tmp_path


def _with(table, imports, line):
    """The table of commands with more imports after its first, and one more line before its last."""
    first = re.search(r"(?m)^from grammars", table)
    last = table.index(")\n\n\ndef _node_of")
    return table[: first.start()] + "\n".join(imports) + "\n" + table[first.start() : last] + f"{line}\n" + table[last:]


def test_the_game_plays(copy):
    """Design: a game is a grammar and rules, for play, odds and hints."""
    (block,) = blocks(PAGE, "console")
    assert masked(console(block, copy, copy)) == masked(block)


def test_their_tests_pass(copy):
    """Design: the tests that are shown are enough of a test."""
    path = f"{copy}:{TREE / 'tests'}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=copy, env={"PYTHONPATH": path}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "4 passed" in done.stdout, done.stdout

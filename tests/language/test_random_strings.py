"""Ten thousand random and broken commands of every grammar; `python -m bench strings` plays as many as are wanted."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TREE = Path(__file__).parents[2]


def test_gen_15_random_strings_do_no_harm(environment):
    """GEN-07, GEN-15: no exception, no reply of more than 400 bytes, none that takes long; and some of them roll."""
    command = [sys.executable, "-m", "bench", "strings", "10000", "7"]
    done = subprocess.run(command, cwd=TREE, env=environment, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10000 random strings, seed 7" in done.stdout
    assert "0 went wrong" in done.stdout
    assert done.stderr == ""
    became = dict(re.findall(r"(?m)^([a-z]+) +([0-9]+)$", done.stdout))
    assert sum(map(int, became.values())) >= 10_000
    assert all(int(became[kind]) > 10 for kind in ("silent", "refused", "roll", "contest", "check", "note"))

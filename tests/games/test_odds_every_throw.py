"""Odds of random commands against every throw (GEN-08); `python -m bench every_throw` compares as many as wanted."""

import pytest

from bench.every_throw import compared

pytestmark = pytest.mark.slow


def test_gen_08_odds_of_random_commands_against_every_throw():
    """GEN-08: of all games and of the whole dice notation, each throw judged as play does, to the last fraction."""
    found = compared(400, 20261121, 300)
    assert found.wrong == []
    assert found.became["generic, every throw"] > 50
    assert found.became["generic, a bound"] > 20
    assert sum(times for kind, times in found.became.items() if kind.endswith("every throw")) > 60

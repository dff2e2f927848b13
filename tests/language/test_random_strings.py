"""Random and broken commands of every grammar do no harm (GEN-07, GEN-15)."""

import pytest

from tests.language.random_strings import played

pytestmark = pytest.mark.slow


def test_gen_15_random_strings_do_no_harm():
    """GEN-07, GEN-15: no exception, no reply of more than 400 bytes, none that takes long; and some of them roll."""
    found = played(6_000, 7)
    assert found.wrong == []
    assert all(found.became[kind] > 5 for kind in ("silent", "refused", "roll", "contest", "check", "note"))

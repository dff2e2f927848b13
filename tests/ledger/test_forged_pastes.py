"""LED-20, LED-21: no forged line is genuine with exit code 0.

FORGERIES=50000 in the environment asks for as many lines, which takes a minute and a half.
"""

import io
import os

import pytest
from operating import ircdice

from .forgeries import BESIDE, KINDS, forged
from .pastes import asked, evening, judged

EACH = -(-int(os.environ.get("FORGERIES", "4000")) // len(KINDS))  # lines of each kind


@pytest.fixture(scope="module")
def posted(tmp_path_factory):
    return evening(tmp_path_factory.mktemp("forged"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_led_21_a_forged_line_is_never_relied_on(posted, kind):
    """LED-20, LED-21: whatever is altered, put next to a line or hidden in it; one is asked for as an operator does."""
    config, said = posted
    lines = forged(said, KINDS[kind], EACH)
    assert len(lines) == EACH
    assert asked(config, lines[0])[0] != 0, lines[0]
    for line, found in zip(lines, judged(config, lines), strict=True):
        assert not found or not all(one.counts for one in found), line


@pytest.mark.parametrize("kind", BESIDE)
def test_led_20_words_around_a_true_line_are_noted(posted, kind):
    """LED-20: what is on the same line and is no decoration is noted, and nobody is accused."""
    config, said = posted
    pastes = [BESIDE[kind].replace("LINE", line) for line in said.lines]
    for paste, (one,) in zip(pastes, judged(config, pastes), strict=True):
        assert (one.verdict, "beside" in one.notes, one.counts) == ("genuine", True, False), paste


def test_led_21_the_result_is_genuine_under_another_nick(posted):
    """LED-20: another nick in the roller's place is altered, and the roller is named."""
    config, said = posted
    line = said.lines[0].replace("alice", "bob", 1)
    assert asked(config, line) == (1, ["altered"], [])
    out = io.StringIO()
    ircdice("verify", "-", "-c", config, out=out, errors=out, given=line)
    assert "the result is genuine; it was rolled by alice" in out.getvalue()

"""LED-20: every honest way of pasting a posted line is genuine, with no note and with exit code 0."""

import pytest

from .honest_pastes import READER, honest
from .pastes import asked, evening, judged

HONEST = honest()


@pytest.fixture(scope="module")
def posted(tmp_path_factory):
    return evening(tmp_path_factory.mktemp("true"))


@pytest.mark.slow
def test_led_20_an_honest_paste_is_genuine_without_a_note(posted):
    """LED-20: decoration, smart punctuation, formatting and line breaks, for half the lines of the evening in turn."""
    config, said = posted
    pastes = [(way, HONEST[way](line)) for nth, way in enumerate(HONEST) for line in said.lines[nth % 2 :: 2]]
    for paste, each in zip(pastes, judged(config, [text for _, text in pastes]), strict=True):
        assert {(one.verdict, *one.notes, one.counts) for one in each} == {("genuine", True)}, paste


@pytest.mark.slow
def test_led_20_an_operator_may_paste_it_in_any_of_these_ways(posted):
    """LED-20: one line in each way, on standard input: exit code 0."""
    config, said = posted
    for nth, way in enumerate(HONEST):
        code, verdicts, notes = asked(config, HONEST[way](said.lines[nth % len(said.lines)]))
        assert (code, {*verdicts}, notes) == (0, {"genuine"}, []), way


@pytest.mark.parametrize("way", ["<{}> ", "21:05 <@{}> > ", "[quote={}]", "{}: ", "<{}> <FUDice> "])
def test_led_22_posted_by_another(posted, way):
    """LED-22: the nick of a player who did not roll it is not one of the words around it, but a note."""
    config, said = posted
    for line in said.lines[:3]:
        assert asked(config, way.format(READER) + line) == (1, ["genuine"], ["posted by another"])


def test_led_22_both_sides_rolled_a_contest(posted):
    """LED-22: neither is another."""
    config, said = posted
    (contest,) = [line for line in said.lines if line.startswith("alice vs bob: ")]
    for nick in ("alice", "bob"):
        assert asked(config, f"<{nick}> {contest}") == (0, ["genuine"], [])


def test_led_20_several_lines_at_once(posted):
    """LED-20: several lines, each from a client, in one line or in many."""
    config, said = posted
    for joint in ("\n", " ", " | ", "\n21:04 <FUDice> ", " 21:04 <@FUDice> "):
        assert asked(config, joint.join(said.lines)) == (0, ["genuine"] * len(said.lines), []), joint

"""LED-20: a posted line is genuine whatever its comment says, and what that speaks of is not called altered."""

from itertools import count

import pytest
from playing import Table
from posted import roll, said

from .honest_pastes import CHANGES, DECORATIONS, around
from .pastes import found

# "wrapped at 30" breaks a line before `<FUDice>` in a comment, which nobody can tell from the bot's nick.
WAYS = [around(text) for name, text in DECORATIONS.items() if name != "pasted twice"]
WAYS += [change for name, change in CHANGES.items() if name != "wrapped at 30"]
SPEAKING = [
    "beats id {} alice: haha",
    "id {}. bob: 6",
    "id {}",
    "ID: {}, she said",
    'like id {} "alice: 6"',
    "id {} id {} id {} id {} id {} id {}",
    "12:34 <FUDice> alice: 6; 1d6 6; 1d6; id {} alice: 6",
]
MARKED = ["<br>", "a<br/>b", "**", "[b]2[/b] **", "&amp;", "&lt;br&gt; <b>", "-- … — “so”", "[quote]", "| ` ~~ || _x_"]


def verdicts(table, text):
    """Each verdict on a paste with its id."""
    return [(each.verdict, each.id) for each in found(table, text)]


def spoken_of(comment):
    """A table where bob's roll has a comment that speaks of alice's; both lines, both ids."""
    table = Table(system="generic")
    first = roll(table, text="roll 1d6", faces=(6,))
    name = first[-8:]
    second = roll(table, "bob", f"roll 1d6 # {comment.replace('{}', name)}", (4,))
    return table, (first, second), (name, second[-8:])


def test_led_20_a_comment_that_speaks_of_anothers_roll():
    """LED-20, GEN-03: bob's own line is genuine, and alice's roll, which it speaks of, is not asked about."""
    table, (_, posted), (alices, _) = spoken_of("beats id {} alice: haha")
    assert f'"beats id {alices} alice: haha"; id 2-' in posted
    assert said(table, "sam", f"!verify {posted}").startswith("Genuine and official: bob rolled it")


@pytest.mark.slow
@pytest.mark.parametrize("comment", [*SPEAKING, *MARKED])
def test_led_20_whatever_a_comment_says(comment):
    """LED-20: pasted in every way, alone and behind the line that it speaks of."""
    table, (first, second), (alices, bobs) = spoken_of(comment)
    both = [("genuine", alices), ("genuine", bobs)]
    for way in WAYS:
        assert verdicts(table, way(second)) == [("genuine", bobs)], way(second)
        assert verdicts(table, f"{first}\n{way(second)}") == both, way(second)
    assert verdicts(table, f"<FUDice> {first} <FUDice> {second}") == both


@pytest.mark.parametrize("comment", SPEAKING)
def test_led_21_a_forged_line_accuses_no_other(comment):
    """LED-21: bob's line with another number is altered; alice's, which its comment speaks of, is not."""
    table, (_, second), (_, bobs) = spoken_of(comment)
    forged = second.replace("bob: 4; 1d6 4", "bob: 6; 1d6 6")
    assert verdicts(table, forged) == [("altered", bobs)]
    assert '"4" should be' not in (answer := said(table, "sam", f"!verify {forged}"))
    assert '"6" should be "4"' in answer


def test_led_21_two_lines_of_which_one_speaks_of_the_other():
    """LED-21: with bob's comment left out what stands before his line is a line of its own, genuine or not."""
    table, (first, second), (alices, bobs) = spoken_of("beats id {} alice: haha")
    bare = f"{second[: second.index(chr(34)) - 1]}; id {bobs}"
    assert verdicts(table, f"{first}\n{bare}") == [("genuine", alices), ("altered", bobs)]
    forged = first.replace("alice: 6", "alice: 5")
    for text in (f"{forged}\n{second}", f"{forged}\n{bare}", forged.replace(";", "") + f"\n{second}"):
        assert ("altered", alices) in verdicts(table, text)


def test_led_21_a_lost_line_that_speaks_of_another():
    """LED-21: the tag of bob's line is right for all of it, whatever is left of the records."""
    table, (_, second), (_, bobs) = spoken_of("beats id {} alice: haha")
    table.ledger.records.pop()
    assert verdicts(table, second) == [("lost", bobs)]


def test_gen_11_a_posted_line_is_asked_about_by_its_own_id():
    """GEN-11: a line that was pasted without the word is known by the id at its end."""
    table, (_, second), (_, bobs) = spoken_of("beats id {} alice: haha")
    assert said(table, "sam", f"FUDice: {second}").endswith(f"Did you mean: verify {bobs}")


@pytest.mark.slow
def test_led_21_a_forged_line_with_any_comment():
    """LED-21: whatever a comment says, a sign more or less in front of it or in it is no genuine line."""
    steps, signs = count(7), "0123456789aeiz"
    for comment in [*SPEAKING, *(each for each in MARKED if "<" not in each)]:
        table, (_, second), (_, bobs) = spoken_of(comment)
        line = second.rpartition(";")[0]
        for at, sign in enumerate(line):
            other = signs[next(steps) * 2_654_435_761 % 2**32 * len(signs) >> 32]
            if not sign.isalnum() or other == sign:
                continue
            for forged in (line[:at] + other + line[at + 1 :], line[:at] + other + line[at:]):
                found = verdicts(table, f"12:34 <FUDice> {forged}; id {bobs}")
                assert ("genuine", bobs) not in found, forged

"""A name of the encounter that is a letter off: the one that is there is offered, and nothing else by it (GEN-11)."""

import pytest
from playing import Table

UNKNOWN = "is not in this encounter, where there are Ghoul, Viktor."
NOBODY = "nobody here is called viktr."


@pytest.fixture
def table():
    """Viktor, who is alice's, before the Ghoul."""
    made = Table(system="strike_cinder", twice_seconds=0)
    made.say("alice", "sc encounter open Ghoul luck 6 dc3")
    made.say("alice", "sc join Viktor arcanist")
    return made


@pytest.mark.parametrize(
    ("text", "name", "hint"),
    [
        ("sc luck viktr", "viktr", "sc luck Viktor"),
        ("sc luck viktr -1", "viktr", "sc luck Viktor -1"),
        ("sc leave viktr", "viktr", "sc leave Viktor"),
        ("sc tracking viktr", "viktr", "sc tracking Viktor"),
        ("sc strike 2 as viktr", "viktr", "sc strike 2 as Viktor"),
        ("sc strike 2 vs Ghoul as viktr", "viktr", "sc strike 2 vs Ghoul as Viktor"),
        ('sc strike 2 as "viktr" vs Ghoul', "viktr", "sc strike 2 as Viktor vs Ghoul"),
        ("sc strike 2 as @viktr", "viktr", "sc strike 2 as Viktor"),
        ("sc strike 2 vs ghuol", "ghuol", "sc strike 2 vs Ghoul"),
        ("odds sc strike 2 vs ghuol", "ghuol", "odds sc strike 2 vs Ghoul"),
        ("odds sc strike 2 as viktr full", "viktr", "odds sc strike 2 as Viktor full"),
    ],
)
def test_gen_11_the_name_that_is_there(table, text, name, hint):
    """GEN-11, SC-24, SC-26: the same command with that name; what asks for the odds still asks."""
    (reply,) = table.say("alice", text).replies
    told = f"{NOBODY if ' as ' in text else f'{name} {UNKNOWN}'} Did you mean: {hint}"
    assert reply.text in (f"Not rolled: {told}", told[0].upper() + told[1:])
    faces = (4, 4) if hint.startswith("sc strike") else ()
    assert table.say("alice", hint, faces).error is None


@pytest.mark.parametrize(
    ("text", "name"),
    [("sc luck Bo", "Bo"), ("sc leave Vik", "Vik")],
)
def test_gen_11_no_name_that_is_far(table, text, name):
    """GEN-11: where none is near, those that are there are named."""
    (reply,) = table.say("alice", text).replies
    assert reply.text.removeprefix("Not rolled: ") == f"{name} {UNKNOWN}"


def test_gen_11_no_hint_that_would_be_refused(table):
    """GEN-11: nothing is offered if another word would be refused in its turn."""
    (reply,) = table.say("alice", "sc strike 2 vs ghuol as viktr").replies
    assert reply.text == f"Not rolled: {NOBODY}"


def test_fw_10_a_hint_says_nothing_of_a_secret_difficulty(table):
    """FW-10, DSK-07: the command that is offered is the one that was typed, less its slip."""
    table.say("sam", "difficulty 9 for alice in #FU_Dice", star=True, where="private")
    (reply,) = table.say("alice", "sc strike 2 vs ghuol").replies
    assert reply.text == f"Not rolled: ghuol {UNKNOWN} Did you mean: sc strike 2 vs Ghoul"
    (reply,) = table.say("alice", "sc strike 2 as viktr").replies
    assert reply.text == f"Not rolled: {NOBODY} Did you mean: sc strike 2 as Viktor"
    assert "difficulty secret" in table.say("alice", "sc strike 2", (4, 4)).replies[0].text


def test_dsk_07_a_secret_roll_is_not_offered_in_the_open(table):
    """DSK-07: a storyteller who copied such a hint would have rolled where all can see it."""
    said = "secret sc strike 2 vs ghuol in #FU_Dice"
    (reply,) = table.say("sam", said, star=True, where="private").replies
    assert reply.text == f"Not rolled: ghuol {UNKNOWN}"

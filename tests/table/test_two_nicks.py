"""Accounts and nicks: who is one person with two nicks, and who are two people under one (LED-24, GEN-06)."""

import pytest
from playing import Table
from posted import said


@pytest.fixture
def table():
    return Table()


def counted(table, nick, text=None, **more):
    """What stats tell in the channel of the speaker, or as asked."""
    return said(table, nick, text or f"!stats {nick}", **more).splitlines()[0]


def test_led_24_an_account_and_a_nick_of_one_name_are_two_people(table):
    """LED-24: al2 is logged in as al; an unknown al has not rolled what al2 did, whoever asks."""
    table.say("al2", "roll 5d10", (1, 2, 3, 4, 5), account="al")
    assert counted(table, "al") == "al has no recorded rolls in #FU_Dice."
    table.say("al", "roll 2d10", (1, 2))
    for nick in ("al", "sam"):
        assert counted(table, nick, "!stats al").startswith("al in #FU_Dice: 1 roll, 2 dice, ")
    assert counted(table, "al2", account="al").startswith("al2 in #FU_Dice: 1 roll, 5 dice, ")
    assert "5d10" not in said(table, "sam", "!log al")


def test_led_24_who_has_logged_in_since_is_the_same(table):
    """LED-24: one person's rolls under each of their nicks, and from before they were known, are all theirs."""
    table.say("al", "roll 2d10", (1, 2))
    table.say("al", "roll 3d10", (1, 2, 3), account="A")
    table.say("bo", "roll 4d10", (1, 2, 3, 4), account="A")
    for nick, account in (("al", "A"), ("sam", None)):
        assert counted(table, nick, "!stats al", account=account).startswith("al in #FU_Dice: 3 rolls, 9 ")


def test_led_24_whoever_bore_a_nick_last_is_meant_by_it(table):
    """LED-24: two accounts under one nick are counted apart, and listed together."""
    table.say("al", "roll 2d10", (1, 2), account="A")
    table.say("al", "roll 3d10", (1, 2, 3), account="B")
    assert counted(table, "sam", "!stats al").startswith("al in #FU_Dice: 1 roll, 3 dice, ")
    assert counted(table, "al", account="A").startswith("al in #FU_Dice: 1 roll, 2 dice, ")
    listed = said(table, "sam", "!log al")
    assert "2d10" in listed
    assert "3d10" in listed


def test_led_24_an_account_that_nobody_spoke_under(table):
    """LED-24: a name that no nick here had lately is an account's."""
    table.say("al2", "roll 5d10", (1, 2, 3, 4, 5), account="al")
    assert counted(table, "sam", "!stats al").startswith("al in #FU_Dice: 1 roll, 5 dice, ")


OWN = 'you opened contest #1 yourself, under another nick; "withdraw #1" takes it back.'


@pytest.mark.parametrize("answer", ["pass", "pass #1", "roll 3d10 h1", "roll 3d10 h1 #1"])
def test_gen_06_nobody_is_both_sides(table, answer):
    """GEN-06: one account's second nick answers nothing of the first; anybody else of that nick does."""
    table.say("al", "roll 5d10 h2 vs @bo", (1, 2, 3, 4, 5), account="A")
    assert said(table, "bo", answer, account="a").removeprefix("Not rolled: ").lower() == OWN
    assert len(table.records) == 1
    faces = () if answer.startswith("pass") else (1, 2, 3)
    assert said(table, "bo", answer, faces, account="B").startswith("al vs bo: ")


def test_gen_06_a_contest_of_ones_own_is_in_nobodys_way(table):
    """GEN-06: what another opened with the same nick is answered, though one's own is older."""
    table.say("al", "roll 5d10 h2 vs @bo", (1, 2, 3, 4, 5), account="A")
    table.say("carol", "roll 4d10 h2 vs @bo", (1, 2, 3, 4), account="C")
    assert said(table, "bo", "pass", account="A").startswith("carol vs bo: ")
    assert said(table, "al", "!withdraw", account="A").startswith("al vs bo: ")


def test_gen_06_a_storyteller_answers_for_whom_they_asked(table):
    """GEN-06: `as bo` is said for somebody else, by whoever leads the story."""
    table.say("sam", "roll 5d10 h2 vs @bo", (1, 2, 3, 4, 5), account="S", star=True)
    assert said(table, "sam", "pass as bo", account="S", star=True).startswith("sam vs bo: ")


def test_gen_06_two_unknown_nicks_are_two_people(table):
    """GEN-06: where no account is known nobody knows better."""
    table.say("al", "roll 5d10 h2 vs @bo", (1, 2, 3, 4, 5))
    assert said(table, "bo", "pass").startswith("al vs bo: ")


def test_sc_16_nobody_resists_what_they_cast():
    """SC-16: a spell that asks nobody by name is resisted by another, and not by its caster's second nick."""
    table = Table(system="strike_cinder")
    table.say("al", "sc mind 3", (4, 4, 5), account="A")
    assert said(table, "bo", "sc resist 3", (4, 4, 4), account="A").startswith("bo: ")
    assert said(table, "bo", "sc resist 3", (4, 4, 4), account="B").startswith("al vs bo: ")

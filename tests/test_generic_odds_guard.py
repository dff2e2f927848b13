"""Generic odds of whatever may be asked: answered or refused by counted steps, soon, and always the same (GD-14)."""

import asyncio
from time import process_time

import pytest
from playing import Table

import grammars
from ircdice.bot import Message
from ircdice.dice import SystemDice
from ircdice.dispatcher import odds
from ircdice.errors import RuleError
from ircdice.rules.generic import work
from ircdice.rules.generic.terms import term_spread

pytestmark = pytest.mark.slow

TOO_MUCH = "would take too long, over a second"
REFUSED = [
    "5d10000kl2!",
    "12d{0,0,0,1}k6!<>1kh10",
    "1d%!>6dh100<3",
    "1d%!>6dh100",
    "10d250000dh1kh99%(2d{1,2,4,8,16,32,64,128})",
    "1d250000!>107174d249999!<3!>125000<>130726f<83334",
    "3d250000!>125000mi59894kl50>=65806f1",
    "5d100000kh1r51517kh10<65509",
    "50d{0,1000000}!50!!//3d1000!6//3d{1,3,5,5}",
    "50d2!<2!2k98kh98",
    "100d10000!>6666ma4737!p<=1000>=6917f<3334",
    "100d1000!>1d90",
    "10d100!pd1",
]
ANSWERED = [
    "20d6k10!k5",
    "100d100k50",
    "100d20!k15",
    "6d6!>5 <= 1d1000ro>332+4d6!/10",
    "1d{1,2,4,8,16,32,64,128}//(10d250dl9mi90)",
]


def node(text):
    return grammars.parse(f"roll {text}", "generic", called=True)


def chances(text):
    """Worked out anew."""
    term_spread.cache_clear()
    return odds.__wrapped__(node(text))


@pytest.mark.parametrize("text", REFUSED)
def test_gd_14_what_was_priced_too_low_is_found_out(text):
    """GD-14, GEN-15: refused, twice alike; and with two and a half times what it may take on a busy machine."""
    began = process_time()
    for _ in range(2):
        with pytest.raises(RuleError, match=rf"{TOO_MUCH}|may well go on|at most 250000"):
            chances(text)
    assert process_time() - began < 8


@pytest.mark.parametrize("text", ANSWERED)
def test_gd_14_what_takes_less_is_answered(text):
    """GD-14, GEN-08: in full, within the steps that there are."""
    found = chances(text)
    listed = sum(found.values.values()) if found.name else sum(found.together.values())
    assert listed == 1 - found.error


def test_gd_14_it_is_steps_that_are_counted(monkeypatch):
    """GD-14: with fewer of them less is answered, whatever the time of day or the speed of the machine."""
    assert chances("20d20!k5")
    monkeypatch.setattr(work, "MOST", 100_000)
    with pytest.raises(RuleError, match=TOO_MUCH):
        chances("20d20!k5")


@pytest.mark.parametrize("text", ["20d6!k5", "4d6k3+4d6k3", "8d6! >= 30"])
def test_gd_14_what_is_at_hand_costs_what_it_cost(text):
    """GD-14: that a term was asked about before is no reason to answer what would be refused without it."""
    spent = []
    for _ in range(2):
        with work.bounded():
            term_spread.cache_clear() if not spent else None
            for part in text.split(" ", maxsplit=1)[0].split("+"):
                term_spread(node(part).expression)
            spent.append(work.MOST - work.left())
    assert spent[0] == spent[1] > 0


def test_gd_14_steps_are_not_counted_from_one_question_to_the_next():
    """GD-14: each has all of them, also behind one that was refused."""
    with pytest.raises(RuleError, match=TOO_MUCH):
        chances("1d%!>6dh100<3")
    assert work.left() == work.MOST
    assert chances("100d100k50")


@pytest.mark.parametrize(
    "text",
    [
        "6x 2d6!>1kl-50d{0,1000000}!>1!",
        "20x 50d6!",
        "10x 100d6ro1",
        "100d6!>3+100d6!>3+100d6!>3+100d6!>3 > 3",
        "-(90d20![fire]+99d20!)*2+100d6+100d6+100d6+100d6+100d6+100d6+100d6+100d6",
    ],
)
def test_gd_14_the_thousand_dice_are_those_of_all_terms_and_repeats(text):
    """GD-14: a roll stops where all its terms have drawn them, so odds are not told of one that goes on."""
    with pytest.raises(RuleError, match="may well go on past 1000 dice, where a roll stops"):
        chances(text)


@pytest.mark.parametrize(
    "text",
    [
        "6x 50d6!",
        "3x 100d10!",
        "2x 50d6!>3",
        "5x 100d6ro1+1d4",
        "2d6r1+3d6!p+4d6!!",
        "3x 4d6",
        "7x 100d6!",
        "3x 100d6!>3",
    ],
)
def test_gd_14_what_stays_within_a_thousand_dice_has_odds(text):
    """GD-14, GD-11: hundreds of dice that explode, as far as they are sure to end."""
    assert chances(text).values


def test_gen_08_twelve_questions_at_once_and_a_roll_meanwhile():
    """GEN-08: each is answered, one after the other, and a roll elsewhere does not wait until they are."""
    asked = [f"odds {count}d60k{count // 6}" for count in range(60, 72)]
    table = Table(system="generic")
    table.begin = lambda *_: SystemDice()
    order = []

    async def said(nick, text):
        order.append((nick, (await table.bot.hear(Message("net", f"#{nick}", nick, text)))[0].text))

    async def play():
        questions = [asyncio.create_task(said(f"n{nth}", text)) for nth, text in enumerate(asked)]
        await asyncio.sleep(0)
        await said("zed", "roll 3d6")
        await asyncio.gather(*questions)

    asyncio.run(play())
    assert len(order) == 13
    assert [nick for nick, _ in order].index("zed") < 6
    assert all("; average " in line for nick, line in order if nick != "zed")

"""The bound on generic odds: what it takes is counted beforehand, and refused in a sentence (GD-14, GEN-08)."""

import asyncio
from fractions import Fraction

import pytest
from playing import Table

import grammars
from ircdice.bot import Message
from ircdice.dice import SystemDice
from ircdice.dispatcher import odds
from ircdice.errors import RuleError

TOO_LONG = "^the exact odds of .+ would take too long: ask for fewer dice, or smaller ones.$"
NEVER_ENDING = "past 1000 dice, where a roll stops"


def chances(text):
    return odds(grammars.parse(f"roll {text}", "generic", called=True))


ANSWERED = [
    *("100d6", "100d20", "30d100", "100d6k50", "20d20k10", "50d6dl1", "50d20k25", "20d20dl3dh2", "100d{1,5,10}"),
    *("8d6!", "20d6!", "100d6!", "30d100!", "10d10!k5", "10d10!!k4", "6d6!d1", "6d10!>=8k3", "8d6!pk3", "4d6k3!"),
    *("40d6>=4", "20d10!>=8>=8", "1d10000", "1 1000", "1d100*1d100", "1d100/1d100", "4d6k3+4d6k3", "100d6*2d6"),
    *("1d20+5 >= 1d20+3", "100d10 > 100d10", "3d6r<3k2", "4d4k3r1k2", "5d100r1!!100"),
]
REFUSED = [
    *("(1d100+1d100)*(1d100+1d100)*(1d100)", "1d1000*1d1000", "1d1000/1d1000", "100d100k50", "100d100", "1d1000000"),
    *("1 1000000", "100d1000k50", "20d6k10!>4k5", "100d2502", "5d10000kl2!", "12d{0,0,0,1}k6!<>1kh10", "8d10k4ro1k2"),
    *("50d{0,1000000}!50!!//3d1000!6//3d{1,3,5,5}", "3d250000!>125000mi59894kl50>=65806f1"),
    *(
        "1d250000!>107174d249999!<3!>125000<>130726f<83334",
        "5d100000kh1r51517kh10<65509",
        "30d{0,1,31,961,29791,923521}",
    ),
]


@pytest.mark.parametrize("text", ANSWERED)
def test_gen_08_what_a_player_would_type_is_answered(text):
    """GEN-08: chances that add up, but for what is stated."""
    found = chances(text)
    listed = sum(found.values.values()) if found.name else sum(found.together.values())
    assert 0 <= 1 - listed < Fraction(1, 10**9)
    assert found.error in (0, 1 - listed) or found.name == "successes"


@pytest.mark.parametrize("text", REFUSED)
def test_gd_14_what_would_take_too_long_is_refused(text):
    """GD-14: in a sentence, and always the same."""
    for _ in range(2):
        with pytest.raises(RuleError, match=TOO_LONG):
            chances(text)


@pytest.mark.parametrize(
    "text",
    [
        *("100d6!>1", "d1000!>1k1", "90d20!!>2", "5d100!>=3k2", "2d100r<100", "20x 50d6!", "10x 100d6ro1"),
        *("4x 100d6r<5!6", "3x 100d6!>3dl99!>3", "100d6!>3+100d6!>3+100d6!>3+100d6!>3 > 3", "7x 100d6mi3!3"),
        "5x 100d6mi5!5",
    ],
)
def test_gd_14_a_roll_that_may_be_stopped_has_no_odds(text):
    """GD-14: a roll stops at its thousandth die, and odds would tell of one that went on."""
    with pytest.raises(RuleError, match=NEVER_ENDING):
        chances(text)


@pytest.mark.parametrize(
    "text",
    [
        *("6x 50d6!", "3x 100d10!", "2x 50d6!>3", "4x 100d6ro1+1d4", "2d6r1+3d6!p+4d6!!", "3x 4d6", "100d10!"),
        *(
            "8x 100d10k1!",
            "8x 100d10k1!!",
            "8x 100d6dl99!",
            "9x 100d6ro7",
            "5x 100d1ro1",
            "10x 100d6dl100!",
            "20x 10d6!k3",
        ),
    ],
)
def test_gd_14_what_stays_within_a_thousand_dice_has_odds(text):
    """GD-11, GD-14: all terms and repeats together; dice that were dropped draw nothing."""
    assert chances(text).values


@pytest.mark.parametrize(("text", "part"), [("2d1000000+1d6", "2d1000000"), ("1d1000*1d1000 + 1", "1d1000*1d1000+1")])
def test_gen_08_a_refusal_is_posted(evaluate, text, part):
    """GEN-08: as an error of the command, with the term that is too large, or all terms if it is their combination."""
    assert evaluate({"text": f"odds {text}"})["error"].startswith(f"the exact odds of {part} would take too long")


def test_gen_08_twelve_questions_at_once_and_a_roll_meanwhile():
    """GEN-08: each is answered, one after the other, and a roll elsewhere does not wait until they are."""
    asked = [f"odds {count}d20k{count // 2}" for count in range(30, 42)]
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

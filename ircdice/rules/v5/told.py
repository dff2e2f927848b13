"""The rules of V5 by their ids, a sentence each, as `help V5-07` tells them. Its numbers are those that judge."""

from grammars.v5 import MOST_HUNGER
from ircdice.rules.v5.judging import MOST_HUNGER_TO_WIN, PAIR_BONUS, ROUSED, SUCCESS
from ircdice.rules.v5.rerolls import MOST_REROLLED
from ircdice.settings import HouseRules

RULES = {
    "V5-01": '"roll Nd10" throws a pool of N dice, and "v5 3+4+1" one that is given by its parts; it takes at least 1.',
    "V5-02": f"Every face of {SUCCESS} or more is one success.",
    "V5-03": f"Two tens make a pair, and each pair is worth {PAIR_BONUS} successes more than its two faces.",
    "V5-04": "dcN is the Difficulty: N successes or more pass, and the margin is how many more.",
    "V5-05": f"hN makes the last N dice Hunger dice, 0 to {MOST_HUNGER} and never more than the pool has.",
    "V5-06": "A roll that passes with a pair of tens is a critical.",
    "V5-07": "A critical is messy when at least one of its tens lies on a Hunger die.",
    "V5-08": "A roll that does not pass and shows a 1 on a Hunger die is a bestial failure.",
    "V5-09": "House rule: no success at all and a 1 on any die is a botch, unless the channel has botch = no.",
    "V5-10": "A 1 takes no success away.",
    "V5-11": "Without a Difficulty the answer says what would follow; with no success at all the roll has failed.",
    "V5-12": "Rouse checks, Willpower and Humanity pools have no Hunger dice, so they are never messy or bestial.",
    "V5-13": f'"rouse" throws a die for each check, and Hunger rises by one for each {ROUSED} or less.',
    "V5-14": f'"wp" throws up to {MOST_REROLLED} dice of your latest roll again, lowest first, but never Hunger dice.',
    "V5-15": "Willpower is spent once on a roll, by who rolled it or a storyteller, for one superficial damage.",
    "V5-16": "What has no Hunger dice by its kind cannot be rerolled with Willpower; a pool at h0 can.",
    "V5-17": "After a reroll the dice keep their places, the roll that was replaced is named, and all is judged anew.",
    "V5-18": f'"autowin" says yes to a pool of at least twice the Difficulty at Hunger {MOST_HUNGER_TO_WIN} or less, '
    "if the storyteller agrees.",
    "V5-19": "In a contest each side must meet the other's successes, at least 1: who began wins a tie.",
    "V5-20": "Only rolls in a channel that the config calls official are official; all others say unofficial.",
    "V5-21": '"hunger N" says the Hunger of a roll afterwards, once; until then it counts as 0.',
    "V5-22": "h without a number is a Hunger that the bot keeps for you; it keeps none yet, so say the number.",
    "V5-23": "A rouse check shows its dice and by how much Hunger rises, and nothing else comes of it.",
    "V5-24": f'"wp tens" throws the tens again that are not on Hunger dice, up to {MOST_REROLLED}; no die goes twice.',
    "V5-25": "Willpower may be spent until a storyteller closes the roll, or its time is over, "
    f"{HouseRules().wp_minutes} minutes unless the config says otherwise.",
    "V5-26": '"help messy", "help bestial", "help botch" and "help willpower" tell what may come of it.',
}

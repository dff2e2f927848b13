"""V5 Hunger pools (seed 002): the one object through which the bot reaches its rules."""

from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from ircdice.rules.v5 import texts
from ircdice.rules.v5.covering import cover
from ircdice.rules.v5.judging import evaluate
from ircdice.rules.v5.odds import odds, reroll_odds
from ircdice.rules.v5.rerolls import admits, amend, answers, means
from ircdice.system import System

SYSTEM = System(
    (Pool, Contest, Rouse, AutomaticWin),
    evaluate,
    odds,
    words=texts.WORDS,
    rules=texts.RULES,
    headline=texts.headline,
    roles=texts.ROLES,
    leads=texts.LEADS,
    asked=texts.asked,
    versus=texts.versus,
    waiting=texts.waiting,
    diceless=(AutomaticWin,),
    amends={Willpower: "reroll", SayHunger: "hunger"},
    amend=amend,
    amend_odds=reroll_odds,
    means=means,
    admits=admits,
    answers=answers,
    offer=texts.offer,
    closed="no more Willpower on it",
    difficulties={Pool: "difficulty"},
    cover=cover,
    chances=(texts.CHANCES,),
    short=texts.SHORT,
)

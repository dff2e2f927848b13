"""V5 Hunger pools (seed 002): judging, rerolls, odds and words, each a file; this one hands them over."""

from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from ircdice.rules.v5 import told, words
from ircdice.rules.v5.covering import cover
from ircdice.rules.v5.judging import evaluate
from ircdice.rules.v5.odds import odds, reroll_odds
from ircdice.rules.v5.rerolls import admits, amend, answers, means
from ircdice.system import System

SYSTEM = System(
    (Pool, Contest, Rouse, AutomaticWin),
    evaluate,
    odds,
    words=words.WORDS,
    rules=told.RULES,
    headline=words.headline,
    roles=words.ROLES,
    leads=words.LEADS,
    asked=words.asked,
    versus=words.versus,
    waiting=words.waiting,
    diceless=(AutomaticWin,),
    amends={Willpower: "reroll", SayHunger: "hunger"},
    amend=amend,
    amend_odds=reroll_odds,
    means=means,
    admits=admits,
    answers=answers,
    offer=words.offer,
    closed="no more Willpower on it",
    difficulties={Pool: "difficulty"},
    cover=cover,
    chances=(words.CHANCES,),
    short=words.SHORT,
)

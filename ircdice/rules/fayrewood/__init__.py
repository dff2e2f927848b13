"""Fayrewood (seed 004): the one object through which the bot reaches its rules."""

from grammars.fayrewood import Clash, Sweep, Toss
from ircdice.rules.fayrewood import texts
from ircdice.rules.fayrewood.judging import amend, answers, cover, evaluate
from ircdice.rules.fayrewood.odds import odds
from ircdice.system import System

SYSTEM = System(
    (Toss, Clash, Sweep),
    evaluate,
    odds,
    words=texts.WORDS,
    rules=texts.RULES,
    headline=texts.headline,
    show=texts.show,
    asked=texts.asked,
    versus=texts.versus,
    waiting=texts.waiting,
    diceless=(Sweep,),
    amend=amend,
    answers=answers,
    difficulties={Toss: "difficulty"},
    cover=cover,
    chances=texts.CHANCES,
    short=texts.SHORT,
)

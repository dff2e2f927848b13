"""Fayrewood (seed 004): judging, odds and words, each a file; this one hands them over."""

from grammars.fayrewood import Clash, Sweep, Toss
from ircdice.rules.fayrewood import told, words
from ircdice.rules.fayrewood.judging import amend, answers, cover, evaluate
from ircdice.rules.fayrewood.odds import odds
from ircdice.system import System

SYSTEM = System(
    (Toss, Clash, Sweep),
    evaluate,
    odds,
    words=words.WORDS,
    rules=told.RULES,
    headline=words.headline,
    show=words.show,
    asked=words.asked,
    versus=words.versus,
    waiting=words.waiting,
    diceless=(Sweep,),
    amend=amend,
    answers=answers,
    difficulties={Toss: "difficulty"},
    cover=cover,
    chances=words.CHANCES,
    short=words.SHORT,
)

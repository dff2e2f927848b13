"""Generic dice: throwing, judging, odds and words, each a file; this one hands them over."""

from grammars.generic import Between, Question, Roll
from ircdice.rules.generic import told, words
from ircdice.rules.generic.judging import evaluate
from ircdice.rules.generic.odds import odds
from ircdice.system import System

SYSTEM = System(
    (Roll, Question, Between),
    evaluate,
    odds,
    words=words.WORDS,
    rules=told.RULES,
    headline=words.headline,
    show=words.show,
    asked=words.asked,
    chances=({"success": ("success",), "failure": ("failure",)},),
)

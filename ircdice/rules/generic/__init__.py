"""Generic dice: the dice notation that every `roll` uses which is not a V5 pool."""

from grammars.generic import Between, Question, Roll
from ircdice.rules.generic import texts
from ircdice.rules.generic.odds import odds
from ircdice.rules.generic.throwing import evaluate
from ircdice.system import System

SYSTEM = System(
    (Roll, Question, Between),
    evaluate,
    odds,
    words=texts.WORDS,
    rules=texts.RULES,
    headline=texts.headline,
    show=texts.show,
    asked=texts.asked,
    chances=({"success": ("success",), "failure": ("failure",)},),
)

"""Dice in words, as other bots and books have it: `keep 3`, `drop lowest`, `x6`. Reads, and builds nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from grammars.tokens import FLAGS

FIGURES: Mapping[str, str] = {
    word: str(number)
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
    )
}
_COUNT = "[1-9][0-9]{0,2}"
_NUMBER = rf"{_COUNT}|{'|'.join(FIGURES)}"
_WORD_OF_NUMBER = re.compile(rf"(?<![a-z0-9#@_])(?<![a-z]-)(?:{'|'.join(FIGURES)})(?![a-z0-9_'-])", FLAGS)
_OVER = r"(?=\s*(?:$|[.,;!?]|\#|for\s|(?:please|pls)(?![a-z])))"  # nothing of talk behind it
_ALONE = r"(?=\s*[.!?]*\s*(?:$|\#|for\s))"  # `secretly, as she sleeps` goes on as talk
_ENDS = "highest|lowest|best|worst|high|low"
_SIDES = {"highest": "h", "best": "h", "high": "h", "lowest": "l", "worst": "l", "low": "l"}
_SIGNS = {"plus": "+", "minus": "-", "==": "=", "=>": ">=", "=<": "<="}
_SIGN = re.compile(r"(?<![a-z0-9<>=!])(?:plus|minus)(?![a-z])|(?<![<>=!])(?:==|=>|=<)(?![<>=])", FLAGS)
_SPELT = re.compile(
    rf"\s*,?\s*(?:"
    rf"(?P<letters>k[hl]|d[hl])(?![a-z0-9])|(?P<letter>[kde]){_OVER}"
    rf"|(?P<verb>keep|drop|take)(?:p?ing)?(?:\s+the)?(?:\s+(?P<many>{_NUMBER})(?![a-z0-9]))?"
    rf"(?:\s+(?P<end>{_ENDS})(?![a-z]))?(?:\s+(?P<more>{_NUMBER})(?![a-z0-9]))?(?:\s+(?:die|dice|one|rolls?))?{_OVER}"
    rf"|(?P<selecting>keep|drop|take)(?:\s+the)?\s+(?P<side>highest|lowest)(?![a-z])"
    rf"|(?P<top>highest|lowest|best|worst|top)\s+(?P<best>{_NUMBER})(?:\s+dice)?{_OVER}"
    rf"|(?P<bare>highest|lowest)(?:\s+(?:die|one))?{_OVER}"
    rf"|explod(?P<explodes>es?|ing)(?:\s+dice)?(?:\s+(?:on\s+)?(?P<on>[0-9]{{1,3}})(?:'?s)?)?{_OVER}"
    rf"|reroll(?:s|ing)?\s+(?P<again>[0-9]{{1,3}}|one)(?:'?s)?{_OVER}"
    rf"|(?P<times>x\s?{_COUNT}|{_COUNT}\s?x|(?:{_NUMBER})\s+times|times\s+{_COUNT}){_OVER}"
    rf")",
    FLAGS,
)
_ADVANTAGE = re.compile(rf"\s*,?\s*(?:with\s+)?(?:(?:dis)?adv(?:antage)?|dis){_OVER}", FLAGS)
_SECRET = re.compile(rf"\s*,?\s*(?P<word>(?:in\s+)?secret(?:ly)?){_ALONE}", FLAGS)


class Spelt(NamedTuple):
    """What words ask for: the `modifier` behind the dice, or how many `times` the whole; `said` are the words."""

    said: str
    at: int
    modifier: str = ""
    times: int = 0


def spelt(text: str, at: int) -> Spelt | None:
    """The words at `text[at]` that ask for dice, if they do: all that is there, but for a comment."""
    match = _SPELT.match(text, at)
    if match is None or (match["verb"] and not (match["many"] or match["end"] or match["more"])):
        return None
    said = match[0].strip(" ,")
    begins = match.end() - len(match[0].lstrip(" ,"))
    if match["times"]:
        return Spelt(said, begins, times=int(in_figures(match["times"]).lower().strip("x times")))
    return Spelt(said, begins, _modifier(match))


def _modifier(match: re.Match[str]) -> str:
    """How the dice notation has it."""
    if letters := match["letters"] or match["letter"]:
        return {"k": "k1", "kh": "k1", "kl": "kl1", "d": "dl1", "dl": "dl1", "dh": "dh1", "e": "!"}[letters.lower()]
    if match["explodes"]:
        return f"!{match['on'] or ''}"
    if match["again"]:
        return f"r{in_figures(match['again'])}"
    verb = (match["verb"] or match["selecting"] or "keep").lower()
    end = (match["end"] or match["side"] or match["top"] or match["bare"] or "").lower()
    side = _SIDES.get(end, "l" if verb == "drop" else "h")
    many = in_figures(match["many"] or match["more"] or match["best"] or "1")
    return f"d{side}{many}" if verb == "drop" else f"k{'l' if side == 'l' else ''}{many}"


def asks_for_dice(text: str, at: int) -> bool:
    """Whether what stands behind a command there asks for other dice, and is no comment on them."""
    return spelt(text, at) is not None or _ADVANTAGE.match(text, at) is not None


def hiding(text: str, at: int) -> str | None:
    """The word there that asks for a roll which nobody sees, and nothing more."""
    match = _SECRET.match(text, at)
    return match and match["word"]


def in_signs(text: str) -> str:
    """The same with the signs of the dice notation, `3d6 + 2` for `3d6 plus 2`, `>=` for `=>`."""
    return _SIGN.sub(lambda sign: _SIGNS[sign[0].lower()], text)


def in_figures(text: str) -> str:
    """The same with figures for numbers in words, `hunger 2` for `hunger two`."""
    return _WORD_OF_NUMBER.sub(lambda word: FIGURES[word[0].lower()], text)

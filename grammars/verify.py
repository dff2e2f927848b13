"""`verify LINE`, `verify #ID`: whether a posted line is genuine (LED-20). What people paste is read by the ledger."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pyparsing as pp

from grammars.tokens import FLAGS, REFERENCE_SHAPE, Misread, command

SYSTEM = False  # answered by the bot, not by a rules file
KEYWORDS = ("verify",)
LONGEST = 2_000  # characters: several lines may be pasted at once
SHAPES = REFERENCE_SHAPE
EXAMPLES = {
    "verify #4d": "is that roll of this channel genuine, and does it count; `verify #last`, or a whole id,"
    " `verify 4d-27b5pk`, for any channel",
    "verify alice: 17; 4d6k3 6 6 5, dropped 2; 4d6k3; id 4d-27b5pk": "a posted line as you copied it, times, nicks and"
    " all, or several (say it to the bot, as `FUDice: verify` and the line)",
}
_ID = (
    r"(?:\#(?:last|[0-9a-z]{1,13}(?:-[0-9a-z]{6})?)|[0-9a-z]{1,13}-[0-9a-z]{6}|(?=[a-z]*[0-9])[0-9a-z]{1,13})"
    r"(?![0-9a-z-])"
)
# No word of talk, `verify self-esteem`: a digit in it, or letters of an id alone and no vowel among them.
_SIGN = "0-9a-hjkmnp-tv-z"
_SURE = re.compile(
    rf"\#|[0-9a-z]+-(?=[a-z]*[0-9])|(?=[a-z]*[0-9])[{_SIGN}]+-[{_SIGN}]{{6}}|[{_SIGN}]+-[b-df-hjkmnp-tv-z]{{6}}", FLAGS
)
_ELSEWHERE = re.compile(rf"(?P<ids>{_ID})\s+(?:in\s+)?(?P<place>[#&][^\s,]*[^\s,.!?])\s*[.!?]*", FLAGS)
_NAMED = r"(?<![0-9a-z])id[^0-9a-z]+(?P<seq>[0-9a-z]{1,13})\s?[-−–—‐‑]\s?(?P<tag>[0-9a-z]{6})(?![0-9a-z])"
_POSTED, _ENDING = re.compile(_NAMED, FLAGS), re.compile(rf";\s*{_NAMED}", FLAGS)  # no comment has a semicolon
# An id among other words, and one of a channel's own: what they may be, `is 3d-k93xv2 real?`.
_AMONG = re.compile(
    rf"(?<![0-9a-z#-])(?=[0-9a-z-]*[0-9])(?P<id>[{_SIGN}]{{1,13}}-[{_SIGN}]{{6}})(?![0-9a-z-])"
    r"|(?<!\S)(?P<ref>\#(?=[0-9a-z]*[0-9])[0-9a-z]{1,13})(?![0-9a-z-])",
    FLAGS,
)


@dataclass(frozen=True, slots=True)
class Verify:
    """A question about posted lines, `text` with blanks made plain, or about `ids`, as they were typed."""

    ids: str | None = None
    text: str | None = None

    @property
    def only_called(self) -> bool:
        """GEN-13: free words, unless there is an id and nothing else."""
        return self.ids is None or not _SURE.match(self.ids)

    def __str__(self) -> str:
        return f"verify {self.ids or self.text}"


def asked_about(plain: str) -> str | None:
    """The id that ends a posted line in a text, else one that is spoken of, else one that stands in it, else None."""
    if posted := _ENDING.search(plain) or _POSTED.search(plain):
        return f"{posted['seq']}-{posted['tag']}".lower()
    among = _AMONG.search(plain)
    return among and (among["id"] or among["ref"]).lower()


def _of_a_channel(text: str, at: int, match: re.Match[str]) -> Verify:
    """`verify #4d in #channel`: a whole id is found anywhere, a short one is its own channel's alone."""
    if "-" in match["ids"]:
        return Verify(match["ids"])
    sentence = f"a short id is asked about in its own channel: say verify {match['ids']} there, or the whole id here."
    raise Misread(text, at, sentence, instead=f"verify {match['ids']}", missing=True)


def _node(text: str, _loc: int, tokens: pp.ParseResults) -> Verify:
    match = tokens[0]
    if match["ids"]:
        return Verify(match["ids"].strip())
    said = match["text"].strip()
    if elsewhere := _ELSEWHERE.fullmatch(said):
        return _of_a_channel(text, match.start("text"), elsewhere)
    if not _POSTED.search(said):
        sentence = "verify wants a posted line with its id, or an id."
        asked = asked_about(said)
        instead = f"verify {asked or '#last'}"
        raise Misread(text, match.start("text"), sentence, instead=instead, missing=True, guess=asked is not None)
    return Verify(text=said)


GRAMMAR = command(
    rf"verify(?![a-z0-9])\s*:?\s*(?:(?P<ids>{_ID}(?:[\s,]+(?:and\s+)?{_ID})*)(?=\s*(?:[.!?]+\s*)?(?:$|\#\s|for\s))|(?P<text>.*))"
).set_parse_action(_node)

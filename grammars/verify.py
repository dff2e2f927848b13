"""`verify`: whether a posted line is genuine (LED-20); `stir` and `fair`: how a channel's dice are made (LED-15)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyparsing as pp

from grammars.command import Node, builds, made_by
from grammars.errors import ImpossibleError
from grammars.line import CHANNEL_PATTERN, FLAGS, REF_PATTERN, WHOLE_ID, posted_comment
from grammars.tokens import Token, command_word, refused

UNCALLED = ("verify",)  # GEN-13: the others are commands only when the bot is called
MAX_LENGTH = {"verify": 2_000}  # characters: several lines may be pasted at once
EXAMPLES = {
    "verify #4d": "is that roll of this channel genuine, and does it count; `verify #last`, or a whole id,"
    " `verify 4d-27b5pk`, for any channel",
    "verify alice: 17; 4d6k3 6 6 5, dropped 2; 4d6k3; id 4d-27b5pk": "a posted line as you copied it, times, nicks and"
    " all, or several",
    "stir our own words": "your words go into this channel's dice from now on, so that nobody can have known them"
    " beforehand; once an hour",
    "fair": "what the bot has committed to, and where to check it; `stir our own words` adds words of yours",
}


class Verify(Node):
    """Ask about posted lines, `text`, or about `ids`, as typed."""

    ids: str | None = None
    text: str | None = None

    @property
    def only_called(self) -> bool:
        """GEN-13: words and short ids may be talk; a whole id is a command."""
        return self.ids is None or WHOLE_ID.search(self.ids) is None


class Stir(Node):
    """Words for the next generation of a channel's dice, as posted."""

    words: str


class Fair(Node):
    """Ask for the commitment to the dice."""


def _one_elsewhere(tokens: Sequence[str]) -> Verify:
    """`verify #4d in #channel`: a whole id works anywhere, a short one only in its own channel."""
    if "-" in tokens[0]:
        return Verify(tokens[0])
    raise ImpossibleError(f"a short id counts in its own channel: say verify {tokens[0]} there, or the whole id here.")


def _words(match: re.Match[str]) -> str:
    """LED-15: words as posted."""
    if not (words := posted_comment(match[0])):
        raise ImpossibleError("stir needs words of your own, as stir our own words.")
    return words


COLON = Token(":", ":?").suppress()
SHORT_ID = r"(?=[a-z]*[0-9])[0-9a-z]{1,13}"
WELL_FORMED = "[0-9a-hjkmnp-tv-z]{1,13}-[0-9a-hjkmnp-tv-z]{6}"  # includes `zz-abcdef`, which in talk may be two words
ID = Token("#4d or 4d-27b5pk", rf"(?:{REF_PATTERN}|{WHOLE_ID.pattern}|{WELL_FORMED}|{SHORT_ID})(?![0-9a-z-])")
AND = Token("and", r",?\s*(?:and\s)?").suppress()
ELSEWHERE = Token("in #channel", rf"(?:in\s+)?{CHANNEL_PATTERN}").suppress()
OVER = pp.FollowedBy(pp.Regex(r"[.!?]*\s*(?:$|#\s|for\s)", FLAGS))
LINES = Token("a posted line", r".*(?<![0-9a-z])id[^0-9a-z]+[0-9a-z]{1,13}\s?-\s?[0-9a-z]{6}(?![0-9a-z]).*")
NOTHING = refused("no id", ".*", "verify needs a posted line with its id, or an id, as verify #4d.")

ids = (ID + (AND + ID)[...] + OVER).set_parse_action(lambda t: Verify(" ".join(t)))
elsewhere = (ID + ELSEWHERE + OVER).set_parse_action(made_by(_one_elsewhere))
lines = LINES.set_parse_action(lambda t: Verify(text=t[0].strip()))
verify = command_word("verify") + COLON + (ids | elsewhere | lines | NOTHING)

WORDS = Token("words", ".*", clause="words", value=_words)

stir = (command_word("stir") + WORDS).set_parse_action(builds(Stir))
fair = command_word("fair").add_parse_action(builds(Fair))

GRAMMAR = verify | stir | fair

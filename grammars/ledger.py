"""What the ledger answers: `log` and `stats` (LED-24), `verify` (LED-20), `stir` and `fair` (LED-15)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyparsing as pp

from grammars.command import Node, builds, joined, limited, made_by, marked
from grammars.errors import ImpossibleError
from grammars.line import CHANNEL_PATTERN, FLAGS, NICK_PATTERN, REF_PATTERN, WHOLE_ID, posted_comment
from grammars.secrets import IN
from grammars.tokens import Token, command_word, flag, lower, number, reference, refused, word

SYSTEM = False  # answered by the bot, not by the rules of a game
SUBJECTS = {
    "log": ("Looking back: `log [NICK] [N] [#ID]` and `stats [NICK]` (LED-24)", ("log", "stats")),
    "verify": ("`verify LINE`, `verify #ID`: whether a posted line is genuine (LED-20)", ("verify",)),
    "fair": (
        "`stir WORDS` and `fair`: a channel's own words in its dice, and how anybody may check them (LED-15)",
        ("stir", "fair"),
    ),
}
ONLY_CALLED = ("stats", "stir", "fair")  # GEN-13: people stir other things as well, and fair enough
MAX_LENGTH = {"verify": 2_000}  # characters: several lines may be pasted at once
EXAMPLES = {
    "log": "the latest rolls of this channel with their ids, told to you alone",
    "log alice 10": "the latest ten of one player; `log alice 10 #4d` goes on from there, further back",
    "log #4d": "one roll with all its dice, to a storyteller a secret one too; with its whole id, `log 4d-27b5pk`, that"
    " of any channel; storyteller, in private: `log #4d in #FU_Dice`",
    "log scene": "what was rolled in the scene, ready to paste; `log scene Harbour bbcode`, or `md` for Markdown",
    "stats": "how the dice of this channel fell: rolls, what came of them, and each face beside what fair dice show",
    "stats alice": "the same of one player",
    "verify #4d": "is that roll of this channel genuine, and does it count; `verify #last`, or a whole id,"
    " `verify 4d-27b5pk`, for any channel",
    "verify alice: 17; 4d6k3 6 6 5, dropped 2; 4d6k3; id 4d-27b5pk": "a posted line as you copied it, times, nicks and"
    " all, or several",
    "stir our own words": "your words go into this channel's dice from now on, so that nobody can have known them"
    " beforehand; once an hour",
    "fair": "what the bot has committed to, and where to check it",
}
HELP = {
    "id": ("Every roll is posted with an id, 4d-27b5pk: #4d names it in its channel, #last the latest line there.",)
}
MOST_ROLLS = 20  # rolls in one answer


class Log(Node):
    """The latest `count` rolls here, of everybody or of `nick`, back from `ref`; `ref` alone is that roll in full.

    `channel` is the channel that a storyteller means in private.
    """

    nick: str | None = None
    count: int | None = limited(1, MOST_ROLLS, "the number of rolls", default=None)  # LED-24
    ref: str | None = None
    channel: str | None = None

    @property
    def one(self) -> bool:
        """Whether one roll is asked about."""
        return self.ref is not None and self.nick is None and self.count is None

    @property
    def only_called(self) -> bool:
        """GEN-13: people log off, and keep logs of 5; with an id it is meant."""
        return not self.one

    def __str__(self) -> str:
        return joined("log", self.nick, self.count, marked("#", self.ref), marked("in ", self.channel))


class LogOfScene(Node):
    """What was rolled in a scene, by its name or number, by default the one that is played or was last.

    `form` is `md` or `bbcode`, else plain text.
    """

    name: str | None = None
    number: int | None = None
    form: str = ""
    channel: str | None = None

    only_called = True  # GEN-13

    def __str__(self) -> str:
        return joined("log scene", self.name, marked("", self.number), self.form, marked("in ", self.channel))


class Stats(Node):
    """How the dice of `nick` fell, or those of the channel."""

    nick: str | None = None

    def __str__(self) -> str:
        return joined("stats", self.nick)


class Verify(Node):
    """A question about posted lines, `text`, or about `ids`, as they were typed."""

    ids: str | None = None
    text: str | None = None

    @property
    def only_called(self) -> bool:
        """GEN-13: free words and short ids are other people's too; a whole id is meant."""
        return self.ids is None or WHOLE_ID.search(self.ids) is None

    def __str__(self) -> str:
        return f"verify {self.ids or self.text}"


class Stir(Node):
    """Words for the next generation of a channel's dice, as they are posted."""

    words: str

    def __str__(self) -> str:
        return f"stir {self.words}"


class Fair(Node):
    """The question what the dice are bound to."""

    def __str__(self) -> str:
        return "fair"


def _one_elsewhere(tokens: Sequence[str]) -> Verify:
    """`verify #4d in #channel`: a whole id is found anywhere, a short one only in its own channel."""
    if "-" in tokens[0]:
        return Verify(tokens[0])
    raise ImpossibleError(f"a short id counts in its own channel: say verify {tokens[0]} there, or the whole id here.")


def _words(match: re.Match[str]) -> str:
    """LED-15: words as they are posted."""
    if not (words := posted_comment(match[0])):
        raise ImpossibleError("stir needs words of your own, as stir our own words.")
    return words


# The notation.

WHOLE = Token("4d-27b5pk", WHOLE_ID.pattern, clause="ref", value=lower)
NICK = Token("NICK", rf"(?!for(?:\s|$)|in\s+[#&+!])@?((?![0-9]){NICK_PATTERN})(?=[\s.!?]|$)", clause="nick")
REF = reference()
COUNT = number("count")
# Any words but a form at their end, or the channel.
SCENE_NAME = Token(
    "NAME", r"(?![#&+!])[^\s#].*?(?=\s+(?:md|bbcode)\b|\s+in\s+[#&+!]|[.!?]*\s*(?:#\s|$))", clause="name"
)

log = command_word("log") + pp.Opt(WHOLE | pp.Opt(NICK) + pp.Opt(COUNT) + pp.Opt(REF | WHOLE)) + pp.Opt(IN)
log.set_parse_action(builds(Log))
FORM = flag("form", "md", value="md") | flag("form", "bbcode", value="bbcode")
SCENE = FORM + pp.Opt(IN) | (number("number") | SCENE_NAME) + pp.Opt(FORM) + pp.Opt(IN) | pp.Opt(IN)
of_scene = (command_word("log") + word("scene") + SCENE).set_parse_action(builds(LogOfScene)).set_name("log scene")
stats = (command_word("stats") + pp.Opt(NICK)).set_parse_action(builds(Stats))

COLON = Token(":", ":?").suppress()
SHORT_ID = r"(?=[a-z]*[0-9])[0-9a-z]{1,13}"
WELL_FORMED = "[0-9a-hjkmnp-tv-z]{1,13}-[0-9a-hjkmnp-tv-z]{6}"  # `zz-abcdef` too, which in talk may be two words
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

GRAMMAR = of_scene | log | stats | verify | stir | fair

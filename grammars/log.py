"""`log [NICK] [N] [#ID]` and `stats [NICK]` (LED-24)."""

from __future__ import annotations

import pyparsing as pp

from grammars.command import Node, builds, limited
from grammars.line import NICK_PATTERN, WHOLE_ID
from grammars.tokens import IN, Token, choice, command_word, lower, number, reference, word

UNCALLED = ("log",)  # GEN-13: the others are commands only when the bot is called
EXAMPLES = {
    "log": "the latest rolls of this channel with their ids, sent to you alone; `stats` counts them",
    "log alice 10": "the latest ten of one player; `log alice 10 #4d` goes on from there, further back",
    "log #4d": "one roll with all its dice, to a storyteller a secret one too; with its whole id, `log 4d-27b5pk`, that"
    " of any channel; storyteller, in private: `log #4d in #FU_Dice`",
    "log scene": "what was rolled in the scene, ready to paste; `log scene Harbour bbcode`, or `md` for Markdown",
    "stats": "how the dice of this channel fell: rolls, their results (but not who won contests), and how often"
    " each face came up, compared with fair dice",
    "stats alice": "the same of one player",
}
HELP = {"id": "Every roll is posted with an id, 4d-27b5pk: #4d names it in its channel, #last the latest line there."}
MOST_ROLLS = 20  # rolls in one answer


class Log(Node):
    """List the latest `count` rolls here, of all or of `nick`, back from `ref`; `ref` alone shows that roll in full.

    `channel` is the channel meant by a storyteller in private.
    """

    nick: str | None = None
    count: int | None = limited(1, MOST_ROLLS, "the number of rolls", default=None)  # LED-24
    ref: str | None = None
    channel: str | None = None

    @property
    def one(self) -> bool:
        """Whether it asks for a single roll."""
        return self.ref is not None and self.nick is None and self.count is None

    @property
    def only_called(self) -> bool:
        """GEN-13: "log" is an everyday word; with an id it is a command."""
        return not self.one


class LogOfScene(Node):
    """List the rolls of a scene, by name or number, by default the current or last one.

    `form` is `md` or `bbcode`; by default plain text.
    """

    begins = "log scene"

    name: str | None = None
    number: int | None = None
    form: str = ""
    channel: str | None = None

    only_called = True  # GEN-13


class Stats(Node):
    """Ask for the dice statistics of `nick` or the channel."""

    nick: str | None = None


WHOLE = Token("4d-27b5pk", WHOLE_ID.pattern, clause="ref", value=lower)
NICK = Token("NICK", rf"(?!for(?:\s|$)|in\s+[#&+!])@?((?![0-9]){NICK_PATTERN})(?=[\s.!?]|$)", clause="nick")
REF = reference()
COUNT = number("count")
# Any words, except a form or channel at the end.
SCENE_NAME = Token(
    "NAME", r"(?![#&+!]|in\s+[#&+!])[^\s#].*?(?=\s+(?:md|bbcode)\b|\s+in\s+[#&+!]|[.!?]*\s*(?:#\s|$))", clause="name"
)

log = command_word("log") + pp.Opt(WHOLE | pp.Opt(NICK) + pp.Opt(COUNT) + pp.Opt(REF | WHOLE)) + pp.Opt(IN)
log.set_parse_action(builds(Log))
FORM = choice("form", {"md": "md", "bbcode": "bbcode"})
SCENE = FORM + pp.Opt(IN) | (number("number") | SCENE_NAME) + pp.Opt(FORM) + pp.Opt(IN) | pp.Opt(IN)
of_scene = (command_word("log") + word("scene") + SCENE).set_parse_action(builds(LogOfScene)).set_name("log scene")
stats = (command_word("stats") + pp.Opt(NICK)).set_parse_action(builds(Stats))

GRAMMAR = of_scene | log | stats

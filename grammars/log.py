"""`log [NICK] [N] [#ID]` and `stats [NICK]`: what was rolled lately, and how the dice fell (LED-24)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.tokens import NICK, REFERENCE, REFERENCE_SHAPE, Misread, command

SYSTEM = False  # answered by the bot, not by a rules file
SHAPES = REFERENCE_SHAPE
KEYWORDS = ("log", "stats")
MOST = 20  # rolls in one answer
EXAMPLES = {
    "log": "the latest rolls of this channel with their ids, told to you alone (say it to the bot: `!log`)",
    "log alice 10": "the latest ten of one player; `log alice 10 #4d` goes on from there, further back (say it to the"
    " bot: `!log alice 10`)",
    "log #4d": "one roll with all its dice; with its whole id, `log 4d-27b5pk`, that of any channel",
    "stats": "how many rolls and dice you had here, how often each face came, and whether that is unusual"
    " (say it to the bot: `!stats`)",
    "stats alice": "the same of another, whoever bore that nick last (say it to the bot: `!stats alice`)",
}


@dataclass(frozen=True, slots=True)
class Log:
    """The latest `count` rolls here, of everybody or of `nick`, up to `ref`; `ref` alone is that roll in full."""

    nick: str | None = None
    count: int | None = None
    ref: str | None = None

    @property
    def one(self) -> bool:
        """Whether one roll is asked about."""
        return self.ref is not None and self.nick is None and self.count is None

    @property
    def only_called(self) -> bool:
        """GEN-13: people log off, and keep logs of 5; an id is meant."""
        return not self.one

    def __str__(self) -> str:
        parts = ["log", self.nick, str(self.count or ""), self.ref and f"#{self.ref}"]
        return " ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Stats:
    """How the dice of `nick` fell, of the speaker where nobody is named."""

    nick: str | None = None
    only_called = True  # GEN-13

    def __str__(self) -> str:
        return f"stats {self.nick}" if self.nick else "stats"


def _log(text: str, _loc: int, tokens: pp.ParseResults) -> Log:
    match = tokens[0]
    count = None if match["count"] is None else int(match["count"])
    if count is not None and not 1 <= count <= MOST:
        raise Misread(
            text,
            match.start("count"),
            f"log shows 1 to {MOST} rolls.",
            instead=f"log {match['nick'] + ' ' if match['nick'] else ''}{min(max(count, 1), MOST)}",
        )
    ref = match["ref"] or match["whole"]
    return Log(match["nick"], count, ref and ref.lower())


_WHOLE = r"[0-9a-z]{1,13}-(?=[a-z]*[0-9])[0-9a-z]{6}(?![0-9a-z_-])"  # an id; of a nick like that say `@nick`
_NAMED = rf"(?:\s+(?!{_WHOLE})@?(?P<nick>(?![0-9]|for\s){NICK})(?=[\s.!?]|$))?"
GRAMMAR = {
    "log": command(
        rf"log(?![a-z0-9]){_NAMED}(?:\s+(?P<count>[0-9]{{1,6}})(?![0-9a-z-]))?"
        rf"(?:\s*{REFERENCE}|\s+(?P<whole>{_WHOLE}|[0-9][0-9a-z]{{0,12}}-[0-9a-z]{{6}}(?![0-9a-z_-])))?"
    ).set_parse_action(_log),
    "stats": command(rf"stats(?![a-z0-9]){_NAMED}").set_parse_action(lambda t: Stats(t[0]["nick"])),
}

"""Trackers: `track`, `trackers`, `undo`, and changes such as `hunger +1` (DSK-02)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyparsing as pp

from grammars.command import Clause, Node, Part, builds, joined, limited, made_by, marked, values_of
from grammars.errors import ImpossibleError
from grammars.line import REF_PATTERN
from grammars.tokens import IN, Token, command_word, flag, lower, name, reference, word

KNOWN = ("hunger", "luck")  # trackers whose word is also a command of a game
UNCALLED = ("hunger",)  # a command of V5 as well
EXAMPLES = {
    "track hunger 2": "your Hunger is kept from now on, and your rolls change it; any other name does too",
    "track luck 6/6": "6 of at most 6",
    "hunger +1": "a kept number changes; without a sign it is set, as `luck 3`",
    "track hunger": "what it is now; called, its name alone says it too, as `!hunger`",
    "track hunger off": "it is kept no longer",
    "track channel Doom 3/6": "storyteller: a number of the channel's own, changed by its name in the same way",
    "track channel Doom 3 hidden in #FU_Dice": "storyteller, in private: one that nobody else sees",
    "trackers": "what is kept of you here, and of the channel; `trackers Viktor`",
    "undo": "take back the last number that you changed",
    "undo in #FU_Dice": "storyteller, in private: the same, if that number is hidden",
    "undo #4d": "storyteller: take back what a roll, or somebody else, changed",
}
HELP = {
    "as": "as NAME at the end says for whom: a character of yours, or as storyteller anybody, as roll 5d10 h2 as Thug,"
    " wp as bob, !hunger +1 as bob.",
    "hide, hidden": (
        'Only storytellers see a hidden number, in private: "track channel Doom 3 hidden in #FU_Dice" begins one, "doom'
        ' +1 in #FU_Dice" changes it; "track doom 3 hidden in #FU_Dice as Viktor" is a character\'s.',
        'A roll is hidden by "secret", or "blind" for players, and a difficulty by "difficulty": !help secret.',
    ),
    "clock, countdown": "A clock is a number of the channel's: a storyteller begins one by !track channel Doom 0/6, and"
    " moves it on by !doom +1; !doom shows it.",
    "rest, heal": "What a rest gives back is the story's to say, and no command does it: set what is kept, as"
    " !willpower 5, !wounds 0 or !luck 6; a storyteller for anybody, as !wounds 0 as bob.",
    "wounds": "Wounds count up: !track wounds 0/3 keeps yours, !wounds +1 adds one and !wounds -1 heals one. In"
    " Fayrewood a frayed die costs one.",
    "luck": "Luck is what is left to you: !track luck 6/6 keeps it, !luck -2 takes some, !luck tells it to you alone."
    " In Strike & Cinder an encounter keeps it.",
}
LARGEST = 9_999


class Level(Part):
    """A tracked number, of at most `most` if limited."""

    value: int = limited(0, LARGEST, "a tracked number")
    most: int | None = limited(0, LARGEST, "a tracked number", default=None)

    def __str__(self) -> str:
        return f"{self.value}{marked('/', self.most)}"


class Track(Node):
    """Set a tracker to `level`, change it by `change`, or remove it if both are None.

    `shared` means that it belongs to the channel. `before` is the earlier value, as recorded, and `undoes` names the
    record of a change that this undoes.
    """

    name: str
    level: Level | None = None
    change: int | None = limited(-LARGEST, LARGEST, "a change", default=None)
    shared: bool = False
    hidden: bool = False
    before: Level | None = None
    undoes: str | None = None
    channel: str | None = None

    only_called = True  # GEN-13

    @property
    def removes(self) -> bool:
        """Whether it removes the tracker."""
        return self.level is None and self.change is None

    def __str__(self) -> str:
        amount = self.level or "off" if self.change is None else f"{self.change:+}"
        before, undoes = marked("from ", self.before), marked("undo #", self.undoes)
        where = self.hidden and "hidden", marked("in ", self.channel)
        return joined("track", self.shared and "channel", self.name, amount, before, undoes, *where)


class Tracked(Node):
    """Ask for a tracker: the speaker's, or else the channel's."""

    name: str
    shared: bool = False
    hidden: bool = False
    channel: str | None = None

    only_called = True  # GEN-13

    def __str__(self) -> str:
        where = self.hidden and "hidden", marked("in ", self.channel)
        return joined("track", self.shared and "channel", self.name, *where)


class Trackers(Node):
    """List the trackers of a character or of the speaker, and of the channel."""

    name: str | None = None
    channel: str | None = None


class Undo(Node):
    """Undo the last change, or the changes made by the roll or change `ref`."""

    ref: str | None = None
    channel: str | None = None


def _level(match: re.Match[str]) -> Level:
    return Level(int(match["value"]), int(match["most"]) if match["most"] else None)


def _change(match: re.Match[str]) -> int:
    if match["most"]:
        raise ImpossibleError("a change has no limit: write +1, or 3/6 without a sign.")
    return int(match["sign"][0] + match["value"])


def _track(clauses: Sequence[Clause]) -> Track | Tracked:
    said = values_of(clauses)
    return Tracked(**said) if said.keys().isdisjoint(("level", "change")) else Track(**said)


# The notation.

AMOUNT = r"(?P<sign>%s)(?P<value>[0-9]{1,9})(?:\s?/\s?(?P<most>[0-9]{1,9}))?(?![0-9a-z/]|\.[0-9])"
TRACKER = name(numbers=False)
CHANGE = Token("+1", AMOUNT % r"[-+]\s?", clause="change", value=_change)
LEVEL = CHANGE | Token("3 or 3/6", AMOUNT % "", clause="level", value=_level)
HIDDEN = flag("hidden")
BEFORE = Token("from 2", rf"from\s+{AMOUNT % ''}", ("from",), numbered=True, clause="before", value=_level)
UNDOES = word("undo") + Token("#id", REF_PATTERN, clause="undoes", value=lambda match: match[0][1:].lower())
ALONE_OR_AS = Token("end", r"[.!?]*\s*(?:$|as\s|#(?:\s|$))")  # but `hunger #2` names a roll

amount = (flag("level", "off", value=None) | LEVEL).set_name("a number or off, as track hunger 2")
changed = pp.Opt(amount + pp.Opt(BEFORE) + pp.Opt(UNDOES))
track = command_word("track") - pp.Opt(flag("shared", "channel")) + TRACKER + changed + (HIDDEN | IN)[...]
# Trackers named like command words of a game.
HUNGER, LUCK = (Token(known, known, (known,), clause="name", value=lower) for known in KNOWN)
known = HUNGER + (CHANGE | pp.FollowedBy(ALONE_OR_AS)) | LUCK + LEVEL
trackers = (command_word("trackers") + pp.Opt(name()) + pp.Opt(IN)).set_parse_action(builds(Trackers))
undo = (command_word("undo") + pp.Opt(reference()) + pp.Opt(IN)).set_parse_action(builds(Undo))

GRAMMAR = track.set_parse_action(made_by(_track)) | known.set_parse_action(made_by(_track)) | trackers | undo

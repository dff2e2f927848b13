"""A channel: `channel [NAME [VALUE]]`, its house rules (DSK-10), `page` (DSK-16), `hints` (GEN-11), `status` (DSK-12).

`status` and `reload` are also about the bot as a whole, for its operators.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import pyparsing as pp

from grammars import catalogue
from grammars.command import Node, builds, joined
from grammars.errors import ImpossibleError
from grammars.line import CHANNEL_PATTERN, END, FLAGS, shown
from grammars.tokens import IN, Token, choice, command_word, lower, refused

EXAMPLES = {
    "channel": "what this channel plays by",
    "channel system fayrewood": "storyteller: the game that is played here from now on",
    "channel botch no": "storyteller: a house rule, whatever the config has, until `channel botch default`",
    "hints off": "no more hints for you; `hints on` brings them back",
    "page in #FU_Dice": "storyteller, in private: the address of the channel's page, and since when it shows the rolls",
    "page renew in #FU_Dice": "storyteller: a new link, the old one ends; or the page is switched on again",
    "page off in #FU_Dice": "storyteller: the page shows nothing of the channel any more",
    "status in #FU_Dice": "storyteller, in private: what the channel plays, its open contests, secrets and trackers",
    "status": "operator of the bot, in private: its networks, its ledger, what waits; `reload` reads the config again",
    "reload": "operator of the bot: read the config again",
}
HELP = {
    "house rules, settings": "The house rules of a channel are shown by !channel, and changed by a storyteller, as by"
    " !channel botch no.",
    "official": "Rolls are official in the channels that the config calls official; elsewhere their line says"
    " unofficial.",
    "web": "A channel may have a page on the web with its rolls, if its config says so: /msg FUDice page in #FU_Dice"
    " tells a storyteller its address.",
}
Value = str | int | bool | None
MINUTES = (1, 10_080)
RANKS = (4, 6)
LARGEST_LIMIT = 1_000_000
INITIATIVE = "[1-9]d[1-9][0-9]{0,2}"
DEFAULT = "default"
_TRUTH = dict.fromkeys(("yes", "on", "true"), True) | dict.fromkeys(("no", "off", "false"), False)
_WORDS = {True: "yes", False: "no", None: "none"}


def _yes_or_no(typed: str) -> Value:
    if typed not in _TRUTH:
        raise ImpossibleError("is yes or no")
    return _TRUTH[typed]


def _whole(typed: str, low: int, high: int) -> Value:
    if not re.fullmatch("[0-9]{1,9}", typed) or not low <= int(typed) <= high:
        raise ImpossibleError(f"is a whole number from {low} to {high}")
    return int(typed)


def _one_of(typed: str, words: Sequence[str]) -> Value:
    if typed not in words:
        raise ImpossibleError(f"is {', '.join(words[:-1])} or {words[-1]}")
    return typed


def _initiative(typed: str) -> Value:
    if not re.fullmatch(INITIATIVE, typed):
        raise ImpossibleError("is dice, such as 1d10")
    return typed


# The settings that can be changed from a channel, by their names in the config.
SETTINGS: Mapping[str, Callable[[str], Value]] = {
    "system": lambda typed: _one_of("_".join(typed.replace("&", " ").split()), catalogue.system_names()),
    "botch": _yes_or_no,  # V5-09
    "wp_minutes": lambda typed: _whole(typed, *MINUTES),  # V5-25
    "auto_hunger": _yes_or_no,  # DSK-04
    "contest_minutes": lambda typed: _whole(typed, *MINUTES),  # GEN-06
    "luck_rank_for_two": lambda typed: _whole(typed, *RANKS),  # SC-18
    "triples": lambda typed: _one_of(typed, ("table", "simple")),  # XR-21
    "modifier_limit": lambda typed: None if typed == "none" else _whole(typed, 0, LARGEST_LIMIT),  # XR-07
    "initiative": _initiative,  # DSK-09
}


class HouseRule(Node):
    """Set the house rule `name` to `value`, as typed, or back to the config's; without either, ask for it.

    Without a name, ask for all.
    """

    name: str | None = None
    typed: str | None = None

    def __post_init__(self) -> None:  # DSK-10
        if self.typed not in (None, DEFAULT):
            _ = self.value  # refuses a wrong one

    @property
    def value(self) -> Value:
        """The new value, if one is set."""
        name, typed = self.name or "", self.typed or ""
        try:
            return SETTINGS[name](typed)
        except ImpossibleError as error:
            raise ImpossibleError(f"{name} {error}, you wrote {shown(typed)}.", "typed") from None

    @property
    def removes(self) -> bool:
        """Whether the config applies again."""
        return self.typed == DEFAULT

    def __str__(self) -> str:
        value = said(self.value) if self.typed not in (None, DEFAULT) else self.typed
        return joined("channel", self.name, value)


def said(value: Value) -> str:
    """A value as typed and shown."""
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


class Hints(Node):
    """Switch hints on or off."""

    wanted: bool

    def __str__(self) -> str:
        return f"hints {'on' if self.wanted else 'off'}"


class Page(Node):
    """Ask for a channel's page, or change it; `action` is empty, `renew` or `off`."""

    action: str = ""
    channel: str | None = None


class Status(Node):
    """Ask for the status of a channel, or of the bot."""

    channel: str | None = None


class Reload(Node):
    """Reload the config."""


# The notation.

OF_TRUST = ("official", "page", "storytellers", "ops_are_storytellers", "systems", "settings_by_storyteller")


def _named(names: Iterable[str]) -> str:
    """A pattern of settings, in which `_` may be a space, a hyphen, or omitted."""
    return f"(?:{'|'.join(name.replace('_', '[ _-]?') for name in sorted(names, key=len, reverse=True))}){END}"


def _name(match: re.Match[str]) -> str:
    return next(name for name in SETTINGS if re.fullmatch(_named([name]), match[0], FLAGS))


NAME = Token(", ".join(SETTINGS), _named(SETTINGS), SETTINGS, clause="name", value=_name)
IN_THE_CONFIG = refused("official", _named(OF_TRUST), "{} decides about trust: it is set in the config only.")
OTHER = refused("what there is not", r"[a-z_]+", f'"{{}}" is not a house rule: there are {", ".join(SETTINGS)}.')
VALUE = Token(
    "a value, or default", r"[:=]?\s*([^\s#:=][^#]*?)(?=\s*(?:#|for\s|[.!?]*\s*$))", clause="typed", value=lower
)
ELSEWHERE = refused(
    "in #channel",
    rf"(?:[^#]*\s)?in\s+{CHANNEL_PATTERN}",
    "house rules are shown and set in the channel itself, without its name.",
)
ON_OR_OFF = choice("wanted", {"on": True, "off": False}).set_name("on or off")
ACTION = choice("action", {"renew": "renew", "off": "off"}).set_name("renew or off")

channel = command_word("channel") + pp.Opt(ELSEWHERE | NAME + pp.Opt(VALUE) | IN_THE_CONFIG | OTHER)
channel.set_parse_action(builds(HouseRule))
page = (command_word("page") + (ACTION | IN)[...]).set_parse_action(builds(Page))
hints = (command_word("hints") - ON_OR_OFF).set_parse_action(builds(Hints))
status = (command_word("status") + pp.Opt(IN)).set_parse_action(builds(Status))
reload = command_word("reload").add_parse_action(builds(Reload))

GRAMMAR = channel | page | hints | status | reload

"""The settings of a channel: its game, its house rules, and how the bot behaves there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Literal, Protocol

from pydantic import Field

from grammars.channel import LARGEST_LIMIT, RANKS
from ircdice import values
from ircdice.casemapping import DEFAULT
from ircdice.values import Account, Game, Lower, Maybe, Minutes, Several, Switch, Whole


@dataclass(frozen=True, slots=True)
class HouseRules:
    """House rules. Judging depends on these, the command and the dice, and on nothing else."""

    botch: Switch = True  # V5-09
    wp_minutes: Minutes = 30  # V5-25
    # SC-18: the lowest skill rank with a Luck bonus of 2
    luck_rank_for_two: Annotated[Whole, Field(ge=RANKS[0], le=RANKS[1])] = 4
    triples: Annotated[Literal["table", "simple"], Lower] = "table"  # XR-21: `simple`: a triple counts as a double
    # XR-07: the largest Bonus from `convert`; None: no limit
    modifier_limit: Maybe[Annotated[Whole, Field(ge=0, le=LARGEST_LIMIT)]] = None
    initiative: Annotated[str, values.dice] = "1d10"  # DSK-09


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """One channel's settings, with defaults applied; times are in minutes unless the name says seconds."""

    official: Switch = False  # V5-20
    system: Game = "v5"
    systems: Several[Game] = ()  # games that are answered; empty means all
    house: HouseRules = field(default_factory=HouseRules)
    contest_minutes: Minutes = 15  # GEN-06
    twice_seconds: int = 30  # GEN-06: a repeated `pass` or `withdraw` within this time is ignored
    window: Minutes = 10  # minutes within which a repeated roll is noted (LED-22)
    announce: Maybe[Switch] = None  # LED-15: whether `fair` is posted unprompted; None: if official
    storytellers: Several[Account] = ()  # services accounts, IRC-14
    ops_are_storytellers: Switch = False
    settings_by_storyteller: Switch = True  # DSK-10
    prefixes: str = "`!."  # GEN-02
    hints: Switch = True
    notice: Switch = False  # IRC-20
    colour: Switch = False
    no_highlight: Switch = False  # IRC-21
    auto_hunger: Switch = False  # DSK-04: a V5 roll without h uses the tracked Hunger
    page: Annotated[Literal["no", "link", "public"], Lower] = "no"  # WEB-10: or `link` (with a token) or `public`
    base_url: Annotated[str, values.base_url] = ""  # of the page
    operators: Several[Account] = ()  # services accounts of the bot's operators (DSK-12)
    docs_url: str = ""  # of the documentation, for `help` and `fair`

    @property
    def announces(self) -> bool:
        """Whether the statement of `fair` is posted unprompted."""
        return self.official if self.announce is None else self.announce


class Settings(Protocol):
    """Where the bot looks up a channel's settings."""

    def channel(self, network: str, channel: str | None, casemapping: str = DEFAULT) -> ChannelSettings:
        """Settings of `channel`, compared by the network's casemapping; `None` is private, and never official."""
        ...

    def plays(self, network: str, channel: str) -> bool:
        """Whether this bot should be in that channel, named as in a record."""
        ...

    def joining(self) -> Iterable[tuple[str, str]]:
        """The network and name of each channel that this bot joins."""
        ...

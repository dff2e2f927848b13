"""The handler of every command: a new one is a line in COMMANDS."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, TypeVar, cast

from grammars import Command
from grammars.again import Again
from grammars.channel import HouseRule
from grammars.characters import Character, Characters, Npc, Play
from grammars.contests import Close, Contests, Discard, Pass, Withdraw
from grammars.fair import Fair, Stir
from grammars.help import About, Help
from grammars.hints import Hints
from grammars.initiative import Drop, End, Initiative, Next, Order
from grammars.log import Log, LogOfScene, Stats
from grammars.macros import Macro, Macros
from grammars.odds import OddsOf
from grammars.page import Page
from grammars.repeat import Repeated
from grammars.scenes import Scene, SceneEnd, WhichScene
from grammars.secrets import Blind, Difficulty, Reveal, Secret, Secrets
from grammars.status import Reload, Status
from grammars.tables import Contents, Draw, Gone, Left, Listing, Shuffle
from grammars.trackers import Track, Tracked, Trackers, Undo
from grammars.verify import Verify
from ircdice import dispatcher
from ircdice.bot import (
    channel,
    characters,
    contests,
    fair,
    initiative,
    log,
    macros,
    odds,
    page,
    repeats,
    rolls,
    scenes,
    secrets,
    status,
    tables,
    trackers,
    verify,
)
from ircdice.bot.context import Answer, Context
from ircdice.bot.help import about, explain, hints

N = TypeVar("N", bound=Command)
Handler: TypeAlias = Callable[[Context[Command]], Awaitable[Answer]]


def command(node: type[N], handler: Callable[[Context[N]], Awaitable[Answer]]) -> tuple[type[Command], Handler]:
    """A class of commands and its handler."""
    return node, cast(Handler, handler)


COMMANDS: Mapping[type[Command], Handler] = dict(
    (
        command(Help, explain),
        command(About, about),
        command(Contests, contests.contests),
        command(Pass, contests.do_pass),
        command(Withdraw, contests.withdraw),
        command(Close, contests.close),
        command(Discard, rolls.discard),
        command(Stir, fair.stir),
        command(Fair, fair.fair),
        command(Difficulty, secrets.difficulty),
        command(Secret, secrets.secret),
        command(Blind, secrets.blind),
        command(Secrets, secrets.listed),
        command(Reveal, secrets.reveal),
        command(Verify, verify.verify),
        command(Log, log.log),
        command(Stats, log.stats),
        command(OddsOf, odds.odds),
        command(Repeated, repeats.repeat),
        command(Again, repeats.again),
        command(HouseRule, channel.channel),
        command(Status, status.status),
        command(Reload, status.reload),
        command(Initiative, initiative.enter),
        command(Order, initiative.show),
        command(Next, initiative.following),
        command(Drop, initiative.drop),
        command(End, initiative.end),
        command(Contents, tables.add),
        command(Gone, tables.drop),
        command(Draw, tables.draw),
        command(Shuffle, tables.shuffle),
        command(Left, tables.left),
        command(Listing, tables.listing),
        command(Scene, scenes.opening),
        command(SceneEnd, scenes.end),
        command(WhichScene, scenes.question),
        command(LogOfScene, scenes.log),
        command(Macro, macros.macro),
        command(Macros, macros.macros),
        command(Hints, hints),
        command(Play, characters.play),
        command(Characters, characters.characters),
        command(Page, page.page),
        command(Character, characters.character),
        command(Npc, characters.npc),
        command(Track, rolls.track),
        command(Tracked, trackers.tracked),
        command(Trackers, trackers.trackers),
        command(Undo, trackers.undo),
    )
)


def handler_of(node: Command) -> Handler:
    """The handler of a command; the nodes of a game are rolls, or follow-ups to one."""
    return COMMANDS.get(type(node)) or (rolls.roll if dispatcher.rolls(node) else rolls.follow)

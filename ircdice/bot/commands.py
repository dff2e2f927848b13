"""The handler of every command: a new one is a line in COMMANDS."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, TypeVar, cast

from grammars import Command
from grammars.channel import Hints, HouseRule, Page, Reload, Status
from grammars.characters import Character, Characters, Npc, Play, Track, Tracked, Trackers, Undo
from grammars.contests import Close, Contests, Discard, Pass, Withdraw
from grammars.help import About, Help
from grammars.ledger import Fair, Log, LogOfScene, Stats, Stir, Verify
from grammars.macros import Again, Macro, Macros
from grammars.odds import OddsOf
from grammars.repeat import Repeated
from grammars.scenes import (
    Contents,
    Draw,
    Drop,
    End,
    Gone,
    Initiative,
    Left,
    Listing,
    Next,
    Order,
    Scene,
    SceneEnd,
    Shuffle,
    WhichScene,
)
from grammars.secrets import Blind, Difficulty, Reveal, Secret, Secrets
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
        command(Pass, rolls.do_pass),
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
        command(Repeated, rolls.repeat),
        command(Again, rolls.again),
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

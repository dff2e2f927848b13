"""The context of a line and its command: the sender, the table, and how to roll, record and reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

import grammars
from grammars import Command, Reading
from grammars.errors import ImpossibleError, UntrackedError
from grammars.odds import OddsOf
from ircdice import dispatcher, reply
from ircdice.bot.message import Message, Present, Reply, posting
from ircdice.bot.places import Place
from ircdice.bot.rate_limit import Allowance, Hinting
from ircdice.casemapping import known
from ircdice.dice import UNSTAMPED, DiceSource, Draws, RecordingDice, Stamp
from ircdice.errors import Refused, RuleError
from ircdice.game import expect
from ircdice.ledger import Draft, Ledger, Record, RecordKind, Sealed
from ircdice.ledger.record import AMENDING, ROLLING, Terms, seal_text
from ircdice.outcome import Kind, Outcome, Side
from ircdice.settings import ChannelSettings
from ircdice.table import OTHER, Desk, Table, characters
from ircdice.table.characters import Character
from ircdice.table.desk import MOST_KEPT, open_scene
from ircdice.table.rolls import Judged, Person, posted_as

N = TypeVar("N", bound=Command, covariant=True)
M = TypeVar("M", bound=Command)


class Answer(NamedTuple):
    """The result of one line: the replies, and details for other programs. No replies means silence."""

    replies: tuple[Reply, ...] = ()
    kind: Kind | None = None
    system: str | None = None
    outcome: Outcome | None = None
    record: Record | None = None
    other: str | None = None
    replaces: str | None = None
    rerolled: Side | None = None  # the side whose dice this line rerolled
    error: Refused | None = None
    rolls: tuple[Answer, ...] = ()  # if there are several (GEN-17); the fields above belong to the first


class Operations(Protocol):
    """Operations of the process for its operators (DSK-12)."""

    def status(self) -> Sequence[str]:
        """The status of its networks and its ledger, one line each."""

    def reload(self) -> str:
        """Reload the config; the result in a sentence."""


class Randomness(Protocol):
    """The dice of each command, by the place where it was typed.

    Subclasses need only `begin`; by default nothing is provable.
    """

    async def ready(self, _network: str, _place: str, /) -> None:
        """Prepare the dice of a place for a roll or a stir (LED-15). LedgerUnavailable."""
        return  # the operating system's dice need no preparation

    def begin(self, network: str, place: str, /) -> DiceSource:
        """The dice for one command; None in a place that is not `ready`."""

    def stirred(self, _network: str, _place: str, _now: int, /) -> tuple[Stamp, int]:
        """The stamp of a `stir` made now, and the time when the bot was started, in seconds since 1970.

        RuleError if it is too soon.
        """
        raise RuleError("these dice come from the operating system: there is nothing to stir.")

    def statement(self) -> str:
        """The commitments to the dice, and where to check them, in one line."""
        return "these dice come from the operating system: nothing was committed to that could be checked."

    def news(self) -> str | None:
        """The statement, once after each change, for channels where it is posted unprompted."""
        return None


@dataclass(slots=True)
class Services:
    """Services that every command can use."""

    randomness: Randomness
    allowance: Allowance | None = None  # LED-23; None means no limit
    hinting: Hinting | None = None
    operations: Operations | None = None  # DSK-12; set by the running process


@dataclass
class LineContext:
    """A line and its place: everything known before the command is read."""

    message: Message
    settings: ChannelSettings
    place: Place
    now: int  # ms since 1970
    services: Services
    table: Table = field(init=False)  # the place's memory of its rolls
    desk: Desk = field(init=False)  # stored values of the network's users and channels
    ledger: Ledger = field(init=False)  # to read records

    def __post_init__(self) -> None:
        self.table, self.desk, self.ledger = self.place.table, self.place.desk, self.place.ledger

    # A `nick` is a user's name on IRC; `who` is the user as recorded, by account or `~nick`. Users and channels own
    # characters. The actor is the Character that a command is for: the one called NAME after `as`, or else the one that
    # the speaker plays here, or else their nick (not `named`). A `name` as typed is a nick or a character's name.

    @cached_property
    def person(self) -> Person:
        """The speaker, as the owner of dice."""
        return Person(self.message.nick, self.message.who, self.message.casemapping, self.names_of(None))

    async def command(
        self, reading: Reading, text: str, *, called: bool = True, more: bool = False
    ) -> Context[Command]:
        """The context of a command, with its dice. `more` means that another command of the same line follows."""
        message, node = self.message, reading.node
        if node.draws or (dispatcher.game_name(node.inner) is not None and not isinstance(node, OddsOf)):
            await self.services.randomness.ready(message.network, message.place)
        dice = RecordingDice(self.services.randomness.begin(message.network, message.place), more=more)
        node = node.said_by_storyteller if message.storyteller else node
        return Context(message, self.settings, self.place, self.now, self.services, node, reading, text, dice, called)

    def find(self, name: str) -> Character | None:
        """The character with that name that the speaker may mean."""
        return characters.find(self.desk, self.message.place, self.message.who, name)

    def actor_of(self, name: str | None, member: str | None = None) -> Character:
        """The actor (DSK-01): the one called `name` after `as`, else the speaker's character here, else their nick.

        A nick after `as` means the character that it plays here. `member` is that of a member of the game who rolls:
        then only registered characters count.
        """
        named, nick = name or member, name or self.message.nick
        if named and (character := self.find(named)):
            return character
        who = self.message.who if self.table.same(nick, self.message.nick) else self.who_of(nick)
        return characters.acting(self.desk, self.message.place, who, nick)

    def is_somebody(self, name: str) -> bool:
        """Whether a name belongs to a character, a player with a roll or contest here, or a nick in the channel
        (GEN-03)."""
        here = self.actor_of(name).named or self.message.has(name)
        return here or self.table.same(name, OTHER) or bool(self.table.named(name))

    def nicks(self) -> list[str]:
        """The nicks in the channel, then the players with a roll or contest here."""
        message, chains = self.message, list(self.table.chains())
        here = message.nicks(message.channel) if message.nicks and message.channel else ()
        asked = (chain.against for chain in chains if chain.against)
        return [*here, *asked, *(record.draft.nick for chain in chains for record in chain.records)]

    def known_as(self, name: str) -> str:
        """The name used here for a nick: that of the character it plays, or the nick itself (DSK-01)."""
        return self.actor_of(name).name

    def same_person(self, one: str, other: str) -> bool:
        """Whether two names mean the same player here, such as a nick and the character that it plays."""
        return self.table.same(self.known_as(one), self.known_as(other))

    def who_of(self, nick: str) -> str:
        """The `who` of another user, by nick: the account if the server reports it (IRC-29)."""
        owner = self.message.owner_of(nick)
        if owner is not None and not owner.startswith("!"):
            return owner
        rolled = (chain.root.draft for chain in self.table.chains() if self.table.same(chain.root.draft.nick, nick))
        return next((draft.who for draft in rolled), f"~{self.message.fold(nick)}")

    def names_of(self, name: str | None) -> list[str]:
        """The names by which a contest may address the actor called `name` after `as`, by default the speaker; without
        nicks that are another player's character here (GEN-06)."""
        message, actor = self.message, self.actor_of(name)
        if actor.owner != message.who:
            asked = (chain.against for chain in self.table.open_contests() if chain.against)
            nicks = [nick for nick in asked if self.who_of(nick) == actor.owner]  # of the character's player
            return [actor.name, name or actor.name, *nicks]
        called = self.find(message.nick)
        own = [message.nick] if called is None or called.owner == message.who else []
        return [actor.name, *own] if actor.named else own

    def with_tracked_values(self, reading: Reading, text: str) -> tuple[Reading, str]:
        """A command with the actor's tracked values, and its text (DSK-04). RuleError if a tracker is missing."""
        spoken = self.table.speaking(reading)
        actor = self.actor_of(spoken.speaks_as, spoken.node.character)
        levels = {tracker.name: tracker.level.value for tracker in characters.trackers(self.desk, actor)}
        try:
            node = spoken.node.with_names(actor.name, self.known_as)
            node = node.with_levels(levels, auto=self.settings.auto_hunger)
        except UntrackedError as error:
            raise RuleError(error.sentence_for(actor.name)) from None
        except ImpossibleError as error:
            raise RuleError(str(error)) from None
        if node == spoken.node:
            return spoken, text
        text = f"{node}{reading.suffix}"
        if node.inner is not node:
            return spoken._replace(node=node), text
        return self.table.speaking(grammars.read(text, self.settings.system, True)), text


@dataclass
class Context(LineContext, Generic[N]):
    """Everything a handler needs to answer one command, `node`. `dice` records the faces."""

    node: N
    reading: Reading
    text: str  # as typed, without address, prefix and relay, for the record
    dice: RecordingDice
    called: bool = True
    actor: Character = field(init=False)
    for_another: bool = field(init=False)  # whether a storyteller acts for another player
    official: bool = field(init=False)  # V5-20: only in a channel that the config calls official

    def __post_init__(self) -> None:
        super().__post_init__()
        self.actor = self.actor_of(self.reading.speaks_as, self.node.character)
        self.for_another = self.reading.speaks_as is not None and self.actor.owner != self.message.who
        self.official = self.settings.official and self.message.channel is not None

    async def instead(self, text: str, kind: type[M], *, more: bool = False) -> Context[M]:
        """The context of the command `text`, of that kind, which replaces this one. CommandSyntaxError."""
        reading, text = self.with_tracked_values(grammars.read(text, self.settings.system, True), text)
        expect(reading.node, kind)
        return cast(Context[M], await self.command(reading, text, more=more))

    def secret_dice(self) -> RecordingDice:
        """The operating system's dice, for secret faces: the seed of the channel's dice will be published (LED-14)."""
        return RecordingDice(self.services.randomness.begin(self.message.network, f"@{self.message.who}"))

    def posted_name(self, node: Command | None = None) -> str:
        """The actor as posted: `Viktor (alice)` for a character with another name than the player."""
        named = self.actor.named or self.reading.speaks_as  # a player for whom a storyteller rolls
        character = (node and node.character) or (self.actor.name if named else "")
        return posted_as(character, self.message.nick)

    def is_for_actor(self, name: str) -> bool:
        """Whether a secret difficulty for that name is for the actor (FW-10), who may also be called by the name in
        the game, or by the nick of another user who plays the character."""
        actor, names = self.actor, [*self.names_of(self.reading.speaks_as), self.node.character]
        if actor.named and actor.owner != self.message.who and actor.owner.startswith("~"):
            names.append(actor.owner[1:])
        return any(self.table.same(name, each) for each in names if each)

    def require_own(self, what: str, of: Character | None = None) -> Character:
        """The actor, or `of` if given. RuleError unless the speaker is its owner or a storyteller."""
        actor, m = of or self.actor, self.message
        if actor.owner != m.who and not m.storyteller:
            who = "a storyteller" if actor.owner == m.place else f"{actor.player} or a storyteller"
            raise RuleError(f"only {who} may {what} {actor.name}.")
        return actor

    def require_storyteller(self, what: str, channel: str | None = None) -> None:
        """Raise RuleError unless the speaker is a storyteller; `channel` is named if ambiguous (IRC-14)."""
        if not self.message.storyteller:
            of = f" of {channel}" if channel else ""
            raise RuleError(f"only a storyteller{of} may {what}.")

    # `record` stores the command as typed, `remember` a form of it that stands alone, under a key, and `seal` a secret.
    # Other drafts, such as one without an author, go to `place.append` directly.

    async def record(
        self,
        kind: RecordKind,
        line: str,
        *following: Draft,
        text: str | None = None,
        key: str = "",
        ref: int = 0,
        stamp: Stamp | None = None,
        seen: Iterable[str] = (),
        judged: Judged | None = None,
    ) -> Record:
        """Append the command, or `text` in its place, durably, with the dice drawn and the `following` drafts, which
        have keys. StaleError if another process changed one of those keys, or one of `seen`.

        `judged` is the result of a roll. Errors of the ledger propagate, and then nothing is posted.
        """
        self.dice.finish()
        text, line = self.text if text is None else text, reply.within(line, reply.MOST_BEFORE_ID)
        draft = self.draft(kind, text, line, self.dice.draws, ref, stamp or self.dice.stamp, key=key)
        return await self.place.append(draft, *following, seen=seen, judged=judged)

    def draft(
        self,
        kind: RecordKind,
        text: str,
        line: str,
        draws: Draws = (),
        ref: int = 0,
        stamp: Stamp = UNSTAMPED,
        sealed: Sealed | None = None,
        key: str = "",
    ) -> Draft:
        """A record in the speaker's name, with the settings of the channel."""
        m, settings, scene = self.message, self.settings, open_scene(self.desk, self.message.place)
        terms = Terms(settings.system, settings.house, self.official, known(m.casemapping))
        actor = self.actor_of(None) if kind in AMENDING else self.actor
        named = self.for_another if self.node.by_members else self.reading.speaks_as is not None
        for_nick = named and kind in ROLLING | {"track", "draw", "seal"}
        return Draft(
            kind, m.network, m.place, m.nick, m.who, text, draws, line, ref, terms, stamp, sealed,
            scene=str(scene.number) if scene else "",
            character=actor.name if actor.named or for_nick else "",
            key=key,
            game=dispatcher.game_name(self.node.inner) or "",
        )  # fmt: skip

    async def remember(
        self, key: str, kind: RecordKind, command: Command, line: str, *following: Draft, seen: Iterable[str] = ()
    ) -> Answer:
        """Store `command`, a complete command, under `key`, and answer `line`.

        An empty key stores nothing.
        """
        text = f"{command}{self.reading.suffix}"
        return self.answer_with(await self.record(kind, self.noted(line), *following, text=text, key=key, seen=seen))

    def noted(self, line: str) -> str:
        """`line` with the comment of the command (GEN-03), and `unofficial` where it is."""
        return reply.marked(reply.commented(line, self.reading.comment), self.official)

    async def seal(self, text: str, sealed: str, line: str, *following: Draft, seen: Iterable[str] = ()) -> Record:
        """Record a sealed text, whose leaf has only its hash (LED-17); `text` and `line` are public."""
        draft = self.draft("seal", text, line and reply.marked(line, self.official), sealed=seal_text(sealed))
        return await self.place.append(draft, *following, seen=seen)

    def answer_with(self, record: Record, *private: Reply) -> Answer:
        """The answer to a command that changed stored values: its line, then those in private."""
        return Answer((self.post(record), *private), "note", self.settings.system, record=record)

    def answer(self, line: str, *private: str, kind: Kind = "check") -> Answer:
        """The answer to a question, with its first line where it was asked."""
        return Answer((self.say(line), *map(self.whisper, private)), kind)

    def answer_privately(self, *lines: str, kind: Kind = "check") -> Answer:
        """The answer to a question, in private."""
        return Answer(tuple(map(self.whisper, lines)), kind)

    def require_channel(self) -> str:
        """The channel, folded. RuleError in private, if the command names none."""
        if self.message.channel is None:
            if "channel" in self.node.__dataclass_fields__:
                raise RuleError(f"in private say where: {replace(self.node, channel='#CHANNEL')}.")
            raise RuleError("that is for a channel: say it there.")
        return self.message.place

    def require_room(self, key: str) -> None:
        """RuleError if nothing is stored under that key, and no more can be."""
        if self.desk.is_full(key):
            raise RuleError(f"{MOST_KEPT} of that kind are stored already: remove one first.")

    def storytellers(self) -> tuple[Present, ...] | None:
        """The storytellers in the channel now; None if storytellers cannot be identified (IRC-14)."""
        m = self.message
        return m.storytellers(m.channel) if m.channel is not None and m.storytellers else None

    def absent(self, nick: str) -> str:
        """A remark that the nick is not in the channel (DSK-07, GEN-06); empty if it may be: relayed users and
        characters are not in the list of members (DSK-01)."""
        m = self.message
        unknown = m.lacks(nick) and "@" not in nick and not self.find(nick)
        return f"nobody called {nick} is in {m.channel} now" if unknown else ""

    def post(self, record: Record) -> Reply:
        """A recorded line with its id, sent where the command was typed."""
        return posting(record, self.message.channel or self.message.nick)

    def say(self, text: str) -> Reply:
        """A line to the channel, or to the speaker if in private."""
        m = self.message
        return Reply(m.network, m.channel or m.nick, reply.within(text), private=m.channel is None)

    def whisper(self, text: str, nick: str | None = None) -> Reply:
        """A private line, to the speaker unless `nick` is given; a relay's user gets it in the channel."""
        if nick is None and self.message.relayed:
            return self.say(reply.within(text))
        return Reply(self.message.network, nick or self.message.nick, reply.within(text), private=True)

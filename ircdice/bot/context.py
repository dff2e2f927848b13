"""The context of one command: who typed it, the table of its channel, and the means to roll, record and reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

import grammars
from grammars import Command, Reading
from ircdice import dispatcher, reply
from ircdice.bot.message import Present, Reply
from ircdice.bot.randomness import Chance
from ircdice.bot.rate_limit import Allowance, Hinting
from ircdice.bot.speakers import Room
from ircdice.casemapping import known
from ircdice.dice import UNSTAMPED, Draws, RecordingDice, Stamp
from ircdice.errors import Refused, RuleError
from ircdice.ledger import NOTHING_SEEN, Draft, Ledger, Record, RecordKind, Sealed
from ircdice.ledger.record import AMENDING, ROLLING
from ircdice.outcome import Kind, Outcome, Side
from ircdice.table import scenes
from ircdice.table.characters import Character

N = TypeVar("N", bound=Command, covariant=True)


class Answer(NamedTuple):
    """The result of one line: the replies, and for other programs what the line was. No replies is silence."""

    replies: tuple[Reply, ...] = ()
    kind: Kind | None = None
    system: str | None = None
    outcome: Outcome | None = None
    record: Record | None = None
    other: str | None = None
    replaces: str | None = None
    rerolled: Side | None = None  # whose dice were rerolled by this line
    error: Refused | None = None
    rolls: tuple[Answer, ...] = ()  # each of several (GEN-17); the fields above are those of the first


class Operations(Protocol):
    """What an operator may ask of the process that runs the bot (DSK-12)."""

    def status(self) -> Sequence[str]:
        """The status of its networks and its ledger, a line each."""
        ...

    def reload(self) -> str:
        """Read the config again: what came of it, in a sentence."""
        ...


class Keep(Protocol):
    """Appends a record, and those that follow from it, and tells table and desk; see `Ledger.append_all`."""

    async def __call__(self, draft: Draft, *following: Draft, seen: Mapping[str, int] = NOTHING_SEEN) -> Record:
        """The first record. LedgerUnavailable, StaleError."""
        ...


@dataclass(frozen=True)
class Context(Room, Generic[N]):
    """What a handler needs to answer one command, `node`. `dice` keep the faces that they show."""

    node: N
    reading: Reading
    text: str  # as typed, without address, prefix and relay: for the record
    keep: Keep
    fetch: Callable[[str], Awaitable[None]]  # makes what that owner keeps ready on the desk
    dice: RecordingDice
    chance: Chance
    ledger: Ledger
    allowance: Allowance | None = None  # LED-23; None: no limit
    hinting: Hinting | None = None
    operations: Operations | None = None  # DSK-12; None: nothing is run
    called: bool = True

    @property
    def official(self) -> bool:
        """V5-20: only in a channel that the config calls official."""
        return self.settings.official and self.message.channel is not None

    async def instead(self, text: str, *, more: bool = False) -> Context[Command]:
        """The context of the command `text`, which is carried out in place of this one. `more`: and then another.

        CommandSyntaxError where it is no command.
        """
        message = self.message
        reading = grammars.read(text, self.settings.system, True)
        reading, text = self.filled(reading, text)
        node = reading.node.said_by_storyteller if message.storyteller else reading.node
        await self.chance.ready(message.network, message.place)
        dice = RecordingDice(self.chance.begin(message.network, message.place), more=more)
        return replace(cast(Context[Command], self), node=node, reading=reading, text=text, dice=dice)

    @property
    def actor(self) -> Character:
        """Who acts (DSK-01)."""
        return self.actor_of(self.reading.speaks_as, self.node.speaker)

    @property
    def own(self) -> Character:
        """Who acts where `as NAME` does not say for whom, but which side of a roll is meant."""
        return self.actor_of(None)

    @property
    def names(self) -> list[str]:
        """The names by which a contest may ask who acts (GEN-06)."""
        return self.names_of(self.reading.speaks_as)

    @property
    def names_under_difficulty(self) -> list[str]:
        """The names under which a secret difficulty may wait for who acts (FW-10): whom the game's own `as NAME` names
        too, and the nick of somebody else who plays the character."""
        actor = self.actor
        theirs = actor.named and actor.owner != self.message.who and actor.owner.startswith("~")
        return [*self.names, *filter(None, [self.node.speaker]), *([actor.owner[1:]] if theirs else [])]

    @property
    def for_another(self) -> bool:
        """Whether the speaker acts for another player, as a storyteller may."""
        return self.reading.speaks_as is not None and self.actor.owner != self.message.who

    def require_own(self, what: str, of: Character | None = None) -> Character:
        """Who acts, unless `of` says who. RuleError where that is neither the speaker's nor a storyteller asks."""
        actor, m = of or self.actor, self.message
        if actor.owner != m.who and not m.storyteller:
            who = "a storyteller" if actor.owner == m.place else f"{actor.player} or a storyteller"
            raise RuleError(f"only {who} may {what} {actor.name}.")
        return actor

    def require_storyteller(self, what: str, channel: str | None = None) -> None:
        """RuleError for anyone but a storyteller, of `channel` where that is not plain (IRC-14)."""
        if not self.message.storyteller:
            of = f" of {channel}" if channel else ""
            raise RuleError(f"only a storyteller{of} may {what}.")

    async def record(
        self, kind: RecordKind, line: str, *following: Draft, ref: int = 0, stamp: Stamp | None = None
    ) -> Record:
        """Append the command to the ledger, durably, and what follows from it, which has keys.

        Raises what the ledger raises, and then nothing is posted.
        """
        self.dice.finish()
        line = reply.within(line, reply.MOST_BEFORE_ID)
        draft = self.draft(kind, self.text, line, self.dice.draws, ref, stamp or self.dice.stamp)
        return await self.keep(draft, *following, seen=self.desk.seen(*(each.key for each in following)))

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
        m, settings = self.message, self.settings
        said = kind, m.network, m.place, m.nick, m.who, text, draws, line, ref
        terms = settings.system, settings.house, self.official
        actor, game = self.own if kind in AMENDING else self.actor, dispatcher.owner(self.node.inner) or ""
        for_nick = self.reading.speaks_as is not None and (kind in ROLLING or kind == "track")
        character = actor.name if actor.named or for_nick else ""
        scene = scenes.playing(self.desk, m.place)
        number = str(scene.number) if scene else ""
        return Draft(*said, *terms, stamp, sealed, known(m.casemapping), number, character, key=key, game=game)

    async def remember(
        self, key: str, kind: RecordKind, kept: Command, line: str, *following: Draft, seen: Iterable[str] = ()
    ) -> Answer:
        """Record that `key` holds `kept` from now on, a command with everything filled in (desk.md), and answer `line`.

        The record has the dice that were drawn; the `following` drafts have keys of their own. An empty key is none.
        """
        self.dice.finish()
        line = reply.marked(line, self.official)
        draft = self.draft(kind, str(kept), line, self.dice.draws, stamp=self.dice.stamp, key=key)
        keys = filter(None, [key, *(each.key for each in following), *seen])
        return self.noted(await self.keep(draft, *following, seen=self.desk.seen(*keys)))

    def noted(self, record: Record) -> Answer:
        """The answer to a command that changed what the table keeps: its line."""
        return Answer((self.post(record),), "note", self.settings.system, record=record)

    def require_channel(self, what: str) -> str:
        """The channel, folded. RuleError in private: `what` is done there."""
        if self.message.channel is None:
            raise RuleError(f"{what}: say it there.")
        return self.message.place

    def require_present(self) -> None:
        """RuleError for a player who is not in the channel where a line of theirs would be posted."""
        m = self.message
        if m.channel is not None and m.aside and not m.storyteller and m.absent and m.absent(m.channel, m.nick):
            raise RuleError(f"you are not in {m.channel}.")

    def storytellers(self) -> tuple[Present, ...] | None:
        """The storytellers who are in the channel now; None if none can be told apart (IRC-14)."""
        m = self.message
        return m.storytellers(m.channel) if m.channel is not None and m.storytellers else None

    def absent(self, nick: str) -> str:
        """The remark that no one in the channel has that nick (DSK-07, GEN-06); empty where somebody has or may have
        it: a nick of a relay is in no list, nor is a character (DSK-01)."""
        m = self.message
        if m.channel is None or m.absent is None or "@" in nick or not m.absent(m.channel, nick):
            return ""
        if self.find(nick):
            return ""
        return f"nobody called {nick} is in {m.channel} now"

    def post(self, record: Record) -> Reply:
        """A recorded line with its id, to where the command was typed."""
        return posting(record, self.message.channel or self.message.nick)

    def say(self, text: str) -> Reply:
        """A line to the channel, or to the speaker in private talk."""
        m = self.message
        return Reply(m.network, m.channel or m.nick, reply.within(text), private=m.channel is None)

    def whisper(self, text: str, nick: str | None = None) -> Reply:
        """A line to one person, the speaker unless `nick` is given; a relay's user gets it in the channel."""
        if nick is None and self.message.relayed:
            return self.say(reply.within(text))
        return Reply(self.message.network, nick or self.message.nick, reply.within(text), private=True)

    def answer(
        self,
        record: Record,
        outcome: Outcome,
        other: str | None,
        *,
        replaces: str | None = None,
        offers: tuple[Reply, ...] = (),
    ) -> Answer:
        """The answer to a recorded roll: its line, then the private lines to each side."""
        kind = "contest" if outcome.opponent and outcome.kind == "roll" else outcome.kind
        system = dispatcher.owner(outcome.becomes or self.node) or self.settings.system
        return Answer((self.post(record), *offers), kind, system, outcome, record, other, replaces)


def posting(record: Record, target: str | None = None) -> Reply:
    """The line of a record with its id, to `target`, else to where the record says that it was typed."""
    draft = record.draft
    where = target or (draft.nick if draft.private else draft.channel)
    text = reply.within(f"{draft.line}; id {record.id}")
    return Reply(draft.network, where, text, private=draft.private, seq=record.seq, place=draft.channel)

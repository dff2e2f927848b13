"""Messages that the bot reads, and its replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ircdice.casemapping import DEFAULT, fold
from ircdice.errors import RuleError
from ircdice.ledger import Record
from ircdice.reply import within


class There(NamedTuple):
    """A channel that the bot is in, as written, and whether the sender is a storyteller there."""

    channel: str
    storyteller: bool
    hidden: bool = False  # as in `Message`


class ChannelModes(NamedTuple):
    """A channel that the bot is in: its name as recorded, and whether it is +s, +p or +k (WEB-10)."""

    channel: str
    hidden: bool


FindModes = Callable[[str, str], ChannelModes | None]
"""The modes of a channel, by network and name; None if the bot is not in it or does not know them yet."""


class Present(NamedTuple):
    """A user currently in a channel; `who` as in a record."""

    nick: str
    who: str


@dataclass(frozen=True, slots=True)
class Message:
    """One received line. `channel` is None in private; names are as sent by the server."""

    network: str  # the name of the config's section
    channel: str | None
    nick: str
    text: str
    me: str = "FUDice"  # the bot's current nick there
    account: str | None = None  # the services account, if known
    storyteller: bool = False  # IRC-14, decided by account or rank, never by nick
    relay: bool = False  # IRC-13: `nick` carries other people's lines, `<user> text`
    casemapping: str = DEFAULT
    msgid: str = field(default="", compare=False, repr=False)  # IRC-27: the id of the line, if the server sends one
    userhost: str = field(default="", compare=False, repr=False)  # user@host, as the server shows it
    hidden: bool = field(default=False, compare=False, repr=False)  # the channel is +s, +p or +k, or may be (WEB-10)
    relayed: bool = False  # `nick` is user@relay, who cannot receive private lines
    aside: bool = False  # sent in private, about `channel` (DSK-07)
    # Whether that nick is absent from that channel. None: unknown.
    absent: Callable[[str, str], bool] | None = field(default=None, compare=False, repr=False)
    # The current user of a nick: the folded account, or `!` and user@host. None: unknown (IRC-29).
    owner: Callable[[str], str | None] | None = field(default=None, compare=False, repr=False)
    # The storytellers currently in a channel. None: they cannot be identified (IRC-14).
    storytellers: Callable[[str], tuple[Present, ...] | None] | None = field(default=None, compare=False, repr=False)
    # In private, the channel with a name; None if the bot is not in it. Without this function any name is accepted.
    there: Callable[[str], There | None] | None = field(default=None, compare=False, repr=False)
    # When it was received, on the event loop's clock: limits the wait for an absent ledger (LED-05).
    heard_at: float | None = field(default=None, compare=False, repr=False)
    # For the record: the account if known, else `~` and the folded nick; the channel, folded, or `@who` in private.
    who: str = field(init=False, compare=False, repr=False)
    place: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Cached, because they are used many times for one line.
        who = self.fold(self.account) if self.account else "~" + self.fold(self.nick)
        object.__setattr__(self, "who", who)
        object.__setattr__(self, "place", f"@{who}" if self.channel is None else self.fold(self.channel))

    def fold(self, name: str) -> str:
        """`name`, folded by the network's casemapping."""
        return fold(name, self.casemapping)

    def has(self, nick: str) -> bool:
        """Whether that nick is known to be in the channel."""
        return self.channel is not None and self.absent is not None and not self.absent(self.channel, nick)

    def lacks(self, nick: str) -> bool:
        """Whether that nick is known not to be in the channel."""
        return self.channel is not None and self.absent is not None and self.absent(self.channel, nick)

    def owner_of(self, nick: str) -> str | None:
        """The current user of that nick, if known (IRC-29)."""
        return self.owner(nick) if self.owner else None

    def is_from(self, owner: str) -> bool:
        """Whether the sender is that user of a nick (IRC-29)."""
        return owner == (self.fold(self.account) if self.account else None) or owner == "!" + self.fold(self.userhost)

    def about(self, channel: str) -> Message:
        """A private line as one about a channel, with the speaker's rights there.

        RuleError if the bot is not there, and the same if the speaker is known not to be, unless they are a
        storyteller: the channel and its contents may be secret.
        """
        found = self.there(channel) if self.there else There(channel, self.storyteller)
        if found is not None:
            there, storyteller, hidden = found
            theirs = replace(self, channel=there, storyteller=storyteller, hidden=hidden, aside=True)
            if storyteller or not theirs.lacks(self.nick):
                return theirs
        raise RuleError(f"you and I are not both in {channel}.")


@dataclass(frozen=True, slots=True)
class Reply:
    """One line to send, to a channel or, if `private`, to a nick; `seq` is the record that it posts, if any."""

    network: str
    target: str
    text: str
    private: bool = False
    seq: int | None = None
    place: str = ""  # the channel as recorded
    joins: bool = False  # the next reply follows immediately, and may share its line (GEN-17)


def posting(record: Record, target: str | None = None) -> Reply:
    """The line of a record with its id, to `target`, or else to the place in the record."""
    draft = record.draft
    where = target or (draft.nick if draft.private else draft.channel)
    text = within(f"{draft.line}; id {record.id}")
    return Reply(draft.network, where, text, private=draft.private, seq=record.seq, place=draft.channel)

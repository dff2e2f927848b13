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
    """A channel that the bot is in, as it is written, and whether the sender is a storyteller there."""

    channel: str
    storyteller: bool
    hidden: bool = False  # as in `Message`


class ChannelModes(NamedTuple):
    """A channel that the bot is in: its name as records have it, and whether it is +s, +p or +k (WEB-10)."""

    channel: str
    hidden: bool


FindModes = Callable[[str, str], ChannelModes | None]
"""The modes of a channel, by network and name; None if the bot is not in it, or does not know them yet."""


class Present(NamedTuple):
    """A user who is in a channel now; `who` as in a record."""

    nick: str
    who: str


@dataclass(frozen=True, slots=True)
class Message:
    """One line heard. `channel` is None in private; names are as the server writes them."""

    network: str  # the name of the config's section
    channel: str | None
    nick: str
    text: str
    me: str = "FUDice"  # the bot's own nick there, now
    account: str | None = None  # the services account, where known
    storyteller: bool = False  # IRC-14, decided by account or rank, never by nick
    relay: bool = False  # IRC-13: `nick` carries other people's lines, `<user> text`
    casemapping: str = DEFAULT
    msgid: str = field(default="", compare=False, repr=False)  # IRC-27: the line's own id, where the server gives one
    userhost: str = field(default="", compare=False, repr=False)  # user@host, as the server shows it
    hidden: bool = field(default=False, compare=False, repr=False)  # the channel is +s, +p or +k, or may be (WEB-10)
    relayed: bool = False  # `nick` is user@relay, whom no private line can reach
    aside: bool = False  # said to the bot alone, of `channel` (DSK-07)
    # Whether that nick is not in that channel, by what the server sent. None: not known.
    absent: Callable[[str, str], bool] | None = field(default=None, compare=False, repr=False)
    # Who has a nick now: the folded account, or `!` and user@host. None: not known (IRC-29).
    owner: Callable[[str], str | None] | None = field(default=None, compare=False, repr=False)
    # The storytellers who are in a channel now. None: none can be told apart (IRC-14).
    storytellers: Callable[[str], tuple[Present, ...] | None] | None = field(default=None, compare=False, repr=False)
    # In private, what a channel's name means; None where the bot is not in it. Without it any name is as good.
    there: Callable[[str], There | None] | None = field(default=None, compare=False, repr=False)
    # When it was heard, on the event loop's clock: it waits no longer for an absent ledger than from then (LED-05).
    heard_at: float | None = field(default=None, compare=False, repr=False)
    # For the record: the account where known, else `~` and the folded nick; the channel, folded, or in private `@who`.
    who: str = field(init=False, compare=False, repr=False)
    place: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Asked for again and again while one line is answered.
        who = self.fold(self.account) if self.account else "~" + self.fold(self.nick)
        object.__setattr__(self, "who", who)
        object.__setattr__(self, "place", f"@{who}" if self.channel is None else self.fold(self.channel))

    def fold(self, name: str) -> str:
        """`name` as this network compares it."""
        return fold(name, self.casemapping)

    def has(self, nick: str) -> bool:
        """Whether that nick is known to be in the channel."""
        return self.channel is not None and self.absent is not None and not self.absent(self.channel, nick)

    def lacks(self, nick: str) -> bool:
        """Whether that nick is known not to be in the channel."""
        return self.channel is not None and self.absent is not None and self.absent(self.channel, nick)

    def owner_of(self, nick: str) -> str | None:
        """Who has that nick now, where known (IRC-29)."""
        return self.owner(nick) if self.owner else None

    def is_from(self, owner: str) -> bool:
        """Whether the sender is that owner of a nick (IRC-29)."""
        return owner == (self.fold(self.account) if self.account else None) or owner == "!" + self.fold(self.userhost)

    def about(self, channel: str) -> Message:
        """A private line as one about a channel, with the speaker's rights there.

        RuleError if the bot is not there, and in the same words if the speaker is known not to be, unless they are a
        storyteller: the channel and what it keeps may be secret.
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
    """One line to say, to a channel or, `private`, to one nick; `seq` is the record that it posts, if any."""

    network: str
    target: str
    text: str
    private: bool = False
    seq: int | None = None
    place: str = ""  # of the record: the channel as it is recorded
    joins: bool = False  # the next reply follows at once, and may share its line (GEN-17)


def posting(record: Record, target: str | None = None) -> Reply:
    """The line of a record with its id, to `target`, else to where the record says that it was typed."""
    draft = record.draft
    where = target or (draft.nick if draft.private else draft.channel)
    text = within(f"{draft.line}; id {record.id}")
    return Reply(draft.network, where, text, private=draft.private, seq=record.seq, place=draft.channel)

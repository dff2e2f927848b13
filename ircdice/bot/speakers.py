"""Who acts by a line: the sender, a character of theirs, or somebody whom a storyteller acts for (DSK-01)."""

from __future__ import annotations

from dataclasses import dataclass

import grammars
from grammars import CommandSyntaxError, Reading
from grammars.errors import ImpossibleError, UntrackedError
from grammars.line import Line, shown
from grammars.tokens import near
from ircdice.bot.message import Message
from ircdice.errors import RuleError
from ircdice.settings import ChannelSettings
from ircdice.table import Desk, Table, characters, trackers
from ircdice.table.characters import Character
from ircdice.table.desk import folded

SHORTEST_MISSPELT = 4  # letters: `as ever` is no `Eve`


@dataclass(frozen=True)
class Room:
    """A line, and the place where it was sent: all that is known before its command is."""

    message: Message
    settings: ChannelSettings
    table: Table
    desk: Desk
    now: int  # ms since 1970

    def find(self, name: str) -> Character | None:
        """The character of that name whom the speaker may mean."""
        return characters.find(self.desk, self.message.place, self.message.who, name)

    def playing(self, who: str) -> Character | None:
        """The character that a person plays here."""
        return characters.playing(self.desk, self.message.place, who)

    def actor_of(self, name: str | None, member: str | None = None) -> Character:
        """Who acts: the one called `name` after `as`, else the speaker's character here, else the speaker's nick.

        A nick after `as` is the character whom that nick plays here. `member` is a name that a game's own grammar takes
        after `as`: only a character of the desk counts.
        """
        named = name or member
        found = self.find(named) if named else None
        if found is not None:
            return found
        nick = name or self.message.nick
        who = self.message.who if self.table.same(nick, self.message.nick) else self.who_of(nick)
        return self.playing(who) or Character(who, nick, named=False)

    def known_as(self, name: str) -> str:
        """The name under which somebody is known here: that of the character whom a nick plays, else the name itself
        (DSK-01)."""
        return self.actor_of(name).name

    def same_person(self, one: str, other: str) -> bool:
        """Whether two names are those of one person here, as a nick and the character that it plays."""
        return self.table.same(self.known_as(one), self.known_as(other))

    def who_of(self, nick: str) -> str:
        """The `who` of somebody else, by their nick: by account where the server tells it (IRC-29)."""
        owner = self.message.owner_of(nick)
        if owner is not None and not owner.startswith("!"):
            return owner
        rolled = (chain.root.draft for chain in self.table.chains() if self.table.same(chain.root.draft.nick, nick))
        return next((draft.who for draft in rolled), f"~{self.message.fold(nick)}")

    def check_spelling(self, said: Reading, text: str) -> None:
        """CommandSyntaxError if `as NAME` names nobody, but is one letter off a character whom the speaker acts for."""
        typed = said.speaks_as or ""
        acted_for = {
            folded(each.name): each.name
            for each in characters.of_all(self.desk, self.message.place, self.message.who)
            if len(each.name) >= SHORTEST_MISSPELT and (self.message.storyteller or each.owner == self.message.who)
        }
        if len(typed) >= SHORTEST_MISSPELT and (meant := near(folded(typed), acted_for)):
            hint = str(said._replace(speaks_as=acted_for[meant[0]]))
            raise CommandSyntaxError(f"nobody here is called {shown(typed)}.", text, text.find(typed) + 1, hint)

    def names_of(self, name: str | None) -> list[str]:
        """The names by which a contest may ask who acts; a nick that is another's character here is not one of them."""
        actor, message = self.actor_of(name), self.message
        if actor.owner != message.who:
            return list(dict.fromkeys([actor.name, name or actor.name]))
        called = self.find(message.nick)
        own = [message.nick] if called is None or called.owner == message.who else []
        return list(dict.fromkeys([actor.name, *own] if actor.named else own))

    def names_of_other(self, name: str) -> list[str]:
        """The names by which somebody else may have been asked, who is called `name` here."""
        found = self.find(name)
        who = found.owner if found else self.who_of(name)
        playing = self.playing(who)
        return [name, who.removeprefix("~"), *([playing.name] if playing else [])]

    def filled(self, said: Reading, text: str) -> tuple[Reading, str]:
        """A command with what is tracked for who acts, and its text (DSK-04). RuleError if that is not tracked."""
        actor = self.actor_of(said.speaks_as, said.node.speaker)
        levels = {tracker.name: tracker.level.value for tracker in trackers.trackers(self.desk, actor)}
        try:
            node = said.node.with_name(actor.name).with_known_name(self.known_as)
            node = node.with_levels(levels, auto=self.settings.auto_hunger)
        except UntrackedError as error:
            raise RuleError(error.sentence_for(actor.name)) from None
        except ImpossibleError as error:
            raise RuleError(str(error)) from None
        if node == said.node:
            return said, text
        if node.inner is not node:  # `odds` and `3x`, whose own words are not recorded
            return said._replace(node=node), f"{node} # {said.comment}" if said.comment else str(node)
        text = f"{node}{Line.of(text).plain[len(said.typed) :]}"
        return grammars.read(text, self.settings.system, True), text

    def with_whole_name(self, said: Reading) -> str | None:
        """The command with the name of several words that `as Old Tom` means, in quotes; None if it means one word."""
        words = f"{said.speaks_as} {said.comment}" if said.speaks_as and said.comment and said.in_words else ""
        known = characters.of_all(self.desk, self.message.place, self.message.who) if words else []
        for name in sorted((each.name for each in known if " " in each.name), key=len, reverse=True):
            rest = words[len(name) :]
            if words.casefold().startswith(name.casefold()) and not rest[:1].isalnum():
                return f'{said.typed} as "{name}"{rest}'
        return None

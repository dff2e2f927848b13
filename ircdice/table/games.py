"""The memories of the games of a channel, such as a blessing or the Luck of an encounter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from grammars import Command
from grammars.trackers import Track
from ircdice import dispatcher
from ircdice.casemapping import fold
from ircdice.errors import UnknownSpeakerError
from ircdice.game import AnyGame, Said
from ircdice.ledger.record import Record
from ircdice.outcome import Earlier
from ircdice.table.rolls import Chain, reading_of


@dataclass(slots=True)
class Memories:
    """One memory for each game that has been played. Nicks are folded."""

    _by_game: dict[str, object] = field(default_factory=dict)

    def prepared(self, node: Command, who: str) -> Command:
        """`node` with what its game remembers for that nick, a blessing or a helper's dice."""
        if dispatcher.owner(node) is None:
            return node
        _, system, memory = self._of(node)
        try:
            return system.prepared(node, memory, who)
        except UnknownSpeakerError:
            if node.speaker is None or fold(node.speaker) != who:
                raise
            return system.prepared(replace(node, speaker=None), memory, who)  # a character that is in no encounter

    def told(self, node: Command, who: str, *, storyteller: bool) -> tuple[str, ...] | None:
        """The lines that answer a question about the memory; None for any other node. RuleError if not allowed."""
        _, system, memory = self._of(node)
        system.permits(node, memory, who, storyteller)
        return system.tells(node, memory, who)

    def remember(self, said: Said) -> None:
        """Pass the outcome of a roll to its game."""
        name, system, memory = self._of(said.node)
        self._by_game[name] = system.remember(memory, said)

    @property
    def open_since(self) -> int:
        """The first record of what is open in any game, such as an encounter; 0 if nothing is."""
        systems = dispatcher.systems()
        opened = (systems[name].open_since(memory) for name, memory in self._by_game.items())
        return min(filter(None, opened), default=0)

    def tracked(self, said: Track, who: str) -> Command | None:
        """A game's own command in place of a change of that nick's tracker, where its memory has that number."""
        systems = dispatcher.systems()
        found = (systems[name].tracked(memory, who, said) for name, memory in self._by_game.items())
        return next(filter(None, found), None)

    def returned(self, said: Said) -> str:
        """What comes back when a roll is discarded, in its game's words; empty if nothing does."""
        _, system, memory = self._of(said.node)
        return system.returns(replace(said, discarded=True), memory)

    def _of(self, node: Command) -> tuple[str, AnyGame, object]:
        """The name of a node's game, the game, and its memory, None at first. RuleError if it belongs to none."""
        name = dispatcher.owner(node) or ""
        return name, dispatcher.system_of(node), self._by_game.get(name)


def counts_for(record: Record) -> str:
    """The name that a command counts for: a character's, the speaker's, or that of whoever was answered for."""
    if record.draft.character:
        return record.draft.character
    if record.draft.kind != "answer":
        return record.draft.nick
    return reading_of(record).speaks_as or record.draft.nick


def said(chain: Chain, earlier: Earlier, casemapping: str, *, revealed: bool) -> Said:
    """A roll, now `earlier`, with the last command about it, for the memory of its game."""
    root, latest = chain.root, chain.later[-1] if chain.later else chain.node
    other = fold(counts_for(chain.answered), casemapping) if chain.against and chain.answered else None
    return Said(
        nick=fold(counts_for(root), casemapping),
        node=earlier.node,
        outcome=earlier.outcome,
        roll=root.seq,
        other=other,
        by=fold(counts_for(chain.latest), casemapping),
        latest=latest,
        discarded=chain.discarded,
        comment=chain.comment,
        line=root.draft.line,
        revealed=revealed,
    )

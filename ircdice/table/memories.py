"""What the games of a channel remember beside its rolls: a blessing, an encounter's Luck. Knows no game's rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from grammars.command import Command
from ircdice import dispatcher
from ircdice.system import Memory, Said, System


@dataclass(slots=True)
class Memories:
    """One memory for each game that has been played; every nick is folded already, as the network compares them."""

    _by_game: dict[str, Memory] = field(default_factory=dict)

    def prepared(self, node: Command, who: str) -> Command:
        """`node` with what its game remembers for that nick, a blessing or a helper's dice."""
        if dispatcher.owner(node) is None:
            return node
        _, system, memory = self._of(node)
        return node if system.prepared is None else system.prepared(node, memory, who)

    def told(self, node: Command, who: str, *, storyteller: bool) -> tuple[str, ...] | None:
        """The lines that a node which only asks is told; None for any other. RuleError where it may not be said."""
        _, system, memory = self._of(node)
        if system.permits is not None:
            system.permits(node, memory, who, storyteller)
        return system.tells(node, memory, who) if system.tells else None

    def remember(self, said: Said) -> None:
        """Let the game of a roll learn what it came to."""
        name, system, memory = self._of(said.node)
        if system.remember is not None:
            self._by_game[name] = system.remember(memory, said)

    @property
    def open_since(self) -> int:
        """The first record of what is open in any game, as an encounter; 0 where nothing is."""
        systems = dispatcher.systems()
        opened = ((systems[name].open_since, memory) for name, memory in self._by_game.items())
        return min(filter(None, (since(memory) for since, memory in opened if since)), default=0)

    def returned(self, said: Said) -> str:
        """What comes back when a roll is discarded, in its game's words; empty where nothing does."""
        _, system, memory = self._of(said.node)
        return system.returns(replace(said, discarded=True), memory) if system.returns else ""

    def _of(self, node: Command) -> tuple[str, System, Memory]:
        """A node's game by name, the game, and what it remembers, None at first. RuleError where it has none."""
        name = dispatcher.owner(node) or ""
        return name, dispatcher.system_of(node), self._by_game.get(name)

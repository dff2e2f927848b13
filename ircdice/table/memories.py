"""What the games of a channel remember beside its rolls: a blessing, an encounter's Luck. Knows no game's rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ircdice import dispatcher
from ircdice.system import Memory, Said


@dataclass(slots=True)
class Memories:
    """One memory for each game that has been played; every nick is folded already, as the network compares them."""

    _by_game: dict[str, Memory] = field(default_factory=dict)

    def prepared(self, node: Any, who: str) -> Any:
        """`node` with what its game remembers for that nick, a blessing or a helper's dice."""
        name = dispatcher.owner(node)
        if name is None or (prepare := dispatcher.systems()[name].prepared) is None:
            return node
        return prepare(node, self._by_game.get(name), who)

    def told(self, node: Any, who: str, *, storyteller: bool) -> tuple[str, ...] | None:
        """The lines that a node which only asks is told; None for any other. RuleError where it may not be said."""
        name = dispatcher.owner(node) or ""
        system, memory = dispatcher.systems()[name], self._by_game.get(name)
        if system.permits is not None:
            system.permits(node, memory, who, storyteller)
        return system.tells(node, memory, who) if system.tells else None

    def remember(self, said: Said) -> None:
        """Let the game of a roll learn what it came to."""
        name = dispatcher.owner(said.node) or ""
        if (remember := dispatcher.systems()[name].remember) is not None:
            self._by_game[name] = remember(self._by_game.get(name), said)

    def returned(self, said: Said) -> str:
        """What comes back when a roll is discarded, in its game's words; empty where nothing does."""
        name = dispatcher.owner(said.node) or ""
        returns = dispatcher.systems()[name].returns
        return returns(replace(said, discarded=True), self._by_game.get(name)) if returns else ""

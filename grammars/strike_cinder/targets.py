"""Whom a roll is to hit, and the Defense DC that it must meet (SC-08…SC-11, SC-24). Rolls nothing."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.strike_cinder import tables as t
from grammars.strike_cinder.pools import ImpossibleError


@dataclass(frozen=True, slots=True)
class Standing:
    """What an open encounter knows of a target: its Path or own DC, and its Luck before the roll (SC-19, SC-24)."""

    path: str | None
    dc: int | None
    luck: int
    most: int


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a roll is to hit: a Path (SC-08), or a name of the open encounter, which `standing` then tells of."""

    path: str | None = None
    name: str | None = None
    weaknesses: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    standing: Standing | None = None

    def __post_init__(self) -> None:
        """A target is one of the two."""
        if (self.path is None) == (self.name is None):
            raise ValueError("a target is a Path or a name.")

    @property
    def known_path(self) -> str | None:
        """Its Path, said or known of the encounter."""
        return self.path or (self.standing.path if self.standing else None)

    @property
    def aimed(self) -> tuple[object, ...]:
        """Whom it means, in whatever order it was said (LED-22)."""
        return self.path, self.name and self.name.lower(), frozenset(self.weaknesses), frozenset(self.states)

    def check(self, pool: str, dc: int | None) -> None:
        """Refuse words that mean nothing of this target and pool (SC-08, SC-11, SC-12)."""
        for word in self.weaknesses:
            _check_bane(word, self.known_path, pool)
            if word == "salt" and dc is not None:
                raise ImpossibleError("salt bypasses a Spirit's DC: leave the dc out.", "dc")
        if "shifted" in self.states and self.known_path != t.AFFLICTED:
            raise ImpossibleError(
                *_state_objection("shifted", "an Afflicted Shifter", self.known_path == t.ANY_SHIFTER, "afflicted")
            )
        if "manifested" in self.states and self.known_path != t.SPIRIT:
            raise ImpossibleError(*_state_objection("manifested", "a Spirit", False, ""))

    def defense(self, pool: str, dc: int | None) -> int | None:
        """The DC that a roll must meet; None where it is bypassed (SC-08, SC-09, SC-11)."""
        path = self.known_path
        banes = [t.bane(word, path, pool) for word in self.weaknesses] if path else []
        if [found for found in banes if found is not None and found.bypasses]:
            return None
        if dc is not None:
            return dc
        if self.standing is not None and self.standing.dc is not None:
            return self.standing.dc
        # SC-09: Cinder meets the manifested DC, manifested or not.
        if path == t.SPIRIT and ("manifested" in self.states or pool == t.CINDER):
            return t.MANIFESTED_DC
        return t.SHIFTED_DC if "shifted" in self.states else t.PATHS[path].dc if path else None

    def __str__(self) -> str:
        return " ".join(["vs", self.path or self.name or "", *self.states, *self.weaknesses])


def _check_bane(word: str, path: str | None, pool: str) -> None:
    if path is not None and t.bane(word, path, pool) is not None:
        return
    weak = t.whose(t.BANES, word)
    if not weak:
        weak = t.whose(t.WEAKNESSES, word)
        raise ImpossibleError(f"{word} weakens {weak} that rolls, and stands before vs.", word)
    if path is None:
        raise ImpossibleError(f"{word} behind vs is for {weak}: say the target's Path.", word)
    known = any(b.word == word and path in b.paths for b in t.BANES)
    how = f"when {pool.capitalize()} hits it" if known else "when it is hit"
    raise ImpossibleError(f"{word} does nothing to {t.article(t.PATHS[path].name)} {how}.", word)


def _state_objection(word: str, whom: str, asks: bool, prefix: str) -> tuple[str, str, str]:
    if asks:
        return f"{word} is for {whom}: say vs {prefix} shifter {word}.", word, ""
    return f"{word} behind vs is for {whom}.", word, ""

"""The nodes of Strike & Cinder that roll: what can be asked. One that is not valid cannot be built."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.strike_cinder import tables as t
from grammars.tokens import MOST_DICE

LARGEST_DC = 1000  # GEN-15: no throw has more dice than that
NICK_FORBIDDEN = " #"


class ImpossibleError(ValueError):
    """What the rules rule out: `word` is the one to blame, `instead` what may stand in its place (None: unknown)."""

    def __init__(self, sentence: str, word: str, instead: str | None = "") -> None:
        super().__init__(sentence)
        self.word, self.instead = word, instead


def signed(changes: tuple[int, ...]) -> str:
    """` +2 -1`."""
    return "".join(f" {change:+}" for change in changes)


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of one side: a number, a Path's own, or a number of dice of a Path (SC-06, SC-25).

    `ironwill` and `ritual` are the dice of Humans (SC-07, SC-17); `changes` are `+N` and `-N` (SC-13), `assist` the
    dice of a helper (SC-14).
    """

    kind: str
    dice: int | None = None
    path: str | None = None
    weaknesses: tuple[str, ...] = ()
    manifested: bool = False
    ritual: bool = False
    ironwill: bool = False
    changes: tuple[int, ...] = ()
    assist: int = 0

    def __post_init__(self) -> None:
        """Refuse what SC-06, SC-07 and SC-12…SC-14 rule out: such a pool cannot be built."""
        if self.dice is not None and not 1 <= self.dice <= MOST_DICE:
            nearest = str(min(max(self.dice, 1), MOST_DICE))
            raise ImpossibleError(f"a pool has 1 to {MOST_DICE} dice, you wrote {self.dice}.", "count", nearest)
        self._check_human()
        self._check_path()
        for word in self.weaknesses:
            self._check_weakness(word)
        if self.assist not in (0, *t.ASSIST):
            raise ImpossibleError("assist is +1 die, assist2 is +2.", "assist", t.ASSIST[2])
        if not 1 <= self.size <= MOST_DICE:
            raise ImpossibleError(f"a pool has 1 to {MOST_DICE} dice, yours comes to {self.size}.", "change")

    def _check_human(self) -> None:
        """SC-07 and SC-17: what Humans have instead of Cinder."""
        if self.ironwill and (self.path not in (None, t.HUMAN) or self.dice is not None or self.ritual):
            raise ImpossibleError("ironwill is a Human's 5d6, in place of a number or another Path.", "ironwill")
        if self.ironwill and self.kind != t.CINDER:
            raise ImpossibleError("ironwill dice are Cinder dice.", "ironwill")
        if self.ritual and self.kind != t.CINDER:
            raise ImpossibleError("ritual gives Cinder dice, not Strike.", "ritual")
        if self.ritual and self.path is None:
            raise ImpossibleError(
                "ritual is for a Human, who then has 4d6 Cinder: say cinder human ritual.", "ritual", "human ritual"
            )
        if self.ritual and self.path != t.HUMAN:
            raise ImpossibleError(f"ritual is for a Human, not for {self._article}.", "ritual")
        if self.kind == t.CINDER and self.path == t.HUMAN and not self.ironwill:
            if self.dice is not None:
                raise ImpossibleError(
                    "a Human has no Cinder, and so no number of Cinder dice: for a ritual, cinder human ritual is 4d6.",
                    "count",
                )
            if not self.ritual:
                raise ImpossibleError(
                    "a Human has no Cinder; for a ritual, say ritual: 4d6.", "path", f"{t.HUMAN} ritual"
                )

    def _check_path(self) -> None:
        if self.path is None:
            if self.dice is None and not self.ironwill:
                raise ImpossibleError("how many dice? Say a number, or a Path such as arcanist.", "count", None)
        elif self.dice is None and not self.ironwill and not self.ritual and self._own is None:
            raise ImpossibleError(
                "which Shifter? A natural shifter has 6 Strike, an afflicted shifter 7.", "path", f"natural {self.path}"
            )
        if self.manifested and not (self.kind == t.STRIKE and self.path == t.SPIRIT and self.dice is None):
            raise ImpossibleError(
                "manifested says the Strike of a Spirit, strike spirit manifested, or stands behind vs spirit.",
                "manifested",
            )

    def _check_weakness(self, word: str) -> None:
        """SC-12: the word needs a Path that it weakens, in this pool."""
        if self.path is None:
            weak = t.whose(t.WEAKNESSES, word)
            raise ImpossibleError(f"{word} before vs weakens {weak}: say your own Path as well.", word)
        if t.weakness(word, self.path, self.kind) is None:
            known = any(w.word == word and self.path in w.paths for w in t.WEAKNESSES)
            what = f"its {self.kind.capitalize()}" if known else "it"
            raise ImpossibleError(f"{word} does not weaken {self._article}: {what} loses nothing by it.", word)

    @property
    def _article(self) -> str:
        return t.article(t.PATHS[self.path].name) if self.path else "nobody"

    @property
    def _own(self) -> int | None:
        """The Path's own dice."""
        return t.PATHS[self.path].dice(self.kind) if self.path else None

    @property
    def size(self) -> int:
        """The dice that are thrown: caps and weaknesses first, then `+N`, `-N` and assistance (SC-12)."""
        if self.ironwill or self.ritual:
            size = t.IRONWILL_DICE if self.ironwill else t.RITUAL_DICE
        elif self.manifested:
            size = t.MANIFESTED_STRIKE
        else:
            size = self.dice if self.dice is not None else self._own or 0
        for word in self.weaknesses:
            weak = t.weakness(word, self.path or "", self.kind)
            size = size if weak is None else min(size - weak.loss, weak.most or size)
        return size + sum(self.changes) + self.assist

    @property
    def asked(self) -> str:
        """The pool without its name, as one side of a contest is written."""
        parts = [str(self.dice)] if self.dice is not None else ["ironwill"] if self.ironwill else []
        parts += [self.path] if self.path and not self.ironwill else []
        parts += ["manifested"] * self.manifested + ["ritual"] * self.ritual + [*self.weaknesses]
        parts += [f"{change:+}" for change in self.changes]
        return " ".join([*parts, t.ASSIST[self.assist]] if self.assist else parts)

    def __str__(self) -> str:
        return f"{self.kind} {self.asked}"


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
        if any(b.bypasses for w in self.weaknesses if path and (b := t.bane(w, path, pool))):
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
    weak = t.whose(t.BANES, word)
    if not weak:
        weak = t.whose(t.WEAKNESSES, word)
        raise ImpossibleError(f"{word} weakens {weak} that rolls, and stands before vs.", word)
    if path is None:
        raise ImpossibleError(f"{word} behind vs is for {weak}: say the target's Path.", word)
    if t.bane(word, path, pool) is None:
        known = any(b.word == word and path in b.paths for b in t.BANES)
        how = f"when {pool.capitalize()} hits it" if known else "when it is hit"
        raise ImpossibleError(f"{word} does nothing to {t.article(t.PATHS[path].name)} {how}.", word)


def _state_objection(word: str, whom: str, asks: bool, prefix: str) -> tuple[str, str, str]:
    if asks:
        return f"{word} is for {whom}: say vs {prefix} shifter {word}.", word, ""
    return f"{word} behind vs is for {whom}.", word, ""


@dataclass(frozen=True, slots=True)
class Roll:
    """`sc strike` and `sc cinder`: on the Success Range, against a DC, or at a target."""

    pool: Pool
    target: Target | None = None
    dc: int | None = None
    fullmoon: bool = False
    tag: str | None = None
    speaker: str | None = None  # SC-27: `as NAME`
    helper: str | None = None  # who gave the assistance, as the table remembers it (SC-15)

    def __post_init__(self) -> None:
        """Refuse a DC below 1 (SC-04), Iron Will (SC-17), and what means nothing of the target."""
        if self.dc is not None and not 1 <= self.dc <= LARGEST_DC:
            nearest = f"dc{min(max(self.dc, 1), LARGEST_DC)}"
            raise ImpossibleError(f"a DC is 1 to {LARGEST_DC}, you wrote dc{self.dc}.", "dc", nearest)
        _check_ironwill(self.pool)
        if self.target is not None and (self.target.name is None or self.target.standing is not None):
            self.target.check(self.pool.kind, self.dc)

    @property
    def defense(self) -> int | None:
        """The DC that the target is hit at; None where it is bypassed, or where there is no target."""
        return self.target.defense(self.pool.kind, self.dc) if self.target else None

    def __str__(self) -> str:
        parts = [f"sc {self.pool}", *_moon_and_tag(self), str(self.target) if self.target else ""]
        parts += [f"dc{self.dc}" if self.dc is not None else "", f"as {self.speaker}" if self.speaker else ""]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Assist:
    """`sc assist`: a helper's attempt (SC-15); `recipient` is whose next roll of that pool it is for."""

    pool: Pool
    recipient: str | None = None
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse Iron Will (SC-17)."""
        _check_ironwill(self.pool)

    def __str__(self) -> str:
        recipient = f" for {self.recipient}" if self.recipient else ""
        return " ".join([f"sc assist {self.pool}", *_moon_and_tag(self)]) + recipient


@dataclass(frozen=True, slots=True)
class Mind:
    """`sc mind`: magic on a mind (SC-16). `other` resists; `against` is who is asked; `human` has no resistance."""

    pool: Pool
    other: Pool | None = None
    against: str | None = None
    human: bool = False
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse Iron Will of the one who attacks, a ritual of the one who resists, and two targets at once."""
        _check_ironwill(self.pool)
        if self.other is not None:
            check_resisting(self.other)
        if (self.other is not None) + (self.against is not None) + self.human > 1:
            raise ValueError("a contest has two sides.")

    def __str__(self) -> str:
        other = self.other.asked if self.other else "human" if self.human else f"@{self.against}" * bool(self.against)
        return " ".join([f"sc mind {self.pool.asked}", *_moon_and_tag(self), *(["vs", other] if other else [])])


@dataclass(frozen=True, slots=True)
class Resist:
    """`sc resist`: the answer to magic on one's mind (SC-16, SC-17)."""

    pool: Pool
    fullmoon: bool = False
    tag: str | None = None
    helper: str | None = None

    def __post_init__(self) -> None:
        """Refuse a ritual: Humans resist with Iron Will alone."""
        check_resisting(self.pool)

    def __str__(self) -> str:
        return " ".join([f"sc resist {self.pool.asked}", *_moon_and_tag(self)])


def _check_ironwill(pool: Pool) -> None:
    if pool.ironwill:
        raise ImpossibleError(
            "ironwill resists magic on the mind and does nothing else: sc resist ironwill.", "ironwill"
        )


def check_resisting(pool: Pool) -> None:
    """SC-17: without Cinder there is no resistance but Iron Will."""
    if pool.ritual:
        raise ImpossibleError("a ritual does not resist: a Human resists with ironwill alone.", "ritual")


def _moon_and_tag(node: Roll | Assist | Mind | Resist) -> list[str]:
    return (["fullmoon"] if node.fullmoon else []) + ([node.tag] if node.tag else [])

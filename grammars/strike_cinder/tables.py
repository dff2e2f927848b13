"""The tables of Strike & Cinder (seed 000), in its order: Paths, weaknesses, tags. Code, help and docs walk them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

STRIKE, CINDER = "strike", "cinder"
POOLS = (STRIKE, CINDER)


class Path(NamedTuple):
    """A Path's name, its dice (SC-06; None: not one number), and the Defense DC that it is hit at (SC-08)."""

    name: str
    strike: int | None
    cinder: int | None
    dc: int

    def dice(self, pool: str) -> int | None:
        """The dice of one of its pools."""
        return self.strike if pool == STRIKE else self.cinder


PATHS = {
    "human": Path("Human", 4, None, 1),
    "arcanist": Path("Arcanist", 4, 7, 2),
    "cursed": Path("Cursed", 5, 5, 3),
    "possessed": Path("Possessed", 4, 5, 3),
    "half-blood": Path("Half-Blood", 5, 5, 3),
    "natural shifter": Path("Natural Shifter", 6, 5, 4),
    "afflicted shifter": Path("Afflicted Shifter", 7, 5, 4),
    "undying": Path("Undying", 6, 5, 4),
    "spirit": Path("Spirit", 1, 6, 10),
    "shifter": Path("Shifter", None, 5, 4),  # which one is asked where they differ
}
HUMAN, SPIRIT, UNDYING, AFFLICTED, ANY_SHIFTER = "human", "spirit", "undying", "afflicted shifter", "shifter"
SHIFTERS = ("natural shifter", AFFLICTED, ANY_SHIFTER)
SHIFTED_DC = 5  # SC-08
MANIFESTED_DC = 2  # SC-08, SC-09
MANIFESTED_STRIKE = 4  # SC-06
RITUAL_DICE = 4  # SC-07
IRONWILL_DICE = 5  # SC-17


class Weakness(NamedTuple):
    """What `word` takes from a pool of these Paths (SC-12)."""

    word: str
    paths: tuple[str, ...]
    pool: str
    loss: int = 0
    most: int | None = None  # what the pool is brought down to


class Bane(NamedTuple):
    """What `word` does to a target of these Paths when one of `pools` hits (SC-11)."""

    word: str
    paths: tuple[str, ...]
    pools: tuple[str, ...]
    luck: int = 1
    bypasses: bool = False


WEAKNESSES = (
    Weakness("silver", SHIFTERS, STRIKE, loss=1),
    Weakness("silver", (UNDYING,), CINDER, loss=1),
    Weakness("skyiron", ("half-blood",), CINDER, loss=1),
    Weakness("salt", ("possessed",), CINDER, loss=1),
    Weakness("sunlight", (UNDYING,), STRIKE, most=4),
)
BANES = (
    Bane("silver", SHIFTERS, (STRIKE,), luck=2),
    Bane("salt", (SPIRIT,), POOLS, bypasses=True),
    Bane("sunlight", (UNDYING,), (STRIKE,), luck=2),
)
EXCHANGE = ("human", "arcanist", "cursed", "possessed", "half-blood")  # SC-18: whose Luck Exchange Equipment raises
LUCK = 4  # SC-18
STATES = ("shifted", "manifested")
ASSIST = {1: "assist", 2: "assist2"}  # SC-14
TAGS = ("cantrip", "charm", "boon", "aspect", "sorrows")  # SC-27

SUCCESS_RANGE = (  # SC-05: from so many passes
    (0, "critical_failure", "Critical Failure"),
    (1, "failure", "Failure"),
    (2, "partial_failure", "Partial Failure"),
    (3, "complete_success", "Complete Success"),
    (5, "exceptional_success", "Exceptional Success"),
)


@lru_cache(maxsize=256)
def weakness(word: str, path: str, pool: str) -> Weakness | None:
    """The weakness of `path` that `word` names, for that pool."""
    return next((w for w in WEAKNESSES if w.word == word and path in w.paths and w.pool == pool), None)


@lru_cache(maxsize=256)
def bane(word: str, path: str, pool: str) -> Bane | None:
    """What `word` does to a target of `path` when that pool hits."""
    return next((b for b in BANES if b.word == word and path in b.paths and pool in b.pools), None)


def whose(table: tuple[Weakness, ...] | tuple[Bane, ...], word: str) -> str:
    """The Paths that `word` weakens by that table, as a sentence names them: "a Shifter or an Undying"."""
    paths = [ANY_SHIFTER if path in SHIFTERS else path for entry in table if entry.word == word for path in entry.paths]
    return " or ".join(article(PATHS[path].name) for path in dict.fromkeys(paths))


def article(name: str) -> str:
    """`an Undying`, `a Human`."""
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"

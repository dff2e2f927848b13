"""What is said of a posted line (LED-21, LED-22), and who asks. Knows no ledger and no wording.

A verification holds a record only where the asker may see all that its line says.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from ircdice.casemapping import DEFAULT, fold
from ircdice.ledger.record import Draft, Record

Verdict = Literal["genuine", "altered", "unknown", "lost", "withheld"]
Why = Literal["covered", "sealed", "private", "redacted"]

WINDOW = 10  # minutes


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks and where, names folded; nobody in particular on the command line and the page.

    `everywhere`: short ids count for any channel. `bots` are the bot's own nicks, `places` where a record that is
    gone may have stood.
    """

    network: str = ""
    place: str = ""
    nick: str = ""
    who: str = ""
    everywhere: bool = False
    casemapping: str = DEFAULT
    bots: Collection[str] = ()
    places: Collection[tuple[str, str]] = ()

    def is_of(self, draft: Draft) -> bool:
        """Whether a record is the asker's own; who has logged in since is still the same."""
        mine = self.who, f"~{fold(self.nick, self.casemapping)}"
        return bool(self.who) and draft.network == self.network and draft.who in mine


@dataclass(frozen=True, slots=True)
class Standing:
    """How a genuine roll stands: what is to be known beside *genuine* (LED-22)."""

    unofficial: bool = False
    discarded: bool = False
    answered_by: str | None = None
    ended_by: str | None = None
    root: Record | None = field(default=None, repr=False)  # the roll that it is, or that it belongs to
    closed: Record | None = field(default=None, repr=False)  # what closed it, answered or no contest at all
    replaced_by: str | None = None
    replaces: str | None = None
    nth: int = 1
    of: int = 1
    window: int = WINDOW  # minutes within which
    posted_by: str | None = None  # the nick that the paste shows, where it is not the roller's

    @property
    def counts(self) -> bool:
        """Whether the roll stands: official, not discarded, not replaced."""
        return not (self.unofficial or self.discarded or self.replaced_by)

    def listed(self) -> list[str]:
        """The notes as `verify --json` has them."""
        each = {
            "unofficial": self.unofficial,
            "discarded": self.discarded,
            f"answered by {self.answered_by}": self.answered_by,
            f"ended by {self.ended_by}": self.ended_by,
            f"closed by {self.closed.id if self.closed else ''}": self.closed,
            f"replaced by {self.replaced_by}": self.replaced_by,
            f"replaces {self.replaces}": self.replaces,
            f"roll {self.nth} of {self.of}": self.of > 1,
            "posted by another": self.posted_by,
        }
        return [note for note, holds in each.items() if holds]


@dataclass(frozen=True, slots=True)
class Verification:
    """What is said of one id and its line. `id` as it was asked for; `given` the pasted line, empty for an id alone."""

    verdict: Verdict
    id: str
    given: str = ""
    record: Record | None = None
    standing: Standing = field(default_factory=Standing)
    differs: tuple[tuple[str, str], ...] = ()
    why: Why | None = None  # it is withheld
    alarm: str | None = None  # a sentence for the operator
    beside: bool = False  # words stood beside the line that are no part of it
    masked: bool = False  # signs were in it that may let it look otherwise
    turned: bool = False  # and of these such as turn the order of what is read
    spoken: int = 0  # ids in front of its own that its line speaks of

    @property
    def counts(self) -> bool:
        """Whether a story may rest on it."""
        return self.verdict == "genuine" and self.standing.counts

"""The errors of ircdice, each with one sentence for the user. The grammars have their own."""

from dataclasses import dataclass

from grammars.errors import Refused

__all__ = [
    "ConfigError",
    "ConfigFault",
    "DiceError",
    "ExportError",
    "KeysError",
    "LedgerDamaged",
    "LedgerUnavailable",
    "NoteError",
    "NumberTaken",
    "Refused",
    "ReplayError",
    "RuleError",
    "StaleError",
    "reason",
]


def reason(error: OSError) -> str:
    """Why the system refused something, in a few words."""
    return (error.strerror or str(error)).lower()


class RuleError(Refused):
    """A valid command that cannot be done; `hint` is the nearest command that works.

    `keeps_case` means that the sentence begins with a name, which is not capitalized.
    """

    def __init__(self, sentence: str, *, hint: str | None = None, keeps_case: bool = False) -> None:
        super().__init__(sentence)
        self.hint = hint
        self.keeps_case = keeps_case


class DiceError(Refused):
    """Scripted dice that do not fit the throw: too few, too many, or an impossible face."""


class LedgerUnavailable(Refused):
    """The ledger cannot be reached now: nothing is rolled or posted (LED-05)."""

    def __init__(self, sentence: str = "the record is out of reach.") -> None:
        super().__init__(sentence)


class LedgerDamaged(Refused):
    """The ledger differs from what was signed (LED-12, LED-16); `first` is the first altered record, if any."""

    def __init__(self, sentence: str, *, first: int | None = None) -> None:
        super().__init__(sentence)
        self.first = first


class ExportError(Refused):
    """An export that cannot be imported: the fault and the record (LED-07)."""


class NumberTaken(LedgerUnavailable):
    """The ledger already has a roll with that stream number (LED-04): reload the counter."""


class ReplayError(Exception):
    """A record that cannot be judged again. This is for the log, not for players, so it is not `Refused`."""

    def __init__(self, seq: int, why: object) -> None:
        super().__init__(f"record {seq} cannot be judged again: {why}")
        self.seq = seq


class StaleError(Exception):
    """Another process has changed shared state: load its records and try again."""


class KeysError(Refused):
    """A key or seed file is missing, damaged or cannot be created: the sentence is for the operator."""


class NoteError(ValueError):
    """Not a signed checkpoint, or without a valid signature by the trusted key (LED-12)."""


@dataclass(frozen=True, slots=True)
class ConfigFault:
    """A fault or warning in a config; `line` is 0 if it concerns no single line."""

    sentence: str
    file: str = ""
    line: int = 0
    section: str = ""
    key: str = ""

    def __str__(self) -> str:
        place = " ".join(filter(None, (f"[{self.section}]" if self.section else "", self.key)))
        where = f"{self.file}:{self.line}" if self.line else self.file
        return _printable(": ".join(filter(None, (where, place, self.sentence))))


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class ConfigError(Refused):
    """A config that cannot be used; `faults` holds every fault found."""

    def __init__(self, *faults: ConfigFault | str) -> None:
        self.faults = tuple(ConfigFault(fault) if isinstance(fault, str) else fault for fault in faults)
        super().__init__("; ".join(map(str, self.faults)))

"""The errors of the project, as well as those of the grammars: each has one sentence for a person."""

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
    "MacroError",
    "NoteError",
    "NumberTaken",
    "Refused",
    "ReplayError",
    "RuleError",
    "StaleError",
]


class RuleError(Refused):
    """A legal sentence that asks the impossible; `hint` is the nearest command that would work.

    `named`: it begins with somebody's name, which is posted as it is.
    """

    def __init__(self, sentence: str, *, hint: str | None = None, named: bool = False) -> None:
        super().__init__(sentence)
        self.hint = hint
        self.named = named


class UnknownSpeakerError(RuleError):
    """`as NAME` in a command, if no one has that name: the words may be a comment (GEN-03)."""


class MacroError(RuleError):
    """A macro that cannot be rolled now (DSK-05)."""


class DiceError(Refused):
    """A script of dice that does not fit the throw: too few, too many, or a face that the die does not have."""


class LedgerUnavailable(Refused):
    """The ledger cannot be written or read now: nothing is rolled or posted (LED-05)."""

    def __init__(self, sentence: str = "the record is out of reach.") -> None:
        super().__init__(sentence)


class LedgerDamaged(Refused):
    """The ledger is not what was signed (LED-12, LED-16); `first` is the first record that was altered, if one was."""

    def __init__(self, sentence: str, *, first: int | None = None) -> None:
        super().__init__(sentence)
        self.first = first


class ExportError(Refused):
    """An export that cannot be imported: what is wrong, and with which of its records (LED-07)."""


class NumberTaken(LedgerUnavailable):
    """The ledger already has a roll with that number of its stream (LED-04): the counter must be read again."""


class ReplayError(Exception):
    """A record that cannot be judged again. It is for the log, not for players, and so it is no `Refused`."""

    def __init__(self, seq: int, why: object) -> None:
        super().__init__(f"record {seq} cannot be judged again: {why}")
        self.seq = seq


class StaleError(Exception):
    """Something that lasts was changed by another process meanwhile: take its records up, and work it out again."""


class KeysError(Refused):
    """A file of keys or seeds that is missing, damaged or cannot be made: the sentence is for the operator."""


class NoteError(ValueError):
    """Not a signed checkpoint, or not with a good signature of the trusted key (LED-12)."""


@dataclass(frozen=True, slots=True)
class ConfigFault:
    """A fault or a warning in a config; `line` is 0 if it concerns no line."""

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

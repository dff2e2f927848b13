"""The record of rolls: what is kept, how it is named, where it is kept. Knows no rules and no IRC."""

from ircdice.ledger.memory import MemoryLedger
from ircdice.ledger.record import NOTHING_SEEN, Draft, Ledger, Record, RecordKind, Sealed

__all__ = ["NOTHING_SEEN", "Draft", "Ledger", "MemoryLedger", "Record", "RecordKind", "Sealed"]

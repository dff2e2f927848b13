"""The append-only record of rolls: storage, ids, proofs, verification."""

from ircdice.ledger.memory import MemoryLedger
from ircdice.ledger.record import NOTHING_SEEN, Draft, Ledger, Record, RecordKind, Sealed

__all__ = ["NOTHING_SEEN", "Draft", "Ledger", "MemoryLedger", "Record", "RecordKind", "Sealed"]

"""The append-only record of rolls: storage, ids, proofs, verification."""

from ircdice.ledger.memory import MemoryLedger
from ircdice.ledger.record import NOTHING_SEEN, Draft, Record, RecordKind, Sealed
from ircdice.ledger.service import ProvenLedger

Ledger = MemoryLedger | ProvenLedger  # both have the same interface; any method may raise LedgerUnavailable (LED-05)

__all__ = ["NOTHING_SEEN", "Draft", "Ledger", "MemoryLedger", "ProvenLedger", "Record", "RecordKind", "Sealed"]

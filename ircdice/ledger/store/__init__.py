"""The ledger's database. SQLAlchemy is imported here and nowhere else: only who opens a ledger pays for it."""

from ircdice.ledger.store.ledger import StoredLedger
from ircdice.ledger.store.page import Page, StoredCheckpoint, StoredEpoch

__all__ = ["Page", "StoredCheckpoint", "StoredEpoch", "StoredLedger"]

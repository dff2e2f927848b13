"""The ledger's database. SQLAlchemy is imported here and nowhere else: only who opens a ledger pays for it."""

from ircdice.ledger.store.ledger import StoredLedger
from ircdice.ledger.store.page import Epoch, Page, StoredCheckpoint

__all__ = ["Epoch", "Page", "StoredCheckpoint", "StoredLedger"]

"""What a channel remembers, folded from its records."""

from ircdice.table.chain import OTHER, Chain, Thrown
from ircdice.table.table import DAY, KEPT, LAST, MINUTE, Table

__all__ = ["DAY", "KEPT", "LAST", "MINUTE", "OTHER", "Chain", "Table", "Thrown"]

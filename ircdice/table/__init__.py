"""What a channel remembers, folded from its records."""

from ircdice.table.chain import OTHER, Chain
from ircdice.table.table import KEPT, MINUTE, Table

__all__ = ["KEPT", "MINUTE", "OTHER", "Chain", "Table"]

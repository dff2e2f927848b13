"""What a channel remembers, folded from its records."""

from ircdice.table.chain import OTHER, Chain, Thrown
from ircdice.table.rolls import KEPT
from ircdice.table.table import LAST, Table

__all__ = ["KEPT", "LAST", "OTHER", "Chain", "Table", "Thrown"]

"""What a channel remembers, folded from its records."""

from ircdice.table.chain import OTHER, Chain, Thrown
from ircdice.table.rolls import DAY, KEPT, MINUTE
from ircdice.table.table import LAST, Table

__all__ = ["DAY", "KEPT", "LAST", "MINUTE", "OTHER", "Chain", "Table", "Thrown"]

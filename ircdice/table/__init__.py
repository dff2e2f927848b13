"""The memory of channels: projections of their records."""

from ircdice.table.channel import KEPT, LAST_REF, Table
from ircdice.table.desk import Desk
from ircdice.table.rolls import OTHER, Chain

__all__ = ["KEPT", "LAST_REF", "OTHER", "Chain", "Desk", "Table"]

"""How long whoever was heard waits for a record that is out of reach (LED-05). Knows no command."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ircdice.bot.message import heard_at
from ircdice.errors import LedgerUnavailable
from ircdice.ledger import Ledger

T = TypeVar("T")


async def in_time(ledger: Ledger, work: Callable[[], Awaitable[T]]) -> T:
    """`work`; LedgerUnavailable where it waits for a record that is out of reach, and was said too long ago.

    Each in a line behind others that wait would else begin to wait when its own turn has come. Where the record is in
    reach nobody is refused for having stood in line: it may have been long for the server's sake (IRC-22).
    """
    seconds, heard = ledger.out_of_reach, heard_at.get()
    if seconds is None or heard is None:
        return await work()
    try:
        async with asyncio.timeout_at(heard + seconds):
            return await work()
    except TimeoutError:
        raise LedgerUnavailable from None

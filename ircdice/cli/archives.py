"""The ledger that a command reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ircdice.ledger.paths import Paths
    from ircdice.ledger.store import Store


def paths_of(config: Path | None) -> Paths:
    """Where the ledger of that config is."""
    from ircdice.cli.config import loaded
    from ircdice.cli.ledgers import ledger_paths

    return ledger_paths(loaded(config))


@contextmanager
def snapshot_of(paths: Paths) -> Iterator[Store]:
    """The ledger as it is now, whatever a bot writes meanwhile. LedgerUnavailable if there is none, or not readable."""
    from ircdice.errors import LedgerUnavailable
    from ircdice.ledger.engine import engines, readable, shown
    from ircdice.ledger.schema import expect_current
    from ircdice.ledger.store import Store

    paths.expect_database()
    if (file := paths.database_file) is not None and not file.exists():
        raise LedgerUnavailable(f"there is no ledger at {file}.")
    made = engines(paths.database)
    try:
        with readable(f"the ledger at {shown(paths.database)} cannot be read"), made.snapshot() as connection:
            expect_current(connection)
            yield Store(connection)
    finally:
        made.dispose()

"""What a process says that its dice are bound to (LED-15). Knows no ledger."""

from __future__ import annotations

from datetime import UTC, datetime

from ircdice.ledger.epochs import Epoch
from ircdice.ledger.notes import Checkpoint, VerifyingKey, base64

CHECKED_AS = "how to check: ask whoever runs me for ircdice's docs/verification.md"


def statement(epoch: Epoch, coming: Epoch, latest: Checkpoint | None, key: VerifyingKey) -> str:
    """The epoch that runs and the one behind it, with what they were committed to, the last checkpoint and its key."""
    began = datetime.fromtimestamp(epoch.begun / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    parts = [f"dice of epoch {epoch.number}, since {began}, bound to {base64(epoch.commitment)}"]
    if latest:
        parts.append(f"checkpoint {latest.size} {base64(latest.root)}")
    parts.append(f"next epoch {coming.number} {base64(coming.commitment)}")
    return "; ".join([*parts, f"signed by {base64(key.public)}", CHECKED_AS])

"""What stands behind the last whole note of the file of checkpoints: half of one, or noise (LED-12). Reads no file.

Nobody can prove who wrote it. As the table has each checkpoint before the file does, half a note is no loss; but where
it still shows that it counts more records than are here, they were here.
"""

from __future__ import annotations

import re


def claimed(rest: str, origin: str) -> int:
    """How many records any note of that origin counts that begins there; 0 where none shows it.

    A number that is cut off itself is at least what is left of it.
    """
    begun = re.finditer(f"^{re.escape(origin)}\r?\n([0-9]{{1,20}})", rest, re.MULTILINE)
    return max((int(match[1]) for match in begun), default=0)


def told(rest: str) -> str:
    """What is said of it where nothing is lost by it."""
    return f"ends in {len(rest.encode())} bytes that are no whole checkpoint, as a crash may leave behind"

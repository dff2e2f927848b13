"""`python -m bench [SECTION …]`: the short sections, those named, or one with its options."""

from __future__ import annotations

import importlib
import sys

SECTIONS = ("generic", "odds", "round_trip", "ledger")
# Minutes each: only by name.
LONG = ("trace", "flood", "soak", "noise", "hostile", "memory", "checked", "faults", "image", "page")

if __name__ == "__main__":
    for section in sys.argv[1:2] if sys.argv[1:2] and sys.argv[1] in LONG else sys.argv[1:] or SECTIONS:
        importlib.import_module(f"bench.{section}").main()

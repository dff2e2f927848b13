"""`python -m bench [SECTION …]`: all sections, or those named."""

from __future__ import annotations

import importlib
import sys

SECTIONS = ("commands", "chances", "generic", "fairness", "round_trip")

if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        importlib.import_module(f"bench.{section}").main()

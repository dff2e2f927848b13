"""Exact odds of generic rolls."""

from __future__ import annotations

from typing import Any

from ircdice.odds import Odds


def odds(node: Any) -> Odds:
    """The odds of a command that rolls."""
    raise NotImplementedError

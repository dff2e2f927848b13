"""How far something has come that goes through a whole ledger (LED-07, LED-16). Knows neither it nor whoever waits."""

from collections.abc import Callable

Progress = Callable[[int], None]  # told how many records are behind it by now; may raise KeyboardInterrupt

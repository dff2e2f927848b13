"""Generic dice beside other libraries: parse, roll and word an expression, distinct and the same again; exact odds.

Others are measured where they are installed, which `make bench` does in an environment of their own; rpg-dice-roller
where Node and npm are there.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import grammars
from bench.timing import microseconds, table
from grammars.gate import read
from ircdice import reply
from ircdice.dice import SystemDice
from ircdice.dispatcher import evaluate, odds, system_of

DICE = SystemDice()
TIMES = 2_000
SLOW = 200  # of those that take milliseconds
NODE = ("node", str(Path(__file__).with_name("rpg_dice_roller.cjs")))
# Ours and rpg-dice-roller's, d20's, python-dice's, py-rolldice's; {k} makes each text the only one.
EXPRESSIONS = (
    ("1d20+K", "1d20+{k}", "1d20+{k}", "1d20+{k}", "1d20+{k}"),
    ("4d6kh3", "4d6kh3+{k}", "4d6kh3+{k}", "4d6^3+{k}", "4d6K3+{k}"),
    ("10d10", "10d10+{k}", "10d10+{k}", "10d10t+{k}", "10d10+{k}"),
    ("8d6, sixes explode", "8d6!+{k}", "8d6e6+{k}", "8d6x6+{k}", "8d6!+{k}"),
    ("3d6+2d8-4+K", "3d6+2d8-4+{k}", "3d6+2d8-4+{k}", "3d6t+2d8t-4+{k}", "3d6+2d8-4+{k}"),
    ("100d6", "100d6+{k}", "100d6+{k}", "100d6t+{k}", "100d6+{k}"),
    ("1000d6", *(("+".join(["100d6"] * 10) + "+{k}",) * 2), "1000d6t+{k}", "+".join(["100d6"] * 10) + "+{k}"),
)


def found(name: str) -> ModuleType | None:
    """A library, if it is there."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def ours(text: str, system: str) -> str:
    """Parse, roll and word one expression."""
    reading = read(f"roll {text}", system)
    outcome = evaluate(reading.node, DICE)
    return reply.line(system_of(reading.node), reading.node, outcome, names=("alice", None))


def rollers() -> Mapping[str, tuple[int, Callable[[str], object]]]:
    """By name, which column has the text, and what rolls it."""
    there: dict[str, tuple[int, Callable[[str], object]]] = {
        "ours": (1, lambda text: ours(text, "generic")),
        "ours, in a V5 channel": (1, lambda text: ours(text, "v5")),
    }
    if d20 := found("d20"):
        there["d20"] = (2, lambda text: str(d20.roll(text)))
    if python_dice := found("dice"):
        there["python-dice"] = (3, lambda text: str(python_dice.roll(text)))
    if rolldice := found("rolldice"):
        there["py-rolldice"] = (4, lambda text: str(rolldice.roll_dice(text)))
    return there


def varied(text: str, times: int) -> list[str]:
    """As many texts of one kind, no two alike."""
    return [text.format(k=nth + 1) for nth in range(times)]


def measured(roll: Callable[[str], object], text: str) -> str:
    """`distinct / repeated`, in µs; a dash where the library does not take it."""
    texts = varied(text, TIMES)
    try:
        quick = microseconds(lambda nth: roll(texts[nth]), 5) < 1_500
    except Exception:  # whatever it raises: it does not take this
        return "-"
    times = TIMES if quick else SLOW
    distinct = microseconds(lambda nth: roll(texts[nth]), times)
    return f"{distinct:.1f} / {microseconds(lambda _: roll(texts[0]), times):.1f}"


def in_node() -> list[str]:
    """The same of rpg-dice-roller, for each expression; dashes where it is not there."""
    asked = [varied(ours, TIMES) for _, ours, *_ in EXPRESSIONS]
    environment = os.environ | {"NODE_PATH": str(Path(sys.prefix, "node_modules"))}
    try:
        done = subprocess.run(
            NODE, input=json.dumps(asked), capture_output=True, text=True, env=environment, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ["-"] * len(asked)
    return [f"{distinct:.1f} / {again:.1f}" for distinct, again in json.loads(done.stdout)]


ODDS: tuple[tuple[str, str, str], ...] = (
    ("10d10 counting >= 6", "generic", "roll 10d10>=6"),
    ("kh3 of 20d6", "generic", "roll 20d6k3"),
    ("10 normal + 5 Hunger dice", "v5", "roll 15d10 h5"),
    ("20d6 exploding", "generic", "roll 20d6!"),
)


def tally(face: int, hunger: bool) -> int:
    """What of a V5 die matters, as digits that do not run into each other: for libraries that add numbers."""
    success, ten, one = face >= 6, face == 10, face == 1
    return success + 100 * ten + 10_000 * one + hunger * (1_000_000 * ten + 100_000_000 * one)


def their_odds(icepool: Any, dyce: Any) -> dict[str, dict[str, Callable[[], object]]]:
    """The same questions to icepool and to dyce, explosions to depth 10.

    Their dice are built beforehand and their answers left as counts: the kindest way to ask them.
    """
    asked: dict[str, dict[str, Callable[[], object]]] = {}
    if icepool:
        kinds = [icepool.Die([tally(face, hunger) for face in range(1, 11)]) for hunger in (False, True)]
        passing, six, bursting = icepool.d(10) >= 6, icepool.d(6), icepool.d(6).explode(depth=10)
        asked["icepool"] = {
            "10d10 counting >= 6": lambda: 10 @ passing,
            "kh3 of 20d6": lambda: six.highest(20, 3),
            "10 normal + 5 Hunger dice": lambda: 10 @ kinds[0] + 5 @ kinds[1],
            "20d6 exploding": lambda: 20 @ bursting,
        }
    if dyce:
        dice = [dyce.H([tally(face, hunger) for face in range(1, 11)]) for hunger in (False, True)]
        counting, pool, exploding = dyce.H(10).ge(6), 20 @ dyce.P(6), dyce.explode_n(dyce.H(6), n=10)
        asked["dyce"] = {
            "10d10 counting >= 6": lambda: 10 @ counting,
            "kh3 of 20d6": lambda: pool.at(slice(-3, None)),
            "10 normal + 5 Hunger dice": lambda: 10 @ dice[0] + 5 @ dice[1],
            "20d6 exploding": lambda: 20 @ exploding,
        }
    return asked


def main() -> None:
    """Print both tables."""
    there = rollers()
    rows = [
        (name, *(measured(roll, texts[column - 1]) for column, roll in there.values()), node)
        for (name, *texts), node in zip(EXPRESSIONS, in_node(), strict=True)
    ]
    heads = ("expression", *there, "rpg-dice-roller")
    table("Parse, roll, word: median µs, distinct / the same again", heads, rows)
    theirs = their_odds(found("icepool"), found("dyce"))
    lines = []
    for name, system, text in ODDS:
        node = grammars.parse(text, system)
        lines.append((name, _milliseconds(partial(odds, node)), *_asked(theirs, name)))
    heads = ("question", "ours", *theirs)
    table("Exact odds: median ms", heads, lines)


def _asked(theirs: Mapping[str, Mapping[str, Callable[[], object]]], name: str) -> list[str]:
    return [_milliseconds(questions[name]) if name in questions else "-" for questions in theirs.values()]


def _milliseconds(work: Callable[[], object]) -> str:
    try:
        work()
    except Exception as refusal:  # another version's names
        return type(refusal).__name__
    return f"{microseconds(lambda _: work(), 50) / 1000:.3f}"


if __name__ == "__main__":
    main()

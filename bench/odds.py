"""`python -m bench odds`: exact odds of the examples of every grammar, and of the largest commands that people type."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import grammars
from bench.timing import table
from grammars import catalogue
from ircdice import dispatcher
from ircdice.errors import Refused

SHOWN = 8
EXAMPLES = Path(__file__).parents[1] / "tests" / "data"
TYPED = (
    ("generic", "roll 4d6k3"),
    ("generic", "roll 20d20k10"),
    ("generic", "roll 100d6k50"),
    ("generic", "roll 100d10"),
    ("generic", "roll 100d100"),
    ("generic", "roll 20d6!"),
    ("generic", "roll 10d10!k5"),
    ("generic", "roll 10d10r<3>=8"),
    ("generic", "roll 2d20k1+5 >= 15"),
    ("generic", "roll (1d100+1d100)*(1d100+1d100)*(1d100)"),
    ("v5", "roll 15d10 h5 dc4"),
    ("v5", "roll 15d10 h5 vs 15d10 h5"),
    ("v5", "roll 100d10 h5"),
    ("v5", "roll 100d10 h5 vs 99d10 h5"),
    ("strike_cinder", "sc cinder 12 fullmoon dc6"),
    ("strike_cinder", "sc mind 20 vs 20"),
    ("crossroads", "xr 3d6 a5 b2 vs 3d6 d3"),
    ("beat_eight", "b8 t4 a1 vs t3 a2"),
    ("fayrewood", "toss d12 d12 boon vs d12 d12 bane"),
)


def examples() -> list[tuple[str, str]]:
    """The examples of every game's grammar, and those of the tests."""
    games = [grammar for grammar in catalogue.grammars_found() if grammar.is_system]
    found = [(game.name, text) for game in games for text in game.examples]
    for file in sorted(EXAMPLES.glob("examples_*.jsonl")):
        for example in map(json.loads, file.read_text("utf-8").splitlines()):
            found += [(example["system"], said["text"]) for said in example["say"]]
    return list(dict.fromkeys(found))


def milliseconds(system: str, text: str) -> tuple[float, str] | None:
    """How long the odds take, and what comes of them; None if it is no command that rolls."""
    try:
        node = grammars.parse(text, system, called=True)
    except Refused:
        return None
    if not dispatcher.rolls(node):
        return None
    start, answer = perf_counter(), "odds"
    try:
        dispatcher.odds(node)
    except Refused as refusal:
        answer = str(refusal)
    return (perf_counter() - start) * 1_000, answer


def main() -> None:
    """Print the slowest examples, then every command of TYPED."""
    found = [(*timed, text) for system, text in examples() if (timed := milliseconds(system, text))]
    slowest = sorted(found, reverse=True)[:SHOWN]
    table(
        f"Odds of {len(found)} examples, the slowest",
        ("command", "ms"),
        [(text, f"{ms:.1f}") for ms, _, text in slowest],
    )
    rows = []
    for system, text in TYPED:
        timed = milliseconds(system, text)
        assert timed is not None, text
        rows.append((text, f"{timed[0]:.1f}", timed[1][:60]))
    table("Odds of large commands", ("command", "ms", "answer"), rows)

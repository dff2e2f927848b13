"""Parse, judge and word one command: distinct and repeated, beside d20, and beside the grammar without its cache."""

from __future__ import annotations

from itertools import count

import d20

from bench.timing import microseconds, table
from grammars.gate import read
from grammars.reading import Reading
from ircdice import reply
from ircdice.dice import SystemDice
from ircdice.dispatcher import evaluate, system_of

DICE = SystemDice()
_fresh = count()


def line(reading: Reading) -> str:
    """Judge and word a command that was read."""
    outcome = evaluate(reading.node, DICE)
    names = ("alice", None)
    return reply.line(system_of(reading.node), reading.node, outcome, names=names, comment=reading.comment)


def distinct(text: str) -> str:
    """A text never read before: pools, Hunger and Difficulty go round, a number makes each the only one."""
    nth = next(_fresh)
    return text.format(pool=nth % 20 + 1, hunger=nth % 6, dc=nth % 9 + 1, nth=nth)


def anew(text: str, system: str) -> Reading:
    """A command read again by its grammar, though it was read before."""
    return read.__wrapped__(text, system)


COMMANDS = (  # the system, a command, and the same in many forms
    ("v5", "roll 5d10 h2 dc3", "roll {pool}d10 h{hunger} dc{nth}1"),
    ("v5", "roll 10d10", "roll {pool}d10 # {nth}"),
    ("v5", "v5 3+4+1 h2 dc3", "v5 {pool}+1 h{hunger} dc{nth}1"),
    ("v5", "rouse 2", "rouse {pool} # {nth}"),
    ("strike_cinder", "sc strike 6", "sc strike {pool} # {nth}"),
    ("strike_cinder", "sc cinder 5 +1 assist fullmoon dc3", "sc cinder {pool} +1 assist fullmoon dc{dc} # {nth}"),
    ("strike_cinder", "sc strike 6 vs undying sunlight", "sc strike {pool} vs undying sunlight # {nth}"),
    ("crossroads", "xr 3d6 a1 n2", "xr 3d6 a{dc} n{nth}"),
    ("crossroads", "xr 1d6 b2 p1 av3", "xr 1d6 b{nth} p1 av{dc}"),
    ("beat_eight", "b8 t4 a1 severe", "b8 t4 a1 severe # {nth}"),
    ("fayrewood", "toss d8 d6 dc7", "toss d8 d6 dc{nth}1"),
    ("fayrewood", "toss d8up2 d6down boon dc7", "toss d8up2 d6down boon dc{nth}1"),
)


def main() -> None:
    """Print the table."""
    rows = []
    for system, same, varied in COMMANDS:
        # Texts are made beforehand: what is timed is what the bot does.
        texts = [distinct(varied) for _ in range(5_000)]
        rows.append(
            (
                same,
                f"{microseconds(lambda n, texts=texts, system=system: line(read(texts[n], system))):.1f}",
                f"{microseconds(lambda _, same=same, system=system: line(read(same, system))):.1f}",
                f"{microseconds(lambda _, same=same, system=system: line(anew(same, system))):.1f}",
            )
        )
    expressions = [f"{n % 20 + 1}d10+{n}" for n in range(2_000)]
    rows.append(
        (
            "d20: 10d10 (distinct: Nd10+K)",
            f"{microseconds(lambda n: str(d20.roll(expressions[n])), 2_000):.1f}",
            f"{microseconds(lambda _: str(d20.roll('10d10')), 2_000):.1f}",
            "",
        )
    )
    table("Parse, judge, word: median µs", ("command", "distinct", "repeated", "repeated, no cache"), rows)

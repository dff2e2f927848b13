"""`python -m bench generic`: read, judge and word one command, compared with d20 in one run.

A command typed for the first time is parsed; the same command again is found in the parser's cache.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import geometric_mean

import d20

from bench.timing import microseconds, table
from grammars.gate import read
from ircdice import reply
from ircdice.dice import SystemDice
from ircdice.dispatcher import evaluate, system_of

DICE = SystemDice()
TIMES = 2_000
DICE_NOTATION = (  # ours and d20's; {k} makes each text a new one
    ("1d20+{k}", "1d20+{k}"),
    ("4d6kh3+{k}", "4d6kh3+{k}"),
    ("10d10+{k}", "10d10+{k}"),
    ("8d6!+{k}", "8d6e6+{k}"),
    ("3d6+2d8-4+{k}", "3d6+2d8-4+{k}"),
    ("100d6+{k}", "100d6+{k}"),
    ("+".join(["100d6"] * 10) + "+{k}", "+".join(["100d6"] * 10) + "+{k}"),
)
GAMES = (
    ("v5", "roll 5d10 h2 dc3"),
    ("v5", "roll 10d10"),
    ("v5", "v5 3+4+1 h2 dc3"),
    ("v5", "rouse 2"),
    ("strike_cinder", "sc strike 6"),
    ("strike_cinder", "sc cinder 5 +1 assist fullmoon dc3"),
    ("strike_cinder", "sc strike 6 vs undying sunlight"),
    ("crossroads", "xr 3d6 a1 n2"),
    ("crossroads", "xr 1d6 b2 p1 av3"),
    ("beat_eight", "b8 t4 a1 severe"),
    ("fayrewood", "toss d8 d6 dc7"),
    ("fayrewood", "toss d8up2 d6down boon dc7"),
)


def ours(text: str, system: str) -> str:
    """The line that the bot would post."""
    reading = read(text, system)
    outcome = evaluate(reading.node, DICE)
    names = ("alice", None)
    return reply.line(system_of(reading.node), reading.node, outcome, names=names, comment=reading.comment)


def first_and_again(work: Callable[[str], object], texts: list[str]) -> tuple[float, float]:
    """Median µs for texts that are all new, and for one of them again."""
    first = microseconds(lambda nth: work(texts[nth]), len(texts))
    return first, microseconds(lambda _: work(texts[0]), len(texts))


def compared_with_d20(system: str) -> None:
    """Print the table of the dice notation, typed in a channel that plays `system`."""
    rows, ratios = [], []
    for mine, theirs in DICE_NOTATION:
        texts, their_texts = ([text.format(k=nth + 1) for nth in range(TIMES)] for text in (f"roll {mine}", theirs))
        first, again = first_and_again(lambda text: ours(text, system), texts)
        their_first, their_again = first_and_again(lambda text: str(d20.roll(text)), their_texts)
        ratios.append((first / their_first, again / their_again))
        times = first, their_first, again, their_again
        rows.append((mine[:24], *(f"{each:.1f}" for each in times), *(f"{each:.2f}" for each in ratios[-1])))
    means = [geometric_mean(ratio) for ratio in zip(*ratios, strict=True)]
    rows.append(("geometric mean", "", "", "", "", *(f"{mean:.2f}" for mean in means)))
    heads = ("dice notation", "first", "d20", "again", "d20", "first, ratio", "again, ratio")
    table(f"Read, judge and word where {system} is played: median µs", heads, rows)


def main() -> None:
    """Print the tables."""
    for system in ("generic", "v5"):
        compared_with_d20(system)

    rows = []
    for system, text in GAMES:
        texts = [f"{text} # {nth}" for nth in range(TIMES)]
        first, again = first_and_again(lambda text, system=system: ours(text, system), texts)
        rows.append((text, f"{first:.1f}", f"{again:.1f}"))
    table("The same for the games: median µs", ("command", "first", "again"), rows)


if __name__ == "__main__":
    main()

"""`stats`: counts of verdicts, and of faces with a chi-square test on them (LED-24, DSK-14, WEB-05)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import erfc, exp, lgamma, log, sqrt

from grammars import catalogue
from grammars.log import MOST_ROLLS, Log, Stats
from ircdice import dispatcher
from ircdice.bot.context import Answer, Context
from ircdice.bot.log import MOST_LINES, kinds_about, rolls_of
from ircdice.bot.verdicts import when
from ircdice.dice import Draws
from ircdice.game import counted
from ircdice.ledger.record import AMENDING, CLOSING, ROLLING, Record
from ircdice.ledger.verify import begun_by
from ircdice.reply import fits, within

THROWN = ROLLING | AMENDING | {"answer"}  # kinds of record that may hold dice
COUNTED = 5_000  # records to count
MOST_SIDES = 20  # larger dice are not counted by face
MOST_NAMED = 6  # kinds of other dice to name
MOST_OUTCOMES = 12
LEAST_EXPECTED = 5  # dice for each face: with fewer, the test is not meaningful
_FIGURES = re.compile("[;,(]")  # after the verdict: figures and remarks


async def stats(context: Context[Stats]) -> Answer:
    """The numbers of rolls and dice, in one line in place; the rest in private."""
    message = context.message
    nick = context.node.nick or (message.nick if message.channel is None else None)
    found = await rolls_of(context, nick, COUNTED, one=True)
    rolls = [r for r in found if r.draft.kind in THROWN and r.draft.draws]
    kinds = await kinds_about(context, rolls)
    rolls = [r for r in rolls if r.draft.kind != "contest" or kinds[r.seq] & CLOSING]  # GEN-06: without open contests
    here = f"in {message.channel}" if message.channel else "on this network"
    if not rolls:
        none = f"{nick} has no recorded rolls {here}." if nick else f"there are no recorded rolls {here}."
        return context.answer(none)
    count, thrown = sum(r.draft.kind not in AMENDING for r in rolls), sum(len(r.draft.draws) for r in rolls)
    whose = f"{nick} {here}" if nick else f"channel {message.channel}"
    text = f"{whose}: {counted(count, 'roll')}, {counted(thrown, 'die', 'dice')}, since {when(rolls[-1].ts)}."
    valid = [record for record in rolls if "discard" not in kinds[begun_by(record)]]
    lines = _outcome_lines(valid)
    lines += _face_lines(rolls, nick, MOST_LINES - 1 - len(lines))
    return context.answer(text, *lines)


def _outcome_lines(rolls: list[Record]) -> list[str]:
    """The verdicts of the rolls, by game, in one line."""
    games = []
    for name, counts in outcomes(rolls).items():
        game = catalogue.named(name)
        each = ", ".join(f"{word} {count}" for word, count in counts.items())
        games.append(f"{game.title if game else name}: {each}")
    return [within("; ".join(games))] if games else []


def _face_lines(rolls: list[Record], nick: str | None, most: int) -> list[str]:
    """A line for each of the most frequent kinds of die; the last one also counts the other dice (IRC-20)."""
    found = face_counts((roll.draft.draws for roll in rolls), MOST_SIDES)[:most]
    thrown = Counter(sides for roll in rolls for sides, _ in roll.draft.draws)
    lines, others = [described(kind) for kind in found], thrown - Counter({kind.sides: kind.dice for kind in found})
    if not others:
        return lines
    if len(lines) < most or not lines:
        return [*lines, _other_dice(others, nick)]
    last = f"{lines[-1]} {_other_dice(others, nick)}"
    return [*lines[:-1], last] if fits(last) else _face_lines(rolls, nick, most - 1)


def _other_dice(others: Mapping[int, int], nick: str | None) -> str:
    """The number of dice without a line of their own, and where to find them."""
    kinds = sorted(others.items(), key=lambda kind: (-kind[1], kind[0]))
    named = ", ".join(f"{count} d{sides}" for sides, count in kinds[:MOST_NAMED])
    if more := kinds[MOST_NAMED:]:
        named += f", {sum(count for _, count in more)} of {counted(len(more), 'more kind')}"
    return f"Other dice: {named}; !{Log(nick, MOST_ROLLS)} lists rolls, and log #ID has all dice of one."


def described(kind: FaceCounts) -> str:
    """The statistics of one kind of die, with an explanation."""
    faces = ", ".join(f"{face} x{count}" for face, count in enumerate(kind.counts, 1))
    expected = f"{kind.dice / kind.sides:.1f} of each are expected"
    average = f"average {kind.mean:.1f}, fair is {kind.fair:.1f}"
    return f"d{kind.sides}, {counted(kind.dice, 'die', 'dice')}: {faces}; {expected}; {average}; {kind.words}."


# The counts.


@dataclass(frozen=True, slots=True)
class FaceCounts:
    """Counts of the faces of one kind of die, from 1 to `sides`, with their average, and that of `fair` dice.

    `words` say how uneven they are; `nick` is set if they are of one player.
    """

    sides: int
    counts: tuple[int, ...]
    dice: int
    mean: float
    fair: float
    words: str
    nick: str = ""

    @classmethod
    def of(cls, counts: Sequence[int]) -> FaceCounts:
        """Work out the figures of these counts, one for each face."""
        sides, dice = len(counts), sum(counts)
        mean = sum(face * count for face, count in enumerate(counts, 1)) / dice
        return cls(sides, tuple(counts), dice, mean, (sides + 1) / 2, _in_words(counts))


def _in_words(counts: Sequence[int]) -> str:
    if len(counts) < 2 or sum(counts) < LEAST_EXPECTED * len(counts):
        return "too few to tell anything"
    p = p_of(counts)
    if p >= 0.05:
        return f"nothing unusual: fair dice are this uneven or more {round(100 * p)} times in 100"
    if p >= 0.01:
        return f"somewhat uneven: fair dice are this uneven {round(100 * p)} times in 100"
    odds = round(min(1 / p, 1_000_000)) if p > 0 else 1_000_000
    return f"very uneven: fair dice do this only once in {odds:,} times"


def face_counts(throws: Iterable[Draws], most_sides: int) -> list[FaceCounts]:
    """Count the faces by kind of die, the most frequent kind first; dice with more sides are left out."""
    thrown = Counter(chain.from_iterable(throws))
    kinds = {sides for sides, _ in thrown if sides <= most_sides}
    counted = [FaceCounts.of([thrown[sides, face] for face in range(1, sides + 1)]) for sides in kinds]
    return sorted(counted, key=lambda kind: (-kind.dice, kind.sides))


def p_of(counts: Sequence[int]) -> float:
    """The p-value: the probability that fair dice are at least as uneven as these counts of their faces."""
    expected = sum(counts) / len(counts)
    return p_value(sum((count - expected) ** 2 for count in counts) / expected, len(counts) - 1)


def p_value(chi_square: float, freedom: int) -> float:
    """The exact probability of a chi-square at least as large, with `freedom` degrees of freedom.

    The upper incomplete gamma function at integers and half-integers is a finite sum.
    """
    x = chi_square / 2
    if x <= 0:
        return 1.0
    start = 0.5 if freedom % 2 else 0.0
    total = erfc(sqrt(x)) if freedom % 2 else 0.0
    for step in range(freedom // 2):
        power = start + step
        total += exp(power * log(x) - x - lgamma(power + 1))
    return min(total, 1.0)


def outcomes(rolls: Iterable[Record]) -> dict[str, dict[str, int]]:
    """Count the verdicts of each game, without figures, most frequent first; a changed roll counts once, as it is."""
    latest: dict[int, Record] = {}
    for record in sorted(rolls, key=lambda record: record.seq):
        latest[begun_by(record)] = record
    words = {name: {word.lower() for word in game.words.values()} for name, game in dispatcher.systems().items()}
    by_game: dict[str, Counter[str]] = {}
    for record in latest.values():
        name = record.draft.game or record.draft.terms.system
        head = _FIGURES.split(record.draft.line.partition(": ")[2], maxsplit=1)[0].rstrip()
        if set(head.lower().split(" and ")) <= words.get(name, set()):
            by_game.setdefault(name, Counter())[head] += 1
    return {name: dict(counts.most_common(MOST_OUTCOMES)) for name, counts in sorted(by_game.items())}

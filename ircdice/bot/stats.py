"""Answer `stats` from the ledger: how many rolls, what came of them, and how the dice fell (LED-24, DSK-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from grammars import catalogue
from grammars.log import MOST_ROLLS, Log, Stats
from ircdice.bot import verdicts
from ircdice.bot.context import Answer, Context
from ircdice.bot.log import kinds_about, many, rolls_of
from ircdice.ledger.record import AMENDING, CLOSING, Record
from ircdice.ledger.verify import begun_by
from ircdice.reply import fits, within
from ircdice.statistics import FaceCounts, face_counts
from ircdice.table.outcomes import THROWN, outcomes

COUNTED = 5_000  # records whose dice are counted
MOST_SIDES = 20  # of dice whose faces are counted one by one
MOST_LINES = 3  # in private, beside the one where it was asked (IRC-20)
MOST_NAMED = 6  # kinds of other dice


async def stats(context: Context[Stats]) -> Answer:
    """How many rolls, how many dice: in one line where it was asked; the rest to the speaker alone."""
    message = context.message
    nick = context.node.nick or (message.nick if message.channel is None else None)
    found = await rolls_of(context, nick, COUNTED, one=True)
    rolls = [r for r in found if r.draft.kind in THROWN and r.draft.draws]
    kinds = await kinds_about(context, rolls)
    rolls = [r for r in rolls if r.draft.kind != "contest" or kinds[r.seq] & CLOSING]  # GEN-06: no open contest
    here = f"in {message.channel}" if message.channel else "on this network"
    if not rolls:
        none = f"{nick} has no roll {here} in the record." if nick else f"there is no roll {here} in the record."
        return Answer((context.say(none),), "check")
    count, thrown = sum(r.draft.kind not in AMENDING for r in rolls), sum(len(r.draft.draws) for r in rolls)
    whose = f"{nick} {here}" if nick else f"channel {message.channel}"
    text = f"{whose}: {many(count, 'roll')}, {many(thrown, 'die', 'dice')}, since {verdicts.when(rolls[-1].ts)}."
    counted = [record for record in rolls if "discard" not in kinds[begun_by(record)]]
    told = list(_came(counted))
    told += _fell(rolls, nick, MOST_LINES - len(told))
    return Answer((context.say(text), *map(context.whisper, told)), "check")


def _came(rolls: list[Record]) -> list[str]:
    """What came of the rolls, by game, in one line."""
    games = []
    for name, counts in outcomes(rolls).items():
        game = catalogue.named(name)
        each = ", ".join(f"{word} {count}" for word, count in counts.items())
        games.append(f"{game.title if game else name}: {each}")
    return [within("; ".join(games))] if games else []


def _fell(rolls: list[Record], nick: str | None, most: int) -> list[str]:
    """A line for each kind of die that was thrown most, in the last of them how many others there are (IRC-20)."""
    found = face_counts((roll.draft.draws for roll in rolls), MOST_SIDES)[:most]
    lines = [within(told(kind)) for kind in found]
    others = Counter(sides for r in rolls for sides, _ in r.draft.draws)
    for kind in found:
        del others[kind.sides]
    if not others:
        return lines
    if len(lines) < most:
        return [*lines, _others(others, nick)]
    if fits(both := f"{lines[-1]} {_others(others, nick)}"):
        return [*lines[:-1], both]
    return [*lines[:-1], _others(others | {found[-1].sides: found[-1].dice}, nick)]


def _others(others: Mapping[int, int], nick: str | None) -> str:
    """How many dice are not told of one by one, and where they are to be read."""
    kinds = sorted(others.items(), key=lambda kind: (-kind[1], kind[0]))
    named = ", ".join(f"{count} d{sides}" for sides, count in kinds[:MOST_NAMED])
    if more := kinds[MOST_NAMED:]:
        named += f", {sum(count for _, count in more)} of {many(len(more), 'more kind')}"
    return f"Other dice: {named}; {Log(nick, MOST_ROLLS)} lists rolls, and log #ID has all dice of one."


def told(kind: FaceCounts) -> str:
    """How the dice of one kind fell, and what that means, in words for anybody."""
    faces = ", ".join(f"{face} x{count}" for face, count in enumerate(kind.counts, 1))
    expected = f"{kind.dice / kind.sides:.1f} of each are expected"
    average = f"average {kind.mean:.1f}, fair is {(kind.sides + 1) / 2:.1f}"
    return f"d{kind.sides}, {many(kind.dice, 'die', 'dice')}: {faces}; {expected}; {average}; {_in_words(kind)}"


def _in_words(kind: FaceCounts) -> str:
    if not kind.enough:
        return "too few to tell anything."
    p = kind.p
    if p >= 0.05:
        return f"nothing unusual: fair dice are this uneven or more {_of_a_hundred(p)}."
    if p >= 0.01:
        return f"somewhat uneven: fair dice are so {_of_a_hundred(p)}."
    odds = min(round(1 / p), 1_000_000) if p > 0 else 1_000_000
    return f"very uneven: fair dice are so only once in {odds:,} times."


def _of_a_hundred(p: float) -> str:
    times = round(100 * p)
    return f"{times} times in 100"

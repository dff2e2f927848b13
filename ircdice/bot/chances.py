"""`odds COMMAND` (GEN-08): exact chances in a line, and with `full` as a chart of bars in private (DSK-09)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any, NamedTuple

from ircdice import dispatcher
from ircdice.bot.following import located
from ircdice.bot.reckoning import reckoned
from ircdice.bot.turn import Answer, Turn
from ircdice.errors import RuleError
from ircdice.ledger.ids import base32
from ircdice.odds import Odds, Part, Shares
from ircdice.outcome import plain_number
from ircdice.system import System
from ircdice.table import Chain

ALL_LISTED = 20  # values of a distribution that are told one by one; of more, the likeliest and where most lie
LIKELIEST = 12
WORTH_LISTING = Fraction(1, 10)  # what these must make up together; else one of them does for all
MOST = Fraction(95, 100)
CHART = 8  # lines (DSK-09)
BAR = 30  # characters of the longest bar


class Question(NamedTuple):
    """Odds that are asked for at a turn: what works them out needs nothing of the table any more."""

    turn: Turn
    command: Any
    system: System
    chances: Callable[[], Odds]
    follows: str = ""  # of a follow-up, how it is asked, with the roll that it is about


def asked(turn: Turn) -> Question:
    """`odds COMMAND` (GEN-08) as the table stands: a follow-up's from the faces that lie there now."""
    command, house = _prepared(turn), turn.settings.house
    system = dispatcher.system_of(command)
    if dispatcher.rolls(command):
        return Question(turn, command, system, partial(dispatcher.odds, command, house))
    chain, earlier = located(turn, command)
    chances = partial(dispatcher.amend_odds, command, earlier, house)
    return Question(turn, command, system, chances, _following(turn, chain))


def _prepared(turn: Turn) -> Any:
    """The command with what the table adds. RuleError where it cannot be; what that offers is asked about, not rolled
    (GEN-11)."""
    try:
        return turn.table.prepared(turn.node.command, turn.message.nick)
    except RuleError as refusal:
        hint = refusal.hint and f"odds {refusal.hint}{' full' if turn.node.full else ''}"
        raise RuleError(str(refusal), hint=hint) from None


def _following(turn: Turn, chain: Chain) -> str:
    """`odds wp 2 on 4d`: which roll it is about is told as the follow-up itself tells it (GEN-09)."""
    command, name = turn.node.command, turn.reading.speaks_as
    bare = replace(command, ref=None) if command.ref else command
    return f"odds {bare}{f' as {name}' if name else ''} on {base32(chain.latest.seq)}"


async def told(question: Question) -> Answer:
    """The odds in a line, and with `full` as a chart in private too (DSK-09)."""
    turn = question.turn
    line, bars = await reckoned(partial(_told, question))
    whispered = () if turn.message.relayed else tuple(map(turn.whisper, bars))
    return Answer((turn.say(line), *whispered), "check", dispatcher.owner(turn.node.command))


def _told(question: Question) -> tuple[str, list[str]]:
    """The line, and the chart where it is wanted."""
    turn, system, chances = question.turn, question.system, question.chances()
    line = odds_line(question.follows or _rolling(turn, question.command), chances, system)
    return line, chart(chances, system) if turn.node.full else []


def _rolling(turn: Turn, command: Any) -> str:
    """`odds 5d10 h2`, with what the table adds."""
    asked = turn.reading.command if command == turn.node.command else f"odds {command}"
    return asked.replace("odds roll ", "odds ", 1).removesuffix(" full" if turn.node.full else "")


def odds_line(asked: str, chances: Odds, system: System) -> str:
    """The chances in one line; percentages rounded half up, each by itself."""
    parts = _headed(chances, system) or _plain(chances, system)
    if chances.opponent is not None:
        theirs = _headed(chances.opponent, system) or _plain(chances.opponent, system)
        parts.append(f"other side: {'; '.join(theirs)}")
    if not system.chances or not _headed(chances, system):
        parts += _spread(chances)
    if not parts and chances.name is not None:  # a single value
        spreads = {chances.name: chances.values, **chances.also}
        parts.append(
            ", ".join([*(f"{name} {plain_number(min(spread))}" for name, spread in spreads.items()), "for certain"])
        )
    if chances.error:
        parts.append(f"to within {float(chances.error):.0e}")
    remarks = [system.words[remark] for remark in chances.remarks]
    return f"{', '.join([asked, *remarks])}: {'; '.join(parts)}"


def percent(chance: Fraction) -> str:
    """`51.3`, rounded half up."""
    tenths = int(chance * 1000 + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10}"


def _headed(chances: Odds, system: System) -> list[str]:
    """`pass 51.3%, of it critical 2.3, messy 5.9`, for each heading whose plain label can happen."""
    outcomes = chances.outcomes
    parts = []
    for heading, labels in system.chances.items():
        whole = chances.any_of(labels)
        named = [f"{system.short.get(x, x)} {percent(outcomes[x])}" for x in labels[1:] if outcomes.get(x)]
        of_it = f", of it {', '.join(named)}" if named else ""
        parts.append(f"{heading} {percent(whole)}%{of_it}")
    covered = {label for labels in system.chances.values() for label in labels}
    return parts if all(labels and covered.issuperset(labels) for labels in chances.together) else []


def _plain(chances: Odds, system: System) -> list[str]:
    """Every label that can happen, in the order of the system's words."""
    outcomes = chances.outcomes
    order = [label for label in system.words if label in outcomes] + [x for x in outcomes if x not in system.words]
    return [f"{system.short.get(x, system.words.get(x, x))} {percent(outcomes[x])}%" for x in order]


def _spread(chances: Odds) -> list[str]:
    """The mean and the chances of the value: all there are, or how the bulk of them lies."""
    if chances.name is None or len(chances.values) < 2:
        return []
    also = [
        f"{further.replace('_', ' ')} on average {_tenths(_mean(spread))}" for further, spread in chances.also.items()
    ]
    shares = Shares.of(chances.values)
    if len(shares) > LIKELIEST and shares.alike:
        told = _alike(shares)
    else:
        told = _every_value(shares) if len(shares) <= ALL_LISTED else _bulk(shares, endless=bool(chances.error))
    return [f"{chances.name.replace('_', ' ')} on average {_tenths(chances.mean)}{told}", *also]


def _every_value(shares: Shares) -> str:
    """`: 2 2.8, 3 5.6`; what would be 0.0 is summed up."""
    listed = {value: percent(chance) for value, chance in shares.items()}
    rare = [value for value, share in listed.items() if share == "0.0"]
    others = [f"{len(rare)} more {_below(sum((shares[value] for value in rare), Fraction()))}"] if rare else []
    return f": {', '.join([f'{plain_number(v)} {share}' for v, share in listed.items() if share != '0.0'] + others)}"


def _alike(shares: Shares) -> str:
    """`: 20 values from 1 to 20, each 5.0`."""
    low, high = shares.middle(Fraction(1))
    return f": {len(shares)} values from {plain_number(low)} to {plain_number(high)}, each {_below(shares[low])}"


def _bulk(shares: Shares, *, endless: bool) -> str:
    """`, 95% from 317 to 383; the 12 likeliest of 501 values, 27.4% together: 344 2.2, 345 2.2`."""
    low, high = shares.middle(MOST)
    likely = shares.likeliest(LIKELIEST)
    together = sum((shares[value] for value in likely), Fraction())
    bulk = f", {percent(MOST).removesuffix('.0')}% from {plain_number(low)} to {plain_number(high)}"
    if together < WORTH_LISTING:
        each = "each value" if endless else f"{len(shares)} values, each"
        return f"{bulk}; {each} {_below(max(shares[value] for value in likely), 'at most ')}"
    among = "" if endless else f" of {len(shares)} values"
    listed = ", ".join(f"{plain_number(value)} {percent(shares[value])}" for value in likely)
    return f"{bulk}; the {LIKELIEST} likeliest{among}, {percent(together)}% together: {listed}"


def _below(chance: Fraction, most: str = "") -> str:
    """A share that may be next to nothing."""
    share = percent(chance)
    return "below 0.05" if share == "0.0" else f"{most}{share}"


def chart(chances: Odds, system: System) -> list[str]:
    """Bars, a line each and at most CHART of them: of the value, or where there is none of the labels (DSK-09)."""
    if chances.name is None:
        rows = [(part, chances.outcomes.get(label, Fraction()), "") for part, label in _labels(chances, system)]
    else:
        parts = Shares.of(chances.values).parts(CHART)
        reached = [sum((part.chance for part in parts[nth:]), Fraction()) for nth in range(len(parts))]
        # IRC-21: a line does not begin with `-`; what is put before it on the wire would make a range of it.
        of = f"{chances.name.replace('_', ' ')} " if parts[0].lowest < 0 else ""
        rows = [
            (of + _range(part), part.chance, f"; at least {plain_number(part.lowest)} {percent(least)}" if nth else "")
            for nth, (part, least) in enumerate(zip(parts, reached, strict=True))
        ]
    longest = max(chance for _, chance, _ in rows)
    bars = ["#" * round(chance / longest * BAR) for _, chance, _ in rows]
    return [
        f"{what}: {percent(chance)}%{bar and f' {bar}'}{more}"
        for (what, chance, more), bar in zip(rows, bars, strict=True)
    ]


def _labels(chances: Odds, system: System) -> list[tuple[str, str]]:
    """The likeliest labels, in words."""
    likely = sorted(chances.outcomes, key=chances.outcomes.__getitem__, reverse=True)[:CHART]
    return [(system.words.get(label, label), label) for label in likely]


def _range(part: Part) -> str:
    """`12 to 13`."""
    low, high = plain_number(part.lowest), plain_number(part.highest)
    return f"{low}" if part.lowest == part.highest else f"{low} to {high}"


def _mean(spread: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in spread.items()), Fraction())


def _tenths(value: Fraction) -> str:
    """A mean with one decimal, rounded half up."""
    return f"{floor(value * 10 + Fraction(1, 2)) / 10:.1f}"

"""`odds COMMAND` (GEN-08): exact odds in a line, and with `full` a bar chart in private (DSK-09)."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor

from grammars import Command
from grammars.command import marked
from grammars.odds import OddsOf
from ircdice import dispatcher
from ircdice.bot.context import Answer, Context
from ircdice.bot.follow_ups import located
from ircdice.errors import RuleError
from ircdice.game import Game
from ircdice.ledger.record import base32
from ircdice.odds import Labels, Odds, Part, Shares
from ircdice.outcome import plain_number
from ircdice.table import Chain

ALL_LISTED = 20  # values of a distribution listed separately; more are grouped in ranges
MOST_LOOKED_AT = 200  # values; rare ones at the ends are summed. More values are always grouped in ranges
HALF_A_PERCENT = Fraction(1, 200)
CHART = 8  # bars
BARS_A_LINE = 3  # together with the odds, at most four lines (IRC-20)
BAR = 30  # characters of the longest bar
_ONE_AT_A_TIME = ThreadPoolExecutor(1, "odds")


async def odds(context: Context[OddsOf]) -> Answer:
    """`odds COMMAND`: the odds in a line, and with `full` a chart in private too (DSK-09)."""
    command, house = _prepared(context), context.settings.house
    system = dispatcher.system_of(command)
    if dispatcher.rolls(command):
        typed = context.reading.node.inner if command == context.node.command else command
        asked = f"{question(typed)}{marked(' as ', context.node.command.character)}"
        work = partial(dispatcher.odds, command, house)
    else:  # from the faces of the earlier roll
        chain, earlier = located(context, command)
        asked, work = _following(context, chain), partial(dispatcher.amend_odds, command, earlier, house)
    # In a thread, so that other channels are not blocked.
    chances = await asyncio.get_running_loop().run_in_executor(_ONE_AT_A_TIME, work)
    bars = chart(chances, system) if context.node.full and not context.message.relayed else []
    lines = [" | ".join(bars[at : at + BARS_A_LINE]) for at in range(0, len(bars), BARS_A_LINE)]
    replies = context.say(odds_line(asked, chances, system)), *map(context.whisper, lines)
    return Answer(replies, "check", dispatcher.game_name(context.node.command))


def _prepared(context: Context[OddsOf]) -> Command:
    """The command as completed by the table. RuleError if impossible; its hint is an odds command too (GEN-11)."""
    command = context.node.command
    actor = context.actor if dispatcher.rolls(command) else context.actor_of(None)
    try:
        return context.table.prepared(command, actor.name)
    except RuleError as refusal:
        rest = f"{marked(' as ', command.character)}{' full' if context.node.full else ''}"
        raise RuleError(str(refusal), hint=refusal.hint and f"odds {refusal.hint}{rest}") from None


def _following(context: Context[OddsOf], chain: Chain) -> str:
    """`odds wp 2 on 4d`: the roll is named as in the follow-up itself (GEN-09)."""
    bare = replace(context.node.command, ref=None) if context.node.command.ref else context.node.command
    return f"odds {bare}{marked(' as ', context.reading.speaks_as)} on {base32(chain.latest.seq)}"


def question(command: Command) -> str:
    """`odds 5d10 h2`. RuleError if it has no odds without an earlier roll."""
    if not dispatcher.rolls(command):
        raise RuleError(f'"{command}" rolls nothing by itself; its odds depend on an earlier roll.')
    return f"odds {command}".replace("odds roll ", "odds ", 1)


def odds_line(asked: str, chances: Odds, system: Game) -> str:
    """The odds in one line; percentages are rounded separately, half up."""
    headed = _headed(chances, system)
    parts = headed or _plain(chances, system)
    if chances.opponent is not None:
        theirs = _headed(chances.opponent, system) or _plain(chances.opponent, system)
        parts = [*parts, f"other side: {'; '.join(theirs)}"]
    if not headed:
        parts = [*parts, *_spread(chances)]
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
    return _tenths(chance * 100)


def _tenths(value: Fraction) -> str:
    return f"{floor(value * 10 + Fraction(1, 2)) / 10:.1f}"


def _headed(chances: Odds, system: Game) -> list[str]:
    """`pass 51.3%, of it critical 2.3, messy 5.9`, for each possible heading, and then the other labels.

    Empty if no headings of the system cover every outcome.
    """
    for headings in system.chances:
        covered = {label for labels in headings.values() for label in labels}
        if not all(covered.intersection(labels) for labels in chances.together):
            continue
        parts = [
            f"{heading} {percent(chances.any_of(labels))}%{_of_it(chances, labels, system)}"
            for heading, labels in headings.items()
            if chances.any_of(labels)
        ]
        return parts + _plain(chances, system, covered)
    return []


def _of_it(chances: Odds, labels: Sequence[str], system: Game) -> str:
    """`, of it critical 2.3, messy 5.9`: the labels under a heading that have a short name."""
    outcomes = chances.outcomes
    named = [f"{system.short[x]} {percent(outcomes[x])}" for x in labels if x in system.short and outcomes.get(x)]
    return f", of it {', '.join(named)}" if named and len(labels) > 1 else ""


def _plain(chances: Odds, system: Game, without: Collection[str] = ()) -> list[str]:
    """Every possible label, in the order of the system's words."""
    outcomes = {label: chance for label, chance in chances.outcomes.items() if label not in without}
    order = [label for label in system.words if label in outcomes] + [x for x in outcomes if x not in system.words]
    together: dict[tuple[Labels, ...], list[str]] = {}  # labels that always occur together are listed together
    for label in order:
        together.setdefault(tuple(labels for labels in chances.together if label in labels), []).append(label)
    each = []
    for labels in together.values():
        names = [system.short.get(label, system.words.get(label, label)) for label in labels]
        each.append(f"{' and '.join(names)} {percent(outcomes[labels[0]])}%")
    return [", ".join(each)] if each else []


def _spread(chances: Odds) -> list[str]:
    """`passes 0: 2%, 1: 8%, 2: 18%, ...`, and the averages."""
    if chances.name is None or len(chances.values) < 2:
        return []
    shares = chances.values
    also = [f"{_name(name)} on average {_tenths(spread.moment(1))}" for name, spread in chances.also.items()]
    return [f"{_name(chances.name)} {_distribution(shares)}", f"average {_tenths(chances.mean)}", *also]


def _distribution(shares: Shares) -> str:
    """`up to 5: 1%, 6: 2%, ..., 18: 2%`: single values, or ranges if there are too many; `1 to 20, each 5%`."""
    (whole,) = shares.parts(1)
    if shares.alike and len(shares) > 2 and whole.highest - whole.lowest + 1 == len(shares):
        return f"{_range(whole)}, each {_share(shares[whole.lowest])}"
    parts = _ends_summed(shares.parts(len(shares))) if len(shares) <= MOST_LOOKED_AT else []
    if not 0 < len(parts) <= ALL_LISTED:
        parts = _ends_summed(shares.parts(CHART))
    names = [_range(part) for part in parts]
    if parts[0].lowest != parts[0].highest:
        names[0] = f"up to {plain_number(parts[0].highest)}"
    if parts[-1].lowest != parts[-1].highest and len(parts) > 1:
        names[-1] = f"{plain_number(parts[-1].lowest)} or more"
    return ", ".join([f"{name}: {_share(part.chance)}" for name, part in zip(names, parts, strict=True)])


def _ends_summed(parts: Sequence[Part]) -> list[Part]:
    """The parts, with those at either end merged until they reach 1% when rounded."""
    rest = list(parts)
    while len(rest) > 2 and rest[0].chance < HALF_A_PERCENT:
        rest[:2] = [_summed(*rest[:2])]
    while len(rest) > 2 and rest[-1].chance < HALF_A_PERCENT:
        rest[-2:] = [_summed(*rest[-2:])]
    return rest


def _summed(lower: Part, higher: Part) -> Part:
    return Part(lower.lowest, higher.highest, lower.chance + higher.chance)


def _share(chance: Fraction) -> str:
    """`5%`, rounded half up."""
    return f"{floor(chance * 100 + Fraction(1, 2))}%" if chance >= HALF_A_PERCENT else "<1%"


def _name(value: str) -> str:
    """`success value`."""
    return value.replace("_", " ")


def chart(chances: Odds, system: Game) -> list[str]:
    """At most CHART bars, for the value, or the labels if there is none (DSK-09)."""
    if chances.name is None:
        likely = sorted(chances.outcomes.items(), key=lambda each: each[1], reverse=True)[:CHART]
        rows = [(system.words.get(label, label), chance, "") for label, chance in likely]
    else:
        parts = chances.values.parts(CHART)
        reached = [sum((part.chance for part in parts[nth:]), Fraction()) for nth in range(len(parts))]
        # IRC-21: a line does not begin with `-`; what is put before it on the wire would make a range of it.
        of = f"{_name(chances.name)} " if parts[0].lowest < 0 else ""
        rows = [
            (of + _range(part), part.chance, f"; at least {plain_number(part.lowest)} {percent(least)}" if nth else "")
            for nth, (part, least) in enumerate(zip(parts, reached, strict=True))
        ]
    longest = max(chance for _, chance, _ in rows)
    return [
        f"{what}: {percent(chance)}% {'#' * round(chance / longest * BAR)}".rstrip() + more
        for what, chance, more in rows
    ]


def _range(part: Part) -> str:
    """`12 to 13`."""
    low, high = plain_number(part.lowest), plain_number(part.highest)
    return f"{low}" if part.lowest == part.highest else f"{low} to {high}"


def as_object(text: str, node: Command, chances: Odds) -> dict[str, object]:
    """The object of `odds --json` (docs/reference/json.md)."""
    found: dict[str, object] = {"text": text, "system": dispatcher.game_name(node)} | _chances(chances)
    return found | ({"opponent": _chances(chances.opponent)} if chances.opponent else {})


def _chances(chances: Odds) -> dict[str, object]:
    outcomes = dict(chances.outcomes)
    values = [[plain_number(value), float(chance)] for value, chance in chances.values.items()]
    further = {name: [[value, float(p)] for value, p in spread.items()] for name, spread in chances.also.items()}
    return ({"further": further} if further else {}) | {
        "outcomes": {label: float(chance) for label, chance in outcomes.items()},
        "distribution": {"name": chances.name, "values": values} if chances.name else None,
        "mean": float(chances.mean) if values else None,
        "sd": chances.sd if values else None,
        "exact": not chances.error,
        "as_fraction": {label: str(chance) for label, chance in outcomes.items()},
    }

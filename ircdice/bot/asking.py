"""Questions that roll nothing: odds, help, and which contests stand open."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any

from grammars import catalogue
from ircdice import __version__, dispatcher
from ircdice.bot import told
from ircdice.bot.following import located
from ircdice.bot.turn import Answer, Turn
from ircdice.errors import RuleError
from ircdice.ledger.ids import base32
from ircdice.odds import Odds, Shares
from ircdice.outcome import plain_number
from ircdice.reply import MOST_BYTES
from ircdice.system import System

MOST_LISTED = 8  # contests in one line
MOST_HELP_LINES = 4
MORE_HELP = "ircdice's manual for players, docs/playing.md, has the rest; whoever runs me has it."
MOST_VALUES = 12  # of a distribution in one line


async def odds(turn: Turn) -> Answer:
    """`odds COMMAND` (GEN-08), from the faces that stand where it is a follow-up."""
    command = turn.table.prepared(turn.node.command, turn.message.nick)
    # Hundreds of dice take a while: the others play on.
    chances, system = await asyncio.to_thread(odds_of, turn, command)
    asked = turn.reading.command if command == turn.node.command else f"odds {command}"  # what the table adds is shown
    text = odds_line(asked.replace("odds roll ", "odds ", 1), chances, system)
    return Answer((turn.say(text),), "check", dispatcher.owner(turn.node.command))


def odds_of(turn: Turn, command: Any) -> tuple[Odds, System]:
    """The chances asked for, and the system that has the words for them."""
    house = turn.settings.house
    system = dispatcher.system_of(command)
    if dispatcher.rolls(command):
        return dispatcher.odds(command, house), system
    _, earlier = located(turn, command)
    return dispatcher.amend_odds(command, earlier, house), system


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
    """The mean and the chances of the value, the rarest tail summed up."""
    if chances.name is None or len(chances.values) < 2:
        return []
    name = chances.name.replace("_", " ")
    likely = Shares.of(chances.values).likeliest(MOST_VALUES)
    shares = {value: percent(chances.values[value]) for value in likely}
    listed = ", ".join(f"{plain_number(value)} {share}" for value, share in shares.items() if share != "0.0")
    listed = listed or f"{len(chances.values)} values, none of them 0.05%"
    also = [
        f"{further.replace('_', ' ')} on average {_tenths(_mean(spread))}" for further, spread in chances.also.items()
    ]
    return [f"{name} on average {_tenths(chances.mean)}: {listed}", *also]


def _mean(spread: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in spread.items()), Fraction())


def _tenths(value: Fraction) -> str:
    """A mean with one decimal, rounded half up."""
    return f"{floor(value * 10 + Fraction(1, 2)) / 10:.1f}"


async def explain(turn: Turn) -> Answer:
    """`help [TOPIC]` (DSK-11): one line where it was asked, the rest in private (IRC-24)."""
    if turn.node.rule is not None:
        return Answer((turn.say(told.about(turn.node.rule)),), "note")
    lines = help_lines(turn.node.topic, turn.settings.system)
    if turn.node.topic is None:
        return Answer(tuple(turn.whisper(line) for line in lines), "note")  # GEN-10
    first, *rest = lines
    return Answer((turn.say(first), *(turn.whisper(line) for line in rest)), "note")


def help_lines(topic: str | None, system: str) -> list[str]:
    """What the grammars say of a topic, or of themselves; at most four lines."""
    if topic is None:
        grammars = [g for g in catalogue.grammars_found() if g.is_system]
        examples = [e for g in grammars if g.name == system for e in g.examples][:3]
        names = ", ".join(f"{g.name} ({' '.join(g.keywords)})" for g in grammars)
        always = " ".join(word for g in catalogue.grammars_found() if not g.is_system for word in g.keywords)
        more = "help COMMAND, or a rule's id, tells more."
        return [
            f"ircdice {__version__}: {names}; for example: {' | '.join(examples)}; {more}",
            f"Beside every game: {always}.",
        ]
    found = sorted(catalogue.topics()[topic], key=lambda grammar: grammar.name != system)  # the game played here first
    for grammar in found:
        if topic in grammar.help:
            return list(grammar.help[topic])
    return _packed([part for grammar in found for part in _of_grammar(grammar, topic)])


def _of_grammar(grammar: catalogue.Grammar, topic: str) -> list[str]:
    """Each example that begins with the topic, or all for the system itself, with its sense."""
    examples = {e: s for e, s in grammar.examples.items() if topic == grammar.name or e.split()[0] == topic}
    return [f'"{example}": {sense}' if sense else f'"{example}"' for example, sense in examples.items()] or [
        grammar.sense
    ]


def _packed(parts: list[str]) -> list[str]:
    """The parts in lines as long as a reply may be, at most four of them (IRC-20)."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(f"{lines[-1]} | {part}".encode()) <= MOST_BYTES and len(lines) > 1:
            lines[-1] = f"{lines[-1]} | {part}"
        else:
            lines.append(part)
    return lines if len(lines) <= MOST_HELP_LINES else [*lines[: MOST_HELP_LINES - 1], MORE_HELP]


async def contests(turn: Turn) -> Answer:
    """`contests`: those that wait for an answer here."""
    open_here = turn.table.open_contests()
    listed = [f"#{base32(chain.root.seq)} {' vs '.join(chain.names())}" for chain in open_here[:MOST_LISTED]]
    if len(open_here) > MOST_LISTED:
        listed.append(f"and {len(open_here) - MOST_LISTED} more")
    text = f"open contests: {', '.join(listed)}" if listed else "no contest is open here."
    return Answer((turn.say(text),), "note")


def require_storyteller(turn: Turn, what: str) -> None:
    """RuleError for anybody but a storyteller (IRC-14)."""
    if not turn.message.storyteller:
        raise RuleError(f"only a storyteller {what}.")

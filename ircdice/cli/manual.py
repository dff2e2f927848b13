"""The players' manual, made from the grammars: `python -m ircdice.cli.manual > docs/playing.md`. Knows no game."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from grammars.catalogue import Grammar, grammars_found
from ircdice import dispatcher
from ircdice.bot import rule_texts
from ircdice.cli.manual_prose import ANSWERS, CHECKING, TALK, TITLE


def manual() -> str:
    """The whole of docs/playing.md."""
    games = [g for g in grammars_found() if g.is_system]
    others = [g for g in grammars_found() if not g.is_system]
    general = ["## In every game", _table(others), _rules(rule_texts.general())]
    parts = [TITLE, TALK, "## The games", *map(_game, games), *general, CHECKING, ANSWERS]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def commands() -> str:
    """All commands in one table, the games' first: `python -m ircdice.cli.manual commands`, for the README."""
    return _table(sorted(grammars_found(), key=lambda grammar: not grammar.is_system))


def _game(grammar: Grammar) -> str:
    words = ", ".join(f"`{word}`" for word in grammar.keywords)
    sense = grammar.summary.partition(". ")[0].rstrip(".")  # what follows is said to programmers
    drawn = f"Everything that may be typed, as [diagrams](grammar/{grammar.name}.html)."
    parts = [f"### {grammar.name}", f"{sense}.", f"Command words: {words}.", _table([grammar]), drawn]
    rules = dispatcher.systems()[grammar.name].rules
    parts += [_terms(grammar.help)] if grammar.help else []
    return "\n\n".join([*parts, _rules(rules)] if rules else parts)


def _table(grammars: Iterable[Grammar]) -> str:
    rows = [f"| `{_cell(say)}` | {_cell(sense)} |" for g in grammars for say, sense in g.examples.items()]
    return "\n".join(["| say | for |", "|---|---|", *rows])


def _terms(terms: Mapping[str, tuple[str, ...]]) -> str:
    """What `help TERM` answers, as a list."""
    return "\n".join(f"- `help {term}`: {' '.join(lines)}" for term, lines in terms.items())


def _rules(rules: Mapping[str, str]) -> str:
    """What `help RULE-ID` answers, as a table."""
    rows = [f"| {name} | {_cell(sentence)} |" for name, sentence in rules.items()]
    return "\n".join(
        ["Its rules, as `help " + next(iter(rules)) + "` tells them:", "", "| rule | in short |", "|---|---|", *rows]
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(commands() + "\n" if sys.argv[1:] == ["commands"] else manual())

"""`/help` and `/help/GAME`: commands, examples, diagrams and rules, from grammars and games (WEB-09)."""

from __future__ import annotations

import re

from markupsafe import Markup
from starlette.requests import Request

import grammars
from grammars import catalogue
from ircdice import dispatcher
from ircdice.bot import rule_texts
from ircdice.web.answers import FOLDER, Answer, PageError, heading

DIAGRAMS = FOLDER / "diagrams"
_STYLE = re.compile("<style>.*?</style>", re.DOTALL)


async def help_page(_request: Request) -> Answer:
    """All games and the commands of every table."""
    found = catalogue.grammars_found()
    values = {
        "games": [grammar for grammar in found if grammar.is_system],
        "others": [grammar for grammar in found if not grammar.is_system],
        "rules": rule_texts.GENERAL,
        "rolls": rolls,
    }
    data = {"games": [game_object(grammar) for grammar in found], "rules": dict(rule_texts.GENERAL)}
    return Answer("help.html", "What to type", data, values, "Every game's commands, with examples.")


async def game_page(request: Request) -> Answer:
    """One game or group of commands: its syntax, as diagrams, and its rules by id."""
    name = request.path_params["game"]
    grammar = catalogue.named(name)
    if grammar is None:
        raise PageError(
            f'"{name[:40]}" is none of the games: {", ".join(catalogue.system_names())}.', 404, example="/help/v5"
        )
    rules = dispatcher.systems()[name].rules if grammar.is_system else {}
    values = {"grammar": grammar, "terms": terms(grammar), "rules": rules, "diagrams": diagrams(name), "rolls": rolls}
    data = game_object(grammar) | {"rules": dict(rules)}
    return Answer("game.html", heading(grammar), data, values, f"{grammar.summary}.")


def game_object(grammar: catalogue.Grammar) -> dict[str, object]:
    """As JSON."""
    return {"name": grammar.name, "words": list(grammar.keywords), "examples": dict(grammar.examples)}


def rolls(text: str, game: str) -> bool:
    """Whether an example is a roll, and so has odds."""
    node = grammars.read(text, game, True).node
    return dispatcher.throws_alone(node)


def terms(grammar: catalogue.Grammar) -> dict[tuple[str, ...], str]:
    """The topics of a game's help; topics with the same text share an entry."""
    words: dict[str, list[str]] = {}
    for topic, lines in rule_texts.terms(grammar).items():
        words.setdefault(" ".join(lines), []).append(topic)
    return {tuple(topics): text for text, topics in words.items()}


def diagrams(name: str) -> Markup:
    """The railroad diagrams drawn by `make docs`, without their inline styles, which the page's policy forbids."""
    file = DIAGRAMS / f"{name}.html"
    text = file.read_text("utf-8") if file.is_file() else ""
    drawn = _STYLE.sub("", text[text.find('<div class="railroad-group">') : text.rfind("</body>")])
    drawn = re.sub(r"<(/?)h1\b", r"<\1h3", drawn)
    return Markup(drawn.replace('<div class="railroad-svg">', '<div class="railroad-svg" tabindex="0">'))

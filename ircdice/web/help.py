"""`/help` and `/help/GAME`: commands, examples, diagrams and rules, made from grammars and rules (WEB-09)."""

from __future__ import annotations

import re

from markupsafe import Markup
from starlette.requests import Request

from grammars import catalogue
from ircdice import dispatcher
from ircdice.bot import rule_texts
from ircdice.web.answers import FOLDER, Answer, PageError

DIAGRAMS = FOLDER / "diagrams"
_STYLE = re.compile("<style>.*?</style>", re.DOTALL)


async def help_page(_request: Request) -> Answer:
    """All games and the commands of every table."""
    grammars = catalogue.grammars_found()
    values = {"games": [g for g in grammars if g.is_system], "others": [g for g in grammars if not g.is_system]}
    values_and_rules = values | {"rules": rule_texts.general()}
    data = {"games": [game_object(grammar) for grammar in grammars], "rules": dict(rule_texts.general())}
    return Answer("help.html", "What to type", data, values_and_rules, "Every game's commands, with examples.")


async def game_page(request: Request) -> Answer:
    """One game, or one group of commands: what it takes, in diagrams, and its rules by their ids."""
    name = request.path_params["game"]
    grammar = catalogue.named(name)
    if grammar is None:
        raise PageError(
            f'"{name[:40]}" is none of the games: {", ".join(catalogue.system_names())}.', 404, example="/help/v5"
        )
    rules = dispatcher.systems()[name].rules if grammar.is_system else {}
    values = {"grammar": grammar, "rules": rules, "diagrams": diagrams(name)}
    return Answer(
        "game.html", title(name), game_object(grammar) | {"rules": dict(rules)}, values, f"{grammar.summary}."
    )


def game_object(grammar: catalogue.Grammar) -> dict[str, object]:
    """As JSON."""
    return {"name": grammar.name, "words": list(grammar.keywords), "examples": dict(grammar.examples)}


def title(name: str) -> str:
    """`Strike Cinder` for `strike_cinder`."""
    return name.replace("_", " ").title() if name != "v5" else "V5"


def diagrams(name: str) -> Markup:
    """The railroad diagrams that `make docs` draws, without their own styles, which no page may have inline."""
    file = DIAGRAMS / f"{name}.html"
    text = file.read_text("utf-8") if file.is_file() else ""
    drawn = _STYLE.sub("", text[text.find('<div class="railroad-group">') : text.rfind("</body>")])
    drawn = re.sub(r"<(/?)h1\b", r"<\1h3", drawn)
    return Markup(drawn.replace('<div class="railroad-svg">', '<div class="railroad-svg" tabindex="0">'))

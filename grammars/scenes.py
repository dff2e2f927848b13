"""`scene`: what is rolled from its opening to its end belongs together (DSK-08)."""

from __future__ import annotations

from dataclasses import dataclass

import pyparsing as pp

from grammars.command import Command
from grammars.names import check_name, name
from grammars.tokens import Token, builds, command_word, word

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("scene",)
ONLY_CALLED = KEYWORDS  # GEN-13
EXAMPLES = {
    "scene Harbour": "storyteller: a scene opens; `log scene` gives what is rolled in it, ready to paste",
    "scene end": "storyteller: it is over",
    "scene": "which scene is played",
}


@dataclass(frozen=True, slots=True)
class Scene(Command):
    """A scene opens. `number` is filled in by the bot: names may come again."""

    name: str
    number: int | None = None

    def __post_init__(self) -> None:
        """desk.md, "Names"."""
        check_name("name", self.name)

    def __str__(self) -> str:
        return f"scene {self.name}" if self.number is None else f"scene {self.number}: {self.name}"


@dataclass(frozen=True, slots=True)
class SceneEnd(Command):
    """The scene is over."""

    number: int | None = None

    def __str__(self) -> str:
        return "scene end" if self.number is None else f"scene {self.number}: end"


@dataclass(frozen=True, slots=True)
class WhichScene(Command):
    """The question for the scene."""

    def __str__(self) -> str:
        return "scene"


NUMBER = Token("3:", r"(?P<number>[0-9]{1,6})\s?:", clause="number", value=lambda match: int(match["number"]))
NAME = name()

begins = command_word("scene") + pp.Opt(NUMBER)
end = (begins + word("end")).set_parse_action(builds(SceneEnd)).set_name("scene end")
opened = (command_word("scene") + word("open") + NAME).set_parse_action(builds(Scene)).set_name("scene open NAME")
opening = (begins + NAME).set_parse_action(builds(Scene)).set_name("scene NAME")
question = command_word("scene").add_parse_action(lambda: WhichScene()).set_name("scene")

GRAMMAR = end | opened | opening | question

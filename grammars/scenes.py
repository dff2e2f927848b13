"""`scene`: groups the rolls from its start to its end (DSK-08)."""

from __future__ import annotations

import pyparsing as pp

from grammars.command import Node, builds
from grammars.tokens import Token, command_word, integer, name, word

EXAMPLES = {
    "scene Harbour": "storyteller: a scene opens; `log scene` gives what is rolled in it, ready to paste",
    "scene end": "storyteller: it is over",
    "scene": "which scene is played",
}


class Scene(Node):
    """Open a scene. The bot adds `number`, because names may repeat."""

    name: str
    number: int | None = None

    def __str__(self) -> str:
        return f"scene {self.name}" if self.number is None else f"scene {self.number}: {self.name}"


class SceneEnd(Node):
    """End the scene."""

    number: int | None = None

    def __str__(self) -> str:
        return "scene end" if self.number is None else f"scene {self.number}: end"


class WhichScene(Node):
    """Ask for the current scene."""

    begins = "scene"


NAME = name()
NUMBER = Token("3:", r"([0-9]{1,6})\s?:", clause="number", value=integer)

scene = command_word("scene")
scene_end = (scene + pp.Opt(NUMBER) + word("end")).set_parse_action(builds(SceneEnd)).set_name("scene end")
opened = (scene + word("open") + NAME).set_parse_action(builds(Scene)).set_name("scene open NAME")
opening = (scene + pp.Opt(NUMBER) + NAME).set_parse_action(builds(Scene)).set_name("scene NAME")
question = command_word("scene").add_parse_action(builds(WhichScene)).set_name("scene")

GRAMMAR = scene_end | opened | opening | question

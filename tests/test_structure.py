"""The structure of the source: imports point one way, and random numbers come from one module."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import grammars
import ircdice

FOUNDATION = {
    "casemapping",
    "clock",
    "dice",
    "distributions",
    "errors",
    "ircdice",
    "odds",
    "outcome",
    "settings",
    "values",
    "game",
}
LEVELS = (  # each may import what is above it here, and itself
    {"grammars"},
    FOUNDATION,
    {"rules", "reply"},
    {"dispatcher"},
    {"ledger"},
    {"table"},
    {"bot"},
    {"replay"},
    {"config", "log"},
    {"evaluation"},
    {"metrics"},
    {"wire", "web"},
    {"run"},
    {"demo_irc"},
    {"cli"},
    {"__main__"},
)
LEVEL = {area: number for number, areas in enumerate(LEVELS) for area in areas}
CHANCE_MODULES = {"random", "secrets", "numpy"}
CHANCE_NAMES = {"urandom", "getrandom", "uuid1", "uuid4"}


def sources() -> Iterator[tuple[str, Path]]:
    """Every module of the two packages with its file, wherever they are installed."""
    for package in (grammars, ircdice):
        root = Path(package.__file__).parent
        for file in sorted(root.rglob("*.py")):
            parts = (root.name, *file.relative_to(root).with_suffix("").parts)
            yield ".".join(parts).removesuffix(".__init__"), file


MODULES = dict(sources())


def area(module: str) -> str:
    """The part that a module belongs to."""
    top, _, rest = module.partition(".")
    return top if top == "grammars" or not rest else rest.partition(".")[0]


def imported(module: str, source: str, *, is_package: bool = False) -> Iterator[tuple[int, str]]:
    """Each module that `source` imports, at its top or within, with its line."""
    base = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = base[: len(base) - node.level + 1] if node.level else []
            start = ".".join(filter(None, (*above, node.module)))
            for alias in node.names:  # `from ircdice import bot` brings in a module, `from ircdice import x` does not
                whole = f"{start}.{alias.name}"
                yield node.lineno, whole if whole in MODULES or area(whole) in LEVEL else start
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            first = next(ast.walk(node.args[0]))
            text = first.values[0] if isinstance(first, ast.JoinedStr) else first
            if isinstance(text, ast.Constant):
                yield node.lineno, str(text.value).rstrip(".")


def wrong(module: str, source: str, *, is_package: bool = False) -> list[str]:
    """The imports of `source` that go against the levels."""
    here = area(module)
    return [
        f"{module}:{line} imports {target}"
        for line, target in imported(module, source, is_package=is_package)
        if not allowed(here, target)
    ]


def allowed(here: str, target: str) -> bool:
    top = target.partition(".")[0]
    if top not in ("grammars", "ircdice"):
        return top in sys.stdlib_module_names or (top == "pyparsing") == (here == "grammars")
    there = area(target)
    same = here == there or {here, there} <= FOUNDATION
    return there in LEVEL and (same or LEVEL[there] < LEVEL[here])


def chance(source: str) -> list[str]:
    """What in `source` could make random numbers."""
    modules = [target for _, target in imported("ircdice.any", source) if target.partition(".")[0] in CHANCE_MODULES]
    nodes = list(ast.walk(ast.parse(source)))
    names = [node.attr for node in nodes if isinstance(node, ast.Attribute)]
    names += [node.id for node in nodes if isinstance(node, ast.Name)]
    names += [node.name for node in nodes if isinstance(node, ast.alias)]
    return modules + [name for name in names if name in CHANCE_NAMES]


def test_every_area_has_a_level():
    """Design: a new part of the source is given its place in LEVELS."""
    assert {area(module) for module in MODULES} - LEVEL.keys() == set()


def test_imports_point_one_way():
    """Design: grammars ← rules ← dispatcher ← bot ← cli, and wire, ledger and web never beneath."""
    sources = ((name, file.read_text("utf-8"), file.name == "__init__.py") for name, file in MODULES.items())
    assert [found for name, text, package in sources for found in wrong(name, text, is_package=package)] == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("grammars.v5", "import ircdice.errors"),
        ("grammars.v5", "from ircdice import __version__"),
        ("grammars.v5", "import irc.client"),
        ("grammars.v5", "import yaml"),
        ("ircdice.rules.v5", "import pyparsing as pp"),
        ("ircdice.rules.v5", "from ircdice.wire.protocol import Line"),
        ("ircdice.rules.v5", "from ..ledger import memory"),
        ("ircdice.rules.v5", "from .. import bot"),
        ("ircdice.rules.v5", "from ircdice import bot"),
        ("ircdice.rules.v5", "def late():\n    from ircdice import web"),
        ("ircdice.rules.v5", "import importlib\nimportlib.import_module('ircdice.dispatcher')"),
        ("ircdice.rules.v5", "import importlib\nimportlib.import_module(f'ircdice.ledger.{1}')"),
        ("ircdice.reply", "from ircdice.ledger import memory"),
        ("ircdice.reply", "from .rules import v5"),
        ("ircdice.dice", "from ircdice.rules import v5"),
        ("ircdice.outcome", "from .bot.message import Message"),
        ("ircdice.dispatcher", "from ircdice.bot import message"),
        ("ircdice.bot.core", "from ircdice.wire.outgoing import split"),
        ("ircdice.bot.core", "from ircdice.config import load"),
        ("ircdice.wire.session", "from ircdice import cli"),
        ("ircdice.wire.session", "import ircdice.nowhere"),
    ],
)
def test_a_wrong_import_is_caught(module, source):
    """Design: what the test above holds to does not pass it by."""
    assert wrong(module, source)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("grammars.v5", "import re\nimport pyparsing as pp\nfrom grammars.tokens import command\nfrom . import line"),
        (
            "ircdice.rules.v5",
            "from ircdice import __version__\nfrom ..outcome import Die\nfrom grammars.v5 import Pool",
        ),
        ("ircdice.odds", "from .outcome import Outcome"),
        ("ircdice.cli", "import click\nfrom ircdice import bot, config, wire"),
    ],
)
def test_a_right_import_passes(module, source):
    """Design: the walls have doors."""
    assert wrong(module, source) == []


def test_chance_comes_from_dice_alone():
    """Design: chance is an argument everywhere else."""
    assert [name for name, file in MODULES.items() if chance(file.read_text("utf-8"))] == ["ircdice.dice"]


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from random import choice as pick",
        "def f():\n    import secrets",
        "import os\nos.urandom(4)",
        "from os import urandom",
        "from uuid import uuid4 as new",
    ],
)
def test_chance_elsewhere_is_caught(source):
    """Design: chance is found under any of its names."""
    assert chance(source)

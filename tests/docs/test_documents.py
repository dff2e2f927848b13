"""The documents are true: what they show is run again, what they list is what there is."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import grammars
import ircdice
from grammars import catalogue
from ircdice.cli.manual import manual
from ircdice.config.model import TITLES, schema
from ircdice.dispatcher import systems
from ircdice.evaluation import Evaluator

TREE = Path(__file__).parents[2]
DOCS = TREE / "docs"
ROOT = Path(ircdice.__file__).parents[1]  # where the packages stand, this folder or an installation
PLAYING, OPERATING, DESIGN = (DOCS / f"{name}.md" for name in ("playing", "operating", "design"))
ID = re.compile(r"(?<=id )[0-9a-z]+-[0-9a-z]{6}\b|(?<=\")[0-9a-z]+-[0-9a-z]{6}(?=\")")


def blocks(file: Path, mark: str) -> list[str]:
    """The fenced blocks of a document that begin with that mark."""
    return re.findall(rf"(?ms)^```{mark}\n(.*?)^```$", file.read_text("utf-8"))


def masked(text: str) -> str:
    """`text` with the ids, which no two processes share, taken out."""
    return ID.sub("ID", text)


def shell(command: str, folder: Path, *further: Path) -> str:
    """What a command says, on both of its outputs; `ircdice` is the one under test."""
    path = os.pathsep.join(map(str, (*further, ROOT)))
    python = Path(sys.executable).parent
    environment = {**os.environ, "PYTHONPATH": path, "PATH": f"{python}{os.pathsep}{os.environ['PATH']}"}
    script = f'ircdice() {{ "{sys.executable}" -m ircdice "$@"; }}; {{ {command}; }} 2>&1'
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, timeout=60, check=False
    )
    return done.stdout


def table(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table behind a heading."""
    (rows,) = re.findall(rf"(?ms)^#+ {re.escape(heading)}$.*?^\|(?:---\|)+\n((?:\|.*?\n)+)", text)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows.splitlines()]


def test_the_manual_is_the_grammars():
    """Design: help and docs are made from the grammars; `python -m ircdice.cli.manual > docs/playing.md`."""
    assert PLAYING.read_text("utf-8") == manual()


@pytest.mark.parametrize("row", table(manual(), "Silence, hints and errors"), ids=lambda row: row[0])
def test_the_manual_knows_what_is_answered(row):
    """GEN-10, GEN-13: each line of the manual's table is met as it says."""
    line, does = row
    answer = Evaluator().evaluate({"text": line.strip("`")})
    assert does == ("nothing" if answer.get("silent") else "hints" if "error" in answer else "answers")


def said_in_the_manual() -> list[str]:
    spans = set(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", manual().partition("## Reading an answer")[0]))
    talk = {row[0].strip("`") for row in table(manual(), "Silence, hints and errors")}
    commands = {span.removeprefix("FUDice: ").lstrip("!`.") for span in spans - talk}
    return sorted(c for c in commands if c.partition(" ")[0] in catalogue.claims() and " " in c)


@pytest.mark.parametrize("text", said_in_the_manual())
def test_each_command_of_the_manual_is_one(text):
    """GEN-04: whatever the manual says to type is read."""
    assert grammars.read(text, "v5", True).node


@pytest.mark.parametrize("kind", TITLES)
def test_every_key_is_told(kind):
    """IRC-05: the tables of operating.md list the keys that are read, in each section, and no others."""
    rows = table(OPERATING.read_text("utf-8"), f"`[{TITLES[kind]}]`")
    told = [row[0].strip("`") for row in rows]
    assert sorted(told) == sorted(schema(("v5",))[kind])


@pytest.mark.parametrize("kind", TITLES)
def test_every_default_is_told(kind):
    """IRC-05: as config.example.ini has them, which another test holds to the code."""
    (section,) = re.findall(rf"(?ms)^\[{kind}\b.*?(?=^\[|\Z)", (TREE / "config.example.ini").read_text("utf-8"))
    defaults = dict(re.findall(r"(?m)^;([a-z_]+) = ?(.*)$", section))
    rows = table(OPERATING.read_text("utf-8"), f"`[{TITLES[kind]}]`")
    told = {key.strip("`"): default.strip("` ") for key, default, _ in rows if not default[:1].isalpha()}
    assert told
    assert told == {key: defaults.get(key, "").strip("` ") for key in told}


@pytest.fixture
def coin(tmp_path):
    """A folder with the files that design.md shows, under the names that it gives them."""
    shown = re.findall(r"(?ms)^```python (\S+)\n(.*?)^```$", DESIGN.read_text("utf-8"))
    assert [name for name, _ in shown] == ["coin_game/grammar.py", "coin_game/rules.py", "tests/test_coin.py"]
    metadata = [
        ("coin_game/__init__.py", ""),
        ("coin_game-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: coin-game\nVersion: 1.0\n"),
        ("coin_game-1.0.dist-info/entry_points.txt", "[ircdice.games]\ncoin = coin_game\n"),
    ]
    for name, source in [*shown, *metadata]:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, "utf-8")
    return tmp_path


def played(block: str, folder: Path) -> str:
    commands = re.findall(r"(?m)^\$ (.*)$", block)
    return "".join(f"$ {command}\n{shell(command, folder, folder)}" for command in commands)


@pytest.mark.parametrize("block", blocks(OPERATING, "console"))
def test_what_a_console_shows(block, tmp_path):
    """Design: each command of operating.md says what stands below it."""
    assert masked(played(block, tmp_path)) == masked(block)


def test_the_sixth_game_plays(coin):
    """Design: two files are a game, for play, odds, help and the manual."""
    (block,) = blocks(DESIGN, "console")
    assert masked(played(block, coin)) == masked(block)


def test_the_sixth_game_passes_its_test(coin):
    """Design: the test beside a game is enough of a test."""
    said = shell(f'"{sys.executable}" -m pytest -q -p no:cacheprovider tests', coin, coin)
    assert "3 passed" in said, said


def test_the_seams_are_there():
    """Design: the names that others stand on."""
    (source,) = blocks(DESIGN, "python")
    names: dict[str, object] = {}
    exec(compile(source, str(DESIGN), "exec"), names)
    assert names["outcome"].labels == ("failure",)
    assert names["chances"].any_of(("success", "critical", "messy_critical")) > 0


def test_every_room_is_told():
    """Design: the table of rooms has every module and package beside `__main__`."""
    told = {room for row in table(DESIGN.read_text("utf-8"), "Rooms") for room in re.findall(r"`(\w+)`", row[0])}
    rooms = {path.stem for path in Path(ircdice.__file__).parent.iterdir() if path.suffix in (".py", "")}
    parts = {room for room in rooms if room.startswith("__") or room.rpartition("_")[0] in rooms}
    assert told == (rooms - parts) | {"grammars"}


def test_lines_in_and_lines_out(tmp_path):
    """Design: the objects of `eval --lines` that operating.md shows."""
    (given,), (answers,) = blocks(OPERATING, "jsonl in"), blocks(OPERATING, "jsonl out")
    (tmp_path / "in").write_text(given, "utf-8")
    assert masked(shell("ircdice eval --lines < in", tmp_path)) == masked(answers)


def test_the_keys_of_lines_are_told():
    """Design: the keys that `eval --lines` takes and gives."""
    text = OPERATING.read_text("utf-8")
    refused = Evaluator().evaluate({"text": "roll 1d10", "nonsense": 1})["error"]
    known = re.findall(r"[a-z]+", refused.partition("known are")[2])
    assert [row[0].strip("`") for row in table(text, "`eval --lines`")] == known
    forms = {key for line in blocks(OPERATING, "jsonl out")[0].splitlines() for key in json.loads(line)}
    assert {key for key in forms if f"`{key}`" not in text} == set()


def told_of(system: str) -> list[set[str]]:
    """The labels, values and roles that operating.md lists for a game."""
    rows = table(OPERATING.read_text("utf-8"), "Labels, values and roles")
    (cells,) = [cells for name, *cells in rows if name == f"`{system}`"]
    return [set(re.findall(r"`(\w+)`", cell)) for cell in cells]


@pytest.mark.parametrize("system", systems())
def test_every_label_is_one(system):
    """GEN-01: the labels that operating.md lists have their words in the game."""
    labels, _, _ = told_of(system)
    assert labels <= systems()[system].words.keys()


@pytest.mark.parametrize("file", sorted((TREE / "tests/data").glob("examples_*.jsonl")), ids=lambda file: file.stem)
def test_what_comes_out_is_told(file):
    """GEN-01: operating.md lists what the worked throws come to."""
    for line in file.read_text("utf-8").splitlines():
        example, engine = json.loads(line), Evaluator()
        for said in example["say"]:
            answer = engine.evaluate({"table": "t", "system": example["system"], **said})
            if "dice" not in answer:
                continue
            labels, values, roles = told_of(answer["system"])
            for side in (answer, answer.get("opponent", answer)):
                assert labels >= set(side["labels"])
                assert values >= side["values"].keys()
                assert roles >= {die["role"] for die in side["dice"]}

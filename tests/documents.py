"""The documents, and how the tests read them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import ircdice

TREE = Path(__file__).parents[1]
DOCS = TREE / "docs"
ROOT = Path(ircdice.__file__).parents[1]  # of the packages: this tree or an installation
PAGES = sorted([*TREE.glob("*.md"), *DOCS.rglob("*.md")])
ID = re.compile(r"(?<=id )[0-9a-z]+-[0-9a-z]{6}\b|(?<=\")[0-9a-z]+-[0-9a-z]{6}(?=\")")


def named(page: Path) -> str:
    """A page as a test is named after it."""
    return str(page.relative_to(TREE))


def blocks(page: Path, mark: str) -> list[str]:
    """The fenced blocks of a page that begin with that mark."""
    return re.findall(rf"(?ms)^ *```{mark}\n(.*?)^ *```$", page.read_text("utf-8"))


def table(page: Path, heading: str) -> list[list[str]]:
    """The cells of the first table after a heading."""
    text = page.read_text("utf-8").partition(f"# {heading}\n")[2]
    rows = re.search(r"(?m)^\|(?: ?--- ?\|)+\n((?:\|.*\n)+)", text)
    assert rows, f"{page.name}: no table after {heading}"
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows[1].splitlines()]


def masked(text: str) -> str:
    """`text` without ids, which no two processes share."""
    return ID.sub("ID", text)


def shell(command: str, folder: Path, *further: Path) -> str:
    """What a command prints on both outputs; `ircdice` is the one under test, `further` come first on its path."""
    path = os.pathsep.join(map(str, (*further, ROOT)))
    python = Path(sys.executable).parent
    environment = {**os.environ, "PYTHONPATH": path, "PATH": f"{python}{os.pathsep}{os.environ['PATH']}"}
    script = f'ircdice() {{ "{sys.executable}" -m ircdice "$@"; }}; {{ {command}; }} 2>&1'
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, timeout=120, check=False
    )
    return done.stdout


def console(block: str, folder: Path, *further: Path) -> str:
    """A block with its commands run again."""
    commands = re.findall(r"(?m)^\$ (.*)$", block)
    return "".join(f"$ {command}\n{shell(command, folder, *further)}" for command in commands)

"""The documents are true: their examples run, their links resolve, what they list is what there is."""

import ast
import re
from pathlib import Path

import pytest
from documents import DOCS, PAGES, TREE, blocks, console, masked, named, table

import grammars
import ircdice
from grammars import catalogue
from ircdice.config.model import accepted
from ircdice.evaluation import Evaluator

ANSWERS, TROUBLE = DOCS / "reference/answers.md", DOCS / "howto/troubleshooting.md"
PLAYED = [TREE / "README.md", *sorted((DOCS / "tutorials").glob("*.md")), ANSWERS]  # what they say to type is read


def slugs(page):
    """The anchors of a page, as a forge makes them of its headings."""
    headings = re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```$", "", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    """Design: to a file that exists, and to one of its headings."""
    text = re.sub(r"(?ms)^ *```.*?^ *```$", "", page.read_text("utf-8"))
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        assert not anchor or anchor in slugs(target), link


def test_every_page_is_in_the_index():
    """Design: docs/README.md links to every other page of the documentation."""
    index = DOCS / "README.md"
    linked = {(DOCS / link).resolve() for link in re.findall(r"\]\(([^)#]+)", index.read_text("utf-8"))}
    assert {page for page in PAGES if DOCS in page.parents} - {index} <= linked


@pytest.mark.parametrize(
    "block", [block for page in PAGES if page.name != "CONTRIBUTING.md" for block in blocks(page, "console")]
)
def test_what_a_console_shows(block, tmp_path):
    """Design: each command prints what is below it."""
    assert masked(console(block, tmp_path)) == masked(block)


def test_the_api_is_as_shown():
    """Design: the Python that the reference shows runs."""
    for block in blocks(DOCS / "reference/python-api.md", "python"):
        exec(compile(block, "python-api.md", "exec"), {})


@pytest.mark.parametrize("row", table(ANSWERS, "When the bot answers"), ids=lambda row: row[0])
def test_what_is_answered(row):
    """GEN-10, GEN-13: each line of the table gets what it says: an answer, a hint or nothing."""
    line, does = row
    answer = Evaluator().evaluate({"text": line.strip("`")})
    assert does == ("nothing" if answer.get("silent") else "hints" if "error" in answer else "answers")


CALL = re.compile(r"^(FUDice[:,] |/msg FUDice |[!.])")


def to_type():
    """The commands of two words or more in code spans of the pages for players, as they are shown."""
    text = "\n".join(re.sub(r"(?ms)^```.*?^```$", "", page.read_text("utf-8")) for page in PLAYED)
    spans = {re.sub(r"\s+", " ", span) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)}
    wrong = {row[0].strip("`") for row in table(ANSWERS, "When the bot answers")}
    commands = {span: CALL.sub("", span) for span in spans - wrong}
    return sorted(s for s, c in commands.items() if " " in c and c.partition(" ")[0] in catalogue.claims())


@pytest.mark.parametrize("shown", to_type())
def test_what_players_are_to_type_is_a_command(shown):
    """GEN-04, GEN-13: what the pages for players show is read, with a call where it needs one."""
    assert grammars.read(CALL.sub("", shown), "v5", bool(CALL.match(shown))).node


@pytest.mark.parametrize("block", [block for page in PAGES for block in blocks(page, "ini")])
def test_the_config_has_such_keys(block):
    """IRC-05: the sections and keys of every example are the config's."""
    for title, body in re.findall(r"(?m)^ *\[(.+)\]\n((?:^ *[^\[\n]*\n)*)", block):
        known = accepted(title.partition(" ")[0])
        for key in re.findall(r"(?m)^ *([a-z_]+) =", body):
            assert key.removesuffix("_file") in known, f"[{title}] {key}"


def sentences():
    """Every text in the source of the bot, with … for what is filled in."""
    for file in Path(ircdice.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr):
                yield "…".join(v.value for v in node.values if isinstance(v, ast.Constant))


def test_messages_that_are_explained_exist():
    """Design: what the page for trouble explains, the bot can say."""
    source = "\n".join(sentences()).lower()
    for row in re.findall(r"(?m)^\| (?!---|message|log event|what they)(.*?) \| ", TROUBLE.read_text("utf-8")):
        for message in re.findall(r"`([^`]+)`", row):
            missing = [part for part in re.split(r" ?… ?", message.lower()) if len(part) > 3 and part not in source]
            assert not missing, message


def test_every_part_is_described():
    """Design: the table of parts has every module and package of the bot."""
    rows = table(DOCS / "design.md", "Parts")
    described = {part for row in rows for part in re.findall(r"`(\w+)`", row[0])}
    files = Path(ircdice.__file__).parent.iterdir()
    parts = {file.stem for file in files if file.suffix in (".py", "") and not file.name.startswith("__")}
    assert described == parts | {"grammars"}


def defined():
    """OWNER.NAME of every module, class, function and method; the owner is a class, a module or a package."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for package in (ircdice, grammars):
        for file in Path(package.__file__).parent.rglob("*.py"):
            yield from (file.name, f"{file.parent.name}/{file.name}", f"{file.parent.name}.{file.stem}")
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, (ast.ClassDef, *functions)):
                    yield from (f"{file.stem}.{node.name}", f"{file.parent.name}.{node.name}")
                if isinstance(node, ast.ClassDef):
                    yield from (f"{node.name}.{each.name}" for each in node.body if isinstance(each, functions))


def test_what_the_design_names_exists():
    """Design: the modules, functions and methods that it names are in the source."""
    spans = set(re.findall(r"`(?!tests/)([\w/]+\.\w+)`", (DOCS / "design.md").read_text("utf-8")))
    assert spans - set(defined()) == set()

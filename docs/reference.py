"""Write what is generated in docs/reference: `python docs/reference.py [--check]`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

import ircdice
from grammars import as_typed
from grammars.catalogue import Grammar, grammars_found
from ircdice import dispatcher
from ircdice.bot import rule_texts
from ircdice.cli.main import cli
from ircdice.config.model import TITLES

DOCS = Path(__file__).parent
EXAMPLE = Path(ircdice.__file__).parent / "config.example.ini"
MARK = "<!-- From here on made by `make docs`: do not edit. -->"


def commands() -> str:
    """Each game's commands and the terms that it explains, then the commands of every channel."""
    games = [_game(grammar) for grammar in grammars_found() if grammar.is_system]
    others = [grammar for grammar in grammars_found() if not grammar.is_system]
    return _page("## The games", *games, "## In every channel", _examples(others), *map(_terms, others))


def _game(grammar: Grammar) -> str:
    name, _, sense = grammar.summary.partition(": ")
    words = ", ".join(f"`{word}`" for word in grammar.keywords)
    drawn = f"[Its grammar as diagrams](../grammar/{grammar.name}.html)."
    intro = f"{sense[:1].upper()}{sense[1:]}. In the config: `{grammar.name}`. Command words: {words}. {drawn}"
    return _page(f"### {name}", intro, _examples([grammar]), _terms(grammar))


def _examples(grammars: Iterable[Grammar]) -> str:
    rows = [
        (f"`{as_typed(example, grammar.name if grammar.is_system else 'v5')}`", sense)
        for grammar in grammars
        for example, sense in grammar.examples.items()
    ]
    return _table(("command", "meaning"), rows)


def _terms(grammar: Grammar) -> str:
    """What `!help TERM` answers, terms with the same answer together."""
    terms: dict[str, list[str]] = {}
    for term, lines in rule_texts.terms(grammar).items():
        terms.setdefault(" ".join(lines), []).append(f"`!help {term}`")
    return "\n".join(f"- {', '.join(names)}: {_literal(text)}" for text, names in terms.items())


def rules() -> str:
    """The sentence of each rule, by game."""
    parts = [
        part
        for grammar in grammars_found()
        if grammar.is_system and (of := dispatcher.systems()[grammar.name].rules)
        for part in (f"## {grammar.summary.partition(': ')[0]}", _table(("rule", "in short"), of.items()))
    ]
    return _page(*parts, "## In every game", _table(("rule", "in short"), rule_texts.GENERAL.items()))


def config() -> str:
    """The config: config.example.ini as tables."""
    head, *blocks = re.split(r"\n\n+", EXAMPLE.read_text("utf-8").strip())
    return _page(*(_literal(_prose(part)) for part in re.split(r"(?m)^;$", head)), *_sections(blocks))


def _sections(blocks: Iterable[str]) -> Iterator[str]:
    """Each section of the config, a row of its table for each paragraph."""
    for section in re.split(r"\n\n(?=(?:;[^\n]*\n)*\[)", "\n\n" + "\n\n".join(blocks))[1:]:
        intro, title, rest = re.fullmatch(r"(?s)((?:;[^\n]*\n)*)\[(\w+)[^\n]*\]\n(.*)", section).groups()
        described = rest.startswith("; ")  # else the description of the section is that of its first keys
        yield f"## `[{TITLES[title]}]`"
        yield _literal(_prose(intro)) if described else ""
        paragraphs = (rest if described else intro + rest).split("\n\n")
        yield _table(("key and default", "meaning"), map(_row, paragraphs))


def _row(paragraph: str) -> tuple[str, str]:
    text, keys = re.fullmatch(r"((?:; .*\n)+)((?:.+\n?)+)", paragraph).groups()
    shown = [key.lstrip(";").rstrip() for key in keys.splitlines() if "_file = secrets" not in key]
    return "<br>".join(map(_code, shown)), _prose(text)


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def command_line() -> str:
    """The command line, as `--help` shows it."""
    return _page(*_command("ircdice", cli))


def _command(name: str, command: click.Command, parent: click.Context | None = None) -> Iterator[str]:
    context = click.Context(command, parent, info_name=name)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            if found := command.get_command(context, each):
                yield from _command(each, found, context)
        return
    records = [param.get_help_record(context) for param in command.params if isinstance(param, click.Option)]
    options = [f"- `{names}`: {text}" for names, text in filter(None, records)]
    yield f"## `{' '.join([context.command_path, *command.collect_usage_pieces(context)[1:]])}`"
    yield " ".join((command.help or "").split())
    yield "\n".join(options)


def manual() -> str:
    """The manual page of the command, in roff."""
    records = [found for param in cli.params if (found := param.get_help_record(click.Context(cli)))]
    return "\n".join(
        [
            f'.TH IRCDICE 1 "" "ircdice {ircdice.__version__}" "User Commands"',
            ".SH NAME",
            "ircdice \\- IRC dice bot whose results can be verified",
            ".SH SYNOPSIS",
            ".B ircdice",
            "[\\-c FILE] COMMAND [ARGUMENTS]",
            ".SH DESCRIPTION",
            _roff(cli.help or ""),
            ".SH OPTIONS",
            *_tagged(records),
            ".SH COMMANDS",
            *_manual_of("ircdice", cli),
            ".SH EXIT STATUS",
            *_tagged(re.findall(r"(?m)^\| ([0-9]+) \| (.*) \|$", (DOCS / "reference" / "cli.md").read_text("utf-8"))),
            ".SH FILES",
            *_tagged(
                [
                    ("config.ini", "in the current folder, or else"),
                    ("$XDG_CONFIG_HOME/ircdice/config.ini", "by default ~/.config/ircdice/config.ini, or else"),
                    ("/etc/ircdice/config.ini", "the config that is used without -c."),
                ]
            ),
            "",
        ]
    )


def _manual_of(name: str, command: click.Command, parent: click.Context | None = None) -> Iterator[str]:
    context = click.Context(command, parent, info_name=name)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            if found := command.get_command(context, each):
                yield from _manual_of(each, found, context)
        return
    yield f".SS {_roff(' '.join([context.command_path, *command.collect_usage_pieces(context)[1:]]))}"
    yield _roff(" ".join((command.help or "").split()))
    records = (param.get_help_record(context) for param in command.params if isinstance(param, click.Option))
    yield from _tagged(filter(None, records))


def _tagged(records: Iterable[tuple[str, str]]) -> Iterator[str]:
    for tag, text in records:
        yield from (".TP", f".B {_roff(tag)}", _roff(text))


def _roff(text: str) -> str:
    """`text` as roff shows it; a line that begins with a dot or a quote would be a request."""
    return re.sub(r"(?m)^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-").replace("`", ""))


def _prose(comment: str) -> str:
    return " ".join(line.removeprefix(";").strip() for line in comment.strip().splitlines())


def _table(heads: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    lines = [" | ".join(row) for row in (heads, ("---", "---"), *(tuple(map(_cell, row)) for row in rows))]
    return "\n".join(f"| {line} |" for line in lines)


def _cell(text: str) -> str:
    return _literal(text).replace("|", "\\|")


def _literal(text: str) -> str:
    """Markdown that shows `text` as it is, apart from its code spans and line breaks."""
    return re.sub(r"(`[^`]*`|<br>)|([*<])", lambda found: found[1] or f"\\{found[2]}", text)


def _page(*parts: str) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def pages() -> Mapping[Path, str]:
    """Each page with its text: what is written by hand up to the mark, and what is made; copies and the manual."""
    made = {"commands": commands(), "rules": rules(), "config": config(), "cli": command_line()}
    files = {DOCS / "reference" / f"{name}.md": text for name, text in made.items()}
    made_pages = {file: f"{file.read_text('utf-8').partition(MARK)[0]}{MARK}\n\n{text}" for file, text in files.items()}
    return made_pages | {DOCS.parent / EXAMPLE.name: EXAMPLE.read_text("utf-8"), DOCS / "ircdice.1": manual()}


def main() -> int:
    """Write the pages, or with `--check` say which are not current."""
    stale = [file for file, text in pages().items() if not file.exists() or file.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        if stale:
            print(f"not current: {', '.join(file.name for file in stale)}; run: make docs")
        return int(bool(stale))
    for file, text in pages().items():
        file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Draw the grammars as railroad diagrams: `python docs/draw.py [--check]` writes docs/grammar/NAME.html."""

from __future__ import annotations

import re
import sys
from copy import copy as shallow
from io import StringIO
from pathlib import Path

import pyparsing as pp

from grammars import catalogue
from grammars.tokens import RefusedClauses, Token

FOLDER = Path(__file__).parent / "grammar"


def drawn(grammar: catalogue.Grammar) -> str:
    """The page of one grammar: a diagram for each command."""
    page = StringIO()
    seen: dict[int, pp.ParserElement] = {}
    commands = [shown(command, seen).set_name(_title(command)) for command in grammar.commands]
    pp.MatchFirst(commands).set_name(f"{grammar.name}: all commands").create_diagram(page, vertical=8)
    return _numbered_anew(page.getvalue())


def _numbered_anew(page: str) -> str:
    """The page with its anchors counted from 1: pyparsing counts on from one page to the next."""
    anchors = dict.fromkeys(re.findall(r'(?:id="|href="#)([^"]*-[0-9]{4})"', page))
    for number, anchor in enumerate(anchors, 1):
        page = re.sub(rf'(?<=["#]){re.escape(anchor)}(?=")', f"{anchor[:-5]}-{number}", page)
    return page


def _title(command: pp.ParserElement) -> str:
    return str(command) if command.customName else f"{min(catalogue.first_words(command), key=len)} …"


def shown(element: pp.ParserElement, seen: dict[int, pp.ParserElement]) -> pp.ParserElement:
    """A copy to be drawn: terminals by what a player types, without what only refuses."""
    if id(element) in seen:
        return seen[id(element)]
    if isinstance(element, Token):
        return pp.Literal(_typed(element))
    copy = seen[id(element)] = shallow(element)
    if isinstance(copy, pp.ParseElementEnhance) and copy.expr is not None:
        copy.expr = shown(copy.expr, seen)
    elif isinstance(copy, pp.ParseExpression):
        copy.exprs = [shown(each, seen) for each in copy.exprs if not _is_hidden(each)]
    return copy


def _is_hidden(element: pp.ParserElement) -> bool:
    if isinstance(element, pp.FollowedBy | pp.NotAny):
        return True
    if isinstance(element, Token | RefusedClauses) and element.rejects:
        return True
    if isinstance(element, pp.ParseExpression):
        return all(map(_is_hidden, element.exprs))
    if isinstance(element, pp.ParseElementEnhance) and not isinstance(element, pp.Forward):
        return _is_hidden(element.expr)
    return isinstance(element, pp.Empty | pp.StringEnd)


def _typed(token: Token) -> str:
    number = "N" if token.numbered else ""
    return " / ".join(f"{word}{number}" for word in token.words) or token.name


def main() -> int:
    """Write the pages, or with `--check` say which are not current."""
    pages = {FOLDER / f"{g.name}.html": drawn(g) for g in catalogue.grammars_found()}
    if "--check" in sys.argv[1:]:
        stale = [page.name for page, text in pages.items() if not page.is_file() or page.read_text("utf-8") != text]
        if stale:
            print(f"not current: {', '.join(stale)}; run: make docs")
        return int(bool(stale))
    FOLDER.mkdir(exist_ok=True)
    for page, text in pages.items():
        page.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What may be broken in a source: one edit for each place that a test ought to hold. Runs nothing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}
EITHER_WAY = {"isinstance", "product", "sum_of", "convolved", "stride_of"}  # or the arguments are not alike
TOLD = {"RULES", "_LADDER"}  # what `help V5-07` says, like all of a file `told`, and nothing judges by
UNFELT = {"strict", "kw_only"}  # they guard, and change nothing that is rightly called


@dataclass(frozen=True)
class Edit:
    """One way to break a line: what was there, what stands there now, and whether a function holds it."""

    path: Path
    line: int
    kind: str
    before: str
    after: str
    inside: bool
    change: Callable[[], None] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.kind}: {self.before} -> {self.after}"


class Source:
    """A parsed file, the edits that it admits, and how many places were passed over, by reason."""

    def __init__(self, path: Path) -> None:
        self.path, self.tree = path, ast.parse(path.read_text())
        self.passed_over: Counter[str] = Counter()
        self.edits = [edit for statement in self.tree.body for edit in self._walk(statement, False)]

    def _walk(self, node: ast.AST, inside: bool, worded: bool = False) -> Iterator[Edit]:
        if self._passes_over(node, worded):
            return
        yield from self._of(node, inside)
        worded = worded or isinstance(node, (ast.Raise, ast.JoinedStr))
        for child in _parts(node):
            within = inside or (isinstance(node, ast.FunctionDef) and child in node.body)
            yield from self._walk(child, within, worded)

    def _passes_over(self, node: ast.AST, worded: bool) -> bool:
        """Docstrings, what only types need, how an object shows itself, and wording."""
        if isinstance(node, (ast.Import, ast.ImportFrom)) or _is_docstring(node):
            return True
        reason = ""
        if worded and isinstance(node, ast.Constant) and isinstance(node.value, str):
            reason = "words of an error or around a value"
        elif isinstance(node, ast.FunctionDef) and node.name == "__repr__":
            reason = "__repr__"
        elif isinstance(node, ast.keyword) and node.arg in UNFELT:
            reason = "guard"
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and (self.path.stem == "told" or TOLD & set(_names(node))):
            reason = "table of help"
        self.passed_over.update([reason] if reason else [])
        return bool(reason)

    def _of(self, node: ast.AST, inside: bool) -> Iterator[Edit]:
        maker = MAKERS.get(type(node))
        for kind, owner, name, value in list(maker(node)) if maker else ():
            line, before = _line(node), ast.unparse(node)
            if (after := _with(node, owner, name, value)) != before:
                if kind == "statement":
                    dropped = next(part for part in value if isinstance(part, ast.Pass))
                    line, before, after = dropped.lineno, f"{type(node).__name__} body", "pass"
                change = partial(setattr, owner, name, value)
                yield Edit(self.path, line, kind, _first(before), _first(after), inside, change)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """What is run of a node: neither its annotations nor its decorators."""
    unfelt = {"annotation", "returns", "decorator_list"}
    for name, value in ast.iter_fields(node):
        if name not in unfelt:
            yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _line(node: ast.AST) -> int:
    return node.target.lineno if isinstance(node, ast.comprehension) else getattr(node, "lineno", 0)


def _with(node: ast.AST, owner: ast.AST, name: str, value: object) -> str:
    kept = getattr(owner, name)
    setattr(owner, name, value)
    text = ast.unparse(node)
    setattr(owner, name, kept)
    return text


def _first(text: str) -> str:
    return text.partition("\n")[0][:110]


def _names(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name):
            yield target.id


Change = tuple[str, ast.AST, str, object]


def _compare(node: ast.Compare) -> Iterator[Change]:
    for place, operator in enumerate(node.ops):
        for other in COMPARED[type(operator)]:
            yield "comparison", node, "ops", [*node.ops[:place], other(), *node.ops[place + 1 :]]


def _arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[Change]:
    if type(node.op) in RECKONED:
        yield "arithmetic", node, "op", RECKONED[type(node.op)]()


def _boolean(node: ast.BoolOp) -> Iterator[Change]:
    yield "boolean", node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _constant(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield "constant", node, "value", not node.value
    elif isinstance(node.value, int):
        yield "constant", node, "value", node.value + 1
        yield "constant", node, "value", node.value - 1
    elif isinstance(node.value, str):
        yield "string", node, "value", f"XX{node.value}"


def _test(node: ast.If | ast.IfExp | ast.While) -> Iterator[Change]:
    yield "condition", node, "test", ast.UnaryOp(ast.Not(), node.test)


def _filter(node: ast.comprehension) -> Iterator[Change]:
    for place in range(len(node.ifs)):
        yield "filter", node, "ifs", [*node.ifs[:place], *node.ifs[place + 1 :]]


def _return(node: ast.Return) -> Iterator[Change]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and not node.value.value):
        yield "return", node, "value", ast.Constant(None)


def _call(node: ast.Call) -> Iterator[Change]:
    named = node.func.id if isinstance(node.func, ast.Name) else ""
    if named in NAMED:
        yield "min and max", node, "func", ast.Name(NAMED[named], ast.Load())
    if (
        len(node.args) > 1
        and named not in {*NAMED, *EITHER_WAY}
        and not any(isinstance(argument, ast.Starred) for argument in node.args[:2])
    ):
        yield "arguments", node, "args", [node.args[1], node.args[0], *node.args[2:]]


def _not(node: ast.UnaryOp) -> Iterator[Change]:
    if isinstance(node.op, ast.Not):
        yield "not", node, "operand", ast.UnaryOp(ast.Not(), node.operand)
    if isinstance(node.op, ast.USub):
        yield "sign", node, "op", ast.UAdd()


def _body(node: ast.AST) -> Iterator[Change]:
    """A statement that does something, and is left out."""
    for name in ("body", "orelse"):
        statements = getattr(node, name, None)
        for place, statement in enumerate(statements if isinstance(statements, list) else ()):
            if isinstance(statement, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break)) or (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            ):
                dropped = ast.copy_location(ast.Pass(), statement)
                yield "statement", node, name, [*statements[:place], dropped, *statements[place + 1 :]]


def _branch(node: ast.If | ast.While) -> Iterator[Change]:
    yield from _test(node)
    yield from _body(node)


MAKERS: dict[type[ast.AST], Callable[..., Iterator[Change]]] = {
    ast.Compare: _compare,
    ast.BinOp: _arithmetic,
    ast.AugAssign: _arithmetic,
    ast.BoolOp: _boolean,
    ast.Constant: _constant,
    ast.If: _branch,
    ast.While: _branch,
    ast.IfExp: _test,
    ast.comprehension: _filter,
    ast.Return: _return,
    ast.Call: _call,
    ast.UnaryOp: _not,
    ast.For: _body,
    ast.FunctionDef: _body,
    ast.Try: _body,
    ast.ExceptHandler: _body,
}


def one_a_line(edits: Sequence[Edit], seed: int) -> list[Edit]:
    """One edit for each line, drawn among those that it admits."""
    lines: dict[tuple[Path, int], list[Edit]] = {}
    for edit in edits:
        lines.setdefault((edit.path, edit.line), []).append(edit)
    drawn = Random(seed)
    return [drawn.choice(lines[place]) for place in sorted(lines)]

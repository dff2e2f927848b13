"""Lines of an export, and the example verifier that reads them."""

import importlib.util
import io
import json
import os
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from evening import stored

from ircdice.errors import ExportError
from ircdice.ledger.archive import take_in

VERIFIER = Path(__file__).parents[1] / "docs" / "check_export.py"


def verifier():
    """The example verifier as a module."""
    spec = importlib.util.spec_from_file_location("check_export", VERIFIER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK_EXPORT = verifier()


def checked(file, *arguments, given=""):
    """The exit code of the example verifier on a file, and what it says; `given` is its standard input."""
    shown = io.StringIO()
    with (
        redirect_stdout(shown),
        redirect_stderr(shown),
        chdir(file.parent),
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr("sys.argv", [os.fspath(VERIFIER), os.fspath(file), *map(str, arguments)])
        patched.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8"))
        try:
            code = CHECK_EXPORT.main()
        except SystemExit as end:
            code = end.code
    return code, shown.getvalue()


def refused(lines):
    """Why these lines cannot be imported; None if they can."""
    with TemporaryDirectory() as folder, stored(Path(folder)) as store:
        try:
            take_in(store, lines)
        except ExportError as error:
            return str(error)
        return None


def objects(lines):
    return [json.loads(line) for line in lines]


def of_type(lines, kind):
    return [item for item in objects(lines) if item["type"] == kind]

"""Lines of an export, and the example verifier that reads them."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from evening import stored

from ircdice.errors import ExportError
from ircdice.ledger.archive import take_in

VERIFIER = Path(__file__).parents[1] / "docs" / "check_export.py"


def checked(file, *arguments, given=None):
    """The exit code of the example verifier on a file, and what it says; `given` is its standard input."""
    command = [sys.executable, "-I", str(VERIFIER), str(file), *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=60, cwd=file.parent)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


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

"""Lines of an export, and the example verifier that reads them."""

import json
import subprocess
import sys
from pathlib import Path

VERIFIER = Path(__file__).parents[1] / "docs" / "check_export.py"


def checked(file, *arguments, given=None):
    """The exit code of the example verifier on a file, and what it says; `given` is its standard input."""
    command = [sys.executable, "-I", str(VERIFIER), str(file), *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=60, cwd=file.parent)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


class Nowhere:
    """Where an export goes that is only looked at."""

    def records(self, records):
        pass

    def checkpoint(self, checkpoint, note, frontier):
        pass

    def epoch(self, epoch, begun):
        pass


def objects(lines):
    return [json.loads(line) for line in lines]


def of_type(lines, kind):
    return [item for item in objects(lines) if item["type"] == kind]

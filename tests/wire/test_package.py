"""The `irc` package as the bot loads it: without what no connection asks."""

import shutil
import subprocess
import sys
from pathlib import Path

import irc
import pytest

SCRIPT = """
import sys
from ircdice.wire.package import AioReactor
left = [name for name in ("irc.schedule", "tempora", "jaraco.text") if name in sys.modules]
import irc.client, irc.schedule
print(left, irc.client.events.Command.lookup("433"), irc.schedule.DefaultScheduler().run_pending())
"""


def test_what_the_package_was_loaded_without_is_there_for_whoever_asks(environment):
    """IRC-01: the wire loads the package's connection alone; its table of numerics and its scheduler stay its own."""
    run = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("[] nicknameinuse None\n", "")


FOUND = "from ircdice.wire.package import AioReactor; import irc.client; print(irc.client.__file__, AioReactor())"


@pytest.mark.parametrize(
    "more", ["from .schedule import DefaultScheduler, schedule as more", "MORE = schedule.DefaultScheduler.execute_at"]
)
def test_a_release_that_wants_more_of_its_scheduler_has_it(environment, tmp_path, more):
    """IRC-01: a later release that names more of the scheduler as it is loaded is loaded with the whole of it."""
    shutil.copytree(Path(irc.__file__).parent, tmp_path / "irc")
    client = tmp_path / "irc" / "client.py"
    text = client.read_text("utf-8")
    assert text.count("\nclass Reactor:") == 1
    client.write_text(text.replace("\nclass Reactor:", f"\n{more}\n\n\nclass Reactor:"), "utf-8")
    path = f"{tmp_path}:{environment['PYTHONPATH']}"
    run = subprocess.run(
        [sys.executable, "-c", FOUND], env={**environment, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(str(client))

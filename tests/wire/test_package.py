"""The `irc` package as the bot loads it: without what no connection asks."""

import subprocess
import sys

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

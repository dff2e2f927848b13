"""Modules that wait until they are asked."""

import subprocess
import sys

SCRIPT = """
import sys
from ircdice.put_off import put_off
import click, wave
put_off("importlib.metadata"), put_off("wave"), put_off("colorsys")
import colorsys, importlib.metadata
from importlib import metadata
print("email" in sys.modules, hasattr(sys.modules["wave"], "__file__"), metadata is importlib.metadata)
print(metadata.version("click") == importlib.metadata.version("click"), "email" in sys.modules)
print(colorsys.ONE_THIRD, "colorsys.py" in colorsys.__file__, importlib.metadata is sys.modules["importlib.metadata"])
from importlib.metadata import version
import importlib.metadata._meta
"""
AT_ONCE = """
import threading
from ircdice.put_off import put_off
put_off("importlib.metadata")
import importlib.metadata
found = []
threads = [threading.Thread(target=lambda: found.append(importlib.metadata.version("click"))) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found))
"""


def said(script, environment):
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_a_module_is_loaded_by_the_first_who_asks_for_something_of_it(environment):
    """Design: a start does not load what nobody asks; whoever asks finds the module itself, by any way in."""
    assert said(SCRIPT, environment) == ["False True True", "True True", f"{1 / 3} True True"]


def test_any_number_of_threads_may_be_the_first(environment):
    """Design: what waits is the same for all who come at once."""
    assert said(AT_ONCE, environment) == ["8"]

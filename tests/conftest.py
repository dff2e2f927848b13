"""What the tests of rules and play share."""

import asyncio
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ircdice
from ircdice.evaluation import Evaluator

pytest.register_assert_rewrite("playing")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names if name in pyfuncitem.funcargs}))
    return True


@pytest.fixture
def evaluate():
    """One object in, one out, as a line of `eval --lines`."""
    evaluator = Evaluator()
    yield evaluator.evaluate
    evaluator.close()


@pytest.fixture
def environment():
    """The environment in which a subprocess finds the packages that this process tests."""
    here = str(Path(ircdice.__file__).parents[1])
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**buffered, "PYTHONPATH": here, "PYTHONUTF8": "1"}


@pytest.fixture
def command(environment):
    """`python -m ircdice ARGUMENTS` in a process of its own."""

    def run(*arguments, said="", **environ):
        return subprocess.run(
            [sys.executable, "-m", "ircdice", *arguments],
            input=said,
            capture_output=True,
            encoding="utf-8",
            timeout=30,
            env=environment | environ,
        )

    return run

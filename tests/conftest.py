"""What the tests of rules and play share."""

import asyncio
import inspect
import logging
import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest
from exported import checked
from leaping import LeapingLoop

import ircdice
from ircdice.evaluation import Evaluator

# bench, and folders of tests that use one another, wherever the suite runs; what is under test is found before them.
sys.path.append(str(Path(__file__).parents[1]))

pytest.register_assert_rewrite("playing")
from playing import Room, Table  # noqa: E402  # once its asserts are rewritten

# How long an example takes is the machine's affair; what must be quick has tests of its own.
hypothesis.settings.register_profile(
    "suite",
    hypothesis.settings(),
    max_examples=50,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")


def pytest_collection_modifyitems(items):
    """The long ones first, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable():
    """What a worker tells of a test can be sent, whatever the test has logged."""
    return _sendable((yield))


def _sendable(told):
    """The same with half characters escaped."""
    if isinstance(told, str):
        return told.encode("utf-8", "backslashreplace").decode()
    if isinstance(told, dict):
        return {_sendable(name): _sendable(value) for name, value in told.items()}
    return type(told)(map(_sendable, told)) if isinstance(told, list | tuple) else told


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    given = {name: pyfuncitem.funcargs[name] for name in names if name in pyfuncitem.funcargs}
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        runner.run(pyfuncitem.obj(**given))
    return True


@pytest.fixture
def evaluate():
    """One object in, one out, as a line of `eval --lines`."""
    evaluator = Evaluator()
    yield evaluator.evaluate
    evaluator.close()


@pytest.fixture
def say(evaluate, request):
    """One line in, what `eval --lines` answers out, all at one table of the game that the test file names as GAME."""

    def said(text, *dice, who="alice", **more):
        game = {"system": request.module.GAME, "table": "t"}
        return evaluate({"text": text, "dice": list(dice), "who": who, **game, **more})

    return said


@pytest.fixture
def table():
    """A channel of V5."""
    return Table()


@pytest.fixture
def room(request):
    """A channel that plays the test file's GAME; in the end its table is what its records give."""
    room = Room(request.module.GAME)
    yield room
    room.check()


@pytest.fixture
def config(tmp_path):
    """The config of a bot that has played an evening."""
    from operating import played  # the whole command line, for those tests alone that want it

    return played(tmp_path)


@pytest.fixture
def verify(tmp_path):
    """The example verifier on those lines: its exit code and what it says."""

    def run(lines, *arguments, **given):
        file = tmp_path / "export.jsonl"
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return checked(file, *arguments, **given)

    return run


@pytest.fixture(scope="session")
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
            timeout=120,
            env=environment | environ,
        )

    return run


@pytest.fixture
def lines(tmp_path):
    """The lines of `bot.log` so far, once the log is configured to go there; the logging is as before afterwards."""
    root = logging.getLogger()
    loggers = [root, *(logging.getLogger(name) for name in ("ircdice", "grammars", "irc", "jaraco"))]
    before = [(logger, logger.level, list(logger.handlers)) for logger in loggers]
    file = tmp_path / "bot.log"
    yield lambda: file.read_text("utf-8").split("\n")[:-1]
    logging.captureWarnings(False)
    for handler in set(root.handlers) - set(before[0][2]):
        handler.close()
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers

"""`python -m bench mutants ircdice/rules/v5 [--every] [--share 0.5]`: what share of broken lines the suite catches.

A process is forked for each mutant, so that nothing is imported twice: first one in which the tests are collected
already and a broken function's code is put in place of the sound one; what that lets through, and what is run when
a module is imported, in one that imports the rules anew, with the tests of the whole project that play games.
"""

from __future__ import annotations

import argparse
import ast
import functools
import gc
import importlib.machinery
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any

import hypothesis
import pytest

import ircdice.evaluation  # noqa: F401  imported once, for every process that is forked
from bench.mutations import Edit, Source, one_a_line
from bench.timing import table

WIDE = ("contests", "every_game", "examples", "eval", "odds", "places", "replies", "rules_told", "secrets", "table")
EXAMPLES = 25  # of each property, always the same
PATIENCE = 600  # seconds by the clock, for a mutant that waits; one that runs on is ended by its processor time
MEMORY = 3 << 30
SURVIVED, CAUGHT, ENDLESS = "survived", "caught", "endless"


class Run:
    """A pytest plugin: the quickest tests first, properties short, no clock, and the session's loop as it is told."""

    def __init__(self, seconds: dict[str, float], loop: Callable[[pytest.Session], None]) -> None:
        self.seconds, self.loop = seconds, loop
        self.took: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.seconds:
            items[:] = [item for item in items if item.nodeid in self.seconds]
            items.sort(key=lambda item: self.seconds[item.nodeid])
        for item in items:
            _shorten(item)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            self.failed.append("collection")
        else:
            self.loop(session)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] = self.took.get(report.nodeid, 0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _shorten(item: pytest.Item) -> None:
    """Few examples, seeded; and a clock that stands still, since a busy machine must not catch anything."""
    function = getattr(item, "obj", None)
    held = getattr(function, "_hypothesis_internal_use_settings", None)
    if held is not None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        function._hypothesis_internal_use_settings = hypothesis.settings(  # type: ignore[union-attr]
            held,
            max_examples=min(EXAMPLES, held.max_examples),
            deadline=None,
            database=None,
            derandomize=True,
            phases=phases,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
    for module in (sys.modules.get("timed"), getattr(item, "module", None)):
        if hasattr(module, "perf_counter"):
            module.perf_counter = float  # type: ignore[union-attr]


def straight(session: pytest.Session, run: Run, first_only: bool = True) -> None:
    """The tests one after another, until one fails."""
    for place, item in enumerate(session.items):
        following = session.items[place + 1] if place + 1 < len(session.items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if run.failed and first_only:
            return


def tested(files: Iterable[Path], run: Run) -> None:
    quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:timeout", "-s"]
    plain = ["-o", "addopts=", "-W", "ignore"]
    outcome = pytest.main([*quiet, *plain, *map(str, files)], plugins=[run])
    if outcome not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED} and not run.failed:
        run.failed.append(f"pytest {outcome}")


class Broken(importlib.machinery.SourceFileLoader):
    """What imports the rules: one module of them comes from a changed tree."""

    sound = importlib.machinery.SourceFileLoader.get_code

    @classmethod
    def instead(cls, path: Path, code: CodeType) -> None:
        whole = str(path.resolve())

        def get_code(loader: Any, name: str) -> CodeType | None:
            return code if loader.path == whole else cls.sound(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def compiled(source: Source, edit: Edit) -> CodeType:
    edit.change()
    tree = ast.fix_missing_locations(source.tree)
    return compile(tree, str(edit.path.resolve()), "exec", dont_inherit=True)


def put_in_place(code: CodeType) -> None:
    """Each function of the module that is already there gets its changed code; what was remembered is forgotten."""
    codes = {(part.co_qualname, part.co_firstlineno): part for part in _all_codes(code)}
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename == code.co_filename:
            found = codes.get((thing.__code__.co_qualname, thing.__code__.co_firstlineno))
            if found is not None and len(found.co_freevars) == len(thing.__code__.co_freevars):
                thing.__code__ = found
        elif isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()


def _all_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_codes(constant)


def forked(work: Callable[[], list[str]], seconds: int) -> tuple[int, int]:
    """The pid of a child that does `work`, and where it will tell what failed."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    status = 0
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        void = os.open(os.devnull, os.O_RDWR)
        os.dup2(void, 1)
        os.dup2(void, 2)
        os.write(writing, json.dumps(work()).encode())
    except BaseException as error:  # a mutant may raise anything at all, and is caught by it
        os.write(writing, json.dumps([f"{type(error).__name__}: {error}"[:200]]).encode())
        status = 1
    finally:
        os._exit(status)


def gathered(jobs: Iterable[tuple[Any, Callable[[], list[str]]]], seconds: int, at_once: int) -> Iterator[tuple]:
    """Each job's key with its verdict and what told it, `at_once` of them side by side."""
    waiting, running = iter(jobs), {}
    while True:
        while len(running) < at_once and (job := next(waiting, None)):
            pid, reading = forked(job[1], seconds)
            running[pid] = (job[0], reading, time.monotonic() + PATIENCE)
        if not running:
            return
        for pid in list(running):
            key, reading, until = running[pid]
            ended, status = os.waitpid(pid, os.WNOHANG)
            late = not ended and time.monotonic() > until
            if late:
                os.killpg(pid, signal.SIGKILL)
                _, status = os.waitpid(pid, 0)
            if ended or late:
                del running[pid]
                yield key, *_verdict(reading, status)
        time.sleep(0.004)


def _verdict(reading: int, status: int) -> tuple[str, str]:
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    if os.WIFSIGNALED(status):
        return ENDLESS, f"signal {os.WTERMSIG(status)}"
    failed = json.loads(told) if told else ["ended in silence"]
    return (CAUGHT, failed[0]) if failed else (SURVIVED, "")


class Campaign:
    """The mutants of one system, and the tests that are to catch them."""

    def __init__(self, rules: Path, options: argparse.Namespace) -> None:
        self.name, self.options = rules.stem, options
        files = [rules] if rules.suffix else sorted(rules.rglob("*.py"))
        self.sources = {file: Source(file) for file in files}
        edits = [edit for source in self.sources.values() for edit in source.edits]
        chosen = edits if options.every else one_a_line(edits, options.seed)
        drawn = Random(options.seed).sample(chosen, round(len(chosen) * options.share))
        self.possible, self.edits = len(chosen), sorted(drawn, key=lambda edit: (edit.path, edit.line))
        if options.only:
            self.edits = [edit for edit in edits if f"{edit}" in options.only]
        self.narrow = sorted(Path("tests").glob(f"test_{self.name}*.py"))
        if self.name == "v5":
            self.narrow.append(Path("tests/test_grammar_v5.py"))
        self.wide = [Path(f"tests/test_{name}.py") for name in WIDE]
        self.seconds: dict[str, float] = {}

    def verdicts(self) -> Iterator[tuple[Edit, str, str]]:
        """Each mutant with its verdict: in place where that can be, else, or if it lives, imported anew."""
        self.seconds = self._sound(self.narrow)
        if not self.options.wide:
            self.options.wide = self._sound(self.wide)
        limit = 20 + 4 * int(sum(self.seconds.values()))
        left = [edit for edit in self.edits if not edit.inside]
        for edit, verdict, by in self._in_place([edit for edit in self.edits if edit.inside], limit):
            if verdict == SURVIVED:
                left.append(edit)
            else:
                yield edit, verdict, by
        yield from gathered(((edit, functools.partial(self._anew, edit)) for edit in left), limit, self.options.at_once)

    def _sound(self, files: list[Path]) -> dict[str, float]:
        """How long each test takes with nothing broken; those that fail even so are left out."""

        def work() -> list[str]:
            run = Run({}, lambda session: straight(session, run, first_only=False))
            tested(files, run)
            file.write_text(json.dumps([run.took, run.failed]))
            return []

        file = self.options.scratch / f"{self.name}.json"
        list(gathered([("", work)], 900, 1))
        took, failed = json.loads(file.read_text())
        if failed:
            print(f"{self.name}: fail with nothing broken: {', '.join(failed)}")
        return {name: seconds for name, seconds in took.items() if name not in failed}

    def _in_place(self, edits: list[Edit], limit: int) -> Iterator[tuple[Edit, str, str]]:
        found: list[tuple[Edit, str, str]] = []

        def loop(session: pytest.Session) -> None:
            jobs = ((edit, functools.partial(self._replaced, edit, session, run)) for edit in edits)
            found.extend(gathered(jobs, limit, self.options.at_once))

        run = Run(self.seconds, loop)
        file, reading = self.options.scratch / f"{self.name}.found", os.fork()
        if not reading:
            tested(self.narrow, run)
            file.write_text(json.dumps([(edits.index(edit), verdict, by) for edit, verdict, by in found]))
            os._exit(0)
        os.waitpid(reading, 0)
        return iter([(edits[place], verdict, by) for place, verdict, by in json.loads(file.read_text())])

    def _replaced(self, edit: Edit, session: pytest.Session, run: Run) -> list[str]:
        put_in_place(compiled(self.sources[edit.path], edit))
        straight(session, run)
        return run.failed

    def _anew(self, edit: Edit) -> list[str]:
        Broken.instead(edit.path, compiled(self.sources[edit.path], edit))
        run = Run(self.seconds | self.options.wide, lambda session: straight(session, run))
        tested(self.narrow, run)
        if not run.failed:
            tested(self.wide, run)
        return run.failed


def measured(rules: Path, options: argparse.Namespace) -> tuple[str, ...]:
    campaign, counted = Campaign(rules, options), Counter()
    print(f"\n{campaign.name}: {len(campaign.edits)} of {campaign.possible}", flush=True)
    for edit, verdict, by in campaign.verdicts():
        counted[verdict] += 1
        with (options.scratch / f"{campaign.name}.log").open("a") as log:
            print(verdict, edit, by, sep=" | ", file=log)
        if verdict == SURVIVED:
            print(f"  {edit}", flush=True)
    passed_over = sum((source.passed_over for source in campaign.sources.values()), Counter())
    print("  passed over: " + ", ".join(f"{count} {reason}" for reason, count in passed_over.items()))
    mutants, lived = counted.total(), counted[SURVIVED]
    figures = (mutants, counted[CAUGHT], counted[ENDLESS], lived)
    return (campaign.name, *map(str, figures), f"{(mutants - lived) / max(mutants, 1):.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench mutants")
    parser.add_argument("rules", type=Path, nargs="+", help="a file or folder of ircdice/rules")
    parser.add_argument("--share", type=float, default=1.0, help="of the mutants, drawn by the seed")
    parser.add_argument("--every", action="store_true", help="every mutant of a line, not one of them")
    parser.add_argument("--only", help="a file that names mutants, as survivors are printed")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--scratch", type=Path, default=Path("/tmp/mutants"))
    options = parser.parse_args(sys.argv[2:])
    options.only = Path(options.only).read_text() if options.only else ""
    options.wide = {}
    options.scratch.mkdir(exist_ok=True, parents=True)
    os.nice(19)
    sys.dont_write_bytecode = False
    rows = [measured(rules, options) for rules in options.rules]
    table("Broken lines", ("system", "mutants", "caught", "endless", "survived", "share"), rows)

"""`python -m bench mutants ircdice/rules/v5 [--every] [--share 0.5]`: what share of broken lines the suite catches.

A process is forked for each mutant, so that nothing is imported twice. Where a function is broken, the tests are
collected already, and its code is put in place of the sound one; what runs when a module is imported is broken before
the rules are, and the tests collected anew.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from time import process_time

import hypothesis
import pytest

import ircdice.evaluation  # noqa: F401  imported once, for every process that is forked
from bench.forks import CAUGHT, ENDLESS, SURVIVED, Broken, Standing, compiled, gathered
from bench.mutations import Edit, Source, one_a_line
from bench.timing import table
from ircdice import dispatcher

FURTHER = ("contests", "examples", "secret_difficulties", "secrets")  # they play more than one game
EXAMPLES = 25  # of each property, always the same


class Run:
    """A pytest plugin: the quickest tests first, properties short, no clock, and the session's loop as it is told."""

    def __init__(
        self, seconds: dict[str, float], loop: Callable[[pytest.Session], None], kills: Counter[str] | None = None
    ) -> None:
        self.seconds, self.loop, self.kills = seconds, loop, kills if kills is not None else Counter()
        self.took: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.seconds:
            items[:] = [item for item in items if item.nodeid in self.seconds]
            items.sort(key=self.worth)
        for item in items:
            _shorten(item)

    def learns(self, by: str) -> None:
        """What has caught one mutant may well catch the next."""
        self.kills[by] += 1

    def worth(self, item: pytest.Item) -> float:
        """Seconds that a test takes for each mutant that it caught."""
        return self.seconds[item.nodeid] / (1 + self.kills[item.nodeid]) ** 2

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            self.failed.append("collection")
        else:
            self.loop(session)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
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
        function._hypothesis_internal_use_settings = hypothesis.settings(  # type: ignore[union-attr]  # set where given
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
            module.perf_counter = float  # type: ignore[union-attr]  # it has one


def straight(session: pytest.Session, run: Run, first_only: bool = True) -> None:
    """The tests one after another, until one fails."""
    for place, item in enumerate(session.items):
        began = process_time()
        following = session.items[place + 1] if place + 1 < len(session.items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        run.took[item.nodeid] = process_time() - began
        if run.failed and first_only:
            return


def tested(files: Iterable[Path], run: Run) -> None:
    quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:timeout", "-s"]
    plain = ["-o", "addopts=", "-W", "ignore"]
    outcome = pytest.main([*quiet, *plain, *map(str, files)], plugins=[run])
    if outcome not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED} and not run.failed:
        run.failed.append(f"pytest {outcome}")


class Campaign:
    """The mutants of one system, and the tests that are to catch them."""

    def __init__(self, rules: Path, options: argparse.Namespace) -> None:
        self.name, self.options = _system(rules), options
        files = [rules] if rules.suffix else sorted(rules.rglob("*.py"))
        self.sources = {file: Source(file) for file in files}
        edits = [edit for source in self.sources.values() for edit in source.edits]
        chosen = edits if options.every else one_a_line(edits, options.seed)
        drawn = Random(options.seed).sample(chosen, round(len(chosen) * options.share))
        self.possible, self.edits = len(chosen), drawn  # as they were drawn: those of a run that was cut short, too
        if options.only:
            self.edits = [edit for edit in edits if f"{edit}" in options.only]
        self.tests = sorted(Path("tests/games").glob(f"test_{self.name}*.py"))
        self.tests += [Path(f"tests/{name}.py") for name in options.further]
        self.seconds: dict[str, float] = {}
        self.kills: Counter[str] = Counter()

    def verdicts(self) -> Iterator[tuple[Edit, str, str]]:
        """Each mutant with its verdict: in place where a function holds it, else imported anew."""
        self.seconds = self._sound()
        limit = 5 + 3 * int(sum(self.seconds.values()))  # of processor time
        yield from self._in_place([edit for edit in self.edits if edit.inside], limit)
        jobs = ((edit, functools.partial(self._anew, edit)) for edit in self.edits if not edit.inside)
        yield from gathered(jobs, limit, self.options.at_once)

    def _sound(self) -> dict[str, float]:
        """How long each test takes with nothing broken; those that fail even so are left out."""

        def work() -> list[str]:
            run = Run({}, lambda session: straight(session, run, first_only=False))
            tested(self.tests, run)
            file.write_text(json.dumps([run.took, run.failed]))
            return []

        file = self.options.scratch / f"{self.name}.json"
        list(gathered([("", work)], 900, 1))
        took, failed = json.loads(file.read_text())
        if failed:
            print(f"{self.name}: fail with nothing broken: {', '.join(failed)}")
        return {name: seconds for name, seconds in took.items() if name not in failed}

    def _in_place(self, edits: list[Edit], limit: int) -> Iterator[tuple[Edit, str, str]]:
        file = self.options.scratch / f"{self.name}.found"

        def loop(session: pytest.Session) -> None:
            dispatcher.prepare()
            standing = Standing(self.sources)
            jobs = ((edit, functools.partial(self._replaced, edit, standing, session, run)) for edit in edits)
            with file.open("w") as found:
                for edit, verdict, by in gathered(jobs, limit, self.options.at_once):
                    print(json.dumps([edits.index(edit), verdict, by]), file=found, flush=True)
                    run.learns(by)
                    session.items.sort(key=run.worth)

        run = Run(self.seconds, loop)
        pid = os.fork()
        if not pid:
            tested(self.tests, run)
            os._exit(0)
        os.waitpid(pid, 0)
        for line in file.read_text().splitlines():
            place, verdict, by = json.loads(line)
            self.kills[by] += 1
            yield edits[place], verdict, by

    def _replaced(self, edit: Edit, standing: Standing, session: pytest.Session, run: Run) -> list[str]:
        standing.changes(compiled(self.sources[edit.path], edit))
        straight(session, run)
        return run.failed

    def _anew(self, edit: Edit) -> list[str]:
        Broken.instead(edit.path, compiled(self.sources[edit.path], edit))
        run = Run(self.seconds, lambda session: straight(session, run), self.kills)
        tested(self.tests, run)
        return run.failed


def _system(rules: Path) -> str:
    """The game that a file or folder belongs to, for its tests are named after it."""
    return rules.stem if rules.parent.name == "rules" else rules.parent.name


def measured(rules: Path, options: argparse.Namespace) -> tuple[str, ...]:
    campaign, counted = Campaign(rules, options), Counter()
    print(f"\n{rules}: {len(campaign.edits)} of {campaign.possible}", flush=True)
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
    return (rules.name, *map(str, figures), f"{(mutants - lived) / max(mutants, 1):.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench mutants")
    parser.add_argument("rules", type=Path, nargs="+", help="a file or folder of ircdice/rules")
    parser.add_argument("--share", type=float, default=1.0, help="of the mutants, drawn by the seed")
    parser.add_argument("--every", action="store_true", help="every mutant of a line, not one of them")
    parser.add_argument("--only", help="a file that names mutants, as survivors are printed")
    parser.add_argument("--further", nargs="*", default=FURTHER, help="tests beside those named after the game")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--scratch", type=Path, default=Path("/tmp/mutants"))
    options = parser.parse_args(sys.argv[2:])
    options.only = Path(options.only).read_text() if options.only else ""
    options.scratch.mkdir(exist_ok=True, parents=True)
    os.nice(19)
    sys.dont_write_bytecode = False
    rows = [measured(rules, options) for rules in options.rules]
    table("Broken lines", ("system", "mutants", "caught", "endless", "survived", "share"), rows)

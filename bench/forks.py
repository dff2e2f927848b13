"""A changed source in the place of the sound one, in a forked process; and what became of the process."""

from __future__ import annotations

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
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from bench.mutations import Edit, Source

PATIENCE = 600  # seconds by the clock, for a mutant that waits; one that runs on is ended by its processor time
MEMORY = 3 << 30
SURVIVED, CAUGHT, ENDLESS = "survived", "caught", "endless"


class Broken(importlib.machinery.SourceFileLoader):
    """What imports the rules: one module of them comes from a changed tree."""

    sound = importlib.machinery.SourceFileLoader.get_code

    @classmethod
    def instead(cls, path: Path, code: CodeType) -> None:
        whole = str(path.resolve())

        def get_code(loader: Any, name: str) -> CodeType | None:
            return code if loader.path == whole else cls.sound(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]  # in this process alone


def compiled(source: Source, edit: Edit) -> CodeType:
    edit.change()
    tree = ast.fix_missing_locations(source.tree)
    return compile(tree, str(edit.path.resolve()), "exec", dont_inherit=True)


class Standing:
    """The functions of some files, and all that anything remembers: found once, before any process is forked."""

    def __init__(self, files: Iterable[Path]) -> None:
        names, things = {str(file.resolve()) for file in files}, gc.get_objects()
        self.functions = [each for each in things if type(each) is FunctionType]
        self.functions = [each for each in self.functions if each.__code__.co_filename in names]
        remembering = (each for each in things if isinstance(each, functools._lru_cache_wrapper))
        self.memories = [each for each in remembering if each.__module__.startswith("ircdice.")]
        gc.freeze()  # a process that is forked writes on no page only to count what stays
        gc.disable()

    def changes(self, code: CodeType) -> None:
        """Each function that is already there gets its changed code; what was remembered is forgotten."""
        codes = {(part.co_qualname, part.co_firstlineno): part for part in _all_codes(code)}
        for function in self.functions:
            sound = function.__code__
            found = codes.get((sound.co_qualname, sound.co_firstlineno))
            if found and (found.co_filename, found.co_freevars) == (sound.co_filename, sound.co_freevars):
                function.__code__ = found
        for memory in self.memories:
            memory.cache_clear()


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

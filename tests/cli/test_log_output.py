"""Logs: one event, one line, and no secret from below (IRC-26, IRC-05)."""

import json
import logging
import os
import re
import warnings
from pathlib import Path

import pytest

from ircdice.errors import ConfigError
from ircdice.log import configure

LOG = logging.getLogger("ircdice.test")


@pytest.fixture
def log(tmp_path, lines):
    """Sets the log up to write into a file."""

    def start(level="info", fmt="text"):
        configure(level, fmt, tmp_path / "bot.log")
        return lines

    return start


def test_a_line_of_text(log):
    """IRC-26: time, level, logger, network, channel, event, and what was said beside it."""
    lines = log()
    LOG.info("joined %s", "late", extra={"network": "libera", "channel": "#FU_Dice", "nick": "Ann"})
    (line,) = lines()
    time, rest = line.split(" ", 1)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time)
    assert rest == 'info logger=ircdice.test network=libera channel=#FU_Dice event="joined late" nick=Ann'


def test_a_line_of_json(log):
    """IRC-26: the same as an object, with null for what is not known."""
    lines = log(fmt="json")
    LOG.warning("kicked", extra={"network": "libera", "pause": 3, "event": "other"})
    (line,) = lines()
    record = json.loads(line)
    assert record.pop("time").endswith("Z")
    assert record == {
        "level": "warning",
        "logger": "ircdice.test",
        "network": "libera",
        "channel": None,
        "event": "kicked",
        "pause": 3,
    }


NASTY = "a\r\nb\x00\x1b[31m\x85\u2028\u202e\\n \ud800\"'é"


@pytest.mark.parametrize("fmt", ["text", "json"])
def test_one_event_is_one_line_whatever_it_holds(log, fmt):
    """IRC-26: control characters, line breaks and half characters are escaped, tracebacks included."""
    lines = log(fmt=fmt)
    LOG.info("said %s", NASTY, extra={"network": NASTY, "channel": NASTY, "text": NASTY})
    try:
        raise ValueError(NASTY)
    except ValueError:
        LOG.exception("broke")
    said, broke = lines()
    assert len(said.splitlines()) == len(broke.splitlines()) == 1
    assert said.isprintable()
    assert broke.isprintable()
    assert "Traceback" in broke


def test_escaping_can_be_told_from_what_was_typed(log):
    """IRC-26: no text looks like another event's."""
    lines = log()
    for text in ("a\nb", "a\\nb", "a network=x", 'a"b', ""):
        LOG.info("x", extra={"text": text})
    assert [line.partition("text=")[2] for line in lines()] == [
        "a\\nb",
        "a\\\\nb",
        '"a network=x"',
        '"a\\"b"',
        '""',
    ]


def test_what_others_say_below_a_warning_is_not_heard(log):
    """IRC-05: the irc package prints PASS at DEBUG, and must not, though one of its loggers be set to it."""
    lines = log("debug")
    below = logging.getLogger("irc.client")
    below.setLevel(logging.DEBUG)
    try:
        below.debug("TO SERVER: PASS hunter2")
        below.info("AUTHENTICATE hunter2")
        logging.getLogger("jaraco.stream").debug("hunter2")
        logging.getLogger("asyncio").debug("Using selector")
        below.warning("odd line")
        LOG.debug("ours")
    finally:
        below.setLevel(logging.NOTSET)
    assert [line.partition("event=")[2] for line in lines()] == ['"odd line"', "ours"]


def test_the_level_is_a_floor(log):
    """IRC-26: what lies below `log_level` is not written."""
    lines = log("error")
    LOG.warning("no")
    logging.getLogger("irc").warning("no")
    LOG.error("yes")
    assert [line.partition("event=")[2] for line in lines()] == ["yes"]


def test_a_second_set_up_takes_the_place_of_the_first(log, tmp_path, capsys):
    """IRC-26: each event is written once, and only where the latest config says; nothing named is standard error."""
    lines = log()
    log()
    LOG.info("one")
    configure("info", "text", None)
    LOG.info("two")
    assert [line.partition("event=")[2] for line in lines()] == ["one"]
    assert capsys.readouterr().err.endswith("event=two\n")


def test_warnings_are_lines_too(log):
    """IRC-26: what Python warns of does not stand between the lines."""
    lines = log()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        configure("info", "json", None)
        log()
        warnings.warn("old\nway", DeprecationWarning, stacklevel=1)
    (line,) = lines()
    assert "logger=py.warnings" in line


def test_a_file_is_its_owners_alone(log, tmp_path):
    """IRC-05: at debug it may hold private rolls; whoever wants it read by others says so by chmod."""
    file = tmp_path / "log"
    configure(file=file)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    configure(file=file)
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_file_taken_away_is_begun_anew(log, tmp_path):
    """IRC-26: as logrotate does it."""
    lines = log()
    LOG.info("one")
    (tmp_path / "bot.log").rename(tmp_path / "bot.log.1")
    LOG.info("two")
    assert [line.partition("event=")[2] for line in lines()] == ["two"]


def test_a_folder_taken_away_costs_no_line_and_no_exception(tmp_path, lines, capsys):
    """IRC-26: lines go to standard error meanwhile, and into the file again as soon as its folder is back."""
    folder, file = tmp_path / "logs", tmp_path / "logs" / "bot.log"
    folder.mkdir()
    configure(file=file)
    LOG.info("one")
    folder.rename(tmp_path / "away")
    for event in ("two", "three"):
        LOG.info(event)
    wrong = f'logger=ircdice.log network=- channel=- event="{file}: no such file or directory; lines go here for now"'
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" ", 2)[1] for line in told] == ["error", "info", "info"]
    assert told[0].endswith(wrong)
    assert [line.partition("event=")[2] for line in told[1:]] == ["two", "three"]
    folder.mkdir()
    LOG.info("four")
    LOG.info("five")
    events = [line.partition("event=")[2] for line in file.read_text().splitlines()]
    assert events == ['"2 lines went to standard error"', "four", "five"]
    assert not capsys.readouterr().err
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("fmt", ["text", "json"])
def test_a_line_that_the_disk_does_not_take_goes_to_standard_error(lines, capsys, fmt):
    """IRC-26: one event, one line, there too; what Python itself would say has many."""
    configure("info", fmt, Path("/dev/full"))
    LOG.info("one")
    LOG.info("two")
    told = capsys.readouterr().err.splitlines()
    assert ["no space left" in told[0], *("one" in line or "two" in line for line in told[1:])] == [True] * 3


def test_a_file_that_cannot_be_written_is_a_fault(tmp_path, lines):
    """IRC-26: said in one sentence, and the log stays as it was."""
    before = list(logging.getLogger().handlers)
    with pytest.raises(ConfigError, match=r"^log_file: \S+/none/bot\.log: no such file or directory$"):
        configure("info", "text", tmp_path / "none" / "bot.log")
    assert logging.getLogger().handlers == before


def test_a_pipe_that_nobody_reads_is_a_fault(tmp_path, lines):
    """IRC-26: opening it would wait for a reader, past every signal; with one it is a log like others."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ConfigError, match=r"^log_file: \S+/pipe: no process reads this pipe$"):
        configure(file=pipe)
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)) as reader:
        configure(file=pipe)
        LOG.info("one")
        assert reader.readline().endswith("event=one\n")

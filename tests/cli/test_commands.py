"""The command line as a process (cli.md): exit codes, what goes to which stream, no traceback for anybody's mistake."""

import json
import signal
import subprocess
import sys

import pytest

import ircdice
from ircdice.cli import main

CONFIG = "[network a]\nhost = irc.example.net\nchannels = #fu\n"


@pytest.fixture
def ended(capsys):
    """The command in this process: its exit code, and what it said where."""

    def run(*arguments):
        code = 0
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code or 0
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def config(tmp_path):
    def written(text):
        file = tmp_path / "config.ini"
        file.write_text(text, "utf-8")
        file.chmod(0o600)
        return str(file)

    return written


def test_version(command):
    """0, and the version."""
    done = command("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert ircdice.__version__ in done.stdout


@pytest.mark.parametrize("words", [(), ("eval",), ("odds",), ("run",), ("demo",), ("config",), ("config", "check")])
def test_help_on_every_command(ended, words):
    """0, and what it does."""
    code, said, errors = ended(*words, "--help")
    assert (code, errors) == (0, "")
    assert "Usage:" in said


def test_help_as_a_command(ended):
    """What `--help` shows."""
    assert ended("help") == ended("--help")


@pytest.mark.parametrize(
    "words",
    [
        ("nosuch",),
        ("--nosuch",),
        ("eval",),
        ("eval", "rouse", "--lines"),
        ("eval", "roll 5d10 h7"),
        ("eval", "roll 2d10 h1", "--dice", "3"),
        ("eval", "roll 2d10 h1", "--dice", "3,11"),
        ("eval", "roll 2d10 h1", "--dice", "three"),
        ("odds",),
        ("odds", "roll with it"),
        ("odds", "wp 2"),
        ("odds", "roll 5d10 h7"),
        ("config", "check", "-c", "no/such/file"),
        ("config", "nosuch"),
    ],
)
def test_bad_input_is_two_and_one_line(ended, words):
    """GEN-07: 2, one line on standard error, nothing on standard output."""
    code, said, errors = ended(*words)
    assert (code, said) == (2, "")
    assert len(errors.splitlines()) == 1


def test_an_unknown_command_is_two(command):
    """The same of the process itself, without a traceback."""
    done = command("nosuch")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_eval_says_the_reply(ended):
    """GEN-01: the posted line; in private what Willpower could do."""
    code, said, errors = ended("eval", "roll 5d10 h2 dc3", "--dice", "10,3,10,8,8", "--as", "alice")
    assert (code, errors) == (0, "")
    assert said.startswith("alice: Critical, 6 successes vs 3, margin +3; 10 3 10, hunger 8 8; 5d10 h2 dc3; id 1-")


def test_eval_as_json(ended):
    """GEN-01: the object of `--lines`, alone on standard output; an error has its own, and still ends with 2."""
    _, said, _ = ended("eval", "roll 2d10 h1", "--dice", "6,7", "--json")
    assert json.loads(said)["values"] == {"successes": 2}
    code, said, _ = ended("eval", "roll 2d10 h7", "--json")
    assert code == 2
    assert json.loads(said)["column"] == 11


def test_eval_of_talk_says_nothing(ended):
    """GEN-10: silence is no mistake."""
    assert ended("eval", "roll with it") == (0, "", "")


def test_odds_in_words_and_bars(ended):
    """GEN-08: the channel's line, then a bar for each value."""
    code, said, _ = ended("odds", "roll 5d10 h2 dc3")
    assert code == 0
    first, *bars = said.splitlines()
    assert first == (
        "odds 5d10 h2 dc3: pass 51.3%, of it critical 2.3, messy 5.9; fail 48.8%, of it bestial 12.6, botch 2.1"
    )
    assert [bar.split()[0] for bar in bars] == ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
    assert all(set(bar.split()[-1]) == {"#"} for bar in bars[:6])


def test_odds_as_json(ended):
    """GEN-08: every label that can happen with its probability and as a fraction, the distribution, mean and sd."""
    found = json.loads(ended("odds", "roll 2d10 h1 dc1", "--json")[1])
    assert {"text", "system", "outcomes", "distribution", "mean", "sd", "exact", "as_fraction"} <= found.keys()
    assert (found["text"], found["system"], found["exact"]) == ("roll 2d10 h1 dc1", "v5", True)
    assert found["as_fraction"] == {
        "success": "37/50",
        "messy_critical": "1/100",
        "failure": "4/25",
        "botch": "9/100",
        "bestial_failure": "1/20",
    }
    assert found["outcomes"]["success"] == 0.74
    assert found["distribution"]["name"] == "successes"
    assert sum(chance for _, chance in found["distribution"]["values"]) == pytest.approx(1)
    assert found["mean"] == pytest.approx(1.02)
    assert found["sd"] > 0


def test_config_check(ended, config):
    """0 for a good config, 2 and a line for each fault else; `-c` may be on either side of the command."""
    code, said, errors = ended("config", "check", "-c", config(CONFIG))
    assert (code, said, errors) == (0, "a: irc.example.net port 6697, TLS: #fu\n", "")
    assert ended("-c", config(CONFIG), "config", "check") == (code, said, errors)
    code, said, errors = ended("config", "check", "-c", config(CONFIG + "prot = 1\nsystem = sudoku\n"))
    assert (code, said, len(errors.splitlines())) == (2, "", 2)
    assert "port" in errors
    assert "crossroads" in errors


def test_config_check_as_json(ended, config):
    """Faults and warnings have their place; networks are what the bot would connect to."""
    file = config("[network a]\nhost = x\ntls = no\nport = 6697\nchannels = #fu key\n")
    code, said, errors = ended("config", "check", "--json", "-c", file)
    assert (code, errors) == (0, "")
    (network,) = json.loads(said)["networks"]
    assert network == {"name": "a", "address": "x port 6697", "tls": False, "channels": ["#fu"]}
    (warning,) = json.loads(said)["warnings"]
    assert [warning[name] for name in ("file", "line", "section", "key")] == [file, 3, "network a", "tls"]
    code, said, errors = ended("-c", config(CONFIG + "prot = 1\n"), "config", "check", "--json")
    (fault,) = json.loads(said)["faults"]
    assert (code, errors, fault["line"], fault["key"]) == (2, "", 4, "prot")
    code, said, errors = ended("-c", "no/such/file", "config", "check", "--json")
    (fault,) = json.loads(said)["faults"]
    assert (fault["file"], fault["line"], fault["sentence"]) == ("no/such/file", 0, "no such file or directory")


def test_health_without_an_endpoint(ended, config):
    """3: the bot cannot be asked."""
    code, said, errors = ended("health", "-c", config(CONFIG))
    assert (code, said, errors) == (3, "", "ircdice: [metrics] listen is off, so the bot cannot be asked\n")


def test_config_init_writes_once(command, tmp_path):
    """0 and a file that nobody else reads; 2 where one is there."""
    path = tmp_path / "new.ini"
    assert command("config", "init", str(path)).returncode == 0
    assert path.stat().st_mode & 0o777 == 0o600
    written = path.read_text("utf-8")
    done = command("config", "init", str(path))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert path.read_text("utf-8") == written


# A shell that puts the suite into the background has its children ignore Ctrl-C.
INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from ircdice.cli import main
main()
"""


def test_interrupted(environment):
    """130 for Ctrl-C, without a traceback, and what was answered before has been said."""
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "eval", "--lines"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    )
    program.stdin.write('{"text": "rouse", "dice": [3]}\n')
    program.stdin.flush()
    assert json.loads(program.stdout.readline())["labels"] == ["hunger_rises"]
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=120)
    assert (program.returncode, errors.strip()) == (130, "")


def test_a_reader_that_leaves(environment):
    """A closed pipe ends it quietly, as `| head -1` would."""
    program = subprocess.Popen(
        [sys.executable, "-m", "ircdice", "eval", "--lines"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    )
    program.stdout.close()
    program.stdin.write('{"text": "rouse"}\n' * 3)
    program.stdin.close()
    program.wait(timeout=120)
    with program.stderr as errors:
        assert "Traceback" not in errors.read()


def test_a_file_is_answered_whole(environment, tmp_path):
    """Input from a file, with a blank line and a byte order of its own, a last line without an end."""
    given = tmp_path / "lines.jsonl"
    given.write_text('{"text": "rouse", "dice": [3]}\n\n{"text": "roll with it"}', "utf-8")
    with given.open("rb") as lines:
        done = subprocess.run(
            [sys.executable, "-m", "ircdice", "eval", "--lines"],
            stdin=lines,
            capture_output=True,
            encoding="utf-8",
            env=environment,
            timeout=120,
        )
    assert [json.loads(line).get("silent", False) for line in done.stdout.splitlines()] == [False, True]

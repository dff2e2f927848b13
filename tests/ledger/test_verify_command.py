"""`ircdice verify` (cli.md): the same verdicts from the ledger of a config, with JSON and exit codes."""

import io
import json
import re
import sqlite3
import subprocess
import sys

import pytest
from operating import ircdice

SAID = """\
roll 5d10 h2 dc3
!verify #last
wp 2
roll 4d6k3
roll 4d6k3 # again
!discard
roll 2d10 h1 vs @bob
!log
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A folder with the ledger of an evening, and what the demo showed of it."""
    folder = tmp_path_factory.mktemp("evening") / "kept"
    played = subprocess.run(
        [sys.executable, "-m", "ircdice", "demo", "--keep", str(folder)],
        input=SAID, capture_output=True, encoding="utf-8", timeout=120, check=True,
    )  # fmt: skip
    return folder, played.stdout


@pytest.fixture
def evening(shown):
    """The folder, and the lines that were posted."""
    lines = re.findall(r"(?m)^<FUDice> (.*; id \S+)$", shown[1])
    assert len(lines) >= 4, shown[1]
    return shown[0], lines


@pytest.fixture
def words(evening):
    """`ircdice verify …`: the exit code, and what it says."""

    def run(*arguments, said="", config=None):
        out, errors = io.StringIO(), io.StringIO()
        config = config or evening[0] / "config.ini"
        code = ircdice("verify", *arguments, "-c", config, out=out, errors=errors, given=said)
        return code, out.getvalue(), errors.getvalue()

    return run


@pytest.fixture
def verify(words):
    """`ircdice verify … --json`: the exit code, and an object for each line."""

    def run(given, **more):
        code, out, errors = words(given, "--json", **more)
        return code, [json.loads(line) for line in out.splitlines()], errors

    return run


def generic(evening):
    """The two rolls of the same four dice, of which the second was discarded."""
    return [line for line in evening[1] if "4d6k3" in line and "discard" not in line]


def test_led_21_genuine(verify, evening):
    """LED-21: every key of cli.md; a roll that was made again is still genuine."""
    posted = generic(evening)[0]
    code, (found,), _ = verify(f"12:34 <FUDice> {posted}")
    line, _, name = posted.rpartition("; id ")
    assert code == 0
    assert found.pop("time").endswith("+00:00")
    assert found == {
        "verdict": "genuine", "notes": ["roll 1 of 2"], "id": name, "given": line, "line": line, "nick": "player",
        "who": "~player", "network": "demo", "channel": "#fu_dice", "official": True, "differs": [],
    }  # fmt: skip


def test_led_22_what_does_not_count(verify, evening):
    """LED-22: discarded and replaced rolls are genuine, and the exit code says no."""
    code, (found,), _ = verify(generic(evening)[1])
    assert (code, found["verdict"], found["notes"]) == (1, "genuine", ["discarded", "roll 2 of 2"])
    code, (found,), _ = verify(evening[1][0])
    if "wp 2" in evening[1][1]:
        assert (code, found["notes"]) == (1, [f"replaced by {evening[1][1].rpartition(' ')[2]}"])


@pytest.mark.parametrize(
    ("paste", "note"),
    [
        ("The real result is 20: {}", "beside"),
        ("{} 20", "beside"),
        ("critical> {}", "beside"),
        ("\x0301,01{}", "masked"),
        ("\u202e{}", "masked"),
    ],
)
def test_led_20_masked_and_beside(verify, evening, paste, note):
    """LED-20: what a reader would take for the bot's is noted in the JSON, and the exit code says no."""
    code, (found,), _ = verify(paste.format(generic(evening)[0]))
    assert (code, found["verdict"], found["notes"]) == (1, "genuine", ["roll 1 of 2", note])


def test_led_21_altered(verify, evening):
    """LED-21: what differs, word for word."""
    posted = generic(evening)[0].replace("player: ", "player: 9", 1)
    code, (found,), _ = verify(posted)
    assert (code, found["verdict"]) == (1, "altered")
    ((was, given),) = found["differs"]
    assert given == f"9{was}"


@pytest.mark.parametrize("given", ["zz-000000", "#zz", "z9", "alice: 17; 4d6; 4d6; id zz-000000"])
def test_led_21_unknown(verify, given):
    """LED-21: no such roll: it cannot be said."""
    code, (found,), _ = verify(given)
    assert (code, found["verdict"], found["line"], found["nick"]) == (3, "unknown", None, None)


def test_led_21_a_covered_contest(verify, evening):
    """LED-21: nothing of a contest before its answer, whoever holds the ledger."""
    (posted,) = [line for line in evening[1] if "covered" in line]
    code, (found,), _ = verify(posted)
    assert (code, found["verdict"]) == (3, "withheld")
    assert [found[key] for key in ("line", "nick", "who", "channel", "official", "time")] == [None] * 6


def test_led_20_a_page_on_standard_input(verify, evening):
    """LED-20: lines without an id are passed over; the exit code is the worst of all."""
    good = generic(evening)[0]
    code, found, _ = verify("-", said=f"so:\n<FUDice> {good}\nwell-liked\n\n> {good}\nthat's all\n")
    assert (code, [each["verdict"] for each in found]) == (0, ["genuine", "genuine"])
    code, found, _ = verify("-", said=f"{good}\n{good[:-6]}zzzzzz\n")
    assert (code, [each["verdict"] for each in found]) == (3, ["genuine", "unknown"])
    code, found, _ = verify("-", said=f"{good.replace('4d6', '5d6')}\n{good[:-6]}zzzzzz\n")
    assert (code, [each["verdict"] for each in found]) == (1, ["altered", "unknown"])


@pytest.mark.parametrize(("given", "said"), [("verify that", ""), ("", ""), ("-", ""), ("-", "nothing\nhere\n")])
def test_nothing_to_verify(verify, given, said):
    """cli.md: 2 and one line where there is no id."""
    code, found, error = verify(given, said=said)
    assert (code, found) == (2, [])
    assert error == "ircdice: no posted line with its id was given, and no id.\n"


def test_in_words(words, evening):
    """LED-20: without --json the same in sentences."""
    good = generic(evening)[0]
    code, said, _ = words(good.rpartition(" ")[2])
    assert code == 0
    first, second = said.splitlines()
    assert first.startswith("Genuine and official: player rolled it in #fu_dice on demo, ")
    assert second == f"  It reads: {good.rpartition('; id ')[0]}"


def test_of_several_each_is_named(words, evening):
    """LED-20: the answers to a page say which line each is about."""
    lines = generic(evening)
    _, out, _ = words("\n".join(lines))
    said = [line for line in out.splitlines() if line[:1].strip()]
    assert [line.partition(": ")[0] for line in said] == [line.rpartition(" ")[2] for line in lines]


def copied(evening, folder):
    """The evening in a folder of its own, to be spoilt."""
    for name in ("config.ini", "ledger.db", "tag.keys"):
        (folder / name).write_bytes((evening[0] / name).read_bytes())
    return folder / "config.ini"


def test_led_21_lost(verify, evening, tmp_path):
    """LED-21: a record is gone from the database: an alarm, and exit code 1."""
    config = copied(evening, tmp_path)
    posted = generic(evening)[0]
    database = sqlite3.connect(tmp_path / "ledger.db")
    database.execute("DELETE FROM records WHERE line LIKE '%4d6k3%'")
    database.commit()
    database.close()
    code, (found,), error = verify(posted, config=config)
    assert (code, found["verdict"], found["line"]) == (1, "lost", None)
    assert error.startswith("ircdice: alarm: the id ")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("draws", "20:6,6,6,6"),
        ("who", "~bob"),
        ("ts", 1_000_000_000_000),
        ("kind", "discard"),
        ("text", "roll 4d6"),
        ("leaf", bytes(32)),
        ("blind", b""),
        ("counter", 99),
    ],
)
def test_led_21_a_record_that_was_altered_where_its_line_does_not_show_it(verify, evening, tmp_path, column, value):
    """LED-21, LED-11: what the tag is not made of the leaf is: the record is not genuine for its line alone."""
    config = copied(evening, tmp_path)
    posted = generic(evening)[0]
    database = sqlite3.connect(tmp_path / "ledger.db")
    database.execute(f"UPDATE records SET {column} = ? WHERE tag = ?", (value, posted[-6:]))
    database.commit()
    database.close()
    code, (found,), error = verify(posted, config=config)
    assert (code, found["verdict"], found["line"]) == (1, "lost", None)
    assert "its record is gone or altered" in error


def test_without_a_ledger(verify, evening, tmp_path):
    """cli.md: 3 where the record is out of reach, 2 where a key is missing; nothing is made."""
    config = copied(evening, tmp_path)
    (tmp_path / "tag.keys").unlink()
    code, _, error = verify("1-abcdef", config=config)
    assert (code, error.count("\n")) == (2, 1)
    (tmp_path / "ledger.db").unlink()
    code, _, error = verify("1-abcdef", config=config)
    assert code == 3
    assert "there is no ledger at" in error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.ini"]


def test_the_demo_verifies(shown):
    """LED-20: the demo's own ledger is asked in the channel."""
    assert "<FUDice> Genuine and official: player rolled it in #fu_dice on demo" in shown[1]
    assert re.search(r"-FUDice- [0-9]{2}:[0-9]{2} UTC player: .*; id ", shown[1])

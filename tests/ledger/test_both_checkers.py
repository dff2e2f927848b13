"""LED-20: `ircdice verify` and docs/check_export.py judge the same pasted lines alike."""

import asyncio
import io
import json
from contextlib import redirect_stdout

import pytest
from exported import checked
from operating import evening, ledger, played

from ircdice.cli.main import main

INVISIBLE = "\xad\u200b\u200c\u200d\u2060\u180e\ufeff\U000e0041"
LINES = {  # what is pasted, with the notes of both
    "LINE": (),
    "LINE!": (),
    "-> LINE": (),
    "21:04 <FUDice> LINE": (),
    "\ufeffLINE": (),
    "\x02LINE\x02": (),
    "\x1eLINE\x1e": ("masked",),
    "\x16LINE\x16": ("masked",),
    "=/= LINE": ("beside",),
    "!= LINE": ("beside",),
    "LINE :(": ("beside",),
    "LINE?": ("beside",),
    "LINE -> bob": ("beside",),
    "<zed> LINE": ("beside",),  # a nick of nobody who ever rolled in the channel
}
CHANGES = (
    {  # within the line
        "a nick that does not ring": (lambda line: f"{line[0]}\u200b{line[1:]}", ()),
        "an id in capitals": (lambda line: line[:-8] + line[-8:].upper(), ()),
        "a web page's spaces": (lambda line: line.replace("; ", ";&nbsp;"), ()),
        "an id after a colon": (lambda line: line.replace("; id ", "; id: "), ()),
    }
    | {
        f"U+{ord(sign):04X}": (lambda line, sign=sign: line.replace(": ", f": {sign}", 1), ("masked",))
        for sign in INVISIBLE
    }
)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A config whose ledger was exported, the export, the ledger's key as it is shown, and a line."""
    config = played(tmp_path_factory.mktemp("both"))
    said = evening(config, [("bob", "roll 3d6"), ("alice", "roll 2d10")])
    line = asyncio.run(said)[1]
    export = config.parent / "export.jsonl"
    assert ledger("export", export, config=config)[0] == 0
    key = next(word for word in ledger("keys", config=config)[1].split() if word.count("+") >= 2)
    return config, export, key, line


def judged(config, text):
    """The verdict of `ircdice verify --json`, its notes on the text around the line, and the exit code."""
    shown = io.StringIO()
    with redirect_stdout(shown), pytest.MonkeyPatch.context() as patched:
        patched.setattr("sys.argv", ["ircdice", "verify", "--json", "-c", str(config), "--", text])
        with pytest.raises(SystemExit) as end:
            main()
    told = json.loads(shown.getvalue())
    return told["verdict"], {"masked", "beside"} & {*told["notes"]}, end.value.code or 0


def assert_alike(house, text, notes):
    config, export, key, _ = house
    code = 1 if notes else 0
    assert judged(config, text) == ("genuine", {*notes}, code)
    exit_code, said = checked(export, "--key", key, f"--line={text}")
    assert "\ngenuine: " in said
    assert (exit_code, {note for note in ("masked", "beside") if f"\n{note}: " in said}) == (code, {*notes}), said


@pytest.mark.parametrize(("text", "notes"), LINES.items(), ids=map(ascii, LINES))
def test_led_20_what_is_around_a_line(house, text, notes):
    """LED-20: signs, words and formatting around a line get the same notes from both programs."""
    assert_alike(house, text.replace("LINE", house[3]), notes)


@pytest.mark.parametrize(("change", "notes"), CHANGES.values(), ids=CHANGES)
def test_led_20_what_a_reader_does_not_see_within_a_line(house, change, notes):
    """LED-20, IRC-21: U+200B is allowed in the leading nick, and no invisible character elsewhere."""
    assert_alike(house, change(house[3]), notes)


@pytest.mark.parametrize("key", ["AAAA", "x+00000000+AAAA", "no key"])
def test_led_19_a_wrong_key_is_named(house, key):
    """LED-19: the message is about --key, and not about the file."""
    code, said = checked(house[1], "--key", key, f"--line={house[3]}")
    assert (code, "--key is the ledger's public key" in said, "cannot be read" in said) == (2, True, False)


def test_led_19_the_key_of_another_ledger_is_named(house):
    """LED-19: the export may be sound; the key is not its own."""
    code, said = checked(house[1], "--key", "A" * 43 + "=", f"--line={house[3]}")
    assert (code, "--key is not the key that the file names" in said) == (1, True)
